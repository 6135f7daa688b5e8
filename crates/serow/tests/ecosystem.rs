//! The types of other crates: they come back, and are the types of serow that other languages have.

use std::collections::BTreeMap;
use std::fmt::Debug;
use std::net::{IpAddr, Ipv6Addr, SocketAddr};
use std::path::PathBuf;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serow::{Codec, Composite, ErrorKind, ReadRow, Row, Value, Wire, schema_of};

/// Checks that values come back, and that each is a value of this type, and this text, in other languages.
#[track_caller]
fn come_back<T>(schema: &str, cases: &[(T, &str)])
where
    T: Debug + PartialEq + Row + for<'m> ReadRow<'m> + Send + Sync + Clone,
{
    assert_eq!(schema_of::<T>().unwrap().to_string(), schema);
    let rows: Vec<T> = cases.iter().map(|(row, _)| row.clone()).collect();
    let texts: Vec<String> = cases.iter().map(|(_, text)| (*text).into()).collect();
    for wire in [Wire::Row, Wire::Frame] {
        let codec = Codec::of::<T>(wire).unwrap();
        let bytes = codec.encode(&rows).unwrap();
        assert_eq!(codec.decode(&bytes).unwrap(), rows);
        let values: Vec<String> =
            serow::loads(&bytes).unwrap().iter().map(Value::to_string).collect();
        assert_eq!(values, texts);
        for row in &rows {
            assert_eq!(codec.decode_one(&codec.encode_one(row).unwrap()).unwrap(), *row);
        }
    }
}

/// Returns the message of the error that reading `value` as a `T` is.
#[track_caller]
fn refused<T: Debug + for<'m> ReadRow<'m>>(value: impl Into<Value>) -> String {
    let bytes = serow::dumps(&[value.into()]).unwrap();
    let error = serow::from_slice::<T>(&bytes).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Decode, "{error}");
    error.message().to_owned()
}

/// A moment in nanoseconds since 1970, of a clock that is `offset` seconds ahead, in a zone.
fn moment(nanos: i64, offset: i64, zone: &str) -> Composite {
    let ints = [nanos.div_euclid(1000), 2 * nanos.rem_euclid(1000), offset * 1_000_000];
    Composite::of(serow::Logical::TimestampTz, &ints, &[], zone.as_bytes()).unwrap()
}

#[test]
fn the_standard_library() {
    come_back(
        "duration",
        &[
            (Duration::ZERO, "PT0S"),
            (Duration::new(90, 1), "PT90.000000001S"),
            (Duration::new(i64::MAX as u64, 999_999_999), "PT9223372036854775807.999999999S"),
        ],
    );
    come_back(
        "timestamptz",
        &[
            (UNIX_EPOCH, "1970-01-01T00:00:00+00:00"),
            (UNIX_EPOCH - Duration::from_nanos(1), "1969-12-31T23:59:59.999999999+00:00"),
            (UNIX_EPOCH + Duration::from_secs(1_728_000_000), "2024-10-04T00:00:00+00:00"),
        ],
    );
    come_back(
        "str",
        &[(IpAddr::from([127, 0, 0, 1]), "\"127.0.0.1\""), (Ipv6Addr::LOCALHOST.into(), "\"::1\"")],
    );
    come_back("str", &[(SocketAddr::from(([1, 2, 3, 4], 80)), "\"1.2.3.4:80\"")]);
    come_back("str", &[(PathBuf::from("a/b"), "\"a/b\"")]);
    assert!(refused::<IpAddr>("x").ends_with("invalid IP address syntax"));
    let behind = Composite::duration(-1, 0).unwrap();
    assert!(refused::<Duration>(behind).ends_with("beyond the range of core::time::Duration"));
    // Any zone's time is a point in time.
    let bytes = serow::dumps(&[moment(0, 3600, "").into()]).unwrap();
    let read: Vec<SystemTime> = serow::from_slice(&bytes).unwrap();
    assert_eq!(read, [UNIX_EPOCH - Duration::from_secs(3600)]);
    let error = serow::to_vec(&[Duration::MAX]).unwrap_err();
    assert_eq!((error.kind(), error.row()), (ErrorKind::Encode, Some(0)));
}

#[test]
fn chrono() {
    use chrono::{DateTime, FixedOffset, NaiveDate, NaiveDateTime, NaiveTime, TimeDelta, Utc};
    let parsed = |text: &str| DateTime::parse_from_rfc3339(text).unwrap();
    come_back(
        "date",
        &[
            (NaiveDate::from_ymd_opt(2024, 10, 4).unwrap(), "2024-10-04"),
            (NaiveDate::MIN, "-262143-01-01"),
            (NaiveDate::MAX, "+262142-12-31"),
        ],
    );
    come_back(
        "time",
        &[
            (NaiveTime::MIN, "00:00:00"),
            (NaiveTime::from_hms_nano_opt(23, 59, 59, 999_999_999).unwrap(), "23:59:59.999999999"),
        ],
    );
    come_back(
        "timestamp",
        &[
            (DateTime::UNIX_EPOCH.naive_utc(), "1970-01-01T00:00:00"),
            (parsed("1969-12-31T23:59:59.123456789Z").naive_utc(), "1969-12-31T23:59:59.123456789"),
            (NaiveDateTime::MIN, "-262143-01-01T00:00:00"),
        ],
    );
    come_back(
        "timestamptz",
        &[(parsed("2024-10-04T01:02:03+02:00").with_timezone(&Utc), "2024-10-03T23:02:03+00:00")],
    );
    come_back::<DateTime<FixedOffset>>(
        "timestamptz",
        &[
            (parsed("2024-10-04T01:02:03+02:00"), "2024-10-04T01:02:03+02:00"),
            (parsed("0001-01-01T00:00:00-12:34"), "0001-01-01T00:00:00-12:34"),
        ],
    );
    come_back(
        "duration",
        &[
            (TimeDelta::zero(), "PT0S"),
            (TimeDelta::nanoseconds(-1), "-PT0.000000001S"),
            (TimeDelta::milliseconds(-1500), "-PT1.500S"),
        ],
    );
    let leap = NaiveTime::from_hms_nano_opt(23, 59, 59, 1_500_000_000).unwrap();
    let error = serow::to_vec(&[leap]).unwrap_err();
    assert_eq!(
        error.message(),
        "row 0: a value of NaiveTime is beyond the range of its type in the rows"
    );
    let far = Composite::date(200_000_000);
    assert!(
        refused::<NaiveDate>(far).ends_with("beyond the range of chrono::naive::date::NaiveDate")
    );
    // The name of a zone says no more than its offset here.
    let bytes = serow::dumps(&[moment(0, 3600, "Europe/Berlin").into()]).unwrap();
    let read: Vec<DateTime<FixedOffset>> = serow::from_slice(&bytes).unwrap();
    assert_eq!(read[0].to_rfc3339(), "1970-01-01T00:00:00+01:00");
}

#[test]
fn time() {
    use time::{Date, Duration, OffsetDateTime, PrimitiveDateTime, Time, UtcOffset};
    let date = Date::from_ordinal_date(2024, 278).unwrap();
    let clock = Time::from_hms_nano(1, 2, 3, 4_000).unwrap();
    come_back(
        "date",
        &[(date, "2024-10-04"), (Date::MIN, "-9999-01-01"), (Date::MAX, "9999-12-31")],
    );
    come_back("time", &[(clock, "01:02:03.000004"), (Time::MIDNIGHT, "00:00:00")]);
    let local = PrimitiveDateTime::new(date, clock);
    come_back(
        "timestamp",
        &[(local, "2024-10-04T01:02:03.000004"), (PrimitiveDateTime::MIN, "-9999-01-01T00:00:00")],
    );
    let offset = UtcOffset::from_hms(-1, -30, 0).unwrap();
    come_back(
        "timestamptz",
        &[
            (local.assume_offset(offset), "2024-10-04T01:02:03.000004-01:30"),
            (OffsetDateTime::UNIX_EPOCH, "1970-01-01T00:00:00+00:00"),
        ],
    );
    come_back(
        "duration",
        &[
            (Duration::milliseconds(-1500), "-PT1.500S"),
            (Duration::MAX, "PT9223372036854775807.999999999S"),
        ],
    );
}

#[test]
fn jiff() {
    use jiff::civil::{Date, DateTime, Time};
    use jiff::{SignedDuration, Timestamp, Zoned, tz::TimeZone};
    come_back(
        "date",
        &[
            (Date::constant(2024, 10, 4), "2024-10-04"),
            (Date::MIN, "-9999-01-01"),
            (Date::MAX, "9999-12-31"),
        ],
    );
    come_back("time", &[(Time::MIN, "00:00:00"), (Time::MAX, "23:59:59.999999999")]);
    come_back(
        "timestamp",
        &[(DateTime::constant(1969, 12, 31, 23, 59, 59, 1), "1969-12-31T23:59:59.000000001")],
    );
    come_back(
        "timestamptz",
        &[
            (Timestamp::UNIX_EPOCH, "1970-01-01T00:00:00+00:00"),
            (Timestamp::MAX, "9999-12-30T22:00:00.999999999+00:00"),
        ],
    );
    come_back(
        "duration",
        &[
            (SignedDuration::from_millis(-1500), "-PT1.500S"),
            (SignedDuration::MAX, "PT9223372036854775807.999999999S"),
        ],
    );
    let utc = Timestamp::UNIX_EPOCH.to_zoned(TimeZone::UTC);
    let fixed = Timestamp::UNIX_EPOCH.to_zoned(jiff::tz::offset(2).to_time_zone());
    come_back::<Zoned>(
        "timestamptz",
        &[(fixed, "1970-01-01T02:00:00+02:00"), (utc, "1970-01-01T00:00:00+00:00")],
    );
    if let Ok(berlin) = TimeZone::get("Europe/Berlin") {
        let there = Timestamp::UNIX_EPOCH.to_zoned(berlin);
        come_back::<Zoned>("timestamptz", &[(there, "1970-01-01T01:00:00+01:00")]);
    }
    let wrong = refused::<Zoned>(moment(0, 0, "Mars/Phobos"));
    assert!(wrong.ends_with("beyond the range of jiff::zoned::Zoned"), "{wrong}");
}

#[test]
fn numbers() {
    let uuid = uuid::Uuid::from_u128(0x0123_4567_89ab_cdef_0123_4567_89ab_cdef);
    come_back("uuid", &[(uuid, "01234567-89ab-cdef-0123-456789abcdef")]);

    use rust_decimal::Decimal;
    let mut negative_zero = Decimal::new(0, 2);
    negative_zero.set_sign_negative(true);
    come_back(
        "decimal",
        &[
            (Decimal::new(-1250, 2), "-12.50"),
            (Decimal::MAX, "79228162514264337593543950335"),
            (Decimal::MIN, "-79228162514264337593543950335"),
            (Decimal::new(0, 3), "0.000"),
            (negative_zero, "-0.00"),
        ],
    );
    let read = |value: Composite| {
        serow::from_slice::<Decimal>(&serow::dumps(&[value.into()]).unwrap()).map(|read| read[0])
    };
    assert_eq!(read(Composite::decimal(7, 3)).unwrap(), Decimal::new(7000, 0));
    assert!(read(Composite::decimal(7, 40)).is_err() && read(Composite::decimal(7, -29)).is_err());

    use bigdecimal::BigDecimal;
    use num_bigint::{BigInt, BigUint};
    let large: BigInt = BigInt::from(7) << 200_u32;
    let digits = large.to_string();
    let scaled = format!("{}.{}", &digits[..digits.len() - 5], &digits[digits.len() - 5..]);
    come_back(
        "decimal",
        &[
            (BigDecimal::new(1250.into(), 2), "12.50"),
            (BigDecimal::new(large.clone(), 5), &scaled),
            (BigDecimal::new(7.into(), -3), "7E+3"),
        ],
    );
    let negative = format!("-{digits}");
    come_back(
        "int",
        &[
            (BigInt::from(-5), "-5"),
            (large.clone(), &digits),
            (-large.clone(), &negative),
            (BigInt::from(i64::MIN), "-9223372036854775808"),
        ],
    );
    come_back("int", &[(BigUint::from(u64::MAX), "18446744073709551615"), (BigUint::ZERO, "0")]);
    assert!(refused::<BigUint>(Value::I64(-1)).ends_with("num_bigint::biguint::BigUint"));
}

#[test]
fn containers() {
    use arrayvec::{ArrayString, ArrayVec};
    use bytes::{Bytes, BytesMut};
    use compact_str::CompactString;
    use indexmap::{IndexMap, IndexSet};
    use ordered_float::{NotNan, OrderedFloat};
    use smallvec::SmallVec;
    come_back("bytes", &[(Bytes::from_static(b"\0\xff"), "00ff")]);
    come_back("bytes", &[(BytesMut::from(&b"a"[..]), "61")]);
    let codec = Codec::of::<i64>(Wire::Row).unwrap();
    let mut buffer = BytesMut::new();
    assert_eq!(codec.encode_one_into(&1, &mut buffer), Ok(9));
    assert_eq!(codec.encode_one_into(&2, &mut buffer), Ok(9));
    assert_eq!((codec.decode_one(&buffer[..9]), codec.decode_one(&buffer[9..])), (Ok(1), Ok(2)));
    come_back("str", &[(CompactString::from("peru"), "\"peru\"")]);
    come_back("[i32]", &[(SmallVec::<[i32; 2]>::from_slice(&[1, 2, 3]), "[1, 2, 3]")]);
    come_back("bytes", &[(SmallVec::<[u8; 2]>::from_slice(&[1, 2]), "0102")]);
    come_back(
        "[str]",
        &[(ArrayVec::<String, 2>::from(["a".into(), "b".into()]), "[\"a\", \"b\"]")],
    );
    come_back("str", &[(ArrayString::<8>::from("peru").unwrap(), "\"peru\"")]);
    come_back(
        "{str: i32}",
        &[(
            IndexMap::<String, i32, std::hash::RandomState>::from_iter([
                ("b".into(), 1),
                ("a".into(), 2),
            ]),
            "{\"b\": 1, \"a\": 2}",
        )],
    );
    come_back(
        "[i32]",
        &[(IndexSet::<i32, std::hash::RandomState>::from_iter([3, 1, 2]), "[3, 1, 2]")],
    );
    come_back("{f64: i32}", &[(BTreeMap::from([(OrderedFloat(0.5), 1)]), "{0.5: 1}")]);
    come_back("f32", &[(NotNan::new(0.5_f32).unwrap(), "0.5")]);
    assert!(refused::<NotNan<f64>>(f64::NAN).ends_with("NaN is no NotNan"));
    let three = Value::List(vec![Value::I64(1); 3]);
    assert!(refused::<ArrayVec<i32, 2>>(three).ends_with("3 elements do not fit an ArrayVec of 2"));
    assert!(refused::<ArrayString<3>>("peru").ends_with("4 bytes do not fit an ArrayString of 3"));
}

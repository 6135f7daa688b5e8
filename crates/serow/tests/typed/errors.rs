//! Errors say what is wrong, and have a kind, a row and a path.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serow::{Codec, Error, ErrorKind, Schema, Wire};

fn place(error: &Error) -> (ErrorKind, Option<usize>, Option<String>) {
    (error.kind(), error.row(), error.path().map(ToString::to_string))
}

#[track_caller]
fn refused<T: std::fmt::Debug + serde::de::DeserializeOwned>(
    rows: &[impl Serialize + Sync],
    row: usize,
    path: &str,
    message: &str,
) {
    for wire in [Wire::Row, Wire::Frame] {
        let bytes = serow::serde::to_vec_with(rows, wire.into()).unwrap();
        let error = serow::serde::from_slice::<T>(&bytes).unwrap_err();
        assert_eq!(place(&error), (ErrorKind::Decode, Some(row), Some(path.into())), "{error}");
        assert!(error.offset().is_some());
        assert!(error.message().ends_with(message), "{error}");
    }
}

#[derive(Debug, Serialize, Deserialize)]
struct Line {
    part: String,
    counts: Vec<u8>,
}

#[test]
fn a_value_that_the_type_refuses_has_a_place() {
    #[derive(Debug, Serialize)]
    struct Wide {
        part: &'static str,
        counts: Vec<i32>,
    }
    let rows =
        [Wide { part: "a", counts: vec![1, 2] }, Wide { part: "b", counts: vec![3, 400, 5] }];
    refused::<Line>(&rows, 1, "counts.1", "invalid value: integer `400`, expected u8");
    let rows = rows.map(|row| (7, Some(row)));
    refused::<(i32, Option<Line>)>(&rows, 1, "1.counts.1", "integer `400`, expected u8");
    refused::<(i32, String)>(&rows, 0, "1", "invalid type: map, expected a string");
    refused::<(i32, i32, i32)>(&[(1, 2)], 0, "", "invalid length 2, expected a tuple of size 3");

    refused::<(i32, f32)>(&[(1, 0.5), (2, 0.1)], 1, "1", "0.1 does not fit f32");

    let maps = [BTreeMap::from([("x", Some(1)), ("y", None)])];
    refused::<BTreeMap<String, i32>>(&maps, 0, "value 1", "invalid type: unit value, expected i32");
    refused::<Line>(&maps, 0, "", "missing field `part`");
    refused::<char>(&["a", "ab"], 1, "", "invalid value: string \"ab\", expected a character");
    refused::<bool>(&[None, Some(1)], 0, "", "invalid type: unit value, expected a boolean");
}

#[test]
fn an_unknown_variant_has_a_place() {
    #[derive(Serialize)]
    enum New {
        A,
        B,
        C(i32),
    }
    #[derive(Debug, Deserialize)]
    enum Old {
        A,
    }
    assert!(matches!(
        serow::serde::from_slice(&serow::serde::to_vec(&[New::A]).unwrap()).unwrap()[..],
        [Old::A]
    ));
    refused::<Old>(&[New::A, New::B], 1, "", "unknown variant `B`, expected `A`");
    refused::<Vec<Old>>(&[vec![New::A, New::C(1)]], 0, "1", "unknown variant `C`, expected `A`");
}

#[test]
fn a_value_that_does_not_fit_the_codec_has_a_place() {
    let codec = Codec::infer_typed(&[(1, vec![Some("a")])], Wire::Frame).unwrap();
    let rows = [(1, vec![Some("b")]), (2, vec![Some("c"), None])];
    let error = codec.encode(&rows).unwrap_err();
    assert_eq!(place(&error), (ErrorKind::Encode, Some(1), Some("1.1".into())));
    assert_eq!(error.message(), "row 1, field 1.1 (str): cannot encode null");

    let schema = Schema::parse("Part{key: i64, kind: enum Kind{A, B}}").unwrap();
    #[derive(Serialize)]
    enum Kind {
        A,
        C,
    }
    #[derive(Serialize)]
    struct Part {
        key: u64,
        kind: Kind,
    }
    let codec = Codec::typed(&schema, Wire::Row);
    assert!(codec.encode(&[Part { key: 1, kind: Kind::A }]).is_ok());
    let error = codec.encode_one(&Part { key: 1, kind: Kind::C }).unwrap_err();
    assert_eq!(place(&error), (ErrorKind::Encode, Some(0), Some("kind".into())));
    assert!(error.message().ends_with("cannot encode Kind::C"), "{error}");
    let error = codec.encode(&[Part { key: u64::MAX, kind: Kind::A }]).unwrap_err();
    assert_eq!(place(&error), (ErrorKind::Encode, Some(0), Some("key".into())));

    #[derive(Serialize)]
    struct Other {
        key: u64,
        name: Kind,
    }
    let codec = Codec::typed(&schema, Wire::Row);
    let error = codec.encode(&[Other { key: 1, name: Kind::A }]).unwrap_err();
    assert_eq!(place(&error), (ErrorKind::Encode, Some(0), Some(String::new())));
}

/// Refuses to be serialized.
#[derive(Clone, Copy)]
struct Refuses(bool);

impl Serialize for Refuses {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            true => Err(serde::ser::Error::custom("the lock is poisoned")),
            false => serializer.serialize_i32(1),
        }
    }
}

#[test]
fn what_the_types_own_code_says_is_in_the_error() {
    let rows = [false, false, true, false].map(|refuses| (0, Refuses(refuses)));
    let codec = Codec::infer_typed(&rows[..2], Wire::Frame).unwrap();
    let errors = [
        serow::serde::to_vec(&rows).unwrap_err(),
        serow::serde::to_vec_with(&rows, Wire::Frame.into()).unwrap_err(),
        serow::serde::infer(&rows).unwrap_err(),
        codec.encode(&rows).unwrap_err(),
    ];
    for error in errors {
        assert_eq!((error.kind(), error.row()), (ErrorKind::Encode, Some(2)));
        assert!(error.message().ends_with("the lock is poisoned"), "{error}");
    }
    let error = codec.encode(&rows).unwrap_err();
    assert_eq!(place(&error), (ErrorKind::Encode, Some(2), Some("1".into())));
}

/// Says another length than it has.
struct Says(usize, usize);

impl Serialize for Says {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeSeq;
        let mut seq = serializer.serialize_seq(Some(self.0))?;
        (0..self.1).try_for_each(|i| seq.serialize_element(&i))?;
        seq.end()
    }
}

#[test]
fn a_sequence_that_says_another_length_is_refused() {
    for (said, had) in [(2, 3), (3, 2), (0, 1), (1 << 40, 1)] {
        let error = serow::serde::to_vec(&[Says(said, had)]).unwrap_err();
        assert!([ErrorKind::Encode, ErrorKind::Limit].contains(&error.kind()), "{error}");
    }
    assert!(serow::serde::to_vec(&[Says(2, 2)]).is_ok());
    let codec = Codec::infer_typed(&[Says(2, 2)], Wire::Row).unwrap();
    for (said, had, more) in [(2, 3, "more"), (3, 2, "fewer")] {
        let message = format!("the value: a sequence has {more} elements than it said");
        let rows = [Says(said, had)];
        for error in [serow::serde::infer(&rows).unwrap_err(), codec.encode(&rows).unwrap_err()] {
            assert!(error.message().ends_with(&message), "{error}");
        }
    }
}

#[test]
fn values_of_other_languages_are_refused_or_read() {
    use serow::{Composite, Value};
    let bytes = serow::dumps(&[Value::from(Composite::date(20_000))]).unwrap();
    assert_eq!(serow::serde::from_slice::<String>(&bytes).unwrap(), ["2024-10-04"]);

    let part = Value::dict([("key", Value::I64(7)), ("sizes", Value::Set(vec![Value::I64(1)]))]);
    #[derive(Debug, PartialEq, Deserialize)]
    struct Part {
        sizes: Vec<i32>,
        key: f64,
    }
    let bytes = serow::dumps(&[part]).unwrap();
    let part = Part { sizes: vec![1], key: 7.0 };
    assert_eq!(serow::serde::from_slice::<Part>(&bytes).unwrap(), [part]);

    #[derive(Debug, PartialEq, Deserialize)]
    enum Shape {
        Point,
        Circle { radius: f64 },
    }
    let circle = Value::dict([("Circle", Value::dict([("radius", Value::F64(0.5))]))]);
    let bytes = serow::dumps(&["Point".into(), circle]).unwrap();
    let shapes: Vec<Shape> = serow::serde::from_slice(&bytes).unwrap();
    assert_eq!(shapes, [Shape::Point, Shape::Circle { radius: 0.5 }]);

    let large = Composite::int(&[1; 17]).unwrap();
    let bytes = serow::dumps(&[Value::from(large)]).unwrap();
    let error = serow::serde::from_slice::<u128>(&bytes).unwrap_err();
    assert!(error.message().ends_with("the integer has more than 128 bits"), "{error}");
}

#[test]
fn a_schema_with_the_fields_in_another_order_is_named() {
    #[derive(Serialize)]
    struct Address {
        street: &'static str,
        zip: u32,
    }
    let schema = Schema::parse("Address{zip: i64, street: str}").unwrap();
    let codec = Codec::typed::<Address>(&schema, Wire::Row);
    let error = codec.encode_one(&Address { street: "x", zip: 4 }).unwrap_err();
    assert_eq!(
        error.message(),
        "record, field zip (i64): the type has another field here; the schema must have the fields of the type, \
         in their order"
    );
}

#[test]
fn a_key_twice_is_not_written() {
    #[derive(Debug, Serialize, Deserialize)]
    struct Flat {
        a: u8,
        #[serde(flatten)]
        rest: BTreeMap<String, u8>,
    }
    let row = |i: u8| {
        let key = if i == 50 { "a" } else { "b" };
        Flat { a: i, rest: [(key.into(), i)].into() }
    };
    let mut writer = serow::Writer::typed(Vec::new());
    for i in 0..100 {
        let written = writer.write(&row(i));
        match i {
            50 => {
                let error = written.unwrap_err();
                assert_eq!(error.kind(), ErrorKind::Encode, "{error}");
                assert!(error.message().ends_with("a map holds a key twice"), "{error}");
            }
            _ => written.unwrap(),
        }
    }
    let bytes = writer.finish().unwrap();
    let rows = serow::Reader::typed::<Flat>(&bytes[..]).collect::<serow::Result<Vec<_>>>();
    assert_eq!(rows.unwrap().len(), 99);
    for wire in [Wire::Row, Wire::Frame] {
        let rows: Vec<_> = (0..100).map(row).collect();
        let error = serow::serde::to_vec_with(&rows, wire.into()).unwrap_err();
        assert_eq!(place(&error), (ErrorKind::Encode, Some(50), Some("".into())), "{error}");
    }
}

//! Errors name the row, the path and the reason.

use std::collections::{BTreeMap, HashMap};

use serow::{Codec, Error, ErrorKind, Options, ReadRow, Row, Value, Wire};

/// Reads rows of values as rows of `T`, on both wires, and returns the error.
#[track_caller]
fn refused<T: for<'m> ReadRow<'m> + std::fmt::Debug>(rows: &[Value]) -> Error {
    let [row, frame] = [Wire::Row, Wire::Frame].map(|wire| {
        let bytes = Options::from(wire).dumps(rows).unwrap();
        serow::from_slice::<T>(&bytes).unwrap_err()
    });
    assert_eq!((row.kind(), row.row(), row.path()), (frame.kind(), frame.row(), frame.path()));
    assert_eq!(row.message(), frame.message());
    row
}

#[track_caller]
fn is_at(error: &Error, row: usize, path: &str, why: &str) {
    let at = (error.kind(), error.row(), error.path().map(ToString::to_string));
    assert_eq!(at, (ErrorKind::Decode, Some(row), Some(path.to_owned())), "{error}");
    assert!(error.message().ends_with(why), "{error}");
}

#[derive(Debug, PartialEq, Row)]
struct Order {
    lines: Vec<Line>,
    by_name: BTreeMap<String, Vec<u16>>,
}

#[derive(Debug, PartialEq, Row)]
struct Line {
    count: u8,
    kind: Kind,
}

#[derive(Debug, PartialEq, Row)]
enum Kind {
    Plain(i8),
    Pair(i8, f32),
    Fields { letter: char },
}

fn line(count: i64, kind: Value) -> Value {
    Value::record("Line", [("count", Value::I64(count)), ("kind", kind)])
}

fn order(lines: Vec<Value>, numbers: Vec<i64>) -> Value {
    let numbers = Value::List(numbers.into_iter().map(Value::I64).collect());
    let by_name = Value::Map(vec![["a".into(), Value::List(vec![])], ["b".into(), numbers]]);
    Value::record("Order", [("lines", Value::List(lines)), ("by_name", by_name)])
}

fn plain(v: i64) -> Value {
    Value::record("Kind::Plain", [("0", Value::I64(v))])
}

#[test]
fn a_value_beyond_its_type_is_named() {
    let good = || order(vec![line(1, plain(2))], vec![3]);
    let of = |bad: Value| [good(), order(vec![line(1, plain(0)), bad], vec![]), good()];
    let error = refused::<Order>(&of(line(256, plain(1))));
    is_at(&error, 1, "lines.1.count", "field lines.1.count (u8): 256 can't be read as u8");
    is_at(
        &refused::<Order>(&of(line(1, plain(-129)))),
        1,
        "lines.1.kind.0",
        "-129 can't be read as i8",
    );
    let pair =
        Value::record("Kind::Pair", [("0", Value::Tuple(vec![Value::I64(1), Value::F64(0.1)]))]);
    is_at(
        &refused::<Order>(&of(line(1, pair))),
        1,
        "lines.1.kind.0.1",
        "0.1 can't be read as f32: no float of 32 bits equals it",
    );
    let fields = Value::record("Kind::Fields", [("letter", "ab".into())]);
    let error = refused::<Order>(&of(line(1, fields)));
    is_at(&error, 1, "lines.1.kind.letter", "a string of 2 characters is no char");
    let error = refused::<Order>(&[good(), order(vec![], vec![1, 65_536])]);
    is_at(&error, 1, "by_name.value 1.1", "65536 can't be read as u16");
}

/// The rows before an error are kept where readers give rows one by one.
#[test]
fn the_rows_before_an_error_come_first() {
    let rows: Vec<i64> = vec![1, 2, 300, 4];
    let mut writer = serow::Writer::of(Vec::new()).unwrap();
    writer.write_rows(&rows).unwrap();
    let bytes = writer.finish().unwrap();
    let mut reader = serow::Reader::of::<u8>(&bytes[..]).unwrap();
    assert_eq!(reader.next(), Some(Ok(1)));
    assert_eq!(reader.next(), Some(Ok(2)));
    assert_eq!(reader.next().unwrap().unwrap_err().row(), Some(2));
    assert_eq!(reader.next(), None);
}

#[test]
fn a_map_with_a_key_twice_is_refused() {
    #[derive(Debug, PartialEq, Row)]
    #[row(rename = "Keys")]
    struct Pairs {
        map: Vec<(Vec<i64>, i64)>,
    }
    #[derive(Debug, PartialEq, Row)]
    struct Keys {
        map: HashMap<Vec<i64>, i64>,
    }
    let twice = [Pairs { map: vec![(vec![1], 2), (vec![1], 3)] }];
    let bytes = serow::to_vec(&twice).unwrap();
    let error = serow::from_slice::<Keys>(&bytes).unwrap_err();
    assert_eq!((error.kind(), error.row()), (ErrorKind::Decode, Some(0)));
    assert!(error.message().contains("a map holds a key twice"), "{error}");
}

#[test]
fn a_schema_that_is_no_version_of_the_type_is_refused() {
    let error = serow::from_slice::<Line>(&serow::to_vec(&[1i64]).unwrap()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Schema);
    let codec = Codec::of::<Line>(Wire::Row).unwrap();
    let other = Codec::of::<i64>(Wire::Row).unwrap().encode_one(&1).unwrap();
    assert_eq!(codec.decode_one(&other).unwrap_err().kind(), ErrorKind::Schema);
}

#[test]
fn a_conversion_that_refuses_says_why() {
    mod even {
        pub type As = i64;
        pub fn to_row(v: &i64) -> i64 {
            *v
        }
        pub fn from_row(v: i64) -> Result<i64, String> {
            if v % 2 == 0 { Ok(v) } else { Err(format!("{v} is odd")) }
        }
    }
    #[derive(Debug, PartialEq, Row)]
    struct Evens {
        #[row(with = even)]
        value: i64,
    }
    #[derive(Debug, PartialEq, Row)]
    struct Pair(#[row(with = even)] i64, bool);
    #[derive(Debug, PartialEq, Row)]
    struct Only(#[row(with = even)] i64);
    let bytes = serow::to_vec(&[Evens { value: 2 }, Evens { value: 3 }]).unwrap();
    is_at(&serow::from_slice::<Evens>(&bytes).unwrap_err(), 1, "value", "3 is odd");
    let bytes = serow::to_vec(&[Pair(5, true)]).unwrap();
    is_at(&serow::from_slice::<Pair>(&bytes).unwrap_err(), 0, "0", "5 is odd");
    let bytes = serow::to_vec(&[Only(7)]).unwrap();
    is_at(&serow::from_slice::<Only>(&bytes).unwrap_err(), 0, "", "7 is odd");
}

/// Any damage is an error or other rows, never a panic.
#[test]
fn damaged_bytes_are_refused() {
    let order = || Order {
        lines: vec![
            Line { count: 1, kind: Kind::Plain(2) },
            Line { count: 3, kind: Kind::Pair(4, 0.5) },
            Line { count: 5, kind: Kind::Fields { letter: 'x' } },
        ],
        by_name: [("a".into(), vec![1, 2, 3]), ("b".into(), vec![])].into(),
    };
    let rows: Vec<Order> = (0..5).map(|_| order()).collect();
    let codec = Codec::of::<Order>(Wire::Row).unwrap().without_fingerprint();
    let record = codec.encode_one(&rows[0]).unwrap();
    for at in 0..record.len() {
        assert!(codec.decode_one(&record[..at]).is_err());
        for bit in 0..8 {
            let mut damaged = record.clone();
            damaged[at] ^= 1 << bit;
            let _ = codec.decode_one(&damaged);
        }
    }
    for wire in [Wire::Row, Wire::Frame] {
        let bytes = Options::from(wire).to_vec(&rows).unwrap();
        for at in 0..bytes.len() {
            assert!(serow::from_slice::<Order>(&bytes[..at]).is_err());
            let mut damaged = bytes.clone();
            damaged[at] ^= 0x41;
            let _ = serow::from_slice::<Order>(&damaged);
        }
    }
}

/// A record may claim many elements. No memory is taken for those that it lacks.
#[test]
fn a_claim_takes_no_memory() {
    let codec = Codec::of::<Vec<[u64; 64]>>(Wire::Row).unwrap().without_fingerprint();
    let many = Codec::of::<i64>(Wire::Row).unwrap().without_fingerprint();
    let claim = many.encode_one(&(1 << 30)).unwrap();
    assert_eq!(codec.decode_one(&claim).unwrap_err().kind(), ErrorKind::Decode);
}

#[test]
fn a_cell_that_is_borrowed_mutably_is_an_error() {
    let rows = [std::cell::RefCell::new(1)];
    let borrowed = rows[0].borrow_mut();
    let error = serow::to_vec(&rows).unwrap_err();
    assert_eq!(error.message(), "row 0: the value of a RefCell is borrowed mutably");
    drop(borrowed);
    assert!(serow::to_vec(&rows).is_ok());
}

#[test]
fn a_value_that_can_t_be_written_has_a_path() {
    use std::collections::BTreeMap;
    use std::time::Duration;

    #[derive(Row)]
    struct Line {
        count: u8,
        took: Option<Duration>,
    }
    #[derive(Row)]
    enum Kind {
        Lines(Vec<Line>),
        Pair(bool, Duration),
        Map { by_name: BTreeMap<String, Duration>, by_list: BTreeMap<Vec<i32>, [Duration; 2]> },
    }
    let line = |took| Line { count: 1, took };
    let (good, bad) = (Duration::ZERO, Duration::MAX);
    let map = |of, by| Kind::Map {
        by_name: [("a".into(), good), ("b".into(), of)].into(),
        by_list: [(vec![1], [good, by])].into(),
    };
    let codec = Codec::of::<Kind>(Wire::Frame).unwrap();
    let fine = || map(good, good);
    for (row, path) in [
        (Kind::Lines(vec![line(None), line(Some(good)), line(Some(bad))]), "0.2.took"),
        (Kind::Pair(true, bad), "0.1"),
        (map(bad, good), "by_name.value 1"),
        (map(good, bad), "by_list.0.1.1"),
    ] {
        let rows = [fine(), row];
        for error in [codec.encode(&rows).unwrap_err(), serow::to_vec(&rows).unwrap_err()] {
            let expected = format!(
                "row 1, field {path} (duration): a value of Duration is beyond the range of its type in the rows"
            );
            assert_eq!((error.kind(), error.row()), (ErrorKind::Encode, Some(1)));
            assert_eq!(error.message(), expected);
        }
        let error = codec.encode_one(&rows[1]).unwrap_err();
        assert_eq!(error.path().map(ToString::to_string).as_deref(), Some(path));
    }
}

#[test]
fn an_element_twice_is_no_set() {
    use std::collections::{BTreeSet, HashSet};
    let bytes = serow::to_vec(&[(vec![1, 2], 3), (vec![1, 1], 3)]).unwrap();
    let twice = "frame 0, row 1, field 0 ([i32]): a set holds an element twice";
    let error = serow::from_slice::<(BTreeSet<i32>, i32)>(&bytes).unwrap_err();
    assert_eq!(error.message(), twice);
    let error = serow::from_slice::<(HashSet<i32>, i32)>(&bytes).unwrap_err();
    assert_eq!(error.message(), twice);
}

#[test]
fn a_place_in_a_variant_has_its_own_type() {
    #[derive(Debug, Row)]
    enum Request {
        Get { key: u8, more: Vec<(u8, String)> },
        Delete(String),
    }
    let codec = Codec::of::<Request>(Wire::Row).unwrap();
    let cut = |request: Request| {
        let record = codec.encode_one(&request).unwrap();
        codec.decode_one(&record[..record.len() - 1]).unwrap_err().message().to_owned()
    };
    assert_eq!(
        cut(Request::Get { key: 1, more: vec![(1, "a".into())] }),
        "record, field more.0.1 (str): a record is shorter than its values"
    );
    assert_eq!(
        cut(Request::Delete("a".into())),
        "record, field 0 (str): a record is shorter than its values"
    );
}

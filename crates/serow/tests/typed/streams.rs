//! Streams of rows of Rust types.

use std::collections::BTreeMap;
use std::fmt;
use std::io::Cursor;

use proptest::collection::vec;
use proptest::prelude::*;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serow::{Codec, Compression, ErrorKind, Options, Reader, Schema, Value, View, Wire, Writer};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Row {
    key: u64,
    name: Option<String>,
    kinds: Vec<Kind>,
    counts: BTreeMap<String, i32>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
enum Kind {
    Unit,
    Newtype(u32),
    Fields { a: Option<i64>, b: String },
}

fn row() -> impl Strategy<Value = Row> {
    let kind = prop_oneof![
        Just(Kind::Unit),
        any::<u32>().prop_map(Kind::Newtype),
        (any::<Option<i64>>(), "[a-c]{0,3}").prop_map(|(a, b)| Kind::Fields { a, b }),
    ];
    let counts = prop::collection::btree_map("[a-z]{0,3}", any::<i32>(), 0..3);
    (any::<u64>(), prop::option::of("[a-c]{0,9}"), vec(kind, 0..3), counts)
        .prop_map(|(key, name, kinds, counts)| Row { key, name, kinds, counts })
}

pub fn formats() -> impl Iterator<Item = Options> {
    [Wire::Row, Wire::Frame].into_iter().flat_map(|wire| {
        [Compression::None, Compression::ZSTD, Compression::Lz4]
            .map(|compression| Options::from(wire).with_compression(compression))
    })
}

fn collected<T: serde::de::DeserializeOwned>(bytes: &[u8]) -> Vec<T> {
    Reader::typed(bytes).collect::<serow::Result<_>>().unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn any_rows_come_back_in_any_format(pieces in vec(vec(row(), 0..6), 0..4)) {
        for format in formats() {
            let mut writer = format.typed_writer(Vec::new());
            for (number, rows) in pieces.iter().enumerate() {
                if number % 2 == 0 {
                    writer.write_rows(rows).unwrap();
                } else {
                    rows.iter().try_for_each(|row| writer.write(row)).unwrap();
                }
                if number % 3 == 0 {
                    writer.flush().unwrap();
                }
            }
            let bytes = writer.finish().unwrap();
            let all = pieces.concat();
            prop_assert_eq!(&collected::<Row>(&bytes), &all);
            prop_assert_eq!(&serow::serde::from_slice::<Row>(&bytes).unwrap(), &all);
            let mut reader = View::typed::<Row>(Cursor::new(bytes)).unwrap();
            prop_assert_eq!(reader.rows(), all.len() as u64);
            for number in (0..all.len()).rev() {
                let row = reader.row(number as u64).unwrap();
                prop_assert_eq!(row.as_ref(), Some(&all[number]));
            }
            let bytes = serow::serde::to_vec_with(&all, format).unwrap();
            prop_assert_eq!(&serow::serde::from_slice::<Row>(&bytes).unwrap(), &all);
        }
    }
}

#[test]
fn new_variants_widen_the_schema() {
    let rows = [
        Kind::Unit,
        Kind::Newtype(1),
        Kind::Unit,
        Kind::Fields { a: None, b: "x".into() },
        Kind::Fields { a: Some(1), b: "y".into() },
    ];
    for format in formats() {
        let mut writer = format.typed_writer(Vec::new());
        rows.iter().for_each(|row| writer.write(row).unwrap());
        let bytes = writer.finish().unwrap();
        assert_eq!(collected::<Kind>(&bytes), rows);
        assert_eq!(Reader::new(&bytes[..]).count(), rows.len());
    }
}

#[test]
fn a_codec_writes_its_schema_and_no_other() {
    for format in formats() {
        let codec = Codec::infer_typed(&[(1u32, Some(2u8))], format).unwrap();
        let rows: Vec<_> = (0..2000).map(|i| (i, Some(3))).collect();
        assert_eq!(codec.decode(&codec.encode(&rows).unwrap()).unwrap(), rows);
        let mut writer = codec.writer(Vec::new());
        writer.write_rows(&rows[..5]).unwrap();
        let error = writer.write_rows(&[(5, Some(3)), (7, None)]).unwrap_err();
        assert_eq!((error.kind(), error.row(), writer.rows()), (ErrorKind::Encode, Some(1), 6));
        writer.write_rows(&rows[6..]).unwrap();
        assert_eq!(writer.schema(), Some(&Schema::parse("(u32, u8)").unwrap()));
        assert_eq!(collected::<(u32, Option<u8>)>(&writer.finish().unwrap()), rows);
    }
}

/// A number that is not serialized if it is negative.
struct Refused(i32);

impl Serialize for Refused {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            0.. => to.serialize_i32(self.0),
            _ => Err(serde::ser::Error::custom("a negative number")),
        }
    }
}

#[test]
fn a_row_that_its_type_refuses_is_left_out() {
    let mut writer = Writer::typed(Vec::new());
    writer.write_rows(&[Refused(1), Refused(2)]).unwrap();
    let error = writer.write_rows(&[Refused(3), Refused(-4), Refused(5)]).unwrap_err();
    assert_eq!((error.kind(), error.row()), (ErrorKind::Encode, Some(1)));
    assert!(error.message().contains("a negative number"), "{error}");
    writer.write(&Refused(6)).unwrap();
    assert_eq!(collected::<i32>(&writer.finish().unwrap()), [1, 2, 3, 6]);
}

#[test]
fn rows_before_one_that_the_type_refuses_come_first() {
    for format in formats() {
        let mut writer = format.typed_writer(Vec::new());
        writer.write_rows(&[1, 2]).unwrap();
        writer.flush().unwrap();
        writer.write_rows(&[3, 4, 500, 6]).unwrap();
        let bytes = writer.finish().unwrap();
        let mut reader = Reader::typed::<u8>(&bytes[..]);
        let rows: Vec<u8> = reader.by_ref().map_while(Result::ok).collect();
        assert_eq!(rows, [1, 2, 3, 4]);
        // The error was the last item.
        assert!(reader.next().is_none());
        let error = Reader::typed::<u8>(&bytes[..]).nth(4).unwrap().unwrap_err();
        assert_eq!((error.kind(), error.row()), (ErrorKind::Decode, Some(4)));
        assert!(error.message().contains("500"), "{error}");
        let mut reader = View::typed::<u8>(Cursor::new(bytes)).unwrap();
        assert_eq!(reader.row(3).unwrap(), Some(4));
        assert_eq!(reader.row(4).unwrap_err().row(), Some(4));
        assert_eq!(reader.row(1).unwrap(), Some(2));
    }
}

/// A type that accepts nothing but a map.
#[derive(Debug, PartialEq)]
pub struct OfMap(Vec<(String, i64)>);

impl<'de> Deserialize<'de> for OfMap {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<OfMap, D::Error> {
        struct Visitor;

        impl<'de> serde::de::Visitor<'de> for Visitor {
            type Value = OfMap;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a map")
            }

            fn visit_map<A: serde::de::MapAccess<'de>>(
                self,
                mut map: A,
            ) -> Result<OfMap, A::Error> {
                let mut entries = Vec::new();
                while let Some(entry) = map.next_entry()? {
                    entries.push(entry);
                }
                Ok(OfMap(entries))
            }
        }

        from.deserialize_struct("OfMap", &["a", "b"], Visitor)
    }
}

#[test]
fn types_that_accept_only_maps_can_be_read() {
    let row = |a| Value::dict([("a", Value::I64(a)), ("b", Value::I64(-a))]);
    let expected = |a| OfMap(vec![("a".into(), a), ("b".into(), -a)]);
    for format in formats() {
        let mut writer = format.writer(Vec::new());
        writer.write_rows(&[row(1), row(2)]).unwrap();
        writer.flush().unwrap();
        writer.write(&row(3)).unwrap();
        let bytes = writer.finish().unwrap();
        assert_eq!(collected::<OfMap>(&bytes), [expected(1), expected(2), expected(3)]);
        let mut reader = View::typed::<OfMap>(Cursor::new(bytes)).unwrap();
        assert_eq!(reader.row(1).unwrap(), Some(expected(2)));
    }
}

#[test]
fn the_type_of_a_reader_can_be_named() {
    fn total(reader: Reader<&[u8], u32>) -> serow::Result<u32> {
        reader.sum()
    }
    let bytes = serow::serde::to_vec(&[1, 2, 3]).unwrap();
    assert_eq!(total(Reader::typed(&bytes[..])), Ok(6));
}

/// Code for any type of rows needs serde's bounds only.
#[test]
fn a_codec_can_be_generic() {
    fn is_same<T: PartialEq + Send + Sync + Serialize + serde::de::DeserializeOwned>(
        codec: &Codec<T, serow::serde::Serde>,
        rows: &[T],
    ) -> serow::Result<bool> {
        let mut writer = codec.writer(Vec::new());
        writer.write_rows(rows)?;
        let bytes = writer.finish()?;
        let streamed = codec.reader(&bytes[..]).collect::<serow::Result<Vec<T>>>()?;
        let last = codec.view(Cursor::new(&bytes))?.row(rows.len() as u64 - 1)?;
        Ok(codec.decode(&codec.encode(rows)?)? == rows
            && streamed == rows
            && last.as_ref() == rows.last())
    }
    let rows = [("peru".to_string(), 1u8), ("snow".into(), 2)];
    assert_eq!(is_same(&Codec::infer_typed(&rows, Wire::Row).unwrap(), &rows), Ok(true));
}

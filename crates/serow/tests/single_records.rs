//! Single records: their bytes, and the errors of encoding and decoding them.

mod common;

use common::{any_value, changes, table};
use proptest::prelude::*;
use serow::{Codec, ErrorKind, Schema, SchemaSet, Value, Wire, infer};

fn codec(schema: &str) -> Codec {
    Codec::new(&Schema::parse(schema).unwrap(), Wire::Row)
}

fn tuple(fields: impl IntoIterator<Item = Value>) -> Value {
    Value::Tuple(fields.into_iter().collect())
}

/// Returns the value in the message of `row` in the row wire, without the length before it.
fn value_in_message(codec: &Codec, row: &Value) -> Vec<u8> {
    let message = codec.encode(std::slice::from_ref(row)).unwrap();
    let frames = common::frames::split(&message);
    assert_eq!(frames.len(), 1);
    frames[0].body[4..].to_vec()
}

/// Encodes and decodes `row` with and without a fingerprint.
fn comes_back(codec: &Codec, row: &Value) {
    let record = codec.encode_one(row).unwrap();
    let (fingerprint, bare) = record.split_at(8);
    assert_eq!(fingerprint, codec.schema().fingerprint().to_le_bytes());
    assert_eq!(bare, value_in_message(codec, row));
    assert_eq!(&codec.decode_one(&record).unwrap(), row);
    let without = codec.clone().without_fingerprint();
    assert_eq!(without.encode_one(row).unwrap(), bare);
    assert_eq!(&without.decode_one(bare).unwrap(), row);
    let mut buffer = vec![0xaa; record.len() + 3];
    assert_eq!(codec.encode_one_into(row, &mut buffer[..]), Ok(record.len()));
    assert_eq!(buffer, [&record[..], &[0xaa; 3]].concat());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn any_value_comes_back(row in any_value()) {
        let schema = infer(std::slice::from_ref(&row)).unwrap();
        comes_back(&Codec::new(&schema, Wire::Row), &row);
    }

    #[test]
    fn rows_of_one_schema_come_back(rows in table()) {
        let codec = Codec::new(&infer(&rows).unwrap(), Wire::Row);
        rows.iter().for_each(|row| comes_back(&codec, row));
    }

    #[test]
    fn records_of_another_version_are_read_as_messages_are(rows in table(), seed in any::<u64>()) {
        let writer = Codec::new(&infer(&rows).unwrap(), Wire::Row);
        let schemas = SchemaSet::default();
        schemas.add(writer.schema()).unwrap();
        let Some((schema, defaults)) = changes::changed(writer.schema(), seed) else { return Ok(()) };
        let mut reader = Codec::new(&schema, Wire::Row).with_schemas(&schemas);
        for (path, value) in defaults {
            reader = reader.with_default(&path, value).unwrap();
        }
        for row in &rows {
            let message = writer.encode(std::slice::from_ref(row)).unwrap();
            match (reader.decode_one(&writer.encode_one(row).unwrap()), reader.decode(&message)) {
                (Ok(row), Ok(rows)) => prop_assert_eq!(&[row][..], &rows[..]),
                (Err(of_record), Err(of_message)) => {
                    prop_assert_eq!(of_record.kind(), of_message.kind());
                    prop_assert_eq!(of_record.path(), of_message.path());
                }
                (record, message) => prop_assert!(false, "{:?} is not {:?}", record, message),
            }
        }
    }
}

#[test]
fn a_misfit_is_named_and_the_buffer_stays_as_it_is() {
    let codec = codec("(i64, [f64])");
    for (row, path, message) in [
        (
            tuple([Value::I64(1), Value::List(vec![1.5.into(), Value::I64(2)])]),
            "1.1",
            "record, field 1.1 (f64): cannot encode I64(2)",
        ),
        (Value::Null, "", "record, ((i64, [f64])): cannot encode Null"),
    ] {
        let mut buffer = [0xaa; 40];
        for error in [
            codec.encode_one(&row).unwrap_err(),
            codec.encode_one_into(&row, &mut buffer).unwrap_err(),
        ] {
            assert_eq!(error.kind(), ErrorKind::Encode);
            assert_eq!(error.to_string(), message);
            assert_eq!(error.path().map(ToString::to_string).as_deref(), Some(path));
        }
        assert_eq!(buffer, [0xaa; 40]);
    }
}

#[test]
fn a_buffer_that_is_too_small_stays_as_it_is() {
    let codec = codec("str");
    let needed = codec.encode_one(&"bolt".into()).unwrap().len();
    for size in 0..needed {
        let mut buffer = vec![0xaa; size];
        let error = codec.encode_one_into(&"bolt".into(), &mut buffer[..]).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::BufferTooSmall);
        assert_eq!(error.needed(), Some(needed));
        assert_eq!(
            error.to_string(),
            format!("the record takes {needed} bytes and the buffer has {size}; give a larger one")
        );
        assert_eq!(buffer, vec![0xaa; size]);
    }
}

#[test]
fn damage_is_a_decode_error_with_its_place() {
    let codec = codec("(i64, str)");
    let record = codec.encode_one(&tuple([Value::I64(7), "bolt".into()])).unwrap();
    assert_eq!(record.len(), 8 + 1 + 5);
    for len in 0..record.len() {
        let error = codec.decode_one(&record[..len]).unwrap_err();
        let (offset, path, message) = match len {
            0..8 => (
                len,
                None,
                format!("the record is cut: it takes at least 8 bytes, but there are {len}"),
            ),
            8 => {
                (8, Some("0"), "record, field 0 (i64): a record is shorter than its values".into())
            }
            _ => {
                (8, Some("1"), "record, field 1 (str): a record is shorter than its values".into())
            }
        };
        assert_eq!((error.kind(), error.offset()), (ErrorKind::Decode, Some(offset)));
        assert_eq!(error.path().map(ToString::to_string).as_deref(), path);
        assert_eq!(error.to_string(), message);
    }
    let error = codec.decode_one(&[&record[..], &[0]].concat()).unwrap_err();
    assert_eq!((error.kind(), error.offset()), (ErrorKind::Decode, Some(8)));
    assert_eq!(error.to_string(), "record: a record is longer than its values");
}

#[test]
fn an_unknown_schema_is_named_until_it_is_added() {
    let (old, new) = (codec("(i64,)"), Schema::parse("(i64?,)").unwrap());
    let schemas = SchemaSet::default();
    let new = Codec::new(&new, Wire::Row).with_schemas(&schemas);
    let record = old.encode_one(&tuple([Value::I64(7)])).unwrap();
    let error = new.decode_one(&record).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Schema);
    let text = error.to_string();
    for part in [
        &format!("the fingerprint {:#018x}, which is neither", old.schema().fingerprint()),
        &format!("({:#018x})", new.schema().fingerprint()),
        "SchemaSet",
    ] {
        assert!(text.contains(part), "{text}");
    }
    std::thread::scope(|scope| {
        scope.spawn(|| schemas.add(old.schema()).unwrap());
    });
    assert_eq!(new.decode_one(&record).unwrap(), tuple([Value::I64(7)]));
}

#[test]
fn a_schema_that_can_not_be_read_is_an_error_that_says_why() {
    let schemas = SchemaSet::default();
    schemas.add(&Schema::parse("(i64, str)").unwrap()).unwrap();
    let record = codec("(i64, str)").encode_one(&tuple([Value::I64(7), "x".into()])).unwrap();
    let error = codec("(i64, f64)").with_schemas(&schemas).decode_one(&record).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Schema);
    assert_eq!(
        error.to_string(),
        "the record has schema (i64, str), but the codec is for (i64, f64): field 1: str can't be \
         read as f64; declare a type that fits"
    );
}

#[test]
fn a_record_may_have_no_bytes() {
    let codec = codec("null");
    assert_eq!(codec.encode_one(&Value::Null).unwrap().len(), 8);
    let bare = codec.without_fingerprint();
    assert_eq!(bare.encode_one(&Value::Null).unwrap(), b"");
    assert_eq!(bare.encode_one_into(&Value::Null, &mut []), Ok(0));
    assert_eq!(bare.decode_one(b"").unwrap(), Value::Null);
    assert_eq!(bare.decode_one(b"\0").unwrap_err().kind(), ErrorKind::Decode);
}

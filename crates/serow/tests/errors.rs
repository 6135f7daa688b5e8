//! The contents of errors: kind, row, place, value and advice.

mod common;

use common::WIRES;
use serow::{Codec, ErrorKind, Options, Schema, Value, Wire, dumps, infer, loads};

fn tuple(fields: impl IntoIterator<Item = Value>) -> Value {
    Value::Tuple(fields.into_iter().collect())
}

fn list(elements: impl IntoIterator<Item = Value>) -> Value {
    Value::List(elements.into_iter().collect())
}

fn int(v: i64) -> Value {
    Value::I64(v)
}

fn misfit(schema: &str, rows: &[Value]) -> String {
    let schema = Schema::parse(schema).unwrap();
    let [row, frame] = WIRES.map(|wire| {
        let error = Codec::new(&schema, wire).encode(rows).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Encode, "{error}");
        error.to_string()
    });
    assert_eq!(row, frame);
    row
}

#[test]
fn a_misfit_names_row_field_type_and_value() {
    let null = || Value::Null;
    let cases: Vec<(&str, Vec<Value>, &str)> = vec![
        ("i64", vec![int(1), 2.5.into()], "row 1, (i64): cannot encode F64(2.5)"),
        (
            "(i64, i64)",
            vec![tuple([int(1)])],
            "row 0, ((i64, i64)): cannot encode Tuple([I64(1)]); it has 1 field and must have 2",
        ),
        ("[i64]", vec![tuple([int(1)])], "row 0, ([i64]): cannot encode Tuple([I64(1)])"),
        ("never", vec![null()], "row 0, (never): cannot encode Null"),
        // A field of a run of scalars, which is one instruction.
        (
            "(i64, i64, i64, i64)",
            vec![tuple([int(1), int(2), "x".into(), int(4)])],
            "row 0, field 2 (i64): cannot encode Str(\"x\")",
        ),
        (
            "(str, f64, f64, f64, bool)",
            vec![tuple(["a".into(), 1.0.into(), 2.0.into(), int(3), true.into()])],
            "row 0, field 3 (f64): cannot encode I64(3)",
        ),
        (
            "(null, null, null)",
            vec![tuple([null(), null(), int(0)])],
            "row 0, field 2 (null): cannot encode I64(0)",
        ),
        // Under an optional, with and without values in the rows before.
        (
            "(i64?, str?, str?)",
            vec![tuple([null(), null(), null()]), tuple([int(1), "a".into(), int(2)])],
            "row 1, field 2 (str?): cannot encode I64(2)",
        ),
        ("(i64?, i64)", vec![tuple([null(), null()])], "row 0, field 1 (i64): cannot encode Null"),
        (
            "((i64, str)?, bool)",
            vec![tuple([tuple([int(1), int(2)]), true.into()])],
            "row 0, field 0.1 (str): cannot encode I64(2)",
        ),
        // Elements of sequences: scalars in the inner loop, and others.
        (
            "(str, [f64])",
            vec![tuple(["a".into(), list([1.0.into(), 2.0.into(), int(3)])])],
            "row 0, field 1.2 (f64): cannot encode I64(3)",
        ),
        (
            "[[i64]]",
            vec![list([list([]), list([int(1), null()])])],
            "row 0, field 1.1 (i64): cannot encode Null",
        ),
        (
            "[(i64, [str?])]",
            vec![list([tuple([int(1), list([null(), "a".into(), int(5)])])])],
            "row 0, field 0.1.2 (str?): cannot encode I64(5)",
        ),
        (
            "([i64], [i64], i64)",
            vec![tuple([list([int(1), int(2)]), list([]), list([])])],
            "row 0, field 2 (i64): cannot encode List([])",
        ),
        (
            "[null]",
            vec![list([null(), null(), int(1)])],
            "row 0, field 2 (null): cannot encode I64(1)",
        ),
        // Unions: no arm fits, or a value inside an arm does not.
        (
            "(i64|str, f64)",
            vec![tuple([true.into(), 1.0.into()])],
            "row 0, field 0 (i64|str): cannot encode Bool(true)",
        ),
        (
            "(i64|(str, f64), i64)",
            vec![tuple([tuple(["a".into(), int(3)]), int(1)])],
            "row 0, field 0.1 (f64): cannot encode I64(3)",
        ),
        (
            "(i64|(str, f64), i64)",
            vec![tuple([int(1), "a".into()])],
            "row 0, field 1 (i64): cannot encode Str(\"a\")",
        ),
        (
            "[i64|[str|bool]]",
            vec![list([int(1), list(["a".into(), true.into(), 1.5.into()])])],
            "row 0, field 1.2 (str|bool): cannot encode F64(1.5)",
        ),
        (
            "()|(i64,)|(i64, str)",
            vec![tuple([]), tuple([int(1), int(2)])],
            "row 1, field 1 (str): cannot encode I64(2)",
        ),
    ];
    for (schema, rows, message) in cases {
        assert_eq!(misfit(schema, &rows), message, "{schema}");
    }
}

#[test]
fn every_field_of_a_wide_row_is_named_by_its_number() {
    let kinds = ["i64", "i64", "str", "f64?", "bool", "[i64]", "null", "(i64, str)"];
    let values = [
        int(1),
        int(2),
        "a".into(),
        Value::Null,
        true.into(),
        list([int(3)]),
        Value::Null,
        tuple([int(4), "b".into()]),
    ];
    let schema = Schema::parse(&format!("({})", kinds.repeat(30).join(", "))).unwrap();
    let codec = Codec::new(&schema, Wire::Frame);
    for field in 0..240 {
        let mut row: Vec<Value> = values.iter().cycle().take(240).cloned().collect();
        let good = tuple(row.clone());
        row[field] = list([1.5.into()]);
        let error = codec.encode(&[good, tuple(row)]).unwrap_err();
        let inside = if kinds[field % 8] == "[i64]" { ".0 (i64)" } else { " (" };
        let expected = format!("row 1, field {field}{inside}");
        assert!(error.to_string().starts_with(&expected), "{error} is not about {expected}");
    }
}

#[test]
fn of_several_misfits_the_first_is_reported() {
    let rows =
        [tuple([int(1), int(2)]), tuple([int(1), "first".into()]), tuple(["later".into(), int(2)])];
    assert!(misfit("(i64, i64)", &rows).starts_with("row 1, field 1 (i64)"));
    let row = [tuple(["first".into(), "second".into()])];
    assert!(misfit("(i64, i64)", &row).starts_with("row 0, field 0 (i64)"));
}

#[test]
fn a_misfit_far_into_a_message_is_named() {
    let mut rows: Vec<Value> = (0..150_000).map(|i| tuple([int(i), "x".into()])).collect();
    rows[140_001] = tuple([int(1), 2.5.into()]);
    let expected = "row 140001, field 1 (str): cannot encode F64(2.5)";
    assert_eq!(misfit("(i64, str)", &rows), expected);
}

#[test]
fn nesting_is_limited() {
    let nested = |depth| (0..depth).fold(int(1), |value, _| list([value]));
    for wire in WIRES {
        let rows = [nested(64)];
        assert_eq!(loads(&Options::from(wire).dumps(&rows).unwrap()).unwrap(), rows);
        let error = Options::from(wire).dumps(&[int(1), nested(65)]).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Limit);
        assert!(
            error
                .to_string()
                .starts_with("row 1: lists and other containers nest more than 64 deep")
        );
    }
    assert_eq!(infer(&[nested(65)]).unwrap_err().kind(), ErrorKind::Limit);
    let deep = format!("{}i64{}", "[".repeat(65), "]".repeat(65));
    assert_eq!(Schema::parse(&deep).unwrap_err().kind(), ErrorKind::Limit);
}

#[test]
fn zero_sized_rows_come_back_or_are_too_large() {
    for wire in WIRES {
        let nulls = |count| list(vec![Value::Null; count]);
        for rows in [vec![nulls(100); 65_536], vec![nulls(1_000_000); 10], vec![nulls(3_000_000)]] {
            assert!(loads(&Options::from(wire).dumps(&rows).unwrap()).unwrap() == rows);
        }
        let error = Options::from(wire).dumps(&[int(1), nulls(5_000_000)]).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Limit);
        assert!(error.to_string().starts_with("row 1"), "{error}");
    }
}

#[test]
fn a_message_of_another_schema_is_a_schema_error() {
    let bytes = dumps(&[tuple([int(1), "a".into()])]).unwrap();
    let codec = Codec::new(&Schema::parse("(i64, f64)").unwrap(), Wire::Frame);
    let error = codec.decode(&bytes).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Schema);
    assert_eq!(
        error.to_string(),
        "frame 0 has rows of schema (i64, str), but the codec is for (i64, f64): field 1: str can't be \
         read as f64; declare a type that fits, or read the rows as they are, without one"
    );
    assert_eq!(codec.decode(&dumps(&[]).unwrap()).unwrap(), []);
}

#[test]
fn an_error_in_a_schema_text_points_at_the_mistake() {
    for (text, message) in [
        (
            "(i64, strr)",
            "schema, column 7: no type is called \"strr\"; there are i64, f64, str, bool, null, \
             never, int, bytes, bytearray, date, time, timetz, timestamp, timestamptz, duration, \
             decimal, uuid, complex, ndarray, f32, i8, i16, i32, u8, u16, u32, u64\n  (i64, strr)\n        ^",
        ),
        ("(i64", "schema, column 5: expected ',' or ')', found the end\n  (i64\n      ^"),
        ("1 1", "type list, index 1: expected the end after i64, found code 1"),
    ] {
        let error = Schema::parse(text).unwrap_err();
        assert_eq!((error.kind(), error.to_string().as_str()), (ErrorKind::Schema, message));
    }
}

#[test]
fn bytes_that_are_not_a_message_are_decode_errors() {
    let good = dumps(&[int(1)]).unwrap();
    let mut other_version = good.clone();
    other_version[4] = 2;
    let mut damaged = good.clone();
    *damaged.last_mut().unwrap() ^= 1;
    for (bytes, message) in [
        (&b""[..], "the message is cut after 0 bytes"),
        (b"SRO", "the message is cut after 3 bytes"),
        (b"\x80\x04", "this is not a serow message: it does not begin with SROW"),
        (
            &other_version,
            "the message has version 2 of the format, but this serow reads version 1; read it \
             with the serow that wrote it, or with a later one",
        ),
        (
            &damaged,
            "frame 0 (at byte 8): its checksum is wrong, so its bytes were damaged on the way",
        ),
    ] {
        let error = loads(bytes).unwrap_err();
        assert_eq!((error.kind(), error.to_string().as_str()), (ErrorKind::Decode, message));
    }
}

#[test]
fn errors_have_their_place_as_attributes() {
    let codec = Codec::new(&Schema::parse("(str, [f64])").unwrap(), Wire::Row);
    let good = tuple(["a".into(), list([])]);
    let bad = tuple(["a".into(), list([1.0.into(), int(3)])]);
    let error = codec.encode(&[good.clone(), bad]).unwrap_err();
    assert_eq!(error.row(), Some(1));
    assert_eq!(error.path().map(ToString::to_string).as_deref(), Some("1.1"));
    assert_eq!((error.offset(), error.needed()), (None, None));

    let mut message = codec.encode(&[good]).unwrap();
    message.push(0);
    let error = codec.decode(&message).unwrap_err();
    assert_eq!((error.row(), error.offset()), (None, Some(message.len() - 1)));
}

#[test]
fn an_element_or_a_key_twice_is_not_written() {
    let twice = || vec![[int(1), int(2)], [int(3), int(4)], [int(1), int(5)]];
    let named = || Value::Map(vec![["a".into(), int(1)], ["a".into(), int(2)]]);
    let many = || (0..100).chain([7]).map(int).collect();
    let key = "a map holds a key twice";
    let element = "a set holds an element twice";
    for (row, why) in [
        (Value::Map(twice()), key),
        (named(), key),
        (Value::dict([("a", int(1)), ("b", int(2)), ("a", int(3))]), "\"a\" comes twice"),
        (Value::Set(many()), element),
        (Value::FrozenSet(vec![Value::Null, Value::Null]), element),
        (list([Value::Set(vec!["x".into(), "y".into(), "x".into()])]), element),
    ] {
        for wire in WIRES {
            let error = Options::from(wire).dumps(std::slice::from_ref(&row)).unwrap_err();
            assert!(error.message().contains(why), "{row}: {error}");
        }
    }
    // A dict with the same keys, of which one comes twice, fits no schema of fixed keys.
    let schema = Schema::parse("{\"a\": i64}").unwrap();
    let error = Codec::new(&schema, Wire::Row).encode_one(&named()).unwrap_err();
    assert!(error.message().ends_with(key), "{error}");
}

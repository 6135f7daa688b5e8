//! Sets, maps, dicts, records and enums: their inferred schemas, and what is refused and why.

mod common;

use common::WIRES;
use serow::{Codec, Enum, ErrorKind, Options, Schema, Value, Wire, dumps, infer, loads};

fn int(v: i64) -> Value {
    Value::I64(v)
}

fn member(name: &str, members: &[&str], index: u32) -> Value {
    Value::Enum(Enum::new(name, members.iter().copied()).into(), index)
}

/// Returns the text of the schema of `rows`. Checks that they come back in both wires.
fn schema_of(rows: &[Value]) -> String {
    for wire in WIRES {
        assert_eq!(loads(&Options::from(wire).dumps(rows).unwrap()).unwrap(), rows);
    }
    let schema = infer(rows).unwrap();
    assert_eq!(Schema::parse(&schema.to_string()).unwrap(), schema);
    schema.to_string()
}

#[test]
fn dicts_with_different_keys_have_fields_that_may_be_missing() {
    let rows = [
        Value::dict([("a", int(1)), ("b", Value::Null)]),
        Value::dict([("b", "x".into()), ("a", int(2))]),
        Value::dict([("a", int(3)), ("late", 1.5.into())]),
    ];
    assert_eq!(schema_of(&rows), r#"{"a": i64, "b"?: str?, "late"?: f64}"#);
    assert_eq!(schema_of(&rows[..2]), r#"{"a": i64, "b": str?}"#);
    let empty: [(&str, Value); 0] = [];
    assert_eq!(schema_of(&[Value::dict(empty.clone())]), "{}");
    assert_eq!(schema_of(&[Value::dict(empty), rows[0].clone()]), r#"{"a"?: i64, "b"?: null}"#);
}

#[test]
fn missing_fields_and_nulls_come_back_as_they_were() {
    let rows = [
        Value::dict([("a", Value::Null)]),
        Value::dict([("b", int(1))]),
        Value::dict([("a", int(2))]),
    ];
    for wire in WIRES {
        let back = loads(&Options::from(wire).dumps(&rows).unwrap()).unwrap();
        let Value::Struct(names, fields) = &back[1] else { panic!("{back:?}") };
        assert_eq!((&*names.fields[0], &fields[..]), ("b", &[int(1)][..]));
        assert_eq!(back, rows);
    }
}

#[test]
fn sparse_keys_are_a_map_whatever_types_their_values_have() {
    let rows = |value: fn(i64) -> Value| -> Vec<Value> {
        (0..40).map(|i| Value::dict([(format!("key{i}"), value(i))])).collect()
    };
    assert_eq!(schema_of(&rows(int)), "{str: i64}");
    let mixed = schema_of(&rows(|i| if i % 2 == 0 { int(i) } else { "x".into() }));
    assert_eq!(mixed, "{str: i64|str}");
    // Keys that every dict has stay fixed keys, however many there are.
    let wide = Value::dict((0..2000).map(|i| (format!("key{i}"), int(i))));
    assert!(schema_of(&[wide.clone(), wide]).starts_with(r#"{"key0": i64, "key1": i64, "#));
}

#[test]
fn keys_that_are_not_strings_make_a_map() {
    let map = Value::Map(vec![[int(1), "a".into()], [int(2), Value::Null]]);
    assert_eq!(schema_of(std::slice::from_ref(&map)), "{i64: str?}");
    let dict = Value::dict([("x", Value::from("b"))]);
    assert_eq!(schema_of(&[dict.clone(), map.clone()]), "{i64|str: str?}");
    assert_eq!(schema_of(&[map, dict]), "{i64|str: str?}");
}

#[test]
fn records_are_distinguished_by_their_names_and_field_names() {
    let part = |key| Value::record("Part", [("partkey", int(key)), ("name", "peru".into())]);
    let other = Value::record("Part", [("partkey", int(1))]);
    assert_eq!(schema_of(&[part(1), part(2)]), "Part{partkey: i64, name: str}");
    assert_eq!(
        schema_of(&[part(1), other, int(3), Value::dict([("partkey", int(1))])]),
        r#"i64|{"partkey": i64}|Part{partkey: i64}|Part{partkey: i64, name: str}"#
    );
    let odd = Value::record("my \"type\"\n", [("enum", int(1)), ("été", int(2)), ("", int(3))]);
    assert_eq!(schema_of(&[odd]), r#""my \"type\"\u{a}"{"enum": i64, été: i64, "": i64}"#);
}

#[test]
fn enums_are_distinguished_by_their_members() {
    let old = member("Color", &["RED", "GREEN"], 1);
    let new = member("Color", &["RED", "GREEN", "BLUE"], 2);
    assert_eq!(schema_of(std::slice::from_ref(&old)), "enum Color{RED, GREEN}");
    assert_eq!(
        schema_of(&[old, new, Value::Null]),
        "(enum Color{RED, GREEN}|enum Color{RED, GREEN, BLUE})?"
    );
}

#[test]
fn set_elements_must_have_a_hash() {
    let set = |elements: Vec<Value>| Value::Set(elements);
    assert_eq!(schema_of(&[set(vec![int(2), int(1)]), set(vec![])]), "{i64}");
    assert_eq!(schema_of(&[Value::FrozenSet(vec![int(1), "a".into()])]), "frozenset{i64|str}");
    let key = Value::Tuple(vec![Value::FrozenSet(vec![]), Value::record("R", [("a", int(1))])]);
    assert_eq!(schema_of(&[set(vec![key])]), "{(frozenset{never}, R{a: i64})}");
    for (text, part) in [
        ("{[i64]}", "[i64]"),
        ("{{i64}: str}", "{i64}"),
        (r#"{({"a": i64}, str)}"#, r#"{"a": i64}"#),
        ("frozenset{bytearray?}", "bytearray"),
        ("[{R{a: [i64, str]}: i64}]", "[i64, str]"),
    ] {
        let error = Schema::parse(text).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Schema);
        let end =
            format!("must have a hash in every language, but values of type {part} have none");
        assert!(error.to_string().ends_with(&end), "{error}");
    }
    let row = set(vec![Value::List(vec![])]);
    assert_eq!(dumps(&[row]).unwrap_err().kind(), ErrorKind::Schema);
}

/// Returns a message with duplicates in a set. It was written with a schema of lists, and the
/// schema was then replaced by one of sets, which has as many codes.
fn disguised(rows: &[Value], list: &str, set: &str, wire: Wire) -> Vec<u8> {
    let bytes = Options::from(wire).dumps(rows).unwrap();
    let [list, set] = [list, set].map(|text| Schema::parse(text).unwrap());
    assert_eq!(infer(rows).unwrap(), list);
    let (old, new) = (list.as_bytes(), set.as_bytes());
    assert_eq!(old.len(), new.len());
    let at = bytes.windows(old.len()).position(|window| window == old).unwrap();
    let mut bytes = bytes;
    bytes[at..at + new.len()].copy_from_slice(new);
    let end = bytes.len() - 8;
    let checksum = xxhash_rust::xxh3::xxh3_64(&bytes[8..end]);
    bytes[end..].copy_from_slice(&checksum.to_le_bytes());
    bytes
}

#[test]
fn duplicate_elements_and_keys_are_refused() {
    for wire in WIRES {
        let list = |elements: &[i64]| Value::List(elements.iter().copied().map(int).collect());
        let twice = disguised(&[list(&[1, 2, 1])], "[i64]", "{i64}", wire);
        let error = loads(&twice).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Decode);
        assert!(error.to_string().contains("a set holds an element twice"), "{error}");
        let once = disguised(&[list(&[1, 2, 3])], "[i64]", "{i64}", wire);
        assert_eq!(loads(&once).unwrap(), [Value::Set(vec![int(1), int(2), int(3)])]);
    }
}

#[test]
fn the_path_of_a_misfit_has_the_names_around_it() {
    let cases: Vec<(&str, Value, &str)> = vec![
        (
            r#"{"a": i64, "b": {"c": str}}"#,
            Value::dict([("a", int(1)), ("b", Value::dict([("c", int(2))]))]),
            "row 0, field b.c (str): cannot encode I64(2)",
        ),
        (
            r#"{"a": i64, "b"?: str, "c": i64, "d": i64}"#,
            Value::dict([("a", int(1)), ("c", int(2)), ("d", "x".into())]),
            "row 0, field d (i64): cannot encode Str(\"x\")",
        ),
        (
            r#"{"a": i64, "b"?: str}"#,
            Value::dict([("a", int(1)), ("b", Value::Null)]),
            "row 0, field b (str): cannot encode Null",
        ),
        (
            "[P{a: i64, b: i64}]",
            Value::List(vec![Value::record("P", [("a", int(1)), ("b", Value::Null)])]),
            "row 0, field 0.b (i64): cannot encode Null",
        ),
        (
            "{i64: [str]}",
            Value::Map(vec![
                [int(1), Value::List(vec!["a".into()])],
                [int(2), Value::List(vec!["b".into(), int(3)])],
            ]),
            "row 0, field value 1.1 (str): cannot encode I64(3)",
        ),
        (
            "{i64: [str]}",
            Value::Map(vec![["a".into(), Value::List(vec![])]]),
            "row 0, field key 0 (i64): cannot encode Str(\"a\")",
        ),
        ("{i64}", Value::Set(vec!["a".into()]), "row 0, field 0 (i64): cannot encode Str(\"a\")"),
    ];
    for (schema, row, message) in cases {
        let schema = Schema::parse(schema).unwrap();
        for wire in WIRES {
            let error = Codec::new(&schema, wire).encode(std::slice::from_ref(&row)).unwrap_err();
            assert_eq!(error.to_string(), message);
        }
    }
}

#[test]
fn an_extra_key_is_an_error_of_the_dict_and_a_missing_key_of_its_field() {
    let schema = Schema::parse(r#"{"a": i64, "b"?: str}"#).unwrap();
    let error = |row| Codec::new(&schema, Wire::Frame).encode(&[row]).unwrap_err();
    let more = error(Value::dict([("a", int(1)), ("c", int(1))])).to_string();
    assert!(more.starts_with(r#"row 0, ({"a": i64, "b"?: str}): cannot encode Struct("#), "{more}");
    let less = error(Value::dict([("b", Value::from("x"))])).to_string();
    assert!(
        less.starts_with("row 0, field a (i64): cannot encode a missing field of Struct("),
        "{less}"
    );
}

/// Each set is looked up among all others. The hash must differ for sets of the same size, or this
/// takes forever.
#[test]
fn a_set_of_very_many_sets_comes_back() {
    let one = |i: i64| Value::FrozenSet(vec![int(i), int(-1)]);
    let rows = [Value::Set((0..200_000).map(one).collect())];
    assert_eq!(schema_of(&rows), "{frozenset{i64}}");
    let turned = Value::FrozenSet(vec![int(-1), int(7)]);
    let Value::Set(elements) = &rows[0] else { unreachable!() };
    assert!(elements.iter().collect::<std::collections::HashSet<_>>().contains(&turned));
}

#[test]
fn errors_point_at_mistakes_in_names() {
    for (text, message) in [
        (r#"{"a": i64, "a": str}"#, "field \"a\" comes twice in a dict"),
        ("P{a: i64, a: str}", "field \"a\" comes twice in P"),
        ("P{a?: i64}", "field \"a\" of record P can't be missing; only fields of dicts can"),
        ("enum C{A, A}", "member \"A\" comes twice in C"),
        ("enum C{}", "expected a name, found \"}\""),
        (r#"{"a: i64}"#, "this name has no closing quote"),
        (r#"P{"\x": i64}"#, "in a name, \\ may only precede \", \\ or u{…}"),
        (r#"P{"\u{d800}": i64}"#, "an escaped character in this name must look like \\u{e9}"),
        ("{i64: str", "expected '}', found the end"),
        ("\"P\" i64", "expected '{' after the name of a record, found \"i\""),
        ("32 1 80 33 1", "type list, index 4: expected the end after P{}, found code 1"),
        ("32 1 55296 33", "type list, index 2: 55296 is not a character"),
        ("31 1 33", "type list, index 1: expected a field, found code 1"),
        ("36 1 80 4294967295", "type list, index 4: expected the length of a name"),
    ] {
        let error = Schema::parse(text).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Schema);
        assert!(error.to_string().contains(message), "{text}: {error}");
    }
    let many: Vec<Value> =
        (0..300).map(|i| Value::record(&format!("R{i}"), [("a", int(i))])).collect();
    let error = dumps(&many).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Limit);
    assert_eq!(error.to_string(), "a union has more than 256 arms");
}

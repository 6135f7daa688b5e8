//! Reading rows of one schema as rows of another: the results, and the changes that are refused.

mod common;

use common::WIRES;
use serow::{
    Codec, Composite, ElementType, Enum, ErrorKind, Logical, Options, Schema, SchemaSet, Value,
    Wire, dumps,
};
use serow_core::schema::Type;
use std::sync::Arc;

fn codec(schema: &str) -> Codec {
    Codec::new(&Schema::parse(schema).unwrap(), Wire::Frame)
}

/// Encodes rows of `schema` in the wire `wire`.
fn message(schema: &str, rows: &[Value], wire: Wire) -> Vec<u8> {
    Codec::new(&Schema::parse(schema).unwrap(), wire).encode(rows).unwrap()
}

/// Returns a row of `writer` as a row of `reader`. Checks that both wires and single records give the
/// same.
fn read(writer: &str, row: Value, reader: &str) -> Value {
    let record = codec(writer).encode_one(&row).unwrap();
    let rows = vec![row; 3];
    let mut read = WIRES.map(|wire| {
        codec(reader).decode(&message(writer, &rows, wire)).unwrap_or_else(|e| panic!("{e}"))
    });
    assert_eq!(read[0], read[1]);
    assert_eq!(read[0].len(), 3);
    assert_eq!(read[0][0], read[0][2]);
    let schemas = SchemaSet::default();
    schemas.add(&Schema::parse(writer).unwrap()).unwrap();
    assert_eq!(codec(reader).with_schemas(&schemas).decode_one(&record).unwrap(), read[0][0]);
    read[0].remove(0)
}

/// Returns the reason why rows of `writer` can't be read as rows of `reader`.
fn refusal(writer: &str, reader: &str) -> String {
    let data = message(writer, &[], Wire::Frame);
    // A message without rows may have any schema, so the row count is forged.
    assert_eq!(codec(reader).decode(&data).unwrap(), []);
    let mut frames = common::frames::split(&data);
    frames[0].header[4] = 1;
    let error = codec(reader).decode(&common::frames::join(&frames)).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Schema, "{error}");
    let text = error.to_string();
    let [writer, reader] = [writer, reader].map(|text| Schema::parse(text).unwrap());
    let before = format!("frame 0 has rows of schema {writer}, but the codec is for {reader}: ");
    let after = "; declare a type that fits, or read the rows as they are, without one";
    let reason = text.strip_prefix(&before).unwrap_or_else(|| panic!("{text}"));
    assert!(reason.contains("; "), "{text}");
    reason.strip_suffix(after).unwrap_or(reason).to_string()
}

fn part(fields: impl IntoIterator<Item = (&'static str, Value)>) -> Value {
    Value::record("Part", fields)
}

fn ints(values: impl IntoIterator<Item = i64>) -> Vec<Value> {
    values.into_iter().map(Value::I64).collect()
}

#[test]
fn fields_are_matched_by_name() {
    let old = "Part{key: i64, name: str, price: f64, tags: [str]}";
    let tags = Value::List(vec!["a".into(), "b".into()]);
    let row = part([
        ("key", Value::I64(1)),
        ("name", "peru".into()),
        ("price", Value::F64(2.5)),
        ("tags", tags.clone()),
    ]);
    let other_order = read(old, row.clone(), "Part{tags: [str], key: i64, price: f64, name: str}");
    assert_eq!(
        other_order,
        part([
            ("tags", tags),
            ("key", Value::I64(1)),
            ("price", Value::F64(2.5)),
            ("name", "peru".into())
        ])
    );
    assert_eq!(read(old, row.clone(), "Part{name: str}"), part([("name", "peru".into())]));
    assert_eq!(
        read(old, row, "Part{note: str?, name: str?, gone: null}"),
        part([("note", Value::Null), ("name", "peru".into()), ("gone", Value::Null)])
    );
}

#[test]
fn nested_fields_are_matched_by_name() {
    let old = "{\"lines\": [Line{a: i64, b: str?}], \"by\": {str: (i64, Line{a: i64, b: str})}}";
    let new = "{\"by\": {str: (int, Line{b: str})}, \"lines\": [Line{c: i64?, a: f64}]}";
    let line = |a, b| Value::record("Line", [("a", Value::I64(a)), ("b", b)]);
    let row = Value::dict([
        ("lines", Value::List(vec![line(1, Value::Null), line(2, "x".into())])),
        (
            "by",
            Value::Map(vec![["k".into(), Value::Tuple(vec![Value::I64(9), line(3, "y".into())])]]),
        ),
    ]);
    let line = |a| Value::record("Line", [("c", Value::Null), ("a", Value::F64(a))]);
    let short = Value::record("Line", [("b", "y".into())]);
    let expected = Value::dict([
        ("by", Value::Map(vec![["k".into(), Value::Tuple(vec![Value::I64(9), short])]])),
        ("lines", Value::List(vec![line(1.0), line(2.0)])),
    ]);
    assert_eq!(read(old, row, new), expected);
}

#[test]
fn keys_of_dicts_may_be_missing_on_either_side() {
    let old = "{\"a\": i64, \"b\"?: str}";
    let with = Value::dict([("a", Value::I64(1)), ("b", "x".into())]);
    let without = Value::dict([("a", Value::I64(1))]);
    assert_eq!(read(old, without.clone(), "{\"a\"?: i64, \"b\"?: str, \"c\"?: f64}"), without);
    assert_eq!(read(old, with.clone(), "{\"b\"?: str, \"a\": i64}"), with);
    assert_eq!(
        read(old, without, "{\"a\": i64, \"b\": str?}"),
        Value::dict([("a", Value::I64(1)), ("b", Value::Null)])
    );
    assert_eq!(
        refusal(old, "{\"a\": i64, \"b\": str}"),
        "field b: it may be missing, and str has no default; make the field optional, or give it a \
         default"
    );
    assert_eq!(
        refusal(old, "{\"a\": i64, \"c\": [i64]}"),
        "field c: the writer's schema lacks it, and [i64] has no default; make the field optional, \
         or give it a default"
    );
}

#[test]
fn types_widen() {
    let int = Value::I64(7);
    for reader in ["i64?", "int", "int?", "i64|str", "(f64|i64|str)?", "int|str"] {
        assert_eq!(read("i64", int.clone(), reader), int, "{reader}");
    }
    for reader in ["f64", "f64?", "f64|str"] {
        assert_eq!(read("i64", int.clone(), reader), Value::F64(7.0), "{reader}");
    }
    assert_eq!(read("i64|f64", int.clone(), "f64"), Value::F64(7.0));
    assert_eq!(read("null", Value::Null, "[str]?"), Value::Null);
    assert_eq!(read("[never]", Value::List(vec![]), "[{str: date}]"), Value::List(vec![]));
    let pair = || Value::List(ints([1, 2]));
    assert_eq!(read("[i64, i64]", pair(), "[i64]"), pair());
    assert_eq!(read("[i64, i64]", pair(), "[i64?|str]"), pair());
    assert_eq!(
        read("(i64, i64)", Value::Tuple(ints([1, 2])), "(i64, ...)"),
        Value::Tuple(ints([1, 2]))
    );
    assert_eq!(read("()", Value::Tuple(vec![]), "(str, ...)"), Value::Tuple(vec![]));
}

#[test]
fn dicts_are_read_as_maps_and_as_records() {
    let old = "{\"a\": i64, \"b\"?: f64}";
    let with = Value::dict([("a", Value::I64(1)), ("b", Value::F64(2.5))]);
    let without = Value::dict([("a", Value::I64(1))]);
    let map = |entries: Vec<[Value; 2]>| Value::Map(entries);
    assert_eq!(
        read(old, with.clone(), "{str: f64|i64}"),
        map(vec![["a".into(), Value::I64(1)], ["b".into(), Value::F64(2.5)]])
    );
    let without_as_map = read(old, without.clone(), "{str|i64: f64?}");
    assert_eq!(without_as_map, map(vec![["a".into(), Value::F64(1.0)]]));
    let as_record = read(old, without, "AB{b: f64?, a: i64}");
    assert_eq!(as_record, Value::record("AB", [("b", Value::Null), ("a", Value::I64(1))]));
    assert_eq!(
        read("AB{b: f64?, a: i64}", as_record, "{\"a\": i64}"),
        Value::dict([("a", Value::I64(1))])
    );
    assert_eq!(refusal("AB{a: i64}", "{str: i64}"), "a row: record AB can't be read as a map");
    assert_eq!(
        refusal("{str: i64}", "{\"a\": i64}"),
        "a row: a map can't be read as a dict with fixed keys"
    );
}

#[test]
fn the_record_of_a_row_may_be_renamed_but_not_records_inside_it() {
    let row = Value::record("Old", [("a", Value::I64(1))]);
    assert_eq!(
        read("Old{a: i64}", row.clone(), "New{a: i64}"),
        Value::record("New", [("a", Value::I64(1))])
    );
    assert_eq!(
        read("Old{a: i64}", row, "New{a: i64}?"),
        Value::record("New", [("a", Value::I64(1))])
    );
    assert_eq!(
        refusal("[Old{a: i64}]", "[New{a: i64}]"),
        "field []: it is record Old, not New; if it was renamed, give New the former name Old"
    );
    assert_eq!(
        refusal("(enum Old{A},)", "(enum New{A},)"),
        "field 0: it is enum Old, not New; if it was renamed, give New the former name Old"
    );
    assert_eq!(
        refusal("Old{a: i64}", "New{a: i64}|str"),
        "a row: Old{a: i64} is not an arm of str|New{a: i64}"
    );
}

#[test]
fn arms_of_unions_are_found_by_class_and_name() {
    let a = Value::record("A", [("x", Value::I64(1))]);
    let wider = Value::record("A", [("y", Value::Null), ("x", Value::I64(1))]);
    assert_eq!(read("A{x: i64}|B{x: i64}", a.clone(), "A{y: i64?, x: i64}|B{}|str"), wider);
    let dict = Value::dict([("x", Value::I64(1))]);
    assert_eq!(read("{\"x\": i64}|str", dict.clone(), "A{x: i64}|str"), a);
    assert_eq!(read("A{x: i64}|str", a, "{\"x\": i64}|str"), dict);
    assert_eq!(refusal("[bool]", "[str|i64]"), "field []: bool is not an arm of i64|str");
    // Two arms have the name, and neither has exactly these fields.
    assert_eq!(
        refusal("A{x: i64}", "A{x: i64, y: i64?}|A{z: i64?}"),
        "a row: A{x: i64} is not an arm of A{x: i64, y: i64?}|A{z: i64?}"
    );
}

/// Returns the error of reading `row` of `writer` as a row of `reader`, after another row that can be read.
/// Checks that a message and a single record have the same.
fn refused_row(writer: &str, [good, row]: [Value; 2], reader: &str) -> String {
    let schemas = SchemaSet::default();
    schemas.add(&Schema::parse(writer).unwrap()).unwrap();
    let record = codec(writer).encode_one(&row).unwrap();
    let single = codec(reader).with_schemas(&schemas).decode_one(&record).unwrap_err();
    let single = single.to_string().replace("record", "frame 0, row 1");
    for wire in WIRES {
        let rows = [good.clone(), row.clone()];
        let error = codec(reader).decode(&message(writer, &rows, wire)).unwrap_err();
        assert_eq!((error.kind(), error.row()), (ErrorKind::Decode, Some(1)));
        assert_eq!(error.to_string(), single);
    }
    single
}

#[test]
fn bytes_are_mutable_or_not() {
    let bytes = || Value::from(Composite::bytes(b"ab"));
    let mutable = || Value::from(Composite::of(Logical::ByteArray, &[], &[], b"ab").unwrap());
    let list = |value: Value| Value::List(vec![value.clone(), value]);
    assert_eq!(read("[bytes]", list(bytes()), "[bytearray]"), list(mutable()));
    assert_eq!(read("[bytearray]", list(mutable()), "[bytes]"), list(bytes()));
    assert_eq!(read("bytearray|str", mutable(), "bytes?"), bytes());
    assert_eq!(read("bytes", bytes(), "bytearray|str"), mutable());
    assert_eq!(read("bytes|bytearray", mutable(), "bytes|bytearray|str"), mutable());
    assert_eq!(refusal("bytes", "str|uuid"), "a row: bytes is not an arm of str|uuid");
}

#[test]
fn only_values_of_an_arm_that_the_reader_lacks_are_refused() {
    let writer = "(Created{id: i64}|Paid{id: i64}|Cancelled{why: str},)";
    let event = |of, field| Value::Tuple(vec![Value::record(of, [field])]);
    let paid = event("Paid", ("id", Value::I64(1)));
    let cancelled = event("Cancelled", ("why", "lost".into()));
    let known = "(Created{id: i64}|Paid{id: i64},)";
    assert_eq!(read(writer, paid.clone(), known), paid);
    assert_eq!(
        refused_row(writer, [paid.clone(), cancelled.clone()], known),
        "frame 0, row 1, field 0 (Created{id: i64}|Paid{id: i64}): a value of type Cancelled{why: str} \
         can't be read as Created{id: i64}|Paid{id: i64}; add its type to the reader's"
    );
    // The reader has no union.
    assert_eq!(read(writer, paid.clone(), "(Paid{id: i64}?,)"), paid);
    assert_eq!(
        refused_row(writer, [paid, cancelled], "(Paid{id: i64}?,)"),
        "frame 0, row 1, field 0 (Paid{id: i64}?): a value of type Cancelled{why: str} can't be read as \
         Paid{id: i64}; add its type to the reader's"
    );
    assert_eq!(
        refused_row("str|i64", ["a".into(), Value::I64(1)], "str"),
        "frame 0, row 1, (str): a value of type i64 can't be read as str; add its type to the reader's"
    );
    let list = |value| Value::List(vec![value]);
    assert_eq!(
        refused_row("[str|bool]", ["a".into(), true.into()].map(list), "[str|i64]"),
        "frame 0, row 1, field 0 (i64|str): a value of type bool can't be read as i64|str; add its type \
         to the reader's"
    );
    // None of the arms, and something inside of one.
    assert_eq!(
        refusal("[str|bool]", "[i64|date]"),
        "field []: none of str|bool can be read as i64|date"
    );
    assert_eq!(refusal("A{x: i64}|B{}", "A{x: str}|C{}"), "field x: i64 can't be read as str");
}

#[test]
fn changes_that_are_not_widenings_are_refused() {
    for (writer, reader, why) in [
        ("i64?", "i64", "a row: it may be null, but i64 may not be null"),
        ("null", "i64", "a row: it may be null, but i64 may not be null"),
        ("f64", "i64", "a row: f64 can't be read as i64"),
        ("f32", "i8", "a row: f32 can't be read as i8"),
        ("bool", "i64", "a row: bool can't be read as i64"),
        ("date", "timestamp", "a row: date can't be read as timestamp"),
        ("bytes", "str", "a row: bytes can't be read as str"),
        ("i64", "never", "a row: i64 can't be read as never"),
        ("{i64}", "[i64, i64]", "a row: a set can't be read as a list of 2 fields"),
        ("(i64, i64)", "(i64, i64, i64?)", "a row: it has 2 fields without names, not 3"),
        ("(i64, i64)", "(i64,)", "a row: it has 2 fields without names, not 1"),
        ("(i64, str)", "(i64, ...)", "field 1: str can't be read as i64"),
        (
            "{i64: [str?]}",
            "{i64: [str]}",
            "field value.[]: it may be null, but str may not be null",
        ),
        ("{str: i64}", "{date: i64}", "field key: str can't be read as date"),
        ("R{\"a.b\": str}", "R{\"a.b\": i64}", "field \"a.b\": str can't be read as i64"),
    ] {
        assert_eq!(refusal(writer, reader), why, "{writer} as {reader}");
    }
}

#[test]
fn members_with_values_are_matched_by_name_and_then_by_value() {
    let read_as = |writer: &str, reader: &str| {
        let of = |text: &str| match Schema::parse(text).unwrap().root() {
            Type::Enum(of) => of.clone(),
            other => panic!("{other}"),
        };
        let (from, to) = (of(writer), of(reader));
        let rows = (0..from.members.len() as u32).map(|at| Value::Enum(from.clone(), at));
        let rows: Vec<_> = rows.collect();
        let mut found = Vec::new();
        for wire in WIRES {
            let names = rows.iter().map(|row| {
                match codec(reader).decode(&message(writer, std::slice::from_ref(row), wire)) {
                    Ok(back) => match &back[..] {
                        [Value::Enum(of, at)] if *of == to => of.members[*at as usize].to_string(),
                        other => panic!("{other:?}"),
                    },
                    Err(error) => {
                        assert!(error.to_string().contains("is not a member of the reader's enum"));
                        String::from("-")
                    }
                }
            });
            found.push(names.collect::<Vec<_>>().join(" "));
        }
        assert_eq!(found[0], found[1]);
        found.remove(0)
    };
    for (writer, reader, members) in [
        ("enum E{A = 1, B = 2}", "enum E{A = 1, B = 2}", "A B"),
        ("enum E{A = 1, B = 2}", "enum E{B = 1, C = 1, D = 2}", "B B"),
        ("enum E{A = 1, B = 2}", "enum E{C = 2, D = 1}", "D C"),
        ("enum E{A = 1, B = 2}", "enum E{X = 2, A = 5}", "A X"),
        ("enum E{A = 1, B = 2}", "enum E{C = \"1\", B = \"b\"}", "- B"),
        ("enum E{A = 1, B = 2}", "enum E{B, C}", "- B"),
        ("enum E{A, B}", "enum E{B = 1}", "- B"),
        ("enum E{A = \"é\", B = \"\"}", "enum E{X = \"\", Y = \"é\"}", "Y X"),
    ] {
        assert_eq!(read_as(writer, reader), members, "{writer} as {reader}");
    }
}

#[test]
fn members_of_enums_are_matched_by_name() {
    let of = |members: &[&str]| Arc::new(Enum::new("Color", members.iter().copied()));
    let old = "[enum Color{RED, GREEN, BLUE}]";
    let (before, after) = (of(&["RED", "GREEN", "BLUE"]), of(&["BLUE", "GREY", "RED"]));
    let row = |of: &Arc<Enum>, members: &[u32]| {
        Value::List(members.iter().map(|&member| Value::Enum(of.clone(), member)).collect())
    };
    let new = "[enum Color{BLUE, GREY, RED}]";
    assert_eq!(read(old, row(&before, &[0, 2, 0]), new), row(&after, &[2, 0, 2]));
    for wire in WIRES {
        let rows = [row(&before, &[0]), row(&before, &[2, 1])];
        let error = codec(new).decode(&message(old, &rows, wire)).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Decode);
        assert_eq!(
            error.to_string(),
            "frame 0, row 1, field 1 (enum Color{BLUE, GREY, RED}): GREEN is not a member of the reader's enum Color"
        );
    }
}

#[test]
fn integers_with_exact_floats_are_read_as_floats() {
    let most = 1i64 << 53;
    for exact in [0, most, -most] {
        assert_eq!(read("i64", Value::I64(exact), "f64"), Value::F64(exact as f64));
    }
    for beyond in [most + 1, -most - 1, i64::MIN, i64::MAX] {
        let rows = [Value::dict([("a", Value::Map(vec![["k".into(), Value::I64(beyond)]]))])];
        let data = message("{\"a\": {str: i64}}", &rows, Wire::Frame);
        let error = codec("{\"a\": {str: f64}}").decode(&data).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Decode);
        assert_eq!(
            error.to_string(),
            format!(
                "frame 0, row 0, field a.value 0 (f64): {beyond} can't be read as f64: \
                 beyond 2^53 not all integers are floats"
            )
        );
    }
}

#[test]
fn defaults_fill_missing_fields() {
    let old = "[{\"key\": i64, \"name\"?: str}]";
    let new = codec("[Part{key: i64, name: str, tags: [str|i64], at: Place{x: i64}}]")
        .with_default("[].name", "?")
        .and_then(|codec| {
            codec.with_default("[].tags", Value::List(vec!["new".into(), Value::I64(1)]))
        })
        .and_then(|codec| {
            codec.with_default("[].at", Value::record("Place", [("x", Value::I64(5))]))
        })
        .unwrap();
    let rows = [Value::List(vec![
        Value::dict([("key", Value::I64(1)), ("name", "a".into())]),
        Value::dict([("key", Value::I64(2))]),
    ])];
    let expected = |key, name: &str| {
        part([
            ("key", Value::I64(key)),
            ("name", name.into()),
            ("tags", Value::List(vec!["new".into(), Value::I64(1)])),
            ("at", Value::record("Place", [("x", Value::I64(5))])),
        ])
    };
    for wire in WIRES {
        let read = new.decode(&message(old, &rows, wire)).unwrap();
        assert_eq!(read, [Value::List(vec![expected(1, "a"), expected(2, "?")])]);
    }
}

#[test]
fn a_null_becomes_the_default_of_a_field_that_may_not_be_null() {
    let writer = "[{\"a\": i64?, \"b\"?: str?, \"c\": null}]";
    let reader = codec("[{\"a\": i64, \"b\": str, \"c\": [str]}]");
    let reader = reader.with_default("[].a", 5).and_then(|it| it.with_default("[].b", "none"));
    let reader = reader.and_then(|it| it.with_default("[].c", Value::List(vec![]))).unwrap();
    let of = |fields: Vec<(&'static str, Value)>| Value::dict(fields);
    let null = || ("c", Value::Null);
    let row = Value::List(vec![
        of(vec![("a", 1.into()), ("b", "x".into()), null()]),
        of(vec![("a", Value::Null), ("b", Value::Null), null()]),
        of(vec![("a", 2.into()), null()]),
    ]);
    let made =
        |a: i64, b: &str| of(vec![("a", a.into()), ("b", b.into()), ("c", Value::List(vec![]))]);
    let expected = Value::List(vec![made(1, "x"), made(5, "none"), made(2, "none")]);
    for wire in WIRES {
        let read = reader.decode(&message(writer, std::slice::from_ref(&row), wire)).unwrap();
        assert_eq!(read, std::slice::from_ref(&expected));
    }
    assert_eq!(
        refusal(writer, "[{\"a\": i64, \"b\": str, \"c\": [str]}]"),
        "field [].a: it may be null, but i64 may not be null; make the field optional, or give it a default"
    );
    // A null stays one where the reader's field may be null.
    let reader = codec("[{\"a\": i64?}]").with_default("[].a", 5).unwrap();
    let read = reader.decode(&message(writer, &[row], Wire::Frame)).unwrap();
    let made = [1.into(), Value::Null, 2.into()].map(|a| Value::dict([("a", a)]));
    assert_eq!(read, [Value::List(made.to_vec())]);
}

#[test]
fn defaults_are_checked_when_they_are_set() {
    for (path, value, why) in [
        (
            "[].c",
            Value::I64(1),
            "[{\"a\": i64, \"b\"?: i64}] has no field [].c in a dict or record",
        ),
        ("[]", Value::I64(1), "[{\"a\": i64, \"b\"?: i64}] has no field [] in a dict or record"),
        ("[].b", Value::I64(1), "field [].b may be missing, so it needs no default"),
        ("[].a", "x".into(), "the default of field [].a is Str(\"x\"), which is not of type i64"),
    ] {
        let codec = codec("[{\"a\": i64, \"b\"?: i64}]");
        let error = codec.with_default(path, value).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Schema);
        assert!(error.to_string().starts_with(why), "{error}");
    }
}

#[test]
fn every_frame_is_read_by_its_own_schema() {
    // The schema widens from ints to ints and floats, and then to null.
    let mut rows = ints(0..1000);
    rows.push(Value::F64(0.5));
    rows.push(Value::Null);
    let expected: Vec<Value> = rows
        .iter()
        .map(|row| if let Value::I64(v) = row { Value::F64(*v as f64) } else { row.clone() })
        .collect();
    for wire in WIRES {
        assert_eq!(
            codec("f64?").decode(&Options::from(wire).dumps(&rows).unwrap()).unwrap(),
            expected
        );
    }
}

#[test]
fn elements_that_become_equal_give_an_error() {
    let element = |a, b| Value::record("P", [("a", Value::I64(a)), ("b", Value::I64(b))]);
    let rows = [Value::Set(vec![element(1, 1), element(1, 2)])];
    for wire in WIRES {
        let error = codec("{P{a: i64}}").decode(&message("{P{a: i64, b: i64}}", &rows, wire));
        let error = error.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Decode);
        assert_eq!(error.to_string(), "frame 0, row 0: a set holds an element twice");
    }
}

#[test]
fn two_str_columns_can_be_read_as_one() {
    // Both columns have dictionaries, but the reader's only column can use neither.
    let name = |n: i64| Value::from(format!("name {}", n % 3));
    let rows: Vec<Value> =
        (0..500).map(|n| Value::List(vec![name(n), name(n + 1), name(n / 7)])).collect();
    for wire in WIRES {
        let read = codec("[str]").decode(&message("[str, str, str]", &rows, wire)).unwrap();
        assert_eq!(read, rows);
    }
}

#[test]
fn schemas_with_too_many_steps_are_refused() {
    let wide: String = (0..1000).map(|n| format!("\"f{n}\"?: i64, ")).collect();
    let many = format!("[{}]", "{\"x\": i64}, ".repeat(1000));
    let row = Value::List(vec![Value::dict([("x", Value::I64(1))]); 1000]);
    let error =
        codec(&format!("[{{{wide}}}]")).decode(&message(&many, &[row], Wire::Frame)).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Limit);
    assert!(error.to_string().contains("takes more than 262144 steps"));
}

#[test]
fn many_schemas_are_read_by_one_codec() {
    let codec = codec("{\"a\": i64?}");
    for _ in 0..2 {
        for n in 0..40 {
            let row =
                Value::dict([(format!("b{n}"), "x".into()), (String::from("a"), Value::I64(n))]);
            let read = codec.decode(&dumps(&[row]).unwrap()).unwrap();
            assert_eq!(read, [Value::dict([("a", Value::I64(n))])]);
        }
    }
}

/// An array of `lengths` whose elements are these bytes.
fn array(of: ElementType, lengths: &[usize], bytes: &[u8]) -> Value {
    Composite::nd_array(of, lengths, bytes).unwrap().into()
}

#[test]
fn arrays_are_read_as_lists_of_lists() {
    let list = |values: &[Value]| Value::List(values.to_vec());
    let singles = [0.5f32, 1.5, -2.0, 3.25, 1e30, -0.0];
    let bytes = singles.map(f32::to_le_bytes).concat();
    let grid = array(ElementType::F32, &[2, 3], &bytes);
    let floats = singles.map(|v| Value::F64(v.into()));
    let lines = list(&[list(&floats[..3]), list(&floats[3..])]);
    for reader in ["[[f64]]", "[[f64?]?]?", "str|[[f64]]"] {
        assert_eq!(read("ndarray", grid.clone(), reader), lines, "{reader}");
    }
    assert_eq!(read("ndarray", grid.clone(), "ndarray|str"), grid);
    let flat = array(ElementType::F32, &[6], &bytes);
    let either = "[f64]|ndarray";
    assert_eq!(read(either, flat, "[f64]"), list(&floats));
    assert_eq!(read("[f64]", list(&floats), either), list(&floats));
    let small = array(ElementType::I8, &[3], &[0, 127, 128]);
    for reader in ["[i64]", "[int]", "[i64?]"] {
        assert_eq!(read("ndarray", small.clone(), reader), list(&ints([0, 127, -128])));
    }
    let halves = [0.0, 127.0, -128.0].map(Value::F64);
    assert_eq!(read("ndarray", small, "[f64]"), list(&halves));
    let bits = array(ElementType::Bool, &[1, 2, 1], &[1, 0]);
    let bit = |v| list(&[Value::Bool(v)]);
    assert_eq!(read("ndarray", bits, "[[[bool]]]"), list(&[list(&[bit(true), bit(false)])]));
    let large = array(ElementType::U64, &[2], &[[255; 8], [1, 0, 0, 0, 0, 0, 0, 0]].concat());
    let most = Composite::int(&[[255; 8].as_slice(), &[0]].concat()).unwrap();
    assert_eq!(read("ndarray", large.clone(), "[int]"), list(&[most.into(), 1.into()]));
    let half = array(ElementType::F16, &[2], &[0x00, 0x3C, 0x01, 0x00]);
    let exact = [1.0, 1.0 / f64::from(1 << 24)].map(Value::F64);
    assert_eq!(read("ndarray", half, "[f64]"), list(&exact));
    let none = array(ElementType::F64, &[2, 0], &[]);
    assert_eq!(read("ndarray", none, "[[f64]]"), list(&[list(&[]), list(&[])]));

    let error = |row: &Value, reader: &str| {
        let data = message("ndarray", std::slice::from_ref(row), Wire::Frame);
        let error = codec(reader).decode(&data).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Decode);
        error.to_string()
    };
    let other = "the value is an array of float32 with 2 dimensions; read it as ndarray";
    assert!(error(&grid, "[f64]").contains(other), "{}", error(&grid, "[f64]"));
    assert!(error(&grid, "[[i64]]").contains(other));
    assert!(error(&large, "[i64]").contains("an array of uint64 with 1 dimension; "));
    assert!(refusal("ndarray", "[str]").contains("ndarray can't be read as [str]"));
    assert!(refusal("ndarray", "(f64, ...)").contains("can't be read as"));
    let long = array(ElementType::F64, &[100_000, 0], &[]);
    let data = message("ndarray", &[long], Wire::Frame);
    assert_eq!(codec("[[f64]]").decode(&data).unwrap_err().kind(), ErrorKind::Limit);
}

#[test]
fn a_union_of_times_with_and_without_zone_reads_as_either() {
    let union = "Event{at: timestamp|timestamptz}";
    let zone = &b"Europe/Zurich"[..];
    let naive = Composite::timestamp(5);
    let aware = Composite::of(Logical::TimestampTz, &[5, 0, 60], &[], zone).unwrap();
    let event = |at: &Composite| Value::record("Event", [("at", at.clone().into())]);
    for (kind, fits, other) in [("timestamp", &naive, &aware), ("timestamptz", &aware, &naive)] {
        for suffix in ["", "?"] {
            let reader = format!("Event{{at: {kind}{suffix}}}");
            assert_eq!(read(union, event(fits), &reader), event(fits));
            for wire in WIRES {
                let data = message(union, &[event(fits), event(fits), event(other)], wire);
                let error = codec(&reader).decode(&data).unwrap_err();
                assert_eq!((error.kind(), error.row()), (ErrorKind::Decode, Some(2)));
                let says = format!("the value is a {}, which has ", other.ty());
                assert!(error.to_string().contains(&says), "{error}");
            }
        }
        let why = refusal(&format!("Event{{at: {kind}}}"), &format!("Event{{at: {}}}", other.ty()));
        assert!(why.ends_with("can't be read as timestamp") || why.ends_with("as timestamptz"));
    }
}

#[test]
fn an_open_schema_reads_what_the_rows_have() {
    let part = |name: &str, parts: Vec<Value>| {
        Value::record("Part", [("name", name.into()), ("parts", Value::List(parts))])
    };
    let rows = [part("a", vec![part("b", vec![]), part("c", vec![part("d", vec![])])])];
    let message = dumps(&rows).unwrap();
    for open in ["any", "[any]", "Part{name: any, parts: [^0]}", "Part{name: str, parts: any}"] {
        let codec = Codec::new(&Schema::parse(open).unwrap(), Wire::Frame);
        match codec.decode(&message) {
            Ok(read) => assert_eq!(read, rows, "{open}"),
            Err(error) => assert_eq!((open, error.kind()), ("[any]", ErrorKind::Schema)),
        }
        let refused = codec.encode(&rows).unwrap_err();
        assert_eq!(refused.kind(), ErrorKind::Encode, "{open}: {refused}");
    }
}

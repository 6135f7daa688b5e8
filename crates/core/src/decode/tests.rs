//! From messages to rows of their own schema and of others, and the contents of errors.

use std::sync::Arc;

use xxhash_rust::xxh3::xxh3_64;

use super::{
    RandomRows, ReaderSchema, decode, decode_by_many, decode_columns, decode_frame, decode_one,
};
use crate::compiled::RowSink;
use crate::encode::{OneThread, dumps_with, encode_one};
use crate::layout::batch::Batch;
use crate::layout::value::{ValueRows, ValueWriter};
use crate::limits::{KEPT_RESOLVED, MAX_FRAME_ROWS, SHARED_TYPE_LIST};
use crate::plan::{Column, Defaults, FieldKey, Selection};
use crate::program::Program;
use crate::schema::{Schema, Type};
use crate::testing::{
    COMPRESSIONS, WIRES, each_frame, int, list, member, message, plan, sized, tuple, written,
};
use crate::threads::Threads;
use crate::value::{Composite, Value};
use crate::wire::columns::ColumnCursors;
use crate::wire::message::{RawFrame, Wire};
use crate::wire::single::Agreement;
use crate::{ErrorKind, Result};

fn expected(schema: &str, defaults: &[(&str, Value)]) -> ReaderSchema {
    let schema = Schema::parse(schema).unwrap();
    let mut given = Defaults::default();
    for (path, value) in defaults {
        given.set(&schema, path, value.clone()).unwrap();
    }
    ReaderSchema::new(Arc::new(Program::new(&schema)), given)
}

fn read(message: &[u8], expected: Option<&ReaderSchema>) -> Result<Vec<Value>> {
    let mut rows = ValueWriter::new();
    decode(message, expected, &mut rows)?;
    Ok(rows.into_rows())
}

/// Reads a message as columns, and these as rows. Also returns whether they are whole columns of the
/// message, so that no row was converted.
fn read_columns(message: &[u8], expected: Option<&ReaderSchema>) -> (Vec<Value>, bool) {
    let (mut rows, mut are_whole) = (ValueWriter::new(), true);
    each_frame(message, |raw| {
        let mut batch = Batch::default();
        let (plan, set) = decode_columns(&raw, expected, &mut batch).unwrap();
        assert_eq!(set.rows, raw.rows);
        let mut columns = ColumnCursors::new(&plan, set, &mut rows).unwrap();
        rows.run_to_end(&plan, &mut columns, 0..raw.rows).unwrap();
        are_whole &= batch.rows == 0;
    });
    (rows.into_rows(), are_whole)
}

fn dict<const N: usize>(entries: [(&str, Value); N]) -> Value {
    Value::dict(entries)
}

/// Rows with a value of each type and each kind of container, alone and empty.
fn rows() -> Vec<(&'static str, Vec<Value>)> {
    let text = |i: i64| Value::from(format!("s{}", i % 3).as_str());
    let opt = |i: i64, v: Value| if i % 2 == 0 { v } else { Value::Null };
    let all = |row: &dyn Fn(i64) -> Value| (0..sized(300, 8) as i64).map(row).collect::<Vec<_>>();
    vec![
        (
            "(i64, i64, str?, [f64])",
            all(&|i| {
                tuple([
                    int(i),
                    int(-i * i),
                    opt(i, text(i)),
                    list((0..i % 4).map(|j| (j as f64).into())),
                ])
            }),
        ),
        (
            "(f64, f64, str, str, bool, bool, null, null)",
            all(&|i| {
                let (f, b) = (i as f64 / 3.0, Value::Bool(i % 3 == 0));
                tuple([
                    f.into(),
                    0.0.into(),
                    text(i),
                    text(i + 1),
                    b,
                    true.into(),
                    Value::Null,
                    Value::Null,
                ])
            }),
        ),
        (
            "[[(i64, [i64])]]",
            all(&|i| {
                list(
                    (0..i % 3)
                        .map(|j| list((0..j).map(|k| tuple([int(k), list((0..i % 5).map(int))])))),
                )
            }),
        ),
        (
            "({str: [i64?]}, {(i64, str)}, frozenset{i64}, (str, ...))",
            all(&|i| {
                tuple([
                    Value::Map((0..i % 3).map(|j| [text(j), list([opt(i, int(j))])]).collect()),
                    Value::Set((0..i % 4).map(|j| tuple([int(j), text(j)])).collect()),
                    Value::FrozenSet((0..i % 2).map(int).collect()),
                    tuple((0..i % 3).map(text)),
                ])
            }),
        ),
        (
            "{\"a\": i64, \"b\"?: str, \"c\"?: (i64, i64)}",
            all(&|i| match i % 3 {
                0 => dict([("a", int(i))]),
                1 => dict([("a", int(i)), ("b", text(i))]),
                _ => dict([("a", int(i)), ("c", tuple([int(i), int(i)]))]),
            }),
        ),
        (
            "[i64|str|(i64, f64)|enum E{A, B}|R{a: i64}|{\"a\": bool}]",
            all(&|i| {
                list([
                    int(i),
                    text(i),
                    tuple([int(i), 0.5.into()]),
                    member("E", &["A", "B"], (i % 2) as u32),
                    Value::record("R", [("a", int(i))]),
                    dict([("a", Value::Bool(i % 2 == 0))]),
                ])
            }),
        ),
        (
            "(int, complex, bytes, uuid, date)",
            all(&|i| {
                tuple([
                    if i % 2 == 0 {
                        int(i)
                    } else {
                        Composite::int(&[i as u8 & 0x7f | 1; 12]).unwrap().into()
                    },
                    Composite::complex(i as f64, -1.0).into(),
                    Composite::bytes(&[i as u8; 5][..(i % 5) as usize]).into(),
                    Composite::uuid(i as u128 * 7).into(),
                    Composite::date(i).into(),
                ])
            }),
        ),
        (
            "([null], [()], [bool])",
            all(&|i| {
                tuple([
                    list((0..i % 3).map(|_| Value::Null)),
                    list((0..i % 4).map(|_| tuple([]))),
                    list((0..i % 5).map(|j| Value::Bool(j % 2 == 0))),
                ])
            }),
        ),
    ]
}

#[test]
fn rows_come_back_as_they_were() {
    for (schema, rows) in rows() {
        for wire in WIRES {
            let bytes = message(schema, &rows, wire);
            assert_eq!(read(&bytes, None).unwrap(), rows, "{schema}");
            assert_eq!(read(&bytes, Some(&expected(schema, &[]))).unwrap(), rows, "{schema}");
        }
    }
}

/// Reads these rows of a frame by `program`, each alone.
fn read_at(
    raw: &RawFrame<'_>,
    program: &Arc<Program>,
    rows: impl IntoIterator<Item = usize>,
) -> Result<Vec<Value>> {
    let mut values = ValueWriter::new();
    let mut random = RandomRows::new(raw, program, &mut values)?;
    rows.into_iter().try_for_each(|row| random.read(row, &mut values))?;
    Ok(values.into_rows())
}

#[test]
fn rows_are_read_in_any_order() {
    for (schema, rows) in rows() {
        for wire in WIRES {
            each_frame(&message(schema, &rows, wire), |raw| {
                let order: Vec<usize> =
                    (0..3 * rows.len()).map(|i| (i * 7919 + i / 3) % rows.len()).collect();
                let read = read_at(&raw, &raw.program, order.iter().copied()).unwrap();
                let wanted: Vec<_> = order.iter().map(|&row| rows[row].clone()).collect();
                assert_eq!(read, wanted, "{schema}");
                let error = read_at(&raw, &raw.program, [rows.len()]).unwrap_err();
                assert!(error.message().contains("there is no row"), "{error}");
            });
        }
    }
}

/// The value of a field of a row.
fn value_of(row: &Value, key: &FieldKey) -> Value {
    match (row, key) {
        (Value::Tuple(fields), FieldKey::Index(index)) => fields[*index].clone(),
        (Value::Struct(names, values), FieldKey::Name(name)) => {
            let at = names.fields.iter().position(|field| field == name);
            at.map_or(Value::Null, |at| values[at].clone())
        }
        _ => panic!("{row:?} has no field {key}"),
    }
}

/// The key of a field of rows of `schema`; `None` if there is none.
fn key_of(schema: &Schema, field: usize) -> Option<FieldKey> {
    match schema.root() {
        Type::Struct(of) => of.names.fields.get(field).cloned().map(FieldKey::Name),
        Type::Fixed(_, fields) if field < fields.len() => Some(FieldKey::Index(field)),
        _ => None,
    }
}

#[test]
fn a_part_of_the_fields_is_read() {
    for (text, rows) in rows() {
        let schema = Schema::parse(text).unwrap();
        let keys: Vec<FieldKey> = (0..).map_while(|field| key_of(&schema, field)).collect();
        for wire in WIRES {
            let bytes = message(text, &rows, wire);
            for (field, key) in keys.iter().enumerate() {
                let only = ReaderSchema::selecting(Selection::Value(key.clone())).unwrap();
                let wanted: Vec<_> = rows.iter().map(|row| value_of(row, key)).collect();
                assert_eq!(read(&bytes, Some(&only)).unwrap(), wanted, "{key} of {text}");
                each_frame(&bytes, |raw| {
                    let program = Program::select(&raw.program, only.selection().unwrap()).unwrap();
                    let last = rows.len() - 1;
                    let read = read_at(&raw, &program.into(), [last, 0]).unwrap();
                    assert_eq!(read, [wanted[last].clone(), wanted[0].clone()]);
                });
                // All fields, twice and in another order, and all but this one.
                let mut wanted = keys.clone();
                wanted.rotate_left(field);
                wanted.push(key.clone());
                let all = ReaderSchema::selecting(Selection::Fields(wanted)).unwrap();
                assert_eq!(read(&bytes, Some(&all)).unwrap(), rows, "{text}");
                let mut others = keys.clone();
                others.remove(field);
                let only = ReaderSchema::selecting(Selection::Fields(others.clone())).unwrap();
                for (row, part) in rows.iter().zip(read(&bytes, Some(&only)).unwrap()) {
                    let values = |row: &Value| -> Vec<Value> {
                        others.iter().map(|key| value_of(row, key)).collect()
                    };
                    let read = match &part {
                        Value::Tuple(fields) => fields.clone(),
                        part => values(part),
                    };
                    assert_eq!(read, values(row), "{text} without {key}");
                }
            }
        }
    }
}

#[test]
fn a_field_that_the_rows_lack_is_null_or_an_error() {
    let rows = [Value::dict([("a", int(1)), ("b", "x".into())])];
    let bytes = message("{\"a\": i64, \"b\": str}", &rows, Wire::Frame);
    let select = |selection| ReaderSchema::selecting(selection).unwrap();
    let name = |name: &str| FieldKey::Name(name.into());
    let of_c = Selection::Value(name("c"));
    assert_eq!(read(&bytes, Some(&select(of_c.clone()))).unwrap(), [Value::Null]);
    let part = Selection::Fields(vec![name("c"), name("b")]);
    let read_part = read(&bytes, Some(&select(part))).unwrap();
    assert_eq!(read_part, [Value::dict([("b", "x".into())])]);
    let schema = Schema::parse("{\"a\": i64, \"b\": str}").unwrap();
    let error = of_c.check(&schema).unwrap_err();
    assert_eq!(error.message(), "rows of {\"a\": i64, \"b\": str} have no field c");
    for (schema, key) in [("(i64,)", FieldKey::Index(1)), ("(i64,)", name("a")), ("i64", name("a"))]
    {
        let rows = if schema == "i64" { int(1) } else { tuple([int(1)]) };
        let bytes = message(schema, &[rows], Wire::Row);
        let error = read(&bytes, Some(&select(Selection::Value(key)))).unwrap_err();
        assert!(error.message().contains("have no field"), "{error}");
    }
}

#[test]
fn an_error_in_a_row_that_is_read_alone_names_its_place() {
    let rows = [tuple([int(1), "ab".into()]), tuple([int(2), "cd".into()])];
    let bytes = changed(&message("(i64, str)", &rows, Wire::Row), 0, |body| body[14] = 0xff);
    each_frame(&bytes, |raw| {
        assert_eq!(read_at(&raw, &raw.program, [0]).unwrap(), rows[..1]);
        let error = read_at(&raw, &raw.program, [0, 1]).unwrap_err();
        assert_eq!((error.row(), error.kind()), (Some(1), ErrorKind::Decode), "{error}");
    });
    for change in [|body: &mut Vec<u8>| body.push(0), |body: &mut Vec<u8>| body.truncate(12)] {
        let bytes = changed(&message("(i64, str)", &rows, Wire::Row), 0, change);
        each_frame(&bytes, |raw| {
            let error = read_at(&raw, &raw.program, []).unwrap_err();
            assert!(error.message().starts_with("frame 0: "), "{error}");
        });
    }
}

/// Encodes a row as a single record.
fn single(expected: &ReaderSchema, row: &Value) -> Vec<u8> {
    let rows = ValueRows(std::slice::from_ref(row));
    encode_one(expected.program(), &rows, true, |record| record.to_vec()).unwrap().unwrap()
}

fn read_single(record: &[u8], expected: &ReaderSchema, agreement: &Agreement) -> Result<Value> {
    let mut rows = ValueWriter::new();
    decode_one(record, expected, agreement, None, &mut rows)?;
    Ok(rows.into_rows().remove(0))
}

#[test]
fn single_records_come_back_and_changed_ones_are_values_or_errors() {
    let agreement = Agreement::default();
    for (schema, rows) in rows() {
        let expected = expected(schema, &[]);
        for row in rows.iter().take(sized(rows.len(), 2)) {
            let record = single(&expected, row);
            assert_eq!(&read_single(&record, &expected, &agreement).unwrap(), row, "{schema}");
            for at in (0..record.len()).step_by(sized(1, 11)) {
                let mut changed = record.clone();
                changed[at] ^= 0x41;
                let kind = read_single(&changed, &expected, &agreement).map_err(|e| e.kind());
                match at {
                    0..8 => assert_eq!(kind, Err(ErrorKind::Schema), "{schema}"),
                    _ => assert!(kind.is_ok() || kind == Err(ErrorKind::Decode), "{schema}"),
                }
                let cut = read_single(&record[..at], &expected, &agreement).unwrap_err();
                assert_eq!(cut.kind(), ErrorKind::Decode, "{schema}");
            }
        }
    }
}

#[test]
fn single_records_of_a_set_s_schemas_are_converted() {
    let (old, new) = (expected("R{a: i64}", &[]), expected("R{b: str?, a: f64}", &[]));
    let record = single(&old, &Value::record("R", [("a", int(7))]));
    let agreement = Agreement::default();
    let unknown = read_single(&record, &new, &agreement).unwrap_err();
    assert_eq!(unknown.kind(), ErrorKind::Schema);
    agreement.schemas.add(old.program().schema()).unwrap();
    let row = Value::record("R", [("b", Value::Null), ("a", Value::F64(7.0))]);
    assert_eq!(read_single(&record, &new, &agreement), Ok(row));
}

#[test]
fn a_record_in_place_of_a_message_is_named_and_the_other_way_around() {
    let expected = expected("i64", &[]);
    let record = single(&expected, &int(7));
    let mut sink = ValueWriter::new();
    let error = decode(&record, Some(&expected), &mut sink).unwrap_err();
    assert_eq!(
        (error.kind(), error.message(), error.offset()),
        (
            ErrorKind::Decode,
            "these bytes are a single record and no message; read them with decode_one",
            Some(0)
        )
    );
    let other = decode(&record[1..], Some(&expected), &mut sink).unwrap_err();
    assert_eq!(other.message(), "this is not a serow message: it does not begin with SROW");
    let message = message("i64", &[int(7)], Wire::Row);
    let error = read_single(&message, &expected, &Agreement::default()).unwrap_err();
    assert_eq!(
        (error.kind(), error.message()),
        (
            ErrorKind::Schema,
            "these bytes are a message and no single record; read them with decode"
        )
    );
}

#[test]
fn both_wires_are_read_into_the_same_columns() {
    for (schema, rows) in rows() {
        let of = plan(schema);
        let mut unpacked = Vec::new();
        for wire in WIRES {
            each_frame(&message(schema, &rows, wire), |frame| {
                let mut batch = Batch::new(&of);
                decode_frame(&frame, None, &mut None, &mut batch).unwrap();
                let counts: Vec<_> =
                    of.to.order.iter().map(|&column| batch.count(column)).collect();
                unpacked.push(counts);
            });
        }
        assert_eq!(unpacked[0], unpacked[1], "{schema}");
        let per_row = &of.usage.written_once;
        for (&column, &count) in of.to.order.iter().zip(&unpacked[0]) {
            assert!(!per_row[of.to.columns.place(column)] || count == rows.len(), "{column:?}");
        }
    }
    let nothing = message("i64", &[], Wire::Row);
    each_frame(&nothing, |frame| {
        let mut batch = Batch::new(&frame.program);
        decode_frame(&frame, None, &mut None, &mut batch).unwrap();
        assert_eq!(batch.count(Column::Int(0)), 0);
    });
}

#[test]
fn rows_are_read_as_those_of_another_schema() {
    let cases = [
        (
            "{\"a\": i64, \"x\": [(str, i64?)], \"b\": str}",
            vec![
                dict([
                    ("a", int(1)),
                    ("x", list([tuple(["s".into(), int(2)])])),
                    ("b", "c".into()),
                ]),
                dict([("a", int(3)), ("x", list([])), ("b", "d".into())]),
            ],
            "{\"b\": str, \"n\": i64?, \"a\": i64, \"d\": str}",
            vec![("d", Value::from("given"))],
            vec![
                dict([("b", "c".into()), ("n", Value::Null), ("a", int(1)), ("d", "given".into())]),
                dict([("b", "d".into()), ("n", Value::Null), ("a", int(3)), ("d", "given".into())]),
            ],
        ),
        (
            "{\"a\"?: i64, \"b\": i64}",
            vec![dict([("a", int(1)), ("b", int(2))]), dict([("b", int(3))])],
            "{\"a\": i64, \"b\"?: f64}",
            vec![("a", int(9))],
            vec![
                dict([("a", int(1)), ("b", 2.0.into())]),
                dict([("a", int(9)), ("b", 3.0.into())]),
            ],
        ),
        (
            "(i64|str, {\"k\": i64, \"m\"?: i64}, enum E{A, B}, [i64, str], i64)",
            vec![
                tuple([
                    int(1),
                    dict([("k", int(2))]),
                    member("E", &["A", "B"], 1),
                    list([int(3), "x".into()]),
                    int(4),
                ]),
                tuple([
                    "s".into(),
                    dict([("k", int(5)), ("m", int(6))]),
                    member("E", &["A", "B"], 1),
                    list([int(7), "y".into()]),
                    int(-8),
                ]),
            ],
            "(f64|str|bool, {str: i64}, enum E{C, B}, [i64|str], int)",
            vec![],
            vec![
                tuple([
                    1.0.into(),
                    Value::Map(vec![["k".into(), int(2)]]),
                    member("E", &["C", "B"], 1),
                    list([int(3), "x".into()]),
                    int(4),
                ]),
                tuple([
                    "s".into(),
                    Value::Map(vec![["k".into(), int(5)], ["m".into(), int(6)]]),
                    member("E", &["C", "B"], 1),
                    list([int(7), "y".into()]),
                    int(-8),
                ]),
            ],
        ),
    ];
    for (writer, rows, reader, defaults, as_read) in cases {
        for wire in WIRES {
            let bytes = message(writer, &rows, wire);
            let read = read(&bytes, Some(&expected(reader, &defaults))).unwrap();
            assert_eq!(read, as_read, "{writer} -> {reader}");
            let by_columns = read_columns(&bytes, Some(&expected(reader, &defaults)));
            assert!(by_columns.0 == as_read, "{writer} -> {reader}");
        }
    }
}

#[test]
fn columns_have_the_rows_whether_packed_or_staged() {
    for (schema, rows) in rows() {
        for wire in WIRES {
            let (back, are_whole) = read_columns(&message(schema, &rows, wire), None);
            assert!(back == rows, "{schema}");
            assert_eq!(are_whole, wire == Wire::Frame);
        }
    }
}

#[test]
fn whole_columns_are_the_columns_of_converted_rows() {
    let row = |i: i64| {
        Value::record(
            "R",
            [
                ("k", format!("k{}", i % 3).as_str().into()),
                ("u", if i % 2 == 0 { int(i) } else { "odd".into() }),
                ("gone", list([tuple([int(i), "x".into()])])),
                ("l", list((0..i % 4).map(|j| if j == 2 { Value::Null } else { int(j) }))),
                ("e", member("E", &["A", "B"], (i % 2) as u32)),
                ("w", if i % 5 == 0 { Value::Null } else { Composite::uuid(i as u128).into() }),
                ("g", (i as f64 / 3.0).into()),
            ],
        )
    };
    let rows: Vec<_> = (0..sized(300, 8) as i64).map(row).collect();
    let writer =
        "R{k: str, u: i64|str, gone: [(i64, str)], l: [i64?], e: enum E{A, B}, w: uuid?, g: f64}";
    let bytes = message(writer, &rows, Wire::Frame);
    let given = [
        ("i", int(1)),
        ("f", 2.5.into()),
        ("s", "three".into()),
        ("b", true.into()),
        ("p", int(4)),
        ("v", "six".into()),
        ("m", list([])),
        ("d", Value::dict([("x", int(7))])),
        ("c", member("F", &["X", "Y"], 1)),
        ("n", Composite::int(&[1; 12]).unwrap().into()),
    ];
    let whole = "R{g: f64, n: int, w: uuid?, i: i64, l: [i64?], f: f64, u: i64|str, s: str, b: bool, \
                 e: enum E{A, B}, o: str?, p: i64?, v: i64|str, m: [str], d: {\"x\": i64, \"y\"?: bool}, \
                 c: enum F{X, Y}, k: i64|str}";
    let expected = |reader: &str| expected(reader, &given);
    let reader = expected(whole);
    let back = read(&bytes, Some(&reader)).unwrap();
    assert_eq!(read_columns(&bytes, Some(&reader)), (back.clone(), true));
    let records = message(writer, &rows, Wire::Row);
    assert_eq!(read_columns(&records, Some(&reader)), (back, false));
    // Each of these fields is converted, mixes columns, or has a default that is not constant.
    let by_rows: [(&str, &[(&str, Value)]); 5] = [
        ("R{l: [f64?]}", &[]),
        ("R{u: i64|f64|str}", &[]),
        ("R{e: enum E{B, A}}", &[]),
        ("R{m: [i64]}", &[("m", list([int(1)]))]),
        ("R{gone: [(i64, str?)]}", &[]),
    ];
    for (reader, given) in by_rows {
        let reader = self::expected(reader, given);
        let back = read(&bytes, Some(&reader)).unwrap();
        let by_columns = read_columns(&bytes, Some(&reader));
        assert_eq!(by_columns, (back, false), "{:?}", reader.program().schema());
    }
}

#[test]
fn an_unreadable_schema_is_refused_unless_there_are_no_rows() {
    for wire in WIRES {
        let error = read(&message("str", &["a".into()], wire), Some(&expected("i64", &[])));
        let error = error.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Schema);
        assert_eq!(
            error.message(),
            "frame 0 has rows of schema str, but the codec is for i64: a row: str can't be read as i64; \
             declare a type that fits, or read the rows as they are, without one"
        );
        assert_eq!(read(&message("str", &[], wire), Some(&expected("i64", &[]))), Ok(vec![]));
    }
}

#[test]
fn plans_of_recently_used_schemas_are_kept() {
    let reader = expected("{\"a\": i64}", &[]);
    let writer = |i: usize| plan(&format!("{{\"a\": i64, \"x{i}\": i64}}"));
    let evolve = |i: usize| reader.evolve(&writer(i)).unwrap();
    let first: Vec<_> = (0..KEPT_RESOLVED).map(evolve).collect();
    // The first plan was used last, so another plan replaces the second.
    assert!(Arc::ptr_eq(&first[0], &evolve(0)));
    evolve(KEPT_RESOLVED);
    assert!(Arc::ptr_eq(&first[0], &evolve(0)));
    assert!(Arc::ptr_eq(&first[2], &evolve(2)));
    assert!(!Arc::ptr_eq(&first[1], &evolve(1)));
    // Plans of large schemas are not kept.
    let large = |fields| plan(&format!("{{\"a\": i64, \"x\": ({})}}", "i64, ".repeat(fields)));
    let kept = |writer: &Arc<Program>| {
        Arc::ptr_eq(&reader.evolve(writer).unwrap(), &reader.evolve(writer).unwrap())
    };
    assert!(kept(&large(SHARED_TYPE_LIST - 40)));
    assert!(!kept(&large(SHARED_TYPE_LIST + 1)));
    // A clone reads the same way.
    assert!(reader.clone().evolve(&writer(1)).is_ok());
}

#[test]
fn a_wider_reader_may_stand_for_the_schema() {
    let expected = expected("i64", &[]).with_reader(plan("i64?"));
    for wire in WIRES {
        let nulls = message("i64?", &[int(1), Value::Null], wire);
        assert_eq!(read(&nulls, Some(&expected)), Ok(vec![int(1), Value::Null]));
        assert_eq!(read(&nulls, Some(&expected.clone())), Ok(vec![int(1), Value::Null]));
    }
}

/// Changes the body of frame `nth` of a message of one or two frames, and corrects its length and
/// checksum.
fn changed(message: &[u8], nth: usize, change: impl FnOnce(&mut Vec<u8>)) -> Vec<u8> {
    let mut ranges = Vec::new();
    each_frame(message, |frame| {
        ranges.push((frame.at, frame.body_at().unwrap(), frame.body().len()))
    });
    let (at, body_at, len) = ranges[nth];
    let mut body = message[body_at..body_at + len].to_vec();
    change(&mut body);
    let mut frame = message[at..body_at].to_vec();
    frame[16..24].copy_from_slice(&(body.len() as u64).to_le_bytes());
    frame.extend(body);
    let checksum = xxh3_64(&frame);
    frame.extend(checksum.to_le_bytes());
    [&message[..at], &frame, &message[body_at + len + 8..]].concat()
}

#[test]
fn an_error_names_frame_row_field_and_offset() {
    // A record has 4 bytes of length, an int of one byte, the length of the text, and the text.
    let rows = [tuple([int(1), "ab".into()]), tuple([int(2), "cd".into()])];
    let good = message("(i64, str)", &rows, Wire::Row);
    let body_at = good.len() - 8 - 2 * 8;
    type Change = fn(&mut Vec<u8>);
    let cases: [(Change, &str, Option<usize>, usize); 4] = [
        (|body| body.push(0), "frame 0: there are bytes after the last record", None, 8),
        (|body| body.truncate(body.len() - 1), "row 1", Some(1), body_at + 8),
        (|body| body[5] = 255, "row 0, field 1 (str)", Some(0), body_at),
        (|body| body[14] = 0xff, "row 1", Some(1), body_at + 8),
    ];
    for (change, said, row, offset) in cases {
        let error = read(&changed(&good, 0, change), None).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Decode);
        assert!(error.message().contains(said), "{error}");
        assert_eq!((error.row(), error.offset()), (row, Some(offset)), "{error}");
    }
    // The columns of the frame wire are checked before rows are made.
    let good = message("(i64, str)", &rows, Wire::Frame);
    let error = read(&changed(&good, 0, |body| body.truncate(body.len() - 1)), None).unwrap_err();
    assert_eq!((error.kind(), error.row(), error.offset()), (ErrorKind::Decode, None, Some(8)));
    assert!(error.message().starts_with("frame 0: "), "{error}");
}

#[test]
fn an_error_counts_rows_over_the_frames() {
    let rows: Vec<Value> = (0..MAX_FRAME_ROWS as i64 + 3).map(|i| int(i % 7)).collect();
    let last = rows.len() - 1;
    let good = message("i64", &rows, Wire::Row);
    let error = read(&changed(&good, 1, |body| body.truncate(body.len() - 1)), None).unwrap_err();
    assert_eq!(error.row(), Some(last));
    assert!(error.message().starts_with("frame 1, row 2"), "{error}");
    // Also for rows that are converted.
    for wire in WIRES {
        let mut rows = rows.clone();
        rows[last] = int(1 << 60);
        let error = read(&message("i64", &rows, wire), Some(&expected("f64", &[]))).unwrap_err();
        assert_eq!((error.kind(), error.row()), (ErrorKind::Decode, Some(last)), "{error}");
        let members = [member("E", &["A", "B"], 1), member("E", &["A", "B"], 0)];
        let other = expected("enum E{B}", &[]);
        let error = read(&message("enum E{A, B}", &members, wire), Some(&other)).unwrap_err();
        assert_eq!(
            error.message(),
            "frame 0, row 1, (enum E{B}): A is not a member of the reader's enum E"
        );
    }
}

#[test]
fn a_sink_that_is_full_before_the_last_row_is_an_error() {
    let rows: Vec<Value> = (0..1000).map(int).collect();
    each_frame(&message("i64", &rows, Wire::Row), |frame| {
        let mut batch = Batch::new(&frame.program);
        batch.limit(80);
        let error = decode_frame(&frame, None, &mut None, &mut batch).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Limit);
        assert!(error.message().contains("the sink is full before the last row"), "{error}");
    });
}

#[test]
fn many_threads_decode_as_one_does() {
    let counts = [1, sized(1000, 30), sized(5, 3) * MAX_FRAME_ROWS / 2];
    for count in counts {
        let rows: Vec<Value> = (0..count as i64).map(|i| tuple([int(i), int(i % 9)])).collect();
        for wire in WIRES {
            // Miri gets the row wire plain and the frame wire compressed.
            let from = sized(0, usize::from(wire == Wire::Frame));
            for &compression in &COMPRESSIONS[from..sized(2, from + 1)] {
                let values = ValueRows(&rows);
                let message = written(|buffer| {
                    dumps_with(&values, Some(wire), compression, &OneThread, buffer)
                });
                let message = message.unwrap();
                let decoded = |threads: Threads, message: &[u8]| {
                    let mut rows = Vec::new();
                    let take = |frame: ValueWriter| {
                        rows.extend(frame.into_rows());
                        Ok(())
                    };
                    decode_by_many(message, None, threads, ValueWriter::new, take).map(|()| rows)
                };
                let mut damaged = message.clone();
                let at = damaged.len() - 20;
                damaged[at] ^= 1;
                let mut one = ValueWriter::new();
                let error = decode(&damaged, None, &mut one).unwrap_err();
                let cut = decode(&message[..message.len() - 1], None, &mut one).unwrap_err();
                let fixed = sized(1, 2)..sized(4, 3);
                for threads in fixed.map(|n| Threads::of(n).unwrap()).chain([Threads::Auto]) {
                    assert!(decoded(threads, &message).unwrap() == rows);
                    assert_eq!(decoded(threads, &damaged), Err(error.clone()));
                    assert_eq!(decoded(threads, &message[..message.len() - 1]), Err(cut.clone()));
                }
            }
        }
    }
}

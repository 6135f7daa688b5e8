//! Compiled code must convert rows to another schema exactly as the interpreter does, from valid
//! and damaged bytes.

use std::sync::Arc;

use proptest::prelude::*;
use serow_codegen::{CompileError, Conversion, SinkLayout, SourceLayout, compile};
use serow_core::compiled::run;
use serow_core::encode::infer;
use serow_core::layout::batch::BATCH;
use serow_core::layout::discard::Discard;
use serow_core::layout::value::{ValueReader, ValueRows};
use serow_core::number::IntBytes;
use serow_core::plan::{Defaults, FormerNames};
use serow_core::program::Program;
use serow_core::schema::Schema;
use serow_core::value::{Composite, Value};
use serow_core::wire::columns::COLUMNS;
use serow_core::wire::row::ROW;

use crate::decoding::{Outcome, body, columns_of, damage, damages, records, records_of};
use crate::strategies::table;
use crate::{alone, changes, random_cases};

/// A program that reads rows of the writer's schema as rows of the reader's, for each tier:
/// interpreted and compiled.
struct Evolved {
    writer: Arc<Program>,
    reader: Program,
    interpreted: Arc<Program>,
    compiled: Arc<Program>,
}

impl Evolved {
    /// Returns `None` if the compiler does not support the conversion.
    fn new(writer: &Schema, reader: &Schema, values: &[(String, Value)]) -> Option<Evolved> {
        let mut defaults = Defaults::default();
        for (path, value) in values {
            defaults.set(reader, path, value.clone()).expect("it is of the field's type");
        }
        let (writer, reader) = (Arc::new(Program::new(writer)), Program::new(reader));
        let plan = || {
            Program::evolve(&writer, &reader, &defaults, &FormerNames::default())
                .expect("the change is allowed")
        };
        let compiled = plan();
        for from in [SourceLayout::ROW, SourceLayout::COLUMNS] {
            // SAFETY: core defines these layouts.
            match unsafe { compile(&compiled, &Conversion { from, to: SinkLayout::BATCH }) } {
                Ok(_) => {}
                Err(CompileError::Interpreted(_)) => return None,
                Err(error) => panic!("{error}\n{}", *compiled),
            }
        }
        let interpreted = plan().into();
        Some(Evolved { interpreted, compiled: compiled.into(), writer, reader })
    }

    fn of_schemas(writer: &str, reader: &str) -> Evolved {
        Evolved::with_defaults(writer, reader, &[])
    }

    fn with_defaults(writer: &str, reader: &str, defaults: &[(String, Value)]) -> Evolved {
        let schema = |text| Schema::parse(text).expect("the schema is well formed");
        Evolved::new(&schema(writer), &schema(reader), defaults).expect("it is compiled")
    }

    /// Reads rows from records and from columns.
    fn same(&self, records: &[u8], body: &[u8], rows: usize) -> [Option<Outcome>; 2] {
        let of_records = |plan| records_of([&self.reader, plan], records, 8, rows);
        let of_columns = |plan| columns_of([&self.writer, &self.reader, plan], body, rows);
        let expected = of_records(&self.interpreted);
        assert_eq!(of_records(&self.compiled), expected, "{}", **self.compiled);
        let columns = of_columns(&self.interpreted);
        assert_eq!(of_columns(&self.compiled), columns, "{}", **self.compiled);
        [Some(expected), columns]
    }

    fn messages(&self, rows: &[Value]) -> (Vec<u8>, Vec<u8>) {
        ([records(&self.writer, rows), vec![0; 8]].concat(), body(&self.writer, rows))
    }
}

proptest! {
    #![proptest_config(random_cases())]

    #[test]
    fn both_tiers_give_the_same_rows(rows in table(), seed in any::<u64>()) {
        let _alone = alone();
        let schema = infer(&ValueRows(&rows)).expect("the rows have a schema");
        let Some((reader, defaults)) = changes::changed(&schema, seed) else { return Ok(()) };
        let Some(evolved) = Evolved::new(&schema, &reader, &defaults) else { return Ok(()) };
        let (records, body) = evolved.messages(&rows);
        let [records, columns] = evolved.same(&records, &body, rows.len());
        // Both wires must give the same columns.
        if let (Some((a, None)), Some((b, None))) = (records, columns) {
            prop_assert_eq!(a, b);
        }
    }

    #[test]
    fn damaged_rows_come_to_the_same(
        rows in table(),
        seed in any::<u64>(),
        damages in damages(),
        cut in prop::option::of(0usize..20),
    ) {
        let _alone = alone();
        let schema = infer(&ValueRows(&rows)).expect("the rows have a schema");
        let Some((reader, defaults)) = changes::changed(&schema, seed) else { return Ok(()) };
        let Some(evolved) = Evolved::new(&schema, &reader, &defaults) else { return Ok(()) };
        let (mut records, mut body) = evolved.messages(&rows);
        records.truncate(records.len() - 8);
        damage(&mut records, &damages, cut);
        records.extend([0; 8]);
        damage(&mut body, &damages, None);
        evolved.same(&records, &body, rows.len());
    }
}

/// Checks that code alone reads all rows of `writer` as rows of `reader`.
fn code_reads(writer: &str, reader: &str, row: Value) {
    code_reads_rows(&Evolved::of_schemas(writer, reader), &vec![row; 1000]);
}

fn code_reads_rows(evolved: &Evolved, rows: &[Value]) {
    let _alone = alone();
    let (records, body) = evolved.messages(rows);
    for outcome in evolved.same(&records, &body, rows.len()) {
        assert_eq!(outcome.and_then(|(_, error)| error), None);
    }
    for source in [&ROW, &COLUMNS] {
        assert!(evolved.compiled.is_compiled((source, &BATCH)));
    }
}

#[test]
fn fields_are_skipped_added_and_moved() {
    let list = Value::List(vec![Value::F64(0.5), Value::F64(1.5)]);
    let row = Value::record(
        "Row",
        [("a", Value::I64(1)), ("b", "some text".into()), ("c", list), ("d", Value::Null)],
    );
    let writer = "Row{a: i64, b: str, c: [f64], d: (str?)}".replace("(str?)", "str?");
    for reader in [
        "Row{a: i64, b: str}",
        "Row{d: str?, c: [f64], b: str, a: i64}",
        "Row{b: str?, e: i64?, a: int}",
        "Row{c: [f64|str], a: f64, x: null}",
    ] {
        code_reads(&writer, reader, row.clone());
    }
}

#[test]
fn nulls_become_defaults() {
    let row = |a: Value, b: Value| Value::dict([("a", a), ("b", b), ("c", 1.into())]);
    let text = || Value::from("text");
    let rows = [
        row(2.into(), text()),
        row(Value::Null, text()),
        row(3.into(), Value::Null),
        Value::dict([("a", Value::Null), ("c", 1.into())]),
    ];
    let evolved = Evolved::with_defaults(
        "{\"a\": i64?, \"b\"?: str?, \"c\": i64}",
        "{\"c\": i64, \"b\": str, \"a\": f64}",
        &[("a".into(), 0.5.into()), ("b".into(), "none".into())],
    );
    code_reads_rows(&evolved, &rows);
}

#[test]
fn several_columns_are_read_as_one() {
    let pair = || Value::Tuple(vec!["one".into(), "two".into()]);
    code_reads("(str, str)", "(str, ...)", pair());
    let rows = Value::dict([("x", "one".into()), ("y", "two".into())]);
    code_reads("{\"x\": str, \"y\": str}", "{str: str}", rows);
}

#[test]
fn arms_that_the_reader_lacks_leave_the_others_to_code() {
    let row = |value: Value| Value::Tuple(vec![value, Value::I64(1)]);
    let (writer, reader) = ("(A{x: i64}|B{y: str}|str, i64)", "(A{x: i64}|B{y: str}, i64)");
    let known = row(Value::record("B", [("y", "text".into())]));
    code_reads(writer, reader, known.clone());
    code_reads(writer, "(B{y: str}?, i64)", known.clone());
    let _alone = alone();
    let evolved = Evolved::of_schemas(writer, reader);
    let (records, body) = evolved.messages(&[known, row("other".into())]);
    for outcome in evolved.same(&records, &body, 2) {
        assert!(outcome.is_some_and(|(_, error)| error.is_some()));
    }
}

#[test]
fn many_fields_are_split_into_functions() {
    let fields = |from: usize| -> Vec<String> {
        (from..from + 300)
            .map(|i| match i % 3 {
                0 => format!("f{i}: i64"),
                1 => format!("f{i}: (str, str)"),
                _ => format!("f{i}: [f64]"),
            })
            .collect()
    };
    let mut moved = fields(100);
    moved.retain(|field| field.len() > 4);
    let writer = format!("Wide{{{}}}", fields(0).join(", "));
    let reader: Vec<_> =
        moved[..200].iter().rev().map(|f| f.replace("(str, str)", "(str, ...)")).collect();
    let reader = format!("Wide{{{}}}", reader.join(", "));
    let row = Value::record(
        "Wide",
        (0..300).map(|i| {
            let value = match i % 3 {
                0 => Value::I64(i),
                1 => Value::Tuple(vec!["a".into(), "b".into()]),
                _ => Value::List(vec![Value::F64(i as f64)]),
            };
            (format!("f{i}"), value)
        }),
    );
    code_reads(&writer, &reader, row);
}

/// The types of numbers, and numbers at the borders of all of them.
const NUMBERS: [&str; 11] =
    ["i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "int", "f32", "f64"];

fn borders() -> Vec<Value> {
    let bits = [7, 8, 15, 16, 24, 31, 32, 53, 63, 64];
    let ints = bits.into_iter().flat_map(|bits| {
        let end = 1i128 << bits;
        [-end - 1, -end, 1 - end, end - 1, end, end + 1]
    });
    let int = |v: i128| match i64::try_from(v) {
        Ok(v) => Value::I64(v),
        Err(_) => Composite::int(IntBytes::of_i128(v).as_bytes()).expect("it is large").into(),
    };
    let floats =
        [0.5, -0.0, 0.1, 1e300, f64::NAN, f64::INFINITY, f64::from_bits(0x7FF0 << 48 | 1 << 29)];
    ints.chain([0, 1, -1]).map(int).chain(floats.map(Value::F64)).collect()
}

/// Each number that a type has is read as each other type, by both tiers alike: from whole rows of numbers that fit,
/// and from one that doesn't.
#[test]
fn numbers_are_read_as_numbers_of_other_types() {
    let _alone = alone();
    let is_int = |of: &str| !of.starts_with('f');
    for from in NUMBERS {
        let writer = Program::new(&Schema::parse(from).unwrap());
        let values = borders();
        let values: Vec<_> = values.into_iter().filter(|v| fits(&writer, v)).collect();
        assert!(values.len() > 4, "{from}");
        for to in NUMBERS.into_iter().filter(|&to| !is_int(to) || is_int(from)) {
            let schema = |of: &str| format!("({of}, [{of}], {of}?)");
            let evolved = Evolved::of_schemas(&schema(from), &schema(to));
            let row = |v: &Value| {
                Value::Tuple(vec![v.clone(), Value::List(vec![v.clone(); 3]), Value::Null])
            };
            let rows: Vec<_> = values.iter().map(row).collect();
            for rows in rows.iter().map(std::slice::from_ref).chain([&rows[..]]) {
                let (records, body) = evolved.messages(rows);
                evolved.same(&records, &body, rows.len());
            }
            let small = row(&if is_int(from) { Value::I64(7) } else { Value::F64(0.5) });
            let (records, body) = evolved.messages(&[small]);
            for outcome in evolved.same(&records, &body, 1) {
                assert_eq!(outcome.and_then(|(_, error)| error), None, "{from} to {to}");
            }
        }
    }
}

fn fits(program: &Program, value: &Value) -> bool {
    let mut source = ValueReader::new(std::slice::from_ref(value));
    run(program, &mut source, &mut Discard::new(()), 0..1).is_ok()
}

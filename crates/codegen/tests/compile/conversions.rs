//! Compiled code must give the same bytes and the same errors as the interpreter.

use std::sync::Arc;

use proptest::prelude::*;
use serow_codegen::{Compiler, compile};
use serow_core::bytes::out::{Borrowed, GrowableBuffer, Out};
use serow_core::compiled::run;
use serow_core::encode::{Encoder, Staging, infer};
use serow_core::interpreter::RunError;
use serow_core::layout::batch::{BATCH, Batch};
use serow_core::layout::flat::{FLAT, FlatRows};
use serow_core::layout::value::ValueRows;
use serow_core::layout::{Sink, Source};
use serow_core::program::Program;
use serow_core::schema::Schema;
use serow_core::value::Value;
use serow_core::wire::message::Wire;
use serow_core::wire::row::{ROW, RowWriter, ZeroSizedCounts};

use crate::flat::{Streams, streams};
use crate::strategies::{any_value, table};
use crate::{FLAT_TO_BATCH, FLAT_TO_ROWS, alone, plan, random_cases};

/// The outcome of a run: the records, the number of slots read, and the position of an error.
#[derive(Debug, PartialEq)]
struct Outcome {
    records: Vec<u8>,
    error: Option<Box<RunError>>,
    all_read: bool,
}

fn outcome(
    plan: &Program,
    streams: &Streams,
    rows: usize,
    room: &mut dyn GrowableBuffer,
) -> Outcome {
    let mut source = FlatRows::new(&streams.slots, &streams.text).with_bytes(&streams.bytes);
    let mut out = Out::new(room);
    let mut writer = RowWriter::new(&mut out, 0, ZeroSizedCounts::default());
    let error = run(plan, &mut source, &mut writer, 0..rows).err();
    if error.is_some() {
        writer.roll_back();
    }
    Outcome { records: out.written().to_vec(), error, all_read: source.is_empty() }
}

/// Encodes `streams` to a message of frames, or returns the position of the error.
fn message(plan: &Arc<Program>, streams: &Streams, rows: usize) -> Result<Vec<u8>, Box<RunError>> {
    let mut source = FlatRows::new(&streams.slots, &streams.text).with_bytes(&streams.bytes);
    let mut message = Vec::new();
    let mut encoder = Encoder::with_staging(Wire::Frame, &mut message, Staging::default())
        .expect("memory should suffice");
    encoder.encode(plan, &mut source, 0..rows)?;
    encoder.finish(plan).expect("memory should suffice");
    Ok(message)
}

/// Checks that both tiers convert `streams` equally, into memory that grows and into memory that is
/// large enough from the start.
fn same(
    interpreted: &Arc<Program>,
    compiled: &Arc<Program>,
    streams: &Streams,
    rows: usize,
) -> Outcome {
    let expected = outcome(interpreted, streams, rows, &mut Vec::new());
    assert_eq!(outcome(compiled, streams, rows, &mut Vec::new()), expected);
    assert_eq!(message(compiled, streams, rows), message(interpreted, streams, rows));
    let mut memory = vec![0; 1 << 20];
    // SAFETY: nothing else uses the vector meanwhile.
    let mut room = unsafe { Borrowed::new(memory.as_mut_ptr(), memory.len()) };
    assert_eq!(outcome(compiled, streams, rows, &mut room), expected);
    expected
}

/// Returns a program of `schema` for each tier: interpreted and compiled.
fn both(schema: &Schema) -> (Arc<Program>, Arc<Program>) {
    let compiled = Program::new(schema);
    for conversion in [FLAT_TO_ROWS, FLAT_TO_BATCH] {
        // SAFETY: core defines the layout of flat rows.
        unsafe { compile(&compiled, &conversion) }.expect("every plan compiles");
    }
    (Arc::new(Program::new(schema)), Arc::new(compiled))
}

pub fn rows_come_to_the_same(rows: &[Value]) {
    let _alone = alone();
    let (interpreted, compiled) = both(&infer(&ValueRows(rows)).expect("the rows have a schema"));
    let streams = streams(&interpreted, rows);
    let outcome = same(&interpreted, &compiled, &streams, rows.len());
    assert!(outcome.error.is_none() && outcome.all_read, "{outcome:?}");
}

proptest! {
    #![proptest_config(random_cases())]

    #[test]
    fn mixed_rows(rows in prop::collection::vec(any_value(), 0..20)) {
        rows_come_to_the_same(&rows);
    }

    #[test]
    fn tables(rows in table()) {
        rows_come_to_the_same(&rows);
    }

    #[test]
    fn slots_and_text_that_are_cut_or_changed(
        rows in table(),
        changes in prop::collection::vec((any::<prop::sample::Index>(), -2i64..20), 1..4),
        cut in any::<(bool, prop::sample::Index)>(),
        text in any::<Option<(prop::sample::Index, u8)>>(),
    ) {
        let _alone = alone();
        let (interpreted, compiled) = both(&infer(&ValueRows(&rows[..])).unwrap());
        let mut streams = streams(&interpreted, &rows);
        for (at, slot) in changes {
            if !streams.slots.is_empty() {
                let at = at.index(streams.slots.len());
                streams.slots[at] = slot;
            }
        }
        if cut.0 && !streams.slots.is_empty() {
            streams.slots.truncate(cut.1.index(streams.slots.len()));
        }
        if let Some((at, byte)) = text && !streams.text.is_empty() {
            let at = at.index(streams.text.len());
            streams.text[at] = byte;
        }
        same(&interpreted, &compiled, &streams, rows.len());
    }
}

/// A row with a few fields of each kind.
fn row(i: i64, text: &str) -> Value {
    let list = (0..i % 5).map(|j| Value::F64(j as f64)).collect();
    Value::Tuple(vec![Value::I64(i), Value::from(text), Value::List(list), Value::Bool(i % 2 == 0)])
}

#[test]
fn compiled_code_alone_converts_common_rows() {
    let _alone = alone();
    let rows: Vec<Value> = (0..1000).map(|i| row(i, "some text")).collect();
    let (_, compiled) = both(&infer(&ValueRows(&rows)).unwrap());
    let streams = streams(&compiled, &rows);
    let mut room = Vec::new();
    let mut out = Out::new(&mut room);
    out.reserve(1 << 20).unwrap();
    let mut batch = Batch::new(&compiled);
    // Lists have more than one element per row.
    batch.floats[0].reserve(10_000);
    let mut writer = RowWriter::new(&mut out, 0, ZeroSizedCounts::default());
    for (kind, sink) in [(&ROW, writer.enter_jit(1000)), (&BATCH, batch.enter_jit(1000))] {
        let mut source = FlatRows::new(&streams.slots, &streams.text).with_bytes(&streams.bytes);
        let code = compiled.code((&FLAT, kind)).unwrap();
        // SAFETY: the code is for these layouts, and there is space.
        assert_eq!(unsafe { code.convert(source.enter_jit(), sink, 0, 1000) }, 1000);
        // SAFETY: only the code has used the source.
        unsafe { source.exit_jit() };
        assert!(source.is_empty());
    }
    // SAFETY: only the code has used the batch.
    unsafe { batch.exit_jit() }.unwrap();
    assert_eq!((batch.rows, batch.floats[0].len()), (1000, 2000));
}

#[test]
fn numbers_and_strings_of_every_length() {
    let numbers = (0..64).flat_map(|bit| [1i64 << bit, (1i64 << bit).wrapping_neg()]);
    let around = numbers.flat_map(|n| [n.wrapping_sub(1), n, n.wrapping_add(1)]);
    let long: String = ('a'..='z').cycle().take(20_000).collect();
    let lengths = (0..300).chain([4096, 16_383, 16_384, 20_000]);
    let strings = lengths.map(|len| Value::from(&long[..len]));
    rows_come_to_the_same(&around.map(Value::I64).collect::<Vec<_>>());
    rows_come_to_the_same(&strings.collect::<Vec<_>>());
}

#[test]
fn uncommon_rows_between_common_ones() {
    for (every, text) in [(7, "naïve"), (100, "€uro"), (3, "\u{1F600}"), (1000, "é")] {
        let rows: Vec<Value> =
            (0..5000).map(|i| row(i, if i % every == 1 { text } else { "plain" })).collect();
        rows_come_to_the_same(&rows);
    }
}

#[test]
fn sequences_with_many_more_strings_than_rows() {
    let tag = |i: i64, j: i64| Value::from(&*format!("tag {}", (i * j) % 300));
    for most in [3, 50, 700] {
        let rows: Vec<Value> = (0..600)
            .map(|i| Value::List((0..i * 31 % most).map(|j| tag(i, j)).collect()))
            .collect();
        rows_come_to_the_same(&rows);
    }
    let long = vec![Value::List((0..20_000).map(|j| tag(j, j)).collect()); 3];
    rows_come_to_the_same(&long);
}

#[test]
fn columns_that_start_as_dictionaries_and_become_plain() {
    for count in [100, 1000, 5000] {
        let row = |i: i64| {
            let own = format!("a comment of its own {i}");
            let later = if i < 700 { "same".to_owned() } else { format!("other {i}") };
            let some = if i % 3 == 0 { Value::Null } else { Value::from(&*own) };
            let brand = format!("brand {}", i % 25);
            Value::Tuple(vec![
                Value::from(&*own),
                Value::from(&*later),
                brand.as_str().into(),
                some,
            ])
        };
        rows_come_to_the_same(&(0..count).map(row).collect::<Vec<_>>());
    }
}

#[test]
fn types_without_values_and_zero_sized_values() {
    let empty = || Value::List(vec![]);
    let rows = vec![Value::Tuple(vec![empty(), Value::List(vec![empty(); 9]), Value::Null]); 50];
    rows_come_to_the_same(&rows);
    rows_come_to_the_same(&vec![Value::Tuple(vec![]); 10]);
    rows_come_to_the_same(&[Value::List(vec![Value::Null; 100])]);
    // All text is empty, so it has no memory.
    rows_come_to_the_same(&vec![Value::from(""); 100]);
}

#[test]
fn wide_rows_are_split_into_functions() {
    let wide = |i: i64| {
        let fields = (0..400).map(|j| match j % 5 {
            0 => Value::I64(i * j),
            1 => Value::from("text of a wide row"),
            2 => row(j, "nested"),
            3 => Value::List(vec![row(i + j, "deeper"); (j % 3) as usize]),
            _ if (i + j) % 2 == 0 => Value::Null,
            _ => Value::F64(0.5),
        });
        Value::Tuple(fields.collect())
    };
    let rows: Vec<Value> = (0..40).map(wide).collect();
    rows_come_to_the_same(&rows);
    let same_type: Vec<Value> = (0..300).map(Value::I64).collect();
    rows_come_to_the_same(&vec![Value::Tuple(same_type); 20]);
    let _alone = alone();
    let plan = Program::new(&infer(&ValueRows(&rows)).unwrap());
    let ir = Compiler::new().unwrap().ir(&plan, &FLAT_TO_ROWS).unwrap();
    let is_group = |line: &str| line.starts_with("define internal") && line.contains("@group_20(");
    assert!(ir.lines().any(is_group), "{ir}");
}

#[test]
fn code_that_is_set_during_a_conversion_takes_over() {
    let _alone = alone();
    let shared = Arc::new(plan("(i64, str, [f64], bool)"));
    let rows: Vec<Value> = (0..100).map(|i| row(i, "some text")).collect();
    let streams = streams(&shared, &rows);
    let before = outcome(&shared, &streams, 100, &mut Vec::new());
    // SAFETY: core defines the layout of flat rows.
    unsafe { compile(&shared, &FLAT_TO_ROWS) }.unwrap();
    assert!(shared.code(FLAT_TO_ROWS.kinds()).is_some());
    assert_eq!(outcome(&shared, &streams, 100, &mut Vec::new()), before);
}

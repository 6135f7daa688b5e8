//! Compiled code must give the same bytes and the same errors as the interpreter, from valid and
//! damaged records and columns.

use std::sync::Arc;

use proptest::prelude::*;
use serow_codegen::{Compiler, Conversion, SinkLayout, SourceLayout, compile};
use serow_core::bytes::out::Out;
use serow_core::compiled::run;
use serow_core::encode::{Encoder, Staging, encode, infer};
use serow_core::interpreter::{self, RunError};
use serow_core::layout::batch::{BATCH, Batch};
use serow_core::layout::value::{ValueReader, ValueRows};
use serow_core::layout::{Sink, Source};
use serow_core::program::Program;
use serow_core::value::Value;
use serow_core::wire::columns::ColumnCursors;
use serow_core::wire::frame::{self, Scratch, TextForm};
use serow_core::wire::message::{MessageReader, Wire};
use serow_core::wire::row::{ROW, RowReader, RowWriter, SLACK, ZeroSizedCounts};

use crate::strategies::{any_value, table};
use crate::{ROW_TO_BATCH, ROW_TO_ROW, alone, plan, random_cases};

const SOURCES: [SourceLayout<'_>; 2] = [SourceLayout::ROW, SourceLayout::COLUMNS];
const SINKS: [SinkLayout<'_>; 2] = [SinkLayout::ROW, SinkLayout::BATCH];

/// Returns a program for the schema of `rows` for each tier: interpreted and compiled.
pub fn both(rows: &[Value]) -> (Arc<Program>, Arc<Program>) {
    let schema = infer(&ValueRows(rows)).expect("the rows have a schema");
    let compiled = Program::new(&schema);
    for from in SOURCES {
        for to in SINKS {
            // SAFETY: core defines these layouts.
            unsafe { compile(&compiled, &Conversion { from, to }) }.expect("every plan compiles");
        }
    }
    (Arc::new(Program::new(&schema)), Arc::new(compiled))
}

/// Returns the records of `rows`.
pub fn records(plan: &Program, rows: &[Value]) -> Vec<u8> {
    let mut room = Vec::new();
    let mut out = Out::new(&mut room);
    let mut writer = RowWriter::new(&mut out, 0, ZeroSizedCounts::default());
    let run = interpreter::run(plan, &mut ValueReader::new(rows), &mut writer, 0..rows.len());
    assert!(run.expect("the rows are of the schema").is_continue());
    out.written().to_vec()
}

/// The outcome of a run: the bytes, and the position of an error.
pub type Outcome = (Vec<u8>, Option<Box<RunError>>);

/// Converts to records, into memory that has `reserved` bytes and then grows.
fn to_records<S: Source>(plan: &Program, source: &mut S, rows: usize, reserved: usize) -> Outcome {
    let mut room = Vec::new();
    let mut out = Out::new(&mut room);
    out.reserve(reserved).expect("there is memory");
    let mut writer = RowWriter::new(&mut out, 0, ZeroSizedCounts::default());
    let error = run(plan, source, &mut writer, 0..rows).err();
    if error.is_some() {
        writer.roll_back();
    }
    (out.written().to_vec(), error)
}

fn to_columns<S: Source>(plan: &Program, source: &mut S, rows: usize) -> Outcome {
    into_columns_of(plan, plan, source, rows)
}

fn into_columns_of<S: Source>(
    reader: &Program,
    plan: &Program,
    source: &mut S,
    rows: usize,
) -> Outcome {
    let mut batch = Batch::new(reader);
    let error = run(plan, source, &mut batch, 0..rows).err();
    // The failing row may be in the columns in part.
    (if error.is_some() { Vec::new() } else { packed(reader, &batch) }, error)
}

fn packed(plan: &Program, batch: &Batch) -> Vec<u8> {
    let mut room = Vec::new();
    let mut out = Out::new(&mut room);
    frame::pack(plan, batch, TextForm::Small, &mut Scratch::default(), &mut out)
        .expect("there is memory");
    out.written().to_vec()
}

/// Reads `records` to records, into memory as in [`to_records`], and to columns. The last `slack`
/// bytes belong to no record.
fn of_records(
    plan: &Program,
    (records, slack): (&[u8], usize),
    rows: usize,
    reserved: usize,
) -> [(Outcome, bool); 2] {
    let mut reader = RowReader::new(records, slack);
    let copied = to_records(plan, &mut reader, rows, reserved);
    let copied = (copied, reader.is_empty());
    let mut reader = RowReader::new(records, slack);
    let staged = to_columns(plan, &mut reader, rows);
    [copied, (staged, reader.is_empty())]
}

/// Encodes `records` to a message of frames, or returns the position of the error.
fn message(
    plan: &Arc<Program>,
    (records, slack): (&[u8], usize),
    rows: usize,
) -> Result<Vec<u8>, Box<RunError>> {
    let mut message = Vec::new();
    let mut encoder = Encoder::with_staging(Wire::Frame, &mut message, Staging::default())
        .expect("there is memory");
    encoder.encode(plan, &mut RowReader::new(records, slack), 0..rows)?;
    encoder.finish(plan).expect("there is memory");
    Ok(message)
}

/// Checks that records are read as the interpreter reads them, and returns the outcome.
pub fn same_of_records(plans: &(Arc<Program>, Arc<Program>), bytes: &[u8], rows: usize) -> Outcome {
    let expected = of_records(&plans.0, (bytes, 0), rows, 0);
    assert_eq!(of_records(&plans.1, (bytes, 0), rows, 0), expected);
    // The bytes after the records must not matter, nor whether the memory grows.
    for (byte, reserved) in [(0, 0), (1, 1 << 20), (0x80, 0), (0xFF, 1 << 20)] {
        let followed = [bytes, &[byte; SLACK]].concat();
        assert_eq!(of_records(&plans.1, (&followed, SLACK), rows, reserved), expected);
    }
    let followed = [bytes, &[0; SLACK]].concat();
    assert_eq!(message(&plans.1, (&followed, SLACK), rows), message(&plans.0, (bytes, 0), rows));
    expected.into_iter().next().expect("there are two").0
}

/// Reads the frame of `message`, if it has one.
fn of_columns(plan: &Program, body: &[u8], rows: usize) -> Option<[Outcome; 2]> {
    let frame = || frame::unpack(plan, rows, body, body.len(), &mut |_| Ok(()));
    let mut room = Vec::new();
    let mut out = Out::new(&mut room);
    let mut writer = RowWriter::new(&mut out, 0, ZeroSizedCounts::default());
    let mut columns = ColumnCursors::new(plan, frame().ok()?, &mut writer).ok()?;
    let error = run(plan, &mut columns, &mut writer, 0..rows).err();
    if error.is_some() {
        writer.roll_back();
    }
    let copied = (out.written().to_vec(), error);

    let mut batch = Batch::new(plan);
    let mut columns = ColumnCursors::new(plan, frame().ok()?, &mut batch).ok()?;
    let error = run(plan, &mut columns, &mut batch, 0..rows).err();
    let whole = error.is_none();
    let mut room = Vec::new();
    let mut out = Out::new(&mut room);
    if whole {
        frame::pack(plan, &batch, TextForm::Small, &mut Scratch::default(), &mut out)
            .expect("there is memory");
    }
    Some([copied, (out.written().to_vec(), error)])
}

pub fn body(plan: &Arc<Program>, rows: &[Value]) -> Vec<u8> {
    let mut message = Vec::new();
    encode(plan, &ValueRows(rows), Wire::Frame, &mut message).expect("they fit");
    let mut reader = MessageReader::new(&message).expect("it is a message");
    let frame = reader.next_frame().expect("it is whole").expect("it has a frame");
    assert_eq!(frame.rows, rows.len(), "all rows are in one frame");
    frame.body().to_vec()
}

pub fn rows_come_to_the_same(rows: &[Value]) {
    let _alone = alone();
    let plans = both(rows);
    let bytes = records(&plans.0, rows);
    let (copied, error) = same_of_records(&plans, &bytes, rows.len());
    assert!(error.is_none() && copied == bytes, "{error:?}");
    let body = body(&plans.0, rows);
    let expected = of_columns(&plans.0, &body, rows.len());
    assert_eq!(of_columns(&plans.1, &body, rows.len()), expected);
    assert_eq!(expected.expect("the frame is right")[0], (bytes, None));
}

/// Runs `plan` over `records` into columns for `reader`. The last `slack` bytes belong to no
/// record.
pub fn records_of(
    [reader, plan]: [&Program; 2],
    records: &[u8],
    slack: usize,
    rows: usize,
) -> Outcome {
    into_columns_of(reader, plan, &mut RowReader::new(records, slack), rows)
}

/// Runs `plan` over the frame `body`, written by `writer`, into columns for `reader`. `None` if
/// `body` is not a frame.
pub fn columns_of(
    [writer, reader, plan]: [&Program; 3],
    body: &[u8],
    rows: usize,
) -> Option<Outcome> {
    let frame = frame::unpack(writer, rows, body, body.len(), &mut |_| Ok(())).ok()?;
    let mut batch = Batch::new(reader);
    let mut columns = ColumnCursors::new(plan, frame, &mut batch).ok()?;
    let error = run(plan, &mut columns, &mut batch, 0..rows).err();
    Some((if error.is_some() { Vec::new() } else { packed(reader, &batch) }, error))
}

/// Changes some bytes of `bytes`, and cuts it.
pub fn damage(bytes: &mut Vec<u8>, changes: &[(prop::sample::Index, u8)], cut: Option<usize>) {
    if let Some(cut) = cut {
        bytes.truncate(bytes.len().saturating_sub(cut));
    }
    for (at, byte) in changes {
        if !bytes.is_empty() {
            let at = at.index(bytes.len());
            bytes[at] = *byte;
        }
    }
}

pub fn damages() -> impl Strategy<Value = Vec<(prop::sample::Index, u8)>> {
    let byte = prop_oneof![any::<u8>(), 0u8..4, Just(0x81)];
    prop::collection::vec((any::<prop::sample::Index>(), byte), 0..4)
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
    fn damaged_records(
        rows in table(),
        changes in damages(),
        cut in prop::option::of(0usize..20),
        more in 0usize..2,
    ) {
        let _alone = alone();
        let plans = both(&rows);
        let mut bytes = records(&plans.0, &rows);
        damage(&mut bytes, &changes, cut);
        same_of_records(&plans, &bytes, rows.len() + more);
    }

    #[test]
    fn damaged_columns(rows in table(), changes in damages()) {
        let _alone = alone();
        let plans = both(&rows);
        let mut body = body(&plans.0, &rows);
        damage(&mut body, &changes, None);
        let expected = of_columns(&plans.0, &body, rows.len());
        prop_assert_eq!(of_columns(&plans.1, &body, rows.len()), expected);
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
    let (_, compiled) = both(&rows);
    let mut bytes = records(&compiled, &rows);
    bytes.extend([0; SLACK]);
    let mut room = Vec::new();
    let mut out = Out::new(&mut room);
    out.reserve(1 << 20).unwrap();
    let mut writer = RowWriter::new(&mut out, 0, ZeroSizedCounts::default());
    let mut batch = Batch::new(&compiled);
    // Lists have more than one element per row.
    batch.floats[0].reserve(10_000);
    for (kind, sink) in [(&ROW, writer.enter_jit(1000)), (&BATCH, batch.enter_jit(1000))] {
        let mut source = RowReader::new(&bytes, SLACK);
        let code = compiled.code((&ROW, kind)).unwrap();
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
    rows_come_to_the_same(&around.map(Value::I64).collect::<Vec<_>>());
    let long: String = ('a'..='z').cycle().take(20_000).collect();
    let lengths = || (0..300).chain([4096, 16_383, 16_384, 20_000]);
    rows_come_to_the_same(&lengths().map(|n| Value::from(&long[..n])).collect::<Vec<_>>());
    // All bytes but one are ASCII, at each position.
    for (before, after) in (0..70).flat_map(|n| [(n, 0), (n, 1), (n, 70 - n)]) {
        let text = format!("{}é{}", &long[..before], &long[..after]);
        let _alone = alone();
        let rows = vec![Value::from(&*text); 3];
        let plans = both(&rows);
        let bytes = records(&plans.0, &rows);
        assert_eq!(same_of_records(&plans, &bytes, 3), (bytes.clone(), None));
        let mut damaged = bytes;
        let at = damaged.iter().position(|&byte| byte == 0xC3).expect("é begins with it");
        damaged[at] = b'a';
        assert!(same_of_records(&plans, &damaged, 3).1.is_some());
        if before > 8 {
            break;
        }
    }
}

#[test]
fn sequences_longer_than_a_window() {
    for len in [255, 256, 257, 511, 512, 513, 5000] {
        let list =
            |i: usize| Value::List((0..len + i).map(|j| Value::F64(j as f64 / 4.0)).collect());
        let text =
            |i: usize| Value::List((0..len).map(|j| Value::from(&*format!("{}", i * j))).collect());
        let rows: Vec<Value> =
            (0..5).map(|i| Value::Tuple(vec![list(i), Value::I64(i as i64), text(i)])).collect();
        rows_come_to_the_same(&rows);
    }
}

#[test]
fn more_rows_than_a_window() {
    let texts = ["a", "some text", "€uro", ""];
    let rows: Vec<Value> = (0..3000).map(|i| row(i, texts[i as usize % 4])).collect();
    rows_come_to_the_same(&rows);
    let unique: Vec<Value> = (0..3000).map(|i| row(i, &format!("name {i}"))).collect();
    rows_come_to_the_same(&unique);
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
fn zero_sized_values_are_counted() {
    let _alone = alone();
    // Records of 11 bytes that claim four million nulls each, and endlessly nested lists.
    let rows = [Value::Tuple(vec![Value::List(vec![Value::Null; 3]), Value::Null])];
    let plans = both(&rows);
    let one = {
        let mut body = Vec::new();
        serow_core::bytes::varint::push(&mut body, 3 << 20);
        [(body.len() as u32).to_le_bytes().to_vec(), body].concat()
    };
    let bytes = one.repeat(3);
    assert!(same_of_records(&plans, &bytes, 3).1.is_some());
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
    let is_group = |line: &str| line.starts_with("define internal") && line.contains("@group_20(");
    for conversion in [ROW_TO_ROW, ROW_TO_BATCH] {
        let ir = Compiler::new().unwrap().ir(&plan, &conversion).unwrap();
        assert!(ir.lines().any(is_group), "{ir}");
    }
}

#[test]
fn code_that_is_set_during_a_conversion_takes_over() {
    let _alone = alone();
    let shared = plan("(i64, str, [f64], bool)");
    let rows: Vec<Value> = (0..100).map(|i| row(i, "some text")).collect();
    let mut bytes = records(&shared, &rows);
    bytes.extend([0; SLACK]);
    let before = of_records(&shared, (&bytes, SLACK), 100, 0);
    // SAFETY: core defines the layout of records.
    unsafe { compile(&shared, &ROW_TO_ROW) }.unwrap();
    assert!(shared.code(ROW_TO_ROW.kinds()).is_some());
    assert_eq!(of_records(&shared, (&bytes, SLACK), 100, 0), before);
}

#[test]
fn the_assembly_is_for_this_machine() {
    let _alone = alone();
    let text = Compiler::new().unwrap().asm(&plan("(i64, [f64])"), &ROW_TO_BATCH).unwrap();
    assert!(text.lines().any(|line| line == "serow:") && text.contains("\tretq"), "{text}");
}

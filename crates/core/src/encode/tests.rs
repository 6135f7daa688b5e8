//! The ends of frames, the widening of schemas, and the contents of errors.

use std::sync::Arc;

use super::Rows;
use super::inference::looked_at;
use super::{ColumnRows, Encoder, Staging, dumps, dumps_like, encode, exactly, infer};
use crate::ErrorKind;
use crate::compiled::RowSource;
use crate::decode::decode;
use crate::interpreter::RunError;
use crate::layout::Sink;
use crate::layout::batch::Batch;
use crate::layout::value::{ValueReader, ValueRows, ValueWriter};
use crate::limits::{CHECK_ROWS, FRAME_SIZE_TARGET, MAX_FRAME_ROWS, SAMPLE_ROWS};
use crate::path::{Path, PathStep};
use crate::plan::FormerNames;
use crate::program::Program;
use crate::schema::{Container, InferError, Schema, Shape, Type};
use crate::testing::{
    WIRES, frame_sizes, frames, int, int_records, list, member, plan, sized, tuple, written,
};
use crate::value::{Composite, Value};
use crate::wire::frame::ColumnSet;
use crate::wire::message::Wire;
use crate::wire::row::RowReader;

fn ints(count: usize) -> Vec<Value> {
    (0..count as i64).map(int).collect()
}

fn sizes(sizes: &[(&str, usize)]) -> Vec<(String, usize)> {
    sizes.iter().map(|(schema, rows)| (String::from(*schema), *rows)).collect()
}

fn dumped(rows: &[Value], wire: Wire) -> Vec<u8> {
    written(|buffer| dumps(&ValueRows(rows), Some(wire), buffer)).unwrap()
}

/// Returns the rows of all frames of a message.
fn loaded(message: &[u8]) -> Vec<Value> {
    let mut rows = ValueWriter::new();
    decode(message, None, &mut rows).unwrap();
    rows.into_rows()
}

#[test]
fn the_sample_has_the_first_rows_and_rows_from_everywhere() {
    let cases = [
        // Row 31 is the last of the first rows. 33 and 63 are among every 31st row after them.
        (31, &[("i64|str", 1000)][..]),
        (32, &[("i64|str", 1000)]),
        (33, &[("i64", 33), ("i64|str", 967)]),
        (62, &[("i64", 62), ("i64|str", 938)]),
        (63, &[("i64|str", 1000)]),
        (994, &[("i64", 994), ("i64|str", 6)]),
        (993, &[("i64|str", 1000)]),
    ];
    for &(other, expected) in &cases[sized(0, 2)..sized(cases.len(), 3)] {
        let mut rows = ints(1000);
        rows[other] = "other".into();
        // Miri has more frames.
        let mut frames = Vec::new();
        for &(schema, mut rows) in expected {
            while rows > 0 {
                frames.push((schema, rows.min(MAX_FRAME_ROWS)));
                rows -= rows.min(MAX_FRAME_ROWS);
            }
        }
        for wire in WIRES {
            let message = dumped(&rows, wire);
            assert_eq!(frame_sizes(&message), sizes(&frames), "{other}");
            assert_eq!(loaded(&message), rows);
        }
    }
}

#[test]
fn a_schema_widens_to_the_join_with_the_row_that_does_not_fit() {
    let mut rows: Vec<Value> = ints(40);
    rows.extend(ints(5).into_iter().map(|v| tuple([v])));
    rows.extend(ints(5));
    rows.extend([Value::Null, 1.5.into(), int(3)]);
    // No row from 33 on is sampled.
    rows.truncate(53);
    let mut front = ints(33);
    front.extend(rows.drain(40..));
    for wire in WIRES {
        let message = dumped(&front, wire);
        let rows: Vec<Value> = frames(&message).into_iter().flat_map(|(_, rows)| rows).collect();
        assert_eq!(rows, front);
        let last = frame_sizes(&message).pop().unwrap();
        assert_eq!(last.0, "(i64|f64|(i64,))?");
    }
}

#[test]
fn rows_are_looked_at_ahead_after_a_few_widenings() {
    let cases = [
        (1, 1000, 1),
        (2, 1000, 1),
        (3, 1000, 2 * SAMPLE_ROWS),
        (4, 1000, 4 * SAMPLE_ROWS),
        (4, 100, 100),
        (40, usize::MAX, SAMPLE_ROWS << 32),
        (u32::MAX, usize::MAX, SAMPLE_ROWS << 32),
    ];
    for (widening, left, expected) in cases {
        assert_eq!(looked_at(widening, left), expected, "{widening}");
    }
}

/// Rows that each have a field of their own. Inspecting a row reveals its field.
#[test]
fn rows_that_keep_differing_make_few_frames() {
    let (count, each) = (sized(400, 100) as i64, sized(10, 4) as i64);
    let rows: Vec<Value> =
        (0..count).map(|i| Value::dict([(format!("k{}", i / each), int(i))])).collect();
    for wire in WIRES {
        let message = dumped(&rows, wire);
        assert_eq!(loaded(&message), rows);
        assert!(frame_sizes(&message).len() <= 12, "{:?}", frame_sizes(&message));
    }
}

#[test]
fn a_frame_has_a_limited_number_of_rows() {
    let most = MAX_FRAME_ROWS;
    for wire in WIRES {
        let cases = [
            (most + 1, vec![most, 1]),
            (most, vec![most]),
            (most - 1, vec![most - 1]),
            (2 * most + 5, vec![most, most, 5]),
        ];
        for (rows, expected) in cases.into_iter().take(sized(4, 1)) {
            let expected: Vec<_> = expected.into_iter().map(|rows| ("i64", rows)).collect();
            assert_eq!(frame_sizes(&dumped(&ints(rows), wire)), sizes(&expected));
        }
        if cfg!(miri) {
            // The sample has a large part of so few rows.
            continue;
        }
        // The first row of a new frame does not fit, and is not in the sample. The empty frame is
        // not in the message.
        let mut rows = ints(most);
        rows.push("other".into());
        rows.push(int(1));
        let message = dumped(&rows, wire);
        assert_eq!(frame_sizes(&message), sizes(&[("i64", most), ("i64|str", 2)]));
        assert_eq!(loaded(&message), rows);
    }
}

#[test]
#[cfg_attr(miri, ignore = "the rows take 40 MiB")]
fn a_frame_ends_with_the_row_that_makes_it_large() {
    let text =
        |i: usize| Value::from(format!("{i}").repeat(1 << 20)[..1 << 20].to_owned().as_str());
    let rows: Vec<Value> = (0..40).map(text).collect();
    assert_eq!(FRAME_SIZE_TARGET, 16 << 20);
    for wire in WIRES {
        let message = dumped(&rows, wire);
        assert_eq!(frame_sizes(&message), sizes(&[("str", 16), ("str", 16), ("str", 8)]));
    }
    // Zero-sized values count too. In the frame wire the second row makes the frame much larger than
    // it should be, so the next frames have one.
    let rows: Vec<Value> = (0..4).map(|_| list(vec![Value::Null; 1 << 19])).collect();
    for (wire, lengths) in [(Wire::Row, &[2, 2][..]), (Wire::Frame, &[2, 1, 1])] {
        let expected: Vec<_> = lengths.iter().map(|rows| ("[null]", *rows)).collect();
        assert_eq!(frame_sizes(&dumped(&rows, wire)), sizes(&expected));
    }
}

#[test]
fn a_message_without_rows_has_an_empty_frame() {
    for wire in WIRES {
        assert_eq!(frame_sizes(&dumped(&[], wire)), sizes(&[("never", 0)]));
        let message =
            written(|buffer| encode(&plan("(i64, str)"), &ValueRows(&[]), wire, buffer)).unwrap();
        assert_eq!(frame_sizes(&message), sizes(&[("(i64, str)", 0)]));
    }
}

#[test]
fn rows_of_the_known_schema_are_not_inspected() {
    let after = |first: &[Value], then: &[Value], wire| {
        let mut known = None;
        written(|buffer| dumps_like(&mut known, &ValueRows(first), wire, buffer)).unwrap();
        assert_eq!(known.as_ref().unwrap().schema(), &infer(&ValueRows(first)).unwrap());
        let message =
            written(|buffer| dumps_like(&mut known, &ValueRows(then), wire, buffer)).unwrap();
        assert_eq!(loaded(&message), then);
        (frame_sizes(&message), known.unwrap().schema().to_string())
    };
    let known = [int(1), "a".into()];
    for wire in WIRES {
        let (frames, known_then) = after(&known, &[int(2)], wire);
        assert_eq!((frames, &*known_then), (sizes(&[("i64|str", 1)]), "i64|str"));
        // The first row does not fit, so these rows are unrelated to the known schema.
        let (frames, known_then) = after(&known, &[true.into(), int(1)], wire);
        assert_eq!((frames, &*known_then), (sizes(&[("i64|bool", 2)]), "i64|bool"));
        // A later row does not fit, so the known schema widens.
        let (frames, known_then) = after(&known, &[int(1), true.into()], wire);
        let expected = sizes(&[("i64|str", 1), ("i64|str|bool", 1)]);
        assert_eq!((frames, &*known_then), (expected, "i64|str|bool"));
    }
}

/// Lists of rows whose schemas are alike but not equal.
fn similar_rows() -> Vec<Vec<Value>> {
    let date = |day| Value::Logical(Box::new(Composite::date(day)));
    let color = |members: &[&str]| member("Color", members, 0);
    let part = |name: &str, key: &str, v: Value| Value::record(name, [(key, v)]);
    let values: Vec<Value> = vec![
        int(1),
        Value::F64(1.0),
        Value::Bool(true),
        Value::Null,
        "a".into(),
        date(1),
        list([]),
        list([int(1)]),
        list([int(1), "a".into()]),
        tuple([]),
        tuple([int(1)]),
        tuple([int(1), int(2)]),
        tuple([Value::F64(0.5)]),
        Value::Set(vec![int(1)]),
        Value::Map(vec![[int(1), int(2)]]),
        Value::dict([("a", int(1)), ("b", int(2))]),
        Value::dict([("b", int(2)), ("a", int(1))]),
        Value::dict([("a", int(2)), ("b", Value::F64(1.0))]),
        Value::dict::<&str>([]),
        part("Part", "key", int(1)),
        part("Part", "name", int(1)),
        part("Other", "key", int(1)),
        part("Part", "key", Value::Null),
        color(&["RED"]),
        color(&["RED", "BLUE"]),
    ];
    let ab = || Value::dict([("a", int(1)), ("b", int(2))]);
    let ba = || Value::dict([("b", int(2)), ("a", int(1))]);
    let mut lists = vec![vec![], vec![ab(), ba()], vec![ba(), ab()]];
    // Rows that use some or all of an optional, of a union, and of sequences.
    let parts: [&[Value]; 7] = [
        &[],
        &[int(1)],
        &[Value::Null],
        &[Value::Null, int(1)],
        &[int(1), "a".into()],
        &["a".into(), int(1), Value::Null],
        &[tuple([int(1), Value::Null]), tuple([int(1), int(2)])],
    ];
    for some in parts {
        lists.push(some.iter().map(|value| tuple([value.clone()])).collect());
        lists.push(vec![tuple([list(some.to_vec())])]);
        lists.push(vec![tuple([list([list(some.to_vec()), list([])])])]);
        lists.push(vec![
            tuple([list([part("Part", "key", list(some.to_vec()))])]),
            tuple([list([])]),
        ]);
    }
    for value in &values {
        lists.push(vec![value.clone()]);
        lists.push(vec![tuple([value.clone(), int(1)])]);
        lists.push(vec![value.clone(), Value::Null, value.clone()]);
        lists.push(vec![tuple([int(1), int(1)]), tuple([int(1), value.clone()])]);
    }
    lists
}

#[test]
fn a_message_does_not_depend_on_earlier_rows() {
    let mut lists = similar_rows();
    lists.truncate(sized(lists.len(), 6));
    for wire in WIRES {
        let fresh = |rows: &[Value]| {
            written(|buffer| dumps_like(&mut None, &ValueRows(rows), wire, buffer)).unwrap()
        };
        let expected: Vec<Vec<u8>> = lists.iter().map(|rows| fresh(rows)).collect();
        for before in &lists[..sized(lists.len(), 4)] {
            for (rows, expected) in lists.iter().zip(&expected) {
                dumped(before, wire);
                assert_eq!(dumped(rows, wire), *expected, "{rows:?} after {before:?}");
            }
        }
    }
}

#[test]
fn a_value_that_fits_a_definite_type_has_it_as_its_inferred_type() {
    let all: Vec<Value> = similar_rows().into_iter().flatten().collect();
    let schemas: Vec<Schema> =
        all.iter().map(|value| infer(&ValueRows(std::slice::from_ref(value))).unwrap()).collect();
    let definite: Vec<&Schema> =
        schemas.iter().filter(|schema| schema.root().is_definite()).collect();
    assert!(definite.len() > 20 && definite.len() < schemas.len());
    for schema in definite.into_iter().step_by(sized(1, 20)) {
        let program = plan(&schema.to_string());
        for (value, inferred) in all.iter().zip(&schemas).step_by(sized(1, 5)) {
            let rows = ValueRows(std::slice::from_ref(value));
            let fits = written(|buffer| encode(&program, &rows, Wire::Row, buffer)).is_ok();
            assert_eq!(fits, inferred == schema, "{value:?} and {schema}");
        }
    }
}

#[test]
fn rows_that_fit_a_definite_type_with_the_keys_of_their_first_have_it_as_their_inferred_type() {
    let lists = similar_rows();
    let mut dicts = 0;
    for of in &lists {
        let schema = infer(&ValueRows(of)).unwrap();
        if !schema.root().is_definite_for_rows() {
            continue;
        }
        dicts += usize::from(!schema.root().is_definite());
        let program = plan(&schema.to_string());
        let alike = lists.iter().filter(|rows| ValueRows(rows).hint() == ValueRows(of).hint());
        for rows in alike.take(sized(lists.len(), 2)) {
            let fits =
                written(|buffer| encode(&program, &ValueRows(rows), Wire::Row, buffer)).is_ok();
            let has_it = infer(&ValueRows(rows)).unwrap() == schema;
            assert!(has_it || !fits, "{rows:?} and {schema}");
        }
    }
    assert!(dicts >= 4, "{dicts}");
}

#[test]
fn the_known_schema_stays_after_an_error() {
    let mut known = Some(plan("i64"));
    let rows = [int(1), deep(100)];
    let error = written(|buffer| dumps_like(&mut known, &ValueRows(&rows), Wire::Row, buffer));
    assert_eq!(error.unwrap_err().kind(), ErrorKind::Limit);
    assert_eq!(known.unwrap().schema().to_string(), "i64");
}

fn deep(levels: usize) -> Value {
    (0..levels).fold(int(1), |inner, _| list([inner]))
}

#[test]
fn an_error_has_the_first_row_at_fault_and_the_path() {
    for wire in WIRES {
        let rows = [tuple([int(1), list([int(1)])]), tuple([int(2), list([int(3), "x".into()])])];
        let encoded =
            written(|buffer| encode(&plan("(i64, [i64])"), &ValueRows(&rows), wire, buffer));
        let error = encoded.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Encode);
        assert_eq!(error.message(), "row 1, field 1.1 (i64): cannot encode Str(\"x\")");
        assert_eq!(error.row(), Some(1));
        assert_eq!(error.path(), Some(&Path(vec![PathStep::Item(1), PathStep::Item(1)])));

        // The row is counted from the start of the message, not of its frame.
        let mut rows = ints(MAX_FRAME_ROWS + 10);
        rows[MAX_FRAME_ROWS + 7] = Value::Null;
        let encoded = written(|buffer| encode(&plan("i64"), &ValueRows(&rows), wire, buffer));
        assert_eq!(encoded.unwrap_err().row(), Some(MAX_FRAME_ROWS + 7));

        let rows = [int(1), int(2), deep(70), deep(80)];
        let error = written(|buffer| dumps(&ValueRows(&rows), Some(wire), buffer)).unwrap_err();
        assert_eq!((error.kind(), error.row()), (ErrorKind::Limit, Some(2)));
        assert_eq!(
            error.message(),
            "row 2: lists and other containers nest more than 64 deep; does one hold itself?"
        );
        assert_eq!(infer(&ValueRows(&rows)).unwrap_err(), error);
    }
}

/// Rows whose host interrupts, and whose inference disagrees with their source.
struct Odd<'a> {
    rows: &'a [Value],
    is_interrupted: bool,
    untyped: Option<InferError>,
}

impl Rows for Odd<'_> {
    type Source<'a>
        = ValueReader<'a>
    where
        Self: 'a;

    fn len(&self) -> usize {
        self.rows.len()
    }

    fn hint(&self) -> Option<u64> {
        None
    }

    fn source(&self) -> ValueReader<'_> {
        ValueReader::new(self.rows)
    }

    fn infer(&self, row: usize, shape: &mut Shape) -> Result<(), InferError> {
        match &self.untyped {
            Some(untyped) if row == self.rows.len() - 1 => Err(untyped.clone()),
            _ => shape.add_value(&int(row as i64)),
        }
    }

    fn is_interrupted(&self) -> bool {
        self.is_interrupted
    }

    fn describe(&self, row: usize, path: &Path, expected: Option<&Type>) -> String {
        ValueRows(self.rows).describe(row, path, expected)
    }
}

#[test]
fn the_host_can_interrupt_inference() {
    let rows = ints(CHECK_ROWS);
    let inferred = |len: usize, is_interrupted| {
        infer(&Odd { rows: &rows[..len], is_interrupted, untyped: None })
    };
    assert!(inferred(CHECK_ROWS, false).is_ok());
    assert!(inferred(CHECK_ROWS - 1, true).is_ok());
    assert_eq!(inferred(CHECK_ROWS, true).unwrap_err().kind(), ErrorKind::Host);
}

#[test]
fn rows_whose_inference_is_wrong_give_an_error() {
    for wire in WIRES {
        let rows = Odd { rows: &[int(1), true.into()], is_interrupted: false, untyped: None };
        let error = written(|buffer| dumps(&rows, Some(wire), buffer)).unwrap_err();
        assert_eq!(error.message(), "row 1, (i64): cannot encode Bool(true)");
    }
}

#[test]
fn a_row_without_a_type_says_what_it_lacks() {
    let cases = [
        (
            InferError::Value(Path::default()),
            ErrorKind::Encode,
            "row 1, (i64): cannot encode Bool(true)",
        ),
        (InferError::Interrupted, ErrorKind::Host, "the host language raised an error"),
        (
            InferError::Size,
            ErrorKind::Limit,
            "row 1: the row has more than 268,435,456 elements, and a list counts as 16 more; a \
             list that occurs in it many times is written each time",
        ),
    ];
    for (untyped, kind, message) in cases {
        let rows = [int(1), true.into()];
        let rows = Odd { rows: &rows, is_interrupted: false, untyped: Some(untyped) };
        let error = written(|buffer| dumps(&rows, Some(Wire::Row), buffer)).unwrap_err();
        assert_eq!((error.kind(), error.message()), (kind, message));
    }
}

/// Encodes pieces of rows with one encoder. Returns the message and the rows at which it stopped.
fn pieces(wire: Wire, pieces: &[(&str, &[Value])]) -> (Vec<u8>, Vec<Option<RunError>>) {
    let plans: Vec<_> = pieces.iter().map(|(schema, _)| plan(schema)).collect();
    let mut errors = Vec::new();
    let message = written(|buffer| {
        let mut encoder = Encoder::with_staging(wire, buffer, Staging::default())?;
        for ((_, rows), of) in pieces.iter().zip(&plans) {
            // Pieces with the same schema share one plan.
            let of = plans.iter().find(|plan| plan.schema() == of.schema()).unwrap_or(of);
            let result = encoder.encode(of, &mut ValueReader::new(rows), 0..rows.len());
            errors.push(result.err().map(|error| *error));
        }
        encoder.finish(&plans[0]).map(|(_, len, _)| len)
    });
    (message.unwrap(), errors)
}

#[test]
fn a_frame_continues_until_the_plan_changes() {
    let (a, b) = (ints(3), [Value::from("x")]);
    for wire in WIRES {
        let (message, errors) = pieces(wire, &[("i64", &a), ("i64", &a), ("str", &b), ("i64", &a)]);
        assert_eq!(errors, [None, None, None, None]);
        assert_eq!(frame_sizes(&message), sizes(&[("i64", 6), ("str", 1), ("i64", 3)]));
        // Rows of all pieces count towards the frame's.
        let many = ints(MAX_FRAME_ROWS - 2);
        let (message, _) = pieces(wire, &[("i64", &many), ("i64", &a)]);
        assert_eq!(frame_sizes(&message), sizes(&[("i64", MAX_FRAME_ROWS), ("i64", 1)]));
        // An empty piece makes no frame.
        let (message, _) = pieces(wire, &[("str", &[]), ("i64", &a), ("str", &[]), ("i64", &a)]);
        assert_eq!(frame_sizes(&message), sizes(&[("i64", 6)]));
    }
}

#[test]
fn the_rows_before_one_that_does_not_fit_are_in_the_message() {
    let rows = [tuple([int(1), "a".into()]), tuple([int(2), "b".into()]), tuple([int(3), int(4)])];
    let other = [int(5)];
    for wire in WIRES {
        let (message, errors) = pieces(wire, &[("(i64, str)", &rows), ("i64", &other)]);
        assert_eq!(errors[0].as_ref().unwrap().row, 2);
        assert_eq!(frame_sizes(&message), sizes(&[("(i64, str)", 2), ("i64", 1)]));
        assert_eq!(loaded(&message), [rows[0].clone(), rows[1].clone(), int(5)]);
    }
}

#[test]
fn memory_that_was_used_before_makes_no_difference() {
    let rows: Vec<Value> =
        (0..500).map(|i| tuple([int(i), format!("s{}", i % 7).as_str().into()])).collect();
    for wire in WIRES {
        let of = plan("(i64, str)");
        let mut staging = Staging::default();
        let mut messages = Vec::new();
        for rows in [&rows[..], &rows[..10], &rows[..]] {
            let mut kept = None;
            messages.push(
                written(|buffer| {
                    let mut encoder =
                        Encoder::with_staging(wire, buffer, std::mem::take(&mut staging))?;
                    encoder.encode(&of, &mut ValueReader::new(rows), 0..rows.len()).unwrap();
                    let (_, len, staging) = encoder.finish(&of)?;
                    kept = Some(staging);
                    Ok(len)
                })
                .unwrap(),
            );
            staging = kept.unwrap();
        }
        assert_eq!(messages[0], messages[2]);
        assert_eq!(loaded(&messages[1]), &rows[..10]);
        assert_eq!(staging.capacity() > 0, wire == Wire::Frame);
    }
}

/// Staging rows again would read other rows from a source that has moved on.
#[test]
fn rows_that_cannot_be_read_again_are_dropped() {
    let program = Arc::new(Program::new(&Schema::parse("i64").unwrap()));
    let mut message = Vec::new();
    let mut encoder = Encoder::with_staging(Wire::Frame, &mut message, Staging::default()).unwrap();
    let [two, next, one] = [&[1, 2][..], &[3, 4], &[5]].map(int_records);
    encoder.encode(&program, &mut RowReader::new(&two, 0), 0..2).unwrap();
    let error = encoder.encode(&program, &mut RowReader::new(&next, 0), 2..5).unwrap_err();
    assert_eq!(error.row, 4);
    encoder.encode(&program, &mut RowReader::new(&one, 0), 2..3).unwrap();
    encoder.finish(&program).unwrap();
    assert_eq!(loaded(&message), [int(1), int(2), int(5)]);
}

/// Columns of rows of `from`, with what a plan to `to` makes of them.
fn of_columns(from: &str, rows: &[Value], to: &str, wire: Wire) -> crate::Result<Vec<Value>> {
    let from = plan(from);
    let mut batch = Batch::new(&from);
    let run = ValueReader::new(rows).run(&from, &mut batch, 0..rows.len());
    assert!(run.unwrap().is_continue());
    of_batch(&from, &batch, to, wire)
}

fn of_batch(from: &Arc<Program>, batch: &Batch, to: &str, wire: Wire) -> crate::Result<Vec<Value>> {
    let to = plan(to);
    let conversion = exactly(from, &to, &FormerNames::default())?;
    let mut source = ColumnRows::new(&conversion, ColumnSet::staged(from, batch), 7)?;
    let mut encoder = Encoder::with_staging(wire, Vec::new(), Staging::take(wire))?;
    encoder.encode(&to, &mut source, 0..batch.rows).map_err(|error| source.misfit(&error))?;
    let (message, len, _) = encoder.finish(&to)?;
    assert_eq!(message.len(), len);
    Ok(loaded(&message))
}

#[test]
fn columns_become_rows_of_a_message() {
    let row = |i: i64| tuple([int(i), format!("name {}", i % 7).as_str().into(), list([int(-i)])]);
    let rows: Vec<Value> = (0..sized(3000, 40) as i64).map(row).collect();
    for wire in WIRES {
        for to in ["(i64, str, [i64])", "(i64?, str|i64, [i64?])"] {
            assert_eq!(of_columns("(i64, str, [i64])", &rows, to, wire).unwrap(), rows);
        }
        let message = |from, rows: &[Value], to| {
            of_columns(from, rows, to, wire).unwrap_err().message().to_owned()
        };
        let fields = Value::dict([("a".to_owned(), int(1)), ("b".to_owned(), int(2))]);
        let fields = [fields];
        let of_two = "{\"a\": i64, \"b\": i64}";
        let more = message(of_two, &fields, "{\"a\": i64}");
        assert_eq!(more, "the schema has no field for the column b");
        let fewer = message(of_two, &fields, "{\"a\": i64, \"b\": i64, \"c\": i64?}");
        assert_eq!(fewer, "there is no column for the field c");
        let nulls = [("{\"a\": i64?}", int(1)), ("{\"a\": null}", Value::Null)];
        for (from, value) in nulls {
            let row = [Value::dict([("a".to_owned(), value)])];
            let refused = message(from, &row, "{\"a\": i64}");
            assert_eq!(refused, "field a: it may be null, but i64 may not be null");
        }
        let inexact = message("i64", &[int(1), int(i64::MAX)], "f64");
        assert!(inexact.starts_with("row 8"), "{inexact}");
        let maps = plan("{i64: i64}");
        let mut twice = Batch::new(&maps);
        twice.row().unwrap();
        twice.sequence(Container::Map, 0, 2, true).unwrap();
        for (column, v) in [(1, 1), (2, 2), (1, 1), (2, 3)] {
            twice.i64(column, v).unwrap();
        }
        twice.leave().unwrap();
        assert!(twice.end_row().unwrap().is_continue());
        let twice = of_batch(&maps, &twice, "{i64: i64}", wire).unwrap_err();
        assert_eq!(twice.message(), "row 7: a map holds a key twice");
    }
}

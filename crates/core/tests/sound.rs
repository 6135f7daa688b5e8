//! Safe calls in any order, and layouts of another plan than the running one, give a fault or wrong
//! rows but never invalid memory accesses. `make miri` runs these tests too and checks each
//! pointer.

use std::ops::ControlFlow;
use std::ptr::with_exposed_provenance_mut;
use std::sync::Arc;

use serow_core::bytes::out::{Borrowed, GrowableBuffer, Out};
use serow_core::compiled::run;
use serow_core::decode::{ReaderSchema, decode, parse_columns};
use serow_core::encode::dumps;
use serow_core::interpreter;
use serow_core::layout::batch::{BATCH, Batch, BatchContext};
use serow_core::layout::discard::Discard;
use serow_core::layout::value::ValueRows;
use serow_core::layout::{Sink, Source, Text};
use serow_core::plan::Defaults;
use serow_core::program::{Code, Program};
use serow_core::schema::Schema;
use serow_core::value::Value;
use serow_core::wire::columns::{COLUMNS, ColumnCursors, ColumnsContext, refill};
use serow_core::wire::message::{MessageReader, Wire};
use serow_core::wire::row::{ROW, RowReader, RowWriter, ZeroSizedCounts};

fn plan(schema: &str) -> Arc<Program> {
    Arc::new(Program::new(&Schema::parse(schema).unwrap()))
}

fn message(rows: &[Value]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let len = dumps(&ValueRows(rows), Some(Wire::Frame), &mut bytes).unwrap();
    assert_eq!(bytes.len(), len);
    bytes
}

#[test]
fn a_record_writer_reserves_space_for_values_outside_rows() {
    let mut buffer = Vec::new();
    let mut out = Out::new(&mut buffer);
    let mut writer = RowWriter::new(&mut out, 0, ZeroSizedCounts::default());
    for v in 0..200 {
        writer.i64(0, v << 40).unwrap();
        writer.f64(0, 0.5).unwrap();
        writer.bool(0, true).unwrap();
        writer.present(0).unwrap();
        writer.arm(0, usize::MAX).unwrap();
        writer.str(0, Text::plain(b"almond")).unwrap();
    }
    let strings = out.written().windows(6).filter(|&bytes| bytes == b"almond");
    assert_eq!(strings.count(), 200);

    // Nothing says how long a row will be.
    let mut out = Out::new(&mut buffer);
    let mut writer = RowWriter::new(&mut out, 0, ZeroSizedCounts::default());
    writer.row().unwrap();
    (0..1000).for_each(|v| writer.i64(0, v << 50).unwrap());
    let _ = writer.end_row().unwrap();
    let len = u32::from_le_bytes(*out.written().first_chunk().unwrap());
    assert_eq!(len as usize, out.len() - 4);
}

#[test]
fn a_record_that_was_begun_has_its_own_bytes() {
    let mut buffer = vec![0xAA; 64];
    let mut out = Out::new(&mut buffer);
    RowWriter::new(&mut out, 0, ZeroSizedCounts::default()).row().unwrap();
    assert_eq!(out.written(), [0; 4]);
}

#[test]
fn a_batch_refuses_columns_that_it_lacks() {
    let mut batch = Batch::new(&plan("(i64, f64, str, bool)"));
    let text = Text::plain(b"x");
    assert!(batch.i64(999, 1).is_err());
    assert!(batch.f64(1, 1.0).is_err());
    assert!(batch.str(u32::MAX, text).is_err());
    assert!(batch.bool(1, true).is_err());
    assert!(batch.shorten(7, 1).is_err());
    batch.i64(0, 1).unwrap();
    assert_eq!(batch.ints, [[1]]);
}

#[test]
fn a_batch_for_another_plan_is_refused_when_rows_run() {
    // The integers 1, 2 and 3.
    let record = [3, 0, 0, 0, 5, 9, 13];
    let mut batch = Batch::new(&plan("(str, bool)"));
    let error = run(&plan("(i64, i64, i64)"), &mut RowReader::new(&record, 0), &mut batch, 0..1);
    let message = error.unwrap_err().fault.into_error(serow_core::ErrorKind::Encode, "rows");
    assert!(message.to_string().contains("another schema"), "{message}");
}

#[test]
fn columns_of_another_plan_are_refused() {
    let bytes = message(&[Value::I64(1), Value::I64(2)]);
    let mut reader = MessageReader::new(&bytes).unwrap();
    let raw = reader.next_frame().unwrap().unwrap();
    let frame = || parse_columns(&raw, &mut Discard::new(())).unwrap();
    let other = plan("(i64, str, f64, bool)");
    let mut batch = Batch::new(&other);
    assert!(ColumnCursors::new(&other, frame(), &mut batch).is_err());
    let mut columns = ColumnCursors::new(&raw.program, frame(), &mut batch).unwrap();
    assert!(columns.i64(1).is_err());
    assert!(columns.f64(0).is_err());
    assert!(columns.str(5).is_err());
    assert!(interpreter::run(&other, &mut columns, &mut batch, 0..1).is_err());
}

#[test]
fn a_buffer_that_could_not_grow_can_be_finished() {
    let mut memory = [1u8; 8];
    // SAFETY: nothing else borrows the memory.
    let mut buffer = unsafe { Borrowed::new(memory.as_mut_ptr(), memory.len()) };
    // SAFETY: no bytes are written yet.
    assert!(unsafe { buffer.grow(0, usize::MAX) }.is_err());
    assert_eq!(buffer.finish().unwrap(), 0);
    assert_eq!(memory, [1; 8]);
}

/// A list that needs more than one window, with an occasional [`BAILOUT`].
fn lists() -> Vec<Value> {
    let list = |row: i64| {
        let values = (0..row * 37 % 400).map(|at| match (row % 5, at) {
            (3, 300) => BAILOUT,
            _ => row * 1000 + at,
        });
        Value::List(values.map(Value::I64).collect())
    };
    (0..30).map(list).collect()
}

const BAILOUT: i64 = -1;

/// Does by hand what compiled code does for the plan of `[i64]`, from columns to a batch.
#[derive(Debug)]
struct Lists;

impl Code for Lists {
    unsafe fn convert(&self, source: *mut (), sink: *mut (), from: usize, to: usize) -> usize {
        let (source, sink) = (source.cast::<ColumnsContext>(), sink.cast::<BatchContext>());
        // SAFETY: these are the contexts of columns and a batch of one plan, and the code follows
        // their docs.
        unsafe {
            let (lengths_out, values_out) = ((*sink).columns, (*sink).columns.add(1));
            let values = (*source).columns.add(1);
            for row in from..to {
                let nth = row - from;
                let len = *(*source).row.add(nth);
                for _ in 0..len {
                    if (*values).next == (*values).end && !refill(source, 1) {
                        return row;
                    }
                    let value = *(*values).next as i64;
                    if value == BAILOUT || (*values_out).next >= (*values_out).limit {
                        return row;
                    }
                    (*values).next = (*values).next.add(1);
                    with_exposed_provenance_mut::<i64>((*values_out).next).write(value);
                    (*values_out).next += size_of::<i64>();
                }
                let length_out = (*lengths_out).next + nth * size_of::<i64>();
                with_exposed_provenance_mut::<i64>(length_out).write(len as i64);
                (*values).committed = (*values).next;
                (*values_out).committed = (*values_out).next;
                (*source).rows += 1;
                (*sink).rows += 1;
            }
        }
        to
    }

    fn bytes(&self) -> usize {
        1
    }
}

#[test]
fn code_refills_columns_and_bails_out_within_a_window() {
    let rows = lists();
    let bytes = message(&rows);
    let (interpreted, compiled) = (plan("[i64]"), plan("[i64]"));
    // SAFETY: the code is for these layouts and follows the plan.
    let evicted = unsafe { compiled.set_code((&COLUMNS, &BATCH), Arc::new(Lists)) };
    assert!(evicted.is_empty());
    let read = |plan: &Arc<Program>| {
        let mut batch = Batch::new(plan);
        batch.ints[1].reserve(rows.len() * 400);
        let expected = ReaderSchema::new(plan.clone(), Defaults::default());
        decode(&bytes, Some(&expected), &mut batch).unwrap();
        (batch.rows, batch.ints)
    };
    let (count, ints) = read(&compiled);
    assert_eq!(count, rows.len());
    assert_eq!(ints, read(&interpreted).1);
}

/// Columns of another plan are not passed to the code.
#[test]
fn code_runs_only_with_layouts_that_were_made_for_its_plan() {
    #[derive(Debug)]
    struct Never;
    impl Code for Never {
        unsafe fn convert(&self, _: *mut (), _: *mut (), _: usize, _: usize) -> usize {
            panic!("the layouts are not ready for the plan")
        }

        fn bytes(&self) -> usize {
            1
        }
    }
    let bytes = message(&[Value::I64(5), Value::I64(6)]);
    let mut reader = MessageReader::new(&bytes).unwrap();
    let raw = reader.next_frame().unwrap().unwrap();
    let compiled = plan("i64");
    // SAFETY: the code does nothing.
    unsafe {
        compiled.set_code((&COLUMNS, &BATCH), Arc::new(Never));
        compiled.set_code((&ROW, &BATCH), Arc::new(Never));
    }
    let frame = parse_columns(&raw, &mut Discard::new(())).unwrap();
    let mut batch = Batch::new(&compiled);
    let mut columns = ColumnCursors::new(&raw.program, frame, &mut batch).unwrap();
    assert_eq!(run(&compiled, &mut columns, &mut batch, 0..2), Ok(ControlFlow::Continue(())));
    assert_eq!(batch.ints, [[5, 6]]);

    // One column less: the batch is checked each time, because the caller may change it.
    batch.ints.pop();
    // The integer 7.
    let record = [1, 0, 0, 0, 29];
    assert!(run(&compiled, &mut RowReader::new(&record, 0), &mut batch, 0..1).is_err());
}

/// A batch that was made for one plan also takes the columns of another plan with the same columns.
/// Then it must use the other plan's information on which columns have one value per row.
#[test]
fn a_batch_learns_which_columns_have_a_value_for_each_row() {
    #[derive(Debug)]
    struct Optional;
    impl Code for Optional {
        unsafe fn convert(&self, _: *mut (), sink: *mut (), from: usize, to: usize) -> usize {
            let sink = sink.cast::<BatchContext>();
            // SAFETY: the sink is a batch of an int column and a bit column. The int column is
            // counted.
            unsafe {
                let (int, bit) = ((*sink).columns, (*sink).columns.add(1));
                for row in from..to {
                    let is_there = row % 2 == 0;
                    let bit = (*bit).next + (row - from);
                    with_exposed_provenance_mut::<u8>(bit).write(is_there.into());
                    if is_there {
                        with_exposed_provenance_mut::<i64>((*int).next).write(row as i64);
                        (*int).next += size_of::<i64>();
                    }
                    (*int).committed = (*int).next;
                    (*sink).rows += 1;
                }
            }
            to
        }

        fn bytes(&self) -> usize {
            1
        }
    }
    let compiled = plan("i64?");
    // SAFETY: the code does not use the source, and it wrote these rows.
    unsafe { compiled.set_code((&ROW, &BATCH), Arc::new(Optional)) };
    let mut batch = Batch::new(&plan("(i64, bool)"));
    let ended = run(&compiled, &mut RowReader::new(&[], 0), &mut batch, 0..5);
    assert_eq!(ended, Ok(ControlFlow::Continue(())));
    assert_eq!((&batch.ints[0][..], &batch.bits[0][..]), (&[0, 2, 4][..], &[1, 0, 1, 0, 1][..]));
}

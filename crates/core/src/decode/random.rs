//! The rows of one frame, in any order.
//!
//! Columns are unpacked once, each when a row first needs it. A column with one value per row has the value
//! of row `n` at place `n`. How many values others have depends on the rows before. So their places are
//! noted at every [`STEP`]th row, in one pass over the lengths, presence bits and arms, and the rows from there
//! on are passed over. Records are found by their lengths.

use std::sync::Arc;

use super::{ReaderSchema, evolve, parse_columns, refusal};
use crate::compiled::RowSink;
use crate::error::{Error, Result};
use crate::explain::{ErrorContext, explain, explain_frame};
use crate::interpreter::RunError;
use crate::layout::discard::Discard;
use crate::layout::{SinkBase, Unique};
use crate::memory;
use crate::program::Program;
use crate::wire::columns::ColumnCursors;
use crate::wire::message::{CHECKSUM, RawFrame, Wire};
use crate::wire::row::RowReader;

/// The number of rows from one whose places are noted to the next.
const STEP: usize = 16;

/// The rows of a frame, in any order.
pub struct RandomRows<'a> {
    raw: &'a RawFrame<'a>,
    program: &'a Arc<Program>,
    form: Form<'a>,
}

enum Form<'a> {
    Columns {
        cursors: Box<ColumnCursors<'a>>,
        /// For every [`STEP`]th row, its place in each column that rows read any number of times.
        places: Vec<usize>,
    },
    Records {
        /// The offset of each record in the body, and the end of the last.
        begins: Vec<usize>,
    },
}

/// Returns the program that reads the rows of `raw` as rows of the `expected` schema, or of their own.
///
/// # Errors
/// A schema error if they can't be read so.
pub fn program_of(raw: &RawFrame<'_>, expected: Option<&ReaderSchema>) -> Result<Arc<Program>> {
    match expected {
        Some(to) if to.program().schema() != raw.program.schema() => evolve(raw, to),
        _ => Ok(raw.program.clone()),
    }
}

impl<'a> RandomRows<'a> {
    /// Checks the frame, whose rows `program` must read. `sink` allows the memory that the rows' places and
    /// columns take.
    ///
    /// # Errors
    /// A decode error that says what is wrong with the frame.
    pub fn new<K: SinkBase>(
        raw: &'a RawFrame<'a>,
        program: &'a Arc<Program>,
        sink: &mut K,
    ) -> Result<RandomRows<'a>> {
        let fault = |fault| explain_frame(raw, fault);
        let form = match raw.wire {
            Wire::Frame => {
                let set = parse_columns(raw, sink)?;
                let cursors = ColumnCursors::whole(program, set, sink).map_err(fault)?;
                let (mut cursors, often) = (Box::new(cursors), program.usage.read_often.len());
                let mut places = Vec::new();
                if often > 0 {
                    let noted = raw.rows.div_ceil(STEP) * often;
                    sink.hold(noted * size_of::<usize>()).map_err(fault)?;
                    places = memory::with_capacity(noted).map_err(fault)?;
                    note_places(program, raw, &mut cursors, &mut places)?;
                }
                Form::Columns { cursors, places }
            }
            Wire::Row => {
                sink.hold((raw.rows + 1).saturating_mul(size_of::<usize>())).map_err(fault)?;
                let mut records = RowReader::new(raw.body(), 0);
                Form::Records { begins: records.begins(raw.rows).map_err(fault)? }
            }
        };
        Ok(RandomRows { raw, program, form })
    }

    /// Reads a row, by its number in the frame, into `sink`.
    ///
    /// # Errors
    /// A decode error if there is no such row, or its bytes are invalid. The sink's errors.
    pub fn read<K: RowSink>(&mut self, row: usize, sink: &mut K) -> Result<()> {
        let RandomRows { raw, program, form } = self;
        if row >= raw.rows {
            return Err(Error::decode(format!(
                "there is no row {row}: the frame has {}",
                raw.rows
            )));
        }
        if K::TAKES_DUPLICATES && program.has_sets_or_maps {
            let mut unique = Unique::default();
            run(form, raw, program, row, &mut unique)
                .map_err(|error| stopped(program, raw, row, &error, refusal(&error, &unique)))?;
        }
        run(form, raw, program, row, sink)
            .map_err(|error| stopped(program, raw, row, &error, refusal(&error, sink)))
    }
}

/// Runs `program` on one row.
fn run<K: RowSink>(
    form: &mut Form<'_>,
    raw: &RawFrame<'_>,
    program: &Arc<Program>,
    row: usize,
    sink: &mut K,
) -> std::result::Result<(), Box<RunError>> {
    match form {
        Form::Columns { cursors, places } => {
            let often = program.usage.read_often.len();
            let from = if often > 0 { row - row % STEP } else { row };
            let places = &places[from / STEP * often..][..often];
            cursors.go_to(from, places).map_err(|fault| RunError::at_row(0, fault))?;
            if from < row {
                let mut passed = Discard::new(());
                passed
                    .run_to_end(program, &mut **cursors, from..row)
                    .map_err(|error| RunError::at_row(0, error.fault))?;
            }
            sink.run_one(program, &mut **cursors)
        }
        Form::Records { begins } => {
            let record = &raw.body_and_checksum()[begins[row]..begins[row + 1] + CHECKSUM];
            let mut record = RowReader::new(record, CHECKSUM).packed_in(raw.packed);
            sink.run_one(program, &mut record)
        }
    }
}

/// Notes the places of the columns at every [`STEP`]th row.
fn note_places(
    program: &Arc<Program>,
    raw: &RawFrame<'_>,
    cursors: &mut ColumnCursors<'_>,
    places: &mut Vec<usize>,
) -> Result<()> {
    let mut discard = Discard::new(());
    for from in (0..raw.rows).step_by(STEP) {
        cursors.add_places(places).map_err(|fault| explain_frame(raw, fault))?;
        let rows = from..(from + STEP).min(raw.rows);
        discard
            .run_to_end(program, cursors, rows)
            .map_err(|error| explain(&error, program, ErrorContext::Frame(raw), |_| None))?;
    }
    Ok(())
}

/// The error of a run over row `row` alone.
#[cold]
fn stopped(
    program: &Arc<Program>,
    raw: &RawFrame<'_>,
    row: usize,
    error: &RunError,
    refusal: Option<String>,
) -> Error {
    let error = RunError { row, ..error.clone() };
    explain(&error, program, ErrorContext::Frame(raw), |_| refusal)
}

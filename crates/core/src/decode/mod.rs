//! Decoding: from a message to rows.

mod describe;
mod one;
mod random;
mod reader_schema;
mod record_defaults;
#[cfg(test)]
mod tests;

pub use describe::{FieldInfo, fields_of};
pub use one::{decode_one, decode_one_as_written, own_value, stopped_in_value};
pub use random::{RandomRows, program_of};
pub use reader_schema::ReaderSchema;
pub use record_defaults::Recorder;

use std::sync::Arc;
use std::time::Instant;

use crate::compiled::RowSink;
use crate::error::{Error, ErrorKind, Fault, Result};
use crate::explain::{ErrorContext, explain, explain_frame};
use crate::interpreter::{self, RunError};
use crate::layout::batch::Batch;
use crate::layout::discard::Discard;
use crate::layout::meter::{Checked, Meter, Metered};
use crate::layout::{SinkBase, Unique};
use crate::limits::MAX_ROW_ELEMENTS;
use crate::plan::Plan;
use crate::program::Program;
use crate::schema::Brief;
use crate::threads::{Threads, in_order, in_order_released};
use crate::wire::columns::ColumnCursors;
use crate::wire::frame::{self, ColumnSet};
use crate::wire::message::{CHECKSUM, MessageReader, PackedFrame, RawFrame, Wire};
use crate::wire::row::{BYTES_TO_SPARE, RowReader};

/// How to read the rows of a message.
#[derive(Debug, Default)]
pub struct DecodeOptions<'a> {
    /// Rows of other schemas are converted to this one.
    pub expected: Option<&'a ReaderSchema>,
    /// Limits the memory of the rows. It counts the memory of a frame before the frame's first row is made.
    pub meter: Option<Meter>,
    /// The threads that decompress frames ahead.
    pub threads: Threads,
}

impl<'a> From<Option<&'a ReaderSchema>> for DecodeOptions<'a> {
    fn from(expected: Option<&'a ReaderSchema>) -> DecodeOptions<'a> {
        DecodeOptions { expected, ..DecodeOptions::default() }
    }
}

/// Returns whether `data` begins like a single record of the expected schema.
fn is_record(data: &[u8], expected: &ReaderSchema) -> bool {
    data.starts_with(&expected.program().schema().fingerprint().to_le_bytes())
}

fn single_record() -> Error {
    Error::decode("these bytes are a single record and no message; read them with decode_one")
        .at_offset(0)
}

/// Returns a reader of the frames of the message `data`, which takes `max_memory` bytes at most to
/// decompress one.
///
/// # Errors
/// A decode error if `data` is no message.
pub fn message_reader<'a>(
    data: &'a [u8],
    expected: Option<&ReaderSchema>,
    max_memory: Option<usize>,
) -> Result<MessageReader<'a>> {
    let reader = MessageReader::new(data).map_err(|error| match expected {
        Some(expected) if is_record(data, expected) => single_record(),
        _ => error,
    })?;
    let reader = match expected {
        Some(expected) => reader.with_program(expected.program().clone()),
        None => reader,
    };
    Ok(match max_memory {
        Some(bytes) => reader.with_max_memory(bytes),
        None => reader,
    })
}

/// Reads the rows of the message `data` into `sink`.
///
/// # Errors
/// A decode error if the bytes are invalid. A schema error if rows of a frame's schema can't be
/// read as the expected ones. A limit error names the first row that would take too much memory. The
/// rows before the error are in the sink.
pub fn decode<'o, K: RowSink>(
    data: &[u8],
    options: impl Into<DecodeOptions<'o>>,
    sink: &mut K,
) -> Result<()> {
    let DecodeOptions { expected, mut meter, threads } = options.into();
    let host_lock = sink.host_lock();
    let reader = message_reader(data, expected, meter.as_ref().map(Meter::left))?;
    let mut reader = reader.with_host_lock(host_lock);
    let Some(first) = reader.next_packed()? else { return Ok(()) };
    let left = (data.len() - reader.at()) / first.packed_len();
    let is_alone = threads == Threads::ONE || !first.is_compressed() || left == 0;
    let begun = (!is_alone).then(Instant::now);
    let first = first.unpack_released(host_lock)?;
    let measure = begun.map(|begun| begun.elapsed());
    decode_frame(&first, expected, &mut meter, sink)?;
    drop(first);
    if is_alone {
        while let Some(raw) = reader.next_frame()? {
            decode_frame(&raw, expected, &mut meter, sink)?;
        }
        return Ok(());
    }
    fn work(packed: Result<PackedFrame<'_>>) -> Result<RawFrame<'_>> {
        packed.and_then(PackedFrame::unpack)
    }
    let threads = threads.choose(left + 1, measure);
    let next = || reader.next_packed().transpose();
    in_order_released(threads, host_lock, next, work, |unpacked| {
        decode_frame(&unpacked?, expected, &mut meter, sink)
    })
}

/// Reads the rows of one frame into `sink`, converted to the `expected` schema if there is one. A frame
/// without rows may have any schema. `meter` counts down.
///
/// # Errors
/// See [`decode`].
pub fn decode_frame<K: RowSink>(
    raw: &RawFrame<'_>,
    expected: Option<&ReaderSchema>,
    meter: &mut Option<Meter>,
    sink: &mut K,
) -> Result<()> {
    if let Some(meter) = meter {
        count_frame(raw, expected, meter, sink)?;
        meter.end_frame();
    }
    decode_rows(raw, expected, sink)
}

/// Counts the memory of the rows of one frame, converted to the `expected` schema if there is one.
/// `meter` counts down, and holds what reading the frame takes. `for_sink` may end the run.
///
/// # Errors
/// See [`decode`].
pub fn count_frame<K: SinkBase>(
    raw: &RawFrame<'_>,
    expected: Option<&ReaderSchema>,
    meter: &mut Meter,
    for_sink: &mut K,
) -> Result<()> {
    decode_rows(raw, expected, &mut Discard::new(Metered { meter, for_sink }))
}

/// Counts the memory of the rows of `set`, as [`count_frame`] does.
///
/// # Errors
/// See [`decode_set`].
pub fn count_set<K: SinkBase>(
    program: &Arc<Program>,
    set: ColumnSet<'_>,
    expected: Option<&ReaderSchema>,
    first: usize,
    meter: &mut Meter,
    for_sink: &mut K,
) -> Result<()> {
    let mut counted = Discard::new(Metered { meter, for_sink });
    decode_set(program, set, expected, first, &mut counted)
}

/// Like [`decode`], on several threads, each with sinks of its own. `new_sink` makes the sink of
/// a frame, and `take` receives it when the rows of the frame are in it, in the order of frames.
///
/// # Errors
/// The errors of [`decode`], and the errors of `take`. Before an error of decoding, `take` gets the rows in front of it.
pub fn decode_by_many<K: RowSink + Send>(
    data: &[u8],
    expected: Option<&ReaderSchema>,
    threads: Threads,
    new_sink: impl Fn() -> K + Sync,
    mut take: impl FnMut(K) -> Result<()>,
) -> Result<()> {
    let mut reader = message_reader(data, expected, None)?;
    let work = |packed: Result<PackedFrame<'_>>| {
        let mut sink = new_sink();
        let decoded = packed
            .and_then(PackedFrame::unpack)
            .and_then(|raw| decode_rows(&raw, expected, &mut sink));
        (sink, decoded)
    };
    let mut take = |(sink, decoded): (K, Result<()>)| {
        take(sink)?;
        decoded
    };
    let Some(first) = reader.next_packed()? else { return Ok(()) };
    // The other frames are about as long as the first.
    let bytes = first.packed_len();
    let left = (data.len() - reader.at()) / bytes;
    let program = first.program.clone();
    let cost = &program.costs.decode;
    let is_unknown = threads == Threads::Auto && cost.time(bytes).is_none();
    let mut first = Some(first);
    if is_unknown || left == 0 {
        let begun = Instant::now();
        first.take().map_or(Ok(()), |first| take(work(Ok(first))))?;
        cost.note(begun.elapsed(), bytes);
    }
    let jobs = left + first.iter().len();
    let threads = threads.choose(jobs, cost.time(bytes));
    let next = || first.take().map(Ok).or_else(|| reader.next_packed().transpose());
    in_order(threads, next, work, take)
}

fn decode_rows<K: RowSink>(
    raw: &RawFrame<'_>,
    expected: Option<&ReaderSchema>,
    sink: &mut K,
) -> Result<()> {
    match expected {
        Some(to) if to.program().schema() != raw.program.schema() => match raw.rows {
            0 => Ok(()),
            _ => decode_by(&evolve(raw, to)?, raw, sink),
        },
        _ => decode_by(&raw.program, raw, sink),
    }
}

fn evolve(raw: &RawFrame<'_>, expected: &ReaderSchema) -> Result<Arc<Program>> {
    expected.evolve(&raw.program).map_err(|error| {
        error
            .within(format_args!(
                "frame {} has rows of schema {}, but the codec is for {}",
                raw.index,
                Brief(raw.program.root()),
                Brief(expected.program().root())
            ))
            .advising("declare a type that fits, or read the rows as they are, without one")
    })
}

/// Reads a frame as columns of the `expected` schema, or of its own. They are the frame's columns if each
/// is one of these or a constant; otherwise `batch` holds the rows. Returns the program of their schema,
/// which for a frame without rows is the frame's.
///
/// # Errors
/// See [`decode`].
pub fn decode_columns<'a>(
    raw: &'a RawFrame<'_>,
    expected: Option<&ReaderSchema>,
    batch: &'a mut Batch,
) -> Result<(Arc<Program>, ColumnSet<'a>)> {
    let own = &raw.program;
    let expected = expected.filter(|to| raw.rows > 0 && to.program().schema() != own.schema());
    let (read, program) = match expected {
        Some(expected) => {
            let read = evolve(raw, expected)?;
            let made = match expected.program().schema().is_open() {
                true => Program::of(read.schema()),
                false => expected.program().clone(),
            };
            (read, made)
        }
        None => (own.clone(), own.clone()),
    };
    if raw.wire == Wire::Frame && (expected.is_none() || read.usage.origins.is_some()) {
        let set = parse_columns(raw, batch)?;
        if expected.is_none() {
            return Ok((program, set));
        }
        if let Some(set) = set.evolved(&read) {
            return Ok((program, set));
        }
    }
    batch.reset(&program);
    decode_by(&read, raw, batch)?;
    Ok((program.clone(), ColumnSet::staged(&program, batch)))
}

/// Returns the columns of a frame of the frame wire. `sink` allows their memory.
///
/// # Errors
/// A decode error that says what is wrong with the frame. A limit error if a row has too many elements.
pub fn parse_columns<'a, K: SinkBase>(
    raw: &'a RawFrame<'_>,
    sink: &mut K,
) -> Result<ColumnSet<'a>> {
    let host_lock = sink.host_lock();
    let ask = &mut |bytes| sink.hold(bytes);
    let set = host_lock
        .release_for(raw.body().len(), || {
            frame::unpack(&raw.program, raw.rows, raw.body(), raw.packed, ask)
        })
        .map_err(|fault| explain_frame(raw, fault))?;
    if set.elements > MAX_ROW_ELEMENTS {
        count_elements(raw, set.clone(), sink)?;
    }
    Ok(set)
}

/// Checks that no row of a frame, which has more elements than a row may have, has too many. Compiled
/// code and some readers do not count. The interpreter does.
#[cold]
fn count_elements<K: SinkBase>(raw: &RawFrame<'_>, set: ColumnSet<'_>, sink: &mut K) -> Result<()> {
    let program = &raw.program;
    let counted = &mut Discard::new(Checked(sink));
    let mut columns =
        ColumnCursors::new(program, set, counted).map_err(|fault| explain_frame(raw, fault))?;
    interpreter::run(program, &mut columns, counted, 0..raw.rows)
        .map(drop)
        .map_err(|error| stopped(program, raw, &error, counted))
}

/// Reads the rows of one frame by `program`, which must read rows of the frame's schema.
fn decode_by<K: RowSink>(program: &Arc<Program>, raw: &RawFrame<'_>, sink: &mut K) -> Result<()> {
    match raw.wire {
        Wire::Frame => {
            let set = parse_columns(raw, sink)?;
            let fault = |fault| explain_frame(raw, fault);
            let stopped = |error: &RunError, refusal| {
                explain(error, program, ErrorContext::Frame(raw), |_| refusal)
            };
            decode_set_by(program, set, sink, fault, stopped)
        }
        Wire::Row => {
            let records =
                || RowReader::new(raw.body_and_checksum(), CHECKSUM).packed_in(raw.packed);
            if K::TAKES_DUPLICATES && program.has_sets_or_maps {
                let mut unique = Unique::default();
                unique
                    .run_to_end(program, &mut records(), 0..raw.rows)
                    .map_err(|error| stopped(program, raw, &error, &unique))?;
            }
            let mut records = records();
            sink.run_to_end(program, &mut records, 0..raw.rows)
                .map_err(|error| stopped(program, raw, &error, sink))?;
            match records.is_empty() {
                true => Ok(()),
                false => Err(explain_frame(raw, BYTES_TO_SPARE)),
            }
        }
    }
}

/// Reads the rows of `set`, which are of the schema of `program`, into `sink`, converted to the
/// `expected` schema if there is one. Errors count them from row `first`.
///
/// # Errors
/// See [`decode`].
pub fn decode_set<K: RowSink>(
    program: &Arc<Program>,
    set: ColumnSet<'_>,
    expected: Option<&ReaderSchema>,
    first: usize,
    sink: &mut K,
) -> Result<()> {
    let evolved;
    let program = match expected {
        Some(to) if to.program().schema() != program.schema() => {
            evolved = to.evolve(program)?;
            &evolved
        }
        _ => program,
    };
    let fault = |fault: Fault| fault.into_error(ErrorKind::Decode, "the columns");
    let stopped = |error: &RunError, refusal| {
        let error = RunError { row: first + error.row, ..error.clone() };
        explain(&error, program, ErrorContext::Decoded, |_| refusal)
    };
    decode_set_by(program, set, sink, fault, stopped)
}

/// Reads the rows of `set` by `program`. The functions make the errors of a fault of the columns, and of a
/// run that stopped, with what the sink says of a value that it refused.
fn decode_set_by<K: RowSink>(
    program: &Arc<Program>,
    set: ColumnSet<'_>,
    sink: &mut K,
    fault: impl Fn(Fault) -> Error,
    stopped: impl Fn(&RunError, Option<String>) -> Error,
) -> Result<()> {
    let rows = 0..set.rows;
    if rows.is_empty() {
        return Ok(());
    }
    if K::TAKES_DUPLICATES && program.has_sets_or_maps {
        let mut unique = Unique::default();
        let mut columns = ColumnCursors::new(program, set.clone(), &mut unique).map_err(&fault)?;
        unique
            .run_to_end(program, &mut columns, rows.clone())
            .map_err(|error| stopped(&error, refusal(&error, &unique)))?;
    }
    let mut columns = ColumnCursors::new(program, set, sink).map_err(&fault)?;
    sink.run_to_end(program, &mut columns, rows)
        .map_err(|error| stopped(&error, refusal(&error, sink)))
}

/// What the sink says of the value that it refused, if it did.
fn refusal<K: SinkBase>(error: &RunError, sink: &K) -> Option<String> {
    (error.fault == Fault::Unrepresentable).then(|| sink.refusal())
}

fn stopped<K: SinkBase>(plan: &Plan, raw: &RawFrame<'_>, error: &RunError, sink: &K) -> Error {
    explain(error, plan, ErrorContext::Frame(raw), |_| refusal(error, sink))
}

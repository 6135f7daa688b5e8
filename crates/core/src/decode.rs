//! From a message to rows.

use crate::compiled::run_and_count;
use crate::error::{Error, ErrorKind, Fault, Result};
use crate::interpreter::Stop;
use crate::layout::Sink;
use crate::layout::batch::Batch;
use crate::layout::columns::Columns;
use crate::layout::row::RowReader;
use crate::resolve::{self, Expected};
use crate::wire::frame::{self, Frame, Scratch};
use crate::wire::message::{CHECKSUM, Layout, MessageReader, RawFrame};
use crate::wire::out::Out;

/// Read the rows of the message `data` into `sink`. If rows are `expected` to be of some schema, those
/// of others are read as such.
///
/// # Errors
/// A decode error if anything about the bytes is wrong, a schema error if rows of a frame's schema
/// can't be read as those that are expected. Rows that came before it are in the sink.
pub fn decode<K: Sink>(data: &[u8], expected: Option<&Expected>, sink: &mut K) -> Result<()> {
    let mut reader = MessageReader::new(data)?;
    if let Some(expected) = expected {
        reader = reader.with_plan(expected.plan().clone());
    }
    while let Some(raw) = reader.next_frame()? {
        match expected {
            Some(expected) => decode_frame_as(&raw, expected, sink)?,
            None => decode_frame(&raw, sink)?,
        }
    }
    Ok(())
}

/// Read the rows of one frame, of whatever schema, into `sink` as rows of the one that is `expected`. A
/// frame without rows may be of any.
///
/// # Errors
/// A schema error that names the first field that can't be read and says why, a decode error that
/// says what is wrong with the frame or with a value.
pub fn decode_frame_as<K: Sink>(
    raw: &RawFrame<'_>,
    expected: &Expected,
    sink: &mut K,
) -> Result<()> {
    if raw.plan.schema() == expected.plan().schema() {
        return decode_frame(raw, sink);
    }
    if raw.rows == 0 {
        return Ok(());
    }
    let resolved = expected.resolve(&raw.plan).map_err(|error| {
        error.within(format_args!(
            "frame {} has rows of schema {}, and the codec is for {}",
            raw.index,
            raw.plan.schema(),
            expected.plan().schema()
        ))
    })?;
    if K::ONLY_VALUES
        && let Some(plan) = &resolved.direct
    {
        return decode_frame(&RawFrame { plan: plan.clone(), ..raw.clone() }, sink);
    }
    let mut staged = Vec::new();
    let body = match raw.layout {
        Layout::Frame => raw.body,
        // Fields are read in another order than that of a record, which columns can be.
        Layout::Row => {
            stage(raw, &mut staged)?;
            &staged
        }
    };
    let frame = Frame::parse(&raw.plan, raw.rows, body)
        .map_err(|corrupt| explain(raw, None, corrupt.into()))?;
    resolve::run(&resolved, frame, sink, 0..raw.rows).map_err(|stop| {
        let at = match stop.path.0.is_empty() {
            true => format!("frame {}, row {}", raw.index, stop.row),
            false => format!("frame {}, row {}, field {}", raw.index, stop.row, stop.path),
        };
        match stop.fault {
            Fault::Refused => {
                let what = stop.said.unwrap_or_else(|| sink.refusal());
                Error::decode(format!("{at}: {what}"))
            }
            fault => fault.into_error(ErrorKind::Decode, at),
        }
    })
}

/// Write the records of a frame of the row wire to `staged` as the body of one of columns.
fn stage(raw: &RawFrame<'_>, staged: &mut Vec<u8>) -> Result<()> {
    let mut batch = Batch::new(&raw.plan);
    decode_frame(raw, &mut batch)?;
    let mut out = Out::new(staged);
    frame::pack(&raw.plan, &batch, &mut Scratch::default(), &mut out)
        .map_err(|fault| explain(raw, None, fault))?;
    let len = out.len();
    assert!(len <= staged.capacity());
    // SAFETY: so many bytes were written to the vector's memory, which is that large.
    unsafe { staged.set_len(len) };
    Ok(())
}

/// Read the rows of one frame into `sink`.
///
/// # Errors
/// A decode error that says what is wrong with the frame.
pub fn decode_frame<K: Sink>(raw: &RawFrame<'_>, sink: &mut K) -> Result<()> {
    match raw.layout {
        Layout::Frame => {
            let frame = Frame::parse(&raw.plan, raw.rows, raw.body)
                .map_err(|corrupt| explain(raw, None, corrupt.into()))?;
            let mut columns =
                Columns::new(&raw.plan, frame, sink).map_err(|fault| explain(raw, None, fault))?;
            run_and_count(&raw.plan, &mut columns, sink, 0..raw.rows)
                .map_err(|stop| explain_stop(raw, &stop, sink))
        }
        Layout::Row => {
            let mut records = RowReader::new(raw.body_and_checksum, CHECKSUM);
            run_and_count(&raw.plan, &mut records, sink, 0..raw.rows)
                .map_err(|stop| explain_stop(raw, &stop, sink))?;
            match records.is_empty() {
                true => Ok(()),
                false => {
                    Err(explain(raw, None, Fault::Corrupt("there are bytes after the last record")))
                }
            }
        }
    }
}

/// Unpack the rows of one frame into `batch`, which must be one for the frame's plan.
///
/// # Errors
/// A decode error that says what is wrong with the frame.
pub fn unpack_frame(raw: &RawFrame<'_>, batch: &mut Batch) -> Result<()> {
    match raw.layout {
        Layout::Frame => Frame::parse(&raw.plan, raw.rows, raw.body)
            .and_then(|frame| frame.unpack(batch))
            .map_err(|corrupt| explain(raw, None, corrupt.into())),
        Layout::Row => {
            batch.clear();
            decode_frame(raw, batch)
        }
    }
}

/// What stopped a run over the rows of a frame. Bytes that are wrong are so in a row; a value that is
/// refused is a right one, so its place is named as that of a value is.
fn explain_stop<K: Sink>(raw: &RawFrame<'_>, stop: &Stop, sink: &K) -> Error {
    if stop.fault != Fault::Refused {
        return explain(raw, Some(stop.row), stop.fault);
    }
    let place = raw.plan.place(stop.at, stop.nth, &stop.elements);
    let refusal = sink.refusal();
    Error::decode(format!("frame {}, row {}, {place}: {refusal}", raw.index, stop.row))
}

fn explain(raw: &RawFrame<'_>, row: Option<usize>, fault: Fault) -> Error {
    let at = match row {
        Some(row) => format!("frame {}, row {row}", raw.index),
        None => format!("frame {}", raw.index),
    };
    fault.into_error(ErrorKind::Decode, at)
}

//! From a message to rows.

use std::sync::Arc;

use crate::compiled::run_and_count;
use crate::error::{Error, ErrorKind, Fault, Result};
use crate::layout::Sink;
use crate::layout::batch::Batch;
use crate::layout::columns::Columns;
use crate::layout::row::RowReader;
use crate::plan::Plan;
use crate::wire::frame::Frame;
use crate::wire::message::{CHECKSUM, Layout, MessageReader, RawFrame};

/// Read the rows of the message `data` into `sink`. If there is an `expected` plan, every
/// frame must be of its schema.
///
/// # Errors
/// A decode error if anything about the bytes is wrong, a schema error if a frame is of another
/// schema. Rows that came before it are in the sink.
pub fn decode<K: Sink>(data: &[u8], expected: Option<&Arc<Plan>>, sink: &mut K) -> Result<()> {
    let mut reader = MessageReader::new(data)?;
    if let Some(plan) = expected {
        reader = reader.with_plan(plan.clone());
    }
    while let Some(raw) = reader.next_frame()? {
        if let Some(plan) = expected {
            check_schema(&raw, plan)?;
        }
        decode_frame(&raw, sink)?;
    }
    Ok(())
}

/// That a frame is of the schema of `plan`; a frame without rows may be of any.
///
/// # Errors
/// A schema error that shows both.
pub fn check_schema(raw: &RawFrame<'_>, plan: &Plan) -> Result<()> {
    if raw.plan.schema() == plan.schema() || raw.rows == 0 {
        return Ok(());
    }
    Err(Error::schema(format!(
        "frame {} has rows of schema {}, and the codec is for {}",
        raw.index,
        raw.plan.schema(),
        plan.schema()
    )))
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
                .map_err(|stop| explain(raw, Some(stop.row), stop.fault))
        }
        Layout::Row => {
            let mut records = RowReader::new(raw.body_and_checksum, CHECKSUM);
            run_and_count(&raw.plan, &mut records, sink, 0..raw.rows)
                .map_err(|stop| explain(raw, Some(stop.row), stop.fault))?;
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

fn explain(raw: &RawFrame<'_>, row: Option<usize>, fault: Fault) -> Error {
    let at = match row {
        Some(row) => format!("frame {}, row {row}", raw.index),
        None => format!("frame {}", raw.index),
    };
    fault.into_error(ErrorKind::Decode, at)
}

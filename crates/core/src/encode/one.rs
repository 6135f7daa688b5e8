//! Encoding a single record.

use std::sync::Arc;

use super::Rows;
use super::describe;
use crate::bytes::out::Out;
use crate::bytes::thread_buffer::{MAX_KEPT, with_buffer};
use crate::compiled::RowSource;
use crate::emergency;
use crate::error::{Fault, Result};
use crate::explain::ErrorContext;
use crate::interpreter::RunError;
use crate::program::Program;
use crate::wire::row::{RowWriter, ZeroSizedCounts};
use crate::wire::single::SingleRecord;

/// Writes row 0 of `source`, which is of the schema of `program`, as a single record, and passes
/// the record to `take`, which copies it.
///
/// # Errors
/// The first value that does not fit.
#[inline]
pub fn write_one<S: RowSource, T>(
    program: &Arc<Program>,
    source: &mut S,
    has_fingerprint: bool,
    take: impl FnOnce(SingleRecord<'_>) -> T,
) -> std::result::Result<T, Box<RunError>> {
    with_buffer(|buffer| {
        if emergency::is_low() {
            return Err(RunError::at_row(0, Fault::NoMemory));
        }
        let mut out = Out::over(buffer);
        let mut writer = RowWriter::new(&mut out, 0, ZeroSizedCounts::default());
        source.run_one(program, &mut writer)?;
        let fingerprint = has_fingerprint.then(|| program.schema().fingerprint());
        let (taken, len) = (take(SingleRecord::of_row(out.written(), fingerprint)), out.len());
        if len > buffer.capacity() / 2 && 2 * len <= MAX_KEPT {
            // Compiled code needs some room after the record.
            let _ = buffer.try_reserve(2 * len);
        }
        Ok(taken)
    })
}

/// Like [`write_one`], for the only one of `rows`.
///
/// # Errors
/// An encode error for the first value that does not fit.
pub fn encode_one<R: Rows, T>(
    program: &Arc<Program>,
    rows: &R,
    has_fingerprint: bool,
    take: impl FnOnce(SingleRecord<'_>) -> T,
) -> Result<T> {
    write_one(program, &mut rows.source(), has_fingerprint, take)
        .map_err(|error| describe(&error, program, rows, ErrorContext::EncodedOne))
}

//! Encoding a single record.

use std::sync::Arc;

use super::describe;
use crate::bytes::out::Out;
use crate::bytes::thread_buffer::{MAX_KEPT, with_buffer};
use crate::compiled::run_one;
use crate::emergency;
use crate::error::{Fault, Result};
use crate::explain::Origin;
use crate::interpreter::RunError;
use crate::layout::{Rows, Source};
use crate::program::Program;
use crate::wire::row::{RowWriter, ZeroSizedCounts};

/// Writes row 0 of `source`, which is of the schema of `program`, as a single record, and passes
/// the record's bytes to `take`.
///
/// # Errors
/// The first value that does not fit.
#[inline]
pub fn write_one<S: Source, T>(
    program: &Arc<Program>,
    source: &mut S,
    has_fingerprint: bool,
    take: impl FnOnce(&[u8]) -> T,
) -> std::result::Result<T, Box<RunError>> {
    with_buffer(|buffer| {
        let mut out = Out::over(buffer);
        begin(program, has_fingerprint, &mut out).map_err(|fault| RunError::at_row(0, fault))?;
        let body = out.len();
        let mut writer = RowWriter::new(&mut out, body, ZeroSizedCounts::default());
        run_one(program, source, &mut writer)?;
        let (taken, len) = (take(out.written()), out.len());
        if len > buffer.capacity() / 2 && 2 * len <= MAX_KEPT {
            // Compiled code needs some room after the record.
            let _ = buffer.try_reserve(2 * len);
        }
        Ok(taken)
    })
}

#[inline(always)]
fn begin(
    program: &Program,
    has_fingerprint: bool,
    out: &mut Out<'_>,
) -> std::result::Result<(), Fault> {
    if emergency::is_low() {
        return Err(Fault::NoMemory);
    }
    match has_fingerprint {
        true => out.extend_array(program.schema().fingerprint().to_le_bytes()),
        false => Ok(()),
    }
}

/// Like [`write_one`], for the only one of `rows`.
///
/// # Errors
/// An encode error for the first value that does not fit.
pub fn encode_one<R: Rows, T>(
    program: &Arc<Program>,
    rows: &R,
    has_fingerprint: bool,
    take: impl FnOnce(&[u8]) -> T,
) -> Result<T> {
    write_one(program, &mut rows.source(), has_fingerprint, take)
        .map_err(|error| describe(&error, program, rows, Origin::EncodedOne))
}

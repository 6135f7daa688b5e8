//! From a batch of Spark's rows to rows.

use std::sync::Arc;

use serow_core::compiled::RowSink;
use serow_core::error::{Fault, Result};
use serow_core::explain::{ErrorContext, explain};
use serow_core::program::Program;

use crate::{Storage, UnsafeRows};

/// Reads the rows of `batch`, which must have the schema of `program`, into `sink`.
///
/// # Errors
/// A schema error if Spark cannot store the schema. A decode error that names the invalid row and
/// the reason, or the value that the sink can't represent.
pub fn read_unsafe_rows<K: RowSink>(
    program: &Arc<Program>,
    batch: &[u8],
    sink: &mut K,
) -> Result<()> {
    let mut rows = UnsafeRows::new(Storage::of(program)?, batch)?;
    let all = 0..rows.count();
    sink.run_to_end(program, &mut rows, all).map_err(|error| {
        let is_refused = error.fault == Fault::Unrepresentable;
        explain(&error, program, ErrorContext::Decoded, |_| is_refused.then(|| sink.refusal()))
    })
}

//! From a batch of Spark's rows to rows.

use std::sync::Arc;

use crate::compiled::RowSink;
use crate::error::{Fault, Result};
use crate::explain::{ErrorContext, explain};
use crate::layout::unsafe_row::UnsafeRows;
use crate::program::Program;

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
    let mut rows = UnsafeRows::new(program.require_storage()?, batch)?;
    let all = 0..rows.count();
    sink.run_to_end(program, &mut rows, all).map_err(|error| {
        let is_refused = error.fault == Fault::Unrepresentable;
        explain(&error, program, ErrorContext::Decoded, |_| is_refused.then(|| sink.refusal()))
    })
}

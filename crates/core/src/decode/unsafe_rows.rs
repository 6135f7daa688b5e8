//! From a batch of Spark's rows to rows.

use std::sync::Arc;

use crate::compiled::run_to_end;
use crate::error::{Fault, Result};
use crate::explain::{Origin, explain};
use crate::layout::Sink;
use crate::layout::unsafe_row::UnsafeRows;
use crate::program::Program;

/// Read the rows of `batch`, which are of `plan`, into `sink`.
///
/// # Errors
/// A schema error if the plan has no storage, a decode error that says which row is wrong, and what about it; or which value the sink can't hold.
pub fn read_unsafe_rows<K: Sink>(plan: &Arc<Program>, batch: &[u8], sink: &mut K) -> Result<()> {
    let mut rows = UnsafeRows::new(plan.require_storage()?, batch)?;
    let all = 0..rows.count();
    run_to_end(plan, &mut rows, sink, all).map_err(|error| {
        let is_refused = error.fault == Fault::Unrepresentable;
        explain(&error, plan, Origin::Decoded, |_| is_refused.then(|| sink.refusal()))
    })
}

//! The rows of Spark's JVM, as they stand in its memory.
//!
//! A *batch* is, for each row, eight bytes with the number of the row's bytes, which is a multiple of
//! eight, and the row. All numbers are little-endian. A row, as every struct in it, is
//!
//! ```text
//! bits     a bit for each field, in words of 64: whether it is null
//! slots    a word for each field: the value, if it has 64 bits or less; otherwise where it stands
//! others   the values that the slots tell of, each beginning at a multiple of eight
//! ```
//!
//! Where a value stands is told by its size, in the lower half of the word, and by its offset from the
//! beginning of the struct or list, in the upper half. A list is the number of its elements, bits and
//! slots as above, where slots are as wide as the elements' type, and the others. A map is the number of bytes of
//! a list of keys, that list, and a list of values.
//!
//! The plan does not say whether an integer has one byte or eight, nor how many of a decimal's digits
//! are behind the point. That is the [`Storage`], which is made together with the schema of a
//! [description](describe) of Spark's types.
//!
//! Batches come from a process that is trusted with the rows but not with this one's memory. So every
//! read is checked to be inside the value around it, and all that a row is made of may take no more bytes than
//! the row has: where values overlapped, a short row could stand for any number of objects.

mod clock;
mod describe;
mod java_map;
mod java_text;
mod java_tree;
mod jit_context;
mod sink;
mod source;
mod storage;

use std::sync::Arc;

use crate::compiled::run_to_end;
use crate::encode;
use crate::error::{Error, Fault, Result};
use crate::explain::{Origin, explain};
use crate::interpreter::RunError;
use crate::layout::Sink;
use crate::path::{Path, Step};
use crate::plan::Plan;
use crate::schema::Type;
pub use describe::{Described, StructsAs};
pub use jit_context::{PLAIN_SCALE, UnsafeRowsContext, long_decimal, map_order, parts_of_word};
pub use sink::UnsafeRowWriter;
pub use source::UnsafeRows;
pub use storage::{MapKey, Storage, Stored, Width};

/// Read the rows of `batch`, which are of `plan`, into `sink`.
///
/// # Errors
/// A schema error if the plan has no storage, a decode error that says which row is wrong, and what about it; or which value the sink can't hold.
pub fn read<K: Sink>(plan: &Arc<Plan>, batch: &[u8], sink: &mut K) -> Result<()> {
    let mut rows = UnsafeRows::new(storage_of(plan)?, batch)?;
    let all = 0..rows.count();
    run_to_end(plan, &mut rows, sink, all).map_err(|error| {
        let is_refused = error.fault == Fault::Unrepresentable;
        explain(&error, plan, Origin::Decoded, |_| is_refused.then(|| sink.refusal()))
    })
}

fn storage_of(plan: &Plan) -> Result<&Storage> {
    plan.storage().ok_or_else(|| Error::schema("nothing says how Spark stores the values"))
}

/// A batch of `rows`, which are of `plan`.
///
/// # Errors
/// A schema error if the plan has no storage, an encode error that says which row and value is not of the plan's type, or beyond what Spark has for it.
pub fn write<R: encode::Rows>(plan: &Arc<Plan>, rows: &R) -> Result<Vec<u8>> {
    let mut batch = UnsafeRowWriter::new(storage_of(plan)?);
    run_to_end(plan, &mut rows.source(), &mut batch, 0..rows.len())
        .map_err(|error| refuse(plan, &error, rows, &batch))?;
    Ok(batch.into_batch())
}

#[cold]
fn refuse<R: encode::Rows, K: Sink>(plan: &Plan, error: &RunError, rows: &R, sink: &K) -> Error {
    explain(error, plan, Origin::Encoded, |place| {
        let path = by_position(plan, &place.path);
        let value = rows.describe(error.row, &path, Some(&place.expected));
        Some(match error.fault {
            Fault::Unrepresentable => format!("cannot write {value}: {}", sink.refusal()),
            _ => format!("cannot write {value}"),
        })
    })
}

/// The path with the positions of fields in place of their names, which what is given need not have.
fn by_position(plan: &Plan, path: &Path) -> Path {
    let step = |depth: usize| {
        let around = plan.root().at(&Path(path.0[..depth].to_vec()));
        match (around.map(Type::required), &path.0[depth]) {
            (Some(Type::Struct(of)), Step::Field(name)) => {
                Step::Item(of.named().take_while(|(other, _)| *other != name).count())
            }
            (_, step) => step.clone(),
        }
    };
    Path((0..path.0.len()).map(step).collect())
}

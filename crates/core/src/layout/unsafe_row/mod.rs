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
mod source;
mod storage;

use std::sync::Arc;

use crate::compiled::run_and_count;
use crate::error::{Error, ErrorKind, Fault, Result};
use crate::interpreter::Stop;
use crate::layout::Sink;
use crate::plan::Plan;
pub use describe::{Described, Rows};
pub use source::UnsafeRows;
pub use storage::{Key, Storage, Stored, Width};

/// Read the rows of `batch`, which are of `plan` and stored so, into `sink`.
///
/// # Errors
/// A decode error that says which row is wrong, and what about it; or which value the sink can't hold.
pub fn read<K: Sink>(
    plan: &Arc<Plan>,
    storage: &Storage,
    batch: &[u8],
    sink: &mut K,
) -> Result<()> {
    let mut rows = UnsafeRows::new(storage, batch)?;
    let all = 0..rows.count();
    run_and_count(plan, &mut rows, sink, all).map_err(|stop| explain(plan, &stop, sink))
}

fn explain<K: Sink>(plan: &Plan, stop: &Stop, sink: &K) -> Error {
    let place = plan.place(stop.at, stop.nth, &stop.elements);
    let at = format!("row {}, {place}", stop.row);
    match stop.fault {
        Fault::Refused => Error::decode(format!("{at}: {}", sink.refusal())),
        fault => fault.into_error(ErrorKind::Decode, at),
    }
}

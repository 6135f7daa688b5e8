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
mod jit_context;
mod sink;
mod source;
mod storage;

pub use describe::{Described, StructsAs};
pub use jit_context::{PLAIN_SCALE, UnsafeRowsContext, long_decimal, map_order, parts_of_word};
pub use sink::UnsafeRowWriter;
pub use source::UnsafeRows;
pub use storage::{MapKey, Storage, Stored, Width};

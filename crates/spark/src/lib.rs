//! The in-memory format of rows in Spark's JVM.
//!
//! A *batch* has, for each row, the row's size in eight bytes, then the row. The size is a multiple of
//! eight. All numbers are little-endian. A row, and each struct in it, consists of
//!
//! ```text
//! bits     the null bits, one per field, in 64-bit words
//! slots    one word per field: a value of 64 bits or less, or the location of the value
//! others   the values outside the slots, each aligned to eight bytes
//! ```
//!
//! The lower half of a location is the value's size, and the upper half is its offset from the
//! beginning of the struct or list. A list consists of the number of its elements, bits and slots as
//! above, and its other values; its slots are as wide as the element type. A map consists of the size
//! of the list of keys, that list, and the list of values.
//!
//! The plan does not have the width of an integer or the scale of a decimal. The [`Storage`] has them.
//! It is made from a [description](describe) of Spark's types, together with the schema.
//!
//! Batches come from a process that is trusted with the rows but not with this process's memory. Every
//! read is therefore checked to be within the enclosing value. The values of a row may not take more
//! bytes in total than the row has: otherwise overlapping values could make a short row yield any
//! number of objects.

mod clock;
mod columns;
mod describe;
mod java_map;
mod java_text;
mod jit_context;
mod read;
mod sink;
mod source;
mod storage;
mod write;

pub use columns::{show_times, store};
pub use describe::{Described, StructsAs};
pub use jit_context::{PLAIN_SCALE, UnsafeRowsContext, long_decimal, map_order, parts_of_word};
pub use read::read_unsafe_rows;
pub use sink::UnsafeRowWriter;
pub use source::UnsafeRows;
pub use storage::{MapKey, Storage, Stored, Width};
pub use write::write_unsafe_rows;

use serow_core::layout::LayoutKind;

/// The kind of [`UnsafeRows`]. Its context is an [`UnsafeRowsContext`].
pub static UNSAFE_ROWS: LayoutKind = LayoutKind::new("unsaferows");

//! Arrow's arrays: those that a caller gives, as messages and streams, and those that serow makes. `codec` makes
//! rows of the former (`from_arrow`), and the latter of rows (`to_arrow`).
//!
//! The arrays cross the border by Arrow's C data interface in capsules, so no library of Arrow is needed.

mod given;
mod stream;
mod written;

use std::ffi::CStr;

pub use given::{ArrowInput, extensions, schema};
pub use serow_arrow::c_data::Extensions;
pub use stream::{ArrowStream, MoreBatches};
pub use written::{ArrowTable, each_batch};

const STREAM: &CStr = c"arrow_array_stream";
const SCHEMA: &CStr = c"arrow_schema";
const ARRAY: &CStr = c"arrow_array";

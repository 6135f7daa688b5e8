//! Arrow's arrays: from rows (`to_arrow`), from frames (`Codec.decode_arrow`, `Reader.arrow`), to rows
//! (`from_arrow`) and to messages.
//!
//! The arrays cross the border by Arrow's C data interface in capsules, so no library of Arrow is needed.

mod given;
mod made;
mod read;
mod written;

use std::ffi::CStr;

pub use given::{extensions, is_given};
pub use made::{ArrowStream, to_arrow};
pub use read::{ArrowRows, from_arrow};
pub use serow_arrow::c_data::Extensions;
pub use written::{ArrowTable, each_batch};

const STREAM: &CStr = c"arrow_array_stream";
const SCHEMA: &CStr = c"arrow_schema";
const ARRAY: &CStr = c"arrow_array";

//! The row wire: one self-contained record after another.
//!
//! ```text
//! record    bytes of the value (4 bytes), value
//! i64       zigzag varint
//! f64       8 bytes
//! str       length (varint), generalised UTF-8
//! f32       4 bytes
//! i8, u8    one byte
//! i16, i32  zigzag varint
//! u16 … u64 varint
//! bool      one byte, 0 or 1
//! null      nothing
//! optional  one byte, 0 or 1; if 1, the value
//! fixed     the fields, one after another
//! sequence  number of elements (varint), the elements
//! union     index of the arm (varint), the value
//! ```
//!
//! A record depends on nothing but the schema, so records may be moved and concatenated.

mod reader;
mod writer;

pub use reader::{BYTES_TO_SPARE, FREE_CONTAINERS, RowReader, RowReaderContext, SLACK};
pub use writer::{FULL_OF_CONTAINERS, RowWriter, RowWriterContext, ZeroSizedCounts};

use crate::layout::LayoutKind;
use crate::schema::{Logical, Type};

/// The kind of records: of [`RowReader`] with a [`RowReaderContext`] as a source, and of
/// [`RowWriter`] with a [`RowWriterContext`] as a sink.
pub static ROW: LayoutKind = LayoutKind::new("row");

/// The number of bytes of a record's length.
pub const LENGTH: usize = 4;

/// Returns the smallest number of bytes that a value of type `ty` takes in a record.
pub fn least(ty: &Type) -> usize {
    match ty {
        Type::Never | Type::Null | Type::Open(_) => 0,
        Type::Bool | Type::I64 | Type::Str | Type::Enum(_) => 1,
        Type::Optional(_) | Type::Sequence(..) | Type::Map(..) => 1,
        Type::F64 => 8,
        Type::Logical(Logical::F32) => 4,
        Type::Logical(ty) => {
            let counts = ty.counts();
            counts.ints + 8 * counts.floats + counts.bytes
        }
        Type::Fixed(_, types) => types.iter().map(least).sum(),
        Type::Struct(of) => {
            of.fields.iter().map(|field| if field.maybe { 1 } else { least(&field.ty) }).sum()
        }
        Type::Union(arms) => 1 + arms.iter().map(least).min().unwrap_or(0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::Schema;

    #[test]
    fn the_smallest_record_of_a_type_has_its_smallest_values() {
        let cases = [
            ("(i64, f64, str, bool, null)", 11),
            ("[(f64, f64)]", 1),
            ("{str: f64}", 1),
            ("(f64?, i64)", 2),
            ("((i64, f64)|f64|[i64], enum E{A})", 3),
            ("{\"a\": f64, \"b\"?: f64}", 9),
            ("(int, complex, timestamp)", 20),
            ("(f32, i8, u64, u16?)", 7),
        ];
        for (text, size) in cases {
            assert_eq!(least(Schema::parse(text).unwrap().root()), size, "{text}");
        }
    }
}

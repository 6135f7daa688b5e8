//! Arrays of strings and of bytes.

use arrow_array::cast::AsArray;
use arrow_array::{
    Array, ArrayRef, BinaryArray, BinaryViewArray, FixedSizeBinaryArray, LargeBinaryArray,
    LargeStringArray, StringArray, StringViewArray,
};
use arrow_schema::DataType;
use serow_core::error::Fault;
use serow_core::layout::batch::StrColumn;

use crate::slots::Picks;

/// An array of strings or of bytes.
pub enum Strings<'a> {
    Utf8(&'a StringArray),
    LargeUtf8(&'a LargeStringArray),
    Utf8View(&'a StringViewArray),
    Binary(&'a BinaryArray),
    LargeBinary(&'a LargeBinaryArray),
    BinaryView(&'a BinaryViewArray),
    FixedSize(&'a FixedSizeBinaryArray),
}

impl<'a> Strings<'a> {
    pub fn of(array: &'a ArrayRef) -> Option<Strings<'a>> {
        Some(match array.data_type() {
            DataType::Utf8 => Strings::Utf8(array.as_string()),
            DataType::LargeUtf8 => Strings::LargeUtf8(array.as_string()),
            DataType::Utf8View => Strings::Utf8View(array.as_string_view()),
            DataType::Binary => Strings::Binary(array.as_binary()),
            DataType::LargeBinary => Strings::LargeBinary(array.as_binary()),
            DataType::BinaryView => Strings::BinaryView(array.as_binary_view()),
            DataType::FixedSizeBinary(_) => Strings::FixedSize(array.as_fixed_size_binary()),
            _ => return None,
        })
    }

    pub fn are_utf8(&self) -> bool {
        matches!(self, Strings::Utf8(_) | Strings::LargeUtf8(_) | Strings::Utf8View(_))
    }

    pub fn get(&self, slot: usize) -> &'a [u8] {
        match self {
            Strings::Utf8(of) => of.value(slot).as_bytes(),
            Strings::LargeUtf8(of) => of.value(slot).as_bytes(),
            Strings::Utf8View(of) => of.value(slot).as_bytes(),
            Strings::Binary(of) => of.value(slot),
            Strings::LargeBinary(of) => of.value(slot),
            Strings::BinaryView(of) => of.value(slot),
            Strings::FixedSize(of) => of.value(slot),
        }
    }

    /// Appends the picked values to `column`.
    ///
    /// # Errors
    /// A fault if they are too long, or there is no memory.
    pub fn append(&self, picks: &Picks, column: &mut StrColumn) -> Result<(), Fault> {
        let slots = picks.iter();
        match self {
            Strings::Utf8(of) => column.extend(slots.map(|slot| of.value(slot).as_bytes())),
            _ => column.extend(slots.map(|slot| self.get(slot))),
        }
    }
}

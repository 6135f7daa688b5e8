//! Arrays of strings and of bytes. What their offsets and views say, and the text, is checked when it is taken.

use arrow_array::cast::AsArray;
use arrow_array::types::ByteViewType;
use arrow_array::{Array, ArrayRef, FixedSizeBinaryArray, GenericByteViewArray, OffsetSizeTrait};
use arrow_buffer::{Buffer, ToByteSlice};
use arrow_data::{ByteView, MAX_INLINE_VIEW_LEN};
use arrow_schema::DataType;
use serow_core::bytes::text;
use serow_core::memory;

use super::Read;
use super::places::range;
use crate::failure::wrong;
use crate::slots::Selection;

/// An array of strings or of bytes.
pub struct Strings<'a> {
    are_utf8: bool,
    values: Values<'a>,
}

enum Values<'a> {
    Small(&'a [i32], &'a [u8]),
    Large(&'a [i64], &'a [u8]),
    Views(&'a [u128], &'a [Buffer]),
    FixedSize(&'a FixedSizeBinaryArray),
}

impl<'a> Strings<'a> {
    pub fn of(array: &'a ArrayRef) -> Option<Strings<'a>> {
        fn views<T: ByteViewType>(of: &GenericByteViewArray<T>) -> Values<'_> {
            Values::Views(of.views(), of.data_buffers())
        }
        let values = match array.data_type() {
            DataType::Utf8 => {
                let of = array.as_string::<i32>();
                Values::Small(of.value_offsets(), of.value_data())
            }
            DataType::LargeUtf8 => {
                let of = array.as_string::<i64>();
                Values::Large(of.value_offsets(), of.value_data())
            }
            DataType::Utf8View => views(array.as_string_view()),
            DataType::Binary => {
                let of = array.as_binary::<i32>();
                Values::Small(of.value_offsets(), of.value_data())
            }
            DataType::LargeBinary => {
                let of = array.as_binary::<i64>();
                Values::Large(of.value_offsets(), of.value_data())
            }
            DataType::BinaryView => views(array.as_binary_view()),
            DataType::FixedSizeBinary(_) => Values::FixedSize(array.as_fixed_size_binary()),
            _ => return None,
        };
        let are_utf8 =
            matches!(array.data_type(), DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View);
        Some(Strings { are_utf8, values })
    }

    /// The bytes of a slot.
    pub fn bytes(&self, slot: usize) -> Read<&'a [u8]> {
        match self.values {
            Values::Small(ends, bytes) => between(ends, bytes, slot),
            Values::Large(ends, bytes) => between(ends, bytes, slot),
            Values::Views(views, buffers) => viewed(&views[slot], buffers, slot),
            Values::FixedSize(of) => Ok(of.value(slot)),
        }
    }

    /// The text of a slot. Where the array is of bytes, it may have surrogates, as serow's texts may.
    pub fn text(&self, slot: usize) -> Read<&'a [u8]> {
        let bytes = self.bytes(slot)?;
        match self.are_utf8 {
            true if std::str::from_utf8(bytes).is_ok() => Ok(bytes),
            false if text::is_valid(bytes) => Ok(bytes),
            _ => wrong(format!("slot {slot} is not UTF-8")),
        }
    }

    /// The bytes of the selected slots.
    pub fn all_bytes(&self, selection: &Selection) -> Read<Vec<&'a [u8]>> {
        let mut all = memory::with_capacity(selection.len())?;
        for slot in selection.iter() {
            all.push(self.bytes(slot)?);
        }
        Ok(all)
    }

    /// The texts of the selected slots.
    pub fn all_texts(&self, selection: &Selection) -> Read<Vec<&'a [u8]>> {
        let are_texts = match self.values {
            Values::Small(ends, bytes) if self.are_utf8 => are_texts(ends, bytes, selection),
            Values::Large(ends, bytes) if self.are_utf8 => are_texts(ends, bytes, selection),
            _ => false,
        };
        if are_texts {
            return self.all_bytes(selection);
        }
        let mut all = memory::with_capacity(selection.len())?;
        for slot in selection.iter() {
            all.push(self.text(slot)?);
        }
        Ok(all)
    }
}

fn between<'a, T: OffsetSizeTrait>(ends: &[T], bytes: &'a [u8], slot: usize) -> Read<&'a [u8]> {
    let range = range(slot, (ends[slot].to_usize(), ends[slot + 1].to_usize()), bytes.len())?;
    Ok(&bytes[range])
}

/// The bytes that a view shows. A short text is within it.
fn viewed<'a>(view: &'a u128, buffers: &'a [Buffer], slot: usize) -> Read<&'a [u8]> {
    let of = ByteView::from(*view);
    if of.length <= MAX_INLINE_VIEW_LEN {
        return Ok(&view.to_byte_slice()[4..4 + of.length as usize]);
    }
    let Some(buffer) = buffers.get(of.buffer_index as usize) else {
        return wrong(format!(
            "slot {slot} is in buffer {}, and its array has {}",
            of.buffer_index,
            buffers.len()
        ));
    };
    let begin = of.offset as usize;
    let range = range(slot, (Some(begin), Some(begin + of.length as usize)), buffer.len())?;
    Ok(&buffer[range])
}

/// A quick check of all texts from the first to the last that is selected, which looks at many bytes at once.
/// Returns false if one of them may be none, or if so few are selected that this would take longer.
fn are_texts<T: OffsetSizeTrait>(ends: &[T], bytes: &[u8], selection: &Selection) -> bool {
    const DENSE: usize = 4;
    let Some((first, last)) = selection.iter().min().zip(selection.iter().max()) else {
        return true;
    };
    if (last - first) / DENSE > selection.len() {
        return false;
    }
    let ends = &ends[first..last + 2];
    // Without an early end this loop handles many offsets at once.
    let ascend = ends.iter().zip(&ends[1..]).fold(true, |ok, (at, next)| ok & (at <= next));
    let (begin, end) = (ends[0].to_usize(), ends[ends.len() - 1].to_usize());
    let Some((begin, used)) = begin
        .zip(end)
        .filter(|_| ascend)
        .and_then(|(begin, end)| Some((begin, bytes.get(begin..end)?)))
    else {
        return false;
    };
    if used.is_ascii() {
        return true;
    }
    let Ok(text) = std::str::from_utf8(used) else { return false };
    ends.iter().all(|at| text.is_char_boundary(at.as_usize() - begin))
}

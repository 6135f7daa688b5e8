//! Arrays of NumPy whose elements are texts of one size: strings with four bytes for each character, or bytes.
//!
//! They are encoded as lists. serow reads the texts where they are, so no element becomes an object. As in NumPy,
//! zeros at the end of a text don't belong to it.

use bytemuck::{Pod, cast_slice, cast_slice_mut};
use pyo3::prelude::*;
use serow_core::bytes::shared::copy_shared;
use serow_core::bytes::text::push_code_point;
use serow_core::layout::{OpResult, TOO_MANY_ELEMENTS, Text};
use serow_core::limits::MAX_ROW_ELEMENTS;
use serow_core::memory;
use serow_core::plan::StrEncoding;
use serow_core::schema::{Logical, Scalar};

use super::super::Object;
use super::super::text::LAST_CODE_POINT;
use super::arrays::{self, Elements, LastUnit};
use crate::layout::buffers::BufferItems;

/// The type of the elements of an array of texts; `None` if it has several dimensions, or if an element is no text.
pub(in crate::layout) fn type_of(items: &BufferItems, encoding: StrEncoding) -> Option<Scalar> {
    if items.lengths().len() != 1 {
        return None;
    }
    match encoding {
        StrEncoding::Bytes => Some(Scalar::Logical(Logical::Bytes)),
        StrEncoding::Text => {
            let exist = |characters: &[u32]| Ok(do_exist(characters));
            // Encoding reports an array with too many elements, or lack of memory.
            let are_texts = items.lengths()[0] > MAX_ROW_ELEMENTS
                || each(items, &mut Vec::new(), exist) != Ok(false);
            are_texts.then_some(Scalar::Str)
        }
    }
}

/// A copy of the elements of the last array that was read. The memory is kept for the next one.
#[derive(Default)]
pub struct TextElements {
    texts: Vec<u8>,
    ends: Vec<usize>,
    /// Some elements as they are in the array.
    block: Vec<u32>,
}

impl TextElements {
    /// Copies the elements of `object` if it is an array of texts of this kind with one dimension, and no element
    /// has a character that does not exist. Returns their number.
    ///
    /// # Safety
    /// `object` must be alive.
    pub unsafe fn read(
        &mut self,
        py: Python<'_>,
        object: Object,
        expected: StrEncoding,
    ) -> OpResult<Option<usize>> {
        // SAFETY: the caller's promise.
        let Some((items, Elements::Texts(encoding))) =
            (unsafe { arrays::items(py, object, &mut LastUnit::default()) })
        else {
            return Ok(None);
        };
        let &[len] = items.lengths() else { return Ok(None) };
        if encoding != expected {
            return Ok(None);
        }
        // An array whose items are one item again and again takes no memory, but its copy would.
        if len > MAX_ROW_ELEMENTS {
            return Err(TOO_MANY_ELEMENTS);
        }
        let TextElements { texts, ends, block } = self;
        texts.clear();
        ends.clear();
        memory::reserve(ends, len)?;
        let are_texts = match encoding {
            StrEncoding::Bytes => each(&items, block, |item: &[u8]| {
                memory::extend(texts, item)?;
                trim(texts, ends);
                Ok(true)
            }),
            StrEncoding::Text => each(&items, block, |item| {
                let is_text = push(texts, item)?;
                trim(texts, ends);
                Ok(is_text)
            }),
        };
        Ok(are_texts?.then_some(len))
    }

    /// Element `at`.
    pub fn text(&self, at: usize) -> Text<'_> {
        let start = at.checked_sub(1).map_or(0, |before| self.ends[before]);
        Text::plain(&self.texts[start..self.ends[at]])
    }
}

/// Bytes of elements that are copied at once, if they follow each other in the array.
const BLOCK: usize = 4096;

/// Calls `f` with a copy of each element until it returns false. Returns whether it never did. `block` is reused
/// memory.
fn each<T: Pod>(
    items: &BufferItems,
    block: &mut Vec<u32>,
    mut f: impl FnMut(&[T]) -> OpResult<bool>,
) -> OpResult<bool> {
    let (size, len, stride) = (items.size, items.lengths()[0], items.strides()[0]);
    let is_dense = size > 0 && stride == size as isize;
    let at_once = if is_dense { (BLOCK / size).max(1) } else { 1 };
    memory::resize(block, (at_once * size).div_ceil(size_of::<u32>()), 0)?;
    for first in (0..len).step_by(at_once) {
        let count = at_once.min(len - first);
        let bytes = &mut cast_slice_mut::<_, u8>(block)[..count * size];
        // SAFETY: the buffer has as many items, at this distance from each other.
        unsafe {
            let start = items.start.offset(first as isize * stride);
            copy_shared(start, bytes.len(), bytes.as_mut_ptr());
        }
        let (elements, width) = (cast_slice::<_, T>(bytes), size / size_of::<T>());
        for at in 0..count {
            if !f(&elements[at * width..(at + 1) * width])? {
                return Ok(false);
            }
        }
    }
    Ok(true)
}

/// Whether all these characters exist.
fn do_exist(characters: &[u32]) -> bool {
    characters.iter().fold(0, |most, &c| most.max(c)) <= LAST_CODE_POINT
}

/// Appends the text of these characters. Returns whether all of them exist.
fn push(texts: &mut Vec<u8>, characters: &[u32]) -> OpResult<bool> {
    if characters.iter().fold(0, |all, c| all | c) < 0x80 {
        memory::reserve(texts, characters.len())?;
        texts.extend(characters.iter().map(|&c| c as u8));
        return Ok(true);
    }
    memory::reserve(texts, 4 * characters.len())?;
    characters.iter().for_each(|&c| push_code_point(texts, c));
    Ok(do_exist(characters))
}

/// Removes the zeros at the end of the last text, and notes where it ends.
fn trim(texts: &mut Vec<u8>, ends: &mut Vec<usize>) {
    let start = ends.last().copied().unwrap_or(0);
    let mut text = &texts[start..];
    while let Some((rest, 0)) =
        text.split_last_chunk().map(|(rest, &last)| (rest, u64::from_ne_bytes(last)))
    {
        text = rest;
    }
    while let [rest @ .., 0] = text {
        text = rest;
    }
    let end = start + text.len();
    texts.truncate(end);
    ends.push(end);
}

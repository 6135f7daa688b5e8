//! The entries of a dict, and its values in the order of a struct's fields.

use std::ops::Range;
use std::ptr::{null, null_mut};
use std::sync::Arc;

use pyo3::ffi;
use serow_core::error::Fault;
use serow_core::layout::{OpResult, Text};

use super::offsets::{
    DICT_KEYS, DICT_VALUES, GENERAL_KEYS, KEYS_KIND, KEYS_LOG2_INDEX_BYTES, KEYS_PLACES, Offsets,
    STR_KEYS,
};
use super::{Access, Object, is_exactly, load, proof};

const WORD: usize = size_of::<usize>();

/// Maximum keys to compare after the expected one before a key is looked up by its text.
const NEAR: usize = 16;

/// Puts the values of a dict in the order of the fields that its keys name.
pub struct Named<'n, P> {
    /// The key objects of the last dict, by field. The next dict usually has the same objects in
    /// the same order.
    pub known: &'n mut [Object],
    /// The names of the fields.
    pub fields: &'n [Arc<str>],
    /// Finds the index of a name by its text.
    pub place: P,
    /// Whether the keys must be in the order of the fields, in which decoding gives them back.
    pub in_order: bool,
    pub scratch: &'n mut Vec<u8>,
    /// Whether objects of a dict were put into `known`.
    pub has_others: bool,
}

impl<P: Fn(&[u8]) -> Option<usize>> Named<'_, P> {
    /// Puts the values of `dict` into `items` as borrowed references, and returns their number. A
    /// key that is not a field is a type mismatch, unless `may_pass_over` accepts it.
    ///
    /// # Safety
    /// `dict` must be a live dict. It must not change while `known` is used.
    #[inline(always)]
    pub unsafe fn put<A: Access>(
        &mut self,
        access: A,
        dict: Object,
        items: &mut [Object],
        may_pass_over: impl Fn(Object) -> bool,
    ) -> OpResult<usize> {
        // SAFETY: the caller's promise.
        let mut entries = unsafe { Entries::of(dict) };
        let (mut next, mut found) = (0, 0);
        while let Some((key, value)) = entries.next() {
            let at = match self.known.get(next) {
                Some(&known) if known == key => next,
                // SAFETY: the caller's promise.
                _ => match unsafe { self.find(access, key, next) }? {
                    Some(at) => at,
                    None if may_pass_over(key) => continue,
                    None => return Err(Fault::TypeMismatch),
                },
            };
            if self.in_order && at < next {
                return Err(Fault::TypeMismatch);
            }
            items[at] = value;
            next = at + 1;
            found += 1;
        }
        Ok(found)
    }

    /// The field index of a key that is not the expected next one.
    unsafe fn find<A: Access>(
        &mut self,
        access: A,
        key: Object,
        next: usize,
    ) -> OpResult<Option<usize>> {
        let len = self.known.len();
        let near = &self.known[next.min(len)..len.min(next + NEAR)];
        if let Some(after) = near.iter().position(|&known| known == key) {
            return Ok(Some(next + after));
        }
        // SAFETY: the key is alive.
        let bytes = match unsafe { access.read_str(key, self.scratch) } {
            Ok(Text::Plain(text)) => text.bytes(),
            Err(Fault::Host) => return Err(Fault::Host),
            _ => return Ok(None),
        };
        let is_next = self.fields.get(next).is_some_and(|field| field.as_bytes() == bytes);
        let at = if is_next { Some(next) } else { (self.place)(bytes) };
        if let Some(at) = at {
            self.known[at] = key;
            self.has_others = true;
        }
        Ok(at)
    }
}

/// Iterator over the keys and values of a dict, borrowed, in its order.
pub struct Entries {
    dict: Object,
    at: ffi::Py_ssize_t,
    /// The entries that are left, if they are read directly. Each ends with its key and its value; a value that
    /// was deleted is null.
    place: *const u8,
    end: *const u8,
    stride: usize,
}

impl Entries {
    /// # Safety
    /// `dict` must be a live dict that does not change while this is used, and the GIL must be
    /// held.
    #[inline]
    pub unsafe fn of(dict: Object) -> Entries {
        // SAFETY: the caller's promise, and the offsets are proven.
        proof::proven()
            .and_then(|offsets| unsafe { Entries::direct(offsets, dict) })
            .unwrap_or(Entries { dict, at: 0, place: null(), end: null(), stride: 0 })
    }

    /// Reads the entries where they are in memory. `None` if the values are apart from their keys, as the attributes
    /// of objects of one class can be.
    ///
    /// # Safety
    /// As for [`Entries::of`], and the running CPython must have these offsets.
    #[inline]
    pub(super) unsafe fn direct(offsets: &Offsets, dict: Object) -> Option<Entries> {
        // SAFETY: a block of keys begins with its header. Then come the index and the entries, as many as
        // the header says.
        unsafe {
            if !load::<*const u8>(dict, DICT_VALUES).is_null() {
                return None;
            }
            let keys = load::<Object>(dict, DICT_KEYS);
            let (index, stride) = match offsets.keys_have_kinds {
                true => {
                    let stride = match load::<u8>(keys, KEYS_KIND) {
                        GENERAL_KEYS => 3 * WORD,
                        STR_KEYS => 2 * WORD,
                        _ => return None,
                    };
                    (1usize.wrapping_shl(load::<u8>(keys, KEYS_LOG2_INDEX_BYTES).into()), stride)
                }
                false => {
                    let places = load::<usize>(keys, KEYS_PLACES);
                    let each = match places {
                        0..=0xff => 1,
                        0x100..=0xffff => 2,
                        0x1_0000..=0xffff_ffff => 4,
                        _ => 8,
                    };
                    (places.wrapping_mul(each), 3 * WORD)
                }
            };
            let len = load::<usize>(keys, offsets.keys_header - WORD);
            // Offsets that are not proven yet can lead anywhere.
            let place = keys
                .cast::<u8>()
                .cast_const()
                .wrapping_add(offsets.keys_header)
                .wrapping_add(index);
            let end = place.wrapping_add(len.wrapping_mul(stride));
            Some(Entries { dict, at: 0, place, end, stride })
        }
    }

    /// The number of entries that are left and are read directly, with those whose values were deleted.
    #[inline(always)]
    pub(super) fn len(&self) -> usize {
        self.end.addr().wrapping_sub(self.place.addr()).checked_div(self.stride).unwrap_or(0)
    }

    /// The place of the value of the next entry, of those that [`Entries::len`] counts.
    #[inline(always)]
    pub(super) fn next_place(&mut self) -> *mut Object {
        self.place = self.place.wrapping_add(self.stride);
        self.place.cast::<Object>().wrapping_sub(1).cast_mut()
    }

    /// Where the entries are that are read directly.
    pub(super) fn range(&self) -> Range<*const u8> {
        self.place..self.end
    }

    /// The next key and value.
    #[inline(always)]
    pub fn next(&mut self) -> Option<(Object, Object)> {
        if self.stride == 0 {
            return self.next_of_api();
        }
        while self.place != self.end {
            // SAFETY: the place is of an entry, because the dict does not change.
            let [key, value] = unsafe {
                self.place = self.place.add(self.stride);
                self.place.cast::<[Object; 2]>().sub(1).read()
            };
            if !value.is_null() {
                return Some((key, value));
            }
        }
        None
    }

    fn next_of_api(&mut self) -> Option<(Object, Object)> {
        let (mut key, mut value) = (null_mut(), null_mut());
        // SAFETY: the dict is alive and does not change.
        let more = unsafe { ffi::PyDict_Next(self.dict, &mut self.at, &mut key, &mut value) };
        (more != 0).then_some((key, value))
    }
}

/// Dicts with more keys have no hint. For so many, inference takes little longer than hashing.
const MOST_HINTED_KEYS: isize = 256;

/// A number for the keys of `dict` in their order. `None` if they are not plain strings.
///
/// # Safety
/// `dict` must be a live dict that does not change meanwhile, and the GIL must be held.
pub unsafe fn keys_hint(dict: Object) -> Option<u64> {
    // SAFETY: the caller's promise. The hash of a plain string runs no code and does not fail.
    unsafe {
        if ffi::PyDict_Size(dict) > MOST_HINTED_KEYS {
            return None;
        }
        let (mut entries, mut hint) = (Entries::of(dict), 0u64);
        while let Some((key, _)) = entries.next() {
            if !is_exactly(key, &raw mut ffi::PyUnicode_Type) {
                return None;
            }
            let hash = ffi::PyObject_Hash(key) as u64;
            // An odd constant with about as many ones as zeros, so that each bit affects many.
            hint = (hint.rotate_left(23) ^ hash).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        }
        Some(hint)
    }
}

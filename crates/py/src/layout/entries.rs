//! The entries of a dict, and its values in the order of a struct's fields.

use std::ptr::null_mut;
use std::sync::Arc;

use pyo3::ffi;
use serow_core::error::Fault;
use serow_core::layout::{OpResult, Text};

use super::{Access, Object, is_exactly};

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
    /// `dict` must be a live dict. It must not change while `known` is used. The GIL must be held.
    #[inline(always)]
    pub unsafe fn put<A: Access>(
        &mut self,
        access: A,
        dict: Object,
        items: &mut [Object],
        may_pass_over: impl Fn(Object) -> bool,
    ) -> OpResult<usize> {
        // SAFETY: as above.
        let mut entries = unsafe { Entries::of(dict) };
        let (mut next, mut found) = (0, 0);
        while let Some((key, value)) = entries.next() {
            let at = match self.known.get(next) {
                Some(&known) if known == key => next,
                // SAFETY: as above.
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
}

impl Entries {
    /// Safety
    /// `dict` must be a live dict that does not change while this is used, and the GIL must be
    /// held.
    pub unsafe fn of(dict: Object) -> Entries {
        Entries { dict, at: 0 }
    }

    /// The next key and value.
    #[inline(always)]
    pub fn next(&mut self) -> Option<(Object, Object)> {
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
    // SAFETY: as above. The hash of a plain string runs no code and does not fail.
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

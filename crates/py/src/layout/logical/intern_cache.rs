//! A cache of recently made objects, which equal values share. Days and prices repeat, and a lookup
//! takes a tenth of the time of making the object.

use std::ptr::null_mut;

use pyo3::ffi;

use super::super::{Access, Object};

/// Objects by the two integers that they are made of. It allocates only after [`FEW`] objects, and
/// frees its memory when too few lookups hit.
#[derive(Default)]
pub struct InternCache {
    slots: Vec<CachedObject>,
    /// Lookups, and hits among them, since the last evaluation.
    asked: u32,
    found: u32,
    useless: bool,
}

#[derive(Clone, Copy)]
struct CachedObject {
    components: [i64; 2],
    object: Object,
}

/// Slots of the direct-mapped cache.
const SLOTS: usize = 4096;

/// Objects before the slots are allocated.
const FEW: u32 = 64;

/// Lookups between evaluations; the cache is dropped if fewer than one in [`SHARE`] hits.
const MANY: u32 = 4096;
const SHARE: u32 = 8;

impl InternCache {
    /// A new reference to the object of `components`, from the cache or from `make`.
    ///
    /// # Safety
    /// Objects of equal parts must be equal and immutable.
    #[inline]
    pub unsafe fn find<A: Access, E>(
        &mut self,
        access: A,
        components: [i64; 2],
        make: impl FnOnce() -> Result<Object, E>,
    ) -> Result<Object, E> {
        if self.useless {
            return make();
        }
        self.asked += 1;
        if self.slots.is_empty() {
            if self.asked < FEW {
                return make();
            }
            self.slots = vec![CachedObject { components: [0; 2], object: null_mut() }; SLOTS];
        } else if self.asked == MANY {
            self.useless = self.found < MANY / SHARE;
            (self.asked, self.found) = (0, 0);
            if self.useless {
                self.forget();
                return make();
            }
        }
        let slot = &mut self.slots[slot_of(components)];
        // SAFETY: the cache owns the object, or the slot is empty.
        unsafe {
            if slot.components == components && !slot.object.is_null() {
                self.found += 1;
                access.incref(slot.object);
                return Ok(slot.object);
            }
            let object = make()?;
            access.incref(object);
            let before = std::mem::replace(slot, CachedObject { components, object });
            ffi::Py_DecRef(before.object);
            Ok(object)
        }
    }

    fn forget(&mut self) {
        for slot in self.slots.drain(..) {
            // SAFETY: the cache owns the reference, or it is null, and the GIL is held.
            unsafe { ffi::Py_DecRef(slot.object) };
        }
    }
}

/// Maps days, whose second integer is zero, to consecutive slots, and other values to any slot.
#[inline]
fn slot_of([first, second]: [i64; 2]) -> usize {
    const SPREAD: u64 = 0x9E37_79B9_7F4A_7C15;
    let word = (first as u64).wrapping_add((second as u64).wrapping_mul(SPREAD));
    let spread = if second == 0 { word } else { word.wrapping_mul(SPREAD) >> 52 };
    spread as usize % SLOTS
}

impl Drop for InternCache {
    fn drop(&mut self) {
        self.forget();
    }
}

//! Elements of sets and keys of dicts that have one hash.
//!
//! CPython's hashes of numbers are the same in every process, so a message can hold numbers that were
//! chosen to have one. A set of them would take time that grows with the square of their number.

use pyo3::ffi;
use serow_core::error::Fault;
use serow_core::layout::OpResult;
use serow_core::memory;

use super::{Access, Object, logical};

/// Sets and dicts of at most so many elements are made whatever their hashes are.
const FEW: usize = 1024;

/// The most elements of a larger one that may have one hash. To insert one more takes a comparison with
/// each of them.
const MOST_OF_A_HASH: usize = 256;

/// Checks that no hash is the hash of very many elements of a set or keys of a dict, which are every
/// `step`th item.
///
/// # Safety
/// `items` must be a live tuple.
#[inline(always)]
pub unsafe fn check<A: Access>(access: A, items: Object, step: usize) -> OpResult {
    // SAFETY: the caller's promise.
    unsafe {
        let len = ffi::PyTuple_Size(items) as usize;
        if len > FEW * step { count(access, items, len, step) } else { Ok(()) }
    }
}

#[cold]
unsafe fn count<A: Access>(access: A, items: Object, len: usize, step: usize) -> OpResult {
    let mut hashes = Vec::new();
    for at in (0..len).step_by(step) {
        // SAFETY: the caller's promise. A hash may run code of the caller, as putting the item in does.
        unsafe {
            let item = ffi::PyTuple_GetItem(items, at as isize);
            // At most nine integers of 64 bits have one hash, and text has a secret seed.
            if access.read_int(item).is_err() && logical::may_collide(item) {
                let hash = ffi::PyObject_Hash(item);
                if hash == -1 {
                    // Only an error has this hash. It comes again when the item is put in.
                    ffi::PyErr_Clear();
                    continue;
                }
                memory::push(&mut hashes, hash)?;
            }
        }
    }
    hashes.sort_unstable();
    let is_flooded = |most: usize| hashes.windows(most + 1).any(|run| run[0] == run[most]);
    match is_flooded(MOST_OF_A_HASH) {
        true => Err(Fault::Limit(
            "a set or dict has more than 256 elements or keys with one hash in Python, so that it \
             would take very long to make; split it, or keep its numbers in a list",
        )),
        false => Ok(()),
    }
}

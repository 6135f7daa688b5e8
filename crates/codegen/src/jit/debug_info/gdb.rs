//! gdb's interface to run-time compilers.
//!
//! gdb sets a breakpoint in a function with a fixed name. When the function is called, gdb reads a
//! list with a fixed name. gdb's manual documents both under "JIT Interface". LLVM defines the two
//! as well, in an object that is linked statically and hidden with the rest of LLVM. Here they are
//! exported, so that gdb finds them in a library without a symbol table. This file also defines the
//! third function of LLVM's object, so that the linker does not need the object. Only a part of
//! LLVM that serow never uses would call that function.

use std::ptr;
use std::sync::{Mutex, PoisonError};

#[repr(C)]
struct CodeEntry {
    next: *mut CodeEntry,
    prev: *mut CodeEntry,
    file: *const u8,
    size: u64,
}

/// The list that gdb reads.
#[repr(C)]
pub struct Descriptor {
    version: u32,
    action: u32,
    relevant: *mut CodeEntry,
    first: *mut CodeEntry,
}

const REGISTER: u32 = 1;
const UNREGISTER: u32 = 2;

#[unsafe(no_mangle)]
static mut __jit_debug_descriptor: Descriptor =
    Descriptor { version: 1, action: 0, relevant: ptr::null_mut(), first: ptr::null_mut() };

/// gdb stops here and then reads the descriptor.
#[unsafe(no_mangle)]
#[inline(never)]
extern "C" fn __jit_debug_register_code() {
    // The descriptor must be written before this call, and the call must not be optimised away.
    std::hint::black_box(&raw const __jit_debug_descriptor);
}

/// Keeps LLVM's object out of the link.
#[unsafe(no_mangle)]
extern "C" fn llvm_orc_registerJITLoaderGDBAllocAction() {
    std::process::abort();
}

/// Held while the list changes.
static LIST: Mutex<()> = Mutex::new(());

/// A file in memory. gdb knows it until this value is dropped.
#[derive(Debug)]
pub(super) struct Entry {
    entry: *mut CodeEntry,
    _file: Box<[u8]>,
}

// SAFETY: the entry is only accessed under the lock of the list.
unsafe impl Send for Entry {}
// SAFETY: a shared reference has no methods.
unsafe impl Sync for Entry {}

impl Entry {
    pub(super) fn new(file: Box<[u8]>) -> Entry {
        let _list = LIST.lock().unwrap_or_else(PoisonError::into_inner);
        let (start, size) = (file.as_ptr(), file.len() as u64);
        let list = &raw mut __jit_debug_descriptor;
        // SAFETY: the list is locked, and its entries live until they are removed from it.
        unsafe {
            let first = (*list).first;
            let entry = CodeEntry { next: first, prev: ptr::null_mut(), file: start, size };
            let entry = Box::into_raw(Box::new(entry));
            if let Some(first) = first.as_mut() {
                first.prev = entry;
            }
            (*list).first = entry;
            tell(entry, REGISTER);
            Entry { entry, _file: file }
        }
    }
}

impl Drop for Entry {
    fn drop(&mut self) {
        let _list = LIST.lock().unwrap_or_else(PoisonError::into_inner);
        let list = &raw mut __jit_debug_descriptor;
        // SAFETY: the list is locked, and the entry is in it.
        unsafe {
            let (next, prev) = ((*self.entry).next, (*self.entry).prev);
            match prev.as_mut() {
                Some(prev) => prev.next = next,
                None => (*list).first = next,
            }
            if let Some(next) = next.as_mut() {
                next.prev = prev;
            }
            tell(self.entry, UNREGISTER);
            drop(Box::from_raw(self.entry));
        }
    }
}

/// # Safety
/// The list must be locked.
unsafe fn tell(entry: *mut CodeEntry, action: u32) {
    let list = &raw mut __jit_debug_descriptor;
    // SAFETY: the caller has locked the list.
    unsafe {
        (*list).relevant = entry;
        (*list).action = action;
        __jit_debug_register_code();
        (*list).action = 0;
        (*list).relevant = ptr::null_mut();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list() -> Vec<usize> {
        let (mut files, list) = (Vec::new(), &raw const __jit_debug_descriptor);
        // SAFETY: no other test has entries.
        let mut entry = unsafe { (*list).first };
        // SAFETY: as above.
        while let Some(at) = unsafe { entry.as_ref() } {
            files.push(at.size as usize);
            entry = at.next;
        }
        files
    }

    #[test]
    fn entries_are_in_the_list_while_they_live() {
        let entry = |size| Entry::new(vec![0; size].into());
        let (one, two, three) = (entry(1), entry(2), entry(3));
        assert_eq!(list(), [3, 2, 1]);
        drop(two);
        assert_eq!(list(), [3, 1]);
        drop(three);
        drop(one);
        assert_eq!(list(), [0; 0]);
    }
}

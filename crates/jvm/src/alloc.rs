//! The allocator of this library: large blocks come from the system and go back to it at once.
//!
//! The C library keeps freed blocks in the pool of the thread that allocated them, so a process
//! whose threads each decode one large message would hold the memory of all of them. It also moves
//! a block that grows by copying it, where the system only moves its pages.

use std::alloc::{GlobalAlloc, Layout, System};
use std::ptr;

use serow_core::emergency::Emergency;

/// Blocks of this size and more are mapped. Encoders and decoders keep their memory from message to
/// message, so mapping costs nothing where it would be noticed.
const LARGE: usize = 1 << 20;

/// Mappings are aligned to this.
const PAGE: usize = 4096;

struct Allocator;

/// A JVM does not end because a call finds no memory.
#[global_allocator]
static ALLOCATOR: Emergency<Allocator> = Emergency(Allocator);

fn is_mapped(size: usize, align: usize) -> bool {
    size >= LARGE && align <= PAGE
}

/// Memory of the system's, all zeros; null if there is none.
fn map(size: usize) -> *mut u8 {
    // SAFETY: the mapping is private, anonymous, and where the system likes to have it.
    let start = unsafe {
        libc::mmap(
            ptr::null_mut(),
            size,
            libc::PROT_READ | libc::PROT_WRITE,
            libc::MAP_PRIVATE | libc::MAP_ANONYMOUS,
            -1,
            0,
        )
    };
    if start == libc::MAP_FAILED { ptr::null_mut() } else { start.cast() }
}

// SAFETY: whether a block is mapped depends on its layout alone, so each is freed as it was
// allocated. Mappings are as large as asked for and aligned to pages.
unsafe impl GlobalAlloc for Allocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        match is_mapped(layout.size(), layout.align()) {
            true => map(layout.size()),
            // SAFETY: the caller's promise.
            false => unsafe { System.alloc(layout) },
        }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        match is_mapped(layout.size(), layout.align()) {
            true => map(layout.size()),
            // SAFETY: the caller's promise.
            false => unsafe { System.alloc_zeroed(layout) },
        }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        match is_mapped(layout.size(), layout.align()) {
            // SAFETY: `alloc` has mapped exactly this, and the caller does not use it again. It can't
            // fail for a whole mapping.
            true => unsafe {
                libc::munmap(block.cast(), layout.size());
            },
            // SAFETY: the caller's promise.
            false => unsafe { System.dealloc(block, layout) },
        }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        let was_mapped = is_mapped(layout.size(), layout.align());
        match (was_mapped, is_mapped(new_size, layout.align())) {
            // SAFETY: the caller's promise.
            (false, false) => unsafe { System.realloc(block, layout, new_size) },
            (true, true) => {
                // SAFETY: `alloc` has mapped exactly this. If it fails the mapping is as it was.
                let start = unsafe {
                    libc::mremap(block.cast(), layout.size(), new_size, libc::MREMAP_MAYMOVE)
                };
                if start == libc::MAP_FAILED { ptr::null_mut() } else { start.cast() }
            }
            // SAFETY: the caller's promise; the new block is as aligned as the old one, and both
            // have as many bytes as are copied.
            _ => unsafe {
                let new = self.alloc(Layout::from_size_align_unchecked(new_size, layout.align()));
                if !new.is_null() {
                    new.copy_from_nonoverlapping(block, layout.size().min(new_size));
                    self.dealloc(block, layout);
                }
                new
            },
        }
    }
}

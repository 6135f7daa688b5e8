//! The allocator of this library. It maps large blocks, so the system has their memory back at
//! once.
//!
//! The C library would keep freed blocks in the pool of the thread that allocated them. A process
//! whose threads each decode one large message would then hold the memory of all messages. It also
//! grows a block by copying it, while the system only remaps its pages.

use std::alloc::{GlobalAlloc, Layout, System};
use std::ptr;

use serow_core::emergency::Emergency;

/// Minimum size of mapped blocks. Encoders and decoders keep their memory between messages, so the
/// cost of mapping does not matter.
const LARGE: usize = 1 << 20;

/// Alignment of mappings.
const PAGE: usize = 4096;

struct Allocator;

/// Keeps an emergency reserve, so that a failed allocation doesn't abort the JVM.
#[global_allocator]
static ALLOCATOR: Emergency<Allocator> = Emergency(Allocator);

fn is_mapped(size: usize, align: usize) -> bool {
    size >= LARGE && align <= PAGE
}

/// Maps zeroed memory; null if there is none.
fn map(size: usize) -> *mut u8 {
    // SAFETY: a private, anonymous mapping at an address that the system chooses.
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

// SAFETY: only the layout decides whether a block is mapped, so each block is freed as it was
// allocated. Mappings have the requested size and are aligned to pages.
unsafe impl GlobalAlloc for Allocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        match is_mapped(layout.size(), layout.align()) {
            true => map(layout.size()),
            // SAFETY: the caller upholds the contract.
            false => unsafe { System.alloc(layout) },
        }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        match is_mapped(layout.size(), layout.align()) {
            true => map(layout.size()),
            // SAFETY: the caller upholds the contract.
            false => unsafe { System.alloc_zeroed(layout) },
        }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        match is_mapped(layout.size(), layout.align()) {
            // SAFETY: `alloc` has mapped exactly this block, and the caller does not use it again.
            // Unmapping a whole mapping can't fail.
            true => unsafe {
                libc::munmap(block.cast(), layout.size());
            },
            // SAFETY: the caller upholds the contract.
            false => unsafe { System.dealloc(block, layout) },
        }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        let was_mapped = is_mapped(layout.size(), layout.align());
        match (was_mapped, is_mapped(new_size, layout.align())) {
            // SAFETY: the caller upholds the contract.
            (false, false) => unsafe { System.realloc(block, layout, new_size) },
            (true, true) => {
                // SAFETY: `alloc` has mapped exactly this block. On failure the mapping is
                // unchanged.
                let start = unsafe {
                    libc::mremap(block.cast(), layout.size(), new_size, libc::MREMAP_MAYMOVE)
                };
                if start == libc::MAP_FAILED { ptr::null_mut() } else { start.cast() }
            }
            // SAFETY: the caller upholds the contract; both blocks have the same alignment and at
            // least as many bytes as are copied.
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

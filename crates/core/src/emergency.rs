//! A memory reserve for small infallible allocations when the system is out of memory.
//!
//! Memory whose size depends on the data is reserved fallibly, and failure is an error. But Rust's
//! maps, boxes and strings abort the process if they can't allocate even a few bytes, and a library
//! must not abort its host. So the extensions use the allocator [`Emergency`]. If the system's
//! allocator fails, it serves small allocations from a static arena. The run notices this at its
//! next checkpoint ([`is_low`]), ends with an error, and frees everything.

use std::alloc::{GlobalAlloc, Layout};
use std::cell::UnsafeCell;
use std::mem::MaybeUninit;
use std::ptr::null_mut;
use std::sync::atomic::{AtomicU64, Ordering};

/// Bytes of the arena. Untouched pages cost only address space.
const ARENA: usize = 4 << 20;
/// The largest allocation that the arena serves. Larger ones depend on the data, and their callers
/// handle failure.
const LARGEST_SERVED: usize = 256 << 10;
/// Size of a probing allocation. It is larger than anything that the arena serves.
const BEYOND: usize = 1 << 20;
const ALIGN: usize = 64;

#[repr(align(64))]
struct Arena(UnsafeCell<[MaybeUninit<u8>; ARENA]>);

// SAFETY: no two allocations share bytes, and only the owner of an allocation uses its bytes.
unsafe impl Sync for Arena {}

static MEMORY: Arena = Arena(UnsafeCell::new([MaybeUninit::uninit(); ARENA]));

/// The number of live allocations in the upper half, and the number of used bytes in the lower
/// half. Freeing the last allocation makes all bytes free again.
static STATE: AtomicU64 = AtomicU64::new(0);

const ONE: u64 = 1 << 32;

fn taken(state: u64) -> usize {
    (state & (ONE - 1)) as usize
}

/// Returns whether a run must end for lack of memory: much of the arena is used, and the system
/// still has no memory. Long-lived allocations may stay in the arena after the system has memory
/// again, so this probes the system too.
pub fn is_low() -> bool {
    taken(STATE.load(Ordering::Relaxed)) > ARENA / 4
        && Vec::<u8>::new().try_reserve_exact(BEYOND).is_err()
}

fn take(layout: Layout, largest: usize) -> *mut u8 {
    if layout.size() > largest || layout.align() > ALIGN {
        return null_mut();
    }
    let size = layout.size().next_multiple_of(ALIGN);
    let step = |state: u64| (taken(state) + size <= ARENA).then(|| state + ONE + size as u64);
    match STATE.fetch_update(Ordering::AcqRel, Ordering::Relaxed, step) {
        Ok(before) => MEMORY.0.get().cast::<u8>().wrapping_add(taken(before)),
        Err(_) => null_mut(),
    }
}

fn is_in_arena(at: *mut u8) -> bool {
    at.addr().wrapping_sub(MEMORY.0.get().addr()) < ARENA
}

fn give_back() {
    let step = |state: u64| Some(if state < 2 * ONE { 0 } else { state - ONE });
    let _ = STATE.fetch_update(Ordering::AcqRel, Ordering::Relaxed, step);
}

/// An allocator with a reserve: an arena serves allocations of up to `LARGEST` bytes for which the
/// inner allocator fails.
///
/// ```
/// use std::alloc::System;
/// use serow_core::emergency::Emergency;
///
/// #[global_allocator]
/// static ALLOCATOR: Emergency<System> = Emergency(System);
/// # fn main() {}
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Emergency<A, const LARGEST: usize = LARGEST_SERVED>(pub A);

// SAFETY: memory comes from the inner allocator or from the arena. Its address tells which, so it
// is freed where it came from.
unsafe impl<A: GlobalAlloc, const LARGEST: usize> GlobalAlloc for Emergency<A, LARGEST> {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promise.
        let memory = unsafe { self.0.alloc(layout) };
        if memory.is_null() { take(layout, LARGEST) } else { memory }
    }

    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promise.
        let memory = unsafe { self.0.alloc_zeroed(layout) };
        if !memory.is_null() {
            return memory;
        }
        let memory = take(layout, LARGEST);
        if !memory.is_null() {
            // SAFETY: `take` reserved `layout.size()` bytes.
            unsafe { memory.write_bytes(0, layout.size()) };
        }
        memory
    }

    #[inline]
    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        if is_in_arena(memory) {
            give_back();
        } else {
            // SAFETY: the memory came from the inner allocator.
            unsafe { self.0.dealloc(memory, layout) };
        }
    }

    #[inline]
    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        if !is_in_arena(memory) {
            // SAFETY: the memory came from the inner allocator.
            let moved = unsafe { self.0.realloc(memory, layout, new_size) };
            if !moved.is_null() {
                return moved;
            }
        }
        // SAFETY: the caller promises that the new size is valid for this alignment. Both blocks
        // have at least the copied number of bytes, and the old one is freed once.
        unsafe {
            let moved = self.alloc(Layout::from_size_align_unchecked(new_size, layout.align()));
            if !moved.is_null() {
                moved.copy_from_nonoverlapping(memory, layout.size().min(new_size));
                self.dealloc(memory, layout);
            }
            moved
        }
    }
}

//! Memory for the small allocations that cannot fail, when the system has no more.
//!
//! What grows with the data is reserved fallibly, and an error says that there is no memory. Rust's maps, boxes and
//! strings end the process where the system has no memory even for a few bytes. A library in somebody
//! else's process must not. So an extension's allocator is [`Emergency`]: where the system fails, small
//! allocations are served from an arena that was there before, until the run notices at its next
//! checkpoint ([`is_low`]) and ends with an error. Everything is given back then.

use std::alloc::{GlobalAlloc, Layout};
use std::cell::UnsafeCell;
use std::mem::MaybeUninit;
use std::ptr::null_mut;
use std::sync::atomic::{AtomicU64, Ordering};

/// Bytes of the arena. Nobody touches them before they are needed, so they cost addresses only.
const ARENA: usize = 4 << 20;
/// The largest allocation that is served. Larger ones depend on the data, and whoever asks expects to fail.
const LARGEST_SERVED: usize = 256 << 10;
/// An allocation that is never served.
const BEYOND: usize = 1 << 20;
const ALIGN: usize = 64;

#[repr(align(64))]
struct Arena(UnsafeCell<[MaybeUninit<u8>; ARENA]>);

// SAFETY: no two allocations share bytes, and only who has one uses its bytes.
unsafe impl Sync for Arena {}

static MEMORY: Arena = Arena(UnsafeCell::new([MaybeUninit::uninit(); ARENA]));

/// In the upper half the allocations that are alive, in the lower half the bytes that are taken. With
/// the last allocation all bytes are free again.
static STATE: AtomicU64 = AtomicU64::new(0);

const ONE: u64 = 1 << 32;

fn taken(state: u64) -> usize {
    (state & (ONE - 1)) as usize
}

/// Whether so much of the arena is in use that a run must end for want of memory. What lives for long may
/// stay there after the system has memory again, so that is asked too.
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

/// An allocator, with an arena behind it for allocations of `LARGEST` bytes or less that it fails.
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

// SAFETY: memory is the inner allocator's or the arena's, and goes back to where it came from, which its
// address tells.
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
            // SAFETY: so many bytes were taken.
            unsafe { memory.write_bytes(0, layout.size()) };
        }
        memory
    }

    #[inline]
    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        if is_in_arena(memory) {
            give_back();
        } else {
            // SAFETY: the memory is the inner allocator's.
            unsafe { self.0.dealloc(memory, layout) };
        }
    }

    #[inline]
    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        if !is_in_arena(memory) {
            // SAFETY: the memory is the inner allocator's.
            let moved = unsafe { self.0.realloc(memory, layout, new_size) };
            if !moved.is_null() {
                return moved;
            }
        }
        // SAFETY: the caller promises that the new size is one of this alignment; both pieces have
        // as many bytes as are copied, and the old one is given back once.
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

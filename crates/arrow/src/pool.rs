//! Memory of arrays and of columns that were dropped, for the next ones: it is faster than new memory, which
//! the system has to clear.
//!
//! Nobody waits for the lock of the pool, so a forked child can't hang on it. Who does not get it goes to the
//! allocator.

use std::any::Any;
use std::ops::{Deref, DerefMut};
use std::panic::RefUnwindSafe;
use std::ptr::NonNull;
use std::sync::{Arc, Mutex};

use arrow_buffer::Buffer;
use serow_core::error::Fault;
use serow_core::layout::batch::Batch;
use serow_core::memory;

/// Values of arrays.
pub trait Pooled: Copy + Send + Sync + RefUnwindSafe + 'static {}

impl<T: Copy + Send + Sync + RefUnwindSafe + 'static> Pooled for T {}

/// Memory that nobody uses.
struct Pool {
    /// Vectors and batches, and the bytes that each has.
    spare: Vec<(usize, Box<dyn Any + Send>)>,
    bytes: usize,
}

static POOL: Mutex<Pool> = Mutex::new(Pool { spare: Vec::new(), bytes: 0 });

/// Arrays of fewer bytes get their memory from the allocator, which keeps such memory itself.
const LEAST_BYTES: usize = 64 << 10;

/// The bytes that are kept at most.
const MOST_BYTES: usize = 128 << 20;

/// The pool gives a caller memory of at most this many times the size that it needs.
const MOST_TIMES: usize = 4;

/// Takes the last of the spare ones of this type that fits.
fn reuse<T: Send + 'static>(fits: impl Fn(&T) -> bool) -> Option<T> {
    let mut pool = POOL.try_lock().ok()?;
    let at = pool.spare.iter().rposition(|(_, one)| one.downcast_ref().is_some_and(&fits))?;
    let (bytes, one) = pool.spare.swap_remove(at);
    pool.bytes -= bytes;
    one.downcast().ok().map(|one| *one)
}

/// Keeps this, which has `bytes`, unless the pool is full.
fn keep<T: Send + 'static>(one: T, bytes: usize) {
    if let Ok(mut pool) = POOL.try_lock()
        && pool.bytes + bytes <= MOST_BYTES
    {
        pool.bytes += bytes;
        pool.spare.push((bytes, Box::new(one)));
    }
}

/// An empty vector with space for `len` values, to be made a [`buffer`].
///
/// # Errors
/// A fault if there is no memory.
pub fn take<T: Pooled>(len: usize) -> Result<Vec<T>, Fault> {
    let fits = len..=len.saturating_mul(MOST_TIMES);
    let found = match len.saturating_mul(size_of::<T>()) {
        0..LEAST_BYTES => None,
        _ => reuse(|spare: &Vec<T>| fits.contains(&spare.capacity())),
    };
    found.map_or_else(|| memory::with_capacity(len), Ok)
}

/// The values as memory of an array, which gives it to the pool when it is dropped.
pub fn buffer<T: Pooled>(values: Vec<T>) -> Buffer {
    let (start, bytes) = (NonNull::from(&values[..]).cast(), size_of_val(&values[..]));
    // SAFETY: the values are in memory of the owner, which stays in place and lives as long as the buffer.
    // Nobody else can use it.
    unsafe { Buffer::from_custom_allocation(start, bytes, Arc::new(Owner(values))) }
}

/// The memory of an array.
struct Owner<T: Pooled>(Vec<T>);

impl<T: Pooled> Drop for Owner<T> {
    fn drop(&mut self) {
        let mut values = std::mem::take(&mut self.0);
        let bytes = values.capacity() * size_of::<T>();
        if bytes >= LEAST_BYTES {
            values.clear();
            keep(values, bytes);
        }
    }
}

/// Columns for any rows, whose memory is kept from one call to the next.
pub struct Columns(Batch);

impl Columns {
    /// Takes spare columns, or makes some.
    pub fn take() -> Columns {
        Columns(reuse(|_: &Batch| true).unwrap_or_default())
    }
}

impl Drop for Columns {
    fn drop(&mut self) {
        let bytes = self.0.capacity();
        keep(std::mem::take(&mut self.0), bytes);
    }
}

impl Deref for Columns {
    type Target = Batch;

    fn deref(&self) -> &Batch {
        &self.0
    }
}

impl DerefMut for Columns {
    fn deref_mut(&mut self) -> &mut Batch {
        &mut self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_of_dropped_arrays_is_used_again() {
        let len = LEAST_BYTES / 8;
        let mut values = take::<i64>(len).unwrap();
        values.extend(0..len as i64);
        let start = values.as_ptr().addr();
        let array = buffer(values);
        assert_eq!(array.typed_data::<i64>()[len - 1], len as i64 - 1);
        let part = array.slice(8);
        drop(array);
        let other = take::<i64>(len).unwrap();
        assert_ne!(other.as_ptr().addr(), start);
        drop(part);
        let again = take::<i64>(len).unwrap();
        assert_eq!((again.as_ptr().addr(), again.len()), (start, 0));
        drop(buffer(again));
        let small = take::<i64>(len / MOST_TIMES - 1).unwrap();
        assert_ne!(small.as_ptr().addr(), start);
        assert!(buffer(Vec::<u8>::new()).is_empty());
    }
}

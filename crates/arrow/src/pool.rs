//! Memory of arrays that were dropped, for the next ones: it is faster than new memory, which the system
//! has to clear.

use std::ptr::NonNull;
use std::sync::{Arc, Mutex};

use arrow_buffer::Buffer;
use serow_core::error::Fault;
use serow_core::memory;

/// Values of arrays.
pub trait Pooled: Copy + Send + Sync + std::panic::RefUnwindSafe + 'static {
    fn spare(pool: &mut Pool) -> &mut Vec<Vec<Self>>;
}

/// Memory that no array uses.
#[derive(Default)]
pub struct Pool {
    u8: Vec<Vec<u8>>,
    i8: Vec<Vec<i8>>,
    i16: Vec<Vec<i16>>,
    i32: Vec<Vec<i32>>,
    i64: Vec<Vec<i64>>,
    u64: Vec<Vec<u64>>,
    f64: Vec<Vec<f64>>,
    i128: Vec<Vec<i128>>,
    bytes: usize,
}

macro_rules! pooled {
    ($($ty:ident),*) => {
        $(impl Pooled for $ty {
            fn spare(pool: &mut Pool) -> &mut Vec<Vec<$ty>> {
                &mut pool.$ty
            }
        })*
    };
}

pooled!(u8, i8, i16, i32, i64, u64, f64, i128);

static POOL: Mutex<Option<Pool>> = Mutex::new(None);

/// Arrays of fewer bytes get their memory from the allocator, which keeps such memory itself.
const LEAST_BYTES: usize = 64 << 10;

/// The bytes that are kept at most.
const MOST_BYTES: usize = 64 << 20;

/// The pool gives a caller memory of at most this many times the size that it needs.
const MOST_TIMES: usize = 4;

/// Calls `with` with the pool, unless another thread has it. It does not wait for the lock, so a forked
/// child can't hang on it.
fn with_pool<T>(with: impl FnOnce(&mut Pool) -> T) -> Option<T> {
    POOL.try_lock().ok().map(|mut pool| with(pool.get_or_insert_default()))
}

/// An empty vector with space for `len` values, to be made a [`buffer`].
///
/// # Errors
/// A fault if there is no memory.
pub fn take<T: Pooled>(len: usize) -> Result<Vec<T>, Fault> {
    let bytes = len.saturating_mul(size_of::<T>());
    let found = (bytes >= LEAST_BYTES).then(|| {
        with_pool(|pool| {
            let spare = T::spare(pool);
            let fits = len..=len.saturating_mul(MOST_TIMES);
            let at = spare.iter().rposition(|one| fits.contains(&one.capacity()))?;
            let mut taken = spare.swap_remove(at);
            pool.bytes -= taken.capacity() * size_of::<T>();
            taken.clear();
            Some(taken)
        })
    });
    match found.flatten().flatten() {
        Some(taken) => Ok(taken),
        None => memory::with_capacity(len),
    }
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
        let values = std::mem::take(&mut self.0);
        let bytes = values.capacity() * size_of::<T>();
        if bytes >= LEAST_BYTES {
            with_pool(|pool| {
                if pool.bytes + bytes <= MOST_BYTES {
                    pool.bytes += bytes;
                    T::spare(pool).push(values);
                }
            });
        }
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

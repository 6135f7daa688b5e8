//! Fallible allocation of vectors whose size depends on the data.

use crate::emergency;
use crate::error::Fault;

/// A result whose error is lack of memory.
type Result<T = ()> = std::result::Result<T, Fault>;

/// Reserves space for `more` values.
///
/// # Errors
/// `NoMemory` if the allocation fails.
#[inline]
pub fn reserve<T>(values: &mut Vec<T>, more: usize) -> Result {
    match values.capacity() - values.len() < more {
        true => values.try_reserve(more).map_err(|_| Fault::NoMemory),
        false => Ok(()),
    }
}

/// Returns an empty vector with space for `len` values.
///
/// # Errors
/// See [`reserve`].
pub fn with_capacity<T>(len: usize) -> Result<Vec<T>> {
    let mut values = Vec::new();
    values.try_reserve_exact(len).map_err(|_| Fault::NoMemory)?;
    Ok(values)
}

/// Returns a copy of `values`.
///
/// # Errors
/// See [`reserve`].
pub fn copied<T: Copy>(values: &[T]) -> Result<Vec<T>> {
    let mut copy = with_capacity(values.len())?;
    copy.extend_from_slice(values);
    Ok(copy)
}

/// Appends a value.
///
/// # Errors
/// See [`reserve`].
#[inline]
pub fn push<T>(values: &mut Vec<T>, value: T) -> Result {
    reserve(values, 1)?;
    values.push(value);
    Ok(())
}

/// Appends `more`.
///
/// # Errors
/// See [`reserve`].
pub fn extend<T: Copy>(values: &mut Vec<T>, more: &[T]) -> Result {
    reserve(values, more.len())?;
    values.extend_from_slice(more);
    Ok(())
}

/// Changes the length to `len`. New values are clones of `value`.
///
/// # Errors
/// See [`reserve`].
pub fn resize<T: Clone>(values: &mut Vec<T>, len: usize, value: T) -> Result {
    reserve(values, len.saturating_sub(values.len()))?;
    values.resize(len, value);
    Ok(())
}

/// Checks that `bytes` can be allocated. Call it before infallible allocations that depend on the
/// data.
///
/// # Errors
/// `NoMemory` if they can't, or if the process already uses its [emergency] reserve.
pub fn check(bytes: usize) -> Result {
    if emergency::is_low() {
        return Err(Fault::NoMemory);
    }
    with_capacity::<u8>(bytes).map(drop)
}

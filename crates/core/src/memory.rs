//! Vectors that grow with the data, where it is an error that there is no memory.

use crate::emergency;
use crate::error::Fault;

/// What was asked for, unless there is no memory.
type Result<T = ()> = std::result::Result<T, Fault>;

/// Have room for `more` values.
///
/// # Errors
/// If there is no memory for them.
#[inline]
pub fn reserve<T>(values: &mut Vec<T>, more: usize) -> Result {
    match values.capacity() - values.len() < more {
        true => values.try_reserve(more).map_err(|_| Fault::NoMemory),
        false => Ok(()),
    }
}

/// A vector with room for `len` values.
///
/// # Errors
/// As [`reserve`].
pub fn with_capacity<T>(len: usize) -> Result<Vec<T>> {
    let mut values = Vec::new();
    values.try_reserve_exact(len).map_err(|_| Fault::NoMemory)?;
    Ok(values)
}

/// A vector of `values`.
///
/// # Errors
/// As [`reserve`].
pub fn copied<T: Copy>(values: &[T]) -> Result<Vec<T>> {
    let mut copy = with_capacity(values.len())?;
    copy.extend_from_slice(values);
    Ok(copy)
}

/// Append a value.
///
/// # Errors
/// As [`reserve`].
#[inline]
pub fn push<T>(values: &mut Vec<T>, value: T) -> Result {
    reserve(values, 1)?;
    values.push(value);
    Ok(())
}

/// Append `more`.
///
/// # Errors
/// As [`reserve`].
pub fn extend<T: Copy>(values: &mut Vec<T>, more: &[T]) -> Result {
    reserve(values, more.len())?;
    values.extend_from_slice(more);
    Ok(())
}

/// Have `len` values, of which those that are new are `value`.
///
/// # Errors
/// As [`reserve`].
pub fn resize<T: Clone>(values: &mut Vec<T>, len: usize, value: T) -> Result {
    reserve(values, len.saturating_sub(values.len()))?;
    values.resize(len, value);
    Ok(())
}

/// Look whether `bytes` can be had, before something is made of them that cannot fail.
///
/// # Errors
/// If they can't, or if the process lives on what was kept for [emergencies](emergency).
pub fn check(bytes: usize) -> Result {
    if emergency::is_low() {
        return Err(Fault::NoMemory);
    }
    with_capacity::<u8>(bytes).map(drop)
}

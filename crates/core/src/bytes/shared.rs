//! Memory that other threads may write to while it is read.

use std::sync::atomic::{AtomicU8, AtomicU16, AtomicU32, AtomicU64, Ordering};

use crate::error::Fault;
use crate::memory;

/// Appends the `len` bytes at `from` to `to`. Other threads may write to the bytes meanwhile; then the
/// copy has any mix of old and new bytes. An ordinary copy would be a data race, so this one loads
/// atomically, a byte or eight bytes at a time. Rust defines that only if the others store as many at a time; the
/// threads of other languages, which may store any number, are beyond its rules, and processors give a
/// mix.
///
/// # Errors
/// `NoMemory` if there is none for the copy.
///
/// # Safety
/// The bytes must be readable until this function returns.
pub unsafe fn append_shared(
    from: *const u8,
    len: usize,
    to: &mut Vec<u8>,
) -> std::result::Result<(), Fault> {
    memory::reserve(to, len)?;
    // SAFETY: the caller's promise, and the memory is reserved. All bytes are written before the length is
    // set.
    unsafe {
        copy_shared(from, len, to.as_mut_ptr().add(to.len()));
        to.set_len(to.len() + len);
    }
    Ok(())
}

/// Copies the `len` bytes at `from` to `to`, as [`append_shared`] does.
///
/// # Safety
/// The bytes at `from` must be readable until this function returns, and those at `to` must be the
/// caller's.
#[inline]
pub unsafe fn copy_shared(from: *const u8, len: usize, to: *mut u8) {
    // SAFETY: the caller's promise.
    unsafe {
        #[cfg(all(target_arch = "x86_64", not(miri)))]
        if len >= MANY {
            return copy_string(from, len, to);
        }
        copy_words(from, len, to);
    }
}

/// Appends the items of an array, of `size` bytes each, as [`append_shared`] appends bytes. The array has `lengths[d]`
/// items in dimension `d`, which are `strides[d]` bytes apart. Dimension 0 is the outermost.
///
/// # Errors
/// `NoMemory` if there is none for the copies.
///
/// # Safety
/// All items must be readable until this function returns.
pub unsafe fn append_items_shared(
    from: *const u8,
    size: usize,
    lengths: &[usize],
    strides: &[isize],
    to: &mut Vec<u8>,
) -> std::result::Result<(), Fault> {
    let (before, len) = (to.len(), size * lengths.iter().product::<usize>());
    // SAFETY: the caller's promise: dense items are as many bytes.
    unsafe {
        if len == 0 || are_dense(size, lengths, strides) {
            return append_shared(from, len, to);
        }
        memory::resize(to, before + len, 0)?;
        copy_items_shared(from, size, lengths, strides, &mut to[before..]);
    }
    Ok(())
}

/// Copies the items of an array, as [`append_items_shared`] does.
///
/// # Panics
/// If `to` has another length than all items together.
///
/// # Safety
/// All items must be readable until this function returns.
pub unsafe fn copy_items_shared(
    from: *const u8,
    size: usize,
    lengths: &[usize],
    strides: &[isize],
    to: &mut [u8],
) {
    assert_eq!(to.len(), size * lengths.iter().product::<usize>());
    if to.is_empty() {
        return;
    }
    // SAFETY: the caller's promise: dense items are as many bytes, and each part of the array has its own.
    unsafe {
        if are_dense(size, lengths, strides) {
            return copy_shared(from, to.len(), to.as_mut_ptr());
        }
        match (lengths, strides) {
            (&[len], &[stride]) => copy_rows(from, size, [1, len], [0, stride], to),
            (&[rows, len], &[of_rows, stride]) => {
                copy_rows(from, size, [rows, len], [of_rows, stride], to);
            }
            _ => {
                let each = to.len() / lengths[0];
                for (at, to) in to.chunks_exact_mut(each).enumerate() {
                    let part = from.offset(at as isize * strides[0]);
                    copy_items_shared(part, size, &lengths[1..], &strides[1..], to);
                }
            }
        }
    }
}

/// Whether items with these lengths and strides lie in memory one after another.
fn are_dense(size: usize, lengths: &[usize], strides: &[isize]) -> bool {
    strides.iter().enumerate().all(|(at, &stride)| {
        lengths[at] == 1 || stride == (size * lengths[at + 1..].iter().product::<usize>()) as isize
    })
}

/// Copies `lengths[0]` rows, `strides[0]` bytes apart, of `lengths[1]` items, `strides[1]` bytes apart, to `to`, which
/// has the length of all items together.
///
/// # Safety
/// All items must be readable until this function returns.
unsafe fn copy_rows(
    from: *const u8,
    size: usize,
    lengths: [usize; 2],
    strides: [isize; 2],
    to: &mut [u8],
) {
    let is_aligned = [from.addr(), strides[0] as usize, strides[1] as usize]
        .iter()
        .all(|at| at.is_multiple_of(size));
    macro_rules! by_words {
        ($atomic:ty) => {
            // SAFETY: the caller's promise; the items are as large as the words and aligned.
            each_item(from, lengths, strides, to, |at| unsafe {
                <$atomic>::from_ptr(at.cast_mut().cast()).load(Ordering::Relaxed).to_ne_bytes()
            })
        };
    }
    match size {
        1 => by_words!(AtomicU8),
        2 if is_aligned => by_words!(AtomicU16),
        4 if is_aligned => by_words!(AtomicU32),
        8 if is_aligned => by_words!(AtomicU64),
        _ => {
            for (row, to) in to.chunks_exact_mut((size * lengths[1]).max(1)).enumerate() {
                for (at, to) in to.chunks_exact_mut(size).enumerate() {
                    let offset = row as isize * strides[0] + at as isize * strides[1];
                    // SAFETY: the caller's promise.
                    unsafe { copy_shared(from.offset(offset), size, to.as_mut_ptr()) };
                }
            }
        }
    }
}

/// Loads each item and stores it in `to`.
#[inline(always)]
fn each_item<const N: usize>(
    from: *const u8,
    lengths: [usize; 2],
    strides: [isize; 2],
    to: &mut [u8],
    load: impl Fn(*const u8) -> [u8; N],
) {
    let mut to = to.as_chunks_mut().0.iter_mut();
    for row in 0..lengths[0] {
        let from = from.wrapping_offset(row as isize * strides[0]);
        for (at, item) in to.by_ref().take(lengths[1]).enumerate() {
            *item = load(from.wrapping_offset(at as isize * strides[1]));
        }
    }
}

/// Bytes from which on the processor's own instruction is faster than a loop.
#[cfg(all(target_arch = "x86_64", not(miri)))]
const MANY: usize = 512;

/// Copies by one instruction of the processor, which may load many bytes at a time. What it does is what as many
/// atomic loads of single bytes could do.
///
/// # Safety
/// As for [`copy_shared`].
#[cfg(all(target_arch = "x86_64", not(miri)))]
unsafe fn copy_string(from: *const u8, len: usize, to: *mut u8) {
    // SAFETY: the caller's promise. The calling conventions of x86-64 clear the direction flag.
    unsafe {
        std::arch::asm!(
            "rep movsb",
            inout("rcx") len => _,
            inout("rsi") from => _,
            inout("rdi") to => _,
            options(nostack, preserves_flags)
        );
    }
}

/// Copies by atomic loads of eight bytes.
///
/// # Safety
/// As for [`copy_shared`].
unsafe fn copy_words(from: *const u8, len: usize, to: *mut u8) {
    const WORD: usize = size_of::<u64>();
    // Bytes before the first word with an aligned address.
    let head = from.align_offset(WORD).min(len);
    let words = (len - head) / WORD;
    let tail = head + words * WORD;
    // SAFETY: the reads and the writes are within the `len` bytes, and the words that are read are
    // aligned.
    unsafe {
        let byte = |at: usize| {
            let byte = AtomicU8::from_ptr(from.add(at).cast_mut()).load(Ordering::Relaxed);
            to.add(at).write(byte);
        };
        (0..head).for_each(byte);
        for at in (head..tail).step_by(WORD) {
            let word = AtomicU64::from_ptr(from.add(at).cast_mut().cast()).load(Ordering::Relaxed);
            to.add(at).cast::<u64>().write_unaligned(word);
        }
        (tail..len).for_each(byte);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_at_any_address_are_appended() {
        const MORE: usize = 1000;
        let mut bytes: Vec<u8> = (0..MORE).map(|at| at as u8).collect();
        for from in 0..16 {
            for len in (0..40).chain([MORE - 17, MORE - 16]) {
                let mut copy = vec![9];
                // SAFETY: the bytes are within the vector, and nothing writes to them.
                unsafe { append_shared(bytes[from..].as_mut_ptr(), len, &mut copy) }.unwrap();
                assert_eq!(copy[0], 9);
                assert_eq!(copy[1..], bytes[from..from + len]);
            }
        }
    }

    /// The bytes of items, each found by its place.
    fn by_place(bytes: &[u8], from: isize, size: usize, shape: &[(usize, isize)]) -> Vec<u8> {
        match shape {
            [] => bytes[from as usize..from as usize + size].to_vec(),
            [(len, stride), inner @ ..] => (0..*len as isize)
                .flat_map(|at| by_place(bytes, from + at * stride, size, inner))
                .collect(),
        }
    }

    #[test]
    fn items_at_any_distances_are_copied() {
        let mut bytes: Vec<u8> = (0..400).map(|at| (at % 251) as u8).collect();
        let base = bytes.as_mut_ptr();
        let shapes: [(usize, &[(usize, isize)]); 9] = [
            (80, &[(2, 32), (3, -16)]),
            (3, &[(2, 40), (3, 17)]),
            (0, &[(2, 0), (3, 8)]),
            (90, &[(2, -32), (3, 32)]),
            (5, &[(7, 16)]),
            (250, &[(2, -128), (3, 40), (2, 16)]),
            (16, &[(1, 3), (2, 64), (1, 5), (3, 16)]),
            (0, &[(2, 8), (0, 4)]),
            (1, &[]),
        ];
        for size in [1, 2, 4, 8, 16] {
            for (start, shape) in shapes {
                let (lengths, strides): (Vec<_>, Vec<_>) = shape.iter().copied().unzip();
                let mut to = vec![7];
                // SAFETY: the items are within the vector, and nothing writes to them.
                unsafe {
                    append_items_shared(base.add(start), size, &lengths, &strides, &mut to)
                        .unwrap();
                }
                // SAFETY: these are the bytes of the vector.
                let from = unsafe { std::slice::from_raw_parts(base, 400) };
                assert_eq!(
                    to[1..],
                    by_place(from, start as isize, size, shape),
                    "{size} {shape:?}"
                );
            }
        }
    }

    #[test]
    fn bytes_that_change_meanwhile_are_old_or_new() {
        let word = |byte| u64::from_ne_bytes([byte; 8]);
        let words: Vec<AtomicU64> = (0..512).map(|_| AtomicU64::new(word(1))).collect();
        std::thread::scope(|scope| {
            scope.spawn(|| words.iter().for_each(|it| it.store(word(2), Ordering::Relaxed)));
            let mut copy = Vec::new();
            // SAFETY: the bytes are within the vector, which outlives the scope.
            unsafe { append_shared(words.as_ptr().cast(), 8 * words.len(), &mut copy) }.unwrap();
            assert!(copy.len() == 4096 && copy.iter().all(|&byte| byte == 1 || byte == 2));
        });
    }
}

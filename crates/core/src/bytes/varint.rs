//! Variable-length integers whose first byte determines their length.
//!
//! The number of trailing zero bits in the first byte is the number of bytes that follow it. A
//! number of up to 7 bits takes one byte, of up to 14 bits two bytes, and so on up to 56 bits in
//! eight. A first byte of zero is followed by all 64 bits. One load and one shift read a number of
//! any length, while LEB128 has a continuation bit in every byte.
//!
//! ```text
//! xxxxxxx1                      7 bits
//! xxxxxx10 xxxxxxxx            14 bits
//! 00000000 8 × xxxxxxxx        64 bits
//! ```
//!
//! Signed integers are zigzag coded first: 0, -1, 1, -2, … become 0, 1, 2, 3, …

/// The largest number of bytes of a varint.
pub const MAX_LEN: usize = 9;

/// Maps a signed integer to an unsigned one that is small if the integer is near zero.
#[inline(always)]
pub const fn zigzag(v: i64) -> u64 {
    ((v << 1) ^ (v >> 63)) as u64
}

/// The inverse of [`zigzag`].
#[inline(always)]
pub const fn unzigzag(v: u64) -> i64 {
    (v >> 1) as i64 ^ -((v & 1) as i64)
}

/// Returns the number of bytes of the varint of `v`.
#[inline(always)]
pub const fn len(v: u64) -> usize {
    let bits = 64 - (v | 1).leading_zeros() as usize;
    if bits > 56 { MAX_LEN } else { bits.div_ceil(7) }
}

/// Writes `v` at `to` and returns its length.
///
/// # Safety
/// Nine bytes at `to` must be writable. Bytes after the varint may be overwritten.
#[inline(always)]
pub unsafe fn write(to: *mut u8, v: u64) -> usize {
    // SAFETY: the caller provides nine bytes.
    unsafe {
        if v < 1 << 7 {
            *to = (v << 1 | 1) as u8;
            return 1;
        }
        let n = len(v);
        if n <= 8 {
            let word = v << n | 1 << (n - 1);
            to.cast::<[u8; 8]>().write_unaligned(word.to_le_bytes());
        } else {
            *to = 0;
            to.add(1).cast::<[u8; 8]>().write_unaligned(v.to_le_bytes());
        }
        n
    }
}

/// Appends `v` to `bytes`.
pub fn push(bytes: &mut Vec<u8>, v: u64) {
    let (buffer, n) = array(v);
    bytes.extend_from_slice(&buffer[..n]);
}

/// Returns `v` as a varint, and its length.
#[inline(always)]
pub fn array(v: u64) -> ([u8; MAX_LEN], usize) {
    let mut buffer = [0; MAX_LEN];
    // SAFETY: the buffer has nine bytes.
    let n = unsafe { write(buffer.as_mut_ptr(), v) };
    (buffer, n)
}

/// Takes a varint from the front of `bytes`; `None` if it is cut.
#[inline(always)]
pub fn take(bytes: &mut &[u8]) -> Option<u64> {
    if let Some((word, _)) = bytes.split_first_chunk::<8>() {
        let n = word[0].trailing_zeros() as usize + 1;
        if n <= 8 {
            let word = u64::from_le_bytes(*word);
            *bytes = &bytes[n..];
            return Some(word << (64 - 8 * n) >> (64 - 7 * n));
        }
    } else if let [first, ref rest @ ..] = **bytes
        && first & 1 == 1
    {
        // Near the end of a record.
        *bytes = rest;
        return Some(u64::from(first >> 1));
    }
    let (v, rest) = take_slowly(bytes)?;
    *bytes = rest;
    Some(v)
}

/// Returns the varint at the front of `bytes`, and the bytes after it.
#[cold]
fn take_slowly(bytes: &[u8]) -> Option<(u64, &[u8])> {
    let n = bytes.first()?.trailing_zeros() as usize + 1;
    if bytes.len() < n {
        return None;
    }
    let mut word = [0; 8];
    let v = if n <= 8 {
        word[..n].copy_from_slice(&bytes[..n]);
        u64::from_le_bytes(word) << (64 - 8 * n) >> (64 - 7 * n)
    } else {
        word.copy_from_slice(&bytes[1..9]);
        u64::from_le_bytes(word)
    };
    Some((v, &bytes[n..]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::sized;

    #[test]
    fn every_length_comes_back() {
        for shift in (0..64).step_by(sized(1, 7)) {
            for v in [(1u64 << shift) - 1, 1 << shift, (1 << shift) + 1, u64::MAX >> shift] {
                let mut bytes = Vec::new();
                push(&mut bytes, v);
                assert_eq!(bytes.len(), len(v));
                for tail in [0, 20] {
                    let mut padded = bytes.clone();
                    padded.resize(bytes.len() + tail, 0xFF);
                    let mut rest = &padded[..];
                    assert_eq!(take(&mut rest), Some(v));
                    assert_eq!(rest.len(), tail);
                }
                for cut in 0..bytes.len() {
                    assert_eq!(take(&mut &bytes[..cut]), None);
                }
            }
        }
    }

    #[test]
    fn zigzag_keeps_small_numbers_small() {
        for (v, z) in
            [(0, 0), (-1, 1), (1, 2), (-2, 3), (i64::MAX, u64::MAX - 1), (i64::MIN, u64::MAX)]
        {
            assert_eq!((zigzag(v), unzigzag(z)), (z, v));
        }
    }
}

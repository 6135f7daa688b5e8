//! The search for a byte.

/// The number of bytes that [`places`] searches.
pub const SEARCHED: usize = u64::BITS as usize;

/// Returns where `byte` is among the first `count` bytes of `text`, and of them among the first
/// [`SEARCHED`]. It is fast if more bytes follow.
#[inline(always)]
pub fn places(byte: u8, text: &[u8], count: usize) -> impl Iterator<Item = usize> {
    let mut padded = [0; SEARCHED];
    let bytes = text.first_chunk().unwrap_or_else(|| {
        padded[..text.len()].copy_from_slice(text);
        &padded
    });
    let parts = bytes.as_chunks().0.iter().rev();
    let all = parts.fold(0, |bits, part| bits << 16 | u64::from(equal(byte, part)));
    let mut bits = all & u64::MAX.unbounded_shr(SEARCHED.saturating_sub(count) as u32);
    std::iter::from_fn(move || {
        let place = bits.trailing_zeros() as usize;
        bits &= bits.wrapping_sub(1);
        (place < SEARCHED).then_some(place)
    })
}

/// Returns a bit for each of the bytes, the lowest for the first one, which is set if the byte equals
/// `byte`.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn equal(byte: u8, bytes: &[u8; 16]) -> u16 {
    use std::arch::x86_64::{_mm_cmpeq_epi8, _mm_loadu_si128, _mm_movemask_epi8, _mm_set1_epi8};
    // SAFETY: all processors of the architecture have SSE2. The load may be at any address.
    unsafe {
        let bytes = _mm_loadu_si128(bytes.as_ptr().cast());
        _mm_movemask_epi8(_mm_cmpeq_epi8(bytes, _mm_set1_epi8(byte as i8))) as u16
    }
}

#[cfg(not(target_arch = "x86_64"))]
#[inline(always)]
fn equal(byte: u8, bytes: &[u8; 16]) -> u16 {
    bytes.iter().enumerate().fold(0, |bits, (n, &other)| bits | u16::from(other == byte) << n)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::sized;

    #[test]
    fn all_places_among_the_first_bytes_are_found() {
        for len in (0..150).step_by(sized(1, 13)) {
            let text: Vec<u8> =
                (0..len).map(|n: u32| ((n * n % 7) as u8).wrapping_add(0xFB)).collect();
            for byte in [0, 0xFB, 0xFC, 0xFF] {
                for count in (0..=text.len()).step_by(sized(1, 7)) {
                    let searched = &text[..count.min(SEARCHED)];
                    let expected: Vec<usize> =
                        (0..searched.len()).filter(|&place| searched[place] == byte).collect();
                    let found: Vec<usize> = places(byte, &text, count).collect();
                    assert_eq!(found, expected, "byte {byte}, {count} of {len} bytes");
                }
            }
        }
    }
}

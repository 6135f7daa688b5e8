//! Unsigned integers of one width, packed without gaps: value `i` occupies `width` bits from bit `i
//! × width`, lowest bit first.
//!
//! Eight values occupy `width` bytes, so the kernels process groups of eight. The width is a
//! constant in each kernel, so all shifts are known at compile time and the kernels become vector
//! code.

use std::mem::MaybeUninit;

use crate::bytes::out::Out;
use crate::bytes::vector::vectorized;
use crate::error::Fault;

/// Kernels write whole words. The last word may extend past the packed bytes.
const WORD: usize = 8;

/// Calls a kernel with the width as a constant.
macro_rules! dispatch {
    (@all $width:expr, $kernel:ident, $arguments:tt, $($w:literal)*) => {
        match $width {
            $($w => dispatch!(@one $kernel, $w, $arguments),)*
            _ => unreachable!("widths are checked to be at most 64"),
        }
    };
    (@one $kernel:ident, $w:literal, ($($argument:expr),*)) => { $kernel::<$w>($($argument),*) };
    ($width:expr, $kernel:ident, $($argument:expr),*) => {
        dispatch!(@all $width, $kernel, ($($argument),*),
            0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32
            33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 58 59 60 61
            62 63 64)
    };
}

/// Returns the number of bytes of `count` values of `width` bits; `None` on overflow.
pub fn packed_len(count: usize, width: u32) -> Option<usize> {
    count.checked_mul(width as usize).map(|bits| bits.div_ceil(8))
}

/// Returns the number of bits of `max`.
pub fn width_of(max: u64) -> u32 {
    64 - max.leading_zeros()
}

/// Appends `value - base` of each value, in `width` bits.
pub fn pack(values: &[i64], base: i64, width: u32, out: &mut Out<'_>) -> Result<(), Fault> {
    let len =
        packed_len(values.len(), width).ok_or(Fault::Limit("a column is too large for memory"))?;
    out.reserve(len)?;
    // SAFETY: `len` bytes and the slack are reserved, and all `len` bytes are written.
    unsafe {
        let room = std::slice::from_raw_parts_mut(out.end().cast(), len + WORD);
        pack_any(values, base, width, room);
        out.advance(len);
    }
    Ok(())
}

/// Unpacks values `from..from + out.len()` of `bytes` and adds `base` to each. `from` must be a
/// multiple of 8.
pub fn unpack(bytes: &[u8], width: u32, base: i64, from: usize, out: &mut [i64]) {
    debug_assert_eq!(from % 8, 0);
    let bytes = &bytes[from / 8 * width as usize..];
    unpack_any(bytes, width, base, out);
}

vectorized! {
    /// Packs `values` into `room`, which must be one word longer than the packed values.
    fn pack_any(values: &[i64], base: i64, width: u32, room: &mut [MaybeUninit<u8>]) {
        let to = room.as_mut_ptr().cast();
        assert!(packed_len(values.len(), width).is_some_and(|len| len + WORD <= room.len()));
        // SAFETY: the assertion above.
        unsafe { dispatch!(width, pack_width, values, base, to) }
    }
}

vectorized! {
    /// Unpacks the first values of `bytes`.
    fn unpack_any(bytes: &[u8], width: u32, base: i64, out: &mut [i64]) {
        dispatch!(width, unpack_width, bytes, base, out);
    }
}

const fn mask(width: u32) -> u64 {
    if width == 64 { u64::MAX } else { (1 << width) - 1 }
}

/// # Safety
/// `to` must be writable for the packed length plus 8 bytes.
#[inline(always)]
unsafe fn pack_width<const W: u32>(values: &[i64], base: i64, to: *mut u8) {
    let mut to = to;
    let (groups, tail) = values.as_chunks::<8>();
    for group in groups {
        // SAFETY: eight values take `W` bytes of the packed length.
        unsafe {
            pack_group::<W>(group, base, to);
            to = to.add(W as usize);
        }
    }
    if !tail.is_empty() {
        let mut group = [base; 8];
        group[..tail.len()].copy_from_slice(tail);
        let mut packed = [0; 64 + 8];
        let len = (tail.len() * W as usize).div_ceil(8);
        // SAFETY: a group has at most 64 bytes, and `len` bytes of the packed length are left.
        unsafe {
            pack_group::<W>(&group, base, packed.as_mut_ptr());
            to.copy_from_nonoverlapping(packed.as_ptr(), len);
        }
    }
}

/// Packs eight values into `W` bytes.
///
/// # Safety
/// `to` must be writable for `W + 8` bytes.
#[inline(always)]
unsafe fn pack_group<const W: u32>(values: &[i64; 8], base: i64, to: *mut u8) {
    let mut word = 0;
    let (mut filled, mut at) = (0, 0);
    for &v in values {
        let v = v.wrapping_sub(base) as u64 & mask(W);
        word |= v << filled;
        filled += W;
        if filled >= 64 {
            // SAFETY: a full word lies within the group.
            unsafe { to.add(at).cast::<[u8; 8]>().write_unaligned(word.to_le_bytes()) };
            at += 8;
            filled -= 64;
            // The bits of `v` that did not fit into the full word.
            word = if filled == 0 { 0 } else { v >> (W - filled) };
        }
    }
    if filled > 0 {
        // SAFETY: the caller provides 8 more bytes.
        unsafe { to.add(at).cast::<[u8; 8]>().write_unaligned(word.to_le_bytes()) };
    }
}

#[inline(always)]
fn unpack_width<const W: u32>(bytes: &[u8], base: i64, out: &mut [i64]) {
    if W == 0 {
        out.fill(base);
        return;
    }
    let group = W as usize;
    let mut at = 0;
    let (groups, tail) = out.as_chunks_mut::<8>();
    for group_out in groups {
        // The loads of a group's last value may read up to 8 bytes after the group.
        match bytes.get(at..at + group + 8) {
            Some(window) => unpack_group::<W>(window, base, group_out),
            None => {
                let mut padded = [0; 64 + 8];
                padded[..group].copy_from_slice(&bytes[at..at + group]);
                unpack_group::<W>(&padded[..group + 8], base, group_out);
            }
        }
        at += group;
    }
    if !tail.is_empty() {
        let mut padded = [0; 64 + 8];
        let rest = &bytes[at..];
        let len = rest.len().min(group);
        padded[..len].copy_from_slice(&rest[..len]);
        let mut values = [0; 8];
        unpack_group::<W>(&padded[..group + 8], base, &mut values);
        tail.copy_from_slice(&values[..tail.len()]);
    }
}

/// Unpacks eight values from the first `W` bytes of `window`, which has 8 bytes more.
#[inline(always)]
fn unpack_group<const W: u32>(window: &[u8], base: i64, out: &mut [i64; 8]) {
    assert!(window.len() >= W as usize + 8);
    for (i, out) in out.iter_mut().enumerate() {
        let bit = i * W as usize;
        let (byte, shift) = (bit / 8, bit % 8);
        let Some(word) = window[byte..].first_chunk::<8>() else { unreachable!() };
        let mut v = u64::from_le_bytes(*word) >> shift;
        if shift as u32 + W > 64 {
            v |= u64::from(window[byte + 8]) << (64 - shift);
        }
        *out = base.wrapping_add((v & mask(W)) as i64);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::sized;

    #[test]
    fn every_width_and_length_comes_back() {
        for width in (0..=64).step_by(sized(1, 9)) {
            for count in (0..40).step_by(sized(1, 7)).chain([1000, 1024, 1025]) {
                let values: Vec<i64> = (0..count as u64)
                    .map(|i| (i.wrapping_mul(0x9E37_79B9_7F4A_7C15) & mask(width)) as i64)
                    .map(|v| v.wrapping_sub(77))
                    .collect();
                let mut room = Vec::new();
                let mut out = Out::new(&mut room);
                pack(&values, -77, width, &mut out).unwrap();
                let bytes = out.written().to_vec();
                assert_eq!(bytes.len(), packed_len(count, width).unwrap());
                let mut back = vec![0; count];
                unpack(&bytes, width, -77, 0, &mut back);
                assert_eq!(back, values, "{width} {count}");
                if count > 16 {
                    unpack(&bytes, width, -77, 16, &mut back[16..]);
                    assert_eq!(back, values, "{width} {count} from 16");
                }
            }
        }
    }
}

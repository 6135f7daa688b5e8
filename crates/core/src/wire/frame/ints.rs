//! Int columns: integers, the lengths of sequences and strings, union tags, dictionary codes.
//!
//! The encoding depends on the range of the values and on the range of the differences between
//! neighbours:
//!
//! ```text
//! 0 constant   value
//! 1 packed     base, width (one byte), count × width bits: value - base
//! 2 delta      first, step, width (one byte), (count - 1) × width bits: value - previous - step
//! ```
//!
//! `value`, `base`, `first` and `step` are zigzag varints. Sums wrap at 64 bits. Incompressible
//! integers are packed in 64 bits with base 0.

use super::bitpack::{pack, packed_len, unpack, width_of};
use super::{Density, take_signed};
use crate::bytes::out::Out;
use crate::bytes::varint::zigzag;
use crate::bytes::vector::vectorized;
use crate::error::{Corrupt, Fault, malformed};

/// All values are equal.
pub const CONSTANT: u8 = 0;
/// Bit-packed differences from a base.
pub const PACKED: u8 = 1;
/// Bit-packed differences of neighbours.
pub const DELTA: u8 = 2;

/// Delta must save this many bits per value, because it costs more to decode than packed.
const DELTA_GAIN: u32 = 2;

/// Appends `values` in the cheapest encoding. Returns the encoding.
pub fn encode(values: &[i64], density: Density, out: &mut Out<'_>) -> Result<u8, Fault> {
    let range = scan(values);
    if range.width() > DELTA_GAIN && matches!(density, Density::Free) {
        let steps = scan_differences(values);
        if steps.width() + DELTA_GAIN <= range.width() {
            out.varint(zigzag(values[0]))?;
            out.varint(zigzag(steps.min))?;
            out.push(steps.width() as u8)?;
            encode_differences(values, steps.min, steps.width(), out)?;
            return Ok(DELTA);
        }
    }
    encode_in_range(values, range, density, out)
}

/// Like [`encode`], but never delta: the differences of lengths and codes are not smaller than the
/// values.
pub fn encode_unordered(values: &[i64], density: Density, out: &mut Out<'_>) -> Result<u8, Fault> {
    encode_in_range(values, scan(values), density, out)
}

fn encode_in_range(
    values: &[i64],
    range: Range,
    density: Density,
    out: &mut Out<'_>,
) -> Result<u8, Fault> {
    let width = match density {
        Density::Dense if !values.is_empty() => range.width().max(8),
        _ => range.width(),
    };
    if width == 0 {
        out.varint(zigzag(range.min))?;
        return Ok(CONSTANT);
    }
    let base = if width == 64 { 0 } else { range.min };
    out.varint(zigzag(base))?;
    out.push(width as u8)?;
    pack(values, base, width, out)?;
    Ok(PACKED)
}

/// The smallest and the largest of some numbers. Both are 0 if there are none.
#[derive(Clone, Copy)]
struct Range {
    min: i64,
    max: i64,
}

impl Range {
    fn width(self) -> u32 {
        width_of(self.max.wrapping_sub(self.min) as u64)
    }
}

vectorized! {
    /// Returns the range of `values`.
    fn scan(values: &[i64]) -> Range {
        let Some(&first) = values.first() else { return Range { min: 0, max: 0 } };
        let (mut min, mut max) = (first, first);
        for &v in values {
            min = min.min(v);
            max = max.max(v);
        }
        Range { min, max }
    }
}

vectorized! {
    /// Returns the range of the differences of neighbours.
    fn scan_differences(values: &[i64]) -> Range {
        let (mut min, mut max) = (i64::MAX, i64::MIN);
        let Some((_, later)) = values.split_first() else { return Range { min: 0, max: 0 } };
        for (a, b) in values.iter().zip(later) {
            let difference = b.wrapping_sub(*a);
            min = min.min(difference);
            max = max.max(difference);
        }
        if min > max { Range { min: 0, max: 0 } } else { Range { min, max } }
    }
}

fn encode_differences(
    values: &[i64],
    step: i64,
    width: u32,
    out: &mut Out<'_>,
) -> Result<(), Fault> {
    let mut block = [0; BLOCK];
    // A block is a multiple of eight values, so it ends at a byte boundary.
    for from in (1..values.len()).step_by(BLOCK) {
        let to = (from + BLOCK).min(values.len());
        for i in from..to {
            block[i - from] = values[i].wrapping_sub(values[i - 1]);
        }
        pack(&block[..to - from], step, width, out)?;
    }
    Ok(())
}

const BLOCK: usize = 512;

/// A chunk of integers, read from front to back.
#[derive(Clone, Debug)]
pub struct IntReader<'a> {
    encoding: Encoding<'a>,
    count: usize,
    at: usize,
}

#[derive(Clone, Debug)]
enum Encoding<'a> {
    Constant(i64),
    Packed { base: i64, width: u32, bytes: &'a [u8] },
    Delta { previous: i64, step: i64, width: u32, bytes: &'a [u8] },
}

impl<'a> IntReader<'a> {
    /// Creates a reader of a chunk of `count` values.
    pub fn new(encoding: u8, count: usize, mut bytes: &'a [u8]) -> Result<IntReader<'a>, Corrupt> {
        let encoding = match encoding {
            CONSTANT => Encoding::Constant(take_signed(&mut bytes)?),
            PACKED => {
                let base = take_signed(&mut bytes)?;
                let (width, bits) = take_bits(&mut bytes, count)?;
                Encoding::Packed { base, width, bytes: bits }
            }
            DELTA => {
                let first = take_signed(&mut bytes)?;
                let step = take_signed(&mut bytes)?;
                let (width, bits) = take_bits(&mut bytes, count.saturating_sub(1))?;
                // `previous` is always the next value to return, so the first value needs no
                // special case.
                Encoding::Delta { previous: first, step, width, bytes: bits }
            }
            _ => return malformed("an int column has an unknown encoding"),
        };
        match bytes.is_empty() {
            true => Ok(IntReader { encoding, count, at: 0 }),
            false => malformed("an int column has bytes to spare"),
        }
    }

    /// Creates a reader that returns one value `count` times.
    pub(super) fn constant(value: i64, count: usize) -> IntReader<'a> {
        IntReader { encoding: Encoding::Constant(value), count, at: 0 }
    }

    /// Returns the number of unread values.
    pub fn left(&self) -> usize {
        self.count - self.at
    }

    /// Passes all unread values to `take`, a block at a time, without consuming them.
    pub fn look<E>(&self, mut take: impl FnMut(&[i64]) -> Result<(), E>) -> Result<(), E> {
        let mut reader = self.clone();
        // Initialising the block costs time even for a column of one value, so it is small.
        let mut block = [0; 64];
        while reader.left() > 0 {
            let len = reader.left().min(block.len());
            reader.read(&mut block[..len]);
            take(&block[..len])?;
        }
        Ok(())
    }

    /// Reads `out.len()` values, which must not be more than are left. The length must be a
    /// multiple of eight in all calls but the last.
    pub fn read(&mut self, out: &mut [i64]) {
        debug_assert!(out.len() <= self.left() && self.at.is_multiple_of(8));
        match &mut self.encoding {
            Encoding::Constant(value) => out.fill(*value),
            Encoding::Packed { base, width, bytes } => unpack(bytes, *width, *base, self.at, out),
            Encoding::Delta { previous, step, width, bytes } => {
                read_differences(bytes, *width, *step, self.at, previous, out);
            }
        }
        self.at += out.len();
    }
}

/// Reads values from differences. Difference `i` leads from value `i` to value `i + 1`. `previous`
/// is the value at `from`; afterwards it is the value after the last one read.
fn read_differences(
    bytes: &[u8],
    width: u32,
    step: i64,
    from: usize,
    previous: &mut i64,
    out: &mut [i64],
) {
    let count = out.len();
    if width == 0 {
        for out in out {
            *out = *previous;
            *previous = previous.wrapping_add(step);
        }
        return;
    }
    // The last value of the column has no difference after it.
    let have = (bytes.len() * 8 / width as usize).saturating_sub(from).min(count);
    unpack(bytes, width, step, from, &mut out[..have]);
    for out in &mut out[..have] {
        let difference = *out;
        *out = *previous;
        *previous = previous.wrapping_add(difference);
    }
    for out in &mut out[have..] {
        *out = *previous;
    }
}

fn take_bits<'a>(bytes: &mut &'a [u8], count: usize) -> Result<(u32, &'a [u8]), Corrupt> {
    let Some((&width, rest)) = bytes.split_first() else {
        return malformed("an int column is cut");
    };
    let bits = packed_len(count, u32::from(width)).and_then(|len| rest.split_at_checked(len));
    match bits {
        Some((bits, rest)) if width <= 64 => {
            *bytes = rest;
            Ok((u32::from(width), bits))
        }
        _ => malformed("an int column is shorter than its values"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn round_trip(values: &[i64], density: Density) -> (u8, usize) {
        let mut room = Vec::new();
        let mut out = Out::new(&mut room);
        let encoding = encode(values, density, &mut out).unwrap();
        let bytes = out.written();
        let mut whole = vec![0; values.len()];
        IntReader::new(encoding, values.len(), bytes).unwrap().read(&mut whole);
        assert_eq!(whole, values);
        let mut reader = IntReader::new(encoding, values.len(), bytes).unwrap();
        let mut pieces = vec![0; values.len()];
        pieces.chunks_mut(64).for_each(|piece| reader.read(piece));
        assert_eq!(pieces, values);
        if encoding != CONSTANT {
            assert!(IntReader::new(encoding, values.len(), &bytes[..bytes.len() - 1]).is_err());
        }
        (encoding, bytes.len())
    }

    #[test]
    fn the_cheapest_encoding_is_chosen() {
        assert_eq!(round_trip(&[], Density::Free).0, CONSTANT);
        assert_eq!(round_trip(&[7; 1000], Density::Free), (CONSTANT, 1));
        assert_eq!(round_trip(&[7; 1000], Density::Dense), (PACKED, 1002));
        let count: Vec<i64> = (0..1000).collect();
        assert_eq!(round_trip(&count, Density::Free), (DELTA, 3));
        let mixed: Vec<i64> = (0..1000).map(|i| i * 7919 % 50).collect();
        assert_eq!(round_trip(&mixed, Density::Free), (PACKED, 2 + 750));
        let wide: Vec<i64> = (0..100).map(|i| i64::MIN.wrapping_mul(i) ^ (i << 40)).collect();
        round_trip(&wide, Density::Free);
        assert_eq!(round_trip(&[i64::MIN, i64::MAX, 0], Density::Free).0, PACKED);
        let sorted: Vec<i64> = (0..1000).map(|i| i * 1000 + i * i % 13).collect();
        assert_eq!(round_trip(&sorted, Density::Free).0, DELTA);
    }
}

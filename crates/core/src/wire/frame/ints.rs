//! Int columns: integers, the lengths of sequences and strings, union tags, dictionary codes.
//!
//! The encoding depends on the range of the values and on the range of the differences between
//! neighbours:
//!
//! ```text
//! 0 constant   value
//! 1 packed     base, width (one byte), count × width bits: value - base
//! 2 delta      first, step, width (one byte), (count - 1) × width bits: value - previous - step
//! 3 patched    exceptions, encoding 1 or 2 (one byte), chunk of that encoding
//! ```
//!
//! `value`, `base`, `first` and `step` are zigzag varints. Sums wrap at 64 bits. Incompressible
//! integers are packed in 64 bits with base 0. The value at the position of an exception is the
//! exception's, whatever its bits are, and differences go on from there.

use std::ops::RangeInclusive;

use super::bitpack::{pack, packed_len, unpack, width_of};
use super::patches::{self, Found, Patches, Window};
use super::{Density, take_bytes, take_count, take_signed};
use crate::bytes::out::Out;
use crate::bytes::varint::{self, zigzag};
use crate::bytes::vector::vectorized;
use crate::error::{Corrupt, Fault, malformed};

/// All values are equal.
pub const CONSTANT: u8 = 0;
/// Bit-packed differences from a base.
pub const PACKED: u8 = 1;
/// Bit-packed differences of neighbours.
pub const DELTA: u8 = 2;

/// One of the two above, with exceptions.
pub const PATCHED: u8 = 3;

/// Delta must save this many bits per value, because it costs more to decode than packed.
const DELTA_GAIN: u32 = 2;
/// Exceptions must save this many bits per value.
const PATCHED_GAIN: u32 = 1;

/// Appends `values` in the cheapest encoding. Returns the encoding.
pub fn encode(values: &[i64], density: Density, out: &mut Out<'_>) -> Result<u8, Fault> {
    encode_any(values, Order::Any, density, out)
}

/// Like [`encode`], but never delta: the differences of lengths and codes are not smaller than the
/// values.
pub fn encode_unordered(values: &[i64], density: Density, out: &mut Out<'_>) -> Result<u8, Fault> {
    encode_any(values, Order::None, density, out)
}

/// Like [`encode`], but without exceptions.
pub fn encode_plain(values: &[i64], out: &mut Out<'_>) -> Result<u8, Fault> {
    let range = scan(values);
    match steps(values, range, Order::Any) {
        Some(steps) => {
            pack_steps(values, steps.min, steps.width(), out)?;
            Ok(DELTA)
        }
        None => encode_in_range(values, range, Density::Free, out),
    }
}

/// Appends what `encode` appends for `values`, with the number of bytes and the encoding before it.
pub fn encode_with_length<'a>(
    values: &[i64],
    encode: impl FnOnce(&[i64], &mut Out<'a>) -> Result<u8, Fault>,
    out: &mut Out<'a>,
) -> Result<(), Fault> {
    // The length precedes the ints but is known only after them. So the ints are moved by the
    // length's size. They are a few bytes even in large columns.
    let at = out.len();
    out.push(0)?;
    let encoding = encode(values, out)?;
    out.written_mut()[at] = encoding;
    let len = out.len() - at;
    let (prefix, shift) = varint::array(len as u64);
    out.extend(&prefix[..shift])?;
    let written = out.written_mut();
    written.copy_within(at..at + len, at + shift);
    written[at..at + shift].copy_from_slice(&prefix[..shift]);
    Ok(())
}

/// Takes what [`encode_with_length`] appends: the encoding and the chunk.
pub fn take_with_length<'a>(bytes: &mut &'a [u8]) -> Result<(u8, &'a [u8]), Corrupt> {
    let mut chunk = take_count(bytes).and_then(|len| take_bytes(bytes, len))?;
    match chunk.split_off_first() {
        Some(&encoding) => Ok((encoding, chunk)),
        None => malformed("an int column is cut"),
    }
}

/// Whether differences of neighbours may be smaller than the values.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Order {
    Any,
    None,
}

fn encode_any(
    values: &[i64],
    order: Order,
    density: Density,
    out: &mut Out<'_>,
) -> Result<u8, Fault> {
    let range = scan(values);
    if density == Density::Dense || range.width() == 0 {
        return encode_in_range(values, range, density, out);
    }
    let steps = steps(values, range, order);
    if let Some((window, kind)) = choose_patched(values, range, steps, order)
        && encode_patched(values, window, kind, out)?
    {
        return Ok(PATCHED);
    }
    match steps {
        Some(steps) => {
            pack_steps(values, steps.min, steps.width(), out)?;
            Ok(DELTA)
        }
        None => encode_in_range(values, range, density, out),
    }
}

/// Returns the range of differences if delta is better than packed.
fn steps(values: &[i64], range: Bounds, order: Order) -> Option<Bounds> {
    if order == Order::None || range.width() <= DELTA_GAIN {
        return None;
    }
    let steps = scan_differences(values);
    (steps.width() + DELTA_GAIN <= range.width()).then_some(steps)
}

/// Returns the window and the encoding of the numbers if exceptions are about to make the column
/// smaller.
fn choose_patched(
    values: &[i64],
    range: Bounds,
    steps: Option<Bounds>,
    order: Order,
) -> Option<(Window, u8)> {
    let count = values.len();
    let gains = |bits: u32| count * bits as usize;
    let width = steps.map_or(range.width(), |steps| steps.width() + DELTA_GAIN);
    let packed = patches::choose(count, width, |i| values[i]);
    let mut best = packed.map(|(window, bits)| (window, PACKED, bits));
    if order == Order::Any && width > DELTA_GAIN {
        let step = |i: usize| values[i + 1].wrapping_sub(values[i]);
        let delta = patches::choose(count - 1, width - DELTA_GAIN, step);
        if let Some((window, bits)) = delta {
            let bits = bits + gains(DELTA_GAIN);
            if best.is_none_or(|(_, _, least)| bits < least) {
                best = Some((window, DELTA, bits));
            }
        }
    }
    let (window, kind, bits) = best?;
    (bits + gains(PATCHED_GAIN) <= gains(width)).then_some((window, kind))
}

/// Appends `values` with exceptions. Returns whether it did: they may be too many.
fn encode_patched(
    values: &[i64],
    window: Window,
    kind: u8,
    out: &mut Out<'_>,
) -> Result<bool, Fault> {
    let found = match kind {
        DELTA => Found::among_steps(values, window)?,
        _ => Found::among(values, window)?,
    };
    let Some(found) = found else { return Ok(false) };
    found.encode(out)?;
    out.push(kind)?;
    // The numbers of exceptions are cut to the width. Nobody reads them.
    if kind == DELTA {
        pack_steps(values, window.low, window.width, out)?;
    } else {
        pack_values(values, window.low, window.width, out)?;
    }
    Ok(true)
}

/// Appends the chunk of [`DELTA`].
fn pack_steps(values: &[i64], step: i64, width: u32, out: &mut Out<'_>) -> Result<(), Fault> {
    out.varint(zigzag(values[0]))?;
    out.varint(zigzag(step))?;
    out.push(width as u8)?;
    let mut block = [0; BLOCK];
    // A block is a multiple of eight numbers, so it ends at a byte boundary.
    for from in (1..values.len()).step_by(BLOCK) {
        let to = (from + BLOCK).min(values.len());
        for i in from..to {
            block[i - from] = values[i].wrapping_sub(values[i - 1]);
        }
        pack(&block[..to - from], step, width, out)?;
    }
    Ok(())
}

/// Appends the chunk of [`PACKED`].
fn pack_values(values: &[i64], base: i64, width: u32, out: &mut Out<'_>) -> Result<(), Fault> {
    out.varint(zigzag(base))?;
    out.push(width as u8)?;
    pack(values, base, width, out)
}

fn encode_in_range(
    values: &[i64],
    range: Bounds,
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
    pack_values(values, base, width, out)?;
    Ok(PACKED)
}

/// The smallest and the largest of some numbers. Both are 0 if there are none.
#[derive(Clone, Copy)]
struct Bounds {
    min: i64,
    max: i64,
}

impl Bounds {
    fn width(self) -> u32 {
        width_of(self.max.wrapping_sub(self.min) as u64)
    }
}

vectorized! {
    /// Returns the range of `values`.
    fn scan(values: &[i64]) -> Bounds {
        let Some(&first) = values.first() else { return Bounds { min: 0, max: 0 } };
        let (mut min, mut max) = (first, first);
        for &v in values {
            min = min.min(v);
            max = max.max(v);
        }
        Bounds { min, max }
    }
}

vectorized! {
    /// Returns the range of the differences of neighbours.
    fn scan_differences(values: &[i64]) -> Bounds {
        let (mut min, mut max) = (i64::MAX, i64::MIN);
        let Some((_, later)) = values.split_first() else { return Bounds { min: 0, max: 0 } };
        for (a, b) in values.iter().zip(later) {
            let difference = b.wrapping_sub(*a);
            min = min.min(difference);
            max = max.max(difference);
        }
        if min > max { Bounds { min: 0, max: 0 } } else { Bounds { min, max } }
    }
}

const BLOCK: usize = 512;

/// A column of integers, packed in a chunk or plain in memory, read from front to back.
#[derive(Clone, Debug)]
pub struct IntReader<'a> {
    encoding: Encoding<'a>,
    patches: Option<Box<Patches<'a>>>,
    count: usize,
    at: usize,
}

#[derive(Clone, Debug)]
enum Encoding<'a> {
    Constant(i64),
    Packed {
        base: i64,
        width: u32,
        bytes: &'a [u8],
    },
    Delta {
        previous: i64,
        step: i64,
        width: u32,
        bytes: &'a [u8],
    },
    Plain(&'a [i64]),
    Codes(&'a [u32]),
    /// Lengths, as the end of each in the sum of all.
    Ends(&'a [u32]),
}

impl<'a> IntReader<'a> {
    /// Creates a reader of a chunk of `count` values.
    pub fn new(
        mut encoding: u8,
        count: usize,
        mut bytes: &'a [u8],
    ) -> Result<IntReader<'a>, Corrupt> {
        let mut patches = None;
        if encoding == PATCHED {
            patches = Some(Box::new(Patches::take(&mut bytes, count)?));
            encoding = match bytes.split_off_first() {
                Some(&inner @ (PACKED | DELTA)) => inner,
                _ => return malformed("an int column with exceptions has an unknown encoding"),
            };
        }
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
        let encoding = match encoding {
            Encoding::Packed { base: value, width: 0, .. }
            | Encoding::Delta { previous: value, step: 0, width: 0, .. }
                if patches.is_none() =>
            {
                Encoding::Constant(value)
            }
            encoding => encoding,
        };
        match bytes.is_empty() {
            true => Ok(IntReader { encoding, patches, count, at: 0 }),
            false => malformed("an int column has bytes to spare"),
        }
    }

    fn unpacked(encoding: Encoding<'a>, count: usize) -> IntReader<'a> {
        IntReader { encoding, patches: None, count, at: 0 }
    }

    /// Creates a reader that returns one value `count` times.
    pub(super) fn constant(value: i64, count: usize) -> IntReader<'a> {
        IntReader::unpacked(Encoding::Constant(value), count)
    }

    /// Creates a reader of these values.
    pub fn plain(values: &'a [i64]) -> IntReader<'a> {
        IntReader::unpacked(Encoding::Plain(values), values.len())
    }

    /// Creates a reader of these codes.
    pub fn codes(codes: &'a [u32]) -> IntReader<'a> {
        IntReader::unpacked(Encoding::Codes(codes), codes.len())
    }

    /// Creates a reader of the lengths of strings that end at `ends`, which ascend.
    pub fn lengths(ends: &'a [u32]) -> IntReader<'a> {
        IntReader::unpacked(Encoding::Ends(ends), ends.len())
    }

    /// Returns the number of unread values.
    pub fn left(&self) -> usize {
        self.count - self.at
    }

    /// Returns the value of all unread values, if they take no bytes because they are equal.
    pub fn only_value(&self) -> Option<i64> {
        match self.encoding {
            Encoding::Constant(value) => Some(value),
            _ => None,
        }
    }

    /// Returns whether all unread values are in `range`.
    pub fn are_in(&self, range: RangeInclusive<i64>) -> bool {
        if let (Encoding::Packed { base, width, .. }, None) = (&self.encoding, &self.patches) {
            let most = u64::MAX.checked_shr(64 - width).unwrap_or(0);
            let largest = base.checked_add_unsigned(most);
            if range.contains(base) && largest.is_some_and(|largest| range.contains(&largest)) {
                return true;
            }
        }
        match self.only_value() {
            Some(value) => self.left() == 0 || range.contains(&value),
            None => self
                .look(|block| match block.iter().all(|v| range.contains(v)) {
                    true => Ok(()),
                    false => Err(()),
                })
                .is_ok(),
        }
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
        let (at, end) = (self.at, self.at + out.len());
        let mut next = || self.patches.as_mut()?.next_before(end);
        match &mut self.encoding {
            Encoding::Constant(value) => out.fill(*value),
            Encoding::Packed { base, width, bytes } => {
                unpack(bytes, *width, *base, at, out);
                while let Some((position, value)) = next() {
                    out[position - at] = value;
                }
            }
            Encoding::Delta { previous, step, width, bytes } => {
                unpack_differences(bytes, *width, *step, at, out);
                let mut from = 0;
                while let Some((position, value)) = next() {
                    add_up(&mut out[from..position - at], previous);
                    (from, *previous) = (position - at, value);
                }
                add_up(&mut out[from..], previous);
            }
            Encoding::Plain(values) => out.copy_from_slice(&values[at..end]),
            Encoding::Codes(codes) => {
                for (out, &code) in out.iter_mut().zip(&codes[at..end]) {
                    *out = code.into();
                }
            }
            Encoding::Ends(ends) => {
                let mut begin = at.checked_sub(1).map_or(0, |last| ends[last]);
                for (out, &end) in out.iter_mut().zip(&ends[at..end]) {
                    *out = (end - begin).into();
                    begin = end;
                }
            }
        }
        self.at = end;
    }
}

/// Unpacks the differences that lead from each value to the one after it, from value `from` on. The
/// last value of the column has none, so it gets any.
fn unpack_differences(bytes: &[u8], width: u32, step: i64, from: usize, out: &mut [i64]) {
    if width == 0 {
        out.fill(step);
        return;
    }
    let have = (bytes.len() * 8 / width as usize).saturating_sub(from).min(out.len());
    unpack(bytes, width, step, from, &mut out[..have]);
}

/// Replaces differences by values. `value` is the first one; afterwards it is the one after the last.
fn add_up(out: &mut [i64], value: &mut i64) {
    for out in out {
        let difference = *out;
        *out = *value;
        *value = value.wrapping_add(difference);
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

//! Float columns.
//!
//! ```text
//! 0 constant   8 bytes
//! 1 raw        count × 8 bytes
//! 2 decimal    exponent (one byte), exceptions (varint), exceptions × position (4 bytes),
//!              exceptions × value (8 bytes), encoding of the int column (one byte), int column
//! 3 single     count × 4 bytes
//! ```
//!
//! Most floats in practice are decimals: 31.49 is the float nearest to 3149 / 100. If an integer
//! divided by a power of ten gives the exact bits of a value, serow stores the integer. IEEE 754
//! rounds the quotient of an integer below 2^53 and a power of ten up to 10^22 correctly on every
//! machine. Values without such an integer are exceptions. A column with many exceptions is raw.
//! (After ALP: Afroozeh, Kuffo, Boncz, SIGMOD 2023.)
//!
//! Programs with 32-bit floats hand them over as 64-bit floats. A column whose values all equal
//! 32-bit floats stores these.

use bytemuck::cast_slice;

use super::{Density, ints, take_count};
use crate::bytes::out::Out;
use crate::bytes::vector::vectorized;
use crate::error::{Corrupt, Fault, malformed};
use crate::memory;
use crate::number;

/// All values have the same bits.
pub const CONSTANT: u8 = 0;
/// The values' bits.
pub const RAW: u8 = 1;
/// Integers divided by a power of ten.
pub const DECIMAL: u8 = 2;
/// The bits of 32-bit floats.
pub const SINGLE: u8 = 3;

const MAX_EXPONENT: usize = 15;
const SAMPLE: usize = 64;
/// At most one value in this many may be an exception.
const EXCEPTIONS: usize = 16;
/// Bound of the stored integers: below 2^51, adding and subtracting `ROUND` rounds to an integer.
const LARGEST: f64 = (1u64 << 51) as f64;
const ROUND: f64 = (3u64 << 51) as f64;

const POWERS: [f64; MAX_EXPONENT + 1] =
    [1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15];

/// Returns `v * power` as an integer, and whether dividing it by `power` gives exactly `v`.
#[inline(always)]
fn scaled(v: f64, power: f64) -> (i64, bool) {
    let product = v * power;
    let whole = product + ROUND - ROUND;
    let exact = (whole / power).to_bits() == v.to_bits() && product.abs() < LARGEST;
    (whole as i64, exact)
}

/// Appends `values` in the cheapest encoding. Returns the encoding. `scratch` is reused memory.
pub fn encode(
    values: &[f64],
    density: Density,
    scratch: &mut Vec<i64>,
    out: &mut Out<'_>,
) -> Result<u8, Fault> {
    let first = values.first().copied().unwrap_or(0.0);
    if matches!(density, Density::Free) || values.is_empty() {
        if values.iter().all(|v| v.to_bits() == first.to_bits()) {
            out.extend(&first.to_le_bytes())?;
            return Ok(CONSTANT);
        }
        if encode_decimal(values, scratch, out)? {
            return Ok(DECIMAL);
        }
    }
    if encode_single(values, out)? {
        return Ok(SINGLE);
    }
    out.extend(cast_slice(values))?;
    Ok(RAW)
}

/// Appends `values` as decimals if that takes fewer bytes than raw. Returns whether it did.
fn encode_decimal(
    values: &[f64],
    scratch: &mut Vec<i64>,
    out: &mut Out<'_>,
) -> Result<bool, Fault> {
    let Some(exponent) = choose_exponent(values) else { return Ok(false) };
    let power = POWERS[exponent];
    scratch.clear();
    memory::resize(scratch, values.len(), 0)?;
    let exceptions = values.len() - scale(values, power, scratch);
    if exceptions * EXCEPTIONS > values.len() {
        return Ok(false);
    }
    let begin = out.len();
    out.push(exponent as u8)?;
    out.varint(exceptions as u64)?;
    if exceptions > 0 {
        encode_exceptions(values, power, scratch, out)?;
    }
    let encoding_at = out.len();
    out.push(0)?;
    let encoding = ints::encode(scratch, Density::Free, out)?;
    if out.len() - begin >= values.len() * 8 {
        out.truncate(begin);
        return Ok(false);
    }
    out.written_mut()[encoding_at] = encoding;
    Ok(true)
}

/// Values that are converted at once: enough for wide instructions, and few for a column that has
/// other values.
const PIECE: usize = 256;

/// Appends `values` as 32-bit floats if each of them equals one. Returns whether it did.
fn encode_single(values: &[f64], out: &mut Out<'_>) -> Result<bool, Fault> {
    let begin = out.len();
    let mut bits = [[0; 4]; PIECE];
    for piece in values.chunks(PIECE) {
        if !narrow(piece, &mut bits[..piece.len()]) {
            out.truncate(begin);
            return Ok(false);
        }
        out.extend(bits[..piece.len()].as_flattened())?;
    }
    Ok(true)
}

vectorized! {
    /// Converts `values` to 32-bit floats. Returns whether no bit was lost.
    fn narrow(values: &[f64], out: &mut [[u8; 4]]) -> bool {
        let mut lost = 0;
        for (&v, out) in values.iter().zip(out) {
            let single = v as f32;
            lost |= f64::from(single).to_bits() ^ v.to_bits();
            *out = single.to_le_bytes();
        }
        lost == 0
    }
}

vectorized! {
    /// Converts 32-bit floats to 64-bit floats.
    fn widen(values: &[[u8; 4]], out: &mut [f64]) {
        for (out, value) in out.iter_mut().zip(values) {
            *out = f64::from(f32::from_le_bytes(*value));
        }
    }
}

vectorized! {
    /// Scales all `values`. Returns the number of exact results.
    fn scale(values: &[f64], power: f64, whole: &mut [i64]) -> usize {
        let mut exact = 0;
        for (&v, whole) in values.iter().zip(whole) {
            let (scaled, fits) = scaled(v, power);
            *whole = scaled;
            exact += usize::from(fits);
        }
        exact
    }
}

vectorized! {
    /// Divides the scaled integers again.
    fn divide(whole: &[i64], power: f64, out: &mut [f64]) {
        for (out, whole) in out.iter_mut().zip(whole) {
            *out = *whole as f64 / power;
        }
    }
}

/// Appends the positions and values of exceptions. Replaces each exception in `whole` by the
/// integer before it, so that exceptions don't widen the integers.
fn encode_exceptions(
    values: &[f64],
    power: f64,
    whole: &mut [i64],
    out: &mut Out<'_>,
) -> Result<(), Fault> {
    let mut found = Vec::new();
    let mut neighbour = 0;
    for (i, &v) in values.iter().enumerate() {
        if scaled(v, power).1 {
            neighbour = whole[i];
        } else {
            whole[i] = neighbour;
            let at = u32::try_from(i).map_err(|_| Fault::Limit("a frame has too many floats"))?;
            memory::push(&mut found, (at, v))?;
        }
    }
    for (at, _) in &found {
        out.extend(&at.to_le_bytes())?;
    }
    for (_, v) in &found {
        out.extend(&v.to_le_bytes())?;
    }
    Ok(())
}

/// Returns the smallest exponent that scales nearly all values of a sample.
fn choose_exponent(values: &[f64]) -> Option<usize> {
    let step = values.len().div_ceil(SAMPLE).max(1);
    let sample = || values.iter().step_by(step);
    let few = sample().len() / EXCEPTIONS;
    // If floats are not decimals, each exponent fails within the first few values.
    let fails = |exponent: &usize| sample().filter(|&&v| !scaled(v, POWERS[*exponent]).1).nth(few);
    (0..=MAX_EXPONENT).find(|exponent| fails(exponent).is_none())
}

/// A column of floats, packed in a chunk or plain in memory, read from front to back.
#[derive(Clone, Debug)]
pub struct FloatReader<'a> {
    encoding: Encoding<'a>,
    count: usize,
    at: usize,
}

#[derive(Clone, Debug)]
enum Encoding<'a> {
    Constant(f64),
    Raw(&'a [[u8; 8]]),
    Plain(&'a [f64]),
    Single(&'a [[u8; 4]]),
    Decimal {
        power: f64,
        whole: ints::IntReader<'a>,
        positions: &'a [[u8; 4]],
        values: &'a [[u8; 8]],
    },
}

impl<'a> FloatReader<'a> {
    /// Creates a reader of a chunk of `count` values.
    pub fn new(encoding: u8, count: usize, bytes: &'a [u8]) -> Result<FloatReader<'a>, Corrupt> {
        let encoding = match encoding {
            CONSTANT => match bytes.try_into() {
                Ok(value) => Encoding::Constant(f64::from_le_bytes(value)),
                Err(_) => return malformed("a constant float column does not have 8 bytes"),
            },
            RAW => {
                let (values, rest) = bytes.as_chunks::<8>();
                if values.len() != count || !rest.is_empty() {
                    return malformed("a float column is not as long as its values");
                }
                Encoding::Raw(values)
            }
            DECIMAL => Self::decimal(count, bytes)?,
            SINGLE => {
                let (values, rest) = bytes.as_chunks::<4>();
                if values.len() != count || !rest.is_empty() {
                    return malformed("a float column is not as long as its values");
                }
                Encoding::Single(values)
            }
            _ => return malformed("a float column has an unknown encoding"),
        };
        Ok(FloatReader { encoding, count, at: 0 })
    }

    /// Creates a reader that returns one value `count` times.
    pub(super) fn constant(value: f64, count: usize) -> FloatReader<'a> {
        FloatReader { encoding: Encoding::Constant(value), count, at: 0 }
    }

    /// Creates a reader of these values.
    pub fn plain(values: &'a [f64]) -> FloatReader<'a> {
        FloatReader { encoding: Encoding::Plain(values), count: values.len(), at: 0 }
    }

    fn decimal(count: usize, mut bytes: &'a [u8]) -> Result<Encoding<'a>, Corrupt> {
        let Some((&exponent, rest)) = bytes.split_first() else {
            return malformed("a decimal column is cut");
        };
        bytes = rest;
        let Some(&power) = POWERS.get(usize::from(exponent)) else {
            return malformed("a decimal column has an impossible exponent");
        };
        let exceptions = take_count(&mut bytes)?;
        let positions = exceptions.checked_mul(4).and_then(|n| bytes.split_at_checked(n));
        let Some((positions, rest)) = positions else {
            return malformed("a decimal column's exceptions are cut");
        };
        let Some((values, rest)) = rest.split_at_checked(exceptions * 8) else {
            return malformed("a decimal column's exceptions are cut");
        };
        let (positions, values) = (positions.as_chunks::<4>().0, values.as_chunks::<8>().0);
        let mut previous = None;
        for position in positions.iter().map(|p| u32::from_le_bytes(*p) as usize) {
            if position >= count || previous.is_some_and(|p| p >= position) {
                return malformed("a decimal column's exceptions are out of order");
            }
            previous = Some(position);
        }
        let Some((&encoding, rest)) = rest.split_first() else {
            return malformed("a decimal column is cut");
        };
        Ok(Encoding::Decimal {
            power,
            whole: ints::IntReader::new(encoding, count, rest)?,
            positions,
            values,
        })
    }

    /// Returns the number of unread values.
    pub fn left(&self) -> usize {
        self.count - self.at
    }

    /// Returns whether each unread value equals a 32-bit float.
    pub fn are_single(&self) -> bool {
        let is_single = |&v: &f64| number::exact(v).is_some();
        match &self.encoding {
            Encoding::Single(_) => return true,
            Encoding::Constant(value) => return self.left() == 0 || is_single(value),
            _ => {}
        }
        let (mut reader, mut block, mut scratch) = (self.clone(), [0.0; 64], [0; 64]);
        while reader.left() > 0 {
            let len = reader.left().min(block.len());
            reader.read(&mut block[..len], &mut scratch[..len]);
            if !block[..len].iter().all(is_single) {
                return false;
            }
        }
        true
    }

    /// Reads `out.len()` values; see [`ints::IntReader::read`]. `scratch` must be as long as `out`.
    pub fn read(&mut self, out: &mut [f64], scratch: &mut [i64]) {
        debug_assert!(out.len() <= self.left());
        match &mut self.encoding {
            Encoding::Constant(value) => out.fill(*value),
            Encoding::Raw(values) => {
                for (out, value) in out.iter_mut().zip(&values[self.at..]) {
                    *out = f64::from_le_bytes(*value);
                }
            }
            Encoding::Plain(values) => out.copy_from_slice(&values[self.at..][..out.len()]),
            Encoding::Single(values) => widen(&values[self.at..][..out.len()], out),
            Encoding::Decimal { power, whole, positions, values } => {
                whole.read(scratch);
                divide(scratch, *power, out);
                while let Some((position, rest)) = positions.split_first() {
                    let position = u32::from_le_bytes(*position) as usize - self.at;
                    let Some(out) = out.get_mut(position) else { break };
                    *out = f64::from_le_bytes(values[0]);
                    (*positions, *values) = (rest, &values[1..]);
                }
            }
        }
        self.at += out.len();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn round_trip(values: &[f64], density: Density) -> u8 {
        let mut room = Vec::new();
        let mut out = Out::new(&mut room);
        let encoding = encode(values, density, &mut Vec::new(), &mut out).unwrap();
        let bytes = out.written();
        let mut reader = FloatReader::new(encoding, values.len(), bytes).unwrap();
        let mut back = vec![0.0; values.len()];
        for piece in back.chunks_mut(64) {
            let mut scratch = vec![0; piece.len()];
            reader.read(piece, &mut scratch);
        }
        let bits = |values: &[f64]| values.iter().map(|v| v.to_bits()).collect::<Vec<_>>();
        assert_eq!(bits(&back), bits(values));
        encoding
    }

    #[test]
    fn bits_come_back_in_every_encoding() {
        assert_eq!(round_trip(&[], Density::Free), CONSTANT);
        assert_eq!(round_trip(&[f64::NAN; 9], Density::Free), CONSTANT);
        assert_eq!(round_trip(&[-0.0; 9], Density::Dense), SINGLE);
        assert_eq!(round_trip(&[-0.1; 9], Density::Dense), RAW);
        let prices: Vec<f64> = (0..1000).map(|i| f64::from(i * 37 % 9973) / 100.0).collect();
        assert_eq!(round_trip(&prices, Density::Free), DECIMAL);
        let mut dirty = prices.clone();
        dirty[0] = -0.0;
        dirty[64] = f64::from_bits(0x7FF8_0000_0000_1234);
        dirty[999] = f64::NEG_INFINITY;
        dirty[500] = std::f64::consts::PI;
        assert_eq!(round_trip(&dirty, Density::Free), DECIMAL);
        let random: Vec<f64> = (1..1000).map(|i| f64::from(i).sqrt()).collect();
        assert_eq!(round_trip(&random, Density::Free), RAW);
        let single: Vec<f64> = (1..1000).map(|i| f64::from((i as f32).sqrt())).collect();
        assert_eq!(round_trip(&single, Density::Free), SINGLE);
        let mut other = single.clone();
        other[998] = f64::from_bits(0x7FF0_0000_2000_0000);
        assert_eq!(round_trip(&other, Density::Free), RAW);
        round_trip(&[f64::MAX, f64::MIN_POSITIVE, 5e-324, 1e22, -1e15, 0.1], Density::Free);
    }
}

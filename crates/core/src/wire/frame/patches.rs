//! Exceptions of int columns: few values that would make the numbers of all others wide.
//!
//! ```text
//! exceptions   their number (varint), their positions, their values
//! ```
//!
//! The positions ascend. Positions and values are ints with their length before them. Both are
//! often regular: a sequence that starts again every 1,000 values has exceptions of a few bytes.
//! (After PFOR: Zukowski, Héman, Nes, Boncz, ICDE 2006.)

use super::ints::{self, IntReader};
use super::take_count;
use crate::bytes::out::Out;
use crate::bytes::vector::vectorized;
use crate::error::{Corrupt, Fault, malformed};
use crate::memory;

/// Shorter columns have no exceptions: their sample says too little.
const FEWEST: usize = 512;
/// At most one value in this many is an exception.
const EXCEPTIONS: usize = 16;
const SAMPLE: usize = 256;
/// About the bits of an exception's position, and of its difference from other exceptions.
const POSITION: usize = 16;
/// About the bits of the headers of two more int columns.
const HEADERS: usize = 256;

/// A range of numbers: `low` and the 2^`width` - 1 numbers after it. It wraps at 64 bits.
#[derive(Clone, Copy, Debug)]
pub struct Window {
    pub low: i64,
    pub width: u32,
}

impl Window {
    /// Returns whether the window has `number`.
    #[inline(always)]
    fn has(self, number: i64) -> bool {
        self.excess(number) == 0
    }

    /// Returns the bits beyond the window's width, which is less than 64.
    #[inline(always)]
    fn excess(self, number: i64) -> u64 {
        number.wrapping_sub(self.low) as u64 >> self.width
    }
}

/// Chooses a window for most of `count` numbers by a sample of them. Returns it with the bits that
/// the column is about to take, or nothing if each window narrower than `width` bits has too many
/// exceptions.
///
/// - `number` returns the number at a position.
pub fn choose(count: usize, width: u32, number: impl Fn(usize) -> i64) -> Option<(Window, usize)> {
    if count < FEWEST {
        return None;
    }
    let mut sample = [0; SAMPLE];
    // The steps differ, so that numbers which repeat are not all at the sample's positions.
    let mut random = 1u32;
    for (i, sample) in sample.iter_mut().enumerate() {
        let (from, to) = (count * i / SAMPLE, count * (i + 1) / SAMPLE);
        random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        *sample = number(from + (random >> 8) as usize % (to - from));
    }
    sample.sort_unstable();
    let mut best: Option<(Window, usize)> = None;
    for width in (0..width).rev() {
        let (low, inside) = fullest(&sample, width);
        let outside = SAMPLE - inside;
        if outside > SAMPLE / EXCEPTIONS {
            break;
        }
        let exceptions = count * outside / SAMPLE;
        let bits = count * width as usize + exceptions * (width as usize + POSITION) + HEADERS;
        if best.is_none_or(|(_, least)| bits < least) {
            best = Some((Window { low, width }, bits));
        }
    }
    best
}

/// Returns the begin of the window of `width` bits that has the most numbers of `sorted`, and how
/// many it has.
fn fullest(sorted: &[i64], width: u32) -> (i64, usize) {
    let mut best = (sorted[0], 0);
    let mut end = 0;
    for (begin, &low) in sorted.iter().enumerate() {
        let window = Window { low, width };
        while end < sorted.len() && window.has(sorted[end]) {
            end += 1;
        }
        if end - begin > best.1 {
            best = (low, end - begin);
        }
    }
    best
}

/// Values that are looked at together: most pieces have no exception.
const PIECE: usize = 256;

vectorized! {
    /// Returns whether any of `values` is outside of a window.
    fn any_outside(values: &[i64], window: Window) -> bool {
        values.iter().fold(0, |all, v| all | window.excess(*v)) != 0
    }
}

vectorized! {
    /// Returns whether any difference of neighbours is outside of a window.
    fn any_step_outside(values: &[i64], window: Window) -> bool {
        let pairs = values.iter().zip(&values[1..]);
        pairs.fold(0, |all, (a, b)| all | window.excess(b.wrapping_sub(*a))) != 0
    }
}

/// Exceptions of a column that is written.
#[derive(Default)]
pub struct Found {
    positions: Vec<i64>,
    values: Vec<i64>,
}

impl Found {
    /// Finds the values outside of a window. Returns nothing if they are none, or too many.
    pub fn among(values: &[i64], window: Window) -> Result<Option<Found>, Fault> {
        let mut found = Found::default();
        for (i, piece) in values.chunks(PIECE).enumerate() {
            if any_outside(piece, window)
                && !found.add(values, i * PIECE, piece.len(), |at| window.has(values[at]))?
            {
                return Ok(None);
            }
        }
        Ok((!found.positions.is_empty()).then_some(found))
    }

    /// Finds the values whose difference from the value before is outside of a window. Returns nothing
    /// if they are none, or too many.
    pub fn among_steps(values: &[i64], window: Window) -> Result<Option<Found>, Fault> {
        let mut found = Found::default();
        let steps = values.len().saturating_sub(1);
        let has = |at: usize| window.has(values[at].wrapping_sub(values[at - 1]));
        for from in (0..steps).step_by(PIECE) {
            let to = (from + PIECE).min(steps);
            if any_step_outside(&values[from..=to], window)
                && !found.add(values, from + 1, to - from, has)?
            {
                return Ok(None);
            }
        }
        Ok((!found.positions.is_empty()).then_some(found))
    }

    /// Adds the exceptions among some values. Returns whether they are not too many.
    fn add(
        &mut self,
        values: &[i64],
        from: usize,
        count: usize,
        has: impl Fn(usize) -> bool,
    ) -> Result<bool, Fault> {
        for at in (from..from + count).filter(|&at| !has(at)) {
            memory::push(&mut self.positions, at as i64)?;
            memory::push(&mut self.values, values[at])?;
        }
        Ok(self.positions.len() <= values.len() / EXCEPTIONS)
    }

    /// Appends the exceptions.
    pub fn encode(&self, out: &mut Out<'_>) -> Result<(), Fault> {
        out.varint(self.positions.len() as u64)?;
        ints::encode_with_length(&self.positions, ints::encode_plain, out)?;
        ints::encode_with_length(&self.values, ints::encode_plain, out)
    }
}

/// Exceptions that are read from front to back.
#[derive(Clone, Debug)]
pub struct Patches<'a> {
    positions: IntReader<'a>,
    values: IntReader<'a>,
    /// The next exceptions.
    block: [(i64, i64); BLOCK],
    at: usize,
    len: usize,
}

const BLOCK: usize = 8;

impl<'a> Patches<'a> {
    /// Takes the exceptions of a column of `count` values.
    pub fn take(bytes: &mut &'a [u8], count: usize) -> Result<Patches<'a>, Corrupt> {
        let exceptions = take_count(bytes)?;
        if exceptions == 0 || exceptions > count {
            return malformed("an int column has an impossible number of exceptions");
        }
        let mut take = || match ints::take_with_length(bytes)? {
            (ints::PATCHED, _) => malformed("exceptions of an int column have exceptions"),
            (encoding, chunk) => IntReader::new(encoding, exceptions, chunk),
        };
        let (positions, values) = (take()?, take()?);
        let mut least = 0;
        positions.look(|block| {
            for &position in block {
                if position < least || position as u64 >= count as u64 {
                    return malformed("an int column's exceptions are out of order");
                }
                least = position + 1;
            }
            Ok(())
        })?;
        Ok(Patches { positions, values, block: [(0, 0); BLOCK], at: 0, len: 0 })
    }

    /// Returns the position and the value of the next exception, if it is before `end`.
    pub fn next_before(&mut self, end: usize) -> Option<(usize, i64)> {
        if self.at == self.len {
            self.fill();
        }
        let (position, value) = *self.block[..self.len].get(self.at)?;
        if position as usize >= end {
            return None;
        }
        self.at += 1;
        Some((position as usize, value))
    }

    fn fill(&mut self) {
        let len = self.positions.left().min(BLOCK);
        if len == 0 {
            return;
        }
        let (mut positions, mut values) = ([0; BLOCK], [0; BLOCK]);
        self.positions.read(&mut positions[..len]);
        self.values.read(&mut values[..len]);
        for (to, from) in self.block.iter_mut().zip(positions.into_iter().zip(values)) {
            *to = from;
        }
        (self.at, self.len) = (0, len);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::Density;
    use super::super::ints::{CONSTANT, DELTA, PACKED, PATCHED, encode, encode_unordered};
    use super::*;
    use crate::testing::sized;

    /// The length of a long column.
    const LONG: usize = sized(60_000, 3_000);

    /// Encodes, decodes in pieces of several lengths, and returns the encodings and the bytes.
    fn round_trip(values: &[i64]) -> (u8, Option<u8>, usize) {
        let mut room = Vec::new();
        let mut out = Out::new(&mut room);
        let encoding = encode(values, Density::Free, &mut out).unwrap();
        let bytes = out.written().to_vec();
        for piece in [8, 64, 512, values.len()] {
            let mut reader = IntReader::new(encoding, values.len(), &bytes).unwrap();
            let mut back = vec![0; values.len()];
            back.chunks_mut(piece).for_each(|piece| reader.read(piece));
            assert_eq!(back, values, "pieces of {piece}");
        }
        (encoding, inner(encoding, &bytes), bytes.len())
    }

    fn inner(encoding: u8, mut bytes: &[u8]) -> Option<u8> {
        (encoding == PATCHED).then(|| {
            Patches::take(&mut bytes, usize::MAX).unwrap();
            bytes[0]
        })
    }

    fn sawtooth() -> Vec<i64> {
        (0..LONG as i64).map(|i| i % 1000 * 100 + i / 10 % 7).collect()
    }

    #[test]
    fn a_sequence_that_starts_again_has_exceptions() {
        let (encoding, inner, bytes) = round_trip(&sawtooth());
        assert_eq!((encoding, inner), (PATCHED, Some(DELTA)));
        assert!(bytes < LONG * 4 / 8, "{bytes} bytes");
    }

    #[test]
    fn few_large_values_have_exceptions() {
        let mut values: Vec<i64> = (0..LONG as i64).map(|i| i * 7919 % 50).collect();
        let few = [(0, i64::MAX), (7, i64::MIN), (8, -1), (LONG / 2 + 1_111, 1 << 40)];
        for (at, value) in few.into_iter().chain([(LONG - 1, 50)]) {
            values[at] = value;
        }
        let (encoding, inner, bytes) = round_trip(&values);
        assert_eq!((encoding, inner), (PATCHED, Some(PACKED)));
        assert!(bytes < LONG * 6 / 8 + 200, "{bytes} bytes");
        let each = LONG / 20 * 3;
        let rare: Vec<i64> = (0..LONG).map(|i| i64::from(i % each == each - 1) * 77).collect();
        let (encoding, inner, bytes) = round_trip(&rare);
        assert_eq!((encoding, inner), (PATCHED, Some(PACKED)));
        assert!(bytes < 50, "{bytes} bytes");
    }

    #[test]
    fn columns_without_few_exceptions_stay_as_they_were() {
        let random: Vec<i64> = (0..LONG as i64).map(|i| i * 7919 % 10_007).collect();
        assert_eq!(round_trip(&random).0, PACKED);
        let count: Vec<i64> = (0..LONG as i64).map(|i| i * 3).collect();
        assert_eq!(round_trip(&count).0, DELTA);
        let often = (0..LONG as i64).map(|i| if i % 8 == 0 { i << 30 } else { 1 });
        let often: Vec<i64> = often.collect();
        assert_eq!(round_trip(&often).0, PACKED);
        let mut few = vec![0; FEWEST - 1];
        few[100] = 1 << 40;
        assert_eq!(round_trip(&few).0, PACKED);
        assert_eq!(round_trip(&[5; 1000]).0, CONSTANT);
        // Lengths and codes have no differences, but they have exceptions.
        let mut out = Vec::new();
        let lengths: Vec<i64> = (0..1000).map(|i| if i == 500 { 1 << 20 } else { i % 4 }).collect();
        let encoding = encode_unordered(&lengths, Density::Free, &mut Out::new(&mut out)).unwrap();
        assert_eq!(encoding, PATCHED);
    }

    #[test]
    fn chunks_that_are_not_canonical_enough_are_refused() {
        let mut room = Vec::new();
        let mut out = Out::new(&mut room);
        let values = sawtooth();
        let encoding = encode(&values, Density::Free, &mut out).unwrap();
        let bytes = out.written().to_vec();
        let read = |bytes: &[u8], count| IntReader::new(encoding, count, bytes).map(drop);
        assert!(read(&bytes, values.len()).is_ok());
        for cut in (0..40).chain(bytes.len() - 40..bytes.len()) {
            assert!(read(&bytes[..cut], values.len()).is_err(), "{cut}");
        }
        // The last exception is beyond a shorter column.
        assert!(read(&bytes, LONG - 1_000).is_err());
        let mut nested = bytes.clone();
        let mut rest = &bytes[..];
        take_count(&mut rest).and_then(|_| take_count(&mut rest)).unwrap();
        nested[bytes.len() - rest.len()] = PATCHED;
        assert_eq!(
            read(&nested, values.len()),
            malformed("exceptions of an int column have exceptions")
        );
        let none = [1, PACKED, 0, 0];
        assert!(read(&none, values.len()).is_err());
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(sized(256, 2) as u32))]

        #[test]
        fn all_values_come_back(
            base in any::<i64>(),
            step in -3i64..1000,
            noise in 0u32..20,
            exceptions in prop::collection::vec((0usize..5000, any::<i64>()), 0..sized(400, 40)),
            len in 500usize..sized(5000, 1000),
        ) {
            let mut values: Vec<i64> = (0..len as i64)
                .map(|i| base.wrapping_add(i * step).wrapping_add(i * 7919 % (1 << noise)))
                .collect();
            for (at, value) in exceptions {
                if let Some(slot) = values.get_mut(at) {
                    *slot = value;
                }
            }
            round_trip(&values);
        }
    }
}

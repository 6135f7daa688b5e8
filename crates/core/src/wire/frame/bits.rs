//! Bit columns: booleans, and whether optional values are present.
//!
//! ```text
//! 0 constant   one byte, 0 or 1
//! 1 bitmap     count bits, lowest first, in whole bytes; the bits after the last are 0
//! ```

use super::Density;
use crate::bytes::out::Out;
use crate::error::{Corrupt, Fault, malformed};

/// All bits are equal.
pub const CONSTANT: u8 = 0;
/// One bit per value.
pub const BITMAP: u8 = 1;

/// Appends `bits`, each a byte of 0 or 1, in the cheapest encoding. Returns the encoding.
pub fn encode(bits: &[u8], density: Density, out: &mut Out<'_>) -> Result<u8, Fault> {
    let first = bits.first().copied().unwrap_or(0);
    let free = matches!(density, Density::Free) || bits.is_empty();
    if free && bits.iter().all(|&bit| bit == first) {
        out.push(first)?;
        return Ok(CONSTANT);
    }
    let len = bits.len().div_ceil(8);
    out.reserve(len)?;
    // SAFETY: `len` bytes were reserved.
    unsafe {
        for (i, eight) in bits.chunks(8).enumerate() {
            *out.end().add(i) = eight.iter().rev().fold(0, |byte, bit| byte << 1 | bit);
        }
        out.advance(len);
    }
    Ok(BITMAP)
}

/// A column of bits, packed in a chunk or plain in memory, read from front to back.
#[derive(Clone, Debug)]
pub struct BitReader<'a> {
    encoding: Encoding<'a>,
    count: usize,
    at: usize,
}

#[derive(Clone, Debug)]
enum Encoding<'a> {
    Constant(u8),
    Bitmap(&'a [u8]),
    /// A byte of 0 or 1 for each bit.
    Plain(&'a [u8]),
}

impl<'a> BitReader<'a> {
    /// Creates a reader of a chunk of `count` bits.
    pub fn new(encoding: u8, count: usize, bytes: &'a [u8]) -> Result<BitReader<'a>, Corrupt> {
        let encoding = match (encoding, bytes) {
            (CONSTANT, &[bit @ (0 | 1)]) => Encoding::Constant(bit),
            (BITMAP, bitmap) if bitmap.len() == count.div_ceil(8) => {
                let spare = bitmap.len() * 8 - count;
                if spare > 0 && bitmap[bitmap.len() - 1] >> (8 - spare) != 0 {
                    return malformed("a bitmap has bits after its last");
                }
                Encoding::Bitmap(bitmap)
            }
            _ => return malformed("a bit column is not as long as its values"),
        };
        Ok(BitReader { encoding, count, at: 0 })
    }

    /// Creates a reader that returns one bit `count` times.
    pub(super) fn constant(bit: bool, count: usize) -> BitReader<'a> {
        BitReader { encoding: Encoding::Constant(bit.into()), count, at: 0 }
    }

    /// Creates a reader of these bits, each a byte of 0 or 1.
    pub fn plain(bits: &'a [u8]) -> BitReader<'a> {
        BitReader { encoding: Encoding::Plain(bits), count: bits.len(), at: 0 }
    }

    /// Returns the number of unread bits.
    pub fn left(&self) -> usize {
        self.count - self.at
    }

    /// Returns the number of bits that are 1.
    pub fn ones(&self) -> usize {
        match self.encoding {
            Encoding::Constant(bit) => self.count * usize::from(bit),
            Encoding::Bitmap(bitmap) => bitmap.iter().map(|byte| byte.count_ones() as usize).sum(),
            Encoding::Plain(bits) => bits.iter().map(|&bit| usize::from(bit)).sum(),
        }
    }

    /// Reads `out.len()` bits, each as a byte of 0 or 1. The length must be a multiple of eight in
    /// all calls but the last.
    pub fn read(&mut self, out: &mut [u8]) {
        debug_assert!(out.len() <= self.left() && self.at.is_multiple_of(8));
        match self.encoding {
            Encoding::Constant(bit) => out.fill(bit),
            Encoding::Plain(bits) => out.copy_from_slice(&bits[self.at..][..out.len()]),
            Encoding::Bitmap(bitmap) => {
                for (eight, byte) in out.chunks_mut(8).zip(&bitmap[self.at / 8..]) {
                    for (i, bit) in eight.iter_mut().enumerate() {
                        *bit = byte >> i & 1;
                    }
                }
            }
        }
        self.at += out.len();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_come_back() {
        for count in 0..70 {
            for pattern in [0, u64::MAX, 0x9E37_79B9_7F4A_7C15] {
                let bits: Vec<u8> = (0..count).map(|i| (pattern >> (i % 64) & 1) as u8).collect();
                for density in [Density::Free, Density::Dense] {
                    let mut room = Vec::new();
                    let mut out = Out::new(&mut room);
                    let encoding = encode(&bits, density, &mut out).unwrap();
                    let mut reader = BitReader::new(encoding, count, out.written()).unwrap();
                    assert_eq!(reader.ones(), bits.iter().filter(|&&bit| bit == 1).count());
                    let mut back = vec![9; count];
                    reader.read(&mut back);
                    assert_eq!(back, bits);
                }
            }
        }
    }
}

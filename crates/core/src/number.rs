//! The types of numbers, and 32-bit floats as 64-bit floats and back, with all bits. A conversion with `as` makes
//! a quiet NaN of a signalling one.

mod int;

pub use int::{Int, IntBytes};

/// A type of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say the kind and the bits")]
pub enum Number {
    I8,
    I16,
    I32,
    I64,
    U8,
    U16,
    U32,
    U64,
    /// An integer of any size.
    Int,
    F32,
    F64,
}

impl Number {
    /// Returns its name in the text of a schema.
    pub const fn name(self) -> &'static str {
        match self {
            Number::I8 => "i8",
            Number::I16 => "i16",
            Number::I32 => "i32",
            Number::I64 => "i64",
            Number::U8 => "u8",
            Number::U16 => "u16",
            Number::U32 => "u32",
            Number::U64 => "u64",
            Number::Int => "int",
            Number::F32 => "f32",
            Number::F64 => "f64",
        }
    }

    /// Returns whether it is a type of floats.
    pub const fn is_float(self) -> bool {
        matches!(self, Number::F32 | Number::F64)
    }

    /// Returns the least and the largest of the integers that all are numbers of this type. `Int` has more.
    pub const fn integers(self) -> (i128, i128) {
        match self {
            Number::I8 => (i8::MIN as i128, i8::MAX as i128),
            Number::I16 => (i16::MIN as i128, i16::MAX as i128),
            Number::I32 => (i32::MIN as i128, i32::MAX as i128),
            Number::I64 => (i64::MIN as i128, i64::MAX as i128),
            Number::U8 => (0, u8::MAX as i128),
            Number::U16 => (0, u16::MAX as i128),
            Number::U32 => (0, u32::MAX as i128),
            Number::U64 => (0, u64::MAX as i128),
            Number::Int => (i128::MIN, i128::MAX),
            Number::F32 => (-1 << 24, 1 << 24),
            Number::F64 => (-1 << 53, 1 << 53),
        }
    }

    /// Returns whether `v` is one of [`integers`](Number::integers).
    pub const fn holds(self, v: i128) -> bool {
        let (least, largest) = self.integers();
        least <= v && v <= largest
    }

    /// Returns the smallest type that includes this one and `other`, both of integers or both of floats.
    pub fn joined(self, other: Number) -> Number {
        use Number::{F32, F64, I8, I16, I32, I64, Int, U8, U16, U32, U64};
        let all = [U8, I8, U16, I16, U32, I32, I64, U64, Int, F32, F64];
        let includes = |of: &Number| of.includes(self) && of.includes(other);
        let same_kind = |of: &Number| of.is_float() == self.is_float();
        all.into_iter().find(|of| same_kind(of) && includes(of)).unwrap_or(self)
    }

    /// Returns whether each number of type `other` is one of this type.
    pub const fn includes(self, other: Number) -> bool {
        match (self, other) {
            (Number::F64, Number::F32) => true,
            (_, Number::F32 | Number::F64) => self as u8 == other as u8,
            (_, Number::Int) => self as u8 == Number::Int as u8,
            _ => self.holds(other.integers().0) && self.holds(other.integers().1),
        }
    }
}

const LOST_BITS: u32 = 29;
const EXPONENT: u64 = 0x7FF << 52;

/// Returns the 64-bit float with the value of `v`, or with its payload if it is a NaN.
#[inline]
pub fn widened(v: f32) -> f64 {
    if v.is_nan() { widened_nan(v) } else { f64::from(v) }
}

#[cold]
fn widened_nan(v: f32) -> f64 {
    let bits = u64::from(v.to_bits());
    f64::from_bits((bits >> 31) << 63 | EXPONENT | (bits & 0x7F_FFFF) << LOST_BITS)
}

/// Returns the 32-bit float nearest to `v`; if `v` is a NaN, the one with the first bits of its
/// payload.
#[inline]
pub fn narrowed(v: f64) -> f32 {
    if v.is_nan() { narrowed_nan(v) } else { v as f32 }
}

/// Returns the 32-bit float that equals `v`, if there is one. A NaN keeps the first bits of its payload.
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn exact(v: f64) -> Option<f32> {
    let narrow = narrowed(v);
    (f64::from(narrow) == v || v.is_nan()).then_some(narrow)
}

#[cold]
fn narrowed_nan(v: f64) -> f32 {
    let bits = v.to_bits();
    let payload = (bits & ((1 << 52) - 1)) >> LOST_BITS;
    // A NaN whose first bits are zero must not become an infinity.
    let payload = if payload == 0 { 1 << 22 } else { payload as u32 };
    f32::from_bits(((bits >> 63) as u32) << 31 | 0xFF << 23 | payload)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_type_includes_what_it_holds() {
        use Number::{F32, F64, I8, I16, I32, I64, Int, U8, U16, U32, U64};
        let all = [I8, I16, I32, I64, U8, U16, U32, U64, Int, F32, F64];
        let included =
            |by: Number| all.into_iter().filter(|&of| by.includes(of)).collect::<Vec<_>>();
        assert_eq!(included(U8), [U8]);
        assert_eq!(included(I16), [I8, I16, U8]);
        assert_eq!(included(U64), [U8, U16, U32, U64]);
        assert_eq!(included(Int), [I8, I16, I32, I64, U8, U16, U32, U64, Int]);
        assert_eq!(included(F32), [I8, I16, U8, U16, F32]);
        assert_eq!(included(F64), [I8, I16, I32, U8, U16, U32, F32, F64]);
    }

    #[test]
    fn types_join_to_the_smallest_that_includes_both() {
        use Number::{F32, F64, I8, I16, I32, I64, Int, U8, U32, U64};
        let cases = [
            (U8, I8, I16),
            (U8, U32, U32),
            (U32, I32, I64),
            (U64, I8, Int),
            (U64, U8, U64),
            (I64, U32, I64),
            (I16, I16, I16),
            (Int, U8, Int),
            (F32, F64, F64),
            (F32, F32, F32),
        ];
        for (a, b, joined) in cases {
            assert_eq!((a.joined(b), b.joined(a)), (joined, joined), "{a:?}, {b:?}");
        }
    }

    #[test]
    fn every_bit_comes_back() {
        for bits in
            [0x7F80_0001, 0xFF80_0001, 0x7FC0_0000, 0xFFFF_FFFF, 1, 0x8000_0000, 0x7F80_0000]
        {
            assert_eq!(narrowed(widened(f32::from_bits(bits))).to_bits(), bits);
        }
        assert!(narrowed(f64::from_bits(EXPONENT | 1)).is_nan());
    }
}

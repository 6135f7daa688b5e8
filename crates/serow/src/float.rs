//! 32-bit floats as 64-bit floats and back, with all bits. A conversion with `as` makes a quiet NaN
//! of a signalling one.

const LOST_BITS: u32 = 29;
const EXPONENT: u64 = 0x7FF << 52;

/// Returns the 64-bit float with the value of `v`, or with its payload if it is a NaN.
#[inline]
pub(crate) fn widened(v: f32) -> f64 {
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
pub(crate) fn narrowed(v: f64) -> f32 {
    if v.is_nan() { narrowed_nan(v) } else { v as f32 }
}

/// Returns the 32-bit float that equals `v`, if there is one. A NaN keeps the first bits of its payload.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(crate) fn exact(v: f64) -> Option<f32> {
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
    fn every_bit_comes_back() {
        for bits in
            [0x7F80_0001, 0xFF80_0001, 0x7FC0_0000, 0xFFFF_FFFF, 1, 0x8000_0000, 0x7F80_0000]
        {
            assert_eq!(narrowed(widened(f32::from_bits(bits))).to_bits(), bits);
        }
        assert!(narrowed(f64::from_bits(EXPONENT | 1)).is_nan());
    }
}

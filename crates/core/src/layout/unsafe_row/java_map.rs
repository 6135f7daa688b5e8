//! The order in which a map of Spark's comes to Python: that of Java's `HashMap`.
//!
//! Spark makes a `HashMap` of each map and then pickles it. Its order is no part of the value, but it is
//! seen wherever a dict is printed, so that rows which come another way have to be in the same order.

/// Write to `order` the places of keys with these hashes, in the order in which the map has them that was made for as
/// many and got them one after another.
///
/// Buckets are a power of two, of which three quarters are used; each has its keys in the order in which they came.
/// (Buckets of eight keys become trees, which keep that order but for the root.)
pub fn order(hashes: &[i32], order: &mut Vec<u32>) {
    let mut buckets = hashes.len().next_power_of_two();
    while hashes.len() > buckets / 4 * 3 + buckets % 4 * 3 / 4 {
        buckets *= 2;
    }
    let from = order.len();
    order.extend(0..hashes.len() as u32);
    let bucket = |hash: i32| (hash ^ (hash as u32 >> 16) as i32) as usize & (buckets - 1);
    order[from..].sort_by_key(|&at| bucket(hashes[at as usize]));
}

/// `Boolean.hashCode`.
pub fn of_bool(value: bool) -> i32 {
    if value { 1231 } else { 1237 }
}

/// `Long.hashCode`.
pub fn of_long(value: i64) -> i32 {
    (value ^ (value as u64 >> 32) as i64) as i32
}

/// `Float.hashCode`, where all NaNs are one.
pub fn of_single(value: f32) -> i32 {
    if value.is_nan() { 0x7FC0_0000 } else { value.to_bits() as i32 }
}

/// `Double.hashCode`, where all NaNs are one.
pub fn of_double(value: f64) -> i32 {
    let bits = if value.is_nan() { 0x7FF8_0000_0000_0000 } else { value.to_bits() };
    of_long(bits as i64)
}

/// `String.hashCode`, of its UTF-16.
pub fn of_text(text: &str) -> i32 {
    text.encode_utf16().fold(0, |hash, unit| hash.wrapping_mul(31).wrapping_add(unit.into()))
}

/// `BigDecimal.hashCode`, of a coefficient of up to 38 digits.
pub fn of_decimal(coefficient: i128, scale: u8) -> i32 {
    let magnitude = coefficient.unsigned_abs();
    let words = (0..4).rev().map(|word| (magnitude >> (32 * word)) as u32 as i32);
    let hash = words.fold(0i32, |hash, word| hash.wrapping_mul(31).wrapping_add(word));
    let signed = if coefficient < 0 { hash.wrapping_neg() } else { hash };
    signed.wrapping_mul(31).wrapping_add(scale.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ordered(hashes: &[i32]) -> Vec<u32> {
        let mut places = vec![7];
        order(hashes, &mut places);
        assert_eq!(places.remove(0), 7);
        places
    }

    #[test]
    fn keys_come_by_their_buckets() {
        assert_eq!(ordered(&[]), []);
        assert_eq!(ordered(&[5]), [0]);
        assert_eq!(ordered(&[of_text("hair"), of_text("eye")]), [1, 0]);
        // Four keys have eight buckets, and those that differ by eight share one.
        assert_eq!(ordered(&[8, 7, 0, 1]), [0, 2, 3, 1]);
        // The upper half has a say.
        assert_eq!(ordered(&[1 << 16, 0]), [1, 0]);
    }

    #[test]
    fn hashes_are_java_s() {
        assert_eq!(of_text("hello"), 99_162_322);
        assert_eq!(of_text("\u{1F600}"), 1_772_899);
        assert_eq!((of_long(-1), of_long(1 << 32), of_long(i64::MIN)), (0, 1, i32::MIN));
        assert_eq!((of_single(0.5), of_double(0.5)), (0x3F00_0000, 0x3FE0_0000));
        assert_eq!((of_single(f32::NAN), of_double(-f64::NAN)), (0x7FC0_0000, 0x7FF8_0000));
        assert_eq!((of_decimal(12, 1), of_decimal(-12, 1)), (373, -371));
        assert_eq!(of_decimal(1 << 32, 0), 31 * 31);
    }
}

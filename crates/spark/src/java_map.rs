//! The order in which the entries of a Spark map arrive in Python. Java's `HashMap` determines it.
//!
//! Spark converts each map to a `HashMap` and pickles it. The order is not part of the value, but a
//! printed dict shows it, so rows that arrive by another way should have the same order.
//!
//! A map has its buckets in order, and each bucket has its keys in insertion order. Java's order differs
//! only in maps of 64 buckets or more: Java makes a bucket with more than eight keys a tree.

use std::borrow::Cow;

/// If a bucket has this many keys and one more is added, a small map doubles.
const MOST_IN_BUCKET: usize = 8;
/// A map with this many buckets is not small.
const MANY_BUCKETS: usize = 64;

/// The number of keys that this many buckets hold before the map grows.
fn most_keys(buckets: usize) -> usize {
    buckets / 4 * 3 + buckets % 4 * 3 / 4
}

/// Returns the bucket of a key. The upper half of the hash counts too.
fn bucket(hash: i32, buckets: usize) -> usize {
    (hash ^ (hash as u32 >> 16) as i32) as usize & (buckets - 1)
}

/// Returns the number of buckets of a map after keys with these hashes have been added in order.
fn buckets(hashes: &[i32]) -> usize {
    let mut buckets = hashes.len().next_power_of_two();
    for (last, &hash) in hashes.iter().enumerate().skip(MOST_IN_BUCKET) {
        if buckets >= MANY_BUCKETS {
            break;
        }
        let here = bucket(hash, buckets);
        let sharing = hashes[..=last].iter().filter(|&&hash| bucket(hash, buckets) == here);
        if sharing.count() > MOST_IN_BUCKET {
            buckets *= 2;
        }
        if last + 1 > most_keys(buckets) {
            buckets *= 2;
        }
    }
    while hashes.len() > most_keys(buckets) {
        buckets *= 2;
    }
    buckets
}

/// Appends to `order` the positions of keys with these hashes, in the order of a map.
pub fn order(hashes: &[i32], order: &mut Vec<u32>) {
    let buckets = buckets(hashes);
    let from = order.len();
    order.extend(0..hashes.len() as u32);
    order[from..].sort_by_key(|&at| bucket(hashes[at as usize], buckets));
}

/// A map key as a Java object.
#[derive(Debug)]
#[allow(missing_docs, reason = "the names are those of Java's classes")]
pub enum JavaKey<'a> {
    Null,
    Boolean(bool),
    /// Also `Byte` and `Short`, which have the same hashes.
    Integer(i32),
    Long(i64),
    Float(f32),
    Double(f64),
    String(Cow<'a, str>),
    /// A coefficient of up to 38 digits, and the number of digits after the point.
    BigDecimal(i128, u8),
}

impl JavaKey<'_> {
    /// Returns the result of Java's `hashCode`.
    pub fn hash(&self) -> i32 {
        match self {
            JavaKey::Null => 0,
            JavaKey::Boolean(true) => 1231,
            JavaKey::Boolean(false) => 1237,
            JavaKey::Integer(value) => *value,
            JavaKey::Long(value) => hash_of_long(*value),
            // All NaNs have the same hash.
            JavaKey::Float(value) if value.is_nan() => 0x7FC0_0000,
            JavaKey::Float(value) => value.to_bits() as i32,
            JavaKey::Double(value) if value.is_nan() => hash_of_long(0x7FF8 << 48),
            JavaKey::Double(value) => hash_of_long(value.to_bits() as i64),
            JavaKey::String(text) => joined(text.encode_utf16().map(i32::from)),
            JavaKey::BigDecimal(coefficient, scale) => {
                let magnitude = coefficient.unsigned_abs();
                let words = (0..4).rev().map(|word| (magnitude >> (32 * word)) as u32 as i32);
                let hash = joined(words);
                let signed = if *coefficient < 0 { hash.wrapping_neg() } else { hash };
                signed.wrapping_mul(31).wrapping_add((*scale).into())
            }
        }
    }
}

fn hash_of_long(value: i64) -> i32 {
    (value ^ (value as u64 >> 32) as i64) as i32
}

/// Returns Java's hash of a sequence with these elements.
fn joined(of: impl Iterator<Item = i32>) -> i32 {
    of.fold(0, |hash, next| hash.wrapping_mul(31).wrapping_add(next))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ordered(keys: &[JavaKey<'_>]) -> Vec<u32> {
        let hashes: Vec<i32> = keys.iter().map(JavaKey::hash).collect();
        let mut places = vec![7];
        order(&hashes, &mut places);
        assert_eq!(places.remove(0), 7);
        places
    }

    fn ordered_ints(keys: &[i32]) -> Vec<u32> {
        ordered(&keys.iter().copied().map(JavaKey::Integer).collect::<Vec<_>>())
    }

    fn text(text: &str) -> JavaKey<'_> {
        JavaKey::String(text.into())
    }

    #[test]
    fn keys_are_ordered_by_bucket() {
        assert_eq!(ordered(&[]), []);
        assert_eq!(ordered_ints(&[5]), [0]);
        assert_eq!(ordered(&[text("hair"), text("eye")]), [1, 0]);
        // Four keys have eight buckets. Keys that differ by eight share a bucket.
        assert_eq!(ordered_ints(&[8, 7, 0, 1]), [0, 2, 3, 1]);
        // The upper half of the hash counts.
        assert_eq!(ordered_ints(&[1 << 16, 0]), [1, 0]);
    }

    /// Returns the multiples of `factor` from 0 to `count` times, permuted by `step`.
    fn multiples(count: i32, step: i32, factor: i32) -> Vec<i32> {
        (0..count).map(|i| i * step % count * factor).collect()
    }

    /// A Java program printed the expected values.
    #[test]
    fn a_crowded_small_map_grows() {
        let grown = [0, 3, 4, 5, 9, 10, 1, 2, 6, 7, 8];
        assert_eq!(ordered_ints(&multiples(11, 7, 16)), grown);
    }

    #[test]
    fn keys_of_one_bucket_keep_their_order() {
        let all: Vec<u32> = (0..60).collect();
        assert_eq!(ordered_ints(&multiples(60, 7, 1024)), all);
    }

    #[test]
    fn hashes_equal_java() {
        assert_eq!(text("hello").hash(), 99_162_322);
        assert_eq!(text("\u{1F600}").hash(), 1_772_899);
        let longs = [-1, 1 << 32, i64::MIN].map(|long| JavaKey::Long(long).hash());
        assert_eq!(longs, [0, 1, i32::MIN]);
        let floats = [JavaKey::Float(0.5), JavaKey::Double(0.5)].map(|float| float.hash());
        assert_eq!(floats, [0x3F00_0000, 0x3FE0_0000]);
        let nans = [JavaKey::Float(f32::NAN), JavaKey::Double(-f64::NAN)].map(|nan| nan.hash());
        assert_eq!(nans, [0x7FC0_0000, 0x7FF8_0000]);
        let decimals = [(12, 1), (-12, 1), (1 << 32, 0)];
        let decimals = decimals.map(|(digits, scale)| JavaKey::BigDecimal(digits, scale).hash());
        assert_eq!(decimals, [373, -371, 31 * 31]);
    }
}

//! The order in which a map of Spark's comes to Python: that of Java's `HashMap`.
//!
//! Spark makes a `HashMap` of each map and then pickles it. Its order is no part of the value, but it is
//! seen wherever a dict is printed, so that rows which come another way have to be in the same order.

use std::borrow::Cow;
use std::cmp::Ordering;

use super::java_tree::MOST_IN_CHAIN;

/// The buckets of a map that is made for so many keys.
pub fn buckets_for(keys: usize) -> usize {
    keys.next_power_of_two()
}

/// How many keys are in this many buckets before the map grows.
pub(super) fn most_keys(buckets: usize) -> usize {
    buckets / 4 * 3 + buckets % 4 * 3 / 4
}

/// A hash as the map uses it: of its lower bits, in which the upper half has a say.
pub(super) fn spread(hash: i32) -> i32 {
    hash ^ (hash as u32 >> 16) as i32
}

/// Write to `order` the places of keys with these hashes, in the order in which a map has them that has so many
/// `buckets` at first and gets them one after another. False, and nothing is written, if so many may come into
/// one bucket that the keys too have a say in it ([`java_tree`](super::java_tree)).
///
/// Buckets are a power of two, of which three quarters are used; each has its keys in the order in which they came.
#[must_use]
pub fn order(hashes: &[i32], mut buckets: usize, order: &mut Vec<u32>) -> bool {
    if hashes.len() > MOST_IN_CHAIN && is_crowded(hashes, buckets) {
        return false;
    }
    while hashes.len() > most_keys(buckets) {
        buckets *= 2;
    }
    let from = order.len();
    order.extend(0..hashes.len() as u32);
    order[from..].sort_by_key(|&at| spread(hashes[at as usize]) as usize & (buckets - 1));
    true
}

/// Whether there would be more than a chain in one of so many buckets.
fn is_crowded(hashes: &[i32], buckets: usize) -> bool {
    let mut counts = vec![0u8; buckets];
    hashes.iter().any(|&hash| {
        let count = &mut counts[spread(hash) as usize & (buckets - 1)];
        *count += 1;
        usize::from(*count) > MOST_IN_CHAIN
    })
}

/// A key of a map, as an object of Java's.
#[derive(Debug)]
#[allow(missing_docs, reason = "the names are those of Java's classes")]
pub enum JavaKey<'a> {
    Null,
    Boolean(bool),
    /// `Byte` and `Short` too, which have the same hashes.
    Integer(i32),
    Long(i64),
    Float(f32),
    Double(f64),
    String(Cow<'a, str>),
    /// A coefficient of up to 38 digits, and how many of them are behind the point.
    BigDecimal(i128, u8),
}

impl JavaKey<'_> {
    /// What `hashCode` gives.
    pub fn hash(&self) -> i32 {
        match self {
            JavaKey::Null => 0,
            JavaKey::Boolean(true) => 1231,
            JavaKey::Boolean(false) => 1237,
            JavaKey::Integer(value) => *value,
            JavaKey::Long(value) => hash_of_long(*value),
            // All NaNs are one.
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

    /// What `compareTo` gives for two keys of one map.
    pub fn compare(&self, other: &JavaKey<'_>) -> Ordering {
        match (self, other) {
            (JavaKey::Boolean(a), JavaKey::Boolean(b)) => a.cmp(b),
            (JavaKey::Integer(a), JavaKey::Integer(b)) => a.cmp(b),
            (JavaKey::Long(a), JavaKey::Long(b)) => a.cmp(b),
            (JavaKey::Float(a), JavaKey::Float(b)) => a.total_cmp(b),
            (JavaKey::Double(a), JavaKey::Double(b)) => a.total_cmp(b),
            (JavaKey::String(a), JavaKey::String(b)) => a.encode_utf16().cmp(b.encode_utf16()),
            (JavaKey::BigDecimal(a, _), JavaKey::BigDecimal(b, _)) => a.cmp(b),
            _ => Ordering::Equal,
        }
    }
}

fn hash_of_long(value: i64) -> i32 {
    (value ^ (value as u64 >> 32) as i64) as i32
}

/// The hash of a sequence of these.
fn joined(of: impl Iterator<Item = i32>) -> i32 {
    of.fold(0, |hash, next| hash.wrapping_mul(31).wrapping_add(next))
}

#[cfg(test)]
mod tests {
    use super::super::java_tree;
    use super::*;

    fn ordered(keys: &[JavaKey<'_>]) -> Vec<u32> {
        let hashes: Vec<i32> = keys.iter().map(JavaKey::hash).collect();
        let buckets = buckets_for(keys.len());
        let mut places = vec![7];
        if !order(&hashes, buckets, &mut places) {
            java_tree::order(&hashes, keys, buckets, &mut places);
        }
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
    fn keys_come_by_their_buckets() {
        assert_eq!(ordered(&[]), []);
        assert_eq!(ordered_ints(&[5]), [0]);
        assert_eq!(ordered(&[text("hair"), text("eye")]), [1, 0]);
        // Four keys have eight buckets, and those that differ by eight share one.
        assert_eq!(ordered_ints(&[8, 7, 0, 1]), [0, 2, 3, 1]);
        // The upper half has a say.
        assert_eq!(ordered_ints(&[1 << 16, 0]), [1, 0]);
    }

    /// Keys 0 to `count`, each times `factor`, at places as `step` has them.
    fn multiples(count: i32, step: i32, factor: i32) -> Vec<i32> {
        (0..count).map(|i| i * step % count * factor).collect()
    }

    /// What is expected here was printed by a program in Java.
    #[test]
    fn crowded_keys_come_as_java_has_them() {
        let tree = [1, 0, 2, 3, 4, 5, 6, 7, 10, 13, 16, 19, 8, 11, 14, 17, 9, 12, 15, 18];
        assert_eq!(ordered_ints(&multiples(20, 7, 1024)), tree);
        // A small map grows instead.
        let grown = [0, 3, 4, 5, 9, 10, 1, 2, 6, 7, 8];
        assert_eq!(ordered_ints(&multiples(11, 7, 16)), grown);
        // Keys of one hash are compared.
        let longs = multiples(14, 5, 1).into_iter().map(i64::from);
        let longs: Vec<_> = longs.map(|half| JavaKey::Long(half << 32 | half)).collect();
        assert_eq!(ordered(&longs), [1, 0, 2, 3, 4, 5, 6, 7, 8, 11, 9, 12, 10, 13]);
        let half = |bits: i32, bit: i32| if bits >> bit & 1 == 1 { "Aa" } else { "BB" };
        let texts = multiples(16, 5, 1).into_iter();
        let texts = texts.map(|bits| (0..4).map(|bit| half(bits, bit)).collect::<String>());
        let texts: Vec<_> = texts.map(|text| JavaKey::String(text.into())).collect();
        assert_eq!(ordered(&texts), [2, 0, 1, 3, 11, 15, 4, 5, 6, 14, 13, 7, 8, 9, 10, 12]);
    }

    #[test]
    fn trees_grow_and_are_split_as_java_s() {
        let keys = multiples(3000, 7919, 1024);
        let sum = |order: &[u32]| {
            let add = |sum: i64, &next: &u32| sum.wrapping_mul(31).wrapping_add(next.into());
            order.iter().fold(0, add)
        };
        assert_eq!(sum(&ordered_ints(&keys)), 154_233_423_732_910_928);
        // A map that was made for none has sixteen buckets at first.
        let keys: Vec<_> = keys.into_iter().map(JavaKey::Integer).collect();
        let hashes: Vec<_> = keys.iter().map(JavaKey::hash).collect();
        let mut order = Vec::new();
        java_tree::order(&hashes, &keys, 16, &mut order);
        assert_eq!(sum(&order), 8_440_351_461_252_890_856);
    }

    #[test]
    fn hashes_are_java_s() {
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

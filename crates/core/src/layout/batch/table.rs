//! The hash table of a dictionary that is being built: from strings to codes.
//!
//! Open addressing with linear probing. A string of up to 16 bytes is told wholly by its length and
//! two words, which stand in the table, so such a string is found without a look at its text.

use std::hash::{BuildHasher, RandomState};
use std::sync::OnceLock;

const FEWEST_PLACES: usize = 64;
const MOST_PLACES_KEPT: usize = 4096;

/// What a string is looked up by.
#[derive(Clone, Copy, Debug, Default)]
pub struct Key {
    /// The ends of the string: words that overlap where it is short.
    words: (u64, u64),
    len: u32,
    hash: u32,
}

#[derive(Clone, Copy, Debug, Default)]
struct Place {
    key: Key,
    /// The code plus one, or 0 where there is none.
    code: u32,
}

/// The codes of strings.
#[derive(Debug)]
pub struct Table {
    places: Vec<Place>,
    used: usize,
    /// Drawn anew in every process, so that nobody who chooses the strings can make them collide.
    seeds: (u64, u64),
}

impl Default for Table {
    fn default() -> Table {
        static SEEDS: OnceLock<(u64, u64)> = OnceLock::new();
        let random = RandomState::new();
        let seeds = *SEEDS.get_or_init(|| (random.hash_one(1), random.hash_one(2)));
        Table { places: Vec::new(), used: 0, seeds }
    }
}

/// The two halves of a 128-bit product, folded, as in wyhash.
#[inline(always)]
fn fold(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    product as u64 ^ (product >> 64) as u64
}

#[inline(always)]
fn word(bytes: &[u8], at: usize) -> u64 {
    bytes[at..].first_chunk().map_or(0, |chunk| u64::from_le_bytes(*chunk))
}

#[inline(always)]
fn half_word(bytes: &[u8], at: usize) -> u64 {
    bytes[at..].first_chunk().map_or(0, |chunk| u64::from(u32::from_le_bytes(*chunk)))
}

impl Table {
    /// Forget all strings. A large table is given back: to clear one that was needed once would
    /// cost every small batch after it.
    pub fn clear(&mut self) {
        if self.places.len() > MOST_PLACES_KEPT {
            self.places = Vec::new();
        } else if self.used > 0 {
            self.places.fill(Place::default());
        }
        self.used = 0;
    }

    /// How many bytes of memory the table holds.
    pub fn capacity(&self) -> usize {
        size_of::<Place>() * self.places.capacity()
    }

    /// What to look `bytes` up by.
    #[inline(always)]
    pub fn key(&self, bytes: &[u8]) -> Key {
        let len = bytes.len();
        let (mut a, mut b) = self.seeds;
        let words = match len {
            8..=16 => (word(bytes, 0), word(bytes, len - 8)),
            4..8 => (half_word(bytes, 0), half_word(bytes, len - 4)),
            1..4 => {
                (u64::from(bytes[0]) << 8 | u64::from(bytes[len / 2]), u64::from(bytes[len - 1]))
            }
            0 => (0, 0),
            _ => {
                let mut at = 0;
                while at + 16 < len {
                    a = fold(a ^ word(bytes, at), b ^ word(bytes, at + 8));
                    b = b.rotate_left(23);
                    at += 16;
                }
                (word(bytes, len - 16), word(bytes, len - 8))
            }
        };
        let hash = fold(a ^ words.0 ^ len as u64, b ^ words.1);
        Key { words, len: len as u32, hash: (hash ^ hash >> 32) as u32 }
    }

    /// The code of the string that `key` was made of, which is `bytes`; `text` gives that of a code.
    #[inline(always)]
    pub fn find<'a>(&self, key: &Key, bytes: &[u8], text: impl Fn(u32) -> &'a [u8]) -> Option<u32> {
        let mask = self.places.len().wrapping_sub(1);
        let mut at = key.hash as usize & mask;
        while let Some(place) = self.places.get(at) {
            if place.code == 0 {
                return None;
            }
            let same = place.key.len == key.len && place.key.words == key.words;
            if same && (key.len <= 16 || text(place.code - 1) == bytes) {
                return Some(place.code - 1);
            }
            at = (at + 1) & mask;
        }
        None
    }

    /// Add a string that is not there.
    pub fn insert(&mut self, key: Key, code: u32) {
        if self.used * 2 >= self.places.len() {
            let len = (self.places.len() * 2).max(FEWEST_PLACES);
            let old = std::mem::replace(&mut self.places, vec![Place::default(); len]);
            for place in old.into_iter().filter(|place| place.code != 0) {
                self.put(place);
            }
        }
        self.put(Place { key, code: code + 1 });
        self.used += 1;
    }

    fn put(&mut self, place: Place) {
        let mask = self.places.len() - 1;
        let mut at = place.key.hash as usize & mask;
        while self.places[at].code != 0 {
            at = (at + 1) & mask;
        }
        self.places[at] = place;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_of_every_length_are_told_apart() {
        let mut texts: Vec<Vec<u8>> = vec![Vec::new()];
        for len in 1..70 {
            // One that differs from "aaa…" at each place.
            texts.push(vec![b'a'; len]);
            texts.extend((0..len).map(|at| {
                let mut text = vec![b'a'; len];
                text[at] = b'b';
                text
            }));
        }
        let mut table = Table::default();
        let text = |code: u32| &texts[code as usize][..];
        for (code, bytes) in texts.iter().enumerate() {
            let key = table.key(bytes);
            assert_eq!(table.find(&key, bytes, text), None);
            table.insert(key, code as u32);
        }
        for (code, bytes) in texts.iter().enumerate() {
            assert_eq!(table.find(&table.key(bytes), bytes, text), Some(code as u32));
        }
    }
}

//! The hash table of a dictionary that is being built: from strings to codes.
//!
//! Open addressing with linear probing. Places hold only codes, so that the table stays in the first
//! cache beside those of the other columns; what a string is told by stands in an entry a code. Up to
//! [`HEAD`] bytes are told wholly by that, without a look at the text, and without a branch on
//! their length: it differs from string to string, and a branch that is mispredicted costs
//! more than all the rest.

use std::hash::{BuildHasher, RandomState};
use std::sync::OnceLock;

use super::strings::Pending;
use crate::wire::out::{fits_page, load16};

/// The bytes of a string that are compared as words.
pub const HEAD: usize = 32;

const FEWEST_PLACES: usize = 64;
const MOST_PLACES_KEPT: usize = 4096;
/// A table has so many places for each string, as long as it is small.
const SPARSE: usize = 8;

/// The first bytes of a string, and zeros after a shorter one.
type Head = [u8; HEAD];

/// What a string is looked up by.
#[derive(Clone, Copy, Debug, Default)]
pub struct Key {
    head: Head,
    len: u32,
    hash: u32,
}

/// A key that no string has: the empty places' one.
const NONE: Key = Key { head: [0; HEAD], len: u32::MAX, hash: 0 };

/// The codes of strings.
#[derive(Debug)]
pub struct Table {
    /// The code plus one, or 0 where there is none.
    places: Vec<u32>,
    /// The key of each code, after [`NONE`].
    keys: Vec<Key>,
    /// Drawn anew in every process, so that nobody who chooses the strings can make them collide.
    seeds: [u64; HEAD / 8],
}

impl Default for Table {
    fn default() -> Table {
        static SEEDS: OnceLock<[u64; HEAD / 8]> = OnceLock::new();
        let seeds = *SEEDS.get_or_init(|| {
            let random = RandomState::new();
            [1, 2, 3, 4].map(|n| random.hash_one(n))
        });
        Table { places: Vec::new(), keys: Vec::new(), seeds }
    }
}

/// The two halves of a 128-bit product, folded, as in wyhash.
#[inline(always)]
fn fold(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    product as u64 ^ (product >> 64) as u64
}

#[inline(always)]
fn words<const N: usize, const WORDS: usize>(bytes: &[u8; N]) -> [u64; WORDS] {
    const { assert!(N == 8 * WORDS) };
    std::array::from_fn(|i| bytes[8 * i..].first_chunk().map_or(0, |c| u64::from_ne_bytes(*c)))
}

/// The first bytes of a string that is not longer than [`HEAD`].
///
/// # Safety
/// `from` must be readable for `len` bytes, and for [`HEAD`], if it is not beyond the page's end.
#[inline(always)]
unsafe fn short_head(from: *const u8, len: usize) -> Head {
    /// Ones for a string's bytes, and zeros after them, from `HEAD - len` on.
    static MASKS: [u8; 2 * HEAD] = {
        let mut masks = [0; 2 * HEAD];
        let mut at = 0;
        while at < HEAD {
            masks[at] = u8::MAX;
            at += 1;
        }
        masks
    };
    debug_assert!(len <= HEAD);
    // SAFETY: the caller's promise for the text; masks are read from at most `HEAD` on.
    unsafe {
        let mask = MASKS.as_ptr().add(HEAD - len).cast::<[u128; 2]>().read_unaligned();
        let halves = [load16(from), load16(from.add(16))].map(u128::from_ne_bytes);
        std::mem::transmute([halves[0] & mask[0], halves[1] & mask[1]])
    }
}

impl Table {
    /// Forget all strings. A large table is given back: to clear one that was needed once would
    /// cost every small batch after it.
    pub fn clear(&mut self) {
        if self.places.len() > MOST_PLACES_KEPT {
            (self.places, self.keys) = (Vec::new(), Vec::new());
        } else if self.keys.len() > 1 {
            self.places.fill(0);
            self.keys.truncate(1);
        }
    }

    /// How many bytes of memory the table holds.
    pub fn capacity(&self) -> usize {
        size_of::<u32>() * self.places.capacity() + size_of::<Key>() * self.keys.capacity()
    }

    /// What to look `bytes` up by.
    #[inline(always)]
    pub fn key(&self, bytes: &[u8]) -> Key {
        // An empty string may stand where no memory is.
        let head = if bytes.len().wrapping_sub(1) < HEAD && fits_page::<HEAD>(bytes.as_ptr()) {
            // SAFETY: the string is not empty, and no page ends within `HEAD` bytes of its first.
            unsafe { short_head(bytes.as_ptr(), bytes.len()) }
        } else {
            return self.rare_key(bytes);
        };
        Key { head, len: bytes.len() as u32, hash: self.hash(&head, bytes.len() as u64) }
    }

    #[inline(always)]
    fn hash(&self, head: &Head, rest: u64) -> u32 {
        let (head, s): ([u64; HEAD / 8], _) = (words(head), &self.seeds);
        let a = fold(head[0] ^ s[0], head[1] ^ s[1] ^ rest);
        let b = fold(head[2] ^ s[2], head[3] ^ s[3]);
        let hash = a ^ b.rotate_left(32);
        (hash ^ hash >> 32) as u32
    }

    /// The key of a long string, of an empty one, or of one at the end of a page.
    #[inline(never)]
    fn rare_key(&self, bytes: &[u8]) -> Key {
        let mut first = [0; HEAD];
        let short = bytes.len().min(HEAD);
        first[..short].copy_from_slice(&bytes[..short]);
        let mut rest = bytes.len() as u64;
        for piece in bytes[short..].chunks(16) {
            let mut padded = [0; 16];
            padded[..piece.len()].copy_from_slice(piece);
            let [a, b] = words(&padded);
            rest = fold(a ^ self.seeds[0] ^ rest, b ^ self.seeds[1]).wrapping_add(self.seeds[2]);
        }
        Key { head: first, len: bytes.len() as u32, hash: self.hash(&first, rest) }
    }

    /// The code of the string that `key` was made of, which is `bytes`; `text` gives that of a code.
    #[inline(always)]
    pub fn find<'a>(&self, key: &Key, bytes: &[u8], text: impl Fn(u32) -> &'a [u8]) -> Option<u32> {
        let mask = self.places.len().wrapping_sub(1);
        let mut at = key.hash as usize & mask;
        while let Some(&place) = self.places.get(at) {
            let other = &self.keys[place as usize];
            if other.head == key.head && other.len == key.len {
                let code = place.wrapping_sub(1);
                if bytes.len() <= HEAD || place != 0 && text(code) == bytes {
                    return Some(code);
                }
            }
            if place == 0 {
                return None;
            }
            at = (at + 1) & mask;
        }
        None
    }

    /// Append the codes of `values` up to the first that is not found at once, and give their number.
    ///
    /// # Safety
    /// The values must be readable, and `codes` have room for as many.
    pub unsafe fn find_all(&self, values: &[Pending], codes: &mut Vec<u32>) -> usize {
        if self.places.is_empty() {
            return 0;
        }
        let (places, keys) = (self.places.as_ptr(), self.keys.as_ptr());
        let mask = self.places.len() - 1;
        let to = codes.spare_capacity_mut().as_mut_ptr();
        let mut found = 0;
        for (i, v) in values.iter().enumerate() {
            if v.len.wrapping_sub(1) >= HEAD || !fits_page::<HEAD>(v.start) {
                break;
            }
            // SAFETY: the string is not empty, and no page ends within `HEAD` bytes of its first; the
            // table has a place for each hash less the mask, and a key for each place.
            unsafe {
                let head = short_head(v.start, v.len);
                let place = *places.add(self.hash(&head, v.len as u64) as usize & mask);
                let key = &*keys.add(place as usize);
                if key.head != head || key.len != v.len as u32 {
                    break;
                }
                (*to.add(i)).write(place - 1);
            }
            found += 1;
        }
        // SAFETY: so many were written.
        unsafe { codes.set_len(codes.len() + found) };
        found
    }

    /// Add a string that is not there, and that has the next code.
    pub fn insert(&mut self, key: Key) {
        if self.keys.is_empty() {
            self.keys.push(NONE);
        }
        let sparse = if self.places.len() < MOST_PLACES_KEPT { SPARSE } else { 2 };
        if self.keys.len() * sparse > self.places.len() {
            self.places = vec![0; (self.places.len() * 2).max(FEWEST_PLACES)];
            for code in 1..self.keys.len() {
                self.put(code);
            }
        }
        self.keys.push(key);
        self.put(self.keys.len() - 1);
    }

    fn put(&mut self, code: usize) {
        let mask = self.places.len() - 1;
        let mut at = self.keys[code].hash as usize & mask;
        while self.places[at] != 0 {
            at = (at + 1) & mask;
        }
        self.places[at] = code as u32;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_of_every_length_are_told_apart() {
        let mut texts: Vec<Vec<u8>> = vec![Vec::new()];
        for len in 1..70 {
            // One that differs from "aaa…" at each place, and one that ends in zeros.
            texts.push(vec![b'a'; len]);
            texts.push(vec![0; len]);
            texts.extend((0..len).map(|at| {
                let mut text = vec![b'a'; len];
                text[at] = b'b';
                text
            }));
        }
        let mut table = Table::default();
        let text = |code: u32| &texts[code as usize][..];
        for bytes in &texts {
            let key = table.key(bytes);
            assert_eq!(table.find(&key, bytes, text), None);
            table.insert(key);
        }
        // Where a string stands, at the end of a page too, makes no difference.
        let mut pages = vec![0xFF; 3 * 4096];
        for (code, bytes) in texts.iter().enumerate() {
            assert_eq!(table.find(&table.key(bytes), bytes, text), Some(code as u32));
            let to_page = pages.as_ptr().align_offset(4096);
            for before in 0..40 {
                let at = to_page + 4096 - before;
                pages[at..at + bytes.len()].copy_from_slice(bytes);
                let moved = &pages[at..at + bytes.len()];
                assert_eq!(table.find(&table.key(moved), moved, text), Some(code as u32));
            }
        }
        table.clear();
        assert_eq!(table.find(&table.key(b"a"), b"a", text), None);
    }
}

//! The hash table of a dictionary under construction: from strings to codes.
//!
//! It uses open addressing with linear probing. Places hold only codes, so that the table stays in
//! the first-level cache together with those of other columns. A key for each code has the prefix,
//! length and hash of its string. Strings of up to [`PREFIX`] bytes are compared by their keys
//! alone, without access to the text.

use super::prefix::{Hasher, PREFIX, Prefix, Words};
use super::strings::Pending;
use crate::bytes::out::fits_page;
use crate::layout::OpResult;
use crate::memory;

const FEWEST_PLACES: usize = 64;
const MOST_PLACES_KEPT: usize = 4096;
/// A small table has at least this many places per string, because a second probe is a mispredicted
/// jump.
const SPARSE: usize = 8;

/// The lookup key of a string.
#[derive(Clone, Copy, Debug, Default)]
pub struct Key {
    prefix: Words,
    len: u32,
    hash: u32,
}

/// The key of empty places. No string has it.
const NONE: Key = Key { prefix: [0; PREFIX / 8], len: u32::MAX, hash: 0 };

/// The codes of strings.
#[derive(Debug)]
pub struct Table {
    /// The code plus one, or 0 for an empty place.
    places: Vec<u32>,
    /// The key of each code, after [`NONE`].
    keys: Vec<Key>,
    hasher: Hasher,
}

impl Default for Table {
    fn default() -> Table {
        Table { places: Vec::new(), keys: Vec::new(), hasher: Hasher::of_process() }
    }
}

impl Table {
    /// Removes all strings. Frees a large table, because clearing it would cost every later small
    /// batch.
    pub fn clear(&mut self) {
        if self.places.len() > MOST_PLACES_KEPT {
            (self.places, self.keys) = (Vec::new(), Vec::new());
        } else if self.keys.len() > 1 {
            self.places.fill(0);
            self.keys.truncate(1);
        }
    }

    /// Removes the strings from code `codes` on.
    pub fn truncate(&mut self, codes: usize) {
        if self.keys.len() <= codes + 1 {
            return;
        }
        self.keys.truncate(codes + 1);
        self.places.fill(0);
        for code in 1..self.keys.len() {
            self.put(code);
        }
    }

    /// Returns the number of bytes that the table holds.
    pub fn capacity(&self) -> usize {
        size_of::<u32>() * self.places.capacity() + size_of::<Key>() * self.keys.capacity()
    }

    /// Returns the key of `bytes`.
    #[inline(always)]
    pub fn key(&self, bytes: &[u8]) -> Key {
        let (start, len) = (readable(bytes.as_ptr(), bytes.len()), bytes.len());
        if !is_short(start, len) {
            return self.rare_key(bytes);
        }
        // SAFETY: the string is short.
        let (prefix, hash) =
            unsafe { (Words::load(start, len), self.hasher.hash_short(start, len)) };
        Key { prefix, len: len as u32, hash }
    }

    /// Returns the key of a string that is long, or at the end of a page.
    #[inline(never)]
    fn rare_key(&self, bytes: &[u8]) -> Key {
        let (first, rest) = bytes.split_at(bytes.len().min(PREFIX));
        let mut padded = [0; PREFIX];
        padded[..first.len()].copy_from_slice(first);
        let word = |i: usize| padded[8 * i..].first_chunk().map_or(0, |c| u64::from_ne_bytes(*c));
        let prefix = std::array::from_fn(word);
        let mut hash = bytes.len() as u64;
        for piece in rest.chunks(16) {
            let mut padded = [0; 16];
            padded[..piece.len()].copy_from_slice(piece);
            hash = self.hasher.fold(hash, &padded);
        }
        Key { prefix, len: bytes.len() as u32, hash: self.hasher.hash(prefix, hash) }
    }

    /// Returns the code of the string `bytes` with this `key`. `text` returns the string of a code.
    #[inline(always)]
    pub fn find<'a>(&self, key: &Key, bytes: &[u8], text: impl Fn(u32) -> &'a [u8]) -> Option<u32> {
        let mask = self.places.len().wrapping_sub(1);
        let mut at = key.hash as usize & mask;
        while let Some(&place) = self.places.get(at) {
            let other = &self.keys[place as usize];
            if other.prefix == key.prefix && other.len == key.len {
                let code = place.wrapping_sub(1);
                if bytes.len() <= PREFIX || place != 0 && text(code) == bytes {
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

    /// Appends the codes of `values` up to the first one that is missing or not short. Returns the
    /// number of codes.
    ///
    /// # Safety
    /// The values must be readable, and `codes` must have space for as many codes.
    pub unsafe fn find_all(&self, values: &[Pending], codes: &mut Vec<u32>) -> usize {
        #[cfg(target_arch = "x86_64")]
        {
            #[target_feature(enable = "avx2,aes")]
            unsafe fn wide(table: &Table, values: &[Pending], codes: &mut Vec<u32>) -> usize {
                // SAFETY: the caller's promise. This function enables the instructions.
                unsafe { table.find_all_by::<std::arch::x86_64::__m256i>(values, codes) }
            }

            if self.hasher.is_wide() {
                // SAFETY: the caller's promise, and the machine supports the instructions.
                return unsafe { wide(self, values, codes) };
            }
        }
        // SAFETY: the caller's promise.
        unsafe { self.find_all_by::<Words>(values, codes) }
    }

    /// # Safety
    /// See [`Table::find_all`] and `H`.
    #[inline(always)]
    unsafe fn find_all_by<H: Prefix>(&self, values: &[Pending], codes: &mut Vec<u32>) -> usize {
        if self.places.is_empty() {
            return 0;
        }
        let (places, keys) = (self.places.as_ptr(), self.keys.as_ptr());
        let mask = self.places.len() - 1;
        let to = codes.spare_capacity_mut();
        let mut found = 0;
        'values: for (v, to) in values.iter().zip(to) {
            let start = readable(v.start, v.len);
            if !is_short(start, v.len) {
                break;
            }
            // SAFETY: the string is short. The table has a place for every masked hash, and a key
            // for every place. The caller's promise for `H`.
            unsafe {
                let prefix = H::load(start, v.len);
                let mut at = prefix.hash(v.len as u64, &self.hasher.seeds) as usize & mask;
                let mut place = *places.add(at);
                while {
                    let key = &*keys.add(place as usize);
                    !prefix.is(&key.prefix) || key.len != v.len as u32
                } {
                    if place == 0 {
                        break 'values;
                    }
                    at = (at + 1) & mask;
                    place = *places.add(at);
                }
                to.write(place - 1);
            }
            found += 1;
        }
        // SAFETY: the loop wrote this many codes.
        unsafe { codes.set_len(codes.len() + found) };
        found
    }

    /// Adds a new string. It gets the next code.
    ///
    /// # Errors
    /// `NoMemory`. Then the table is unchanged.
    pub fn insert(&mut self, key: Key) -> OpResult {
        memory::reserve(&mut self.keys, 2)?;
        if self.keys.is_empty() {
            self.keys.push(NONE);
        }
        let sparse = if self.places.len() < MOST_PLACES_KEPT { SPARSE } else { 2 };
        if self.keys.len() * sparse > self.places.len() {
            let places = (self.places.len() * 2).max(FEWEST_PLACES);
            let mut larger = memory::with_capacity(places)?;
            larger.resize(places, 0);
            self.places = larger;
            for code in 1..self.keys.len() {
                self.put(code);
            }
        }
        self.keys.push(key);
        self.put(self.keys.len() - 1);
        Ok(())
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

/// Returns the address to load a string from, without a branch. An empty string may have an invalid
/// address.
#[inline(always)]
fn readable(start: *const u8, len: usize) -> *const u8 {
    #[repr(align(32))]
    struct Empty([u8; PREFIX]);
    static EMPTY: Empty = Empty([0; PREFIX]);
    if len == 0 { EMPTY.0.as_ptr() } else { start }
}

/// Returns whether a string is compared by its prefix alone and the prefix can be loaded from its
/// address.
#[inline(always)]
fn is_short(start: *const u8, len: usize) -> bool {
    len <= PREFIX && fits_page::<PREFIX>(start)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::sized;

    #[test]
    fn strings_of_every_length_are_distinguished() {
        let mut texts: Vec<Vec<u8>> = vec![Vec::new()];
        for len in (1..70).step_by(sized(1, 17)) {
            // One string that differs from "aaa…" at each place, and one that consists of zeros.
            texts.push(vec![b'a'; len]);
            texts.push(vec![0; len]);
            texts.extend((0..len).map(|at| {
                let mut text = vec![b'a'; len];
                text[at] = b'b';
                text
            }));
        }
        // The address of a string must not matter, even at the end of a page.
        let mut pages = vec![0xFF; 3 * 4096];
        for hasher in [Hasher::of_process(), Hasher::in_words()] {
            let mut table = Table { hasher, ..Table::default() };
            let text = |code: u32| &texts[code as usize][..];
            for bytes in &texts {
                let key = table.key(bytes);
                assert_eq!(table.find(&key, bytes, text), None);
                table.insert(key).unwrap();
            }
            for (code, bytes) in texts.iter().enumerate() {
                let page = pages.as_ptr().align_offset(4096) + 4096;
                for at in (page - 40..=page).step_by(sized(1, 40)) {
                    pages[at..at + bytes.len()].copy_from_slice(bytes);
                    let moved = &pages[at..at + bytes.len()];
                    assert_eq!(table.find(&table.key(moved), moved, text), Some(code as u32));
                    let pending = [Pending { start: moved.as_ptr(), len: moved.len() }];
                    let mut codes = Vec::with_capacity(1);
                    // SAFETY: the string is alive, and there is space for a code.
                    let found = unsafe { table.find_all(&pending, &mut codes) };
                    let short = is_short(readable(moved.as_ptr(), moved.len()), moved.len());
                    assert_eq!((found, &codes[..]), (short.into(), &[code as u32][..short.into()]));
                }
            }
            table.clear();
            assert_eq!(table.find(&table.key(b"a"), b"a", text), None);
        }
    }
}

//! A staged column of strings, which is a dictionary for as long as that pays.
//!
//! Repeated strings are the rule in rows. Looking one up costs less than copying it twice, and
//! whoever decodes makes one object an entry, so the dictionary is built while rows are staged.
//! Once a column shows that its strings are mostly different, it is turned into a plain one, and
//! the next frames try a dictionary only now and then.

use std::ops::Range;

use super::push;
use super::table::{Key, Table};
use crate::bytes::out::{SPREAD, copy_spread};
use crate::error::Fault;
use crate::layout::{OpResult, Text};
use crate::limits::MAX_BYTES;
use crate::memory;

/// A dictionary is given up once it has so many entries, and more than one for every [`REPEATS`]
/// values.
const MANY_ENTRIES: usize = 1024;
const REPEATS: usize = 2;
/// In a frame of few rows it is given up with fewer entries, if fewer than one in [`RARE`] values was
/// there before: one entry for each of [`SHARE`] rows, and at least [`FEW_ENTRIES`]. A large
/// frame may yet repeat, in the same order, a thousand strings that all differ.
const FEW_ENTRIES: usize = 128;
const SHARE: usize = 8;
const RARE: usize = 16;
/// A plain column tries a dictionary once in this many frames.
const RETRY: u32 = 16;

/// What is said of a code that no entry has.
pub const BAD_CODE: &str = "a str column has a code that its dictionary has not";

/// Strings of one column. Without codes there is an entry for every value.
#[derive(Debug)]
pub struct StrColumn {
    ends: Vec<u32>,
    text: Vec<u8>,
    codes: Vec<u32>,
    table: Table,
    plain: bool,
    /// The entries from which on a dictionary may be given up.
    few: usize,
    /// Frames until a plain column tries a dictionary again.
    wait: u32,
}

impl Default for StrColumn {
    fn default() -> StrColumn {
        StrColumn {
            ends: Vec::new(),
            text: Vec::new(),
            codes: Vec::new(),
            table: Table::default(),
            plain: false,
            few: MANY_ENTRIES,
            wait: 0,
        }
    }
}

impl StrColumn {
    /// Be told of how many values there will be at least, as far as that is known.
    pub fn expect(&mut self, values: usize) {
        self.few = (values / SHARE).clamp(FEW_ENTRIES, MANY_ENTRIES);
    }

    /// Forget all values and what was learned of the column, and keep the memory.
    pub fn reset(&mut self) {
        self.plain = false;
        self.few = MANY_ENTRIES;
        self.clear();
    }

    /// About how many bytes of memory the column holds.
    pub fn capacity(&self) -> usize {
        self.text.capacity()
            + 4 * (self.ends.capacity() + self.codes.capacity())
            + self.table.capacity()
    }

    /// Forget all values and keep the memory, and what was learned of the column.
    pub fn clear(&mut self) {
        self.ends.clear();
        self.text.clear();
        self.codes.clear();
        self.table.clear();
        if self.plain {
            self.wait = self.wait.saturating_sub(1);
            self.plain = self.wait > 0;
        }
    }

    /// The number of values.
    pub fn count(&self) -> usize {
        if self.plain { self.ends.len() } else { self.codes.len() }
    }

    /// Where each entry ends in [`StrColumn::text`].
    pub fn ends(&self) -> &[u32] {
        &self.ends
    }

    /// The entries' generalised UTF-8, one after another.
    pub fn text(&self) -> &[u8] {
        &self.text
    }

    /// The entry of each value, if the column is a dictionary.
    pub fn codes(&self) -> Option<&[u32]> {
        (!self.plain).then_some(&self.codes)
    }

    /// Take all entries from elsewhere; the values that follow are [`Text::Entry`].
    pub fn set_dictionary(&mut self, ends: &[u32], text: &[u8]) -> OpResult {
        self.clear();
        self.plain = false;
        memory::extend(&mut self.ends, ends)?;
        memory::extend(&mut self.text, text)
    }

    /// Take the entry of every value from elsewhere, after [`StrColumn::set_dictionary`] with
    /// `entries`.
    pub fn set_codes(&mut self, codes: &[i64], entries: usize) -> OpResult {
        if codes.iter().any(|&code| code as u64 >= entries as u64) {
            return Err(Fault::Corrupt(BAD_CODE));
        }
        memory::reserve(&mut self.codes, codes.len())?;
        self.codes.extend(codes.iter().map(|&code| code as u32));
        Ok(())
    }

    /// Take all values from elsewhere.
    pub fn set_entries(&mut self, ends: Vec<u32>, text: &[u8]) -> OpResult {
        self.clear();
        self.plain = true;
        self.wait = RETRY;
        self.ends = ends;
        memory::extend(&mut self.text, text)
    }

    /// Add a value.
    #[inline(always)]
    pub fn push(&mut self, v: Text<'_>) -> OpResult {
        match v {
            Text::Plain { bytes, .. } if self.plain => self.push_entry(bytes),
            Text::Plain { bytes, .. } => self.push_lookup(bytes),
            Text::Entry(code) => push(&mut self.codes, code),
        }
    }

    /// Add many values, which takes less time each than one by one.
    ///
    /// # Safety
    /// All of them must be readable.
    pub(super) unsafe fn push_all(&mut self, mut values: &[Pending]) -> OpResult {
        if !self.plain {
            memory::reserve(&mut self.codes, values.len())?;
            while !self.plain && !values.is_empty() {
                // SAFETY: there is room for all values, which are readable by the caller's promise.
                let found = unsafe { self.table.find_all(values, &mut self.codes) };
                values = &values[found..];
                if let Some(v) = values.split_off_first() {
                    // SAFETY: as above.
                    self.push_rare(unsafe { v.bytes() })?;
                }
            }
        }
        memory::reserve(&mut self.ends, values.len())?;
        let len: usize = values.iter().map(|v| v.len).sum();
        self.reserve_text(len)?;
        let mut end = self.text.len();
        for v in values {
            // SAFETY: there is room for all values, and for all text and what follows it.
            unsafe {
                copy_spread(v.start, self.text.as_mut_ptr().add(end), v.len);
                end += v.len;
                append(&mut self.ends, end as u32);
            }
        }
        // SAFETY: all of it was written.
        unsafe { self.text.set_len(end) };
        Ok(())
    }

    /// Make room for `len` bytes of text, and for what a copy of them overwrites.
    #[inline(always)]
    fn reserve_text(&mut self, len: usize) -> OpResult {
        if self.text.len() + len > MAX_BYTES {
            return Err(Fault::Limit("the strings of one column in one frame exceed 4 GiB"));
        }
        memory::reserve(&mut self.text, len + SPREAD)
    }

    #[inline(always)]
    fn push_entry(&mut self, bytes: &[u8]) -> OpResult {
        self.reserve_text(bytes.len())?;
        let end = self.text.len() + bytes.len();
        // SAFETY: the bytes and what follows them were reserved.
        unsafe {
            copy_spread(bytes.as_ptr(), self.text.as_mut_ptr().add(self.text.len()), bytes.len());
            self.text.set_len(end);
        }
        push(&mut self.ends, end as u32)
    }

    #[inline(always)]
    fn push_lookup(&mut self, bytes: &[u8]) -> OpResult {
        memory::reserve(&mut self.codes, 1)?;
        let value = Pending { start: bytes.as_ptr(), len: bytes.len() };
        // SAFETY: there is room for a code.
        match unsafe { self.table.find_all(&[value], &mut self.codes) } {
            0 => self.push_rare(bytes),
            _ => Ok(()),
        }
    }

    /// Add a value that is long, or new.
    #[inline(never)]
    fn push_rare(&mut self, bytes: &[u8]) -> OpResult {
        let key = self.table.key(bytes);
        match self.table.find(&key, bytes, |code| entry(code, &self.ends, &self.text)) {
            Some(code) => push(&mut self.codes, code),
            None => self.push_new(key, bytes),
        }
    }

    fn push_new(&mut self, key: Key, bytes: &[u8]) -> OpResult {
        let (entries, values) = (self.ends.len(), self.codes.len());
        let hardly_any = entries >= self.few && (values - entries) * RARE < values;
        if hardly_any || entries >= MANY_ENTRIES && entries * REPEATS > values {
            self.become_plain()?;
            return self.push_entry(bytes);
        }
        self.push_entry(bytes)?;
        self.table.insert(key)?;
        push(&mut self.codes, entries as u32)
    }

    /// Write the values out one by one.
    fn become_plain(&mut self) -> OpResult {
        let StrColumn { ends, text, codes, .. } = self;
        let (entries, old) = (ends.len(), text.len());
        memory::reserve(ends, codes.len())?;
        for &code in &*codes {
            let range = range(code, ends);
            memory::reserve(text, range.len())?;
            text.extend_from_within(range);
            ends.push((text.len() - old) as u32);
        }
        ends.drain(..entries);
        text.drain(..old);
        codes.clear();
        self.plain = true;
        self.wait = RETRY;
        Ok(())
    }
}

/// A value that stands in its source.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Pending {
    /// Its first byte.
    pub start: *const u8,
    /// The number of its bytes.
    pub len: usize,
}

impl Pending {
    /// # Safety
    /// It must be readable for `'a`.
    #[inline(always)]
    unsafe fn bytes<'a>(self) -> &'a [u8] {
        // SAFETY: the caller's promise.
        unsafe { std::slice::from_raw_parts(self.start, self.len) }
    }
}

/// Append where there is room.
///
/// # Safety
/// There must be.
#[inline(always)]
unsafe fn append<T>(column: &mut Vec<T>, v: T) {
    debug_assert!(column.len() < column.capacity());
    // SAFETY: there is a place after the last.
    unsafe {
        column.as_mut_ptr().add(column.len()).write(v);
        column.set_len(column.len() + 1);
    }
}

#[inline(always)]
fn entry<'a>(code: u32, ends: &[u32], text: &'a [u8]) -> &'a [u8] {
    &text[range(code, ends)]
}

/// Where the text of an entry stands.
#[inline(always)]
fn range(code: u32, ends: &[u32]) -> Range<usize> {
    let begin = if code == 0 { 0 } else { ends[code as usize - 1] };
    begin as usize..ends[code as usize] as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(column: &StrColumn) -> Vec<String> {
        let text =
            |code| String::from_utf8(entry(code, &column.ends, &column.text).to_vec()).unwrap();
        match column.codes() {
            Some(codes) => codes.iter().map(|&code| text(code)).collect(),
            None => (0..column.ends.len() as u32).map(text).collect(),
        }
    }

    #[test]
    fn repeated_strings_are_entries_and_different_ones_are_not() {
        let mut column = StrColumn::default();
        for frame in 0..20 {
            let few: Vec<String> = (0..2000).map(|i| format!("{:>1$}", i % 300, i % 40)).collect();
            let many: Vec<String> = (0..3000).map(|i| format!("name {i}")).collect();
            for strings in [&few, &many] {
                column.clear();
                for s in strings {
                    column.push(Text::Plain { bytes: s.as_bytes(), ascii: true }).unwrap();
                }
                assert_eq!(&values(&column), strings, "frame {frame}");
                assert_eq!(column.count(), strings.len());
            }
            assert!(column.codes().is_none());
        }
    }

    /// Columns of `count` values: of few, of many, of all lengths, and of those that begin in another
    /// way than they go on.
    fn columns(count: usize) -> [Vec<String>; 6] {
        let of = |make: &dyn Fn(usize) -> String| (0..count).map(make).collect();
        [
            of(&|i| format!("brand {}", i * i % 25)),
            of(&|i| format!("a comment of its own {i}")),
            of(&|i| "x".repeat(i * 7 % 150)),
            of(&|i| if i < count / 2 { "same".to_owned() } else { format!("other {i}") }),
            of(&|i| format!("{:>1$}", i, i % 90)),
            of(&|i| format!("sensor {}", i % 900)),
        ]
    }

    #[test]
    fn strings_come_to_the_same_together_and_one_by_one() {
        for count in [0, 1, 100, 1000, 5000] {
            for strings in columns(count) {
                let (mut single, mut together) = (StrColumn::default(), StrColumn::default());
                single.expect(count);
                together.expect(count);
                for s in &strings {
                    single.push(Text::Plain { bytes: s.as_bytes(), ascii: true }).unwrap();
                }
                for strings in strings.chunks(256) {
                    let pending: Vec<_> = strings
                        .iter()
                        .map(|s| Pending { start: s.as_ptr(), len: s.len() })
                        .collect();
                    // SAFETY: the strings live.
                    unsafe { together.push_all(&pending) }.unwrap();
                }
                assert_eq!(values(&together), strings);
                assert_eq!(together.codes(), single.codes());
                assert_eq!((together.ends(), together.text()), (single.ends(), single.text()));
            }
        }
    }

    #[test]
    fn a_dictionary_is_given_up_early_only_in_small_frames() {
        let is_dictionary = |strings: &[String], expected| {
            let mut column = StrColumn::default();
            column.expect(expected);
            for s in strings {
                column.push(Text::Plain { bytes: s.as_bytes(), ascii: true }).unwrap();
            }
            column.codes().is_some()
        };
        let [few, different, _, _, _, cycle] = columns(1000);
        assert!(is_dictionary(&few, 1000) && !is_dictionary(&different, 1000));
        assert!(is_dictionary(&different, 10_000));
        assert!(!is_dictionary(&cycle, 1000) && is_dictionary(&cycle, 10_000));
        assert!(is_dictionary(&different[..100], 100));
    }
}

//! A staged column of strings. It is a dictionary as long as that pays off.
//!
//! Most columns repeat strings. Looking a string up costs less than copying it twice, and the
//! decoder makes one object per entry, so the dictionary is built while rows are staged. When most
//! strings turn out to be different, the column becomes a plain one until the frame ends. No frame
//! depends on earlier ones, so threads can make frames of one message at once.

use std::ops::Range;

use super::push;
use super::table::{Key, Table};
use crate::bytes::out::{SPREAD, copy_spread};
use crate::bytes::search::{SEARCHED, places};
use crate::error::Fault;
use crate::layout::{OpResult, Text};
use crate::limits::MAX_BYTES;
use crate::memory;

/// A dictionary is given up if it has this many entries, and more than one for every [`REPEATS`]
/// values.
const MANY_ENTRIES: usize = 1024;
const REPEATS: usize = 2;
/// In a frame of few rows a dictionary is given up earlier if less than one in [`RARE`] values was
/// repeated: with one entry for each [`SHARE`] rows, and at least [`FEW_ENTRIES`]. A large frame
/// may still repeat a thousand different strings in the same order.
const FEW_ENTRIES: usize = 128;
const SHARE: usize = 8;
const RARE: usize = 16;

/// The error for a code that is not an entry.
pub const BAD_CODE: &str = "a str column has a code that its dictionary lacks";

/// The strings of one column. Without codes there is one entry per value.
#[derive(Debug)]
pub struct StrColumn {
    ends: Vec<u32>,
    text: Vec<u8>,
    codes: Vec<u32>,
    table: Table,
    plain: bool,
    /// The number of entries at which a dictionary may be given up.
    few: usize,
}

/// The numbers of values and of entries of a column at some time.
#[derive(Clone, Copy, Debug)]
pub(super) struct StrMark {
    values: usize,
    entries: usize,
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
        }
    }
}

impl StrColumn {
    /// Tells the column that at least `values` values will follow.
    pub fn expect(&mut self, values: usize) {
        self.few = (values / SHARE).clamp(FEW_ENTRIES, MANY_ENTRIES);
    }

    /// Makes an empty column a plain one, which looks no value up, until it is cleared.
    pub fn make_plain(&mut self) {
        debug_assert_eq!(self.count(), 0);
        self.plain = true;
    }

    /// Returns the approximate number of bytes that the column holds.
    pub fn capacity(&self) -> usize {
        self.text.capacity()
            + 4 * (self.ends.capacity() + self.codes.capacity())
            + self.table.capacity()
    }

    /// Removes all values. Keeps the memory.
    pub fn clear(&mut self) {
        self.ends.clear();
        self.text.clear();
        self.codes.clear();
        self.table.clear();
        self.plain = false;
        self.few = MANY_ENTRIES;
    }

    /// Returns the number of values.
    pub fn count(&self) -> usize {
        if self.plain { self.ends.len() } else { self.codes.len() }
    }

    /// Returns a mark for [`StrColumn::roll_back`].
    pub(super) fn mark(&self) -> StrMark {
        StrMark { values: self.count(), entries: self.ends.len() }
    }

    /// Removes the values, and the entries, after the mark. A column that has become plain remains so.
    pub(super) fn roll_back(&mut self, mark: StrMark) {
        let ends = match self.plain {
            true => mark.values,
            false => mark.entries,
        };
        self.codes.truncate(mark.values);
        self.ends.truncate(ends);
        self.text.truncate(self.ends.last().map_or(0, |&end| end as usize));
        if !self.plain {
            self.table.truncate(mark.entries);
        }
    }

    /// Returns the end of each entry in [`StrColumn::text`].
    pub fn ends(&self) -> &[u32] {
        &self.ends
    }

    /// Returns the generalised UTF-8 of all entries, one after another.
    pub fn text(&self) -> &[u8] {
        &self.text
    }

    /// Returns the entry of each value, if the column is a dictionary.
    pub fn codes(&self) -> Option<&[u32]> {
        (!self.plain).then_some(&self.codes)
    }

    /// Appends the parts between `separator`s of another column's values or entries `which`, as values
    /// of their own. Stops when this column becomes plain, because most parts are different.
    pub fn push_words(
        &mut self,
        other: &StrColumn,
        which: Range<usize>,
        separator: u8,
    ) -> OpResult {
        let mut words = [Pending { start: std::ptr::null(), len: 0 }; 256];
        let mut count = 0;
        let mut push = |word: &[u8]| {
            words[count] = Pending { start: word.as_ptr(), len: word.len() };
            count += 1;
            if count == words.len() {
                count = 0;
                // SAFETY: the words are parts of the other column, which outlives this call.
                unsafe { self.push_all(&words) }?;
            }
            Ok::<bool, Fault>(!self.plain)
        };
        let text = other.text();
        let mut begin = which.start.checked_sub(1).map_or(0, |last| other.ends[last] as usize);
        for &end in &other.ends[which] {
            let end = end as usize;
            for at in (begin..end).step_by(SEARCHED) {
                for place in places(separator, &text[at..], end - at) {
                    if !push(&text[begin..at + place])? {
                        return Ok(());
                    }
                    begin = at + place + 1;
                }
            }
            if !push(&text[begin..end])? {
                return Ok(());
            }
            begin = end;
        }
        // SAFETY: as above.
        unsafe { self.push_all(&words[..count]) }
    }

    /// Sets all entries. The following values are [`Text::Entry`].
    pub fn set_dictionary(&mut self, ends: &[u32], text: &[u8]) -> OpResult {
        self.clear();
        memory::extend(&mut self.ends, ends)?;
        memory::extend(&mut self.text, text)
    }

    /// Appends a value.
    #[inline(always)]
    pub fn push(&mut self, v: Text<'_>) -> OpResult {
        match v {
            Text::Plain(text) if self.plain => self.push_entry(text.bytes()),
            Text::Plain(text) => self.push_lookup(text.bytes()),
            Text::Entry(code) => push(&mut self.codes, code),
        }
    }

    /// Reserves space for `values` of `bytes` in all.
    pub fn reserve(&mut self, values: usize, bytes: usize) -> OpResult {
        memory::reserve(if self.plain { &mut self.ends } else { &mut self.codes }, values)?;
        self.reserve_text(bytes)
    }

    /// Appends the value whose bytes are `head` and then `tail`. A plain column copies them once.
    pub fn push_joined(&mut self, head: &[u8], tail: &[u8]) -> OpResult {
        if !self.plain {
            let mut joined = memory::with_capacity(head.len() + tail.len())?;
            joined.extend_from_slice(head);
            joined.extend_from_slice(tail);
            return self.push_lookup(&joined);
        }
        self.reserve_text(head.len() + tail.len())?;
        self.text.extend_from_slice(head);
        self.text.extend_from_slice(tail);
        push(&mut self.ends, self.text.len() as u32)
    }

    /// Appends values, many at once: see [`StrColumn::push_all`].
    pub fn extend<'a>(&mut self, values: impl Iterator<Item = &'a [u8]>) -> OpResult {
        let mut some = [Pending { start: std::ptr::null(), len: 0 }; 256];
        let mut count = 0;
        for value in values {
            some[count] = Pending { start: value.as_ptr(), len: value.len() };
            count += 1;
            if count == some.len() {
                // SAFETY: the values are borrowed until this call returns.
                unsafe { self.push_all(&some) }?;
                count = 0;
            }
        }
        // SAFETY: as above.
        unsafe { self.push_all(&some[..count]) }
    }

    /// Appends many values. This is faster per value than appending them one by one.
    ///
    /// # Safety
    /// All values must be readable.
    pub(super) unsafe fn push_all(&mut self, mut values: &[Pending]) -> OpResult {
        if !self.plain {
            memory::reserve(&mut self.codes, values.len())?;
            // Decimals and integers of 64 bits have no bytes.
            if values.iter().all(|v| v.len == 0) && !values.is_empty() {
                return self.push_empty(values.len());
            }
            while !self.plain && !values.is_empty() {
                // SAFETY: there is space for all codes, and the caller promises that the values are
                // readable.
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
            // SAFETY: there is space for all ends, for all text and for what a copy overwrites
            // after it.
            unsafe {
                copy_spread(v.start, self.text.as_mut_ptr().add(end), v.len);
                end += v.len;
                append(&mut self.ends, end as u32);
            }
        }
        // SAFETY: the loop wrote all of it.
        unsafe { self.text.set_len(end) };
        Ok(())
    }

    /// Reserves space for `len` bytes of text, and for what a copy of them overwrites after it.
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
        // SAFETY: `reserve_text` reserved the bytes and those after them.
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
        // SAFETY: there is space for a code.
        match unsafe { self.table.find_all(&[value], &mut self.codes) } {
            0 => self.push_rare(bytes),
            _ => Ok(()),
        }
    }

    /// Appends the empty string `count` times; once at least.
    fn push_empty(&mut self, count: usize) -> OpResult {
        self.push_lookup(&[])?;
        let (column, value) = match (self.plain, self.codes.last()) {
            (false, Some(&code)) => (&mut self.codes, code),
            _ => (&mut self.ends, self.text.len() as u32),
        };
        memory::reserve(column, count - 1)?;
        column.resize(column.len() + count - 1, value);
        Ok(())
    }

    /// Appends a value that is long or new.
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

    /// Converts a dictionary to plain values.
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
        Ok(())
    }
}

/// A value that is still in its source's memory.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Pending {
    /// The address of its first byte.
    pub start: *const u8,
    /// Its length in bytes.
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

/// Appends a value without checking the capacity.
///
/// # Safety
/// There must be space for it.
#[inline(always)]
unsafe fn append<T>(column: &mut Vec<T>, v: T) {
    debug_assert!(column.len() < column.capacity());
    // SAFETY: the caller promises that there is space.
    unsafe {
        column.as_mut_ptr().add(column.len()).write(v);
        column.set_len(column.len() + 1);
    }
}

#[inline(always)]
fn entry<'a>(code: u32, ends: &[u32], text: &'a [u8]) -> &'a [u8] {
    &text[range(code, ends)]
}

/// Returns the range of an entry in the text.
#[inline(always)]
fn range(code: u32, ends: &[u32]) -> Range<usize> {
    let begin = if code == 0 { 0 } else { ends[code as usize - 1] };
    begin as usize..ends[code as usize] as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::sized;

    fn values(column: &StrColumn) -> Vec<String> {
        let text =
            |code| String::from_utf8(entry(code, &column.ends, &column.text).to_vec()).unwrap();
        match column.codes() {
            Some(codes) => codes.iter().map(|&code| text(code)).collect(),
            None => (0..column.ends.len() as u32).map(text).collect(),
        }
    }

    #[test]
    #[cfg_attr(miri, ignore = "many strings")]
    fn repeated_strings_are_entries_and_different_ones_are_not() {
        let mut column = StrColumn::default();
        for frame in 0..20 {
            let few: Vec<String> = (0..2000).map(|i| format!("{:>1$}", i % 300, i % 40)).collect();
            let many: Vec<String> = (0..3000).map(|i| format!("name {i}")).collect();
            for strings in [&few, &many] {
                column.clear();
                for s in strings {
                    column.push(Text::plain(s.as_bytes())).unwrap();
                }
                assert_eq!(&values(&column), strings, "frame {frame}");
                assert_eq!(column.count(), strings.len());
            }
            assert!(column.codes().is_none());
        }
    }

    /// Columns of `count` values: with few and many different values, with all lengths, with values
    /// that change after the first half, and with runs of empty ones.
    fn columns(count: usize) -> [Vec<String>; 8] {
        let of = |make: &dyn Fn(usize) -> String| (0..count).map(make).collect();
        [
            of(&|i| format!("brand {}", i * i % 25)),
            of(&|i| format!("a comment of its own {i}")),
            of(&|i| "x".repeat(i * 7 % 150)),
            of(&|i| if i < count / 2 { "same".to_owned() } else { format!("other {i}") }),
            of(&|i| format!("{:>1$}", i, i % 90)),
            of(&|i| format!("sensor {}", i % 900)),
            of(&|i| if i % 700 < 600 { String::new() } else { format!("rest {i}") }),
            of(&|i| if i < count / 2 { format!("name {i}") } else { String::new() }),
        ]
    }

    #[test]
    fn appending_many_strings_equals_appending_them_one_by_one() {
        for &count in &[0, 1, 100, 1000, 5000][..sized(5, 3)] {
            for strings in columns(count) {
                let (mut single, mut together) = (StrColumn::default(), StrColumn::default());
                single.expect(count);
                together.expect(count);
                for s in &strings {
                    single.push(Text::plain(s.as_bytes())).unwrap();
                }
                together.extend(strings.iter().map(String::as_bytes)).unwrap();
                assert_eq!(values(&together), strings);
                assert_eq!(together.codes(), single.codes());
                assert_eq!((together.ends(), together.text()), (single.ends(), single.text()));
                together.clear();
                together.make_plain();
                together.extend(strings.iter().map(String::as_bytes)).unwrap();
                assert_eq!((values(&together), together.codes()), (strings, None));
            }
        }
    }

    /// The values after the mark may have made the column plain.
    #[test]
    fn a_column_is_cut_back_to_a_mark() {
        for strings in columns(sized(5000, 110)) {
            let marks = [1, 100, 0, strings.len() / 7, strings.len() / 2];
            for &at in &marks[..sized(5, 2)] {
                let (mut column, mut other) = (StrColumn::default(), StrColumn::default());
                let push = |column: &mut StrColumn, strings: &[String]| {
                    strings
                        .iter()
                        .try_for_each(|s| column.push(Text::plain(s.as_bytes())))
                        .unwrap();
                };
                push(&mut column, &strings[..at]);
                let mark = column.mark();
                push(&mut column, &strings[at..]);
                push(&mut column, &["secret".to_owned()]);
                column.roll_back(mark);
                assert_eq!(values(&column), strings[..at]);
                push(&mut other, &strings[..at]);
                if column.plain == other.plain {
                    assert_eq!((column.ends(), column.text()), (other.ends(), other.text()));
                }
                push(&mut column, &strings[at..]);
                assert_eq!(values(&column), strings);
            }
        }
    }

    #[test]
    #[cfg_attr(miri, ignore = "many strings")]
    fn a_dictionary_is_given_up_early_only_in_small_frames() {
        let is_dictionary = |strings: &[String], expected| {
            let mut column = StrColumn::default();
            column.expect(expected);
            for s in strings {
                column.push(Text::plain(s.as_bytes())).unwrap();
            }
            column.codes().is_some()
        };
        let [few, different, _, _, _, cycle, ..] = columns(1000);
        assert!(is_dictionary(&few, 1000) && !is_dictionary(&different, 1000));
        assert!(is_dictionary(&different, 10_000));
        assert!(!is_dictionary(&cycle, 1000) && is_dictionary(&cycle, 10_000));
        assert!(is_dictionary(&different[..100], 100));
    }
}

//! A staged column of strings, which is a dictionary for as long as that pays.
//!
//! Repeated strings are the rule in rows. Looking one up costs less than copying it twice, and
//! whoever decodes makes one object an entry, so the dictionary is built while rows are staged.
//! Once a column shows that its strings are mostly different, it is turned into a plain one, and
//! the next frames try a dictionary only now and then.

use super::table::{Key, Table};
use crate::error::Fault;
use crate::layout::{Step, Text};
use crate::limits::MAX_BYTES;
use crate::wire::frame::{Corrupt, malformed};
use crate::wire::out::{SLACK, copy_short};

/// A dictionary is given up once it has more entries than this, and there are
/// more than one for every [`REPEATS`] values.
const MIN_ENTRIES: usize = 1024;
const REPEATS: usize = 2;
/// A plain column tries a dictionary once in this many frames.
const RETRY: u32 = 16;

/// What is said of a code that no entry has.
pub const BAD_CODE: &str = "a str column has a code that its dictionary has not";

/// Strings of one column. Without codes there is an entry for every value.
#[derive(Debug, Default)]
pub struct StrColumn {
    ends: Vec<u32>,
    text: Vec<u8>,
    codes: Vec<u32>,
    table: Table,
    plain: bool,
    /// Frames until a plain column tries a dictionary again.
    wait: u32,
}

impl StrColumn {
    /// Forget all values and what was learned of the column, and keep the memory.
    pub fn reset(&mut self) {
        self.plain = false;
        self.clear();
    }

    /// About how many bytes of memory the column holds.
    pub fn capacity(&self) -> usize {
        self.text.capacity() + 4 * (self.ends.capacity() + self.codes.capacity())
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

    /// Forget what was learned of the column, which must be empty.
    pub fn unlearn(&mut self) {
        (self.plain, self.wait) = (false, 0);
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
    pub fn set_dictionary(&mut self, ends: &[u32], text: &[u8]) {
        self.clear();
        self.plain = false;
        self.ends.extend_from_slice(ends);
        self.text.extend_from_slice(text);
    }

    /// Take the entry of every value from elsewhere, after [`StrColumn::set_dictionary`] with
    /// `entries`.
    pub fn set_codes(&mut self, codes: &[i64], entries: usize) -> Result<(), Corrupt> {
        if codes.iter().any(|&code| code as u64 >= entries as u64) {
            return malformed(BAD_CODE);
        }
        self.codes.extend(codes.iter().map(|&code| code as u32));
        Ok(())
    }

    /// Take all values from elsewhere.
    pub fn set_entries(&mut self, ends: Vec<u32>, text: &[u8]) {
        self.clear();
        self.plain = true;
        self.wait = RETRY;
        self.ends = ends;
        self.text.extend_from_slice(text);
    }

    /// Add a value.
    #[inline(always)]
    pub fn push(&mut self, v: Text<'_>) -> Step {
        match v {
            Text::Plain { bytes, .. } if self.plain => self.push_entry(bytes),
            Text::Plain { bytes, .. } => self.push_lookup(bytes),
            Text::Entry(code) => {
                self.codes.push(code);
                Ok(())
            }
        }
    }

    #[inline(always)]
    fn push_entry(&mut self, bytes: &[u8]) -> Step {
        let (len, end) = (bytes.len(), self.text.len() + bytes.len());
        if end > MAX_BYTES {
            return Err(Fault::Limit("the strings of one column in one frame exceed 4 GiB"));
        }
        if self.text.capacity() - self.text.len() < len + SLACK {
            self.text.reserve(len + SLACK);
        }
        // SAFETY: `len` bytes and the slack were reserved.
        unsafe {
            copy_short(bytes.as_ptr(), self.text.as_mut_ptr().add(self.text.len()), len);
            self.text.set_len(end);
        }
        self.ends.push(end as u32);
        Ok(())
    }

    #[inline(always)]
    fn push_lookup(&mut self, bytes: &[u8]) -> Step {
        let key = self.table.key(bytes);
        match self.table.find(&key, bytes, |code| entry(code, &self.ends, &self.text)) {
            Some(code) => {
                self.codes.push(code);
                Ok(())
            }
            None => self.push_new(key, bytes),
        }
    }

    #[cold]
    fn push_new(&mut self, key: Key, bytes: &[u8]) -> Step {
        let entries = self.ends.len();
        if entries >= MIN_ENTRIES && entries * REPEATS > self.codes.len() {
            self.become_plain()?;
            return self.push_entry(bytes);
        }
        self.push_entry(bytes)?;
        self.table.insert(key, entries as u32);
        self.codes.push(entries as u32);
        Ok(())
    }

    /// Write the values out one by one.
    fn become_plain(&mut self) -> Step {
        let ends = std::mem::take(&mut self.ends);
        let text = std::mem::take(&mut self.text);
        let codes = std::mem::take(&mut self.codes);
        self.plain = true;
        self.wait = RETRY;
        for code in codes {
            self.push_entry(entry(code, &ends, &text))?;
        }
        Ok(())
    }
}

#[inline(always)]
fn entry<'a>(code: u32, ends: &[u32], text: &'a [u8]) -> &'a [u8] {
    let begin = if code == 0 { 0 } else { ends[code as usize - 1] };
    &text[begin as usize..ends[code as usize] as usize]
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
}

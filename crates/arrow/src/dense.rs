//! The columns of a set, unpacked. They hold the present values only.

use std::ops::Range;

use serow_core::error::{ErrorKind, Fault};
use serow_core::layout::batch::BAD_CODE;
use serow_core::memory;
use serow_core::value::ColumnText;
use serow_core::wire::frame::ColumnSet;

use crate::pool;

/// The strings of a column.
pub struct Strings<'a> {
    text: ColumnText<'a>,
    /// The end of each entry; without codes, of each value.
    pub ends: Vec<u32>,
    /// The entry of each value, which exists.
    pub codes: Option<Vec<i64>>,
}

/// Column `column` of ints.
pub fn ints(set: &ColumnSet<'_>, column: u32) -> Result<Vec<i64>, Fault> {
    ints_in(set, column, Vec::new())
}

/// Like [`ints`], in this empty vector.
pub fn ints_in(set: &ColumnSet<'_>, column: u32, mut values: Vec<i64>) -> Result<Vec<i64>, Fault> {
    let mut reader = set.ints[column as usize].clone();
    memory::resize(&mut values, reader.left(), 0)?;
    reader.read(&mut values);
    Ok(values)
}

/// Column `column` of floats.
pub fn floats(set: &ColumnSet<'_>, column: u32) -> Result<Vec<f64>, Fault> {
    let mut reader = set.floats[column as usize].clone();
    let mut values = pool::take(reader.left())?;
    let mut scratch = [0; BLOCK];
    memory::resize(&mut values, reader.left(), 0.0)?;
    for block in values.chunks_mut(BLOCK) {
        let len = block.len();
        reader.read(block, &mut scratch[..len]);
    }
    Ok(values)
}

/// Floats that are read at once.
const BLOCK: usize = 512;

/// Column `column` of bits, a byte of 0 or 1 each.
pub fn bits(set: &ColumnSet<'_>, column: u32) -> Result<Vec<u8>, Fault> {
    let mut reader = set.bits[column as usize].clone();
    let mut values = Vec::new();
    memory::resize(&mut values, reader.left(), 0)?;
    reader.read(&mut values);
    Ok(values)
}

/// The bytes that the values of all columns take in arrays, about.
pub fn size(set: &ColumnSet<'_>) -> serow_core::Result<usize> {
    let failed = |fault: Fault| fault.into_error(ErrorKind::Decode, "the columns");
    let ints = set.ints.iter().map(|reader| reader.left());
    let numbers = ints.chain(set.floats.iter().map(|reader| reader.left()));
    let mut size = set.count().saturating_mul(set.rows).saturating_add(numbers.sum::<usize>() * 8);
    for column in 0..set.strs.len() as u32 {
        let strings = Strings::of(set, column).map_err(failed)?;
        let text = match &strings.codes {
            None => strings.text().len(),
            Some(codes) => codes.iter().map(|&code| strings.range(code as usize).len()).sum(),
        };
        size = size.saturating_add(text);
    }
    Ok(size)
}

/// Whether text is UTF-8. Serow's text may also have lone surrogates.
pub fn is_utf8(text: &ColumnText<'_>) -> bool {
    text.plain().is_known_ascii() || std::str::from_utf8(text.plain().bytes()).is_ok()
}

impl<'a> Strings<'a> {
    /// Column `column` of strings.
    pub fn of(set: &ColumnSet<'a>, column: u32) -> Result<Strings<'a>, Fault> {
        let reader = &set.strs[column as usize];
        let ends = reader.ends()?;
        let codes = match &reader.codes {
            None => None,
            Some(codes) => {
                let mut reader = codes.clone();
                let mut codes = Vec::new();
                memory::resize(&mut codes, reader.left(), 0)?;
                reader.read(&mut codes);
                match codes.iter().all(|&code| (code as u64) < ends.len() as u64) {
                    true => Some(codes),
                    false => return Err(Fault::Corrupt(BAD_CODE)),
                }
            }
        };
        Ok(Strings { text: reader.text.clone(), ends, codes })
    }

    /// The bytes of all entries.
    pub fn text(&self) -> &[u8] {
        self.text.plain().bytes()
    }

    /// Whether each entry is UTF-8.
    pub fn is_utf8(&self) -> bool {
        is_utf8(&self.text)
    }

    /// The place of entry `entry` in the text.
    pub fn range(&self, entry: usize) -> Range<usize> {
        let begin = entry.checked_sub(1).map_or(0, |before| self.ends[before]);
        begin as usize..self.ends[entry] as usize
    }

    /// The bytes of entry `entry`.
    pub fn entry(&self, entry: usize) -> &[u8] {
        &self.text()[self.range(entry)]
    }

    /// The bytes of value `index`.
    pub fn get(&self, index: usize) -> &[u8] {
        self.entry(self.codes.as_ref().map_or(index, |codes| codes[index] as usize))
    }

    /// The bytes of all entries, one by one.
    pub fn entries(&self) -> impl Iterator<Item = &[u8]> {
        (0..self.ends.len()).map(|entry| self.entry(entry))
    }
}

//! String columns.
//!
//! ```text
//! 0 plain        lengths (ints with their length before them), bytes
//! 1 dictionary   entries (varint), lengths of the entries (ints with their length before them),
//!                number of bytes (varint), bytes, codes (encoding (one byte), ints)
//! 2 words        see `words`
//! 3 dictionary of words
//!                entries (varint), codes (ints with their length before them), the entries as words
//! ```
//!
//! *Ints with their length before them*: a varint, which counts the bytes after it; one byte for
//! the encoding; the ints. Strings are generalised UTF-8, one after another without separators.

use std::cmp::Ordering;

use super::{Density, Memory, Scratch, TextForm, ints, take_bytes, take_count, words};
use crate::bytes::out::Out;
use crate::bytes::text;
use crate::error::{Corrupt, Fault, malformed};
use crate::layout::ColumnText;
use crate::layout::batch::StrColumn;
use crate::memory;
use crate::plan::StrEncoding;

/// The text of every value.
pub const PLAIN: u8 = 0;
/// The text of every entry, and the entry of every value.
pub const DICTIONARY: u8 = 1;
/// The words of every value.
pub const WORDS: u8 = 2;
/// The words of every entry, and the entry of every value.
pub const DICTIONARY_OF_WORDS: u8 = 3;

/// Appends `column` and returns its encoding. `scratch` is reused memory.
pub fn encode(
    column: &StrColumn,
    text: TextForm,
    density: Density,
    scratch: &mut Scratch,
    out: &mut Out<'_>,
) -> Result<u8, Fault> {
    if text == TextForm::Small && words::may_pay(column) {
        let begin = out.len();
        if let Some(codes) = column.codes() {
            out.varint(column.ends().len() as u64)?;
            widen(codes, &mut scratch.ints)?;
            let encode = |codes: &[i64], out: &mut Out<'_>| {
                ints::encode_unordered(codes, Density::Free, out)
            };
            ints::encode_with_length(&scratch.ints, encode, out)?;
        }
        if words::encode(column, scratch, out)? {
            return Ok(if column.codes().is_some() { DICTIONARY_OF_WORDS } else { WORDS });
        }
        out.truncate(begin);
    }
    match column.codes() {
        Some(codes) => {
            encode_dictionary(column, codes, density, &mut scratch.ints, out)?;
            Ok(DICTIONARY)
        }
        None => {
            encode_lengths(column, density, &mut scratch.ints, out)?;
            out.extend(column.text())?;
            Ok(PLAIN)
        }
    }
}

/// Sets `to` to the codes.
fn widen(codes: &[u32], to: &mut Vec<i64>) -> Result<(), Fault> {
    to.clear();
    memory::reserve(to, codes.len())?;
    to.extend(codes.iter().map(|&code| i64::from(code)));
    Ok(())
}

/// Appends the chunk of a column with these `codes`.
pub(super) fn encode_dictionary(
    column: &StrColumn,
    codes: &[u32],
    density: Density,
    scratch: &mut Vec<i64>,
    out: &mut Out<'_>,
) -> Result<(), Fault> {
    out.varint(column.ends().len() as u64)?;
    encode_lengths(column, density, scratch, out)?;
    out.varint(column.text().len() as u64)?;
    out.extend(column.text())?;
    widen(codes, scratch)?;
    let encoding_at = out.len();
    out.push(0)?;
    let encoding = ints::encode_unordered(scratch, density, out)?;
    out.written_mut()[encoding_at] = encoding;
    Ok(())
}

/// Appends the lengths of all entries, with the length of their chunk before them.
pub(super) fn encode_lengths(
    column: &StrColumn,
    density: Density,
    scratch: &mut Vec<i64>,
    out: &mut Out<'_>,
) -> Result<(), Fault> {
    scratch.clear();
    memory::reserve(scratch, column.ends().len())?;
    let mut begin = 0;
    scratch.extend(column.ends().iter().map(|&end| {
        let len = end - begin;
        begin = end;
        i64::from(len)
    }));
    let encode = |lengths: &[i64], out: &mut Out<'_>| ints::encode_unordered(lengths, density, out);
    ints::encode_with_length(scratch, encode, out)
}

/// A validated column of strings, from a chunk or plain in memory.
#[derive(Clone, Debug)]
pub struct StrReader<'a> {
    /// All text.
    pub text: ColumnText<'a>,
    /// The length of every value, or of every entry.
    pub lengths: ints::IntReader<'a>,
    /// The entry of every value, if the column has a dictionary.
    pub codes: Option<ints::IntReader<'a>>,
    /// Whether the text must be UTF-8.
    pub str_encoding: StrEncoding,
}

impl<'a> StrReader<'a> {
    /// Creates a reader of a chunk of `count` strings. Codes are checked when they are read.
    pub(super) fn new(
        encoding: u8,
        count: usize,
        mut bytes: &'a [u8],
        str_encoding: StrEncoding,
        memory: &mut Memory<'_>,
    ) -> Result<StrReader<'a>, Fault> {
        let (entries, dictionary) = match encoding {
            PLAIN | WORDS => (count, false),
            DICTIONARY | DICTIONARY_OF_WORDS => (take_count(&mut bytes)?, true),
            _ => return Err(Fault::Corrupt("a str column has an unknown encoding")),
        };
        if entries > count {
            return Err(Fault::Corrupt("a dictionary has more entries than its column has values"));
        }
        if matches!(encoding, WORDS | DICTIONARY_OF_WORDS) {
            let mut codes = None;
            if dictionary {
                let (encoding, chunk) = ints::take_with_length(&mut bytes)?;
                codes = Some(ints::IntReader::new(encoding, count, chunk)?);
            }
            let (lengths, text) = words::read(entries, bytes, str_encoding, memory)?;
            let text = ColumnText::owned(text);
            let reader = StrReader { text, lengths, codes, str_encoding };
            reader.check_entries()?;
            return Ok(reader);
        }
        let (encoding, chunk) = ints::take_with_length(&mut bytes)?;
        let lengths = ints::IntReader::new(encoding, entries, chunk)?;
        let (text, codes) = if dictionary {
            let text = take_count(&mut bytes).and_then(|len| take_bytes(&mut bytes, len))?;
            let Some((&encoding, chunk)) = bytes.split_first() else {
                return Err(Fault::Corrupt("a str column's codes are cut"));
            };
            (text, Some(ints::IntReader::new(encoding, count, chunk)?))
        } else {
            (bytes, None)
        };
        let text = ColumnText::borrowed(text);
        let is_text = str_encoding == StrEncoding::Text;
        let plain = text.plain();
        if is_text && !plain.is_known_ascii() && !text::is_valid(plain.bytes()) {
            return Err(Fault::Corrupt("a str column contains bytes that are not UTF-8"));
        }
        let reader = StrReader { text, lengths, codes, str_encoding };
        reader.check_entries()?;
        reader.check_lengths()?;
        Ok(reader)
    }

    /// Creates a reader of a column that was staged, of this encoding.
    pub(super) fn plain(column: &'a StrColumn, str_encoding: StrEncoding) -> StrReader<'a> {
        StrReader {
            text: ColumnText::borrowed(column.text()),
            lengths: ints::IntReader::lengths(column.ends()),
            codes: column.codes().map(ints::IntReader::codes),
            str_encoding,
        }
    }

    /// Creates a reader that returns one string, which must be valid, `count` times.
    pub(super) fn constant(text: &[u8], count: usize, str_encoding: StrEncoding) -> StrReader<'a> {
        let entries = usize::from(count > 0);
        StrReader {
            text: ColumnText::owned(text.to_vec()),
            lengths: ints::IntReader::constant(text.len() as i64, entries),
            codes: Some(ints::IntReader::constant(0, count)),
            str_encoding,
        }
    }

    /// Checks that a dictionary has at most one empty entry, by the number of entries. Writers write
    /// each entry once. The check bounds the memory for what readers keep for each entry.
    fn check_entries(&self) -> Result<(), Corrupt> {
        let text = self.text.plain().bytes().len();
        match self.codes.is_some() && self.lengths.left() > text + 1 {
            true => malformed("a dictionary has more than one empty entry"),
            false => Ok(()),
        }
    }

    /// Checks that the sum of the lengths is the length of the text and that no length cuts a
    /// character.
    fn check_lengths(&self) -> Result<(), Corrupt> {
        const EXCEED: Corrupt = Corrupt("a str column's lengths exceed its text");
        const SPARE: Corrupt = Corrupt("a str column has text to spare");
        let (text, is_ascii) = (self.text.plain().bytes(), self.text.plain().is_known_ascii());
        let all = text.len() as u64;
        let is_checked = self.str_encoding == StrEncoding::Text && !is_ascii;
        if let Some(len) = self.lengths.only_value().filter(|&len| len == 0 || !is_checked) {
            let sum = (len as u64).checked_mul(self.lengths.left() as u64);
            return match sum.map(|sum| sum.cmp(&all)) {
                Some(Ordering::Equal) => Ok(()),
                Some(Ordering::Less) => Err(SPARE),
                _ => Err(EXCEED),
            };
        }
        let mut at = 0;
        self.lengths.look(|block| {
            // If each length is within the text, the sum of one block does not overflow.
            if block.iter().fold(0, |longest, &len| (len as u64).max(longest)) > all {
                return Err(EXCEED);
            }
            let end = block.iter().fold(at, |end, &len| end + len as u64);
            if end > all {
                return Err(EXCEED);
            }
            if is_checked {
                for &len in block {
                    at += len as u64;
                    if !text::is_boundary(text, at as usize) {
                        return malformed("a str column's lengths cut a character");
                    }
                }
            }
            at = end;
            Ok(())
        })?;
        match at == all {
            true => Ok(()),
            false => Err(SPARE),
        }
    }

    /// Returns the number of bytes of memory that [`StrReader::ends`] takes.
    pub fn ends_bytes(&self) -> usize {
        self.lengths.left() * size_of::<u32>()
    }

    /// Returns the end of every entry (or, without a dictionary, of every value) in the text.
    pub fn ends(&self) -> Result<Vec<u32>, Fault> {
        if u32::try_from(self.text.plain().bytes().len()).is_err() {
            return Err(Fault::Corrupt("a str column has more than 4 GiB of text"));
        }
        let mut ends = memory::with_capacity(self.lengths.left())?;
        let mut at = 0;
        self.lengths.look(|block| {
            ends.extend(block.iter().map(|&len| {
                at += len as u32;
                at
            }));
            Ok::<(), Corrupt>(())
        })?;
        Ok(ends)
    }
}

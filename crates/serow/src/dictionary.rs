//! The dictionaries of str columns, and the texts of values.

use std::ops::Range;

use serow_core::error::Fault;
use serow_core::layout::{SinkBase, Text};
use serow_core::plan::StrEncoding;

/// The dictionary of a str column.
#[derive(Default)]
pub(crate) struct Dictionary {
    text: String,
    bytes: Vec<u8>,
    /// The beginning of each entry and the end of the last one.
    begins: Vec<u32>,
}

/// Rust strings can't contain lone surrogates.
pub(crate) const SURROGATE: Fault = Fault::Corrupt(
    "a string has a lone surrogate, which Rust strings can't contain; decode it in another language",
);

const NO_ENTRY: Fault = Fault::Corrupt("a string is not in the dictionary of its column");

impl Dictionary {
    /// Makes the dictionary of these entries.
    pub(crate) fn new(encoding: StrEncoding, ends: &[u32], bytes: &[u8]) -> Result<Self, Fault> {
        let begins = std::iter::once(0).chain(ends.iter().copied()).collect();
        let mut made = Dictionary { begins, ..Dictionary::default() };
        match encoding {
            StrEncoding::Text => {
                made.text = std::str::from_utf8(bytes).map_err(|_| SURROGATE)?.into();
                // Then each entry is text too.
                if !ends.iter().all(|&end| made.text.is_char_boundary(end as usize)) {
                    return Err(SURROGATE);
                }
            }
            StrEncoding::Bytes => made.bytes = bytes.into(),
        }
        Ok(made)
    }

    /// Gives it to a sink, if it is one.
    pub(crate) fn pass_to(self, sink: &mut impl SinkBase, column: u32) -> Result<(), Fault> {
        let Some((0, ends)) = self.begins.split_first().map(|(first, ends)| (*first, ends)) else {
            return Ok(());
        };
        let (encoding, bytes) = match self.text.is_empty() {
            true => (StrEncoding::Bytes, &self.bytes[..]),
            false => (StrEncoding::Text, self.text.as_bytes()),
        };
        sink.dictionary(column, encoding, ends, bytes)
    }
}

/// Returns an entry of the dictionary of column `column`, by `get`.
#[cfg_attr(not(debug_assertions), inline(always))]
fn entry<'t, T: ?Sized>(
    dictionaries: &'t [Dictionary],
    (column, code): (u32, u32),
    get: impl FnOnce(&'t Dictionary, Range<usize>) -> Option<&'t T>,
) -> Result<&'t T, Fault> {
    let of = dictionaries.get(column as usize).ok_or(NO_ENTRY)?;
    match of.begins.get(code as usize..) {
        Some([begin, end, ..]) => get(of, *begin as usize..*end as usize).ok_or(NO_ENTRY),
        _ => Err(NO_ENTRY),
    }
}

/// Returns the text of a value of column `column`.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(crate) fn text_of<'t>(
    dictionaries: &'t [Dictionary],
    column: u32,
    v: Text<'t>,
) -> Result<&'t str, Fault> {
    match v {
        Text::Plain(text) => text.as_str().ok_or(SURROGATE),
        Text::Entry(code) => entry(dictionaries, (column, code), |of, at| of.text.get(at)),
    }
}

/// Like [`text_of`], for bytes.
pub(crate) fn bytes_of<'t>(
    dictionaries: &'t [Dictionary],
    column: u32,
    v: Text<'t>,
) -> Result<&'t [u8], Fault> {
    match v {
        Text::Plain(text) => Ok(text.bytes()),
        Text::Entry(code) => entry(dictionaries, (column, code), |of, at| of.bytes.get(at)),
    }
}

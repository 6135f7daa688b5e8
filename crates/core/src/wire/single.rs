//! Single records: the fingerprint of a schema, then one record of the row wire.
//!
//! ```text
//! 0  fingerprint of the schema (8 bytes), unless both sides agreed to omit it
//! 8  bytes of the value (4 bytes), value
//! ```

use super::row::LENGTH;
use crate::error::{Error, Result};
use crate::program::SchemaSet;

/// The number of bytes of a fingerprint.
pub const FINGERPRINT: usize = 8;

/// What the writers and readers of single records have agreed on.
#[derive(Clone, Debug)]
pub struct Agreement {
    /// Whether records begin with the fingerprint of their schema.
    pub has_fingerprint: bool,
    /// The schemas of records, besides the reader's own.
    pub schemas: SchemaSet,
}

impl Default for Agreement {
    fn default() -> Agreement {
        Agreement { has_fingerprint: true, schemas: SchemaSet::default() }
    }
}

/// The parts of a single record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SingleRecord<'a> {
    /// The fingerprint, if there is one.
    pub fingerprint: Option<u64>,
    /// The record of the row wire. Its length is right.
    pub record: &'a [u8],
}

impl<'a> SingleRecord<'a> {
    /// Splits `data`.
    ///
    /// # Errors
    /// A decode error if `data` is shorter or longer than one record.
    #[inline]
    pub fn parse(data: &'a [u8], has_fingerprint: bool) -> Result<SingleRecord<'a>> {
        let (fingerprint, record) = match (has_fingerprint, data.split_first_chunk()) {
            (false, _) => (None, data),
            (true, Some((bytes, record))) => (Some(u64::from_le_bytes(*bytes)), record),
            (true, None) => return Err(wrong_length(data.len(), FINGERPRINT + LENGTH)),
        };
        let before = data.len() - record.len();
        let Some((bytes, value)) = record.split_first_chunk::<LENGTH>() else {
            return Err(wrong_length(data.len(), before + LENGTH));
        };
        let len = u32::from_le_bytes(*bytes) as usize;
        if len != value.len() {
            return Err(wrong_length(data.len(), before + LENGTH + len));
        }
        Ok(SingleRecord { fingerprint, record })
    }
}

#[cold]
fn wrong_length(has: usize, needs: usize) -> Error {
    let what = if has < needs { "is cut" } else { "is followed by other bytes" };
    let at_least = if needs <= FINGERPRINT + LENGTH && has < needs { "at least " } else { "" };
    Error::decode(format!(
        "the record {what}: it takes {at_least}{needs} bytes, but there are {has}"
    ))
    .at_offset(has.min(needs))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_has_exactly_its_length() {
        let data = [1, 0, 0, 0, 0, 0, 0, 2, 3, 0, 0, 0, 7, 8, 9];
        let whole = SingleRecord { fingerprint: Some(1 | 2 << 56), record: &data[8..] };
        assert_eq!(SingleRecord::parse(&data, true), Ok(whole));
        let bare = SingleRecord { fingerprint: None, record: &data[8..] };
        assert_eq!(SingleRecord::parse(&data[8..], false), Ok(bare));
        for (data, has_fingerprint, says) in [
            (&data[..0], true, "the record is cut: it takes at least 12 bytes, but there are 0"),
            (&data[..11], true, "the record is cut: it takes at least 12 bytes, but there are 11"),
            (&data[..14], true, "the record is cut: it takes 15 bytes, but there are 14"),
            (&data[8..10], false, "the record is cut: it takes at least 4 bytes, but there are 2"),
            (
                &[0, 0, 0, 0, 5],
                false,
                "the record is followed by other bytes: it takes 4 bytes, but there are 5",
            ),
        ] {
            let error = SingleRecord::parse(data, has_fingerprint).unwrap_err();
            assert_eq!(error.message(), says);
        }
    }
}

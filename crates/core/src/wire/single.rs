//! Single records: the fingerprint of a schema, then one value as the row wire has it.
//!
//! ```text
//! 0  fingerprint of the schema (8 bytes), unless both sides agreed to omit it
//! 8  value
//! ```
//!
//! The reader is given exactly one record, so the value needs no length before it. But a plan reads
//! and writes records of the row wire, which have one. So the length is put before the reader's copy
//! of the value, and the writer's caller copies the value without it.

use super::row::LENGTH;
use crate::error::{Error, Result};
use crate::memory;
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
    /// The bytes after it, which should be one value.
    pub value: &'a [u8],
}

impl<'a> SingleRecord<'a> {
    /// Splits `data`.
    ///
    /// # Errors
    /// A decode error if `data` is shorter than a fingerprint.
    #[inline]
    pub fn parse(data: &'a [u8], has_fingerprint: bool) -> Result<SingleRecord<'a>> {
        match (has_fingerprint, data.split_first_chunk()) {
            (false, _) => Ok(SingleRecord { fingerprint: None, value: data }),
            (true, Some((bytes, value))) => {
                Ok(SingleRecord { fingerprint: Some(u64::from_le_bytes(*bytes)), value })
            }
            (true, None) => Err(cut(data.len())),
        }
    }

    /// Creates a record of the value in `row`, a record of the row wire.
    #[inline(always)]
    pub fn of_row(row: &'a [u8], fingerprint: Option<u64>) -> SingleRecord<'a> {
        SingleRecord { fingerprint, value: &row[LENGTH..] }
    }

    /// The number of its bytes.
    #[inline(always)]
    #[allow(clippy::len_without_is_empty, reason = "nobody asks whether a record is empty")]
    pub fn len(&self) -> usize {
        self.fingerprint.map_or(0, |_| FINGERPRINT) + self.value.len()
    }

    /// Copies its bytes to `to`. The fingerprint is not written before the value in the row writer's
    /// buffer, because a load that covers several recent stores has to wait for them.
    ///
    /// # Safety
    /// `to` must be writable for [`SingleRecord::len`] bytes, outside the value.
    #[inline(always)]
    pub unsafe fn write_to(&self, mut to: *mut u8) {
        // SAFETY: the caller's promise.
        unsafe {
            if let Some(fingerprint) = self.fingerprint {
                to.cast::<[u8; FINGERPRINT]>().write_unaligned(fingerprint.to_le_bytes());
                to = to.add(FINGERPRINT);
            }
            to.copy_from_nonoverlapping(self.value.as_ptr(), self.value.len());
        }
    }

    /// Copies its bytes to `to`, which must have as many.
    ///
    /// # Panics
    /// If `to` has another length.
    pub fn copy_to(&self, to: &mut [u8]) {
        assert_eq!(to.len(), self.len());
        // SAFETY: there is space for the bytes, and the slice is borrowed mutably.
        unsafe { self.write_to(to.as_mut_ptr()) };
    }

    /// Returns a copy of its bytes.
    ///
    /// # Errors
    /// An error of kind `Memory` if there is no memory.
    pub fn to_vec(&self) -> Result<Vec<u8>> {
        let mut bytes = memory::with_capacity(self.len()).map_err(|_| Error::no_memory())?;
        self.append_to(|part| bytes.extend_from_slice(part));
        Ok(bytes)
    }

    /// Passes its bytes to `append`, in two parts.
    #[inline]
    pub fn append_to(&self, mut append: impl FnMut(&[u8])) {
        if let Some(fingerprint) = self.fingerprint {
            append(&fingerprint.to_le_bytes());
        }
        append(self.value);
    }

    /// Appends the value to `buffer` as a record of the row wire, and `slack` zeros.
    ///
    /// # Errors
    /// A decode error if the value is longer than a record may be. An error of kind `Memory` if there
    /// is no memory.
    #[inline]
    pub fn copy_as_row(&self, buffer: &mut Vec<u8>, slack: &[u8]) -> Result<()> {
        let len = check_len(self.value)?;
        memory::reserve(buffer, LENGTH + self.value.len() + slack.len())
            .map_err(|_| Error::no_memory())?;
        buffer.extend_from_slice(&len.to_le_bytes());
        buffer.extend_from_slice(self.value);
        buffer.extend_from_slice(slack);
        Ok(())
    }
}

/// Returns the length of a value as a row has it.
///
/// # Errors
/// A decode error if the value is longer than a row may be.
#[inline]
pub fn check_len(value: &[u8]) -> Result<u32> {
    u32::try_from(value.len()).map_err(|_| too_long())
}

#[cold]
fn cut(has: usize) -> Error {
    Error::decode(format!(
        "the record is cut: it takes at least {FINGERPRINT} bytes, but there are {has}"
    ))
    .at_offset(has)
}

#[cold]
fn too_long() -> Error {
    Error::decode("the record is longer than 4 GiB, and no row takes that much")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::ErrorKind;

    #[test]
    fn a_record_is_a_fingerprint_and_a_value() {
        let data = [1, 0, 0, 0, 0, 0, 0, 2, 7, 8, 9];
        let whole = SingleRecord { fingerprint: Some(1 | 2 << 56), value: &[7, 8, 9] };
        assert_eq!(SingleRecord::parse(&data, true), Ok(whole));
        let bare = SingleRecord { fingerprint: None, value: &data };
        assert_eq!(SingleRecord::parse(&data, false), Ok(bare));
        for (record, bytes) in [(whole, &data[..]), (bare, &data)] {
            assert_eq!(record.len(), bytes.len());
            assert_eq!(record.to_vec().unwrap(), bytes);
            let mut copy = vec![0xaa; bytes.len()];
            record.copy_to(&mut copy);
            assert_eq!(copy, bytes);
        }
        let mut row = Vec::new();
        whole.copy_as_row(&mut row, &[0; 2]).unwrap();
        assert_eq!(row, [3, 0, 0, 0, 7, 8, 9, 0, 0]);
        assert_eq!(SingleRecord::of_row(&row[..7], whole.fingerprint), whole);
        for len in 0..FINGERPRINT {
            let error = SingleRecord::parse(&data[..len], true).unwrap_err();
            assert_eq!((error.kind(), error.offset()), (ErrorKind::Decode, Some(len)));
            assert_eq!(
                error.message(),
                format!("the record is cut: it takes at least 8 bytes, but there are {len}")
            );
        }
        let empty = SingleRecord { fingerprint: None, value: &[] };
        assert_eq!(SingleRecord::parse(&[], false), Ok(empty));
    }
}

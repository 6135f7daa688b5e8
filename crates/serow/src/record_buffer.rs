//! What single records are encoded to.

use serow_core::memory;
use serow_core::wire::single::SingleRecord;

use crate::{Error, Result};

/// What [`Codec::encode_one_into`](crate::Codec::encode_one_into) writes to: the beginning of a slice or an array, or the
/// end of a vector or, with the feature `bytes`, of a `BytesMut`.
pub trait RecordBuffer {
    /// Writes a record. Returns its length.
    #[doc(hidden)]
    fn put(&mut self, record: SingleRecord<'_>) -> Result<usize>;
}

impl RecordBuffer for [u8] {
    fn put(&mut self, record: SingleRecord<'_>) -> Result<usize> {
        let has = self.len();
        match self.get_mut(..record.len()) {
            Some(start) => record.copy_to(start),
            None => return Err(Error::too_small_for_record(record.len(), 0, has)),
        }
        Ok(record.len())
    }
}

impl<const N: usize> RecordBuffer for [u8; N] {
    fn put(&mut self, record: SingleRecord<'_>) -> Result<usize> {
        self[..].put(record)
    }
}

impl RecordBuffer for Vec<u8> {
    fn put(&mut self, record: SingleRecord<'_>) -> Result<usize> {
        memory::reserve(self, record.len()).map_err(|_| Error::no_memory())?;
        record.append_to(|part| self.extend_from_slice(part));
        Ok(record.len())
    }
}

#[cfg(feature = "bytes")]
impl RecordBuffer for bytes::BytesMut {
    fn put(&mut self, record: SingleRecord<'_>) -> Result<usize> {
        self.reserve(record.len());
        record.append_to(|part| self.extend_from_slice(part));
        Ok(record.len())
    }
}

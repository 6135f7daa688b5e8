//! Batches of records from Java.

use jni::objects::JByteArray;
use jni::sys::jint;
use serow_core::wire::row::{RowReader, SLACK};
use serow_core::{Error, Result};

use crate::env::Env;

/// Records as in the body of a frame of the row wire, in memory that the next batch reuses.
#[derive(Default)]
pub struct RecordBatch {
    /// The records, and [`SLACK`] bytes after them.
    bytes: Vec<u8>,
}

impl RecordBatch {
    /// Copies the records between two positions of an array.
    pub fn read(
        &mut self,
        env: &Env<'_>,
        array: &JByteArray<'_>,
        from: jint,
        to: jint,
    ) -> Result<RowReader<'_>> {
        self.bytes.clear();
        env.read_bytes(array, from as usize, (to - from) as usize, &mut self.bytes)?;
        self.bytes.try_reserve(SLACK).map_err(|_| Error::no_memory())?;
        self.bytes.extend([0; SLACK]);
        Ok(RowReader::new(&self.bytes, SLACK))
    }

    /// The number of bytes of memory.
    pub fn capacity(&self) -> usize {
        self.bytes.capacity()
    }
}

/// Throws if a batch has more records than Java says.
pub fn check_end(records: &RowReader<'_>) -> Result<()> {
    match records.is_empty() {
        true => Ok(()),
        false => Err(Error::encode("there are more records than rows; please report it")),
    }
}

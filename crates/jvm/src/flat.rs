//! Batches of flat rows from Java.

use jni::objects::{JByteArray, JLongArray};
use jni::sys::jint;
use serow_core::layout::flat::FlatRows;
use serow_core::{Error, Result};

use crate::env::Env;

/// The streams of a batch, in memory that the next batch reuses.
#[derive(Default)]
pub struct FlatBatch {
    slots: Vec<i64>,
    text: Vec<u8>,
    /// The byte components of values.
    parts: Vec<u8>,
}

/// A batch in the arrays of Java's `FlatRows`, with the used length of each array.
pub struct JavaBatch<'l> {
    pub slots: (JLongArray<'l>, jint),
    pub text: (JByteArray<'l>, jint),
    pub bytes: (JByteArray<'l>, jint),
}

impl FlatBatch {
    /// Copies a batch.
    pub fn read(&mut self, env: &Env<'_>, batch: &JavaBatch<'_>) -> Result<()> {
        self.slots.clear();
        env.read_longs(&batch.slots.0, batch.slots.1 as usize, &mut self.slots)?;
        for (bytes, to) in [(&batch.text, &mut self.text), (&batch.bytes, &mut self.parts)] {
            to.clear();
            if bytes.1 > 0 {
                env.read_bytes(&bytes.0, 0, bytes.1 as usize, to)?;
            }
        }
        Ok(())
    }

    /// The rows of the batch.
    pub fn rows(&self) -> FlatRows<'_> {
        FlatRows::new(&self.slots, &self.text).with_bytes(&self.parts)
    }

    /// The number of bytes of memory.
    pub fn capacity(&self) -> usize {
        8 * self.slots.capacity() + self.text.capacity() + self.parts.capacity()
    }
}

/// Throws if a batch has more rows than Java says.
pub fn check_end(rows: &FlatRows<'_>) -> Result<()> {
    match rows.is_empty() {
        true => Ok(()),
        false => Err(Error::encode("flat rows continue after their last row; please report it")),
    }
}

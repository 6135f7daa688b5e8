//! Batches of flat rows from Java.

use jni::objects::{JByteArray, JCharArray, JLongArray};
use jni::sys::jint;
use serow_core::layout::flat::{FlatRows, Units};
use serow_core::{Error, Result};

use crate::env::Env;

/// The streams of a batch, in memory that the next batch reuses.
#[derive(Default)]
pub struct FlatBatch {
    slots: Vec<i64>,
    text: Units,
    /// The byte components of values.
    parts: Vec<u8>,
}

/// A batch in the arrays of Java's `FlatRows`, with the used length of each array.
pub struct JavaBatch<'l> {
    pub slots: (JLongArray<'l>, jint),
    pub text: (JCharArray<'l>, jint),
    pub bytes: (JByteArray<'l>, jint),
}

impl FlatBatch {
    /// Copies a batch.
    pub fn read(&mut self, env: &Env<'_>, batch: &JavaBatch<'_>) -> Result<()> {
        self.slots.clear();
        env.read_longs(&batch.slots.0, batch.slots.1 as usize, &mut self.slots)?;
        match batch.text.1 {
            0 => self.text.set(&[]),
            length => env.read_text(&batch.text.0, length as usize, &mut self.text)?,
        }
        self.parts.clear();
        match batch.bytes.1 {
            0 => Ok(()),
            length => env.read_bytes(&batch.bytes.0, 0, length as usize, &mut self.parts),
        }
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

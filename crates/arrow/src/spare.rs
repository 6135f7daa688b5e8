//! A batch that is kept from one call to the next: its memory is faster than new memory, which the
//! system has to clear.

use std::ops::{Deref, DerefMut};
use std::sync::Mutex;

use serow_core::layout::batch::Batch;

static SPARE: Mutex<Option<Batch>> = Mutex::new(None);

/// A larger batch is freed.
const MOST_BYTES: usize = 64 << 20;

/// Columns for any rows.
pub struct Columns(Batch);

impl Columns {
    /// Takes the spare batch, or makes one. It does not wait for the lock, so a forked child can't hang on
    /// it.
    pub fn take() -> Columns {
        Columns(SPARE.try_lock().ok().and_then(|mut spare| spare.take()).unwrap_or_default())
    }
}

impl Drop for Columns {
    fn drop(&mut self) {
        if self.0.capacity() <= MOST_BYTES
            && let Ok(mut spare) = SPARE.try_lock()
        {
            *spare = Some(std::mem::take(&mut self.0));
        }
    }
}

impl Deref for Columns {
    type Target = Batch;

    fn deref(&self) -> &Batch {
        &self.0
    }
}

impl DerefMut for Columns {
    fn deref_mut(&mut self) -> &mut Batch {
        &mut self.0
    }
}

//! One budget for the memory that all encoders and decoders keep between messages.
//!
//! It doesn't limit the memory during a message. Kept memory is counted from the end of a message
//! until it is freed, even while the next message uses it, so that a series of similar messages
//! doesn't change the count.

use std::sync::atomic::{AtomicUsize, Ordering};

use jni::sys::jlong;

use serow_core::Result;

use crate::env::Env;

/// The maximum number of kept bytes. Java sets it when it loads this library.
static BUDGET: AtomicUsize = AtomicUsize::new(0);

/// The number of kept bytes.
static KEPT: AtomicUsize = AtomicUsize::new(0);

/// The number of bytes that one encoder or decoder keeps.
#[derive(Default)]
pub struct Kept(usize);

impl Kept {
    /// Counts `bytes` instead of the previous number. Returns false and counts nothing if they
    /// exceed the budget; then the caller must free its memory.
    #[must_use]
    pub fn has_room_for(&mut self, bytes: usize) -> bool {
        if bytes == self.0 {
            return true;
        }
        self.release();
        let budget = BUDGET.load(Ordering::Relaxed);
        let added = |kept: usize| kept.checked_add(bytes).filter(|&sum| sum <= budget);
        let fits = KEPT.fetch_update(Ordering::Relaxed, Ordering::Relaxed, added).is_ok();
        if fits {
            self.0 = bytes;
        }
        fits
    }

    fn release(&mut self) {
        KEPT.fetch_sub(std::mem::take(&mut self.0), Ordering::Relaxed);
    }
}

impl Drop for Kept {
    fn drop(&mut self) {
        self.release();
    }
}

pub fn memory_budget(_env: &Env<'_>, bytes: jlong) -> Result<()> {
    BUDGET.store(usize::try_from(bytes).unwrap_or(0), Ordering::Relaxed);
    Ok(())
}

pub fn memory_kept(_env: &Env<'_>) -> Result<jlong> {
    Ok(KEPT.load(Ordering::Relaxed) as jlong)
}

//! One budget for the memory that all encoders and decoders keep between messages.
//!
//! What they need while they work is not limited here. What one keeps is counted from the end of a
//! message until it is freed, also while the next message uses it, so that nothing is counted anew
//! where messages are alike.

use std::sync::atomic::{AtomicUsize, Ordering};

use jni::objects::JClass;
use jni::sys::jlong;

use crate::env::Env;
use crate::guard::guard;

/// The bytes that may be kept. Java sets it when it loads this library.
static BUDGET: AtomicUsize = AtomicUsize::new(0);

/// The bytes that are kept.
static KEPT: AtomicUsize = AtomicUsize::new(0);

/// The memory that one encoder or decoder keeps.
#[derive(Default)]
pub struct Kept(usize);

impl Kept {
    /// Count `bytes` in place of what was counted before. Where the budget has no room nothing is
    /// counted any more: the caller then frees its memory.
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

/// `void memoryBudget(long bytes)`
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_serow_jni_Native_memoryBudget<'l>(
    env: Env<'l>,
    _class: JClass<'l>,
    bytes: jlong,
) {
    guard(&env, || {
        BUDGET.store(usize::try_from(bytes).unwrap_or(0), Ordering::Relaxed);
        Ok(())
    })
}

/// `long memoryKept()`
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_serow_jni_Native_memoryKept<'l>(
    env: Env<'l>,
    _class: JClass<'l>,
) -> jlong {
    guard(&env, || Ok(KEPT.load(Ordering::Relaxed) as jlong))
}

//! Who is inside LLVM at this moment.
//!
//! LLVM has locks, and statics that are made at first use, which belong to the whole process. A child
//! that is forked while another thread is inside may find such a lock held, or such a static half
//! made, by a thread that it does not have, and would wait for ever; so it may not go inside at all.
//! And a process that exits is being taken down around whoever is inside, so nobody may be then.
//!
//! glibc's allocator can be used in a child in any case, and code that is compiled already is called
//! without going inside.

use std::process;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crate::error::CompileError;

/// In the upper half the process, and in the lower one how many of its threads are inside, with
/// [`CLOSED`].
static INSIDE: AtomicU64 = AtomicU64::new(0);
/// Nobody is let in any more.
const CLOSED: u64 = 1 << 31;

/// How long [`wait`] waits at most: far longer than any compile takes.
const PATIENCE: Duration = Duration::from_secs(60);

fn process_of(state: u64) -> u64 {
    state >> 32
}

fn threads(state: u64) -> u64 {
    state & (CLOSED - 1)
}

/// Held while inside.
#[derive(Debug)]
pub(crate) struct Inside(());

/// Go inside.
///
/// # Errors
/// If that would not be safe in this process, now or ever.
pub(crate) fn enter() -> Result<Inside, CompileError> {
    let process = u64::from(process::id());
    let step = |state: u64| match state {
        _ if state & CLOSED != 0 => None,
        _ if process_of(state) == process => Some(state + 1),
        // When this process was made none of its parent's threads were inside.
        _ if threads(state) == 0 => Some((process << 32) + 1),
        _ => None,
    };
    match INSIDE.fetch_update(Ordering::SeqCst, Ordering::SeqCst, step) {
        Ok(_) => Ok(Inside(())),
        Err(state) if state & CLOSED != 0 => Err(CompileError::Exiting),
        Err(_) => Err(CompileError::Forked),
    }
}

impl Drop for Inside {
    fn drop(&mut self) {
        INSIDE.fetch_sub(1, Ordering::SeqCst);
    }
}

/// Whether [`enter`] would succeed now.
pub(crate) fn is_open() -> bool {
    let state = INSIDE.load(Ordering::SeqCst);
    let ours = || process_of(state) == u64::from(process::id());
    state & CLOSED == 0 && (threads(state) == 0 || ours())
}

/// Let nobody in any more.
pub(crate) fn close() {
    INSIDE.fetch_or(CLOSED, Ordering::SeqCst);
}

/// Wait until no thread of this process is inside.
pub(crate) fn wait() {
    let (process, begun) = (u64::from(process::id()), Instant::now());
    loop {
        let state = INSIDE.load(Ordering::SeqCst);
        if process_of(state) != process || threads(state) == 0 || begun.elapsed() > PATIENCE {
            return;
        }
        thread::sleep(Duration::from_micros(100));
    }
}

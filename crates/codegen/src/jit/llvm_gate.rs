//! Counts the threads inside LLVM, and prevents threads from entering where LLVM can't be used.
//!
//! LLVM has process-wide locks, and statics that it initialises at first use. If a process forks
//! while another thread is inside LLVM, the child may inherit a held lock or a half initialised
//! static, and would wait forever, because it lacks that thread. So such a child never enters LLVM.
//! An exiting process destroys LLVM's statics, so no thread may be inside at that time.
//!
//! glibc's allocator works in any child, and calling compiled code does not enter LLVM.

use std::process;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crate::error::CompileError;

/// Upper half: the process id. Lower half: the number of its threads inside LLVM, and [`CLOSED`].
static INSIDE: AtomicU64 = AtomicU64::new(0);
/// A flag: threads may no longer enter.
const CLOSED: u64 = 1 << 31;

/// The longest time that [`wait`] waits. No compile takes nearly as long.
const PATIENCE: Duration = Duration::from_secs(60);

fn process_of(state: u64) -> u64 {
    state >> 32
}

fn threads(state: u64) -> u64 {
    state & (CLOSED - 1)
}

/// A guard that is held while inside LLVM.
#[derive(Debug)]
pub(crate) struct Inside(());

/// Enters LLVM.
///
/// # Errors
/// `Forked` or `Exiting`, if entering is not safe in this process.
pub(crate) fn enter() -> Result<Inside, CompileError> {
    let process = u64::from(process::id());
    let step = |state: u64| match state {
        _ if state & CLOSED != 0 => None,
        _ if process_of(state) == process => Some(state + 1),
        // None of the parent's threads was inside when this process was forked.
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

/// Returns whether [`enter`] would succeed now.
pub(crate) fn is_open() -> bool {
    let state = INSIDE.load(Ordering::SeqCst);
    let ours = || process_of(state) == u64::from(process::id());
    state & CLOSED == 0 && (threads(state) == 0 || ours())
}

/// Prevents further threads from entering.
pub(crate) fn close() {
    INSIDE.fetch_or(CLOSED, Ordering::SeqCst);
}

/// Waits until no thread of this process is inside LLVM.
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

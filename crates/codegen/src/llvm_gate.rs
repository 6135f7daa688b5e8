//! Counts the threads inside LLVM, and keeps threads out where LLVM can't be used.
//!
//! LLVM has process-wide locks, and statics that are initialised at first use. If a process forks
//! while another thread is inside LLVM, the child may find a lock held or a static half initialised
//! by a thread that it does not have, and would wait forever. So such a child never enters LLVM. A
//! process that exits destroys what LLVM uses, so no thread may be inside then.
//!
//! glibc's allocator works in any child, and calling compiled code does not enter LLVM.

use std::process;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crate::error::CompileError;

/// Upper half: the process id. Lower half: how many of its threads are inside LLVM, and [`CLOSED`].
static INSIDE: AtomicU64 = AtomicU64::new(0);
/// No thread may enter from now on.
const CLOSED: u64 = 1 << 31;

/// How long [`wait`] waits at most: far longer than any compile takes.
const PATIENCE: Duration = Duration::from_secs(60);

fn process_of(state: u64) -> u64 {
    state >> 32
}

fn threads(state: u64) -> u64 {
    state & (CLOSED - 1)
}

/// Held while inside LLVM.
#[derive(Debug)]
pub(crate) struct Inside(());

/// Enter LLVM.
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

/// Let no further thread enter.
pub(crate) fn close() {
    INSIDE.fetch_or(CLOSED, Ordering::SeqCst);
}

/// Wait until no thread of this process is inside LLVM.
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

//! Which process this is. A child made by `fork` inherits open files, and shares their positions with its
//! parent. What writes or reads at such a position must not go on in the child.

use std::sync::atomic::{AtomicU32, Ordering};

/// The number of forks that led to this process.
static FORKS: AtomicU32 = AtomicU32::new(0);

extern "C" fn in_child() {
    FORKS.fetch_add(1, Ordering::Relaxed);
}

/// Counts forks from now on. To ask the system for the process's id at each row would take longer than
/// writing the row.
pub fn start() {
    // SAFETY: the function may run in a child: it only adds to a number. It is never unloaded, because
    // CPython does not unload extension modules.
    unsafe { libc::pthread_atfork(None, None, Some(in_child)) };
}

/// A process, compared with those that led to it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Process(u32);

impl Process {
    /// This process.
    #[inline]
    pub fn current() -> Process {
        Process(FORKS.load(Ordering::Relaxed))
    }
}

//! Work without the GIL.
//!
//! serow gives up the GIL while it packs, compresses or checks a frame of some size: then it uses memory
//! that no other thread can change, and no objects. Other threads run meanwhile, and may change rows, so
//! whoever reads rows looks at them again ([`Rows::look_again`](serow_core::encode::Rows::look_again)).
//! They may also fork: locks that are held meanwhile are only tried (`forked.rs` in core).

use pyo3::prelude::*;
use serow_core::host_lock::HostLock;

/// Gives up the GIL, on any thread.
pub const GIL: HostLock = HostLock::new(run);

fn run(work: &mut dyn FnMut()) {
    // Nothing happens where the thread holds the GIL already.
    Python::attach(|py| py.detach(Detached(work).done()));
}

/// Work that uses no objects.
struct Detached<'a>(&'a mut dyn FnMut());

// SAFETY: `run` calls it on its own thread. PyO3 asks for `Send` to keep objects out. Core's work has none: it knows no
// objects but through sources and sinks, whose methods that touch objects it calls while the lock is held.
unsafe impl Send for Detached<'_> {}

impl<'a> Detached<'a> {
    fn done(self) -> impl FnOnce() + Send + use<'a> {
        move || {
            let Detached(work) = { self };
            work();
        }
    }
}

/// Lets a thread that waits for the GIL have it for a while. Python code may run and do anything.
pub fn let_others_run(py: Python<'_>) {
    py.detach(|| ());
}

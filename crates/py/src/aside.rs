//! Work without the GIL.
//!
//! serow gives up the GIL while it packs, compresses or checks a frame of some size: then it uses memory
//! that no other thread can change, and no objects. Other threads run meanwhile, and may change rows, so
//! whoever reads rows looks at them again ([`Rows::look_again`](serow_core::encode::Rows::look_again)).
//! They may also fork: locks that are held meanwhile are only tried (`forked.rs` in core).

use pyo3::prelude::*;
use serow_core::aside::Aside;

/// Gives up the GIL. Only a thread that holds it may do work with this.
pub const ASIDE: Aside = Aside::new(run);

fn run(work: &mut dyn FnMut()) {
    // SAFETY: only threads with the GIL use `ASIDE`.
    unsafe { Python::assume_attached() }.detach(Apart(work).done());
}

/// Work that uses no objects.
struct Apart<'a>(&'a mut dyn FnMut());

// SAFETY: it stays on its thread. This only says that it does not need the GIL.
unsafe impl Send for Apart<'_> {}

impl<'a> Apart<'a> {
    fn done(self) -> impl FnOnce() + Send + use<'a> {
        move || {
            let Apart(work) = { self };
            work();
        }
    }
}

/// Lets a thread that waits for the GIL have it for a while.
///
/// # Safety
/// The GIL must be held. Python code may run and do anything.
pub unsafe fn let_others_run() {
    // SAFETY: as above.
    unsafe { Python::assume_attached() }.detach(|| ());
}

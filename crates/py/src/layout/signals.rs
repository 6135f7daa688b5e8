//! Signals during conversions, which may take seconds.
//!
//! Python records a signal and runs its handler when asked. The decoder asks every few
//! milliseconds. The encoder can't, because a handler could change the rows. So it checks whether
//! Ctrl-C was pressed and stops. Then the handler runs, and if it raises nothing, encoding starts
//! again.

use std::cell::Cell;

use crate::layout::records::lookup;
use crate::made::{Calls, name};
use pyo3::ffi;
use pyo3::prelude::*;
use serow_core::error::Fault;
use serow_core::layout::OpResult;

/// Records why encoding must stop: Ctrl-C, or lack of memory to inspect a value.
pub struct Watch<'py> {
    py: Python<'py>,
    is_on: bool,
    was_interrupted: Cell<bool>,
    lacked_memory: Cell<bool>,
}

impl<'py> Watch<'py> {
    /// `is_on` enables the check for Ctrl-C.
    pub fn new(py: Python<'py>, is_on: bool) -> Watch<'py> {
        lookup::begin();
        Watch { py, is_on, was_interrupted: Cell::new(false), lacked_memory: Cell::new(false) }
    }

    pub fn py(&self) -> Python<'py> {
        self.py
    }

    /// Checks whether encoding must stop because Ctrl-C was pressed.
    pub fn is_interrupted(&self) -> bool {
        // SAFETY: `self.py` says that the GIL is held. This clears the pending signal and runs no code.
        if self.is_on && unsafe { ffi::PyOS_InterruptOccurred() } != 0 {
            self.was_interrupted.set(true);
        }
        self.was_interrupted.get()
    }

    /// Records that there was no memory to inspect a value.
    pub fn lack_memory(&self) {
        self.lacked_memory.set(true);
    }

    pub fn lacked_memory(&self) -> bool {
        self.lacked_memory.get() || lookup::lacked_memory()
    }

    /// Whether Ctrl-C has stopped the encoding.
    pub fn was_interrupted(&self) -> bool {
        self.was_interrupted.get()
    }
}

/// Calls the handler of the signal that [`Watch`] cleared.
///
/// # Errors
/// What the handler raises, usually a `KeyboardInterrupt`.
pub fn handle(py: Python<'_>) -> PyResult<()> {
    let signal = py.import(name!("signal"))?;
    let number = signal.getattr(name!("SIGINT"))?;
    let handler = signal.method_with(name!("getsignal"), (&number,))?;
    if handler.is_callable() {
        let frame = py.import(name!("sys"))?.call_method0(name!("_getframe"))?;
        handler.call_with((number, frame))?;
    }
    Ok(())
}

/// Runs the handlers of pending signals. Python code may run and do anything.
pub fn check(_py: Python<'_>) -> OpResult {
    // SAFETY: the token says that the GIL is held.
    if unsafe { ffi::PyErr_CheckSignals() } == 0 { Ok(()) } else { Err(Fault::Host) }
}

//! Signals that come while rows are converted, which can take seconds.
//!
//! Python notes a signal, and calls its handler when it is asked to. Decoding asks every few milliseconds. While rows
//! are encoded no handler may run, since it could change the rows. So encoding looks whether Ctrl-C was pressed, and
//! stops; then the handler runs, and if it raises nothing, encoding begins anew.

use std::cell::Cell;

use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::PyModule;
use serow_core::error::Fault;
use serow_core::layout::OpResult;

/// Looks for what ends the encoding of rows: Ctrl-C, and values that cannot be looked at for want of
/// memory.
pub struct Watch {
    is_on: bool,
    was_interrupted: Cell<bool>,
    lacked_memory: Cell<bool>,
}

impl Watch {
    /// One that looks if `is_on`.
    pub fn new(is_on: bool) -> Watch {
        Watch { is_on, was_interrupted: Cell::new(false), lacked_memory: Cell::new(false) }
    }

    /// Whether encoding must stop, since Ctrl-C was pressed. The GIL must be held.
    pub fn looks(&self) -> bool {
        // SAFETY: the GIL is held. This takes back the note that the signal has come, and runs no code.
        if self.is_on && unsafe { ffi::PyOS_InterruptOccurred() } != 0 {
            self.was_interrupted.set(true);
        }
        self.was_interrupted.get()
    }

    /// Note that there was no memory to look at a value.
    pub fn lack_memory(&self) {
        self.lacked_memory.set(true);
    }

    /// Whether that was noted.
    pub fn lacked_memory(&self) -> bool {
        self.lacked_memory.get()
    }

    /// Whether encoding has stopped for that reason.
    pub fn was_interrupted(&self) -> bool {
        self.was_interrupted.get()
    }
}

/// Call the handler of the signal that [`Watch`] has taken back.
///
/// # Errors
/// What the handler raises, which mostly is a `KeyboardInterrupt`.
pub fn handle(py: Python<'_>) -> PyResult<()> {
    let signal = PyModule::import(py, "signal")?;
    let number = signal.getattr("SIGINT")?;
    let handler = signal.call_method1("getsignal", (&number,))?;
    if handler.is_callable() {
        let frame = PyModule::import(py, "sys")?.call_method0("_getframe")?;
        handler.call1((number, frame))?;
    }
    Ok(())
}

/// Have the handlers run of signals that have come.
///
/// # Safety
/// The GIL must be held, and code in Python may do anything meanwhile.
pub unsafe fn check() -> OpResult {
    // SAFETY: as above.
    if unsafe { ffi::PyErr_CheckSignals() } == 0 { Ok(()) } else { Err(Fault::Host) }
}

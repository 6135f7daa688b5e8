//! Plans compiled for this process's CPython: at once, or in the background when it pays.

use std::ffi::c_int;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex, Once, OnceLock, PoisonError};
use std::thread;
use std::time::Duration;

use pyo3::exceptions::PyValueError;
use pyo3::ffi;
use pyo3::prelude::*;
use serow_codegen::cpython::{Addresses, CPython, ExactType, NewObjects};
use serow_codegen::{CompileError, Compiler, Conversion, From, Tier, To, background};
use serow_core::layout::LayoutKind;
use serow_core::program::Program;
use serow_core::wire::message::Wire;

use crate::convert;
use crate::errors::{LimitError, SerowError};
use crate::layout::functions::functions;
use crate::layout::int::{LARGEST, SMALLEST, small_int_table};
use crate::layout::offsets::{
    ASCII, COMPACT, GC_HEAD, INT_DIGITS, LENGTH, LIST_ITEMS, STR_HASH, STR_STATE, TUPLE_ITEMS,
};
use crate::layout::{Offsets, type_object};

/// Where everything is in the CPython that runs, whose objects `offsets` are proven for.
fn describe(_py: Python<'_>, offsets: &Offsets) -> CPython {
    CPython {
        ty: 8,
        length: LENGTH as u64,
        tuple_items: TUPLE_ITEMS as u64,
        list_items: LIST_ITEMS as u64,
        int_digits: INT_DIGITS as u64,
        tagged_ints: offsets.tagged_ints,
        str_state: STR_STATE as u64,
        ascii: COMPACT | ASCII,
        ascii_text: offsets.ascii_text as u64,
        making: NewObjects {
            immortal: offsets.immortal,
            gc_words: GC_HEAD as u64 / 8,
            smallest_int: SMALLEST,
            small_ints: (LARGEST - SMALLEST + 1) as u64,
            str_hash: STR_HASH as u64,
            ascii_state: offsets.ascii_state(),
            wide_text: offsets.ready_bit,
        },
        // SAFETY: these only give addresses; the interpreter runs, as there is a token of it.
        addresses: unsafe {
            Addresses {
                types: ExactType::ALL.map(|ty| type_object(ty).addr()),
                none: ffi::Py_None().addr(),
                yes: ffi::Py_True().addr(),
                no: ffi::Py_False().addr(),
                functions: functions(),
                small_ints: small_int_table().addr(),
            }
        },
    }
}

/// From rows to a message, or back.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// From rows to a message.
    Encode,
    /// From a message to rows.
    Decode,
}

impl Direction {
    /// Both of them.
    pub const BOTH: [Direction; 2] = [Direction::Encode, Direction::Decode];

    /// The direction of this name.
    pub fn parse(name: &str) -> PyResult<Direction> {
        Direction::BOTH.into_iter().find(|direction| direction.name() == name).ok_or_else(|| {
            PyValueError::new_err(format!("direction must be 'encode' or 'decode', not {name:?}"))
        })
    }

    /// The direction's name.
    pub fn name(self) -> &'static str {
        match self {
            Direction::Encode => "encode",
            Direction::Decode => "decode",
        }
    }

    /// The layouts that rows go from and to, in the wire `wire`.
    fn conversion(self, cpython: &CPython, wire: Wire) -> Conversion<'_> {
        match (self, wire) {
            (Direction::Encode, Wire::Row) => {
                Conversion { from: From::Objects(cpython), to: To::RowWire }
            }
            (Direction::Encode, Wire::Frame) => {
                Conversion { from: From::Objects(cpython), to: To::Batch }
            }
            (Direction::Decode, Wire::Row) => {
                Conversion { from: From::RowWire, to: To::Objects(cpython) }
            }
            (Direction::Decode, Wire::Frame) => {
                Conversion { from: From::Columns, to: To::Objects(cpython) }
            }
        }
    }
}

/// What `work` gives, which may take seconds. It is done by a thread of its own: other Python threads
/// run meanwhile, and so do handlers of signals.
///
/// # Errors
/// What a handler raises; the work goes on all the same, and nobody sees what it gives.
fn in_thread<T: Send + 'static>(
    py: Python<'_>,
    work: impl FnOnce() -> Result<T, CompileError> + Send + 'static,
) -> PyResult<T> {
    let (done, result) = mpsc::channel();
    let result = Mutex::new(result);
    let work = move || drop(done.send(work()));
    let thread = thread::Builder::new().name("serow-compiler".to_owned()).spawn(work)?;
    loop {
        match py.detach(|| {
            let result = result.lock().unwrap_or_else(PoisonError::into_inner);
            result.recv_timeout(BETWEEN_SIGNALS)
        }) {
            Ok(result) => {
                // Who forks next is to have no other thread.
                let _ = py.detach(|| thread.join());
                return result.map_err(not_compiled);
            }
            Err(RecvTimeoutError::Timeout) => py.check_signals()?,
            Err(RecvTimeoutError::Disconnected) => {
                return Err(SerowError::new_err("the compiler panicked; please report it"));
            }
        }
    }
}

/// How long a signal may wait for its handler while a thread compiles.
const BETWEEN_SIGNALS: Duration = Duration::from_millis(5);

fn not_compiled(error: CompileError) -> PyErr {
    match error {
        CompileError::TooLarge(_) => LimitError::new_err(error.to_string()),
        _ => SerowError::new_err(error.to_string()),
    }
}

/// Have rows of `plan` be converted in this direction by compiled code from now on.
pub fn compile(
    py: Python<'_>,
    offsets: &Offsets,
    plan: &Arc<Program>,
    wire: Wire,
    direction: Direction,
) -> PyResult<()> {
    let (cpython, plan) = (describe(py, offsets), plan.clone());
    // SAFETY: the offsets are proven for the objects of this process.
    in_thread(py, move || unsafe {
        serow_codegen::compile(&plan, &direction.conversion(&cpython, wire))
    })
}

/// From Spark's rows to objects.
fn of_unsafe_rows(cpython: &CPython) -> Conversion<'_> {
    Conversion { from: From::UnsafeRows, to: To::Objects(cpython) }
}

/// Have Spark's rows of `plan` be read by compiled code from now on.
pub fn compile_unsafe_rows(py: Python<'_>, offsets: &Offsets, plan: &Arc<Program>) -> PyResult<()> {
    let (cpython, plan) = (describe(py, offsets), plan.clone());
    // SAFETY: the offsets are proven for the objects of this process.
    in_thread(py, move || unsafe { serow_codegen::compile(&plan, &of_unsafe_rows(&cpython)) })
}

/// What [`compile`] makes, as text.
pub fn text(
    py: Python<'_>,
    offsets: &Offsets,
    (plan, wire): (&Arc<Program>, Wire),
    direction: Direction,
    text: fn(&Compiler, &Program, &Conversion<'_>) -> Result<String, CompileError>,
) -> PyResult<String> {
    let (cpython, plan) = (describe(py, offsets), plan.clone());
    in_thread(py, move || text(&Compiler::new()?, &plan, &direction.conversion(&cpython, wire)))
}

/// The layouts of rows that are encoded or decoded, for the compiler.
fn layouts(source: LayoutKind, sink: LayoutKind) -> Option<Conversion<'static>> {
    static CPYTHON: OnceLock<CPython> = OnceLock::new();
    let offsets = convert::offsets()?;
    // Whoever reads or makes objects holds the GIL.
    let cpython = CPYTHON.get_or_init(|| Python::attach(|py| describe(py, offsets)));
    let wires = [Wire::Row, Wire::Frame].into_iter();
    wires
        .flat_map(|wire| Direction::BOTH.map(|direction| direction.conversion(cpython, wire)))
        .chain([of_unsafe_rows(cpython)])
        .find(|conversion| conversion.kinds() == (source, sink))
}

/// The tier of this process.
pub fn tier() -> PyResult<Tier> {
    Tier::of_process().map_err(|unknown| PyValueError::new_err(unknown.to_string()))
}

/// Have plans be compiled as [`tier`] says, and be done with it before Python exits.
pub fn start(module: &Bound<'_, PyModule>) -> PyResult<()> {
    // SAFETY: the offsets that `layouts` gives are proven for the objects of this process.
    unsafe { serow_codegen::start(tier()?, layouts) };
    // SAFETY: the GIL is held, so there is an interpreter.
    let is_main = unsafe { ffi::PyInterpreterState_GetID(ffi::PyInterpreterState_Get()) == 0 };
    if is_main {
        let stop = wrap_pyfunction!(stop_compiling, module)?;
        module.py().import("atexit")?.call_method1("register", (stop,))?;
    }
    // A sub-interpreter may end long before the process, so it must not stop the compiler; and it may
    // be the only one that imported this module.
    static AT_EXIT: Once = Once::new();
    // SAFETY: the function is C's and does nothing with Python, which is gone when it is called. Where
    // Python has no place for one more, the main interpreter's `atexit` has to do.
    AT_EXIT.call_once(|| unsafe {
        let _: c_int = ffi::Py_AtExit(Some(stop_at_exit));
    });
    Ok(())
}

extern "C" fn stop_at_exit() {
    background::stop();
}

/// Compile nothing more in the background, and wait for what is being compiled.
#[pyfunction]
fn stop_compiling(py: Python<'_>) {
    py.detach(background::stop);
}

/// Whether rows of `plan` are converted in this direction by compiled code.
pub fn is_compiled(plan: &Program, wire: Wire, direction: Direction) -> bool {
    let (from, to) = match (direction, wire) {
        (Direction::Encode, Wire::Row) => (LayoutKind::Objects, LayoutKind::Row),
        (Direction::Encode, Wire::Frame) => (LayoutKind::Objects, LayoutKind::Batch),
        (Direction::Decode, Wire::Row) => (LayoutKind::Row, LayoutKind::Objects),
        (Direction::Decode, Wire::Frame) => (LayoutKind::Columns, LayoutKind::Objects),
    };
    plan.is_compiled(from, to)
}

//! Plans compiled for this process's CPython: at once, or in the background when it pays.

use std::sync::{Arc, OnceLock};

use pyo3::exceptions::PyValueError;
use pyo3::ffi;
use pyo3::prelude::*;
use serow_codegen::cpython::{Addresses, CPython};
use serow_codegen::{CompileError, Compiler, Conversion, From, To, background};
use serow_core::compiled::{self, Form};
use serow_core::plan::Plan;
use serow_core::wire::message::Layout;

use crate::convert;
use crate::layout::Offsets;
use crate::layout::offsets::{
    ASCII, COMPACT, INT_DIGITS, LENGTH, LIST_ITEMS, STR_STATE, TUPLE_ITEMS,
};

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
        // SAFETY: these only give addresses; the interpreter runs, as there is a token of it.
        addresses: unsafe {
            Addresses {
                int: (&raw const ffi::PyLong_Type).addr(),
                float: (&raw const ffi::PyFloat_Type).addr(),
                str: (&raw const ffi::PyUnicode_Type).addr(),
                list: (&raw const ffi::PyList_Type).addr(),
                tuple: (&raw const ffi::PyTuple_Type).addr(),
                none: ffi::Py_None().addr(),
                yes: ffi::Py_True().addr(),
                no: ffi::Py_False().addr(),
            }
        },
    }
}

/// How rows of `layout` are written.
fn to(layout: Layout) -> To {
    match layout {
        Layout::Row => To::RowWire,
        Layout::Frame => To::Batch,
    }
}

/// Have rows of `plan` be encoded in `layout` by compiled code from now on. Other Python threads
/// run meanwhile.
pub fn encoding(
    py: Python<'_>,
    offsets: &Offsets,
    plan: &Arc<Plan>,
    layout: Layout,
) -> Result<(), CompileError> {
    let cpython = describe(py, offsets);
    let conversion = Conversion { from: From::Objects(&cpython), to: to(layout) };
    // SAFETY: the offsets are proven for the objects of this process.
    py.detach(|| unsafe { serow_codegen::compile(plan, &conversion) })
}

/// The LLVM IR of what [`encoding`] compiles.
pub fn encoding_ir(
    py: Python<'_>,
    offsets: &Offsets,
    plan: &Arc<Plan>,
    layout: Layout,
) -> Result<String, CompileError> {
    let cpython = describe(py, offsets);
    let conversion = Conversion { from: From::Objects(&cpython), to: to(layout) };
    py.detach(|| Compiler::new()?.ir(plan, &conversion))
}

/// What is to convert rows, as `SEROW_TIER` says.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Tier {
    /// The interpreter, and compiled code once it pays.
    Auto,
    /// The interpreter alone.
    Interpreter,
    /// Compiled code alone: rows wait for it.
    Jit,
}

/// The tier of this process, which is read from the environment at the first call.
pub fn tier() -> PyResult<Tier> {
    static TIER: OnceLock<Option<Tier>> = OnceLock::new();
    let read = || match std::env::var("SEROW_TIER").as_deref() {
        Err(std::env::VarError::NotPresent) | Ok("" | "auto") => Some(Tier::Auto),
        Ok("interpreter") => Some(Tier::Interpreter),
        Ok("jit") => Some(Tier::Jit),
        _ => None,
    };
    TIER.get_or_init(read).ok_or_else(|| {
        PyValueError::new_err("SEROW_TIER must be 'auto', 'interpreter' or 'jit', or not be set")
    })
}

/// Hears of plans that should be compiled.
struct Tiers(Tier);

impl compiled::Compiler for Tiers {
    fn begins(&self, plan: &Arc<Plan>, _source: Form, sink: Form) {
        if self.0 == Tier::Jit
            && let Some((cpython, to)) = wanted(sink)
        {
            let conversion = Conversion { from: From::Objects(&cpython), to };
            // Rows are being read, so no other Python thread may run meanwhile. If it fails, the
            // interpreter serves.
            // SAFETY: the offsets are proven for the objects of this process.
            let _ = unsafe { serow_codegen::compile(plan, &conversion) };
        }
    }

    fn is_due(&self, plan: &Arc<Plan>, _source: Form, sink: Form) {
        if let Some((cpython, to)) = wanted(sink) {
            let plan = plan.clone();
            background::enqueue(Box::new(move |compiler| {
                let conversion = Conversion { from: From::Objects(&cpython), to };
                let (from, to) = conversion.forms();
                if plan.code(from, to).is_none()
                    && let Ok(code) = compiler.compile(&plan, &conversion)
                {
                    // SAFETY: the code was compiled for the plan, and for the objects of this
                    // process, for which the offsets are proven.
                    unsafe { plan.set_code(from, to, Arc::new(code)) };
                }
            }));
        }
    }
}

/// What to compile for rows that are written to a sink of this form.
fn wanted(sink: Form) -> Option<(CPython, To)> {
    let to = match sink {
        Form::Row => To::RowWire,
        Form::Batch => To::Batch,
        _ => return None,
    };
    // Whoever encodes holds the GIL.
    Python::attach(|py| Some((describe(py, convert::offsets()?), to)))
}

/// Have plans be compiled as [`tier`] says, and be done with it before Python exits.
pub fn start(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let tier = tier()?;
    if tier != Tier::Interpreter {
        compiled::set_compiler(Box::leak(Box::new(Tiers(tier))));
    }
    let stop = wrap_pyfunction!(stop_compiling, module)?;
    module.py().import("atexit")?.call_method1("register", (stop,))?;
    Ok(())
}

/// Compile nothing more in the background, and wait for what is being compiled.
#[pyfunction]
fn stop_compiling(py: Python<'_>) {
    py.detach(background::stop);
}

/// Whether rows of `plan` are encoded in `layout` by compiled code.
pub fn is_compiled(plan: &Plan, layout: Layout) -> bool {
    let to = match layout {
        Layout::Row => Form::Row,
        Layout::Frame => Form::Batch,
    };
    plan.code(Form::Objects, to).is_some()
}

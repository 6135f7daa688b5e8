//! Plans compiled for this process's CPython: at once, or in the background when it pays.

use std::sync::{Arc, OnceLock};

use pyo3::exceptions::PyValueError;
use pyo3::ffi;
use pyo3::prelude::*;
use serow_codegen::cpython::{Addresses, CPython};
use serow_codegen::{CompileError, Compiler, Conversion, From, Tier, To, background};
use serow_core::compiled::Form;
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

/// The layouts of an encoder's rows, for the compiler.
fn layouts(_source: Form, sink: Form) -> Option<Conversion<'static>> {
    static CPYTHON: OnceLock<CPython> = OnceLock::new();
    let to = match sink {
        Form::Row => To::RowWire,
        Form::Batch => To::Batch,
        _ => return None,
    };
    let offsets = convert::offsets()?;
    // Whoever encodes holds the GIL.
    let cpython = CPYTHON.get_or_init(|| Python::attach(|py| describe(py, offsets)));
    Some(Conversion { from: From::Objects(cpython), to })
}

/// The tier of this process.
pub fn tier() -> PyResult<Tier> {
    Tier::of_process().map_err(|unknown| PyValueError::new_err(unknown.to_string()))
}

/// Have plans be compiled as [`tier`] says, and be done with it before Python exits.
pub fn start(module: &Bound<'_, PyModule>) -> PyResult<()> {
    // SAFETY: the offsets that `layouts` gives are proven for the objects of this process.
    unsafe { serow_codegen::start(tier()?, layouts) };
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
    plan.is_compiled(Form::Objects, to)
}

//! Plans compiled for this process's CPython.

use std::sync::Arc;

use pyo3::ffi;
use pyo3::prelude::*;
use serow_codegen::cpython::{Addresses, CPython};
use serow_codegen::{CompileError, Compiler, Conversion, From, To};
use serow_core::compiled::Form;
use serow_core::plan::Plan;
use serow_core::wire::message::Layout;

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

/// Whether rows of `plan` are encoded in `layout` by compiled code.
pub fn is_compiled(plan: &Plan, layout: Layout) -> bool {
    let to = match layout {
        Layout::Row => Form::Row,
        Layout::Frame => Form::Batch,
    };
    plan.code(Form::Objects, to).is_some()
}

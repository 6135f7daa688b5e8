//! serow for Python: the CPython layout, and the module `serow._native`, whose names the package
//! `serow` exports.

#![cfg_attr(not(feature = "jit"), allow(dead_code, reason = "only compiled code calls some of it"))]

// `stub_doc!`: the docstrings of the stubs.
include!(concat!(env!("OUT_DIR"), "/stub_doc.rs"));

mod access;
mod arenas;
mod arrow;
mod codec;
mod compile;
mod errors;
mod explain;
mod forked;
mod gil;
mod layout;
mod made;
mod releasing;
mod rows;
mod sizes;
mod spark;
mod stream;

#[cfg(all(feature = "jit", not(test)))]
serow_codegen::ignore_static_dtors!();

use std::alloc::System;

use pyo3::prelude::*;
use serow_core::emergency::Emergency;

use crate::layout::records::{declared, registered};

/// Keeps an emergency reserve, so that a failed allocation doesn't abort the Python process.
#[global_allocator]
static ALLOCATOR: Emergency<System> = Emergency(System);

#[pymodule]
fn _native(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add("__version__", env!("CARGO_PKG_VERSION"))?;
    m.add_class::<codec::schema::PySchema>()?;
    m.add_class::<codec::schema::PySchemaSet>()?;
    m.add_class::<codec::PyCodec>()?;
    codec::encode_one::add_to(&m.py().get_type::<codec::PyCodec>())?;
    m.add_class::<stream::StreamWriter>()?;
    m.add_class::<stream::StreamReader>()?;
    m.add_class::<stream::RowsIterator>()?;
    m.add_class::<stream::view::StreamIndex>()?;
    m.add_class::<arrow::ArrowStream>()?;
    // It has no name in the module, and is made now, because PyO3 panics if it can't make a class later.
    m.py().get_type::<codec::from_arrow::ArrowRows>();
    m.add_function(wrap_pyfunction!(stream::salvage::salvage, m)?)?;
    m.add_function(wrap_pyfunction!(stream::leave_logs, m)?)?;
    m.add_function(wrap_pyfunction!(stream::salvage::end_of, m)?)?;
    m.add_function(wrap_pyfunction!(codec::to_arrow::to_arrow, m)?)?;
    m.add_function(wrap_pyfunction!(codec::from_arrow::from_arrow, m)?)?;
    m.add_function(wrap_pyfunction!(codec::codec_alone, m)?)?;
    m.add_function(wrap_pyfunction!(codec::convert::dumps, m)?)?;
    m.add_function(wrap_pyfunction!(codec::convert::loads, m)?)?;
    m.add_function(wrap_pyfunction!(access::object_access, m)?)?;
    m.add_function(wrap_pyfunction!(access::why_no_direct_access, m)?)?;
    m.add_function(wrap_pyfunction!(arenas::retain_memory, m)?)?;
    m.add_function(wrap_pyfunction!(arenas::retained_memory, m)?)?;
    m.add_function(wrap_pyfunction!(explain::explain, m)?)?;
    m.add_function(wrap_pyfunction!(stream::schema_of::schema_at, m)?)?;
    spark::add_to(m)?;
    m.add_function(wrap_pyfunction!(stream::view::metadata_at, m)?)?;
    m.add_function(wrap_pyfunction!(registered::registered_classes, m)?)?;
    m.add_function(wrap_pyfunction!(registered::outdate, m)?)?;
    m.add_function(wrap_pyfunction!(declared::names_exist, m)?)?;
    m.add_function(wrap_pyfunction!(compile::compiler_self_test, m)?)?;
    m.add("HAS_COMPILER", compile::HAS_COMPILER)?;
    compile::start(m)?;
    forked::start();
    errors::add(m)?;
    layout::proof::prove(m.py())?;
    layout::records::version::prove(m.py())?;
    layout::records::slots::prove(m.py())?;
    layout::records::values::prove(m.py())
}

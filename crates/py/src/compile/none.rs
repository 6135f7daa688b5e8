//! A library without the compiler: everything is interpreted.

use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::PyDict;
use serow_core::layout::Pair;
use serow_core::program::Program;

use super::{Text, tier};
use crate::errors::{SerowError, exception};
use crate::layout::Offsets;

pub fn compile(
    _py: Python<'_>,
    _offsets: &Offsets,
    _program: &Arc<Program>,
    _pair: Pair,
) -> PyResult<()> {
    Ok(())
}

pub fn text(
    _py: Python<'_>,
    _offsets: &Offsets,
    _program: &Arc<Program>,
    _pair: Pair,
    _text: Text,
) -> PyResult<Option<String>> {
    Ok(None)
}

pub fn start(_module: &Bound<'_, PyModule>) -> PyResult<()> {
    tier().map(drop)
}

pub fn description() -> (String, String) {
    ("none: this build has no compiler".to_owned(), "off".to_owned())
}

pub fn self_test(_py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    Err(exception::<SerowError>("this build of serow has no compiler; its feature `jit` is off"))
}

//! What serow has in this process.

use pyo3::prelude::*;
use serow_core::compiled::Tier;

use crate::access;
use crate::arenas;
use crate::compile;
use crate::layout::proof;
use crate::made::{Calls, name};

#[doc = stub_doc!("explain")]
#[pyfunction]
pub fn explain(py: Python<'_>) -> PyResult<()> {
    py.import(name!("builtins"))?.method_with(name!("print"), (explanation(py)?,))?;
    Ok(())
}

fn explanation(py: Python<'_>) -> PyResult<String> {
    let version = py.version_info();
    let (major, minor, patch) = (version.major, version.minor, version.patch);
    let executable: String =
        py.import(name!("sys"))?.getattr(name!("executable"))?.str()?.extract()?;
    let is_direct = access::offsets().is_some();
    let objects = match proof::why_not(py)? {
        None if is_direct => "direct access".to_owned(),
        None => "access by the C API, which is slower: direct access is turned off".to_owned(),
        Some(why) => format!("access by the C API, which is slower, and no compiler: {why}"),
    };
    let tier = match compile::tier()? {
        _ if !compile::HAS_COMPILER => "interpreter, because this build has no compiler",
        _ if !is_direct => "interpreter, because the compiler needs direct access to objects",
        Tier::Auto => "auto: the interpreter first, and compiled code once compiling pays off",
        Tier::Interpreter => "interpreter, because SEROW_TIER says so",
        Tier::Jit => "jit: the first row waits for compiled code, because SEROW_TIER says so",
    };
    let (compiler, cache) = compile::description();
    let memory = match arenas::retained_memory().0 {
        (0, _) => "CPython returns freed arenas to the system".to_owned(),
        (bound, kept) => {
            let [bound, kept] = [bound, kept].map(|bytes| bytes as f64 / (1 << 20) as f64);
            format!("up to {bound:.1} MiB of freed arenas are kept, now {kept:.1} MiB")
        }
    };
    Ok(format!(
        "serow:     {}\n\
         Python:    {major}.{minor}.{patch}, {executable}\n\
         objects:   {objects}\n\
         tier:      {tier}\n\
         compiler:  {compiler}\n\
         its cache: {cache}\n\
         memory:    {memory}",
        env!("CARGO_PKG_VERSION"),
    ))
}

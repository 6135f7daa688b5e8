//! What a file needs after its writer was killed. `serow/_logs.py` does it.

use std::fs::File;
use std::mem::ManuallyDrop;
use std::os::fd::FromRawFd;
use std::os::unix::fs::FileExt;

use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use serow_core::stream::Salvage;
use serow_core::{Error, memory};

use crate::errors::raise;

#[doc = stub_doc!("salvage")]
#[pyfunction]
pub fn salvage(py: Python<'_>, descriptor: i32) -> PyResult<(u64, Bound<'_, PyBytes>, u64, u64)> {
    if descriptor < 0 {
        return Err(PyOSError::new_err("the file is closed"));
    }
    // SAFETY: the file only reads, which fails if the descriptor is none that is open. It is never dropped,
    // so the descriptor stays the caller's.
    let file = ManuallyDrop::new(unsafe { File::from_raw_fd(descriptor) });
    let len = file.metadata()?.len();
    let (found, failed) = py.detach(|| {
        let mut failed = None;
        let found = Salvage::of(len, &mut |range, bytes| {
            let count = usize::try_from(range.end - range.start).map_err(|_| Error::no_memory())?;
            memory::resize(bytes, count, 0).map_err(|_| Error::no_memory())?;
            file.read_exact_at(bytes, range.start).map_err(|error| {
                failed = Some(error);
                Error::host()
            })
        });
        (found, failed)
    });
    if let Some(error) = failed {
        return Err(error.into());
    }
    let Salvage { keep, index, rows, damaged } = found.map_err(|error| raise(py, error))?;
    Ok((keep, PyBytes::new(py, &index), rows, damaged))
}

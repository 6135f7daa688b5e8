//! What a file needs after its writer was killed, and where a reader begins that wants later rows only.
//! `serow/_logs.py` uses it.

use std::fs::File;
use std::mem::ManuallyDrop;
use std::os::fd::FromRawFd;
use std::os::unix::fs::FileExt;

use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use serow_core::stream::{ReadAt, Salvage, end_of_messages};
use serow_core::{Error, memory};

use crate::errors::{exception, raise};
use crate::made::{self, Made};

/// The end as its salt and its row.
type Found<'py> = (u64, Bound<'py, PyBytes>, u64, u64, (u64, u64));

#[doc = stub_doc!("salvage")]
#[pyfunction]
pub fn salvage(py: Python<'_>, descriptor: i32) -> PyResult<Made<Found<'_>>> {
    let Salvage { keep, index, rows, damaged, end } = examined(py, descriptor, None, Salvage::of)?;
    let end = end.map_or((0, 0), |end| (end.salt, end.row));
    Ok(Made((keep, made::bytes(py, &index)?, rows, damaged, end)))
}

#[doc = stub_doc!("end_of_messages")]
#[pyfunction]
#[pyo3(name = "end_of_messages")]
pub fn end_of(py: Python<'_>, descriptor: i32, length: u64) -> PyResult<Made<u64>> {
    examined(py, descriptor, Some(length), end_of_messages).map(Made)
}

/// What `examine` finds in the first `len` bytes of an open file, or in all of them.
fn examined<T: Send>(
    py: Python<'_>,
    descriptor: i32,
    len: Option<u64>,
    examine: impl FnOnce(u64, ReadAt<'_>) -> serow_core::Result<T> + Send,
) -> PyResult<T> {
    if descriptor < 0 {
        return Err(exception::<PyOSError>("the file is closed"));
    }
    // SAFETY: the file only reads, which fails if the descriptor is none that is open. It is never dropped,
    // so the descriptor stays the caller's.
    let file = ManuallyDrop::new(unsafe { File::from_raw_fd(descriptor) });
    let len = len.map_or_else(|| file.metadata().map(|it| it.len()), Ok)?;
    let (found, failed) = py.detach(|| {
        let mut failed = None;
        let found = examine(len, &mut |range, bytes| {
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
    found.map_err(|error| raise(py, error))
}

//! Where a writer's bytes go.

use std::ffi::c_int;
use std::io;

use pyo3::exceptions::{PyBlockingIOError, PyOSError, PyRuntimeError};
use pyo3::gc::PyVisit;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyMemoryView, PySlice};
use pyo3::{PyTraverseError, intern};

use crate::forked::Process;

/// A file, which belongs to the process that has opened the writer.
pub struct Sink {
    file: Py<PyAny>,
    /// The path of a file that serow has opened.
    path: Option<Py<PyAny>>,
    /// The unbuffered file inside, if it is Python's own. serow writes to its descriptor. Python's
    /// methods run the handlers of signals between two parts, so that Ctrl-C would leave part of a
    /// frame.
    raw: Option<Py<PyAny>>,
    process: Process,
}

impl Sink {
    /// Puts bytes into `file`. If serow has opened it, its path is given.
    pub fn new(file: &Bound<'_, PyAny>, path: Option<Bound<'_, PyAny>>) -> PyResult<Sink> {
        let py = file.py();
        let io = py.import(intern!(py, "io"))?;
        let is = |file: &Bound<'_, PyAny>, class| {
            Ok::<bool, PyErr>(file.get_type().is(io.getattr(class)?))
        };
        let raw = match is(file, "BufferedWriter")? {
            true => file.getattr(intern!(py, "raw"))?,
            false => file.clone(),
        };
        let raw = is(&raw, "FileIO")?.then(|| raw.unbind());
        let (file, path) = (file.clone().unbind(), path.map(Bound::unbind));
        Ok(Sink { file, path, raw, process: Process::current() })
    }

    /// Whether this process has opened the writer.
    pub fn is_of_this_process(&self) -> bool {
        self.process == Process::current()
    }

    /// Checks that this process has opened the writer.
    ///
    /// # Errors
    /// A `RuntimeError` in a forked child.
    #[inline]
    pub fn check(&self) -> PyResult<()> {
        match self.is_of_this_process() {
            true => Ok(()),
            false => Err(PyRuntimeError::new_err(
                "this Writer was opened before the process was forked, so the rows of parent and \
                 child would get mixed up; open a Writer with a file of its own in the child",
            )),
        }
    }

    /// Writes all bytes. If that fails, a file that serow has opened has no part of them.
    ///
    /// # Errors
    /// The file's own error.
    pub fn put(&self, py: Python<'_>, bytes: &[u8]) -> PyResult<()> {
        self.check()?;
        let file = self.file.bind(py);
        let Some(raw) = &self.raw else { return self.put_to_file(file, bytes) };
        if self.path.is_none() {
            file.call_method0(intern!(py, "flush"))?;
        }
        let descriptor: c_int = raw.bind(py).call_method0(intern!(py, "fileno"))?.extract()?;
        match &self.path {
            Some(path) => put_or_remove(py, descriptor, path, bytes),
            None => write_all(py, descriptor, None, bytes),
        }
    }

    fn put_to_file(&self, file: &Bound<'_, PyAny>, bytes: &[u8]) -> PyResult<()> {
        let py = file.py();
        let all = PyBytes::new_with(py, bytes.len(), |to| {
            to.copy_from_slice(bytes);
            Ok(())
        })?;
        let view = PyMemoryView::from(&all)?;
        let write = file.getattr(intern!(py, "write"))?;
        let (len, mut done) = (bytes.len() as isize, 0);
        while done < len {
            let written = match done {
                0 => write.call1((&view,))?,
                _ => write.call1((view.get_item(PySlice::new(py, done, len, 1))?,))?,
            };
            if written.is_none() {
                if is_raw(file)? {
                    return Err(PyBlockingIOError::new_err(
                        "the file takes no data now; use one that waits",
                    ));
                }
                return Ok(());
            }
            match written.extract::<isize>()? {
                0 => return Err(PyOSError::new_err("the file takes no bytes: write() returned 0")),
                written => done += written,
            }
        }
        Ok(())
    }

    /// Flushes the file, if it can be flushed.
    pub fn flush(&self, py: Python<'_>) -> PyResult<()> {
        let flush = self.file.bind(py).getattr_opt(intern!(py, "flush"))?;
        flush.map_or(Ok(()), |flush| flush.call0().map(drop))
    }

    /// Closes a file that serow has opened, and flushes another one.
    pub fn close(&self, py: Python<'_>) -> PyResult<()> {
        match &self.path {
            Some(_) => self.file.bind(py).call_method0(intern!(py, "close")).map(drop),
            None if self.is_of_this_process() => self.flush(py),
            None => Ok(()),
        }
    }

    /// Names the file for a warning.
    pub fn name(&self, py: Python<'_>) -> String {
        let shown = self.path.as_ref().unwrap_or(&self.file).bind(py).repr();
        shown.map_or_else(|_| String::from("a file"), |shown| shown.to_string_lossy().into_owned())
    }

    pub fn traverse(&self, visit: &PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.file)?;
        visit.call(&self.path)?;
        visit.call(&self.raw)
    }
}

/// Whether the file may write less than it is given.
fn is_raw(file: &Bound<'_, PyAny>) -> PyResult<bool> {
    let py = file.py();
    Ok(file.hasattr(intern!(py, "readinto"))? && !file.hasattr(intern!(py, "raw"))?)
}

fn is_regular(descriptor: c_int) -> bool {
    let mut stat = std::mem::MaybeUninit::<libc::stat>::uninit();
    // SAFETY: `fstat` fills the structure if it returns 0.
    unsafe {
        libc::fstat(descriptor, stat.as_mut_ptr()) == 0
            && stat.assume_init().st_mode & libc::S_IFMT == libc::S_IFREG
    }
}

/// Writes all bytes, or none of them if the file is not a pipe or device.
fn put_or_remove(
    py: Python<'_>,
    descriptor: c_int,
    path: &Py<PyAny>,
    bytes: &[u8],
) -> PyResult<()> {
    // SAFETY: this only asks for the position.
    let begin = unsafe { libc::lseek(descriptor, 0, libc::SEEK_CUR) };
    let written = write_all(py, descriptor, Some(path), bytes);
    if written.is_err() && begin >= 0 && is_regular(descriptor) {
        // The caller gets the error of the write. An error here has most likely the same cause.
        // SAFETY: the descriptor is of a file that serow has opened.
        unsafe {
            libc::ftruncate(descriptor, begin);
            libc::lseek(descriptor, begin, libc::SEEK_SET);
        }
    }
    written
}

fn write_all(
    py: Python<'_>,
    descriptor: c_int,
    path: Option<&Py<PyAny>>,
    mut bytes: &[u8],
) -> PyResult<()> {
    while !bytes.is_empty() {
        let written = py.detach(|| {
            // SAFETY: the bytes are readable.
            let written = unsafe { libc::write(descriptor, bytes.as_ptr().cast(), bytes.len()) };
            usize::try_from(written).map_err(|_| io::Error::last_os_error())
        });
        match written {
            Ok(0) => return Err(PyOSError::new_err("the file takes no bytes: write() returned 0")),
            Ok(written) => bytes = &bytes[written..],
            // Only a file that makes its writer wait is interrupted, for example a pipe.
            Err(error) if error.kind() == io::ErrorKind::Interrupted => py.check_signals()?,
            Err(error) => return Err(raised(py, &error, path)),
        }
    }
    Ok(())
}

/// The `OSError` as Python's own files raise it.
fn raised(py: Python<'_>, error: &io::Error, path: Option<&Py<PyAny>>) -> PyErr {
    let Some(number) = error.raw_os_error() else { return PyOSError::new_err(error.to_string()) };
    let text = py.import("os").and_then(|os| os.call_method1("strerror", (number,)));
    match (text, path) {
        (Ok(text), Some(path)) => PyOSError::new_err((number, text.unbind(), path.clone_ref(py))),
        (Ok(text), None) => PyOSError::new_err((number, text.unbind())),
        (Err(error), _) => error,
    }
}

//! Where a writer's bytes go.

use std::ffi::c_int;
use std::io;

use pyo3::PyTraverseError;
use pyo3::exceptions::{PyBlockingIOError, PyOSError, PyRuntimeError};
use pyo3::ffi;
use pyo3::gc::PyVisit;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyMemoryView};

use super::log_file::LogFile;
use crate::errors::exception;
use crate::forked::Process;
use crate::made::{self, Calls, Name, name};

/// Where bytes go. It belongs to the process that has opened the writer.
pub struct Sink {
    target: Target,
    process: Process,
}

enum Target {
    File(OneFile),
    Log(Box<LogFile>),
}

impl Sink {
    /// Puts bytes into `file`. If serow has opened it, its path is given.
    pub fn of_file(file: &Bound<'_, PyAny>, path: Option<Bound<'_, PyAny>>) -> PyResult<Sink> {
        Ok(Sink { target: Target::File(OneFile::new(file, path)?), process: Process::current() })
    }

    /// Appends whole messages to the file at `path`.
    pub fn of_log(path: &Bound<'_, PyAny>) -> PyResult<Sink> {
        let log = Box::new(LogFile::open(path)?);
        Ok(Sink { target: Target::Log(log), process: Process::current() })
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
            false => Err(exception::<PyRuntimeError>(
                "this Writer was opened before the process was forked, so the rows of parent and \
                 child would get mixed up; open a Writer with a file of its own in the child",
            )),
        }
    }

    /// Whether messages must end where a call ends, because other writers append to the file too.
    pub fn is_log(&self) -> bool {
        matches!(self.target, Target::Log(_))
    }

    /// Whether a thread may write while others wait for it. Only that of a file that never makes it wait.
    pub fn is_quick(&self) -> bool {
        match &self.target {
            Target::File(file) => file.is_quick,
            Target::Log(_) => true,
        }
    }

    /// Writes all bytes. If that fails, a file that serow has opened has no part of them. Other threads of
    /// Python run meanwhile, unless this `keeps_gil`.
    ///
    /// # Errors
    /// The file's own error.
    pub fn put(&mut self, py: Python<'_>, bytes: &[u8], keeps_gil: bool) -> PyResult<()> {
        self.check()?;
        match &mut self.target {
            Target::File(file) => file.put(py, bytes, keeps_gil),
            Target::Log(log) => log.put(py, bytes, keeps_gil),
        }
    }

    /// Writes the messages that wait, if this is a file to which others append too. Returns false if they
    /// wait because somebody else writes, which happens only if this `keeps_gil`.
    ///
    /// # Errors
    /// The file's own error. Then nothing waits any more. Or Ctrl-C.
    pub fn settle(&mut self, py: Python<'_>, keeps_gil: bool) -> PyResult<bool> {
        match &mut self.target {
            Target::File(_) => Ok(true),
            Target::Log(log) => log.settle(py, keeps_gil),
        }
    }

    /// Whether nothing was ever written to a file to which others append too.
    pub fn is_empty_log(&self) -> bool {
        matches!(&self.target, Target::Log(log) if log.is_empty())
    }

    /// Flushes the file, if it can be flushed.
    pub fn flush(&self, py: Python<'_>) -> PyResult<()> {
        match &self.target {
            Target::File(file) => file.flush(py),
            Target::Log(_) => Ok(()),
        }
    }

    /// Closes a file that serow has opened, and flushes another one.
    pub fn close(&mut self, py: Python<'_>) -> PyResult<()> {
        let is_of_this_process = self.is_of_this_process();
        match &mut self.target {
            Target::File(OneFile { path: Some(_), file, .. }) => {
                file.bind(py).call_method0(name!("close")).map(drop)
            }
            Target::File(file) if is_of_this_process => file.flush(py),
            Target::File(_) => Ok(()),
            Target::Log(log) => {
                log.close(is_of_this_process);
                Ok(())
            }
        }
    }

    /// Names the file for a warning.
    pub fn name(&self, py: Python<'_>) -> String {
        let name = match &self.target {
            Target::File(file) => file.path.as_ref().unwrap_or(&file.file),
            Target::Log(log) => log.path(),
        };
        let shown = name.bind(py).repr().and_then(|shown| made::lossy(&shown));
        shown.unwrap_or_else(|_| String::from("a file"))
    }

    pub fn traverse(&self, visit: &PyVisit<'_>) -> Result<(), PyTraverseError> {
        match &self.target {
            Target::File(OneFile { file, path, raw, .. }) => {
                visit.call(file)?;
                visit.call(path)?;
                visit.call(raw)
            }
            Target::Log(log) => visit.call(log.path()),
        }
    }
}

/// A file for one stream.
struct OneFile {
    file: Py<PyAny>,
    /// The path of a file that serow has opened.
    path: Option<Py<PyAny>>,
    /// The unbuffered file inside, if it is Python's own. serow writes to its descriptor. Python's
    /// methods run the handlers of signals between two parts, so that Ctrl-C would leave part of a
    /// frame.
    raw: Option<Py<PyAny>>,
    /// Whether serow has opened it, and it is no pipe or device.
    is_quick: bool,
}

impl OneFile {
    fn new(file: &Bound<'_, PyAny>, path: Option<Bound<'_, PyAny>>) -> PyResult<OneFile> {
        let py = file.py();
        let io = py.import(name!("io"))?;
        let is = |file: &Bound<'_, PyAny>, class: &'static Name| {
            Ok::<bool, PyErr>(file.get_type().is(io.getattr(class)?))
        };
        let raw = match is(file, name!("BufferedWriter"))? {
            true => file.getattr(name!("raw"))?,
            false => file.clone(),
        };
        let raw = is(&raw, name!("FileIO"))?.then_some(raw);
        let is_quick = match &raw {
            Some(raw) if path.is_some() => is_regular(descriptor(raw)?),
            _ => false,
        };
        let (file, path) = (file.clone().unbind(), path.map(Bound::unbind));
        Ok(OneFile { file, path, raw: raw.map(Bound::unbind), is_quick })
    }

    fn put(&self, py: Python<'_>, bytes: &[u8], keeps_gil: bool) -> PyResult<()> {
        let file = self.file.bind(py);
        let Some(raw) = &self.raw else { return self.put_to_file(file, bytes) };
        if self.path.is_none() {
            file.call_method0(name!("flush"))?;
        }
        let descriptor = descriptor(raw.bind(py))?;
        match &self.path {
            Some(path) => put_or_remove(py, descriptor, path, bytes, keeps_gil),
            None => write_all(py, descriptor, None, bytes, keeps_gil),
        }
    }

    fn put_to_file(&self, file: &Bound<'_, PyAny>, bytes: &[u8]) -> PyResult<()> {
        let py = file.py();
        let all = PyBytes::new_with(py, bytes.len(), |to| {
            to.copy_from_slice(bytes);
            Ok(())
        })?;
        let view = PyMemoryView::from(&all)?;
        let write = file.getattr(name!("write"))?;
        let (len, mut done) = (bytes.len() as isize, 0);
        while done < len {
            let written = match done {
                0 => write.call_with((&view,))?,
                // SAFETY: the view is alive.
                _ => unsafe {
                    let rest = ffi::PySequence_GetSlice(view.as_ptr(), done, len);
                    write.call_with((Bound::from_owned_ptr_or_err(py, rest)?,))?
                },
            };
            if written.is_none() {
                if is_raw(file)? {
                    return Err(exception::<PyBlockingIOError>(
                        "the file takes no data now; use one that waits",
                    ));
                }
                return Ok(());
            }
            match written.extract::<isize>()? {
                0 => {
                    return Err(exception::<PyOSError>(
                        "the file takes no bytes: write() returned 0",
                    ));
                }
                written if (1..=len - done).contains(&written) => done += written,
                written => {
                    return Err(exception::<PyOSError>(format!(
                        "write() returned {written} for {} bytes; it must return how many it took",
                        len - done
                    )));
                }
            }
        }
        Ok(())
    }

    fn flush(&self, py: Python<'_>) -> PyResult<()> {
        let flush = self.file.bind(py).getattr_opt(name!("flush"))?;
        flush.map_or(Ok(()), |flush| flush.call0().map(drop))
    }
}

fn descriptor(raw: &Bound<'_, PyAny>) -> PyResult<c_int> {
    raw.call_method0(name!("fileno"))?.extract()
}

/// Whether the file may write less than it is given.
fn is_raw(file: &Bound<'_, PyAny>) -> PyResult<bool> {
    Ok(file.hasattr(name!("readinto"))? && !file.hasattr(name!("raw"))?)
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
    keeps_gil: bool,
) -> PyResult<()> {
    // SAFETY: this only asks for the position.
    let begin = unsafe { libc::lseek(descriptor, 0, libc::SEEK_CUR) };
    let written = write_all(py, descriptor, Some(path), bytes, keeps_gil);
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
    keeps_gil: bool,
) -> PyResult<()> {
    while !bytes.is_empty() {
        let write = || {
            // SAFETY: the bytes are readable.
            let written = unsafe { libc::write(descriptor, bytes.as_ptr().cast(), bytes.len()) };
            usize::try_from(written).map_err(|_| io::Error::last_os_error())
        };
        let written = if keeps_gil { write() } else { py.detach(write) };
        match written {
            Ok(0) => {
                return Err(exception::<PyOSError>("the file takes no bytes: write() returned 0"));
            }
            Ok(written) => bytes = &bytes[written..],
            // Only a file that makes its writer wait is interrupted, for example a pipe.
            Err(error) if error.kind() == io::ErrorKind::Interrupted => py.check_signals()?,
            Err(error) => return Err(raised(py, &error, path)),
        }
    }
    Ok(())
}

/// The `OSError` as Python's own files raise it.
pub fn raised(py: Python<'_>, error: &io::Error, path: Option<&Py<PyAny>>) -> PyErr {
    let Some(number) = error.raw_os_error() else {
        return exception::<PyOSError>(error.to_string());
    };
    let text = py.import(name!("os")).and_then(|os| os.method_with(name!("strerror"), (number,)));
    let class = py.get_type::<PyOSError>();
    let made = match (text, path) {
        (Ok(text), Some(path)) => class.call_with((number, text, path)),
        (Ok(text), None) => class.call_with((number, text)),
        (Err(error), _) => Err(error),
    };
    made.map_or_else(|error| error, PyErr::from_value)
}

//! A file to which several writers append, also of several processes.
//!
//! Each writes whole messages, and holds a lock on the file meanwhile. So the file consists of whole messages
//! whenever nobody writes, and a process that was killed leaves at most one that is cut, at the end. The
//! writer whose turn comes next puts that aside.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::os::fd::AsRawFd;
use std::os::unix::fs::{FileExt, MetadataExt};
use std::path::PathBuf;

use pyo3::exceptions::PyException;
use pyo3::intern;
use pyo3::prelude::*;
use serow_core::stream::ends_with_index;
use serow_core::{Error, memory};

use super::sink::raised;
use crate::errors::raise;

/// So many bytes wait at most until a message has ended. With more, the writer begins its turn before.
const MOST_WAITING: usize = 8 << 20;

/// Memory beyond this size is freed once it was written.
const KEPT_BYTES: usize = 1 << 20;

/// A file that ends with a whole message when nobody writes.
pub struct LogFile {
    path: Py<PyAny>,
    at: PathBuf,
    /// `None` after the end.
    file: Option<File>,
    /// Whether it is no pipe or device, which have neither locks nor an end.
    is_regular: bool,
    /// Bytes of messages that are not written yet.
    waiting: Vec<u8>,
    /// The length of the file when this writer has written last.
    end: u64,
    /// During a turn, the length of the file with whole frames only.
    turn: Option<u64>,
    /// Ctrl-C that came at a moment when rows would have been lost.
    interrupt: Option<PyErr>,
}

impl LogFile {
    /// Opens or makes the file at `path`, and puts aside what a writer that was killed has left of a message.
    ///
    /// # Errors
    /// A `DecodeError` if the file is no file of serow. An `OSError`.
    pub fn open(path: &Bound<'_, PyAny>) -> PyResult<LogFile> {
        let (py, at) = (path.py(), path.extract::<PathBuf>()?);
        let path = path.clone().unbind();
        let is_regular = fs::metadata(&at).map_or(true, |it| it.is_file());
        let file = open(&at, is_regular).map_err(|error| raised(py, &error, Some(&path)))?;
        let mut log = LogFile {
            path,
            at,
            file: Some(file),
            is_regular,
            waiting: Vec::new(),
            end: 0,
            turn: None,
            interrupt: None,
        };
        log.begin_turn(py, false)?;
        log.end_turn();
        Ok(log)
    }

    /// The path.
    pub fn path(&self) -> &Py<PyAny> {
        &self.path
    }

    /// Whether it is no pipe or device.
    pub fn is_regular(&self) -> bool {
        self.is_regular
    }

    /// Whether the file was empty at the end of this writer's last turn.
    pub fn is_empty(&self) -> bool {
        self.end == 0
    }

    /// Closes the file. What waits is not written. A child that does not own the file leaves its lock to the
    /// parent.
    pub fn close(&mut self, is_own: bool) {
        if is_own {
            self.end_turn();
        }
        (self.file, self.turn) = (None, None);
    }

    /// Takes bytes of messages.
    ///
    /// # Errors
    /// A `MemoryError`, or an `OSError` that ends the stream.
    pub fn put(&mut self, py: Python<'_>, bytes: &[u8], held: bool) -> PyResult<()> {
        memory::reserve(&mut self.waiting, bytes.len())
            .map_err(|_| raise(py, Error::no_memory()))?;
        self.waiting.extend_from_slice(bytes);
        if self.waiting.len() < MOST_WAITING || self.interrupt.is_some() {
            return Ok(());
        }
        match self.begin_turn(py, held) {
            Ok(false) => Ok(()),
            Ok(true) => self.write(py, held),
            Err(error) if !error.is_instance_of::<PyException>(py) => {
                self.interrupt = Some(error);
                Ok(())
            }
            Err(error) => Err(error),
        }
    }

    /// Writes what waits, and ends the turn. Returns false if it waits because somebody else writes, which
    /// happens only if this is `held`.
    ///
    /// # Errors
    /// An `OSError` or a `DecodeError`. Then nothing waits any more. Or Ctrl-C; then everything waits.
    pub fn settle(&mut self, py: Python<'_>, held: bool) -> PyResult<bool> {
        let interrupt = self.interrupt.take();
        if !self.waiting.is_empty() {
            match self.begin_turn(py, held) {
                Ok(true) => self.write(py, held)?,
                Ok(false) => {
                    self.interrupt = interrupt;
                    return Ok(false);
                }
                Err(error) => {
                    if error.is_instance_of::<PyException>(py) {
                        self.waiting = Vec::new();
                    }
                    return Err(error);
                }
            }
        }
        self.end_turn();
        interrupt.map_or(Ok(true), Err)
    }

    /// Waits until nobody else writes, and makes sure that the file ends with a whole message. If this is
    /// `held`, it does not wait, and returns false.
    fn begin_turn(&mut self, py: Python<'_>, held: bool) -> PyResult<bool> {
        if self.turn.is_some() {
            return Ok(true);
        }
        if !self.is_regular {
            self.turn = Some(0);
            return Ok(true);
        }
        loop {
            if !self.lock(py, held)? {
                return Ok(false);
            }
            match self.moved() {
                Ok(false) => break,
                Ok(true) => {}
                Err(error) => {
                    self.unlock();
                    return Err(raised(py, &error, Some(&self.path)));
                }
            }
        }
        let checked = self.check_end(py, held);
        if !matches!(checked, Ok(true)) {
            self.unlock();
        }
        checked
    }

    /// Opens the file at the path if it is another one than that which is open, because somebody has renamed
    /// or removed that. Returns whether it does.
    fn moved(&mut self) -> io::Result<bool> {
        let open_one = self.file()?.metadata()?;
        let at_path = fs::metadata(&self.at);
        if at_path.is_ok_and(|it| (it.dev(), it.ino()) == (open_one.dev(), open_one.ino())) {
            return Ok(false);
        }
        self.unlock();
        self.file = Some(open(&self.at, true)?);
        self.end = 0;
        Ok(true)
    }

    fn check_end(&mut self, py: Python<'_>, held: bool) -> PyResult<bool> {
        let os = |error: &io::Error| raised(py, error, Some(&self.path));
        let file = self.file().map_err(|error| os(&error))?;
        let mut len = file.metadata().map_err(|error| os(&error))?.len();
        if len != self.end || len == 0 {
            let mut failed = None;
            let ends = ends_with_index(len, &mut |range, bytes| {
                let count = (range.end - range.start) as usize;
                memory::resize(bytes, count, 0).map_err(|_| Error::no_memory())?;
                file.read_exact_at(bytes, range.start).map_err(|error| {
                    failed = Some(error);
                    Error::host()
                })
            });
            let is_whole = match (ends, failed) {
                (_, Some(error)) => return Err(os(&error)),
                (ends, None) => ends.map_err(|error| raise(py, error))?,
            };
            if !is_whole {
                if held {
                    return Ok(false);
                }
                let logs = py.import(intern!(py, "serow._logs"))?;
                logs.call_method1(intern!(py, "_repair"), (file.as_raw_fd(), &self.path))?;
                len = file.metadata().map_err(|error| os(&error))?.len();
            }
        }
        (self.end, self.turn) = (len, Some(len));
        Ok(true)
    }

    /// Writes what waits, in a turn. If that fails, the turn ends, and the file has no part of a frame.
    fn write(&mut self, py: Python<'_>, held: bool) -> PyResult<()> {
        let LogFile { file, waiting, .. } = self;
        let Some(file) = file.as_mut() else { return Err(raised(py, &closed(), Some(&self.path))) };
        let mut write = || file.write_all(waiting);
        let written = if held { write() } else { py.detach(write) };
        let len = self.waiting.len() as u64;
        match self.waiting.capacity() > KEPT_BYTES {
            true => self.waiting = Vec::new(),
            false => self.waiting.clear(),
        }
        let Some(end) = &mut self.turn else { return Ok(()) };
        if let Err(error) = written {
            if self.is_regular {
                // The caller gets the error of the write. An error here has most likely the same cause.
                let _ = self.file.as_ref().map(|file| file.set_len(*end));
            }
            self.end_turn();
            return Err(raised(py, &error, Some(&self.path)));
        }
        *end += len;
        Ok(())
    }

    /// Lets others write.
    fn end_turn(&mut self) {
        if let Some(end) = self.turn.take() {
            self.end = end;
            self.unlock();
        }
    }

    fn file(&self) -> io::Result<&File> {
        self.file.as_ref().ok_or_else(closed)
    }

    /// Locks the file. If this is `held`, it does not wait for others, and returns false.
    fn lock(&self, py: Python<'_>, held: bool) -> PyResult<bool> {
        loop {
            let locked = match self.flock(libc::LOCK_EX | libc::LOCK_NB) {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock && !held => {
                    py.detach(|| self.flock(libc::LOCK_EX))
                }
                locked => locked,
            };
            let Err(error) = locked else { return Ok(true) };
            match error.raw_os_error() {
                Some(libc::EWOULDBLOCK) => return Ok(false),
                Some(libc::EINTR) => py.check_signals()?,
                // A file system without locks: then there is one writer, as before there were locks.
                Some(libc::ENOLCK | libc::ENOSYS | libc::EOPNOTSUPP | libc::EINVAL) => {
                    return Ok(true);
                }
                _ => return Err(raised(py, &error, Some(&self.path))),
            }
        }
    }

    fn unlock(&self) {
        if self.is_regular {
            // A lock that can't be released ends with the file.
            let _ = self.flock(libc::LOCK_UN);
        }
    }

    fn flock(&self, how: i32) -> io::Result<()> {
        // SAFETY: the descriptor is of a file that is open.
        match unsafe { libc::flock(self.file()?.as_raw_fd(), how) } {
            0 => Ok(()),
            _ => Err(io::Error::last_os_error()),
        }
    }
}

fn open(path: &PathBuf, is_regular: bool) -> io::Result<File> {
    OpenOptions::new().read(is_regular).append(true).create(true).open(path)
}

fn closed() -> io::Error {
    io::Error::from_raw_os_error(libc::EBADF)
}

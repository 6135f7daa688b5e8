//! A file to which several writers append, also of several processes.
//!
//! Each writes whole messages, and holds a lock on the file meanwhile. So the file consists of whole messages
//! whenever nobody writes, and a process that was killed leaves at most one that is cut, at the end. The
//! writer whose turn comes next puts that aside.

use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, Write};
use std::ops::Deref;
use std::os::fd::{AsRawFd, RawFd};
use std::os::unix::fs::{FileExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf, absolute};
use std::sync::{Mutex, PoisonError};

use pyo3::exceptions::{PyException, PyValueError};
use pyo3::prelude::*;
use serow_core::stream::{end_of_log, first_position, stamp};
use serow_core::wire::message::Position;
use serow_core::{Error, memory};

use super::sink::raised;
use crate::errors::{exception, raise};
use crate::made::{Calls, name};

/// So many bytes wait at most until a message has ended. With more, the writer begins its turn before.
const MOST_WAITING: usize = 8 << 20;

/// Memory beyond this size is freed once it was written.
const KEPT_BYTES: usize = 1 << 20;

/// A file that ends with a whole message when nobody writes.
pub struct LogFile {
    /// The path that the caller gave.
    path: Py<PyAny>,
    /// The absolute path. It leads to the same file after the process has changed its folder.
    at: PathBuf,
    /// `None` after the end.
    file: Option<OwnFile>,
    /// Bytes of messages that are not written yet.
    waiting: Vec<u8>,
    /// The length of the file when this writer has written last.
    end: u64,
    /// Where in its log the file ended then.
    log: Option<Position>,
    /// How many rows later than their markers say the rows of this turn are in the log.
    later: u64,
    /// During a turn, the length of the file with whole frames only.
    turn: Option<u64>,
    /// Ctrl-C that came at a moment when rows would have been lost.
    interrupt: Option<PyErr>,
}

impl LogFile {
    /// Opens or makes the file at `path`, and puts aside what a writer that was killed has left of a message.
    ///
    /// # Errors
    /// A `DecodeError` if the file is no file of serow. An `OSError`. A `ValueError` for a pipe or device.
    pub fn open(path: &Bound<'_, PyAny>) -> PyResult<LogFile> {
        let (py, at) = (path.py(), path.extract::<PathBuf>()?);
        let path = path.clone().unbind();
        let at = absolute(&at).map_err(|error| raised(py, &error, Some(&path)))?;
        let file = open(py, &at, &path)?;
        let mut log = LogFile {
            path,
            at,
            file: Some(file),
            waiting: Vec::new(),
            end: 0,
            log: None,
            later: 0,
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
    pub fn put(&mut self, py: Python<'_>, bytes: &[u8], keeps_gil: bool) -> PyResult<()> {
        memory::reserve(&mut self.waiting, bytes.len())
            .map_err(|_| raise(py, Error::no_memory()))?;
        self.waiting.extend_from_slice(bytes);
        if self.waiting.len() < MOST_WAITING || self.interrupt.is_some() {
            return Ok(());
        }
        match self.begin_turn(py, keeps_gil) {
            Ok(false) => Ok(()),
            Ok(true) => self.write(py, keeps_gil),
            Err(error) if !error.is_instance_of::<PyException>(py) => {
                self.interrupt = Some(error);
                Ok(())
            }
            Err(error) => Err(error),
        }
    }

    /// Writes what waits, and ends the turn. Returns false if it waits because somebody else writes, which
    /// happens only if this `keeps_gil`.
    ///
    /// # Errors
    /// An `OSError` or a `DecodeError`. Then nothing waits any more. Or Ctrl-C; then everything waits.
    pub fn settle(&mut self, py: Python<'_>, keeps_gil: bool) -> PyResult<bool> {
        let interrupt = self.interrupt.take();
        if !self.waiting.is_empty() {
            match self.begin_turn(py, keeps_gil) {
                Ok(true) => self.write(py, keeps_gil)?,
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
    /// `keeps_gil`, it does not wait, and returns false.
    fn begin_turn(&mut self, py: Python<'_>, keeps_gil: bool) -> PyResult<bool> {
        if self.turn.is_some() {
            return Ok(true);
        }
        loop {
            if !self.lock(py, keeps_gil)? {
                return Ok(false);
            }
            match self.moved(py) {
                Ok(false) => break,
                Ok(true) => {}
                Err(error) => {
                    self.unlock();
                    return Err(error);
                }
            }
        }
        let checked = self.check_end(py, keeps_gil);
        if !matches!(checked, Ok(true)) {
            self.unlock();
        }
        checked
    }

    /// Opens the file at the path if it is another one than that which is open, because somebody has renamed
    /// or removed that. Returns whether it does.
    fn moved(&mut self, py: Python<'_>) -> PyResult<bool> {
        let open_one = self.file().and_then(File::metadata);
        let open_one = open_one.map_err(|error| raised(py, &error, Some(&self.path)))?;
        let at_path = fs::metadata(&self.at);
        if at_path.is_ok_and(|it| (it.dev(), it.ino()) == (open_one.dev(), open_one.ino())) {
            return Ok(false);
        }
        self.unlock();
        self.file = Some(open(py, &self.at, &self.path)?);
        (self.end, self.log) = (0, None);
        Ok(true)
    }

    fn check_end(&mut self, py: Python<'_>, keeps_gil: bool) -> PyResult<bool> {
        let os = |error: &io::Error| raised(py, error, Some(&self.path));
        let file = self.file().map_err(|error| os(&error))?;
        let mut len = file.metadata().map_err(|error| os(&error))?.len();
        let log = match self.log.filter(|_| len == self.end && len > 0) {
            Some(log) => log,
            None => {
                let (salt, mut failed) = (self.log.map(|log| log.salt), None);
                let end = end_of_log(len, salt, &mut |range, bytes| {
                    let count = (range.end - range.start) as usize;
                    memory::resize(bytes, count, 0).map_err(|_| Error::no_memory())?;
                    file.read_exact_at(bytes, range.start).map_err(|error| {
                        failed = Some(error);
                        Error::host()
                    })
                });
                let end = match (end, failed) {
                    (_, Some(error)) => return Err(os(&error)),
                    (end, None) => end.map_err(|error| raise(py, error))?,
                };
                match end {
                    Some(end) => end,
                    None if keeps_gil => return Ok(false),
                    None => {
                        let logs = py.import(name!("serow._logs"))?;
                        let repair = (file.as_raw_fd(), &*self.at);
                        let end = logs.method_with(name!("_repair"), repair)?.get_item(1)?;
                        len = file.metadata().map_err(|error| os(&error))?.len();
                        let (salt, row) = end.extract()?;
                        Position { salt, row }
                    }
                }
            }
        };
        let first = first_position(&self.waiting).unwrap_or(log);
        self.later = log.row.wrapping_sub(first.row);
        (self.end, self.turn, self.log) = (len, Some(len), Some(log));
        Ok(true)
    }

    /// Writes what waits, in a turn. If that fails, the turn ends, and the file has no part of a frame.
    fn write(&mut self, py: Python<'_>, keeps_gil: bool) -> PyResult<()> {
        let LogFile { file, waiting, log, later, .. } = self;
        if let Some(log) = log {
            *log = stamp(waiting, log.salt, *later).unwrap_or(*log);
        }
        let Some(mut file) = file.as_deref() else {
            return Err(raised(py, &closed(), Some(&self.path)));
        };
        let mut write = || file.write_all(waiting);
        let written = if keeps_gil { write() } else { py.detach(write) };
        let len = self.waiting.len() as u64;
        match self.waiting.capacity() > KEPT_BYTES {
            true => self.waiting = Vec::new(),
            false => self.waiting.clear(),
        }
        let Some(end) = &mut self.turn else { return Ok(()) };
        if let Err(error) = written {
            // The caller gets the error of the write. An error here has most likely the same cause.
            let _ = self.file.as_ref().map(|file| file.set_len(*end));
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
        self.file.as_deref().ok_or_else(closed)
    }

    /// Locks the file. If this is `keeps_gil`, it does not wait for others, and returns false.
    fn lock(&self, py: Python<'_>, keeps_gil: bool) -> PyResult<bool> {
        loop {
            let locked = match self.flock(libc::LOCK_EX | libc::LOCK_NB) {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock && !keeps_gil => {
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
        // A lock that can't be released ends with the file.
        let _ = self.flock(libc::LOCK_UN);
    }

    fn flock(&self, how: i32) -> io::Result<()> {
        // SAFETY: the descriptor is of a file that is open.
        match unsafe { libc::flock(self.file()?.as_raw_fd(), how) } {
            0 => Ok(()),
            _ => Err(io::Error::last_os_error()),
        }
    }
}

/// Opens or makes the file, which the caller calls `name`. Pipes and devices have neither locks nor an end. They
/// are refused, and opening one does not wait for its other side.
fn open(py: Python<'_>, path: &Path, name: &Py<PyAny>) -> PyResult<OwnFile> {
    let is_other = |it: &Metadata| !it.is_file() && !it.is_dir();
    let opened = match fs::metadata(path).is_ok_and(|it| is_other(&it)) {
        true => None,
        false => {
            let mut options = OpenOptions::new();
            options.read(true).append(true).create(true).custom_flags(libc::O_NONBLOCK);
            let file = options.open(path).and_then(|file| Ok((file.metadata()?, file)));
            let (metadata, file) = file.map_err(|error| raised(py, &error, Some(name)))?;
            (!is_other(&metadata)).then_some(file)
        }
    };
    opened.map(OwnFile::new).ok_or_else(|| {
        exception::<PyValueError>(format!(
            "{} is a pipe or device, and append is for files; leave append out",
            path.display()
        ))
    })
}

/// The descriptors of the files that this process has open, so that a forked child can give up its copies. Only
/// threads with the GIL lock it, and Python forks with the GIL, so it is not locked in a child.
static OPEN: Mutex<Vec<RawFd>> = Mutex::new(Vec::new());

/// A file in [`OPEN`].
struct OwnFile(File);

impl OwnFile {
    fn new(file: File) -> OwnFile {
        OPEN.lock().unwrap_or_else(PoisonError::into_inner).push(file.as_raw_fd());
        OwnFile(file)
    }
}

impl Deref for OwnFile {
    type Target = File;

    fn deref(&self) -> &File {
        &self.0
    }
}

impl Drop for OwnFile {
    fn drop(&mut self) {
        let own = self.0.as_raw_fd();
        OPEN.lock().unwrap_or_else(PoisonError::into_inner).retain(|open| *open != own);
    }
}

// A lock lasts until each copy of its file is closed, so a child could keep the lock of a parent that was killed. This
// makes each descriptor one of the null device. It closes none, because the child's writers will.
#[doc = stub_doc!("leave_logs")]
#[pyfunction]
pub fn leave_logs() -> PyResult<()> {
    let Ok(mut open) = OPEN.try_lock() else { return Ok(()) };
    if open.is_empty() {
        return Ok(());
    }
    let null = OpenOptions::new().read(true).append(true).open("/dev/null")?;
    for file in open.drain(..) {
        // SAFETY: this changes what the descriptor of an open file refers to, and does not close it.
        unsafe { libc::dup3(null.as_raw_fd(), file, libc::O_CLOEXEC) };
    }
    Ok(())
}

fn closed() -> io::Error {
    io::Error::from_raw_os_error(libc::EBADF)
}

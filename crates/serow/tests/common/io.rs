//! Readers and writers that do whatever their traits allow.

use std::io::{Error, ErrorKind, Read, Result, Seek, SeekFrom, Write};

/// What the next calls do: the lengths that they transfer at most, or errors. It begins anew at its end.
pub type Script = Vec<std::result::Result<usize, ErrorKind>>;

/// Bytes that are read by a script.
pub struct Scripted<'a> {
    pub rest: &'a [u8],
    script: Script,
    calls: usize,
}

impl<'a> Scripted<'a> {
    pub fn new(rest: &'a [u8], script: impl Into<Script>) -> Scripted<'a> {
        Scripted { rest, script: script.into(), calls: 0 }
    }
}

impl Read for Scripted<'_> {
    fn read(&mut self, space: &mut [u8]) -> Result<usize> {
        let step = self.script[self.calls % self.script.len()];
        self.calls += 1;
        let len = step.map_err(Error::from)?.min(space.len()).min(self.rest.len());
        space[..len].copy_from_slice(&self.rest[..len]);
        self.rest = &self.rest[len..];
        Ok(len)
    }
}

/// Takes one byte a call, and is interrupted before each.
#[derive(Default)]
pub struct Slow {
    pub bytes: Vec<u8>,
    was_interrupted: bool,
}

impl Write for Slow {
    fn write(&mut self, bytes: &[u8]) -> Result<usize> {
        self.was_interrupted = !self.was_interrupted;
        if self.was_interrupted {
            return Err(ErrorKind::Interrupted.into());
        }
        self.bytes.extend(bytes.first());
        Ok(bytes.len().min(1))
    }

    fn flush(&mut self) -> Result<()> {
        Ok(())
    }
}

/// Takes `room` bytes, then is full.
#[derive(Debug)]
pub struct Full {
    pub bytes: Vec<u8>,
    pub room: usize,
    pub flushes: usize,
}

impl Full {
    pub fn new(room: usize) -> Full {
        Full { bytes: Vec::new(), room, flushes: 0 }
    }
}

impl Write for Full {
    fn write(&mut self, bytes: &[u8]) -> Result<usize> {
        let len = bytes.len().min(self.room - self.bytes.len());
        if len == 0 && !bytes.is_empty() {
            return Err(Error::new(ErrorKind::StorageFull, "no room is left"));
        }
        self.bytes.extend(&bytes[..len]);
        Ok(len)
    }

    fn flush(&mut self) -> Result<()> {
        self.flushes += 1;
        Ok(())
    }
}

/// A file that becomes shorter, or can't be read after some calls.
pub struct Failing {
    pub file: std::io::Cursor<Vec<u8>>,
    pub calls_left: usize,
}

impl Read for Failing {
    fn read(&mut self, space: &mut [u8]) -> Result<usize> {
        self.call()?;
        self.file.read(space)
    }
}

impl Seek for Failing {
    fn seek(&mut self, to: SeekFrom) -> Result<u64> {
        self.call()?;
        self.file.seek(to)
    }
}

impl Failing {
    fn call(&mut self) -> Result<()> {
        match self.calls_left.checked_sub(1) {
            Some(left) => self.calls_left = left,
            None => return Err(ErrorKind::TimedOut.into()),
        }
        Ok(())
    }
}

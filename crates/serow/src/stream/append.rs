//! Appends streams to files.

use std::fs::File;
use std::io::{Seek, SeekFrom};

use serow_core::stream::end_of_log;

use super::view::read;
use super::writer::Writer;
use crate::{Error, Result};

impl<T> Writer<File, T> {
    /// Makes this the writer of another stream at the end of its file, which must be open for reading and
    /// writing, and must be empty or end with a whole message. [`Reader`](crate::Reader) reads all streams
    /// of the file as one, and so does [`View`](crate::View) if all have an index.
    ///
    /// This reads the last index of the file and no other, so it takes the same time whatever the file has. If the
    /// last message has no index, or is of another log, this follows the headers of all frames. [`recover`](crate::recover) makes a
    /// file whole after its writer was killed. If a write fails, the file is cut after the last whole frame, so
    /// that it has no part of a frame. Nothing is locked, so one writer at a time may append.
    ///
    /// ```
    /// use std::fs::File;
    ///
    /// use serow::{Reader, Value, Writer};
    ///
    /// # let name = format!("serow-append-{}", std::process::id());
    /// # let path = std::env::temp_dir().join(name);
    /// for i in 0..3 {
    ///     let file = File::options().read(true).append(true).create(true).open(&path)?;
    ///     let mut writer = Writer::new(file).append()?;
    ///     writer.write(&Value::I64(i))?;
    ///     writer.finish()?;
    /// }
    /// assert_eq!(Reader::new(File::open(&path)?).count(), 3);
    /// # std::fs::remove_file(&path)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// A decode error if the file does not end with a whole message. An error of kind `Io` if the file
    /// can't be read. The file is unchanged then.
    ///
    /// # Panics
    /// If something was written.
    pub fn append(self) -> Result<Writer<File, T>> {
        let to_end = |file: &mut File| {
            let len = end_of(file)?;
            let end = end_of_log(len, None, &mut |range, bytes| read(file, range, bytes));
            match end.map_err(refused)? {
                Some(end) => Ok((end_of(file)?, end)),
                None => Err(refused(Error::decode("it does not end with a whole stream"))),
            }
        };
        self.placed(to_end, |file, end| file.set_len(end))
    }
}

fn end_of(file: &mut File) -> Result<u64> {
    file.seek(SeekFrom::End(0)).map_err(failed)
}

fn failed(cause: std::io::Error) -> Error {
    Error::io("cannot read the file to which rows should be appended", cause)
}

fn refused(error: Error) -> Error {
    match error.kind() {
        crate::ErrorKind::Decode => {
            error.within("cannot append to the file; if its writer was killed, call serow::recover")
        }
        _ => error.within("cannot append to the file"),
    }
}

#[cfg(test)]
mod tests {
    use std::io::{self, Write};

    use super::*;
    use serow_core::wire::message::{Position, STREAM_HEADER};

    use crate::{ErrorKind, Reader, Value};

    /// A disk with room for some bytes.
    #[derive(Debug)]
    struct Disk {
        bytes: Vec<u8>,
        room: usize,
    }

    impl Write for Disk {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let len = bytes.len().min(self.room - self.bytes.len());
            self.bytes.extend(&bytes[..len]);
            Ok(len)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    fn truncate(disk: &mut &mut Disk, end: u64) -> io::Result<()> {
        disk.bytes.truncate(end as usize);
        Ok(())
    }

    fn to_end(disk: &mut &mut Disk) -> Result<(u64, Position)> {
        Ok((disk.bytes.len() as u64, Position { salt: 7, row: 0 }))
    }

    /// Appends three frames to a disk. Returns the error and how many bytes were in whole frames.
    fn append(disk: &mut Disk) -> (Option<Error>, usize) {
        let mut writer = Writer::new(disk).placed(to_end, truncate).unwrap();
        for i in 0..3 {
            let written = writer.write(&Value::I64(i)).and_then(|()| writer.flush());
            if let Err(error) = written {
                return (Some(error), writer.bytes_written() as usize);
            }
        }
        let written = writer.bytes_written() as usize;
        match writer.finish() {
            Ok(disk) => (None, disk.bytes.len()),
            Err(error) => (Some(error), written),
        }
    }

    #[test]
    fn a_full_disk_has_no_part_of_a_frame() {
        let before = Writer::new(Vec::new()).finish().unwrap();
        let mut disk = Disk { bytes: before.clone(), room: 1 << 20 };
        assert_eq!(append(&mut disk).0, None);
        let whole = disk.bytes;
        let mut lens = Vec::new();
        for room in before.len()..whole.len() {
            let mut disk = Disk { bytes: before.clone(), room };
            let (error, written) = append(&mut disk);
            assert_eq!(error.unwrap().kind(), ErrorKind::Io);
            assert!(disk.bytes.len() <= room);
            assert_eq!(disk.bytes, whole[..before.len() + written]);
            if lens.last() != Some(&written) {
                lens.push(written);
            }
            let rows = Reader::new(&disk.bytes[..]).map_while(Result::ok).count();
            // There is nothing, or the header, and then a frame for each row.
            assert_eq!(rows, lens.len().saturating_sub(2));
        }
        assert_eq!(lens.len(), 5);
        assert_eq!(lens[..2], [0, STREAM_HEADER]);
    }

    #[test]
    fn a_writer_that_is_dropped_leaves_no_part_of_a_frame_either() {
        for room in STREAM_HEADER..STREAM_HEADER + 40 {
            let mut disk = Disk { bytes: Vec::new(), room };
            let mut writer = Writer::new(&mut disk).placed(to_end, truncate).unwrap();
            writer.write(&Value::I64(7)).unwrap();
            drop(writer);
            assert_eq!(disk.bytes.len(), STREAM_HEADER);
        }
    }

    #[test]
    fn a_writer_that_found_no_place_writes_nothing() {
        let mut disk = Disk { bytes: Vec::new(), room: 1 << 20 };
        let missing = |_: &mut &mut Disk| Err(Error::decode("no place"));
        Writer::new(&mut disk).placed(missing, truncate).unwrap_err();
        assert!(disk.bytes.is_empty());
    }
}

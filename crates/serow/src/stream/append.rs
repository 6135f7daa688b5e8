//! Appends streams to files.

use std::fs::File;
use std::io::{Seek, SeekFrom};

use serow_core::stream::IndexSearch;

use super::frames::FrameStream;
use super::indexed::read;
use super::kinds::Encode;
use super::writer::Writer;
use crate::{Error, Result};

impl<K: Encode> Writer<File, K> {
    /// Makes this the writer of another stream at the end of its file, which must be open for reading and
    /// writing, and must be empty or end with a whole message. [`Reader`](crate::Reader) reads all streams
    /// of the file as one, and so does [`IndexedReader`](crate::IndexedReader) if all have an index.
    ///
    /// If a write fails, the file is cut after the last whole frame, so that it has no part of a frame.
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
    pub fn append(self) -> Result<Writer<File, K>> {
        let to_end = |file: &mut File| {
            let len = end_of(file)?;
            if !ends_with_index(file, len)? {
                check_all(file)?;
            }
            end_of(file)
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

/// Returns whether a file is empty or ends with a message with an index. It reads the index only.
fn ends_with_index(file: &mut File, len: u64) -> Result<bool> {
    let (mut search, mut bytes) = (IndexSearch::new(len), Vec::new());
    while let Some(range) = search.wanted().filter(|_| !search.has_message()) {
        read(file, range, &mut bytes)?;
        if search.give(&bytes).is_err() {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Checks that a file consists of whole messages, by reading all of it.
fn check_all(file: &mut File) -> Result<()> {
    file.seek(SeekFrom::Start(0)).map_err(failed)?;
    let mut frames = FrameStream::new(file, None);
    while frames.next(|_| ()).map_err(|error| error.within("cannot append to the file"))?.is_some()
    {
    }
    Ok(())
}

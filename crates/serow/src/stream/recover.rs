//! Makes files whole after their writer was killed.

use std::ffi::OsString;
use std::fs::{File, OpenOptions};
use std::io::{ErrorKind, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serow_core::stream::Salvage;

use super::view::read;
use crate::{Error, Result};

/// What [`recover`] has found and kept.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Recovered {
    /// The number of rows in the file now, by the headers of its frames.
    pub rows: u64,
    /// The length of the file now, in bytes.
    pub bytes: u64,
    /// The number of bytes at its end that were no whole frame; 0 if it was whole.
    pub cut_bytes: u64,
    /// The file that has these bytes now.
    pub cut_path: Option<PathBuf>,
    /// The number of damaged bytes between whole frames. They stay, and readers find them.
    pub damaged_bytes: u64,
}

/// Makes a file of streams whole after its writer was killed, so that every reader reads it and
/// [`Writer::append`](crate::Writer::append) can append to it.
///
/// All whole frames stay. Bytes after them, such as a frame that was cut, go to a file beside it,
/// `<path>.cut-<offset>`. Then the last stream gets its end. A file that is whole does not change. The file is
/// locked meanwhile, as writers of Python with `append=True` lock it; nobody else may write to it.
///
/// ```
/// use serow::{View, Value, Writer};
///
/// # let path = std::env::temp_dir().join(format!("serow-recover-{}", std::process::id()));
/// let mut writer = Writer::new(std::fs::File::create(&path)?);
/// writer.write(&Value::I64(1))?;
/// writer.flush()?;
/// std::mem::forget(writer); // It is killed.
///
/// let found = serow::recover(&path)?;
/// assert_eq!((found.rows, found.cut_bytes), (1, 0));
/// assert_eq!(View::new(std::fs::File::open(&path)?)?.rows(), 1);
/// # std::fs::remove_file(&path)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// A decode error, and nothing changes, if the file is none of serow's or of a later version. An error of kind
/// `Io` if the file can't be read or written.
pub fn recover(path: impl AsRef<Path>) -> Result<Recovered> {
    let path = path.as_ref();
    let failed = |cause| Error::io(format_args!("cannot recover {}", path.display()), cause);
    let mut file = OpenOptions::new().read(true).write(true).open(path).map_err(failed)?;
    // A file system without locks has one writer.
    if let Err(error) = file.lock()
        && error.kind() != ErrorKind::Unsupported
    {
        return Err(failed(error));
    }
    let length = file.metadata().map_err(failed)?.len();
    let found = Salvage::of(length, &mut |range, bytes| {
        read(&mut file, range, bytes)
            .map_err(|error| error.within(format_args!("cannot recover {}", path.display())))
    })?;
    let Salvage { keep, index, rows, damaged, .. } = found;
    let cut_path = match length > keep {
        true => Some(put_aside(&mut file, path, keep).map_err(failed)?),
        false => None,
    };
    let repair = |file: &mut File| {
        if cut_path.is_some() {
            file.set_len(keep)?;
        }
        file.seek(SeekFrom::Start(keep))?;
        file.write_all(&index)
    };
    repair(&mut file).map_err(failed)?;
    Ok(Recovered {
        rows,
        bytes: keep + index.len() as u64,
        cut_bytes: length - keep,
        cut_path,
        damaged_bytes: damaged,
    })
}

/// Copies the bytes of a file from `begin` on to a new file beside it. Returns its path.
fn put_aside(file: &mut File, path: &Path, begin: u64) -> std::io::Result<PathBuf> {
    let mut name = OsString::from(path);
    name.push(format!(".cut-{begin}"));
    let (mut at, mut number) = (PathBuf::from(&name), 1);
    let mut to = loop {
        match OpenOptions::new().write(true).create_new(true).open(&at) {
            Ok(to) => break to,
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {
                number += 1;
                let mut name = name.clone();
                name.push(format!("-{number}"));
                at = PathBuf::from(name);
            }
            Err(error) => return Err(error),
        }
    };
    to.set_permissions(file.metadata()?.permissions())?;
    file.seek(SeekFrom::Start(begin))?;
    std::io::copy(file, &mut to)?;
    to.sync_all()?;
    Ok(at)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Reader, Value, View, Writer};

    /// A directory that is removed at the end.
    struct Dir(PathBuf);

    impl Dir {
        fn new(name: &str) -> Dir {
            let path = std::env::temp_dir().join(format!("serow-{name}-{}", std::process::id()));
            std::fs::create_dir_all(&path).unwrap();
            Dir(path)
        }
    }

    impl Drop for Dir {
        fn drop(&mut self) {
            let _ = std::fs::remove_dir_all(&self.0);
        }
    }

    fn open(path: &Path) -> File {
        File::options().read(true).append(true).create(true).open(path).unwrap()
    }

    #[test]
    fn a_file_that_was_cut_can_be_appended_to() {
        let dir = Dir::new("cut");
        let path = dir.0.join("log");
        let mut ends = vec![(0, 0)];
        for stream in 0..2 {
            let mut writer = Writer::new(open(&path)).append().unwrap();
            for row in 0..2 {
                writer.write(&Value::I64(stream * 2 + row)).unwrap();
                writer.flush().unwrap();
                ends.push((std::fs::metadata(&path).unwrap().len(), stream * 2 + row + 1));
            }
            writer.finish().unwrap();
            ends.push((std::fs::metadata(&path).unwrap().len(), stream * 2 + 2));
        }
        let whole = std::fs::read(&path).unwrap();
        let ends_of_streams = [0, ends[3].0, ends[6].0];
        for len in 0..=whole.len() {
            std::fs::write(&path, &whole[..len]).unwrap();
            let is_whole = ends_of_streams.contains(&(len as u64));
            let refused = Writer::<File>::new(open(&path)).append();
            match refused {
                Ok(_) => assert!(is_whole, "{len}"),
                Err(error) => {
                    assert!(!is_whole, "{len}");
                    assert!(error.message().contains("serow::recover"), "{error}");
                }
            }
            assert_eq!(std::fs::read(&path).unwrap(), whole[..len]);
            let found = recover(&path).unwrap();
            let rows = ends.iter().rfind(|(end, _)| *end <= len as u64).unwrap().1;
            assert_eq!(found.rows, rows as u64, "{len}");
            assert_eq!(found.bytes, std::fs::metadata(&path).unwrap().len());
            if let Some(cut) = &found.cut_path {
                let cut_bytes = std::fs::read(cut).unwrap();
                assert_eq!(cut_bytes.len() as u64, found.cut_bytes);
                assert!(whole[..len].ends_with(&cut_bytes));
                std::fs::remove_file(cut).unwrap();
            }
            let mut writer = Writer::new(open(&path)).append().unwrap();
            writer.write(&Value::I64(99)).unwrap();
            writer.finish().unwrap();
            let found: Vec<Value> =
                Reader::new(File::open(&path).unwrap()).collect::<Result<_>>().unwrap();
            assert_eq!(found, (0..rows).chain([99]).map(Value::I64).collect::<Vec<_>>());
            let indexed = View::new(File::open(&path).unwrap()).unwrap();
            assert_eq!(indexed.rows(), rows as u64 + 1);
        }
    }

    #[test]
    fn other_files_are_not_touched() {
        let dir = Dir::new("other");
        let path = dir.0.join("text");
        std::fs::write(&path, "some text").unwrap();
        assert_eq!(recover(&path).unwrap_err().kind(), crate::ErrorKind::Decode);
        assert_eq!(std::fs::read(&path).unwrap(), b"some text");
        let missing = recover(dir.0.join("none")).unwrap_err();
        assert_eq!(missing.io_kind(), Some(ErrorKind::NotFound));
    }

    #[test]
    fn bytes_that_were_put_aside_before_stay() {
        let dir = Dir::new("aside");
        let path = dir.0.join("log");
        let whole = Writer::new(Vec::new()).finish().unwrap();
        for number in 1..4 {
            std::fs::write(&path, [&whole[..], &[number]].concat()).unwrap();
            let cut = recover(&path).unwrap().cut_path.unwrap();
            assert_eq!(std::fs::read(cut).unwrap(), [number]);
        }
        assert_eq!(std::fs::read_dir(&dir.0).unwrap().count(), 4);
    }
}

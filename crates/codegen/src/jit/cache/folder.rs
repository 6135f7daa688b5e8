//! A folder that only its owner can write to, and the files in it.
//!
//! The process runs what it reads here. So it uses a folder only if the folder belongs to the
//! process's user and nobody else may write to it. It makes the same check for each file after
//! opening it, without following links. Files appear complete: they are written under a temporary
//! name and then renamed.

use std::fs::{self, DirBuilder, File, Metadata, OpenOptions};
use std::io::{self, Read, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime};

use serow_core::limits::{MAX_CACHE_BYTES, MAX_CACHE_FILES, MAX_CODE_BYTES};

/// The end of the names of complete files.
const SUFFIX: &str = ".serow";
/// The end of the names of files that are being written.
const UNFINISHED: &str = ".new";
/// Using a file that is older than this updates its time, so that trimming does not remove it
/// first.
const OLD: Duration = Duration::from_secs(24 * 3600);
/// An unfinished file that is older than this was left behind by a process that ended.
const LEFT_BEHIND: Duration = Duration::from_secs(3600);

#[derive(Debug)]
pub(super) struct Folder {
    path: PathBuf,
    /// The maximal number of files, and their maximal number of bytes in total.
    caps: (usize, u64),
    /// Listing all files takes a while, so only one in this many writes trims. The first write
    /// does.
    trim_every: u64,
    writes: AtomicU64,
}

impl Folder {
    pub(super) fn new(path: PathBuf) -> Folder {
        let caps = (MAX_CACHE_FILES, MAX_CACHE_BYTES);
        Folder { path, caps, trim_every: 64, writes: AtomicU64::new(0) }
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Returns why the folder can't be used. A missing folder is made when something is written.
    pub(super) fn why_not(&self) -> Option<String> {
        let why = self.check().err()?;
        (why.kind() != io::ErrorKind::NotFound).then(|| why.to_string())
    }

    /// Returns the content of the file `name`, if it exists.
    pub(super) fn read(&self, name: &str) -> io::Result<Option<Vec<u8>>> {
        let file = match self
            .check()
            .and_then(|()| OpenOptions::new().read(true).custom_flags(FLAGS).open(self.file(name)))
        {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error),
        };
        let metadata = file.metadata()?;
        ours(&metadata, metadata.is_file())?;
        if metadata.len() > 2 * MAX_CODE_BYTES as u64 {
            return Err(refused("it is too large"));
        }
        if is_older(&metadata, OLD) {
            // If this fails, the file is only removed earlier.
            let _ = file.set_modified(SystemTime::now());
        }
        let mut bytes = Vec::with_capacity(metadata.len() as usize + 1);
        (&file).take(metadata.len()).read_to_end(&mut bytes)?;
        Ok(Some(bytes))
    }

    /// Makes `bytes` the content of the file `name`. Removes the oldest files if the folder is too
    /// large.
    pub(super) fn write(&self, name: &str, bytes: &[u8]) -> io::Result<()> {
        if !self.path.exists() {
            DirBuilder::new().recursive(true).mode(0o700).create(&self.path)?;
        }
        self.check()?;
        let number = self.writes.fetch_add(1, Ordering::Relaxed);
        let unfinished = self.path.join(format!("{name}-{}-{number}{UNFINISHED}", process::id()));
        let written = create(&unfinished)
            .and_then(|mut file| file.write_all(bytes))
            .and_then(|()| fs::rename(&unfinished, self.file(name)));
        if written.is_err() {
            let _ = fs::remove_file(&unfinished);
        }
        written?;
        if number.is_multiple_of(self.trim_every) { self.trim() } else { Ok(()) }
    }

    fn file(&self, name: &str) -> PathBuf {
        self.path.join(format!("{name}{SUFFIX}"))
    }

    /// Checks that the path is a folder that nobody else can write to.
    fn check(&self) -> io::Result<()> {
        let metadata = fs::symlink_metadata(&self.path)?;
        ours(&metadata, metadata.is_dir())
    }

    /// Removes files that were left behind, and the oldest files while there are too many files or
    /// bytes.
    fn trim(&self) -> io::Result<()> {
        let mut files = Vec::new();
        for entry in fs::read_dir(&self.path)? {
            let entry = entry?;
            let name = entry.file_name();
            let ends_with = |end| name.to_str().is_some_and(|name| name.ends_with(end));
            // Another process may have removed it.
            let Ok(metadata) = entry.metadata() else { continue };
            if ends_with(SUFFIX) {
                files.push((metadata.modified()?, metadata.len(), entry.path()));
            } else if ends_with(UNFINISHED) && is_older(&metadata, LEFT_BEHIND) {
                let _ = fs::remove_file(entry.path());
            }
        }
        let (mut count, mut bytes) = (files.len(), files.iter().map(|file| file.1).sum::<u64>());
        files.sort();
        for (_, len, path) in files {
            if count <= self.caps.0 && bytes <= self.caps.1 {
                break;
            }
            let _ = fs::remove_file(path);
            count -= 1;
            bytes -= len;
        }
        Ok(())
    }
}

const FLAGS: i32 = libc::O_NOFOLLOW | libc::O_CLOEXEC;

fn create(path: &Path) -> io::Result<File> {
    OpenOptions::new().write(true).create_new(true).mode(0o600).custom_flags(FLAGS).open(path)
}

/// Checks that a file or folder has the expected type, belongs to this process's user, and is not
/// writable for anybody else.
fn ours(metadata: &Metadata, is_of_kind: bool) -> io::Result<()> {
    // SAFETY: the call has no preconditions.
    let user = unsafe { libc::geteuid() };
    match () {
        () if !is_of_kind => Err(refused("it is not a regular file or folder")),
        () if metadata.uid() != user => Err(refused("it belongs to another user")),
        () if metadata.mode() & 0o022 != 0 => Err(refused("others may write to it")),
        () => Ok(()),
    }
}

fn is_older(metadata: &Metadata, than: Duration) -> bool {
    let age = metadata.modified().ok().and_then(|at| at.elapsed().ok());
    age.is_some_and(|age| age > than)
}

fn refused(why: &str) -> io::Error {
    io::Error::new(io::ErrorKind::PermissionDenied, why)
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::{PermissionsExt, symlink};
    use std::thread;

    use super::*;

    /// A folder for one test, removed on drop.
    struct Scratch(PathBuf);

    impl Scratch {
        fn new(name: &str) -> Scratch {
            let path = std::env::temp_dir().join(format!("serow-{}-{name}", process::id()));
            DirBuilder::new().mode(0o700).create(&path).unwrap();
            Scratch(path)
        }

        fn folder(&self) -> Folder {
            Folder::new(self.0.join("cache"))
        }
    }

    impl Drop for Scratch {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    fn mode(path: &Path, mode: u32) {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    }

    #[test]
    fn a_written_file_can_be_read() {
        let scratch = Scratch::new("written");
        let folder = scratch.folder();
        assert_eq!(folder.read("a").unwrap(), None);
        assert!(!folder.path.exists(), "reading makes no folder");
        folder.write("a", b"one").unwrap();
        folder.write("a", b"two").unwrap();
        assert_eq!(folder.read("a").unwrap().as_deref(), Some(&b"two"[..]));
        assert_eq!(folder.read("b").unwrap(), None);
        assert_eq!(fs::metadata(&folder.path).unwrap().mode() & 0o777, 0o700);
        assert_eq!(fs::metadata(folder.file("a")).unwrap().mode() & 0o777, 0o600);
        assert_eq!(fs::read_dir(&folder.path).unwrap().count(), 1);
    }

    #[test]
    fn files_that_others_may_write_to_are_not_read() {
        let scratch = Scratch::new("others");
        let folder = scratch.folder();
        folder.write("a", b"one").unwrap();
        for open in [0o720, 0o702, 0o777] {
            mode(&folder.path, open);
            assert!(folder.read("a").is_err());
            assert!(folder.write("a", b"two").is_err());
        }
        mode(&folder.path, 0o700);
        mode(&folder.file("a"), 0o660);
        assert!(folder.read("a").is_err());
        folder.write("a", b"three").unwrap();
        assert_eq!(folder.read("a").unwrap().as_deref(), Some(&b"three"[..]));
    }

    #[test]
    fn files_of_another_user_are_not_read() {
        let scratch = Scratch::new("owner");
        let folder = scratch.folder();
        folder.write("a", b"one").unwrap();
        // Only root may give files away.
        if std::os::unix::fs::chown(folder.file("a"), Some(12345), None).is_ok() {
            assert!(folder.read("a").is_err());
            folder.write("a", b"two").unwrap();
            assert!(folder.read("a").unwrap().is_some());
            std::os::unix::fs::chown(&folder.path, Some(12345), None).unwrap();
            assert!(folder.read("a").is_err());
            assert!(folder.write("a", b"three").is_err());
        }
    }

    #[test]
    fn links_are_not_followed() {
        let scratch = Scratch::new("links");
        let folder = scratch.folder();
        folder.write("a", b"one").unwrap();
        symlink(folder.file("a"), folder.file("b")).unwrap();
        assert!(folder.read("b").is_err());
        let linked = Folder::new(scratch.0.join("linked"));
        symlink(&folder.path, &linked.path).unwrap();
        assert!(linked.read("a").is_err());
        assert!(linked.write("a", b"two").is_err());
        let file = Folder::new(folder.file("a"));
        assert!(file.read("a").is_err() && file.write("a", b"two").is_err());
    }

    #[test]
    fn the_oldest_files_are_removed_first() {
        let scratch = Scratch::new("oldest");
        let folder = Folder { caps: (100, 30), trim_every: 1, ..scratch.folder() };
        let older = |name, days| {
            let file = File::open(folder.file(name)).unwrap();
            file.set_modified(SystemTime::now() - days * OLD).unwrap();
        };
        for (name, days) in [("a", 3), ("b", 4), ("c", 2)] {
            folder.write(name, &[0; 10]).unwrap();
            older(name, days);
        }
        folder.read("a").unwrap();
        folder.write("d", &[0; 10]).unwrap();
        let there = |name: &str| folder.read(name).unwrap().is_some();
        assert_eq!(["a", "b", "c", "d"].map(there), [true, false, true, true]);
        older("d", 9);
        let left = folder.path.join(format!("x{UNFINISHED}"));
        create(&left).unwrap().set_modified(SystemTime::now() - 2 * LEFT_BEHIND).unwrap();
        fs::write(folder.path.join("of the user"), [0; 100]).unwrap();
        folder.write("e", &[0; 10]).unwrap();
        assert_eq!(["a", "c", "d", "e"].map(there), [true, true, false, true]);
        assert!(!left.exists() && folder.path.join("of the user").exists());
        let folder = Folder { caps: (1, 1000), ..folder };
        folder.write("f", b"one").unwrap();
        assert!(folder.read("e").unwrap().is_none() && folder.read("f").unwrap().is_some());
    }

    #[test]
    fn several_threads_write_one_file_at_once() {
        let scratch = Scratch::new("several");
        let folder = scratch.folder();
        let content = |n: u8| vec![n; 20_000];
        folder.write("a", &content(0)).unwrap();
        thread::scope(|scope| {
            for n in 0..4 {
                let folder = &folder;
                scope.spawn(move || {
                    for _ in 0..50 {
                        folder.write("a", &content(n)).unwrap();
                        let read = folder.read("a").unwrap().unwrap();
                        assert_eq!(read, content(read[0]));
                    }
                });
            }
        });
        assert_eq!(fs::read_dir(&folder.path).unwrap().count(), 1);
    }
}

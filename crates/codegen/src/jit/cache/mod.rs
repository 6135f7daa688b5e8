//! The object cache on disk: a process finds the code that an earlier process compiled.
//!
//! A file holds one object and the whole key that it was compiled for. Its name is the hash of the
//! key. If anything is wrong with a file, it counts as missing and is rewritten after the next
//! compile. If files can't be read or written at all, there is no cache. The folder's permissions
//! ([`folder`]) prevent others from passing code to this process. The checksum ([`file`]) detects
//! only damage.

mod file;
mod folder;

use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use folder::Folder;

use crate::jit::key::Key;
use crate::jit::log;

/// Returns the folder that the environment names, unless the cache is off. Does not access the
/// disk.
fn wanted() -> Option<&'static Folder> {
    static FOLDER: OnceLock<Option<Folder>> = OnceLock::new();
    FOLDER.get_or_init(|| path(|name| env::var_os(name)).map(Folder::new)).as_ref()
}

/// Returns the folder of the object cache, and why it can't be used if so. `None` if the cache is
/// off.
pub fn cache_folder() -> Option<(&'static Path, Option<String>)> {
    let folder = wanted()?;
    Some((folder.path(), folder.why_not()))
}

/// Returns whether the cache is on.
pub(crate) fn is_wanted() -> bool {
    wanted().is_some()
}

/// Returns `SEROW_CACHE_DIR`, unless that turns the cache off, or else serow's folder in the user's
/// cache folder.
fn path(variable: impl Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
    if let Some(own) = variable("SEROW_CACHE_DIR") {
        return (!own.is_empty() && own != "off").then(|| PathBuf::from(own));
    }
    // The XDG specification says to ignore relative paths.
    let absolute = |name| variable(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let caches = absolute("XDG_CACHE_HOME").or_else(|| Some(absolute("HOME")?.join(".cache")))?;
    Some(caches.join("serow"))
}

fn name(key: &Key) -> String {
    format!("{:032x}", key.hash())
}

/// Returns the object for `key`, if it is in the cache.
pub(crate) fn read(key: &Key) -> Option<Vec<u8>> {
    let folder = wanted()?;
    match folder.read(&name(key)) {
        Ok(Some(bytes)) => {
            let object = file::object(&bytes, key.bytes()).map(<[u8]>::to_vec);
            if object.is_none() {
                log::line(format_args!(
                    "{}: the file in the object cache is not valid",
                    key.symbol()
                ));
            }
            object
        }
        Ok(None) => None,
        Err(why) => {
            log::line(format_args!("{}: cannot read the object cache: {why}", key.symbol()));
            None
        }
    }
}

/// Puts an object into the cache.
pub(crate) fn write(key: &Key, object: &[u8]) {
    let Some(folder) = wanted() else { return };
    if let Err(why) = folder.write(&name(key), &file::bytes(key.bytes(), object)) {
        log::line(format_args!("{}: cannot write to the object cache: {why}", key.symbol()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path_in(environment: &[(&str, &str)]) -> Option<PathBuf> {
        path(|name| Some(environment.iter().find(|entry| entry.0 == name)?.1.into()))
    }

    #[test]
    fn the_environment_determines_the_cache_folder() {
        let home = ("HOME", "/home/user");
        let at = |environment: &[_]| path_in(environment).map(|path| path.display().to_string());
        assert_eq!(at(&[home]).as_deref(), Some("/home/user/.cache/serow"));
        assert_eq!(at(&[home, ("XDG_CACHE_HOME", "/x")]).as_deref(), Some("/x/serow"));
        assert_eq!(
            at(&[home, ("XDG_CACHE_HOME", "x")]).as_deref(),
            Some("/home/user/.cache/serow")
        );
        assert_eq!(at(&[home, ("SEROW_CACHE_DIR", "/own")]).as_deref(), Some("/own"));
        assert_eq!(at(&[home, ("SEROW_CACHE_DIR", "")]), None);
        assert_eq!(at(&[home, ("SEROW_CACHE_DIR", "off")]), None);
        assert_eq!(at(&[]), None);
    }
}

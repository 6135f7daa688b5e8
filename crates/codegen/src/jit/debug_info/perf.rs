//! perf's map: `/tmp/perf-<process>.map`, with a line `address size name` for each function.

use std::fs::OpenOptions;
use std::io::{self, Write};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::process;

use super::Functions;

/// Appends the functions to this process's map.
pub(super) fn append(functions: &Functions) -> io::Result<()> {
    // Everybody may write to the folder, so an existing file may be anything.
    let mut file = OpenOptions::new()
        .append(true)
        .create(true)
        .mode(0o600)
        .custom_flags(libc::O_NOFOLLOW | libc::O_CLOEXEC | libc::O_NONBLOCK)
        .open(format!("/tmp/perf-{}.map", process::id()))?;
    let metadata = file.metadata()?;
    // SAFETY: the call has no preconditions.
    if !metadata.is_file() || metadata.uid() != unsafe { libc::geteuid() } {
        return Err(io::Error::new(
            io::ErrorKind::PermissionDenied,
            "the map belongs to another user",
        ));
    }
    file.write_all(lines(functions).as_bytes())
}

fn lines(functions: &Functions) -> String {
    let line = |function: &super::Function| {
        format!("{:x} {:x} {}\n", functions.base + function.offset, function.size, function.name)
    };
    functions.functions.iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::jit::debug_info::Function;

    #[test]
    fn a_line_is_address_size_and_name() {
        let function = |name: &str, offset, size| Function { name: name.to_owned(), offset, size };
        let functions = vec![function("serow_a", 0, 0x1f), function("serow_a.group_1", 0x20, 16)];
        let text = lines(&Functions { base: 0x7f00_0000_1000, functions });
        assert_eq!(text, "7f0000001000 1f serow_a\n7f0000001020 10 serow_a.group_1\n");
    }
}

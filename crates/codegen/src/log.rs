//! What `SEROW_LOG` has written: a line to the standard error for everything that happens to code.

use std::fmt;
use std::io::Write;
use std::sync::OnceLock;

/// Write a line if `SEROW_LOG` is `1` or `debug`.
pub(crate) fn line(text: fmt::Arguments<'_>) {
    if is_on() {
        // One write, so that lines of several threads don't mix. If it fails, nobody can be told.
        let _ = std::io::stderr().write_all(format!("serow: {text}\n").as_bytes());
    }
}

fn is_on() -> bool {
    static ON: OnceLock<bool> = OnceLock::new();
    *ON.get_or_init(|| matches!(std::env::var("SEROW_LOG").as_deref(), Ok("1" | "debug")))
}

//! The log of `SEROW_LOG`: a line on standard error for each event in the life of compiled code.

use std::fmt;
use std::io::Write;
use std::sync::OnceLock;

/// Writes a line if `SEROW_LOG` is `1` or `debug`.
pub(crate) fn line(text: fmt::Arguments<'_>) {
    if is_on() {
        // A single write keeps the lines of several threads apart. There is nowhere to report a
        // failure.
        let _ = std::io::stderr().write_all(format!("serow: {text}\n").as_bytes());
    }
}

fn is_on() -> bool {
    static ON: OnceLock<bool> = OnceLock::new();
    *ON.get_or_init(|| matches!(std::env::var("SEROW_LOG").as_deref(), Ok("1" | "debug")))
}

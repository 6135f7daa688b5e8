//! Names of compiled functions for profilers and debuggers. perf reads them from a file, gdb from
//! the process's memory. Environment variables turn them on, because they cost a little.
//! `docs/debugging.md` explains how to use them.

mod elf;
mod gdb;
mod perf;

use std::env;
use std::sync::OnceLock;

use crate::jit::log;

/// A function of compiled code.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Function {
    name: String,
    /// Offset of its first byte in the code.
    offset: u64,
    size: u64,
}

/// The functions of some code, and the code's address.
#[derive(Debug)]
struct Functions {
    base: u64,
    functions: Vec<Function>,
}

/// The consumers that the environment asks for.
struct Wanted {
    perf: bool,
    gdb: bool,
}

fn wanted() -> &'static Wanted {
    static WANTED: OnceLock<Wanted> = OnceLock::new();
    WANTED.get_or_init(|| {
        let is_on = |name| env::var_os(name).is_some_and(|value| value == "1");
        Wanted { perf: is_on("SEROW_PERF"), gdb: is_on("SEROW_GDB") }
    })
}

/// The functions of an object, for publishing once it is linked.
#[derive(Debug)]
pub(crate) struct DebugInfo {
    functions: Vec<Function>,
    symbol: String,
}

/// Keeps the names published until it is dropped.
#[derive(Debug)]
pub(crate) struct Registration {
    /// gdb can read this until it is dropped.
    _gdb: Option<gdb::Entry>,
}

impl DebugInfo {
    /// Returns the functions in `object` if the environment asks for names. `symbol` is its main
    /// function.
    pub(crate) fn of(object: &[u8], symbol: &str) -> Option<DebugInfo> {
        if !wanted().perf && !wanted().gdb {
            return None;
        }
        let mut functions = elf::functions(object)?;
        for function in &mut functions {
            if function.name != symbol {
                function.name = format!("{symbol}.{}", function.name);
            }
        }
        Some(DebugInfo { functions, symbol: symbol.to_owned() })
    }

    /// Publishes the names. The main function is at `address`.
    pub(crate) fn publish(self, address: *const ()) -> Option<Registration> {
        let main = self.functions.iter().find(|function| function.name == self.symbol)?;
        let base = address.addr() as u64 - main.offset;
        let functions = Functions { base, functions: self.functions };
        if wanted().perf
            && let Err(why) = perf::append(&functions)
        {
            log::line(format_args!("cannot write the perf map for {}: {why}", self.symbol));
        }
        let file = wanted().gdb.then(|| elf::file(&functions));
        let file = file.transpose().unwrap_or_else(|why| {
            log::line(format_args!("cannot register {} with gdb: {why}", self.symbol));
            None
        });
        Some(Registration { _gdb: file.map(gdb::Entry::new) })
    }
}

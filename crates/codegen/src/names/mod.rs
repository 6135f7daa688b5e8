//! The names of compiled functions, for those who look at the process from outside: perf reads them
//! from a file, gdb from the process's memory. Both are asked for by the environment, since they
//! cost a little and nobody needs them otherwise. `docs/debugging.md` shows how they are used.

mod elf;
mod gdb;
mod perf;

use std::env;
use std::sync::OnceLock;

use crate::log;

/// A function of compiled code.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Function {
    name: String,
    /// Where it begins in the code.
    offset: u64,
    size: u64,
}

/// The functions of some code, and where that is.
#[derive(Debug)]
struct Functions {
    base: u64,
    functions: Vec<Function>,
}

/// Which of the two are wanted.
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

/// The names of the functions in an object, which become known when it is linked.
#[derive(Debug)]
pub(crate) struct Names {
    functions: Vec<Function>,
    symbol: String,
}

/// Keeps names known while it lives.
#[derive(Debug)]
pub(crate) struct Known {
    /// What gdb reads until this is dropped.
    _gdb: Option<gdb::Entry>,
}

impl Names {
    /// The names in `object`, whose main function is `symbol`, if anybody wants them.
    pub(crate) fn of(object: &[u8], symbol: &str) -> Option<Names> {
        if !wanted().perf && !wanted().gdb {
            return None;
        }
        let mut functions = elf::functions(object)?;
        for function in &mut functions {
            if function.name != symbol {
                function.name = format!("{symbol}.{}", function.name);
            }
        }
        Some(Names { functions, symbol: symbol.to_owned() })
    }

    /// Make them known, now that the main function is at `address`.
    pub(crate) fn publish(self, address: *const ()) -> Option<Known> {
        let main = self.functions.iter().find(|function| function.name == self.symbol)?;
        let base = address.addr() as u64 - main.offset;
        let functions = Functions { base, functions: self.functions };
        if wanted().perf
            && let Err(why) = perf::append(&functions)
        {
            log::line(format_args!("perf is not told of {}: {why}", self.symbol));
        }
        Some(Known { _gdb: wanted().gdb.then(|| gdb::Entry::new(elf::file(&functions))) })
    }
}

//! Plans compiled and run, and what that leaves in the process.
//!
//! One binary, since each one holds LLVM.

#[path = "../../../serow/tests/common/changes.rs"]
mod changes;
mod conversions;
mod decoding;
mod evolved;
mod filetests;
mod flat;
mod named;
mod process;
#[path = "../../../serow/tests/common/strategies.rs"]
mod strategies;

use std::sync::{Mutex, MutexGuard, PoisonError};

use serow_codegen::{Conversion, From, To};
use serow_core::program::Program;
use serow_core::schema::Schema;

/// From flat rows to the row wire.
const FLAT_TO_ROWS: Conversion<'_> = Conversion { from: From::Flat, to: To::RowWire };

/// From flat rows to staged columns.
const FLAT_TO_BATCH: Conversion<'_> = Conversion { from: From::Flat, to: To::Batch };

/// Held by every test that compiles, so that one that looks at the process's memory sees only its
/// own.
fn alone() -> MutexGuard<'static, ()> {
    static ONE: Mutex<()> = Mutex::new(());
    ONE.lock().unwrap_or_else(PoisonError::into_inner)
}

fn plan(schema: &str) -> Program {
    Program::new(&Schema::parse(schema).expect("the schema is well formed"))
}

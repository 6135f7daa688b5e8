//! Tests that compile and run plans, and tests of the effects on the process.
//!
//! All are in one binary, because each binary contains LLVM.

#[path = "../../../serow/tests/common/changes.rs"]
mod changes;
mod decoding;
mod evolved;
mod filetests;
mod named;
mod process;
#[path = "../../../serow/tests/common/strategies.rs"]
mod strategies;

use std::sync::{Mutex, MutexGuard, PoisonError};

use proptest::test_runner::Config;
use serow_codegen::{Conversion, SinkLayout, SourceLayout};
use serow_core::program::Program;
use serow_core::schema::Schema;

/// From records to records.
const ROW_TO_ROW: Conversion<'_> = Conversion { from: SourceLayout::ROW, to: SinkLayout::ROW };

/// From records to columns.
const ROW_TO_BATCH: Conversion<'_> = Conversion { from: SourceLayout::ROW, to: SinkLayout::BATCH };

/// Every test that compiles holds this lock, so a test that inspects the process's memory sees only
/// its own code.
fn alone() -> MutexGuard<'static, ()> {
    static ONE: Mutex<()> = Mutex::new(());
    ONE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Fewer random inputs than proptest's default, unless `PROPTEST_CASES` asks for some number: each is
/// compiled.
fn random_cases() -> Config {
    match std::env::var_os("PROPTEST_CASES") {
        Some(_) => Config::default(),
        None => Config::with_cases(24),
    }
}

fn plan(schema: &str) -> Program {
    Program::new(&Schema::parse(schema).expect("the schema is well formed"))
}

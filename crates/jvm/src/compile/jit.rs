//! The compiler, by `serow_codegen`.

use serow_codegen::{CompileError, Compiler, Conversion, SinkLayout, SourceLayout};
use serow_core::compiled::Tier;
use serow_core::program::Program;
use serow_core::wire::message::Wire;

pub use serow_codegen::background::stop;

/// The conversions to compile for the JVM: records, which it encodes and decodes, to either wire.
const CONVERSIONS: [Conversion<'_>; 2] = [of_records(Wire::Row), of_records(Wire::Frame)];

/// The conversion of records to `wire`.
const fn of_records(wire: Wire) -> Conversion<'static> {
    let to = match wire {
        Wire::Row => SinkLayout::ROW,
        Wire::Frame => SinkLayout::BATCH,
    };
    Conversion { from: SourceLayout::ROW, to }
}

/// Starts compiling plans as `tier` says.
pub fn start(tier: Tier) {
    // SAFETY: records have the same layout in every process, and no object layouts are given.
    unsafe { serow_codegen::start(tier, || &CONVERSIONS) };
}

/// Compiles what encodes rows to `wire`, and what turns its records into columns.
pub fn compile(program: &Program, wire: Wire) -> Result<(), CompileError> {
    let conversions = match wire {
        Wire::Row => &CONVERSIONS[..],
        Wire::Frame => &[of_records(wire)],
    };
    conversions.iter().try_for_each(|conversion| {
        // SAFETY: as in `start`.
        unsafe { serow_codegen::compile(program, conversion) }
    })
}

/// Returns the LLVM IR of what encodes rows to `wire`.
pub fn ir(program: &Program, wire: Wire) -> Result<String, CompileError> {
    Compiler::new()?.ir(program, &of_records(wire))
}

/// Tests the compiler, and returns a report.
pub fn self_test() -> Result<String, CompileError> {
    let test = serow_codegen::self_test()?;
    Ok(format!(
        "plan:\n{}\ncompiled by LLVM {} in {} microseconds; {} rows converted and compared",
        test.plan.trim_end(),
        test.llvm_version,
        test.compile_time.as_micros(),
        test.rows
    ))
}

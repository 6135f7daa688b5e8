//! The compiler, by `serow_codegen`.

use serow_codegen::{CompileError, Compiler, Conversion, SinkLayout, SourceLayout};
use serow_core::compiled::Tier;
use serow_core::program::Program;
use serow_core::wire::message::Wire;

pub use serow_codegen::background::stop;

/// The conversions to compile for the JVM: flat rows to either wire, and for decoding the records
/// of the row wire to columns.
const CONVERSIONS: [Conversion<'_>; 3] = [encoding(Wire::Row), encoding(Wire::Frame), RECORDS];

/// The conversion of records to columns.
const RECORDS: Conversion<'_> = Conversion { from: SourceLayout::ROW, to: SinkLayout::BATCH };

/// The conversion of flat rows to `wire`.
const fn encoding(wire: Wire) -> Conversion<'static> {
    let to = match wire {
        Wire::Row => SinkLayout::ROW,
        Wire::Frame => SinkLayout::BATCH,
    };
    Conversion { from: SourceLayout::FLAT, to }
}

/// Starts compiling plans as `tier` says.
pub fn start(tier: Tier) {
    // SAFETY: flat rows have the same layout in every process, and no object layouts are given.
    unsafe { serow_codegen::start(tier, || &CONVERSIONS) };
}

/// Compiles what encodes flat rows to `wire`, and what turns its records into columns.
pub fn compile(program: &Program, wire: Wire) -> Result<(), CompileError> {
    let conversions: &[_] = match wire {
        Wire::Row => &[encoding(wire), RECORDS],
        Wire::Frame => &[encoding(wire)],
    };
    conversions.iter().try_for_each(|conversion| {
        // SAFETY: flat rows and records have the same layout in every process.
        unsafe { serow_codegen::compile(program, conversion) }
    })
}

/// Returns the LLVM IR of what encodes flat rows to `wire`.
pub fn ir(program: &Program, wire: Wire) -> Result<String, CompileError> {
    Compiler::new()?.ir(program, &encoding(wire))
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

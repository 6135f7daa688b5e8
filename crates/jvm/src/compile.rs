//! Native methods that compile plans.

use jni::sys::{jint, jlong, jobject};
use serow_codegen::{Compiler, Conversion, SinkLayout, SourceLayout, Tier};
use serow_core::wire::message::Wire;
use serow_core::{Error, Result};

use crate::env::Env;
use crate::{format, schema};

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

/// Throws a compiler error as a `SerowException`.
fn unless_failed<T, E: std::fmt::Display>(
    env: &Env<'_>,
    result: std::result::Result<T, E>,
) -> Result<T> {
    result.map_err(|error| {
        env.throw(&error.to_string());
        Error::host()
    })
}

pub fn compiler_start(env: &Env<'_>) -> Result<()> {
    let tier = unless_failed(env, Tier::of_process())?;
    // SAFETY: flat rows have the same layout in every process, and no object layouts are given.
    unsafe { serow_codegen::start(tier, || &CONVERSIONS) };
    Ok(())
}

pub fn plan_compile(env: &Env<'_>, plan: jlong, wire: jint) -> Result<()> {
    if unless_failed(env, Tier::of_process())? == Tier::Interpreter {
        return Ok(());
    }
    // SAFETY: Java's `Binding` keeps the plan alive.
    let program = unsafe { schema::program(plan) };
    let wire = format::wire(wire);
    let conversions: &[_] = match wire {
        Wire::Row => &[encoding(wire), RECORDS],
        Wire::Frame => &[encoding(wire)],
    };
    for conversion in conversions {
        // SAFETY: flat rows and records have the same layout in every process.
        unless_failed(env, unsafe { serow_codegen::compile(&program, conversion) })?;
    }
    Ok(())
}

pub fn plan_is_compiled(_env: &Env<'_>, plan: jlong, wire: jint) -> Result<bool> {
    // SAFETY: Java's `Binding` keeps the plan alive.
    let program = unsafe { schema::program(plan) };
    Ok(program.is_compiled(encoding(format::wire(wire)).kinds()))
}

pub fn plan_ir(env: &Env<'_>, plan: jlong, wire: jint) -> Result<jobject> {
    // SAFETY: Java's `Binding` keeps the plan alive.
    let program = unsafe { schema::program(plan) };
    let conversion = encoding(format::wire(wire));
    let ir = Compiler::new().and_then(|compiler| compiler.ir(&program, &conversion));
    env.new_string(&unless_failed(env, ir)?)
}

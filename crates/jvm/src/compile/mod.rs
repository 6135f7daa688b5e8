//! Native methods that compile plans.

#[cfg_attr(feature = "jit", path = "jit.rs")]
#[cfg_attr(not(feature = "jit"), path = "none.rs")]
mod compiler;

use jni::sys::{jint, jlong, jobject};
use serow_core::compiled::Tier;
use serow_core::layout::batch::BATCH;
use serow_core::wire::message::Wire;
use serow_core::wire::row::ROW;
use serow_core::{Error, ErrorKind, Result};

pub use compiler::stop;

use crate::env::Env;
use crate::{format, schema};

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
    compiler::start(unless_failed(env, Tier::of_process())?);
    Ok(())
}

pub fn compiler_self_test(env: &Env<'_>) -> Result<jobject> {
    let report = compiler::self_test().map_err(|error| {
        Error::new(ErrorKind::Encode, format!("the compiler does not work here: {error}"))
    })?;
    env.new_string(&report)
}

pub fn plan_compile(env: &Env<'_>, plan: jlong, wire: jint) -> Result<()> {
    if unless_failed(env, Tier::of_process())? == Tier::Interpreter {
        return Ok(());
    }
    // SAFETY: Java's `Binding` keeps the plan alive.
    let program = unsafe { schema::program(plan) };
    unless_failed(env, compiler::compile(&program, format::wire(wire)))
}

pub fn plan_is_compiled(_env: &Env<'_>, plan: jlong, wire: jint) -> Result<bool> {
    // SAFETY: Java's `Binding` keeps the plan alive.
    let program = unsafe { schema::program(plan) };
    let sink = match format::wire(wire) {
        Wire::Row => &ROW,
        Wire::Frame => &BATCH,
    };
    Ok(program.is_compiled((&ROW, sink)))
}

pub fn plan_ir(env: &Env<'_>, plan: jlong, wire: jint) -> Result<jobject> {
    // SAFETY: Java's `Binding` keeps the plan alive.
    let program = unsafe { schema::program(plan) };
    env.new_string(&unless_failed(env, compiler::ir(&program, format::wire(wire)))?)
}

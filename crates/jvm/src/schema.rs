//! Native methods about plans.

use std::sync::Arc;

use jni::objects::{JByteArray, JIntArray};
use jni::sys::jlong;
use serow_core::decode::{self, ReaderSchema};
use serow_core::layout::value::ValueWriter;
use serow_core::plan::Defaults;
use serow_core::program::Program;
use serow_core::schema::Schema;
use serow_core::wire::single::Agreement;
use serow_core::{Error, Result};

use crate::env::Env;
use crate::handle;

/// The schema of a type list from Java.
pub fn read(env: &Env<'_>, type_list: &JIntArray<'_>) -> Result<Schema> {
    Schema::from_type_list(&env.read_ints(type_list)?)
}

pub fn plan_open<'l>(env: &Env<'l>, type_list: JIntArray<'l>) -> Result<jlong> {
    let program = Program::of(&read(env, &type_list)?);
    Ok(handle::give(Arc::new(ReaderSchema::new(program, Defaults::default()))))
}

pub fn plan_with_default<'l>(
    env: &Env<'l>,
    plan: jlong,
    path: JByteArray<'l>,
    type_list: JIntArray<'l>,
    record: JByteArray<'l>,
) -> Result<jlong> {
    // SAFETY: Java keeps the plan open during the call.
    let plan = unsafe { expected(plan) };
    let path = String::from_utf8(env.read_all_bytes(&path)?)
        .map_err(|_| Error::schema("the path of a default is not UTF-8"))?;
    let ty = ReaderSchema::new(Program::of(&read(env, &type_list)?), Defaults::default());
    let agreement = Agreement { has_fingerprint: false, ..Agreement::default() };
    let mut values = ValueWriter::new();
    decode::decode_one(&env.read_all_bytes(&record)?, &ty, &agreement, None, &mut values)?;
    let mut defaults = plan.defaults().clone();
    for value in values.into_rows() {
        defaults.set(plan.program().schema(), &path, value)?;
    }
    Ok(handle::give(Arc::new(ReaderSchema::clone(&plan).with_defaults(defaults))))
}

/// The plan of a handle.
///
/// # Safety
/// As for [`handle::shared`].
pub unsafe fn program(handle: jlong) -> Arc<Program> {
    // SAFETY: the caller upholds the contract.
    unsafe { handle::shared::<Arc<ReaderSchema>>(handle) }.program().clone()
}

/// The plan of a handle, with the conversions from other schemas.
///
/// # Safety
/// As for [`handle::shared`].
pub unsafe fn expected(handle: jlong) -> Arc<ReaderSchema> {
    // SAFETY: the caller upholds the contract.
    unsafe { handle::shared::<Arc<ReaderSchema>>(handle) }.clone()
}

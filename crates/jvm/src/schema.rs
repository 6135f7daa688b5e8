//! Native methods about plans.

use std::sync::Arc;

use jni::objects::{JByteArray, JIntArray};
use jni::sys::{jlong, jobject};
use serow_core::decode::{self, ReaderSchema};
use serow_core::layout::value::ValueWriter;
use serow_core::plan::{Defaults, Former, FormerNames};
use serow_core::program::Program;
use serow_core::schema::{Schema, Type};
use serow_core::value::Value;
use serow_core::wire::single::Agreement;
use serow_core::{Error, Result};

use crate::env::Env;
use crate::handle;

/// The schema of a type list from Java.
pub fn read(env: &Env<'_>, type_list: &JIntArray<'_>) -> Result<Schema> {
    let schema = Schema::from_type_list(&env.read_ints(type_list)?)?;
    match schema.is_open() {
        false => Ok(schema),
        true => Err(Error::schema(format!(
            "{schema} has parts of any type, and in Java a schema must say all types; read such rows \
             without a schema"
        ))),
    }
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
    let mut defaults = plan.defaults().clone();
    for value in record_of(env, &read(env, &type_list)?, &record)? {
        defaults.set(plan.program().schema(), &path, value)?;
    }
    Ok(handle::give(Arc::new(ReaderSchema::clone(&plan).with_defaults(defaults))))
}

/// Compares a writer's schema with the plan's. Returns lines of text: first six lines for each change, then
/// two lines for each warning. A line is empty if the change has no such type.
pub fn plan_compare<'l>(env: &Env<'l>, plan: jlong, type_list: JIntArray<'l>) -> Result<jobject> {
    // SAFETY: Java keeps the plan open during the call.
    let plan = unsafe { expected(plan) };
    let comparison = plan.compare(&read(env, &type_list)?)?;
    let text = |ty: Option<Type>| ty.map(|ty| ty.to_string()).unwrap_or_default();
    let mut lines = Vec::new();
    for change in comparison.changes {
        let may_fail = change.may_fail.to_string();
        let (writer, reader) = (text(change.writer), text(change.reader));
        let kind = change.kind.name().to_owned();
        lines.extend([kind, change.path, writer, reader, change.reason, may_fail]);
    }
    for warning in comparison.warnings {
        lines.extend(["warning".to_owned(), warning]);
    }
    env.new_string(&lines.join("\n"))
}

/// The type of former names in a record from Java: those of each struct, and those of each enum.
const FORMER_NAMES: &str = "([([str], [[str]])], [([str], [[str]])])";

pub fn plan_with_former_names<'l>(
    env: &Env<'l>,
    plan: jlong,
    record: JByteArray<'l>,
) -> Result<jlong> {
    // SAFETY: Java keeps the plan open during the call.
    let plan = unsafe { expected(plan) };
    let rows = record_of(env, &Schema::parse(FORMER_NAMES)?, &record)?;
    let [structs, enums] =
        <[Value; 2]>::try_from(rows.into_iter().flat_map(items).collect::<Vec<_>>())
            .map_err(|_| Error::schema("former names are not of their type"))?;
    let former = |all: Value| items(all).into_iter().map(former).collect();
    let names = FormerNames::new(&plan.program().to, former(structs), former(enums))?;
    Ok(handle::give(Arc::new(ReaderSchema::clone(&plan).with_former_names(names))))
}

/// The former names of a struct or an enum.
fn former(value: Value) -> Former {
    let mut both = items(value).into_iter();
    let names = |value: Option<Value>| value.map(items).unwrap_or_default().into_iter();
    let texts = |names: std::vec::IntoIter<Value>| {
        names
            .filter_map(|name| if let Value::Str(name) = name { Some(name) } else { None })
            .collect()
    };
    let own = texts(names(both.next()));
    Former { own, parts: names(both.next()).map(|part| texts(names(Some(part)))).collect() }
}

fn items(value: Value) -> Vec<Value> {
    match value {
        Value::Tuple(items) | Value::List(items) => items,
        _ => Vec::new(),
    }
}

/// The value of a single record without a fingerprint.
fn record_of(env: &Env<'_>, schema: &Schema, record: &JByteArray<'_>) -> Result<Vec<Value>> {
    let ty = ReaderSchema::new(Program::of(schema), Defaults::default());
    let agreement = Agreement { has_fingerprint: false, ..Agreement::default() };
    let mut values = ValueWriter::new();
    decode::decode_one(&env.read_all_bytes(record)?, &ty, &agreement, None, &mut values)?;
    Ok(values.into_rows())
}

/// The plan of a handle.
///
/// # Safety
/// As for [`handle::shared`].
pub unsafe fn program(handle: jlong) -> Arc<Program> {
    // SAFETY: the caller upholds the contract.
    unsafe { handle::shared::<Arc<ReaderSchema>>(handle) }.program().clone()
}

/// The plan of a handle; none if it is 0.
///
/// # Safety
/// As for [`handle::shared`].
pub unsafe fn any_program(handle: jlong) -> Option<Arc<Program>> {
    // SAFETY: the caller upholds the contract.
    (handle != 0).then(|| unsafe { program(handle) })
}

/// The plan of a handle, with the conversions from other schemas.
///
/// # Safety
/// As for [`handle::shared`].
pub unsafe fn expected(handle: jlong) -> Arc<ReaderSchema> {
    // SAFETY: the caller upholds the contract.
    unsafe { handle::shared::<Arc<ReaderSchema>>(handle) }.clone()
}

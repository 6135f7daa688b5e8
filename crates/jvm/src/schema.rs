//! Native methods about schemas and plans.

use std::sync::Arc;

use jni::objects::{JByteArray, JClass, JIntArray};
use jni::sys::{jint, jlong, jobject};
use serow_core::decode::Expected;
use serow_core::plan::Defaults;
use serow_core::program::Program;
use serow_core::schema::Schema;
use serow_core::{Error, Result};

use crate::env::Env;
use crate::guard::guard;
use crate::handle;

/// The schema of a type list from Java.
pub fn read(env: &Env<'_>, type_list: &JIntArray<'_>) -> Result<Schema> {
    Schema::from_type_list(&env.read_ints(type_list)?)
}

/// `int[] parseSchema(byte[] text, int length)`
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_serow_jni_Native_parseSchema<'l>(
    env: Env<'l>,
    _class: JClass<'l>,
    text: JByteArray<'l>,
    length: jint,
) -> jobject {
    guard(&env, || {
        let mut bytes = Vec::new();
        env.read_bytes(&text, 0, length as usize, &mut bytes)?;
        let text = String::from_utf8(bytes).map_err(|_| Error::schema("the text is not UTF-8"))?;
        env.new_ints(Schema::parse(&text)?.type_list())
    })
}

/// `String schemaText(int[] typeList)`
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_serow_jni_Native_schemaText<'l>(
    env: Env<'l>,
    _class: JClass<'l>,
    type_list: JIntArray<'l>,
) -> jobject {
    guard(&env, || env.new_string(&read(&env, &type_list)?.to_string()))
}

/// `long schemaFingerprint(int[] typeList)`
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_serow_jni_Native_schemaFingerprint<'l>(
    env: Env<'l>,
    _class: JClass<'l>,
    type_list: JIntArray<'l>,
) -> jlong {
    guard(&env, || Ok(read(&env, &type_list)?.fingerprint() as jlong))
}

/// `long planOpen(int[] typeList)`
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_serow_jni_Native_planOpen<'l>(
    env: Env<'l>,
    _class: JClass<'l>,
    type_list: JIntArray<'l>,
) -> jlong {
    guard(&env, || {
        let program = Program::of(&read(&env, &type_list)?);
        Ok(handle::give(Arc::new(Expected::new(program, Defaults::default()))))
    })
}

/// `void planClose(long plan)`
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_serow_jni_Native_planClose<'l>(
    env: Env<'l>,
    _class: JClass<'l>,
    plan: jlong,
) {
    guard(&env, || {
        // SAFETY: Java closes a plan once, when it is unreachable.
        unsafe { handle::free(plan) };
        Ok(())
    })
}

/// The plan of a handle.
///
/// # Safety
/// As for [`handle::shared`].
pub unsafe fn program(handle: jlong) -> Arc<Program> {
    // SAFETY: the caller upholds the contract.
    unsafe { expected(handle) }.program().clone()
}

/// The plan of a handle, with the conversions from other schemas.
///
/// # Safety
/// As for [`handle::shared`].
pub unsafe fn expected(handle: jlong) -> Arc<Expected> {
    // SAFETY: the caller upholds the contract.
    unsafe { handle::shared::<Arc<Expected>>(handle) }.clone()
}

//! Native methods about plans.

use std::sync::Arc;

use jni::objects::{JClass, JIntArray};
use jni::sys::jlong;
use serow_core::Result;
use serow_core::decode::Expected;
use serow_core::plan::Defaults;
use serow_core::program::Program;
use serow_core::schema::Schema;

use crate::env::Env;
use crate::guard::guard;
use crate::handle;

/// The schema of a type list from Java.
pub fn read(env: &Env<'_>, type_list: &JIntArray<'_>) -> Result<Schema> {
    Schema::from_type_list(&env.read_ints(type_list)?)
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
    unsafe { handle::shared::<Arc<Expected>>(handle) }.program().clone()
}

/// The plan of a handle, with the conversions from other schemas.
///
/// # Safety
/// As for [`handle::shared`].
pub unsafe fn expected(handle: jlong) -> Arc<Expected> {
    // SAFETY: the caller upholds the contract.
    unsafe { handle::shared::<Arc<Expected>>(handle) }.clone()
}

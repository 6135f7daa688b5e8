//! serow for the JVM: the native methods of `io.github.serow.jni.Native`.
//!
//! A generated Java class walks rows and writes *flat rows*; one native call a batch takes them
//! from there to the wire ([`encode`]), by compiled code once it pays ([`compile`]). On the way back
//! one native call a frame unpacks its columns into a block of memory ([`decode`], [`block`]), of which
//! a generated Java class makes rows. `docs/design.md` describes both layouts. Schemas are inferred and joined here, from descriptions
//! that Java makes of rows ([`infer`]), so that this is done by one piece of code for all
//! languages. Values that are made of parts are checked here ([`components`]) and made there.
//!
//! Every native method runs inside [`guard`], which turns errors and panics into Java's exceptions.

mod alloc;
mod block;
mod compile;
mod components;
mod decode;
mod encode;
mod env;
mod guard;
mod handle;
mod infer;
mod memory;
mod schema;
mod thread_exit;
mod view;

use std::ffi::c_void;

use jni::objects::JClass;
use jni::sys::{JavaVM, jint, jobject};
use serow_codegen::background;
use serow_core::{Error, ErrorKind};

use crate::env::Env;
use crate::guard::guard;

#[cfg(not(test))]
serow_codegen::ignore_static_dtors!();

/// The interface between this library and its jar: `Native.ABI` must be equal.
const ABI: jint = 7;

/// `int abi()`
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_serow_jni_Native_abi<'l>(
    env: Env<'l>,
    _class: JClass<'l>,
) -> jint {
    guard(&env, || Ok(ABI))
}

/// Called by the JVM when the class loader that loaded this library is gone, before it takes the
/// library's code out of memory.
#[unsafe(no_mangle)]
extern "system" fn JNI_OnUnload(_vm: *mut JavaVM, _reserved: *mut c_void) {
    background::stop();
    // SAFETY: with the class loader all of Java's handles are gone.
    unsafe { handle::free_all() };
    thread_exit::forget();
}

/// `String compilerSelfTest()`
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_serow_jni_Native_compilerSelfTest<'l>(
    env: Env<'l>,
    _class: JClass<'l>,
) -> jobject {
    guard(&env, || {
        let test = serow_codegen::self_test().map_err(|error| {
            Error::new(ErrorKind::Encode, format!("the compiler does not work here: {error}"))
        })?;
        env.new_string(&format!(
            "plan:\n{}\ncompiled by LLVM {} in {} microseconds; {} rows converted and compared",
            test.plan.trim_end(),
            test.llvm_version,
            test.compile_time.as_micros(),
            test.rows
        ))
    })
}

//! serow for the JVM: the native methods of `io.github.serow.jni.Native`.
//!
//! To encode, a generated Java class writes *flat rows*, and one native call per batch converts
//! them to the wire ([`encode`]), with compiled code once it pays ([`compile`]). To decode, one
//! native call per frame unpacks its columns into a block of memory ([`decode`], [`block`]), and a
//! generated Java class makes rows of them. `docs/jvm.md` describes both layouts. Native code
//! infers and joins schemas from Java's descriptions of rows ([`infer`]), so that all languages
//! share this code. It also checks the components of composite values ([`components`]), and Java
//! makes the values.
//!
//! Several threads can make the frames of one message ([`part`]), and unpack them.
//!
//! Every native method runs inside [`guard`], which turns errors and panics into Java exceptions.

mod alloc;
mod block;
mod compile;
mod components;
mod decode;
mod encode;
mod env;
mod flat;
mod format;
mod guard;
mod handle;
mod memory;
mod part;
mod schema;
mod seek;
mod sizes;
mod stream;
mod thread_exit;
mod unload;
mod unpack;
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

/// The version of the interface between this library and its jar: `Native.ABI` must be equal.
const ABI: jint = 14;

/// `int abi()`
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_serow_jni_Native_abi<'l>(
    env: Env<'l>,
    _class: JClass<'l>,
) -> jint {
    guard(&env, || Ok(ABI))
}

/// The JVM calls this before it unmaps the library, after the class loader that loaded it is
/// unloaded.
#[unsafe(no_mangle)]
extern "system" fn JNI_OnUnload(vm: *mut JavaVM, _reserved: *mut c_void) {
    // SAFETY: the JVM calls this function on a thread of Java.
    unsafe { unload::run_actions(vm) };
    background::stop();
    // SAFETY: Java's handles are gone with the class loader.
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

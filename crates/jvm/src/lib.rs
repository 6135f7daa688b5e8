//! serow for the JVM: the native methods of `io.github.serow.internal.jni.Native`.
//!
//! To encode, a generated Java class writes records of the row wire, and one native call per batch
//! converts them ([`encode`]), with compiled code once it pays ([`compile`]). To decode, one native
//! call per frame unpacks its columns into a block of memory ([`decode`], [`block`]), and a
//! generated Java class makes rows of them. `docs/jvm.md` describes both. Native code
//! infers and joins schemas from Java's descriptions of rows ([`infer`]), so that all languages
//! share this code. It also checks the components of composite values ([`components`]), and Java
//! makes the values.
//!
//! Several threads can make the frames of one message ([`part`]), and unpack them.
//!
//! [`arrow`] takes and gives rows as Arrow's columns.
//!
//! [`natives`] is the table of native methods. Each runs inside [`guard`], which turns errors and
//! panics into Java exceptions.

// JNI passes arrays and their lengths one by one.
#![allow(clippy::too_many_arguments)]

mod alloc;
mod arrow;
mod block;
mod compile;
mod components;
mod decode;
mod encode;
mod env;
mod format;
mod guard;
mod handle;
mod memory;
mod natives;
mod part;
mod records;
mod schema;
mod seek;
mod sizes;
mod stream;
mod thread_exit;
mod unpack;
mod view;

use std::ffi::c_void;

use jni::sys::{JavaVM, jint, jobject};
use serow_core::Result;

use crate::env::Env;

#[cfg(all(feature = "jit", not(test)))]
serow_codegen::ignore_static_dtors!();

fn abi(_env: &Env<'_>) -> Result<jint> {
    Ok(natives::ABI)
}

/// For `StringBytes` in Java, which reads the private fields of strings.
fn trusted_lookup(env: &Env<'_>) -> Result<jobject> {
    env.trusted_lookup()
}

/// The JVM calls this before it unmaps the library, after the class loader that loaded it is
/// unloaded.
#[unsafe(no_mangle)]
extern "system" fn JNI_OnUnload(_vm: *mut JavaVM, _reserved: *mut c_void) {
    compile::stop();
    // SAFETY: Java's handles are gone with the class loader.
    unsafe { handle::free_all() };
    thread_exit::forget();
}

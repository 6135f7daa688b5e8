//! Compiles plans to machine code with LLVM.
//!
//! A [`Program`] is unrolled into LLVM IR for a [`Conversion`], a pair of layouts ([`emit`]). A
//! target machine turns the IR into an object ([`engine`]), and ORC links the object into this
//! process ([`orc`]). The result is a [`Compiled`], which frees its code when it is dropped.
//!
//! LLVM is set up by the first [`compile`]. Every failure is a [`CompileError`], and the caller
//! continues with the interpreter: compiled code is only a faster way to the same result.
//! `docs/compiler.md` explains the crate.
//!
//! To build the crate, install Debian's packages `llvm-22-dev`, `libzstd-dev`, `zlib1g-dev` and `g++`.
//! It uses the `llvm-config-22` of the search path, or that in the prefix of LLVM which the environment
//! variable `LLVM_SYS_221_PREFIX` names.

#[cfg(not(all(target_arch = "x86_64", target_os = "linux")))]
compile_error!("serow's compiler supports only x86-64 Linux");

pub mod background;
mod cache;
mod compiled;
mod compiler;
mod conversion;
pub mod cpython;
mod debug_info;
mod emit;
mod engine;
mod error;
mod glibc;
mod helper;
mod key;
mod llvm_gate;
mod log;
mod orc;
mod room;
mod self_test;
mod service;
mod static_dtors;
mod symbols;
mod tiers;

pub use cache::cache_folder;
pub use compiled::{CodeOrigin, Compiled};
pub use compiler::Compiler;
pub use conversion::{Conversion, From, To};
pub use error::CompileError;
pub use self_test::{SelfTest, self_test};
pub use service::{code, code_at_hand, compile, find};
pub use tiers::{Layouts, Tier, UnknownTier, start};

use inkwell::targets::TargetMachine;
#[cfg(doc)]
use serow_core::program::Program;

/// Returns LLVM's name of this processor, for which code is compiled, such as `znver5`.
pub fn processor() -> String {
    TargetMachine::get_host_cpu_name().to_string()
}

/// Returns the version of the LLVM that is linked in, such as `22.1.8`.
pub fn llvm_version() -> String {
    let (major, minor, patch) = inkwell::support::get_llvm_version();
    format!("{major}.{minor}.{patch}")
}

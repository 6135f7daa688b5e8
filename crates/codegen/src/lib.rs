//! Plans as machine code, by LLVM.
//!
//! A [`Program`] is unrolled into LLVM IR for a [`Conversion`], a pair of layouts ([`emit`]), turned
//! into an object by a target machine ([`engine`]), and linked into this process by ORC ([`orc`]).
//! What comes back is a [`Compiled`], which frees its code when it is dropped.
//!
//! Nothing of LLVM is set up before the first [`compile`]. Whatever goes wrong is a
//! [`CompileError`], and the caller goes on in the interpreter: compiled code is only ever a faster
//! way to the same result. `docs/design.md` has the whole picture, under "Compiled code".

#[cfg(not(all(target_arch = "x86_64", target_os = "linux")))]
compile_error!("serow compiles for x86-64 Linux only, as yet");

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
mod self_test;
mod service;
mod static_dtors;
mod symbols;
mod tiers;

pub use compiled::{CodeOrigin, Compiled};
pub use compiler::Compiler;
pub use conversion::{Conversion, From, To};
pub use error::CompileError;
pub use self_test::{SelfTest, self_test};
pub use service::{code, code_at_hand, compile, find};
pub use tiers::{Layouts, Tier, UnknownTier, start};

#[cfg(doc)]
use serow_core::program::Program;

/// The version of the LLVM inside, such as `22.1.8`.
///
/// ```
/// assert!(serow_codegen::llvm_version().starts_with("22."));
/// ```
pub fn llvm_version() -> String {
    let (major, minor, patch) = inkwell::support::get_llvm_version();
    format!("{major}.{minor}.{patch}")
}

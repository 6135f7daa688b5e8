//! Compiles plans to machine code with LLVM.
//!
//! It has three layers, each on top of those before it. [`ir`] has typed values and the builder of functions.
//! [`emit`] unrolls a [`Program`] into IR for a [`Conversion`], a pair of layouts. [`jit`] has a target
//! machine, which turns the IR into an object, and ORC, which links the object into this process; it also
//! has the cache of objects and decides what is compiled when. The result is a [`Compiled`], which frees
//! its code when it is dropped.
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

mod emit;
mod error;
mod ir;
mod jit;

pub use emit::cpython::abi as cpython;
pub use emit::{Conversion, SinkLayout, SourceLayout};
pub use error::CompileError;
pub use jit::background;
pub use jit::cache::cache_folder;
pub use jit::compiled::Compiled;
pub use jit::compiler::Compiler;
pub use jit::self_test::{SelfTest, self_test};
pub use jit::service::{code, compile};
pub use jit::target::{llvm_version, processor};
pub use jit::tiers::{Conversions, start};

#[cfg(doc)]
use serow_core::program::Program;

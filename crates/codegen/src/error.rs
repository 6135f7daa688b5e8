//! The reasons why a plan was not compiled.

use std::error::Error;
use std::fmt;

/// The reason why a plan was not compiled. The interpreter still runs the plan.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CompileError {
    /// LLVM does not know this machine.
    Target(String),
    /// The IR could not be built, or is invalid. This is a bug in [`crate::emit`].
    Ir(String),
    /// LLVM could not make an object from valid IR.
    Object(String),
    /// The object could not be linked into this process.
    Link(String),
    /// The code ran, and its result differs from the plan's.
    Wrong(String),
    /// The schema or its code exceeds the limits of core.
    TooLarge(String),
    /// The plan has an instruction that only the interpreter supports.
    Interpreted(String),
    /// The process has hardly any memory left. LLVM would abort it when an allocation fails.
    NoMemory,
    /// This process was forked while its parent compiled. A thread that this process lacks may hold
    /// LLVM's locks, so it can never compile.
    Forked,
    /// The process is exiting.
    Exiting,
}

impl fmt::Display for CompileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CompileError::Target(why) => write!(f, "LLVM cannot compile for this machine: {why}"),
            CompileError::Ir(why) => write!(f, "the generated LLVM IR is invalid: {why}"),
            CompileError::Object(why) => write!(f, "LLVM made no machine code: {why}"),
            CompileError::Link(why) => write!(f, "the machine code cannot be linked: {why}"),
            CompileError::Wrong(why) => write!(f, "the machine code is wrong: {why}"),
            CompileError::TooLarge(why) => write!(f, "too large to compile: {why}"),
            CompileError::Interpreted(why) => write!(f, "only the interpreter supports {why}"),
            CompileError::NoMemory => f.write_str("too little memory to compile"),
            CompileError::Forked => f.write_str(
                "this process cannot compile, because it was forked while its parent compiled; \
                 fork before compiling, or after compiling is done",
            ),
            CompileError::Exiting => f.write_str("the process is exiting, so nothing is compiled"),
        }
    }
}

impl Error for CompileError {}

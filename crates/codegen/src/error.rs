//! Why a plan was not compiled.

use std::error::Error;
use std::fmt;

use inkwell::builder::BuilderError;

/// Why a plan was not compiled. The interpreter serves it all the same.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CompileError {
    /// LLVM does not know this machine.
    Target(String),
    /// The IR could not be built, or is not valid: a mistake in [`crate::emit`].
    Ir(String),
    /// No object could be made of valid IR.
    Object(String),
    /// The object could not be linked into this process.
    Link(String),
    /// The code ran and gave something else than the plan means.
    Wrong(String),
    /// The schema is too large, or the code; the limits are the core's.
    TooLarge(String),
    /// The plan has an instruction that only the interpreter runs.
    Interpreted(String),
    /// The process has hardly any memory left. LLVM would end it if it found none.
    NoMemory,
    /// This process is a child of one that was compiling when it was forked. LLVM's locks may be
    /// held in it by a thread that it does not have, so nothing can be compiled in it.
    Forked,
    /// The process exits.
    Exiting,
}

impl fmt::Display for CompileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CompileError::Target(why) => write!(f, "LLVM cannot compile for this machine: {why}"),
            CompileError::Ir(why) => write!(f, "the generated LLVM IR is wrong: {why}"),
            CompileError::Object(why) => write!(f, "LLVM made no machine code: {why}"),
            CompileError::Link(why) => write!(f, "the machine code cannot be linked: {why}"),
            CompileError::Wrong(why) => write!(f, "the machine code is wrong: {why}"),
            CompileError::TooLarge(why) => write!(f, "too large to compile: {why}"),
            CompileError::Interpreted(why) => write!(f, "left to the interpreter: {why}"),
            CompileError::NoMemory => f.write_str("there is too little memory to compile"),
            CompileError::Forked => f.write_str(
                "nothing can be compiled in this process, which was forked while its parent \
                 compiled; fork before, or compile before and wait until it is done",
            ),
            CompileError::Exiting => {
                f.write_str("the process is exiting, and nothing is compiled at exit")
            }
        }
    }
}

impl Error for CompileError {}

impl From<BuilderError> for CompileError {
    fn from(error: BuilderError) -> CompileError {
        CompileError::Ir(error.to_string())
    }
}

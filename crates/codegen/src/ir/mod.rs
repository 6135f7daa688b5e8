//! Typed values of LLVM IR and the builder of functions. The emitters of layouts see LLVM only through this
//! module.

mod emitter;
mod helper;
mod value;

use inkwell::builder::BuilderError;

pub(crate) use emitter::{Block, Built, Emitter, Function};
pub(crate) use helper::{Helper, Returned, Signature, Symbol, helpers, provided_helpers};
pub(crate) use inkwell::IntPredicate;
pub(crate) use value::{Bool, Int, Pointer, Typed, Value};

use crate::error::CompileError;

impl From<BuilderError> for CompileError {
    fn from(error: BuilderError) -> CompileError {
        CompileError::Ir(error.to_string())
    }
}

//! Emits LLVM IR for a plan, a source and a sink.
//!
//! A module has one function that converts rows in a loop. [`plan`] unrolls the plan's instructions
//! into the loop's body and knows no layouts. Each layout has a file with a function for every kind
//! of value; [`layout`] has their traits. What can be an SSA value is never stored in memory,
//! because no optimisation passes run afterwards.

mod batch;
mod columns;
mod cpython;
mod cursor_stack;
mod discard;
mod emitter;
mod flat;
mod layout;
mod plan;
mod row_reader;
mod row_writer;
mod unsafe_row;
mod value;

use inkwell::context::Context;
use inkwell::module::Module;
use inkwell::targets::TargetMachine;
use serow_core::program::Program;

use crate::error::CompileError;
use crate::{Conversion, From, To};
pub(crate) use emitter::Built;
use emitter::Emitter;
use layout::Source;
pub(crate) use value::{Int, Pointer, Typed, Value};

/// Emits the module for `program`. Its function has the name `symbol`.
pub(crate) fn module<'ctx>(
    context: &'ctx Context,
    machine: &TargetMachine,
    program: &Program,
    conversion: &Conversion<'_>,
    symbol: &str,
) -> Result<Module<'ctx>, CompileError> {
    let module = context.create_module(symbol);
    module.set_triple(&machine.get_triple());
    module.set_data_layout(&machine.get_target_data().get_data_layout());
    let (word, pointer) = (context.i64_type(), context.ptr_type(Default::default()));
    let parameters = [pointer.into(), pointer.into(), word.into(), word.into()];
    let ty = word.fn_type(&parameters, false);
    let mut e = Emitter::new(context, &module, symbol, ty)?;
    match conversion.from {
        From::Objects(cpython) => {
            let source = cpython::EmittedObjectReader::new(&e, cpython, program);
            with_source(&mut e, program, source, conversion.to)?;
        }
        From::Flat => {
            let source = flat::Flat::new(&e, program);
            with_source(&mut e, program, source, conversion.to)?;
        }
        From::RowWire => {
            let source = row_reader::EmittedRowReader::new(&e, program);
            with_source(&mut e, program, source, conversion.to)?;
        }
        From::Columns => {
            let source = columns::Windows::new(&e, program);
            with_source(&mut e, program, source, conversion.to)?;
        }
        From::UnsafeRows => {
            let storage = program.storage().ok_or_else(|| {
                CompileError::Ir("the program has no storage for Spark's rows".to_owned())
            })?;
            let source = unsafe_row::Rows::new(&e, storage);
            with_source(&mut e, program, source, conversion.to)?;
        }
    }
    Ok(module)
}

fn with_source<'ctx, S: Source<'ctx>>(
    e: &mut Emitter<'ctx, '_>,
    program: &Program,
    source: S,
    to: To<'_>,
) -> Built {
    match to {
        To::Objects(cpython) => {
            let sink = cpython::EmittedObjectWriter::new(e, cpython, program);
            plan::emit(e, program, source, sink)
        }
        To::RowWire => {
            let sink = row_writer::EmittedRowWriter::new(e, program);
            plan::emit(e, program, source, sink)
        }
        To::Batch => {
            let sink = batch::Staged::new(e, program);
            plan::emit(e, program, source, sink)
        }
    }
}

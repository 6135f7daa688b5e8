//! Emits LLVM IR for a plan.
//!
//! One module with one function, which converts rows in a loop; the plan's instructions are
//! unrolled into the loop's body, in order. Each kind of instruction has a file and in it a
//! function that emits it. Nothing is kept in memory that could be a value: no passes run
//! afterwards, so there is nobody to clean up.

mod ints;
mod row;

use inkwell::context::Context;
use inkwell::module::Module;
use inkwell::targets::TargetMachine;
use serow_core::plan::{Op, Plan};

use crate::error::CompileError;
use row::Row;

/// The module for `plan`, with its function under the name `symbol`.
pub(crate) fn module<'ctx>(
    context: &'ctx Context,
    machine: &TargetMachine,
    plan: &Plan,
    symbol: &str,
) -> Result<Module<'ctx>, CompileError> {
    let module = context.create_module(symbol);
    module.set_triple(&machine.get_triple());
    module.set_data_layout(&machine.get_target_data().get_data_layout());
    let mut row = Row::begin(context, &module, symbol)?;
    for (instruction, &op) in plan.ops.iter().enumerate() {
        match op {
            // One column is staged as yet, so it must be the first and have one field.
            Op::I64 { first: 0, count: 1 } => ints::emit(&mut row)?,
            Op::End => row.end()?,
            op => return Err(CompileError::Unsupported { instruction, op }),
        }
    }
    Ok(module)
}

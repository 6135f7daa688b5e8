//! Machine code for the rows of this process: [`Value`](crate::Value)s.

use serow_codegen::{CompileError, Compiler, Conversion, From, To};
use serow_core::layout::value::ValueLayout;
use serow_core::plan::Plan;

use crate::Wire;

fn conversion(wire: Wire) -> Option<Conversion<'static>> {
    let to = match wire {
        Wire::Row => To::RowWire,
        Wire::Frame => To::Batch,
    };
    Some(Conversion { from: From::Values(ValueLayout::of_process()?), to })
}

/// Have rows of `plan` be encoded by compiled code, if that is wanted and can be done.
pub(crate) fn compile(plan: &Plan, wire: Wire) {
    if std::env::var_os("SEROW_TIER").is_some_and(|tier| tier == "interpreter") {
        return;
    }
    if let Some(conversion) = conversion(wire) {
        // Without code the interpreter serves, and the codec's tier says so.
        // SAFETY: the layout of values was found in this process.
        let _: Result<(), CompileError> = unsafe { serow_codegen::compile(plan, &conversion) };
    }
}

/// The IR of what [`compile`] compiles.
pub(crate) fn ir(plan: &Plan, wire: Wire) -> Option<String> {
    let conversion = conversion(wire)?;
    Compiler::new().and_then(|compiler| compiler.ir(plan, &conversion)).ok()
}

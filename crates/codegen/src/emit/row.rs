//! The loop over the rows, and where it stands within a row.

use inkwell::attributes::{Attribute, AttributeLoc};
use inkwell::basic_block::BasicBlock;
use inkwell::builder::Builder;
use inkwell::context::Context;
use inkwell::module::Module;
use inkwell::types::IntType;
use inkwell::values::{FunctionValue, IntValue, PhiValue, PointerValue};
use inkwell::{AddressSpace, IntPredicate};

use crate::error::CompileError;

/// A function under construction, in the middle of a row.
///
/// ```text
/// i64 convert(ptr slots, i64 rows, ptr column)
///   start:    rows == 0 ? done : row
///   row:      index = phi [0, start], [next index, row's end]
///             cursor = phi [slots, start], [next slot, row's end]
///             …the instructions…
///             next index < rows ? row : done
///   done:     return rows
/// ```
pub(super) struct Row<'ctx> {
    pub(super) builder: Builder<'ctx>,
    /// The type of a slot, of an index and of a count.
    pub(super) word: IntType<'ctx>,
    /// The next slot to read. Instructions move it on.
    pub(super) cursor: PointerValue<'ctx>,
    /// The row's index in the batch.
    pub(super) index: IntValue<'ctx>,
    /// The values of the staged int column.
    pub(super) column: PointerValue<'ctx>,
    rows: IntValue<'ctx>,
    cursor_phi: PhiValue<'ctx>,
    index_phi: PhiValue<'ctx>,
    top: BasicBlock<'ctx>,
    done: BasicBlock<'ctx>,
}

impl<'ctx> Row<'ctx> {
    /// Begins the function `symbol`, up to where the row's first instruction goes.
    pub(super) fn begin(
        context: &'ctx Context,
        module: &Module<'ctx>,
        symbol: &str,
    ) -> Result<Row<'ctx>, CompileError> {
        let word = context.i64_type();
        let pointer = context.ptr_type(AddressSpace::default());
        let signature = word.fn_type(&[pointer.into(), word.into(), pointer.into()], false);
        let function = module.add_function(symbol, signature, None);
        // No unwind tables are made for it, and nothing it calls may unwind through it.
        attribute(context, function, AttributeLoc::Function, "nounwind");
        attribute(context, function, AttributeLoc::Param(0), "noalias");
        attribute(context, function, AttributeLoc::Param(0), "readonly");
        attribute(context, function, AttributeLoc::Param(2), "noalias");
        let slots = pointer_parameter(function, 0, "slots")?;
        let rows = function.get_nth_param(1).ok_or_else(missing)?.into_int_value();
        rows.set_name("rows");
        let column = pointer_parameter(function, 2, "column")?;

        let start = context.append_basic_block(function, "start");
        let top = context.append_basic_block(function, "row");
        let done = context.append_basic_block(function, "done");
        let builder = context.create_builder();

        builder.position_at_end(start);
        let none = builder.build_int_compare(IntPredicate::EQ, rows, word.const_zero(), "none")?;
        builder.build_conditional_branch(none, done, top)?;

        builder.position_at_end(done);
        builder.build_return(Some(&rows))?;

        builder.position_at_end(top);
        let index_phi = builder.build_phi(word, "index")?;
        index_phi.add_incoming(&[(&word.const_zero(), start)]);
        let cursor_phi = builder.build_phi(pointer, "cursor")?;
        cursor_phi.add_incoming(&[(&slots, start)]);
        Ok(Row {
            word,
            cursor: cursor_phi.as_basic_value().into_pointer_value(),
            index: index_phi.as_basic_value().into_int_value(),
            column,
            rows,
            cursor_phi,
            index_phi,
            top,
            done,
            builder,
        })
    }

    /// Emits [`Op::End`](serow_core::plan::Op::End): on to the next row, if there is one.
    pub(super) fn end(&mut self) -> Result<(), CompileError> {
        let one = self.word.const_int(1, false);
        // The count of rows fits, so counting up to it does.
        let next = self.builder.build_int_nuw_add(self.index, one, "next")?;
        let more = self.builder.build_int_compare(IntPredicate::ULT, next, self.rows, "more")?;
        let bottom = self.builder.get_insert_block().ok_or_else(missing)?;
        self.builder.build_conditional_branch(more, self.top, self.done)?;
        self.index_phi.add_incoming(&[(&next, bottom)]);
        self.cursor_phi.add_incoming(&[(&self.cursor, bottom)]);
        Ok(())
    }
}

fn pointer_parameter<'ctx>(
    function: FunctionValue<'ctx>,
    index: u32,
    name: &str,
) -> Result<PointerValue<'ctx>, CompileError> {
    let value = function.get_nth_param(index).ok_or_else(missing)?.into_pointer_value();
    value.set_name(name);
    Ok(value)
}

fn attribute(context: &Context, function: FunctionValue<'_>, place: AttributeLoc, name: &str) {
    let kind = Attribute::get_named_enum_kind_id(name);
    function.add_attribute(place, context.create_enum_attribute(kind, 0));
}

fn missing() -> CompileError {
    CompileError::Ir("a function without its parameters or blocks".to_owned())
}

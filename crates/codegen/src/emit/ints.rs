//! 64-bit integers.

use super::row::Row;
use crate::error::CompileError;

/// Emits an [`Op::I64`](serow_core::plan::Op::I64) of one field: one slot into the int column.
pub(super) fn emit(row: &mut Row<'_>) -> Result<(), CompileError> {
    let builder = &row.builder;
    let value = builder.build_load(row.word, row.cursor, "value")?;
    // SAFETY: the caller promises as many slots and as much room in the column as there are rows.
    let place =
        unsafe { builder.build_in_bounds_gep(row.word, row.column, &[row.index], "place") }?;
    builder.build_store(place, value)?;
    let one = row.word.const_int(1, false);
    // SAFETY: this is at most the end of the slots.
    row.cursor = unsafe { builder.build_in_bounds_gep(row.word, row.cursor, &[one], "slot") }?;
    Ok(())
}

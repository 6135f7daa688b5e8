//! Views of lists, as producers leave them.

use arrow_buffer::{Buffer, MutableBuffer, NullBuffer};
use arrow_schema::DataType;

/// Sets the views of lists that are null to zero. Java's producer leaves anything there, which nobody reads,
/// and Arrow's library would refuse it. `offset` is the first value's place in the `buffers`.
pub(super) fn clean(
    ty: &DataType,
    buffers: &mut [Buffer],
    offset: usize,
    nulls: Option<&NullBuffer>,
) {
    let width = match ty {
        DataType::ListView(_) => size_of::<i32>(),
        DataType::LargeListView(_) => size_of::<i64>(),
        _ => return,
    };
    let Some(nulls) = nulls else { return };
    let is_null = |slot: usize| {
        let value = slot.checked_sub(offset);
        value.is_some_and(|value| value < nulls.len() && nulls.is_null(value))
    };
    for buffer in buffers {
        let each = || buffer.chunks_exact(width).enumerate();
        if each().any(|(slot, value)| is_null(slot) && value.iter().any(|&byte| byte != 0)) {
            let mut cleaned = MutableBuffer::from_len_zeroed(buffer.len());
            for ((slot, value), to) in each().zip(cleaned.chunks_exact_mut(width)) {
                if !is_null(slot) {
                    to.copy_from_slice(value);
                }
            }
            *buffer = Buffer::from(cleaned);
        }
    }
}

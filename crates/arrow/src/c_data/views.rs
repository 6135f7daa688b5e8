//! Views of texts and of lists, as producers leave them.

use arrow_buffer::{Buffer, MutableBuffer, NullBuffer};
use arrow_schema::DataType;

/// Sets what views of nulls have, and what follows a short text in its view, to zero. Java's producer leaves
/// anything there, which nobody reads, and Arrow's library would refuse it. `offset` is the first value's
/// place in the `buffers`.
pub(super) fn clean(
    ty: &DataType,
    buffers: &mut [Buffer],
    offset: usize,
    nulls: Option<&NullBuffer>,
) {
    let is_null = |slot: usize| {
        let value = slot.checked_sub(offset);
        nulls.zip(value).is_some_and(|(nulls, value)| value < nulls.len() && nulls.is_null(value))
    };
    match ty {
        DataType::Utf8View | DataType::BinaryView => {
            buffers.iter_mut().take(1).for_each(|of| clean_values::<16>(of, is_null));
        }
        DataType::ListView(_) => {
            buffers.iter_mut().for_each(|of| clean_values::<4>(of, is_null));
        }
        DataType::LargeListView(_) => {
            buffers.iter_mut().for_each(|of| clean_values::<8>(of, is_null));
        }
        _ => {}
    }
}

/// Cleans the values of a buffer, which have `N` bytes each. A value of 16 bytes is the view of a text.
fn clean_values<const N: usize>(values: &mut Buffer, is_null: impl Fn(usize) -> bool) {
    const SHORT: usize = 12;
    // The number of bytes to keep.
    let kept = |slot, value: &[u8]| match value {
        _ if is_null(slot) => 0,
        &[a, b, c, d, ..] if N == 16 => {
            let len = u32::from_le_bytes([a, b, c, d]) as usize;
            if len <= SHORT { 4 + len } else { N }
        }
        _ => N,
    };
    let each = || values.chunks_exact(N).enumerate();
    let is_clean =
        |(slot, value): (usize, &[u8])| value[kept(slot, value)..].iter().all(|&byte| byte == 0);
    if each().all(is_clean) {
        return;
    }
    let mut cleaned = MutableBuffer::from_len_zeroed(values.len());
    for ((slot, value), to) in each().zip(cleaned.chunks_exact_mut(N)) {
        let kept = kept(slot, value);
        to[..kept].copy_from_slice(&value[..kept]);
    }
    *values = Buffer::from(cleaned);
}

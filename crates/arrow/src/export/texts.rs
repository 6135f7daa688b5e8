//! Texts and byte strings in the forms that Arrow has for them.

use std::sync::Arc;

use arrow_array::builder::StringDictionaryBuilder;
use arrow_array::cast::AsArray;
use arrow_array::types::Int32Type;
use arrow_array::{
    Array, ArrayRef, BinaryViewArray, FixedSizeBinaryArray, StringArray, StringViewArray,
    make_array,
};
use arrow_buffer::Buffer;
use arrow_schema::DataType;
use serow_core::memory;

use super::{Made, TOO_LONG, integers, string_array};
use crate::failure::wrong;
use crate::slots::Slots;

/// Whether this is one of the forms of texts.
pub(super) fn is_text(ty: &DataType) -> bool {
    matches!(ty, DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View)
}

/// An array of the texts that `push` appends for each of `count` values.
pub(super) fn of_each(
    count: usize,
    wanted: &DataType,
    slots: &Slots,
    push: &dyn Fn(usize, &mut String),
) -> Made {
    let (mut text, mut ends) = (String::new(), memory::with_capacity(count)?);
    for i in 0..count {
        push(i, &mut text);
        ends.push(u32::try_from(text.len()).map_err(|_| TOO_LONG)?);
    }
    in_form(string_array(text.into_bytes(), &ends, true, slots)?, wanted)
}

/// The array of the wanted type with the values of `array`, which is `utf8` or `binary`.
pub(super) fn in_form(array: ArrayRef, wanted: &DataType) -> Made {
    if array.data_type() == wanted {
        return Ok(array);
    }
    match (array.data_type(), wanted) {
        (DataType::Utf8, DataType::LargeUtf8) | (DataType::Binary, DataType::LargeBinary) => {
            let data = array.to_data();
            let buffers = vec![wide(data.buffer(0)), data.buffers()[1].clone()];
            let data = data.into_builder().data_type(wanted.clone()).buffers(buffers);
            Ok(make_array(data.build()?))
        }
        (DataType::Utf8, DataType::Utf8View) => {
            Ok(Arc::new(StringViewArray::from(array.as_string::<i32>())))
        }
        (DataType::Utf8, DataType::Dictionary(keys, values)) if **values == DataType::Utf8 => {
            let mut builder = StringDictionaryBuilder::<Int32Type>::new();
            for text in array.as_string::<i32>() {
                builder.append_option(text);
            }
            let made = builder.finish();
            let given = made.keys().values().iter().map(|&key| key.into()).collect();
            let keys = integers(given, keys, &Slots::all(array.len()))?;
            let keys = keys.to_data().into_builder().nulls(array.nulls().cloned()).build()?;
            dictionary(&make_array(keys), made.values().as_string(), wanted)
        }
        (DataType::Binary, DataType::BinaryView) => {
            Ok(Arc::new(BinaryViewArray::from(array.as_binary::<i32>())))
        }
        (DataType::Binary, DataType::FixedSizeBinary(size)) => {
            let values = array.as_binary::<i32>().iter();
            Ok(Arc::new(FixedSizeBinaryArray::try_from_sparse_iter_with_size(values, *size)?))
        }
        (from, wanted) => wrong(format!("values that are {from} can't be stored as {wanted}")),
    }
}

/// The same offsets in 64 bits.
pub(super) fn wide(offsets: &[i32]) -> Buffer {
    Buffer::from_vec(offsets.iter().map(|&end| end.into()).collect::<Vec<i64>>())
}

/// A dictionary of these entries.
pub(super) fn dictionary(keys: &ArrayRef, entries: &StringArray, wanted: &DataType) -> Made {
    let data = keys.to_data().into_builder().data_type(wanted.clone());
    Ok(make_array(data.add_child_data(entries.to_data()).build()?))
}

//! Texts and byte strings in the forms that Arrow has for them.

use std::sync::Arc;

use arrow_array::builder::StringDictionaryBuilder;
use arrow_array::cast::AsArray;
use arrow_array::types::{
    ArrowDictionaryKeyType, Int8Type, Int16Type, Int32Type, Int64Type, UInt8Type, UInt16Type,
    UInt32Type, UInt64Type,
};
use arrow_array::{
    Array, ArrayRef, BinaryViewArray, FixedSizeBinaryArray, LargeBinaryArray, LargeStringArray,
    StringArray, StringViewArray, make_array,
};
use arrow_buffer::{Buffer, OffsetBuffer};
use arrow_schema::DataType;
use serow_core::memory;

use super::{Made, TOO_LONG, string_array};
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
        (DataType::Utf8, DataType::LargeUtf8) => {
            let (offsets, values, nulls) = array.as_string::<i32>().clone().into_parts();
            let offsets = OffsetBuffer::new(wide(&offsets).into());
            Ok(Arc::new(LargeStringArray::try_new(offsets, values, nulls)?))
        }
        (DataType::Binary, DataType::LargeBinary) => {
            let (offsets, values, nulls) = array.as_binary::<i32>().clone().into_parts();
            let offsets = OffsetBuffer::new(wide(&offsets).into());
            Ok(Arc::new(LargeBinaryArray::try_new(offsets, values, nulls)?))
        }
        (DataType::Utf8, DataType::Utf8View) => {
            Ok(Arc::new(StringViewArray::from(array.as_string::<i32>())))
        }
        (DataType::Utf8, DataType::Dictionary(keys, values)) if **values == DataType::Utf8 => {
            let texts = array.as_string::<i32>();
            match **keys {
                DataType::Int8 => encoded::<Int8Type>(texts),
                DataType::Int16 => encoded::<Int16Type>(texts),
                DataType::Int32 => encoded::<Int32Type>(texts),
                DataType::Int64 => encoded::<Int64Type>(texts),
                DataType::UInt8 => encoded::<UInt8Type>(texts),
                DataType::UInt16 => encoded::<UInt16Type>(texts),
                DataType::UInt32 => encoded::<UInt32Type>(texts),
                _ => encoded::<UInt64Type>(texts),
            }
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

/// A dictionary of the texts. It has a builder of its own for each width of keys, because the keys of one width would
/// be copied and compared with the entries once more.
fn encoded<K: ArrowDictionaryKeyType>(texts: &StringArray) -> Made {
    let mut builder = StringDictionaryBuilder::<K>::new();
    for text in texts {
        match text {
            Some(text) => _ = builder.append(text)?,
            None => builder.append_null(),
        }
    }
    Ok(Arc::new(builder.finish()))
}

/// A dictionary of these entries.
pub(super) fn dictionary(keys: &ArrayRef, entries: &StringArray, wanted: &DataType) -> Made {
    let data = keys.to_data().into_builder().data_type(wanted.clone());
    Ok(make_array(data.add_child_data(entries.to_data()).build()?))
}

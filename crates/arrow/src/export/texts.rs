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
    StringArray, StringViewArray,
};
use arrow_buffer::{OffsetBuffer, ScalarBuffer};
use arrow_schema::DataType;

use super::{Made, wrong};

/// Whether this is one of the forms of texts.
pub(super) fn is_text(ty: &DataType) -> bool {
    matches!(ty, DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View)
}

/// The array of the wanted type with the values of `array`, which is `utf8` or `binary`.
pub(super) fn in_form(array: ArrayRef, wanted: &DataType) -> Made {
    if array.data_type() == wanted {
        return Ok(array);
    }
    match (array.data_type(), wanted) {
        (DataType::Utf8, DataType::LargeUtf8) => {
            let of = array.as_string::<i32>();
            let offsets = wide(of.offsets());
            Ok(Arc::new(LargeStringArray::try_new(
                offsets,
                of.values().clone(),
                of.nulls().cloned(),
            )?))
        }
        (DataType::Utf8, DataType::Utf8View) => {
            Ok(Arc::new(StringViewArray::from(array.as_string::<i32>())))
        }
        (DataType::Utf8, DataType::Dictionary(keys, values)) if **values == DataType::Utf8 => {
            let texts = array.as_string::<i32>();
            match **keys {
                DataType::Int8 => dictionary::<Int8Type>(texts),
                DataType::Int16 => dictionary::<Int16Type>(texts),
                DataType::Int32 => dictionary::<Int32Type>(texts),
                DataType::Int64 => dictionary::<Int64Type>(texts),
                DataType::UInt8 => dictionary::<UInt8Type>(texts),
                DataType::UInt16 => dictionary::<UInt16Type>(texts),
                DataType::UInt32 => dictionary::<UInt32Type>(texts),
                _ => dictionary::<UInt64Type>(texts),
            }
        }
        (DataType::Binary, DataType::LargeBinary) => {
            let of = array.as_binary::<i32>();
            let offsets = wide(of.offsets());
            Ok(Arc::new(LargeBinaryArray::try_new(
                offsets,
                of.values().clone(),
                of.nulls().cloned(),
            )?))
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
pub(super) fn wide(offsets: &OffsetBuffer<i32>) -> OffsetBuffer<i64> {
    let wide: Vec<i64> = offsets.iter().map(|&end| end.into()).collect();
    OffsetBuffer::new(ScalarBuffer::from(wide))
}

fn dictionary<K: ArrowDictionaryKeyType>(texts: &StringArray) -> Made {
    let mut builder = StringDictionaryBuilder::<K>::new();
    for text in texts {
        match text {
            Some(text) => _ = builder.append(text)?,
            None => builder.append_null(),
        }
    }
    Ok(Arc::new(builder.finish()))
}

//! A quick check of strings.

use arrow_buffer::ArrowNativeType;
use arrow_data::ArrayData;
use arrow_schema::DataType;

/// Returns whether `data` has strings, and all of them are valid: their ends ascend, and texts are UTF-8.
/// The library's check finds what is wrong, but looks at one string after another. `data` must have passed
/// [`ArrayData::validate`].
pub(super) fn are_valid(data: &ArrayData) -> bool {
    match data.data_type() {
        DataType::Utf8 => are_ranges::<i32>(data, true),
        DataType::LargeUtf8 => are_ranges::<i64>(data, true),
        DataType::Binary => are_ranges::<i32>(data, false),
        DataType::LargeBinary => are_ranges::<i64>(data, false),
        _ => false,
    }
}

fn are_ranges<T: ArrowNativeType + Ord>(data: &ArrayData, are_texts: bool) -> bool {
    let [offsets, values] = data.buffers() else { return false };
    let of_values = data.offset()..data.offset() + data.len() + 1;
    let Some(offsets) = offsets.typed_data::<T>().get(of_values) else { return false };
    let [Some(first), Some(last)] = [offsets.first(), offsets.last()].map(|at| at?.to_usize())
    else {
        return false;
    };
    // Without an early end these loops handle many offsets at once.
    let ascend = offsets.iter().zip(&offsets[1..]).fold(true, |ok, (at, next)| ok & (at <= next));
    let Some(used) = values.get(first..last).filter(|_| ascend) else { return false };
    if !are_texts || used.is_ascii() {
        return true;
    }
    let Ok(text) = std::str::from_utf8(used) else { return false };
    offsets.iter().all(|at| text.is_char_boundary(at.as_usize() - first))
}

#[cfg(test)]
mod tests {
    use arrow_array::{Array, BinaryArray, LargeStringArray, StringArray};
    use arrow_buffer::Buffer;

    use super::*;

    /// Strings in `values` that end at these offsets, unchecked.
    fn strings(ty: DataType, offsets: &[i32], values: &[u8]) -> ArrayData {
        let made = ArrayData::builder(ty).len(offsets.len() - 1);
        let made =
            made.add_buffer(Buffer::from_slice_ref(offsets)).add_buffer(Buffer::from(values));
        // SAFETY: nothing reads the values but the check.
        unsafe { made.skip_validation(true) }.build().unwrap()
    }

    #[test]
    fn it_agrees_with_the_library() {
        let cases: [(&[i32], &[u8]); 9] = [
            (&[0, 1, 3], b"abc"),
            (&[1, 1, 2], b"abc"),
            (&[0, 2, 3], "éa".as_bytes()),
            (&[0, 1, 3], "éa".as_bytes()),
            (&[0, 2, 1], b"abc"),
            (&[0, 2], b"\xff\xfe"),
            (&[0, 1, 2], b"a\xc3"),
            (&[-1, 1], b"abc"),
            (&[0], b""),
        ];
        for (offsets, values) in cases {
            for ty in [DataType::Utf8, DataType::Binary] {
                let data = strings(ty, offsets, values);
                let expected = data.validate().is_ok() && data.validate_values().is_ok();
                assert_eq!(data.validate().is_ok() && are_valid(&data), expected, "{data:?}");
            }
        }
    }

    #[test]
    fn slices_and_other_widths_are_valid() {
        let texts = StringArray::from(vec!["é", "ab", ""]);
        assert!(are_valid(&texts.slice(1, 2).to_data()));
        assert!(are_valid(&LargeStringArray::from(vec!["é", "ab"]).to_data()));
        assert!(are_valid(&BinaryArray::from(vec![b"\xff".as_slice()]).to_data()));
        assert!(!are_valid(&arrow_array::Int64Array::from(vec![1]).to_data()));
    }
}

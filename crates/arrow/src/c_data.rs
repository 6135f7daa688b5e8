//! Arrays of others, by Arrow's C data interface.

use std::ffi::{CStr, c_void};
use std::ptr;
use std::sync::Arc;

use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema, from_ffi_and_data_type};
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{Array, ArrayRef, RecordBatch, StructArray, make_array};
use arrow_buffer::{Buffer, MutableBuffer};
use arrow_data::ArrayData;
use arrow_schema::{ArrowError, DataType, Field, Schema as ArrowSchema};
use serow_core::{Error, Result};

/// The arrays of a stream.
#[derive(Debug)]
pub struct Stream {
    stream: FFI_ArrowArrayStream,
    field: Field,
}

impl Stream {
    /// Asks for the field of the arrays.
    ///
    /// # Errors
    /// The producer's error. An error of its own says that the stream is already released.
    pub fn new(mut stream: FFI_ArrowArrayStream) -> std::result::Result<Stream, ArrowError> {
        let Some(get_schema) = stream.get_schema().filter(|_| stream.release().is_some()) else {
            return Err(ArrowError::CDataInterface("the stream is already released".into()));
        };
        let mut schema = FFI_ArrowSchema::empty();
        // SAFETY: the stream is not released, and there is space for the schema.
        match unsafe { get_schema(&raw mut stream, &raw mut schema) } {
            0 => Ok(Stream { field: Field::try_from(&schema)?, stream }),
            code => Err(failed(&mut stream, code)),
        }
    }

    /// The field of all arrays.
    pub fn field(&self) -> &Field {
        &self.field
    }
}

impl Iterator for Stream {
    type Item = std::result::Result<ArrayRef, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        let get_next = self.stream.get_next()?;
        let mut given = FFI_ArrowArray::empty();
        // SAFETY: the stream is not released, and there is space for the array.
        match unsafe { get_next(&raw mut self.stream, &raw mut given) } {
            0 if given.is_released() => None,
            // SAFETY: the producer gave the array as one of this type.
            0 => Some(unsafe { array(given, self.field.data_type()) }),
            code => Some(Err(failed(&mut self.stream, code))),
        }
    }
}

/// The error of the producer.
fn failed(stream: &mut FFI_ArrowArrayStream, code: i32) -> ArrowError {
    let text = stream.get_last_error().map_or(ptr::null(), |get| {
        // SAFETY: the stream is not released.
        unsafe { get(ptr::from_mut(stream)) }
    });
    let said = match text.is_null() {
        true => format!("error {code}"),
        // SAFETY: the producer's text ends with a null, and is valid until the next call.
        false => unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned(),
    };
    ArrowError::CDataInterface(format!("the producer of the arrays failed: {said}"))
}

/// An array, whose memory the producer releases when it is dropped. It is checked.
///
/// # Errors
/// What is wrong with the array.
///
/// # Safety
/// The array must be one of `ty`.
pub unsafe fn array(
    mut given: FFI_ArrowArray,
    ty: &DataType,
) -> std::result::Result<ArrayRef, ArrowError> {
    // SAFETY: `CArray` has the fields of `FFI_ArrowArray`, because the C data interface defines both.
    unsafe { drop_buffers_of_nulls(ptr::from_mut(&mut given).cast(), ty) };
    // SAFETY: the caller's promise.
    let data = with_clean_views(unsafe { from_ffi_and_data_type(given, ty.clone()) }?);
    check(&data)?;
    Ok(make_array(data))
}

/// The rows of an array of this field, as a batch: those of its columns, or its values.
///
/// # Errors
/// A decode error if a row of columns is null.
pub fn batch_of(field: &Field, array: ArrayRef) -> Result<RecordBatch> {
    if matches!(field.data_type(), DataType::Struct(_)) {
        return match array.null_count() {
            0 => Ok(RecordBatch::from(StructArray::from(array.to_data()))),
            _ => Err(Error::decode(
                "a row is null; give the rows as a column of a table, or without the nulls",
            )),
        };
    }
    let schema = Arc::new(ArrowSchema::new(vec![field.clone().with_name("value")]));
    RecordBatch::try_new(schema, vec![array]).map_err(|error| Error::decode(error.to_string()))
}

/// `struct ArrowArray` of the C data interface.
#[repr(C)]
struct CArray {
    length: i64,
    null_count: i64,
    offset: i64,
    n_buffers: i64,
    n_children: i64,
    buffers: *mut *const c_void,
    children: *mut *mut CArray,
    dictionary: *mut CArray,
    release: Option<unsafe extern "C" fn(*mut CArray)>,
    private_data: *mut c_void,
}

/// Checks an array and all within. An error names the column if the array has columns.
fn check(data: &ArrayData) -> std::result::Result<(), ArrowError> {
    let DataType::Struct(fields) = data.data_type() else { return data.validate_full() };
    for (field, column) in fields.iter().zip(data.child_data()) {
        column.validate_full().map_err(|error| {
            ArrowError::InvalidArgumentError(format!("column {}: {error}", field.name()))
        })?;
    }
    data.validate_data()
}

/// Sets what views of nulls have, and what follows a short text in its view, to zero. Java's producer leaves
/// anything there, and the library would refuse it.
fn with_clean_views(data: ArrayData) -> ArrayData {
    let is_null = |slot: usize| {
        let slot = slot.checked_sub(data.offset()).filter(|&slot| slot < data.len());
        slot.is_some_and(|slot| data.is_null(slot))
    };
    let mut buffers = data.buffers().to_vec();
    match data.data_type() {
        DataType::Utf8View | DataType::BinaryView => {
            buffers.iter_mut().take(1).for_each(|of| clean::<16>(of, is_null));
        }
        DataType::ListView(_) => buffers.iter_mut().for_each(|of| clean::<4>(of, is_null)),
        DataType::LargeListView(_) => buffers.iter_mut().for_each(|of| clean::<8>(of, is_null)),
        _ => {}
    }
    let children = data.child_data().iter().cloned().map(with_clean_views).collect();
    // SAFETY: the array is checked before it is used.
    unsafe { data.into_builder().buffers(buffers).child_data(children).build_unchecked() }
}

/// Cleans values of `N` bytes. Those of 16 bytes are views of texts.
fn clean<const N: usize>(values: &mut Buffer, is_null: impl Fn(usize) -> bool) {
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

/// Makes arrays of nulls have no buffer, as Arrow's format says. Polars gives them one, and the library
/// would refuse it.
///
/// # Safety
/// `array` must be null or an array of the C data interface that is one of `ty`.
unsafe fn drop_buffers_of_nulls(array: *mut CArray, ty: &DataType) {
    // SAFETY: the caller's promise. The children are those that the array says it has.
    unsafe {
        let Some(of) = array.as_mut() else { return };
        let child = |i: usize, ty: &DataType| {
            if (i as i64) < of.n_children && !of.children.is_null() {
                drop_buffers_of_nulls(*of.children.add(i), ty);
            }
        };
        match ty {
            DataType::Null => of.n_buffers = 0,
            DataType::Struct(fields) => {
                fields.iter().enumerate().for_each(|(i, field)| child(i, field.data_type()));
            }
            DataType::Union(fields, _) => {
                fields.iter().enumerate().for_each(|(i, (_, field))| child(i, field.data_type()));
            }
            DataType::List(item)
            | DataType::LargeList(item)
            | DataType::ListView(item)
            | DataType::LargeListView(item)
            | DataType::FixedSizeList(item, _)
            | DataType::Map(item, _) => child(0, item.data_type()),
            DataType::RunEndEncoded(_, values) => child(1, values.data_type()),
            DataType::Dictionary(_, values) => drop_buffers_of_nulls(of.dictionary, values),
            _ => {}
        }
    }
}

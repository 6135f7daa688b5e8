//! Arrays of others, by Arrow's C data interface.
//!
//! A producer gives addresses, and no lengths of memory. That the structures and buffers are where it says,
//! and as long as its own counts demand, is its promise, which nobody can check. Everything else is checked
//! here, before Arrow's library gets it: a null pointer, a count that is none, a length that no memory has,
//! a structure that is released. What the buffers hold is checked by [`Import`], which is the only one to
//! read them: what is below a null, or outside of a slice, may be anything. So what is wrong is an error
//! that names the column, and whatever happens, what the producer gave is released once.
//!
//! [`Import`]: crate::Import

mod arrays;
mod schemas;
mod views;

use std::ffi::CStr;
use std::fmt::Display;
use std::ptr;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema};
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{Array, ArrayRef, RecordBatch};
use arrow_schema::{ArrowError, DataType, Field, Schema as ArrowSchema};
use serow_core::{Error, Result};

/// What to do with extension types.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extensions {
    /// Read those that serow knows as what they are, and refuse the others.
    Known,
    /// Read the storage of all.
    Storage,
}

/// The arrays of a stream, until its end or the first error. Then the stream is released.
#[derive(Debug)]
pub struct Stream {
    /// `None` at the end.
    stream: Option<FFI_ArrowArrayStream>,
    field: Field,
    /// The number of arrays so far.
    before: usize,
}

impl Stream {
    /// Asks for the field of the arrays.
    ///
    /// # Errors
    /// A decode error if the stream is released or damaged, or the producer fails.
    ///
    /// # Safety
    /// Each array must be as [`array`] demands, and read as it says.
    pub unsafe fn new(mut stream: FFI_ArrowArrayStream, extensions: Extensions) -> Result<Stream> {
        if stream.release().is_none() {
            return wrong("the stream of arrays is already released; take a new one");
        }
        let Some(get_schema) = stream.get_schema() else { return lacks("get_schema") };
        let mut schema = FFI_ArrowSchema::empty();
        // SAFETY: the stream is not released, and there is space for the schema.
        let code = unsafe { get_schema(&raw mut stream, &raw mut schema) };
        if code != 0 {
            return failed(&mut stream, code);
        }
        // SAFETY: the producer gave it as a schema.
        let field = unsafe { field(&schema, extensions) }?;
        Ok(Stream { stream: Some(stream), field, before: 0 })
    }

    /// The field of all arrays.
    pub fn field(&self) -> &Field {
        &self.field
    }

    fn next_array(&mut self) -> Result<Option<ArrayRef>> {
        let Some(mut stream) = self.stream.take() else { return Ok(None) };
        let Some(get_next) = stream.get_next() else { return lacks("get_next") };
        let mut given = FFI_ArrowArray::empty();
        // SAFETY: the stream is not released, and there is space for the array.
        let code = unsafe { get_next(&raw mut stream, &raw mut given) };
        if code != 0 {
            return failed(&mut stream, code);
        }
        if given.is_released() {
            return Ok(None);
        }
        // SAFETY: the producer gave the array as one of this type.
        let array = unsafe { arrays::array(given, self.field.data_type()) };
        let array = array.map_err(|error| {
            error.within(format_args!("array {} of the stream is damaged", self.before))
        })?;
        self.before += 1;
        self.stream = Some(stream);
        Ok(Some(array))
    }
}

impl Iterator for Stream {
    type Item = Result<ArrayRef>;

    fn next(&mut self) -> Option<Self::Item> {
        self.next_array().transpose()
    }
}

/// The field that a schema describes.
///
/// # Errors
/// A decode error that says what is wrong with the schema. A limit error if it is too large.
///
/// # Safety
/// Each address in the schema must be null, or one of what the C data interface says, which must be as
/// long as the counts beside it say.
pub unsafe fn field(schema: &FFI_ArrowSchema, extensions: Extensions) -> Result<Field> {
    // SAFETY: the caller's promise.
    let field = unsafe { schemas::field(schema, extensions) };
    field.map_err(|error| error.within("the schema of the arrays can't be read"))
}

/// An array, whose memory the producer releases when it is dropped. Its structure is checked, and not its
/// values: offsets, keys and views may lead to anywhere, and texts may be none.
///
/// # Errors
/// A decode error that says what is wrong with the array.
///
/// # Safety
/// Each address in the array must be null, or one of what the C data interface says for an array of `ty`,
/// which must be as long as the counts beside it say. Only [`Import`](crate::Import) may read the values.
pub unsafe fn array(given: FFI_ArrowArray, ty: &DataType) -> Result<ArrayRef> {
    // SAFETY: the caller's promise.
    let array = unsafe { arrays::array(given, ty) };
    array.map_err(|error| error.within("the array is damaged"))
}

/// Makes a batch of an array of this field. The children of a struct become the columns; any other array
/// becomes one column `value`.
///
/// # Errors
/// A decode error if a row of columns is null, or a value of a field that has none.
pub fn batch_of(field: &Field, array: ArrayRef) -> Result<RecordBatch> {
    if matches!(field.data_type(), DataType::Struct(_)) {
        return match array.null_count() {
            0 => Ok(RecordBatch::from(array.as_struct().clone())),
            _ => wrong("a row is null; give the rows as a column of a table, or without the nulls"),
        };
    }
    let schema = Arc::new(ArrowSchema::new(vec![field.clone().with_name("value")]));
    RecordBatch::try_new(schema, vec![array]).map_err(refused)
}

fn lacks<T>(callback: &str) -> Result<T> {
    wrong(format_args!("the stream of arrays is damaged: its callback {callback} is null"))
}

/// The error of the producer.
fn failed<T>(stream: &mut FFI_ArrowArrayStream, code: i32) -> Result<T> {
    let text = stream.get_last_error().map_or(ptr::null(), |get| {
        // SAFETY: the stream is not released.
        unsafe { get(ptr::from_mut(stream)) }
    });
    let said = match text.is_null() {
        true => format!("error {code}"),
        // SAFETY: the producer's text ends with a null, and is valid until the next call.
        false => unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned(),
    };
    wrong(format_args!("the producer of the arrays failed: {said}"))
}

/// An error of Arrow's library about something that was given.
fn refused(error: ArrowError) -> Error {
    Error::decode(match error {
        ArrowError::InvalidArgumentError(why)
        | ArrowError::CDataInterface(why)
        | ArrowError::SchemaError(why) => why,
        other => other.to_string(),
    })
}

fn wrong<T>(why: impl Display) -> Result<T> {
    Err(Error::decode(why.to_string()))
}

/// What is at an address.
///
/// # Errors
/// A decode error if the address is null, or none of a `T`.
///
/// # Safety
/// If it is neither, a `T` must be there for `'a`.
unsafe fn at<'a, T>(address: *const T, what: &dyn Display) -> Result<&'a T> {
    if address.is_null() {
        return wrong(format_args!("the address of the {what} is null"));
    }
    if !address.is_aligned() {
        return wrong(format_args!("the address of the {what} is none of a structure"));
    }
    // SAFETY: the caller's promise.
    Ok(unsafe { &*address })
}

/// A count that a producer says.
fn count(what: &str, count: i64) -> Result<usize> {
    match usize::try_from(count) {
        Ok(count) if count <= isize::MAX as usize => Ok(count),
        _ => wrong(format_args!("its {what} can't be {count}")),
    }
}

/// The addresses of the `expected` children of a structure that says it has `n`.
///
/// # Errors
/// A decode error if it says another number, or the array of addresses is null.
///
/// # Safety
/// If `children` is not null, there must be `n` addresses.
unsafe fn children<T>(
    n: i64,
    children: *const *mut T,
    expected: usize,
    ty: impl Display,
) -> Result<Vec<*const T>> {
    if count("number of children", n)? != expected {
        return wrong(format_args!("it has {n} children, and the type {ty} has {expected}"));
    }
    if expected > 0 && children.is_null() {
        return wrong("the address of its children is null");
    }
    let child = |i| {
        // SAFETY: the caller's promise. The array of addresses need not be aligned.
        unsafe { children.add(i).read_unaligned() }.cast_const()
    };
    Ok((0..expected).map(child).collect())
}

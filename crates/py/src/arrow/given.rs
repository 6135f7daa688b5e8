//! What a caller gives as Arrow's arrays: a table, a frame, a reader of batches, or one array.

use std::ffi::CStr;
use std::ptr::NonNull;
use std::sync::{Arc, Mutex, PoisonError};

use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema};
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{ArrayRef, RecordBatch, new_empty_array};
use arrow_schema::{DataType, Field, Fields, Metadata, Schema as ArrowSchema, SchemaRef};
use pyo3::exceptions::{PyImportError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyCapsule;
use serow_arrow::c_data::{self, Extensions};
use serow_core::Result;

use super::{ARRAY, SCHEMA, STREAM};
use crate::errors::{SchemaError, exception, raise, shown};
use crate::made::name;
use crate::releasing::Releasing;
use crate::rows::foreign;

/// Parses what to do with extension types.
///
/// # Errors
/// A `ValueError` if it is none of the choices.
pub fn extensions(extensions: Option<&str>) -> PyResult<Extensions> {
    match extensions {
        None => Ok(Extensions::Known),
        Some("storage") => Ok(Extensions::Storage),
        Some(other) => Err(exception::<PyValueError>(format!(
            "extensions must be 'storage' or None, not {other:?}"
        ))),
    }
}

/// The schema that a caller wants batches to have.
///
/// # Errors
/// A `TypeError` if `given` has none, or one of values that are no rows of columns.
pub fn schema(given: &Bound<'_, PyAny>) -> PyResult<SchemaRef> {
    let py = given.py();
    let Some(schema) = given.getattr_opt(name!("__arrow_c_schema__"))? else {
        return Err(exception::<PyTypeError>(format!(
            "schema must be a schema of Arrow, such as pyarrow.schema([...]), not {}; it has no \
             __arrow_c_schema__",
            given.get_type().name()?
        )));
    };
    let capsule = schema.call0()?.cast_into::<PyCapsule>()?;
    let schema = structure::<FFI_ArrowSchema>(&capsule, SCHEMA)?;
    // SAFETY: the capsule has a schema, and its producer promises what is in it.
    let field = unsafe { c_data::field(schema.as_ref(), Extensions::Known) };
    let field = field.map_err(|error| raise(py, error))?;
    match field.data_type() {
        DataType::Struct(columns) => {
            Ok(Arc::new(ArrowSchema::new_with_metadata(columns.clone(), field.metadata().clone())))
        }
        ty => Err(exception::<PyTypeError>(format!(
            "schema must have columns, and it is the type {ty}"
        ))),
    }
}

/// Arrays that a caller gave, one after another.
pub struct ArrowInput {
    field: Field,
    metadata: Metadata,
    /// The lock is never taken: whoever reads has the only reference.
    arrays: Releasing<Mutex<Arrays>>,
}

impl ArrowInput {
    /// Asks `data` for its arrays.
    ///
    /// # Errors
    /// A `TypeError` if it has none. What the producer raises.
    pub fn of(data: &Bound<'_, PyAny>, extensions: Extensions) -> PyResult<ArrowInput> {
        let (field, metadata, arrays) = arrays(data, extensions)?;
        Ok(ArrowInput { field, metadata, arrays: Releasing::new(Mutex::new(arrays)) })
    }

    /// The field of each array.
    pub fn field(&self) -> &Field {
        &self.field
    }

    /// The columns of the rows, if the arrays have rows of columns, and not values.
    pub fn columns(&self) -> Option<&Fields> {
        match self.field.data_type() {
            DataType::Struct(fields) => Some(fields),
            _ => None,
        }
    }

    /// The schema of the rows of columns, with what it says about them.
    pub fn schema(&self, columns: &Fields) -> ArrowSchema {
        ArrowSchema::new_with_metadata(columns.clone(), self.metadata.clone())
    }

    /// The rows of the next array that has some, as a batch.
    ///
    /// # Errors
    /// A `DecodeError` if the array is damaged, or the producer fails.
    pub fn next_batch(&mut self, py: Python<'_>) -> PyResult<Option<Releasing<RecordBatch>>> {
        let arrays = self.arrays.get_mut().unwrap_or_else(PoisonError::into_inner);
        for array in arrays {
            let batch = array.and_then(|array| c_data::batch_of(&self.field, array));
            let batch = Releasing::new(batch.map_err(|error| raise(py, error))?);
            if batch.num_rows() > 0 {
                return Ok(Some(batch));
            }
        }
        Ok(None)
    }

    /// A batch of its columns without rows.
    ///
    /// # Errors
    /// As for the batches with rows.
    pub fn empty_batch(&self) -> Result<RecordBatch> {
        c_data::batch_of(&self.field, new_empty_array(self.field.data_type()))
    }
}

type Arrays = Box<dyn Iterator<Item = Result<ArrayRef>> + Send>;

/// The arrays of `data`, with their field, and the metadata of the schema.
fn arrays<'py>(
    data: &Bound<'py, PyAny>,
    extensions: Extensions,
) -> PyResult<(Field, Metadata, Arrays)> {
    let py = data.py();
    if let Some(name) = foreign::column_of_objects(data)? {
        return Err(exception::<SchemaError>(format!(
            "column {name}: it has Python objects, and their table gives the addresses; convert the column \
             to another type, or give the rows"
        )));
    }
    if let Some(stream) = data.getattr_opt(name!("__arrow_c_stream__"))? {
        let capsule = stream.call0().map_err(|error| without_library(data, error))?;
        let capsule = capsule.cast_into::<PyCapsule>()?;
        let stream = structure::<FFI_ArrowArrayStream>(&capsule, STREAM)?;
        // SAFETY: the capsule has a stream, which is moved out of it. The producer promises what is in it, and
        // its arrays are read by `Import`.
        let arrays = unsafe {
            c_data::Stream::new(FFI_ArrowArrayStream::from_raw(stream.as_ptr()), extensions)
        };
        let arrays = arrays.map_err(|error| raise(py, error))?;
        let field = arrays.field().clone();
        let metadata = field.metadata().clone();
        return Ok((field, metadata, Box::new(arrays)));
    }
    if let Some(array) = data.getattr_opt(name!("__arrow_c_array__"))? {
        let (schema, array): (Bound<'py, PyCapsule>, Bound<'py, PyCapsule>) =
            array.call0()?.extract()?;
        let schema = structure::<FFI_ArrowSchema>(&schema, SCHEMA)?;
        let array = structure::<FFI_ArrowArray>(&array, ARRAY)?;
        // SAFETY: the capsules have a schema and an array, which is moved out of its capsule. The producer
        // promises what is in them, and the array is read by `Import`.
        let (field, array) = unsafe {
            let field =
                c_data::field(schema.as_ref(), extensions).map_err(|error| raise(py, error))?;
            let array = FFI_ArrowArray::from_raw(array.as_ptr());
            let array = c_data::array(array, field.data_type());
            (field, array)
        };
        let metadata = field.metadata().clone();
        return Ok((field, metadata, Box::new(std::iter::once(array))));
    }
    Err(exception::<PyTypeError>(format!(
        "data must have Arrow's arrays, as tables and data frames do, not {}; it has neither \
         __arrow_c_stream__ nor __arrow_c_array__",
        data.get_type().name()?
    )))
}

/// The address of the structure in a capsule, whose name says what it has. The capsule owns the structure.
fn structure<T>(capsule: &Bound<'_, PyCapsule>, name: &CStr) -> PyResult<NonNull<T>> {
    let address = capsule.pointer_checked(Some(name))?.cast::<T>();
    match address.is_aligned() {
        true => Ok(address),
        false => Err(exception::<PyValueError>(format!(
            "the capsule {name:?} has the address {address:?}, which is none of a structure"
        ))),
    }
}

/// What to raise for an error of the method that gives the arrays. A table whose library makes them by
/// another one, which is missing, has rows all the same.
fn without_library(data: &Bound<'_, PyAny>, error: PyErr) -> PyErr {
    let py = data.py();
    match foreign::instead_of_table(data) {
        Some(instead) if error.is_instance_of::<PyImportError>(py) => {
            let named = exception::<PyTypeError>(format!(
                "the arrays of the table can't be read, because a library is missing: {}; install \
                 it, or use {instead}",
                shown(&error)
            ));
            named.set_cause(py, Some(error));
            named
        }
        _ => error,
    }
}

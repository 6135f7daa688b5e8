//! Foreign values: rows may hold a value whose class is not plain, and a plain value may equal it.
//! Examples are a number of NumPy, and an instance of a subclass of `str`.
//!
//! serow can't read them in place: only Python code can take them apart, and that code could change
//! the rows. Encoding stops at the first foreign value, as at any value without a type. Then it
//! starts again with copies of that row and some after it, made by Python code, in which plain values
//! replace the foreign ones. Rows without foreign values never reach this module.

use std::ops::Range;

use pyo3::prelude::*;
use pyo3::types::{PyAnyMethods, PyBool, PyFloat, PyInt, PyList, PyString, PyTuple, PyType};
use serow_core::limits::MAX_DEPTH;

use crate::access;
use crate::layout::records::{Classes, ObjectKind, declared};
use crate::layout::{arrays, logical, scalars};
use crate::made::{self, Calls, Made, Name, name};

/// The Python package that makes plain values.
const PACKAGE: &str = "serow._foreign";
/// Its module that says what to do about other values.
const ADVICE: &str = "serow._foreign.advice";

/// Whether encoding may have stopped at `value` because it is foreign, or because it is a dict with
/// a foreign key, or because its zone or its class could not be read yet. This runs Python code, so encoding must
/// have stopped.
///
/// # Errors
/// What the code raises, such as a `MemoryError`.
pub fn is_or_has(value: &Bound<'_, PyAny>) -> PyResult<bool> {
    if is_plain(value) {
        return Ok(false);
    }
    let py = value.py();
    if logical::prepare_zones(py).unwrap_or_default() || scalars::look_up(py) {
        return Ok(true);
    }
    py.import(name!(PACKAGE))?.method_with(name!("is_foreign"), (value,))?.extract()
}

/// Whether the class of `value` is one of the common plain ones. Errors are often at their
/// instances, which don't fit a schema, and need no Python code then.
fn is_plain(value: &Bound<'_, PyAny>) -> bool {
    value.is_none()
        || value.is_exact_instance_of::<PyBool>()
        || value.is_exact_instance_of::<PyInt>()
        || value.is_exact_instance_of::<PyFloat>()
        || value.is_exact_instance_of::<PyString>()
        || value.is_exact_instance_of::<PyList>()
        || value.is_exact_instance_of::<PyTuple>()
}

/// The methods to use instead of `rows` if it is a table, because iterating over a table gives
/// columns or names. Tables are recognized by the names of their class and methods: there are many
/// libraries, and they move their classes between modules.
pub fn instead_of_table(rows: &Bound<'_, PyAny>) -> Option<&'static str> {
    let table = bases(&rows.get_type()).ok()?.iter().find(|class| {
        let name = class.getattr(name!("__name__")).and_then(|name| name.extract::<String>());
        name.is_ok_and(|name| ["DataFrame", "LazyFrame", "RecordBatch", "Table"].contains(&&*name))
    })?;
    let has = |name: &'static Name| table.hasattr(name).unwrap_or_default();
    if has(name!("itertuples")) {
        Some("rows.to_dict('records') or rows.itertuples(index=False)")
    } else if has(name!("iter_rows")) {
        Some("rows.to_dicts() or rows.rows()")
    } else if has(name!("to_pylist")) {
        Some("rows.to_pylist()")
    } else if has(name!("collect")) {
        Some("the rows that rows.collect() gives")
    } else {
        None
    }
}

/// Whether `rows` are given as Arrow's arrays, and not as objects.
///
/// A column of pandas is rows by itself.
///
/// # Errors
/// What looking for the methods of its class raises.
#[inline]
pub fn is_arrow(rows: &Bound<'_, PyAny>) -> PyResult<bool> {
    if rows.is_exact_instance_of::<PyList>() || rows.is_exact_instance_of::<PyTuple>() {
        return Ok(false);
    }
    let class = rows.get_type();
    let has_arrays =
        class.hasattr(name!("__arrow_c_stream__"))? || class.hasattr(name!("__arrow_c_array__"))?;
    Ok(has_arrays && !is_column(rows))
}

/// Whether `rows` is a column of pandas. Its items are rows of one value each; as an array of Arrow, pandas
/// would give null in place of NaN.
pub fn is_column(rows: &Bound<'_, PyAny>) -> bool {
    let is = |class: Bound<'_, PyAny>| {
        let text = |attribute| class.getattr(attribute).and_then(|text| text.extract::<String>());
        text(name!("__name__")).is_ok_and(|name| name == "Series" || name == "Index")
            && text(name!("__module__")).is_ok_and(|module| module.starts_with("pandas"))
    };
    bases(&rows.get_type()).is_ok_and(|classes| classes.iter().any(is))
}

/// A class and its bases, in method resolution order.
///
/// # Errors
/// What a metaclass raises.
pub fn bases<'py>(class: &Bound<'py, PyType>) -> PyResult<Bound<'py, PyTuple>> {
    Ok(class.getattr(name!("__mro__"))?.cast_into()?)
}

/// The rows of an array of NumPy whose elements have fields: a list of dicts. `None` for all other objects.
///
/// # Errors
/// What NumPy raises.
pub fn records<'py>(rows: &Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, PyAny>>> {
    // SAFETY: the rows are alive, and the GIL is held.
    if !unsafe { arrays::is_class_of_numpy(rows.py(), rows.as_ptr()) } {
        return Ok(None);
    }
    let fields = rows.getattr(name!("dtype"))?.getattr(name!("names"))?;
    if fields.is_none() || rows.len().is_err() {
        return Ok(None);
    }
    let module = rows.py().import(name!("serow._foreign.numpy_values"))?;
    module.method_with(name!("records"), (rows,)).map(Some)
}

/// A column of Python objects in a frame or column of Polars. Its array has the addresses of the objects, as
/// bytes, and nothing says so.
///
/// # Errors
/// What asking for the types of the columns raises.
pub fn column_of_objects(data: &Bound<'_, PyAny>) -> PyResult<Option<String>> {
    let module = data.get_type().getattr(name!("__module__"))?.extract::<String>();
    if !module.is_ok_and(|module| module.starts_with("polars")) {
        return Ok(None);
    }
    if let Some(dtype) = data.getattr_opt(name!("dtype"))? {
        let is_objects = dtype.str()? == "Object";
        return match is_objects {
            true => Ok(Some(data.getattr("name")?.extract()?)),
            false => Ok(None),
        };
    }
    let Some(schema) = data.getattr_opt(name!("collect_schema"))? else { return Ok(None) };
    for column in schema.call0()?.call_method0("items")?.try_iter()? {
        let (name, dtype): (String, Bound<'_, PyAny>) = column?.extract()?;
        if dtype.str()? == "Object" {
            return Ok(Some(name));
        }
    }
    Ok(None)
}

/// The rows to copy at once if encoding has stopped at `row`, after `before` such stops. Each is
/// encoded again, so their number grows.
pub fn range(row: usize, before: usize) -> Range<usize> {
    let len =
        FIRST_ROWS.saturating_mul(GROWTH.saturating_pow(before.try_into().unwrap_or(u32::MAX)));
    row..row.saturating_add(len)
}

/// The number of rows that are copied first, and by which factor it grows.
const FIRST_ROWS: usize = 16;
const GROWTH: usize = 4;

/// A list of the rows. In those of `range`, plain values are in the place of the foreign ones that have
/// one, and lists in the place of arrays of numbers if `are_lists`.
///
/// # Errors
/// What the values' own code raises.
pub fn plain<'py>(
    rows: &Bound<'py, PyAny>,
    range: &Range<usize>,
    are_lists: bool,
) -> PyResult<Bound<'py, PyAny>> {
    let py = rows.py();
    let fields_of = pyo3::wrap_pyfunction!(fields_of, py)?;
    let arguments = (rows, range.start, range.end, fields_of, MAX_DEPTH, are_lists);
    py.import(name!(PACKAGE))?.method_with(name!("plain_rows"), arguments)
}

/// Why a foreign value has no plain value, or what to use instead of a value of another class.
pub fn advice(value: &Bound<'_, PyAny>) -> Option<String> {
    if is_plain(value) {
        return None;
    }
    let py = value.py();
    py.import(name!(ADVICE)).ok()?.method_with(name!("advice"), (value,)).ok()?.extract().ok()
}

/// The name, the field names and the values of a record.
type Fields<'py> = (String, Bound<'py, PyTuple>, Bound<'py, PyTuple>);

/// Takes a record apart. `None` if `value` is not a record, or one that serow doesn't encode.
#[pyfunction]
fn fields_of<'py>(value: &Bound<'py, PyAny>) -> PyResult<Option<Made<Fields<'py>>>> {
    let py = value.py();
    let fields = fields_now(value)?;
    let fields =
        if fields.is_none() && declared::resolve(py) { fields_now(value)? } else { fields };
    Ok(fields.map(Made))
}

fn fields_now<'py>(value: &Bound<'py, PyAny>) -> PyResult<Option<Fields<'py>>> {
    let (py, object) = (value.py(), value.as_ptr());
    // Look at the class afresh each time: code that runs before the next record may change it.
    let classes = Classes::default();
    // SAFETY: the value is alive, and the GIL is held. References to its fields are taken before
    // any code runs.
    let (names, values) = unsafe {
        let ObjectKind::Record(_, names) = classes.of(py, object) else { return Ok(None) };
        let len = names.fields.len();
        let fields = access::with_access!(py, |access| classes.fields(access, object, len));
        let Some(fields) = fields else { return Ok(None) };
        let bound = |&field: &_| Bound::from_borrowed_ptr(py, field);
        (names, fields.iter().map(bound).collect::<Vec<Bound<'py, PyAny>>>())
    };
    let name = names.name.as_deref().unwrap_or_default().to_owned();
    let fields = made::tuple(py, names.fields.iter().map(|field| &**field))?;
    Ok(Some((name, fields, made::tuple(py, values)?)))
}

//! Values of NumPy's, pandas' and the module array's in rows.
//!
//! They can't be read in place, since taking them apart runs code of theirs, by which rows could change.
//! Encoding stops at the first of them, as at any value that has no type here; then it begins anew with
//! a copy of the rows, made in Python, that has plain values in their place. Rows without such values
//! never come here.

use pyo3::prelude::*;
use pyo3::types::{PyAnyMethods, PyDict, PyTuple, PyType, PyTypeMethods};
use serow_core::limits::MAX_DEPTH;

use crate::convert;
use crate::layout::records::{Classes, ObjectKind};
use crate::layout::{Api, Direct};

/// The module in which plain values are made.
const MODULE: &str = "serow._foreign";

/// Whether encoding may have stopped at `value` because it, or the key of a dict, is foreign. It must
/// have stopped, since this may run code.
pub fn is_or_has(value: &Bound<'_, PyAny>) -> bool {
    let is = |value: &Bound<'_, PyAny>| is_foreign(&value.get_type());
    let has = |dict: &Bound<'_, PyDict>| dict.keys().iter().any(|key| is(&key));
    is(value) || value.cast_exact::<PyDict>().is_ok_and(has)
}

/// Whether the objects of a class are foreign: it is of one of the libraries whose values have plain ones,
/// which is the one that its module begins with. The libraries have named tuples too, which are
/// records as others are.
#[pyfunction]
pub fn is_foreign(kind: &Bound<'_, PyType>) -> bool {
    let module = kind.module();
    let module = module.map(|module| module.to_string_lossy().into_owned()).unwrap_or_default();
    let library = module.split('.').next().unwrap_or_default();
    let is_tuple = kind.is_subclass_of::<PyTuple>().unwrap_or_default();
    matches!(library, "numpy" | "pandas" | "array") && !is_tuple
}

/// What to give instead of `rows` if it is a table, which gives its columns or their names when it is
/// iterated. Tables are told by the names of their class and of its methods, since their libraries
/// are many and move them between modules.
pub fn instead_of_table(rows: &Bound<'_, PyAny>) -> Option<&'static str> {
    let classes = rows.get_type().mro();
    let table = classes.iter().find(|class| {
        let name = class.getattr("__name__").and_then(|name| name.extract::<String>());
        name.is_ok_and(|name| name == "DataFrame" || name == "Table")
    })?;
    let has = |name| table.hasattr(name).unwrap_or_default();
    if has("itertuples") {
        Some("to_dict('records') or itertuples(index=False)")
    } else if has("iter_rows") {
        Some("to_dicts() or rows()")
    } else if has("to_pylist") {
        Some("to_pylist()")
    } else {
        None
    }
}

/// A list of the rows with plain values in the place of foreign ones that have some.
///
/// # Errors
/// What code of the values raises.
pub fn plain<'py>(rows: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let py = rows.py();
    let fields_of = pyo3::wrap_pyfunction!(fields_of, py)?;
    py.import(MODULE)?.call_method1("plain_rows", (rows, fields_of, MAX_DEPTH))
}

/// Why a foreign value has no plain one; nothing if it is not foreign.
pub fn advice(value: &Bound<'_, PyAny>) -> Option<String> {
    if !is_foreign(&value.get_type()) {
        return None;
    }
    value.py().import(MODULE).ok()?.call_method1("advice", (value,)).ok()?.extract().ok()
}

/// The name and the fields of a record.
type Fields<'py> = (String, Bound<'py, PyTuple>, Bound<'py, PyTuple>);

/// The name of a record, the names of its fields and their values; nothing if `value` is no record, or one
/// that is not encoded.
#[pyfunction]
fn fields_of<'py>(value: &Bound<'py, PyAny>) -> PyResult<Option<Fields<'py>>> {
    let (py, object) = (value.py(), value.as_ptr());
    // What is known of classes is forgotten at once: code may run before the next record, and change them.
    let classes = Classes::default();
    // SAFETY: the value is alive, and the GIL is held; what its fields are is referred to before code runs.
    let (names, values) = unsafe {
        let ObjectKind::Record(_, names) = classes.of(object) else { return Ok(None) };
        let len = names.fields.len();
        let fields = match convert::offsets() {
            Some(offsets) => classes.fields(Direct(offsets), object, len),
            None => classes.fields(Api, object, len),
        };
        let Some(fields) = fields else { return Ok(None) };
        let bound = |&field: &_| Bound::from_borrowed_ptr(py, field);
        (names, fields.iter().map(bound).collect::<Vec<Bound<'py, PyAny>>>())
    };
    let name = names.name.as_deref().unwrap_or_default().to_owned();
    let fields = PyTuple::new(py, names.fields.iter().map(|field| &**field))?;
    Ok(Some((name, fields, PyTuple::new(py, values)?)))
}

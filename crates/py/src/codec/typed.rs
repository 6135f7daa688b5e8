//! Schemas of Python annotations, with the classes to instantiate when decoding.

use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyList, PyType};
use serow_core::decode::ReaderSchema;
use serow_core::plan::{Defaults, Former, FormerNames, Numbered, number};
use serow_core::program::Program;
use serow_core::schema::{Logical, Schema, Type};

use crate::codec::PyCodec;
use crate::errors::raise;
use crate::layout::{ArrayColumn, ArrayMaker, Maker, PyNames};
use crate::made::{self, Calls, name};

/// An annotation, with the programs for its rows.
pub struct Typed {
    annotation: Py<PyAny>,
    /// For rows of the annotation's own schema.
    program: Arc<Program>,
    /// For decoding rows as the annotation, with `int` of any size.
    reader: Arc<Program>,
    defaults: Defaults,
    former_names: FormerNames,
    /// The names for both, if they contain classes.
    names: Option<Arc<PyNames>>,
    /// Makes the arrays that the annotation has.
    arrays: Option<Arc<ArrayMaker>>,
    /// Converts a decoded row, if it holds instances of registered classes.
    convert: Option<Py<PyAny>>,
}

/// The result of `serow._annotations.describe`: the text of both schemas, a maker for each struct,
/// the members of each enum, NumPy's name for the elements of each sequence that is an array, the
/// conversion of a row, and the former names of each struct and of each enum.
type Described = (
    String,
    String,
    Vec<Option<Maker>>,
    Vec<Vec<Py<PyAny>>>,
    Vec<Option<String>>,
    Option<Py<PyAny>>,
    Vec<WasNamed>,
    Vec<WasNamed>,
);

/// The former names of a class, and of its fields or members.
type WasNamed = (Vec<String>, Vec<Vec<String>>);

fn former(all: Vec<WasNamed>) -> Vec<Former> {
    let names = |names: Vec<String>| names.into_iter().map(Into::into).collect();
    let of = |(own, parts): WasNamed| Former {
        own: names(own),
        parts: parts.into_iter().map(names).collect(),
    };
    all.into_iter().map(of).collect()
}

impl Typed {
    /// Describes `annotation`.
    ///
    /// # Errors
    /// A `SchemaError` that names the part without a type.
    pub fn of(annotation: &Bound<'_, PyAny>) -> PyResult<Typed> {
        let py = annotation.py();
        let described = annotations(py)?.getattr(name!("describe"))?.call_with((annotation,))?;
        let described: Described = described.extract()?;
        let (written, read, makers, enums, arrays, convert, was_structs, was_enums) = described;
        let mut defaults = Defaults::default();
        for (table, maker) in (0..).zip(&makers) {
            let fields = maker.iter().flat_map(|maker| &maker.defaults);
            for (field, _) in (0..).zip(fields).filter(|(_, has_default)| **has_default) {
                defaults.set_of_sink((table, field));
            }
        }
        let makers: Vec<_> = makers.into_iter().map(|maker| maker.map(Arc::new)).collect();
        let has_classes = !enums.is_empty() || makers.iter().any(Option::is_some);
        let program = |text: &str| match Schema::parse(text) {
            Ok(schema) => Ok(Program::of(&schema)),
            Err(error) => Err(raise(py, error)),
        };
        let (program, reader) = (program(&written)?, program(&read)?);
        let former_names = FormerNames::new(&program.to, former(was_structs), former(was_enums))
            .map_err(|error| raise(py, error))?;
        let names = match has_classes {
            true => Some(Arc::new(PyNames::of_classes(py, &program.to.tables, makers, enums)?)),
            false => None,
        };
        let arrays = match arrays.iter().any(Option::is_some) {
            true => {
                Some(Arc::new(ArrayMaker::of_columns(py, array_columns(reader.schema(), &arrays))?))
            }
            false => None,
        };
        Ok(Typed {
            annotation: annotation.clone().unbind(),
            program,
            reader,
            defaults,
            former_names,
            names,
            arrays,
            convert,
        })
    }

    /// Converts a list of decoded rows in place, if they hold instances of registered classes.
    ///
    /// # Errors
    /// A `DecodeError` that names the row whose conversion raised an exception, which is its cause.
    pub fn convert_rows<'py>(&self, rows: Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        self.convert(rows, "row {}")
    }

    /// Converts the row of a single record, if it holds instances of registered classes.
    ///
    /// # Errors
    /// As for [`Typed::convert_rows`].
    pub fn convert_record<'py>(&self, row: Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        if self.convert.is_none() {
            return Ok(row);
        }
        let rows = made::list(row.py(), [row])?.into_any();
        self.convert(rows, "record")?.get_item(0)
    }

    /// `first` begins the text of an error, with `{}` for the index of the row.
    fn convert<'py>(&self, rows: Bound<'py, PyAny>, first: &str) -> PyResult<Bound<'py, PyAny>> {
        let Some(convert) = &self.convert else { return Ok(rows) };
        let py = rows.py();
        let module = py.import(name!("serow._registered"))?;
        module.method_with(name!("convert_rows"), (rows, convert, first))
    }

    /// The name of the elements' type, if the annotation is of a list.
    pub fn element(&self, py: Python<'_>) -> Option<String> {
        let annotation = self.annotation.bind(py);
        if !annotation.getattr(name!("__origin__")).ok()?.is(py.get_type::<PyList>()) {
            return None;
        }
        let element = annotation.getattr(name!("__args__")).ok()?.get_item(0).ok()?;
        let name =
            element.getattr(name!("__qualname__")).or_else(|_| element.repr().map(Bound::into_any));
        name.ok()?.extract().ok()
    }

    pub fn annotation(&self) -> &Py<PyAny> {
        &self.annotation
    }

    /// The annotation as an expression of Python: a class by its name.
    ///
    /// # Errors
    /// Those of a class's or annotation's own methods.
    pub fn name(&self, py: Python<'_>) -> PyResult<String> {
        let annotation = self.annotation.bind(py);
        match annotation.is_instance_of::<PyType>() {
            true if annotation.hasattr(name!("__args__"))? => annotation.repr()?.extract(),
            true => annotation.getattr(name!("__qualname__"))?.extract(),
            false => annotation.repr()?.extract(),
        }
    }

    /// The schema of its rows.
    pub fn schema(&self) -> &Schema {
        self.program.schema()
    }

    /// The former names of its classes, fields and members.
    pub fn former_names(&self) -> &FormerNames {
        &self.former_names
    }

    /// The names with the caller's classes, if there are any.
    pub fn names(&self) -> Option<&Arc<PyNames>> {
        self.names.as_ref()
    }

    /// Makes the arrays that the annotation has, if it has any.
    pub fn arrays(&self) -> Option<&Arc<ArrayMaker>> {
        self.arrays.as_ref()
    }

    /// How to decode messages.
    pub fn expected(&self) -> ReaderSchema {
        ReaderSchema::new(self.program.clone(), self.defaults.clone())
            .with_reader(self.reader.clone())
            .with_former_names(self.former_names.clone())
    }
}

/// The columns of the lists and values that are arrays, with NumPy's names for their elements. `arrays` has one
/// item for each sequence, set, map and `ndarray`, in their order in `schema`.
fn array_columns<'a>(
    schema: &Schema,
    arrays: &'a [Option<String>],
) -> impl Iterator<Item = ArrayColumn<'a>> {
    fn sequences(of: &Numbered<'_>, columns: &mut Vec<(u32, bool)>) {
        let is_nd_array = *of.ty == Type::Logical(Logical::NdArray);
        if is_nd_array || matches!(of.ty, Type::Sequence(..) | Type::Map(..)) {
            columns.push((of.first.ints, is_nd_array));
        }
        of.within.iter().for_each(|part| sequences(part, columns));
    }
    let mut columns = Vec::new();
    sequences(&number(schema.root()), &mut columns);
    let all = columns.into_iter().zip(arrays);
    all.filter_map(|((column, is_nd_array), name)| {
        Some(ArrayColumn { column, is_nd_array, name: name.as_deref()? })
    })
}

/// The codec for rows of a type, a schema or a codec, from a cache if possible.
///
/// # Errors
/// As for [`Typed::of`].
pub fn codec_of<'py>(given: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyCodec>> {
    // Importing the module again would take longer than decoding a record.
    static CACHE: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    if let Ok(codec) = given.cast::<PyCodec>() {
        return Ok(codec.clone());
    }
    let py = given.py();
    if given.hash().is_err() {
        return Ok(annotations(py)?.getattr(name!("codec"))?.call_with((given,))?.cast_into()?);
    }
    let find = || Ok::<_, PyErr>(annotations(py)?.getattr(name!("cached_codec"))?.unbind());
    Ok(CACHE.get_or_try_init(py, find)?.bind(py).call_with((given,))?.cast_into()?)
}

fn annotations(py: Python<'_>) -> PyResult<Bound<'_, PyModule>> {
    py.import(name!("serow._annotations"))
}

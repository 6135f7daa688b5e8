//! Schemas of Python annotations, with the classes to instantiate when decoding.

use std::sync::Arc;

use pyo3::prelude::*;
use serow_core::decode::Expected;
use serow_core::plan::Defaults;
use serow_core::program::Program;
use serow_core::schema::Schema;

use crate::codec::PyCodec;
use crate::errors::raise;
use crate::layout::{Maker, PyNames};

/// An annotation, with the programs for its rows.
pub struct Typed {
    annotation: Py<PyAny>,
    /// For rows of the annotation's own schema.
    program: Arc<Program>,
    /// For decoding rows as the annotation, with `int` of any size.
    reader: Arc<Program>,
    defaults: Defaults,
    /// The names for both, if they contain classes.
    names: Option<Arc<PyNames>>,
}

/// The result of `serow._annotations.describe`: the text of both schemas, a maker for each struct,
/// and the members of each enum.
type Described = (String, String, Vec<Option<Maker>>, Vec<Vec<Py<PyAny>>>);

impl Typed {
    /// Describes `annotation`.
    ///
    /// # Errors
    /// A `SchemaError` that names the part without a type.
    pub fn of(annotation: &Bound<'_, PyAny>) -> PyResult<Typed> {
        let py = annotation.py();
        let described = annotations(py)?.getattr("describe")?.call1((annotation,))?;
        let (written, read, makers, enums): Described = described.extract()?;
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
        let names = match has_classes {
            true => Some(Arc::new(PyNames::of_classes(py, &program.to.tables, makers, enums)?)),
            false => None,
        };
        Ok(Typed { annotation: annotation.clone().unbind(), program, reader, defaults, names })
    }

    pub fn annotation(&self) -> &Py<PyAny> {
        &self.annotation
    }

    /// The schema of its rows.
    pub fn schema(&self) -> &Schema {
        self.program.schema()
    }

    /// The names with the caller's classes, if there are any.
    pub fn names(&self) -> Option<&Arc<PyNames>> {
        self.names.as_ref()
    }

    /// How to decode messages.
    pub fn expected(&self) -> Expected {
        Expected::new(self.program.clone(), self.defaults.clone()).with_reader(self.reader.clone())
    }
}

/// The codec for rows of a type, from a cache if possible.
///
/// # Errors
/// As for [`Typed::of`].
pub fn codec<'py>(annotation: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyCodec>> {
    let codec = annotations(annotation.py())?.getattr("codec")?.call1((annotation,))?;
    Ok(codec.cast_into()?)
}

fn annotations(py: Python<'_>) -> PyResult<Bound<'_, PyModule>> {
    py.import("serow._annotations")
}

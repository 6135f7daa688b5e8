//! Schemas of types that are written as annotations, with the classes that rows are given back as.

use std::sync::Arc;

use pyo3::prelude::*;
use serow_core::decode::Expected;
use serow_core::plan::Defaults;
use serow_core::program::Program;
use serow_core::schema::Schema;

use crate::codec::PyCodec;
use crate::errors::raise;
use crate::layout::{Maker, set_makers};

/// What is made of rows of a type.
pub struct Typed {
    annotation: Py<PyAny>,
    /// For rows of the type's own schema.
    plan: Arc<Program>,
    /// For rows that are read as the type, where an `int` is one of any size.
    reader: Arc<Program>,
    defaults: Defaults,
}

/// What `serow._annotations.describe` gives: the text of both schemas, for every struct what makes
/// it, and the members of every enum.
type Described = (String, String, Vec<Option<Maker>>, Vec<Vec<Py<PyAny>>>);

impl Typed {
    /// What the type `annotation` says.
    ///
    /// # Errors
    /// A `SchemaError` that names what has no type.
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
        let plan = |text: &str| {
            let schema = Schema::parse(text).map_err(|error| raise(py, error))?;
            if !has_classes {
                return Ok(Program::of(&schema));
            }
            let plan = Program::new(&schema);
            let members = |of: &Vec<Py<PyAny>>| of.iter().map(|m| m.clone_ref(py)).collect();
            set_makers(py, &plan.to.tables, makers.clone(), enums.iter().map(members).collect())?;
            PyResult::Ok(Arc::new(plan))
        };
        let (plan, reader) = (plan(&written)?, plan(&read)?);
        Ok(Typed { annotation: annotation.clone().unbind(), plan, reader, defaults })
    }

    /// The type.
    pub fn annotation(&self) -> &Py<PyAny> {
        &self.annotation
    }

    /// The schema of its rows.
    pub fn schema(&self) -> &Schema {
        self.plan.schema()
    }

    /// How messages are read.
    pub fn expected(&self) -> Expected {
        Expected::new(self.plan.clone(), self.defaults.clone()).with_reader(self.reader.clone())
    }
}

/// A codec for rows of a type, which is kept for the next time.
///
/// # Errors
/// As for [`Typed::of`].
pub fn codec<'py>(annotation: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyCodec>> {
    let codec = annotations(annotation.py())?.getattr("codec")?.call1((annotation,))?;
    Ok(codec.cast_into()?)
}

/// The module that reads annotations.
fn annotations(py: Python<'_>) -> PyResult<Bound<'_, PyModule>> {
    py.import("serow._annotations")
}

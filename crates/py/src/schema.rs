//! `serow.Schema`.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyIterator, PyString, PyTuple};
use serow_core::program::SchemaSet;
use serow_core::schema::Schema;

use crate::codec;
use crate::convert;
use crate::errors::{SchemaError, raise};
use crate::typed::Typed;

#[doc = stub_doc!("Schema")]
#[pyclass(name = "Schema", module = "serow", frozen, eq, hash, from_py_object)]
#[derive(Clone)]
pub struct PySchema {
    schema: Schema,
    /// How to make values of the annotation that the schema comes from, if any.
    typed: Option<Arc<Typed>>,
}

impl From<Schema> for PySchema {
    fn from(schema: Schema) -> PySchema {
        PySchema { schema, typed: None }
    }
}

impl PartialEq for PySchema {
    fn eq(&self, other: &PySchema) -> bool {
        self.schema == other.schema
    }
}

impl Eq for PySchema {}

impl Hash for PySchema {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.schema.hash(state);
    }
}

impl PySchema {
    pub fn schema(&self) -> &Schema {
        &self.schema
    }

    /// How to make values of the annotation that the schema comes from, if any.
    pub fn typed(&self) -> Option<&Typed> {
        self.typed.as_deref()
    }
}

#[pymethods]
impl PySchema {
    #[doc = stub_doc!("Schema.infer")]
    #[staticmethod]
    fn infer(rows: &Bound<'_, PyAny>) -> PyResult<PySchema> {
        convert::infer(rows).map(PySchema::from)
    }

    #[doc = stub_doc!("Schema.of")]
    #[staticmethod]
    pub fn of(r#type: &Bound<'_, PyAny>) -> PyResult<PySchema> {
        let typed = Typed::of(r#type)?;
        Ok(PySchema { schema: typed.schema().clone(), typed: Some(Arc::new(typed)) })
    }

    #[doc = stub_doc!("Schema.parse")]
    #[staticmethod]
    pub fn parse(text: &Bound<'_, PyString>) -> PyResult<PySchema> {
        let text_of_schema = text
            .to_str()
            .map_err(|_| SchemaError::new_err("schema: the text contains a lone surrogate"))?;
        Schema::parse(text_of_schema).map(PySchema::from).map_err(|error| raise(text.py(), error))
    }

    #[doc = stub_doc!("Schema.type_list")]
    #[getter]
    fn type_list<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.schema.type_list())
    }

    #[doc = stub_doc!("Schema.fingerprint")]
    #[getter]
    fn fingerprint(&self) -> u64 {
        self.schema.fingerprint()
    }

    fn __str__(&self) -> String {
        self.schema.to_string()
    }

    fn __repr__(&self) -> String {
        format!("Schema.parse('{}')", self.schema)
    }

    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyAny>,))> {
        let class = py.get_type::<PySchema>();
        Ok(match &self.typed {
            Some(typed) => (class.getattr("of")?, (typed.annotation().bind(py).clone(),)),
            None => (class.getattr("parse")?, (PyString::new(py, &self.__str__()).into_any(),)),
        })
    }
}

#[doc = stub_doc!("SchemaSet")]
#[pyclass(name = "SchemaSet", module = "serow", frozen)]
#[derive(Default)]
pub struct PySchemaSet(SchemaSet);

impl From<SchemaSet> for PySchemaSet {
    fn from(schemas: SchemaSet) -> PySchemaSet {
        PySchemaSet(schemas)
    }
}

impl PySchemaSet {
    pub fn schemas(&self) -> &SchemaSet {
        &self.0
    }

    fn list(&self) -> Vec<PySchema> {
        self.0.schemas().into_iter().map(PySchema::from).collect()
    }
}

#[pymethods]
impl PySchemaSet {
    /// A set of `schemas`, each a `Schema` or its text.
    #[new]
    #[pyo3(signature = (schemas = None))]
    fn new(schemas: Option<&Bound<'_, PyAny>>) -> PyResult<PySchemaSet> {
        let set = PySchemaSet::default();
        if let Some(schemas) = schemas {
            // A string is an iterable of characters.
            if schemas.is_instance_of::<PyString>() {
                return Err(PyTypeError::new_err(
                    "schemas must be an iterable of schemas, not str",
                ));
            }
            for schema in schemas.try_iter()? {
                set.add(&schema?)?;
            }
        }
        Ok(set)
    }

    #[doc = stub_doc!("SchemaSet.add")]
    fn add(&self, schema: &Bound<'_, PyAny>) -> PyResult<()> {
        let py = schema.py();
        let schema = codec::to_schema(schema)?;
        self.0.add(schema.schema()).map_err(|error| raise(py, error))
    }

    #[doc = stub_doc!("SchemaSet.find")]
    fn find(&self, fingerprint: u64) -> Option<PySchema> {
        self.0.find(fingerprint).map(PySchema::from)
    }

    fn __len__(&self) -> usize {
        self.0.len()
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        PyTuple::new(py, self.list())?.try_iter()
    }

    /// For pickling.
    fn __getnewargs__(&self) -> (Vec<PySchema>,) {
        (self.list(),)
    }
}

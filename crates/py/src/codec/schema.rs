//! `serow.Schema`.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyIterator, PyString, PyTuple};
use serow_core::decode::ReaderSchema;
use serow_core::plan::Defaults;
use serow_core::program::{Program, SchemaSet};
use serow_core::schema::Schema;

use crate::codec;
use crate::codec::convert;
use crate::codec::schema_values::{changes, types, value};
use crate::codec::typed::Typed;
use crate::errors::{SchemaError, exception, raise};
use crate::layout::text::name_of;
use crate::made::{self, Arguments as _, Calls, Made, name};

#[doc = stub_doc!("Schema")]
#[pyclass(name = "Schema", module = "serow", frozen, from_py_object)]
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

    /// The text as a literal of Python.
    ///
    /// # Errors
    /// A `MemoryError`.
    pub fn quoted(&self, py: Python<'_>) -> PyResult<String> {
        made::text(py, &self.schema.to_string())?.repr()?.extract()
    }
}

#[pymethods]
impl PySchema {
    #[new]
    fn new<'py>(py: Python<'py>, r#type: &Bound<'py, PyAny>) -> PyResult<PySchema> {
        let schema = types(py)?.method_with(name!("_schema"), (r#type,))?;
        Ok(schema.cast_into::<PySchema>()?.get().clone())
    }

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
        // SAFETY: the text is alive.
        let text_of_schema = unsafe { name_of(text.as_ptr()) }
            .map_err(|why| exception::<SchemaError>(format!("schema: the text {why}")))?;
        Schema::parse(&text_of_schema).map(PySchema::from).map_err(|error| raise(text.py(), error))
    }

    #[doc = stub_doc!("Schema.type_list")]
    #[getter]
    fn type_list<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        made::tuple(py, self.schema.type_list().iter().copied())
    }

    #[doc = stub_doc!("Schema.fingerprint")]
    #[getter]
    fn fingerprint(&self) -> Made<u64> {
        Made(self.schema.fingerprint())
    }

    #[doc = stub_doc!("Schema.type")]
    #[getter]
    fn r#type<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        value(&types(py)?, self.schema.root())
    }

    #[doc = stub_doc!("Schema.fields")]
    #[getter]
    fn fields<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        types(py)?.method_with(name!("_fields_of"), (self.r#type(py)?,))
    }

    /// The type of a field, by its name or position.
    fn __getitem__<'py>(&self, key: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let py = key.py();
        types(py)?.method_with(name!("_item_of"), (self.r#type(py)?, key))
    }

    #[doc = stub_doc!("Schema.compare")]
    fn compare<'py>(&self, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let py = other.py();
        let comparison = self._compared(other)?;
        py.import(name!("serow._comparing"))?.method_with(name!("warned"), (comparison,))
    }

    /// Like `compare`, without a warning.
    fn _compared<'py>(&self, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let py = other.py();
        let writer = codec::to_schema(other)?;
        let expected = match &self.typed {
            Some(typed) => typed.expected(),
            None => ReaderSchema::new(Program::of(&self.schema), Defaults::default()),
        };
        let comparison = expected.compare(&writer.schema).map_err(|error| raise(py, error))?;
        let (changes, warnings) = changes(py, &comparison)?;
        let class = py.import(name!("serow._comparing"))?.getattr(name!("Comparison"))?;
        class.call_with((self.clone(), writer, changes, warnings))
    }

    #[doc = stub_doc!("Schema.pretty")]
    fn pretty(&self) -> Made<String> {
        Made(self.schema.pretty())
    }

    fn __str__(&self) -> Made<String> {
        Made(self.schema.to_string())
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<Made<String>> {
        Ok(Made(format!("Schema.parse({})", self.quoted(py)?)))
    }

    fn __eq__(&self, other: &Bound<'_, PySchema>) -> bool {
        self == other.get()
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.hash(&mut hasher);
        hasher.finish()
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let class = py.get_type::<PySchema>();
        match &self.typed {
            Some(typed) => (class.getattr(name!("of"))?, (typed.annotation(),)).tuple(py),
            None => (class.getattr(name!("parse"))?, (self.schema.to_string(),)).tuple(py),
        }
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

    fn is_alike(&self, other: &PySchemaSet) -> bool {
        self.0.schemas() == other.0.schemas()
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
                return Err(exception::<PyTypeError>(
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

    #[doc = stub_doc!("SchemaSet.from_folder")]
    #[staticmethod]
    fn from_folder<'py>(folder: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        folder.py().import(name!("serow._schemas"))?.method_with(name!("read_folder"), (folder,))
    }

    #[doc = stub_doc!("SchemaSet.save")]
    fn save<'py>(
        slf: &Bound<'py, Self>,
        folder: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import(name!("serow._schemas"))?.method_with(name!("write_folder"), (slf, folder))
    }

    #[doc = stub_doc!("SchemaSet.find")]
    fn find(&self, fingerprint: u64) -> Option<PySchema> {
        self.0.find(fingerprint).map(PySchema::from)
    }

    fn __len__(&self) -> usize {
        self.0.len()
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        made::tuple(py, self.list())?.try_iter()
    }

    /// Whether the set has a schema, given as such or as text.
    fn __contains__(&self, schema: &Bound<'_, PyAny>) -> PyResult<bool> {
        let schema = codec::to_schema(schema)?;
        Ok(self.0.find(schema.schema.fingerprint()).as_ref() == Some(&schema.schema))
    }

    /// Whether both have the same schemas now.
    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast_exact::<PySchemaSet>().is_ok_and(|other| self.is_alike(other.get()))
    }

    pub fn __repr__(&self, py: Python<'_>) -> PyResult<Made<String>> {
        let all =
            self.list().iter().map(|schema| schema.quoted(py)).collect::<PyResult<Vec<_>>>()?;
        Ok(Made(match all.is_empty() {
            true => String::from("SchemaSet()"),
            false => format!("SchemaSet([{}])", all.join(", ")),
        }))
    }

    /// For pickling.
    fn __getnewargs__(&self) -> Made<(Vec<PySchema>,)> {
        Made((self.list(),))
    }
}

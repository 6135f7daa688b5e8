//! `serow.Codec`.

use std::sync::Arc;

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyString};
use serow_codegen::{CompileError, Compiler, Conversion, Tier};
use serow_core::bytes::out::Borrowed;
use serow_core::decode::Expected;
use serow_core::encode;
use serow_core::plan::Defaults;
use serow_core::program::Program;
use serow_core::wire::message::Wire;

use crate::buffers::{Buffer, written};
use crate::compile::{self, Direction};
use crate::convert::{self, ReadAs};
use crate::errors::raise;
use crate::layout::PyNames;
use crate::schema::PySchema;

/// Encodes and decodes rows of one schema. It is immutable and may be used by many threads.
#[pyclass(name = "Codec", module = "serow", frozen)]
pub struct PyCodec {
    plan: Arc<Program>,
    expected: Expected,
    /// The names with which rows are made, if there are classes in them.
    names: Option<Arc<PyNames>>,
    wire: Wire,
}

#[pymethods]
impl PyCodec {
    #[new]
    #[pyo3(signature = (schema, *, wire = "frame"))]
    fn new(schema: &Bound<'_, PyAny>, wire: &str) -> PyResult<PyCodec> {
        let wire = convert::wire(wire)?;
        let schema = to_schema(schema)?;
        let plan = Program::of(schema.schema());
        Ok(match schema.typed() {
            Some(typed) => {
                PyCodec { plan, expected: typed.expected(), names: typed.names().cloned(), wire }
            }
            None => PyCodec::of(plan, wire),
        })
    }

    /// A codec for rows like `rows`.
    #[staticmethod]
    #[pyo3(signature = (rows, *, wire = "frame"))]
    fn infer(rows: &Bound<'_, PyAny>, wire: &str) -> PyResult<PyCodec> {
        let wire = convert::wire(wire)?;
        let schema = convert::with_rows!(rows, |rows| encode::infer(&rows))
            .map_err(|error| raise(rows.py(), error))?;
        Ok(PyCodec::of(Program::of(&schema), wire))
    }

    /// The message of `rows`.
    fn encode<'py>(&self, rows: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyBytes>> {
        let py = rows.py();
        convert::with_rows!(rows, |rows| {
            written(py, rows.access(), |room| encode::encode(&self.plan, &rows, self.wire, room))
        })
    }

    /// Write the message of `rows` into `buffer` and give its length.
    fn encode_into(&self, rows: &Bound<'_, PyAny>, buffer: &Bound<'_, PyAny>) -> PyResult<usize> {
        let buffer = Buffer::get(buffer, true)?;
        let (start, len) = buffer.raw();
        // SAFETY: the exporter keeps the bytes where they are, and while they are written other threads
        // wait for the GIL.
        let mut room = unsafe { Borrowed::new(start, len) };
        convert::with_rows!(rows, |rows| {
            room.clear();
            encode::encode(&self.plan, &rows, self.wire, &mut room)
        })
        .and_then(|written| room.finish(written))
        .map_err(|error| raise(rows.py(), error))
    }

    /// The rows of a message. Those of another schema are read as rows of the codec's.
    #[pyo3(signature = (data, *, max_memory = None))]
    fn decode<'py>(
        &self,
        data: &Bound<'py, PyAny>,
        max_memory: Option<usize>,
    ) -> PyResult<Bound<'py, PyAny>> {
        convert::decode(data, ReadAs::Codec(self), max_memory)
    }

    /// Compile now what encodes rows, what decodes them, or both. That takes some milliseconds each
    /// and more for wide rows, in which other threads run. What is compiled for decoding is for
    /// messages in the codec's own wire. Where objects are accessed through the C API alone, there is
    /// nothing that could be compiled.
    #[pyo3(signature = (direction = None))]
    fn compile(&self, py: Python<'_>, direction: Option<&str>) -> PyResult<()> {
        let only = direction.map(Direction::parse).transpose()?;
        let Some(offsets) = convert::offsets() else { return Ok(()) };
        if compile::tier()? == Tier::Interpreter {
            return Ok(());
        }
        let wanted = |&direction: &Direction| only.is_none_or(|only| direction == only);
        for direction in Direction::BOTH.into_iter().filter(wanted) {
            compile::compile(py, offsets, self.plan(direction), self.wire, direction)?;
        }
        Ok(())
    }

    /// `jit` if anything is compiled, or else `interpreter`.
    #[getter]
    fn tier(&self) -> &'static str {
        let any = Direction::BOTH.into_iter().any(|direction| self.is_compiled(direction));
        tier_name(any)
    }

    /// For each direction, what converts rows: `jit` if it is compiled, or else `interpreter`.
    #[getter]
    fn tiers<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let tiers = PyDict::new(py);
        for direction in Direction::BOTH {
            tiers.set_item(direction.name(), tier_name(self.is_compiled(direction)))?;
        }
        Ok(tiers)
    }

    /// The LLVM IR of what converts rows once it is compiled; `None` if nothing can be.
    #[pyo3(signature = (direction = "encode"))]
    fn ir(&self, py: Python<'_>, direction: &str) -> PyResult<Option<String>> {
        self.text(py, direction, Compiler::ir)
    }

    /// The assembly of what converts rows once it is compiled; `None` if nothing can be.
    #[pyo3(signature = (direction = "encode"))]
    fn asm(&self, py: Python<'_>, direction: &str) -> PyResult<Option<String>> {
        self.text(py, direction, Compiler::asm)
    }

    /// The schema of the rows.
    #[getter]
    fn schema(&self) -> PySchema {
        PySchema::from(self.plan.schema().clone())
    }

    /// The wire that rows are encoded in: `frame` or `row`.
    #[getter]
    fn wire(&self) -> &'static str {
        self.wire.name()
    }

    fn __repr__(&self) -> String {
        format!("Codec('{}', wire='{}')", self.plan.schema(), self.wire.name())
    }
}

impl PyCodec {
    fn of(plan: Arc<Program>, wire: Wire) -> PyCodec {
        let expected = Expected::new(plan.clone(), Defaults::default());
        PyCodec { plan, expected, names: None, wire }
    }

    /// What messages are read as.
    pub fn expected(&self) -> &Expected {
        &self.expected
    }

    /// The names with which rows are made, if there are classes in them.
    pub fn names(&self) -> Option<&Arc<PyNames>> {
        self.names.as_ref()
    }

    /// The plan of a direction.
    fn plan(&self, direction: Direction) -> &Arc<Program> {
        match direction {
            Direction::Encode => &self.plan,
            Direction::Decode => self.expected.plan(),
        }
    }

    fn is_compiled(&self, direction: Direction) -> bool {
        compile::is_compiled(self.plan(direction), self.wire, direction)
            && convert::offsets().is_some()
    }

    fn text(
        &self,
        py: Python<'_>,
        direction: &str,
        text: fn(&Compiler, &Program, &Conversion<'_>) -> Result<String, CompileError>,
    ) -> PyResult<Option<String>> {
        let direction = Direction::parse(direction)?;
        let Some(offsets) = convert::offsets() else { return Ok(None) };
        compile::text(py, offsets, (self.plan(direction), self.wire), direction, text).map(Some)
    }
}

fn tier_name(is_compiled: bool) -> &'static str {
    if is_compiled { "jit" } else { "interpreter" }
}

/// A codec that has code only if it is compiled itself, and not if an equal one is: for tests that
/// compare the two.
#[pyfunction]
#[pyo3(signature = (schema, *, wire = "frame"))]
pub fn codec_alone(schema: &Bound<'_, PyAny>, wire: &str) -> PyResult<PyCodec> {
    let plan = Arc::new(Program::new(to_schema(schema)?.schema()));
    Ok(PyCodec::of(plan, convert::wire(wire)?))
}

/// A `Schema` or its text.
fn to_schema(schema: &Bound<'_, PyAny>) -> PyResult<PySchema> {
    match (schema.cast::<PySchema>(), schema.cast::<PyString>()) {
        (Ok(schema), _) => Ok(schema.get().clone()),
        (_, Ok(text)) => PySchema::parse(text),
        _ => Err(PyTypeError::new_err(format!(
            "schema must be a Schema or its text, not {}",
            schema.get_type().name()?
        ))),
    }
}

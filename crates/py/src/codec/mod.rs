//! Codecs of rows of one type, and what is made and read by them: messages, single records, Arrow's arrays.

pub mod convert;
pub mod encode_one;
pub mod from_arrow;
pub mod options;
pub mod schema;
mod schema_values;
pub mod to_arrow;
pub mod typed;

use std::fmt::Write as _;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyString, PyType};
use serow_core::bytes::out::Borrowed;
use serow_core::decode::ReaderSchema;
use serow_core::encode;
use serow_core::host_lock::{self, HostLock};
use serow_core::layout::Pair;
use serow_core::plan::{self, Defaults};
use serow_core::program::Program;
use serow_core::threads::Threads;
use serow_core::wire::single::Agreement;

use crate::access;
use crate::arrow::{ArrowStream, ArrowTable, Extensions};
use crate::compile::{self, Direction, Method, Text};
use crate::errors::{exception, raise};
use crate::gil::GIL;
use crate::layout::buffers::{Buffer, written};
use crate::layout::logical::Times;
use crate::layout::{Access, KeptViews, Leniency, ObjectChoices, ObjectWriter, PyNames};
use crate::made::{self, Calls, Made, Make, name};
use crate::rows::foreign::is_arrow;
use crate::rows::{taken, with_rows};

use convert::ReadAs;
use options::WriteOptions;
use schema::{PySchema, PySchemaSet};
use typed::Typed;

macro_rules! make_instances {
    ($($T:ty)+) => {$(
        impl<'py> Make<'py> for $T {
            fn make(self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
                Bound::new(py, self)?.make(py)
            }
        }
    )+};
}

make_instances! { PyCodec PySchema PySchemaSet }

#[doc = stub_doc!("Codec")]
#[pyclass(name = "Codec", module = "serow", frozen)]
pub struct PyCodec {
    schema: PySchema,
    program: Arc<Program>,
    expected: ReaderSchema,
    /// The names with the caller's classes, if there are any.
    names: Option<Arc<PyNames>>,
    write: WriteOptions,
    /// What is made of rows.
    objects: ObjectChoices,
    /// For single records.
    agreement: Agreement,
    views: KeptViews,
}

#[pymethods]
impl PyCodec {
    #[new]
    #[pyo3(signature = (
        schema, *, wire = "frame", compression = None, level = None, threads = None,
        fingerprint = true, schemas = None, times = "exact", arrays = None, validate = false,
        records = None, ints_as_floats = false,
    ))]
    #[allow(clippy::too_many_arguments, reason = "they are the keywords of Python")]
    fn new(
        schema: &Bound<'_, PyAny>,
        wire: &str,
        compression: Option<&str>,
        level: Option<i32>,
        threads: Option<&Bound<'_, PyAny>>,
        fingerprint: bool,
        schemas: Option<&Bound<'_, PySchemaSet>>,
        times: &str,
        arrays: Option<&str>,
        validate: bool,
        records: Option<&str>,
        ints_as_floats: bool,
    ) -> PyResult<PyCodec> {
        let mut write = WriteOptions::new(wire, compression, level, threads)?;
        let py = schema.py();
        let schema = to_schema(schema)?;
        let typed = schema.typed();
        let mut objects = options::objects(py, times, arrays, validate, records, typed.is_some())?;
        (write.leniency.times, write.leniency.ints_as_floats) = (objects.times, ints_as_floats);
        let mut codec = PyCodec::of(Program::of(schema.schema()), write);
        if let Some(typed) = typed {
            (codec.expected, codec.names) = (typed.expected(), typed.names().cloned());
            objects.arrays = objects.arrays.or_else(|| typed.arrays().cloned());
        }
        (codec.schema, codec.objects) = (schema, objects);
        codec.agreement.has_fingerprint = fingerprint;
        if let Some(schemas) = schemas {
            codec.agreement.schemas = schemas.get().schemas().clone();
        }
        Ok(codec)
    }

    /// `Codec[T]`, for annotations.
    #[classmethod]
    fn __class_getitem__<'py>(
        class: &Bound<'py, PyType>,
        row: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        class.py().import(name!("types"))?.getattr(name!("GenericAlias"))?.call_with((class, row))
    }

    #[doc = stub_doc!("Codec.infer")]
    #[staticmethod]
    #[pyo3(signature = (
        rows, *, wire = "frame", compression = None, level = None, threads = None
    ))]
    fn infer(
        rows: &Bound<'_, PyAny>,
        wire: &str,
        compression: Option<&str>,
        level: Option<i32>,
        threads: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<PyCodec> {
        let write = WriteOptions::new(wire, compression, level, threads)?;
        Ok(PyCodec::of(Program::of(&convert::infer(rows)?), write))
    }

    #[doc = stub_doc!("Codec.encode")]
    fn encode<'py>(&self, rows: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyBytes>> {
        let py = rows.py();
        if is_arrow(rows)? {
            let table = self.table(rows)?;
            return convert::arrow_message(&table, py, self.write.format);
        }
        let (rows, program) = self.rows_to_encode(rows)?;
        with_rows!(&rows, leniency: self.leniency(), |rows| {
            rows.let_others_run();
            written(py, rows.access(), |room| {
                encode::encode_with(&program, &rows, self.write.format, &self.write.maker(), room)
            })
        })
    }

    #[doc = stub_doc!("Codec.encode_into")]
    fn encode_into(
        &self,
        rows: &Bound<'_, PyAny>,
        buffer: &Bound<'_, PyAny>,
    ) -> PyResult<Made<usize>> {
        let buffer = Buffer::get(buffer, true)?;
        let (start, len) = buffer.raw();
        // SAFETY: the exporter keeps the bytes in place, and other threads wait for the GIL during
        // the writes, between which they may run.
        let mut room = unsafe { Borrowed::new(start, len) };
        // A compressor takes long, and other threads, which have the buffer, run meanwhile. So it gets
        // memory that they don't have.
        let is_long = len >= host_lock::LEAST_BYTES;
        let format = self.write.format;
        let is_apart = format.compression.name().is_some() && is_long;
        let mut apart = Vec::new();
        let encoded = if is_arrow(rows)? {
            let table = self.table(rows)?;
            match is_apart {
                true => table.encode(rows.py(), format, GIL, &mut apart),
                false => table.encode(rows.py(), format, HostLock::NONE, &mut room),
            }
        } else {
            let (rows, program) = self.rows_to_encode(rows)?;
            with_rows!(&rows, leniency: self.leniency(), |rows| {
                let maker = self.write.maker();
                if is_apart {
                    rows.let_others_run();
                    encode::encode_with(&program, &rows, format, &maker, &mut apart)
                } else {
                    room.clear();
                    if is_long {
                        rows.let_others_run_between();
                    }
                    encode::encode_with(&program, &rows, format, &maker, &mut room)
                }
            })
        };
        let finish = |_| {
            if is_apart {
                room.fill(apart);
            }
            room.finish()
        };
        encoded.and_then(finish).map(Made).map_err(|error| raise(rows.py(), error))
    }

    #[doc = stub_doc!("Codec.decode")]
    #[pyo3(signature = (data, *, max_memory = None))]
    fn decode<'py>(
        &self,
        data: &Bound<'py, PyAny>,
        max_memory: Option<usize>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let objects = self.objects.clone();
        convert::decode(data, ReadAs::Codec(self), max_memory, self.write.threads, objects)
    }

    #[doc = stub_doc!("Codec.decode_arrow")]
    #[pyo3(signature = (data, *, schema = None, max_memory = None))]
    fn decode_arrow(
        &self,
        data: &Bound<'_, PyAny>,
        schema: Option<&Bound<'_, PyAny>>,
        max_memory: Option<usize>,
    ) -> PyResult<ArrowStream> {
        to_arrow::of_message(data, self, schema, max_memory)
    }

    #[doc = stub_doc!("Codec.encode_one_into")]
    #[pyo3(signature = (row, buffer, offset = 0))]
    fn encode_one_into(
        &self,
        row: &Bound<'_, PyAny>,
        buffer: &Bound<'_, PyAny>,
        offset: isize,
    ) -> PyResult<Made<usize>> {
        let offset = usize::try_from(offset).map_err(|_| {
            exception::<PyValueError>(format!("offset must not be negative, but is {offset}"))
        })?;
        let mut buffer = Buffer::get(buffer, true)?;
        convert::encode_one(row, self, |record| buffer.put(record, offset))?
            .map(Made)
            .map_err(|error| raise(row.py(), error))
    }

    #[doc = stub_doc!("Codec.decode_one")]
    #[pyo3(signature = (data, *, max_memory = None))]
    fn decode_one<'py>(
        &self,
        data: &Bound<'py, PyAny>,
        max_memory: Option<usize>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let objects = self.objects.clone();
        convert::decode(data, ReadAs::Record(self), max_memory, Threads::ONE, objects)
    }

    #[doc = stub_doc!("Codec.compile")]
    #[pyo3(signature = (direction = None))]
    fn compile(&self, py: Python<'_>, direction: Option<&str>) -> PyResult<()> {
        let methods = match direction {
            Some(name) => vec![Method::parse(name)?],
            None => Direction::BOTH.map(Method::Message).into(),
        };
        // Rows of an open schema are converted by programs of other schemas.
        if !compile::is_wanted()? || self.closed_program().is_none() {
            return Ok(());
        }
        let offsets = access::offsets_to_compile(py)?;
        for method in methods {
            compile::compile(py, offsets, self.program_of(method), self.pair(method))?;
        }
        Ok(())
    }

    #[doc = stub_doc!("Codec.tier")]
    #[getter]
    fn tier(&self) -> Made<&'static str> {
        let any = Method::ALL.into_iter().any(|method| self.is_compiled(method));
        Made(tier_name(any))
    }

    #[doc = stub_doc!("Codec.tiers")]
    #[getter]
    fn tiers<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let tiers = made::dict(py)?;
        for method in Method::ALL {
            tiers.set_item(Made(method.name()), Made(tier_name(self.is_compiled(method))))?;
        }
        Ok(tiers)
    }

    #[doc = stub_doc!("Codec.ir")]
    #[pyo3(signature = (direction = "encode"))]
    fn ir(&self, py: Python<'_>, direction: &str) -> PyResult<Option<Made<String>>> {
        self.text(py, direction, Text::Ir)
    }

    #[doc = stub_doc!("Codec.asm")]
    #[pyo3(signature = (direction = "encode"))]
    fn asm(&self, py: Python<'_>, direction: &str) -> PyResult<Option<Made<String>>> {
        self.text(py, direction, Text::Asm)
    }

    #[doc = stub_doc!("Codec.schema")]
    #[getter]
    fn schema(&self) -> PySchema {
        self.schema.clone()
    }

    #[doc = stub_doc!("Codec.schemas")]
    #[getter]
    fn schemas(&self) -> PySchemaSet {
        self.agreement.schemas.clone().into()
    }

    #[doc = stub_doc!("Codec.wire")]
    #[getter]
    fn wire(&self) -> Made<&'static str> {
        Made(self.write.format.wire.name())
    }

    #[doc = stub_doc!("Codec.compression")]
    #[getter]
    fn compression(&self) -> Option<Made<&'static str>> {
        self.write.format.compression.name().map(Made)
    }

    #[doc = stub_doc!("Codec.level")]
    #[getter]
    fn level(&self) -> Option<Made<i32>> {
        self.write.format.compression.level().map(Made)
    }

    #[doc = stub_doc!("Codec.threads")]
    #[getter]
    fn threads<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        match self.write.threads {
            Threads::Most(count) => count.get().make(py),
            Threads::Auto => "auto".make(py),
        }
    }

    #[doc = stub_doc!("Codec.times")]
    #[getter(times)]
    fn times_name(&self) -> Made<&'static str> {
        Made(match self.times() {
            Times::Exact => "exact",
            Times::Portable => "portable",
        })
    }

    #[doc = stub_doc!("Codec.arrays")]
    #[getter]
    fn arrays(&self) -> Option<Made<&'static str>> {
        self.objects.arrays.as_ref().filter(|arrays| arrays.makes_all()).map(|_| Made("numpy"))
    }

    #[doc = stub_doc!("Codec.ints_as_floats")]
    #[getter]
    fn ints_as_floats(&self) -> bool {
        self.leniency().ints_as_floats
    }

    #[doc = stub_doc!("Codec.validate")]
    #[getter]
    fn validate(&self) -> bool {
        self.objects.validates
    }

    #[doc = stub_doc!("Codec.records")]
    #[getter]
    fn records(&self) -> Option<Made<&'static str>> {
        self.objects.makes_dicts.then_some(Made("dict"))
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<Made<String>> {
        let schema = match self.schema.typed() {
            Some(typed) => format!("Schema.of({})", typed.name(py)?),
            None => self.schema.quoted(py)?,
        };
        let mut text = format!("Codec({schema}");
        let plain = WriteOptions::new("frame", None, None, None)?;
        let plain = PyCodec::of(self.program.clone(), plain).options(py)?;
        for (name, value) in self.options(py)? {
            let default = plain.get_item(&name)?;
            let is_default = default.map_or(Ok(false), |default| default.eq(&value))?;
            if !is_default || name.eq(name!("wire"))? {
                _ = write!(text, ", {name}={}", value.repr()?);
            }
        }
        Ok(Made(text + ")"))
    }

    /// Whether both give the same bytes for all rows, and the same rows for all bytes.
    fn __eq__(&self, other: &Bound<'_, PyAny>) -> PyResult<bool> {
        let py = other.py();
        let Ok(other) = other.cast_exact::<PyCodec>() else { return Ok(false) };
        let other = other.get();
        let annotations = [self, other].map(|codec| codec.schema.typed().map(Typed::annotation));
        let is_typed_alike = match annotations {
            [Some(one), Some(other)] => one.bind(py).eq(other)?,
            [one, other] => one.is_none() && other.is_none(),
        };
        if !is_typed_alike || self.schema != other.schema {
            return Ok(false);
        }
        let [one, other] = [self, other].map(|codec| {
            let options = codec.options(py)?;
            options.del_item(name!("threads"))?;
            Ok::<_, PyErr>(options)
        });
        one?.eq(other?)
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        (&self.schema, self.write.format, self.times(), self.agreement.has_fingerprint)
            .hash(&mut hasher);
        hasher.finish()
    }

    /// For pickling. The copy has a set of schemas of its own.
    fn __getnewargs_ex__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<Made<((PySchema,), Bound<'py, PyDict>)>> {
        Ok(Made(((self.schema.clone(),), self.options(py)?)))
    }
}

impl PyCodec {
    /// The keywords that make the codec, with their values.
    fn options<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let options = made::dict(py)?;
        options.set_item(name!("wire"), self.wire())?;
        options.set_item(name!("compression"), self.compression())?;
        options.set_item(name!("level"), self.level())?;
        options.set_item(name!("threads"), self.threads(py)?)?;
        options.set_item(name!("fingerprint"), self.agreement.has_fingerprint)?;
        options.set_item(name!("schemas"), self.schemas())?;
        options.set_item(name!("times"), self.times_name())?;
        options.set_item(name!("arrays"), self.arrays())?;
        options.set_item(name!("validate"), self.validate())?;
        options.set_item(name!("ints_as_floats"), self.ints_as_floats())?;
        options.set_item(name!("records"), self.records())?;
        Ok(options)
    }

    fn of(program: Arc<Program>, mut write: WriteOptions) -> PyCodec {
        write.leniency.arrays_as_lists = true;
        let expected = ReaderSchema::new(program.clone(), Defaults::default());
        PyCodec {
            schema: PySchema::from(program.schema().clone()),
            program,
            expected,
            names: None,
            write,
            objects: ObjectChoices::default(),
            agreement: Agreement::default(),
            views: KeptViews::default(),
        }
    }

    /// How to decode messages.
    pub fn expected(&self) -> &ReaderSchema {
        &self.expected
    }

    /// The annotation of the rows with its classes, if the schema is of one.
    pub fn typed(&self) -> Option<&Typed> {
        self.schema.typed()
    }

    /// Makes `rows` instances of the caller's classes, and arrays where the codec makes them. They are
    /// validated if the codec or the caller wants it.
    pub fn set_up<A: Access>(&self, rows: &mut ObjectWriter<A>) {
        self.names.iter().for_each(|names| rows.make_with(names.clone()));
        self.objects.arrays.iter().for_each(|arrays| rows.make_arrays(arrays));
        if self.validate() {
            rows.validate();
        }
        if self.objects.makes_dicts {
            rows.make_dicts();
        }
    }

    /// What is known about the classes in single records.
    pub fn views(&self) -> &KeptViews {
        &self.views
    }

    /// What was agreed on for single records.
    pub fn agreement(&self) -> &Agreement {
        &self.agreement
    }

    /// What becomes of what the times of other languages lack.
    pub fn times(&self) -> Times {
        self.objects.times
    }

    /// What the rows to encode may have.
    pub fn leniency(&self) -> Leniency {
        self.write.leniency
    }

    /// The program for rows of the schema, unless that is open.
    pub fn closed_program(&self) -> Option<&Arc<Program>> {
        (!self.program.schema().is_open()).then_some(&self.program)
    }

    /// Rows that are given as Arrow's arrays. A column may have a former name of its field.
    ///
    /// # Errors
    /// See [`ArrowTable::of`].
    fn table(&self, rows: &Bound<'_, PyAny>) -> PyResult<ArrowTable> {
        let table = ArrowTable::of(rows, self.closed_program(), Extensions::Known)?;
        Ok(table.with_former_names(self.expected.former_names()))
    }

    /// The rows, which can be read twice, and the program that encodes them. The open parts of a schema
    /// get the types that the rows are inferred to have.
    ///
    /// # Errors
    /// As for `Schema.infer`.
    fn rows_to_encode<'py>(
        &self,
        rows: &Bound<'py, PyAny>,
    ) -> PyResult<(Bound<'py, PyAny>, Arc<Program>)> {
        match self.closed_program() {
            Some(program) => Ok((rows.clone(), program.clone())),
            None => {
                let rows = taken::listed(rows)?;
                let program = self.program_for(&rows)?;
                Ok((rows, program))
            }
        }
    }

    /// The program that encodes listed rows.
    ///
    /// # Errors
    /// As for `Schema.infer`.
    pub fn program_for(&self, rows: &Bound<'_, PyAny>) -> PyResult<Arc<Program>> {
        if let Some(program) = self.closed_program() {
            return Ok(program.clone());
        }
        let inferred = convert::infer(rows)?;
        let closed = plan::closed(self.program.schema(), &inferred);
        Ok(Program::shared(&closed.map_err(|error| raise(rows.py(), error))?))
    }

    /// The program that encodes rows, which only fails if the schema is open.
    pub fn program(&self) -> &Arc<Program> {
        &self.program
    }

    /// The program of a method.
    fn program_of(&self, method: Method) -> &Arc<Program> {
        match method.direction() {
            Direction::Encode => &self.program,
            Direction::Decode => self.expected.program(),
        }
    }

    /// The kinds of layouts that a method joins.
    fn pair(&self, method: Method) -> Pair {
        method.direction().pair(method.wire(self.write.format.wire))
    }

    fn is_compiled(&self, method: Method) -> bool {
        self.program_of(method).is_compiled(self.pair(method))
    }

    fn text(&self, py: Python<'_>, direction: &str, text: Text) -> PyResult<Option<Made<String>>> {
        let method = Method::parse(direction)?;
        let Some(offsets) = access::offsets() else { return Ok(None) };
        let text = compile::text(py, offsets, self.program_of(method), self.pair(method), text)?;
        Ok(text.map(Made))
    }
}

/// The name of a tier. Without direct access to objects, the interpreter uses the C API and nothing is
/// compiled.
pub fn tier_name(is_compiled: bool) -> &'static str {
    match access::offsets() {
        None => "c-api",
        Some(_) if is_compiled => "jit",
        Some(_) => "interpreter",
    }
}

#[doc = stub_doc!("codec_alone")]
#[pyfunction]
#[pyo3(signature = (schema, *, wire = "frame"))]
pub fn codec_alone(schema: &Bound<'_, PyAny>, wire: &str) -> PyResult<PyCodec> {
    let program = Arc::new(Program::new(to_schema(schema)?.schema()));
    Ok(PyCodec::of(program, WriteOptions::new(wire, None, None, None)?))
}

/// A `Schema`, given as such, as text, or as a class or an annotation.
pub fn to_schema(schema: &Bound<'_, PyAny>) -> PyResult<PySchema> {
    match (schema.cast::<PySchema>(), schema.cast::<PyString>()) {
        (Ok(schema), _) => Ok(schema.get().clone()),
        (_, Ok(text)) => PySchema::parse(text),
        _ if is_annotation(schema)? => PySchema::of(schema),
        _ => Err(exception::<PyTypeError>(format!(
            "schema must be a Schema or its text, or a class or an annotation, not {}",
            schema.get_type().name()?
        ))),
    }
}

/// Whether an object is a class, or one of the objects that stand for types in annotations.
fn is_annotation(object: &Bound<'_, PyAny>) -> PyResult<bool> {
    // Generic classes with arguments and unions have arguments, and bare aliases such as `typing.List` only an
    // origin. Aliases of `type` statements have a value, and a `NewType` the type below it.
    Ok(object.is_instance_of::<PyType>()
        || object.hasattr(name!("__args__"))?
        || object.hasattr(name!("__origin__"))?
        || object.hasattr(name!("__value__"))?
        || object.hasattr(name!("__supertype__"))?)
}

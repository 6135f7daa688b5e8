//! Rows and messages as Arrow's arrays.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyIterator, PyList};
use pyo3::{PyTraverseError, PyVisit};

use arrow_array::RecordBatch;
use serow_arrow::{Batches, FrameBatches};

use super::{PyCodec, options, typed};
use crate::arrow::{self, ArrowStream, MoreBatches};
use crate::errors::{SchemaError, exception, raise};
use crate::layout::Leniency;
use crate::layout::buffers::Message;
use crate::made::{Calls, name};
use crate::rows::taken::{self, RowsInput};
use crate::rows::with_rows;

#[doc = stub_doc!("to_arrow")]
#[pyfunction]
#[pyo3(signature = (rows, r#type = None, *, schema = None, batch_rows = 65_536, times = "exact"))]
pub fn to_arrow(
    rows: &Bound<'_, PyAny>,
    r#type: Option<&Bound<'_, PyAny>>,
    schema: Option<&Bound<'_, PyAny>>,
    batch_rows: usize,
    times: &str,
) -> PyResult<ArrowStream> {
    let (py, times) = (rows.py(), options::times(times)?);
    if batch_rows == 0 {
        return Err(exception::<PyValueError>("batch_rows must be 1 or more, not 0"));
    }
    let codec = r#type.map(typed::codec_of).transpose()?;
    let wanted = schema.map(arrow::schema).transpose()?;
    let wanted = wanted.as_ref();
    let ints_as_floats = codec.as_ref().is_some_and(|codec| codec.get().leniency().ints_as_floats);
    let leniency = Leniency { times, ints_as_floats, arrays_as_lists: codec.is_some() };
    let of_all = |rows: &Bound<'_, PyAny>| {
        let program = codec.as_ref().map(|codec| codec.get().program_for(rows)).transpose()?;
        let program = program.as_ref();
        with_rows!(rows, leniency: leniency, |rows| {
            Batches::of_all(&rows, program, wanted, batch_rows)
        })
        .map_err(|error| raise(py, error))
    };
    let iterator = match taken::given(rows)? {
        RowsInput::Coming(coming) => coming.into_iterator(),
        RowsInput::Listed(rows) => {
            let (all, made) = of_all(&rows)?;
            return ArrowStream::made(all.schema().clone(), made);
        }
    };
    let first = some(&iterator, batch_rows)?;
    let before = first.len();
    let (batches, made) = of_all(first.as_any())?;
    let schema = batches.schema().clone();
    let rows = iterator.unbind();
    let rest = MoreRows { batches, rows, most: batch_rows, leniency, before };
    ArrowStream::coming(schema, made, Box::new(rest))
}

/// The rows of an iterator.
struct MoreRows {
    batches: Batches,
    rows: Py<PyIterator>,
    most: usize,
    leniency: Leniency,
    /// The number of rows so far.
    before: usize,
}

impl MoreBatches for MoreRows {
    fn make(&mut self, py: Python<'_>) -> PyResult<Vec<RecordBatch>> {
        let rows = some(self.rows.bind(py), self.most)?;
        let count = rows.len();
        if count == 0 {
            return Ok(Vec::new());
        }
        let (batches, leniency, before) = (&mut self.batches, self.leniency, self.before);
        let rows = rows.into_any();
        let made = with_rows!(&rows, leniency: leniency, watched: true, after: before, |rows| {
            batches.of_more(&rows)
        });
        self.before += count;
        made.map_err(|error| raise(py, error))
    }

    fn traverse(&self, visit: &PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.rows)
    }
}

/// A list of up to `most` rows of an iterator.
fn some<'py>(rows: &Bound<'py, PyIterator>, most: usize) -> PyResult<Bound<'py, PyList>> {
    let py = rows.py();
    let islice = py.import(name!("itertools"))?.getattr(name!("islice"))?;
    let listed = taken::listed(&islice.call_with((rows, most))?)?;
    Ok(listed.cast_into::<PyList>()?)
}

/// The rows of a message, converted to the codec's schema, in batches of the `wanted` schema. Their arrays
/// may take `max_memory` bytes.
///
/// # Errors
/// See `loads`.
pub fn of_message(
    data: &Bound<'_, PyAny>,
    codec: &PyCodec,
    wanted: Option<&Bound<'_, PyAny>>,
    max_memory: Option<usize>,
) -> PyResult<ArrowStream> {
    let py = data.py();
    let message = Message::get(data)?;
    let Some(program) = codec.closed_program() else {
        return Err(exception::<SchemaError>(format!(
            "the codec's schema does not say all types, so it has no columns of Arrow: it is {}; \
             use to_arrow(codec.decode(data))",
            codec.program().schema()
        )));
    };
    let wanted = wanted.map(arrow::schema).transpose()?;
    let mut batches = FrameBatches::new(Some(program), max_memory).with_schema(wanted);
    let made = batches.of_message(message.bytes()).map_err(|error| raise(py, error))?;
    let schema = batches.schema().map_err(|error| raise(py, error))?;
    ArrowStream::made(schema, made)
}

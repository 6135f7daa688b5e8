//! The frames of a stream as Arrow's arrays.

use arrow_array::RecordBatch;
use pyo3::prelude::*;
use pyo3::{PyTraverseError, PyVisit};
use serow_arrow::FrameBatches;

use super::{StreamReader, change};
use crate::arrow::{self, ArrowStream, MoreBatches};
use crate::codec::typed;
use crate::errors::raise;
use crate::made::Calls;

/// The frames of a reader.
struct MoreFrames {
    batches: FrameBatches,
    reader: Py<StreamReader>,
    /// Called with the numbers of rows and bytes after each frame.
    progress: Option<Py<PyAny>>,
}

impl MoreBatches for MoreFrames {
    fn make(&mut self, py: Python<'_>) -> PyResult<Vec<RecordBatch>> {
        loop {
            let mut reader = change(self.reader.bind(py))?;
            let batches = &mut self.batches;
            let made = reader
                .next_with(py, |frame| batches.of_frame(frame).map_err(|error| raise(py, error)))?;
            let counts = reader.counts();
            drop(reader);
            let Some(made) = made else { return Ok(Vec::new()) };
            if let Some(progress) = &self.progress {
                progress.bind(py).call_with(counts)?;
            }
            if let Some(made) = made {
                return Ok(vec![made]);
            }
        }
    }

    fn traverse(&self, visit: &PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.reader)?;
        self.progress.as_ref().map_or(Ok(()), |progress| visit.call(progress))
    }
}

/// The rows of the next frames of a reader, converted to `rows`, in batches of the `wanted` schema. Without
/// one, the first frame with rows decides it.
///
/// # Errors
/// See `Reader`.
pub fn of_reader(
    reader: Bound<'_, StreamReader>,
    rows: Option<&Bound<'_, PyAny>>,
    wanted: Option<&Bound<'_, PyAny>>,
    progress: Option<Py<PyAny>>,
) -> PyResult<ArrowStream> {
    let py = reader.py();
    let rows = rows.map(typed::codec_of).transpose()?;
    let rows = rows.as_ref().and_then(|codec| codec.get().closed_program());
    let wanted = wanted.map(arrow::schema).transpose()?;
    let batches = reader.try_borrow()?.batches(rows).with_schema(wanted);
    let mut more = Box::new(MoreFrames { batches, reader: reader.unbind(), progress });
    let first = more.make(py)?;
    let schema = more.batches.schema().map_err(|error| raise(py, error))?;
    ArrowStream::coming(schema, first, more)
}

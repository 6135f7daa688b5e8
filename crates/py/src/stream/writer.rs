//! `StreamWriter`, the base of `serow.Writer`.
//!
//! Its methods are native down to the file, because Ctrl-C may come between any two steps of Python code:
//! then rows that the caller's iterator has given would be lost on their way.

use arrow_array::RecordBatch;
use pyo3::PyTraverseError;
use pyo3::exceptions::{PyException, PyKeyboardInterrupt, PyTypeError, PyValueError};
use pyo3::gc::PyVisit;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple};
use serow_arrow::{BatchRows, Target};
use serow_core::host_lock::HostLock;
use serow_core::program::Program;
use serow_core::stream::StreamEncoder;
use serow_core::threads::Threads;
use serow_core::{Error, Result};

use super::flushing::Flushing;
use super::sink::Sink;
use super::{change, look_at};
use crate::access;
use crate::arrow::{self, Extensions};
use crate::codec::options::{self, WriteOptions};
use crate::codec::schema::PySchema;
use crate::codec::to_schema;
use crate::errors::{SchemaError, exception, raise, shown};
use crate::gil::GIL;
use crate::layout::records::LatestClasses;
use crate::layout::{Direct, KeptViews, Leniency, ObjectReader};
use crate::made::{self, Calls, Made, name};
use crate::rows::foreign::is_arrow;
use crate::rows::taken::{self, RowsInput, Taking};
use crate::rows::with_rows;

/// Rows of an iterator that are taken at once: at first, and at most by one thread. So few are still in
/// the cache when they are encoded, and their memory is when the iterator makes the next.
const FIRST_BATCH: usize = 64;
const BATCH: usize = 1 << 10;

/// Rows that are taken at once for several threads: in the first frame, and at most.
const MIDDLE_BATCH: usize = 1 << 13;
const MOST_BATCH: usize = 1 << 17;

/// At most as many rows as in this many frames are taken at once.
const BATCH_FRAMES: u64 = 4;

/// Fewer rows are appended one by one.
const FEW_ROWS: usize = 16;

#[doc = stub_doc!("StreamWriter")]
#[pyclass(module = "serow._native", subclass)]
pub struct StreamWriter {
    encoder: StreamEncoder,
    schema: Option<PySchema>,
    sink: Sink,
    progress: Option<Py<PyAny>>,
    options: WriteOptions,
    /// For rows that come one by one.
    views: KeptViews,
    flushing: Flushing,
    /// Whether nothing needs to be done after rows were appended.
    is_plain: bool,
    /// The error of a flush that nobody has called. The next call raises it.
    failure: Option<PyErr>,
    is_closed: bool,
}

/// How long a thread that flushes waits before it tries again, in seconds.
const SOON: f64 = 0.01;

/// Passes bytes to the sink. Its exception stays in Python until the error of kind `Host` is raised.
fn put_to<'a>(
    py: Python<'a>,
    sink: &'a mut Sink,
    keeps_gil: bool,
) -> impl FnMut(&[u8]) -> Result<()> + use<'a> {
    move |bytes| {
        sink.put(py, bytes, keeps_gil).map_err(|error| {
            error.restore(py);
            Error::host()
        })
    }
}

#[pymethods]
impl StreamWriter {
    /// `path` is that of a file that serow has opened without a buffer; for other files it is `None`. Without
    /// a file, the writer opens the one at `path` and appends to it.
    #[new]
    #[pyo3(signature = (
        file, path, schema, /, *, wire = "frame", compression = None, level = None,
        threads = None, times = "exact", flush_rows = None, flush_bytes = None,
        flush_seconds = None, metadata = None, ints_as_floats = false, progress = None,
    ))]
    #[allow(clippy::too_many_arguments, reason = "they are the keywords of Python")]
    fn new(
        py: Python<'_>,
        file: Option<Bound<'_, PyAny>>,
        path: Option<Bound<'_, PyAny>>,
        schema: Option<&Bound<'_, PyAny>>,
        wire: &str,
        compression: Option<&str>,
        level: Option<i32>,
        threads: Option<&Bound<'_, PyAny>>,
        times: &str,
        flush_rows: Option<usize>,
        flush_bytes: Option<u64>,
        flush_seconds: Option<f64>,
        metadata: Option<&Bound<'_, PyAny>>,
        ints_as_floats: bool,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<StreamWriter> {
        let arrays_as_lists = schema.is_some();
        let mut options = WriteOptions::new(wire, compression, level, threads)?;
        options.leniency =
            Leniency { times: options::times(times)?, ints_as_floats, arrays_as_lists };
        if ints_as_floats && schema.is_none() {
            return Err(exception::<PyValueError>(
                "ints_as_floats is for a Writer with a schema; give the schema, or leave it out",
            ));
        }
        let schema = schema.map(to_schema).transpose()?;
        if let Some(open) = schema.as_ref().filter(|schema| schema.schema().is_open()) {
            return Err(exception::<SchemaError>(format!(
                "the schema of a Writer must say all types, and {} has parts of any type; leave it \
                 out, and the Writer infers the types of its rows",
                open.schema()
            )));
        }
        let program = schema.as_ref().map(|schema| Program::of(schema.schema()));
        let flushing = Flushing::new(flush_rows, flush_bytes, flush_seconds)?;
        let metadata = metadata.map(options::metadata).transpose()?.unwrap_or_default();
        let encoder = StreamEncoder::of_messages(options.format, program, metadata);
        let mut encoder = encoder.map_err(|error| raise(py, error))?;
        let sink = match (file, path) {
            (None, Some(path)) => Sink::of_log(&path)?,
            (None, None) => return Err(exception::<PyTypeError>("there is no file")),
            (Some(file), path) => {
                let mut sink = Sink::of_file(&file, path)?;
                let begun = encoder.put_header(&mut put_to(py, &mut sink, false));
                begun.map_err(|error| raise(py, error))?;
                sink
            }
        };
        encoder.set_host_lock(GIL);
        Ok(StreamWriter {
            encoder,
            schema,
            is_plain: flushing.is_off() && !sink.is_log(),
            sink,
            progress,
            options,
            views: KeptViews::default(),
            flushing,
            failure: None,
            is_closed: false,
        })
    }

    #[doc = stub_doc!("StreamWriter.write")]
    fn write(slf: &Bound<'_, Self>, row: &Bound<'_, PyAny>) -> PyResult<()> {
        change(slf)?.append_one(row, 0, true)
    }

    #[doc = stub_doc!("StreamWriter.write_rows")]
    #[pyo3(signature = (rows, *, extensions = None))]
    fn write_rows<'py>(
        slf: &Bound<'py, Self>,
        rows: &Bound<'py, PyAny>,
        extensions: Option<&str>,
    ) -> PyResult<()> {
        let (py, extensions) = (rows.py(), arrow::extensions(extensions)?);
        change(slf)?.check_open()?;
        if is_arrow(rows)? {
            return StreamWriter::write_arrays(slf, rows, extensions);
        }
        match taken::given(rows)? {
            RowsInput::Listed(rows) => {
                let rows = match rows.cast_into::<PyTuple>() {
                    Ok(rows) => rows,
                    // No other code changes the tuple while frames are put.
                    Err(error) => made::tuple(py, error.into_inner().cast_into::<PyList>()?)?,
                };
                change(slf)?.append(&rows, 0, true)?;
                StreamWriter::report(slf)
            }
            RowsInput::Coming(mut rows) => {
                let (mut done, mut frames) = (0, look_at(slf)?.encoder.frames());
                loop {
                    let may_go_on = StreamWriter::write_batch(slf, &mut rows, &mut done)?;
                    let before = frames;
                    frames = look_at(slf)?.encoder.frames();
                    if frames > before || !may_go_on && done > 0 {
                        StreamWriter::report(slf)?;
                    }
                    if !may_go_on {
                        return Ok(());
                    }
                    py.check_signals()?;
                }
            }
        }
    }

    #[doc = stub_doc!("StreamWriter.flush")]
    fn flush(slf: &Bound<'_, Self>) -> PyResult<()> {
        let (py, mut this) = (slf.py(), change(slf)?);
        this.check_open()?;
        this.flush_rows(py, false)?;
        this.sink.flush(py)
    }

    /// Flushes if rows have waited for as long as they may. Returns in how many seconds to call this again;
    /// `None` if never. A thread calls this while others may use the writer.
    fn _flush_due(slf: &Bound<'_, Self>) -> Option<Made<f64>> {
        let py = slf.py();
        let Ok(mut this) = slf.try_borrow_mut() else { return Some(Made(SOON)) };
        let can_flush = this.sink.is_of_this_process() && this.sink.is_quick();
        if this.is_closed || this.encoder.is_ended() || !can_flush {
            return None;
        }
        let left = this.flushing.time_left()?;
        if !left.is_zero() {
            return Some(Made(left.as_secs_f64()));
        }
        match this.flush_rows(py, true) {
            Ok(true) => this.flushing.time_left().map(|left| Made(left.as_secs_f64())),
            Ok(false) => Some(Made(SOON)),
            Err(error) => {
                this.failure = Some(error);
                None
            }
        }
    }

    #[doc = stub_doc!("StreamWriter.close")]
    fn close(slf: &Bound<'_, Self>) -> PyResult<()> {
        StreamWriter::end(slf, true)
    }

    #[doc = stub_doc!("StreamWriter.abort")]
    fn abort(slf: &Bound<'_, Self>) -> PyResult<()> {
        StreamWriter::end(slf, false)
    }

    fn __enter__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    /// Ends the stream, unless an error has ended the block. Ctrl-C is no error.
    fn __exit__(
        slf: &Bound<'_, Self>,
        _kind: &Bound<'_, PyAny>,
        error: &Bound<'_, PyAny>,
        _trace: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        if error.is_none() {
            return StreamWriter::close(slf);
        }
        if let Err(another) = StreamWriter::end(slf, error.is_instance_of::<PyKeyboardInterrupt>())
        {
            // The exception of the block is what the caller must see. Python 3.10 has no notes.
            let another = shown(&another);
            let note =
                format!("serow.Writer: rows before this exception were not written: {another}");
            let add = error.getattr_opt(name!("add_note"))?;
            add.map(|add| add.call_with((note,))).transpose()?;
        }
        Ok(())
    }

    /// The number of rows that are not in the file, and its name, if the writer was not closed by the
    /// process that has opened it.
    fn _unwritten(&self, py: Python<'_>) -> Option<Made<(u64, String)>> {
        if self.is_closed || !self.sink.is_of_this_process() {
            return None;
        }
        Some(Made((self.encoder.waiting() as u64, self.sink.name(py))))
    }

    #[doc = stub_doc!("StreamWriter.rows")]
    #[getter]
    fn rows(slf: &Bound<'_, Self>) -> PyResult<Made<u64>> {
        Ok(Made(look_at(slf)?.encoder.rows()))
    }

    #[doc = stub_doc!("StreamWriter.frames_written")]
    #[getter]
    fn frames_written(slf: &Bound<'_, Self>) -> PyResult<Made<u64>> {
        Ok(Made(look_at(slf)?.encoder.frames()))
    }

    #[doc = stub_doc!("StreamWriter.bytes_written")]
    #[getter]
    fn bytes_written(slf: &Bound<'_, Self>) -> PyResult<Made<u64>> {
        Ok(Made(look_at(slf)?.encoder.written_and_waiting()))
    }

    #[doc = stub_doc!("StreamWriter.schema")]
    #[getter]
    fn schema(slf: &Bound<'_, Self>) -> PyResult<Option<PySchema>> {
        let this = look_at(slf)?;
        let inferred = || this.encoder.program().map(|it| PySchema::from(it.schema().clone()));
        Ok(this.schema.clone().or_else(inferred))
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> std::result::Result<(), PyTraverseError> {
        self.sink.traverse(&visit)?;
        self.progress.as_ref().map_or(Ok(()), |progress| visit.call(progress))
    }
}

impl StreamWriter {
    /// Appends rows, with `before` more rows before them in errors. If `watched`, Ctrl-C ends this early.
    fn append(&mut self, rows: &Bound<'_, PyTuple>, before: usize, watched: bool) -> PyResult<()> {
        let (py, mut done) = (rows.py(), 0);
        self.check_open()?;
        let StreamWriter { encoder, sink, options, .. } = self;
        let mut put = put_to(py, sink, false);
        let rows = rows.as_any();
        let appended = with_rows!(rows, leniency: options.leniency, watched: watched, after: before, |rows| {
            encoder.write(&rows, &options.maker(), &mut done, &mut put)
        });
        drop(put);
        self.appended(py, appended)
    }

    /// Checks that this process may use the writer, and raises the error of a flush that nobody has called.
    #[inline]
    fn check(&mut self) -> PyResult<()> {
        self.sink.check()?;
        self.failure.take().map_or(Ok(()), Err)
    }

    /// Checks that more can be written.
    fn check_open(&mut self) -> PyResult<()> {
        self.check()?;
        match self.encoder.is_ended() {
            false => Ok(()),
            true => Err(exception::<PyValueError>(
                "the stream has ended, or an earlier error has ended it; begin another one",
            )),
        }
    }

    /// Does what must follow after rows were appended, and raises the error of that.
    #[inline]
    fn appended<T>(&mut self, py: Python<'_>, appended: Result<T>) -> PyResult<T> {
        let appended = appended.map_err(|error| raise(py, error));
        if self.is_plain {
            return appended;
        }
        let followed = self.follow_up(py);
        let appended = appended?;
        followed.map(|()| appended)
    }

    /// Flushes if it is time to. Ends the message if frames were put and others append to the file too.
    fn follow_up(&mut self, py: Python<'_>) -> PyResult<()> {
        if self.encoder.is_ended() {
            return Ok(());
        }
        let StreamWriter { encoder, sink, flushing, .. } = self;
        if flushing.is_due(encoder) || sink.is_log() && encoder.has_frames() {
            self.flush_rows(py, false)?;
        }
        Ok(())
    }

    /// Ends the open frame, and the message if others append to the file too. Returns false if bytes wait
    /// because another writer writes, which happens only if this `keeps_gil`.
    fn flush_rows(&mut self, py: Python<'_>, keeps_gil: bool) -> PyResult<bool> {
        let StreamWriter { encoder, sink, flushing, .. } = self;
        let is_log = sink.is_log();
        let mut put = put_to(py, sink, keeps_gil);
        encoder.set_host_lock(if keeps_gil { HostLock::NONE } else { GIL });
        let flushed = match is_log {
            true => encoder.end_message(&mut put),
            false => encoder.flush(&mut put),
        };
        encoder.set_host_lock(GIL);
        drop(put);
        flushed.map_err(|error| raise(py, error))?;
        let settled = sink.settle(py, keeps_gil);
        match &settled {
            Ok(true) => flushing.flushed(),
            Err(error) if error.is_instance_of::<PyException>(py) => encoder.end(),
            Ok(false) | Err(_) => {}
        }
        settled
    }

    /// Like [`StreamWriter::append`], for one row.
    #[inline]
    fn append_one(&mut self, row: &Bound<'_, PyAny>, before: usize, watched: bool) -> PyResult<()> {
        let py = row.py();
        self.check_open()?;
        if let Some(offsets) = access::offsets()
            && let Some(program) = self.encoder.program()
        {
            let (classes, object) = (LatestClasses::new(py), row.as_ptr());
            let views = self.views.take(py, &program.from.tables);
            let access = Direct(offsets, py);
            // SAFETY: the row is alive. No Python code runs meanwhile, so the row doesn't change. Only the encoder
            // uses the source.
            let source = unsafe { ObjectReader::of_one(access, &object, &classes, views) };
            let mut source = source.with_leniency(self.options.leniency);
            let appended = self.encoder.append_one(&mut source);
            let views = source.take_views();
            if !matches!(appended, Ok(None)) {
                self.views.keep(py, views);
                // Other threads may run from here on, and change the row.
                let are_many = matches!(appended, Ok(Some(true)));
                let mut put = put_to(py, &mut self.sink, false);
                let staged = if are_many { self.encoder.stage_waiting(&mut put) } else { Ok(()) };
                drop(put);
                return self.appended(py, appended.and(staged));
            }
            // The row as one of some says why it does not fit.
            drop(PyErr::take(py));
        }
        self.append(&made::tuple(py, [row])?, before, watched)
    }

    /// Appends the rows of Arrow's batches, one batch after another.
    fn write_arrays(
        slf: &Bound<'_, Self>,
        data: &Bound<'_, PyAny>,
        extensions: Extensions,
    ) -> PyResult<()> {
        let py = data.py();
        let declared = {
            let this = look_at(slf)?;
            this.encoder.program().filter(|_| this.schema.is_some()).cloned()
        };
        let former_names = {
            let this = look_at(slf)?;
            let typed = this.schema.as_ref().and_then(PySchema::typed);
            typed.map(|typed| typed.former_names().clone()).unwrap_or_default()
        };
        arrow::each_batch(data, declared.as_ref(), extensions, |import, batch, before| {
            let known = look_at(slf)?.encoder.program().cloned();
            let target = match (&declared, &known) {
                (Some(program), _) => Target::Exactly(program, &former_names),
                (None, Some(program)) => Target::Joined(program),
                (None, None) => Target::Own,
            };
            let batches = std::slice::from_ref(batch);
            let rows = BatchRows::new(import, batches, target, before);
            let mut rows = rows.map_err(|error| raise(py, error))?;
            change(slf)?.append_batch_rows(py, &mut rows, batch)?;
            StreamWriter::report(slf)
        })
    }

    /// Appends the rows of one batch.
    fn append_batch_rows(
        &mut self,
        py: Python<'_>,
        rows: &mut BatchRows<'_>,
        batch: &RecordBatch,
    ) -> PyResult<()> {
        self.check_open()?;
        let StreamWriter { encoder, sink, .. } = self;
        let mut put = put_to(py, sink, false);
        let appended = rows.each(batch, |program, rows, count| {
            let appended = encoder.append(program, rows, count, &mut 0, &mut put)?;
            appended.map_err(|error| rows.misfit(&error))
        });
        drop(put);
        encoder.expect(rows.program());
        self.appended(py, appended)
    }

    /// Takes rows and appends them. Returns whether there may be more.
    fn write_batch<'py>(
        slf: &Bound<'py, Self>,
        rows: &mut Taking<'py>,
        done: &mut usize,
    ) -> PyResult<bool> {
        let py = slf.py();
        let mut batch = Vec::new();
        let size = look_at(slf)?.batch(*done);
        let mut taken = Ok(true);
        // The iterator may use the writer, so that is not borrowed meanwhile.
        for _ in 0..size {
            match rows.next() {
                Ok(Some((row, true))) => taken = taken::push(&mut batch, row).map(|()| true),
                Ok(Some((row, false))) => {
                    StreamWriter::append_batch(slf, &mut batch, done)?;
                    let appended = change(slf)?.append_one(&row, *done, false);
                    *done += 1;
                    appended?;
                }
                Ok(None) => taken = Ok(false),
                Err(error) => taken = Err(error),
            }
            if !matches!(taken, Ok(true)) {
                break;
            }
        }
        // Ctrl-C waits, because nobody else has these rows.
        match (taken, StreamWriter::append_batch(slf, &mut batch, done)) {
            // Ctrl-C and the like come first.
            (Err(taken), Err(_)) if !taken.is_instance_of::<PyException>(py) => Err(taken),
            (_, Err(appended)) => Err(appended),
            (taken, Ok(())) => taken,
        }
    }

    /// Appends the rows of `batch`, which come after `done` rows, and removes them from it.
    fn append_batch<'py>(
        slf: &Bound<'py, Self>,
        batch: &mut Vec<Bound<'py, PyAny>>,
        done: &mut usize,
    ) -> PyResult<()> {
        if batch.is_empty() {
            return Ok(());
        }
        let (before, len) = (*done, batch.len());
        *done += len;
        let mut this = change(slf)?;
        if len < FEW_ROWS && this.encoder.program().is_some() {
            let mut rows = batch.drain(..).enumerate();
            return rows.try_for_each(|(i, row)| this.append_one(&row, before + i, false));
        }
        let rows = made::tuple(slf.py(), batch.drain(..))?;
        this.append(&rows, before, false)
    }

    /// The number of rows to take after `done` rows: many, unless they are long.
    fn batch(&self, done: usize) -> usize {
        let most = match self.encoder.frames() {
            // The batches end where a frame of short rows does.
            0 => done.clamp(FIRST_BATCH, MIDDLE_BATCH),
            // Frames of long rows have few.
            frames => {
                let most = BATCH_FRAMES.saturating_mul(self.encoder.rows()) / frames;
                usize::try_from(most).unwrap_or(usize::MAX).clamp(1, MOST_BATCH)
            }
        };
        let most = most.min(self.flushing.rows_at_once(&self.encoder));
        if self.options.threads == Threads::ONE { most.min(BATCH) } else { most }
    }

    /// Calls the caller's function with the numbers of rows and bytes.
    fn report(slf: &Bound<'_, Self>) -> PyResult<()> {
        let (progress, counts) = {
            let this = look_at(slf)?;
            let progress = this.progress.as_ref().map(|progress| progress.clone_ref(slf.py()));
            (progress, (this.encoder.rows(), this.encoder.written()))
        };
        progress.map_or(Ok(()), |progress| progress.bind(slf.py()).call_with(counts).map(drop))
    }

    /// Ends the stream, with its end if it `is_whole`, and closes the file. In a forked child it writes nothing.
    fn end(slf: &Bound<'_, Self>, is_whole: bool) -> PyResult<()> {
        let py = slf.py();
        let was_ended = {
            let mut this = change(slf)?;
            if std::mem::replace(&mut this.is_closed, true) {
                return Ok(());
            }
            this.encoder.is_ended()
        };
        let end = || -> PyResult<()> {
            let mut this = change(slf)?;
            this.check()?;
            if was_ended {
                return Ok(());
            }
            this.write_end(py, is_whole)?;
            drop(this);
            StreamWriter::report(slf)
        };
        let ended = end();
        let mut this = change(slf)?;
        if let Err(error) = &ended
            && this.sink.is_log()
            && !this.encoder.is_ended()
            && !error.is_instance_of::<PyException>(py)
        {
            // Ctrl-C has come while another writer wrote. Rows still wait.
            this.is_closed = false;
            return ended;
        }
        // The first error is what the caller must see.
        let closed = this.sink.close(py);
        ended.and(closed)
    }

    /// Writes all rows, and the stream's end if it `is_whole`, or if others append to the file too.
    fn write_end(&mut self, py: Python<'_>, is_whole: bool) -> PyResult<()> {
        if self.sink.is_log() {
            self.flush_rows(py, false)?;
            if !self.sink.is_empty_log() {
                self.encoder.end();
                return Ok(());
            }
        }
        let StreamWriter { encoder, sink, .. } = self;
        let is_log = sink.is_log();
        let mut put = put_to(py, sink, false);
        let ended = match is_whole || is_log {
            true => encoder.finish(&mut put),
            false => encoder.abort(&mut put),
        };
        drop(put);
        ended.map_err(|error| raise(py, error))?;
        sink.settle(py, false).map(drop)
    }
}

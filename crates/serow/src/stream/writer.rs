//! Writers of streams.

use std::fmt;
use std::io::{self, Write};
use std::sync::Arc;

use serow_core::encode::{ManyRead, OneThread};
use serow_core::program::Program;
use serow_core::stream::{Put, StreamEncoder};
use serow_core::threads::Threads;
use serow_core::wire::message::{Format, Metadata, Position};

use crate::{Encode, Error, Options, Own, Result, Row, Schema, Value};

/// Writes rows to a stream: a message whose length need not be known when it begins.
///
/// Rows wait in memory until a frame is full, up to 65,536 rows or about 16 MiB. Then the writer passes
/// the whole frame to `inner`, so a buffer around `inner` is of no use. [`Writer::finish`] writes the rows
/// that wait, and the stream's end with its index.
///
/// Only [`Writer::finish`] ends the stream. A writer that is dropped without it, for example because `?`
/// returns another error, writes the rows that wait, as far as it can. But the stream lacks its last frame
/// then: a reader gives all rows and then an error, so what an error has cut short never reads as
/// complete.
///
/// ```
/// use serow::{Value, Writer};
///
/// let mut writer = Writer::new(Vec::new());
/// writer.write(&Value::I64(1))?;
/// writer.write_rows(&[Value::I64(2), "three".into()])?;
/// assert_eq!((writer.rows(), writer.bytes_written()), (3, 32));
/// writer.flush()?;
/// assert_eq!(writer.bytes_written(), writer.get_ref().len() as u64);
/// let bytes = writer.finish()?;
/// assert_eq!(serow::loads(&bytes)?.len(), 3);
/// # Ok::<(), serow::Error>(())
/// ```
pub struct Writer<W: Write, T = Value> {
    /// `None` after [`Writer::finish`].
    inner: Option<W>,
    /// How the stream will begin; `None` once this was tried.
    beginning: Option<Box<Beginning>>,
    /// `None` if the stream has not begun.
    encoder: Option<Box<StreamEncoder>>,
    append: Append<T>,
    threads: Threads,
    /// What to do if `inner` fails.
    recovery: Option<Recovery<W>>,
    /// Whether a call runs. It is left so by a panic.
    is_busy: bool,
}

/// Appends rows by some threads; see [`StreamEncoder::write`].
type Append<T> = fn(&mut StreamEncoder, &[T], Threads, Put<'_>) -> Result<()>;

/// Removes what a failed write has left: the bytes from an offset on.
struct Recovery<W> {
    /// The offset where the stream begins.
    begin: u64,
    truncate: fn(&mut W, u64) -> io::Result<()>,
}

/// How a stream will begin.
struct Beginning {
    format: Format,
    program: Option<Arc<Program>>,
    metadata: Metadata,
    /// `None` if it is a log of its own.
    first: Option<Position>,
}

impl<W: Write> Writer<W> {
    /// Creates a writer of a stream of values to `inner`, in the frame wire without compression. The
    /// schema is inferred from the first rows, and widens when a row does not fit.
    ///
    /// ```
    /// use serow::{Value, Writer};
    ///
    /// let mut bytes = Vec::new();
    /// let mut writer = Writer::new(&mut bytes);
    /// writer.write(&Value::I64(1))?;
    /// writer.finish()?;
    /// assert_eq!(serow::loads(&bytes)?, [Value::I64(1)]);
    /// # Ok::<(), serow::Error>(())
    /// ```
    pub fn new(inner: W) -> Writer<W> {
        Options::new().writer(inner)
    }

    /// Like [`Writer::new`], for rows of the type `T`, which says its schema; see [`to_vec`](crate::to_vec).
    ///
    /// ```
    /// use serow::Writer;
    ///
    /// let mut writer = Writer::of(Vec::new())?;
    /// writer.write(&("peru", 1))?;
    /// writer.write_rows(&[("snow", 2), ("nut", 3)])?;
    /// let rows: Vec<(String, i32)> = serow::from_slice(&writer.finish()?)?;
    /// assert_eq!(rows[2], ("nut".into(), 3));
    /// # Ok::<(), serow::Error>(())
    /// ```
    ///
    /// # Errors
    /// A schema error if the type has too many fields.
    pub fn of<T: Row>(inner: W) -> Result<Writer<W, T>> {
        let program = crate::row::reader_schema::<T>()?.program().clone();
        Ok(Writer::one_thread::<Own>(inner, Some(program)))
    }

    /// Like [`Writer::new`], for rows of the serializable type `T`; see [`to_vec`](crate::serde::to_vec).
    ///
    /// ```
    /// use serow::Writer;
    ///
    /// let mut writer = Writer::typed(Vec::new());
    /// writer.write(&("peru", 1))?;
    /// writer.write_rows(&[("snow", 2), ("nut", 3)])?;
    /// let rows: Vec<(String, u8)> = serow::serde::from_slice(&writer.finish()?)?;
    /// assert_eq!(rows[2], ("nut".into(), 3));
    /// # Ok::<(), serow::Error>(())
    /// ```
    #[cfg(feature = "serde")]
    pub fn typed<T: serde::Serialize>(inner: W) -> Writer<W, T> {
        Writer::one_thread::<crate::typed::Serde>(inner, None)
    }
}

impl<W: Write, T> Writer<W, T> {
    /// Creates a writer whose rows several threads may read.
    pub(crate) fn shared<By>(
        inner: W,
        options: Options,
        program: Option<Arc<Program>>,
    ) -> Writer<W, T>
    where
        T: Encode<By> + Sync,
    {
        Writer::made(inner, options, program, |encoder, rows, threads, put| {
            encoder.write(&T::shared(rows), &ManyRead(threads), &mut 0, put)
        })
    }

    /// Creates a writer whose rows only the calling thread reads.
    fn one_thread<By>(inner: W, program: Option<Arc<Program>>) -> Writer<W, T>
    where
        T: Encode<By>,
    {
        Writer::made(inner, Options::new(), program, |encoder, rows, _, put| {
            encoder.write(&T::rows(rows), &OneThread, &mut 0, put)
        })
    }

    fn made(
        inner: W,
        options: Options,
        program: Option<Arc<Program>>,
        append: Append<T>,
    ) -> Writer<W, T> {
        Writer {
            inner: Some(inner),
            beginning: Some(Box::new(Beginning {
                format: options.format(),
                program,
                metadata: Metadata::new(),
                first: None,
            })),
            encoder: None,
            append,
            threads: options.threads,
            recovery: None,
            is_busy: false,
        }
    }

    /// Puts metadata into the header of the stream: texts by their names, 1 MiB of them at most.
    /// [`Reader::metadata`](crate::Reader::metadata) gives them.
    ///
    /// ```
    /// use serow::{Reader, Writer};
    ///
    /// let metadata = [("source".to_owned(), "sensor 7".to_owned())];
    /// let writer: Writer<_> = Writer::new(Vec::new()).with_metadata(metadata);
    /// let bytes = writer.finish()?;
    /// let mut reader = Reader::new(&bytes[..]);
    /// assert_eq!(reader.metadata()?["source"], "sensor 7");
    /// # Ok::<(), serow::Error>(())
    /// ```
    ///
    /// # Panics
    /// If something was written.
    pub fn with_metadata(
        mut self,
        metadata: impl IntoIterator<Item = (String, String)>,
    ) -> Writer<W, T> {
        let Some(beginning) = &mut self.beginning else {
            panic!("the stream has begun without metadata");
        };
        beginning.metadata = metadata.into_iter().collect();
        self
    }

    /// Before anything is written, lets `place` move in `inner` to where the stream should begin, and say where that
    /// is in the file and in its log, and `truncate` remove what a failed write leaves.
    pub(super) fn placed(
        mut self,
        place: impl FnOnce(&mut W) -> Result<(u64, Position)>,
        truncate: fn(&mut W, u64) -> io::Result<()>,
    ) -> Result<Writer<W, T>> {
        let (Some(beginning), Some(inner)) = (&mut self.beginning, &mut self.inner) else {
            panic!("the stream has begun elsewhere");
        };
        // If this fails, nothing must be written.
        self.is_busy = true;
        let (begin, first) = place(inner)?;
        (self.is_busy, beginning.first) = (false, Some(first));
        self.recovery = Some(Recovery { begin, truncate });
        Ok(self)
    }

    /// Appends a row.
    ///
    /// ```
    /// use serow::{Codec, ErrorKind, Schema, Value, Wire};
    ///
    /// let codec = Codec::new(&Schema::parse("i64")?, Wire::Frame);
    /// let mut writer = codec.writer(Vec::new());
    /// writer.write(&Value::I64(1))?;
    /// assert_eq!(writer.write(&"two".into()).unwrap_err().kind(), ErrorKind::Encode);
    /// writer.write(&Value::I64(3))?;
    /// assert_eq!(serow::loads(&writer.finish()?)?, [Value::I64(1), Value::I64(3)]);
    /// # Ok::<(), serow::Error>(())
    /// ```
    ///
    /// # Errors
    /// See [`Writer::write_rows`].
    pub fn write(&mut self, row: &T) -> Result<()> {
        self.write_rows(std::slice::from_ref(row))
    }

    /// Appends rows. Many rows in one call take less time than one by one.
    ///
    /// ```
    /// use serow::{Codec, Schema, Value, Wire};
    ///
    /// let codec = Codec::new(&Schema::parse("i64")?, Wire::Frame);
    /// let mut writer = codec.writer(Vec::new());
    /// let error = writer.write_rows(&[Value::I64(1), "two".into(), Value::I64(3)]).unwrap_err();
    /// assert_eq!((error.row(), writer.rows()), (Some(1), 1));
    /// # Ok::<(), serow::Error>(())
    /// ```
    ///
    /// # Errors
    /// An encode error for the first row that does not fit the schema of the writer's codec, or that has
    /// no schema. The rows before it are in the stream, and the stream can go on. An error of kind `Io`
    /// if `inner` fails. It ends the stream.
    pub fn write_rows(&mut self, rows: &[T]) -> Result<()> {
        let (append, threads) = (self.append, self.threads);
        self.call(|encoder, put| append(encoder, rows, threads, put))
    }

    /// Passes all rows until now to the inner writer, and flushes it. Each call ends a frame, so many
    /// calls make a long stream.
    ///
    /// ```
    /// use serow::{Reader, Value, Writer};
    ///
    /// let mut writer = Writer::new(Vec::new());
    /// writer.write(&Value::I64(1))?;
    /// writer.flush()?;
    /// let row = Reader::new(&writer.get_ref()[..]).next().transpose()?;
    /// assert_eq!(row, Some(Value::I64(1)));
    /// # Ok::<(), serow::Error>(())
    /// ```
    ///
    /// # Errors
    /// An error of kind `Io` if `inner` fails. A failed write ends the stream.
    pub fn flush(&mut self) -> Result<()> {
        self.call(|encoder, put| encoder.flush(put))?;
        self.flush_inner()
    }

    /// Ends the stream, flushes the inner writer and returns it.
    ///
    /// ```
    /// use serow::{ErrorKind, Writer};
    ///
    /// let bytes = Writer::new(Vec::new()).finish()?;
    /// assert_eq!(serow::loads(&bytes)?, []);
    ///
    /// let mut room = [0; 12];
    /// let error = Writer::new(&mut room[..]).finish().unwrap_err();
    /// assert_eq!(error.kind(), ErrorKind::Io);
    /// assert_eq!(error.io_kind(), Some(std::io::ErrorKind::WriteZero));
    /// # Ok::<(), serow::Error>(())
    /// ```
    ///
    /// # Errors
    /// An error of kind `Io` if `inner` fails.
    pub fn finish(mut self) -> Result<W> {
        self.call(|encoder, put| encoder.finish(put))?;
        self.flush_inner()?;
        self.inner.take().ok_or_else(has_ended)
    }

    /// The number of rows in the stream, with those that wait for the end of their frame.
    pub fn rows(&self) -> u64 {
        self.encoder.as_ref().map_or(0, |encoder| encoder.rows())
    }

    /// The number of bytes that the inner writer has taken in whole frames.
    pub fn bytes_written(&self) -> u64 {
        self.encoder.as_ref().map_or(0, |encoder| encoder.written())
    }

    /// The schema of the last rows; `None` before the first, unless a codec has given it.
    ///
    /// ```
    /// use serow::{Value, Writer};
    ///
    /// let mut writer = Writer::new(Vec::new());
    /// assert_eq!(writer.schema(), None);
    /// writer.write_rows(&[Value::I64(1), Value::Null])?;
    /// assert_eq!(writer.schema().map(ToString::to_string).as_deref(), Some("i64?"));
    /// # Ok::<(), serow::Error>(())
    /// ```
    pub fn schema(&self) -> Option<&Schema> {
        let program = match &self.encoder {
            Some(encoder) => encoder.program(),
            None => self.beginning.as_ref()?.program.as_ref(),
        };
        program.map(|program| program.schema())
    }

    /// The inner writer. It lacks the rows that wait for the end of their frame.
    pub fn get_ref(&self) -> &W {
        // No data leads to the panic: only `finish` empties the field, and it takes the writer with it, so
        // nobody can call this afterwards.
        self.inner.as_ref().expect("only `finish` takes it out, and `finish` consumes the writer")
    }
}

impl<W: Write, T> Writer<W, T> {
    fn flush_inner(&mut self) -> Result<()> {
        self.is_busy = true;
        let flushed = self.inner.as_mut().map_or(Ok(()), Write::flush);
        self.is_busy = false;
        flushed.map_err(|cause| Error::io("cannot flush the stream", cause))
    }

    /// Begins the stream if necessary, and runs `run`.
    fn call<B>(&mut self, run: impl FnOnce(&mut StreamEncoder, Put<'_>) -> Result<B>) -> Result<B> {
        let Writer { inner: Some(inner), beginning, encoder, .. } = self else {
            return Err(has_ended());
        };
        self.is_busy = true;
        let mut put = |bytes: &[u8]| {
            inner.write_all(bytes).map_err(|cause| Error::io("cannot write the stream", cause))
        };
        let begun = beginning.take().map_or(Ok(()), |beginning| {
            *encoder = Some(beginning.begin(&mut put)?);
            Ok(())
        });
        let result = begun.and_then(|()| run(encoder.as_mut().ok_or_else(has_ended)?, &mut put));
        self.is_busy = false;
        if let Err(error) = &result
            && error.io_kind().is_some()
        {
            self.recover();
        }
        result
    }

    /// Removes the part of a frame that a failed write has left.
    fn recover(&mut self) {
        let end = self.encoder.as_ref().map_or(0, |encoder| encoder.written());
        if let (Some(Recovery { begin, truncate }), Some(inner)) =
            (self.recovery.take(), &mut self.inner)
        {
            // The caller gets the error of the write. An error here has most likely the same cause.
            let _ = truncate(inner, begin + end);
        }
    }
}

impl Beginning {
    fn begin(self, put: Put<'_>) -> Result<Box<StreamEncoder>> {
        let Beginning { format, program, metadata, first } = self;
        let first = first.map_or_else(Position::of_new_log, Ok)?;
        let mut encoder = Box::new(StreamEncoder::at(format, program, metadata, first)?);
        encoder.put_header(put)?;
        Ok(encoder)
    }
}

fn has_ended() -> Error {
    Error::encode("an earlier error has ended the stream; begin another one")
}

impl<W: Write, T> Drop for Writer<W, T> {
    fn drop(&mut self) {
        let (false, true) = (self.is_busy, self.inner.is_some()) else { return };
        // Drop can't return errors.
        let _ = self.call(|encoder, put| encoder.abort(put));
        let _ = self.flush_inner();
    }
}

impl<W: Write + fmt::Debug, T> fmt::Debug for Writer<W, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("Writer");
        let rows = self.encoder.as_ref().map(|encoder| encoder.rows());
        shown.field("inner", &self.inner).field("rows", &rows);
        shown.finish_non_exhaustive()
    }
}

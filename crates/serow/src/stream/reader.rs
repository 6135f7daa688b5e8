//! Readers of streams.

use std::collections::BTreeMap;
use std::fmt;
use std::io::Read;
use std::iter::FusedIterator;
use std::vec;

use serow_core::decode::ReaderSchema;
use serow_core::stream::Ahead;
use serow_core::wire::message::RawFrame;

use super::frames::FrameStream;
use crate::rows::{self, Decoded};
use crate::{Decode, Error, Own, ReadRow, Result, Schema, Threads, Value};

/// Reads the rows of a stream, or of any messages one after another. It is an iterator.
///
/// It reads one frame at a time, or some frames [on several threads](crate::Options::reader), and asks for
/// no byte after them. A frame takes a few calls of `read`, so a buffer around `inner` is of no use,
/// unless frames are small.
///
/// The rows before an error come first. After an error of kind [`Io`](crate::ErrorKind::Io) nothing is
/// lost: the next call goes on where the reader stopped, for example after
/// [`WouldBlock`](std::io::ErrorKind::WouldBlock). After any other error there are no more rows.
///
/// ```
/// use serow::{Reader, Value, Writer};
///
/// let mut writer = Writer::new(Vec::new());
/// writer.write_rows(&["peru".into(), "snow".into()])?;
/// let bytes = writer.finish()?;
///
/// let mut reader = Reader::new(&bytes[..]);
/// let rows: Vec<Value> = reader.by_ref().collect::<serow::Result<_>>()?;
/// assert_eq!(rows, ["peru".into(), "snow".into()]);
/// assert_eq!((reader.rows(), reader.bytes_read()), (2, bytes.len() as u64));
/// assert_eq!(reader.into_inner(), b"");
/// # Ok::<(), serow::Error>(())
/// ```
pub struct Reader<R, T = Value> {
    frames: FrameStream<R>,
    /// The schema to which rows are converted.
    expected: Option<ReaderSchema>,
    decode: DecodeFrame<T>,
    /// The rows of the last frame that are left.
    rows: vec::IntoIter<T>,
    /// The error after these rows.
    error: Option<Error>,
    /// `None` if the calling thread does everything.
    ahead: Option<ReadAhead<R, T>>,
}

/// What was read and not given yet, and what reads more.
struct ReadAhead<R, T> {
    frames: Ahead<Decoded<T>, Error>,
    more: More<R, T>,
}

type DecodeFrame<T> = fn(&RawFrame<'_>, Option<&ReaderSchema>) -> Decoded<T>;

type More<R, T> =
    fn(&mut Ahead<Decoded<T>, Error>, &mut FrameStream<R>, Option<&ReaderSchema>, DecodeFrame<T>);

impl<R: Read> Reader<R> {
    /// Creates a reader of the stream that `inner` reads. A stream without bytes has no rows.
    ///
    /// ```
    /// use serow::{Reader, Value};
    ///
    /// let bytes = serow::dumps(&[Value::I64(7)])?;
    /// let mut reader = Reader::new(&bytes[..]);
    /// assert_eq!(reader.next().transpose()?, Some(Value::I64(7)));
    /// assert_eq!(reader.next(), None);
    ///
    /// let mut cut = Reader::new(&bytes[..bytes.len() - 1]);
    /// assert!(cut.next().is_some_and(|row| row.is_err()));
    /// # Ok::<(), serow::Error>(())
    /// ```
    pub fn new(inner: R) -> Reader<R> {
        Reader::with_expected::<Own>(inner, None)
    }

    /// Creates a reader of rows of the type `T`, which says its schema; see [`from_slice`](crate::from_slice).
    ///
    /// ```
    /// let bytes = serow::to_vec(&[("peru", 1), ("snow", 2)])?;
    /// for row in serow::Reader::of::<(String, u8)>(&bytes[..])? {
    ///     let (name, count) = row?;
    ///     assert_eq!((name.len(), count / 3), (4, 0));
    /// }
    /// # Ok::<(), serow::Error>(())
    /// ```
    ///
    /// # Errors
    /// A schema error if the type has too many fields.
    pub fn of<T: ReadRow<'static>>(inner: R) -> Result<Reader<R, T>> {
        Ok(Reader::with_expected::<Own>(inner, Some(&*crate::row::reader_schema::<T>()?)))
    }

    /// Creates a reader of rows of the deserializable type `T`; see [`from_slice`](crate::serde::from_slice).
    ///
    /// ```
    /// let bytes = serow::serde::to_vec(&[("peru", 1), ("snow", 2)])?;
    /// for row in serow::Reader::typed::<(String, u8)>(&bytes[..]) {
    ///     let (name, count) = row?;
    ///     assert_eq!((name.len(), count / 3), (4, 0));
    /// }
    /// # Ok::<(), serow::Error>(())
    /// ```
    #[cfg(feature = "serde")]
    pub fn typed<T: serde::de::DeserializeOwned>(inner: R) -> Reader<R, T> {
        Reader::with_expected::<crate::typed::Serde>(inner, None)
    }
}

impl<R: Read, T> Reader<R, T> {
    /// Creates a reader that converts rows to the `expected` schema.
    pub(crate) fn with_expected<By>(inner: R, expected: Option<&ReaderSchema>) -> Reader<R, T>
    where
        T: Decode<'static, By>,
    {
        Reader {
            frames: FrameStream::new(inner, expected.map(ReaderSchema::program)),
            expected: expected.cloned(),
            decode: rows::of_frame::<T, T::Sink>,
            rows: Vec::new().into_iter(),
            error: None,
            ahead: None,
        }
    }

    pub(crate) fn with_threads(mut self, threads: Threads) -> Reader<R, T>
    where
        T: Send,
    {
        self.ahead = (threads != Threads::ONE)
            .then(|| ReadAhead { frames: Ahead::new(threads), more: read_ahead });
        self
    }

    /// Returns the reader for one stream only. It leaves the bytes after the stream to others.
    ///
    /// ```
    /// use serow::{Reader, Writer};
    ///
    /// let mut bytes = Writer::new(Vec::new()).finish()?;
    /// bytes.extend(b"and so on");
    /// let mut reader = Reader::new(&bytes[..]).one_stream();
    /// assert_eq!(reader.next(), None);
    /// assert_eq!(reader.into_inner(), b"and so on");
    /// # Ok::<(), serow::Error>(())
    /// ```
    pub fn one_stream(mut self) -> Reader<R, T> {
        self.frames = self.frames.one_stream();
        self
    }

    /// Returns the rows that are left, frame by frame: all rows of a frame at once.
    ///
    /// ```
    /// use serow::{Reader, Value, Writer};
    ///
    /// let mut writer = Writer::new(Vec::new());
    /// writer.write_rows(&[Value::I64(1), Value::I64(2)])?;
    /// writer.flush()?;
    /// writer.write(&Value::I64(3))?;
    /// let bytes = writer.finish()?;
    /// let mut reader = Reader::new(&bytes[..]);
    /// let frames: Vec<Vec<Value>> = reader.frames().collect::<serow::Result<_>>()?;
    /// assert_eq!(frames, [vec![Value::I64(1), Value::I64(2)], vec![Value::I64(3)]]);
    /// # Ok::<(), serow::Error>(())
    /// ```
    pub fn frames(&mut self) -> Frames<'_, R, T> {
        Frames { reader: self }
    }

    /// The number of rows in the frames that the reader has begun to give.
    pub fn rows(&self) -> u64 {
        match &self.ahead {
            None => self.frames.rows(),
            Some(ahead) => ahead.frames.rows() as u64,
        }
    }

    /// The number of bytes that were read, also of frames that were read ahead.
    pub fn bytes_read(&self) -> u64 {
        self.frames.consumed()
    }

    /// The schema in which the rows of the last frame that was read were written; `None` before the first.
    ///
    /// ```
    /// let bytes = serow::dumps(&[serow::Value::I64(7)])?;
    /// let mut reader = serow::Reader::new(&bytes[..]);
    /// let row = reader.next().transpose()?;
    /// assert_eq!((row, reader.schema().map(ToString::to_string)), (Some(7.into()), Some("i64".into())));
    /// # Ok::<(), serow::Error>(())
    /// ```
    pub fn schema(&self) -> Option<&Schema> {
        self.frames.schema()
    }

    /// The metadata of the stream of the last frame that was read; see
    /// [`Writer::with_metadata`](crate::Writer::with_metadata). Before the first frame, this reads the header.
    ///
    /// # Errors
    /// As for the rows.
    pub fn metadata(&mut self) -> Result<&BTreeMap<String, String>> {
        self.frames.metadata()
    }

    /// The inner reader.
    pub fn get_ref(&self) -> &R {
        &self.frames.inner
    }

    /// Returns the inner reader. It is after the last frame that was read, or within the frame where
    /// reading failed.
    pub fn into_inner(self) -> R {
        self.frames.inner
    }

    /// Returns the rows of the next frame, up to an error that is left for the next call.
    fn next_frame(&mut self) -> Option<Result<Vec<T>>> {
        if let Some(error) = self.error.take() {
            return Some(Err(error));
        }
        let (rows, result) = match self.next_decoded().transpose()? {
            Ok(decoded) => decoded,
            Err(error) => return Some(Err(error)),
        };
        if let Err(error) = result {
            self.frames.end();
            if let Some(ahead) = &mut self.ahead {
                ahead.frames.clear();
            }
            if rows.is_empty() {
                return Some(Err(error));
            }
            self.error = Some(error);
        }
        Some(Ok(rows))
    }

    /// Returns the rows of the next frame up to the first error, and that error.
    fn next_decoded(&mut self) -> Result<Option<Decoded<T>>> {
        let Reader { frames, expected, decode, ahead, .. } = self;
        let Some(ahead) = ahead else {
            return frames.next(|frame| decode(frame, expected.as_ref()));
        };
        if ahead.frames.is_empty() {
            (ahead.more)(&mut ahead.frames, frames, expected.as_ref(), *decode);
        }
        ahead.frames.pop()
    }
}

fn read_ahead<R: Read, T: Send>(
    ahead: &mut Ahead<Decoded<T>, Error>,
    frames: &mut FrameStream<R>,
    expected: Option<&ReaderSchema>,
    decode: DecodeFrame<T>,
) {
    let next = || frames.next_owned();
    ahead.decode(next, |frame| match frame.unpack() {
        Ok(frame) => decode(&frame, expected),
        Err(error) => (Vec::new(), Err(error)),
    });
}

impl<R: Read, T> Iterator for Reader<R, T> {
    type Item = Result<T>;

    fn next(&mut self) -> Option<Result<T>> {
        loop {
            if let Some(row) = self.rows.next() {
                return Some(Ok(row));
            }
            match self.next_frame()? {
                Ok(rows) => self.rows = rows.into_iter(),
                Err(error) => return Some(Err(error)),
            }
        }
    }
}

impl<R: Read, T> FusedIterator for Reader<R, T> {}

impl<R: fmt::Debug, T> fmt::Debug for Reader<R, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reader").field("frames", &self.frames).finish_non_exhaustive()
    }
}

/// The frames of a [`Reader`], each as a vector of rows.
///
/// ```
/// let bytes = serow::dumps(&[serow::Value::Null])?;
/// let mut reader = serow::Reader::new(&bytes[..]);
/// let mut frames = reader.frames();
/// assert_eq!(frames.next().transpose()?, Some(vec![serow::Value::Null]));
/// assert!(frames.next().is_none());
/// # Ok::<(), serow::Error>(())
/// ```
#[derive(Debug)]
pub struct Frames<'a, R, T = Value> {
    reader: &'a mut Reader<R, T>,
}

impl<R: Read, T> Iterator for Frames<'_, R, T> {
    type Item = Result<Vec<T>>;

    fn next(&mut self) -> Option<Result<Vec<T>>> {
        let rest = std::mem::take(&mut self.reader.rows);
        if rest.len() > 0 {
            return Some(Ok(rest.collect()));
        }
        self.reader.next_frame()
    }
}

impl<R: Read, T> FusedIterator for Frames<'_, R, T> {}

//! Readers of streams.

use std::fmt;
use std::io::Read;
use std::iter::FusedIterator;
use std::vec;

use serow_core::stream::Ahead;

use super::frames::FrameStream;
use super::kinds::{Decode, Decoded, Values};
use crate::{Error, Result, Threads};

/// Reads the rows of a stream, or of any messages one after another. It is an iterator.
///
/// It reads one frame at a time, or some frames [on several threads](Reader::with_threads), and asks for
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
/// let rows: Vec<Value> = Reader::new(&bytes[..]).collect::<serow::Result<_>>()?;
/// assert_eq!(rows, ["peru".into(), "snow".into()]);
/// # Ok::<(), serow::Error>(())
/// ```
pub struct Reader<R, K: Decode = Values> {
    frames: FrameStream<R>,
    kind: K,
    /// The rows of the last frame that are left.
    rows: vec::IntoIter<K::Row>,
    /// The error after these rows.
    error: Option<Error>,
    /// The threads. With several ones, also what was read and not given yet.
    ahead: Ahead<K::Made, Error>,
}

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
        Reader::of_kind(inner, Values::default())
    }

    /// Creates a reader of rows of the deserializable type `T`; see [`from_slice`](crate::from_slice).
    ///
    /// ```
    /// let bytes = serow::to_vec(&[("peru", 1), ("snow", 2)])?;
    /// for row in serow::Reader::typed::<(String, u8)>(&bytes[..]) {
    ///     let (name, count) = row?;
    ///     assert_eq!((name.len(), count / 3), (4, 0));
    /// }
    /// # Ok::<(), serow::Error>(())
    /// ```
    #[cfg(feature = "serde")]
    pub fn typed<T: serde::de::DeserializeOwned>(inner: R) -> Reader<R, super::Typed<T>> {
        Reader::of_kind(inner, super::Typed::default())
    }
}

impl<R: Read, K: Decode> Reader<R, K> {
    pub(crate) fn of_kind(inner: R, kind: K) -> Reader<R, K> {
        let frames = FrameStream::new(inner, kind.program());
        let ahead = Ahead::new(Threads::ONE);
        Reader { frames, kind, rows: Vec::new().into_iter(), error: None, ahead }
    }

    /// Returns the reader with the threads that it may use. Without this it is the calling thread only.
    /// Call it before anything is read.
    ///
    /// With more than one thread the reader reads up to two frames for each thread at once, before it
    /// gives the rows of the first. The calling thread reads the bytes, and checks headers and
    /// checksums. All threads decompress. All threads make [`Value`](crate::Value)s too, but rows of
    /// other types are made by the calling thread. So for these compression is what pays, and frames
    /// without it are read one at a time.
    ///
    /// Rows, errors and their order are the same. After an error [`Reader::bytes_read`] may be further
    /// than the error, because frames after it were read.
    ///
    /// ```
    /// use serow::{Reader, Threads, Value, Writer};
    ///
    /// let rows: Vec<Value> = (0..200_000).map(Value::I64).collect();
    /// let mut writer = Writer::new(Vec::new());
    /// writer.write_rows(&rows)?;
    /// let bytes = writer.finish()?;
    /// let reader = Reader::new(&bytes[..]).with_threads(Threads::Auto);
    /// assert_eq!(reader.collect::<serow::Result<Vec<_>>>()?, rows);
    /// # Ok::<(), serow::Error>(())
    /// ```
    ///
    /// # Panics
    /// If something was read.
    pub fn with_threads(mut self, threads: Threads) -> Reader<R, K> {
        assert!(self.frames.consumed() == 0, "the reader has begun with other threads");
        self.ahead = Ahead::new(threads);
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
    pub fn one_stream(mut self) -> Reader<R, K> {
        self.frames.is_one = true;
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
    pub fn frames(&mut self) -> Frames<'_, R, K> {
        Frames { reader: self }
    }

    /// The number of rows in the frames that the reader has begun to give.
    ///
    /// ```
    /// use serow::{Reader, Value};
    ///
    /// let bytes = serow::dumps(&[Value::I64(1), Value::I64(2)])?;
    /// let mut reader = Reader::new(&bytes[..]);
    /// assert_eq!(reader.rows(), 0);
    /// reader.next();
    /// assert_eq!(reader.rows(), 2);
    /// # Ok::<(), serow::Error>(())
    /// ```
    pub fn rows(&self) -> u64 {
        match self.ahead.threads() {
            Threads::ONE => self.frames.rows(),
            _ => self.ahead.rows() as u64,
        }
    }

    /// The number of bytes that were read, also of frames that were read ahead.
    ///
    /// ```
    /// let bytes = serow::dumps(&[serow::Value::I64(1)])?;
    /// let mut reader = serow::Reader::new(&bytes[..]);
    /// assert_eq!(reader.by_ref().count(), 1);
    /// assert_eq!(reader.bytes_read(), bytes.len() as u64);
    /// # Ok::<(), serow::Error>(())
    /// ```
    pub fn bytes_read(&self) -> u64 {
        self.frames.consumed()
    }

    /// The inner reader.
    ///
    /// ```
    /// let bytes = serow::dumps(&[serow::Value::I64(1)])?;
    /// let mut reader = serow::Reader::new(&bytes[..]);
    /// assert_eq!(reader.get_ref().len(), bytes.len());
    /// assert_eq!(reader.by_ref().count(), 1);
    /// assert_eq!(reader.get_ref().len(), 0);
    /// # Ok::<(), serow::Error>(())
    /// ```
    pub fn get_ref(&self) -> &R {
        &self.frames.inner
    }

    /// Returns the inner reader. It is after the last frame that was read, or within the frame where
    /// reading failed.
    ///
    /// ```
    /// let bytes = serow::dumps(&[serow::Value::I64(1)])?;
    /// let reader = serow::Reader::new(&bytes[..]);
    /// assert_eq!(reader.into_inner(), &bytes[..]);
    /// # Ok::<(), serow::Error>(())
    /// ```
    pub fn into_inner(self) -> R {
        self.frames.inner
    }

    /// Returns the rows of the next frame, up to an error that is left for the next call.
    fn next_frame(&mut self) -> Option<Result<Vec<K::Row>>> {
        if let Some(error) = self.error.take() {
            return Some(Err(error));
        }
        let (rows, result) = match self.next_decoded().transpose()? {
            Ok(decoded) => decoded,
            Err(error) => return Some(Err(error)),
        };
        if let Err(error) = result {
            self.frames.end();
            self.ahead.clear();
            if rows.is_empty() {
                return Some(Err(error));
            }
            self.error = Some(error);
        }
        Some(Ok(rows))
    }

    /// Returns the rows of the next frame up to the first error, and that error.
    fn next_decoded(&mut self) -> Result<Option<Decoded<K::Row>>> {
        let Reader { frames, kind, ahead, .. } = self;
        if ahead.threads() == Threads::ONE {
            return frames.next(|frame| kind.decode(frame));
        }
        if ahead.is_empty() {
            kind.read_ahead(ahead, || frames.next_owned());
        }
        Ok(ahead.pop()?.map(|made| kind.rows(made)))
    }
}

impl<R: Read, K: Decode> Iterator for Reader<R, K> {
    type Item = Result<K::Row>;

    fn next(&mut self) -> Option<Result<K::Row>> {
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

impl<R: Read, K: Decode> FusedIterator for Reader<R, K> {}

impl<R: fmt::Debug, K: Decode> fmt::Debug for Reader<R, K> {
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
pub struct Frames<'a, R, K: Decode = Values> {
    reader: &'a mut Reader<R, K>,
}

impl<R: Read, K: Decode> Iterator for Frames<'_, R, K> {
    type Item = Result<Vec<K::Row>>;

    fn next(&mut self) -> Option<Result<Vec<K::Row>>> {
        let rest = std::mem::take(&mut self.reader.rows);
        if rest.len() > 0 {
            return Some(Ok(rest.collect()));
        }
        self.reader.next_frame()
    }
}

impl<R: Read, K: Decode> FusedIterator for Frames<'_, R, K> {}

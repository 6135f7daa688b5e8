//! Readers of files that read any row at once.

use std::fmt;
use std::io::{ErrorKind, Read, Seek, SeekFrom};
use std::ops::Range;

use serow_core::decode::ReaderSchema;
use serow_core::host_lock::HostLock;
use serow_core::memory;
use serow_core::stream::{self, IndexSearch, OpenFrame, SeekDecoder};
use serow_core::wire::message::{PackedFrame, RawFrame};

use crate::rows::{self, Decoded};
use crate::{Decode, Error, Own, ReadRow, Result, Value};

/// Reads frames and rows of a file in any order. The file consists of messages. The index at the end of each stream says
/// where its frames are; if a message has none, the headers of all frames of the file are read. So the number of rows is known
/// before any is read.
///
/// What an index says about a frame is checked when the frame is read. An index that lies is an error.
///
/// ```
/// use std::io::Cursor;
///
/// use serow::{View, Value, Writer};
///
/// let mut writer = Writer::new(Vec::new());
/// for i in 0..100_000 {
///     writer.write(&Value::I64(i))?;
/// }
/// let file = Cursor::new(writer.finish()?);
///
/// let mut reader = View::new(file)?;
/// assert_eq!((reader.rows(), reader.frames()), (100_000, 2));
/// assert_eq!(reader.row(70_000)?, Some(Value::I64(70_000)));
/// assert_eq!(reader.row(100_000)?, None);
/// assert_eq!(reader.rows_of(1), Some(65_536..100_000));
/// assert_eq!(reader.frame(1)?.map(|rows| rows.len()), Some(100_000 - 65_536));
/// # Ok::<(), serow::Error>(())
/// ```
pub struct View<R, T = Value> {
    inner: R,
    /// Finds frames, and keeps those from which rows were read last.
    kept: stream::View,
    /// The schema to which rows are converted.
    expected: Option<ReaderSchema>,
    frame: fn(&RawFrame<'_>, Option<&ReaderSchema>) -> Decoded<T>,
    row: fn(&mut OpenFrame, usize, Option<&ReaderSchema>) -> Decoded<T>,
    /// The bytes of the last frame.
    bytes: Vec<u8>,
}

/// The most bytes of frames, unpacked, that are kept.
const KEPT_FRAMES: usize = 64 << 20;

impl<R: Read + Seek> View<R> {
    /// Creates a reader of the file `inner`, from its beginning to its end.
    ///
    /// ```
    /// use std::io::Cursor;
    ///
    /// use serow::{View, Writer};
    ///
    /// let stream = Writer::new(Vec::new()).finish()?;
    /// assert_eq!(View::new(Cursor::new(stream))?.rows(), 0);
    ///
    /// let message = serow::dumps(&["peru".into()])?;
    /// assert_eq!(View::new(Cursor::new(message))?.rows(), 1);
    /// # Ok::<(), serow::Error>(())
    /// ```
    ///
    /// # Errors
    /// An error of kind `Io` if `inner` can't be read. A decode error if it has no messages, or one is cut.
    pub fn new(inner: R) -> Result<View<R>> {
        View::with_expected::<Own>(inner, None)
    }

    /// Creates a reader of rows of the type `T`, which says its schema; see [`from_slice`](crate::from_slice).
    ///
    /// ```
    /// use std::io::Cursor;
    ///
    /// use serow::{View, Writer};
    ///
    /// let mut writer = Writer::of(Vec::new())?;
    /// writer.write_rows(&[("peru", 1), ("snow", 2)])?;
    /// let file = Cursor::new(writer.finish()?);
    ///
    /// let mut reader = View::of::<(String, u8)>(file)?;
    /// assert_eq!(reader.row(1)?, Some(("snow".into(), 2)));
    /// # Ok::<(), serow::Error>(())
    /// ```
    ///
    /// # Errors
    /// See [`View::new`].
    pub fn of<T: ReadRow<'static>>(inner: R) -> Result<View<R, T>> {
        View::with_expected::<Own>(inner, Some(&*crate::row::reader_schema::<T>()?))
    }

    /// Creates a reader of rows of the deserializable type `T`; see [`from_slice`](crate::serde::from_slice).
    ///
    /// ```
    /// use std::io::Cursor;
    ///
    /// use serow::{View, Writer};
    ///
    /// let mut writer = Writer::typed(Vec::new());
    /// writer.write_rows(&[("peru", 1), ("snow", 2)])?;
    /// let file = Cursor::new(writer.finish()?);
    ///
    /// let mut reader = View::typed::<(String, u8)>(file)?;
    /// assert_eq!(reader.row(1)?, Some(("snow".into(), 2)));
    /// # Ok::<(), serow::Error>(())
    /// ```
    ///
    /// # Errors
    /// See [`View::new`].
    #[cfg(feature = "serde")]
    pub fn typed<T: serde::de::DeserializeOwned>(inner: R) -> Result<View<R, T>> {
        View::with_expected::<crate::typed::Serde>(inner, None)
    }
}

impl<R: Read + Seek, T> View<R, T> {
    /// Creates a reader that converts rows to the `expected` schema.
    pub(crate) fn with_expected<By>(
        mut inner: R,
        expected: Option<&ReaderSchema>,
    ) -> Result<View<R, T>>
    where
        T: Decode<'static, By>,
    {
        let len = inner.seek(SeekFrom::End(0)).map_err(|cause| Error::io(READING, cause))?;
        let (mut search, mut bytes) = (IndexSearch::new(len), Vec::new());
        while let Some(range) = search.wanted() {
            read(&mut inner, range, &mut bytes)?;
            search.give(&bytes)?;
        }
        let decoder = SeekDecoder::new(search.finish());
        let decoder = match expected {
            Some(expected) => decoder.with_program(expected.program().clone()),
            None => decoder,
        };
        let (kept, expected) = (stream::View::new(decoder, KEPT_FRAMES), expected.cloned());
        let (frame, row) = (rows::of_frame::<T, T::Sink>, rows::of_row::<T, T::Sink>);
        Ok(View { inner, kept, expected, frame, row, bytes })
    }

    /// The number of rows.
    pub fn rows(&self) -> u64 {
        self.kept.seek.index().rows()
    }

    /// The number of frames.
    pub fn frames(&self) -> usize {
        self.kept.seek.index().frames()
    }

    /// Returns the numbers of the rows of a frame; `None` if there is no such frame.
    pub fn rows_of(&self, frame: usize) -> Option<Range<u64>> {
        let place = self.kept.seek.index().entry(frame)?;
        Some(place.first_row..place.first_row + place.rows)
    }

    /// Returns the rows of a frame, by its number from 0; `None` if there is no such frame.
    ///
    /// # Errors
    /// An error of kind `Io` if the file can't be read. A decode error if the frame is damaged, or is not
    /// what the index says. After an error other frames can still be read.
    pub fn frame(&mut self, number: usize) -> Result<Option<Vec<T>>> {
        let View { frame, expected, .. } = self;
        let (frame, expected) = (*frame, expected.clone());
        let Some(packed) = self.packed(number)? else { return Ok(None) };
        let (rows, result) = frame(&packed.unpack()?, expected.as_ref());
        result.map(|()| Some(rows))
    }

    /// Returns a row, by its number from 0; `None` if there is no such row. Only this row is made. Its frame is unpacked
    /// before, and kept for other rows: frames of up to 64 MiB, and at least one.
    ///
    /// # Errors
    /// See [`View::frame`].
    pub fn row(&mut self, row: u64) -> Result<Option<T>> {
        let Some((number, row)) = self.kept.seek.index().place_of(row) else { return Ok(None) };
        let mut frame = match self.kept.take(number) {
            Some(frame) => frame,
            None => match self.packed(number)? {
                Some(packed) => OpenFrame::new(number, packed, HostLock::NONE)?,
                None => return Ok(None),
            },
        };
        let (mut rows, result) = (self.row)(&mut frame, row, self.expected.as_ref());
        self.kept.keep(frame);
        result.map(|()| rows.pop())
    }

    /// Reads and checks a frame; `None` if there is no such frame.
    fn packed(&mut self, number: usize) -> Result<Option<PackedFrame<'_>>> {
        let View { inner, kept, bytes, .. } = self;
        while let Some(range) = kept.seek.schema_wanted(number) {
            read(inner, range, bytes)?;
            kept.seek.give_schema(number, bytes)?;
        }
        let Some(place) = kept.seek.index().entry(number) else { return Ok(None) };
        read(inner, place.at..place.at + place.bytes, bytes)?;
        kept.seek.read(number, bytes).map(Some)
    }

    /// Returns the inner reader.
    pub fn into_inner(self) -> R {
        self.inner
    }
}

impl<R, T> fmt::Debug for View<R, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let index = self.kept.seek.index();
        let mut shown = f.debug_struct("View");
        shown.field("frames", &index.frames()).field("rows", &index.rows()).finish_non_exhaustive()
    }
}

const READING: &str = "cannot read the file";

/// Reads a range of a file into `bytes`.
pub(super) fn read(
    inner: &mut (impl Read + Seek),
    range: Range<u64>,
    bytes: &mut Vec<u8>,
) -> Result<()> {
    let len = usize::try_from(range.end - range.start).map_err(|_| Error::no_memory())?;
    bytes.clear();
    memory::resize(bytes, len, 0).map_err(|_| Error::no_memory())?;
    let done = inner.seek(SeekFrom::Start(range.start)).and_then(|_| inner.read_exact(bytes));
    done.map_err(|cause| match cause.kind() {
        ErrorKind::UnexpectedEof => {
            Error::io("the file has become shorter since it was opened", cause)
        }
        _ => Error::io(format_args!("{READING} at byte {}", range.start), cause),
    })
}

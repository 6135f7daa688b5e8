//! Readers of files that read any row at once.

use std::fmt;
use std::io::{ErrorKind, Read, Seek, SeekFrom};
use std::ops::Range;

use serow_core::decode::ReaderSchema;
use serow_core::memory;
use serow_core::stream::{IndexSearch, SeekDecoder};
use serow_core::wire::message::RawFrame;

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
/// use serow::{IndexedReader, Value, Writer};
///
/// let mut writer = Writer::new(Vec::new());
/// for i in 0..100_000 {
///     writer.write(&Value::I64(i))?;
/// }
/// let file = Cursor::new(writer.finish()?);
///
/// let mut reader = IndexedReader::new(file)?;
/// assert_eq!((reader.rows(), reader.frames()), (100_000, 2));
/// assert_eq!(reader.row(70_000)?, Some(Value::I64(70_000)));
/// assert_eq!(reader.row(100_000)?, None);
/// assert_eq!(reader.rows_of(1), Some(65_536..100_000));
/// assert_eq!(reader.frame(1)?.map(|rows| rows.len()), Some(100_000 - 65_536));
/// # Ok::<(), serow::Error>(())
/// ```
pub struct IndexedReader<R, T = Value> {
    inner: R,
    decoder: SeekDecoder,
    /// The schema to which rows are converted.
    expected: Option<ReaderSchema>,
    decode: fn(&RawFrame<'_>, Option<&ReaderSchema>) -> Decoded<T>,
    /// The bytes of the last frame.
    bytes: Vec<u8>,
    /// The number of the last frame of which a row was read, and those of its rows that were not.
    rows: (usize, Vec<Option<T>>),
}

impl<R: Read + Seek> IndexedReader<R> {
    /// Creates a reader of the file `inner`, from its beginning to its end.
    ///
    /// ```
    /// use std::io::Cursor;
    ///
    /// use serow::{IndexedReader, Writer};
    ///
    /// let stream = Writer::new(Vec::new()).finish()?;
    /// assert_eq!(IndexedReader::new(Cursor::new(stream))?.rows(), 0);
    ///
    /// let message = serow::dumps(&["peru".into()])?;
    /// assert_eq!(IndexedReader::new(Cursor::new(message))?.rows(), 1);
    /// # Ok::<(), serow::Error>(())
    /// ```
    ///
    /// # Errors
    /// An error of kind `Io` if `inner` can't be read. A decode error if it has no messages, or one is cut.
    pub fn new(inner: R) -> Result<IndexedReader<R>> {
        IndexedReader::with_expected::<Own>(inner, None)
    }

    /// Creates a reader of rows of the type `T`, which says its schema; see [`from_slice`](crate::from_slice).
    ///
    /// ```
    /// use std::io::Cursor;
    ///
    /// use serow::{IndexedReader, Writer};
    ///
    /// let mut writer = Writer::of(Vec::new())?;
    /// writer.write_rows(&[("peru", 1), ("snow", 2)])?;
    /// let file = Cursor::new(writer.finish()?);
    ///
    /// let mut reader = IndexedReader::of::<(String, u8)>(file)?;
    /// assert_eq!(reader.row(1)?, Some(("snow".into(), 2)));
    /// # Ok::<(), serow::Error>(())
    /// ```
    ///
    /// # Errors
    /// See [`IndexedReader::new`].
    pub fn of<T: ReadRow<'static>>(inner: R) -> Result<IndexedReader<R, T>> {
        IndexedReader::with_expected::<Own>(inner, Some(&*crate::row::reader_schema::<T>()?))
    }

    /// Creates a reader of rows of the deserializable type `T`; see [`from_slice`](crate::serde::from_slice).
    ///
    /// ```
    /// use std::io::Cursor;
    ///
    /// use serow::{IndexedReader, Writer};
    ///
    /// let mut writer = Writer::typed(Vec::new());
    /// writer.write_rows(&[("peru", 1), ("snow", 2)])?;
    /// let file = Cursor::new(writer.finish()?);
    ///
    /// let mut reader = IndexedReader::typed::<(String, u8)>(file)?;
    /// assert_eq!(reader.row(1)?, Some(("snow".into(), 2)));
    /// # Ok::<(), serow::Error>(())
    /// ```
    ///
    /// # Errors
    /// See [`IndexedReader::new`].
    #[cfg(feature = "serde")]
    pub fn typed<T: serde::de::DeserializeOwned>(inner: R) -> Result<IndexedReader<R, T>> {
        IndexedReader::with_expected::<crate::typed::Serde>(inner, None)
    }
}

impl<R: Read + Seek, T> IndexedReader<R, T> {
    /// Creates a reader that converts rows to the `expected` schema.
    pub(crate) fn with_expected<By>(
        mut inner: R,
        expected: Option<&ReaderSchema>,
    ) -> Result<IndexedReader<R, T>>
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
        let (expected, decode) = (expected.cloned(), rows::of_frame::<T, T::Sink>);
        Ok(IndexedReader { inner, decoder, expected, decode, bytes, rows: (0, Vec::new()) })
    }

    /// The number of rows.
    pub fn rows(&self) -> u64 {
        self.decoder.index().rows()
    }

    /// The number of frames.
    pub fn frames(&self) -> usize {
        self.decoder.index().frames()
    }

    /// Returns the numbers of the rows of a frame; `None` if there is no such frame.
    pub fn rows_of(&self, frame: usize) -> Option<Range<u64>> {
        let place = self.decoder.index().entry(frame)?;
        Some(place.first_row..place.first_row + place.rows)
    }

    /// Returns the rows of a frame, by its number from 0; `None` if there is no such frame.
    ///
    /// # Errors
    /// An error of kind `Io` if the file can't be read. A decode error if the frame is damaged, or is not
    /// what the index says. After an error other frames can still be read.
    pub fn frame(&mut self, number: usize) -> Result<Option<Vec<T>>> {
        let Some((rows, result)) = self.decoded(number)? else { return Ok(None) };
        result.map(|()| Some(rows))
    }

    /// Returns the rows of a frame up to the first error, and that error.
    fn decoded(&mut self, number: usize) -> Result<Option<Decoded<T>>> {
        let IndexedReader { inner, decoder, expected, decode, bytes, .. } = self;
        while let Some(range) = decoder.schema_wanted(number) {
            read(inner, range, bytes)?;
            decoder.give_schema(number, bytes)?;
        }
        let Some(place) = decoder.index().entry(number) else { return Ok(None) };
        read(inner, place.at..place.at + place.bytes, bytes)?;
        Ok(Some(decode(&decoder.read(number, bytes)?.unpack()?, expected.as_ref())))
    }

    /// Returns a row, by its number from 0; `None` if there is no such row. The other rows of its frame
    /// are kept until a row of another frame, or the same row, is read.
    ///
    /// # Errors
    /// See [`IndexedReader::frame`]. The rows before one that `T` refuses can be read.
    pub fn row(&mut self, row: u64) -> Result<Option<T>> {
        let Some(frame) = self.decoder.index().frame_of(row) else { return Ok(None) };
        let first = self.rows_of(frame).map_or(0, |rows| rows.start);
        let within = (row - first) as usize;
        if self.rows.0 == frame
            && let Some(row) = self.rows.1.get_mut(within).and_then(Option::take)
        {
            return Ok(Some(row));
        }
        let Some((rows, result)) = self.decoded(frame)? else { return Ok(None) };
        self.rows = (frame, rows.into_iter().map(Some).collect());
        match self.rows.1.get_mut(within).and_then(Option::take) {
            Some(row) => Ok(Some(row)),
            None => result.map(|()| None),
        }
    }

    /// Returns the inner reader.
    pub fn into_inner(self) -> R {
        self.inner
    }
}

impl<R, T> fmt::Debug for IndexedReader<R, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let index = self.decoder.index();
        let mut shown = f.debug_struct("IndexedReader");
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

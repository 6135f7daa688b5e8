//! What a program can choose when it writes and reads rows.

use std::io::{Read, Write};

use serow_core::encode::{MakeFrames, ManyRead, Rows, dumps_as, dumps_with};
use serow_core::layout::value::ValueWriter;
use serow_core::wire::message::Format;

use crate::row::RowsOf;
use crate::rows::of_message;
#[cfg(feature = "serde")]
use crate::typed::Serde;
use crate::{
    Compression, Decode, Encode, Own, ReadRow, Reader, Result, Row, Threads, Value, Wire, Writer,
};

/// How rows are written and read: wire, compression and threads. Bytes say how they were written, so
/// only the threads matter to a reader, and neither rows nor bytes depend on the threads.
///
/// Several threads make frames at once if there are rows for more than one. For this, types of rows
/// must be [`Sync`] to be written and [`Send`] to be read.
///
/// ```
/// use serow::{Compression, Options, Threads, Value, Wire};
///
/// let rows: Vec<Value> = (0..200_000).map(Value::I64).collect();
/// let options = Options::new().with_wire(Wire::Row).with_compression(Compression::ZSTD);
/// let bytes = options.dumps(&rows)?;
/// assert!(bytes.len() < Options::from(Wire::Row).dumps(&rows)?.len());
///
/// let options = options.with_threads(Threads::Auto);
/// assert_eq!(options.dumps(&rows)?, bytes);
/// assert_eq!(options.loads(&bytes)?, rows);
/// # Ok::<(), serow::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    wire: Option<Wire>,
    compression: Compression,
    pub(crate) threads: Threads,
}

/// The options with this wire.
impl From<Wire> for Options {
    fn from(wire: Wire) -> Options {
        Options::new().with_wire(wire)
    }
}

impl Options {
    /// No wire, no compression, and the calling thread only.
    pub fn new() -> Options {
        Options::default()
    }

    /// Returns the options with a wire. Without one, [`Options::dumps`] and `Options::to_vec` use the row
    /// wire for messages of at most 128 rows and 16 KiB. All else is in the frame wire.
    pub fn with_wire(self, wire: Wire) -> Options {
        Options { wire: Some(wire), ..self }
    }

    /// Returns the options with a compression of messages and streams. Single records are never
    /// compressed.
    pub fn with_compression(self, compression: Compression) -> Options {
        Options { compression, ..self }
    }

    /// Returns the options with the threads that a call may use.
    pub fn with_threads(self, threads: Threads) -> Options {
        Options { threads, ..self }
    }

    /// Like [`dumps`](crate::dumps), with these options.
    ///
    /// # Errors
    /// See [`dumps`](crate::dumps).
    pub fn dumps(self, rows: &[Value]) -> Result<Vec<u8>> {
        self.inferred(&<Value as Encode<Own>>::shared(rows))
    }

    /// Like [`loads`](crate::loads), with these options.
    ///
    /// # Errors
    /// See [`loads`](crate::loads).
    pub fn loads(self, data: &[u8]) -> Result<Vec<Value>> {
        of_message::<_, ValueWriter>(data, None, self.threads)
    }

    /// Like [`to_vec`](crate::to_vec), with these options.
    ///
    /// ```
    /// use serow::{Options, Wire};
    ///
    /// let bytes = Options::from(Wire::Frame).to_vec(&[("peru", 1), ("snow", 2)])?;
    /// assert_eq!(serow::from_slice::<(String, u8)>(&bytes)?[1], ("snow".into(), 2));
    /// # Ok::<(), serow::Error>(())
    /// ```
    ///
    /// # Errors
    /// See [`to_vec`](crate::to_vec).
    pub fn to_vec<T: Row + Sync>(self, rows: &[T]) -> Result<Vec<u8>> {
        self.written(rows, &ManyRead(self.threads))
    }

    /// Like [`from_slice`](crate::from_slice), with these options.
    ///
    /// ```
    /// use serow::{Options, Threads};
    ///
    /// let options = Options::new().with_threads(Threads::Auto);
    /// let rows: Vec<u64> = (0..200_000).collect();
    /// assert_eq!(options.from_slice::<u64>(&options.to_vec(&rows)?)?, rows);
    /// # Ok::<(), serow::Error>(())
    /// ```
    ///
    /// # Errors
    /// See [`from_slice`](crate::from_slice).
    pub fn from_slice<'m, T: ReadRow<'m> + Send>(self, data: &'m [u8]) -> Result<Vec<T>> {
        let expected = crate::row::reader_schema::<T>()?;
        of_message::<_, <T as Decode<'m, Own>>::Sent>(data, Some(&expected), self.threads)
    }

    /// Creates a writer of a stream; see [`Writer::new`]. Its threads work on the rows of one call of
    /// [`Writer::write_rows`].
    ///
    /// ```
    /// use serow::{Compression, Options, Value};
    ///
    /// let mut writer = Options::new().with_compression(Compression::ZSTD).writer(Vec::new());
    /// writer.write_rows(&vec![Value::from("almond"); 1000])?;
    /// assert!(writer.finish()?.len() < 300);
    /// # Ok::<(), serow::Error>(())
    /// ```
    pub fn writer<W: Write, T: Encode<Own> + Sync>(self, inner: W) -> Writer<W, T> {
        // A type without a schema fails at its first row.
        Writer::shared::<Own>(inner, self, T::program().unwrap_or_default())
    }

    /// Creates a reader of a stream; see [`Reader::new`].
    ///
    /// With more than one thread the reader reads up to two frames for each thread at once, before it
    /// gives the rows of the first. The calling thread reads the bytes, and checks headers and
    /// checksums. All threads decompress and make rows.
    ///
    /// Rows, errors and their order are the same. After an error [`Reader::bytes_read`] may be further
    /// than the error, because frames after it were read.
    ///
    /// ```
    /// use serow::{Options, Reader, Threads, Value, Wire};
    ///
    /// let options = Options::from(Wire::Frame).with_threads(Threads::of(2)?);
    /// let rows: Vec<Value> = (0..200_000).map(Value::I64).collect();
    /// let bytes = options.dumps(&rows)?;
    /// let reader: Reader<_> = options.reader(&bytes[..]);
    /// assert_eq!(reader.collect::<serow::Result<Vec<_>>>()?, rows);
    /// # Ok::<(), serow::Error>(())
    /// ```
    pub fn reader<R: Read, T: Decode<'static, Own> + Send>(self, inner: R) -> Reader<R, T> {
        let expected = T::expected().unwrap_or_default();
        Reader::with_expected::<Own>(inner, expected.as_deref()).with_threads(self.threads)
    }

    /// Creates a writer of a stream of rows of a serializable type; see [`Writer::typed`].
    #[cfg(feature = "serde")]
    pub fn typed_writer<W: Write, T: ::serde::Serialize + Sync>(self, inner: W) -> Writer<W, T> {
        Writer::shared::<Serde>(inner, self, None)
    }

    /// Creates a reader of a stream of rows of a deserializable type; see [`Reader::typed`].
    #[cfg(feature = "serde")]
    pub fn typed_reader<R: Read, T>(self, inner: R) -> Reader<R, T>
    where
        T: ::serde::de::DeserializeOwned + Send,
    {
        Reader::with_expected::<Serde>(inner, None).with_threads(self.threads)
    }

    /// Encodes rows of a type that says its schema.
    pub(crate) fn written<'v, T: Row>(
        self,
        rows: &'v [T],
        maker: &impl MakeFrames<RowsOf<'v, T>>,
    ) -> Result<Vec<u8>> {
        let Options { wire, compression, .. } = self;
        let schema = crate::row::reader_schema::<T>()?;
        crate::written(|bytes| {
            dumps_as(schema.program(), &RowsOf(rows), wire, compression, maker, bytes)
        })
    }

    /// Encodes rows with the inferred schema.
    pub(crate) fn inferred<R: Rows + Sync>(self, rows: &R) -> Result<Vec<u8>> {
        let Options { wire, compression, threads } = self;
        crate::written(|bytes| dumps_with(rows, wire, compression, &ManyRead(threads), bytes))
    }

    /// The format of messages of a codec, and of streams.
    pub(crate) fn format(self) -> Format {
        let wire = self.wire.unwrap_or(Wire::Frame);
        Format { wire, compression: self.compression }
    }
}

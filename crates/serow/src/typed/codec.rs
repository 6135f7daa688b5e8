//! A codec for rows of a Rust type.

use std::fmt;
use std::io::Write;
use std::marker::PhantomData;
use std::sync::Arc;

use serde::de::DeserializeOwned;
use serde::ser::Serialize;
use serow_core::encode::ManyRead;
use serow_core::program::Program;
use serow_core::wire::single::{Agreement, SingleRecord};
use serow_core::{decode, encode};

use super::rows::{TypedRows, TypedWriter};
use crate::{Error, ErrorKind, Format, Result, Schema, SchemaSet, Threads, Typed, Writer};

/// Encodes and decodes rows of the Rust type `T` with one schema. It is immutable, and several threads
/// may use it at once. Cloning is cheap.
///
/// A codec infers nothing when it encodes, so it takes less time than
/// [`to_vec`](crate::to_vec), and it writes single records.
///
/// ```
/// use serde::{Deserialize, Serialize};
/// use serow::{TypedCodec, Wire};
///
/// #[derive(Debug, PartialEq, Serialize, Deserialize)]
/// struct Part {
///     key: u32,
///     name: Option<String>,
/// }
///
/// let sample = [Part { key: 1, name: Some("peru".into()) }, Part { key: 2, name: None }];
/// let codec = TypedCodec::<Part>::infer(&sample, Wire::Frame)?;
/// assert_eq!(codec.schema().to_string(), "Part{key: i64, name: str?}");
///
/// let parts = vec![Part { key: 7, name: Some("snow".into()) }];
/// assert_eq!(codec.decode(&codec.encode(&parts)?)?, parts);
/// # Ok::<(), serow::Error>(())
/// ```
pub struct TypedCodec<T> {
    program: Arc<Program>,
    format: Format,
    agreement: Agreement,
    rows: PhantomData<fn(T) -> T>,
}

impl<T> TypedCodec<T> {
    /// Creates a codec for rows of `schema`. It encodes in this format, which may be only a wire.
    ///
    /// ```
    /// use serow::{Schema, TypedCodec, Wire};
    ///
    /// let schema = Schema::parse("(i64, str?)")?;
    /// let codec = TypedCodec::<(u8, Option<String>)>::new(&schema, Wire::Row);
    /// assert_eq!(codec.schema(), &schema);
    /// # Ok::<(), serow::Error>(())
    /// ```
    pub fn new(schema: &Schema, format: impl Into<Format>) -> TypedCodec<T> {
        let (program, agreement) = (Program::of(schema), Agreement::default());
        TypedCodec { program, format: format.into(), agreement, rows: PhantomData }
    }

    /// Returns the codec for single records without a fingerprint. Writer and reader must have
    /// agreed on the schema by other means.
    ///
    /// ```
    /// use serow::{Schema, TypedCodec, Wire};
    ///
    /// let schema = Schema::parse("(i64, bool)")?;
    /// let codec = TypedCodec::<(u8, bool)>::new(&schema, Wire::Row).without_fingerprint();
    /// assert_eq!(codec.encode_one(&(7, true))?.len(), 2);
    /// # Ok::<(), serow::Error>(())
    /// ```
    pub fn without_fingerprint(mut self) -> TypedCodec<T> {
        self.agreement.has_fingerprint = false;
        self
    }

    /// Returns the codec with the schemas of other single records that it should read. Schemas may
    /// be added to the set later too.
    ///
    /// ```
    /// use serow::{Schema, SchemaSet, TypedCodec, Wire};
    ///
    /// #[derive(Debug, PartialEq, serde::Deserialize)]
    /// struct Part {
    ///     key: i64,
    ///     #[serde(default)]
    ///     name: String,
    /// }
    ///
    /// let schemas = SchemaSet::default();
    /// let old = TypedCodec::<(i64,)>::new(&Schema::parse("(i64,)")?, Wire::Row);
    /// schemas.add(old.schema())?;
    ///
    /// let schema = Schema::parse("Part{key: i64, name: str}")?;
    /// let codec = TypedCodec::<Part>::new(&schema, Wire::Row).with_schemas(&schemas);
    /// let record = old.encode_one(&(7,))?;
    /// assert_eq!(codec.decode_one(&record)?, Part { key: 7, name: "".into() });
    /// # Ok::<(), serow::Error>(())
    /// ```
    pub fn with_schemas(mut self, schemas: &SchemaSet) -> TypedCodec<T> {
        self.agreement.schemas = schemas.clone();
        self
    }

    /// Returns the schema of the rows.
    ///
    /// ```
    /// use serow::{TypedCodec, Wire};
    ///
    /// let codec = TypedCodec::<f32>::infer(&[0.5], Wire::Row)?;
    /// assert_eq!(codec.schema().to_string(), "f64");
    /// # Ok::<(), serow::Error>(())
    /// ```
    pub fn schema(&self) -> &Schema {
        self.program.schema()
    }
}

impl<T: Serialize> TypedCodec<T> {
    /// Creates a codec with the schema of `sample`. Other rows fit it if the sample has each variant
    /// of each enum, an element of each list, and a value and a null of each `Option`.
    ///
    /// ```
    /// use serow::{TypedCodec, Wire};
    ///
    /// let codec = TypedCodec::<(u8, Vec<char>)>::infer(&[(1, vec!['a'])], Wire::Frame)?;
    /// assert_eq!(codec.schema().to_string(), "(i64, [str])");
    /// # Ok::<(), serow::Error>(())
    /// ```
    ///
    /// # Errors
    /// See [`schema_of`](crate::schema_of).
    pub fn infer(sample: &[T], format: impl Into<Format>) -> Result<TypedCodec<T>> {
        Ok(TypedCodec::new(&super::schema_of(sample)?, format))
    }

    /// Encodes `rows` to a message.
    ///
    /// ```
    /// use serow::{ErrorKind, TypedCodec, Wire};
    ///
    /// let codec = TypedCodec::<(u8, Option<u8>)>::infer(&[(1, Some(2))], Wire::Frame)?;
    /// assert!(codec.encode(&[(3, Some(4))]).is_ok());
    ///
    /// let error = codec.encode(&[(3, Some(4)), (5, None)]).unwrap_err();
    /// assert_eq!((error.kind(), error.row()), (ErrorKind::Encode, Some(1)));
    /// assert_eq!(error.path().map(|path| path.to_string()).as_deref(), Some("1"));
    /// # Ok::<(), serow::Error>(())
    /// ```
    ///
    /// # Errors
    /// An encode error that names the first value that does not fit the schema, or that the type's
    /// own `Serialize` refuses.
    pub fn encode(&self, rows: &[T]) -> Result<Vec<u8>> {
        let rows = TypedRows::new(rows);
        crate::written(|bytes| encode::encode(&self.program, &rows, self.format, bytes))
    }

    /// Like [`TypedCodec::encode`], on several threads if there are rows for more than one frame; see
    /// [`to_vec_on`](crate::to_vec_on).
    ///
    /// ```
    /// use serow::{Threads, TypedCodec, Wire};
    ///
    /// let codec = TypedCodec::<u64>::infer(&[1], Wire::Frame)?;
    /// let rows: Vec<u64> = (0..200_000).collect();
    /// let bytes = codec.encode_on(Threads::Auto, &rows)?;
    /// assert_eq!(bytes, codec.encode(&rows)?);
    /// # Ok::<(), serow::Error>(())
    /// ```
    ///
    /// # Errors
    /// See [`TypedCodec::encode`].
    pub fn encode_on(&self, threads: Threads, rows: &[T]) -> Result<Vec<u8>>
    where
        T: Sync,
    {
        let (rows, maker) = (TypedRows::new(rows), ManyRead(threads));
        crate::written(|bytes| {
            encode::encode_with(&self.program, &rows, self.format, &maker, bytes)
        })
    }

    /// Creates a writer of a stream of rows of this schema. A row that does not fit is an error.
    ///
    /// ```
    /// use serow::{TypedCodec, Wire};
    ///
    /// let codec = TypedCodec::<(u8, bool)>::infer(&[(1, true)], Wire::Frame)?;
    /// let mut writer = codec.writer(Vec::new());
    /// writer.write(&(7, false))?;
    /// assert_eq!(codec.decode(&writer.finish()?)?, [(7, false)]);
    /// # Ok::<(), serow::Error>(())
    /// ```
    pub fn writer<W: Write>(&self, inner: W) -> Writer<W, Typed<T>> {
        Writer::of_kind(inner, self.format, Some(self.program.clone()))
    }

    /// Encodes one row as a single record: the schema's fingerprint and the row's bytes in the row
    /// wire, without a schema and a checksum.
    ///
    /// ```
    /// use serow::{TypedCodec, Wire};
    ///
    /// let codec = TypedCodec::<(u8, String)>::infer(&[(1, "nut".into())], Wire::Row)?;
    /// let record = codec.encode_one(&(7, "bolt".into()))?;
    /// assert_eq!(record.len(), 8 + 6);
    /// assert_eq!(codec.decode_one(&record)?, (7, "bolt".into()));
    /// # Ok::<(), serow::Error>(())
    /// ```
    ///
    /// # Errors
    /// See [`TypedCodec::encode`].
    pub fn encode_one(&self, row: &T) -> Result<Vec<u8>> {
        let rows = TypedRows::new(std::slice::from_ref(row));
        let copied = |record: SingleRecord<'_>| record.to_vec();
        encode::encode_one(&self.program, &rows, self.agreement.has_fingerprint, copied)?
    }

    /// Like [`TypedCodec::encode_one`], at the beginning of `buffer`. Returns the length of the
    /// record in bytes.
    ///
    /// ```
    /// use serow::{TypedCodec, Wire};
    ///
    /// let codec = TypedCodec::<(u8, bool)>::infer(&[(1, true)], Wire::Row)?;
    /// let mut buffer = [0; 64];
    /// assert_eq!(codec.encode_one_into(&(7, false), &mut buffer)?, 8 + 2);
    /// let error = codec.encode_one_into(&(7, false), &mut buffer[..4]).unwrap_err();
    /// assert_eq!(error.needed(), Some(10));
    /// # Ok::<(), serow::Error>(())
    /// ```
    ///
    /// # Errors
    /// See [`TypedCodec::encode`]. An error of kind `BufferTooSmall`, with the needed size, if the
    /// record does not fit. After an error `buffer` is unchanged.
    pub fn encode_one_into(&self, row: &T, buffer: &mut [u8]) -> Result<usize> {
        let rows = TypedRows::new(std::slice::from_ref(row));
        encode::encode_one(&self.program, &rows, self.agreement.has_fingerprint, |record| {
            match buffer.get_mut(..record.len()) {
                Some(start) => record.copy_to(start),
                None => return Err(Error::too_small_for_record(record.len(), 0, buffer.len())),
            }
            Ok(record.len())
        })?
    }
}

impl<T: DeserializeOwned> TypedCodec<T> {
    /// Decodes the rows of a message. The message may have any schema; see
    /// [`from_slice`](crate::from_slice).
    ///
    /// ```
    /// use serow::{TypedCodec, Wire};
    ///
    /// let codec = TypedCodec::<(u8, bool)>::infer(&[(1, true)], Wire::Frame)?;
    /// assert_eq!(codec.decode(&codec.encode(&[(7, false)])?)?, [(7, false)]);
    /// # Ok::<(), serow::Error>(())
    /// ```
    ///
    /// # Errors
    /// See [`from_slice`](crate::from_slice).
    pub fn decode(&self, data: &[u8]) -> Result<Vec<T>> {
        super::from_slice(data)
    }

    /// Like [`TypedCodec::decode`], on several threads if the message has more than one frame; see
    /// [`from_slice_on`](crate::from_slice_on).
    ///
    /// ```
    /// use serow::{Threads, TypedCodec, Wire};
    ///
    /// let codec = TypedCodec::<u64>::infer(&[1], Wire::Frame)?;
    /// let rows: Vec<u64> = (0..200_000).collect();
    /// assert_eq!(codec.decode_on(Threads::Auto, &codec.encode(&rows)?)?, rows);
    /// # Ok::<(), serow::Error>(())
    /// ```
    ///
    /// # Errors
    /// See [`from_slice`](crate::from_slice).
    pub fn decode_on(&self, threads: Threads, data: &[u8]) -> Result<Vec<T>>
    where
        T: Send,
    {
        super::from_slice_on(threads, data)
    }

    /// Decodes a single record. A record of another schema must have a schema of
    /// [`TypedCodec::with_schemas`].
    ///
    /// ```
    /// use serow::{ErrorKind, TypedCodec, Wire};
    ///
    /// let codec = TypedCodec::<(u8, bool)>::infer(&[(1, true)], Wire::Row)?;
    /// let record = codec.encode_one(&(7, false))?;
    /// assert_eq!(codec.decode_one(&record)?, (7, false));
    /// assert_eq!(codec.decode_one(&record[1..]).unwrap_err().kind(), ErrorKind::Schema);
    /// # Ok::<(), serow::Error>(())
    /// ```
    ///
    /// # Errors
    /// A schema error if the record's schema is unknown. A decode error if the bytes are damaged or
    /// the type refuses a value.
    pub fn decode_one(&self, record: &[u8]) -> Result<T> {
        let mut rows = twice(|rows| {
            decode::decode_one_as_written(record, &self.program, &self.agreement, rows)
        })?;
        rows.pop().ok_or_else(|| Error::decode("the record has no row"))
    }
}

/// Reads rows by `read`. If the type refuses a row, reads all rows again with structs as maps: types
/// whose `Deserialize` is written by hand may accept nothing else.
pub(super) fn twice<T: DeserializeOwned>(
    read: impl Fn(&mut TypedWriter<T>) -> Result<()>,
) -> Result<Vec<T>> {
    let (rows, result) = with_map_fallback(read);
    result.map(|()| rows)
}

/// Like [`twice`]. Returns the rows before an error, and the error.
pub fn with_map_fallback<T: DeserializeOwned>(
    read: impl Fn(&mut TypedWriter<T>) -> Result<()>,
) -> (Vec<T>, Result<()>) {
    let mut rows = TypedWriter::new(false);
    match read(&mut rows) {
        Err(error) if error.kind() == ErrorKind::Decode && rows.has_refused() => {}
        result => return (rows.into_rows(), result),
    }
    let mut rows = TypedWriter::new(true);
    let result = read(&mut rows);
    (rows.into_rows(), result)
}

/// Like [`twice`], for a message that several threads read.
pub(super) fn twice_by_many<T: DeserializeOwned + Send>(
    threads: Threads,
    data: &[u8],
) -> Result<Vec<T>> {
    let read = |as_maps| {
        let mut has_refused = false;
        let into_rows = |sink: TypedWriter<T>| {
            has_refused |= sink.has_refused();
            sink.into_rows()
        };
        let new_sink = || TypedWriter::new(as_maps);
        let rows = crate::decoded_by_many(threads, data, None, new_sink, into_rows);
        (rows, has_refused)
    };
    match read(false) {
        (Err(error), true) if error.kind() == ErrorKind::Decode => read(true).0,
        (rows, _) => rows,
    }
}

impl<T> Clone for TypedCodec<T> {
    fn clone(&self) -> TypedCodec<T> {
        let TypedCodec { program, format, agreement, rows } = self;
        TypedCodec {
            program: program.clone(),
            format: *format,
            agreement: agreement.clone(),
            rows: *rows,
        }
    }
}

impl<T> fmt::Debug for TypedCodec<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("TypedCodec");
        shown.field("schema", self.schema()).field("format", &self.format).finish_non_exhaustive()
    }
}

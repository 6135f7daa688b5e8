//! A codec for rows of one schema.

use std::io::{Read, Seek, Write};
use std::sync::Arc;

use serow_core::decode::Expected;
use serow_core::encode::ManyRead;
use serow_core::layout::value::{ValueRows, ValueWriter};
use serow_core::plan::Defaults;
use serow_core::program::Program;
use serow_core::wire::single::{Agreement, SingleRecord};
use serow_core::{decode, encode};

use crate::{
    Error, Format, IndexedReader, Reader, Result, Schema, SchemaSet, Threads, Value, Values, Writer,
};

/// Encodes and decodes rows of one schema. It is immutable, and several threads may use it at once.
/// Cloning is cheap.
///
/// ```
/// use serow::{Codec, Wire, Schema, Value};
///
/// let codec = Codec::new(&Schema::parse("(i64, str?)")?, Wire::Row);
/// let rows = vec![Value::Tuple(vec![Value::I64(7), Value::Null])];
/// assert_eq!(codec.decode(&codec.encode(&rows)?)?, rows);
/// # Ok::<(), serow::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Codec {
    expected: Expected,
    format: Format,
    threads: Threads,
    agreement: Agreement,
}

impl Codec {
    /// Creates a codec for rows of `schema`. It encodes in this format, which may be only a wire.
    ///
    /// ```
    /// use serow::{Codec, Compression, Format, Schema, Value, Wire};
    ///
    /// let codec = Codec::new(&Schema::parse("i64?")?, Wire::Frame);
    /// assert_eq!(codec.decode(&codec.encode(&[Value::Null])?)?, [Value::Null]);
    ///
    /// let format = Format::from(Wire::Row).compressed(Compression::ZSTD);
    /// let codec = Codec::new(&Schema::parse("str")?, format);
    /// assert!(codec.encode(&vec!["almond".into(); 1000])?.len() < 200);
    /// # Ok::<(), serow::Error>(())
    /// ```
    pub fn new(schema: &Schema, format: impl Into<Format>) -> Codec {
        let expected = Expected::new(Program::of(schema), Defaults::default());
        let (format, agreement) = (format.into(), Agreement::default());
        Codec { expected, format, threads: Threads::ONE, agreement }
    }

    /// Returns the codec with the threads that [`Codec::encode`], [`Codec::decode`] and its writers and
    /// readers of streams may use. Without this it is the calling thread only. The bytes are the same.
    ///
    /// ```
    /// use serow::{Codec, Schema, Threads, Value, Wire};
    ///
    /// let codec = Codec::new(&Schema::parse("i64")?, Wire::Frame).with_threads(Threads::Auto);
    /// let rows: Vec<Value> = (0..200_000).map(Value::I64).collect();
    /// assert_eq!(codec.decode(&codec.encode(&rows)?)?, rows);
    /// # Ok::<(), serow::Error>(())
    /// ```
    pub fn with_threads(mut self, threads: Threads) -> Codec {
        self.threads = threads;
        self
    }

    /// Returns the codec for single records without a fingerprint. Writer and reader must have
    /// agreed on the schema by other means.
    ///
    /// ```
    /// use serow::{Codec, Schema, Value, Wire};
    ///
    /// let codec = Codec::new(&Schema::parse("i64")?, Wire::Row).without_fingerprint();
    /// assert_eq!(codec.encode_one(&Value::I64(7))?.len(), 1);
    /// # Ok::<(), serow::Error>(())
    /// ```
    pub fn without_fingerprint(mut self) -> Codec {
        self.agreement.has_fingerprint = false;
        self
    }

    /// Returns the codec with the schemas of other single records that it should read. Schemas may
    /// be added to the set later too.
    ///
    /// ```
    /// use serow::{Codec, Schema, SchemaSet, Value, Wire};
    ///
    /// let old = Codec::new(&Schema::parse("Part{key: i64}")?, Wire::Row);
    /// let record = old.encode_one(&Value::record("Part", [("key", Value::I64(7))]))?;
    ///
    /// let schemas = SchemaSet::default();
    /// schemas.add(old.schema())?;
    /// let new = Schema::parse("Part{key: i64, name: str?}")?;
    /// let new = Codec::new(&new, Wire::Row).with_schemas(&schemas);
    /// let part = Value::record("Part", [("key", Value::I64(7)), ("name", Value::Null)]);
    /// assert_eq!(new.decode_one(&record)?, part);
    /// # Ok::<(), serow::Error>(())
    /// ```
    pub fn with_schemas(mut self, schemas: &SchemaSet) -> Codec {
        self.agreement.schemas = schemas.clone();
        self
    }

    /// Returns the codec with a default for a field of a record or a dict. Decoding uses `value` if
    /// the rows of a message lack the field. The path consists of names of fields, indices of
    /// fields without names, `[]` for elements, and `key` and `value` for those of maps.
    ///
    /// ```
    /// use serow::{Codec, Wire, Schema, Value};
    ///
    /// let first = Codec::new(&Schema::parse("[Line{count: i64}]")?, Wire::Frame);
    /// let second = Codec::new(&Schema::parse("[Line{count: i64, price: f64}]")?, Wire::Frame)
    ///     .with_default("[].price", Value::F64(1.5))?;
    /// let line = Value::record("Line", [("count", Value::I64(7))]);
    /// let rows = second.decode(&first.encode(&[Value::List(vec![line])])?)?;
    /// let line = Value::record("Line", [("count", Value::I64(7)), ("price", Value::F64(1.5))]);
    /// assert_eq!(rows, [Value::List(vec![line])]);
    /// # Ok::<(), serow::Error>(())
    /// ```
    ///
    /// # Errors
    /// A schema error if there is no such field, or if the value does not have its type.
    pub fn with_default(self, path: &str, value: impl Into<Value>) -> Result<Codec> {
        let mut defaults = self.expected.defaults().clone();
        defaults.set(self.schema(), path, value.into())?;
        let expected = Expected::new(self.program().clone(), defaults);
        Ok(Codec { expected, ..self })
    }

    fn program(&self) -> &Arc<Program> {
        self.expected.program()
    }

    /// Returns the schema of the rows.
    ///
    /// ```
    /// use serow::{Codec, Schema, Wire};
    ///
    /// let codec = Codec::new(&Schema::parse("[str]")?, Wire::Row);
    /// assert_eq!(codec.schema().to_string(), "[str]");
    /// # Ok::<(), serow::Error>(())
    /// ```
    pub fn schema(&self) -> &Schema {
        self.program().schema()
    }

    /// Encodes `rows` to a message.
    ///
    /// ```
    /// use serow::{Codec, ErrorKind, Schema, Value, Wire};
    ///
    /// let codec = Codec::new(&Schema::parse("(i64, str)")?, Wire::Frame);
    /// let row = |second: Value| Value::Tuple(vec![Value::I64(7), second]);
    /// assert!(codec.encode(&[row("bolt".into())]).is_ok());
    ///
    /// let error = codec.encode(&[row("bolt".into()), row(Value::Null)]).unwrap_err();
    /// assert_eq!((error.kind(), error.row()), (ErrorKind::Encode, Some(1)));
    /// assert_eq!(error.path().map(|path| path.to_string()).as_deref(), Some("1"));
    /// # Ok::<(), serow::Error>(())
    /// ```
    ///
    /// # Errors
    /// An encode error that names the first value that does not fit the schema.
    pub fn encode(&self, rows: &[Value]) -> Result<Vec<u8>> {
        let maker = ManyRead(self.threads);
        crate::written(|bytes| {
            encode::encode_with(self.program(), &ValueRows(rows), self.format, &maker, bytes)
        })
    }

    /// Decodes the rows of a message. Rows of another schema are converted to the codec's schema,
    /// by the names of their fields; see `docs/evolution.md`.
    ///
    /// ```
    /// use serow::{Codec, Schema, Value, Wire};
    ///
    /// let message = serow::dumps(&[Value::dict([("key", Value::I64(7)), ("name", "peru".into())])])?;
    /// let codec = Codec::new(&Schema::parse(r#"{"key": int}"#)?, Wire::Frame);
    /// assert_eq!(codec.decode(&message)?, [Value::dict([("key", Value::I64(7))])]);
    /// # Ok::<(), serow::Error>(())
    /// ```
    ///
    /// # Errors
    /// A schema error if rows of the message's schema can't be converted. A decode error if the
    /// message is damaged or has a value that can't be converted.
    pub fn decode(&self, data: &[u8]) -> Result<Vec<Value>> {
        crate::decoded_on(self.threads, data, Some(&self.expected))
    }

    /// Creates a writer of a stream of rows of this schema. A row that does not fit is an error.
    ///
    /// ```
    /// use serow::{Codec, Schema, Value, Wire};
    ///
    /// let codec = Codec::new(&Schema::parse("i64?")?, Wire::Frame);
    /// let mut writer = codec.writer(Vec::new());
    /// writer.write(&Value::Null)?;
    /// assert_eq!(codec.decode(&writer.finish()?)?, [Value::Null]);
    /// # Ok::<(), serow::Error>(())
    /// ```
    pub fn writer<W: Write>(&self, inner: W) -> Writer<W> {
        let writer = Writer::of_kind(inner, self.format, Some(self.program().clone()));
        writer.with_threads(self.threads)
    }

    /// Creates a reader of a stream. Rows of another schema are converted as by [`Codec::decode`].
    ///
    /// ```
    /// use serow::{Codec, Schema, Value, Wire};
    ///
    /// let bytes = serow::dumps(&[Value::dict([("key", Value::I64(7)), ("name", "peru".into())])])?;
    /// let codec = Codec::new(&Schema::parse(r#"{"key": int}"#)?, Wire::Frame);
    /// for row in codec.reader(&bytes[..]) {
    ///     assert_eq!(row?, Value::dict([("key", Value::I64(7))]));
    /// }
    /// # Ok::<(), serow::Error>(())
    /// ```
    pub fn reader<R: Read>(&self, inner: R) -> Reader<R> {
        Reader::of_kind(inner, self.values()).with_threads(self.threads)
    }

    /// Creates a reader of a file that reads any row at once. Rows of another schema are converted as by
    /// [`Codec::decode`].
    ///
    /// ```
    /// use serow::{Codec, Schema, Value, Wire, Writer};
    ///
    /// let mut writer = Writer::new(Vec::new());
    /// writer.write_rows(&[Value::I64(1), Value::I64(2)])?;
    /// let file = std::io::Cursor::new(writer.finish()?);
    ///
    /// let codec = Codec::new(&Schema::parse("f64")?, Wire::Frame);
    /// assert_eq!(codec.indexed_reader(file)?.row(1)?, Some(Value::F64(2.0)));
    /// # Ok::<(), serow::Error>(())
    /// ```
    ///
    /// # Errors
    /// See [`IndexedReader::new`].
    pub fn indexed_reader<R: Read + Seek>(&self, inner: R) -> Result<IndexedReader<R>> {
        IndexedReader::of_kind(inner, self.values())
    }

    fn values(&self) -> Values {
        Values { expected: Some(self.expected.clone()) }
    }

    /// Encodes one row as a single record: the schema's fingerprint and the row's bytes in the row
    /// wire, without a schema and a checksum.
    ///
    /// ```
    /// use serow::{Codec, Schema, Value, Wire};
    ///
    /// let codec = Codec::new(&Schema::parse("(i64, str)")?, Wire::Row);
    /// let row = Value::Tuple(vec![Value::I64(7), "bolt".into()]);
    /// let record = codec.encode_one(&row)?;
    /// assert_eq!(record.len(), 8 + 6);
    /// assert_eq!(codec.decode_one(&record)?, row);
    /// # Ok::<(), serow::Error>(())
    /// ```
    ///
    /// # Errors
    /// An encode error that names the first value that does not fit the schema.
    pub fn encode_one(&self, row: &Value) -> Result<Vec<u8>> {
        let rows = ValueRows(std::slice::from_ref(row));
        let copied = |record: SingleRecord<'_>| record.to_vec();
        encode::encode_one(self.program(), &rows, self.agreement.has_fingerprint, copied)?
    }

    /// Like [`Codec::encode_one`], at the beginning of `buffer`. Returns the length of the record
    /// in bytes.
    ///
    /// ```
    /// use serow::{Codec, Schema, Value, Wire};
    ///
    /// let codec = Codec::new(&Schema::parse("i64")?, Wire::Row);
    /// let mut buffer = [0; 64];
    /// assert_eq!(codec.encode_one_into(&Value::I64(7), &mut buffer)?, 9);
    /// let error = codec.encode_one_into(&Value::I64(7), &mut buffer[..4]).unwrap_err();
    /// assert_eq!(error.needed(), Some(9));
    /// # Ok::<(), serow::Error>(())
    /// ```
    ///
    /// # Errors
    /// See [`Codec::encode_one`]. An error of kind `BufferTooSmall`, with the needed size, if the
    /// record does not fit. After an error `buffer` is unchanged.
    pub fn encode_one_into(&self, row: &Value, buffer: &mut [u8]) -> Result<usize> {
        let rows = ValueRows(std::slice::from_ref(row));
        encode::encode_one(self.program(), &rows, self.agreement.has_fingerprint, |record| {
            match buffer.get_mut(..record.len()) {
                Some(start) => record.copy_to(start),
                None => return Err(Error::too_small_for_record(record.len(), 0, buffer.len())),
            }
            Ok(record.len())
        })?
    }

    /// Decodes a single record. A record of another schema must have a schema of
    /// [`Codec::with_schemas`]. It is converted to the codec's schema, by the names of its fields.
    ///
    /// ```
    /// use serow::{Codec, ErrorKind, Schema, Value, Wire};
    ///
    /// let codec = Codec::new(&Schema::parse("i64")?, Wire::Row);
    /// let record = codec.encode_one(&Value::I64(7))?;
    /// assert_eq!(codec.decode_one(&record)?, Value::I64(7));
    /// assert_eq!(codec.decode_one(&record[..8]).unwrap_err().kind(), ErrorKind::Decode);
    /// # Ok::<(), serow::Error>(())
    /// ```
    ///
    /// # Errors
    /// A schema error if the record's schema is unknown or can't be converted. A decode error if
    /// the bytes are damaged or have a value that can't be converted.
    pub fn decode_one(&self, record: &[u8]) -> Result<Value> {
        let mut rows = ValueWriter::new();
        decode::decode_one(record, &self.expected, &self.agreement, None, &mut rows)?;
        let mut rows = rows.into_rows();
        rows.pop().ok_or_else(|| Error::decode("the record has no row"))
    }
}

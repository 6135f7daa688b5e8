//! A codec for rows of one schema.

use std::fmt;
use std::io::{Read, Seek, Write};
use std::marker::PhantomData;
use std::sync::Arc;

use serow_core::decode::ReaderSchema;
use serow_core::encode::{self, ManyRead};
use serow_core::plan::Defaults;
use serow_core::program::Program;
use serow_core::wire::single::{Agreement, SingleRecord};

use crate::rows::of_message;
#[cfg(feature = "serde")]
use crate::typed::Serde;
use crate::{
    Decode, Encode, Options, Own, Reader, RecordBuffer, Result, Row, Schema, SchemaSet, Value,
    View, Writer,
};

/// Encodes and decodes rows of one schema: [`Value`]s, rows of a type `T` that is a [`Row`] or, with the
/// feature `serde`, of a type that implements serde's traits. It is immutable, and several threads may use it at
/// once. Cloning is cheap.
///
/// A codec infers nothing when it encodes, so for `Value`s and by serde it takes less time than
/// [`dumps`](crate::dumps) and `serde::to_vec`. It writes single records too.
///
/// ```
/// use serow::{Codec, Wire, Schema, Value};
///
/// let codec = Codec::new(&Schema::parse("(i64, str?)")?, Wire::Row);
/// let rows = vec![Value::Tuple(vec![Value::I64(7), Value::Null])];
/// assert_eq!(codec.decode(&codec.encode(&rows)?)?, rows);
/// # Ok::<(), serow::Error>(())
/// ```
///
/// `By` says how rows of `T` are written and read: as a [`Row`], which a [`Value`] is too, or by serde.
pub struct Codec<T = Value, By = Own> {
    expected: ReaderSchema,
    options: Options,
    agreement: Agreement,
    /// Covariant: a codec of `Part<'static>` reads a `Part<'m>` too.
    rows: PhantomData<fn() -> (T, By)>,
}

impl Codec {
    /// Creates a codec for values of `schema`, with these options, which may be only a wire.
    ///
    /// ```
    /// use serow::{Codec, Compression, Options, Schema, Wire};
    ///
    /// let options = Options::from(Wire::Row).with_compression(Compression::ZSTD);
    /// let codec = Codec::new(&Schema::parse("str")?, options);
    /// assert!(codec.encode(&vec!["almond".into(); 1000])?.len() < 200);
    /// # Ok::<(), serow::Error>(())
    /// ```
    pub fn new(schema: &Schema, options: impl Into<Options>) -> Codec {
        Codec::with_schema(schema, options.into())
    }

    /// Creates a codec for rows of `T`, which says its schema. Rows of other schemas are converted to it, by
    /// the rules of evolution and the attributes of the derive.
    ///
    /// ```
    /// use serow::{Codec, Wire};
    ///
    /// #[derive(Debug, PartialEq, serow::Row)]
    /// struct Part {
    ///     key: i64,
    ///     name: Option<String>,
    /// }
    ///
    /// let codec = Codec::of::<Part>(Wire::Row)?;
    /// let parts = [Part { key: 7, name: None }];
    /// assert_eq!(codec.decode(&codec.encode(&parts)?)?, parts);
    /// # Ok::<(), serow::Error>(())
    /// ```
    ///
    /// # Errors
    /// A schema error if serow has no such schema, for example because it has too many fields.
    pub fn of<T: Row>(options: impl Into<Options>) -> Result<Codec<T>> {
        Ok(Codec::expecting((*crate::row::reader_schema::<T>()?).clone(), options.into()))
    }

    /// Creates a codec for rows of the serializable type `T`, which are written with this `schema`.
    ///
    /// ```
    /// use serow::{Codec, Schema, Wire};
    ///
    /// let schema = Schema::parse("(i64, str?)")?;
    /// let codec = Codec::typed::<(u8, Option<String>)>(&schema, Wire::Row);
    /// assert_eq!(codec.decode(&codec.encode(&[(7, None)])?)?, [(7, None)]);
    /// # Ok::<(), serow::Error>(())
    /// ```
    #[cfg(feature = "serde")]
    pub fn typed<T>(schema: &Schema, options: impl Into<Options>) -> Codec<T, Serde> {
        Codec::with_schema(schema, options.into())
    }

    /// Creates a codec with the schema of `sample`.
    ///
    /// ```
    /// use serow::{Codec, Value, Wire};
    ///
    /// let codec = Codec::infer(&[Value::I64(7), Value::Null], Wire::Row)?;
    /// assert_eq!(codec.schema().to_string(), "i64?");
    /// # Ok::<(), serow::Error>(())
    /// ```
    ///
    /// # Errors
    /// See [`infer`](crate::infer).
    pub fn infer(sample: &[Value], options: impl Into<Options>) -> Result<Codec> {
        Ok(Codec::with_schema(&crate::infer(sample)?, options.into()))
    }

    /// Creates a codec for rows of the serializable type `T`, with the schema of `sample`. Other rows fit it if
    /// the sample has each variant of each enum, an element of each list, and a value and a null of each `Option`.
    ///
    /// ```
    /// use serow::{Codec, Wire};
    ///
    /// let codec = Codec::infer_typed(&[Some(7), None], Wire::Row)?;
    /// assert_eq!(codec.schema().to_string(), "i32?");
    /// # Ok::<(), serow::Error>(())
    /// ```
    ///
    /// # Errors
    /// See [`serde::infer`](crate::serde::infer).
    #[cfg(feature = "serde")]
    pub fn infer_typed<T: ::serde::Serialize>(
        sample: &[T],
        options: impl Into<Options>,
    ) -> Result<Codec<T, Serde>> {
        Ok(Codec::with_schema(&crate::serde::infer(sample)?, options.into()))
    }

    /// Returns the codec with a default for a field of a record or a dict. Decoding uses `value` if
    /// the rows of a message lack the field. A step of the path is the name of a field, the index of
    /// a field without a name, `[]` for the elements of a sequence, or `key` or `value` in a map.
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
        let expected = self.expected.clone().with_defaults(defaults);
        Ok(Codec { expected, ..self })
    }
}

impl<T, By> Codec<T, By> {
    fn with_schema(schema: &Schema, options: Options) -> Codec<T, By> {
        let expected = ReaderSchema::new(Program::of(schema), Defaults::default());
        Codec::expecting(expected, options)
    }

    fn expecting(expected: ReaderSchema, options: Options) -> Codec<T, By> {
        Codec { expected, options, agreement: Agreement::default(), rows: PhantomData }
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
    pub fn without_fingerprint(mut self) -> Codec<T, By> {
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
    pub fn with_schemas(mut self, schemas: &SchemaSet) -> Codec<T, By> {
        self.agreement.schemas = schemas.clone();
        self
    }

    pub(crate) fn program(&self) -> &Arc<Program> {
        self.expected.program()
    }

    /// What rows of other schemas are converted to.
    fn expected<'m>(&self) -> Option<&ReaderSchema>
    where
        T: Decode<'m, By>,
    {
        <T as Decode<'m, By>>::IS_CONVERTED.then_some(&self.expected)
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
    /// An encode error that names the first value that does not fit the schema, or that the type's
    /// own `Serialize` refuses.
    pub fn encode(&self, rows: &[T]) -> Result<Vec<u8>>
    where
        T: Encode<By> + Sync,
    {
        let (format, maker) = (self.options.format(), ManyRead(self.options.threads));
        crate::written(|bytes| {
            encode::encode_with(
                self.program(),
                &<T as Encode<By>>::shared(rows),
                format,
                &maker,
                bytes,
            )
        })
    }

    /// Decodes the rows of a message. Rows of another schema are converted to the codec's schema, by the
    /// names of their fields; see `docs/evolution.md`. Types by serde take rows of any schema; see
    /// `serde::from_slice`.
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
    /// message is damaged or has a value that can't be converted, or that the type refuses.
    pub fn decode<'m>(&self, data: &'m [u8]) -> Result<Vec<T>>
    where
        T: Decode<'m, By> + Send,
    {
        of_message::<T, <T as Decode<'m, By>>::Sent>(data, self.expected(), self.options.threads)
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
    pub fn writer<W: Write>(&self, inner: W) -> Writer<W, T>
    where
        T: Encode<By> + Sync,
    {
        Writer::shared::<By>(inner, self.options, Some(self.program().clone()))
    }

    /// Creates a reader of a stream. Rows of another schema are read as by [`Codec::decode`].
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
    pub fn reader<R: Read>(&self, inner: R) -> Reader<R, T>
    where
        T: Decode<'static, By> + Send,
    {
        Reader::with_expected::<By>(inner, self.expected()).with_threads(self.options.threads)
    }

    /// Creates a reader of a file that reads any row at once. Rows of another schema are read as by
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
    /// assert_eq!(codec.view(file)?.row(1)?, Some(Value::F64(2.0)));
    /// # Ok::<(), serow::Error>(())
    /// ```
    ///
    /// # Errors
    /// See [`View::new`].
    pub fn view<R: Read + Seek>(&self, inner: R) -> Result<View<R, T>>
    where
        T: Decode<'static, By>,
    {
        View::with_expected::<By>(inner, self.expected())
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
    /// See [`Codec::encode`].
    pub fn encode_one(&self, row: &T) -> Result<Vec<u8>>
    where
        T: Encode<By>,
    {
        self.record_of(row, |record| record.to_vec())
    }

    /// Like [`Codec::encode_one`], at the beginning of a slice or at the end of a vector. Returns the length of the
    /// record in bytes.
    ///
    /// ```
    /// use serow::{Codec, Schema, Value, Wire};
    ///
    /// let codec = Codec::new(&Schema::parse("i64")?, Wire::Row);
    /// let mut buffer = [0; 64];
    /// assert_eq!(codec.encode_one_into(&Value::I64(7), &mut buffer)?, 9);
    /// let error = codec.encode_one_into(&Value::I64(7), &mut buffer[..4]).unwrap_err();
    /// assert_eq!(error.needed(), Some(9));
    ///
    /// let mut records = Vec::new();
    /// codec.encode_one_into(&Value::I64(7), &mut records)?;
    /// codec.encode_one_into(&Value::I64(8), &mut records)?;
    /// assert_eq!(records.len(), 2 * 9);
    /// # Ok::<(), serow::Error>(())
    /// ```
    ///
    /// # Errors
    /// See [`Codec::encode`]. An error of kind `BufferTooSmall`, with the needed size, if the record
    /// does not fit a slice. After an error `buffer` is unchanged.
    pub fn encode_one_into(
        &self,
        row: &T,
        buffer: &mut (impl RecordBuffer + ?Sized),
    ) -> Result<usize>
    where
        T: Encode<By>,
    {
        self.record_of(row, |record| buffer.put(record))
    }

    fn record_of<B>(&self, row: &T, take: impl FnOnce(SingleRecord<'_>) -> Result<B>) -> Result<B>
    where
        T: Encode<By>,
    {
        let rows = <T as Encode<By>>::rows(std::slice::from_ref(row));
        encode::encode_one(self.program(), &rows, self.agreement.has_fingerprint, take)?
    }

    /// Decodes a single record. A record of another schema must have a schema of
    /// [`Codec::with_schemas`]. It is read as rows by [`Codec::decode`].
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
    /// the bytes are damaged or have a value that can't be converted, or that the type refuses.
    #[inline]
    pub fn decode_one<'m>(&self, record: &'m [u8]) -> Result<T>
    where
        T: Decode<'m, By>,
    {
        T::decode_one(record, &self.expected, &self.agreement)
    }

    /// Like [`Codec::decode_one`], in the place of `row`, whose strings, lists and boxes are used again if its type
    /// is a [`Row`].
    ///
    /// ```
    /// use serow::{Codec, Wire};
    ///
    /// let codec = Codec::of::<Vec<String>>(Wire::Row)?;
    /// let record = codec.encode_one(&vec!["peru".into()])?;
    /// let mut row = vec![String::with_capacity(100)];
    /// codec.decode_one_into(&record, &mut row)?;
    /// assert_eq!((row[0].as_str(), row[0].capacity() >= 100), ("peru", true));
    /// # Ok::<(), serow::Error>(())
    /// ```
    ///
    /// # Errors
    /// See [`Codec::decode_one`]. After an error `row` may have parts of both rows.
    #[inline]
    pub fn decode_one_into<'m>(&self, record: &'m [u8], row: &mut T) -> Result<()>
    where
        T: Decode<'m, By>,
    {
        row.decode_one_over(record, &self.expected, &self.agreement)
    }
}

impl<T, By> Clone for Codec<T, By> {
    fn clone(&self) -> Codec<T, By> {
        let Codec { expected, options, agreement, rows } = self;
        let (expected, agreement) = (expected.clone(), agreement.clone());
        Codec { expected, options: *options, agreement, rows: *rows }
    }
}

impl<T, By> fmt::Debug for Codec<T, By> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("Codec");
        shown.field("schema", self.schema()).field("options", &self.options).finish_non_exhaustive()
    }
}

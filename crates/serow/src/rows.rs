//! What rows can be: [`Value`]s, types that say their schema, and types that implement serde's traits. What
//! differs between them is here, in `row` and in `typed`; codecs, options and streams are the same for all.

use std::sync::Arc;

use serow_core::compiled::RowSink;
use serow_core::decode::{
    ReaderSchema, decode, decode_by_many, decode_frame, decode_one, decode_one_as_written,
};
use serow_core::encode::Rows;
use serow_core::layout::value::{ValueRows, ValueWriter};
use serow_core::program::Program;
use serow_core::stream::OpenFrame;
use serow_core::wire::message::RawFrame;
use serow_core::wire::single::Agreement;

use crate::row::Own;
use crate::{Error, ErrorKind, Result, Threads, Value};

/// Rows that can be encoded: [`Value`]s, types with [`Row`](crate::Row) and, with the feature `serde`, each type that
/// implements `Serialize`.
///
/// `By` keeps the implementations by serde apart, which could overlap with the others.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be encoded",
    note = "rows are `serow::Value`s or of a type that derives `serow::Row`; types with serde's traits go through `serow::serde` and `serow::Codec::typed`"
)]
pub trait Encode<By>: Sized {
    /// The rows, as an encoder sees them.
    #[doc(hidden)]
    type Rows<'a>: Rows
    where
        Self: 'a;

    /// The same, if several threads may read them.
    #[doc(hidden)]
    type Shared<'a>: Rows + Sync
    where
        Self: 'a + Sync;

    #[doc(hidden)]
    fn rows(rows: &[Self]) -> Self::Rows<'_>;

    #[doc(hidden)]
    fn shared(rows: &[Self]) -> Self::Shared<'_>
    where
        Self: Sync;

    /// The program for the rows, if the type alone determines it.
    #[doc(hidden)]
    fn program() -> Result<Option<Arc<Program>>> {
        Ok(None)
    }
}

/// Rows that can be decoded: [`Value`]s, types with [`ReadRow`](crate::ReadRow) and, with the feature `serde`, each type
/// that implements `DeserializeOwned`.
///
/// `By` keeps the implementations by serde apart, which could overlap with the others.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be decoded",
    note = "rows are `serow::Value`s or of a type that derives `serow::Row`; types with serde's traits go through `serow::serde` and `serow::Codec::typed`"
)]
pub trait Decode<'m, By>: Sized {
    /// Whether rows of another schema are converted to the codec's. Otherwise the type itself decides
    /// what it accepts.
    #[doc(hidden)]
    const IS_CONVERTED: bool = true;

    /// What makes the rows.
    #[doc(hidden)]
    type Sink: Sink<'m, Self>;

    /// The same, if other threads may make them.
    #[doc(hidden)]
    type Sent: Sink<'m, Self> + Send
    where
        Self: Send;

    /// The schema of the rows, if the type alone determines it.
    #[doc(hidden)]
    fn expected() -> Result<Option<Arc<ReaderSchema>>> {
        Ok(None)
    }

    /// Decodes a single record for a codec of the schema `own`.
    #[doc(hidden)]
    fn decode_one(record: &'m [u8], own: &ReaderSchema, agreement: &Agreement) -> Result<Self> {
        one_by_sink(record, own, agreement)
    }

    /// Decodes a single record for a codec of the schema `own` in the place of `self`, whose memory it may use.
    #[doc(hidden)]
    fn decode_one_over(
        &mut self,
        record: &'m [u8],
        own: &ReaderSchema,
        agreement: &Agreement,
    ) -> Result<()> {
        *self = Self::decode_one(record, own, agreement)?;
        Ok(())
    }
}

/// Decodes a single record of any schema by the sink of rows.
pub fn one_by_sink<'m, T: Decode<'m, By>, By>(
    record: &'m [u8],
    own: &ReaderSchema,
    agreement: &Agreement,
) -> Result<T> {
    let (mut rows, result) = made_by(record, |row: &mut T::Sink| match T::IS_CONVERTED {
        true => decode_one(record, own, agreement, None, row),
        false => decode_one_as_written(record, own.program(), agreement, row),
    });
    result?;
    rows.pop().ok_or_else(|| Error::decode("the record has no row"))
}

/// Makes rows of the type `T`.
pub trait Sink<'m, T>: RowSink {
    /// Creates a sink. If `as_maps`, structs are always read as maps. Rows may borrow from the message.
    fn new(as_maps: bool, message: &'m [u8]) -> Self;

    /// Returns whether `T` has refused a row that it may accept if structs are read as maps.
    fn has_refused(&self) -> bool;

    fn into_rows(self) -> Vec<T>;
}

impl Encode<Own> for Value {
    type Rows<'a> = ValueRows<'a>;
    type Shared<'a> = ValueRows<'a>;

    fn rows(rows: &[Value]) -> ValueRows<'_> {
        ValueRows(rows)
    }

    fn shared(rows: &[Value]) -> ValueRows<'_> {
        ValueRows(rows)
    }
}

impl Decode<'_, Own> for Value {
    type Sink = ValueWriter;
    type Sent = ValueWriter;
}

impl Sink<'_, Value> for ValueWriter {
    fn new(_as_maps: bool, _message: &[u8]) -> ValueWriter {
        ValueWriter::new()
    }

    fn has_refused(&self) -> bool {
        false
    }

    fn into_rows(self) -> Vec<Value> {
        self.into_rows()
    }
}

/// Rows up to the first error, and that error.
pub type Decoded<T> = (Vec<T>, Result<()>);

/// Returns the rows that `read` puts into a sink. They may borrow from the message.
pub fn made_by<'m, T, S: Sink<'m, T>>(
    message: &'m [u8],
    mut read: impl FnMut(&mut S) -> Result<()>,
) -> Decoded<T> {
    with_map_fallback(|as_maps| {
        let mut sink = S::new(as_maps, message);
        let result = read(&mut sink);
        let has_refused = sink.has_refused();
        ((sink.into_rows(), result), has_refused)
    })
}

/// Reads rows by `read`, which also says whether their type has refused one. If so, reads all of them
/// again with structs as maps: types whose `Deserialize` is written by hand may accept nothing else.
fn with_map_fallback<T>(mut read: impl FnMut(bool) -> (Decoded<T>, bool)) -> Decoded<T> {
    match read(false) {
        ((_, Err(error)), true) if error.kind() == ErrorKind::Decode => read(true).0,
        (decoded, _) => decoded,
    }
}

/// Returns the rows of a frame.
pub fn of_frame<T, S: Sink<'static, T>>(
    frame: &RawFrame<'_>,
    expected: Option<&ReaderSchema>,
) -> Decoded<T> {
    made_by(&[], |sink: &mut S| decode_frame(frame, expected, &mut None, sink))
}

/// Returns a row of a frame, by its number there.
pub fn of_row<T, S: Sink<'static, T>>(
    frame: &mut OpenFrame,
    row: usize,
    expected: Option<&ReaderSchema>,
) -> Decoded<T> {
    made_by(&[], |sink: &mut S| frame.read(row, expected, &mut None, sink))
}

/// Returns the rows of a message.
pub fn of_message<'m, T, S: Sink<'m, T> + Send>(
    data: &'m [u8],
    expected: Option<&ReaderSchema>,
    threads: Threads,
) -> Result<Vec<T>> {
    let (rows, result) = match threads {
        Threads::ONE => made_by(data, |sink: &mut S| decode(data, expected, sink)),
        _ => with_map_fallback(|as_maps| {
            let (mut rows, mut has_refused) = (Vec::new(), false);
            let take = |sink: S| {
                has_refused |= sink.has_refused();
                let mut frame = sink.into_rows();
                rows.try_reserve(frame.len()).map_err(|_| Error::no_memory())?;
                rows.append(&mut frame);
                Ok(())
            };
            let result = decode_by_many(data, expected, threads, || S::new(as_maps, data), take);
            ((rows, result), has_refused)
        }),
    };
    result.map(|()| rows)
}

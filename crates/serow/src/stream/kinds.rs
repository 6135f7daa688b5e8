//! The kinds of rows that streams have: values, and those of a Rust type.

use std::sync::Arc;

use serow_core::decode::{Expected, decode_frame};
use serow_core::encode::ManyRead;
use serow_core::layout::value::{ValueRows, ValueWriter};
use serow_core::program::Program;
use serow_core::stream::{Ahead, Put, StreamEncoder};
use serow_core::threads::Threads;
use serow_core::wire::message::{PackedFrame, RawFrame};
use serow_core::{Error, Result};

use crate::Value;

/// Rows that can be written.
pub trait Encode {
    /// A row.
    type Row;

    /// Appends rows; see [`StreamEncoder::write`].
    fn encode(
        encoder: &mut StreamEncoder,
        rows: &[Self::Row],
        threads: Threads,
        done: &mut usize,
        put: Put<'_>,
    ) -> Result<()>;
}

/// The rows of a frame up to the first error, and that error.
pub type Decoded<R> = (Vec<R>, Result<()>);

/// Rows that can be read.
pub trait Decode {
    /// A row.
    type Row;

    /// What other threads make of a frame that is read ahead.
    type Made: Send;

    /// Returns the rows of a frame up to the first error, and that error.
    fn decode(&self, frame: &RawFrame<'_>) -> Decoded<Self::Row>;

    /// Reads the next frames ahead.
    fn read_ahead(
        &self,
        ahead: &mut Ahead<Self::Made, Error>,
        next: impl FnMut() -> Result<Option<PackedFrame<'static>>>,
    );

    /// Returns the rows of a frame that was read ahead, as [`Decode::decode`] does.
    fn rows(&self, made: Self::Made) -> Decoded<Self::Row>;

    /// The program of the expected schema.
    fn program(&self) -> Option<&Arc<Program>> {
        None
    }
}

/// Says that the rows of a [`Writer`](crate::Writer) or [`Reader`](crate::Reader) are [`Value`]s.
///
/// ```
/// use serow::{Reader, Value, Values};
///
/// fn sum(reader: Reader<&[u8], Values>) -> serow::Result<i64> {
///     let number = |row| match row { Value::I64(v) => v, _ => 0 };
///     reader.map(|row| row.map(number)).sum()
/// }
///
/// let bytes = serow::dumps(&[Value::I64(3), Value::I64(4)])?;
/// assert_eq!(sum(Reader::new(&bytes[..]))?, 7);
/// # Ok::<(), serow::Error>(())
/// ```
#[derive(Debug, Default)]
pub struct Values {
    /// The schema to which rows are converted.
    pub(crate) expected: Option<Expected>,
}

impl Encode for Values {
    type Row = Value;

    fn encode(
        encoder: &mut StreamEncoder,
        rows: &[Value],
        threads: Threads,
        done: &mut usize,
        put: Put<'_>,
    ) -> Result<()> {
        encoder.write(&ValueRows(rows), &ManyRead(threads), done, put)
    }
}

impl Decode for Values {
    type Row = Value;

    /// The threads make the rows.
    type Made = Decoded<Value>;

    fn decode(&self, frame: &RawFrame<'_>) -> Decoded<Value> {
        let mut rows = ValueWriter::new();
        let result = decode_frame(frame, self.expected.as_ref(), &mut None, &mut rows);
        (rows.into_rows(), result)
    }

    fn read_ahead(
        &self,
        ahead: &mut Ahead<Decoded<Value>, Error>,
        next: impl FnMut() -> Result<Option<PackedFrame<'static>>>,
    ) {
        ahead.decode(next, |frame| match frame.unpack() {
            Ok(frame) => self.decode(&frame),
            Err(error) => (Vec::new(), Err(error)),
        });
    }

    fn rows(&self, made: Decoded<Value>) -> Decoded<Value> {
        made
    }

    fn program(&self) -> Option<&Arc<Program>> {
        self.expected.as_ref().map(Expected::program)
    }
}

#[cfg(feature = "serde")]
pub use typed::Typed;

#[cfg(feature = "serde")]
mod typed {
    use std::fmt;
    use std::marker::PhantomData;

    use serde::de::DeserializeOwned;
    use serde::ser::Serialize;
    use serow_core::decode::decode_frame;
    use serow_core::encode::ManyPack;

    use super::{
        Ahead, Decode, Decoded, Encode, Error, PackedFrame, Put, RawFrame, Result, StreamEncoder,
        Threads,
    };
    use crate::typed::{TypedRows, with_map_fallback};

    /// Says that the rows of a [`Writer`](crate::Writer) or [`Reader`](crate::Reader) are of the Rust
    /// type `T`, which implements serde's traits.
    ///
    /// ```
    /// use serow::{Reader, Typed};
    ///
    /// fn longest(reader: Reader<&[u8], Typed<String>>) -> serow::Result<usize> {
    ///     reader.map(|row| Ok(row?.len())).try_fold(0, |most, len| Ok(most.max(len?)))
    /// }
    ///
    /// let bytes = serow::to_vec(&["peru", "almond"])?;
    /// assert_eq!(longest(Reader::typed(&bytes[..]))?, 6);
    /// # Ok::<(), serow::Error>(())
    /// ```
    pub struct Typed<T>(PhantomData<fn(T) -> T>);

    impl<T> Default for Typed<T> {
        fn default() -> Typed<T> {
            Typed(PhantomData)
        }
    }

    impl<T> fmt::Debug for Typed<T> {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("Typed")
        }
    }

    impl<T: Serialize> Encode for Typed<T> {
        type Row = T;

        fn encode(
            encoder: &mut StreamEncoder,
            rows: &[T],
            threads: Threads,
            done: &mut usize,
            put: Put<'_>,
        ) -> Result<()> {
            encoder.write(&TypedRows::new(rows), &ManyPack(threads), done, put)
        }
    }

    impl<T: DeserializeOwned> Decode for Typed<T> {
        type Row = T;

        /// The threads decompress. A `T` may belong to the thread that makes it.
        type Made = Result<RawFrame<'static>>;

        fn decode(&self, frame: &RawFrame<'_>) -> Decoded<T> {
            with_map_fallback(|rows| decode_frame(frame, None, &mut None, rows))
        }

        fn read_ahead(
            &self,
            ahead: &mut Ahead<Self::Made, Error>,
            next: impl FnMut() -> Result<Option<PackedFrame<'static>>>,
        ) {
            ahead.unpack(next);
        }

        fn rows(&self, made: Self::Made) -> Decoded<T> {
            match made {
                Ok(frame) => self.decode(&frame),
                Err(error) => (Vec::new(), Err(error)),
            }
        }
    }
}

//! Rows of types that know their schema: [`Row`], which `#[derive(serow::Row)]` implements.
//!
//! A type says its schema, where its columns are ([`Place`]), and how its values go to a sink ([`Writing`]) and
//! come from a source ([`Reading`]), in the order of the instructions of its plan. So nothing is
//! interpreted: the compiler makes one function of a type and a layout. `rows` makes a source and a sink of core
//! of it, for every wire. Rows of another schema are converted by a plan to the columns of the type's, from
//! which it reads them.

mod failure;
mod kept;
mod place;
mod reading;
mod rows;
mod types;
mod version;
mod writing;

use std::borrow::Cow;

use serow_core::layout::{OpResult, Sink, Source};
use serow_core::schema::{Container, Type};

pub use kept::reader_schema;
pub use place::Place;
pub use reading::Reading;
pub use rows::{Own, RowsOf};
pub use serow_core::layout::OpResult as Written;
pub use serow_core::layout::{Sink as RowSink, Source as RowSource};
pub use serow_core::schema::Type as RowType;
pub use version::{Versions, record, tuple, variants};
pub use writing::Writing;

/// The name of the only field in the record of a variant whose fields have no names.
pub const CONTENTS: &str = "0";

/// A type whose values are rows, or parts of rows, with a schema that the type itself determines.
///
/// `#[derive(serow::Row)]` implements it for structs and enums, serow for the types of the standard library.
/// Values are written by this trait, and read by [`ReadRow`], which the derive implements too.
///
/// ```
/// #[derive(Debug, PartialEq, serow::Row)]
/// struct Part {
///     key: u32,
///     name: String,
///     #[row(default)]
///     size: Option<f64>,
/// }
///
/// assert_eq!(serow::schema_of::<Part>()?.to_string(), "Part{key: u32, name: str, size: f64?}");
/// let codec = serow::Codec::of::<Part>(serow::Wire::Row)?;
/// let part = Part { key: 1, name: "peru".into(), size: None };
/// assert_eq!(codec.decode_one(&codec.encode_one(&part)?)?, part);
/// # Ok::<(), serow::Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no `serow::Row`",
    note = "derive it: `#[derive(serow::Row)]`; types that implement only serde's traits go through `serow::Codec::typed`"
)]
pub trait Row {
    /// The columns of a value.
    #[doc(hidden)]
    const COLUMNS: Place;
    /// Whether the type of a value includes null. Then an option of it is a tuple of it, or null.
    #[doc(hidden)]
    const IS_NULLABLE: bool = false;
    /// Whether a value may be the key of a map in every language.
    #[doc(hidden)]
    const IS_HASHABLE: bool = true;
    /// Whether a list of values is a value of type `bytes`.
    #[doc(hidden)]
    const IS_BYTE: bool = false;

    /// The type of a value.
    #[doc(hidden)]
    fn ty() -> Type;

    /// Tells the former names and the defaults in the type.
    #[doc(hidden)]
    fn versions(_of: &mut Versions) {}

    /// Writes the value, whose columns are at this place.
    #[doc(hidden)]
    fn write<K: Sink>(&self, to: &mut Writing<'_, K>, at: Place) -> OpResult;

    /// Writes the elements of a sequence.
    #[doc(hidden)]
    #[inline]
    fn write_elements<K: Sink>(items: &[Self], to: &mut Writing<'_, K>, at: Place) -> OpResult
    where
        Self: Sized,
    {
        to.items(items.iter(), at)
    }

    /// Writes a list.
    #[doc(hidden)]
    #[inline]
    fn write_list<K: Sink>(items: &[Self], to: &mut Writing<'_, K>, at: Place) -> OpResult
    where
        Self: Sized,
    {
        to.slice(Container::List, at, items)
    }
}

/// A [`Row`] that can be read from bytes with the lifetime `'m`. `#[derive(serow::Row)]` implements it.
///
/// Types that own what they have are read from bytes of any lifetime, so also from `'static` ones, which is the bound
/// where rows outlive the bytes, as those of a [`Reader`](crate::Reader) do. A `&'m str`, a `&'m [u8]` and a
/// `Cow` borrow from a single record of the type's schema, or from a message that has the text as it is: in the row wire,
/// without a compression, of the type's schema. Of anything else a `Cow` owns its text, and the others are an error.
///
/// ```
/// use std::borrow::Cow;
///
/// #[derive(Debug, PartialEq, serow::Row)]
/// struct Part<'a> {
///     name: &'a str,
///     note: Option<Cow<'a, str>>,
/// }
///
/// let codec = serow::Codec::of::<Part>(serow::Wire::Row)?;
/// let record = codec.encode_one(&Part { name: "peru", note: None })?;
/// let part = codec.decode_one(&record)?;
/// assert!(record.as_ptr_range().contains(&part.name.as_ptr()));
/// # Ok::<(), serow::Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't be read as a row",
    note = "`#[derive(serow::Row)]` implements it if it is implemented for the fields"
)]
pub trait ReadRow<'m>: Row + Sized {
    /// Reads a value, whose columns are at this place.
    #[doc(hidden)]
    fn read<S: Source>(from: &mut Reading<'_, 'm, S>, at: Place) -> OpResult<Self>;

    /// Reads a value in the place of this one, whose memory it may use.
    #[doc(hidden)]
    #[inline]
    fn read_over<S: Source>(&mut self, from: &mut Reading<'_, 'm, S>, at: Place) -> OpResult {
        *self = Self::read(from, at)?;
        Ok(())
    }

    /// Reads `len` elements of a sequence to the end of `items`, which is empty.
    #[doc(hidden)]
    #[inline]
    fn read_elements<S: Source>(
        from: &mut Reading<'_, 'm, S>,
        at: Place,
        len: usize,
        items: &mut Vec<Self>,
    ) -> OpResult {
        from.append(at, len, items)
    }

    /// Reads a list in the place of `items`.
    #[doc(hidden)]
    #[inline]
    fn read_list<S: Source>(
        from: &mut Reading<'_, 'm, S>,
        at: Place,
        items: &mut Vec<Self>,
    ) -> OpResult {
        from.sequence_over(Container::List, at, items)
    }

    /// Reads an array.
    #[doc(hidden)]
    #[inline]
    fn read_array<S: Source, const N: usize>(
        from: &mut Reading<'_, 'm, S>,
        at: Place,
    ) -> OpResult<[Self; N]> {
        types::read_array(from, at)
    }

    /// Reads a list, from the bytes if they have it as it is in memory.
    #[doc(hidden)]
    #[inline]
    fn read_slice<'a, S: Source>(
        from: &mut Reading<'_, 'm, S>,
        at: Place,
    ) -> OpResult<Cow<'a, [Self]>>
    where
        'm: 'a,
        Self: Clone + 'a,
    {
        let mut items = Vec::new();
        Self::read_list(from, at, &mut items)?;
        Ok(Cow::Owned(items))
    }
}

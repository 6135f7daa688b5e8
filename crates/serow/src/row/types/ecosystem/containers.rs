//! Strings, bytes, lists and maps of other crates, and floats with an order.

use serow_core::layout::{OpResult, Sink, Source};
use serow_core::schema::Type;

use crate::row::{Place, ReadRow, Reading, Row, Versions, Writing};

/// Implements the traits for types that are written as a type that they give, and are made of one that is read.
macro_rules! as_another {
    ($([$($parameters:tt)*] $ty:ty as $as:ty, $read:ty, |$v:ident| $given:expr, |$made:ident, $from:ident| $of:expr;)*) => {$(
        impl<$($parameters)*> Row for $ty
        where
            $as: Row,
        {
            const COLUMNS: Place = <$as as Row>::COLUMNS;
            const IS_HASHABLE: bool = <$as as Row>::IS_HASHABLE;

            fn ty() -> Type {
                <$as as Row>::ty()
            }

            fn versions(of: &mut Versions) {
                <$as as Row>::versions(of);
            }

            #[inline]
            fn write<K: Sink>(&self, to: &mut Writing<'_, K>, at: Place) -> OpResult {
                let $v = self;
                <$as as Row>::write($given, to, at)
            }
        }

        impl<'m, $($parameters)*> ReadRow<'m> for $ty
        where
            $as: Row,
            $read: ReadRow<'m>,
        {
            #[inline]
            fn read<S: Source>($from: &mut Reading<'_, 'm, S>, at: Place) -> OpResult<Self> {
                let $made = <$read>::read($from, at)?;
                $of
            }
        }
    )*};
}

#[cfg(feature = "bytes")]
as_another! {
    [] bytes::Bytes as [u8], Vec<u8>, |v| v, |made, from| Ok(made.into());
    [] bytes::BytesMut as [u8], Vec<u8>, |v| v, |made, from| Ok(made.as_slice().into());
}

#[cfg(feature = "compact_str")]
as_another! {
    [] compact_str::CompactString as str, std::borrow::Cow<'m, str>, |v| v, |made, from| Ok(made.into());
}

#[cfg(feature = "smallvec")]
as_another! {
    [A: smallvec::Array] smallvec::SmallVec<A> as [A::Item], Vec<A::Item>, |v| v, |made, from| Ok(made.into());
}

#[cfg(feature = "arrayvec")]
as_another! {
    [T, const N: usize] arrayvec::ArrayVec<T, N> as [T], Vec<T>, |v| v, |made, from| {
        match made.len() <= N {
            true => Ok(made.into_iter().collect()),
            false => {
                let why = format!("{} elements do not fit an ArrayVec of {N}", made.len());
                Err(from.refused::<Vec<T>>(why))
            }
        }
    };
    [const N: usize] arrayvec::ArrayString<N> as str, std::borrow::Cow<'m, str>, |v| v, |made, from| {
        arrayvec::ArrayString::from(&made).map_err(|_| {
            let why = format!("{} bytes do not fit an ArrayString of {N}", made.len());
            from.refused::<String>(why)
        })
    };
}

#[cfg(feature = "ordered-float")]
as_another! {
    [T] ordered_float::OrderedFloat<T> as T, T, |v| &v.0, |made, from| Ok(ordered_float::OrderedFloat(made));
    [T: ordered_float::FloatCore] ordered_float::NotNan<T> as T, T, |v| v, |made, from| {
        ordered_float::NotNan::new(made).map_err(|_| from.refused::<T>("NaN is no NotNan"))
    };
}

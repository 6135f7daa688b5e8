//! Null, and values that may be null.

use std::marker::PhantomData;

use serow_core::layout::{OpResult, Sink, Source};
use serow_core::schema::Type;

use super::super::{Place, ReadRow, Reading, Row, Versions, Writing, tuple};

/// Types with a single value, which is null.
macro_rules! nulls {
    ($($ty:ty $(, $parameter:ident)?: $value:expr;)*) => {$(
        impl$(<$parameter: ?Sized>)? Row for $ty {
            const COLUMNS: Place = Place::NONE;
            const IS_NULLABLE: bool = true;

            fn ty() -> Type {
                Type::Null
            }

            #[cfg_attr(not(debug_assertions), inline(always))]
            fn write<K: Sink>(&self, to: &mut Writing<'_, K>, _at: Place) -> OpResult {
                to.null()
            }
        }

        impl<'m $(, $parameter: ?Sized)?> ReadRow<'m> for $ty {
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn read<S: Source>(from: &mut Reading<'_, 'm, S>, _at: Place) -> OpResult<$ty> {
                from.null().map(|()| $value)
            }
        }
    )*};
}

nulls! {
    (): ();
    PhantomData<T>, T: PhantomData;
}

impl<T: Row> Row for Option<T> {
    const COLUMNS: Place = Place::BIT.and(T::COLUMNS);
    const IS_NULLABLE: bool = true;
    const IS_HASHABLE: bool = T::IS_HASHABLE;

    fn ty() -> Type {
        Type::optional(if T::IS_NULLABLE { tuple(vec![T::ty()]) } else { T::ty() })
    }

    fn versions(of: &mut Versions) {
        T::versions(of);
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn write<K: Sink>(&self, to: &mut Writing<'_, K>, at: Place) -> OpResult {
        to.present(at, self.is_some())?;
        let (Some(inner), at) = (self, at.and(Place::BIT)) else { return Ok(()) };
        if !T::IS_NULLABLE {
            return inner.write(to, at);
        }
        to.enter_tuple(1)?;
        to.item(0, inner, at)?;
        to.leave()
    }
}

impl<'m, T: ReadRow<'m>> ReadRow<'m> for Option<T> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn read<S: Source>(from: &mut Reading<'_, 'm, S>, at: Place) -> OpResult<Option<T>> {
        if !from.present(at)? {
            return Ok(None);
        }
        let at = at.and(Place::BIT);
        if !T::IS_NULLABLE {
            return T::read(from, at).map(Some);
        }
        from.enter_tuple(1)?;
        let inner = from.item(0, at)?;
        from.leave();
        Ok(Some(inner))
    }

    #[inline]
    fn read_over<S: Source>(&mut self, from: &mut Reading<'_, 'm, S>, at: Place) -> OpResult {
        match self {
            Some(inner) if !T::IS_NULLABLE => match from.present(at)? {
                true => inner.read_over(from, at.and(Place::BIT))?,
                false => *self = None,
            },
            _ => *self = Option::read(from, at)?,
        }
        Ok(())
    }
}

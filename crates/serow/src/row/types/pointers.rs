//! Types that are written as the value in them.

use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::cmp::Reverse;
use std::num::{Saturating, Wrapping};
use std::rc::Rc;
use std::sync::Arc;

use serow_core::layout::{OpResult, Sink, Source};
use serow_core::schema::Type;

use super::super::{Place, ReadRow, Reading, Row, Versions, Writing};

/// What such a type and the type of the value have in common.
macro_rules! as_inner {
    ($inner:ty) => {
        const COLUMNS: Place = <$inner>::COLUMNS;
        const IS_NULLABLE: bool = <$inner>::IS_NULLABLE;
        const IS_HASHABLE: bool = <$inner>::IS_HASHABLE;

        fn ty() -> Type {
            <$inner>::ty()
        }

        fn versions(of: &mut Versions) {
            <$inner>::versions(of);
        }
    };
}

macro_rules! pointers {
    ($($ty:ty),*) => {$(
        impl<T: Row + ?Sized> Row for $ty {
            as_inner!(T);

            #[cfg_attr(not(debug_assertions), inline(always))]
            fn write<K: Sink>(&self, to: &mut Writing<'_, K>, at: Place) -> OpResult {
                (**self).write(to, at)
            }
        }
    )*};
}

pointers!(&T, &mut T, Box<T>, Rc<T>, Arc<T>);

macro_rules! owners {
    ($($pointer:ident { $($read_over:tt)* })*) => {$(
        impl<'m, T: ReadRow<'m>> ReadRow<'m> for $pointer<T> {
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn read<S: Source>(from: &mut Reading<'_, 'm, S>, at: Place) -> OpResult<$pointer<T>> {
                T::read(from, at).map($pointer::new)
            }

            $($read_over)*
        }

        impl<'m, T: ReadRow<'m>> ReadRow<'m> for $pointer<[T]> {
            #[inline]
            fn read<S: Source>(from: &mut Reading<'_, 'm, S>, at: Place) -> OpResult<$pointer<[T]>> {
                Vec::<T>::read(from, at).map($pointer::from)
            }
        }

        impl<'m> ReadRow<'m> for $pointer<str> {
            #[inline]
            fn read<S: Source>(from: &mut Reading<'_, 'm, S>, at: Place) -> OpResult<$pointer<str>> {
                from.str(at).map($pointer::from)
            }
        }
    )*};
}

owners! {
    Box {
        #[inline]
        fn read_over<S: Source>(&mut self, from: &mut Reading<'_, 'm, S>, at: Place) -> OpResult {
            (**self).read_over(from, at)
        }
    }
    Rc {}
    Arc {}
}

impl<T: Row + ToOwned + ?Sized> Row for Cow<'_, T> {
    as_inner!(T);

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn write<K: Sink>(&self, to: &mut Writing<'_, K>, at: Place) -> OpResult {
        (**self).write(to, at)
    }
}

/// What a [`Cow`] that is read may hold.
pub trait ReadCow<'m>: Row + ToOwned {
    /// Reads it, from the message if that has it as it is in memory.
    #[doc(hidden)]
    fn read_cow<'a, S: Source>(from: &mut Reading<'_, 'm, S>, at: Place) -> OpResult<Cow<'a, Self>>
    where
        'm: 'a,
        Self: 'a;
}

impl<'m> ReadCow<'m> for str {
    #[inline]
    fn read_cow<'a, S: Source>(from: &mut Reading<'_, 'm, S>, at: Place) -> OpResult<Cow<'a, str>>
    where
        'm: 'a,
    {
        from.text(at)
    }
}

impl<'m, T: ReadRow<'m> + Clone> ReadCow<'m> for [T] {
    #[inline]
    fn read_cow<'a, S: Source>(from: &mut Reading<'_, 'm, S>, at: Place) -> OpResult<Cow<'a, [T]>>
    where
        'm: 'a,
        T: 'a,
    {
        T::read_slice(from, at)
    }
}

impl<'m, T: ReadRow<'m> + Clone> ReadCow<'m> for T {
    #[inline]
    fn read_cow<'a, S: Source>(from: &mut Reading<'_, 'm, S>, at: Place) -> OpResult<Cow<'a, T>>
    where
        'm: 'a,
        T: 'a,
    {
        T::read(from, at).map(Cow::Owned)
    }
}

impl<'a, 'm: 'a, T: ReadCow<'m> + ?Sized> ReadRow<'m> for Cow<'a, T> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn read<S: Source>(from: &mut Reading<'_, 'm, S>, at: Place) -> OpResult<Self> {
        T::read_cow(from, at)
    }
}

macro_rules! wrappers {
    ($($wrapper:ident),*) => {$(
        impl<T: Row> Row for $wrapper<T> {
            as_inner!(T);

            #[cfg_attr(not(debug_assertions), inline(always))]
            fn write<K: Sink>(&self, to: &mut Writing<'_, K>, at: Place) -> OpResult {
                self.0.write(to, at)
            }
        }

        impl<'m, T: ReadRow<'m>> ReadRow<'m> for $wrapper<T> {
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn read<S: Source>(from: &mut Reading<'_, 'm, S>, at: Place) -> OpResult<Self> {
                T::read(from, at).map($wrapper)
            }
        }
    )*};
}

wrappers!(Reverse, Saturating, Wrapping);

impl<T: Row + Copy> Row for Cell<T> {
    as_inner!(T);

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn write<K: Sink>(&self, to: &mut Writing<'_, K>, at: Place) -> OpResult {
        self.get().write(to, at)
    }
}

impl<'m, T: ReadRow<'m> + Copy> ReadRow<'m> for Cell<T> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn read<S: Source>(from: &mut Reading<'_, 'm, S>, at: Place) -> OpResult<Cell<T>> {
        T::read(from, at).map(Cell::new)
    }
}

impl<T: Row> Row for RefCell<T> {
    as_inner!(T);

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn write<K: Sink>(&self, to: &mut Writing<'_, K>, at: Place) -> OpResult {
        match self.try_borrow() {
            Ok(inner) => inner.write(to, at),
            Err(_) => Err(to.refused::<T>("the value of a RefCell is borrowed mutably")),
        }
    }
}

impl<'m, T: ReadRow<'m>> ReadRow<'m> for RefCell<T> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn read<S: Source>(from: &mut Reading<'_, 'm, S>, at: Place) -> OpResult<RefCell<T>> {
        T::read(from, at).map(RefCell::new)
    }
}

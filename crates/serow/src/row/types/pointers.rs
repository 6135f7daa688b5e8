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
    ($($pointer:ident),*) => {$(
        impl<T: ReadRow> ReadRow for $pointer<T> {
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn read<S: Source>(from: &mut Reading<'_, S>, at: Place) -> OpResult<$pointer<T>> {
                T::read(from, at).map($pointer::new)
            }
        }

        impl<T: ReadRow> ReadRow for $pointer<[T]> {
            #[inline]
            fn read<S: Source>(from: &mut Reading<'_, S>, at: Place) -> OpResult<$pointer<[T]>> {
                Vec::<T>::read(from, at).map($pointer::from)
            }
        }

        impl ReadRow for $pointer<str> {
            #[inline]
            fn read<S: Source>(from: &mut Reading<'_, S>, at: Place) -> OpResult<$pointer<str>> {
                from.str(at).map($pointer::from)
            }
        }
    )*};
}

owners!(Box, Rc, Arc);

impl<T: Row + ToOwned + ?Sized> Row for Cow<'_, T> {
    as_inner!(T);

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn write<K: Sink>(&self, to: &mut Writing<'_, K>, at: Place) -> OpResult {
        (**self).write(to, at)
    }
}

impl<T: Row + ToOwned<Owned: ReadRow> + ?Sized> ReadRow for Cow<'_, T> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn read<S: Source>(from: &mut Reading<'_, S>, at: Place) -> OpResult<Self> {
        T::Owned::read(from, at).map(Cow::Owned)
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

        impl<T: ReadRow> ReadRow for $wrapper<T> {
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn read<S: Source>(from: &mut Reading<'_, S>, at: Place) -> OpResult<Self> {
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

impl<T: ReadRow + Copy> ReadRow for Cell<T> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn read<S: Source>(from: &mut Reading<'_, S>, at: Place) -> OpResult<Cell<T>> {
        T::read(from, at).map(Cell::new)
    }
}

impl<T: Row> Row for RefCell<T> {
    as_inner!(T);

    /// # Panics
    /// If the value is borrowed mutably.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn write<K: Sink>(&self, to: &mut Writing<'_, K>, at: Place) -> OpResult {
        self.borrow().write(to, at)
    }
}

impl<T: ReadRow> ReadRow for RefCell<T> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn read<S: Source>(from: &mut Reading<'_, S>, at: Place) -> OpResult<RefCell<T>> {
        T::read(from, at).map(RefCell::new)
    }
}

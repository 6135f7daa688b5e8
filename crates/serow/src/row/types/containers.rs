//! Lists and sets. A set is a list without an order.

use std::collections::{BTreeSet, BinaryHeap, HashSet, LinkedList, VecDeque};
use std::hash::{BuildHasher, Hash};

use serow_core::layout::{OpResult, Sink, Source, TWICE_IN_SET};
use serow_core::schema::{Container, Logical, Type};

use super::super::{Place, ReadRow, Reading, Row, Versions, Writing};

/// The columns of bytes.
pub const BYTES: Place = Place::components(Logical::Bytes.counts());

/// What all lists of `T` have in common. Some are bytes.
macro_rules! list_of {
    ($ty:ident, $is_bytes:expr) => {
        const COLUMNS: Place = if $is_bytes { BYTES } else { Place::INT.and($ty::COLUMNS) };
        const IS_HASHABLE: bool = $is_bytes;

        fn ty() -> Type {
            match $is_bytes {
                true => Type::Logical(Logical::Bytes),
                false => Type::Sequence(Container::List, Box::new($ty::ty())),
            }
        }

        fn versions(of: &mut Versions) {
            $ty::versions(of);
        }
    };
}

impl<T: Row> Row for [T] {
    list_of!(T, T::IS_BYTE);

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn write<K: Sink>(&self, to: &mut Writing<'_, K>, at: Place) -> OpResult {
        T::write_list(self, to, at)
    }
}

impl<T: Row> Row for Vec<T> {
    list_of!(T, T::IS_BYTE);

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn write<K: Sink>(&self, to: &mut Writing<'_, K>, at: Place) -> OpResult {
        T::write_list(self, to, at)
    }
}

impl<'m, T: ReadRow<'m>> ReadRow<'m> for Vec<T> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn read<S: Source>(from: &mut Reading<'_, 'm, S>, at: Place) -> OpResult<Vec<T>> {
        let mut items = Vec::new();
        T::read_list(from, at, &mut items)?;
        Ok(items)
    }

    #[inline]
    fn read_over<S: Source>(&mut self, from: &mut Reading<'_, 'm, S>, at: Place) -> OpResult {
        T::read_list(from, at, self)
    }
}

macro_rules! lists {
    ($($ty:ty $(where $bound:path)? $(, $hasher:ident)?;)*) => {$(
        impl<T: Row $(+ $bound)? $(, $hasher)?> Row for $ty {
            list_of!(T, false);

            #[inline]
            fn write<K: Sink>(&self, to: &mut Writing<'_, K>, at: Place) -> OpResult {
                to.each(at, self.iter())
            }
        }
    )*};
}

lists! {
    VecDeque<T>;
    LinkedList<T>;
    BinaryHeap<T>;
    BTreeSet<T>;
    HashSet<T, H>, H;
}

#[cfg(feature = "indexmap")]
lists! {
    indexmap::IndexSet<T, H>, H;
}

macro_rules! from_vec {
    ($($ty:ident $(: $bound:path)?),*) => {$(
        impl<'m, T: ReadRow<'m> $(+ $bound)?> ReadRow<'m> for $ty<T> {
            #[inline]
            fn read<S: Source>(from: &mut Reading<'_, 'm, S>, at: Place) -> OpResult<$ty<T>> {
                from.list(at).map($ty::from_iter)
            }
        }
    )*};
}

from_vec!(VecDeque, LinkedList, BinaryHeap: Ord);

/// Sets, whose elements come once.
macro_rules! sets {
    ($([$($parameters:tt)*] $ty:ty;)*) => {$(
        impl<'m, $($parameters)*> ReadRow<'m> for $ty {
            #[inline]
            fn read<S: Source>(from: &mut Reading<'_, 'm, S>, at: Place) -> OpResult<Self> {
                let items: Vec<T> = from.list(at)?;
                let len = items.len();
                let made = Self::from_iter(items);
                if made.len() == len { Ok(made) } else { Err(TWICE_IN_SET) }
            }
        }
    )*};
}

sets! {
    [T: ReadRow<'m> + Ord] BTreeSet<T>;
    [T: ReadRow<'m> + Eq + Hash, H: BuildHasher + Default] HashSet<T, H>;
}
#[cfg(feature = "indexmap")]
sets! {
    [T: ReadRow<'m> + Eq + Hash, H: BuildHasher + Default] indexmap::IndexSet<T, H>;
}

//! Lists and sets. A set is a list without an order.

use std::collections::{BTreeSet, BinaryHeap, HashSet, LinkedList, VecDeque};
use std::hash::{BuildHasher, Hash};

use serow_core::layout::{OpResult, Sink, Source};
use serow_core::schema::{Container, Type};

use super::super::{Place, ReadRow, Reading, Row, Versions, Writing};

/// What all lists of `T` have in common.
macro_rules! list_of {
    ($ty:ident) => {
        const COLUMNS: Place = Place::INT.and($ty::COLUMNS);
        const IS_NULLABLE: bool = false;
        const IS_HASHABLE: bool = false;

        fn ty() -> Type {
            Type::Sequence(Container::List, Box::new($ty::ty()))
        }

        fn versions(of: &mut Versions) {
            $ty::versions(of);
        }
    };
}

impl<T: Row> Row for [T] {
    list_of!(T);

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn write<K: Sink>(&self, to: &mut Writing<'_, K>, at: Place) -> OpResult {
        to.slice(Container::List, at, self)
    }
}

impl<T: Row> Row for Vec<T> {
    list_of!(T);

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn write<K: Sink>(&self, to: &mut Writing<'_, K>, at: Place) -> OpResult {
        to.slice(Container::List, at, self)
    }
}

impl<T: ReadRow> ReadRow for Vec<T> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn read<S: Source>(from: &mut Reading<'_, S>, at: Place) -> OpResult<Vec<T>> {
        from.vec(Container::List, at)
    }
}

macro_rules! lists {
    ($($ty:ty $(where $bound:path)? $(, $hasher:ident)?;)*) => {$(
        impl<T: Row $(+ $bound)? $(, $hasher)?> Row for $ty {
            list_of!(T);

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

macro_rules! from_vec {
    ($($ty:ident $(: $bound:path)?),*) => {$(
        impl<T: ReadRow $(+ $bound)?> ReadRow for $ty<T> {
            #[inline]
            fn read<S: Source>(from: &mut Reading<'_, S>, at: Place) -> OpResult<$ty<T>> {
                Vec::read(from, at).map($ty::from_iter)
            }
        }
    )*};
}

from_vec!(VecDeque, LinkedList, BinaryHeap: Ord, BTreeSet: Ord);

impl<T: ReadRow + Eq + Hash, H: BuildHasher + Default> ReadRow for HashSet<T, H> {
    #[inline]
    fn read<S: Source>(from: &mut Reading<'_, S>, at: Place) -> OpResult<HashSet<T, H>> {
        Vec::read(from, at).map(HashSet::from_iter)
    }
}

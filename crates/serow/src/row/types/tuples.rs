//! Tuples and arrays.

use serow_core::layout::{OpResult, Sink, Source};
use serow_core::limits::MAX_INFERRED_FIELDS;
use serow_core::schema::{Container, Type};

use super::super::{Place, ReadRow, Reading, Row, Versions, Writing, tuple};

macro_rules! tuples {
    ($($len:literal: $($ty:ident $item:ident $at:tt),+;)*) => {$(
        impl<$($ty: Row),+> Row for ($($ty,)+) {
            const COLUMNS: Place = Place::NONE$(.and($ty::COLUMNS))+;
            const IS_NULLABLE: bool = false;
            const IS_HASHABLE: bool = true $(&& $ty::IS_HASHABLE)+;

            fn ty() -> Type {
                tuple(vec![$($ty::ty()),+])
            }

            fn versions(of: &mut Versions) {
                $($ty::versions(of);)+
            }

            #[inline]
            fn write<K: Sink>(&self, to: &mut Writing<'_, K>, mut at: Place) -> OpResult {
                to.enter_tuple($len)?;
                $(
                    self.$at.write(to, at)?;
                    at = at.and($ty::COLUMNS);
                )+
                let _ = at;
                to.leave()
            }
        }

        impl<$($ty: ReadRow),+> ReadRow for ($($ty,)+) {
            #[inline]
            fn read<S: Source>(from: &mut Reading<'_, S>, mut at: Place) -> OpResult<Self> {
                from.enter_tuple($len)?;
                $(
                    let $item = from.item($at, at)?;
                    at = at.and($ty::COLUMNS);
                )+
                let _ = at;
                from.leave();
                Ok(($($item,)+))
            }
        }
    )*};
}

tuples! {
    1: A a 0;
    2: A a 0, B b 1;
    3: A a 0, B b 1, C c 2;
    4: A a 0, B b 1, C c 2, D d 3;
    5: A a 0, B b 1, C c 2, D d 3, E e 4;
    6: A a 0, B b 1, C c 2, D d 3, E e 4, F f 5;
    7: A a 0, B b 1, C c 2, D d 3, E e 4, F f 5, G g 6;
    8: A a 0, B b 1, C c 2, D d 3, E e 4, F f 5, G g 6, H h 7;
    9: A a 0, B b 1, C c 2, D d 3, E e 4, F f 5, G g 6, H h 7, I i 8;
    10: A a 0, B b 1, C c 2, D d 3, E e 4, F f 5, G g 6, H h 7, I i 8, J j 9;
    11: A a 0, B b 1, C c 2, D d 3, E e 4, F f 5, G g 6, H h 7, I i 8, J j 9, L l 10;
    12: A a 0, B b 1, C c 2, D d 3, E e 4, F f 5, G g 6, H h 7, I i 8, J j 9, L l 10, M m 11;
}

/// An array is a tuple, or, if it is longer than a tuple of fixed shape that serow infers, one of any length.
const fn is_fixed(len: usize) -> bool {
    len <= MAX_INFERRED_FIELDS
}

impl<T: Row, const N: usize> Row for [T; N] {
    const COLUMNS: Place =
        if is_fixed(N) { T::COLUMNS.times(N) } else { Place::INT.and(T::COLUMNS) };
    const IS_NULLABLE: bool = false;
    const IS_HASHABLE: bool = T::IS_HASHABLE || N == 0;

    fn ty() -> Type {
        match is_fixed(N) {
            true => tuple(vec![T::ty(); N]),
            false => Type::Sequence(Container::Tuple, Box::new(T::ty())),
        }
    }

    fn versions(of: &mut Versions) {
        (0..if is_fixed(N) { N } else { 1 }).for_each(|_| T::versions(of));
    }

    #[inline]
    fn write<K: Sink>(&self, to: &mut Writing<'_, K>, mut at: Place) -> OpResult {
        if !is_fixed(N) {
            return to.slice(Container::Tuple, at, self);
        }
        to.enter_tuple(N as u32)?;
        for item in self {
            item.write(to, at)?;
            at = at.and(T::COLUMNS);
        }
        to.leave()
    }
}

impl<T: ReadRow, const N: usize> ReadRow for [T; N] {
    #[inline]
    fn read<S: Source>(from: &mut Reading<'_, S>, mut at: Place) -> OpResult<[T; N]> {
        let items: Vec<T> = if is_fixed(N) {
            from.enter_tuple(N as u32)?;
            let mut items = Vec::with_capacity(N);
            for index in 0..N {
                items.push(from.item(index, at)?);
                at = at.and(T::COLUMNS);
            }
            from.leave();
            items
        } else {
            from.vec(Container::Tuple, at)?
        };
        items.try_into().map_err(|items: Vec<T>| {
            from.refused::<[T; N]>(format!("the tuple has {} elements, not {N}", items.len()))
        })
    }
}

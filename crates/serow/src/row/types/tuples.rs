//! Tuples and arrays.

use serow_core::layout::{OpResult, Sink, Source};
use serow_core::limits::MAX_INFERRED_FIELDS;
use serow_core::schema::{Container, Logical, Type};

use super::super::{Place, ReadRow, Reading, Row, Versions, Writing, tuple};
use super::containers::BYTES;

macro_rules! tuples {
    ($($len:literal: $($ty:ident $item:ident $at:tt),+;)*) => {$(
        impl<$($ty: Row),+> Row for ($($ty,)+) {
            const COLUMNS: Place = Place::NONE$(.and($ty::COLUMNS))+;
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
                    to.item($at, &self.$at, at)?;
                    at = at.and($ty::COLUMNS);
                )+
                let _ = at;
                to.leave()
            }
        }

        impl<'m, $($ty: ReadRow<'m>),+> ReadRow<'m> for ($($ty,)+) {
            #[inline]
            fn read<S: Source>(from: &mut Reading<'_, 'm, S>, mut at: Place) -> OpResult<Self> {
                from.enter_tuple($len)?;
                $(
                    let $item = from.item($at, at)?;
                    at = at.and($ty::COLUMNS);
                )+
                let _ = at;
                from.leave();
                Ok(($($item,)+))
            }

            #[inline]
            fn read_over<S: Source>(
                &mut self,
                from: &mut Reading<'_, 'm, S>,
                mut at: Place,
            ) -> OpResult {
                from.enter_tuple($len)?;
                $(
                    from.item_over($at, at, &mut self.$at)?;
                    at = at.and($ty::COLUMNS);
                )+
                let _ = at;
                from.leave();
                Ok(())
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

/// An array is a tuple, or, if it is longer than a tuple of fixed shape that serow infers, one of any length. An
/// array of bytes is bytes.
const fn is_fixed(len: usize) -> bool {
    len <= MAX_INFERRED_FIELDS
}

impl<T: Row, const N: usize> Row for [T; N] {
    const COLUMNS: Place = match (T::IS_BYTE, is_fixed(N)) {
        (true, _) => BYTES,
        (false, true) => T::COLUMNS.times(N),
        (false, false) => Place::INT.and(T::COLUMNS),
    };
    const IS_HASHABLE: bool = T::IS_HASHABLE || N == 0;

    fn ty() -> Type {
        match (T::IS_BYTE, is_fixed(N)) {
            (true, _) => Type::Logical(Logical::Bytes),
            (false, true) => tuple(vec![T::ty(); N]),
            (false, false) => Type::Sequence(Container::Tuple, Box::new(T::ty())),
        }
    }

    fn versions(of: &mut Versions) {
        (0..if is_fixed(N) { N } else { 1 }).for_each(|_| T::versions(of));
    }

    #[inline]
    fn write<K: Sink>(&self, to: &mut Writing<'_, K>, mut at: Place) -> OpResult {
        if T::IS_BYTE {
            return T::write_list(self, to, at);
        }
        if !is_fixed(N) {
            return to.slice(Container::Tuple, at, self);
        }
        to.enter_tuple(N as u32)?;
        for (index, item) in self.iter().enumerate() {
            to.item(index, item, at)?;
            at = at.and(T::COLUMNS);
        }
        to.leave()
    }
}

impl<'m, T: ReadRow<'m>, const N: usize> ReadRow<'m> for [T; N] {
    #[inline]
    fn read<S: Source>(from: &mut Reading<'_, 'm, S>, at: Place) -> OpResult<[T; N]> {
        T::read_array(from, at)
    }

    #[inline]
    fn read_over<S: Source>(&mut self, from: &mut Reading<'_, 'm, S>, mut at: Place) -> OpResult {
        if T::IS_BYTE || !is_fixed(N) {
            *self = T::read_array(from, at)?;
            return Ok(());
        }
        from.enter_tuple(N as u32)?;
        for (index, item) in self.iter_mut().enumerate() {
            from.item_over(index, at, item)?;
            at = at.and(T::COLUMNS);
        }
        from.leave();
        Ok(())
    }
}

/// Reads an array that is no bytes.
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn read_array<'m, T: ReadRow<'m>, S: Source, const N: usize>(
    from: &mut Reading<'_, 'm, S>,
    mut at: Place,
) -> OpResult<[T; N]> {
    if !is_fixed(N) {
        let mut items = Vec::new();
        from.sequence_over(Container::Tuple, at, &mut items)?;
        let len = items.len();
        return items.try_into().map_err(|_| from.refused_len::<[T; N]>("tuple", len, N));
    }
    from.enter_tuple(N as u32)?;
    let mut items = [const { None }; N];
    for (index, item) in items.iter_mut().enumerate() {
        *item = Some(from.item(index, at)?);
        at = at.and(T::COLUMNS);
    }
    from.leave();
    Ok(items.map(|item| item.unwrap_or_else(|| unreachable!("each item was read"))))
}

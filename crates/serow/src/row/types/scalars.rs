//! Numbers, booleans, characters.

use std::num::{
    NonZeroI8, NonZeroI16, NonZeroI32, NonZeroI64, NonZeroI128, NonZeroIsize, NonZeroU8,
    NonZeroU16, NonZeroU32, NonZeroU64, NonZeroU128, NonZeroUsize,
};

use serow_core::layout::{Components, NumberType, Numbers, OpResult, Sink, Source, Text};
use serow_core::number::{Int, IntBytes, narrowed, widened};
use serow_core::schema::{Logical, Type};

use super::super::reading::beyond;
use super::super::{Place, ReadRow, Reading, Row, Writing};

impl Row for bool {
    const COLUMNS: Place = Place::BIT;

    fn ty() -> Type {
        Type::Bool
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn write<K: Sink>(&self, to: &mut Writing<'_, K>, at: Place) -> OpResult {
        to.bool(at, *self)
    }
}

impl<'m> ReadRow<'m> for bool {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn read<S: Source>(from: &mut Reading<'_, 'm, S>, at: Place) -> OpResult<bool> {
        from.bool(at)
    }
}

/// Integers of a size other than `i64`'s.
macro_rules! sized_integers {
    ($($ty:ty: $logical:ident),*) => {$(
        impl Row for $ty {
            const COLUMNS: Place = Place::INT;

            fn ty() -> Type {
                Type::Logical(Logical::$logical)
            }

            #[cfg_attr(not(debug_assertions), inline(always))]
            fn write<K: Sink>(&self, to: &mut Writing<'_, K>, at: Place) -> OpResult {
                let ints = [*self as i64, 0, 0];
                to.logical(at, Logical::$logical, Components { ints, ..Components::default() })
            }

            #[inline]
            fn write_elements<K: Sink>(
                items: &[$ty],
                to: &mut Writing<'_, K>,
                at: Place,
            ) -> OpResult {
                to.integers(at, Logical::$logical, items, |v| v as i64)
            }
        }

        impl<'m> ReadRow<'m> for $ty {
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn read<S: Source>(from: &mut Reading<'_, 'm, S>, at: Place) -> OpResult<$ty> {
                // A source gives no other components.
                from.logical(at, Logical::$logical).map(|(components, _)| components.ints[0] as $ty)
            }

            #[inline]
            fn read_elements<S: Source>(
                from: &mut Reading<'_, 'm, S>,
                at: Place,
                len: usize,
                items: &mut Vec<$ty>,
            ) -> OpResult {
                from.integers(at, NumberType::Logical(Logical::$logical), len, items, |v| v as $ty)
            }
        }
    )*};
}

sized_integers!(i8: I8, i16: I16, i32: I32, u16: U16, u32: U32, u64: U64);

impl Row for i64 {
    const COLUMNS: Place = Place::INT;

    fn ty() -> Type {
        Type::I64
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn write<K: Sink>(&self, to: &mut Writing<'_, K>, at: Place) -> OpResult {
        to.i64(at, *self)
    }

    #[inline]
    fn write_elements<K: Sink>(items: &[i64], to: &mut Writing<'_, K>, at: Place) -> OpResult {
        to.numbers(at.ints, Numbers::I64(items))
    }
}

impl<'m> ReadRow<'m> for i64 {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn read<S: Source>(from: &mut Reading<'_, 'm, S>, at: Place) -> OpResult<i64> {
        from.i64(at)
    }

    #[inline]
    fn read_elements<S: Source>(
        from: &mut Reading<'_, 'm, S>,
        at: Place,
        len: usize,
        items: &mut Vec<i64>,
    ) -> OpResult {
        from.integers(at, NumberType::I64, len, items, |v| v)
    }
}

/// Integers as large as an address, which are in rows as those of 64 bits.
macro_rules! integers_of_addresses {
    ($($ty:ty: $inner:ty),*) => {$(
        impl Row for $ty {
            const COLUMNS: Place = <$inner>::COLUMNS;

            fn ty() -> Type {
                <$inner>::ty()
            }

            #[cfg_attr(not(debug_assertions), inline(always))]
            fn write<K: Sink>(&self, to: &mut Writing<'_, K>, at: Place) -> OpResult {
                (*self as $inner).write(to, at)
            }
        }

        impl<'m> ReadRow<'m> for $ty {
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn read<S: Source>(from: &mut Reading<'_, 'm, S>, at: Place) -> OpResult<$ty> {
                let v = <$inner>::read(from, at)?;
                <$ty>::try_from(v).map_err(|_| from.refused::<$ty>(beyond::<$ty>(v)))
            }
        }
    )*};
}

integers_of_addresses!(isize: i64, usize: u64);

/// Integers of more than 64 bits. They are `int` in each schema.
macro_rules! large_integers {
    ($($ty:ty: $wide:ident $bytes:ident),*) => {$(
        impl Row for $ty {
            const COLUMNS: Place = Place::components(Logical::Int.counts());

            fn ty() -> Type {
                Type::Logical(Logical::Int)
            }

            #[inline]
            fn write<K: Sink>(&self, to: &mut Writing<'_, K>, at: Place) -> OpResult {
                let mut components = Components::default();
                if let Ok(small) = i64::try_from(*self) {
                    components.ints[0] = small;
                    return to.logical(at, Logical::Int, components);
                }
                let bytes = IntBytes::$bytes(*self as $wide);
                components.bytes = Text::plain(bytes.as_bytes());
                to.logical(at, Logical::Int, components)
            }
        }

        impl<'m> ReadRow<'m> for $ty {
            #[inline]
            fn read<S: Source>(from: &mut Reading<'_, 'm, S>, at: Place) -> OpResult<$ty> {
                let (components, bytes) = from.logical(at, Logical::Int)?;
                if bytes.is_empty() {
                    let v = components.ints[0];
                    return <$ty>::try_from(v).map_err(|_| from.refused::<$ty>(beyond::<$ty>(v)));
                }
                let read = match Int::of_bytes(bytes) {
                    Some(Int::U64(v)) => <$ty>::try_from(v).ok(),
                    Some(Int::I128(v)) => <$ty>::try_from(v).ok(),
                    Some(Int::U128(v)) => <$ty>::try_from(v).ok(),
                    None => None,
                };
                read.ok_or_else(|| from.refused::<$ty>(beyond::<$ty>("an integer beyond 64 bits")))
            }
        }
    )*};
}

large_integers!(u128: u128 of_u128, i128: i128 of_i128);

impl Row for f64 {
    const COLUMNS: Place = Place::FLOAT;

    fn ty() -> Type {
        Type::F64
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn write<K: Sink>(&self, to: &mut Writing<'_, K>, at: Place) -> OpResult {
        to.f64(at, *self)
    }

    #[inline]
    fn write_elements<K: Sink>(items: &[f64], to: &mut Writing<'_, K>, at: Place) -> OpResult {
        to.numbers(at.floats, Numbers::F64(items))
    }
}

impl<'m> ReadRow<'m> for f64 {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn read<S: Source>(from: &mut Reading<'_, 'm, S>, at: Place) -> OpResult<f64> {
        from.f64(at)
    }

    #[inline]
    fn read_elements<S: Source>(
        from: &mut Reading<'_, 'm, S>,
        at: Place,
        len: usize,
        items: &mut Vec<f64>,
    ) -> OpResult {
        from.floats(at, NumberType::F64, len, items, f64::from, |v| v)
    }
}

impl Row for f32 {
    const COLUMNS: Place = Place::FLOAT;

    fn ty() -> Type {
        Type::Logical(Logical::F32)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn write<K: Sink>(&self, to: &mut Writing<'_, K>, at: Place) -> OpResult {
        let floats = [widened(*self), 0.0];
        to.logical(at, Logical::F32, Components { floats, ..Components::default() })
    }

    #[inline]
    fn write_elements<K: Sink>(items: &[f32], to: &mut Writing<'_, K>, at: Place) -> OpResult {
        to.numbers(at.floats, Numbers::F32(items))
    }
}

impl<'m> ReadRow<'m> for f32 {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn read<S: Source>(from: &mut Reading<'_, 'm, S>, at: Place) -> OpResult<f32> {
        // A source gives no other floats.
        from.logical(at, Logical::F32).map(|(components, _)| narrowed(components.floats[0]))
    }

    #[inline]
    fn read_elements<S: Source>(
        from: &mut Reading<'_, 'm, S>,
        at: Place,
        len: usize,
        items: &mut Vec<f32>,
    ) -> OpResult {
        from.floats(at, NumberType::Logical(Logical::F32), len, items, |v| v, narrowed)
    }
}

impl Row for char {
    const COLUMNS: Place = Place::STR;

    fn ty() -> Type {
        Type::Str
    }

    #[inline]
    fn write<K: Sink>(&self, to: &mut Writing<'_, K>, at: Place) -> OpResult {
        to.str(at, self.encode_utf8(&mut [0; 4]))
    }
}

impl<'m> ReadRow<'m> for char {
    #[inline]
    fn read<S: Source>(from: &mut Reading<'_, 'm, S>, at: Place) -> OpResult<char> {
        let text = from.str(at)?;
        let mut chars = text.chars();
        if let (Some(only), None) = (chars.next(), chars.next()) {
            return Ok(only);
        }
        let why = format!("a string of {} characters is no char", text.chars().count());
        Err(from.refused::<char>(why))
    }
}

macro_rules! non_zero {
    ($($ty:ty: $inner:ty),*) => {$(
        impl Row for $ty {
            const COLUMNS: Place = <$inner>::COLUMNS;

            fn ty() -> Type {
                <$inner>::ty()
            }

            #[cfg_attr(not(debug_assertions), inline(always))]
            fn write<K: Sink>(&self, to: &mut Writing<'_, K>, at: Place) -> OpResult {
                self.get().write(to, at)
            }
        }

        impl<'m> ReadRow<'m> for $ty {
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn read<S: Source>(from: &mut Reading<'_, 'm, S>, at: Place) -> OpResult<$ty> {
                let v = <$inner>::read(from, at)?;
                <$ty>::new(v).ok_or_else(|| from.refused::<$ty>(beyond::<$ty>(v)))
            }
        }
    )*};
}

non_zero!(
    NonZeroI8: i8, NonZeroI16: i16, NonZeroI32: i32, NonZeroI64: i64, NonZeroI128: i128,
    NonZeroIsize: isize, NonZeroU8: u8, NonZeroU16: u16, NonZeroU32: u32, NonZeroU64: u64,
    NonZeroU128: u128, NonZeroUsize: usize
);

//! Strings and bytes.

use std::borrow::Cow;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, SocketAddrV4, SocketAddrV6};
use std::path::{Path, PathBuf};

use serow_core::layout::{Components, OpResult, Sink, Source, Text};
use serow_core::schema::{Logical, Type};

use super::super::{Place, ReadRow, Reading, Row, Writing};

/// Why a borrowed text or bytes can't be read.
const NOT_THERE: &str = "the text or the bytes can't be borrowed from a frame, a stream, compressed bytes or rows of another schema; \
     declare a Cow, or a type that owns them";

impl Row for str {
    const COLUMNS: Place = Place::STR;

    fn ty() -> Type {
        Type::Str
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn write<K: Sink>(&self, to: &mut Writing<'_, K>, at: Place) -> OpResult {
        to.str(at, self)
    }
}

impl Row for String {
    const COLUMNS: Place = Place::STR;

    fn ty() -> Type {
        Type::Str
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn write<K: Sink>(&self, to: &mut Writing<'_, K>, at: Place) -> OpResult {
        to.str(at, self)
    }
}

impl<'m> ReadRow<'m> for String {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn read<S: Source>(from: &mut Reading<'_, 'm, S>, at: Place) -> OpResult<String> {
        from.str(at).map(str::to_owned)
    }

    #[inline]
    fn read_over<S: Source>(&mut self, from: &mut Reading<'_, 'm, S>, at: Place) -> OpResult {
        from.str(at)?.clone_into(self);
        Ok(())
    }
}

impl<'a, 'm: 'a> ReadRow<'m> for &'a str {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn read<S: Source>(from: &mut Reading<'_, 'm, S>, at: Place) -> OpResult<&'a str> {
        match from.text(at)? {
            Cow::Borrowed(text) => Ok(text),
            Cow::Owned(_) => Err(from.refused::<&str>(NOT_THERE)),
        }
    }
}

impl<'a, 'm: 'a> ReadRow<'m> for &'a [u8] {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn read<S: Source>(from: &mut Reading<'_, 'm, S>, at: Place) -> OpResult<&'a [u8]> {
        match from.slice(at)? {
            Cow::Borrowed(bytes) => Ok(bytes),
            Cow::Owned(_) => Err(from.refused::<&[u8]>(NOT_THERE)),
        }
    }
}

/// Types that are written as their text.
macro_rules! parsed {
    ($($ty:ty),*) => {$(
        impl Row for $ty {
            const COLUMNS: Place = Place::STR;

            fn ty() -> Type {
                Type::Str
            }

            fn write<K: Sink>(&self, to: &mut Writing<'_, K>, at: Place) -> OpResult {
                to.str(at, &self.to_string())
            }
        }

        impl<'m> ReadRow<'m> for $ty {
            fn read<S: Source>(from: &mut Reading<'_, 'm, S>, at: Place) -> OpResult<$ty> {
                let parsed = from.str(at)?.parse();
                parsed.map_err(|error| from.refused::<$ty>(error))
            }
        }
    )*};
}

parsed!(IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, SocketAddrV4, SocketAddrV6);

/// A path is written as text, which it must be.
impl Row for Path {
    const COLUMNS: Place = Place::STR;

    fn ty() -> Type {
        Type::Str
    }

    fn write<K: Sink>(&self, to: &mut Writing<'_, K>, at: Place) -> OpResult {
        match self.to_str() {
            Some(text) => to.str(at, text),
            None => Err(to.refused::<Path>("the path is no UTF-8")),
        }
    }
}

impl Row for PathBuf {
    const COLUMNS: Place = Place::STR;

    fn ty() -> Type {
        Type::Str
    }

    fn write<K: Sink>(&self, to: &mut Writing<'_, K>, at: Place) -> OpResult {
        self.as_path().write(to, at)
    }
}

impl<'m> ReadRow<'m> for PathBuf {
    fn read<S: Source>(from: &mut Reading<'_, 'm, S>, at: Place) -> OpResult<PathBuf> {
        from.str(at).map(PathBuf::from)
    }
}

/// A byte. A list of bytes is one value.
impl Row for u8 {
    const COLUMNS: Place = Place::INT;
    const IS_BYTE: bool = true;

    fn ty() -> Type {
        Type::Logical(Logical::U8)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn write<K: Sink>(&self, to: &mut Writing<'_, K>, at: Place) -> OpResult {
        let ints = [i64::from(*self), 0, 0];
        to.logical(at, Logical::U8, Components { ints, ..Components::default() })
    }

    #[inline]
    fn write_list<K: Sink>(items: &[u8], to: &mut Writing<'_, K>, at: Place) -> OpResult {
        let components = Components { bytes: Text::plain(items), ..Components::default() };
        to.logical(at, Logical::Bytes, components)
    }
}

impl<'m> ReadRow<'m> for u8 {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn read<S: Source>(from: &mut Reading<'_, 'm, S>, at: Place) -> OpResult<u8> {
        // A source gives no other components.
        from.logical(at, Logical::U8).map(|(components, _)| components.ints[0] as u8)
    }

    #[inline]
    fn read_list<S: Source>(
        from: &mut Reading<'_, 'm, S>,
        at: Place,
        items: &mut Vec<u8>,
    ) -> OpResult {
        from.bytes(at)?.clone_into(items);
        Ok(())
    }

    #[inline]
    fn read_array<S: Source, const N: usize>(
        from: &mut Reading<'_, 'm, S>,
        at: Place,
    ) -> OpResult<[u8; N]> {
        let bytes = from.bytes(at)?;
        let len = bytes.len();
        bytes.try_into().map_err(|_| from.refused_len::<[u8; N]>("value", len, N))
    }

    #[inline]
    fn read_slice<'a, S: Source>(
        from: &mut Reading<'_, 'm, S>,
        at: Place,
    ) -> OpResult<Cow<'a, [u8]>>
    where
        'm: 'a,
    {
        from.slice(at)
    }
}

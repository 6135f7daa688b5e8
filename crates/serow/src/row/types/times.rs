//! Dates, times and durations: what all crates' types have in common, and those of the standard library.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serow_core::layout::{Components, OpResult, Sink, Source, Text};
use serow_core::schema::logical::{MAX_INTS, microseconds, nanoseconds};
use serow_core::schema::{Logical, Type};

use super::super::{Place, ReadRow, Reading, Row, Writing};

/// Implements the traits for types whose values are of a logical type. `$to` makes the components of a value, and
/// `$of` makes a value of checked integers and bytes; each is `None` if there is none.
macro_rules! logical {
    ($($ty:ty: $logical:ident, |$v:ident| $to:expr, |$ints:ident, $bytes:pat_param| $of:expr;)*) => {$(
        const _: () = {
            #[inline]
            fn parts($v: &$ty) -> Option<impl $crate::row::types::times::Parts + '_> {
                $to
            }

            #[inline]
            fn made($ints: $crate::row::types::times::Ints, $bytes: &[u8]) -> Option<$ty> {
                $of
            }

            impl Row for $ty {
                const COLUMNS: Place = Place::components(Logical::$logical.counts());

                fn ty() -> Type {
                    Type::Logical(Logical::$logical)
                }

                #[inline]
                fn write<K: Sink>(&self, to: &mut Writing<'_, K>, at: Place) -> OpResult {
                    match parts(self) {
                        Some(parts) => {
                            let v = $crate::row::types::times::Parts::components(&parts);
                            to.logical(at, Logical::$logical, v)
                        }
                        None => Err(to.refused::<$ty>(concat!(
                            "a value of ",
                            stringify!($ty),
                            " is beyond the range of its type in the rows"
                        ))),
                    }
                }
            }

            impl<'m> ReadRow<'m> for $ty {
                #[inline]
                fn read<S: Source>(from: &mut Reading<'_, 'm, S>, at: Place) -> OpResult<$ty> {
                    let (components, bytes) = from.logical(at, Logical::$logical)?;
                    Logical::$logical.check(&components.ints, bytes)?;
                    made(components.ints, bytes).ok_or_else(|| {
                        let ty = std::any::type_name::<$ty>();
                        from.refused::<$ty>(format_args!("the value is beyond the range of {ty}"))
                    })
                }
            }
        };
    )*};
}
#[allow(unused_imports, reason = "the types of other crates are features")]
pub(super) use logical;

/// What has the components of a value.
pub(super) trait Parts {
    fn components(&self) -> Components<'_>;
}

impl Parts for Components<'_> {
    #[inline]
    fn components(&self) -> Components<'_> {
        *self
    }
}

/// The integers of a value's components.
pub(super) type Ints = [i64; MAX_INTS];

/// Components that are integers only.
#[inline]
pub(super) fn ints(ints: Ints) -> Option<Components<'static>> {
    Some(Components { ints, ..Components::default() })
}

const BILLION: i128 = 1_000_000_000;

/// The components of a time in nanoseconds, of a clock that is `offset` microseconds ahead.
#[inline]
pub(super) fn of_nanos(nanos: i128, offset: i64) -> Option<Components<'static>> {
    let micros = i64::try_from(nanos.div_euclid(1000)).ok()?;
    ints([micros, 2 * nanos.rem_euclid(1000) as i64, offset])
}

/// The nanoseconds of the components of a time.
#[inline]
pub(super) fn nanos(ints: Ints) -> i128 {
    microseconds(ints[0], ints[1]) * 1000 + i128::from(nanoseconds(ints[1]))
}

/// The nanoseconds of the components of a time with an offset, of a clock without.
#[inline]
pub(super) fn utc_nanos(ints: Ints) -> i128 {
    nanos(ints) - i128::from(ints[2]) * 1000
}

/// Seconds and nanoseconds, as most types are made of them.
#[inline]
pub(super) fn split(nanos: i128) -> Option<(i64, u32)> {
    let seconds = i64::try_from(nanos.div_euclid(BILLION)).ok()?;
    Some((seconds, nanos.rem_euclid(BILLION) as u32))
}

#[inline]
pub(super) fn joined(seconds: i64, nanos: u32) -> i128 {
    i128::from(seconds) * BILLION + i128::from(nanos)
}

/// The components of a zone's time: the offset, and the zone's name.
#[inline]
pub(super) fn zoned(nanos: i128, offset: i64, zone: &str) -> Option<Components<'_>> {
    let bytes = Text::plain(zone.as_bytes());
    of_nanos(nanos, offset).map(|time| Components { bytes, ..time })
}

// A `SystemTime` is of no zone. It is written as one of UTC, and takes any.
logical! {
    Duration: Duration,
        |v| ints([i64::try_from(v.as_secs()).ok()?, v.subsec_nanos().into(), 0]),
        |v, _| Some(Duration::new(u64::try_from(v[0]).ok()?, v[1] as u32));
    SystemTime: TimestampTz,
        |v| zoned(since_1970(*v)?, 0, ""),
        |v, _| at_1970(utc_nanos(v));
}

fn since_1970(time: SystemTime) -> Option<i128> {
    let nanos = |of: Duration| Some(joined(i64::try_from(of.as_secs()).ok()?, of.subsec_nanos()));
    match time.duration_since(UNIX_EPOCH) {
        Ok(after) => nanos(after),
        Err(error) => nanos(error.duration()).map(|before| -before),
    }
}

fn at_1970(nanos: i128) -> Option<SystemTime> {
    let (seconds, rest) = split(nanos)?;
    let time = match u64::try_from(seconds) {
        Ok(after) => UNIX_EPOCH.checked_add(Duration::from_secs(after)),
        Err(_) => UNIX_EPOCH.checked_sub(Duration::from_secs(seconds.unsigned_abs())),
    };
    time?.checked_add(Duration::from_nanos(rest.into()))
}

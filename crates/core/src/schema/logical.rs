//! Types of values that consist of several components.
//!
//! To every wire, a date is an integer, and a decimal is two integers and some bytes. The wires
//! carry only the *components*. They know a logical type by its name, its code and the number of
//! its components. The table below defines the components. The objects of each language follow it
//! ([`Source::logical`](crate::layout::Source::logical) and
//! [`Sink::logical`](crate::layout::Sink::logical)).
//!
//! ```text
//! int          int: the value if it has 64 bits, else 0   bytes: two's complement, little-endian,
//!                                                         as short as can be; empty if 64 bits do
//! bytes        bytes
//! bytearray    bytes
//! date         int: days since 1970-01-01 in the proleptic Gregorian calendar
//! time         int: microseconds since midnight           int: rest
//! timetz       int, int: as time   int: offset            bytes: zone
//! timestamp    int: microseconds since 1970-01-01T00:00:00 of the same clock   int: rest
//! timestamptz  int, int: as timestamp, of the zone's clock   int: offset       bytes: zone
//! duration     int: seconds, rounded down                 int: nanoseconds, 0 to 999,999,999
//! decimal      int: exponent * 4 + kind   int: coefficient   bytes: coefficient or payload
//! uuid         int, int: the first and the last eight bytes, big-endian
//! complex      float: real part            float: imaginary part
//! ndarray      int: type of the elements   bytes: shape and elements, as in [`nd_array`](super::nd_array)
//! f32          float: the value
//! i8 … u32     int: the value
//! u64          int: the value, from 2^63 on as the negative number with the same 64 bits
//! ```
//!
//! *rest* is twice the nanoseconds beyond the whole microseconds. It is one more for the second of
//! two equal times, which exist where clocks are turned back (`fold`). A timestamp whose microseconds
//! exceed 64 bits has 2048 times *high* in its rest, too: the microseconds are their component plus
//! 2^64 times *high*. *offset* is the number of
//! microseconds by which the clock is ahead of UTC, or `i64::MIN` if a time without a date has
//! none. *zone* is empty for a plain offset, `=` and a name for a named offset, or the key of a
//! zone in the IANA's database.
//!
//! *kind* of a decimal: 0, the coefficient is the int; 1, the coefficient is the bytes, encoded as
//! those of *int*; 2, negative zero; 3, not finite: the int is 0 for infinity, 1 for a NaN, 2 for a
//! signalling NaN, plus 4 if negative, the exponent is 0, and the bytes are a NaN's payload in
//! decimal digits.

use std::fmt;

use crate::bytes::text;
use crate::error::Fault;
use crate::limits::MAX_INTEGER_BYTES;
use crate::number::Number;
use crate::schema::NdArray;

/// A type of values that consist of several components.
///
/// ```
/// # use serow_core::schema::{Logical, Schema, Type};
/// assert_eq!(*Schema::parse("date")?.root(), Type::Logical(Logical::Date));
/// assert_eq!(Logical::Date.counts().ints, 1);
/// # Ok::<(), serow_core::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs, reason = "the module's docs describe each type")]
pub enum Logical {
    Int,
    Bytes,
    ByteArray,
    Date,
    Time,
    TimeTz,
    Timestamp,
    TimestampTz,
    Duration,
    Decimal,
    Uuid,
    Complex,
    NdArray,
    F32,
    I8,
    I16,
    I32,
    U8,
    U16,
    U32,
    U64,
}

/// The number of components of each kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counts {
    /// Integers of 64 bits.
    pub ints: usize,
    /// Floats of 64 bits.
    pub floats: usize,
    /// Byte strings: one or none.
    pub bytes: usize,
}

/// The largest number of integers of any type.
pub const MAX_INTS: usize = 3;
/// The largest number of floats of any type.
pub const MAX_FLOATS: usize = 2;

/// The code of the first type. Codes count up in the order of [`Logical::ALL`], and jump to [`ND_ARRAY_CODE`]
/// at the type of arrays.
const FIRST_CODE: u32 = 16;
const ND_ARRAY_CODE: u32 = 41;

impl Logical {
    /// All logical types, in the order of their codes.
    pub const ALL: [Logical; 21] = [
        Logical::Int,
        Logical::Bytes,
        Logical::ByteArray,
        Logical::Date,
        Logical::Time,
        Logical::TimeTz,
        Logical::Timestamp,
        Logical::TimestampTz,
        Logical::Duration,
        Logical::Decimal,
        Logical::Uuid,
        Logical::Complex,
        Logical::NdArray,
        Logical::F32,
        Logical::I8,
        Logical::I16,
        Logical::I32,
        Logical::U8,
        Logical::U16,
        Logical::U32,
        Logical::U64,
    ];

    /// Returns its name in the text of a schema.
    pub fn name(self) -> &'static str {
        match self {
            Logical::Int => "int",
            Logical::Bytes => "bytes",
            Logical::ByteArray => "bytearray",
            Logical::Date => "date",
            Logical::Time => "time",
            Logical::TimeTz => "timetz",
            Logical::Timestamp => "timestamp",
            Logical::TimestampTz => "timestamptz",
            Logical::Duration => "duration",
            Logical::Decimal => "decimal",
            Logical::Uuid => "uuid",
            Logical::Complex => "complex",
            Logical::NdArray => "ndarray",
            Logical::F32 => "f32",
            Logical::I8 => "i8",
            Logical::I16 => "i16",
            Logical::I32 => "i32",
            Logical::U8 => "u8",
            Logical::U16 => "u16",
            Logical::U32 => "u32",
            Logical::U64 => "u64",
        }
    }

    /// Returns the type with this name.
    pub fn named(name: &str) -> Option<Logical> {
        Logical::ALL.into_iter().find(|ty| ty.name() == name)
    }

    /// Returns its code in the type list.
    pub fn code(self) -> u32 {
        match (self as u32).checked_sub(Logical::NdArray as u32) {
            Some(after) => ND_ARRAY_CODE + after,
            None => FIRST_CODE + self as u32,
        }
    }

    /// Returns the type with this code.
    pub fn of_code(code: u32) -> Option<Logical> {
        Logical::ALL.into_iter().find(|ty| ty.code() == code)
    }

    /// Returns the numbers of its components.
    pub const fn counts(self) -> Counts {
        let (ints, floats, bytes) = match self {
            Logical::Int | Logical::NdArray => (1, 0, 1),
            Logical::Bytes | Logical::ByteArray => (0, 0, 1),
            Logical::Date => (1, 0, 0),
            Logical::F32 => (0, 1, 0),
            Logical::I8 | Logical::I16 | Logical::I32 => (1, 0, 0),
            Logical::U8 | Logical::U16 | Logical::U32 | Logical::U64 => (1, 0, 0),
            Logical::Time | Logical::Timestamp | Logical::Duration | Logical::Uuid => (2, 0, 0),
            Logical::TimeTz | Logical::TimestampTz => (3, 0, 1),
            Logical::Decimal => (2, 0, 1),
            Logical::Complex => (0, 2, 0),
        };
        Counts { ints, floats, bytes }
    }

    /// Returns the type of numbers that it is, if it is one. `i64` and `f64` are no logical types.
    #[inline(always)]
    pub const fn number(self) -> Option<Number> {
        Some(match self {
            Logical::Int => Number::Int,
            Logical::F32 => Number::F32,
            Logical::I8 => Number::I8,
            Logical::I16 => Number::I16,
            Logical::I32 => Number::I32,
            Logical::U8 => Number::U8,
            Logical::U16 => Number::U16,
            Logical::U32 => Number::U32,
            Logical::U64 => Number::U64,
            _ => return None,
        })
    }

    /// Returns whether it is a type of numbers of a size.
    pub const fn is_sized_number(self) -> bool {
        matches!(self, Logical::F32) || self.sized_int().is_some()
    }

    /// Returns the type of integers of a size that it is.
    #[inline(always)]
    pub const fn sized_int(self) -> Option<Number> {
        match self {
            Logical::Int | Logical::F32 => None,
            _ => self.number(),
        }
    }
}

impl Number {
    /// Returns its logical type, unless it is `i64` or `f64`.
    pub const fn logical(self) -> Option<Logical> {
        Some(match self {
            Number::I64 | Number::F64 => return None,
            Number::Int => Logical::Int,
            Number::F32 => Logical::F32,
            Number::I8 => Logical::I8,
            Number::I16 => Logical::I16,
            Number::I32 => Logical::I32,
            Number::U8 => Logical::U8,
            Number::U16 => Logical::U16,
            Number::U32 => Logical::U32,
            Number::U64 => Logical::U64,
        })
    }

    /// Returns the integer of this type with the component `v`.
    #[inline(always)]
    pub const fn int_of(self, v: i64) -> i128 {
        if matches!(self, Number::U64) { v as u64 as i128 } else { v as i128 }
    }
}

/// The offset of a time that has none.
pub const NO_OFFSET: i64 = i64::MIN;

const MICROS_PER_SECOND: i64 = 1_000_000;
const MICROS_PER_DAY: i64 = 86_400 * MICROS_PER_SECOND;
const NANOS_PER_SECOND: i64 = 1_000_000_000;
/// The end of the range of *rest* without *high*: twice the nanoseconds of a microsecond.
const REST_END: i64 = 2000;
/// The bits of *rest* below *high*.
const REST_BITS: u32 = 11;
const REST_MASK: i64 = (1 << REST_BITS) - 1;

/// The kind of a decimal, in the lowest two bits of its first component.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the module's docs describe each kind")]
pub enum DecimalKind {
    Small,
    Large,
    NegativeZero,
    NotFinite,
}

impl DecimalKind {
    /// Returns the kind and the exponent in a decimal's first component.
    pub fn split(part: i64) -> (DecimalKind, i64) {
        let kind = match part & 3 {
            0 => DecimalKind::Small,
            1 => DecimalKind::Large,
            2 => DecimalKind::NegativeZero,
            _ => DecimalKind::NotFinite,
        };
        (kind, part >> 2)
    }

    /// Returns the first component of a decimal; `None` if the exponent is too large for a decimal.
    pub fn join(self, exponent: i64) -> Option<i64> {
        let part = exponent.checked_mul(4)?;
        Some(part | self as i64)
    }
}

/// The second component of a decimal that is not finite.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "these are terms of IEEE 754")]
pub struct NotFinite {
    pub nan: bool,
    pub signalling: bool,
    pub negative: bool,
}

impl NotFinite {
    /// Decodes the component, if it is valid.
    pub fn split(part: i64) -> Option<NotFinite> {
        let (kind, negative) = (part & 3, part & 4 != 0);
        let valid = (0..8).contains(&part) && kind < 3;
        valid.then_some(NotFinite { nan: kind > 0, signalling: kind == 2, negative })
    }

    /// Encodes the component.
    pub fn join(self) -> i64 {
        let kind = match self {
            NotFinite { nan: false, .. } => 0,
            NotFinite { signalling: false, .. } => 1,
            _ => 2,
        };
        kind | if self.negative { 4 } else { 0 }
    }
}

/// Returns whether `bytes` are an integer in two's complement, little-endian, that needs more than
/// 64 bits, in as few bytes as possible.
fn is_large(bytes: &[u8]) -> bool {
    match bytes {
        [.., before, last] => {
            let redundant = matches!((last, before >> 7), (0, 0) | (0xFF, 1));
            bytes.len() > 8 && !redundant
        }
        _ => false,
    }
}

/// The fault for an int or decimal of too many digits.
pub const TOO_MANY_DIGITS: Fault =
    Fault::Limit("an int or decimal may have 1,000,000 digits, and this one has more");

impl Logical {
    /// Checks that an int or decimal with these bytes has no more digits than it may. It is called
    /// before any work that depends on the digits.
    ///
    /// # Errors
    /// A limit fault.
    #[inline]
    pub fn check_digits(self, bytes: usize) -> Result<(), Fault> {
        let most = match self {
            Logical::Int | Logical::Decimal => MAX_INTEGER_BYTES,
            _ => return Ok(()),
        };
        match bytes <= most {
            true => Ok(()),
            false => Err(TOO_MANY_DIGITS),
        }
    }

    /// Returns whether the values are bytes and nothing else.
    pub const fn is_bytes(self) -> bool {
        matches!(self, Logical::Bytes | Logical::ByteArray)
    }

    /// Returns whether any components are a valid value, so that [`Logical::check`] succeeds.
    pub fn takes_any_components(self) -> bool {
        use Logical::{ByteArray, Bytes, Complex, Date, Uuid};
        matches!(self, Bytes | ByteArray | Date | Uuid | Complex) || self.is_sized_number()
    }

    /// Checks that these integers and bytes are the components of a value. It checks no numbers of a size: what
    /// reads one from bytes checks it there.
    ///
    /// # Errors
    /// A description of what is wrong.
    #[inline]
    pub fn check(self, ints: &[i64; MAX_INTS], bytes: &[u8]) -> Result<(), Fault> {
        self.check_digits(bytes.len())?;
        let fits = |fits: bool, what: &'static str| match fits {
            true => Ok(()),
            false => Err(Fault::Corrupt(what)),
        };
        let [first, second, third] = *ints;
        let is_rest = (0..REST_END).contains(&second);
        let is_moment = (second & REST_MASK) < REST_END;
        let is_zone = |offset: i64| {
            let day = -MICROS_PER_DAY < offset && offset < MICROS_PER_DAY;
            (day || offset == NO_OFFSET) && text::is_valid(bytes)
        };
        match self {
            Logical::Int => fits(
                bytes.is_empty() || first == 0 && is_large(bytes),
                "an int has more bytes than it needs",
            ),
            Logical::Time => {
                fits((0..MICROS_PER_DAY).contains(&first) && is_rest, "a time is not within a day")
            }
            Logical::TimeTz => fits(
                (0..MICROS_PER_DAY).contains(&first) && is_rest && is_zone(third),
                "a time is not within a day, or its zone is invalid",
            ),
            Logical::Timestamp => fits(is_moment, "a timestamp has more than 999 nanoseconds"),
            Logical::TimestampTz => fits(
                is_moment && third != NO_OFFSET && is_zone(third),
                "a timestamp has more than 999 nanoseconds, or its zone is invalid",
            ),
            Logical::Duration => fits(
                (0..NANOS_PER_SECOND).contains(&second),
                "a duration has more nanoseconds than a second",
            ),
            Logical::Decimal => {
                let (kind, exponent) = DecimalKind::split(first);
                let is_right = match kind {
                    DecimalKind::Small => bytes.is_empty(),
                    DecimalKind::Large => second == 0 && is_large(bytes),
                    DecimalKind::NegativeZero => second == 0 && bytes.is_empty(),
                    DecimalKind::NotFinite => {
                        let digits =
                            bytes.iter().all(u8::is_ascii_digit) && bytes.first() != Some(&b'0');
                        NotFinite::split(second).is_some_and(|it| {
                            exponent == 0 && digits && (it.nan || bytes.is_empty())
                        })
                    }
                };
                fits(is_right, "a decimal has components of no number")
            }
            Logical::NdArray => NdArray::of_components(first, bytes).map(|_| ()),
            Logical::Bytes
            | Logical::ByteArray
            | Logical::Date
            | Logical::Uuid
            | Logical::Complex
            | Logical::F32
            | Logical::I8
            | Logical::I16
            | Logical::I32
            | Logical::U8
            | Logical::U16
            | Logical::U32
            | Logical::U64 => Ok(()),
        }
    }
}

/// Returns the microseconds since 1970-01-01T00:00:00 of a timestamp's first two components.
pub fn microseconds(first: i64, rest: i64) -> i128 {
    i128::from(first) + (i128::from(rest >> REST_BITS) << 64)
}

/// Returns the nanoseconds beyond the microseconds in a *rest*.
pub fn nanoseconds(rest: i64) -> i64 {
    (rest & REST_MASK) >> 1
}

impl Logical {
    /// Reduces the components of a time to what the classes of every language hold: whole
    /// microseconds, rounded down, an offset without a name, and no second of two equal times where
    /// no rules of a zone tell them apart. Other values, and other types, stay as they are. The
    /// components must have been checked. Returns the bytes.
    pub fn portable<'a>(self, ints: &mut [i64; MAX_INTS], bytes: &'a [u8]) -> &'a [u8] {
        let is_named = bytes.first() == Some(&b'=');
        let has_rules = !bytes.is_empty() && !is_named;
        match self {
            Logical::Time | Logical::Timestamp | Logical::TimeTz | Logical::TimestampTz => {
                ints[1] = ints[1] & !REST_MASK | if has_rules { ints[1] & 1 } else { 0 };
            }
            Logical::Duration => ints[1] -= ints[1] % 1_000,
            _ => return bytes,
        }
        if is_named { &[] } else { bytes }
    }
}

impl fmt::Display for Logical {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_that_take_any_components_check_none() {
        let wrong = [[i64::MIN; MAX_INTS], [i64::MAX; MAX_INTS], [7; MAX_INTS]];
        for ty in Logical::ALL {
            let checks_none = wrong.iter().all(|ints| ty.check(ints, b"\xFF0").is_ok());
            assert_eq!(ty.takes_any_components(), checks_none, "{ty}");
        }
    }

    #[test]
    fn timestamps_beyond_64_bits_of_microseconds() {
        let most = 31_556_889_864_403_199_999_999_i128;
        let [low, rest] = [most as i64, ((most - i128::from(most as i64)) >> 64 << 11) as i64];
        assert_eq!(microseconds(low, rest + 1998), most);
        assert_eq!(nanoseconds(rest + 1998), 999);
        for ty in [Logical::Timestamp, Logical::TimestampTz] {
            assert!(ty.check(&[low, rest + 1999, 0], b"").is_ok());
            assert!(ty.check(&[low, rest + 2000, 0], b"").is_err());
            assert!(ty.check(&[low, -rest - 1, 0], b"").is_err());
        }
        assert_eq!(microseconds(-1, -2048), -(1 << 64) - 1);
        assert!(Logical::Timestamp.check(&[-1, -2048, 0], b"").is_ok());
        assert!(Logical::Time.check(&[0, 2048, 0], b"").is_err());
        assert!(Logical::TimeTz.check(&[0, 2048, 0], b"").is_err());
    }

    #[test]
    fn portable_times_have_microseconds_and_plain_offsets() {
        let portable = |ty: Logical, mut ints: [i64; MAX_INTS], bytes: &'static [u8]| {
            let bytes = ty.portable(&mut ints, bytes);
            (ints, bytes)
        };
        let none: &[u8] = b"";
        assert_eq!(portable(Logical::Time, [5, 1999, 0], b""), ([5, 0, 0], none));
        assert_eq!(portable(Logical::Timestamp, [5, 2048 + 1999, 0], b""), ([5, 2048, 0], none));
        assert_eq!(portable(Logical::TimestampTz, [5, 3, 60], b"=CET"), ([5, 0, 60], none));
        assert_eq!(portable(Logical::TimeTz, [5, 3, 60], b"="), ([5, 0, 60], none));
        let zurich: &[u8] = b"Europe/Zurich";
        assert_eq!(portable(Logical::TimestampTz, [5, 3, 60], zurich), ([5, 1, 60], zurich));
        assert_eq!(portable(Logical::Duration, [-1, 1_999, 0], b""), ([-1, 1_000, 0], none));
        assert_eq!(portable(Logical::Bytes, [0; MAX_INTS], b"=x"), ([0; MAX_INTS], &b"=x"[..]));
    }

    #[test]
    fn names_and_codes_are_unique() {
        for (i, ty) in Logical::ALL.into_iter().enumerate() {
            assert_eq!(ty as usize, i);
            assert_eq!(Logical::of_code(ty.code()), Some(ty));
            assert_eq!(Logical::named(ty.name()), Some(ty));
            let Counts { ints, floats, bytes } = ty.counts();
            assert!(ints <= MAX_INTS && floats <= MAX_FLOATS && bytes <= 1);
            assert!(ints + floats + bytes > 0);
        }
        assert_eq!(Logical::of_code(15), None);
        assert_eq!(Logical::of_code(28), None);
        assert_eq!(Logical::of_code(50), None);
    }
}

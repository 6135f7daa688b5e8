//! The texts of values of several components, as ISO 8601 and other programs have them.

use std::fmt::{self, Write};

use super::{Composite, Value};
use crate::calendar;
use crate::radix;
use crate::schema::logical::{DecimalKind, NO_OFFSET, NotFinite, microseconds, nanoseconds};
use crate::schema::{Logical, NdArray, Word};

const SECOND: i64 = 1_000_000;
const MINUTE: i64 = 60 * SECOND;
const HOUR: i64 = 60 * MINUTE;
const DAY: i128 = 24 * HOUR as i128;
/// Nanoseconds.
const BILLION: i128 = 1_000_000_000;

/// Dates and times are in the form of RFC 3339, without the name of a zone; durations in that of ISO 8601, in seconds;
/// integers and decimals in digits; a UUID in five groups; bytes in hexadecimal digits; of an array only its
/// type and shape.
///
/// ```
/// # use serow_core::value::Composite;
/// let text = |of: Composite| of.to_string();
/// assert_eq!(text(Composite::date(20_000)), "2024-10-04");
/// assert_eq!(text(Composite::timestamp(1_500_000)), "1970-01-01T00:00:01.500");
/// assert_eq!(text(Composite::decimal(-125, -1)), "-12.5");
/// assert_eq!(text(Composite::complex(1.5, -2.0)), "1.5-2i");
/// ```
impl fmt::Display for Composite {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [first, second, third] = self.ints;
        match self.ty {
            Logical::Int | Logical::Decimal => {
                let mut text = String::new();
                match self.ty {
                    Logical::Int => push_int(first, &self.bytes, &mut text),
                    _ => push_decimal(first, second, &self.bytes, &mut text),
                }
                f.write_str(&text)
            }
            Logical::Bytes | Logical::ByteArray => {
                self.bytes.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
            }
            Logical::Date => write_date(f, first),
            Logical::Time | Logical::TimeTz => {
                write_clock(f, first, nanoseconds(second))?;
                if self.ty == Logical::TimeTz { write_offset(f, third) } else { Ok(()) }
            }
            Logical::Timestamp | Logical::TimestampTz => {
                let micros = microseconds(first, second);
                let Ok(days) = i64::try_from(micros.div_euclid(DAY)) else {
                    return write!(f, "{micros} microseconds from 1970");
                };
                write_date(f, days)?;
                f.write_char('T')?;
                write_clock(f, micros.rem_euclid(DAY) as i64, nanoseconds(second))?;
                if self.ty == Logical::TimestampTz { write_offset(f, third) } else { Ok(()) }
            }
            Logical::Duration => {
                let nanos = i128::from(first) * BILLION + i128::from(second);
                let sign = if nanos < 0 { "-" } else { "" };
                let nanos = nanos.abs();
                write!(f, "{sign}PT{}", nanos / BILLION)?;
                write_fraction(f, (nanos % BILLION) as i64)?;
                f.write_char('S')
            }
            Logical::Uuid => {
                let text = format!("{first:016x}{second:016x}");
                let [a, b, c, d, e] =
                    [0..8, 8..12, 12..16, 16..20, 20..32].map(|group| &text[group]);
                write!(f, "{a}-{b}-{c}-{d}-{e}")
            }
            Logical::Complex => write!(f, "{}{:+}i", self.floats[0], self.floats[1]),
            Logical::NdArray => match NdArray::of_components(first, &self.bytes) {
                Ok(array) => {
                    write!(f, "ndarray of {}", array.element_type().name())?;
                    array.shape().lengths().try_for_each(|len| write!(f, " x {len}"))
                }
                Err(_) => f.write_str("ndarray"),
            },
            Logical::F32
            | Logical::I8
            | Logical::I16
            | Logical::I32
            | Logical::U8
            | Logical::U16
            | Logical::U32
            | Logical::U64 => unreachable!("numbers of a size are values of their own"),
        }
    }
}

/// Values are in the form of a schema's text, with `{}` around sets and maps. It is for people: different values may
/// have the same text.
///
/// ```
/// # use serow_core::value::{Composite, Value};
/// let date = Composite::date(0).into();
/// let row = Value::record("Part", [("key", Value::I64(7)), ("name", "peru".into()), ("at", date)]);
/// assert_eq!(row.to_string(), r#"Part{key: 7, name: "peru", at: 1970-01-01}"#);
/// assert_eq!(Value::Tuple(vec![Value::Null, Value::F64(1.0)]).to_string(), "(null, 1.0)");
/// ```
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Null => f.write_str("null"),
            Value::Bool(v) => write!(f, "{v}"),
            Value::I64(v) => write!(f, "{v}"),
            Value::F64(v) => write!(f, "{v:?}"),
            Value::Str(v) => write!(f, "{v:?}"),
            Value::List(elements) => write_elements(f, ["[", "]"], elements),
            Value::Tuple(only) if only.len() == 1 => write!(f, "({},)", only[0]),
            Value::Tuple(elements) => write_elements(f, ["(", ")"], elements),
            Value::Set(elements) => write_elements(f, ["{", "}"], elements),
            Value::FrozenSet(elements) => write_elements(f, ["frozenset{", "}"], elements),
            Value::Logical(made) => made.fmt(f),
            Value::Map(entries) => {
                write_entries(f, entries.iter().map(|[key, value]| (key, value)))
            }
            Value::Struct(names, fields) => {
                if let Some(name) = &names.name {
                    Word(name).fmt(f)?;
                }
                write_entries(f, names.fields.iter().map(|name| Word(name)).zip(fields))
            }
            Value::Enum(of, member) => match of.members.get(*member as usize) {
                Some(name) => write!(f, "{}.{}", Word(&of.name), Word(name)),
                None => write!(f, "{}.{member}", Word(&of.name)),
            },
        }
    }
}

fn write_elements(
    f: &mut fmt::Formatter<'_>,
    [open, close]: [&str; 2],
    elements: &[Value],
) -> fmt::Result {
    f.write_str(open)?;
    for (i, element) in elements.iter().enumerate() {
        write!(f, "{}{element}", if i > 0 { ", " } else { "" })?;
    }
    f.write_str(close)
}

fn write_entries<'v, K: fmt::Display>(
    f: &mut fmt::Formatter<'_>,
    entries: impl Iterator<Item = (K, &'v Value)>,
) -> fmt::Result {
    f.write_char('{')?;
    for (i, (key, value)) in entries.enumerate() {
        write!(f, "{}{key}: {value}", if i > 0 { ", " } else { "" })?;
    }
    f.write_char('}')
}

fn write_date(f: &mut fmt::Formatter<'_>, days: i64) -> fmt::Result {
    match calendar::date_of(days) {
        Some((year @ 0..=9999, month, day)) => write!(f, "{year:04}-{month:02}-{day:02}"),
        Some((year, month, day)) => write!(f, "{year:+05}-{month:02}-{day:02}"),
        None => write!(f, "{days} days from 1970"),
    }
}

fn write_clock(f: &mut fmt::Formatter<'_>, micros: i64, nanos: i64) -> fmt::Result {
    let (hours, minutes) = (micros / HOUR, micros % HOUR / MINUTE);
    write!(f, "{hours:02}:{minutes:02}:{:02}", micros % MINUTE / SECOND)?;
    write_fraction(f, micros % SECOND * 1000 + nanos)
}

/// Writes nanoseconds below a second, with three, six or nine digits.
fn write_fraction(f: &mut fmt::Formatter<'_>, nanos: i64) -> fmt::Result {
    match nanos {
        0 => Ok(()),
        _ if nanos % 1_000_000 == 0 => write!(f, ".{:03}", nanos / 1_000_000),
        _ if nanos % 1_000 == 0 => write!(f, ".{:06}", nanos / 1_000),
        _ => write!(f, ".{nanos:09}"),
    }
}

fn write_offset(f: &mut fmt::Formatter<'_>, offset: i64) -> fmt::Result {
    if offset == NO_OFFSET {
        return Ok(());
    }
    let (sign, ahead) = (if offset < 0 { '-' } else { '+' }, offset.abs());
    write!(f, "{sign}{:02}:{:02}", ahead / HOUR, ahead % HOUR / MINUTE)?;
    if ahead % MINUTE == 0 {
        return Ok(());
    }
    write!(f, ":{:02}", ahead % MINUTE / SECOND)?;
    write_fraction(f, ahead % SECOND * 1000)
}

/// Appends an integer in two's complement, in decimal digits.
fn push_integer(bytes: &[u8], text: &mut String) {
    let (negative, words) = radix::magnitude(bytes);
    if negative {
        text.push('-');
    }
    radix::push_digits(&words, text);
}

/// Appends an int's text.
pub fn push_int(small: i64, bytes: &[u8], text: &mut String) {
    match bytes {
        [] => text.push_str(&small.to_string()),
        bytes => push_integer(bytes, text),
    }
}

/// Appends a decimal's text, in the form that Python's `str` gives. Other programs can parse it.
pub fn push_decimal(first: i64, second: i64, bytes: &[u8], text: &mut String) {
    let (kind, exponent) = DecimalKind::split(first);
    let mut digits = String::new();
    match kind {
        DecimalKind::Small => digits.push_str(&second.to_string()),
        DecimalKind::Large => push_integer(bytes, &mut digits),
        DecimalKind::NegativeZero => digits.push_str("-0"),
        DecimalKind::NotFinite => {
            let Some(it) = NotFinite::split(second) else { return };
            if it.negative {
                text.push('-');
            }
            text.push_str(match (it.nan, it.signalling) {
                (false, _) => "Infinity",
                (true, false) => "NaN",
                (true, true) => "sNaN",
            });
            text.extend(bytes.iter().map(|&byte| char::from(byte)));
            return;
        }
    }
    let digits = match digits.strip_prefix('-') {
        Some(rest) => {
            text.push('-');
            rest
        }
        None => &digits,
    };
    // The exponent of the first digit.
    let adjusted = exponent.saturating_add(digits.len() as i64 - 1);
    if exponent > 0 || adjusted < -6 {
        let (first, rest) = digits.split_at(1);
        text.push_str(first);
        if !rest.is_empty() {
            text.push('.');
            text.push_str(rest);
        }
        text.push_str(&format!("E{adjusted:+}"));
        return;
    }
    let after = exponent.unsigned_abs() as usize;
    match digits.len().checked_sub(after) {
        _ if after == 0 => text.push_str(digits),
        None | Some(0) => {
            text.push_str("0.");
            text.extend(std::iter::repeat_n('0', after - digits.len()));
            text.push_str(digits);
        }
        Some(before) => {
            text.push_str(&digits[..before]);
            text.push('.');
            text.push_str(&digits[before..]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(ty: Logical, ints: &[i64], bytes: &[u8]) -> String {
        Composite::of(ty, ints, &[], bytes).unwrap().to_string()
    }

    #[test]
    fn times_are_in_the_form_of_rfc_3339() {
        use Logical::{Date, Duration, Time, TimeTz, Timestamp, TimestampTz};
        let hour = HOUR;
        let cases: &[(Logical, &[i64], &[u8], &str)] = &[
            (Date, &[-1], b"", "1969-12-31"),
            (Date, &[3_000_000], b"", "+10183-09-21"),
            (Date, &[-800_000], b"", "-0221-09-04"),
            (Date, &[i64::MAX], b"", "9223372036854775807 days from 1970"),
            (Time, &[0, 0], b"", "00:00:00"),
            (Time, &[23 * hour + 59 * MINUTE + 1, 2 * 999], b"", "23:59:00.000001999"),
            (TimeTz, &[hour, 0, -hour / 2], b"", "01:00:00-00:30"),
            (TimeTz, &[hour, 0, NO_OFFSET], b"", "01:00:00"),
            (Timestamp, &[-1, 0], b"", "1969-12-31T23:59:59.999999"),
            (TimestampTz, &[hour, 1, 2 * hour], b"Europe/Zurich", "1970-01-01T01:00:00+02:00"),
            (TimestampTz, &[0, 0, -61_000_001], b"", "1970-01-01T00:00:00-00:01:01.000001"),
            (Duration, &[-1, 500_000_000], b"", "-PT0.500S"),
            (Duration, &[90, 1], b"", "PT90.000000001S"),
            (Duration, &[0, 0], b"", "PT0S"),
        ];
        for (ty, ints, bytes, expected) in cases {
            assert_eq!(text(*ty, ints, bytes), *expected);
        }
        let far = Composite::of(Logical::Timestamp, &[0, i64::MAX >> 11 << 11], &[], b"");
        assert!(far.unwrap().to_string().ends_with(" microseconds from 1970"));
    }

    #[test]
    fn numbers_and_others() {
        assert_eq!(text(Logical::Int, &[0], &[0, 0, 0, 0, 0, 0, 0, 0, 1]), "18446744073709551616");
        for (ints, bytes, expected) in [
            ([-8, 1234], &b""[..], "12.34"),
            ([-16, -5], b"", "-0.0005"),
            ([20, 7], b"", "7E+5"),
            ([2 - 4, 0], b"", "-0.0"),
            ([3, 4], b"", "-Infinity"),
            ([3, 1], b"12", "NaN12"),
        ] {
            assert_eq!(text(Logical::Decimal, &ints, bytes), expected);
        }
        let uuid = Composite::uuid(0x0123_4567_89ab_cdef_0123_4567_89ab_cdef);
        assert_eq!(uuid.to_string(), "01234567-89ab-cdef-0123-456789abcdef");
        assert_eq!(Composite::bytes(b"\0\xff").to_string(), "00ff");
        let grid = Composite::nd_array(crate::schema::ElementType::U8, &[2, 1], &[1, 2]);
        assert_eq!(grid.unwrap().to_string(), "ndarray of uint8 x 2 x 1");
    }
}

//! Which of Arrow's types holds the values of a column exactly.
//!
//! Some types of serow have more values than any one type of Arrow: a decimal has its own exponent, a
//! time with a zone has its own zone. So the values decide how such a column is stored: as the plain
//! type that a reader expects, if it holds each of them exactly, and otherwise as a text or as a struct
//! of the components.

use serow_core::error::Fault;
use serow_core::plan::Numbered;
use serow_core::schema::logical::{DecimalKind, microseconds, nanoseconds};
use serow_core::schema::{Logical, Type};
use serow_core::wire::frame::ColumnSet;

use crate::dense::{self, Strings, is_utf8};
use crate::digits;

/// Something that all values of a column may share.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shared<T> {
    /// There are no values.
    Unknown,
    /// All have this.
    One(T),
    /// They differ, or one has none.
    Differing,
}

impl<T: PartialEq> Shared<T> {
    fn add(&mut self, v: T) {
        match self {
            Shared::Unknown => *self = Shared::One(v),
            Shared::One(one) if *one != v => *self = Shared::Differing,
            _ => {}
        }
    }

    fn join(&mut self, other: Shared<T>) {
        match other {
            Shared::Unknown => {}
            Shared::One(v) => self.add(v),
            Shared::Differing => *self = Shared::Differing,
        }
    }
}

/// What the values of one column fit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fit {
    /// Whether Arrow's plain type holds each: UTF-8 a text, 38 digits an int or a decimal, 32 bits a
    /// date, and whole microseconds a time.
    pub plain: bool,
    /// Whether nanoseconds of 64 bits hold each time.
    pub nanos: bool,
    /// The digits after the point of each decimal.
    pub scale: Shared<u8>,
    /// The zone of each time.
    pub zone: Shared<Zone>,
}

/// A zone that is the same for all values of a column of Arrow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Zone {
    /// Arrow's name for it.
    pub name: String,
    /// The key of the zone, if it is no plain offset.
    pub key: String,
}

impl Zone {
    /// The zone of a time with this offset in microseconds and this zone's name, if Arrow's zones tell
    /// the time exactly. Zones with rules do not, without the database of zones.
    fn of(offset: i64, zone: &[u8]) -> Option<Zone> {
        const MINUTE: i64 = 60_000_000;
        match (offset, zone) {
            (0, b"UTC") => Some(Zone { name: "UTC".into(), key: "UTC".into() }),
            (0, b"") => Some(Zone { name: "UTC".into(), key: String::new() }),
            (_, b"") if offset % MINUTE == 0 => {
                let (sign, minutes) = (if offset < 0 { '-' } else { '+' }, (offset / MINUTE).abs());
                let name = format!("{sign}{:02}:{:02}", minutes / 60, minutes % 60);
                Some(Zone { name, key: String::new() })
            }
            _ => None,
        }
    }
}

/// Returns the offset in microseconds of one of Arrow's zones, if it has no rules.
pub fn offset_of_zone(name: &str) -> Option<i64> {
    if matches!(name, "UTC" | "Z" | "Etc/UTC") {
        return Some(0);
    }
    let (sign, time) = match name.as_bytes() {
        [b'+', rest @ ..] => (1, rest),
        [b'-', rest @ ..] => (-1, rest),
        _ => return None,
    };
    let number = |digits: [u8; 2]| {
        let is_number = digits.iter().all(u8::is_ascii_digit);
        is_number.then(|| i64::from(digits[0] - b'0') * 10 + i64::from(digits[1] - b'0'))
    };
    let (hours, minutes) = match *time {
        [a, b, b':', c, d] | [a, b, c, d] => (number([a, b])?, number([c, d])?),
        [a, b] => (number([a, b])?, 0),
        _ => return None,
    };
    (hours < 24 && minutes < 60).then_some(sign * (hours * 60 + minutes) * 60_000_000)
}

impl Default for Fit {
    fn default() -> Fit {
        Fit { plain: true, nanos: true, scale: Shared::Unknown, zone: Shared::Unknown }
    }
}

/// What the values of all texts and of all values of several components fit, in the order of the schema.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Fits(Vec<Fit>);

impl Fits {
    /// Looks at the columns of `set`. The set must have the columns of `root`.
    ///
    /// # Errors
    /// A fault if the columns are damaged or memory runs out.
    pub fn of(root: &Numbered<'_>, set: &ColumnSet<'_>) -> Result<Fits, Fault> {
        let mut fits = Fits::default();
        fits.add(root, set)?;
        Ok(fits)
    }

    /// Makes these the fits of the values of `other`, too, which has the same schema.
    pub fn join(&mut self, other: Fits) {
        if self.0.is_empty() {
            self.0 = other.0;
            return;
        }
        for (fit, other) in self.0.iter_mut().zip(other.0) {
            fit.plain &= other.plain;
            fit.nanos &= other.nanos;
            fit.scale.join(other.scale);
            fit.zone.join(other.zone);
        }
    }

    /// Takes the fits in their order. Those that were not looked at fit everything.
    pub(crate) fn iter(&self) -> impl Iterator<Item = Fit> {
        self.0.iter().cloned().chain(std::iter::repeat_with(Fit::default))
    }

    fn add(&mut self, node: &Numbered<'_>, set: &ColumnSet<'_>) -> Result<(), Fault> {
        match node.ty {
            Type::Str => {
                let text = &set.strs[node.first.strs as usize].text;
                let plain = is_utf8(text);
                self.0.push(Fit { plain, ..Fit::default() });
            }
            Type::Logical(logical) => self.0.push(fit_of(*logical, node, set)?),
            _ => {}
        }
        node.within.iter().try_for_each(|part| self.add(part, set))
    }
}

fn fit_of(ty: Logical, node: &Numbered<'_>, set: &ColumnSet<'_>) -> Result<Fit, Fault> {
    let mut fit = Fit::default();
    let int = |n: u32| dense::ints(set, node.first.ints + n);
    let strings = || Strings::of(set, node.first.strs);
    match ty {
        Logical::Bytes | Logical::ByteArray | Logical::Uuid | Logical::Complex => {}
        Logical::Int => {
            fit.plain = strings()?.entries().all(|bytes| digits::of_38_digits(bytes).is_some());
        }
        Logical::Date => fit.plain = int(0)?.iter().all(|&days| i32::try_from(days).is_ok()),
        Logical::Decimal => {
            fit.plain = strings()?.entries().all(|bytes| digits::of_38_digits(bytes).is_some());
            for first in int(0)? {
                let (kind, exponent) = DecimalKind::split(first);
                let is_finite = matches!(kind, DecimalKind::Small | DecimalKind::Large);
                match u8::try_from(exponent.wrapping_neg()) {
                    Ok(scale @ 0..=38) if is_finite => fit.scale.add(scale),
                    _ => fit.scale = Shared::Differing,
                }
            }
        }
        Logical::Time => {
            for rest in int(1)? {
                fit.plain &= rest == 0;
                fit.nanos &= rest & 1 == 0;
            }
        }
        Logical::Duration => {
            for (seconds, nanos) in int(0)?.into_iter().zip(int(1)?) {
                let all = i128::from(seconds) * 1_000_000_000 + i128::from(nanos);
                fit.plain &= nanos % 1_000 == 0 && i64::try_from(all / 1_000).is_ok();
                fit.nanos &= i64::try_from(all).is_ok();
            }
        }
        Logical::Timestamp | Logical::TimestampTz => {
            let (micros, rests) = (int(0)?, int(1)?);
            let offsets = match ty {
                Logical::Timestamp => vec![0; micros.len()],
                _ => int(2)?,
            };
            for ((&micros, &rest), &offset) in micros.iter().zip(&rests).zip(&offsets) {
                let micros = microseconds(micros, rest) - i128::from(offset);
                let all = micros * 1_000 + i128::from(nanoseconds(rest));
                let is_first = rest & 1 == 0;
                fit.plain &= rest == 0 && i64::try_from(micros).is_ok();
                fit.nanos &= is_first && i64::try_from(all).is_ok();
            }
            if ty == Logical::TimestampTz {
                let zones = strings()?;
                let mut last = None;
                for (i, offset) in offsets.into_iter().enumerate() {
                    let of = (offset, zones.get(i));
                    if last == Some(of) {
                        continue;
                    }
                    last = Some(of);
                    match Zone::of(offset, of.1) {
                        Some(zone) => fit.zone.add(zone),
                        None => fit.zone = Shared::Differing,
                    }
                }
            }
        }
        Logical::TimeTz => {
            (fit.plain, fit.nanos) = (false, false);
            if !strings()?.is_utf8() {
                return Err(BAD_ZONE);
            }
        }
    }
    if ty == Logical::TimestampTz && fit.zone == Shared::Differing && !strings()?.is_utf8() {
        return Err(BAD_ZONE);
    }
    Ok(fit)
}

/// Arrow's strings have no lone surrogates.
const BAD_ZONE: Fault = Fault::Corrupt("the name of a time's zone has a lone surrogate");

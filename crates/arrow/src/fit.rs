//! Which of Arrow's types holds the values of a column exactly.
//!
//! Some types of serow have more values than any one type of Arrow: a decimal has its own exponent, a
//! time with a zone has its own zone. So the values decide how such a column is stored: as the plain
//! type that a reader expects, if it holds each of them exactly, and otherwise as a text or as a struct
//! of the components. Each array of any number of dimensions has its own shape, so the
//! type of a column of arrays depends on their shapes, too.

use serow_core::error::Fault;
use serow_core::plan::Numbered;
use serow_core::schema::logical::{DecimalKind, microseconds, nanoseconds};
use serow_core::schema::nd_array::Shape;
use serow_core::schema::{ElementType, Logical, Type};
use serow_core::wire::frame::ColumnSet;

use crate::dense::{self, Strings, is_utf8};
use crate::digits;
use crate::tensors;
use crate::zones::{Zone, Zones};

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
    /// date, whole microseconds a time, and lists of lists an array.
    pub plain: bool,
    /// Whether nanoseconds of 64 bits hold each time.
    pub nanos: bool,
    /// Whether 64 bits without a sign hold the ints.
    pub unsigned: Shared<bool>,
    /// The digits after the point of each decimal.
    pub scale: Shared<u8>,
    /// The zone of each time.
    pub zone: Shared<Zone>,
    /// The elements of each array.
    pub elements: Shared<Elements>,
    /// The lengths of each array.
    pub shape: Shared<Vec<usize>>,
    /// The slots of a batch without an array, beyond some for each array. Tensors take memory there.
    pub vacant: usize,
}

/// What arrays have in common that may become lists of lists of one type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Elements {
    /// The type of the elements.
    pub of: ElementType,
    /// Whether their bytes were in the other order at the source.
    pub is_big_endian: bool,
    /// The number of dimensions.
    pub dimensions: usize,
}

impl Fit {
    /// Adds a time in microseconds since 1970, with its nanoseconds and whether it is the second of two
    /// equal times. `is_second` says whether a reader of Arrow's type would say so.
    fn add_moment(&mut self, micros: i128, rest: i64, is_second: bool) {
        let is_told = (rest & 1 == 1) == is_second;
        let nanos = micros * 1_000 + i128::from(nanoseconds(rest));
        self.plain &= is_told && nanoseconds(rest) == 0 && i64::try_from(micros).is_ok();
        self.nanos &= is_told && i64::try_from(nanos).is_ok();
    }
}

impl Default for Fit {
    fn default() -> Fit {
        Fit {
            plain: true,
            nanos: true,
            unsigned: Shared::Unknown,
            scale: Shared::Unknown,
            zone: Shared::Unknown,
            elements: Shared::Unknown,
            shape: Shared::Unknown,
            vacant: 0,
        }
    }
}

/// Slots without an array for each array that a column of tensors may have anyway.
const VACANT: usize = 3;

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
        fits.add(root, set, set.rows)?;
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
            fit.unsigned.join(other.unsigned);
            fit.scale.join(other.scale);
            fit.zone.join(other.zone);
            fit.elements.join(other.elements);
            fit.shape.join(other.shape);
            fit.vacant = fit.vacant.max(other.vacant);
        }
    }

    /// Takes the fits in their order. Those that were not looked at fit everything.
    pub(crate) fn iter(&self) -> impl Iterator<Item = Fit> {
        self.0.iter().cloned().chain(std::iter::repeat_with(Fit::default))
    }

    /// Adds the fits of the columns of `node`, a part of the rows. Its column has `slots` values and nulls.
    fn add(&mut self, node: &Numbered<'_>, set: &ColumnSet<'_>, slots: usize) -> Result<(), Fault> {
        let within = match node.ty {
            Type::Str => {
                let text = &set.strs[node.first.strs as usize].text;
                let plain = is_utf8(text);
                self.0.push(Fit { plain, ..Fit::default() });
                0
            }
            Type::Logical(logical) => {
                self.0.push(fit_of(*logical, node, set, slots)?);
                0
            }
            Type::Sequence(..) | Type::Map(..) if has_arrays(node) => {
                dense::ints(set, node.first.ints)?.into_iter().map(|len| len as usize).sum()
            }
            // Each slot of an arm has a value.
            Type::Union(_) => 0,
            _ => slots,
        };
        node.within.iter().try_for_each(|part| self.add(part, set, within))
    }
}

fn has_arrays(node: &Numbered<'_>) -> bool {
    *node.ty == Type::Logical(Logical::NdArray) || node.within.iter().any(has_arrays)
}

fn fit_of(
    ty: Logical,
    node: &Numbered<'_>,
    set: &ColumnSet<'_>,
    slots: usize,
) -> Result<Fit, Fault> {
    let mut fit = Fit::default();
    let int = |n: u32| dense::ints(set, node.first.ints + n);
    let strings = || Strings::of(set, node.first.strs);
    match ty {
        Logical::Bytes | Logical::ByteArray | Logical::Uuid | Logical::Complex => {}
        Logical::F32 | Logical::I8 | Logical::I16 | Logical::I32 => {}
        Logical::U8 | Logical::U16 | Logical::U32 | Logical::U64 => {}
        Logical::NdArray => {
            let (codes, strings) = (int(0)?, strings()?);
            fit.vacant = slots.saturating_sub(codes.len().saturating_mul(1 + VACANT));
            let mut shape: Shared<Shape<'_>> = Shared::Unknown;
            let mut last = None;
            for array in tensors::arrays(&codes, &strings)? {
                fit.elements.add(Elements {
                    of: array.of,
                    is_big_endian: array.is_big_endian,
                    dimensions: array.shape.dimensions(),
                });
                if last != Some(array.shape) {
                    shape.add(array.shape);
                    fit.plain &= array.are_lists_it();
                    last = Some(array.shape);
                }
            }
            fit.shape = match shape {
                Shared::Unknown => Shared::Unknown,
                Shared::One(shape) => Shared::One(shape.lengths().collect()),
                Shared::Differing => Shared::Differing,
            };
        }
        Logical::Int => {
            let (small, strings) = (int(0)?, strings()?);
            let mut unsigned = small.iter().all(|&v| v >= 0);
            for bytes in strings.entries() {
                let wide = digits::of_38_digits(bytes);
                fit.plain &= wide.is_some();
                unsigned &= wide.is_some_and(|v| u64::try_from(v).is_ok());
            }
            if !small.is_empty() {
                fit.unsigned.add(unsigned);
            }
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
        Logical::Timestamp => {
            for (micros, rest) in int(0)?.into_iter().zip(int(1)?) {
                fit.add_moment(microseconds(micros, rest), rest, false);
            }
        }
        Logical::TimestampTz => {
            let (micros, rests, offsets) = (int(0)?, int(1)?, int(2)?);
            let (keys, mut zones) = (strings()?, Zones::default());
            for (i, &offset) in offsets.iter().enumerate() {
                let utc = microseconds(micros[i], rests[i]) - i128::from(offset);
                let key = keys.get(i);
                let is_new = zones.is_other(offset, key);
                let told = zones.tell(offset, key, utc);
                fit.add_moment(utc, rests[i], told.is_some_and(|is_second| is_second));
                match zones.zone() {
                    Some(zone) if told.is_some() => {
                        if is_new {
                            fit.zone.add(zone.clone());
                        }
                    }
                    _ => fit.zone = Shared::Differing,
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

//! Numbers in a type of Arrow that a caller wants. Each is stored exactly, or is an error.

use arrow_array::ArrowPrimitiveType;
use arrow_array::types::Float16Type;
use arrow_schema::DataType;
use serow_core::memory;
use serow_core::plan::Numbered;
use serow_core::schema::logical::DecimalKind;
use serow_core::schema::{Logical, Type};
use serow_core::value::text;

use super::{Export, Made, Part, flat};
use crate::dense;
use crate::digits;
use crate::failure::wrong;
use crate::pool::{self, Pooled};
use crate::slots::Slots;

/// A number of any of serow's types.
#[derive(Clone, Copy, Debug)]
pub(super) enum Number {
    /// The digits, and how many of them are after the point.
    Decimal(i128, i8),
    Float(f64),
}

impl Number {
    /// The integer that equals it.
    fn integer(self) -> Option<i128> {
        match self {
            Number::Decimal(..) => self.digits(0),
            // `as` saturates, and no float equals the largest integer.
            Number::Float(v) => Some(v as i128).filter(|&int| int as f64 == v && int != i128::MAX),
        }
    }

    /// The float that equals it.
    fn float(self) -> Option<f64> {
        match self {
            Number::Float(v) => Some(v),
            Number::Decimal(..) => {
                let int = self.integer()?;
                Some(int as f64).filter(|v| Number::Float(*v).integer() == Some(int))
            }
        }
    }

    /// The digits of the decimal with `scale` digits after the point that equals it.
    fn digits(self, scale: i8) -> Option<i128> {
        let (digits, from) = match self {
            Number::Decimal(digits, from) => (digits, from),
            Number::Float(_) => (self.integer()?, 0),
        };
        let more = i32::from(scale) - i32::from(from);
        let factor = 10i128.checked_pow(more.unsigned_abs())?;
        match more >= 0 {
            true => digits.checked_mul(factor),
            false => Some(digits / factor).filter(|_| digits % factor == 0),
        }
    }

    /// The bits of the value of `ty` that equals it.
    fn bits(self, ty: &DataType) -> Option<i128> {
        type Half = <Float16Type as ArrowPrimitiveType>::Native;
        match *ty {
            DataType::Float64 => Some(self.float()?.to_bits().into()),
            DataType::Float32 => {
                let wide = self.float()?;
                let narrow = wide as f32;
                (f64::from(narrow) == wide || wide.is_nan()).then_some(narrow.to_bits().into())
            }
            DataType::Float16 => {
                let wide = self.float()?;
                let narrow = Half::from_f64(wide);
                (narrow.to_f64() == wide || wide.is_nan()).then_some(narrow.to_bits().into())
            }
            DataType::Decimal32(precision, scale)
            | DataType::Decimal64(precision, scale)
            | DataType::Decimal128(precision, scale) => {
                let end = 10u128.checked_pow(precision.into())?;
                self.digits(scale).filter(|digits| digits.unsigned_abs() < end)
            }
            _ => {
                let bits = 8 * ty.primitive_width()?;
                let range = match ty.is_unsigned_integer() {
                    true => 0..1 << bits,
                    false => -(1 << (bits - 1))..1 << (bits - 1),
                };
                self.integer().filter(|int| range.contains(int))
            }
        }
    }

    fn text(self) -> String {
        match self {
            Number::Float(v) => v.to_string(),
            Number::Decimal(digits, 0) => digits.to_string(),
            Number::Decimal(digits, scale) => format!("{digits}E{}", -i32::from(scale)),
        }
    }
}

impl Export<'_, '_> {
    /// The array of values that are numbers, if its type is one of numbers.
    pub(super) fn numbers_array(&self, part: Part<'_>) -> Made {
        match is_number(part.ty()) {
            true => array_of_numbers(&self.numbers(part.node)?, part.ty(), part.slots),
            false => part.unstorable(),
        }
    }

    /// The values of a type of numbers, or of a union of such types.
    fn numbers(&self, node: &Numbered<'_>) -> Made<Vec<Number>> {
        Ok(match node.ty {
            Type::I64 => {
                let ints = self.ints(node, 0)?.into_iter();
                ints.map(|v| Number::Decimal(v.into(), 0)).collect()
            }
            Type::F64 | Type::Logical(Logical::F32) => {
                let floats = dense::floats(self.set, node.first.floats)?.into_iter();
                floats.map(Number::Float).collect()
            }
            Type::Logical(ty @ (Logical::Int | Logical::Decimal)) => {
                self.large_numbers(*ty, node)?
            }
            Type::Logical(ty) if ty.is_sized_number() => {
                let of = ty.number().unwrap_or(serow_core::number::Number::U64);
                let ints = self.ints(node, 0)?.into_iter();
                ints.map(|v| Number::Decimal(of.int_of(v), 0)).collect()
            }
            Type::Union(_) => {
                let arms = node.within.iter().map(|arm| Ok(self.numbers(arm)?.into_iter()));
                let mut arms = arms.collect::<Made<Vec<_>>>()?;
                let mut all =
                    memory::with_capacity(self.set.ints[node.first.ints as usize].left())?;
                for arm in self.ints(node, 0)? {
                    all.extend(arms.get_mut(arm as usize).and_then(Iterator::next));
                }
                all
            }
            ty => return wrong(format!("values of {ty} are no numbers")),
        })
    }

    fn large_numbers(&self, ty: Logical, node: &Numbered<'_>) -> Made<Vec<Number>> {
        let (strings, first) = (self.strings(node)?, self.ints(node, 0)?);
        let second = if ty == Logical::Int { Vec::new() } else { self.ints(node, 1)? };
        let mut all = memory::with_capacity(first.len())?;
        for (i, &first) in first.iter().enumerate() {
            let (small, scale) = match second.get(i) {
                None => (first, Some(0)),
                Some(&small) => {
                    let (kind, exponent) = DecimalKind::split(first);
                    let is_finite = matches!(kind, DecimalKind::Small | DecimalKind::Large);
                    (small, i8::try_from(-exponent).ok().filter(|_| is_finite))
                }
            };
            let digits = match strings.get(i) {
                [] => Some(i128::from(small)),
                bytes => digits::of_38_digits(bytes),
            };
            let (Some(digits), Some(scale)) = (digits, scale) else {
                let mut text = String::new();
                match second.get(i) {
                    None => text::push_int(first, strings.get(i), &mut text),
                    Some(&second) => {
                        text::push_decimal(first, second, strings.get(i), &mut text);
                    }
                }
                return wrong(format!("{text} has no 38 digits, or more places than they have"));
            };
            all.push(Number::Decimal(digits, scale));
        }
        Ok(all)
    }
}

/// Whether numbers may become values of this type.
pub(super) fn is_number(ty: &DataType) -> bool {
    ty.is_numeric() && !matches!(ty, DataType::Decimal256(..))
}

/// The array of `ty`, a type of numbers, of the numbers that are in `slots`.
pub(super) fn array_of_numbers(numbers: &[Number], ty: &DataType, slots: &Slots) -> Made {
    match ty.primitive_width() {
        Some(1) => fitting(numbers, ty, slots, |bits| bits as i8),
        Some(2) => fitting(numbers, ty, slots, |bits| bits as i16),
        Some(4) => fitting(numbers, ty, slots, |bits| bits as i32),
        Some(8) => fitting(numbers, ty, slots, |bits| bits as i64),
        _ => fitting(numbers, ty, slots, |bits| bits),
    }
}

/// An array of type `ty` with these numbers. A value of `ty` has the same bits as a `T`.
fn fitting<T: Pooled + Default>(
    numbers: &[Number],
    ty: &DataType,
    slots: &Slots,
    value: fn(i128) -> T,
) -> Made {
    let mut values = pool::take(numbers.len())?;
    for (i, number) in numbers.iter().enumerate() {
        let Some(bits) = number.bits(ty) else {
            let slot = (0..slots.len()).filter(|&slot| slots.has(slot)).nth(i).unwrap_or(i);
            let number = number.text();
            return wrong(format!("{ty} does not hold {number} exactly, in slot {slot}"));
        };
        values.push(value(bits));
    }
    flat(values, ty, slots)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_become_what_equals_them() {
        let decimal = Number::Decimal;
        assert_eq!(decimal(150, 2).digits(1), Some(15));
        assert_eq!(decimal(155, 2).digits(1), None);
        assert_eq!(decimal(-15, 1).digits(3), Some(-1500));
        assert_eq!(decimal(5, -2).integer(), Some(500));
        assert_eq!(decimal(1, 0).digits(39), None);
        assert_eq!(Number::Float(3.0).digits(2), Some(300));
        assert_eq!(Number::Float(1.5).integer(), None);
        assert_eq!(Number::Float(f64::INFINITY).integer(), None);
        assert_eq!(Number::Float(f64::NAN).integer(), None);
        assert_eq!(decimal((1 << 53) + 1, 0).float(), None);
        assert_eq!(decimal(1 << 60, 0).float(), Some((1u64 << 60) as f64));
        assert_eq!(decimal(25, 1).float(), None);
    }
}

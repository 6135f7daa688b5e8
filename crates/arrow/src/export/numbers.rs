//! Numbers in a type of Arrow that a caller wants. Each is stored exactly, or is an error.

use std::sync::Arc;

use arrow_array::types::{
    Decimal32Type, Decimal64Type, Decimal128Type, DecimalType, Float16Type, Float32Type,
    Float64Type, Int8Type, Int16Type, Int32Type, Int64Type, UInt8Type, UInt16Type, UInt32Type,
    UInt64Type,
};
use arrow_array::{ArrayRef, ArrowPrimitiveType, PrimitiveArray};
use arrow_buffer::NullBuffer;
use arrow_schema::DataType;
use serow_core::memory;
use serow_core::plan::Numbered;
use serow_core::schema::logical::DecimalKind;
use serow_core::schema::{Logical, Type};

use super::{Export, Made, wrong};
use crate::dense;
use crate::digits;
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

    fn text(self) -> String {
        match self {
            Number::Float(v) => v.to_string(),
            Number::Decimal(digits, 0) => digits.to_string(),
            Number::Decimal(digits, scale) => format!("{digits}E{}", -i32::from(scale)),
        }
    }
}

impl Export<'_, '_> {
    /// The array of the wanted type of values that are numbers, if it is one of numbers.
    pub(super) fn numbers_array(
        &self,
        node: &Numbered<'_>,
        wanted: &DataType,
        slots: &Slots,
        nulls: Option<NullBuffer>,
    ) -> Made<Option<ArrayRef>> {
        array_of_numbers(|| self.numbers(node), wanted, slots, nulls)
    }

    /// The values of a type of numbers, or of a union of such types.
    fn numbers(&self, node: &Numbered<'_>) -> Made<Vec<Number>> {
        Ok(match node.ty {
            Type::I64 => {
                let ints = self.ints(node, 0)?.into_iter();
                ints.map(|v| Number::Decimal(v.into(), 0)).collect()
            }
            Type::F64 => {
                let floats = dense::floats(self.set, node.first.floats)?.into_iter();
                floats.map(Number::Float).collect()
            }
            Type::Logical(ty @ (Logical::Int | Logical::Decimal)) => {
                self.large_numbers(*ty, node)?
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
                    None => digits::push_int(first, strings.get(i), &mut text),
                    Some(&second) => {
                        digits::push_decimal(first, second, strings.get(i), &mut text);
                    }
                }
                return wrong(format!("{text} has no 38 digits, or more places than they have"));
            };
            all.push(Number::Decimal(digits, scale));
        }
        Ok(all)
    }
}

/// The array of the wanted type of the numbers that are in `slots`, if it is one of numbers.
pub(super) fn array_of_numbers(
    numbers: impl FnOnce() -> Made<Vec<Number>>,
    wanted: &DataType,
    slots: &Slots,
    nulls: Option<NullBuffer>,
) -> Made<Option<ArrayRef>> {
    macro_rules! fitting {
        ($ty:ty, $fit:expr) => {
            fitting::<$ty>(numbers()?, wanted, slots, nulls, $fit)?
        };
    }
    macro_rules! int {
        ($ty:ty) => {
            fitting!($ty, |v| v.integer()?.try_into().ok())
        };
    }
    macro_rules! decimal {
        ($ty:ty, $precision:expr, $scale:expr) => {
            fitting!($ty, |v| {
                let digits = v.digits($scale)?.try_into().ok()?;
                <$ty>::is_valid_decimal_precision(digits, $precision).then_some(digits)
            })
        };
    }
    type Half = <Float16Type as ArrowPrimitiveType>::Native;
    Ok(Some(match *wanted {
        DataType::Int8 => int!(Int8Type),
        DataType::Int16 => int!(Int16Type),
        DataType::Int32 => int!(Int32Type),
        DataType::Int64 => int!(Int64Type),
        DataType::UInt8 => int!(UInt8Type),
        DataType::UInt16 => int!(UInt16Type),
        DataType::UInt32 => int!(UInt32Type),
        DataType::UInt64 => int!(UInt64Type),
        DataType::Float64 => fitting!(Float64Type, Number::float),
        DataType::Float32 => fitting!(Float32Type, |v| {
            let wide = v.float()?;
            let narrow = wide as f32;
            (f64::from(narrow) == wide || wide.is_nan()).then_some(narrow)
        }),
        DataType::Float16 => fitting!(Float16Type, |v| {
            let wide = v.float()?;
            let narrow = Half::from_f64(wide);
            (narrow.to_f64() == wide || wide.is_nan()).then_some(narrow)
        }),
        DataType::Decimal32(precision, scale) => decimal!(Decimal32Type, precision, scale),
        DataType::Decimal64(precision, scale) => decimal!(Decimal64Type, precision, scale),
        DataType::Decimal128(precision, scale) => decimal!(Decimal128Type, precision, scale),
        _ => return Ok(None),
    }))
}

/// The array of `T` whose values are what `fit` gives for each number.
fn fitting<T: ArrowPrimitiveType>(
    numbers: Vec<Number>,
    wanted: &DataType,
    slots: &Slots,
    nulls: Option<NullBuffer>,
    fit: impl Fn(Number) -> Option<T::Native>,
) -> Made {
    let mut values = memory::with_capacity(slots.len())?;
    let mut given = numbers.into_iter();
    for slot in 0..slots.len() {
        if !slots.has(slot) {
            values.push(T::Native::default());
            continue;
        }
        let Some(number) = given.next() else { break };
        match fit(number) {
            Some(value) => values.push(value),
            None => {
                return wrong(format!(
                    "{wanted} does not hold {} exactly, in slot {slot}",
                    number.text()
                ));
            }
        }
    }
    let array = PrimitiveArray::<T>::try_new(values.into(), nulls)?;
    Ok(Arc::new(array.with_data_type(wanted.clone())))
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

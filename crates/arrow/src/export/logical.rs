//! Values of several components.

use std::sync::Arc;

use arrow_array::types::{
    Date32Type, Decimal128Type, DurationMicrosecondType, DurationMillisecondType,
    DurationNanosecondType, DurationSecondType, Int64Type, Time32MillisecondType, Time32SecondType,
    Time64MicrosecondType, Time64NanosecondType, TimestampMicrosecondType,
    TimestampMillisecondType, TimestampNanosecondType, TimestampSecondType,
};
use arrow_array::{
    ArrayRef, ArrowPrimitiveType, FixedSizeBinaryArray, Float64Array, PrimitiveArray, StringArray,
    StructArray, UInt64Array,
};
use arrow_buffer::{Buffer, NullBuffer};
use arrow_schema::{DataType, Field, Fields, TimeUnit};
use serow_core::plan::Numbered;
use serow_core::schema::Logical;
use serow_core::schema::logical::{DecimalKind, microseconds, nanoseconds};

use super::{Export, Made, digits_array, gathered, primitive, texts, unstorable, wrong};
use crate::pool::{self, Pooled};
use crate::slots::Slots;
use crate::{dense, digits};

impl Export<'_, '_> {
    pub(super) fn logical(
        &self,
        ty: Logical,
        node: &Numbered<'_>,
        field: &Field,
        slots: &Slots,
        nulls: Option<NullBuffer>,
    ) -> Made {
        let data_type = field.data_type();
        let values: Vec<i64> = match (ty, data_type) {
            (Logical::Bytes | Logical::ByteArray, _) => {
                return texts::in_form(self.strings_array(node, false, slots, nulls)?, data_type);
            }
            (Logical::Int | Logical::Decimal, _) => {
                return self.number(ty, node, field, slots, nulls);
            }
            (Logical::Uuid, DataType::FixedSizeBinary(16)) => {
                let (high, low) = (self.ints(node, 0)?, self.ints(node, 1)?);
                let mut ids = pool::take::<i128>(slots.len())?;
                ids.extend(
                    high.into_iter().zip(low).map(|(high, low)| {
                        (i128::from(high) << 64 | i128::from(low as u64)).to_be()
                    }),
                );
                let bytes = pool::buffer(slots.spread(ids)?);
                return Ok(Arc::new(FixedSizeBinaryArray::try_new(16, bytes, nulls)?));
            }
            (Logical::NdArray, _) => return self.tensors(node, field, slots, nulls),
            (_, DataType::Struct(fields)) => {
                return self.components(ty, node, fields, slots, nulls);
            }
            (Logical::Date, _) => self.ints(node, 0)?,
            _ => self.moments(ty, node, field)?,
        };
        macro_rules! of_unit {
            ($unit:expr, $($name:ident => $ty:ty),*) => {
                match $unit {
                    $(TimeUnit::$name => primitive::<$ty>(values, slots, nulls, field)?,)*
                }
            };
        }
        Ok(match (ty, data_type) {
            (Logical::Date, DataType::Date32) => small::<Date32Type>(values, slots, nulls, field)?,
            (Logical::Date, DataType::Int64) => {
                primitive::<Int64Type>(values, slots, nulls, field)?
            }
            (_, DataType::Time32(TimeUnit::Second)) => {
                small::<Time32SecondType>(values, slots, nulls, field)?
            }
            (_, DataType::Time32(_)) => {
                small::<Time32MillisecondType>(values, slots, nulls, field)?
            }
            (_, DataType::Time64(TimeUnit::Microsecond)) => {
                primitive::<Time64MicrosecondType>(values, slots, nulls, field)?
            }
            (_, DataType::Time64(_)) => {
                primitive::<Time64NanosecondType>(values, slots, nulls, field)?
            }
            (_, DataType::Timestamp(unit, _)) => of_unit!(unit,
                Second => TimestampSecondType, Millisecond => TimestampMillisecondType,
                Microsecond => TimestampMicrosecondType, Nanosecond => TimestampNanosecondType),
            (_, DataType::Duration(unit)) => of_unit!(unit,
                Second => DurationSecondType, Millisecond => DurationMillisecondType,
                Microsecond => DurationMicrosecondType, Nanosecond => DurationNanosecondType),
            _ => return unstorable(node, field),
        })
    }

    /// Converts times and durations to the unit of their array, and times with a zone to UTC.
    fn moments(&self, ty: Logical, node: &Numbered<'_>, field: &Field) -> Made<Vec<i64>> {
        let unit = match (ty, field.data_type()) {
            (Logical::Time, DataType::Time32(unit) | DataType::Time64(unit))
            | (Logical::Timestamp, DataType::Timestamp(unit, None))
            | (Logical::TimestampTz, DataType::Timestamp(unit, Some(_)))
            | (Logical::Duration, DataType::Duration(unit)) => unit,
            _ => return unstorable(node, field),
        };
        let in_unit = match unit {
            TimeUnit::Second => 1_000_000_000,
            TimeUnit::Millisecond => 1_000_000,
            TimeUnit::Microsecond => 1_000,
            TimeUnit::Nanosecond => 1,
        };
        let (first, second) = (self.ints(node, 0)?, self.ints(node, 1)?);
        let offsets = match ty {
            Logical::TimestampTz => self.ints(node, 2)?,
            _ => Vec::new(),
        };
        let mut values = pool::take(first.len())?;
        for (i, (first, second)) in first.into_iter().zip(second).enumerate() {
            let nanos = match ty {
                Logical::Duration => i128::from(first) * 1_000_000_000 + i128::from(second),
                _ => {
                    let offset = offsets.get(i).copied().unwrap_or(0);
                    let micros = microseconds(first, second) - i128::from(offset);
                    micros * 1_000 + i128::from(nanoseconds(second))
                }
            };
            match i64::try_from(nanos / in_unit) {
                Ok(value) if nanos % in_unit == 0 => values.push(value),
                _ => {
                    return wrong(format!(
                        "{} does not hold {nanos} nanoseconds exactly",
                        field.data_type()
                    ));
                }
            }
        }
        Ok(values)
    }

    /// Ints and decimals of any size: 64 bits without a sign, 38 digits, text, or any type of numbers.
    fn number(
        &self,
        ty: Logical,
        node: &Numbered<'_>,
        field: &Field,
        slots: &Slots,
        nulls: Option<NullBuffer>,
    ) -> Made {
        let (is_int, data_type) = (ty == Logical::Int, field.data_type());
        let (strings, first) = (self.strings(node)?, self.ints(node, 0)?);
        let second = if is_int { Vec::new() } else { self.ints(node, 1)? };
        if texts::is_text(data_type) {
            return digits_array(first.len(), data_type, slots, nulls, |i, text| match is_int {
                true => digits::push_int(first[i], strings.get(i), text),
                false => digits::push_decimal(first[i], second[i], strings.get(i), text),
            });
        }
        // The types that `fit` finds, in which all numbers are as they are.
        let scale = match *data_type {
            DataType::Decimal128(38, scale) if !is_int || scale == 0 => Some(scale),
            DataType::UInt64 if is_int => Some(0),
            _ => None,
        };
        if let Some(scale) = scale {
            let of_scale = |kind: DecimalKind| is_int.then_some(0).or(kind.join(-i64::from(scale)));
            let (small, large) = (of_scale(DecimalKind::Small), of_scale(DecimalKind::Large));
            let digits = (0..first.len()).map(|i| {
                let (part, int) = if is_int { (0, first[i]) } else { (first[i], second[i]) };
                match strings.get(i) {
                    [] => Some(i128::from(int)).filter(|_| Some(part) == small),
                    bytes => digits::of_38_digits(bytes).filter(|_| Some(part) == large),
                }
            });
            let array: Option<ArrayRef> = if *data_type == DataType::UInt64 {
                let values = all(digits.map(|v| u64::try_from(v?).ok()), slots)?;
                values.map(|values| Arc::new(UInt64Array::new(values.into(), nulls.clone())) as _)
            } else {
                let values = all(digits, slots)?;
                let array = |values: Buffer| {
                    let array = PrimitiveArray::<Decimal128Type>::new(values.into(), nulls.clone());
                    array.with_precision_and_scale(38, scale)
                };
                values.map(array).transpose()?.map(|array| Arc::new(array) as _)
            };
            if let Some(array) = array {
                return Ok(array);
            }
        }
        match self.numbers_array(node, data_type, slots, nulls)? {
            Some(array) => Ok(array),
            None => unstorable(node, field),
        }
    }

    /// A struct of the components of values.
    fn components(
        &self,
        ty: Logical,
        node: &Numbered<'_>,
        fields: &Fields,
        slots: &Slots,
        nulls: Option<NullBuffer>,
    ) -> Made {
        let counts = ty.counts();
        let mut arrays: Vec<ArrayRef> = Vec::with_capacity(fields.len());
        for (n, field) in (0..counts.ints as u32).zip(fields) {
            arrays.push(primitive::<Int64Type>(self.values(node, n)?, slots, None, field)?);
        }
        for n in 0..counts.floats as u32 {
            let floats = slots.spread(dense::floats(self.set, node.first.floats + n)?)?;
            arrays.push(Arc::new(Float64Array::new(pool::buffer(floats).into(), None)));
        }
        if counts.bytes > 0 {
            let (offsets, text) = gathered(&self.strings(node)?, slots)?;
            arrays.push(Arc::new(StringArray::try_new(offsets, text, None)?));
        }
        Ok(Arc::new(StructArray::try_new_with_length(fields.clone(), arrays, nulls, slots.len())?))
    }
}

/// The values in their slots, if there are all.
fn all<T: Pooled + Default>(
    values: impl Iterator<Item = Option<T>>,
    slots: &Slots,
) -> Made<Option<Buffer>> {
    let count = values.size_hint().0;
    let mut there = pool::take(slots.len().max(count))?;
    there.extend(values.map_while(|value| value));
    match there.len() == count {
        true => Ok(Some(pool::buffer(slots.spread(there)?))),
        false => Ok(None),
    }
}

/// Like [`primitive`], for types of 32 bits.
fn small<T: ArrowPrimitiveType<Native = i32>>(
    values: Vec<i64>,
    slots: &Slots,
    nulls: Option<NullBuffer>,
    field: &Field,
) -> Made {
    let mut narrow = pool::take(slots.len())?;
    for value in values {
        match i32::try_from(value) {
            Ok(value) => narrow.push(value),
            Err(_) => return wrong(format!("{} does not hold {value}", field.data_type())),
        }
    }
    let array = PrimitiveArray::<T>::new(pool::buffer(slots.spread(narrow)?).into(), nulls);
    Ok(Arc::new(array.with_data_type(field.data_type().clone())))
}

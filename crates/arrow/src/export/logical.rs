//! Values of several components.

use arrow_schema::{DataType, Fields, TimeUnit};
use serow_core::number::narrowed;
use serow_core::schema::Logical;
use serow_core::schema::logical::{DecimalKind, microseconds, nanoseconds};
use serow_core::value::text;

use super::{Export, Made, Part, flat, integers, structs, texts};
use crate::failure::wrong;
use crate::pool::{self, Pooled};
use crate::types::sized_number;
use crate::{dense, digits};

impl Export<'_, '_> {
    pub(super) fn logical(&self, ty: Logical, part: Part<'_>) -> Made {
        let Part { node, slots, .. } = part;
        match (ty, part.ty()) {
            (Logical::Bytes | Logical::ByteArray, wanted) => {
                texts::in_form(self.strings_array(node, false, slots)?, wanted)
            }
            (Logical::Int | Logical::Decimal, _) => self.number(ty, part),
            (Logical::F32, DataType::Float32) => {
                let mut narrow = pool::take::<f32>(slots.len())?;
                let floats = dense::floats(self.set, node.first.floats)?;
                narrow.extend(floats.into_iter().map(narrowed));
                flat(narrow, part.ty(), slots)
            }
            (_, data_type) if sized_number(ty).as_ref() == Some(data_type) => {
                integers(self.ints(node, 0)?, data_type, slots)
            }
            _ if ty.is_sized_number() => self.numbers_array(part),
            (Logical::Uuid, DataType::FixedSizeBinary(16)) => {
                let (high, low) = (self.ints(node, 0)?, self.ints(node, 1)?);
                let mut ids = pool::take::<i128>(slots.len())?;
                ids.extend(
                    high.into_iter().zip(low).map(|(high, low)| {
                        (i128::from(high) << 64 | i128::from(low as u64)).to_be()
                    }),
                );
                flat(ids, part.ty(), slots)
            }
            (Logical::NdArray, _) => self.tensors(part),
            (_, DataType::Struct(fields)) => self.components(ty, part, fields),
            (Logical::Date, DataType::Date32 | DataType::Int64) => {
                integers(self.ints(node, 0)?, part.ty(), slots)
            }
            _ => integers(self.moments(ty, part)?, part.ty(), slots),
        }
    }

    /// Converts times and durations to the unit of their array, and times with a zone to UTC.
    fn moments(&self, ty: Logical, part: Part<'_>) -> Made<Vec<i64>> {
        let node = part.node;
        let unit = match (ty, part.ty()) {
            (Logical::Time, DataType::Time32(unit) | DataType::Time64(unit))
            | (Logical::Timestamp, DataType::Timestamp(unit, None))
            | (Logical::TimestampTz, DataType::Timestamp(unit, Some(_)))
            | (Logical::Duration, DataType::Duration(unit)) => unit,
            _ => return part.unstorable(),
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
                    let ty = part.ty();
                    return wrong(format!("{ty} does not hold {nanos} nanoseconds exactly"));
                }
            }
        }
        Ok(values)
    }

    /// Ints and decimals of any size: 64 bits without a sign, 38 digits, text, or any type of numbers.
    fn number(&self, ty: Logical, part: Part<'_>) -> Made {
        let Part { node, slots, .. } = part;
        let (is_int, data_type) = (ty == Logical::Int, part.ty());
        let (strings, first) = (self.strings(node)?, self.ints(node, 0)?);
        let second = if is_int { Vec::new() } else { self.ints(node, 1)? };
        if texts::is_text(data_type) {
            return texts::of_each(first.len(), data_type, slots, &|i, text| match is_int {
                true => text::push_int(first[i], strings.get(i), text),
                false => text::push_decimal(first[i], second[i], strings.get(i), text),
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
            let array = match data_type {
                DataType::UInt64 => all(digits.map(|v| u64::try_from(v?).ok()), part)?,
                _ => all(digits, part)?,
            };
            if let Some(array) = array {
                return Ok(array);
            }
        }
        self.numbers_array(part)
    }

    /// A struct of the components of values.
    fn components(&self, ty: Logical, part: Part<'_>, fields: &Fields) -> Made {
        let (counts, node, slots) = (ty.counts(), part.node, part.slots.inner());
        let mut arrays = Vec::with_capacity(fields.len());
        for n in 0..counts.ints as u32 {
            arrays.push(flat(self.values(node, n)?, &DataType::Int64, &slots)?);
        }
        for n in 0..counts.floats as u32 {
            let floats = dense::floats(self.set, node.first.floats + n)?;
            arrays.push(flat(floats, &DataType::Float64, &slots)?);
        }
        if counts.bytes > 0 {
            arrays.push(self.strings_array(node, true, &slots)?);
        }
        structs(fields, arrays, part.slots)
    }
}

/// The array of these values, if there are all.
fn all<T: Pooled + Default>(
    values: impl Iterator<Item = Option<T>>,
    part: Part<'_>,
) -> Made<Option<super::ArrayRef>> {
    let count = values.size_hint().0;
    let mut there = pool::take(part.slots.len().max(count))?;
    there.extend(values.map_while(|value| value));
    match there.len() == count {
        true => flat(there, part.ty(), part.slots).map(Some),
        false => Ok(None),
    }
}

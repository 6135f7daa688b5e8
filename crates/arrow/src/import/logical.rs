//! Values of several components.

use arrow_array::cast::AsArray;
use arrow_array::types::{Decimal256Type, DecimalType};
use arrow_array::{Array, StructArray};
use arrow_schema::{DataType, TimeUnit};
use serow_core::memory;
use serow_core::plan::Numbered;
use serow_core::radix;
use serow_core::schema::Logical;
use serow_core::schema::logical::DecimalKind;
use serow_core::value::Text;

use super::places::first_null;
use super::strings::Strings;
use super::{Part, Read, Reading};
use crate::digits;
use crate::failure::wrong;
use crate::types::{ZONE, sized_number};
use crate::zones::Offsets;

impl Reading<'_> {
    pub(super) fn logical(&mut self, ty: Logical, part: Part<'_>) -> Read {
        let Part { node, array, selection, .. } = part;
        match (ty, array.data_type()) {
            (Logical::NdArray, _) => self.tensors(part),
            (_, DataType::Struct(_)) => self.components(ty, array.as_struct(), part),
            (Logical::Bytes | Logical::ByteArray, _) => self.bytes(part),
            (Logical::Uuid, _) => {
                let Some(bytes) =
                    array.as_fixed_size_binary_opt().filter(|of| of.value_length() == 16)
                else {
                    return part.unreadable();
                };
                for slot in selection.iter() {
                    let (halves, _) = bytes.value(slot).as_chunks::<8>();
                    for (n, half) in halves.iter().enumerate() {
                        memory::push(self.int_column(node, n as u32), i64::from_be_bytes(*half))?;
                    }
                }
                Ok(())
            }
            (Logical::Date, DataType::Int64 | DataType::Date32) => {
                part.append_integers(self.int_column(node, 0))
            }
            (Logical::Date, DataType::Date64) => {
                const DAY: i64 = 86_400_000;
                let column = self.int_column(node, 0);
                let begin = column.len();
                part.append_integers(column)?;
                for (slot, value) in selection.iter().zip(&mut column[begin..]) {
                    if *value % DAY != 0 {
                        return wrong(format!(
                            "slot {slot} is a date with a time of day; convert the column to a timestamp"
                        ));
                    }
                    *value /= DAY;
                }
                Ok(())
            }
            (Logical::Int | Logical::Decimal, _) => self.numbers(ty, part),
            (Logical::F32, DataType::Float32) => self.floats(0, part),
            (Logical::U64, DataType::UInt64) => {
                let mut wide: Vec<u64> = Vec::new();
                part.append::<u64, _>(&mut wide)?;
                let column = self.int_column(node, 0);
                memory::reserve(column, wide.len())?;
                column.extend(wide.into_iter().map(|v| v as i64));
                Ok(())
            }
            (_, data_type) if sized_number(ty).as_ref() == Some(data_type) => self.ints(0, part),
            _ if ty.is_sized_number() => part.unreadable(),
            _ => self.moments(ty, part),
        }
    }

    /// The components of values, from a struct of them.
    fn components(&mut self, ty: Logical, of: &StructArray, part: Part<'_>) -> Read {
        let counts = ty.counts();
        let mut columns = of.columns().iter();
        let mut next = || match columns.next() {
            Some(array) => match first_null(array, part.selection)? {
                None => Ok(Part { array, ..part }),
                Some(_) => wrong("a component of a value is null"),
            },
            None => wrong("a value lacks a component"),
        };
        for n in 0..counts.ints as u32 {
            self.ints(n, next()?)?;
        }
        for n in 0..counts.floats as u32 {
            self.floats(n, next()?)?;
        }
        match counts.bytes {
            0 => Ok(()),
            _ => self.bytes(next()?),
        }
    }

    /// Ints and decimals of any size.
    fn numbers(&mut self, ty: Logical, part: Part<'_>) -> Read {
        let Part { node, array, selection, .. } = part;
        let mut bytes = Vec::new();
        if let Some(strings) = Strings::of(array) {
            for slot in selection.iter() {
                let text = std::str::from_utf8(strings.bytes(slot)?).unwrap_or_default();
                let ints = match ty {
                    Logical::Int => digits::parse_int(text, &mut bytes)?.map(|small| [small, 0]),
                    _ => digits::parse_decimal(text, &mut bytes)?,
                };
                let Some(ints) = ints else {
                    return wrong(format!("slot {slot} has {text:?}, which is no {ty}"));
                };
                self.number(ty, node, ints, &bytes)?;
            }
            return Ok(());
        }
        // A producer may give more digits than its type has.
        let too_many = |slot: usize, digits: &dyn std::fmt::Display, most: u8| {
            wrong(format!(
                "slot {slot} has the digits {digits}, which are more than the {most} of its type {}",
                part.ty()
            ))
        };
        let mut wide: Vec<i128> = Vec::new();
        let (most, scale) = match *part.ty() {
            DataType::UInt64 => {
                part.append::<u64, _>(&mut wide)?;
                (None, 0)
            }
            DataType::Decimal32(most, scale) => {
                part.append::<i32, _>(&mut wide)?;
                (Some(most), scale)
            }
            DataType::Decimal64(most, scale) => {
                part.append::<i64, _>(&mut wide)?;
                (Some(most), scale)
            }
            DataType::Decimal128(most, scale) => {
                part.append::<i128, _>(&mut wide)?;
                (Some(most), scale)
            }
            DataType::Decimal256(most, scale) => {
                let values = array.as_primitive::<Decimal256Type>().values();
                for slot in selection.iter() {
                    let value = values[slot];
                    if !Decimal256Type::is_valid_decimal_precision(value, most) {
                        return too_many(slot, &value, most);
                    }
                    bytes.clear();
                    let small = match value.to_i128() {
                        Some(v) => digits::small_or_bytes(v, &mut bytes),
                        None => {
                            bytes.extend(value.to_le_bytes());
                            radix::shorten(&mut bytes);
                            0
                        }
                    };
                    self.number(ty, node, components(ty, small, scale, &bytes), &bytes)?;
                }
                return Ok(());
            }
            _ => return part.unreadable(),
        };
        if let Some(most) = most {
            let end = 10u128.checked_pow(most.into()).unwrap_or(u128::MAX);
            let mut of_slots = selection.iter().zip(&wide);
            if let Some((slot, v)) = of_slots.find(|(_, v)| v.unsigned_abs() >= end) {
                return too_many(slot, v, most);
            }
        }
        if wide.iter().all(|&v| i64::try_from(v).is_ok()) {
            // This is faster than `number` for each.
            let last = ty.counts().ints - 1;
            for n in 0..last {
                let column = self.int_column(node, n as u32);
                let first = components(ty, 0, scale, &[])[0];
                memory::resize(column, column.len() + wide.len(), first)?;
            }
            let column = self.int_column(node, last as u32);
            memory::reserve(column, wide.len())?;
            column.extend(wide.iter().map(|&v| v as i64));
            return Ok(self.str_column(node).extend(std::iter::repeat_n(&[][..], wide.len()))?);
        }
        for v in wide {
            let small = digits::small_or_bytes(v, &mut bytes);
            self.number(ty, node, components(ty, small, scale, &bytes), &bytes)?;
        }
        Ok(())
    }

    fn number(&mut self, ty: Logical, node: &Numbered<'_>, ints: [i64; 2], bytes: &[u8]) -> Read {
        for (n, int) in ints.into_iter().enumerate().take(ty.counts().ints) {
            memory::push(self.int_column(node, n as u32), int)?;
        }
        Ok(self.str_column(node).push(Text::plain(bytes))?)
    }

    /// Times and durations.
    fn moments(&mut self, ty: Logical, part: Part<'_>) -> Read {
        let node = part.node;
        let unit = match *part.ty() {
            DataType::Time32(unit)
            | DataType::Time64(unit)
            | DataType::Timestamp(unit, _)
            | DataType::Duration(unit) => unit,
            _ => return part.unreadable(),
        };
        let mut values = Vec::new();
        part.append_integers(&mut values)?;
        let per_second = match unit {
            TimeUnit::Second => 1,
            TimeUnit::Millisecond => 1_000,
            TimeUnit::Microsecond => 1_000_000,
            TimeUnit::Nanosecond => 1_000_000_000,
        };
        let mut zone = match (ty, part.ty()) {
            (Logical::TimestampTz, DataType::Timestamp(_, Some(name))) => {
                let Some(offsets) = Offsets::named(name) else {
                    return wrong(format!("the rules of the zone {name:?} are not known"));
                };
                let key = match offsets.has_rules() {
                    true => offsets.key().unwrap_or(name).to_owned(),
                    false => part.field.metadata().get(ZONE).cloned().unwrap_or_default(),
                };
                Some((offsets, key))
            }
            _ => None,
        };
        for value in values {
            if ty == Logical::Duration {
                let nanos = value.rem_euclid(per_second) * (1_000_000_000 / per_second);
                memory::push(self.int_column(node, 0), value.div_euclid(per_second))?;
                memory::push(self.int_column(node, 1), nanos)?;
                continue;
            }
            let nanos = i128::from(value) * i128::from(1_000_000_000 / per_second);
            let mut micros = nanos.div_euclid(1_000);
            let (mut offset, mut is_second) = (0, false);
            if let Some((offsets, _)) = &mut zone {
                let Some(at) = offsets.at(micros) else {
                    return wrong(format!(
                        "{value} is beyond the years that the rules of zones have"
                    ));
                };
                (offset, is_second) = at;
                micros += i128::from(offset);
            }
            // The bits beyond 64 are in the rest.
            let high = (micros - i128::from(micros as i64)) >> 64;
            let nanos = nanos.rem_euclid(1_000) as i64;
            let rest = (high as i64) << 11 | nanos << 1 | i64::from(is_second);
            memory::push(self.int_column(node, 0), micros as i64)?;
            memory::push(self.int_column(node, 1), rest)?;
            if let Some((_, key)) = &zone {
                memory::push(self.int_column(node, 2), offset)?;
                self.str_column(node).push(Text::plain(key.as_bytes()))?;
            }
        }
        Ok(())
    }
}

/// The integers of an int, or of a decimal with `scale` digits after the point.
fn components(ty: Logical, small: i64, scale: i8, bytes: &[u8]) -> [i64; 2] {
    let kind = if bytes.is_empty() { DecimalKind::Small } else { DecimalKind::Large };
    match ty {
        Logical::Int => [small, 0],
        _ => [-i64::from(scale) * 4 + kind as i64, small],
    }
}

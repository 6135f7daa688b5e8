//! Values of several components.

use arrow_array::cast::AsArray;
use arrow_array::types::{
    Date32Type, Date64Type, Decimal32Type, Decimal64Type, Decimal128Type, Decimal256Type,
    DecimalType, DurationMicrosecondType, DurationMillisecondType, DurationNanosecondType,
    DurationSecondType, Float64Type, Time32MillisecondType, Time32SecondType,
    Time64MicrosecondType, Time64NanosecondType, TimestampMicrosecondType,
    TimestampMillisecondType, TimestampNanosecondType, TimestampSecondType, UInt64Type,
};
use arrow_array::{Array, ArrayRef, ArrowPrimitiveType, StructArray};
use arrow_schema::{DataType, Field, TimeUnit};
use serow_core::memory;
use serow_core::plan::Numbered;
use serow_core::radix;
use serow_core::schema::Logical;
use serow_core::schema::logical::DecimalKind;
use serow_core::value::Text;

use super::places::first_null;
use super::strings::Strings;
use super::{Read, Reading, unreadable, wrong};
use crate::digits;
use crate::slots::Picks;
use crate::types::ZONE;
use crate::zones::Offsets;

impl Reading<'_> {
    pub(super) fn logical(
        &mut self,
        ty: Logical,
        node: &Numbered<'_>,
        field: &Field,
        array: &ArrayRef,
        picks: &Picks,
    ) -> Read {
        match (ty, array.data_type()) {
            (Logical::NdArray, _) => self.tensors(node, field, array, picks),
            (_, DataType::Struct(_)) => self.components(ty, node, array.as_struct(), picks),
            (Logical::Bytes | Logical::ByteArray, _) => self.bytes(node, array, picks),
            (Logical::Uuid, _) => {
                let Some(bytes) =
                    array.as_fixed_size_binary_opt().filter(|of| of.value_length() == 16)
                else {
                    return unreadable(array, node);
                };
                for slot in picks.iter() {
                    let (halves, _) = bytes.value(slot).as_chunks::<8>();
                    for (n, half) in halves.iter().enumerate() {
                        memory::push(self.int_column(node, n as u32), i64::from_be_bytes(*half))?;
                    }
                }
                Ok(())
            }
            (Logical::Date, DataType::Int64) => self.ints(node, 0, array, picks),
            (Logical::Date, DataType::Date32) => {
                let days = array.as_primitive::<Date32Type>().values();
                let column = self.int_column(node, 0);
                memory::reserve(column, picks.len())?;
                column.extend(picks.iter().map(|slot| i64::from(days[slot])));
                Ok(())
            }
            (Logical::Date, DataType::Date64) => {
                const DAY: i64 = 86_400_000;
                let values = array.as_primitive::<Date64Type>().values();
                for slot in picks.iter() {
                    if values[slot] % DAY != 0 {
                        return wrong(format!(
                            "slot {slot} is a date with a time of day; convert the column to a timestamp"
                        ));
                    }
                    memory::push(self.int_column(node, 0), values[slot] / DAY)?;
                }
                Ok(())
            }
            (Logical::Int | Logical::Decimal, _) => self.numbers(ty, node, array, picks),
            _ => self.moments(ty, node, field, array, picks),
        }
    }

    /// The components of values, from a struct of them.
    fn components(
        &mut self,
        ty: Logical,
        node: &Numbered<'_>,
        of: &StructArray,
        picks: &Picks,
    ) -> Read {
        let counts = ty.counts();
        let mut columns = of.columns().iter();
        let mut next = || match columns.next() {
            Some(column) => match first_null(column, picks)? {
                None => Ok(column),
                Some(_) => wrong("a component of a value is null"),
            },
            None => wrong("a value lacks a component"),
        };
        for n in 0..counts.ints as u32 {
            self.ints(node, n, next()?, picks)?;
        }
        for n in 0..counts.floats as u32 {
            let Some(floats) = next()?.as_primitive_opt::<Float64Type>() else {
                return wrong("a component is no float");
            };
            for slot in picks.iter() {
                memory::push(
                    &mut self.into.floats[(node.first.floats + n) as usize],
                    floats.value(slot),
                )?;
            }
        }
        match counts.bytes {
            0 => Ok(()),
            _ => self.bytes(node, next()?, picks),
        }
    }

    /// Ints and decimals of any size.
    fn numbers(
        &mut self,
        ty: Logical,
        node: &Numbered<'_>,
        array: &ArrayRef,
        picks: &Picks,
    ) -> Read {
        let mut bytes = Vec::new();
        if let Some(strings) = Strings::of(array) {
            for slot in picks.iter() {
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
        match *array.data_type() {
            DataType::Decimal32(most, _) => in_precision::<Decimal32Type>(array, picks, most)?,
            DataType::Decimal64(most, _) => in_precision::<Decimal64Type>(array, picks, most)?,
            DataType::Decimal128(most, _) => in_precision::<Decimal128Type>(array, picks, most)?,
            DataType::Decimal256(most, _) => in_precision::<Decimal256Type>(array, picks, most)?,
            _ => {}
        }
        macro_rules! each {
            ($array_type:ty, $scale:expr, |$v:ident| $wide:expr) => {{
                let values = array.as_primitive::<$array_type>().values();
                let wide = |slot: usize| {
                    let $v = values[slot];
                    $wide
                };
                if picks.iter().all(|slot| i64::try_from(wide(slot)).is_ok()) {
                    return self.small_numbers(ty, node, $scale, picks, |slot| wide(slot) as i64);
                }
                for slot in picks.iter() {
                    let small = digits::small_or_bytes(wide(slot), &mut bytes);
                    self.number(ty, node, number(ty, small, $scale, &bytes), &bytes)?;
                }
            }};
        }
        match *array.data_type() {
            DataType::UInt64 => each!(UInt64Type, 0, |v| i128::from(v)),
            DataType::Decimal32(_, scale) => each!(Decimal32Type, scale, |v| i128::from(v)),
            DataType::Decimal64(_, scale) => each!(Decimal64Type, scale, |v| i128::from(v)),
            DataType::Decimal128(_, scale) => each!(Decimal128Type, scale, |v| v),
            DataType::Decimal256(_, scale) => {
                let values = array.as_primitive::<Decimal256Type>().values();
                for slot in picks.iter() {
                    bytes.clear();
                    let small = match values[slot].to_i128() {
                        Some(v) => digits::small_or_bytes(v, &mut bytes),
                        None => {
                            bytes.extend(values[slot].to_le_bytes());
                            radix::shorten(&mut bytes);
                            0
                        }
                    };
                    self.number(ty, node, number(ty, small, scale, &bytes), &bytes)?;
                }
            }
            _ => return unreadable(array, node),
        }
        return Ok(());

        /// The components of an int, or of a decimal with `scale` digits after the point.
        fn number(ty: Logical, small: i64, scale: i8, bytes: &[u8]) -> [i64; 2] {
            let kind = if bytes.is_empty() { DecimalKind::Small } else { DecimalKind::Large };
            match ty {
                Logical::Int => [small, 0],
                _ => [decimal(scale, kind), small],
            }
        }
    }

    /// Ints, or decimals with `scale` digits after the point, whose digits have 64 bits. This is faster than
    /// [`Reading::number`] for each.
    fn small_numbers(
        &mut self,
        ty: Logical,
        node: &Numbered<'_>,
        scale: i8,
        picks: &Picks,
        small: impl Fn(usize) -> i64,
    ) -> Read {
        let last = ty.counts().ints - 1;
        for n in 0..last {
            let column = self.int_column(node, n as u32);
            memory::reserve(column, picks.len())?;
            column.resize(column.len() + picks.len(), decimal(scale, DecimalKind::Small));
        }
        let column = self.int_column(node, last as u32);
        memory::reserve(column, picks.len())?;
        column.extend(picks.iter().map(small));
        Ok(self.str_column(node).extend(std::iter::repeat_n(&[][..], picks.len()))?)
    }

    fn number(&mut self, ty: Logical, node: &Numbered<'_>, ints: [i64; 2], bytes: &[u8]) -> Read {
        for (n, int) in ints.into_iter().enumerate().take(ty.counts().ints) {
            memory::push(self.int_column(node, n as u32), int)?;
        }
        Ok(self.str_column(node).push(Text::plain(bytes))?)
    }

    /// Times and durations.
    fn moments(
        &mut self,
        ty: Logical,
        node: &Numbered<'_>,
        field: &Field,
        array: &ArrayRef,
        picks: &Picks,
    ) -> Read {
        let (unit, values) = match *array.data_type() {
            DataType::Time32(unit @ TimeUnit::Second) => {
                (unit, narrow::<Time32SecondType>(array, picks))
            }
            DataType::Time32(unit) => (unit, narrow::<Time32MillisecondType>(array, picks)),
            DataType::Time64(unit @ TimeUnit::Microsecond) => {
                (unit, wide::<Time64MicrosecondType>(array, picks))
            }
            DataType::Time64(unit) => (unit, wide::<Time64NanosecondType>(array, picks)),
            DataType::Timestamp(unit, _) => (
                unit,
                match unit {
                    TimeUnit::Second => wide::<TimestampSecondType>(array, picks),
                    TimeUnit::Millisecond => wide::<TimestampMillisecondType>(array, picks),
                    TimeUnit::Microsecond => wide::<TimestampMicrosecondType>(array, picks),
                    TimeUnit::Nanosecond => wide::<TimestampNanosecondType>(array, picks),
                },
            ),
            DataType::Duration(unit) => (
                unit,
                match unit {
                    TimeUnit::Second => wide::<DurationSecondType>(array, picks),
                    TimeUnit::Millisecond => wide::<DurationMillisecondType>(array, picks),
                    TimeUnit::Microsecond => wide::<DurationMicrosecondType>(array, picks),
                    TimeUnit::Nanosecond => wide::<DurationNanosecondType>(array, picks),
                },
            ),
            _ => return unreadable(array, node),
        };
        let per_second = match unit {
            TimeUnit::Second => 1,
            TimeUnit::Millisecond => 1_000,
            TimeUnit::Microsecond => 1_000_000,
            TimeUnit::Nanosecond => 1_000_000_000,
        };
        let mut zone = match (ty, array.data_type()) {
            (Logical::TimestampTz, DataType::Timestamp(_, Some(name))) => {
                let Some(offsets) = Offsets::named(name) else {
                    return wrong(format!("the rules of the zone {name:?} are not known"));
                };
                let key = match offsets.has_rules() {
                    true => offsets.key().unwrap_or(name).to_owned(),
                    false => field.metadata().get(ZONE).cloned().unwrap_or_default(),
                };
                Some((offsets, key))
            }
            _ => None,
        };
        for value in values? {
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

fn wide<T>(array: &ArrayRef, picks: &Picks) -> Read<Vec<i64>>
where
    T: ArrowPrimitiveType<Native = i64>,
{
    let mut all = memory::with_capacity(picks.len())?;
    let values = array.as_primitive::<T>().values();
    all.extend(picks.iter().map(|slot| values[slot]));
    Ok(all)
}

fn narrow<T>(array: &ArrayRef, picks: &Picks) -> Read<Vec<i64>>
where
    T: ArrowPrimitiveType<Native = i32>,
{
    let mut all = memory::with_capacity(picks.len())?;
    let values = array.as_primitive::<T>().values();
    all.extend(picks.iter().map(|slot| i64::from(values[slot])));
    Ok(all)
}

/// Checks that no picked decimal has more digits than its type says, as a producer may.
fn in_precision<T: DecimalType>(array: &ArrayRef, picks: &Picks, most: u8) -> Read {
    let values = array.as_primitive::<T>().values();
    match picks.iter().find(|&slot| !T::is_valid_decimal_precision(values[slot], most)) {
        None => Ok(()),
        Some(slot) => wrong(format!(
            "slot {slot} has the digits {:?}, which are more than the {most} of its type {}",
            values[slot],
            array.data_type()
        )),
    }
}

/// The first component of a decimal with `scale` digits after the point.
fn decimal(scale: i8, kind: DecimalKind) -> i64 {
    -i64::from(scale) * 4 + kind as i64
}

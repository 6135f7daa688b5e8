//! Columns to arrays.
//!
//! Serow's columns hold the present values; an array of Arrow has a slot for each parent's slot. So each
//! kernel unpacks its columns and spreads the values over [`Slots`].

use std::ops::Range;
use std::sync::Arc;

use arrow_array::types::{
    Date32Type, Decimal128Type, DurationMicrosecondType, DurationNanosecondType, Int32Type,
    Int64Type, Time64MicrosecondType, Time64NanosecondType, TimestampMicrosecondType,
    TimestampNanosecondType,
};
use arrow_array::{
    ArrayRef, ArrowPrimitiveType, BinaryArray, BooleanArray, DictionaryArray, FixedSizeBinaryArray,
    Float64Array, ListArray, MapArray, NullArray, PrimitiveArray, RecordBatch, RecordBatchOptions,
    StringArray, StructArray, UInt64Array, UnionArray,
};
use arrow_buffer::{BooleanBuffer, Buffer, NullBuffer, OffsetBuffer, ScalarBuffer};
use arrow_schema::{ArrowError, DataType, Field, Fields, SchemaRef, TimeUnit};
use serow_core::error::{ErrorKind, Fault};
use serow_core::memory;
use serow_core::plan::Numbered;
use serow_core::schema::logical::{DecimalKind, microseconds, nanoseconds};
use serow_core::schema::{Logical, Type};
use serow_core::wire::frame::ColumnSet;
use serow_core::{Error, Result};

use crate::dense::{self, Strings};
use crate::digits;
use crate::pool;
use crate::slots::Slots;
use crate::types::has_columns;

/// Makes a batch of the rows of `set`. The set must have the columns of `root`. `schema` must be what
/// [`arrow_schema`](crate::types::arrow_schema) gives for `root` and for fits that include these rows.
///
/// # Errors
/// A limit error if a batch can't hold the values. An encode error if they do not fit the schema.
pub fn export(root: &Numbered<'_>, set: &ColumnSet<'_>, schema: &SchemaRef) -> Result<RecordBatch> {
    let export = Export { set };
    let slots = Slots::all(set.rows);
    let columns = match has_columns(root.ty) {
        true => export.children(root, schema.fields(), &slots),
        false => export.part(root, schema.field(0), &slots).map(|column| vec![column]),
    };
    let columns = columns.map_err(|stopped| stopped.into_error())?;
    let options = RecordBatchOptions::new().with_row_count(Some(set.rows));
    RecordBatch::try_new_with_options(schema.clone(), columns, &options)
        .map_err(|error| Stopped::Arrow(error).into_error())
}

/// Why no array was made.
enum Stopped {
    Fault(Fault),
    Arrow(ArrowError),
}

impl From<Fault> for Stopped {
    fn from(fault: Fault) -> Stopped {
        Stopped::Fault(fault)
    }
}

impl From<ArrowError> for Stopped {
    fn from(error: ArrowError) -> Stopped {
        Stopped::Arrow(error)
    }
}

impl Stopped {
    fn into_error(self) -> Error {
        match self {
            Stopped::Fault(fault) => fault.into_error(ErrorKind::Encode, "the batch"),
            Stopped::Arrow(error) => Error::encode(format!("the batch: {error}")),
        }
    }
}

type Made<T = ArrayRef> = std::result::Result<T, Stopped>;

/// The fault for values that do not fit their field. Callers look at the fits first.
const MISFIT: Fault = Fault::Corrupt("a value does not fit the column of its batch");
const TOO_LONG: Fault = Fault::Limit(
    "the strings or the elements of one column exceed 2^31 in one batch; make batches of fewer rows",
);

fn offset(v: usize) -> Made<i32> {
    i32::try_from(v).map_err(|_| TOO_LONG.into())
}

struct Export<'a, 's> {
    set: &'a ColumnSet<'s>,
}

impl Export<'_, '_> {
    fn ints(&self, node: &Numbered<'_>, n: u32) -> Made<Vec<i64>> {
        Ok(dense::ints(self.set, node.first.ints + n)?)
    }

    /// Like [`Export::ints`], for values that become an array as they are.
    fn values(&self, node: &Numbered<'_>, n: u32) -> Made<Vec<i64>> {
        let column = node.first.ints + n;
        let values = pool::take(self.set.ints[column as usize].left())?;
        Ok(dense::ints_in(self.set, column, values)?)
    }

    fn strings(&self, node: &Numbered<'_>) -> Made<Strings<'_>> {
        Ok(Strings::of(self.set, node.first.strs)?)
    }

    /// The arrays of the children of a struct.
    fn children(&self, node: &Numbered<'_>, fields: &Fields, slots: &Slots) -> Made<Vec<ArrayRef>> {
        let mut arrays = Vec::with_capacity(fields.len());
        let mut fields = fields.iter();
        let mut next = || fields.next().ok_or(Stopped::Fault(MISFIT));
        for part in &node.within {
            let Some(maybe) = part.maybe else {
                arrays.push(self.part(part, next()?, slots)?);
                continue;
            };
            let there = slots.within(&dense::bits(self.set, maybe)?);
            // The column of a field that may be missing is nullable.
            match part.ty {
                Type::Optional(_) | Type::Null | Type::Never => {
                    arrays.push(self.part(part, next()?, &there)?);
                    next()?;
                    let presence = there.present_or_all();
                    arrays.push(Arc::new(BooleanArray::new(presence, None)));
                }
                _ => arrays.push(self.value(part, next()?, &there, there.nulls())?),
            }
        }
        Ok(arrays)
    }

    /// The array of a part of the rows, optional or not.
    fn part(&self, node: &Numbered<'_>, field: &Field, slots: &Slots) -> Made {
        match node.ty {
            Type::Optional(_) => {
                let slots = slots.within(&dense::bits(self.set, node.first.bits)?);
                self.value(&node.within[0], field, &slots, slots.nulls())
            }
            _ => self.value(node, field, slots, None),
        }
    }

    /// The array of values that are not optional. Slots without a value that `nulls` does not name have
    /// any value.
    fn value(
        &self,
        node: &Numbered<'_>,
        field: &Field,
        slots: &Slots,
        nulls: Option<NullBuffer>,
    ) -> Made {
        Ok(match node.ty {
            Type::Never | Type::Null | Type::Optional(_) | Type::Open(_) => {
                Arc::new(NullArray::new(slots.len()))
            }
            Type::Bool => {
                let bits = slots.spread(dense::bits(self.set, node.first.bits)?)?;
                Arc::new(BooleanArray::new(packed(&bits), nulls))
            }
            Type::I64 => primitive::<Int64Type>(self.values(node, 0)?, slots, nulls, field)?,
            Type::F64 => {
                let floats = slots.spread(dense::floats(self.set, node.first.floats)?)?;
                Arc::new(Float64Array::new(pool::buffer(floats).into(), nulls))
            }
            Type::Str => self.strings_array(node, field, slots, nulls)?,
            Type::Logical(ty) => self.logical(*ty, node, field, slots, nulls)?,
            Type::Enum(of) => {
                let mut members = pool::take(slots.len())?;
                members.extend(self.ints(node, 0)?.into_iter().map(|member| member as i32));
                let members = pool::buffer(slots.spread(members)?);
                let keys = PrimitiveArray::<Int32Type>::new(members.into(), nulls);
                let names = of.members.iter().map(|name| Some(&**name));
                let names = StringArray::from_iter(names);
                Arc::new(DictionaryArray::try_new(keys, Arc::new(names))?)
            }
            Type::Fixed(..) | Type::Struct(_) => {
                let DataType::Struct(fields) = field.data_type() else { return Err(MISFIT.into()) };
                let arrays = self.children(node, fields, slots)?;
                Arc::new(StructArray::try_new_with_length(
                    fields.clone(),
                    arrays,
                    nulls,
                    slots.len(),
                )?)
            }
            Type::Sequence(..) => {
                let (offsets, elements) = self.offsets(node, slots)?;
                let DataType::List(item) = field.data_type() else { return Err(MISFIT.into()) };
                let values = self.part(&node.within[0], item, &Slots::all(elements))?;
                Arc::new(ListArray::try_new(item.clone(), offsets, values, nulls)?)
            }
            Type::Map(..) => self.map(node, field, slots, nulls)?,
            Type::Union(_) => self.union(node, field, slots)?,
        })
    }

    /// The offsets of the elements in each slot, and the number of elements.
    fn offsets(&self, node: &Numbered<'_>, slots: &Slots) -> Made<(OffsetBuffer<i32>, usize)> {
        let lengths = slots.spread(self.ints(node, 0)?)?;
        let mut offsets = pool::take::<i32>(lengths.len() + 1)?;
        let mut end = 0;
        offsets.push(0);
        for length in lengths {
            end += length as usize;
            offsets.push(offset(end)?);
        }
        Ok((offset_buffer(offsets), end))
    }

    fn map(
        &self,
        node: &Numbered<'_>,
        field: &Field,
        slots: &Slots,
        nulls: Option<NullBuffer>,
    ) -> Made {
        let (offsets, count) = self.offsets(node, slots)?;
        let (DataType::Map(entries, _) | DataType::List(entries)) = field.data_type() else {
            return Err(MISFIT.into());
        };
        let DataType::Struct(fields) = entries.data_type() else { return Err(MISFIT.into()) };
        let within = Slots::all(count);
        let parts = node.within.iter().zip(fields);
        let arrays = parts.map(|(part, field)| self.part(part, field, &within));
        let arrays = arrays.collect::<Made<Vec<_>>>()?;
        let values = StructArray::try_new_with_length(fields.clone(), arrays, None, count)?;
        Ok(match field.data_type() {
            DataType::Map(..) => {
                Arc::new(MapArray::try_new(entries.clone(), offsets, values, nulls, false)?)
            }
            _ => Arc::new(ListArray::try_new(entries.clone(), offsets, Arc::new(values), nulls)?),
        })
    }

    /// A dense union. A slot without a value has the arm after the last.
    fn union(&self, node: &Numbered<'_>, field: &Field, slots: &Slots) -> Made {
        let DataType::Union(fields, _) = field.data_type() else { return Err(MISFIT.into()) };
        let none = node.within.len() as i8;
        let mut arms = pool::take(slots.len())?;
        arms.extend(self.ints(node, 0)?.into_iter().map(|arm| arm as i8));
        let ids = slots.spread_or(arms, none)?;
        let mut counts = vec![0i32; fields.len()];
        let mut offsets = pool::take::<i32>(ids.len())?;
        for &id in &ids {
            let Some(count) = counts.get_mut(id as usize) else { return Err(MISFIT.into()) };
            offsets.push(*count);
            *count += 1;
        }
        let mut children: Vec<ArrayRef> = Vec::with_capacity(fields.len());
        for (i, (_, field)) in fields.iter().enumerate() {
            let count = counts[i] as usize;
            children.push(match node.within.get(i) {
                Some(arm) => self.part(arm, field, &Slots::all(count))?,
                None => Arc::new(NullArray::new(count)),
            });
        }
        let ids = ScalarBuffer::from(pool::buffer(ids));
        let offsets = ScalarBuffer::from(pool::buffer(offsets));
        Ok(Arc::new(UnionArray::try_new(fields.clone(), ids, Some(offsets), children)?))
    }

    fn strings_array(
        &self,
        node: &Numbered<'_>,
        field: &Field,
        slots: &Slots,
        nulls: Option<NullBuffer>,
    ) -> Made {
        let (offsets, text) = gathered(&self.strings(node)?, slots)?;
        Ok(match field.data_type() {
            DataType::Utf8 => Arc::new(StringArray::try_new(offsets, text, nulls)?),
            _ => Arc::new(BinaryArray::try_new(offsets, text, nulls)?),
        })
    }

    fn logical(
        &self,
        ty: Logical,
        node: &Numbered<'_>,
        field: &Field,
        slots: &Slots,
        nulls: Option<NullBuffer>,
    ) -> Made {
        let data_type = field.data_type();
        let values: Vec<i64> =
            match (ty, data_type) {
                (Logical::Bytes | Logical::ByteArray, _) => {
                    return self.strings_array(node, field, slots, nulls);
                }
                (Logical::Int | Logical::Decimal, _) => {
                    return self.number(ty, node, data_type, slots, nulls);
                }
                (Logical::Uuid, _) => {
                    let (high, low) = (self.ints(node, 0)?, self.ints(node, 1)?);
                    let mut ids = pool::take::<i128>(slots.len())?;
                    ids.extend(high.into_iter().zip(low).map(|(high, low)| {
                        (i128::from(high) << 64 | i128::from(low as u64)).to_be()
                    }));
                    let bytes = pool::buffer(slots.spread(ids)?);
                    return Ok(Arc::new(FixedSizeBinaryArray::try_new(16, bytes, nulls)?));
                }
                (_, DataType::Struct(fields)) => {
                    return self.components(ty, node, fields, slots, nulls);
                }
                (Logical::Date, _) => self.ints(node, 0)?,
                _ => self.moments(ty, node, data_type)?,
            };
        let micros = TimeUnit::Microsecond;
        Ok(match data_type {
            DataType::Date32 => {
                let mut days = pool::take(slots.len())?;
                days.extend(values.into_iter().map(|days| days as i32));
                let days = pool::buffer(slots.spread(days)?);
                Arc::new(PrimitiveArray::<Date32Type>::new(days.into(), nulls))
            }
            DataType::Int64 => primitive::<Int64Type>(values, slots, nulls, field)?,
            DataType::Time64(unit) if *unit == micros => {
                primitive::<Time64MicrosecondType>(values, slots, nulls, field)?
            }
            DataType::Time64(_) => primitive::<Time64NanosecondType>(values, slots, nulls, field)?,
            DataType::Timestamp(unit, _) if *unit == micros => {
                primitive::<TimestampMicrosecondType>(values, slots, nulls, field)?
            }
            DataType::Timestamp(..) => {
                primitive::<TimestampNanosecondType>(values, slots, nulls, field)?
            }
            DataType::Duration(unit) if *unit == micros => {
                primitive::<DurationMicrosecondType>(values, slots, nulls, field)?
            }
            DataType::Duration(_) => {
                primitive::<DurationNanosecondType>(values, slots, nulls, field)?
            }
            _ => return Err(MISFIT.into()),
        })
    }

    /// Converts times and durations to the unit of their array, and times with a zone to UTC.
    fn moments(&self, ty: Logical, node: &Numbered<'_>, data_type: &DataType) -> Made<Vec<i64>> {
        let (DataType::Time64(unit) | DataType::Timestamp(unit, _) | DataType::Duration(unit)) =
            data_type
        else {
            return Err(MISFIT.into());
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
            let value = if *unit == TimeUnit::Microsecond { nanos / 1_000 } else { nanos };
            values.push(i64::try_from(value).map_err(|_| MISFIT)?);
        }
        Ok(values)
    }

    /// Ints and decimals of any size: 64 bits without a sign, 38 digits, or text.
    fn number(
        &self,
        ty: Logical,
        node: &Numbered<'_>,
        data_type: &DataType,
        slots: &Slots,
        nulls: Option<NullBuffer>,
    ) -> Made {
        let is_int = ty == Logical::Int;
        let (strings, first) = (self.strings(node)?, self.ints(node, 0)?);
        let second = if is_int { Vec::new() } else { self.ints(node, 1)? };
        let wide = |i, small| match strings.get(i) {
            [] => Ok(i128::from(small)),
            bytes => digits::of_38_digits(bytes).ok_or(MISFIT),
        };
        if *data_type == DataType::UInt64 {
            let mut values = pool::take(first.len())?;
            for (i, &small) in first.iter().enumerate() {
                values.push(u64::try_from(wide(i, small)?).map_err(|_| MISFIT)?);
            }
            let values = pool::buffer(slots.spread(values)?);
            return Ok(Arc::new(UInt64Array::new(values.into(), nulls)));
        }
        let DataType::Decimal128(precision, scale) = *data_type else {
            let (mut text, mut ends) = (String::new(), memory::with_capacity(first.len())?);
            for (i, &first) in first.iter().enumerate() {
                let bytes = strings.get(i);
                match is_int {
                    true => digits::push_int(first, bytes, &mut text),
                    false => digits::push_decimal(first, second[i], bytes, &mut text),
                }
                ends.push(u32::try_from(text.len()).map_err(|_| TOO_LONG)?);
            }
            let (offsets, text) = spread_text(text.into_bytes(), &ends, slots)?;
            return Ok(Arc::new(StringArray::try_new(offsets, text, nulls)?));
        };
        let mut values = pool::take(first.len())?;
        for (i, &first) in first.iter().enumerate() {
            let small = if is_int { first } else { second[i] };
            if !is_int {
                let (kind, exponent) = DecimalKind::split(first);
                let is_finite = matches!(kind, DecimalKind::Small | DecimalKind::Large);
                if !is_finite || exponent != -i64::from(scale) {
                    return Err(MISFIT.into());
                }
            }
            values.push(wide(i, small)?);
        }
        let values = pool::buffer(slots.spread(values)?);
        let array = PrimitiveArray::<Decimal128Type>::new(values.into(), nulls);
        Ok(Arc::new(array.with_precision_and_scale(precision, scale)?))
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

/// An array of `T`, of the field's type.
fn primitive<T: ArrowPrimitiveType<Native = i64>>(
    values: Vec<i64>,
    slots: &Slots,
    nulls: Option<NullBuffer>,
    field: &Field,
) -> Made {
    let values = pool::buffer(slots.spread(values)?);
    let array = PrimitiveArray::<T>::new(values.into(), nulls);
    Ok(Arc::new(array.with_data_type(field.data_type().clone())))
}

/// Packs bytes of 0 or 1.
fn packed(bits: &[u8]) -> BooleanBuffer {
    BooleanBuffer::collect_bool(bits.len(), |i| bits[i] != 0)
}

/// The offsets and the text of strings.
fn gathered(strings: &Strings<'_>, slots: &Slots) -> Made<(OffsetBuffer<i32>, Buffer)> {
    let Some(codes) = &strings.codes else {
        let mut text = pool::take(strings.text().len())?;
        text.extend_from_slice(strings.text());
        return spread_text(text, &strings.ends, slots);
    };
    let mut ends: Vec<u32> = memory::with_capacity(codes.len())?;
    let mut len = 0;
    for &code in codes {
        len += strings.entry(code as usize).len();
        ends.push(u32::try_from(len).map_err(|_| TOO_LONG)?);
    }
    let mut text = pool::take(len)?;
    text.resize(len, 0);
    let mut at = 0;
    for (&code, &end) in codes.iter().zip(&ends) {
        copy(strings.text(), strings.range(code as usize), &mut text[at..]);
        at = end as usize;
    }
    spread_text(text, &ends, slots)
}

/// Copies a range of `text` to the begin of `to`. Most strings are short: a piece of fixed length, with
/// what follows the string, is copied faster than the string. What follows is overwritten later.
fn copy(text: &[u8], range: Range<usize>, to: &mut [u8]) {
    const SHORT: usize = 32;
    if range.len() <= SHORT
        && let Some(from) = text.get(range.start..range.start + SHORT)
        && let Some(to) = to.first_chunk_mut::<SHORT>()
    {
        to.copy_from_slice(from);
        return;
    }
    to[..range.len()].copy_from_slice(&text[range]);
}

/// The offsets and the text of strings that end at `ends`.
fn spread_text(text: Vec<u8>, ends: &[u32], slots: &Slots) -> Made<(OffsetBuffer<i32>, Buffer)> {
    offset(text.len())?;
    let mut offsets = pool::take::<i32>(slots.len() + 1)?;
    offsets.push(0);
    match slots.present() {
        None => offsets.extend(ends.iter().map(|&end| end as i32)),
        Some(present) => {
            let (mut ends, mut last) = (ends.iter(), 0);
            for is_present in present {
                if is_present {
                    last = ends.next().copied().ok_or(MISFIT)? as i32;
                }
                offsets.push(last);
            }
        }
    }
    Ok((offset_buffer(offsets), pool::buffer(text)))
}

fn offset_buffer(offsets: Vec<i32>) -> OffsetBuffer<i32> {
    OffsetBuffer::new(pool::buffer(offsets).into())
}

//! Columns to arrays.
//!
//! Serow's columns hold the present values; an array of Arrow has a slot for each parent's slot. So each
//! kernel unpacks its columns and spreads the values over [`Slots`]. The field says which of Arrow's types
//! the array has: the one that [`fit`](crate::fit) found, or another one that a caller wants.

mod logical;
mod numbers;
mod tensors;
mod texts;

use std::ops::Range;
use std::sync::Arc;

use arrow_array::types::{Int32Type, Int64Type};
use arrow_array::{
    ArrayRef, ArrowPrimitiveType, BinaryArray, BooleanArray, DictionaryArray, FixedSizeListArray,
    Float64Array, LargeListArray, ListArray, MapArray, NullArray, PrimitiveArray, RecordBatch,
    RecordBatchOptions, StringArray, StructArray, UnionArray, new_null_array,
};
use arrow_buffer::{BooleanBuffer, Buffer, NullBuffer, OffsetBuffer, ScalarBuffer};
use arrow_schema::{ArrowError, DataType, Field, Fields, SchemaRef};
use serow_core::error::{ErrorKind, Fault};
use serow_core::memory;
use serow_core::plan::Numbered;
use serow_core::schema::Type;
use serow_core::wire::frame::ColumnSet;
use serow_core::{Error, Result};

use crate::dense::{self, Strings};
use crate::digits;
use crate::pool;
use crate::slots::Slots;
use crate::tensors::Tensors;
use crate::types::{self, Holds, has_columns};

/// Makes a batch of the rows of `set`. The set must have the columns of `root`. `schema` is what
/// [`arrow_schema`](crate::types::arrow_schema) gives for `root` and for fits that include these rows, or
/// what a caller wants.
///
/// # Errors
/// A limit error if a batch can't hold the values. An encode error that names the column whose values do not
/// fit the schema.
pub fn export(root: &Numbered<'_>, set: &ColumnSet<'_>, schema: &SchemaRef) -> Result<RecordBatch> {
    let export = Export { set };
    let slots = Slots::all(set.rows);
    let columns = match (has_columns(root.ty), &schema.fields()[..]) {
        (true, _) => export.children(root, schema.fields(), &slots),
        (false, [field]) => export.part(root, field, &slots).map(|column| vec![column]),
        (false, fields) => wrong(format!(
            "rows of {} are one column, and the schema has {}",
            root.ty,
            fields.len()
        )),
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
    /// What is wrong with a value, or with the field that is to hold it.
    Value(String),
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
            Stopped::Value(why) => Error::encode(why),
        }
    }

    /// The same, in the column of this name.
    fn within(self, name: &str) -> Stopped {
        match self {
            Stopped::Fault(fault) => Stopped::Fault(fault),
            Stopped::Arrow(ArrowError::InvalidArgumentError(why)) | Stopped::Value(why) => {
                Stopped::Value(format!("column {name}: {why}"))
            }
            Stopped::Arrow(error) => Stopped::Value(format!("column {name}: {error}")),
        }
    }
}

type Made<T = ArrayRef> = std::result::Result<T, Stopped>;

/// The fault for values that do not fit their field. Callers look at the fits first.
const MISFIT: Fault = Fault::Corrupt("a value does not fit the column of its batch");
const TOO_LONG: Fault = Fault::Limit(
    "the strings or the elements of one column exceed 2^31 in one batch; make batches of fewer rows",
);

fn wrong<T>(why: String) -> Made<T> {
    Err(Stopped::Value(why))
}

/// The field is of a type that values of this one can't become.
fn unstorable<T>(node: &Numbered<'_>, field: &Field) -> Made<T> {
    wrong(format!("values of {} can't be stored as {}", node.ty, field.data_type()))
}

/// The metadata of a field do not fit its type.
fn misdescribed(error: Error) -> Stopped {
    Stopped::Value(error.message().to_owned())
}

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

    /// The arrays of the children of a struct, one for each of `fields`. A child of a tuple is found by its place,
    /// any other by its name.
    fn children(&self, node: &Numbered<'_>, fields: &Fields, slots: &Slots) -> Made<Vec<ArrayRef>> {
        let columns = types::children(node.ty);
        let is_tuple = matches!(node.ty, Type::Fixed(..));
        if is_tuple && columns.len() != fields.len() {
            return wrong(format!(
                "a tuple of {} values can't be stored in {} columns",
                columns.len(),
                fields.len()
            ));
        }
        let mut is_left: Vec<bool> = columns.iter().map(|of| of.holds.needs_part()).collect();
        let mut arrays = Vec::with_capacity(fields.len());
        for (i, field) in fields.iter().enumerate() {
            let named = columns.iter().position(|column| column.name == *field.name());
            let array = match if is_tuple { Some(i) } else { named } {
                Some(at) => {
                    is_left[at] = false;
                    let parts = columns[..=at].iter().filter(|of| of.holds.needs_part()).count();
                    self.child(columns[at].holds, &node.within[parts - 1], field, slots)
                }
                None if field.is_nullable() => Ok(new_null_array(field.data_type(), slots.len())),
                None => wrong("no row has such a field, and the column may not be null".into()),
            };
            arrays.push(array.map_err(|why| why.within(field.name()))?);
        }
        match is_left.iter().position(|&is_left| is_left) {
            None => Ok(arrays),
            Some(left) => wrong(format!(
                "the schema lacks the column {}; add it, or leave the field out of the rows",
                columns[left].name
            )),
        }
    }

    /// The array of a child of a struct. The part is its own, or the one of the field whose presence it is.
    fn child(&self, holds: Holds<'_>, part: &Numbered<'_>, field: &Field, slots: &Slots) -> Made {
        let Some(maybe) = part.maybe else { return self.part(part, field, slots) };
        let there = slots.within(&dense::bits(self.set, maybe)?);
        match (holds, part.ty) {
            (Holds::Presence, _) => Ok(Arc::new(BooleanArray::new(there.present_or_all(), None))),
            (_, Type::Optional(_) | Type::Null | Type::Never) => self.part(part, field, &there),
            // The column of a field that may be missing is nullable.
            _ => self.value(part, field, &there, there.nulls()),
        }
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
        let data_type = field.data_type();
        Ok(match (node.ty, data_type) {
            (Type::Never | Type::Null | Type::Optional(_) | Type::Open(_), _) => {
                new_null_array(data_type, slots.len())
            }
            (Type::Bool, DataType::Boolean) => {
                let bits = slots.spread(dense::bits(self.set, node.first.bits)?)?;
                Arc::new(BooleanArray::new(packed(&bits), nulls))
            }
            (Type::I64, DataType::Int64) => {
                primitive::<Int64Type>(self.values(node, 0)?, slots, nulls, field)?
            }
            (Type::I64, ty) if texts::is_text(ty) => {
                let ints = self.ints(node, 0)?;
                digits_array(ints.len(), data_type, slots, nulls, |i, text| {
                    digits::push_int(ints[i], &[], text);
                })?
            }
            (Type::F64, DataType::Float64) => {
                let floats = slots.spread(dense::floats(self.set, node.first.floats)?)?;
                Arc::new(Float64Array::new(pool::buffer(floats).into(), nulls))
            }
            (Type::Str, _) => {
                let is_binary = matches!(
                    data_type,
                    DataType::Binary | DataType::LargeBinary | DataType::BinaryView
                );
                texts::in_form(self.strings_array(node, !is_binary, slots, nulls)?, data_type)?
            }
            (Type::Logical(ty), _) => self.logical(*ty, node, field, slots, nulls)?,
            (Type::Enum(of), _) => {
                let names = StringArray::from_iter(of.members.iter().map(|name| Some(&**name)));
                let members = self.ints(node, 0)?.into_iter().map(|member| member as i32);
                if !matches!(data_type, DataType::Dictionary(keys, _) if **keys == DataType::Int32)
                {
                    let mut members = members;
                    let name = |slot| slots.has(slot).then(|| members.next()).flatten();
                    let names =
                        (0..slots.len()).map(name).map(|at| Some(names.value(at? as usize)));
                    return texts::in_form(Arc::new(StringArray::from_iter(names)), data_type);
                }
                let mut all = pool::take(slots.len())?;
                all.extend(members);
                let members = pool::buffer(slots.spread(all)?);
                let keys = PrimitiveArray::<Int32Type>::new(members.into(), nulls);
                Arc::new(DictionaryArray::try_new(keys, Arc::new(names))?)
            }
            (Type::Fixed(..) | Type::Struct(_), DataType::Struct(fields)) => {
                let arrays = self.children(node, fields, slots)?;
                Arc::new(StructArray::try_new_with_length(
                    fields.clone(),
                    arrays,
                    nulls,
                    slots.len(),
                )?)
            }
            (Type::Sequence(..), DataType::List(item)) => {
                let (offsets, elements) = self.offsets(node, slots)?;
                let values = self.part(&node.within[0], item, &Slots::all(elements))?;
                Arc::new(ListArray::try_new(item.clone(), offsets, values, nulls)?)
            }
            (Type::Sequence(..), DataType::LargeList(item)) => {
                let (offsets, elements) = self.offsets(node, slots)?;
                let values = self.part(&node.within[0], item, &Slots::all(elements))?;
                Arc::new(LargeListArray::try_new(
                    item.clone(),
                    texts::wide(&offsets),
                    values,
                    nulls,
                )?)
            }
            (Type::Sequence(..), DataType::FixedSizeList(item, size)) => {
                if matches!(node.within[0].ty, Type::Sequence(..))
                    && let Some(of) = Tensors::of(field).map_err(misdescribed)?
                {
                    return self.tensors_of_lists(node, &of, item, *size, slots, nulls);
                }
                let lengths = self.ints(node, 0)?;
                if let Some(other) = lengths.iter().find(|&&len| len != i64::from(*size)) {
                    return wrong(format!("a list has {other} elements, not {size}"));
                }
                let slots = slots.expanded(*size as usize);
                let values = self.part(&node.within[0], item, &slots)?;
                Arc::new(FixedSizeListArray::try_new(item.clone(), *size, values, nulls)?)
            }
            (Type::Map(..), DataType::Map(..) | DataType::List(_)) => {
                self.map(node, field, slots, nulls)?
            }
            (Type::Union(_), DataType::Union(..)) => self.union(node, field, slots)?,
            _ => match self.numbers_array(node, data_type, slots, nulls)? {
                Some(array) => array,
                None => return unstorable(node, field),
            },
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
        are_texts: bool,
        slots: &Slots,
        nulls: Option<NullBuffer>,
    ) -> Made {
        let (offsets, text) = gathered(&self.strings(node)?, slots)?;
        Ok(match are_texts {
            true => Arc::new(StringArray::try_new(offsets, text, nulls)?),
            false => Arc::new(BinaryArray::try_new(offsets, text, nulls)?),
        })
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

/// An array of the texts that `push` appends for each of `count` values.
fn digits_array(
    count: usize,
    wanted: &DataType,
    slots: &Slots,
    nulls: Option<NullBuffer>,
    push: impl Fn(usize, &mut String),
) -> Made {
    let (mut text, mut ends) = (String::new(), memory::with_capacity(count)?);
    for i in 0..count {
        push(i, &mut text);
        ends.push(u32::try_from(text.len()).map_err(|_| TOO_LONG)?);
    }
    let (offsets, text) = spread_text(text.into_bytes(), &ends, slots)?;
    texts::in_form(Arc::new(StringArray::try_new(offsets, text, nulls)?), wanted)
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

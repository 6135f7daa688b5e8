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

use arrow_array::cast::AsArray;
use arrow_array::{
    Array, ArrayRef, BinaryArray, BooleanArray, LargeListArray, ListArray, MapArray, NullArray,
    RecordBatch, RecordBatchOptions, StringArray, StructArray, UnionArray, make_array,
    new_null_array,
};
use arrow_buffer::{BooleanBuffer, Buffer, OffsetBuffer, ScalarBuffer};
use arrow_data::ArrayData;
use arrow_schema::{DataType, Field, Fields, SchemaRef};
use serow_core::Result;
use serow_core::error::{ErrorKind, Fault};
use serow_core::memory;
use serow_core::plan::Numbered;
use serow_core::schema::Type;
use serow_core::value::text;
use serow_core::wire::frame::ColumnSet;

use crate::dense::{self, Strings};
use crate::failure::{Converted, Failure, described, wrong};
use crate::pool::{self, Pooled};
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
        (false, [field]) => {
            export.part(Part { node: root, field, slots: &slots }).map(|column| vec![column])
        }
        (false, fields) => wrong(format!(
            "rows of {} are one column, and the schema has {}",
            root.ty,
            fields.len()
        )),
    };
    let failed = |failure: Failure| failure.into_error(ErrorKind::Encode, "the batch");
    let columns = columns.map_err(failed)?;
    let options = RecordBatchOptions::new().with_row_count(Some(set.rows));
    RecordBatch::try_new_with_options(schema.clone(), columns, &options)
        .map_err(|error| failed(error.into()))
}

type Made<T = ArrayRef> = Converted<T>;

/// The fault for values that do not fit their field. Callers look at the fits first.
const MISFIT: Fault = Fault::Corrupt("a value does not fit the column of its batch");
const TOO_LONG: Fault = Fault::Limit(
    "the strings or the elements of one column exceed 2^31 in one batch; make batches of fewer rows",
);

fn offset(v: usize) -> Made<i32> {
    i32::try_from(v).map_err(|_| TOO_LONG.into())
}

/// A part of the rows, the field of the array that it becomes, and the slots of the array.
#[derive(Clone, Copy)]
struct Part<'a> {
    node: &'a Numbered<'a>,
    field: &'a Field,
    slots: &'a Slots,
}

impl<'a> Part<'a> {
    /// The type of the array.
    fn ty(&self) -> &'a DataType {
        self.field.data_type()
    }

    /// The array is of a type that these values can't become.
    fn unstorable<T>(&self) -> Made<T> {
        wrong(format!("values of {} can't be stored as {}", self.node.ty, self.ty()))
    }
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
                    let part = Part { node: &node.within[parts - 1], field, slots };
                    self.child(columns[at].holds, part)
                }
                None if field.is_nullable() => Ok(new_null_array(field.data_type(), slots.len())),
                None => wrong("no row has such a field, and the column may not be null"),
            };
            arrays.push(array.map_err(|why| why.within("column", field.name()))?);
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
    fn child(&self, holds: Holds<'_>, part: Part<'_>) -> Made {
        let Some(maybe) = part.node.maybe else { return self.part(part) };
        // The column of a field that may be missing is nullable.
        let slots = part.slots.within(&dense::bits(self.set, maybe)?);
        match holds {
            Holds::Presence => Ok(Arc::new(BooleanArray::new(slots.present_or_all(), None))),
            _ => self.part(Part { slots: &slots, ..part }),
        }
    }

    /// The array of a part of the rows, optional or not.
    fn part(&self, part: Part<'_>) -> Made {
        match part.node.ty {
            Type::Optional(_) => {
                let slots = part.slots.within(&dense::bits(self.set, part.node.first.bits)?);
                self.value(Part { node: &part.node.within[0], slots: &slots, ..part })
            }
            _ => self.value(part),
        }
    }

    /// The array of values that are not optional.
    fn value(&self, part: Part<'_>) -> Made {
        let Part { node, field, slots } = part;
        let data_type = part.ty();
        match (node.ty, data_type) {
            (Type::Never | Type::Null | Type::Optional(_) | Type::Open(_), _) => {
                Ok(new_null_array(data_type, slots.len()))
            }
            (Type::Bool, DataType::Boolean) => {
                bools(slots.spread(dense::bits(self.set, node.first.bits)?)?, slots)
            }
            (Type::I64, DataType::Int64) => flat(self.values(node, 0)?, data_type, slots),
            (Type::I64, ty) if texts::is_text(ty) => {
                let ints = self.ints(node, 0)?;
                texts::of_each(ints.len(), data_type, slots, &|i, text| {
                    text::push_int(ints[i], &[], text);
                })
            }
            (Type::F64, DataType::Float64) => {
                flat(dense::floats(self.set, node.first.floats)?, data_type, slots)
            }
            (Type::Str, _) => {
                let is_binary = matches!(
                    data_type,
                    DataType::Binary | DataType::LargeBinary | DataType::BinaryView
                );
                texts::in_form(self.strings_array(node, !is_binary, slots)?, data_type)
            }
            (Type::Logical(ty), _) => self.logical(*ty, part),
            (Type::Enum(of), _) => {
                let names = StringArray::from_iter_values(of.members.iter());
                if let DataType::Dictionary(keys, _) = data_type
                    && **keys == DataType::Int32
                {
                    let members = integers(self.ints(node, 0)?, keys, slots)?;
                    return texts::dictionary(&members, &names, data_type);
                }
                let mut members = self.ints(node, 0)?.into_iter();
                let name = |slot| slots.has(slot).then(|| members.next()).flatten();
                let names = (0..slots.len()).map(name).map(|at| Some(names.value(at? as usize)));
                texts::in_form(Arc::new(StringArray::from_iter(names)), data_type)
            }
            (Type::Fixed(..) | Type::Struct(_), DataType::Struct(fields)) => {
                structs(fields, self.children(node, fields, &slots.inner())?, slots)
            }
            (
                Type::Sequence(..),
                DataType::List(_) | DataType::LargeList(_) | DataType::FixedSizeList(..),
            ) => {
                if matches!(node.within[0].ty, Type::Sequence(..))
                    && let Some(of) = described(Tensors::of(field))?
                {
                    return self.tensors_of_lists(part, &of);
                }
                lists(self.ints(node, 0)?, data_type, slots, &mut |field, slots| {
                    self.part(Part { node: &node.within[0], field, slots })
                })
            }
            (Type::Map(..), DataType::Map(..) | DataType::List(_)) => {
                lists(self.ints(node, 0)?, data_type, slots, &mut |entries, slots| {
                    let DataType::Struct(fields) = entries.data_type() else {
                        return part.unstorable();
                    };
                    let parts = node.within.iter().zip(fields);
                    let arrays = parts.map(|(node, field)| self.part(Part { node, field, slots }));
                    structs(fields, arrays.collect::<Made<_>>()?, slots)
                })
            }
            (Type::Union(_), DataType::Union(..)) => self.union(part),
            (Type::Union(_), _) => {
                let arms = self.ints(node, 0)?;
                match arms.first() {
                    None => Ok(new_null_array(data_type, slots.len())),
                    // Values of one type become an array as they do without the union.
                    Some(&arm) if arms.iter().all(|&other| other == arm) => {
                        self.value(Part { node: &node.within[arm as usize], ..part })
                    }
                    Some(_) => self.numbers_array(part),
                }
            }
            _ => self.numbers_array(part),
        }
    }

    /// A dense union. A slot without a value has the arm after the last.
    fn union(&self, Part { node, field, slots }: Part<'_>) -> Made {
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
            let slots = Slots::all(counts[i] as usize);
            children.push(match node.within.get(i) {
                Some(node) => self.part(Part { node, field, slots: &slots })?,
                None => Arc::new(NullArray::new(slots.len())),
            });
        }
        let ids = ScalarBuffer::from(pool::buffer(ids));
        let offsets = ScalarBuffer::from(pool::buffer(offsets));
        Ok(Arc::new(UnionArray::try_new(fields.clone(), ids, Some(offsets), children)?))
    }

    fn strings_array(&self, node: &Numbered<'_>, are_texts: bool, slots: &Slots) -> Made {
        let strings = self.strings(node)?;
        let Some(codes) = &strings.codes else {
            let mut text = pool::take(strings.text().len())?;
            text.extend_from_slice(strings.text());
            return string_array(text, &strings.ends, are_texts, slots);
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
        string_array(text, &ends, are_texts, slots)
    }
}

/// An array of the type `ty`, which has these buffers and children beside its nulls.
fn built(ty: &DataType, slots: &Slots, buffers: Vec<Buffer>, within: Option<&ArrayRef>) -> Made {
    let array = ArrayData::builder(ty.clone()).len(slots.len()).nulls(slots.nulls());
    let within = within.map(|array| array.to_data()).into_iter().collect();
    Ok(make_array(array.buffers(buffers).child_data(within).build()?))
}

/// An array of type `ty` with these values. A value of `ty` takes as many bytes as a `T`.
fn flat<T: Pooled + Default>(values: Vec<T>, ty: &DataType, slots: &Slots) -> Made {
    built(ty, slots, vec![pool::buffer(slots.spread(values)?)], None)
}

/// An array of integers of the type `ty`, which may have any width.
fn integers(values: Vec<i64>, ty: &DataType, slots: &Slots) -> Made {
    fn narrow<T>(values: Vec<i64>, ty: &DataType, slots: &Slots) -> Made
    where
        T: Pooled + Default + TryFrom<i64>,
    {
        let mut narrow = pool::take(slots.len())?;
        for value in values {
            match T::try_from(value) {
                Ok(value) => narrow.push(value),
                Err(_) => return wrong(format!("{ty} does not hold {value}")),
            }
        }
        flat(narrow, ty, slots)
    }
    match (ty.primitive_width(), ty.is_unsigned_integer()) {
        (Some(1), false) => narrow::<i8>(values, ty, slots),
        (Some(1), true) => narrow::<u8>(values, ty, slots),
        (Some(2), false) => narrow::<i16>(values, ty, slots),
        (Some(2), true) => narrow::<u16>(values, ty, slots),
        (Some(4), false) => narrow::<i32>(values, ty, slots),
        (Some(4), true) => narrow::<u32>(values, ty, slots),
        _ => flat(values, ty, slots),
    }
}

/// An array of a byte of 0 or 1 for each slot, packed.
fn bools(bits: Vec<u8>, slots: &Slots) -> Made {
    let packed = BooleanBuffer::collect_bool(bits.len(), |i| bits[i] != 0);
    Ok(Arc::new(BooleanArray::new(packed, slots.nulls())))
}

fn structs(fields: &Fields, arrays: Vec<ArrayRef>, slots: &Slots) -> Made {
    let (fields, nulls) = (fields.clone(), slots.nulls());
    Ok(Arc::new(StructArray::try_new_with_length(fields, arrays, nulls, slots.len())?))
}

/// An array of lists, or of maps, of these lengths. `elements` makes the array of all their elements.
fn lists(
    lengths: Vec<i64>,
    ty: &DataType,
    slots: &Slots,
    elements: &mut dyn FnMut(&Field, &Slots) -> Made,
) -> Made {
    let item = match ty {
        DataType::FixedSizeList(item, size) => {
            if let Some(other) = lengths.iter().find(|&&len| len != i64::from(*size)) {
                return wrong(format!("a list has {other} elements, not {size}"));
            }
            return same_lists(item, *size, ty, slots, elements);
        }
        DataType::List(item) | DataType::LargeList(item) | DataType::Map(item, _) => item,
        _ => return Err(MISFIT.into()),
    };
    let lengths = slots.spread(lengths)?;
    let mut offsets = pool::take::<i32>(lengths.len() + 1)?;
    let mut end = 0;
    offsets.push(0);
    for length in lengths {
        end += length as usize;
        offsets.push(offset(end)?);
    }
    let (item, nulls, within) = (item.clone(), slots.nulls(), elements(item, &Slots::all(end))?);
    if let DataType::LargeList(_) = ty {
        let offsets = OffsetBuffer::new(texts::wide(&offsets).into());
        return Ok(Arc::new(LargeListArray::try_new(item, offsets, within, nulls)?));
    }
    let offsets = OffsetBuffer::new(pool::buffer(offsets).into());
    Ok(match ty {
        DataType::Map(_, is_sorted) => {
            let entries = within.as_struct().clone();
            Arc::new(MapArray::try_new(item, offsets, entries, nulls, *is_sorted)?)
        }
        _ => Arc::new(ListArray::try_new(item, offsets, within, nulls)?),
    })
}

/// An array of lists of `size` elements each.
fn same_lists(
    item: &Field,
    size: i32,
    ty: &DataType,
    slots: &Slots,
    elements: &mut dyn FnMut(&Field, &Slots) -> Made,
) -> Made {
    let within = slots.expanded(size as usize).ok_or(TOO_LONG)?;
    built(ty, slots, Vec::new(), Some(&elements(item, &within)?))
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

/// An array of strings that end at `ends` in `text`.
fn string_array(text: Vec<u8>, ends: &[u32], are_texts: bool, slots: &Slots) -> Made {
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
    let (offsets, text) = (OffsetBuffer::new(pool::buffer(offsets).into()), pool::buffer(text));
    Ok(match are_texts {
        true => Arc::new(StringArray::try_new(offsets, text, slots.nulls())?),
        false => Arc::new(BinaryArray::try_new(offsets, text, slots.nulls())?),
    })
}

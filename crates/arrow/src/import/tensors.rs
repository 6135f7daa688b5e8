//! Tensors, and what else arrays of any number of dimensions become. The elements are copied as memory.

use std::borrow::Cow;

use arrow_array::cast::AsArray;
use arrow_array::types::{Int32Type, Int64Type};
use arrow_array::{Array, ArrayRef, StructArray};
use arrow_buffer::{ArrowNativeType, Buffer};
use arrow_schema::DataType;
use serow_core::limits::MAX_ROW_ELEMENTS;
use serow_core::memory;
use serow_core::plan::Numbered;
use serow_core::schema::{ElementType, NdArray};

use super::places::{elements, first_null, range};
use super::strings::Strings;
use super::{Part, Read, Reading, TOO_MANY};
use crate::failure::{described, wrong};
use crate::slots::Selection;
use crate::tensors::{
    self, BIG_ENDIAN, BIG_ENDIAN_PREFIX, ORDER, Permutation, Tensors, element_of, is_shape,
};

impl Reading<'_> {
    pub(super) fn tensors(&mut self, part: Part<'_>) -> Read {
        let Part { field, array, .. } = part;
        let column = self.str_column(part.node);
        if column.count() == 0 {
            // Hardly any array is there twice.
            column.make_plain();
        }
        let of = described(Tensors::of(field))?;
        let is_big_endian = field.metadata().get(ORDER).is_some_and(|order| order == BIG_ENDIAN);
        match (of, array.data_type()) {
            (Some(Tensors::Fixed(lengths, order)), DataType::FixedSizeList(..)) => {
                self.fixed(&lengths, &order, is_big_endian, part)
            }
            (Some(Tensors::Variable(order)), DataType::Struct(_)) => {
                self.variable(&order, array.as_struct(), part)
            }
            (None, DataType::Struct(_)) => self.array_components(array.as_struct(), part),
            (None, _) => self.lists(is_big_endian, part),
            _ => part.unreadable(),
        }
    }

    /// Arrays with elements of one type.
    fn codes(
        &mut self,
        node: &Numbered<'_>,
        of: ElementType,
        is_big_endian: bool,
        count: usize,
    ) -> Read {
        let column = self.int_column(node, 0);
        let len = column.len() + count;
        Ok(memory::resize(column, len, NdArray::code(of, is_big_endian))?)
    }

    /// Tensors whose elements are stored with these lengths.
    fn fixed(
        &mut self,
        lengths: &[usize],
        order: &Permutation,
        is_big_endian: bool,
        part: Part<'_>,
    ) -> Read {
        let Part { node, array, selection, .. } = part;
        let list = array.as_fixed_size_list();
        let Some(values) = Elements::of(list.values()) else { return part.unreadable() };
        let len = list.value_length().as_usize();
        if len != lengths.iter().product::<usize>() {
            return part.unreadable();
        }
        self.codes(node, values.of, is_big_endian, selection.len())?;
        let mut head = Vec::new();
        let shape = order.as_ref().map(|order| tensors::permuted(lengths, order));
        NdArray::write_shape(shape.as_deref().unwrap_or(lengths), &mut head)?;
        let bytes = selection.len().saturating_mul(head.len() + len * values.of.size());
        let column = self.str_column(node);
        column.reserve(selection.len(), bytes)?;
        let mut moved = Vec::new();
        for slot in selection.iter() {
            let begin = list.value_offset_at(slot);
            let range = range(slot, (Some(begin), begin.checked_add(len)), values.len)?;
            let elements = values.bytes(slot, range)?;
            match order {
                None => column.push_joined(&head, &elements)?,
                Some(order) => {
                    moved.clear();
                    tensors::transpose(&elements, values.of.size(), lengths, order, &mut moved)?;
                    column.push_joined(&head, &moved)?;
                }
            }
        }
        Ok(())
    }

    /// Tensors that have a shape each.
    fn variable(&mut self, order: &Permutation, of: &StructArray, part: Part<'_>) -> Read {
        let Part { node, selection, .. } = part;
        let [data, shapes] = of.columns() else { return wrong("a tensor has no data and shape") };
        let (lists, all) = within(data, selection, DATA)?;
        let (dimensions, lengths) = within(shapes, selection, SHAPE)?;
        let Some(ints) = lengths.values.as_primitive_opt::<Int32Type>() else {
            return wrong("the lengths of a tensor are no int32");
        };
        let lengths: Vec<i64> = lengths.selection.iter().map(|at| ints.value(at).into()).collect();
        let Some(values) = Elements::of(&all.values) else { return part.unreadable() };
        self.codes(node, values.of, false, selection.len())?;
        let (mut head, mut taken, mut moved) = (Vec::new(), Taken::of(&all.selection), Vec::new());
        let mut lengths = &lengths[..];
        for ((slot, len), dimensions) in selection.iter().zip(lists).zip(dimensions) {
            let (own, rest) = lengths.split_at(dimensions);
            lengths = rest;
            let Some(stored) = shape_of(own, values.of, len * values.of.size()) else {
                return wrong(format!("slot {slot} has {len} elements, and its shape is {own:?}"));
            };
            let elements = taken.next(slot, len, &values)?;
            head.clear();
            let column = &mut self.into.strs[node.first.strs as usize];
            match order.as_ref().filter(|order| order.len() == stored.len()) {
                None => {
                    NdArray::write_shape(&stored, &mut head)?;
                    column.push_joined(&head, &elements)?;
                }
                Some(order) => {
                    NdArray::write_shape(&tensors::permuted(&stored, order), &mut head)?;
                    moved.clear();
                    tensors::transpose(&elements, values.of.size(), &stored, order, &mut moved)?;
                    column.push_joined(&head, &moved)?;
                }
            }
        }
        Ok(())
    }

    /// Arrays from structs of their components.
    fn array_components(&mut self, of: &StructArray, part: Part<'_>) -> Read {
        let Part { node, selection, .. } = part;
        let [names, shapes, data] = of.columns() else {
            return wrong("an array has no type, shape and data");
        };
        for column in [names, data] {
            if first_null(column, selection)?.is_some() {
                return wrong("a component of an array is null");
            }
        }
        let (Some(names), Some(data)) = (Strings::of(names), Strings::of(data)) else {
            return wrong("a component of an array has another type");
        };
        let (dimensions, lengths) = within(shapes, selection, SHAPE)?;
        let Some(ints) = lengths.values.as_primitive_opt::<Int64Type>() else {
            return wrong("the lengths of an array are no int64");
        };
        let lengths: Vec<i64> = lengths.selection.iter().map(|at| ints.value(at)).collect();
        let (mut lengths, mut head, mut swapped) = (&lengths[..], Vec::new(), Vec::new());
        for (slot, dimensions) in selection.iter().zip(dimensions) {
            let name = std::str::from_utf8(names.bytes(slot)?).unwrap_or_default();
            let little = name.strip_prefix(BIG_ENDIAN_PREFIX);
            let of = ElementType::ALL.into_iter().find(|of| of.name() == little.unwrap_or(name));
            let Some(of) = of.filter(|of| little.is_none() || of.word() > 1) else {
                return wrong(format!("slot {slot} has elements of the unknown type {name:?}"));
            };
            let (own, rest) = lengths.split_at(dimensions);
            lengths = rest;
            let bytes = data.bytes(slot)?;
            let Some(shape) = shape_of(own, of, bytes.len()) else {
                return wrong(format!(
                    "slot {slot} has {} bytes, and is an array of {of} of shape {own:?}",
                    bytes.len()
                ));
            };
            if of == ElementType::Bool && bytes.iter().any(|&byte| byte > 1) {
                return wrong(format!("slot {slot} has a bool that is neither 0 nor 1"));
            }
            head.clear();
            NdArray::write_shape(&shape, &mut head)?;
            self.codes(node, of, little.is_some(), 1)?;
            let column = self.str_column(node);
            match little {
                None => column.push_joined(&head, bytes)?,
                Some(_) => {
                    swapped.clear();
                    memory::extend(&mut swapped, bytes)?;
                    swapped.chunks_exact_mut(of.word()).for_each(<[u8]>::reverse);
                    column.push_joined(&head, &swapped)?;
                }
            }
        }
        Ok(())
    }

    /// Arrays from lists of lists.
    fn lists(&mut self, is_big_endian: bool, part: Part<'_>) -> Read {
        let Part { node, array, selection, .. } = part;
        // How many each list of each dimension has.
        let mut lengths: Vec<Vec<usize>> = Vec::new();
        let (mut values, mut within) = (array.clone(), selection.clone());
        loop {
            // The lists take memory here that they may not take there.
            self.elements = self.elements.saturating_add(within.len());
            if self.elements > MAX_ROW_ELEMENTS {
                return Err(TOO_MANY.into());
            }
            let mut of_lists = memory::with_capacity(within.len())?;
            let of = elements(&values, &within, |len| {
                of_lists.push(len);
                Ok(())
            })?;
            let Some(of) = of else { break };
            lengths.push(of_lists);
            (values, within) = (of.values, of.selection);
            if element_of(values.data_type()).is_some() {
                break;
            }
            if let Some(null) = first_null(&values, &within)? {
                let slot = selection.iter().nth(owner(&lengths, null)).unwrap_or(0);
                return wrong(format!("slot {slot} has a null list, and is read as an array"));
            }
        }
        let (Some(values), false) = (Elements::of(&values), lengths.is_empty()) else {
            return part.unreadable();
        };
        self.codes(node, values.of, is_big_endian, selection.len())?;
        let mut rests: Vec<&[usize]> = lengths.iter().map(|lengths| &lengths[..]).collect();
        let (mut shape, mut head, mut taken) = (Vec::new(), Vec::new(), Taken::of(&within));
        for slot in selection.iter() {
            shape.clear();
            let mut count = 1usize;
            for rest in &mut rests {
                let (own, after) = rest.split_at(count);
                *rest = after;
                let len = own.first().copied().unwrap_or(0);
                if let Some(other) = own.iter().find(|&&other| other != len) {
                    return wrong(format!(
                        "slot {slot} has lists of {len} and of {other} values, and is read as an array"
                    ));
                }
                shape.push(len);
                count *= len;
            }
            let elements = taken.next(slot, count, &values)?;
            head.clear();
            NdArray::write_shape(&shape, &mut head)?;
            self.str_column(node).push_joined(&head, &elements)?;
        }
        Ok(())
    }
}

const SHAPE: &str = "shape";
const DATA: &str = "data";

/// Reads the lists that `selection` names in `array`: returns their lengths and their elements. A null list is an error.
fn within(
    array: &ArrayRef,
    selection: &Selection,
    what: &str,
) -> Read<(Vec<usize>, super::Elements)> {
    if let Some(null) = first_null(array, selection)? {
        return wrong(format!("slot {} has no {what}", selection.iter().nth(null).unwrap_or(0)));
    }
    let mut lengths = memory::with_capacity(selection.len())?;
    let of = elements(array, selection, |len| {
        lengths.push(len);
        Ok(())
    })?;
    let Some(of) = of else { return wrong(format!("the {what} of an array is no list")) };
    if what == SHAPE && first_null(&of.values, &of.selection)?.is_some() {
        return wrong("a length in the shape of an array is null");
    }
    Ok((lengths, of))
}

/// Returns `lengths` as a shape. `None` if no array has it, or if elements of type `of` would take another number of
/// bytes than `bytes`.
fn shape_of(lengths: &[i64], of: ElementType, bytes: usize) -> Option<Vec<usize>> {
    let shape: Option<Vec<usize>> = lengths.iter().map(|&len| usize::try_from(len).ok()).collect();
    shape.filter(|shape| {
        is_shape(shape, of.size()) && shape.iter().product::<usize>() * of.size() == bytes
    })
}

/// The list of the first dimension that has value `at` of the innermost lists.
fn owner(lengths: &[Vec<usize>], mut at: usize) -> usize {
    for lists in lengths.iter().rev() {
        let mut end = 0;
        let is_behind = |len: &usize| {
            end += len;
            end > at
        };
        at = lists.iter().position(is_behind).unwrap_or(0);
    }
    at
}

/// Elements of arrays, without nulls.
struct Elements<'a> {
    of: ElementType,
    array: &'a ArrayRef,
    len: usize,
    /// All elements, unless they are booleans, which are bits.
    bytes: Buffer,
}

impl<'a> Elements<'a> {
    fn of(array: &'a ArrayRef) -> Option<Elements<'a>> {
        let of = element_of(array.data_type())?;
        let bytes = match of {
            ElementType::Bool => Buffer::default(),
            _ => {
                let data = array.to_data();
                data.buffers().first()?.slice(data.offset() * of.size())
            }
        };
        Some(Elements { of, array, len: array.len(), bytes })
    }

    /// The bytes of the elements in `range`, which the array of a slot has.
    fn bytes(&self, slot: usize, range: std::ops::Range<usize>) -> Read<Cow<'_, [u8]>> {
        if let Some(nulls) = self.array.nulls().filter(|nulls| nulls.null_count() > 0)
            && nulls.slice(range.start, range.len()).null_count() > 0
        {
            return wrong(format!("slot {slot} has a null element, and arrays have none"));
        }
        if self.of == ElementType::Bool {
            let bits = self.array.as_boolean().values().slice(range.start, range.len());
            let mut bytes = memory::with_capacity(range.len())?;
            bytes.extend(bits.iter().map(u8::from));
            return Ok(Cow::Owned(bytes));
        }
        let size = self.of.size();
        Ok(Cow::Borrowed(&self.bytes[range.start * size..range.end * size]))
    }
}

/// Elements that are taken some after some.
struct Taken<'p> {
    selection: &'p Selection,
    at: usize,
}

impl Taken<'_> {
    fn of(selection: &Selection) -> Taken<'_> {
        Taken { selection, at: 0 }
    }

    /// The bytes of the next `len` elements, which the array of a slot has.
    fn next<'a>(
        &mut self,
        slot: usize,
        len: usize,
        values: &'a Elements<'_>,
    ) -> Read<Cow<'a, [u8]>> {
        let own = self.at..self.at + len;
        self.at = own.end;
        match self.selection {
            Selection::Range(all) => values.bytes(slot, all.start + own.start..all.start + own.end),
            Selection::Listed(slots) => {
                let mut all = memory::with_capacity(len * values.of.size())?;
                for run in slots[own].chunk_by(|at, next| at + 1 == *next) {
                    all.extend_from_slice(&values.bytes(slot, run[0]..run[0] + run.len())?);
                }
                Ok(Cow::Owned(all))
            }
        }
    }
}

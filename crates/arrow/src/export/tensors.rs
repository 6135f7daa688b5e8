//! Arrays of any number of dimensions. The elements are copied as memory.

use std::iter::repeat_n;

use arrow_schema::{DataType, Field, Fields};
use serow_core::memory;
use serow_core::schema::{Element, ElementType, Logical, NdArray, Type};

use super::numbers::{Number, array_of_numbers, is_number};
use super::{
    Export, MISFIT, Made, Part, TOO_LONG, bools, built, flat, lists, same_lists, string_array,
    structs, texts,
};
use crate::failure::{described, wrong};
use crate::pool::{self, Pooled};
use crate::slots::Slots;
use crate::tensors::{self, ArrayOf, BIG_ENDIAN_PREFIX, Tensors, arrays, element_of};
use crate::types;

impl Export<'_, '_> {
    pub(super) fn tensors(&self, part: Part<'_>) -> Made {
        let (ty, slots) = (part.ty(), part.slots);
        let (codes, strings) = (self.ints(part.node, 0)?, self.strings(part.node)?);
        let mut arrays = arrays(&codes, &strings)?;
        match (described(Tensors::of(part.field))?, ty) {
            (Some(Tensors::Fixed(lengths, order)), DataType::FixedSizeList(item, size)) => {
                let shape = match &order {
                    Some(order) => tensors::permuted(&lengths, order),
                    None => lengths,
                };
                let is_other =
                    |array: &ArrayOf<'_>| !array.shape.lengths().eq(shape.iter().copied());
                if let Some(i) = arrays.iter().position(is_other) {
                    return misshapen(i, &arrays[i], &format!("a tensor of shape {shape:?}"));
                }
                let mut stored = Vec::new();
                if let Some(order) = order {
                    let back = tensors::inverse(&order);
                    for array in &arrays {
                        let size = array.of.size();
                        tensors::transpose(array.elements, size, &shape, &back, &mut stored)?;
                    }
                }
                let mut rest = &stored[..];
                for array in arrays.iter_mut().take_while(|_| !rest.is_empty()) {
                    (array.elements, rest) = rest.split_at(array.elements.len());
                }
                same_lists(item, *size, ty, slots, &mut |item, slots| {
                    elements(&arrays, item, slots)
                })
            }
            (None, DataType::Struct(fields)) if *ty == types::components(Logical::NdArray) => {
                components(&arrays, fields, slots)
            }
            (None, DataType::List(_) | DataType::LargeList(_) | DataType::FixedSizeList(..)) => {
                let sizes = sizes(ty);
                for (i, array) in arrays.iter().enumerate() {
                    if !has_sizes(array, &sizes) {
                        return misshapen(i, array, &ty.to_string());
                    }
                    array.check_lists()?;
                }
                nested(&arrays, 0, &vec![1; arrays.len()], part.field, slots)
            }
            _ => part.unstorable(),
        }
    }

    /// Tensors of the elements of lists within each other.
    pub(super) fn tensors_of_lists(&self, part: Part<'_>, of: &Tensors) -> Made {
        let (Tensors::Fixed(shape, None), DataType::FixedSizeList(item, size)) = (of, part.ty())
        else {
            return wrong(
                "lists can't be stored as tensors with a permutation; store arrays as these",
            );
        };
        let mut node = part.node;
        for len in shape {
            if !matches!(node.ty, Type::Sequence(..)) {
                return wrong(format!(
                    "values of {} can't be stored as a tensor of shape {shape:?}",
                    part.node.ty
                ));
            }
            if let Some(other) = self.ints(node, 0)?.iter().find(|&&v| v != *len as i64) {
                return wrong(format!(
                    "a list has {other} elements, not {len}, as in a tensor of shape {shape:?}"
                ));
            }
            node = &node.within[0];
        }
        same_lists(item, *size, part.ty(), part.slots, &mut |field, slots| {
            self.part(Part { node, field, slots })
        })
    }
}

/// Array number `i`, of those that are not null, has another shape than it may.
fn misshapen<T>(i: usize, array: &ArrayOf<'_>, wanted: &str) -> Made<T> {
    let shape: Vec<usize> = array.shape.lengths().collect();
    wrong(format!("an array of shape {shape:?}, value {i}, can't be stored as {wanted}"))
}

/// The dimensions of lists within each other. Lists of one size have it.
fn sizes(mut ty: &DataType) -> Vec<Option<usize>> {
    let mut sizes = Vec::new();
    while let DataType::List(item) | DataType::LargeList(item) | DataType::FixedSizeList(item, _) =
        ty
    {
        sizes.push(match ty {
            DataType::FixedSizeList(_, size) => Some(*size as usize),
            _ => None,
        });
        ty = item.data_type();
    }
    sizes
}

/// Whether an array may become lists within each other that have these sizes.
fn has_sizes(array: &ArrayOf<'_>, sizes: &[Option<usize>]) -> bool {
    // There are no lists within an empty one.
    let mut are_there = true;
    array.shape.dimensions() == sizes.len()
        && array.shape.lengths().zip(sizes).all(|(len, size)| {
            let is_size = !are_there || size.is_none_or(|size| size == len);
            are_there &= len > 0;
            is_size
        })
}

/// The lists of dimension `at` of arrays; each array has as many of them as `counts` says.
fn nested(
    arrays: &[ArrayOf<'_>],
    at: usize,
    counts: &[usize],
    field: &Field,
    slots: &Slots,
) -> Made {
    if sizes(field.data_type()).is_empty() {
        return elements(arrays, field, slots);
    }
    let mut lengths = memory::with_capacity(counts.iter().sum())?;
    let mut within = Vec::with_capacity(arrays.len());
    for (array, &count) in arrays.iter().zip(counts) {
        let len = array.shape.lengths().nth(at).unwrap_or(0);
        lengths.extend(repeat_n(len as i64, count));
        within.push(count * len);
    }
    lists(lengths, field.data_type(), slots, &mut |field, slots| {
        nested(arrays, at + 1, &within, field, slots)
    })
}

/// All elements of arrays, one after another.
fn elements(arrays: &[ArrayOf<'_>], item: &Field, slots: &Slots) -> Made {
    let wanted = item.data_type();
    if let Some(of) = element_of(wanted).filter(|of| arrays.iter().all(|array| array.of == *of)) {
        return same_elements(of, arrays, wanted, slots);
    }
    if !is_number(wanted) {
        return wrong(match arrays.first() {
            Some(array) => format!("elements of {} can't be stored as {wanted}", array.of),
            None => format!("elements of arrays can't be stored as {wanted}"),
        });
    }
    let mut all = memory::with_capacity(count(arrays))?;
    arrays.iter().try_for_each(|array| append_numbers(array, &mut all))?;
    array_of_numbers(&all, wanted, slots)
}

/// The number of elements of all arrays.
fn count(arrays: &[ArrayOf<'_>]) -> usize {
    arrays.iter().map(|array| array.elements.len() / array.of.size()).sum()
}

fn append_numbers(array: &ArrayOf<'_>, all: &mut Vec<Number>) -> Made<()> {
    let mut bytes = Vec::new();
    let lengths: Vec<usize> = array.shape.lengths().collect();
    NdArray::write_shape(&lengths, &mut bytes)?;
    memory::extend(&mut bytes, array.elements)?;
    let of = NdArray::of_components(NdArray::code(array.of, false), &bytes)?;
    for at in 0..array.elements.len() / array.of.size() {
        all.push(match of.element(at) {
            Element::I64(v) => Number::Decimal(v.into(), 0),
            Element::U64(v) => Number::Decimal(v.into(), 0),
            Element::F64(v) => Number::Float(v),
            Element::Bool(_) | Element::Complex(_) => {
                return wrong(format!("elements of {} are no numbers", array.of));
            }
        });
    }
    Ok(())
}

/// One array of the elements of all `arrays`, which are of type `of`.
fn same_elements(
    of: ElementType,
    arrays: &[ArrayOf<'_>],
    wanted: &DataType,
    slots: &Slots,
) -> Made {
    /// Copies words of `N` bytes to their slots.
    fn copied<T: Pooled + Default, const N: usize>(
        arrays: &[ArrayOf<'_>],
        slots: &Slots,
        word: fn([u8; N]) -> T,
    ) -> Made<Vec<T>> {
        let mut all = pool::take(slots.len())?;
        let append = |all: &mut Vec<T>, array: &ArrayOf<'_>| {
            all.extend(array.elements.as_chunks::<N>().0.iter().map(|bytes| word(*bytes)));
        };
        let mut rest = arrays.iter();
        for (begin, end) in slots.present().iter().flat_map(|present| present.set_slices()) {
            all.resize(begin, T::default());
            while all.len() < end {
                append(&mut all, rest.next().ok_or(MISFIT)?);
            }
        }
        rest.for_each(|array| append(&mut all, array));
        if slots.present().is_some() {
            all.resize(slots.len(), T::default());
        }
        Ok(all)
    }
    if of == ElementType::Bool {
        return bools(copied(arrays, slots, u8::from_le_bytes)?, slots);
    }
    let values = match of.size() {
        1 => pool::buffer(copied(arrays, slots, u8::from_le_bytes)?),
        2 => pool::buffer(copied(arrays, slots, i16::from_le_bytes)?),
        4 => pool::buffer(copied(arrays, slots, i32::from_le_bytes)?),
        _ => pool::buffer(copied(arrays, slots, i64::from_le_bytes)?),
    };
    built(wanted, slots, vec![values], None)
}

/// A struct of the type of each array, its shape, and its elements in the type's order of bytes.
fn components(arrays: &[ArrayOf<'_>], fields: &Fields, slots: &Slots) -> Made {
    let inner = slots.inner();
    let names = texts::of_each(arrays.len(), &DataType::Utf8, &inner, &|i, text| {
        text.extend(arrays[i].is_big_endian.then_some(BIG_ENDIAN_PREFIX));
        text.push_str(arrays[i].of.name());
    })?;
    let dimensions = arrays.iter().map(|array| array.shape.dimensions() as i64).collect();
    let shapes = lists(dimensions, fields[1].data_type(), &inner, &mut |item, slots| {
        let lengths = arrays.iter().flat_map(|array| array.shape.lengths());
        flat(lengths.map(|len| len as i64).collect(), item.data_type(), slots)
    })?;
    let mut data = pool::take::<u8>(arrays.iter().map(|array| array.elements.len()).sum())?;
    let mut ends = memory::with_capacity(arrays.len())?;
    for array in arrays {
        let begin = data.len();
        data.extend_from_slice(array.elements);
        if array.is_big_endian {
            data[begin..].chunks_exact_mut(array.of.word()).for_each(<[u8]>::reverse);
        }
        ends.push(u32::try_from(data.len()).map_err(|_| TOO_LONG)?);
    }
    let data = string_array(data, &ends, false, &inner)?;
    structs(fields, vec![names, shapes, data], slots)
}

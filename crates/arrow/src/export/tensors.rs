//! Arrays of any number of dimensions. The elements are copied as memory.

use std::iter::repeat_n;
use std::sync::Arc;

use arrow_array::types::{
    Float16Type, Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type, UInt8Type,
    UInt16Type, UInt32Type, UInt64Type,
};
use arrow_array::{
    ArrayRef, BinaryArray, BooleanArray, FixedSizeListArray, Int64Array, LargeListArray, ListArray,
    PrimitiveArray, StringArray, StructArray,
};
use arrow_buffer::{Buffer, NullBuffer};
use arrow_schema::{DataType, Field, FieldRef, Fields};
use serow_core::memory;
use serow_core::plan::Numbered;
use serow_core::schema::{Element, ElementType, Logical, NdArray, Type};

use super::numbers::{Number, array_of_numbers};
use super::{
    Export, MISFIT, Made, TOO_LONG, misdescribed, offset, offset_buffer, packed, spread_text,
    texts, unstorable, wrong,
};
use crate::pool::{self, Pooled};
use crate::slots::Slots;
use crate::tensors::{self, ArrayOf, BIG_ENDIAN_PREFIX, Tensors, arrays, element_of};
use crate::types;

impl Export<'_, '_> {
    pub(super) fn tensors(
        &self,
        node: &Numbered<'_>,
        field: &Field,
        slots: &Slots,
        nulls: Option<NullBuffer>,
    ) -> Made {
        let (codes, strings) = (self.ints(node, 0)?, self.strings(node)?);
        let arrays = arrays(&codes, &strings)?;
        match (Tensors::of(field).map_err(misdescribed)?, field.data_type()) {
            (Some(Tensors::Fixed(lengths, order)), DataType::FixedSizeList(item, size)) => {
                let shape = match &order {
                    Some(order) => tensors::permuted(&lengths, order),
                    None => lengths,
                };
                if let Some((i, other)) = arrays
                    .iter()
                    .enumerate()
                    .find(|(_, array)| !array.shape.lengths().eq(shape.iter().copied()))
                {
                    return misshapen(i, other, &format!("a tensor of shape {shape:?}"));
                }
                let Some(order) = order else {
                    return fixed(&arrays, item, *size, slots, nulls);
                };
                let back = tensors::inverse(&order);
                let mut stored = Vec::new();
                for array in &arrays {
                    tensors::transpose(
                        array.elements,
                        array.of.size(),
                        &shape,
                        &back,
                        &mut stored,
                    )?;
                }
                let mut rest = &stored[..];
                let mut moved = |array: &ArrayOf<'_>| {
                    let (elements, after) = rest.split_at(array.elements.len());
                    rest = after;
                    elements
                };
                let arrays: Vec<_> = arrays
                    .iter()
                    .map(|array| ArrayOf { elements: moved(array), ..*array })
                    .collect();
                fixed(&arrays, item, *size, slots, nulls)
            }
            (None, ty) if *ty == types::components(Logical::NdArray) => {
                components(&arrays, ty, slots, nulls)
            }
            (None, DataType::List(_) | DataType::LargeList(_) | DataType::FixedSizeList(..)) => {
                let mut dimensions = 0;
                let mut within = field.data_type();
                while let DataType::List(item)
                | DataType::LargeList(item)
                | DataType::FixedSizeList(item, _) = within
                {
                    (dimensions, within) = (dimensions + 1, item.data_type());
                }
                for (i, array) in arrays.iter().enumerate() {
                    if array.shape.dimensions() != dimensions {
                        return misshapen(i, array, &field.data_type().to_string());
                    }
                    array.check_lists()?;
                }
                let counts = vec![1; arrays.len()];
                Lists { arrays: &arrays, slots, field }.made(field, 0, &counts, Some(1), nulls)
            }
            _ => unstorable(node, field),
        }
    }
}

impl Export<'_, '_> {
    /// Tensors of the elements of lists within each other.
    pub(super) fn tensors_of_lists(
        &self,
        node: &Numbered<'_>,
        of: &Tensors,
        item: &FieldRef,
        size: i32,
        slots: &Slots,
        nulls: Option<NullBuffer>,
    ) -> Made {
        let Tensors::Fixed(shape, None) = of else {
            return wrong(
                "lists can't be stored as tensors with a permutation; store arrays as these".into(),
            );
        };
        let mut within = node;
        for len in shape {
            if !matches!(within.ty, Type::Sequence(..)) {
                return wrong(format!(
                    "values of {} can't be stored as a tensor of shape {shape:?}",
                    node.ty
                ));
            }
            if let Some(other) = self.ints(within, 0)?.iter().find(|&&v| v != *len as i64) {
                return wrong(format!(
                    "a list has {other} elements, not {len}, as in a tensor of shape {shape:?}"
                ));
            }
            within = &within.within[0];
        }
        elements_of(slots, size as usize)?;
        let values = self.part(within, item, &slots.expanded(size as usize))?;
        Ok(Arc::new(FixedSizeListArray::try_new_with_length(
            item.clone(),
            size,
            values,
            nulls,
            slots.len(),
        )?))
    }
}

/// Array number `i`, of those that are not null, has another shape than it may.
fn misshapen<T>(i: usize, array: &ArrayOf<'_>, wanted: &str) -> Made<T> {
    let shape: Vec<usize> = array.shape.lengths().collect();
    wrong(format!("an array of shape {shape:?}, value {i}, can't be stored as {wanted}"))
}

/// Lists of the elements of each array.
fn fixed(
    arrays: &[ArrayOf<'_>],
    item: &FieldRef,
    size: i32,
    slots: &Slots,
    nulls: Option<NullBuffer>,
) -> Made {
    let values = elements(arrays, Some(size as usize), slots, item)?;
    Ok(Arc::new(FixedSizeListArray::try_new_with_length(
        item.clone(),
        size,
        values,
        nulls,
        slots.len(),
    )?))
}

/// Arrays that become lists of lists.
struct Lists<'a> {
    arrays: &'a [ArrayOf<'a>],
    slots: &'a Slots,
    /// The field of the arrays.
    field: &'a Field,
}

impl Lists<'_> {
    /// Makes the lists of dimension `at`. `counts` has their number for each array. If `each` is given, every array has
    /// that many, and slots without an array get that many, too.
    fn made(
        &self,
        field: &Field,
        at: usize,
        counts: &[usize],
        each: Option<usize>,
        nulls: Option<NullBuffer>,
    ) -> Made {
        let (item, size) = match field.data_type() {
            DataType::List(item) | DataType::LargeList(item) => (item, None),
            DataType::FixedSizeList(item, size) => (item, Some(*size)),
            _ => return elements(self.arrays, each, self.slots, field),
        };
        let lengths: Vec<usize> =
            self.arrays.iter().map(|array| array.shape.lengths().nth(at).unwrap_or(0)).collect();
        let within: Vec<usize> = counts.iter().zip(&lengths).map(|(n, len)| n * len).collect();
        let expanded;
        let slots = match each {
            Some(1) => self.slots,
            Some(each) => {
                elements_of(self.slots, each)?;
                expanded = self.slots.expanded(each);
                &expanded
            }
            None => {
                expanded = Slots::all(counts.iter().sum());
                &expanded
            }
        };
        if let Some(size) = size {
            let is_other = |(len, n): (&usize, &usize)| *n > 0 && *len != size as usize;
            if let Some(i) = lengths.iter().zip(counts).position(is_other) {
                return misshapen(i, &self.arrays[i], &self.field.data_type().to_string());
            }
            let each = match each {
                Some(each) => Some(each.checked_mul(size as usize).ok_or(TOO_LONG)?),
                None => None,
            };
            let values = self.made(item, at + 1, &within, each, None)?;
            let len = slots.len();
            return Ok(Arc::new(FixedSizeListArray::try_new_with_length(
                item.clone(),
                size,
                values,
                nulls,
                len,
            )?));
        }
        let mut all = pool::take::<i32>(counts.iter().sum())?;
        for (&len, &count) in lengths.iter().zip(counts) {
            all.extend(repeat_n(offset(len)?, count));
        }
        let mut offsets = pool::take::<i32>(slots.len() + 1)?;
        let mut end = 0;
        offsets.push(0);
        for len in slots.spread(all)? {
            end += len as usize;
            offsets.push(offset(end)?);
        }
        let offsets = offset_buffer(offsets);
        let values = self.made(item, at + 1, &within, None, None)?;
        Ok(match field.data_type() {
            DataType::LargeList(_) => Arc::new(LargeListArray::try_new(
                item.clone(),
                texts::wide(&offsets),
                values,
                nulls,
            )?),
            _ => Arc::new(ListArray::try_new(item.clone(), offsets, values, nulls)?),
        })
    }
}

/// How many elements slots have that have `each` of them. Those without an array take memory, too, so they
/// may not have any number.
fn elements_of(slots: &Slots, each: usize) -> Made<usize> {
    let most = if slots.present().is_some() { i32::MAX as usize } else { usize::MAX };
    match slots.len().checked_mul(each) {
        Some(count) if count <= most => Ok(count),
        _ => Err(TOO_LONG.into()),
    }
}

/// All elements of arrays. If each slot has `each` of them, slots without an array have zeros.
fn elements(arrays: &[ArrayOf<'_>], each: Option<usize>, slots: &Slots, item: &Field) -> Made {
    let wanted = item.data_type();
    let count = || arrays.iter().map(|array| array.elements.len() / array.of.size()).sum();
    let len = match each {
        Some(each) => elements_of(slots, each)?,
        None => count(),
    };
    match element_of(wanted).filter(|of| arrays.iter().all(|array| array.of == *of)) {
        Some(of) => same_elements(of, arrays, each, slots, len),
        None => {
            let slots = match each {
                Some(each) => slots.expanded(each),
                None => Slots::all(len),
            };
            let numbers = || {
                let mut all = memory::with_capacity(count())?;
                for array in arrays {
                    append_numbers(array, &mut all)?;
                }
                Ok(all)
            };
            match array_of_numbers(numbers, wanted, &slots, None)? {
                Some(array) => Ok(array),
                None => wrong(match arrays.first() {
                    Some(array) => {
                        format!("elements of {} can't be stored as {wanted}", array.of)
                    }
                    None => format!("elements of arrays can't be stored as {wanted}"),
                }),
            }
        }
    }
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

/// Makes one array of the elements of all `arrays`, which are of type `of`. It has `len` elements, those of null slots
/// among them.
fn same_elements(
    of: ElementType,
    arrays: &[ArrayOf<'_>],
    each: Option<usize>,
    slots: &Slots,
    len: usize,
) -> Made {
    /// Copies words of `N` bytes.
    fn copied<T: Pooled + Default, const N: usize>(
        arrays: &[ArrayOf<'_>],
        each: Option<usize>,
        slots: &Slots,
        len: usize,
        word: fn([u8; N]) -> T,
    ) -> Made<Vec<T>> {
        let mut all = pool::take::<T>(len)?;
        let mut given = arrays.iter();
        let mut append = |all: &mut Vec<T>| {
            let array = given.next().ok_or(MISFIT)?;
            all.extend(array.elements.as_chunks::<N>().0.iter().map(|bytes| word(*bytes)));
            Made::Ok(())
        };
        match (each, slots.present()) {
            (Some(each), Some(present)) => {
                for is_present in present {
                    match is_present {
                        true => append(&mut all)?,
                        false => all.resize(all.len() + each, T::default()),
                    }
                }
            }
            _ => arrays.iter().try_for_each(|_| append(&mut all))?,
        }
        if all.len() == len { Ok(all) } else { Err(MISFIT.into()) }
    }
    macro_rules! array {
        ($ty:ty, $word:ty) => {{
            let words = copied(arrays, each, slots, len, <$word>::from_le_bytes)?;
            Arc::new(PrimitiveArray::<$ty>::try_new(pool::buffer(words).into(), None)?)
        }};
    }
    Ok(match of {
        ElementType::Bool => {
            let bits = copied(arrays, each, slots, len, u8::from_le_bytes)?;
            Arc::new(BooleanArray::new(packed(&bits), None))
        }
        ElementType::I8 => array!(Int8Type, i8),
        ElementType::I16 => array!(Int16Type, i16),
        ElementType::I32 => array!(Int32Type, i32),
        ElementType::I64 => array!(Int64Type, i64),
        ElementType::U8 => array!(UInt8Type, i8),
        ElementType::U16 => array!(UInt16Type, i16),
        ElementType::U32 => array!(UInt32Type, i32),
        ElementType::U64 => array!(UInt64Type, i64),
        ElementType::F16 => array!(Float16Type, i16),
        ElementType::F32 => array!(Float32Type, i32),
        ElementType::F64 => array!(Float64Type, i64),
        ElementType::Complex64 | ElementType::Complex128 => return Err(MISFIT.into()),
    })
}

/// A struct of the type of each array, its shape, and its elements in the type's order of bytes.
fn components(
    arrays: &[ArrayOf<'_>],
    ty: &DataType,
    slots: &Slots,
    nulls: Option<NullBuffer>,
) -> Made {
    let DataType::Struct(fields) = ty else { return Err(MISFIT.into()) };
    let (names, shapes) = (type_names(arrays, slots)?, shapes(arrays, fields, slots)?);
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
    let (offsets, data) = spread_text(data, &ends, slots)?;
    let arrays: Vec<ArrayRef> =
        vec![names, shapes, Arc::new(BinaryArray::try_new(offsets, data, None)?)];
    Ok(Arc::new(StructArray::try_new_with_length(fields.clone(), arrays, nulls, slots.len())?))
}

fn type_names(arrays: &[ArrayOf<'_>], slots: &Slots) -> Made {
    let (mut text, mut ends) = (Vec::new(), memory::with_capacity(arrays.len())?);
    for array in arrays {
        let name = array.of.name().as_bytes();
        memory::reserve(&mut text, name.len() + 1)?;
        if array.is_big_endian {
            text.push(BIG_ENDIAN_PREFIX as u8);
        }
        text.extend_from_slice(name);
        ends.push(u32::try_from(text.len()).map_err(|_| TOO_LONG)?);
    }
    let (offsets, text) = spread_text(text, &ends, slots)?;
    Ok(Arc::new(StringArray::try_new(offsets, text, None)?))
}

fn shapes(arrays: &[ArrayOf<'_>], fields: &Fields, slots: &Slots) -> Made {
    let DataType::List(item) = fields[1].data_type() else { return Err(MISFIT.into()) };
    let (mut lengths, mut ends) = (Vec::new(), memory::with_capacity(arrays.len())?);
    for array in arrays {
        memory::reserve(&mut lengths, array.shape.dimensions())?;
        lengths.extend(array.shape.lengths().map(|len| len as i64));
        ends.push(u32::try_from(lengths.len()).map_err(|_| TOO_LONG)?);
    }
    let values = Int64Array::new(Buffer::from_vec(lengths).into(), None);
    let (offsets, _) = spread_text(Vec::new(), &ends, slots)?;
    Ok(Arc::new(ListArray::try_new(item.clone(), offsets, Arc::new(values), None)?))
}

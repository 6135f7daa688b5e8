//! Arrays that are read as lists of lists of numbers.

use std::ops::Range;

use half::f16;

use super::arrays::write_list;
use super::numbers::float_of_i64;
use super::{PlanCursor, check};
use crate::error::Fault;
use crate::layout::{Components, Numbers, OpResult, Sink, Source, Text};
use crate::limits::{CONTAINER_ELEMENTS, elements_of_lists};
use crate::memory;
use crate::number::IntBytes;
use crate::plan::{ArrayList, ArrayLists, ArrayNumbers, ComponentColumns};
use crate::schema::{Container, ElementType, Logical, NdArray};

/// Reads the array in the columns `from` and writes it as `of`.
pub(super) fn convert<S: Source, K: Sink>(
    source: &mut S,
    sink: &mut K,
    from: ComponentColumns,
    of: &ArrayLists,
    cursor: &mut PlanCursor<'_>,
) -> OpResult {
    let components = source.logical(Logical::NdArray, from)?;
    let Text::Plain(bytes) = components.bytes else {
        return Err(Fault::Corrupt("a dictionary has another encoding than its column"));
    };
    let array = NdArray::of_components(components.ints[0], bytes.bytes())?;
    let mut lengths = memory::with_capacity(array.shape().dimensions())?;
    lengths.extend(array.shape().lengths());
    let other = Fault::OtherArray(array.element_type().name(), lengths.len() as u8);
    if lengths.len() != of.lists.len() {
        return Err(other);
    }
    array.check_lists()?;
    let elements = Elements::of(&array, of.elements)?.ok_or(other)?;
    let count = elements_of_lists(&lengths) - CONTAINER_ELEMENTS;
    cursor.count(count, || check(source, sink))?;
    let range = 0..array_len(&lengths);
    Writing { sink, of, elements: &elements }.lists(&of.lists, &lengths, range)
}

fn array_len(lengths: &[usize]) -> usize {
    lengths.iter().product()
}

/// The elements of an array as a list has them.
enum Elements {
    I64(Vec<i64>),
    F64(Vec<f64>),
    Bool(Vec<u8>),
    /// Unsigned integers. At least one of them is larger than the largest `i64`.
    U64(Vec<u64>),
}

/// The elements in `bytes`, which have `N` bytes each.
fn read<const N: usize, T>(
    bytes: &[u8],
    mut convert: impl FnMut([u8; N]) -> OpResult<T>,
) -> OpResult<Vec<T>> {
    let mut read = memory::with_capacity(bytes.len() / N)?;
    for element in bytes.as_chunks().0 {
        read.push(convert(*element)?);
    }
    Ok(read)
}

/// Returns the elements of an array of integers; `None` for other arrays. An unsigned integer beyond the largest `i64`
/// comes out negative, which [`small_ints`] looks for.
fn ints(array: &NdArray<'_>) -> OpResult<Option<Vec<i64>>> {
    let bytes = array.elements();
    Ok(Some(match array.element_type() {
        ElementType::I8 => read(bytes, |v| Ok(i8::from_le_bytes(v).into()))?,
        ElementType::I16 => read(bytes, |v| Ok(i16::from_le_bytes(v).into()))?,
        ElementType::I32 => read(bytes, |v| Ok(i32::from_le_bytes(v).into()))?,
        ElementType::I64 | ElementType::U64 => read(bytes, |v| Ok(i64::from_le_bytes(v)))?,
        ElementType::U8 => read(bytes, |v| Ok(u8::from_le_bytes(v).into()))?,
        ElementType::U16 => read(bytes, |v| Ok(u16::from_le_bytes(v).into()))?,
        ElementType::U32 => read(bytes, |v| Ok(u32::from_le_bytes(v).into()))?,
        _ => return Ok(None),
    }))
}

/// The elements of an array of integers that have 63 bits and a sign.
fn small_ints(array: &NdArray<'_>) -> OpResult<Option<Vec<i64>>> {
    let are_small =
        |ints: &Vec<i64>| array.element_type() != ElementType::U64 || ints.iter().all(|&v| v >= 0);
    Ok(ints(array)?.filter(are_small))
}

/// The elements of an array of integers or floats.
fn floats(array: &NdArray<'_>) -> OpResult<Option<Vec<f64>>> {
    let bytes = array.elements();
    Ok(Some(match array.element_type() {
        ElementType::F16 => read(bytes, |v| Ok(f16::from_le_bytes(v).to_f64()))?,
        ElementType::F32 => read(bytes, |v| Ok(f32::from_le_bytes(v).into()))?,
        ElementType::F64 => read(bytes, |v| Ok(f64::from_le_bytes(v)))?,
        _ => match small_ints(array)? {
            Some(ints) => {
                let mut floats = memory::with_capacity(ints.len())?;
                for v in ints {
                    floats.push(float_of_i64(v)?);
                }
                floats
            }
            None => return Ok(None),
        },
    }))
}

impl Elements {
    /// The elements of `array` as `wanted`; `None` if they are others.
    fn of(array: &NdArray<'_>, wanted: ArrayNumbers) -> OpResult<Option<Elements>> {
        Ok(match wanted {
            ArrayNumbers::Bool(_) if array.element_type() == ElementType::Bool => {
                Some(Elements::Bool(memory::copied(array.elements())?))
            }
            ArrayNumbers::Bool(_) => None,
            ArrayNumbers::F64(_) => floats(array)?.map(Elements::F64),
            ArrayNumbers::I64(_) => small_ints(array)?.map(Elements::I64),
            ArrayNumbers::Int(_) => match small_ints(array)? {
                None if array.element_type() == ElementType::U64 => {
                    Some(Elements::U64(read(array.elements(), |v| Ok(u64::from_le_bytes(v)))?))
                }
                ints => ints.map(Elements::I64),
            },
        })
    }
}

struct Writing<'a, K> {
    sink: &'a mut K,
    of: &'a ArrayLists,
    elements: &'a Elements,
}

impl<'a, K: Sink> Writing<'a, K> {
    /// Writes the elements in `range` as lists of these lengths, outermost first.
    fn lists(&mut self, lists: &[ArrayList], lengths: &[usize], range: Range<usize>) -> OpResult {
        let ([list, inner @ ..], [len, within @ ..]) = (lists, lengths) else {
            return Ok(());
        };
        if let Some(column) = list.present {
            self.sink.present(column)?;
        }
        if inner.is_empty()
            && self.of.present.is_none()
            && let Some((column, numbers)) = Self::numbers(self.of, self.elements)
        {
            return write_list(self.sink, list.column, column, numbers.part(range));
        }
        self.sink.sequence(Container::List, list.column, *len, list.acyclic)?;
        if inner.is_empty() {
            for at in range {
                if let Some(column) = self.of.present {
                    self.sink.present(column)?;
                }
                self.element(at)?;
            }
        } else {
            let each = array_len(within);
            for at in 0..*len {
                let start = range.start + at * each;
                self.lists(inner, within, start..start + each)?;
            }
        }
        self.sink.leave()
    }

    /// The elements and their column, if the sink may get several at once.
    fn numbers(of: &ArrayLists, elements: &'a Elements) -> Option<(u32, Numbers<'a>)> {
        match (of.elements, elements) {
            (ArrayNumbers::I64(column), Elements::I64(v)) => Some((column, Numbers::I64(v))),
            (ArrayNumbers::F64(column), Elements::F64(v)) => Some((column, Numbers::F64(v))),
            (ArrayNumbers::Bool(column), Elements::Bool(v)) => Some((column, Numbers::Bool(v))),
            _ => None,
        }
    }

    fn element(&mut self, at: usize) -> OpResult {
        match (self.of.elements, self.elements) {
            (ArrayNumbers::Int(columns), Elements::I64(v)) => self.sink.int_of_i64(columns, v[at]),
            (ArrayNumbers::Int(columns), Elements::U64(v)) => match i64::try_from(v[at]) {
                Ok(small) => self.sink.int_of_i64(columns, small),
                Err(_) => {
                    let bytes = IntBytes::of_u128(v[at].into());
                    let bytes = Text::plain(bytes.as_bytes());
                    self.sink.logical(
                        Logical::Int,
                        columns,
                        Components { bytes, ..Components::default() },
                    )
                }
            },
            _ => match Self::numbers(self.of, self.elements) {
                Some((column, numbers)) => numbers.part(at..at + 1).write_each(self.sink, column),
                None => Err(Fault::TypeMismatch),
            },
        }
    }
}

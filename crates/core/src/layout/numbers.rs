//! The elements of a sequence that lie in memory one after another, as in an array of a language.

use std::ops::Range;

use super::{Components, OpResult, Sink};
use crate::number::widened;
use crate::plan::ComponentColumns;
use crate::schema::Logical;

/// The types of numbers that lie in memory one after another. Times are numbers too: their components are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NumberType {
    /// Integers of 64 bits.
    I64,
    /// Floats.
    F64,
    /// Booleans.
    Bool,
    /// Values of `f32`, or of a logical type whose components are one or two integers, such as a time without
    /// a zone.
    Logical(Logical),
}

impl NumberType {
    /// Returns the type of the times of type `ty`.
    pub fn of_logical(ty: Logical) -> Option<NumberType> {
        let is = matches!(ty, Logical::Date | Logical::Timestamp | Logical::Duration);
        is.then_some(NumberType::Logical(ty))
    }
}

/// Returns the columns of a value whose first component is in int column `column`.
pub fn columns_of_ints(column: u32) -> ComponentColumns {
    ComponentColumns { int: column, float: 0, str: 0 }
}

/// Numbers of one type.
#[derive(Clone, Copy, Debug)]
pub enum Numbers<'a> {
    /// Integers.
    I64(&'a [i64]),
    /// Floats.
    F64(&'a [f64]),
    /// Floats of 32 bits.
    F32(&'a [f32]),
    /// Booleans, a byte of 0 or 1 each.
    Bool(&'a [u8]),
    /// Values of a type: their first components, and their second ones, which count if the type has two.
    Ints(Logical, [&'a [i64]; 2]),
}

impl Numbers<'_> {
    /// Returns how many there are.
    pub fn len(&self) -> usize {
        match self {
            Numbers::I64(v) => v.len(),
            Numbers::F64(v) => v.len(),
            Numbers::F32(v) => v.len(),
            Numbers::Bool(v) => v.len(),
            Numbers::Ints(_, [v, _]) => v.len(),
        }
    }

    /// Returns whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the type of each of them.
    pub fn number_type(&self) -> NumberType {
        match self {
            Numbers::I64(_) => NumberType::I64,
            Numbers::F64(_) => NumberType::F64,
            Numbers::F32(_) => NumberType::Logical(Logical::F32),
            Numbers::Bool(_) => NumberType::Bool,
            Numbers::Ints(ty, _) => NumberType::Logical(*ty),
        }
    }

    /// Returns those in `range`.
    pub fn part(&self, range: Range<usize>) -> Self {
        match *self {
            Numbers::I64(v) => Numbers::I64(&v[range]),
            Numbers::F64(v) => Numbers::F64(&v[range]),
            Numbers::F32(v) => Numbers::F32(&v[range]),
            Numbers::Bool(v) => Numbers::Bool(&v[range]),
            Numbers::Ints(ty, [first, second]) => {
                let second = if second.is_empty() { second } else { &second[range.clone()] };
                Numbers::Ints(ty, [&first[range], second])
            }
        }
    }

    /// Writes them one by one.
    ///
    /// # Errors
    /// The fault of the first one that the sink refuses.
    pub fn write_each<K: Sink>(self, sink: &mut K, column: u32) -> OpResult {
        match self {
            Numbers::I64(v) => v.iter().try_for_each(|&v| sink.i64(column, v)),
            Numbers::F64(v) => v.iter().try_for_each(|&v| sink.f64(column, v)),
            Numbers::F32(v) => v.iter().try_for_each(|&v| {
                let at = ComponentColumns { int: 0, float: column, str: 0 };
                let floats = [widened(v), 0.0];
                sink.logical(Logical::F32, at, Components { floats, ..Components::default() })
            }),
            Numbers::Bool(v) => v.iter().try_for_each(|&v| sink.bool(column, v != 0)),
            Numbers::Ints(ty, [first, second]) => {
                first.iter().enumerate().try_for_each(|(at, &v)| {
                    let ints = [v, second.get(at).copied().unwrap_or_default(), 0];
                    let components = Components { ints, ..Components::default() };
                    sink.logical(ty, columns_of_ints(column), components)
                })
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_of_times_has_both_components_if_there_are_two() {
        let part = |numbers: Numbers<'_>| format!("{:?}", numbers.part(1..3));
        let two = Numbers::Ints(Logical::Timestamp, [&[1, 2, 3], &[4, 5, 6]]);
        assert_eq!(part(two), "Ints(Timestamp, [[2, 3], [5, 6]])");
        let one = Numbers::Ints(Logical::Date, [&[1, 2, 3], &[]]);
        assert_eq!(part(one), "Ints(Date, [[2, 3], []])");
        assert_eq!((one.len(), one.number_type()), (3, NumberType::Logical(Logical::Date)));
    }
}

//! The elements of a sequence that lie in memory one after another, as in an array of a language.

use std::ops::Range;

use super::{OpResult, Sink};

/// The types of numbers that arrays hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NumberType {
    /// Integers of 64 bits.
    I64,
    /// Floats.
    F64,
    /// Booleans.
    Bool,
}

/// Numbers of one type.
#[derive(Clone, Copy, Debug)]
pub enum Numbers<'a> {
    /// Integers.
    I64(&'a [i64]),
    /// Floats.
    F64(&'a [f64]),
    /// Booleans, a byte of 0 or 1 each.
    Bool(&'a [u8]),
}

impl Numbers<'_> {
    /// Returns how many there are.
    pub fn len(&self) -> usize {
        match self {
            Numbers::I64(v) => v.len(),
            Numbers::F64(v) => v.len(),
            Numbers::Bool(v) => v.len(),
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
            Numbers::Bool(_) => NumberType::Bool,
        }
    }

    /// Returns those in `range`.
    pub fn part(&self, range: Range<usize>) -> Self {
        match *self {
            Numbers::I64(v) => Numbers::I64(&v[range]),
            Numbers::F64(v) => Numbers::F64(&v[range]),
            Numbers::Bool(v) => Numbers::Bool(&v[range]),
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
            Numbers::Bool(v) => v.iter().try_for_each(|&v| sink.bool(column, v != 0)),
        }
    }
}

//! From which layout to which.

use serow_core::layout::LayoutKind;

use crate::cpython::CPython;
use crate::helper::Symbol;
use crate::symbols;

/// A pair of layouts to compile for.
#[derive(Clone, Copy, Debug)]
pub struct Conversion<'a> {
    /// Where rows are read.
    pub from: From<'a>,
    /// Where they are written.
    pub to: To<'a>,
}

/// A layout that compiled code reads.
#[derive(Clone, Copy, Debug)]
pub enum From<'a> {
    /// Objects of CPython, and where their fields are. The context is an
    /// [`ObjectReaderContext`](crate::cpython::ObjectReaderContext).
    Objects(&'a CPython),
    /// Flat rows.
    Flat,
    /// The row wire.
    RowWire,
    /// The columns of a frame.
    Columns,
    /// Spark's rows, as the plan's storage has them.
    UnsafeRows,
}

/// A layout that compiled code writes.
#[derive(Clone, Copy, Debug)]
pub enum To<'a> {
    /// Objects of CPython, and how they are made. The context is an
    /// [`ObjectWriterContext`](crate::cpython::ObjectWriterContext).
    Objects(&'a CPython),
    /// The row wire.
    RowWire,
    /// Staged columns.
    Batch,
}

impl Conversion<'_> {
    /// The two kinds, as names of functions have them.
    pub(crate) fn name(&self) -> String {
        let (from, to) = self.kinds();
        format!("{from:?}_to_{to:?}").to_lowercase()
    }

    /// Everything about the layouts that code depends on. Addresses are not among it: code has
    /// names in their place.
    pub(crate) fn layouts(&self) -> String {
        let from = match self.from {
            From::Objects(cpython) => cpython.key(),
            other => format!("{other:?}"),
        };
        let to = match self.to {
            To::Objects(cpython) => cpython.key(),
            other => format!("{other:?}"),
        };
        format!("{from} to {to}")
    }

    /// The kinds of the two layouts.
    pub fn kinds(&self) -> (LayoutKind, LayoutKind) {
        let from = match self.from {
            From::Objects(_) => LayoutKind::Objects,
            From::Flat => LayoutKind::Flat,
            From::RowWire => LayoutKind::Row,
            From::Columns => LayoutKind::Columns,
            From::UnsafeRows => LayoutKind::UnsafeRows,
        };
        let to = match self.to {
            To::Objects(_) => LayoutKind::Objects,
            To::RowWire => LayoutKind::Row,
            To::Batch => LayoutKind::Batch,
        };
        (from, to)
    }

    /// What the code may refer to.
    pub(crate) fn symbols(&self) -> Vec<Symbol> {
        let mut symbols = symbols::helpers();
        if let From::Objects(cpython) = self.from {
            symbols.extend(cpython.addresses.symbols());
        }
        if let To::Objects(cpython) = self.to {
            symbols.extend(cpython.addresses.symbols());
        }
        symbols
    }
}

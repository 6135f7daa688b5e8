//! Pairs of layouts.

use serow_core::layout::LayoutKind;

use crate::cpython::CPython;
use crate::helper::Symbol;
use crate::symbols;

/// A pair of layouts to compile for.
#[derive(Clone, Copy, Debug)]
pub struct Conversion<'a> {
    /// The source's layout.
    pub from: From<'a>,
    /// The sink's layout.
    pub to: To<'a>,
}

/// A layout that compiled code reads.
#[derive(Clone, Copy, Debug)]
pub enum From<'a> {
    /// Objects of CPython, and the offsets of their fields. The context is an
    /// [`ObjectReaderContext`](crate::cpython::ObjectReaderContext).
    Objects(&'a CPython),
    /// Flat rows.
    Flat,
    /// The row wire.
    RowWire,
    /// The columns of a frame.
    Columns,
    /// Spark's rows, stored as the program's storage says.
    UnsafeRows,
}

/// A layout that compiled code writes.
#[derive(Clone, Copy, Debug)]
pub enum To<'a> {
    /// Objects of CPython, and how to make them. The context is an
    /// [`ObjectWriterContext`](crate::cpython::ObjectWriterContext).
    Objects(&'a CPython),
    /// The row wire.
    RowWire,
    /// Staged columns.
    Batch,
}

impl Conversion<'_> {
    /// Returns the two kinds as part of a function's name.
    pub(crate) fn name(&self) -> String {
        let (from, to) = self.kinds();
        format!("{from:?}_to_{to:?}").to_lowercase()
    }

    /// Returns everything about the layouts that code depends on. Addresses are not part of it,
    /// because code has names instead.
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

    /// Returns the kinds of the two layouts.
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

    /// Returns the symbols that the code may refer to.
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

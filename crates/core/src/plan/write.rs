//! Writes to the sink that need no reading.

use std::sync::Arc;

use super::numbering::FirstTables;
use super::{Columns, ComponentColumns};
use crate::schema::{Container, Logical};

/// A call of a sink's method with its arguments. Columns, tables and bounds are the sink's.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs, reason = "the methods of Sink describe the arguments")]
pub enum Write {
    /// Continues with field `index` of the innermost struct, and with the fields after it.
    Field {
        index: u32,
    },
    /// The sink's own default for the next field.
    Default,
    Present {
        to: u32,
    },
    Absent {
        to: u32,
    },
    HasField {
        to: u32,
    },
    LacksField {
        to: u32,
    },
    Arm {
        to: u32,
        arm: u32,
    },
    I64 {
        to: u32,
        v: i64,
    },
    /// A float as its bits.
    F64 {
        to: u32,
        bits: u64,
    },
    Str {
        to: u32,
        text: Arc<str>,
    },
    Bool {
        to: u32,
        v: bool,
    },
    Null,
    Logical {
        ty: Logical,
        to: ComponentColumns,
        components: Arc<ConstantComponents>,
    },
    Member {
        table: u32,
        to: u32,
        index: i64,
    },
    Enter {
        container: Container,
        len: u32,
        acyclic: bool,
    },
    Sequence {
        container: Container,
        to: u32,
        len: u32,
        acyclic: bool,
    },
    Element {
        bound: u32,
    },
    Leave,
}

/// The components of a constant in a plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConstantComponents {
    /// Its integers.
    pub ints: Vec<i64>,
    /// The bits of its floats.
    pub floats: Vec<u64>,
    /// Its bytes.
    pub bytes: Vec<u8>,
}

impl Write {
    /// Returns the str column that it writes to, if any.
    pub(super) fn str_column(&self) -> Option<u32> {
        match self {
            Write::Str { to, .. } => Some(*to),
            Write::Logical { ty, to, .. } if ty.counts().bytes > 0 => Some(to.str),
            _ => None,
        }
    }

    /// Moves a write that was made for a type on its own to the place where the type has these
    /// columns and tables.
    pub(super) fn moved(mut self, columns: Columns, tables: FirstTables) -> Write {
        match &mut self {
            Write::Present { to }
            | Write::Absent { to }
            | Write::HasField { to }
            | Write::LacksField { to }
            | Write::Bool { to, .. } => *to += columns.bits,
            Write::Arm { to, .. } | Write::I64 { to, .. } => *to += columns.ints,
            Write::F64 { to, .. } => *to += columns.floats,
            Write::Str { to, .. } => *to += columns.strs,
            Write::Logical { to, .. } => {
                to.int += columns.ints;
                to.float += columns.floats;
                to.str += columns.strs;
            }
            Write::Member { table, to, .. } => {
                *table += tables.enums;
                *to += columns.ints;
            }
            Write::Enter { container, .. } => container.move_table(tables.structs),
            Write::Sequence { to, .. } => *to += columns.ints,
            Write::Field { .. }
            | Write::Default
            | Write::Null
            | Write::Element { .. }
            | Write::Leave => {}
        }
        self
    }
}

impl Container {
    fn move_table(&mut self, by: u32) {
        if let Container::Struct(table) = self {
            *table += by;
        }
    }
}

//! Calls of the sink that need no reading.

use std::sync::Arc;

use super::numbering::FirstTables;
use super::{ColumnCounts, ComponentColumns};
use crate::schema::{Container, Logical};

/// A call of a sink's method with its arguments. Columns and tables are the sink's.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs, reason = "the methods of Sink describe the arguments")]
pub enum SinkCall {
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

impl SinkCall {
    /// Returns the str column that it writes to, if any.
    pub(super) fn str_column(&self) -> Option<u32> {
        match self {
            SinkCall::Str { to, .. } => Some(*to),
            SinkCall::Logical { ty, to, .. } if ty.counts().bytes > 0 => Some(to.str),
            _ => None,
        }
    }

    /// Moves a write that was made for a type on its own to the place where the type has these
    /// columns and tables.
    pub(super) fn moved(mut self, columns: ColumnCounts, tables: FirstTables) -> SinkCall {
        match &mut self {
            SinkCall::Present { to }
            | SinkCall::Absent { to }
            | SinkCall::HasField { to }
            | SinkCall::LacksField { to }
            | SinkCall::Bool { to, .. } => *to += columns.bits,
            SinkCall::Arm { to, .. } | SinkCall::I64 { to, .. } => *to += columns.ints,
            SinkCall::F64 { to, .. } => *to += columns.floats,
            SinkCall::Str { to, .. } => *to += columns.strs,
            SinkCall::Logical { to, .. } => {
                to.int += columns.ints;
                to.float += columns.floats;
                to.str += columns.strs;
            }
            SinkCall::Member { table, to, .. } => {
                *table += tables.enums;
                *to += columns.ints;
            }
            SinkCall::Enter { container, .. } => container.move_table(tables.structs),
            SinkCall::Sequence { to, .. } => *to += columns.ints,
            SinkCall::Field { .. } | SinkCall::Default | SinkCall::Null | SinkCall::Leave => {}
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

//! The plan: what a conversion does, as a short list of instructions.
//!
//! A plan is made from a schema alone and says nothing about layouts; running it against a
//! [`Source`](crate::layout::Source) and a [`Sink`](crate::layout::Sink) converts rows from one
//! to the other. The interpreter and the LLVM back end take the same plan, so what a type means
//! is decided here and in the layouts, once.

pub(crate) mod bounds;
mod columns;
mod defaults;
mod lower;
mod numbering;
mod place;
mod rules;
#[cfg(test)]
mod tests;
mod text;
mod usage;
mod write;

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, LazyLock};

pub use columns::{Column, Columns};
pub use defaults::{Defaults, FieldDefault};
pub use numbering::RowType;
pub use place::Place;
pub use usage::{ColumnUsage, Reads};
pub use write::{ConstantComponents, Write};

use crate::error::Result;
use crate::schema::{Class, Container, Enum, Logical, Names, Schema, Type};

/// One instruction. A value is read from column `from` of the writer's rows and written to column `to` of
/// the reader's; the columns are indices among those of their kind (see [`Columns`]), and layouts without
/// columns ignore them. In the plan of one schema both are the same. Jump targets are indices into the
/// plan's instructions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "each instruction's comment describes its operands")]
pub enum Op {
    /// `count` fields of 64-bit integers, one after another, in int columns side by side.
    I64 { from: u32, to: u32, count: u32 },
    /// `count` fields of 64-bit floats.
    F64 { from: u32, to: u32, count: u32 },
    /// `count` strings.
    Str { from: u32, to: u32, count: u32 },
    /// `count` booleans.
    Bool { from: u32, to: u32, count: u32 },
    /// `count` nulls; they take no place in any wire.
    Null { count: u32 },
    /// A value that is made of parts.
    Logical { ty: Logical, from: ComponentColumns, to: ComponentColumns },
    /// A value that can't be: no value fits it.
    Never,
    /// The index of a member of an enum, of which the writer's enum has `members`.
    Enum { from: Member, to: Member, members: u32 },
    /// A member of an enum that has another index in the reader's enum, or none:
    /// [`Plan::members`]`[members]` says which.
    OtherEnum { from: Member, to: Member, members: u32 },
    /// A 64-bit integer that is read as one of any size.
    IntOfI64 { from: u32, to: ComponentColumns },
    /// A 64-bit integer that is read as a float.
    F64OfI64 { from: u32, to: u32 },
    /// Step into a list, tuple, dict with fixed keys or record on both sides; [`Op::Leave`] steps out.
    /// An `acyclic` container holds nothing that can be changed, so it can't be part of a reference cycle
    /// if it can't be changed itself.
    Enter { read: Fields, made: Fields, acyclic: bool },
    /// Step out of what the last [`Op::Enter`] stepped into.
    Leave,
    /// A bit: 1 and the value follows, or 0 and the plan goes on at `end`.
    Optional { from: u32, to: u32, end: u32 },
    /// A bit: 1 and the field of a dict follows, or 0, it is missing, and the plan goes on at `end`.
    Maybe { from: u32, to: u32, end: u32 },
    /// As [`Op::Maybe`] for the source alone: where the field is missing the plan goes on at `otherwise`.
    /// The instruction before that is an [`Op::Jump`] to `end`.
    IfField { from: u32, otherwise: u32, end: u32 },
    /// The number of elements; the instructions up to `end`, the last of which is [`Op::Next`], run once
    /// for each. An element of a map is its key and its value. Each takes at most `bound` bytes in the
    /// row wire, counted as [`RowType::row_bound`] is; `zero_sized` elements take none in any wire.
    Sequence {
        container: Container,
        from: u32,
        to: u32,
        end: u32,
        acyclic: bool,
        zero_sized: bool,
        bound: u32,
    },
    /// The end of a sequence's body, which begins at `start`.
    Next { start: u32 },
    /// The index of an arm, which is the same for reader and writer; the plan goes on at that arm's start.
    Union { table: u32, from: u32, to: u32, end: u32 },
    /// As [`Op::Union`] for the source alone.
    Branch { table: u32, from: u32, end: u32 },
    /// The end of an arm: go on at `to`.
    Jump { to: u32 },
    /// What is read up to `end` is not written. The last of these instructions is [`Op::Skipped`].
    Skip { end: u32 },
    /// The end of what [`Op::Skip`] skips.
    Skipped,
    /// Step into a list, tuple or dict with fixed keys, whose fields are the elements of a sequence or the
    /// entries of a map; [`Op::Leave`] steps out.
    EnterAsSequence { read: Fields, made: Container, to: u32, acyclic: bool },
    /// Tell the sink `count` of [`Plan::writes`].
    Write { first: u32, count: u32 },
    /// Step into a dict with fixed keys, some of which may be missing, and begin a map of its entries.
    OpenEntries { read: Fields, to: u32, acyclic: bool },
    /// An entry of that map follows: its key and its value.
    Entry { bound: u32 },
    /// Step out of that dict, and end the map.
    CloseEntries { to: u32 },
    /// The end of the row.
    End,
}

/// A container of fixed shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fields {
    /// Which it is.
    pub container: Container,
    /// The number of its fields.
    pub len: u32,
}

/// Where members of an enum are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Member {
    /// The enum, in [`Tables::enums`].
    pub table: u32,
    /// The int column of the member's index.
    pub column: u32,
}

/// The first columns of a value's parts; its others follow them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ComponentColumns {
    /// Among the int columns.
    pub int: u32,
    /// Among the float columns.
    pub float: u32,
    /// Among the str columns.
    pub str: u32,
}

/// What a str column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StrEncoding {
    /// Generalised UTF-8.
    Text,
    /// Any bytes.
    Bytes,
}

/// One arm of a union: what to look for, and where its instructions begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arm {
    /// What a value must be to take this arm.
    pub class: Class,
    /// The index of the arm's first instruction.
    pub start: u32,
}

/// The names in a plan. Layouts of objects are told them before rows are converted.
#[derive(Debug, Default)]
pub struct Tables {
    /// The names of every dict with fixed keys and every record, by [`Container::Struct`].
    pub structs: Vec<Arc<Names>>,
    /// For each of them, which of its fields may be missing.
    pub maybe: Vec<Vec<bool>>,
    /// Every enum, by [`Op::Enum`]'s `table`.
    pub enums: Vec<Arc<Enum>>,
}

/// The tables of layouts that were told none yet, which are the same ones for all.
static NONE: LazyLock<Arc<Tables>> = LazyLock::new(Arc::default);

impl Tables {
    /// No names.
    pub fn none() -> Arc<Tables> {
        NONE.clone()
    }

    /// Whether there are no names.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.structs.is_empty() && self.enums.is_empty()
    }
}

/// The instructions that make rows of one schema of rows of another, or of the same.
#[derive(Debug)]
pub struct Plan {
    /// The instructions; the last is [`Op::End`].
    pub ops: Vec<Op>,
    /// The arms of every union of the writer's, by the `table` of [`Op::Union`] and [`Op::Branch`].
    pub unions: Vec<Vec<Arm>>,
    /// What [`Op::Write`] tells the sink.
    pub writes: Vec<Write>,
    /// For the members of a writer's enum the index in the reader's, by [`Op::OtherEnum`].
    pub members: Vec<Arc<[Option<u32>]>>,
    /// By the writer's str columns: the reader's that has the same dictionary.
    pub dictionaries: Vec<Option<u32>>,
    /// What is read.
    pub from: Arc<RowType>,
    /// What is written.
    pub to: Arc<RowType>,
    defaults: Defaults,
    /// How often a row uses each column.
    pub usage: ColumnUsage,
    /// Which plan this is, for layouts that remember for which they were made.
    pub(crate) id: PlanId,
}

/// A plan among all that the process makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PlanId(u64);

impl PlanId {
    fn new() -> PlanId {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        PlanId(NEXT.fetch_add(1, Ordering::Relaxed))
    }
}

impl Plan {
    /// The plan for rows of `schema`.
    pub fn new(schema: &Schema) -> Plan {
        let rows = Arc::new(RowType::new(schema));
        match lower::lower(&rows, &rows, &Defaults::default()) {
            Ok(plan) => plan,
            Err(_) => unreachable!("rows of a schema are read as such"),
        }
    }

    /// The plan that reads rows of `writer`'s schema as rows of `reader`'s. Fields that a row lacks have
    /// the `defaults` of the reader's.
    ///
    /// # Errors
    /// A schema error that names the first field that can't be read and says why, a limit error if that
    /// takes too many instructions.
    pub fn evolve(writer: &Plan, reader: &Plan, defaults: &Defaults) -> Result<Plan> {
        lower::lower(&writer.from, &reader.to, defaults)
    }

    /// The schema of the rows that are written.
    pub fn schema(&self) -> &Schema {
        &self.to.schema
    }

    /// The type of the rows that are written.
    pub fn root(&self) -> &Type {
        self.to.schema.root()
    }

    /// Whether rows of one schema are read as rows of another.
    pub fn is_evolved(&self) -> bool {
        !Arc::ptr_eq(&self.from, &self.to)
    }

    /// The instruction after the value whose instructions begin at `at`.
    pub fn after(&self, at: usize) -> usize {
        match self.ops[at] {
            Op::Optional { end, .. }
            | Op::Maybe { end, .. }
            | Op::IfField { end, .. }
            | Op::Sequence { end, .. }
            | Op::Union { end, .. }
            | Op::Branch { end, .. }
            | Op::Skip { end } => end as usize,
            Op::Enter { .. } | Op::EnterAsSequence { .. } => self.after_close(at, Op::Leave),
            Op::OpenEntries { to, .. } => self.after_close(at, Op::CloseEntries { to }),
            _ => at + 1,
        }
    }

    fn after_close(&self, at: usize, close: Op) -> usize {
        let mut at = at + 1;
        while self.ops[at] != close {
            at = self.after(at);
        }
        at + 1
    }
}

//! Plans: the instructions of a conversion.
//!
//! A plan is lowered from schemas and knows no layouts. Running it with a
//! [`Source`](crate::layout::Source) and a [`Sink`](crate::layout::Sink) converts rows from one to
//! the other. The interpreter and the LLVM back end run the same plan, so the meaning of a type is
//! defined only here and in the layouts.

mod closing;
mod columns;
mod compare;
mod defaults;
mod fields;
mod former_names;
mod lower;
mod numbering;
mod origins;
mod rules;
mod selection;
mod sink_call;
#[cfg(test)]
mod tests;
mod text;
mod type_path;
mod unions;
mod usage;

use std::sync::{Arc, LazyLock};

use closing::Closed;
pub use closing::{Parts, closed};
pub use columns::{Column, ColumnCounts};
pub use compare::{Change, ChangeKind, Comparison};
pub use defaults::{Defaults, FieldDefault};
pub use former_names::{Former, FormerNames};
pub use numbering::{Numbered, RowType, number};
pub use origins::ColumnOrigin;
use selection::Selected;
pub use selection::{FieldKey, Selection};
pub use sink_call::{ConstantComponents, SinkCall};
pub use type_path::TypePath;
pub use usage::{ColumnUsage, Reads};

use crate::error::Result;
use crate::number::Number;
use crate::schema::{Class, Container, Enum, Logical, Names, Schema, Type};

/// An instruction. It reads a value from column `from` of the writer's rows and writes it to column
/// `to` of the reader's. Columns are indices among the columns of their kind (see [`ColumnCounts`]).
/// Layouts without columns ignore them. In a plan of one schema `from` and `to` are equal. Jump
/// targets are indices into the plan's instructions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "each instruction's comment describes its operands")]
pub enum Op {
    /// `count` fields that are 64-bit integers, in consecutive int columns.
    I64 { from: u32, to: u32, count: u32 },
    /// `count` fields of 64-bit floats.
    F64 { from: u32, to: u32, count: u32 },
    /// `count` strings.
    Str { from: u32, to: u32, count: u32 },
    /// `count` booleans.
    Bool { from: u32, to: u32, count: u32 },
    /// `count` nulls. They take no space in any wire.
    Null { count: u32 },
    /// A value of several components.
    Logical { ty: Logical, from: ComponentColumns, to: ComponentColumns },
    /// A value of type never. Running it is an error.
    Never,
    /// An arm of the writer's union that can't be read as the reader's type. Running it is an error.
    OtherArm,
    /// The index of a member of an enum. The writer's enum has `members` members.
    Enum { from: Member, to: Member, members: u32 },
    /// A member of an enum that has another index in the reader's enum, or none.
    /// [`Plan::members`]`[members]` has the reader's indices.
    OtherEnum { from: Member, to: Member, members: u32 },
    /// A number of the type `read` as one of another type, `made`. It is an error if it is none of that.
    Number { read: Number, from: ComponentColumns, made: Number, to: ComponentColumns },
    /// Enters a list, tuple, dict with fixed keys or record on both sides. [`Op::Leave`] leaves it.
    /// The values in an `acyclic` container contain nothing mutable, so the container can't be part
    /// of a reference cycle unless it is mutable itself.
    Enter { read: Fields, made: Fields, acyclic: bool },
    /// Leaves the container that the last [`Op::Enter`] entered.
    Leave,
    /// Reads a bit. If it is 1, the value follows. If it is 0, continues at `end`.
    Optional { from: u32, to: u32, end: u32 },
    /// Reads a bit. If it is 1, the field of a dict follows. If it is 0, the field is missing;
    /// continues at `end`.
    Maybe { from: u32, to: u32, end: u32 },
    /// Like [`Op::Maybe`] for the source alone. If the field is missing, continues at `otherwise`.
    /// The instruction before `otherwise` is an [`Op::Jump`] to `end`.
    IfField { from: u32, otherwise: u32, end: u32 },
    /// Reads whether the source has a value. The sink is told nothing. What follows depends on the answer
    /// as it does for [`Op::IfField`].
    IfPresent { from: u32, otherwise: u32, end: u32 },
    /// Reads the number of elements. The instructions up to `end` run once for each element; the
    /// last one is [`Op::Next`]. An element of a map is its key and its value. `zero_sized` elements
    /// take no bytes in any wire.
    Sequence { container: Container, from: u32, to: u32, end: u32, acyclic: bool, zero_sized: bool },
    /// The end of a sequence's body, which begins at `start`.
    Next { start: u32 },
    /// Reads the index of an arm, which is the same for reader and writer. Continues at the start
    /// of that arm.
    Union { table: u32, from: u32, to: u32, end: u32 },
    /// Like [`Op::Union`] for the source alone.
    Branch { table: u32, from: u32, end: u32 },
    /// The end of an arm: continues at `to`.
    Jump { to: u32 },
    /// Reads the values up to `end` without writing them. The last of these instructions is
    /// [`Op::Skipped`]. If they are `shared`, other instructions read other values of their columns, so
    /// every source must read these.
    Skip { end: u32, shared: bool },
    /// The end of the instructions that [`Op::Skip`] skips.
    Skipped,
    /// Enters a list, tuple or dict with fixed keys. Its fields become the elements of a sequence
    /// or the entries of a map. [`Op::Leave`] leaves it.
    EnterAsSequence { read: Fields, made: Container, to: u32, acyclic: bool },
    /// Enters a sequence, whose elements become the fields of a list or tuple of fixed shape. It is an error
    /// if their numbers differ. [`Op::Leave`] leaves it.
    EnterElements { read: Container, from: u32, made: Fields, acyclic: bool, zero_sized: bool },
    /// Reads an array and writes it as lists of lists of numbers. [`Plan::arrays`]`[lists]` says of what. It is
    /// an error if the array is none of these.
    ListsOfArray { from: ComponentColumns, lists: u32 },
    /// Carries out `count` of [`Plan::writes`] on the sink.
    Write { first: u32, count: u32 },
    /// Enters a dict with fixed keys and begins a map of its entries. Keys may be missing.
    OpenEntries { read: Fields, to: u32, acyclic: bool },
    /// The start of an entry of that map: its key and its value follow.
    Entry,
    /// Leaves that dict and ends the map.
    CloseEntries { to: u32 },
    /// The end of the row.
    End,
}

/// A container of fixed shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fields {
    /// Its kind.
    pub container: Container,
    /// The number of its fields.
    pub len: u32,
}

/// The place of members of an enum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Member {
    /// The enum, in [`Tables::enums`].
    pub table: u32,
    /// The int column of the member's index.
    pub column: u32,
}

/// The first columns of a value's components. The other components are in the following columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ComponentColumns {
    /// The first int column.
    pub int: u32,
    /// The first float column.
    pub float: u32,
    /// The first str column.
    pub str: u32,
}

/// The lists of lists of numbers that an array becomes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArrayLists {
    /// The lists, outermost first. There is at least one.
    pub lists: Vec<ArrayList>,
    /// The bit column of the presence of each element, if elements may be null.
    pub present: Option<u32>,
    /// The elements.
    pub elements: ArrayNumbers,
}

/// A list at one depth of [`ArrayLists`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ArrayList {
    /// The bit column of its presence, if it may be null.
    pub present: Option<u32>,
    /// The int column of its length.
    pub column: u32,
    /// See [`Op::Enter`].
    pub acyclic: bool,
}

/// The numbers in [`ArrayLists`], and their columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say which numbers")]
pub enum ArrayNumbers {
    I64(u32),
    F64(u32),
    Bool(u32),
    Int(ComponentColumns),
}

/// The content of a str column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StrEncoding {
    /// Generalised UTF-8.
    Text,
    /// Any bytes.
    Bytes,
}

/// An arm of a union: its class, and the start of its instructions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arm {
    /// The class of values that take this arm.
    pub class: Class,
    /// The index of the arm's first instruction.
    pub start: u32,
}

/// The names in a plan. Layouts of objects receive them before rows are converted.
#[derive(Debug, Default)]
pub struct Tables {
    /// The names of every dict with fixed keys and every record, by [`Container::Struct`].
    pub structs: Vec<Arc<Names>>,
    /// For each of them: whether each of its fields may be missing.
    pub maybe: Vec<Vec<bool>>,
    /// Every enum, by [`Op::Enum`]'s `table`.
    pub enums: Vec<Arc<Enum>>,
    /// Which parts of an open type these are, if a reader's open type was closed by a writer's.
    pub parts: Option<Parts>,
}

/// The empty tables of layouts that have not received any. All share them.
static NONE: LazyLock<Arc<Tables>> = LazyLock::new(Arc::default);

impl Tables {
    /// Returns tables without names.
    pub fn none() -> Arc<Tables> {
        NONE.clone()
    }

    /// Returns whether there are no names.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.structs.is_empty() && self.enums.is_empty()
    }
}

/// The instructions that convert rows of one schema to rows of another or the same schema.
#[derive(Debug)]
pub struct Plan {
    /// The instructions. The last one is [`Op::End`].
    pub ops: Vec<Op>,
    /// The arms of the writer's unions, by the `table` of [`Op::Union`] and [`Op::Branch`].
    pub unions: Vec<Vec<Arm>>,
    /// The calls of [`Op::Write`].
    pub writes: Vec<SinkCall>,
    /// The reader's indices of the members of a writer's enum, by [`Op::OtherEnum`].
    pub members: Vec<Arc<[Option<u32>]>>,
    /// The lists that arrays become, by [`Op::ListsOfArray`].
    pub arrays: Vec<ArrayLists>,
    /// For each str column of the writer: the reader's column that can use its dictionary.
    pub dictionaries: Vec<Option<u32>>,
    /// The type of the rows that are read.
    pub from: Arc<RowType>,
    /// The type of the rows that are written.
    pub to: Arc<RowType>,
    defaults: Defaults,
    former_names: FormerNames,
    /// The fields that are read, if not all are.
    selected: Option<Selected>,
    /// Whether the rows that are written have sets or maps.
    pub has_sets_or_maps: bool,
    /// How often a row uses each column.
    pub usage: Arc<ColumnUsage>,
}

impl Plan {
    /// Creates the plan for rows of `schema`. No row has the type of an open one, so its plan only
    /// fails.
    pub fn new(schema: &Schema) -> Plan {
        let rows = Arc::new(RowType::new(schema));
        match lower::lower(&rows, &rows, &Defaults::default(), &FormerNames::default(), None) {
            Ok(plan) => plan,
            Err(_) => unreachable!("rows can always be read as rows of their own schema"),
        }
    }

    /// Creates the plan that reads rows of `writer`'s schema as rows of `reader`'s. `defaults` has
    /// the values of fields that the writer lacks, and `former_names` other names of the reader's. An open
    /// reader's schema is closed first.
    ///
    /// # Errors
    /// A schema error that names the first field that can't be read and the reason. A limit error
    /// if this takes too many instructions.
    pub fn evolve(
        writer: &Plan,
        reader: &Plan,
        defaults: &Defaults,
        former_names: &FormerNames,
    ) -> Result<Plan> {
        if reader.schema().is_open() {
            let closed = Closed::of(reader.schema(), writer.schema(), defaults, former_names)?;
            let to = Arc::new(closed.rows);
            return lower::lower(&writer.from, &to, &closed.defaults, &closed.former_names, None);
        }
        lower::lower(&writer.from, &reader.to, defaults, former_names, None)
    }

    /// Creates the plan that reads a part of the fields of rows of `writer`'s schema. Columns of other fields are
    /// not read.
    ///
    /// # Errors
    /// A schema error if rows have no such fields, see [`Selection`].
    pub fn select(writer: &Plan, selection: &Selection) -> Result<Plan> {
        let (selected, ty) = selection.of(writer.from.schema.root())?;
        let to = Arc::new(RowType::new(&Schema::new(ty)?));
        let (defaults, former_names) = (Defaults::default(), FormerNames::default());
        lower::lower(&writer.from, &to, &defaults, &former_names, Some(selected))
    }

    /// Returns the schema of the rows that are written.
    pub fn schema(&self) -> &Schema {
        &self.to.schema
    }

    /// Returns the type of the rows that are written.
    pub fn root(&self) -> &Type {
        self.to.schema.root()
    }

    /// Returns whether rows of one schema are read as rows of another.
    pub fn is_evolved(&self) -> bool {
        !Arc::ptr_eq(&self.from, &self.to)
    }

    /// Returns the index of the instruction after the value whose instructions begin at `at`.
    pub fn after(&self, at: usize) -> usize {
        match self.ops[at] {
            Op::Optional { end, .. }
            | Op::Maybe { end, .. }
            | Op::IfField { end, .. }
            | Op::IfPresent { end, .. }
            | Op::Sequence { end, .. }
            | Op::Union { end, .. }
            | Op::Branch { end, .. }
            | Op::Skip { end, .. } => end as usize,
            Op::Enter { .. } | Op::EnterAsSequence { .. } | Op::EnterElements { .. } => {
                self.after_close(at, Op::Leave)
            }
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

//! The plan: what a conversion does, as a short list of instructions.
//!
//! A plan is made from a schema alone and says nothing about layouts; running it against a
//! [`Source`](crate::layout::Source) and a [`Sink`](crate::layout::Sink) converts rows from one
//! to the other. The interpreter and the LLVM back end take the same plan, so what a type means
//! is decided here and in the layouts, once.

pub(crate) mod bounds;
mod lower;
mod path;
mod shared;
mod text;

pub use path::Place;

use std::any::Any;
use std::sync::{Arc, LazyLock, OnceLock};

use crate::compiled::Codes;
use crate::layout::unsafe_row::Storage;
pub use crate::schema::Container;
use crate::schema::{Enum, Logical, Names, Schema, Type};

/// One instruction. `first` and `column` are indices among the columns of that kind
/// (see [`Columns`]); layouts without columns ignore them. Jump targets are indices
/// into the plan's instructions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "each instruction's comment describes its operands")]
pub enum Op {
    /// `count` fields of 64-bit integers, one after another, into int columns from `first`.
    I64 { first: u32, count: u32 },
    /// `count` fields of 64-bit floats, into float columns from `first`.
    F64 { first: u32, count: u32 },
    /// `count` strings, into str columns from `first`.
    Str { first: u32, count: u32 },
    /// `count` booleans, into bit columns from `first`.
    Bool { first: u32, count: u32 },
    /// `count` nulls; they take no place in any wire.
    Null { count: u32 },
    /// A value whose parts are at `parts`.
    Logical { ty: Logical, parts: ComponentColumns },
    /// A value that can't be: no value fits it.
    Never,
    /// The index of an enum's member in int column `column`. Its names are `table` in
    /// [`Tables::enums`], and there are `members` of them.
    Enum { table: u32, members: u32, column: u32 },
    /// Step into a list, tuple, dict with fixed keys or record of exactly `len` fields; [`Op::Leave`]
    /// steps out. An `acyclic` container holds no mutable values, so it can be part of a reference
    /// cycle only if it is mutable itself.
    Enter { container: Container, len: u32, acyclic: bool },
    /// Step out of what the last [`Op::Enter`] stepped into.
    Leave,
    /// One bit in bit column `column`: 1 and the value follows, or 0 and the plan goes on at `end`.
    Optional { column: u32, end: u32 },
    /// One bit in bit column `column`: 1 and the field of a dict follows, or 0, it is missing, and the
    /// plan goes on at `end`.
    Maybe { column: u32, end: u32 },
    /// The number of elements in int column `column`; the instructions up to `end`, the last of
    /// which is [`Op::Next`], run once for each. An element of a map is a key and its value. Each takes
    /// at most `bound` bytes in the row wire, counted as [`Plan::row_bound`] is; `zero_sized` elements
    /// take none in any wire.
    Sequence {
        container: Container,
        column: u32,
        end: u32,
        acyclic: bool,
        zero_sized: bool,
        bound: u32,
    },
    /// The end of a sequence's body, which begins at `start`.
    Next { start: u32 },
    /// The index of an arm in int column `column`; the plan goes on at that arm's start.
    Union { table: u32, column: u32 },
    /// The end of an arm: go on at `to`.
    Jump { to: u32 },
    /// The end of the row.
    End,
}

/// The first column of each kind for a value's components; the others follow it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ComponentColumns {
    /// Among the int columns.
    pub int: u32,
    /// Among the float columns.
    pub float: u32,
    /// Among the str columns.
    pub str: u32,
}

/// The encoding of the bytes in a str column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StrEncoding {
    /// Generalised UTF-8.
    Text,
    /// Any bytes.
    Bytes,
}

/// How one arm of a union is told from the others, by one look at a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// A 64-bit integer.
    I64,
    /// A 64-bit float.
    F64,
    /// A string.
    Str,
    /// A boolean.
    Bool,
    /// A value that is made of parts.
    Logical(Logical),
    /// Any list.
    List,
    /// A tuple of this many fields, or of any number.
    Tuple(Option<u32>),
    /// Any set.
    Set,
    /// Any frozenset.
    FrozenSet,
    /// Any dict.
    Dict,
    /// A record with the names of this index in [`Tables::structs`].
    Record(u32),
    /// A member of the enum of this index in [`Tables::enums`].
    Enum(u32),
}

/// One arm of a union: what to look for, and where its instructions begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arm {
    /// What a value must be to take this arm.
    pub class: Class,
    /// The index of the arm's first instruction.
    pub start: u32,
}

/// How many columns of each kind the schema has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Columns {
    /// Integers, sequence lengths and union tags.
    pub ints: u32,
    /// Floats.
    pub floats: u32,
    /// Strings.
    pub strs: u32,
    /// Booleans and the presence bits of optionals.
    pub bits: u32,
}

/// What a column is, in the order of the plan's instructions; the frame wire has its columns in
/// this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Column {
    /// The int column of this index.
    Int(u32),
    /// The float column of this index.
    Float(u32),
    /// The str column of this index.
    Str(u32),
    /// The bit column of this index.
    Bit(u32),
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
    /// What a language makes of them, once for all its conversions.
    pub made: OnceLock<Box<dyn Any + Send + Sync>>,
}

/// The tables of layouts that were told none yet, which are the same ones for all.
static NONE: LazyLock<Arc<Tables>> = LazyLock::new(Arc::default);

impl Tables {
    /// No names.
    pub fn none() -> Arc<Tables> {
        NONE.clone()
    }

    /// Whether a layout that was told none need not be told these: there are no names, and no language has
    /// made anything of them.
    #[inline]
    pub fn say_nothing(&self) -> bool {
        self.structs.is_empty() && self.enums.is_empty() && self.made.get().is_none()
    }
}

/// The instructions for one schema.
#[derive(Debug)]
pub struct Plan {
    /// The instructions; the last is [`Op::End`].
    pub ops: Vec<Op>,
    /// The arms of every union, by [`Op::Union`]'s `table`.
    pub unions: Vec<Vec<Arm>>,
    /// The names that instructions tell by their index.
    pub tables: Arc<Tables>,
    /// The number of columns of each kind.
    pub columns: Columns,
    /// All columns in the order in which the instructions name them.
    pub order: Vec<Column>,
    /// The encoding of each str column.
    pub str_encodings: Vec<StrEncoding>,
    /// An upper bound of the bytes that a row takes in the row wire, leaving out the bytes of
    /// strings and the elements of sequences.
    pub row_bound: usize,
    schema: Schema,
    storage: Option<Storage>,
    pub(crate) codes: Codes,
}

impl Plan {
    /// The plan for `schema`.
    pub fn new(schema: &Schema) -> Plan {
        lower::lower(schema)
    }

    /// The plan for `schema`, whose values are stored in Spark's rows as `storage` says.
    pub fn stored(schema: &Schema, storage: Storage) -> Plan {
        Plan { storage: Some(storage), ..Plan::new(schema) }
    }

    /// How values are stored in Spark's rows, if that was said.
    pub fn storage(&self) -> Option<&Storage> {
        self.storage.as_ref()
    }

    /// The schema this is the plan for.
    pub fn schema(&self) -> &Schema {
        &self.schema
    }

    /// The instruction after the value whose instructions begin at `at`.
    pub fn after(&self, at: usize) -> usize {
        match self.ops[at] {
            Op::Optional { end, .. } | Op::Maybe { end, .. } | Op::Sequence { end, .. } => {
                end as usize
            }
            Op::Enter { .. } => {
                let mut at = at + 1;
                while self.ops[at] != Op::Leave {
                    at = self.after(at);
                }
                at + 1
            }
            Op::Union { table, .. } => {
                let arm = self.after(self.unions[table as usize][0].start as usize);
                match self.ops[arm] {
                    Op::Jump { to } => to as usize,
                    _ => unreachable!("an arm ends with a jump"),
                }
            }
            _ => at + 1,
        }
    }

    /// For each column, ints, floats, strs and bits, each in the plan's order: whether it has exactly
    /// one value a row.
    pub fn per_row(&self) -> Vec<bool> {
        let Columns { ints, floats, strs, bits } = self.columns;
        let mut per_row = vec![false; (ints + floats + strs + bits) as usize];
        let mut at = 0;
        while at + 1 < self.ops.len() {
            let mut mark =
                |first: u32, count: u32| per_row[first as usize..][..count as usize].fill(true);
            match self.ops[at] {
                Op::I64 { first, count } => mark(first, count),
                Op::F64 { first, count } => mark(ints + first, count),
                Op::Str { first, count } => mark(ints + floats + first, count),
                Op::Bool { first, count } => mark(ints + floats + strs + first, count),
                Op::Optional { column, .. } | Op::Maybe { column, .. } => {
                    mark(ints + floats + strs + column, 1);
                }
                Op::Logical { ty, parts } => {
                    let counts = ty.counts();
                    mark(parts.int, counts.ints as u32);
                    mark(ints + parts.float, counts.floats as u32);
                    mark(ints + floats + parts.str, counts.bytes as u32);
                }
                Op::Sequence { column, .. }
                | Op::Union { column, .. }
                | Op::Enum { column, .. } => mark(column, 1),
                _ => {}
            }
            // What is within an optional, a sequence or an arm may be there or not.
            at = match self.ops[at] {
                Op::Enter { .. } => at + 1,
                _ => self.after(at),
            };
        }
        per_row
    }

    /// The row's type.
    pub fn root(&self) -> &Type {
        self.schema.root()
    }
}

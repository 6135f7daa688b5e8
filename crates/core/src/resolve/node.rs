//! How rows of one schema are read as rows of another: a tree in the shape of the reader's type.
//!
//! What a node reads are columns of the writer's plan (`from`), what it says to the sink is what the
//! reader's plan would say (`to`). A column of a frame has its own cursor, so fields are read in any order,
//! and those that nobody reads cost nothing.

use std::sync::Arc;

use crate::plan::ComponentColumns;
use crate::schema::{Container, Logical};
use crate::value::Value;

#[derive(Debug)]
#[allow(missing_docs, reason = "each node's comment describes its fields")]
pub(super) enum Node {
    I64 {
        from: u32,
        to: u32,
    },
    F64 {
        from: u32,
        to: u32,
    },
    Str {
        from: u32,
        to: u32,
    },
    Bool {
        from: u32,
        to: u32,
    },
    Null,
    Logical {
        ty: Logical,
        from: ComponentColumns,
        to: ComponentColumns,
    },
    /// A 64-bit integer that is read as one of any size.
    IntOfI64 {
        from: u32,
        to: ComponentColumns,
    },
    /// A 64-bit integer that is read as a float.
    F64OfI64 {
        from: u32,
        to: u32,
    },
    /// A member of the writer's enum, and which of the reader's it is, if it is one.
    Enum {
        tables: Pair,
        from: u32,
        to: u32,
        members: Arc<[Option<u32>]>,
    },
    /// A value that can't be.
    Never,
    /// A value, or null, in both.
    Optional {
        from: u32,
        to: u32,
        inner: Box<Node>,
    },
    /// A value that is surely there, where the reader would take null.
    Present {
        to: u32,
        inner: Box<Node>,
    },
    /// A null that the writer has, where the reader would take a value too.
    Absent {
        to: u32,
    },
    /// Lists and tuples of fixed shape, dicts with fixed keys, records.
    Fixed {
        read: (Container, u32),
        made: (Container, u32),
        acyclic: bool,
        fields: Vec<Node>,
    },
    /// A list or tuple of fixed shape that is read as a sequence.
    Elements {
        container: Container,
        to: u32,
        acyclic: bool,
        bound: u32,
        fields: Vec<Node>,
    },
    /// A sequence, whose element is one node, or a map, whose element is two.
    Sequence {
        container: Container,
        from: u32,
        zero_sized: bool,
        made: Made,
        element: Vec<Node>,
    },
    /// A dict with fixed keys that is read as a map.
    Entries {
        table: u32,
        made: Made,
        entries: Vec<Entry>,
    },
    /// The arm that the writer's union `table` has.
    Union {
        table: u32,
        from: u32,
        arms: Vec<Node>,
    },
    /// The arm of the reader's union that a value is read as.
    Arm {
        to: u32,
        arm: u32,
        inner: Box<Node>,
    },
    /// A field that the writer's dicts may lack.
    Maybe {
        from: u32,
        has: Box<Node>,
        lacks: Box<Node>,
    },
    /// A field that the reader's dicts may lack, and that is there.
    HasField {
        to: u32,
        inner: Box<Node>,
    },
    /// A field that the reader's dicts may lack, and that is not there.
    LacksField {
        to: u32,
    },
    /// A null that nobody sent.
    NullGiven,
    /// A null that nobody sent, where the reader would take a value too.
    AbsentGiven {
        to: u32,
    },
    /// A value that is in no column, and how it is read.
    Given {
        value: Arc<Value>,
        node: Box<Node>,
    },
    /// A default that the sink knows.
    SinkDefault,
}

/// The writer's table and the reader's.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pair {
    pub from: u32,
    pub to: u32,
}

/// What a sink is told of a sequence.
#[derive(Clone, Copy, Debug)]
pub(super) struct Made {
    pub to: u32,
    pub acyclic: bool,
    /// The most bytes of an element in the row wire.
    pub bound: u32,
}

/// A key of a dict that is read as a map.
#[derive(Debug)]
pub(super) struct Entry {
    /// The column that says whether a dict has it, if some lack it.
    pub maybe: Option<u32>,
    pub key: Node,
    pub value: Node,
}

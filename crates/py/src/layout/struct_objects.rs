//! Records of a library that has rows of its own.

use std::sync::Arc;

use pyo3::prelude::*;
use serow_core::layout::OpResult;
use serow_core::schema::{Container, Names};

use super::Object;
use super::names::StructKeys;
use super::tuple_class::{Attributes, TupleClass};

/// How the records of a library are read and made, in place of serow's own rules.
pub trait StructObjects: Send + Sync {
    /// Finds out how `object` holds the values of a record: of struct `table`, whose fields have
    /// these `names`. `known` is empty for the first value of the struct. It keeps what values
    /// probably share, for the next value.
    ///
    /// # Errors
    /// A type mismatch if it is no such record.
    ///
    /// # Safety
    /// `object` and the objects in `known` must be alive.
    unsafe fn held(
        &self,
        py: Python<'_>,
        object: Object,
        table: usize,
        names: &[Arc<str>],
        known: &mut Vec<Object>,
    ) -> OpResult<Held>;

    /// The class of records with these names; `None` if it is serow's own.
    fn class(&self, names: &Names) -> Option<&TupleClass>;

    /// The attributes of the instances of that class, for struct `table` with these `keys`.
    ///
    /// # Errors
    /// A `MemoryError`.
    fn attributes(&self, py: Python<'_>, table: usize, keys: &StructKeys) -> PyResult<Attributes>;

    /// Whether several keys of a map may become one key, which has the value of the last of them.
    fn may_join_keys(&self) -> bool {
        false
    }
}

/// How an object holds the values of a record.
pub enum Held {
    /// As its items. It is such a container or an instance of a subclass, with an item for each field.
    Items(Container),
    /// By the names of the fields: it is a dict. A missing value is `None`.
    Entries,
}

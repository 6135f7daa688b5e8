//! Schemas: types, the type list, the text form, inference and joins.

mod brief;
mod class;
mod container_shapes;
mod dict_shapes;
mod infer;
mod join;
mod list;
pub mod logical;
mod mismatch;
mod names;
pub mod nd_array;
mod pretty;
mod text;
mod types;
mod valid;

use std::fmt;
use std::sync::Arc;

use xxhash_rust::xxh3::xxh3_64;

use crate::error::{Error, Result};
pub use brief::Brief;
pub use class::Class;
pub use infer::{InferError, Inspect, Kind};
pub use join::{Scalar, Shape};
pub use list::{codes, from_bytes};
pub use logical::Logical;
pub use mismatch::mismatch;
pub(crate) use names::Word;
pub use names::{Enum, Field, MemberValue, MemberValues, Names, Struct};
pub use nd_array::{Element, ElementType, NdArray};
pub use types::{Container, Open, Type};

/// A row's type, with its canonical type list and fingerprint. Cloning is cheap.
///
/// ```
/// # use serow_core::schema::Schema;
/// let schema = Schema::parse("[i64, (f64, str)]")?;
/// assert_eq!(schema.type_list(), [4, 1, 5, 2, 3, 7, 6]);
/// assert_eq!(schema, Schema::parse("4 1 5 2 3 7 6")?);
/// assert_eq!(schema.to_string(), "[i64, (f64, str)]");
/// # Ok::<(), serow_core::Error>(())
/// ```
#[derive(Clone)]
pub struct Schema(Arc<Inner>);

struct Inner {
    root: Type,
    list: Vec<u32>,
    bytes: Vec<u8>,
    fingerprint: u64,
    is_open: bool,
}

impl Schema {
    /// Creates the schema of rows of type `root`.
    ///
    /// # Errors
    /// A limit error if the type nests too deep or has too many fields. A schema error if a name
    /// occurs twice, or if values without a hash are elements of sets or keys of maps.
    pub fn new(root: Type) -> Result<Schema> {
        valid::check(&root)?;
        let is_open = root.is_open();
        if is_open {
            valid::structs(&root)?;
        }
        let list = list::write(&root)?;
        let bytes = list::to_bytes(&list);
        let fingerprint = xxh3_64(&bytes);
        Ok(Schema(Arc::new(Inner { root, list, bytes, fingerprint, is_open })))
    }

    /// Parses a schema from its text, such as `(i64, str?, [f64])`, or from its type list written
    /// as numbers, such as `5 1 10 3 11 2 7`.
    ///
    /// # Errors
    /// A schema error that points at the mistake.
    pub fn parse(text: &str) -> Result<Schema> {
        match text.trim_start().bytes().next() {
            Some(b'0'..=b'9') => Schema::from_type_list(&text::numbers(text)?),
            _ => Schema::new(text::parse(text)?),
        }
    }

    /// Creates a schema from its type list. The list need not be canonical.
    ///
    /// # Errors
    /// A schema error that names the index of the mistake.
    pub fn from_type_list(list: &[u32]) -> Result<Schema> {
        Schema::new(list::read(list, true)?)
    }

    /// Creates a schema from its bytes in a message; see [`Schema::as_bytes`].
    ///
    /// # Errors
    /// A decode error, also if the list is not canonical: equal schemas must have equal bytes.
    pub fn from_bytes(bytes: &[u8]) -> Result<Schema> {
        let damaged = |e: Error| Error::decode(format!("the frame's schema is damaged: {e}"));
        let list = list::from_bytes(bytes).map_err(damaged)?;
        let schema = list::read(&list, false).and_then(Schema::new).map_err(damaged)?;
        if schema.as_bytes() != bytes {
            return Err(Error::decode(format!(
                "the frame's schema is damaged: its type list is not canonical (it means {schema})"
            )));
        }
        Ok(schema)
    }

    /// The row's type.
    pub fn root(&self) -> &Type {
        &self.0.root
    }

    /// Whether the row's type has parts that only the schema of rows to read tells. Rows of other
    /// schemas can be read as rows of this one, and no row has it.
    pub fn is_open(&self) -> bool {
        self.0.is_open
    }

    /// The type list; `docs/wire-format.md` has the codes.
    pub fn type_list(&self) -> &[u32] {
        &self.0.list
    }

    /// The type list in the form of a message: each code as a varint.
    pub fn as_bytes(&self) -> &[u8] {
        &self.0.bytes
    }

    /// The xxh3-64 of [`Schema::as_bytes`].
    pub fn fingerprint(&self) -> u64 {
        self.0.fingerprint
    }
}

impl PartialEq for Schema {
    fn eq(&self, other: &Schema) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
            || (self.0.fingerprint == other.0.fingerprint && self.0.bytes == other.0.bytes)
    }
}

impl Eq for Schema {}

impl std::hash::Hash for Schema {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        state.write_u64(self.0.fingerprint);
    }
}

impl fmt::Display for Schema {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.root.fmt(f)
    }
}

impl fmt::Debug for Schema {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Schema({self})")
    }
}

//! The names in a schema: of records and their fields, of the keys of dicts, and of enums and their
//! members.

use std::fmt;
use std::sync::Arc;

use super::types::Type;

/// The names of the fields of a struct. All values of one schema share them.
///
/// ```
/// use serow_core::schema::Names;
/// use serow_core::value::Value;
///
/// let Value::Struct(names, _) = Value::record("Part", [("key", Value::I64(7))]) else { panic!() };
/// assert_eq!(*names, Names { name: Some("Part".into()), fields: vec!["key".into()] });
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Names {
    /// The name of a record's type; a dict with fixed keys has none.
    pub name: Option<Arc<str>>,
    /// The names of the fields, or the keys, in order. They are distinct.
    pub fields: Vec<Arc<str>>,
}

/// A dict with fixed keys, or a record.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Struct {
    /// Its names.
    pub names: Arc<Names>,
    /// Its fields, one for each name.
    pub fields: Vec<Field>,
}

/// A field of a struct.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Field {
    /// The type of its values.
    pub ty: Type,
    /// Whether it may be missing, which differs from null. Fields of records never are.
    pub maybe: bool,
}

impl Struct {
    /// Returns whether it is a record and not a dict.
    pub fn is_record(&self) -> bool {
        self.names.name.is_some()
    }

    /// Returns its fields with their names.
    pub fn named(&self) -> impl Iterator<Item = (&Arc<str>, &Field)> {
        self.names.fields.iter().zip(&self.fields)
    }
}

/// An enum. Its members have names and no other data.
///
/// ```
/// use serow_core::schema::{Enum, Schema, Type};
///
/// let schema = Schema::parse("enum Color{RED, GREEN}")?;
/// let color = Enum { name: "Color".into(), members: vec!["RED".into(), "GREEN".into()] };
/// assert_eq!(*schema.root(), Type::Enum(color.into()));
/// # Ok::<(), serow_core::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Enum {
    /// The name of its type.
    pub name: Arc<str>,
    /// The names of its members. They are distinct.
    pub members: Vec<Arc<str>>,
}

/// Formats a name for the text of a schema: plain if it is a word, otherwise in quotes.
pub(crate) struct Word<'a>(pub &'a str);

/// Words that begin other types and so need quotes as the name of a record.
pub(super) const FROZENSET: &str = "frozenset";
pub(super) const ENUM: &str = "enum";

impl fmt::Display for Word<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let plain = !self.0.is_empty()
            && self.0.chars().all(is_word)
            && self.0 != FROZENSET
            && self.0 != ENUM;
        if plain { f.write_str(self.0) } else { Quoted(self.0).fmt(f) }
    }
}

/// Formats a name in quotes.
pub(super) struct Quoted<'a>(pub &'a str);

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("\"")?;
        for c in self.0.chars() {
            match c {
                '"' | '\\' => write!(f, "\\{c}")?,
                c if c.is_control() => write!(f, "{}", c.escape_unicode())?,
                c => write!(f, "{c}")?,
            }
        }
        f.write_str("\"")
    }
}

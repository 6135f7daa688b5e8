//! The names in a schema: of records and their fields, of the keys of dicts, and of enums and their
//! members.

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::sync::Arc;

use super::types::Type;

/// The names of the fields of a struct. All values of one schema share them.
///
/// ```
/// # use serow_core::schema::Names;
/// # use serow_core::value::Value;
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

impl Names {
    /// Returns whether no two fields have one name.
    pub(crate) fn differ(&self) -> bool {
        let mut seen = HashSet::with_capacity(self.fields.len());
        self.fields.iter().all(|name| seen.insert(name))
    }
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

/// An enum. Its members have names. If the members of an enum are ints or strs as well, as those of
/// Python's `IntEnum` and `StrEnum` are, each has a value too.
///
/// ```
/// # use serow_core::schema::{Enum, Schema, Type, MemberValues};
/// let schema = Schema::parse("enum Color{RED, GREEN}")?;
/// let color = Enum::new("Color", ["RED", "GREEN"]);
/// assert_eq!(*schema.root(), Type::Enum(color.into()));
///
/// let schema = Schema::parse("enum Status{OK = 200, TEAPOT = 418}")?;
/// let status = Enum::new("Status", ["OK", "TEAPOT"]).with_values(MemberValues::Ints(vec![200, 418]));
/// assert_eq!(*schema.root(), Type::Enum(status.into()));
/// # Ok::<(), serow_core::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Enum {
    /// The name of its type.
    pub name: Arc<str>,
    /// The names of its members. They are distinct.
    pub members: Vec<Arc<str>>,
    /// The values of its members.
    pub values: MemberValues,
}

/// The values of the members of an enum, one for each member in the order of the names. Members with
/// equal values are one member with several names.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum MemberValues {
    /// The members have names only.
    #[default]
    None,
    /// Each member is an integer too.
    Ints(Vec<i64>),
    /// Each member is a string too.
    Strs(Vec<Arc<str>>),
}

/// The value of one member of an enum.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MemberValue<'a> {
    /// An integer.
    Int(i64),
    /// A string.
    Str(&'a str),
}

impl MemberValues {
    /// Returns the number of values; `None` if the members have names only.
    pub fn count(&self) -> Option<usize> {
        match self {
            MemberValues::None => None,
            MemberValues::Ints(values) => Some(values.len()),
            MemberValues::Strs(values) => Some(values.len()),
        }
    }

    /// Returns the value of the member at `index`, if it has one.
    pub fn get(&self, index: usize) -> Option<MemberValue<'_>> {
        match self {
            MemberValues::None => None,
            MemberValues::Ints(values) => values.get(index).copied().map(MemberValue::Int),
            MemberValues::Strs(values) => values.get(index).map(|value| MemberValue::Str(value)),
        }
    }
}

impl Enum {
    /// Creates an enum whose members have names only.
    pub fn new<N: Into<Arc<str>>>(
        name: impl Into<Arc<str>>,
        members: impl IntoIterator<Item = N>,
    ) -> Enum {
        let members = members.into_iter().map(Into::into).collect();
        Enum { name: name.into(), members, values: MemberValues::None }
    }

    /// Returns this enum with other values of its members.
    pub fn with_values(self, values: MemberValues) -> Enum {
        Enum { values, ..self }
    }

    /// Returns for each member the index of the same member of `other`: the one with its name, or else
    /// the first one with its value.
    pub fn places_in(&self, other: &Enum) -> Vec<Option<u32>> {
        let names: HashMap<&str, u32> = other.members.iter().map(|name| &**name).zip(0..).collect();
        let mut values = HashMap::new();
        for at in 0..other.values.count().unwrap_or(0) {
            if let Some(value) = other.values.get(at) {
                values.entry(value).or_insert(at as u32);
            }
        }
        let place = |(at, name): (usize, &Arc<str>)| {
            let same_value = || values.get(&self.values.get(at)?).copied();
            names.get(&**name).copied().or_else(same_value)
        };
        self.members.iter().enumerate().map(place).collect()
    }
}

/// Formats a name for the text of a schema: plain if it is a word, otherwise in quotes.
pub(crate) struct Word<'a>(pub &'a str);

/// Returns whether a name with this character may stand without quotes. All letters and digits beyond
/// ASCII may, and so may symbols: which characters are letters depends on the version of Unicode, and
/// languages have different ones.
pub(super) fn is_word(c: char) -> bool {
    match c.is_ascii() {
        true => c.is_ascii_alphanumeric() || c == '_',
        false => !c.is_whitespace() && !c.is_control(),
    }
}

/// Words that begin other types and so need quotes as the name of a record.
pub(super) const FROZENSET: &str = "frozenset";
pub(super) const ENUM: &str = "enum";

impl fmt::Display for Word<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // A text that begins with a digit is a type list.
        let plain = self.0.starts_with(|c: char| is_word(c) && !c.is_ascii_digit())
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

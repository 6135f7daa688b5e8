//! One value of a serializable type as a tree. Types are inferred from trees, and values whose place
//! in the schema is only known at their end wait in one: sequences of unknown length, structs that
//! leave out fields.

use std::fmt;

use super::int::IntBytes;

/// The name of the only field in the record of a newtype variant or a tuple variant.
pub(super) const CONTENT: &str = "0";

/// A value.
#[derive(Clone)]
pub(super) enum Tree {
    Null,
    Bool(bool),
    I64(i64),
    /// An integer beyond 64 bits.
    Int(IntBytes),
    F64(f64),
    Str(Box<str>),
    Bytes(Box<[u8]>),
    List(Vec<Tree>),
    Tuple(Vec<Tree>),
    /// Keys and values, alternating.
    Map(Vec<Tree>),
    /// A struct, or the contents of a variant of an enum.
    Record(Name, Vec<&'static str>, Vec<Tree>),
    /// A struct that leaves out fields: the names of all, whether each is present, and the values
    /// of those that are.
    Partial(Vec<&'static str>, Vec<bool>, Vec<Tree>),
    /// A variant without contents.
    Unit(Name),
}

/// The name of a struct, or of an enum and its variant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Name {
    pub(super) of: &'static str,
    pub(super) variant: Option<&'static str>,
}

impl Name {
    /// Returns whether the name of a record is this one.
    pub(super) fn is(&self, record: &str) -> bool {
        match self.variant {
            None => record == self.of,
            Some(variant) => {
                let rest = record.strip_prefix(self.of).and_then(|rest| rest.strip_prefix(JOINT));
                rest == Some(variant)
            }
        }
    }
}

/// Separates the name of an enum from the name of its variant.
pub(super) const JOINT: &str = "::";

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.variant {
            None => f.write_str(self.of),
            Some(variant) => write!(f, "{}{JOINT}{variant}", self.of),
        }
    }
}

impl Tree {
    /// Returns whether the value may be the key of a map in every language.
    fn is_hashable(&self) -> bool {
        match self {
            Tree::List(_) | Tree::Map(_) | Tree::Partial(..) => false,
            Tree::Tuple(values) | Tree::Record(_, _, values) => {
                values.iter().all(Tree::is_hashable)
            }
            _ => true,
        }
    }

    /// Returns the map of these keys and values, alternating. If a key can't be the key of a map, it
    /// is a list of pairs.
    pub(super) fn map(entries: Vec<Tree>) -> Tree {
        if entries.iter().step_by(2).all(Tree::is_hashable) {
            return Tree::Map(entries);
        }
        let mut entries = entries.into_iter();
        let mut pairs = Vec::with_capacity(entries.len() / 2);
        while let (Some(key), Some(value)) = (entries.next(), entries.next()) {
            pairs.push(Tree::Tuple(vec![key, value]));
        }
        Tree::List(pairs)
    }

    /// Returns the struct or variant of these fields. Those without a value are left out.
    pub(super) fn fields(name: Name, fields: Vec<(&'static str, Option<Tree>)>) -> Tree {
        let names = fields.iter().map(|(name, _)| *name).collect::<Vec<_>>();
        let present: Vec<_> = fields.iter().map(|(_, value)| value.is_some()).collect();
        let values = fields.into_iter().filter_map(|(_, value)| value).collect();
        // A field with the name of a variant's contents would be taken for them.
        let is_whole = present.iter().all(|is_present| *is_present)
            && (name.variant.is_none() || names != [CONTENT]);
        match (is_whole, name.variant) {
            (true, _) => Tree::Record(name, names, values),
            (false, None) => Tree::Partial(names, present, values),
            (false, Some(_)) => {
                Tree::Record(name, vec![CONTENT], vec![Tree::Partial(names, present, values)])
            }
        }
    }
}

/// Formats a value for error messages, much as Rust's `Debug` does.
impl fmt::Debug for Tree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Tree::Null => f.write_str("null"),
            Tree::Bool(v) => v.fmt(f),
            Tree::I64(v) => v.fmt(f),
            Tree::Int(_) => f.write_str("an integer beyond 64 bits"),
            Tree::F64(v) => v.fmt(f),
            Tree::Str(v) => v.fmt(f),
            Tree::Bytes(v) => write!(f, "{} bytes", v.len()),
            Tree::List(values) => f.debug_list().entries(values).finish(),
            Tree::Tuple(values) => {
                let mut tuple = f.debug_tuple("");
                values.iter().for_each(|value| {
                    tuple.field(value);
                });
                tuple.finish()
            }
            Tree::Map(entries) => {
                let pairs = entries.chunks_exact(2).map(|pair| (&pair[0], &pair[1]));
                f.debug_map().entries(pairs).finish()
            }
            Tree::Record(name, fields, values) => {
                let mut record = f.debug_struct(&name.to_string());
                fields.iter().zip(values).for_each(|(name, value)| {
                    record.field(name, value);
                });
                record.finish()
            }
            Tree::Partial(names, present, values) => {
                let names = names.iter().zip(present).filter(|(_, is_present)| **is_present);
                f.debug_map().entries(names.map(|(name, _)| name).zip(values)).finish()
            }
            Tree::Unit(name) => write!(f, "{name}"),
        }
    }
}

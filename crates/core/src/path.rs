//! The place of a value in a row.

use std::fmt;
use std::sync::Arc;

/// A step from a container to a value in it. See [`Path`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// To the field or element with this index.
    Item(usize),
    /// To the field with this name.
    Field(Arc<str>),
    /// To the key of the map entry with this index.
    Key(usize),
    /// To the value of the map entry with this index.
    Value(usize),
}

/// The steps to a value, from outside in: `3.price.17`.
///
/// ```
/// use serow_core::path::{Path, Step};
///
/// let path = Path(vec![Step::Item(3), Step::Field("price".into()), Step::Item(17)]);
/// assert_eq!(path.to_string(), "3.price.17");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Path(pub Vec<Step>);

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, step) in self.0.iter().enumerate() {
            f.write_str(if i > 0 { "." } else { "" })?;
            step.fmt(f)?;
        }
        Ok(())
    }
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Step::Item(item) => item.fmt(f),
            Step::Field(name) => f.write_str(name),
            Step::Key(entry) => write!(f, "key {entry}"),
            Step::Value(entry) => write!(f, "value {entry}"),
        }
    }
}

//! The place of a value in a row.

use std::fmt;
use std::sync::Arc;

/// A step from a container to a value in it. See [`Path`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PathStep {
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
/// # use serow_core::path::{Path, PathStep};
/// let path = Path(vec![PathStep::Item(3), PathStep::Field("price".into()), PathStep::Item(17)]);
/// assert_eq!(path.to_string(), "3.price.17");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Path(pub Vec<PathStep>);

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, step) in self.0.iter().enumerate() {
            f.write_str(if i > 0 { "." } else { "" })?;
            step.fmt(f)?;
        }
        Ok(())
    }
}

impl fmt::Display for PathStep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PathStep::Item(item) => item.fmt(f),
            PathStep::Field(name) => f.write_str(name),
            PathStep::Key(entry) => write!(f, "key {entry}"),
            PathStep::Value(entry) => write!(f, "value {entry}"),
        }
    }
}

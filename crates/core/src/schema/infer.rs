//! What type a value has, for any language's values.

use super::join::{Scalar, Shape};
use super::types::Container;
use crate::error::{Error, Result};
use crate::limits::{MAX_DEPTH, MAX_INFERRED_FIELDS};

/// What a value is, seen from outside.
pub enum Kind<I> {
    /// Null.
    Null,
    /// A boolean.
    Bool,
    /// An integer of 64 bits.
    I64,
    /// A float of 64 bits.
    F64,
    /// A string.
    Str,
    /// A list or tuple with these elements.
    Container(Container, I),
}

/// A value of some language, which can say what it is.
pub trait Inspect: Copy {
    /// The elements of a list or tuple.
    type Elements: ExactSizeIterator<Item = Self>;

    /// What this value is.
    ///
    /// # Errors
    /// What to say of a value that has no type here, such as `cannot encode <object at 0x10>`.
    fn kind(self) -> std::result::Result<Kind<Self::Elements>, String>;
}

impl Shape {
    /// Add the types of `value`, which is row `row`.
    ///
    /// # Errors
    /// An encode error that names the first place of something that has no type here; a limit error
    /// if containers nest too deep, which is how a list that holds itself shows.
    pub fn add_row<V: Inspect>(&mut self, row: usize, value: V) -> Result<()> {
        let mut path = Vec::new();
        match shape_of(value, &mut path) {
            Ok(shape) => {
                self.join(shape);
                Ok(())
            }
            Err(error) if path.is_empty() => Err(error.within(format!("row {row}"))),
            Err(error) => {
                path.reverse();
                Err(error.within(format!("row {row}, field {}", crate::plan::Path(path))))
            }
        }
    }
}

/// The shape of one value. On an error `path` holds the fields from the value at fault outwards.
fn shape_of<V: Inspect>(value: V, path: &mut Vec<usize>) -> Result<Shape> {
    fn walk<V: Inspect>(value: V, depth: usize, path: &mut Vec<usize>) -> Result<Shape> {
        let mut shape = Shape::default();
        match value.kind().map_err(Error::encode)? {
            Kind::Null => shape.add(Scalar::Null),
            Kind::Bool => shape.add(Scalar::Bool),
            Kind::I64 => shape.add(Scalar::I64),
            Kind::F64 => shape.add(Scalar::F64),
            Kind::Str => shape.add(Scalar::Str),
            Kind::Container(container, elements) => {
                if depth == MAX_DEPTH {
                    path.clear();
                    return Err(Error::limit(format!(
                        "lists and tuples nest more than {MAX_DEPTH} deep; does a list hold itself?"
                    )));
                }
                let fixed = elements.len() <= MAX_INFERRED_FIELDS;
                let mut fields = Vec::new();
                let mut joined = Shape::default();
                for (i, element) in elements.enumerate() {
                    let field = walk(element, depth + 1, path).inspect_err(|_| path.push(i))?;
                    if fixed {
                        fields.push(field);
                    } else {
                        joined.join(field);
                    }
                }
                if fixed {
                    shape.add_fixed(container, fields);
                } else {
                    shape.add_sequence(container, joined);
                }
            }
        }
        Ok(shape)
    }
    walk(value, 0, path)
}

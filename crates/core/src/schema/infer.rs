//! What type a value has, for any language's values.

use super::join::{Fields, Scalar, Shape};
use super::types::Container;
use crate::limits::{MAX_DEPTH, MAX_INFERRED_FIELDS};
use crate::plan::Path;

/// What a value is, seen from outside.
pub enum Kind<I> {
    /// A value without parts.
    Scalar(Scalar),
    /// A list or tuple with these elements.
    Container(Container, I),
}

/// A value of some language, which can say what it is.
pub trait Inspect: Copy {
    /// The elements of a list or tuple.
    type Elements: ExactSizeIterator<Item = Self>;

    /// What this value is, or `None` if it has no type here.
    fn kind(self) -> Option<Kind<Self::Elements>>;
}

/// Why a row has no type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Untyped {
    /// The value at this path has none.
    Value(Path),
    /// Containers nest too deep, which is also how a list that holds itself shows.
    Depth,
}

impl Shape {
    /// Add the types of `value`.
    ///
    /// # Errors
    /// The first place in it that has no type; nothing is added then.
    pub fn add_value<V: Inspect>(&mut self, value: V) -> Result<(), Untyped> {
        let mut path = Vec::new();
        let shape = shape_of(value, &mut path)?;
        self.join(shape);
        Ok(())
    }
}

fn shape_of<V: Inspect>(value: V, path: &mut Vec<usize>) -> Result<Shape, Untyped> {
    let mut shape = Shape::default();
    match value.kind().ok_or_else(|| Untyped::Value(Path(path.clone())))? {
        Kind::Scalar(scalar) => shape.add(scalar),
        Kind::Container(..) if path.len() == MAX_DEPTH => return Err(Untyped::Depth),
        Kind::Container(container, elements) => {
            shape.add_fixed(container, fields_of(elements, path)?);
        }
    }
    Ok(shape)
}

/// The shapes of elements: of all of them together as long as they are equal, or if they are too
/// many to be kept apart.
fn fields_of<V: Inspect>(
    elements: impl ExactSizeIterator<Item = V>,
    path: &mut Vec<usize>,
) -> Result<Fields, Untyped> {
    let len = elements.len();
    let mut same = Shape::default();
    let mut each: Option<Vec<Shape>> = None;
    let mut scalar = None;
    for (i, element) in elements.enumerate() {
        // Most long sequences are of one scalar type, and are walked without making shapes.
        if each.is_none()
            && let Some(Kind::Scalar(this)) = element.kind()
            && scalar.replace(this) == Some(this)
        {
            continue;
        }
        path.push(i);
        let field = shape_of(element, path)?;
        path.pop();
        match &mut each {
            Some(fields) => fields.push(field),
            None if i == 0 => same = field,
            None if field == same => {}
            None if len > MAX_INFERRED_FIELDS => {
                same.join(field);
                scalar = None;
            }
            None => {
                let mut fields = vec![same.clone(); i];
                fields.push(field);
                each = Some(fields);
            }
        }
    }
    Ok(each.map_or(Fields::Same(len, same), Fields::Each))
}

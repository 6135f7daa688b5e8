//! What type a value has, for any language's values.

use super::join::{Fields, Scalar, Shape};
use super::types::Container;
use crate::limits::{CONTAINER_ELEMENTS, MAX_DEPTH, MAX_INFERRED_FIELDS, MAX_ROW_ELEMENTS};
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
    /// There are more elements in it than a row may have.
    Size,
}

impl Shape {
    /// Add the types of `value`.
    ///
    /// # Errors
    /// The first place in it that has no type; nothing is added then.
    pub fn add_value<V: Inspect>(&mut self, value: V) -> Result<(), Untyped> {
        let mut walk = Walk { path: Vec::new(), elements: MAX_ROW_ELEMENTS };
        let shape = shape_of(value, &mut walk)?;
        self.join(shape);
        Ok(())
    }
}

/// Where in a row one stands.
struct Walk {
    path: Vec<usize>,
    /// The elements that there may still be.
    elements: usize,
}

fn shape_of<V: Inspect>(value: V, walk: &mut Walk) -> Result<Shape, Untyped> {
    let mut shape = Shape::default();
    match value.kind().ok_or_else(|| Untyped::Value(Path(walk.path.clone())))? {
        Kind::Scalar(scalar) => shape.add(scalar),
        Kind::Container(..) if walk.path.len() == MAX_DEPTH => return Err(Untyped::Depth),
        Kind::Container(container, elements) => {
            let count = elements.len().saturating_add(CONTAINER_ELEMENTS);
            walk.elements = walk.elements.checked_sub(count).ok_or(Untyped::Size)?;
            shape.add_fixed(container, fields_of(elements, walk)?);
        }
    }
    Ok(shape)
}

/// The shapes of elements: of all of them together as long as they are equal, or if they are too
/// many to be kept apart.
fn fields_of<V: Inspect>(
    elements: impl ExactSizeIterator<Item = V>,
    walk: &mut Walk,
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
        walk.path.push(i);
        let field = shape_of(element, walk)?;
        walk.path.pop();
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

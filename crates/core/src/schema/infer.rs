//! What type a value has, for any language's values.

use std::collections::HashMap;
use std::sync::Arc;

use super::container_shapes::{ContainerShapes, Dicts, Keys};
use super::join::{Fields, Scalar, Shape};
use super::names::{Enum, Names};
use super::types::Container;
use crate::limits::{
    CHECK_ELEMENTS, CONTAINER_ELEMENTS, MANY_ELEMENTS, MAX_DEPTH, MAX_INFERRED_FIELDS,
    MAX_INFERRED_KEYS, MAX_ROW_ELEMENTS,
};
use crate::path::{Path, Step};

/// What a value is, seen from outside.
pub enum Kind<I> {
    /// A value without parts.
    Scalar(Scalar),
    /// A list, tuple, set or frozenset with these elements.
    Container(Container, I),
    /// A dict with these keys and values: a key, its value, the next key.
    Dict(I),
    /// A record, or a dict with these keys, with these fields, one for each name.
    Struct(Arc<Names>, I),
    /// A member of an enum.
    Enum(Arc<Enum>),
}

/// A value of some language, which can say what it is.
pub trait Inspect: Copy {
    /// The elements of a container.
    type Elements: ExactSizeIterator<Item = Self>;

    /// What this value is, or `None` if it has no type here.
    fn kind(self) -> Option<Kind<Self::Elements>>;

    /// The text of this value, if it is a string without lone surrogates. It is asked of the keys of
    /// dicts.
    fn name(self) -> Option<Arc<str>>;

    /// What tells this value from all others that are alive, where one value can stand in a row many
    /// times.
    fn identity(self) -> Option<usize> {
        None
    }

    /// Whether the host wants inference to end, which is asked every few milliseconds.
    fn is_interrupted(self) -> bool {
        false
    }
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
    /// The host wants inference to end.
    Interrupted,
    /// There is no memory to look at it.
    NoMemory,
}

impl Shape {
    /// Add the types of `value`.
    ///
    /// # Errors
    /// The first place in it that has no type; nothing is added then.
    pub fn add_value<V: Inspect>(&mut self, value: V) -> Result<(), Untyped> {
        let mut walk = Walk { row: value, path: Vec::new(), elements: MAX_ROW_ELEMENTS };
        let shape = shape_of(value, &mut walk)?;
        self.join(shape);
        Ok(())
    }
}

/// Where in a row one stands.
struct Walk<V> {
    row: V,
    path: Vec<Step>,
    /// The elements that there may still be.
    elements: usize,
}

impl<V: Inspect> Walk<V> {
    /// Count the elements of a container that is stepped into.
    fn step_into(&mut self, elements: usize) -> Result<(), Untyped> {
        if self.path.len() == MAX_DEPTH {
            return Err(Untyped::Depth);
        }
        let count = elements.saturating_add(CONTAINER_ELEMENTS);
        let left = self.elements.checked_sub(count).ok_or(Untyped::Size)?;
        if (self.elements ^ left) >= CHECK_ELEMENTS && self.row.is_interrupted() {
            return Err(Untyped::Interrupted);
        }
        // To walk over as many elements as a row may have takes seconds. Where most of them are a few
        // lists that are met again and again, they are counted in no time.
        let many = MAX_ROW_ELEMENTS - MANY_ELEMENTS;
        if left < many && self.elements >= many {
            let mut count =
                Count { known: HashMap::new(), left: MANY_ELEMENTS / CONTAINER_ELEMENTS };
            if elements_of(self.row, 0, &mut count).is_some_and(|sum| sum > MAX_ROW_ELEMENTS) {
                return Err(Untyped::Size);
            }
        }
        self.elements = left;
        Ok(())
    }

    /// The shape of a value one step from here.
    fn shape_at(&mut self, step: Step, value: V) -> Result<Shape, Untyped> {
        self.path.push(step);
        let shape = shape_of(value, self)?;
        self.path.pop();
        Ok(shape)
    }
}

fn shape_of<V: Inspect>(value: V, walk: &mut Walk<V>) -> Result<Shape, Untyped> {
    let mut shape = Shape::default();
    match value.kind().ok_or_else(|| Untyped::Value(Path(walk.path.clone())))? {
        Kind::Scalar(scalar) => shape.add(scalar),
        Kind::Container(container, elements) => {
            walk.step_into(elements.len())?;
            shape.add_fixed(container, fields_of(elements, walk)?);
        }
        Kind::Dict(elements) => {
            walk.step_into(elements.len())?;
            shape.add_containers(ContainerShapes::of_dict(dict_of(elements, walk)?));
        }
        Kind::Struct(names, elements) => {
            walk.step_into(elements.len())?;
            let fields = names.fields.iter().zip(elements);
            let fields: Vec<_> = fields
                .map(|(name, field)| walk.shape_at(Step::Field(name.clone()), field))
                .collect::<Result<_, _>>()?;
            shape.add_containers(match names.name {
                Some(_) => ContainerShapes::of_record(names, fields),
                None => ContainerShapes::of_dict(Dicts::Keys(Keys::new(&names.fields, fields))),
            });
        }
        Kind::Enum(of) => shape.add_containers(ContainerShapes::of_enum(of)),
    }
    Ok(shape)
}

/// The elements of `value`, found by looking at each container in it once. Nothing if there are many.
fn elements_of<V: Inspect>(value: V, depth: usize, count: &mut Count) -> Option<usize> {
    count.left = count.left.checked_sub(1)?;
    let identity = value.identity()?;
    if let Some(&known) = count.known.get(&identity) {
        return Some(known);
    }
    let Some(Kind::Container(_, elements) | Kind::Dict(elements) | Kind::Struct(_, elements)) =
        value.kind()
    else {
        return Some(0);
    };
    // A list may hold itself, and is found to nest too deep when it is walked over.
    count.known.insert(identity, 0);
    let mut sum = elements.len().saturating_add(CONTAINER_ELEMENTS);
    if depth < MAX_DEPTH {
        for element in elements {
            sum = sum.saturating_add(elements_of(element, depth + 1, count)?);
        }
    }
    count.known.insert(identity, sum);
    Some(sum)
}

/// What is known while the elements of a row are counted.
struct Count {
    /// The elements of containers that were met, by their identity.
    known: HashMap<usize, usize>,
    /// Values that may still be looked at.
    left: usize,
}

/// The shape of a dict: with fixed keys if they are all names, and not too many.
fn dict_of<V: Inspect>(
    mut elements: impl ExactSizeIterator<Item = V>,
    walk: &mut Walk<V>,
) -> Result<Dicts, Untyped> {
    let mut pairs = Vec::with_capacity(elements.len() / 2);
    while let (Some(key), Some(value)) = (elements.next(), elements.next()) {
        pairs.push((key, value));
    }
    let names: Option<Vec<_>> = pairs.iter().map(|(key, _)| key.name()).collect();
    if let Some(names) = names.filter(|names| names.len() <= MAX_INFERRED_KEYS) {
        let values = names.iter().zip(pairs);
        let values: Vec<_> = values
            .map(|(name, (_, value))| walk.shape_at(Step::Field(name.clone()), value))
            .collect::<Result<_, _>>()?;
        return Ok(Dicts::Keys(Keys::new(&names, values)));
    }
    let (mut all_keys, mut all_values) = (Shape::default(), Shape::default());
    for (at, (key, value)) in pairs.into_iter().enumerate() {
        all_keys.join(walk.shape_at(Step::Key(at), key)?);
        all_values.join(walk.shape_at(Step::Value(at), value)?);
    }
    Ok(Dicts::Map(all_keys, all_values))
}

/// The shapes of elements: of all of them together as long as they are equal, or if they are too
/// many to be kept apart.
fn fields_of<V: Inspect>(
    elements: impl ExactSizeIterator<Item = V>,
    walk: &mut Walk<V>,
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
        let field = walk.shape_at(Step::Item(i), element)?;
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

//! Infers the type of a value of any language.

use std::collections::HashMap;
use std::sync::Arc;

use super::container_shapes::ContainerShapes;
use super::dict_shapes::{Dicts, Keys};
use super::join::{Fields, Scalar, Shape};
use super::names::{Enum, Names};
use super::types::Container;
use crate::limits::{
    CHECK_ELEMENTS, CONTAINER_ELEMENTS, MANY_ELEMENTS, MAX_DEPTH, MAX_INFERRED_FIELDS,
    MAX_INFERRED_KEYS, MAX_ROW_ELEMENTS, elements_of_lists,
};
use crate::path::{Path, PathStep};

/// The outermost layer of a value.
pub enum Kind<I> {
    /// A value without elements.
    Scalar(Scalar),
    /// A list, tuple, set or frozenset with these elements.
    Container(Container, I),
    /// A list, tuple, set or frozenset that may have any number of elements. These are all alike,
    /// even if a sample of them has one length.
    Sequence(Container, I),
    /// A list of values of one type that are no values of their own, such as an array of numbers. It has this length,
    /// and if there are more lengths, its elements are such lists of the further ones.
    Array(Scalar, Vec<usize>),
    /// A dict with these keys and values, alternating.
    Dict(I),
    /// A map with these keys and values, alternating: a dict that stays a map whatever its keys are.
    Map(I),
    /// A dict with some of these keys, and the values of those that it has.
    Partial(Arc<Names>, Vec<bool>, I),
    /// A record, or a dict with these keys. There is one field for each name.
    Struct(Arc<Names>, I),
    /// A member of an enum.
    Enum(Arc<Enum>),
    /// A member of an enum whose other members are not known. The enum here has this member only. Inference
    /// joins the enums that have one name.
    Variant(Enum),
}

/// A value of some language that can be inspected.
pub trait Inspect: Copy {
    /// The elements of a container.
    type Elements: ExactSizeIterator<Item = Self>;

    /// Returns what this value is, or `None` if it has no serow type.
    fn kind(self) -> Option<Kind<Self::Elements>>;

    /// Returns the text of this value if it is a string without lone surrogates. Called for the
    /// keys of dicts.
    fn name(self) -> Option<Arc<str>>;

    /// Returns a number that differs from that of all other live values, if one value can occur in
    /// a row many times.
    fn identity(self) -> Option<usize> {
        None
    }

    /// Returns whether the host wants inference to end. Called every few milliseconds.
    fn is_interrupted(self) -> bool {
        false
    }
}

/// The reason why a row has no type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InferError {
    /// The value at this path has no serow type.
    Value(Path),
    /// Containers nest too deep. A list that contains itself also ends here.
    Depth,
    /// The row has too many elements.
    Size,
    /// The host wants inference to end.
    Interrupted,
    /// There is no memory for inspecting the row.
    NoMemory,
}

impl Shape {
    /// Adds the types of `value`.
    ///
    /// # Errors
    /// The first place in `value` that has no type. Then nothing is added.
    pub fn add_value<V: Inspect>(&mut self, value: V) -> Result<(), InferError> {
        let mut walk = Walk { row: value, path: Vec::new(), elements: MAX_ROW_ELEMENTS };
        let shape = shape_of(value, &mut walk)?;
        self.join(shape);
        Ok(())
    }
}

/// The position in a row.
struct Walk<V> {
    row: V,
    path: Vec<PathStep>,
    /// The number of elements that the row may still have.
    elements: usize,
}

impl<V: Inspect> Walk<V> {
    /// Counts the elements of a container before they are visited.
    fn step_into(&mut self, elements: usize) -> Result<(), InferError> {
        if self.path.len() == MAX_DEPTH {
            return Err(InferError::Depth);
        }
        let count = elements.saturating_add(CONTAINER_ELEMENTS);
        let left = self.elements.checked_sub(count).ok_or(InferError::Size)?;
        if (self.elements ^ left) >= CHECK_ELEMENTS && self.row.is_interrupted() {
            return Err(InferError::Interrupted);
        }
        // Visiting the maximal number of elements takes seconds. If most elements belong to a few
        // lists that occur again and again, counting each list once takes no time.
        let many = MAX_ROW_ELEMENTS - MANY_ELEMENTS;
        if left < many && self.elements >= many {
            let mut count =
                Count { known: HashMap::new(), left: MANY_ELEMENTS / CONTAINER_ELEMENTS };
            if elements_of(self.row, 0, &mut count).is_some_and(|sum| sum > MAX_ROW_ELEMENTS) {
                return Err(InferError::Size);
            }
        }
        self.elements = left;
        Ok(())
    }

    /// Returns the shape of a value one step below the current position.
    fn shape_at(&mut self, step: PathStep, value: V) -> Result<Shape, InferError> {
        self.path.push(step);
        let shape = shape_of(value, self)?;
        self.path.pop();
        Ok(shape)
    }
}

fn shape_of<V: Inspect>(value: V, walk: &mut Walk<V>) -> Result<Shape, InferError> {
    let mut shape = Shape::default();
    match value.kind().ok_or_else(|| InferError::Value(Path(walk.path.clone())))? {
        Kind::Scalar(scalar) => shape.add(scalar),
        Kind::Container(container, elements) => {
            walk.step_into(elements.len())?;
            shape.add_fixed(container, fields_of(elements, walk)?);
        }
        Kind::Sequence(container, elements) => {
            walk.step_into(elements.len())?;
            shape.add_sequence(container, fields_of(elements, walk)?.joined());
        }
        Kind::Array(scalar, lengths) => {
            // Without elements it is a list like any other, and only says which type its elements would have.
            let empty = lengths.iter().position(|&len| len == 0);
            let levels = empty.map_or(lengths.len(), |at| at + 1);
            if walk.path.len() + levels > MAX_DEPTH {
                return Err(InferError::Depth);
            }
            walk.step_into(elements_of_lists(&lengths) - CONTAINER_ELEMENTS)?;
            let mut element = Shape::default();
            match empty {
                None => element.add(scalar),
                // Arrays of other elements, such as times, come back as lists if they are empty.
                Some(at) => {
                    let is_number = matches!(scalar, Scalar::Bool | Scalar::I64 | Scalar::F64);
                    if is_number && at + 1 == lengths.len() {
                        element.add_unseen(scalar);
                    }
                }
            }
            for _ in 0..levels {
                let inner = std::mem::take(&mut element);
                element.add_sequence(Container::List, inner);
            }
            shape.join(element);
        }
        Kind::Map(elements) => {
            walk.step_into(elements.len())?;
            let map = map_of(pairs_of(elements), walk)?;
            shape.add_containers(ContainerShapes::of_dict(map));
        }
        Kind::Partial(names, present, mut elements) => {
            walk.step_into(elements.len())?;
            let mut fields = Vec::with_capacity(names.fields.len());
            for (name, is_present) in names.fields.iter().zip(&present) {
                let field = if *is_present { elements.next() } else { None };
                fields.push(match field {
                    Some(field) => walk.shape_at(PathStep::Field(name.clone()), field)?,
                    None => Shape::default(),
                });
            }
            let keys = Keys::some_of(&names.fields, fields, &present);
            shape.add_containers(ContainerShapes::of_dict(Dicts::Keys(keys)));
        }
        Kind::Dict(elements) => {
            walk.step_into(elements.len())?;
            shape.add_containers(ContainerShapes::of_dict(dict_of(elements, walk)?));
        }
        Kind::Struct(names, elements) => {
            walk.step_into(elements.len())?;
            let fields = names.fields.iter().zip(elements);
            let fields: Vec<_> = fields
                .map(|(name, field)| walk.shape_at(PathStep::Field(name.clone()), field))
                .collect::<Result<_, _>>()?;
            shape.add_containers(match names.name {
                Some(_) => ContainerShapes::of_record(names, fields),
                None => ContainerShapes::of_dict(Dicts::Keys(Keys::new(&names.fields, fields))),
            });
        }
        Kind::Enum(of) => shape.add_containers(ContainerShapes::of_enum(of, false)),
        Kind::Variant(of) => shape.add_containers(ContainerShapes::of_enum(of.into(), true)),
    }
    Ok(shape)
}

/// Returns the number of elements of `value`, visiting each container in it once; `None` if there
/// are too many to count.
fn elements_of<V: Inspect>(value: V, depth: usize, count: &mut Count) -> Option<usize> {
    count.left = count.left.checked_sub(1)?;
    let identity = value.identity()?;
    if let Some(&known) = count.known.get(&identity) {
        return Some(known);
    }
    let kind = value.kind();
    if let Some(Kind::Array(_, lengths)) = kind {
        return Some(elements_of_lists(&lengths));
    }
    let Some(
        Kind::Container(_, elements)
        | Kind::Sequence(_, elements)
        | Kind::Dict(elements)
        | Kind::Map(elements)
        | Kind::Partial(_, _, elements)
        | Kind::Struct(_, elements),
    ) = kind
    else {
        return Some(0);
    };
    // A list may contain itself. Then inference reports that it nests too deep.
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

/// The state of counting the elements of a row.
struct Count {
    /// The numbers of elements of visited containers, by their identity.
    known: HashMap<usize, usize>,
    /// The number of values that may still be visited.
    left: usize,
}

/// Returns the shape of a dict. It has fixed keys if all keys are strings and there are not too
/// many.
fn dict_of<V: Inspect>(
    elements: impl ExactSizeIterator<Item = V>,
    walk: &mut Walk<V>,
) -> Result<Dicts, InferError> {
    let pairs = pairs_of(elements);
    let names: Option<Vec<_>> = pairs.iter().map(|(key, _)| key.name()).collect();
    if let Some(names) = names.filter(|names| names.len() <= MAX_INFERRED_KEYS) {
        let values = names.iter().zip(pairs);
        let values: Vec<_> = values
            .map(|(name, (_, value))| walk.shape_at(PathStep::Field(name.clone()), value))
            .collect::<Result<_, _>>()?;
        return Ok(Dicts::Keys(Keys::new(&names, values)));
    }
    map_of(pairs, walk)
}

/// Returns the keys and values of a dict.
fn pairs_of<V>(mut elements: impl ExactSizeIterator<Item = V>) -> Vec<(V, V)> {
    let mut pairs = Vec::with_capacity(elements.len() / 2);
    while let (Some(key), Some(value)) = (elements.next(), elements.next()) {
        pairs.push((key, value));
    }
    pairs
}

fn map_of<V: Inspect>(pairs: Vec<(V, V)>, walk: &mut Walk<V>) -> Result<Dicts, InferError> {
    let (mut all_keys, mut all_values) = (Shape::default(), Shape::default());
    for (at, (key, value)) in pairs.into_iter().enumerate() {
        all_keys.join(walk.shape_at(PathStep::Key(at), key)?);
        all_values.join(walk.shape_at(PathStep::Value(at), value)?);
    }
    Ok(Dicts::Map(all_keys, all_values))
}

/// Returns the shapes of elements. One shape represents all elements as long as they are equal, or
/// if there are too many elements to keep separate shapes.
fn fields_of<V: Inspect>(
    elements: impl ExactSizeIterator<Item = V>,
    walk: &mut Walk<V>,
) -> Result<Fields, InferError> {
    let len = elements.len();
    let mut same = Shape::default();
    let mut each: Option<Vec<Shape>> = None;
    let mut scalar = None;
    for (i, element) in elements.enumerate() {
        // Most long sequences have one scalar type. They are visited without making shapes.
        if each.is_none()
            && let Some(Kind::Scalar(this)) = element.kind()
            && scalar.replace(this) == Some(this)
        {
            continue;
        }
        let field = walk.shape_at(PathStep::Item(i), element)?;
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

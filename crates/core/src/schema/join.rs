//! How types join: the type of values that have one type or another.
//!
//! A [`Shape`] is a set of types that can be distinguished, kept separately for each field. So
//! joining is the union of two sets, and the order of rows does not affect the result. Only at the
//! end `into_type` decides whether lists whose fields all have one type are sequences, and likewise
//! tuples of several lengths.

use std::collections::BTreeMap;

use super::container_shapes::ContainerShapes;
use super::logical::Logical;
use super::types::{Container, Type};
use crate::limits::{MAX_INFERRED_FIELDS, MAX_INFERRED_LENGTHS};
use crate::number::Number;

/// All types of the values at one place so far.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Shape {
    null: bool,
    bool: bool,
    i64: bool,
    f64: bool,
    str: bool,
    logical: Logicals,
    lists: Option<Box<Lists>>,
    tuples: Option<Box<Tuples>>,
    containers: Option<Box<ContainerShapes>>,
    unseen: Unseen,
}

/// The types that values at a place without values would have, because the array around them says so.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
enum Unseen {
    #[default]
    Unknown,
    One(Scalar),
    Several,
}

impl Unseen {
    fn join(&mut self, other: Unseen) {
        *self = match (*self, other) {
            (Unseen::Unknown, one) | (one, Unseen::Unknown) => one,
            (one, other) if one == other => one,
            _ => Unseen::Several,
        };
    }
}

/// A set of logical types, one bit each.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Logicals(u32);

impl Logicals {
    fn of(logical: Logical) -> Logicals {
        Logicals(1 << logical as u32)
    }

    fn has(self, logical: Logical) -> bool {
        self.0 & Logicals::of(logical).0 != 0
    }

    fn without_numbers(self) -> Logicals {
        let numbers = Logical::ALL.into_iter().filter(|ty| ty.number().is_some());
        Logicals(numbers.fold(self.0, |all, ty| all & !Logicals::of(ty).0))
    }
}

/// Which types of numbers, and which logical types, a shape has.
struct Scalars {
    i64: bool,
    f64: bool,
    logical: Logicals,
}

/// The fields of lists or tuples of one length.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Fields {
    /// This many fields, all of one shape. Most lists are long lists of numbers, and this keeps
    /// them small.
    Same(usize, Shape),
    /// The shape of each field.
    Each(Vec<Shape>),
}

/// The lists at one place.
#[derive(Clone, Debug, PartialEq)]
enum Lists {
    /// All lists have this many fields.
    Fixed(Fields),
    /// Lists have different lengths. All elements are joined.
    Any(Shape),
}

/// The tuples at one place.
#[derive(Clone, Debug, PartialEq)]
enum Tuples {
    /// The fields of tuples, by length.
    ByLength(BTreeMap<usize, Fields>),
    /// All elements are joined.
    Any(Shape),
}

/// A type of values without elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scalar {
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
    /// A value of several components.
    Logical(Logical),
}

impl Shape {
    /// Returns the shape of values of type `ty`.
    pub fn of(ty: &Type) -> Shape {
        let mut shape = Shape::default();
        match ty {
            // Values have none of these.
            Type::Never | Type::Open(_) => {}
            Type::Null => shape.null = true,
            Type::Bool => shape.bool = true,
            Type::I64 => shape.i64 = true,
            Type::F64 => shape.f64 = true,
            Type::Str => shape.str = true,
            Type::Logical(logical) => shape.logical = Logicals::of(*logical),
            Type::Optional(inner) => {
                shape = Shape::of(inner);
                shape.null = true;
            }
            Type::Fixed(container, fields) => {
                shape.add_fixed(*container, Fields::Each(fields.iter().map(Shape::of).collect()));
            }
            Type::Sequence(Container::Set | Container::FrozenSet, _) => {
                shape.containers = ContainerShapes::of(ty).map(Box::new);
            }
            Type::Sequence(container, element) => {
                shape.add_sequence(*container, Shape::of(element));
            }
            Type::Union(arms) => arms.iter().for_each(|arm| shape.join(Shape::of(arm))),
            Type::Map(..) | Type::Struct(_) | Type::Enum(_) => {
                shape.containers = ContainerShapes::of(ty).map(Box::new);
            }
        }
        shape
    }

    pub(super) fn add(&mut self, scalar: Scalar) {
        match scalar {
            Scalar::Null => self.null = true,
            Scalar::Bool => self.bool = true,
            Scalar::I64 => self.i64 = true,
            Scalar::F64 => self.f64 = true,
            Scalar::Str => self.str = true,
            Scalar::Logical(logical) => self.logical.0 |= Logicals::of(logical).0,
        }
    }

    /// Says which type values here would have. It counts as long as there is no value.
    pub(super) fn add_unseen(&mut self, scalar: Scalar) {
        self.unseen.join(Unseen::One(scalar));
    }

    /// Adds a list or tuple with these fields.
    pub(super) fn add_fixed(&mut self, container: Container, fields: Fields) {
        if fields.len() > MAX_INFERRED_FIELDS {
            return self.add_sequence(container, fields.joined());
        }
        match container {
            Container::Tuple => {
                self.add_tuples(Tuples::ByLength(BTreeMap::from([(fields.len(), fields)])));
            }
            Container::Set | Container::FrozenSet => {
                self.add_sequence(container, fields.joined());
            }
            _ => self.add_lists(Lists::Fixed(fields)),
        }
    }

    /// Adds lists, tuples or sets of any length with elements of this shape.
    pub(super) fn add_sequence(&mut self, container: Container, element: Shape) {
        match container {
            Container::Tuple => self.add_tuples(Tuples::Any(element)),
            Container::Set | Container::FrozenSet => {
                self.add_containers(ContainerShapes::of_set(container, element));
            }
            _ => self.add_lists(Lists::Any(element)),
        }
    }

    pub(super) fn add_containers(&mut self, containers: ContainerShapes) {
        match &mut self.containers {
            Some(mine) => mine.join(containers),
            mine => *mine = Some(Box::new(containers)),
        }
    }

    fn add_lists(&mut self, lists: Lists) {
        self.lists = Some(Box::new(match self.lists.take() {
            None => lists,
            Some(old) => match (*old, lists) {
                (Lists::Fixed(a), Lists::Fixed(b)) if a.len() == b.len() => Lists::Fixed(a.join(b)),
                (a, b) => {
                    let mut element = a.element();
                    element.join(b.element());
                    Lists::Any(element)
                }
            },
        }));
    }

    fn add_tuples(&mut self, tuples: Tuples) {
        self.tuples = Some(Box::new(match self.tuples.take() {
            None => tuples,
            Some(old) => match (*old, tuples) {
                (Tuples::ByLength(mut a), Tuples::ByLength(b)) => {
                    for (len, fields) in b {
                        let joined = match a.remove(&len) {
                            Some(old) => old.join(fields),
                            None => fields,
                        };
                        a.insert(len, joined);
                    }
                    Tuples::ByLength(a)
                }
                (a, b) => {
                    let mut element = a.element();
                    element.join(b.element());
                    Tuples::Any(element)
                }
            },
        }));
    }

    /// Adds all types of `other`.
    pub fn join(&mut self, other: Shape) {
        self.null |= other.null;
        self.bool |= other.bool;
        self.i64 |= other.i64;
        self.f64 |= other.f64;
        self.str |= other.str;
        self.logical.0 |= other.logical.0;
        self.unseen.join(other.unseen);
        if let Some(lists) = other.lists {
            self.add_lists(*lists);
        }
        if let Some(tuples) = other.tuples {
            self.add_tuples(*tuples);
        }
        if let Some(containers) = other.containers {
            self.add_containers(*containers);
        }
    }

    /// Returns the one type of integers that includes all types of integers here, and the same of floats, among
    /// the logical types that are no numbers.
    fn numbers(&self) -> Scalars {
        let own = [(self.i64, Number::I64), (self.f64, Number::F64)];
        let own = own.into_iter().filter(|(seen, _)| *seen).map(|(_, number)| number);
        let logical = Logical::ALL.into_iter().filter(|&ty| self.logical.has(ty));
        let (mut ints, mut floats) = (None, None);
        for number in own.chain(logical.filter_map(Logical::number)) {
            let joined = if number.is_float() { &mut floats } else { &mut ints };
            *joined = Some(joined.map_or(number, |other| number.joined(other)));
        }
        let mut scalars =
            Scalars { i64: false, f64: false, logical: self.logical.without_numbers() };
        for number in [ints, floats].into_iter().flatten() {
            match number.logical() {
                Some(logical) => scalars.logical.0 |= Logicals::of(logical).0,
                None if number.is_float() => scalars.f64 = true,
                None => scalars.i64 = true,
            }
        }
        scalars
    }

    /// Returns whether the type of this shape is a union, with or without null.
    pub(super) fn is_mixed(&self) -> bool {
        self.arms() > 1
    }

    /// Returns the number of types that are arms of the type of this shape, if there are several.
    pub(super) fn arms(&self) -> usize {
        let numbers = self.numbers();
        let scalars = [self.bool, numbers.i64, numbers.f64, self.str];
        let scalars = scalars.into_iter().filter(|seen| *seen).count();
        let scalars = scalars + numbers.logical.0.count_ones() as usize;
        let tuples = match self.tuples.as_deref() {
            None => 0,
            Some(Tuples::Any(_)) => 1,
            Some(Tuples::ByLength(lengths)) if as_sequence(lengths).is_some() => 1,
            Some(Tuples::ByLength(lengths)) => lengths.len(),
        };
        let containers = self.containers.as_deref().map_or(0, ContainerShapes::count);
        scalars + usize::from(self.lists.is_some()) + tuples + containers
    }

    /// Returns the most arms that a union in the type of this shape can have, here or further in.
    pub(super) fn most_arms(&self) -> usize {
        let lists = self.lists.as_deref().map(|lists| lists.clone().element());
        let tuples = self.tuples.as_deref().map(|tuples| tuples.clone().element());
        let elements = lists.iter().chain(&tuples).map(Shape::most_arms).max().unwrap_or(0);
        let containers = self.containers.as_deref().map_or(0, ContainerShapes::most_arms);
        self.arms().max(elements).max(containers)
    }

    /// Makes final which dicts are maps in the type of this shape, because a schema is made of it. Later
    /// values only widen it. `is_soon` says that the schema before it had few rows; then dicts that keep
    /// getting keys become maps.
    pub fn settle(&mut self, is_soon: bool) {
        match self.lists.as_deref_mut() {
            Some(Lists::Fixed(fields)) => fields.settle(is_soon),
            Some(Lists::Any(element)) => element.settle(is_soon),
            None => {}
        }
        match self.tuples.as_deref_mut() {
            Some(Tuples::ByLength(lengths)) => {
                lengths.values_mut().for_each(|fields| fields.settle(is_soon));
            }
            Some(Tuples::Any(element)) => element.settle(is_soon),
            None => {}
        }
        if let Some(containers) = &mut self.containers {
            containers.settle(is_soon);
        }
    }

    /// Returns the type of this shape in canonical form.
    pub fn into_type(self) -> Type {
        let mut arms = Vec::new();
        let numbers = self.numbers();
        let scalars = [
            (numbers.i64, Type::I64),
            (numbers.f64, Type::F64),
            (self.str, Type::Str),
            (self.bool, Type::Bool),
        ];
        arms.extend(scalars.into_iter().filter(|(seen, _)| *seen).map(|(_, ty)| ty));
        let logical = Logical::ALL.into_iter().filter(|&ty| numbers.logical.has(ty));
        arms.extend(logical.map(Type::Logical));
        if let Some(lists) = self.lists {
            arms.push(lists.into_type());
        }
        if let Some(tuples) = self.tuples {
            tuples.into_types(&mut arms);
        }
        if let Some(containers) = self.containers {
            containers.into_types(&mut arms);
        }
        if let (true, false, Unseen::One(scalar)) = (arms.is_empty(), self.null, self.unseen) {
            let mut unseen = Shape::default();
            unseen.add(scalar);
            return unseen.into_type();
        }
        let one = Type::one_of(arms);
        if self.null { Type::optional(one) } else { one }
    }
}

/// Returns the joined elements if tuples of several lengths become a sequence: their elements have
/// one type, or there are too many lengths.
fn as_sequence(lengths: &BTreeMap<usize, Fields>) -> Option<Shape> {
    if lengths.len() < 2 {
        return None;
    }
    let joined = join_all(lengths.values().cloned().map(Fields::joined));
    (lengths.len() > MAX_INFERRED_LENGTHS || !joined.is_mixed()).then_some(joined)
}

impl Lists {
    fn element(self) -> Shape {
        match self {
            Lists::Fixed(fields) => fields.joined(),
            Lists::Any(element) => element,
        }
    }

    /// A list whose elements join to one type is a sequence. Otherwise it has a fixed shape.
    fn into_type(self) -> Type {
        let fields = match self {
            Lists::Any(element) => {
                return Type::Sequence(Container::List, Box::new(element.into_type()));
            }
            Lists::Fixed(fields) => fields,
        };
        // `is_mixed` checks the shape. Making the element's type first, and then the fields' types,
        // would double the work at every level of nesting.
        let joined = fields.clone().joined();
        if joined.is_mixed() {
            Type::Fixed(Container::List, fields.into_types())
        } else {
            Type::Sequence(Container::List, Box::new(joined.into_type()))
        }
    }
}

impl Tuples {
    fn element(self) -> Shape {
        match self {
            Tuples::ByLength(lengths) => join_all(lengths.into_values().map(Fields::joined)),
            Tuples::Any(element) => element,
        }
    }

    /// A tuple has a fixed shape, unless tuples of one element type have several lengths.
    fn into_types(self, arms: &mut Vec<Type>) {
        let lengths = match self {
            Tuples::Any(element) => {
                arms.push(Type::Sequence(Container::Tuple, Box::new(element.into_type())));
                return;
            }
            Tuples::ByLength(lengths) => lengths,
        };
        if let Some(joined) = as_sequence(&lengths) {
            arms.push(Type::Sequence(Container::Tuple, Box::new(joined.into_type())));
            return;
        }
        arms.extend(
            lengths.into_values().map(|fields| Type::Fixed(Container::Tuple, fields.into_types())),
        );
    }
}

pub(super) fn join_all(shapes: impl IntoIterator<Item = Shape>) -> Shape {
    let mut all = Shape::default();
    shapes.into_iter().for_each(|shape| all.join(shape));
    all
}

impl Fields {
    fn len(&self) -> usize {
        match self {
            Fields::Same(len, _) => *len,
            Fields::Each(fields) => fields.len(),
        }
    }

    fn into_each(self) -> Vec<Shape> {
        match self {
            Fields::Same(len, shape) => vec![shape; len],
            Fields::Each(fields) => fields,
        }
    }

    pub(super) fn joined(self) -> Shape {
        match self {
            Fields::Same(0, _) => Shape::default(),
            Fields::Same(_, shape) => shape,
            Fields::Each(fields) => join_all(fields),
        }
    }

    /// Joins with the same number of fields.
    fn join(self, other: Fields) -> Fields {
        match (self, other) {
            (Fields::Same(len, mut a), Fields::Same(_, b)) => {
                a.join(b);
                Fields::Same(len, a)
            }
            (a, b) => {
                let mut fields = a.into_each();
                for (a, b) in fields.iter_mut().zip(b.into_each()) {
                    a.join(b);
                }
                Fields::Each(fields)
            }
        }
    }

    fn settle(&mut self, is_soon: bool) {
        match self {
            Fields::Same(_, shape) => shape.settle(is_soon),
            Fields::Each(fields) => fields.iter_mut().for_each(|field| field.settle(is_soon)),
        }
    }

    fn into_types(self) -> Vec<Type> {
        match self {
            Fields::Same(len, shape) => vec![shape.into_type(); len],
            Fields::Each(fields) => fields.into_iter().map(Shape::into_type).collect(),
        }
    }
}

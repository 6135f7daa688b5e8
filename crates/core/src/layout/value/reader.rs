//! Values as a source.

use std::iter::Zip;
use std::slice;
use std::sync::Arc;

use smallvec::SmallVec;

use crate::error::Fault;
use crate::layout::{Components, OpResult, Source, TWICE_IN_MAP, TWICE_IN_SET, Text};
use crate::number::{Int, exact};
use crate::plan::{Arm, ComponentColumns, Tables};
use crate::schema::Class;
use crate::schema::{Container, Logical, Names};
use crate::value::Value;

/// Rows as a source.
pub struct ValueReader<'a> {
    rows: &'a [Value],
    /// The next values of the innermost container.
    next: Items<'a>,
    /// Those of the containers around it. A row of lists needs no memory.
    outer: SmallVec<[Items<'a>; 2]>,
    tables: Arc<Tables>,
}

/// The next values of a container.
enum Items<'a> {
    /// Plain values.
    Values(slice::Iter<'a, Value>),
    /// The values of a dict with other keys than its type's, or in another order.
    Fields(std::vec::IntoIter<Option<&'a Value>>),
    /// Keys and values of a dict with fixed keys that is read as a map, and the value of the last
    /// key.
    Entries(Zip<slice::Iter<'a, Arc<str>>, slice::Iter<'a, Value>>, Option<&'a Value>),
}

/// The next item.
#[derive(Clone, Copy)]
enum Item<'a> {
    Value(&'a Value),
    /// A key of a dict with fixed keys.
    Key(&'a Arc<str>),
    /// A field that the dict lacks.
    Missing,
}

impl<'a> Items<'a> {
    fn peek(&self) -> Option<Item<'a>> {
        Some(match self {
            Items::Values(values) => Item::Value(values.as_slice().first()?),
            Items::Fields(fields) => fields.as_slice().first()?.map_or(Item::Missing, Item::Value),
            Items::Entries(_, Some(value)) => Item::Value(value),
            Items::Entries(entries, None) => Item::Key(entries.clone().next()?.0),
        })
    }

    fn next(&mut self) -> Option<Item<'a>> {
        Some(match self {
            Items::Values(values) => Item::Value(values.next()?),
            Items::Fields(fields) => fields.next()?.map_or(Item::Missing, Item::Value),
            Items::Entries(entries, value) => match value.take() {
                Some(value) => Item::Value(value),
                None => {
                    let (key, after) = entries.next()?;
                    *value = Some(after);
                    Item::Key(key)
                }
            },
        })
    }
}

impl<'a> ValueReader<'a> {
    /// Creates a source of `rows`.
    pub fn new(rows: &'a [Value]) -> ValueReader<'a> {
        ValueReader {
            rows,
            next: Items::Values([].iter()),
            outer: SmallVec::new(),
            tables: Tables::none(),
        }
    }

    fn value(&mut self) -> OpResult<&'a Value> {
        match self.next.next() {
            Some(Item::Value(value)) => Ok(value),
            _ => Err(Fault::TypeMismatch),
        }
    }

    fn step_in(&mut self, items: Items<'a>) {
        self.outer.push(std::mem::replace(&mut self.next, items));
    }

    fn elements(&mut self, container: Container) -> OpResult<usize> {
        let elements = match (self.value()?, container) {
            (Value::List(elements), Container::List) => elements,
            (Value::Tuple(elements), Container::Tuple) => elements,
            (Value::Set(elements), Container::Set)
            | (Value::FrozenSet(elements), Container::FrozenSet) => {
                if !Value::differ(elements.iter()) {
                    return Err(TWICE_IN_SET);
                }
                elements
            }
            (Value::Map(entries), Container::Map) => {
                if !Value::differ(entries.iter().map(|[key, _]| key)) {
                    return Err(TWICE_IN_MAP);
                }
                self.step_in(Items::Values(entries.as_flattened().iter()));
                return Ok(entries.len());
            }
            (Value::Struct(names, fields), Container::Map) if names.name.is_none() => {
                if !names.differ() {
                    return Err(TWICE_IN_MAP);
                }
                self.step_in(Items::Entries(names.fields.iter().zip(fields), None));
                return Ok(fields.len());
            }
            _ => return Err(Fault::TypeMismatch),
        };
        self.step_in(Items::Values(elements.iter()));
        Ok(elements.len())
    }

    /// Enters a struct with these names.
    fn structure(&mut self, table: u32) -> OpResult {
        let value = self.value()?;
        let names = &self.tables.structs[table as usize];
        let items = match value {
            Value::Struct(own, fields) if own == names && own.fields.len() == fields.len() => {
                Items::Values(fields.iter())
            }
            _ => Items::Fields(fields_of(names, value)?.into_iter()),
        };
        self.step_in(items);
        Ok(())
    }
}

/// Returns the fields of `dict` in the order of `names`. `names` must belong to a dict, and `dict`
/// may have no other fields.
fn fields_of<'a>(names: &Names, dict: &'a Value) -> OpResult<Vec<Option<&'a Value>>> {
    if names.name.is_some() {
        return Err(Fault::TypeMismatch);
    }
    let mut fields = vec![None; names.fields.len()];
    // Keys usually come in the same order, possibly with some missing.
    let mut next = 0;
    let mut take = |key: &str, value: &'a Value| {
        let find = |from: usize| names.fields[from..].iter().position(|name| **name == *key);
        let at = find(next).map(|at| next + at).or_else(|| find(0)).ok_or(Fault::TypeMismatch)?;
        if fields[at].replace(value).is_some() {
            return Err(TWICE_IN_MAP);
        }
        next = at + 1;
        Ok(())
    };
    match dict {
        Value::Struct(own, values) if own.name.is_none() && own.fields.len() == values.len() => {
            own.fields.iter().zip(values).try_for_each(|(key, value)| take(key, value))?;
        }
        Value::Map(entries) => entries.iter().try_for_each(|[key, value]| match key {
            Value::Str(key) => take(key, value),
            _ => Err(Fault::TypeMismatch),
        })?,
        _ => return Err(Fault::TypeMismatch),
    }
    Ok(fields)
}

impl Source for ValueReader<'_> {
    const NEVER: Fault = Fault::TypeMismatch;
    const IS_INDEXED: bool = true;

    fn names(&mut self, tables: &Arc<Tables>) {
        if !Arc::ptr_eq(&self.tables, tables) {
            self.tables = tables.clone();
        }
    }

    fn row(&mut self, row: usize) -> OpResult {
        self.next = Items::Values(self.rows[row..=row].iter());
        self.outer.clear();
        Ok(())
    }

    fn end_row(&mut self) -> OpResult {
        Ok(())
    }

    fn i64(&mut self, _column: u32) -> OpResult<i64> {
        match self.value()? {
            Value::I64(v) => Ok(*v),
            _ => Err(Fault::TypeMismatch),
        }
    }

    fn f64(&mut self, _column: u32) -> OpResult<f64> {
        match self.value()? {
            Value::F64(v) => Ok(*v),
            _ => Err(Fault::TypeMismatch),
        }
    }

    fn str(&mut self, _column: u32) -> OpResult<Text<'_>> {
        match self.next.next() {
            Some(Item::Value(Value::Str(v)) | Item::Key(v)) => Ok(Text::checked(v.as_bytes())),
            _ => Err(Fault::TypeMismatch),
        }
    }

    fn bytes(&mut self, _column: u32) -> OpResult<Text<'_>> {
        Err(Fault::TypeMismatch)
    }

    fn logical(&mut self, ty: Logical, _at: ComponentColumns) -> OpResult<Components<'_>> {
        components(self.value()?, ty).ok_or(Fault::TypeMismatch)
    }

    fn bool(&mut self, _column: u32) -> OpResult<bool> {
        match self.value()? {
            Value::Bool(v) => Ok(*v),
            _ => Err(Fault::TypeMismatch),
        }
    }

    fn null(&mut self) -> OpResult {
        match self.value()? {
            Value::Null => Ok(()),
            _ => Err(Fault::TypeMismatch),
        }
    }

    fn member(&mut self, table: u32, _members: u32, _column: u32) -> OpResult<i64> {
        member(self.value()?, &self.tables, table).map(i64::from).ok_or(Fault::TypeMismatch)
    }

    fn present(&mut self, _column: u32) -> OpResult<bool> {
        if let Item::Value(Value::Null) = self.next.peek().ok_or(Fault::TypeMismatch)? {
            self.next.next();
            return Ok(false);
        }
        Ok(true)
    }

    fn has_field(&mut self, _column: u32) -> OpResult<bool> {
        if let Item::Missing = self.next.peek().ok_or(Fault::TypeMismatch)? {
            self.next.next();
            return Ok(false);
        }
        Ok(true)
    }

    fn enter(&mut self, container: Container, len: u32) -> OpResult {
        if let Container::Struct(table) = container {
            return self.structure(table);
        }
        // The caller's error is about this container, so the position after it does not matter.
        if self.elements(container)? == len as usize { Ok(()) } else { Err(Fault::TypeMismatch) }
    }

    fn leave(&mut self) {
        self.next = self.outer.pop().unwrap_or(Items::Values([].iter()));
    }

    fn sequence(
        &mut self,
        container: Container,
        _column: u32,
        _zero_sized: bool,
    ) -> OpResult<usize> {
        self.elements(container)
    }

    fn arm(&mut self, arms: &[Arm], _column: u32) -> OpResult<usize> {
        let here = match self.next.peek().ok_or(Fault::TypeMismatch)? {
            Item::Value(here) => here,
            Item::Key(_) => {
                return arms
                    .iter()
                    .position(|arm| arm.class == Class::Str)
                    .ok_or(Fault::TypeMismatch);
            }
            Item::Missing => return Err(Fault::TypeMismatch),
        };
        let tables = &self.tables;
        let fits = |class: Class| match (class, here) {
            (Class::I64, Value::I64(_))
            | (Class::F64, Value::F64(_))
            | (Class::Str, Value::Str(_))
            | (Class::Bool, Value::Bool(_))
            | (Class::List, Value::List(_))
            | (Class::Set, Value::Set(_))
            | (Class::FrozenSet, Value::FrozenSet(_))
            | (Class::Tuple(None), Value::Tuple(_)) => true,
            (Class::Dict, value) => is_dict(value),
            (Class::Record(table), Value::Struct(names, _)) => {
                *names == tables.structs[table as usize]
            }
            (Class::Enum(table), Value::Enum(of, _)) => *of == tables.enums[table as usize],
            (Class::Logical(ty), value) => is(value, ty),
            (Class::Tuple(Some(len)), Value::Tuple(fields)) => fields.len() == len as usize,
            _ => false,
        };
        arms.iter().position(|arm| fits(arm.class)).ok_or(Fault::TypeMismatch)
    }
}

/// Returns whether `value` has the logical type `ty`.
fn is(value: &Value, ty: Logical) -> bool {
    match value {
        Value::Logical(made) => made.ty() == ty,
        Value::I64(_) => ty == Logical::Int,
        _ => false,
    }
}

/// Returns the components of `value` as a `ty`, if it is one.
fn components(value: &Value, ty: Logical) -> Option<Components<'_>> {
    match value {
        Value::F64(v) if ty == Logical::F32 && exact(*v).is_some() => {
            Some(Components { floats: [*v, 0.0], ..Components::default() })
        }
        Value::I64(v) if ty.sized_int().is_some_and(|of| of.holds(i128::from(*v))) => {
            Some(Components { ints: [*v, 0, 0], ..Components::default() })
        }
        Value::Logical(made) if ty == Logical::U64 && made.ty() == Logical::Int => {
            match Int::of_bytes(made.as_bytes()) {
                Some(Int::U64(v)) => {
                    Some(Components { ints: [v as i64, 0, 0], ..Components::default() })
                }
                _ => None,
            }
        }
        Value::Logical(made) if made.ty() == ty => Some(made.components()),
        Value::I64(v) if ty == Logical::Int => {
            Some(Components { ints: [*v, 0, 0], ..Components::default() })
        }
        _ => None,
    }
}

/// Returns whether `value` is a dict.
fn is_dict(value: &Value) -> bool {
    match value {
        Value::Map(_) => true,
        Value::Struct(names, _) => names.name.is_none(),
        _ => false,
    }
}

/// Returns the index of `value` among the members of the enum `table` of the plan, if it is one of
/// them.
fn member(value: &Value, tables: &Tables, table: u32) -> Option<u32> {
    match value {
        Value::Enum(of, member)
            if *of == tables.enums[table as usize] && (*member as usize) < of.members.len() =>
        {
            Some(*member)
        }
        _ => None,
    }
}

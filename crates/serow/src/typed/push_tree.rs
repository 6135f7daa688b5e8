//! Hands a value that waited in a tree to the sink.

use serow_core::error::Fault;
use serow_core::layout::Sink;
use serow_core::plan::Op;
use serow_core::schema::{Class, Container, Logical};

use super::known::Name;
use super::push::{Push, Pushed, mismatch};
use super::ser::Target;
use super::tree::{Tree, named};

/// Returns the bytes of a list of numbers, if each is one.
fn bytes_of(values: &[Tree]) -> Option<Vec<u8>> {
    let byte = |value: &Tree| match value {
        Tree::I64(v) | Tree::Sized(_, v) => u8::try_from(*v).ok(),
        _ => None,
    };
    values.iter().map(byte).collect()
}

impl<K: Sink> Push<'_, K> {
    pub(super) fn tree(&mut self, tree: &Tree) -> Pushed {
        match tree {
            Tree::Null => self.null(),
            Tree::Bool(v) => self.bool(*v),
            Tree::I64(v) => self.i64(*v),
            Tree::Sized(ty, v) => self.sized(*ty, *v),
            Tree::F64(v) => self.f64(*v),
            Tree::F32(v) => self.f32(*v),
            Tree::Str(v) => self.str(v),
            Tree::Bytes(ty, v) => self.bytes(*ty, v),
            Tree::List(values) if matches!(self.op(), Op::Logical { ty: Logical::Bytes, .. }) => {
                match bytes_of(values) {
                    Some(bytes) => self.bytes(Logical::Bytes, &bytes),
                    None => mismatch(),
                }
            }
            Tree::List(values) => self.elements(Class::List, Container::List, values, 1),
            Tree::Tuple(values) => {
                let mut tuple = self.enter_tuple(values.len())?;
                for value in values {
                    self.element(&mut tuple)?;
                    self.tree(value)?;
                }
                self.end_tuple(tuple)
            }
            Tree::Map(entries) => {
                self.elements(Class::Dict, Container::Map, entries.as_flattened(), 2)
            }
            Tree::Record(name, fields, values) => {
                self.fields(*name, &named(fields, values).collect::<Vec<_>>())
            }
            Tree::Unit(name) => self.unit_variant(*name),
        }
    }

    /// Writes a list or a map, each of whose elements are `parts` of the `values`.
    fn elements(
        &mut self,
        class: Class,
        container: Container,
        values: &[Tree],
        parts: usize,
    ) -> Pushed {
        let mut elements = self.begin_as(class, container, values.len() / parts)?;
        for element in values.chunks_exact(parts) {
            self.next(&mut elements)?;
            element.iter().try_for_each(|value| self.tree(value))?;
        }
        self.end(&elements)
    }

    /// Writes a struct or the contents of a variant. A struct may also be a dict in the schema, and is one if it
    /// has no name, because it leaves out fields.
    fn fields(&mut self, name: Option<Name>, fields: &[(&'static str, &Tree)]) -> Pushed {
        let tables = self.tables();
        let is_record = |table: u32| {
            let names = &tables.structs[table as usize];
            name.is_some_and(|name| names.name.as_deref().is_some_and(|record| name.is(record)))
                && names
                    .fields
                    .iter()
                    .map(|field| &**field)
                    .eq(fields.iter().map(|(name, _)| *name))
        };
        let is_dict = name.is_none_or(|name| name.variant.is_none());
        if let Some(union) = self.arrive_at_union()? {
            let arms = self.cursor.arms(union);
            let find = |fits: &dyn Fn(Class) -> bool| arms.iter().position(|arm| fits(arm.class));
            let record = find(&|class| matches!(class, Class::Record(table) if is_record(table)));
            let arm = record.or_else(|| find(&|class| is_dict && class == Class::Dict));
            self.take_arm(arm.ok_or(Fault::TypeMismatch)?)?;
        }
        match *self.op() {
            Op::Enter { made, .. } => match made.container {
                Container::Struct(table) if is_record(table) => {
                    self.enter()?;
                    fields.iter().try_for_each(|(_, value)| self.tree(value))?;
                    self.leave()
                }
                Container::Struct(table) if is_dict => self.dict(table, fields),
                _ => mismatch(),
            },
            Op::Sequence { container: Container::Map, .. } if is_dict => {
                let mut elements = self.begin(fields.len())?;
                for (name, value) in fields {
                    self.next(&mut elements)?;
                    self.str(name)?;
                    self.tree(value)?;
                }
                self.end(&elements)
            }
            _ => mismatch(),
        }
    }

    /// Writes these fields to the dict with the fixed keys of struct `table`.
    fn dict(&mut self, table: u32, fields: &[(&'static str, &Tree)]) -> Pushed {
        let names = &self.tables().structs[table as usize];
        let is_known = |name: &str| names.fields.iter().any(|field| **field == *name);
        if names.name.is_some() || !fields.iter().all(|(name, _)| is_known(name)) {
            return mismatch();
        }
        self.enter()?;
        for name in &names.fields {
            let value = fields.iter().find(|(field, _)| **field == **name).map(|(_, value)| *value);
            if let &Op::Maybe { to, end, .. } = self.op() {
                if value.is_none() {
                    self.sink.lacks_field(to)?;
                    self.cursor.jump_to(end as usize);
                    continue;
                }
                self.sink.has_field(to)?;
                self.cursor.step();
            }
            self.tree(value.ok_or(Fault::TypeMismatch)?)?;
        }
        self.leave()
    }
}

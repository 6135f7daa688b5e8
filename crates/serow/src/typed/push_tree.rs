//! Hands a value that waited in a tree to the sink.

use serow_core::error::Fault;
use serow_core::layout::Sink;
use serow_core::plan::Op;
use serow_core::schema::{Class, Container, Logical, Names};

use super::push::{Push, Pushed, mismatch};
use super::tree::{Name, Tree};

impl<K: Sink> Push<'_, K> {
    pub(super) fn tree(&mut self, tree: &Tree) -> Pushed {
        match tree {
            Tree::Null => self.null(),
            Tree::Bool(v) => self.bool(*v),
            Tree::I64(v) => self.i64(*v),
            Tree::Int(v) => self.with_bytes(Logical::Int, v.as_bytes()),
            Tree::F64(v) => self.f64(*v),
            Tree::Str(v) => self.str(v),
            Tree::Bytes(v) => self.with_bytes(Logical::Bytes, v),
            Tree::List(values) => {
                self.arrive(|class| class == Class::List)?;
                self.sequence_of(Container::List)?;
                let mut elements = self.begin(values.len())?;
                for value in values {
                    self.next(&mut elements)?;
                    self.tree(value)?;
                }
                self.end(&elements)
            }
            Tree::Tuple(values) => {
                let mut tuple = self.enter_tuple(values.len())?;
                for value in values {
                    self.element(&mut tuple)?;
                    self.tree(value)?;
                }
                self.end_tuple(tuple)
            }
            Tree::Map(entries) => {
                self.arrive(|class| class == Class::Dict)?;
                self.sequence_of(Container::Map)?;
                let mut elements = self.begin(entries.len() / 2)?;
                for entry in entries.chunks_exact(2) {
                    self.next(&mut elements)?;
                    self.tree(&entry[0])?;
                    self.tree(&entry[1])?;
                }
                self.end(&elements)
            }
            Tree::Record(name, fields, values) => self.record(*name, fields, values),
            Tree::Partial(fields, present, values) => {
                let present = fields.iter().zip(present).filter(|(_, is_present)| **is_present);
                let fields: Vec<_> = present.map(|(field, _)| *field).zip(values).collect();
                self.dict(&fields)
            }
            Tree::Unit(Name { of, variant }) => {
                // The index is only the place where a lookup may be remembered.
                self.unit_variant(of, u32::MAX, variant.unwrap_or_default())
            }
        }
    }

    /// Checks that the instruction begins a sequence of this kind.
    pub(super) fn sequence_of(&self, container: Container) -> Pushed {
        match *self.op() {
            Op::Sequence { container: expected, .. } if expected == container => Ok(()),
            _ => mismatch(),
        }
    }

    /// Writes a struct or the contents of a variant, with all fields. A struct may also be a dict in
    /// the schema.
    fn record(&mut self, name: Name, fields: &[&'static str], values: &[Tree]) -> Pushed {
        let tables = self.tables();
        let is_it = |names: &Names| {
            names.name.as_deref().is_some_and(|record| name.is(record))
                && names.fields.iter().map(|field| &**field).eq(fields.iter().copied())
        };
        if let Some(union) = self.arrive_at_union()? {
            let arms = self.cursor.arms(union);
            let arm = |fits: &dyn Fn(Class) -> bool| arms.iter().position(|arm| fits(arm.class));
            let arm = arm(&|class| match class {
                Class::Record(table) => is_it(&tables.structs[table as usize]),
                _ => false,
            })
            .or_else(|| arm(&|class| class == Class::Dict && name.variant.is_none()));
            self.take_arm(arm.ok_or(Fault::TypeMismatch)?)?;
        }
        match *self.op() {
            Op::Enter { made, .. } => {
                let Container::Struct(table) = made.container else { return mismatch() };
                if is_it(&tables.structs[table as usize]) {
                    self.enter()?;
                    for value in values {
                        self.tree(value)?;
                    }
                    return self.leave();
                }
            }
            Op::Sequence { container: Container::Map, .. } => {}
            _ => return mismatch(),
        }
        if name.variant.is_some() {
            return mismatch();
        }
        let fields: Vec<_> = fields.iter().copied().zip(values).collect();
        self.dict(&fields)
    }

    /// Writes a dict with these fields. In the schema it may have fixed keys, or be a map.
    fn dict(&mut self, fields: &[(&'static str, &Tree)]) -> Pushed {
        self.arrive(|class| class == Class::Dict)?;
        if let &Op::Sequence { container: Container::Map, .. } = self.op() {
            let mut elements = self.begin(fields.len())?;
            for (name, value) in fields {
                self.next(&mut elements)?;
                self.str(name)?;
                self.tree(value)?;
            }
            return self.end(&elements);
        }
        let tables = self.tables();
        let &Op::Enter { made, .. } = self.op() else { return mismatch() };
        let Container::Struct(table) = made.container else { return mismatch() };
        let names = &tables.structs[table as usize];
        let is_known = |name: &str| names.fields.iter().any(|field| **field == *name);
        if names.name.is_some() || !fields.iter().all(|(name, _)| is_known(name)) {
            return mismatch();
        }
        self.enter()?;
        for name in &names.fields {
            let value = fields.iter().find(|(field, _)| **field == **name).map(|(_, value)| *value);
            if let &Op::Maybe { to, end, .. } = self.op() {
                match value {
                    Some(_) => {
                        self.sink.has_field(to)?;
                        self.cursor.step();
                    }
                    None => {
                        self.sink.lacks_field(to)?;
                        self.cursor.jump_to(end as usize);
                        continue;
                    }
                }
            }
            self.tree(value.ok_or(Fault::TypeMismatch)?)?;
        }
        self.leave()
    }
}

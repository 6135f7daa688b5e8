//! The serializer that drives a plan, as serde's traits.

use serde::ser::{self, Serialize};
use serow_core::error::Fault;
use serow_core::layout::Sink;
use serow_core::plan::Op;
use serow_core::schema::{Class, Container, Logical};

use super::failure::Failure;
use super::int::IntBytes;
use super::push::{Elements, Push, Pushed, Tuple, mismatch};
use super::single::widened;
use super::tree::{Name, Tree, tree_of};

impl<'b, 'a, K: Sink> ser::Serializer for &'b mut Push<'a, K> {
    type Ok = ();
    type Error = Failure;
    type SerializeSeq = List<'b, 'a, K>;
    type SerializeTuple = Items<'b, 'a, K>;
    type SerializeTupleStruct = Items<'b, 'a, K>;
    type SerializeTupleVariant = Items<'b, 'a, K>;
    type SerializeMap = Entries<'b, 'a, K>;
    type SerializeStruct = Fields<'b, 'a, K>;
    type SerializeStructVariant = Fields<'b, 'a, K>;

    #[inline]
    fn serialize_bool(self, v: bool) -> Pushed {
        self.bool(v)
    }

    #[inline]
    fn serialize_i8(self, v: i8) -> Pushed {
        self.i64(v.into())
    }

    #[inline]
    fn serialize_i16(self, v: i16) -> Pushed {
        self.i64(v.into())
    }

    #[inline]
    fn serialize_i32(self, v: i32) -> Pushed {
        self.i64(v.into())
    }

    #[inline]
    fn serialize_i64(self, v: i64) -> Pushed {
        self.i64(v)
    }

    fn serialize_i128(self, v: i128) -> Pushed {
        match i64::try_from(v) {
            Ok(v) => self.i64(v),
            Err(_) => self.with_bytes(Logical::Int, IntBytes::of_i128(v).as_bytes()),
        }
    }

    #[inline]
    fn serialize_u8(self, v: u8) -> Pushed {
        self.i64(v.into())
    }

    #[inline]
    fn serialize_u16(self, v: u16) -> Pushed {
        self.i64(v.into())
    }

    #[inline]
    fn serialize_u32(self, v: u32) -> Pushed {
        self.i64(v.into())
    }

    #[inline]
    fn serialize_u64(self, v: u64) -> Pushed {
        match i64::try_from(v) {
            Ok(v) => self.i64(v),
            Err(_) => self.with_bytes(Logical::Int, IntBytes::of_u128(v.into()).as_bytes()),
        }
    }

    fn serialize_u128(self, v: u128) -> Pushed {
        match i64::try_from(v) {
            Ok(v) => self.i64(v),
            Err(_) => self.with_bytes(Logical::Int, IntBytes::of_u128(v).as_bytes()),
        }
    }

    #[inline]
    fn serialize_f32(self, v: f32) -> Pushed {
        self.f64(widened(v))
    }

    #[inline]
    fn serialize_f64(self, v: f64) -> Pushed {
        self.f64(v)
    }

    fn serialize_char(self, v: char) -> Pushed {
        self.str(v.encode_utf8(&mut [0; 4]))
    }

    #[inline]
    fn serialize_str(self, v: &str) -> Pushed {
        self.str(v)
    }

    fn serialize_bytes(self, v: &[u8]) -> Pushed {
        self.with_bytes(Logical::Bytes, v)
    }

    #[inline]
    fn serialize_none(self) -> Pushed {
        self.null()
    }

    #[inline]
    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Pushed {
        self.some(value)
    }

    fn serialize_unit(self) -> Pushed {
        self.null()
    }

    fn serialize_unit_struct(self, _name: &'static str) -> Pushed {
        self.null()
    }

    #[inline]
    fn serialize_unit_variant(
        self,
        name: &'static str,
        index: u32,
        variant: &'static str,
    ) -> Pushed {
        self.unit_variant(name, index, variant)
    }

    #[inline]
    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _name: &'static str,
        value: &T,
    ) -> Pushed {
        value.serialize(self)
    }

    #[inline]
    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        name: &'static str,
        index: u32,
        variant: &'static str,
        value: &T,
    ) -> Pushed {
        self.enter_variant(name, index, variant)?;
        value.serialize(&mut *self)?;
        self.leave()
    }

    #[inline]
    fn serialize_seq(self, len: Option<usize>) -> Result<List<'b, 'a, K>, Failure> {
        let Some(len) = len else { return Ok(List { push: self, state: Seen::Waits(Vec::new()) }) };
        if !matches!(self.op(), Op::Sequence { .. }) {
            self.arrive(|class| class == Class::List)?;
        }
        self.is_some = false;
        self.sequence_of(Container::List)?;
        let elements = self.begin(len)?;
        Ok(List { push: self, state: Seen::Written(elements) })
    }

    #[inline]
    fn serialize_tuple(self, len: usize) -> Result<Items<'b, 'a, K>, Failure> {
        let tuple = self.enter_tuple(len)?;
        Ok(Items { push: self, tuple, is_variant: false })
    }

    #[inline]
    fn serialize_tuple_struct(
        self,
        _name: &'static str,
        len: usize,
    ) -> Result<Items<'b, 'a, K>, Failure> {
        self.serialize_tuple(len)
    }

    #[inline]
    fn serialize_tuple_variant(
        self,
        name: &'static str,
        index: u32,
        variant: &'static str,
        len: usize,
    ) -> Result<Items<'b, 'a, K>, Failure> {
        self.enter_variant(name, index, variant)?;
        let tuple = self.enter_tuple(len)?;
        Ok(Items { push: self, tuple, is_variant: true })
    }

    #[inline]
    fn serialize_map(self, len: Option<usize>) -> Result<Entries<'b, 'a, K>, Failure> {
        let Some(len) = len else {
            return Ok(Entries { push: self, state: Seen::Waits(Vec::new()), is_pairs: false });
        };
        let is_pairs = self.arrive_at_map(len)?;
        let elements = self.begin(len)?;
        Ok(Entries { push: self, state: Seen::Written(elements), is_pairs })
    }

    #[inline]
    fn serialize_struct(
        self,
        name: &'static str,
        len: usize,
    ) -> Result<Fields<'b, 'a, K>, Failure> {
        let table = self.enter_record(name, len)?;
        Ok(Fields::new(self, Name { of: name, variant: None }, table, len))
    }

    #[inline]
    fn serialize_struct_variant(
        self,
        name: &'static str,
        _index: u32,
        variant: &'static str,
        len: usize,
    ) -> Result<Fields<'b, 'a, K>, Failure> {
        let name = Name { of: name, variant: Some(variant) };
        let table = self.enter_struct_variant(name, len)?;
        Ok(Fields::new(self, name, table, len))
    }
}

impl<K: Sink> Push<'_, K> {
    /// Moves to the map of `len` entries at the place. Returns whether it is a list of pairs in the
    /// schema, because its keys can't be those of a map.
    fn arrive_at_map(&mut self, len: usize) -> Result<bool, Failure> {
        if let Some(union) = self.arrive_at_union()? {
            let arms = &self.plan.unions[union as usize];
            let find = |class| arms.iter().position(|arm| arm.class == class);
            // Where some maps were empty and the others are lists of pairs, no key is known.
            let is_empty_map = |arm: usize| {
                let start = arms[arm].start as usize;
                matches!(self.plan.ops[start + 1], Op::Never)
            };
            let map = find(Class::Dict).filter(|&arm| len == 0 || !is_empty_map(arm));
            let arm = map.or_else(|| find(Class::List)).ok_or(Fault::TypeMismatch)?;
            self.take_arm(arm)?;
        }
        match self.op() {
            Op::Sequence { container: Container::Map, .. } => Ok(false),
            Op::Sequence { container: Container::List, .. } => Ok(true),
            _ => mismatch(),
        }
    }

    /// Enters the record of a struct with `len` fields, if the place is certain. Returns its table.
    #[inline]
    fn enter_record(&mut self, name: &'static str, len: usize) -> Result<Option<u32>, Failure> {
        let tables = self.tables();
        let fits = |table: u32| {
            let names = &tables.structs[table as usize];
            names.fields.len() == len && names.name.as_deref() == Some(name)
        };
        if !matches!(self.op(), Op::Enter { .. })
            && let Some(union) = self.arrive_at_union()?
        {
            let arms = self.plan.unions[union as usize].iter().enumerate();
            let mut fitting = arms.filter(|(_, arm)| match arm.class {
                Class::Record(table) => fits(table),
                _ => false,
            });
            match (fitting.next(), fitting.next()) {
                (Some((arm, _)), None) => self.take_arm(arm)?,
                _ => return Ok(None),
            }
        }
        self.is_some = false;
        let Op::Enter { made, .. } = self.op() else { return Ok(None) };
        let Container::Struct(table) = made.container else { return mismatch() };
        if made.len as usize != len || !self.known.is_record(tables, table, name) {
            return Ok(None);
        }
        self.enter()?;
        Ok(Some(table))
    }

    /// Like [`enter_record`](Push::enter_record), for a variant with named fields.
    fn enter_struct_variant(&mut self, name: Name, len: usize) -> Result<Option<u32>, Failure> {
        let tables = self.tables();
        let fits = |table: u32| {
            let names = &tables.structs[table as usize];
            names.fields.len() == len
                && !super::push::is_content(&names.fields)
                && names.name.as_deref().is_some_and(|record| name.is(record))
        };
        if let Some(union) = self.arrive_at_union()? {
            let arms = self.plan.unions[union as usize].iter().enumerate();
            let mut fitting = arms.filter(|(_, arm)| match arm.class {
                Class::Record(table) => fits(table),
                _ => false,
            });
            match (fitting.next(), fitting.next()) {
                (Some((arm, _)), None) => self.take_arm(arm)?,
                _ => return Ok(None),
            }
        }
        match self.op() {
            Op::Enter { made, .. } => match made.container {
                Container::Struct(table) if fits(table) => {
                    self.enter()?;
                    Ok(Some(table))
                }
                _ => Ok(None),
            },
            _ => Ok(None),
        }
    }
}

/// A value that is being passed.
enum Seen {
    /// It is written element by element.
    Written(Elements),
    /// Its length is unknown, so it waits.
    Waits(Vec<Tree>),
}

/// A sequence.
pub(super) struct List<'b, 'a, K> {
    push: &'b mut Push<'a, K>,
    state: Seen,
}

impl<K: Sink> ser::SerializeSeq for List<'_, '_, K> {
    type Ok = ();
    type Error = Failure;

    #[inline]
    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Pushed {
        match &mut self.state {
            Seen::Written(elements) => {
                self.push.next(elements)?;
                value.serialize(&mut *self.push)
            }
            Seen::Waits(values) => {
                values.push(tree_of(value)?);
                Ok(())
            }
        }
    }

    #[inline]
    fn end(self) -> Pushed {
        match self.state {
            Seen::Written(elements) => self.push.end(&elements),
            Seen::Waits(values) => self.push.tree(&Tree::List(values)),
        }
    }
}

/// A tuple, or the contents of a tuple variant.
pub(super) struct Items<'b, 'a, K> {
    push: &'b mut Push<'a, K>,
    tuple: Tuple,
    is_variant: bool,
}

impl<K: Sink> Items<'_, '_, K> {
    #[inline]
    fn item<T: Serialize + ?Sized>(&mut self, value: &T) -> Pushed {
        self.push.element(&mut self.tuple)?;
        value.serialize(&mut *self.push)
    }

    #[inline]
    fn finish(self) -> Pushed {
        self.push.end_tuple(self.tuple)?;
        if self.is_variant { self.push.leave() } else { Ok(()) }
    }
}

impl<K: Sink> ser::SerializeTuple for Items<'_, '_, K> {
    type Ok = ();
    type Error = Failure;

    #[inline]
    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Pushed {
        self.item(value)
    }

    #[inline]
    fn end(self) -> Pushed {
        self.finish()
    }
}

impl<K: Sink> ser::SerializeTupleStruct for Items<'_, '_, K> {
    type Ok = ();
    type Error = Failure;

    #[inline]
    fn serialize_field<T: Serialize + ?Sized>(&mut self, value: &T) -> Pushed {
        self.item(value)
    }

    #[inline]
    fn end(self) -> Pushed {
        self.finish()
    }
}

impl<K: Sink> ser::SerializeTupleVariant for Items<'_, '_, K> {
    type Ok = ();
    type Error = Failure;

    #[inline]
    fn serialize_field<T: Serialize + ?Sized>(&mut self, value: &T) -> Pushed {
        self.item(value)
    }

    #[inline]
    fn end(self) -> Pushed {
        self.finish()
    }
}

/// A map.
pub(super) struct Entries<'b, 'a, K> {
    push: &'b mut Push<'a, K>,
    state: Seen,
    /// Whether it is a list of pairs in the schema.
    is_pairs: bool,
}

impl<K: Sink> ser::SerializeMap for Entries<'_, '_, K> {
    type Ok = ();
    type Error = Failure;

    #[inline]
    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Pushed {
        match &mut self.state {
            Seen::Written(elements) => {
                self.push.next(elements)?;
                if self.is_pairs && self.push.enter_tuple(2)?.is_some() {
                    return mismatch();
                }
                key.serialize(&mut *self.push)
            }
            Seen::Waits(values) => {
                values.push(tree_of(key)?);
                Ok(())
            }
        }
    }

    #[inline]
    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Pushed {
        match &mut self.state {
            Seen::Written(_) => {
                value.serialize(&mut *self.push)?;
                if self.is_pairs { self.push.leave() } else { Ok(()) }
            }
            Seen::Waits(values) => {
                values.push(tree_of(value)?);
                Ok(())
            }
        }
    }

    #[inline]
    fn end(self) -> Pushed {
        match self.state {
            Seen::Written(elements) => self.push.end(&elements),
            Seen::Waits(values) => self.push.tree(&Tree::map(values)),
        }
    }
}

/// A struct, or the contents of a variant with named fields.
pub(super) struct Fields<'b, 'a, K> {
    push: &'b mut Push<'a, K>,
    /// The record's table in the plan and the index of the next field; `None` if the fields wait.
    record: Option<(u32, usize)>,
    waiting: Vec<(&'static str, Option<Tree>)>,
    name: Name,
}

impl<'b, 'a, K: Sink> Fields<'b, 'a, K> {
    #[inline]
    fn new(push: &'b mut Push<'a, K>, name: Name, table: Option<u32>, len: usize) -> Self {
        let waiting = if table.is_some() { Vec::new() } else { Vec::with_capacity(len.min(256)) };
        Fields { push, record: table.map(|table| (table, 0)), waiting, name }
    }

    #[inline]
    fn field<T: Serialize + ?Sized>(&mut self, key: &'static str, value: &T) -> Pushed {
        let Some((table, next)) = &mut self.record else {
            self.waiting.push((key, Some(tree_of(value)?)));
            return Ok(());
        };
        let tables = self.push.tables();
        if !self.push.known.is_field(tables, *table, *next, key) {
            return mismatch();
        }
        *next += 1;
        value.serialize(&mut *self.push)
    }

    fn skip(&mut self, key: &'static str) -> Pushed {
        if self.record.is_some() {
            return mismatch();
        }
        self.waiting.push((key, None));
        Ok(())
    }

    #[inline]
    fn finish(self) -> Pushed {
        match self.record {
            Some(_) => self.push.leave(),
            None => self.push.tree(&Tree::fields(self.name, self.waiting)),
        }
    }
}

impl<K: Sink> ser::SerializeStruct for Fields<'_, '_, K> {
    type Ok = ();
    type Error = Failure;

    #[inline]
    fn serialize_field<T: Serialize + ?Sized>(&mut self, key: &'static str, value: &T) -> Pushed {
        self.field(key, value)
    }

    fn skip_field(&mut self, key: &'static str) -> Pushed {
        self.skip(key)
    }

    #[inline]
    fn end(self) -> Pushed {
        self.finish()
    }
}

impl<K: Sink> ser::SerializeStructVariant for Fields<'_, '_, K> {
    type Ok = ();
    type Error = Failure;

    #[inline]
    fn serialize_field<T: Serialize + ?Sized>(&mut self, key: &'static str, value: &T) -> Pushed {
        self.field(key, value)
    }

    fn skip_field(&mut self, key: &'static str) -> Pushed {
        self.skip(key)
    }

    #[inline]
    fn end(self) -> Pushed {
        self.finish()
    }
}

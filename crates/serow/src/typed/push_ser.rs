//! The serializer that walks a plan, as serde's traits.

use serde::ser::{self, Serialize};
use serow_core::error::Fault;
use serow_core::layout::Sink;
use serow_core::plan::Op;
use serow_core::schema::{Class, Container, Logical};

use super::failure::Failure;
use super::int::IntBytes;
use super::push::{Push, Pushed, mismatch};
use super::push_parts::{Entries, Fields, Items, List, Seen};
use super::single::widened;
use super::tree::Name;

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

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_bool(self, v: bool) -> Pushed {
        self.bool(v)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_i8(self, v: i8) -> Pushed {
        self.i64(v.into())
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_i16(self, v: i16) -> Pushed {
        self.i64(v.into())
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_i32(self, v: i32) -> Pushed {
        self.i64(v.into())
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_i64(self, v: i64) -> Pushed {
        self.i64(v)
    }

    fn serialize_i128(self, v: i128) -> Pushed {
        match i64::try_from(v) {
            Ok(v) => self.i64(v),
            Err(_) => self.with_bytes(Logical::Int, IntBytes::of_i128(v).as_bytes()),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_u8(self, v: u8) -> Pushed {
        self.i64(v.into())
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_u16(self, v: u16) -> Pushed {
        self.i64(v.into())
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_u32(self, v: u32) -> Pushed {
        self.i64(v.into())
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
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

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_f32(self, v: f32) -> Pushed {
        self.f64(widened(v))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_f64(self, v: f64) -> Pushed {
        self.f64(v)
    }

    fn serialize_char(self, v: char) -> Pushed {
        self.str(v.encode_utf8(&mut [0; 4]))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_str(self, v: &str) -> Pushed {
        self.str(v)
    }

    fn serialize_bytes(self, v: &[u8]) -> Pushed {
        self.with_bytes(Logical::Bytes, v)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_none(self) -> Pushed {
        self.null()
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Pushed {
        self.some(value)
    }

    fn serialize_unit(self) -> Pushed {
        self.null()
    }

    fn serialize_unit_struct(self, _name: &'static str) -> Pushed {
        self.null()
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_unit_variant(
        self,
        name: &'static str,
        index: u32,
        variant: &'static str,
    ) -> Pushed {
        self.unit_variant(name, index, variant)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _name: &'static str,
        value: &T,
    ) -> Pushed {
        value.serialize(self)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
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

    #[cfg_attr(not(debug_assertions), inline(always))]
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

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_tuple(self, len: usize) -> Result<Items<'b, 'a, K>, Failure> {
        let tuple = self.enter_tuple(len)?;
        Ok(Items { push: self, tuple, is_variant: false })
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_tuple_struct(
        self,
        _name: &'static str,
        len: usize,
    ) -> Result<Items<'b, 'a, K>, Failure> {
        self.serialize_tuple(len)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
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

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_map(self, len: Option<usize>) -> Result<Entries<'b, 'a, K>, Failure> {
        let is_pairs = match len {
            Some(len) => self.arrive_at_map(len)?.map(|is_pairs| (len, is_pairs)),
            None => None,
        };
        let Some((len, is_pairs)) = is_pairs else {
            return Ok(Entries { push: self, state: Seen::Waits(Vec::new()), is_pairs: false });
        };
        let elements = self.begin(len)?;
        Ok(Entries { push: self, state: Seen::Written(elements), is_pairs })
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_struct(
        self,
        name: &'static str,
        len: usize,
    ) -> Result<Fields<'b, 'a, K>, Failure> {
        let table = self.enter_record(name, len)?;
        Ok(Fields::new(self, Name { of: name, variant: None }, table))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_struct_variant(
        self,
        name: &'static str,
        _index: u32,
        variant: &'static str,
        len: usize,
    ) -> Result<Fields<'b, 'a, K>, Failure> {
        let name = Name { of: name, variant: Some(variant) };
        let table = self.enter_struct_variant(name, len)?;
        Ok(Fields::new(self, name, table))
    }
}

impl<K: Sink> Push<'_, K> {
    /// Moves to the map of `len` entries at the current position. Returns true if the schema has a list
    /// of pairs here, because a map can't have such keys. Returns `None` if only the keys can tell.
    fn arrive_at_map(&mut self, len: usize) -> Result<Option<bool>, Failure> {
        if let Some(union) = self.arrive_at_union()? {
            let arms = self.cursor.arms(union);
            let find = |class| arms.iter().position(|arm| arm.class == class);
            let arm = match (find(Class::Dict), find(Class::List)) {
                (Some(_), Some(_)) if len > 0 => return Ok(None),
                (map, list) => map.or(list).ok_or(Fault::TypeMismatch)?,
            };
            self.take_arm(arm)?;
        }
        match *self.op() {
            Op::Sequence { container: Container::Map, .. } => Ok(Some(false)),
            Op::Sequence { container: Container::List, .. } => Ok(Some(true)),
            // A struct that leaves out fields may be at this place too.
            _ => Ok(None),
        }
    }

    /// Enters the record of a struct with `len` fields, if the place is certain. Returns its table.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn enter_record(&mut self, name: &'static str, len: usize) -> Result<Option<u32>, Failure> {
        let tables = self.tables();
        let fits = |table: u32| {
            let names = &tables.structs[table as usize];
            names.fields.len() == len && names.name.as_deref() == Some(name)
        };
        if !matches!(self.op(), Op::Enter { .. })
            && let Some(union) = self.arrive_at_union()?
        {
            let arms = self.cursor.arms(union).iter().enumerate();
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
        let &Op::Enter { made, .. } = self.op() else { return Ok(None) };
        let Container::Struct(table) = made.container else { return mismatch() };
        if made.len as usize != len || !self.structs.is_record(tables, table, name) {
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
            let arms = self.cursor.arms(union).iter().enumerate();
            let mut fitting = arms.filter(|(_, arm)| match arm.class {
                Class::Record(table) => fits(table),
                _ => false,
            });
            match (fitting.next(), fitting.next()) {
                (Some((arm, _)), None) => self.take_arm(arm)?,
                _ => return Ok(None),
            }
        }
        match *self.op() {
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

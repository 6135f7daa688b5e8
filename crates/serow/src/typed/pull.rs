//! Makes values from a source: a deserializer that walks the plan.
//!
//! It does for a plan of one schema what the interpreter does. Each value is read when the type asks
//! for it, so nothing is stored in between. Rows describe themselves, so the type may ask for any
//! value.

use std::sync::Arc;

use serde::de::value::{SeqDeserializer, StrDeserializer};
use serde::de::{
    DeserializeOwned, DeserializeSeed, Deserializer, IgnoredAny, IntoDeserializer, Visitor,
};
use serow_core::error::Fault;
use serow_core::interpreter::PlanCursor;
use serow_core::layout::Source;
use serow_core::plan::{Op, Plan, Tables};
use serow_core::schema::logical::Counts;
use serow_core::schema::{Container, Logical, MemberValue};
use serow_core::value::Composite;

use super::failure::Failure;
use super::known::JOINT;
use super::pull_access::{Contents, Elements, Fields, Items, Parts};
use crate::dictionary::{Dictionary, bytes_of, text_of};
use serow_core::number::{Int, narrowed};

/// For each struct of the plan: the field names that a type asked for last, and whether the struct has
/// the same names in the same order.
type SameFields = Vec<Option<(&'static [&'static str], bool)>>;

/// What the walks that fill one sink share.
#[derive(Default)]
pub(super) struct PullState {
    /// Whether structs are always read as maps. Types whose `Deserialize` is written by hand may
    /// accept nothing else.
    as_maps: bool,
    dictionaries: Vec<Dictionary>,
    tables: Option<Arc<Tables>>,
    same: SameFields,
}

impl PullState {
    pub(super) fn new(as_maps: bool) -> PullState {
        PullState { as_maps, ..PullState::default() }
    }

    pub(super) fn add_dictionary(&mut self, column: usize, dictionary: Dictionary) {
        if self.dictionaries.len() <= column {
            self.dictionaries.resize_with(column + 1, Dictionary::default);
        }
        self.dictionaries[column] = dictionary;
    }
}

/// The state of a walk.
pub(super) struct Pull<'a, S> {
    pub(super) source: &'a mut S,
    pub(super) dictionaries: &'a [Dictionary],
    same: &'a mut SameFields,
    as_maps: bool,
    pub(super) cursor: PlanCursor<'a>,
    /// Whether the value is directly inside a `Some`.
    pub(super) is_some: bool,
}

macro_rules! ready {
    ($($name:ident: $ty:ty = $op:ident;)*) => {$(
        #[inline(never)]
        pub(super) fn $name(&mut self) -> Option<$ty> {
            let &Op::$op { from, count, .. } = self.op() else { return None };
            let v = self.source.$name(from + self.cursor.field())?;
            self.cursor.next_of(count);
            Some(v)
        }
    )*};
}

/// The same for numbers of a size. Their type is a constant, so that the source need not look at it. A value that it
/// refuses stays where it is.
macro_rules! ready_sized {
    ($($name:ident: $ty:ty = $logical:ident, |$components:ident| $v:expr;)*) => {$(
        #[inline(never)]
        pub(super) fn $name(&mut self) -> Option<$ty> {
            let &Op::Logical { ty: Logical::$logical, from, .. } = self.op() else { return None };
            let $components = self.source.logical(Logical::$logical, from).ok()?;
            let v = $v;
            self.cursor.next();
            Some(v)
        }
    )*};
}

impl<'a, S: Source> Pull<'a, S> {
    pub(super) fn new(plan: &'a Plan, source: &'a mut S, state: &'a mut PullState) -> Pull<'a, S> {
        let PullState { as_maps, dictionaries, tables, same } = state;
        if !tables.as_ref().is_some_and(|tables| Arc::ptr_eq(tables, &plan.to.tables)) {
            *tables = Some(plan.to.tables.clone());
            same.clear();
        }
        let cursor = PlanCursor::new(plan);
        Pull { source, dictionaries, same, as_maps: *as_maps, cursor, is_some: false }
    }

    /// Makes the next row.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn row<T: DeserializeOwned>(&mut self) -> Result<T, Failure> {
        self.cursor.start();
        self.is_some = false;
        T::deserialize(self)
    }

    pub(super) fn tables(&self) -> &'a Tables {
        &self.cursor.plan().from.tables
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn op(&self) -> &'a Op {
        self.cursor.op()
    }

    /// Reads what is before a value: whether it is present, and its arm. Returns false for a null.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn arrive(&mut self) -> Result<bool, Failure> {
        self.is_some = false;
        loop {
            match *self.op() {
                Op::Optional { .. } | Op::Null { .. } => {
                    if !self.is_present()? {
                        return Ok(false);
                    }
                }
                Op::Union { .. } => self.take_arm()?,
                _ => return Ok(true),
            }
        }
    }

    /// Reads whether a value is present, and moves past a null.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn is_present(&mut self) -> Result<bool, Failure> {
        match *self.op() {
            Op::Optional { from, end, .. } => match self.source.present(from)? {
                true => self.cursor.step(),
                false => {
                    self.cursor.jump_to(end as usize);
                    return Ok(false);
                }
            },
            Op::Null { count } => {
                self.source.null()?;
                self.cursor.next_of(count);
                return Ok(false);
            }
            _ => {}
        }
        Ok(true)
    }

    /// Reads which arm of the union at the place a value has.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn take_arm(&mut self) -> Result<(), Failure> {
        let &Op::Union { table, from, .. } = self.op() else { return unexpected() };
        let arm = self.source.arm(self.cursor.arms(table), from)?;
        self.cursor.take_arm(table, arm);
        Ok(())
    }

    /// Reads the value that begins at the place, by `read`. If that fails, remembers the place.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn value<T>(
        &mut self,
        read: impl FnOnce(&mut Self) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        let (pc, field) = (self.cursor.pc(), self.cursor.field());
        let result = read(self);
        if result.is_err() {
            self.cursor.fail_at(pc, field);
        }
        result
    }

    // A scalar that the instruction has and that is at hand is returned in registers. For anything
    // else these return `None`, and the caller reads the value by a call whose result it returns.
    // They exist once for each source, so the code that a type has for each of its fields is short.

    ready! {
        ready_i64: i64 = I64;
        ready_f64: f64 = F64;
        ready_bool: bool = Bool;
    }

    ready_sized! {
        ready_i8: i8 = I8, |v| v.ints[0] as i8;
        ready_i16: i16 = I16, |v| v.ints[0] as i16;
        ready_i32: i32 = I32, |v| v.ints[0] as i32;
        ready_u8: u8 = U8, |v| v.ints[0] as u8;
        ready_u16: u16 = U16, |v| v.ints[0] as u16;
        ready_u32: u32 = U32, |v| v.ints[0] as u32;
        ready_u64: u64 = U64, |v| v.ints[0] as u64;
        ready_f32: f32 = F32, |v| narrowed(v.floats[0]);
    }

    /// Reads any value, after what is before it.
    #[inline(never)]
    pub(super) fn any<'de, V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value, Failure> {
        self.present(visitor, Self::read)
    }

    /// Reads a value by `read`, after what is before it. A null is a unit.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn present<'de, V: Visitor<'de>>(
        &mut self,
        visitor: V,
        read: impl FnOnce(&mut Self, V) -> Result<V::Value, Failure>,
    ) -> Result<V::Value, Failure> {
        self.value(|pull| match pull.arrive()? {
            true => read(pull, visitor),
            false => visitor.visit_unit(),
        })
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn take_f64(&mut self, from: u32, count: u32) -> Result<f64, Failure> {
        let v = self.source.f64(from + self.cursor.field())?;
        self.cursor.next_of(count);
        Ok(v)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn take_str(&mut self, from: u32, to: u32) -> Result<&str, Failure> {
        let field = self.cursor.field();
        let v = self.source.str(from + field)?;
        Ok(text_of(self.dictionaries, to + field, v)?)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn read_str<'de, V: Visitor<'de>>(
        &mut self,
        (from, to): (u32, u32),
        count: u32,
        visitor: V,
    ) -> Result<V::Value, Failure> {
        let made = visitor.visit_str::<Failure>(self.take_str(from, to)?)?;
        self.cursor.next_of(count);
        Ok(made)
    }

    fn read_logical<'de, V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value, Failure> {
        let &Op::Logical { ty, from, to } = self.op() else { return unexpected() };
        let v = self.source.logical(ty, from)?;
        let bytes = match ty.counts().bytes {
            0 => &[],
            _ => bytes_of(self.dictionaries, to.str, v.bytes)?,
        };
        ty.check(&v.ints, bytes)?;
        let made = match ty {
            Logical::Bytes | Logical::ByteArray => visitor.visit_bytes::<Failure>(bytes)?,
            Logical::F32 => visitor.visit_f32::<Failure>(narrowed(v.floats[0]))?,
            Logical::U64 => visitor.visit_u64::<Failure>(v.ints[0] as u64)?,
            ty if ty.sized_int().is_some() => visitor.visit_i64::<Failure>(v.ints[0])?,
            Logical::Int if bytes.is_empty() => visitor.visit_i64::<Failure>(v.ints[0])?,
            Logical::Int => match Int::of_bytes(bytes) {
                Some(Int::U64(v)) => visitor.visit_u64::<Failure>(v)?,
                Some(Int::I128(v)) => visitor.visit_i128::<Failure>(v)?,
                Some(Int::U128(v)) => visitor.visit_u128::<Failure>(v)?,
                None => return Err(Failure::said("the integer has more than 128 bits")),
            },
            Logical::Complex => {
                visitor.visit_seq(SeqDeserializer::<_, Failure>::new(v.floats.into_iter()))?
            }
            ty => {
                let Counts { ints, floats, .. } = ty.counts();
                let made = Composite::of(ty, &v.ints[..ints], &v.floats[..floats], bytes);
                let made = made.ok_or(Fault::Corrupt("a value has components of no value"))?;
                visitor.visit_str::<Failure>(&made.to_string())?
            }
        };
        self.cursor.next();
        Ok(made)
    }

    /// Reads any value that is not null, after what is before it.
    pub(super) fn read<'de, V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value, Failure> {
        match *self.op() {
            Op::I64 { from, count, .. } => {
                let v = self.source.i64(from + self.cursor.field())?;
                self.cursor.next_of(count);
                visitor.visit_i64(v)
            }
            Op::F64 { from, count, .. } => visitor.visit_f64(self.take_f64(from, count)?),
            Op::Bool { from, count, .. } => {
                let v = self.source.bool(from + self.cursor.field())?;
                self.cursor.next_of(count);
                visitor.visit_bool(v)
            }
            Op::Str { from, to, count } => self.read_str((from, to), count, visitor),
            Op::Logical { .. } => self.read_logical(visitor),
            Op::Enum { from, members, .. } => {
                match self.member(from.table, members, from.column)? {
                    (_, Some(MemberValue::Int(value))) => visitor.visit_i64(value),
                    (_, Some(MemberValue::Str(value))) => visitor.visit_str(value),
                    (name, None) => visitor.visit_str(name),
                }
            }
            Op::Enter { read, .. } => match read.container {
                Container::Struct(table) => match self.variant_of(table, "") {
                    Some(variant) => Contents::new(self, table, variant)
                        .read(|contents| visitor.visit_map(contents)),
                    None => Fields::enter(self, table)?.read(|fields| visitor.visit_map(fields)),
                },
                _ => self.items::<false, V>(visitor),
            },
            Op::Sequence { container: Container::Map, .. } => {
                self.begin::<false>()?.read(|entries| visitor.visit_map(entries))
            }
            Op::Sequence { .. } => self.begin::<false>()?.read(|all| visitor.visit_seq(all)),
            _ => unexpected(),
        }
    }

    /// Reads a member of an enum. Returns the member's name, and its value if it has one.
    pub(super) fn member(
        &mut self,
        table: u32,
        members: u32,
        column: u32,
    ) -> Result<(&'a str, Option<MemberValue<'a>>), Failure> {
        let index = self.source.member(table, members, column)? as usize;
        let of = &self.tables().enums[table as usize];
        let name = of.members.get(index).ok_or(Fault::TypeMismatch)?;
        self.cursor.next();
        Ok((name, of.values.get(index)))
    }

    /// Returns the variant whose contents are the record `table`, if it is such a record. `name` is
    /// the name of the enum, if it is known.
    pub(super) fn variant_of(&self, table: u32, name: &str) -> Option<&'a str> {
        let record = self.tables().structs[table as usize].name.as_deref()?;
        let known = record.strip_prefix(name).and_then(|rest| rest.strip_prefix(JOINT));
        known.or_else(|| record.split_once(JOINT).map(|(_, variant)| variant))
    }

    /// Enters the container at the place.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn enter(&mut self) -> Result<usize, Failure> {
        let &Op::Enter { read, .. } = self.op() else { return unexpected() };
        self.source.enter(read.container, read.len)?;
        self.cursor.step();
        Ok(read.len as usize)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn leave(&mut self) {
        self.source.leave();
        self.cursor.next();
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn items<'de, const USUAL: bool, V: Visitor<'de>>(
        &mut self,
        visitor: V,
    ) -> Result<V::Value, Failure> {
        let left = self.enter()?;
        Items::<_, USUAL> { pull: self, left }.read(|items| visitor.visit_seq(items))
    }

    /// Begins the sequence at the place.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn begin<const USUAL: bool>(
        &mut self,
    ) -> Result<Elements<'_, 'a, S, USUAL>, Failure> {
        let &Op::Sequence { container, from, end, zero_sized, .. } = self.op() else {
            return unexpected();
        };
        let len = self.source.sequence(container, from, zero_sized)?;
        self.cursor.count(len, || self.source.checkpoint())?;
        let elements = self.cursor.begin(len, end);
        Ok(Elements { pull: self, elements, is_map: container == Container::Map })
    }

    /// Reads the fields of the record or dict `table` as the type's `fields`, which may be in another
    /// order.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn structure<'de, V: Visitor<'de>>(
        &mut self,
        table: u32,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Failure> {
        if !self.has_fields(table, fields) {
            return Fields::enter(self, table)?.read(|fields| visitor.visit_map(fields));
        }
        self.items::<false, V>(visitor)
    }

    /// Returns whether struct `table` has exactly these fields, in this order. Then their names need
    /// not be compared.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn has_fields(&mut self, table: u32, fields: &'static [&'static str]) -> bool {
        match self.same.get(table as usize) {
            Some(Some((known, is_same))) if std::ptr::eq(*known, fields) => *is_same,
            _ => self.compare_fields(table, fields),
        }
    }

    #[cold]
    fn compare_fields(&mut self, table: u32, fields: &'static [&'static str]) -> bool {
        let table = table as usize;
        let tables = self.tables();
        let names = tables.structs[table].fields.iter().map(|name| &**name);
        let is_same = !self.as_maps
            && names.eq(fields.iter().copied())
            && !tables.maybe[table].contains(&true);
        self.same.resize(self.same.len().max(table + 1), None);
        self.same[table] = Some((fields, is_same));
        is_same
    }

    /// Skips the value at the place.
    pub(super) fn skip(&mut self) -> Result<(), Failure> {
        self.deserialize_any(IgnoredAny).map(drop)
    }

    /// Reads a value by `read`, inside the tuple around a null inside a `Some`, if there is one.
    pub(super) fn unwrapped<T>(
        &mut self,
        read: impl FnOnce(&mut Self) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        let is_wrapped = std::mem::take(&mut self.is_some) && self.enter_some()?;
        let made = read(self)?;
        if is_wrapped {
            self.leave();
        }
        Ok(made)
    }

    /// Enters the tuple around a null inside a `Some`, if there is one. Returns whether there is.
    fn enter_some(&mut self) -> Result<bool, Failure> {
        while let Op::Union { .. } = self.op() {
            self.take_arm()?;
        }
        match *self.op() {
            Op::Enter { read, .. } if read.container == Container::Tuple && read.len == 1 => {
                self.enter()?;
                Ok(true)
            }
            _ => Ok(false),
        }
    }
}

/// Returns the fault of a plan that this does not read.
#[cold]
pub(super) fn unexpected<T>() -> Result<T, Failure> {
    Err(Fault::TypeMismatch.into())
}

/// Gives a seed the name of a field or a variant.
pub(super) fn named<'de, T: DeserializeSeed<'de>>(
    seed: T,
    name: &str,
) -> Result<T::Value, Failure> {
    let name: StrDeserializer<'_, Failure> = name.into_deserializer();
    seed.deserialize(name)
}

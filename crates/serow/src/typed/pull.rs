//! Makes a value from a source: a deserializer that drives the plan.
//!
//! It does for a plan of one schema what the interpreter does. Each value is read when the type asks
//! for it, so nothing is stored in between. Rows describe themselves, so the type may ask for any
//! value.

use serde::de::value::{MapAccessDeserializer, StrDeserializer};
use serde::de::{self, DeserializeSeed, Deserializer, IgnoredAny, IntoDeserializer, Visitor};
use serow_core::error::Fault;
use serow_core::layout::{Position, Source, Text};
use serow_core::plan::{Op, Plan, StrEncoding};
use serow_core::schema::{Container, Logical};

use super::failure::Failure;
use super::int::Int;
use super::pull_access::{Contents, Elements, Fields, Items, Pairs, Variant};
use super::single::narrowed;
use super::tree::JOINT;

/// The dictionary of a str column.
#[derive(Default)]
pub(super) struct Dictionary {
    text: String,
    bytes: Vec<u8>,
    ends: Vec<u32>,
}

/// Rust strings can't contain lone surrogates.
pub(super) const SURROGATE: Fault = Fault::Corrupt(
    "a string has a lone surrogate, which Rust strings can't contain; decode it in Python or Java",
);

const NO_ENTRY: Fault = Fault::Corrupt("a string is not in the dictionary of its column");

impl Dictionary {
    /// Makes the dictionary of these entries.
    pub(super) fn new(encoding: StrEncoding, ends: &[u32], bytes: &[u8]) -> Result<Self, Fault> {
        let mut made = Dictionary { ends: ends.to_vec(), ..Dictionary::default() };
        match encoding {
            StrEncoding::Text => {
                made.text = std::str::from_utf8(bytes).map_err(|_| SURROGATE)?.into();
                // Then each entry is text too.
                if !ends.iter().all(|&end| made.text.is_char_boundary(end as usize)) {
                    return Err(SURROGATE);
                }
            }
            StrEncoding::Bytes => made.bytes = bytes.into(),
        }
        Ok(made)
    }

    fn range(&self, code: u32) -> Option<std::ops::Range<usize>> {
        let code = code as usize;
        let end = *self.ends.get(code)? as usize;
        let begin = if code == 0 { 0 } else { self.ends[code - 1] as usize };
        Some(begin..end)
    }
}

/// Returns the text of a value of column `column`.
#[inline]
fn text_of<'t>(dictionaries: &'t [Dictionary], column: u32, v: Text<'t>) -> Result<&'t str, Fault> {
    match v {
        Text::Plain(text) => std::str::from_utf8(text.bytes()).map_err(|_| SURROGATE),
        Text::Entry(code) => {
            let dictionary = dictionaries.get(column as usize).ok_or(NO_ENTRY)?;
            dictionary.range(code).and_then(|range| dictionary.text.get(range)).ok_or(NO_ENTRY)
        }
    }
}

fn bytes_of<'t>(
    dictionaries: &'t [Dictionary],
    column: u32,
    v: Text<'t>,
) -> Result<&'t [u8], Fault> {
    match v {
        Text::Plain(text) => Ok(text.bytes()),
        Text::Entry(code) => {
            let dictionary = dictionaries.get(column as usize).ok_or(NO_ENTRY)?;
            dictionary.range(code).and_then(|range| dictionary.bytes.get(range)).ok_or(NO_ENTRY)
        }
    }
}

/// For each struct of the plan: the names of the fields that a type asked for last, and whether they
/// are those of the struct, in the same order.
pub(super) type SameFields = Vec<Option<(&'static [&'static str], bool)>>;

/// The state of one row.
pub(super) struct Pull<'a, S> {
    pub(super) plan: &'a Plan,
    ops: &'a [Op],
    pub(super) source: &'a mut S,
    dictionaries: &'a [Dictionary],
    same: &'a mut SameFields,
    /// Whether structs are always read as maps. Types whose `Deserialize` is written by hand may
    /// accept nothing else.
    as_maps: bool,
    /// The place in the plan. It stays at a value until the value is read.
    pub(super) at: &'a mut Position,
    /// Where the first failure was.
    failed: Option<Position>,
    /// Whether the value is directly inside a `Some`.
    is_some: bool,
}

impl<'a, S: Source> Pull<'a, S> {
    /// Begins a row.
    pub(super) fn new(
        plan: &'a Plan,
        source: &'a mut S,
        dictionaries: &'a [Dictionary],
        same: &'a mut SameFields,
        as_maps: bool,
        at: &'a mut Position,
    ) -> Pull<'a, S> {
        (at.pc, at.field) = (0, 0);
        at.elements.clear();
        let (ops, failed) = (&plan.ops[..], None);
        Pull { plan, ops, source, dictionaries, same, as_maps, at, failed, is_some: false }
    }

    /// Sets the place to that of the first failure.
    pub(super) fn fail(&mut self) {
        if let Some(failed) = self.failed.take() {
            *self.at = failed;
        }
    }

    #[inline]
    pub(super) fn op(&self) -> Op {
        self.ops[self.at.pc]
    }

    /// Moves past a field of a run of `count` fields.
    #[inline]
    fn next_of(&mut self, count: u32) {
        self.at.field += 1;
        if self.at.field == count as usize {
            self.at.field = 0;
            self.jump_to(self.at.pc + 1);
        }
    }

    /// Moves to the instruction `pc`, or where that one jumps to.
    #[inline]
    pub(super) fn jump_to(&mut self, pc: usize) {
        self.at.pc = pc;
        while let Op::Jump { to } = self.ops[self.at.pc] {
            self.at.pc = to as usize;
        }
    }

    /// Reads what is before a value: whether it is present, and its arm. Returns false for a null.
    #[inline]
    pub(super) fn arrive(&mut self) -> Result<bool, Failure> {
        self.is_some = false;
        loop {
            match self.op() {
                Op::Optional { from, end, .. } => {
                    if !self.source.present(from)? {
                        self.jump_to(end as usize);
                        return Ok(false);
                    }
                    self.at.pc += 1;
                }
                Op::Union { table, from, .. } => {
                    let arms = &self.plan.unions[table as usize];
                    let arm = self.source.arm(arms, from)?;
                    self.at.pc = arms[arm].start as usize;
                }
                Op::Null { count } => {
                    self.source.null()?;
                    self.next_of(count);
                    return Ok(false);
                }
                _ => return Ok(true),
            }
        }
    }

    /// Reads the value that begins at the place, by `read`. If that fails, remembers the place.
    #[inline]
    fn value<T>(
        &mut self,
        read: impl FnOnce(&mut Self) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        let (pc, field) = (self.at.pc, self.at.field);
        let result = read(self);
        if result.is_err() {
            self.failed_at(pc, field);
        }
        result
    }

    #[cold]
    fn failed_at(&mut self, pc: usize, field: usize) {
        if self.failed.is_none() {
            let elements = self.at.elements.clone();
            self.failed = Some(Position { pc, field, elements });
        }
    }

    // Reading a value does not depend on the type that asks for it, so the code exists once for each
    // source.

    #[inline]
    fn take_i64(&mut self, from: u32) -> Result<i64, Failure> {
        Ok(self.source.i64(from + self.at.field as u32)?)
    }

    #[inline]
    fn take_f64(&mut self, from: u32) -> Result<f64, Failure> {
        Ok(self.source.f64(from + self.at.field as u32)?)
    }

    #[inline]
    fn take_bool(&mut self, from: u32) -> Result<bool, Failure> {
        Ok(self.source.bool(from + self.at.field as u32)?)
    }

    #[inline]
    fn take_str(&mut self, from: u32, to: u32) -> Result<&str, Failure> {
        let field = self.at.field as u32;
        let v = self.source.str(from + field)?;
        Ok(text_of(self.dictionaries, to + field, v)?)
    }

    #[inline]
    fn read_i64<'de, V: Visitor<'de>>(
        &mut self,
        from: u32,
        count: u32,
        visitor: V,
    ) -> Result<V::Value, Failure> {
        let v = self.take_i64(from)?;
        let made = visitor.visit_i64::<Failure>(v)?;
        self.next_of(count);
        Ok(made)
    }

    #[inline]
    fn read_str<'de, V: Visitor<'de>>(
        &mut self,
        (from, to): (u32, u32),
        count: u32,
        visitor: V,
    ) -> Result<V::Value, Failure> {
        let made = visitor.visit_str::<Failure>(self.take_str(from, to)?)?;
        self.next_of(count);
        Ok(made)
    }

    fn read_logical<'de, V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value, Failure> {
        let Op::Logical { ty, from, to } = self.op() else { return unexpected() };
        let v = self.source.logical(ty, from)?;
        let bytes = match ty.counts().bytes {
            0 => &[],
            _ => bytes_of(self.dictionaries, to.str, v.bytes)?,
        };
        ty.check(&v.ints, bytes)?;
        let made = match ty {
            Logical::Bytes | Logical::ByteArray => visitor.visit_bytes::<Failure>(bytes)?,
            Logical::Int if bytes.is_empty() => visitor.visit_i64::<Failure>(v.ints[0])?,
            Logical::Int => match Int::of_bytes(bytes) {
                Some(Int::U64(v)) => visitor.visit_u64::<Failure>(v)?,
                Some(Int::I128(v)) => visitor.visit_i128::<Failure>(v)?,
                Some(Int::U128(v)) => visitor.visit_u128::<Failure>(v)?,
                None => return Err(Failure::said("the integer has more than 128 bits")),
            },
            ty => {
                return Err(Failure::said(format_args!(
                    "serde has no {}; decode the rows as `serow::Value`s",
                    ty.name()
                )));
            }
        };
        self.jump_to(self.at.pc + 1);
        Ok(made)
    }

    /// Reads any value that is not null, after what is before it.
    fn read<'de, V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value, Failure> {
        match self.op() {
            Op::I64 { from, count, .. } => self.read_i64(from, count, visitor),
            Op::F64 { from, count, .. } => {
                let v = self.take_f64(from)?;
                let made = visitor.visit_f64::<Failure>(v)?;
                self.next_of(count);
                Ok(made)
            }
            Op::Bool { from, count, .. } => {
                let v = self.take_bool(from)?;
                let made = visitor.visit_bool::<Failure>(v)?;
                self.next_of(count);
                Ok(made)
            }
            Op::Str { from, to, count } => self.read_str((from, to), count, visitor),
            Op::Logical { .. } => self.read_logical(visitor),
            Op::Enum { from, members, .. } => {
                let made = visitor.visit_str::<Failure>(self.member(
                    from.table,
                    members,
                    from.column,
                )?)?;
                self.jump_to(self.at.pc + 1);
                Ok(made)
            }
            Op::Enter { read, .. } => match read.container {
                Container::Struct(table) => match self.variant_of(table, "") {
                    Some(variant) => {
                        self.enter()?;
                        let access = Variant::new(self, table, variant);
                        access.visit(visitor)
                    }
                    None => self.fields(table, visitor),
                },
                _ => self.items(visitor),
            },
            Op::Sequence { container: Container::Map, .. } => self.entries(visitor),
            Op::Sequence { .. } => self.elements(visitor),
            _ => unexpected(),
        }
    }

    /// Reads the index of a member of an enum. Returns the member's name.
    fn member(&mut self, table: u32, members: u32, column: u32) -> Result<&'a str, Failure> {
        let index = self.source.member(table, members, column)?;
        let name = self.plan.from.tables.enums[table as usize].members.get(index as usize);
        name.map(|name| &**name).ok_or_else(|| Fault::TypeMismatch.into())
    }

    /// Returns the variant whose contents are the record `table`, if it is such a record. `name` is
    /// the name of the enum, if it is known.
    fn variant_of(&self, table: u32, name: &str) -> Option<&'a str> {
        let record = self.plan.from.tables.structs[table as usize].name.as_deref()?;
        let known = record.strip_prefix(name).and_then(|rest| rest.strip_prefix(JOINT));
        known.or_else(|| record.split_once(JOINT).map(|(_, variant)| variant))
    }

    /// Enters the container at the place.
    #[inline]
    pub(super) fn enter(&mut self) -> Result<usize, Failure> {
        let Op::Enter { read, .. } = self.op() else { return unexpected() };
        self.source.enter(read.container, read.len)?;
        self.at.pc += 1;
        Ok(read.len as usize)
    }

    #[inline]
    pub(super) fn leave(&mut self) {
        self.source.leave();
        self.jump_to(self.at.pc + 1);
    }

    #[inline]
    fn items<'de, V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value, Failure> {
        let left = self.enter()?;
        let mut items = Items { pull: self, left };
        let made = visitor.visit_seq(&mut items)?;
        items.finish()?;
        Ok(made)
    }

    fn fields<'de, V: Visitor<'de>>(
        &mut self,
        table: u32,
        visitor: V,
    ) -> Result<V::Value, Failure> {
        self.enter()?;
        let mut fields = Fields::new(self, table);
        let made = visitor.visit_map(&mut fields)?;
        fields.finish()?;
        Ok(made)
    }

    #[inline]
    fn elements<'de, V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value, Failure> {
        let mut elements = self.begin()?;
        let made = visitor.visit_seq(&mut elements)?;
        elements.finish()?;
        Ok(made)
    }

    fn entries<'de, V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value, Failure> {
        let mut elements = self.begin()?;
        let made = visitor.visit_map(&mut elements)?;
        elements.finish()?;
        Ok(made)
    }

    /// Begins the sequence at the place.
    #[inline]
    pub(super) fn begin(&mut self) -> Result<Elements<'_, 'a, S>, Failure> {
        let Op::Sequence { container, from, end, zero_sized, .. } = self.op() else {
            return unexpected();
        };
        let left = self.source.sequence(container, from, zero_sized)?;
        self.at.elements.push(0);
        let (start, end) = (self.at.pc + 1, end as usize);
        Ok(Elements { pull: self, start, end, left, next: 0 })
    }

    /// Reads the fields of the record or dict `table` as the type's `fields`, which may be in another
    /// order.
    #[inline]
    pub(super) fn structure<'de, V: Visitor<'de>>(
        &mut self,
        table: u32,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Failure> {
        if !self.has_fields(table, fields) {
            return self.fields(table, visitor);
        }
        self.items(visitor)
    }

    /// Returns whether struct `table` has exactly these fields, in this order. Then their names need
    /// not be compared.
    #[inline]
    pub(super) fn has_fields(&mut self, table: u32, fields: &'static [&'static str]) -> bool {
        match self.same.get(table as usize) {
            Some(Some((known, is_same))) if std::ptr::eq(*known, fields) => *is_same,
            _ => self.compare_fields(table, fields),
        }
    }

    #[cold]
    fn compare_fields(&mut self, table: u32, fields: &'static [&'static str]) -> bool {
        let table = table as usize;
        let tables = &self.plan.from.tables;
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

    /// Enters the tuple around a null inside a `Some`, if there is one. Returns whether there is.
    fn enter_some(&mut self) -> Result<bool, Failure> {
        while let Op::Union { table, from, .. } = self.op() {
            let arms = &self.plan.unions[table as usize];
            let arm = self.source.arm(arms, from)?;
            self.at.pc = arms[arm].start as usize;
        }
        match self.op() {
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

macro_rules! ints {
    ($($name:ident)*) => {$(
        #[inline]
        fn $name<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Failure> {
            match self.op() {
                Op::I64 { from, count, .. } => {
                    self.is_some = false;
                    self.value(|pull| pull.read_i64(from, count, visitor))
                }
                _ => self.deserialize_any(visitor),
            }
        }
    )*};
}

macro_rules! strs {
    ($($name:ident)*) => {$(
        #[inline]
        fn $name<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Failure> {
            match self.op() {
                Op::Str { from, to, count } => {
                    self.is_some = false;
                    self.value(|pull| pull.read_str((from, to), count, visitor))
                }
                _ => self.deserialize_any(visitor),
            }
        }
    )*};
}

impl<'de, S: Source> Deserializer<'de> for &mut Pull<'_, S> {
    type Error = Failure;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Failure> {
        self.value(|pull| match pull.arrive()? {
            true => pull.read(visitor),
            false => visitor.visit_unit(),
        })
    }

    ints! {
        deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64 deserialize_i128
        deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64 deserialize_u128
    }

    strs! { deserialize_str deserialize_string deserialize_char deserialize_identifier }

    #[inline]
    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Failure> {
        self.deserialize_any(visitor)
    }

    #[inline]
    fn deserialize_f32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Failure> {
        let Op::F64 { from, count, .. } = self.op() else { return self.deserialize_any(visitor) };
        self.is_some = false;
        self.value(|pull| {
            let v = pull.take_f64(from)?;
            let made = visitor.visit_f32::<Failure>(narrowed(v))?;
            pull.next_of(count);
            Ok(made)
        })
    }

    #[inline]
    fn deserialize_f64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Failure> {
        let Op::F64 { from, count, .. } = self.op() else { return self.deserialize_any(visitor) };
        self.is_some = false;
        self.value(|pull| {
            let v = pull.take_f64(from)?;
            let made = visitor.visit_f64::<Failure>(v)?;
            pull.next_of(count);
            Ok(made)
        })
    }

    fn deserialize_bytes<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Failure> {
        self.deserialize_any(visitor)
    }

    fn deserialize_byte_buf<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Failure> {
        self.deserialize_any(visitor)
    }

    #[inline]
    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Failure> {
        let wrapped = std::mem::take(&mut self.is_some) && self.enter_some()?;
        let made = self.value(|pull| {
            let is_present = match pull.op() {
                Op::Optional { from, end, .. } => match pull.source.present(from)? {
                    true => {
                        pull.at.pc += 1;
                        true
                    }
                    false => {
                        pull.jump_to(end as usize);
                        false
                    }
                },
                Op::Null { count } => {
                    pull.source.null()?;
                    pull.next_of(count);
                    false
                }
                _ => true,
            };
            if !is_present {
                return visitor.visit_none();
            }
            pull.is_some = true;
            let made = visitor.visit_some(&mut *pull);
            pull.is_some = false;
            made
        })?;
        if wrapped {
            self.leave();
        }
        Ok(made)
    }

    fn deserialize_unit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Failure> {
        let wrapped = std::mem::take(&mut self.is_some) && self.enter_some()?;
        let made = self.deserialize_any(visitor)?;
        if wrapped {
            self.leave();
        }
        Ok(made)
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Failure> {
        self.deserialize_unit(visitor)
    }

    #[inline]
    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Failure> {
        visitor.visit_newtype_struct(self)
    }

    #[inline]
    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Failure> {
        self.value(|pull| match pull.arrive()? {
            true => match pull.op() {
                Op::Sequence { container: Container::Map, .. } => pull.entries(visitor),
                Op::Sequence { .. } => pull.elements(visitor),
                Op::Logical { ty: Logical::Bytes | Logical::ByteArray, from, to } => {
                    // A `Vec<u8>` may read what was written as bytes.
                    let v = pull.source.bytes(from.str)?;
                    let bytes = bytes_of(pull.dictionaries, to.str, v)?.to_vec();
                    pull.jump_to(pull.at.pc + 1);
                    visitor.visit_seq(de::value::SeqDeserializer::new(bytes.into_iter()))
                }
                _ => pull.read(visitor),
            },
            false => visitor.visit_unit(),
        })
    }

    #[inline]
    fn deserialize_tuple<V: Visitor<'de>>(
        self,
        _len: usize,
        visitor: V,
    ) -> Result<V::Value, Failure> {
        self.value(|pull| match pull.arrive()? {
            true => match pull.op() {
                Op::Enter { read, .. } if read.container == Container::Tuple => pull.items(visitor),
                _ => pull.read(visitor),
            },
            false => visitor.visit_unit(),
        })
    }

    #[inline]
    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        len: usize,
        visitor: V,
    ) -> Result<V::Value, Failure> {
        self.deserialize_tuple(len, visitor)
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Failure> {
        self.value(|pull| match pull.arrive()? {
            true => match pull.op() {
                Op::Sequence { container: Container::List, .. } => {
                    let mut pairs = Pairs(pull.begin()?);
                    let made = visitor.visit_map(&mut pairs)?;
                    pairs.0.finish()?;
                    Ok(made)
                }
                _ => pull.read(visitor),
            },
            false => visitor.visit_unit(),
        })
    }

    #[inline]
    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Failure> {
        self.value(|pull| {
            if !matches!(pull.op(), Op::Enter { .. }) && !pull.arrive()? {
                return visitor.visit_unit();
            }
            pull.is_some = false;
            match pull.op() {
                Op::Enter { read, .. } => match read.container {
                    Container::Struct(table) => pull.structure(table, fields, visitor),
                    _ => pull.items(visitor),
                },
                _ => pull.read(visitor),
            }
        })
    }

    #[inline]
    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        _variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Failure> {
        self.value(|pull| {
            if !pull.arrive()? {
                return visitor.visit_unit();
            }
            match pull.op() {
                Op::Enum { from, members, .. } => {
                    let member = pull.member(from.table, members, from.column)?;
                    let made = visitor.visit_enum(StrDeserializer::<Failure>::new(member))?;
                    pull.jump_to(pull.at.pc + 1);
                    Ok(made)
                }
                Op::Str { from, to, count } => {
                    let variant = pull.take_str(from, to)?;
                    let made = visitor.visit_enum(StrDeserializer::<Failure>::new(variant))?;
                    pull.next_of(count);
                    Ok(made)
                }
                Op::Enter { read, .. } => {
                    let Container::Struct(table) = read.container else {
                        return pull.read(visitor);
                    };
                    if let Some(variant) = pull.variant_of(table, name) {
                        let mut contents = Contents::new(pull, table, variant);
                        return visitor.visit_enum(&mut contents);
                    }
                    // A dict with one key, as other formats write a variant.
                    pull.enter()?;
                    let mut fields = Fields::new(pull, table);
                    let made = visitor.visit_enum(MapAccessDeserializer::new(&mut fields))?;
                    fields.finish()?;
                    Ok(made)
                }
                Op::Sequence { container: Container::Map, .. } => {
                    let mut entries = pull.begin()?;
                    let made = visitor.visit_enum(MapAccessDeserializer::new(&mut entries))?;
                    entries.finish()?;
                    Ok(made)
                }
                _ => pull.read(visitor),
            }
        })
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Failure> {
        self.deserialize_any(visitor)
    }
}

/// Gives a seed the name of a field or a variant.
pub(super) fn named<'de, T: DeserializeSeed<'de>>(
    seed: T,
    name: &str,
) -> Result<T::Value, Failure> {
    let name: StrDeserializer<'_, Failure> = name.into_deserializer();
    seed.deserialize(name)
}

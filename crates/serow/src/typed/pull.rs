//! Makes a value from a source: a deserializer that drives the plan.
//!
//! It does for a plan of one schema what the interpreter does. Each value is read when the type asks
//! for it, so nothing is stored in between. Rows describe themselves, so the type may ask for any
//! value.

use serde::de::value::StrDeserializer;
use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, IntoDeserializer, Visitor};
use serow_core::error::Fault;
use serow_core::layout::{Position, Source, Text};
use serow_core::plan::{Op, Plan, StrEncoding};
use serow_core::schema::{Container, Logical};

use super::failure::Failure;
use super::int::Int;
use super::pull_access::{Elements, Fields, Items, Variant};
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
#[cfg_attr(not(debug_assertions), inline(always))]
fn text_of<'t>(dictionaries: &'t [Dictionary], column: u32, v: Text<'t>) -> Result<&'t str, Fault> {
    match v {
        Text::Plain(text) => std::str::from_utf8(text.bytes()).map_err(|_| SURROGATE),
        Text::Entry(code) => {
            let dictionary = dictionaries.get(column as usize).ok_or(NO_ENTRY)?;
            dictionary.range(code).and_then(|range| dictionary.text.get(range)).ok_or(NO_ENTRY)
        }
    }
}

pub(super) fn bytes_of<'t>(
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

/// For each struct of the plan: the field names that a type asked for last, and whether the struct has
/// the same names in the same order.
pub(super) type SameFields = Vec<Option<(&'static [&'static str], bool)>>;

/// The state of one row.
pub(super) struct Pull<'a, S> {
    pub(super) plan: &'a Plan,
    ops: &'a [Op],
    pub(super) source: &'a mut S,
    pub(super) dictionaries: &'a [Dictionary],
    same: &'a mut SameFields,
    /// Whether structs are always read as maps. Types whose `Deserialize` is written by hand may
    /// accept nothing else.
    as_maps: bool,
    /// The place in the plan: the instruction and its field. It stays at a value until the value is
    /// read.
    pub(super) pc: usize,
    pub(super) field: u32,
    /// The index of the current element in each sequence around it.
    pub(super) elements: Vec<usize>,
    /// Where the first failure was.
    failed: Option<Position>,
    /// Whether the value is directly inside a `Some`.
    pub(super) is_some: bool,
}

impl<'a, S: Source> Pull<'a, S> {
    /// Begins a row.
    pub(super) fn new(
        plan: &'a Plan,
        source: &'a mut S,
        dictionaries: &'a [Dictionary],
        same: &'a mut SameFields,
        as_maps: bool,
        at: &mut Position,
    ) -> Pull<'a, S> {
        let mut elements = std::mem::take(&mut at.elements);
        elements.clear();
        Pull {
            plan,
            ops: &plan.ops,
            source,
            dictionaries,
            same,
            as_maps,
            pc: 0,
            field: 0,
            elements,
            failed: None,
            is_some: false,
        }
    }

    /// Returns the position of the first failure, or the current position if nothing failed.
    pub(super) fn into_position(self) -> Position {
        let here = Position { pc: self.pc, field: self.field as usize, elements: self.elements };
        self.failed.unwrap_or(here)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn op(&self) -> &'a Op {
        &self.ops[self.pc]
    }

    /// Moves past a field of a run of `count` fields.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn next_of(&mut self, count: u32) {
        self.field += 1;
        if self.field == count {
            self.field = 0;
            self.jump_to(self.pc + 1);
        }
    }

    /// Moves to the instruction `pc`, or where that one jumps to.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn jump_to(&mut self, pc: usize) {
        self.pc = pc;
        while let &Op::Jump { to } = self.op() {
            self.pc = to as usize;
        }
    }

    /// Reads what is before a value: whether it is present, and its arm. Returns false for a null.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn arrive(&mut self) -> Result<bool, Failure> {
        self.is_some = false;
        loop {
            match *self.op() {
                Op::Optional { from, end, .. } => {
                    if !self.source.present(from)? {
                        self.jump_to(end as usize);
                        return Ok(false);
                    }
                    self.pc += 1;
                }
                Op::Union { table, from, .. } => {
                    let arms = &self.plan.unions[table as usize];
                    let arm = self.source.arm(arms, from)?;
                    self.pc = arms[arm].start as usize;
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
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn value<T>(
        &mut self,
        read: impl FnOnce(&mut Self) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        let (pc, field) = (self.pc, self.field);
        let result = read(self);
        if result.is_err() {
            self.failed_at(pc, field);
        }
        result
    }

    #[cold]
    fn failed_at(&mut self, pc: usize, field: u32) {
        if self.failed.is_none() {
            let elements = self.elements.clone();
            self.failed = Some(Position { pc, field: field as usize, elements });
        }
    }

    // Reading a value does not depend on the type that asks for it, so the code exists once for each
    // source.

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn take_i64(&mut self, from: u32) -> Result<i64, Failure> {
        Ok(self.source.i64(from + self.field)?)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn take_f64(&mut self, from: u32) -> Result<f64, Failure> {
        Ok(self.source.f64(from + self.field)?)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn take_bool(&mut self, from: u32) -> Result<bool, Failure> {
        Ok(self.source.bool(from + self.field)?)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn take_str(&mut self, from: u32, to: u32) -> Result<&str, Failure> {
        let field = self.field;
        let v = self.source.str(from + field)?;
        Ok(text_of(self.dictionaries, to + field, v)?)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn read_i64<'de, V: Visitor<'de>>(
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

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn read_str<'de, V: Visitor<'de>>(
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
        let &Op::Logical { ty, from, to } = self.op() else { return unexpected() };
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
        self.jump_to(self.pc + 1);
        Ok(made)
    }

    /// Reads any value that is not null, after what is before it.
    pub(super) fn read<'de, V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value, Failure> {
        match *self.op() {
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
                self.jump_to(self.pc + 1);
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
    pub(super) fn member(
        &mut self,
        table: u32,
        members: u32,
        column: u32,
    ) -> Result<&'a str, Failure> {
        let index = self.source.member(table, members, column)?;
        let name = self.plan.from.tables.enums[table as usize].members.get(index as usize);
        name.map(|name| &**name).ok_or_else(|| Fault::TypeMismatch.into())
    }

    /// Returns the variant whose contents are the record `table`, if it is such a record. `name` is
    /// the name of the enum, if it is known.
    pub(super) fn variant_of(&self, table: u32, name: &str) -> Option<&'a str> {
        let record = self.plan.from.tables.structs[table as usize].name.as_deref()?;
        let known = record.strip_prefix(name).and_then(|rest| rest.strip_prefix(JOINT));
        known.or_else(|| record.split_once(JOINT).map(|(_, variant)| variant))
    }

    /// Enters the container at the place.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn enter(&mut self) -> Result<usize, Failure> {
        let &Op::Enter { read, .. } = self.op() else { return unexpected() };
        self.source.enter(read.container, read.len)?;
        self.pc += 1;
        Ok(read.len as usize)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn leave(&mut self) {
        self.source.leave();
        self.jump_to(self.pc + 1);
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn items<'de, V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value, Failure> {
        let left = self.enter()?;
        let mut items = Items { pull: self, left };
        let made = visitor.visit_seq(&mut items)?;
        items.finish()?;
        Ok(made)
    }

    pub(super) fn fields<'de, V: Visitor<'de>>(
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

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn elements<'de, V: Visitor<'de>>(
        &mut self,
        visitor: V,
    ) -> Result<V::Value, Failure> {
        let mut elements = self.begin()?;
        let made = visitor.visit_seq(&mut elements)?;
        elements.finish()?;
        Ok(made)
    }

    pub(super) fn entries<'de, V: Visitor<'de>>(
        &mut self,
        visitor: V,
    ) -> Result<V::Value, Failure> {
        let mut elements = self.begin()?;
        let made = visitor.visit_map(&mut elements)?;
        elements.finish()?;
        Ok(made)
    }

    /// Begins the sequence at the place.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn begin(&mut self) -> Result<Elements<'_, 'a, S>, Failure> {
        let &Op::Sequence { container, from, end, zero_sized, .. } = self.op() else {
            return unexpected();
        };
        let left = self.source.sequence(container, from, zero_sized)?;
        self.elements.push(0);
        let (start, end) = (self.pc + 1, end as usize);
        Ok(Elements { pull: self, start, end, left, next: 0 })
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
            return self.fields(table, visitor);
        }
        self.items(visitor)
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
    pub(super) fn enter_some(&mut self) -> Result<bool, Failure> {
        while let &Op::Union { table, from, .. } = self.op() {
            let arms = &self.plan.unions[table as usize];
            let arm = self.source.arm(arms, from)?;
            self.pc = arms[arm].start as usize;
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

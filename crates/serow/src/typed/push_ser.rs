//! The target that walks a plan.

use serde::ser::Serialize;
use serow_core::error::Fault;
use serow_core::interpreter::Elements;
use serow_core::layout::{Components, Sink, Text};
use serow_core::number::{IntBytes, Number, exact, widened};
use serow_core::plan::Op;
use serow_core::schema::{Class, Container as Kind, Logical};

use super::failure::Failure;
use super::known::{FieldNames, Name, is_next_field, member_of};
use super::push::{Push, Pushed, Tuple, mismatch};
use super::ser::{Container, Contents, Part, Ser, Target};
use super::to_tree::{Growing, ToTree};

/// The fault of a field that is not the one of the schema.
const OTHER_FIELD: Fault = Fault::Corrupt(
    "the type has another field here; the schema must have the fields of the type, in their order",
);

/// A container that is written as serde passes it, or that waits until all of it is known.
pub(super) enum Open<W> {
    Written(W),
    Waits(Box<Growing>),
}

/// A list.
pub(super) struct List(Elements);

/// A tuple, or the contents of a newtype or tuple variant.
pub(super) struct Items {
    tuple: Tuple,
    /// Whether the tuple is the content of a variant's record.
    is_variant: bool,
}

/// A map.
pub(super) struct Entries {
    elements: Elements,
    /// Whether it is a list of pairs in the schema.
    is_pairs: bool,
}

/// A struct, or a variant with named fields.
pub(super) struct Record<'a> {
    /// Its index among the structs of the plan.
    table: u32,
    left: FieldNames<'a>,
}

impl<'a, K: Sink, W: Container<Push<'a, K>>> Container<Push<'a, K>> for Open<W> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn part<V: Serialize + ?Sized>(
        &mut self,
        push: &mut Push<'a, K>,
        part: Part,
        value: &V,
    ) -> Pushed {
        match self {
            Open::Written(written) => written.part(push, part, value),
            Open::Waits(growing) => growing.part(&mut ToTree::default(), part, value),
        }
    }

    fn skip(&mut self, field: &'static str) -> Pushed {
        match self {
            Open::Written(written) => written.skip(field),
            Open::Waits(growing) => growing.skip(field),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn close(self, push: &mut Push<'a, K>) -> Pushed {
        match self {
            Open::Written(written) => written.close(push),
            Open::Waits(growing) => push.tree(&growing.close(&mut ToTree::default())?),
        }
    }
}

impl<'a, K: Sink> Container<Push<'a, K>> for List {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn part<V: Serialize + ?Sized>(
        &mut self,
        push: &mut Push<'a, K>,
        _part: Part,
        value: &V,
    ) -> Pushed {
        push.next(&mut self.0)?;
        value.serialize(Ser(push))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn close(self, push: &mut Push<'a, K>) -> Pushed {
        push.end(&self.0)
    }
}

impl<'a, K: Sink> Container<Push<'a, K>> for Items {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn part<V: Serialize + ?Sized>(
        &mut self,
        push: &mut Push<'a, K>,
        _part: Part,
        value: &V,
    ) -> Pushed {
        push.element(&mut self.tuple)?;
        value.serialize(Ser(push))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn close(self, push: &mut Push<'a, K>) -> Pushed {
        push.end_tuple(self.tuple)?;
        if self.is_variant { push.leave() } else { Ok(()) }
    }
}

impl<'a, K: Sink> Container<Push<'a, K>> for Entries {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn part<V: Serialize + ?Sized>(
        &mut self,
        push: &mut Push<'a, K>,
        part: Part,
        value: &V,
    ) -> Pushed {
        if let Part::Key = part {
            push.next(&mut self.elements)?;
            if self.is_pairs && push.enter_tuple(2)?.is_some() {
                return mismatch();
            }
            return value.serialize(Ser(push));
        }
        value.serialize(Ser(push))?;
        if self.is_pairs { push.leave() } else { Ok(()) }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn close(self, push: &mut Push<'a, K>) -> Pushed {
        push.end(&self.elements)
    }
}

impl<'a, K: Sink> Container<Push<'a, K>> for Record<'a> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn part<V: Serialize + ?Sized>(
        &mut self,
        push: &mut Push<'a, K>,
        part: Part,
        value: &V,
    ) -> Pushed {
        let Part::Field(name) = part else { return mismatch() };
        if !is_next_field(&mut self.left, push.tables(), self.table, name) {
            return Err(OTHER_FIELD.into());
        }
        value.serialize(Ser(push))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn close(self, push: &mut Push<'a, K>) -> Pushed {
        push.leave()
    }
}

/// Defines how scalars of one type are written: a value that the instruction expects, in a column with memory
/// for it, at once. Anything else is a call whose result is returned, so the code for the usual values is
/// short and saves no registers.
macro_rules! scalars {
    ($($name:ident: $ty:ty, $op:ident, $ready:ident, $class:pat, $otherwise:expr;)*) => {$(
        fn $name(&mut self, v: $ty) -> Pushed {
            #[inline(never)]
            fn other<K: Sink>(push: &mut Push<'_, K>, v: $ty) -> Pushed {
                push.arrive(|class| matches!(class, $class))?;
                let &Op::$op { to, count, .. } = push.op() else { return $otherwise(push, v) };
                push.sink.$name(to + push.cursor.field(), v)?;
                push.cursor.next_of(count);
                Ok(())
            }
            if let &Op::$op { to, count, .. } = self.op()
                && self.sink.$ready(to + self.cursor.field(), v)
            {
                self.cursor.next_of(count);
                return Ok(());
            }
            other(self, v)
        }
    )*};
}

impl<'a, K: Sink> Target for Push<'a, K> {
    type Ok = ();
    type List = Open<List>;
    type Tuple = Items;
    type Map = Open<Entries>;
    type Record = Open<Record<'a>>;

    scalars! {
        bool: bool, Bool, ready_bool, Class::Bool, |_, _| mismatch();
        i64: i64, I64, ready_i64, Class::I64 | Class::Logical(Logical::Int), Push::other_i64;
        f64: f64, F64, ready_f64, Class::F64, Push::single;
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn sized(&mut self, ty: Logical, v: i64) -> Pushed {
        if let &Op::Logical { ty: expected, to, .. } = self.op()
            && expected == ty
        {
            let ints = [v, 0, 0];
            self.sink.logical(ty, to, Components { ints, ..Components::default() })?;
            self.cursor.next();
            return Ok(());
        }
        self.int(ty.number().unwrap_or(Number::I64).int_of(v))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn f32(&mut self, v: f32) -> Pushed {
        if let &Op::Logical { ty: Logical::F32, to, .. } = self.op() {
            let floats = [widened(v), 0.0];
            let components = Components { floats, ..Components::default() };
            self.sink.logical(Logical::F32, to, components)?;
            self.cursor.next();
            return Ok(());
        }
        self.other_f32(v)
    }

    fn str(&mut self, v: &str) -> Pushed {
        if !matches!(self.op(), Op::Str { .. }) {
            self.arrive(|class| class == Class::Str)?;
        }
        let &Op::Str { to, count, .. } = self.op() else { return mismatch() };
        self.sink.str(to + self.cursor.field(), Text::plain(v.as_bytes()))?;
        self.cursor.next_of(count);
        Ok(())
    }

    fn bytes(&mut self, ty: Logical, v: &[u8]) -> Pushed {
        self.logical(ty, Components { bytes: Text::plain(v), ..Components::default() })
    }

    fn null(&mut self) -> Pushed {
        if let &Op::Optional { to, end, .. } = self.op()
            && !self.is_some
            && self.sink.ready_present(to, false)
        {
            self.cursor.jump_to(end as usize);
            return Ok(());
        }
        self.other_null()
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn some<V: Serialize + ?Sized>(&mut self, value: &V) -> Pushed {
        if self.is_some {
            return self.some_in_some(value);
        }
        if let &Op::Optional { to, .. } = self.op()
            && self.sink.ready_present(to, true)
        {
            self.cursor.step();
        }
        self.is_some = true;
        let pushed = value.serialize(Ser(self));
        self.is_some = false;
        pushed
    }

    fn unit_variant(&mut self, name: Name) -> Pushed {
        let tables = self.tables();
        if !matches!(self.op(), Op::Enum { .. }) {
            self.arrive_at_enum(&name)?;
        }
        self.is_some = false;
        let &Op::Enum { to, .. } = self.op() else { return mismatch() };
        match self.variants.member(tables, to.table, &name) {
            Some(member) => self.sink.member(to.table, to.column, member.into())?,
            None => return mismatch(),
        }
        self.cursor.next();
        Ok(())
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn list(&mut self, len: Option<usize>) -> Result<Open<List>, Failure> {
        match len {
            Some(_) if !matches!(self.op(), Op::Sequence { .. }) && self.arrive_at_bytes()? => {
                Ok(Open::Waits(Box::new(ToTree::default().list(len)?)))
            }
            Some(len) => Ok(Open::Written(List(self.begin_as(Class::List, Kind::List, len)?))),
            None => Ok(Open::Waits(Box::new(ToTree::default().list(None)?))),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn tuple(&mut self, of: Contents) -> Result<Items, Failure> {
        let (tuple, is_variant) = match of {
            Contents::Tuple(len) => (self.enter_tuple(len)?, false),
            Contents::NewtypeVariant(name) => {
                self.enter_content(&name)?;
                (None, false)
            }
            Contents::TupleVariant(name, len) => {
                self.enter_content(&name)?;
                (self.enter_tuple(len)?, true)
            }
        };
        Ok(Items { tuple, is_variant })
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn map(&mut self, len: Option<usize>) -> Result<Open<Entries>, Failure> {
        if let Some(len) = len
            && let Some(is_pairs) = self.arrive_at_map(len)?
        {
            return Ok(Open::Written(Entries { elements: self.begin(len)?, is_pairs }));
        }
        Ok(Open::Waits(Box::new(ToTree::default().map(len)?)))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn record(&mut self, name: Name, len: usize) -> Result<Open<Record<'a>>, Failure> {
        let Name { of, variant, index } = name;
        if variant.is_none()
            && let Some(table) = self.struct_here(of, len)
        {
            self.is_some = false;
            self.enter()?;
            return Ok(self.written_record(table));
        }
        self.other_record(of, variant, index, len)
    }
}

/// What the usual values do not need.
impl<'a, K: Sink> Push<'a, K> {
    fn other_i64(&mut self, v: i64) -> Pushed {
        self.int(v.into())
    }

    /// Writes an integer where one of another type is expected.
    #[inline(never)]
    fn int(&mut self, v: i128) -> Pushed {
        self.arrive(|class| matches!(class, Class::I64 | Class::Logical(Logical::Int)))?;
        let (ty, to, of) = match *self.op() {
            Op::I64 { to, count, .. } => {
                let Ok(v) = i64::try_from(v) else { return mismatch() };
                self.sink.i64(to + self.cursor.field(), v)?;
                self.cursor.next_of(count);
                return Ok(());
            }
            Op::Logical { ty, to, .. } => (ty, to, ty.number().ok_or(Fault::TypeMismatch)?),
            _ => return mismatch(),
        };
        if !of.holds(v) || of.is_float() {
            return mismatch();
        }
        let (mut components, bytes) = (Components::default(), IntBytes::of_i128(v));
        match (of, i64::try_from(v)) {
            (Number::Int, Err(_)) => components.bytes = Text::plain(bytes.as_bytes()),
            _ => components.ints[0] = v as i64,
        }
        self.sink.logical(ty, to, components)?;
        self.cursor.next();
        Ok(())
    }

    #[inline(never)]
    fn other_f32(&mut self, v: f32) -> Pushed {
        self.arrive(|class| class == Class::F64)?;
        match self.op() {
            Op::Logical { ty: Logical::F32, .. } => self.single(widened(v)),
            _ => self.f64(widened(v)),
        }
    }

    /// Writes a float where one of 32 bits is expected.
    fn single(&mut self, v: f64) -> Pushed {
        self.arrive(|class| class == Class::F64)?;
        let &Op::Logical { ty: Logical::F32, to, .. } = self.op() else { return mismatch() };
        if exact(v).is_none() {
            return mismatch();
        }
        self.sink.logical(
            Logical::F32,
            to,
            Components { floats: [v, 0.0], ..Components::default() },
        )?;
        self.cursor.next();
        Ok(())
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn written_record(&self, table: u32) -> Open<Record<'a>> {
        Open::Written(Record { table, left: self.structs.fields(table) })
    }

    /// Begins any record. It takes the name in parts, so that [`record`](Target::record) keeps it in registers.
    #[inline(never)]
    fn other_record(
        &mut self,
        of: &'static str,
        variant: Option<&'static str>,
        index: u32,
        len: usize,
    ) -> Result<Open<Record<'a>>, Failure> {
        let name = Name { of, variant, index };
        match self.enter_record(&name, Some(len))? {
            Some(table) => Ok(self.written_record(table)),
            None => Ok(Open::Waits(Box::new(ToTree::default().record(name, len)?))),
        }
    }

    #[inline(never)]
    fn arrive_at_enum(&mut self, name: &Name) -> Pushed {
        let tables = self.tables();
        self.arrive(|class| match class {
            Class::Enum(table) => member_of(tables, table, name).is_some(),
            _ => false,
        })
    }

    #[inline(never)]
    fn other_null(&mut self) -> Pushed {
        if std::mem::take(&mut self.is_some) {
            return self.tuple_of(Target::null);
        }
        match *self.op() {
            Op::Optional { to, end, .. } => {
                self.sink.absent(to)?;
                self.cursor.jump_to(end as usize);
                Ok(())
            }
            Op::Null { count } => {
                self.sink.null()?;
                self.cursor.next_of(count);
                Ok(())
            }
            _ => mismatch(),
        }
    }

    #[inline(never)]
    fn some_in_some<T: Serialize + ?Sized>(&mut self, value: &T) -> Pushed {
        self.tuple_of(|push| {
            push.is_some = true;
            value.serialize(Ser(push))?;
            push.is_some = false;
            Ok(())
        })
    }

    /// Moves to the value at the place, which is not null. Returns whether the schema has bytes here.
    #[inline(never)]
    fn arrive_at_bytes(&mut self) -> Result<bool, Failure> {
        let union = self.arrive_at_union()?;
        Ok(union.is_none() && matches!(self.op(), Op::Logical { ty: Logical::Bytes, .. }))
    }

    /// Enters the record of a newtype or tuple variant.
    fn enter_content(&mut self, name: &Name) -> Pushed {
        match self.enter_record(name, None)? {
            Some(_) => Ok(()),
            None => mismatch(),
        }
    }

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
            Op::Sequence { container: Kind::Map, .. } => Ok(Some(false)),
            Op::Sequence { container: Kind::List, .. } => Ok(Some(true)),
            // A struct that leaves out fields may be at this place too.
            _ => Ok(None),
        }
    }
}

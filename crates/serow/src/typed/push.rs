//! Hands the values of rows to a sink, in the order in which serde visits them: a serializer that
//! walks the plan.
//!
//! It does for a plan of one schema what the interpreter does, and checks each value against the instruction
//! that expects it. A value is written as soon as serde passes it. The exceptions wait in a
//! [`Tree`](super::tree::Tree): sequences of unknown length, and structs whose place in the schema depends on
//! fields that come later.

use std::sync::Arc;

use serde::ser::Serialize;
use serow_core::error::Fault;
use serow_core::interpreter::{Elements, PlanCursor};
use serow_core::layout::{Components, Sink, Text};
use serow_core::plan::{Op, Plan, Tables};
use serow_core::schema::{Class, Container, Logical};

use super::failure::Failure;
use super::known::{Known, Structs, Variants, member_of};
use super::tree::{CONTENT, Name};

/// The result of handing over a value.
pub(super) type Pushed = Result<(), Failure>;

/// The state of a walk.
pub(super) struct Push<'a, K> {
    pub(super) sink: &'a mut K,
    pub(super) structs: &'a Structs,
    variants: &'a mut Variants,
    pub(super) cursor: PlanCursor<'a>,
    /// Whether the value is directly inside a `Some`. Then a null would be taken for `None`, so it is
    /// put into a tuple.
    pub(super) is_some: bool,
}

/// A tuple that is being written. In the schema it may be a sequence.
pub(super) type Tuple = Option<Elements>;

/// Returns whether these are the fields of the record of a newtype or tuple variant.
pub(super) fn is_content(fields: &[Arc<str>]) -> bool {
    matches!(fields, [only] if **only == *CONTENT)
}

impl<'a, K: Sink> Push<'a, K> {
    pub(super) fn new(plan: &'a Plan, sink: &'a mut K, known: &'a mut Known) -> Push<'a, K> {
        let Known { structs, variants, .. } = known;
        Push { sink, structs, variants, cursor: PlanCursor::new(plan), is_some: false }
    }

    /// Writes the row `value`.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn row<T: Serialize + ?Sized>(&mut self, value: &T) -> Pushed {
        self.cursor.start();
        self.is_some = false;
        value.serialize(self)
    }

    pub(super) fn tables(&self) -> &'a Tables {
        &self.cursor.plan().from.tables
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn op(&self) -> &'a Op {
        self.cursor.op()
    }

    /// Writes what is before a value: that it is present, and its arm, which `fits` recognizes.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn arrive(&mut self, fits: impl Fn(Class) -> bool) -> Pushed {
        self.is_some = false;
        loop {
            match *self.op() {
                Op::Optional { to, .. } => {
                    self.sink.present(to)?;
                    self.cursor.step();
                }
                Op::Union { table, to, .. } => {
                    let arms = self.cursor.arms(table);
                    let arm = arms.iter().position(|arm| fits(arm.class));
                    let arm = arm.ok_or(Fault::TypeMismatch)?;
                    self.sink.arm(to, arm)?;
                    self.cursor.take_arm(table, arm);
                }
                _ => return Ok(()),
            }
        }
    }

    /// Like [`arrive`](Push::arrive), as far as a union. Returns its table, if there is one.
    pub(super) fn arrive_at_union(&mut self) -> Result<Option<u32>, Failure> {
        self.is_some = false;
        if let &Op::Optional { to, .. } = self.op() {
            self.sink.present(to)?;
            self.cursor.step();
        }
        match *self.op() {
            Op::Union { table, .. } => Ok(Some(table)),
            _ => Ok(None),
        }
    }

    /// Takes arm `arm` of the union at the place.
    pub(super) fn take_arm(&mut self, arm: usize) -> Pushed {
        let &Op::Union { table, to, .. } = self.op() else { return mismatch() };
        self.sink.arm(to, arm)?;
        self.cursor.take_arm(table, arm);
        Ok(())
    }

    // A value that the instruction expects, in a column with memory for it, is written at once.
    // Anything else is a call whose result is returned, so the code for the usual values is short and
    // saves no registers.

    pub(super) fn i64(&mut self, v: i64) -> Pushed {
        if let &Op::I64 { to, count, .. } = self.op()
            && self.sink.ready_i64(to + self.cursor.field(), v)
        {
            self.cursor.next_of(count);
            return Ok(());
        }
        self.other_i64(v)
    }

    #[inline(never)]
    fn other_i64(&mut self, v: i64) -> Pushed {
        self.arrive(|class| matches!(class, Class::I64 | Class::Logical(Logical::Int)))?;
        match *self.op() {
            Op::I64 { to, count, .. } => {
                self.sink.i64(to + self.cursor.field(), v)?;
                self.cursor.next_of(count);
                Ok(())
            }
            Op::Logical { ty: Logical::Int, .. } => {
                self.logical(Logical::Int, Components { ints: [v, 0, 0], ..Components::default() })
            }
            _ => mismatch(),
        }
    }

    pub(super) fn f64(&mut self, v: f64) -> Pushed {
        if let &Op::F64 { to, count, .. } = self.op()
            && self.sink.ready_f64(to + self.cursor.field(), v)
        {
            self.cursor.next_of(count);
            return Ok(());
        }
        self.other_f64(v)
    }

    #[inline(never)]
    fn other_f64(&mut self, v: f64) -> Pushed {
        self.arrive(|class| class == Class::F64)?;
        let &Op::F64 { to, count, .. } = self.op() else { return mismatch() };
        self.sink.f64(to + self.cursor.field(), v)?;
        self.cursor.next_of(count);
        Ok(())
    }

    pub(super) fn bool(&mut self, v: bool) -> Pushed {
        if let &Op::Bool { to, count, .. } = self.op()
            && self.sink.ready_bool(to + self.cursor.field(), v)
        {
            self.cursor.next_of(count);
            return Ok(());
        }
        self.other_bool(v)
    }

    #[inline(never)]
    fn other_bool(&mut self, v: bool) -> Pushed {
        self.arrive(|class| class == Class::Bool)?;
        let &Op::Bool { to, count, .. } = self.op() else { return mismatch() };
        self.sink.bool(to + self.cursor.field(), v)?;
        self.cursor.next_of(count);
        Ok(())
    }

    pub(super) fn str(&mut self, v: &str) -> Pushed {
        if !matches!(self.op(), Op::Str { .. }) {
            self.arrive(|class| class == Class::Str)?;
        }
        let &Op::Str { to, count, .. } = self.op() else { return mismatch() };
        self.sink.str(to + self.cursor.field(), Text::plain(v.as_bytes()))?;
        self.cursor.next_of(count);
        Ok(())
    }

    /// Writes a value of several components, of type `ty`.
    pub(super) fn logical(&mut self, ty: Logical, components: Components<'_>) -> Pushed {
        self.arrive(|class| class == Class::Logical(ty))?;
        let &Op::Logical { ty: expected, to, .. } = self.op() else { return mismatch() };
        if ty != expected {
            return mismatch();
        }
        self.sink.logical(ty, to, components)?;
        self.cursor.next();
        Ok(())
    }

    pub(super) fn with_bytes(&mut self, ty: Logical, bytes: &[u8]) -> Pushed {
        self.logical(ty, Components { bytes: Text::plain(bytes), ..Components::default() })
    }

    /// Writes a null: `None` or a unit.
    pub(super) fn null(&mut self) -> Pushed {
        if let &Op::Optional { to, end, .. } = self.op()
            && !self.is_some
            && self.sink.ready_present(to, false)
        {
            self.cursor.jump_to(end as usize);
            return Ok(());
        }
        self.other_null()
    }

    #[inline(never)]
    fn other_null(&mut self) -> Pushed {
        if std::mem::take(&mut self.is_some) {
            let mut tuple = self.enter_tuple(1)?;
            self.element(&mut tuple)?;
            self.null()?;
            return self.end_tuple(tuple);
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

    /// Writes what is inside a `Some`.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn some<T: Serialize + ?Sized>(&mut self, value: &T) -> Pushed {
        if let &Op::Optional { to, .. } = self.op()
            && !self.is_some
            && self.sink.ready_present(to, true)
        {
            self.cursor.step();
        } else if self.is_some {
            return self.some_in_some(value);
        }
        self.is_some = true;
        let pushed = value.serialize(&mut *self);
        self.is_some = false;
        pushed
    }

    #[inline(never)]
    fn some_in_some<T: Serialize + ?Sized>(&mut self, value: &T) -> Pushed {
        let mut tuple = self.enter_tuple(1)?;
        self.element(&mut tuple)?;
        self.is_some = true;
        value.serialize(&mut *self)?;
        self.is_some = false;
        self.end_tuple(tuple)
    }

    pub(super) fn unit_variant(
        &mut self,
        name: &'static str,
        index: u32,
        variant: &'static str,
    ) -> Pushed {
        let tables = self.tables();
        if !matches!(self.op(), Op::Enum { .. }) {
            self.arrive_at_enum(name, variant)?;
        }
        self.is_some = false;
        let &Op::Enum { to, .. } = self.op() else { return mismatch() };
        match self.variants.member(tables, to.table, (name, index, variant)) {
            Some(member) => self.sink.member(to.table, to.column, member.into())?,
            None => return mismatch(),
        }
        self.cursor.next();
        Ok(())
    }

    #[inline(never)]
    fn arrive_at_enum(&mut self, name: &'static str, variant: &'static str) -> Pushed {
        let tables = self.tables();
        self.arrive(|class| match class {
            Class::Enum(table) => {
                *tables.enums[table as usize].name == *name
                    && member_of(tables, table, variant).is_some()
            }
            _ => false,
        })
    }

    /// Enters the record of a newtype or tuple variant.
    pub(super) fn enter_variant(
        &mut self,
        name: &'static str,
        index: u32,
        variant: &'static str,
    ) -> Pushed {
        let tables = self.tables();
        if let Some(table) = self.arrive_at_union()? {
            let arms = self.cursor.arms(table);
            let arm = self.variants.arm(tables, (table, arms), (name, index, variant));
            self.take_arm(arm.ok_or(Fault::TypeMismatch)? as usize)?;
        }
        let &Op::Enter { made, .. } = self.op() else { return mismatch() };
        let Container::Struct(table) = made.container else { return mismatch() };
        let names = &tables.structs[table as usize];
        let name = Name { of: name, variant: Some(variant) };
        let is_it = is_content(&names.fields)
            && names.name.as_deref().is_some_and(|record| name.is(record));
        if is_it { self.enter() } else { mismatch() }
    }

    /// Enters the container at the place.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn enter(&mut self) -> Pushed {
        let &Op::Enter { made, acyclic, .. } = self.op() else { return mismatch() };
        self.sink.enter(made.container, made.len, acyclic)?;
        self.cursor.step();
        Ok(())
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn leave(&mut self) -> Pushed {
        // A type may pass fewer fields than it said.
        if *self.op() != Op::Leave {
            return mismatch();
        }
        self.sink.leave()?;
        self.cursor.next();
        Ok(())
    }

    /// Enters a tuple of `len` fields.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn enter_tuple(&mut self, len: usize) -> Result<Tuple, Failure> {
        if !matches!(self.op(), Op::Enter { .. }) {
            self.arrive(|class| match class {
                Class::Tuple(fixed) => fixed.is_none_or(|fixed| fixed as usize == len),
                _ => false,
            })?;
        }
        self.is_some = false;
        match *self.op() {
            Op::Enter { made, .. }
                if made.container == Container::Tuple && made.len as usize == len =>
            {
                self.enter()?;
                Ok(None)
            }
            Op::Sequence { container: Container::Tuple, .. } => self.begin(len).map(Some),
            _ => mismatch(),
        }
    }

    /// Begins the sequence at the place.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn begin(&mut self, len: usize) -> Result<Elements, Failure> {
        let &Op::Sequence { container, to, end, acyclic, .. } = self.op() else {
            return mismatch();
        };
        self.cursor.count(len, || self.sink.checkpoint())?;
        self.sink.sequence(container, to, len, acyclic)?;
        Ok(self.cursor.begin(len, end))
    }

    /// Moves to the next element.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn next(&mut self, elements: &mut Elements) -> Pushed {
        match self.cursor.next_element(elements, || self.sink.checkpoint())? {
            true => Ok(()),
            false => Err(Failure::said("a sequence has more elements than it said")),
        }
    }

    /// Ends the sequence.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn end(&mut self, elements: &Elements) -> Pushed {
        if elements.left() > 0 {
            return Err(Failure::said("a sequence has fewer elements than it said"));
        }
        self.sink.leave()?;
        self.cursor.end(elements);
        Ok(())
    }

    /// Moves to the next field of a tuple.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn element(&mut self, tuple: &mut Tuple) -> Pushed {
        tuple.as_mut().map_or(Ok(()), |elements| self.next(elements))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn end_tuple(&mut self, tuple: Tuple) -> Pushed {
        match &tuple {
            Some(elements) => self.end(elements),
            None => self.leave(),
        }
    }
}

/// Returns the fault of a value that does not fit the plan.
#[cold]
pub(super) fn mismatch<T>() -> Result<T, Failure> {
    Err(Fault::TypeMismatch.into())
}

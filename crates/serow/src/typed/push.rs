//! Moves along a plan with the values of rows that serde passes, in its order, and hands them to a sink.
//!
//! It does for a plan of one schema what the interpreter does, and checks each value against the instruction
//! that expects it. A value is written as soon as serde passes it. The exceptions wait in a
//! [`Tree`](super::tree::Tree): sequences of unknown length, and structs whose place in the schema depends on
//! fields that come later.

use serde::ser::Serialize;
use serow_core::error::Fault;
use serow_core::interpreter::{Elements, PlanCursor};
use serow_core::layout::{Components, Sink};
use serow_core::plan::{Op, Plan, Tables};
use serow_core::schema::{Class, Container, Logical};

use super::failure::{Failure, LONGER, SHORTER};
use super::known::{Known, Name, Structs, Variants, fits};
use super::ser::Ser;

/// The result of handing over a value.
pub(super) type Pushed = Result<(), Failure>;

/// The state of a walk.
pub(super) struct Push<'a, K> {
    pub(super) sink: &'a mut K,
    pub(super) structs: &'a Structs,
    pub(super) variants: &'a mut Variants,
    pub(super) cursor: PlanCursor<'a>,
    /// Whether the value is directly inside a `Some`. Then a null would be taken for `None`, so it is
    /// put into a tuple.
    pub(super) is_some: bool,
}

/// A tuple that is being written. In the schema it may be a sequence.
pub(super) type Tuple = Option<Elements>;

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
        value.serialize(Ser(self))
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
        while let Some(union) = self.arrive_at_union()? {
            let arm = self.cursor.arms(union).iter().position(|arm| fits(arm.class));
            self.take_arm(arm.ok_or(Fault::TypeMismatch)?)?;
        }
        Ok(())
    }

    /// Like [`arrive`](Push::arrive), as far as a union. Returns its table, if there is one.
    #[cfg_attr(not(debug_assertions), inline(always))]
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

    /// Returns the table of the record at the place, if that is a struct with this name and `len` fields.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn struct_here(&self, name: &'static str, len: usize) -> Option<u32> {
        let &Op::Enter { made, .. } = self.op() else { return None };
        let Container::Struct(table) = made.container else { return None };
        let is_it = made.len as usize == len && self.structs.is_record(self.tables(), table, name);
        is_it.then_some(table)
    }

    /// Enters the record of a struct or a variant with `len` named fields, or with the contents of a newtype or
    /// tuple variant. Returns its table, or `None` if only the fields can tell whether it is this record.
    pub(super) fn enter_record(
        &mut self,
        name: &Name,
        len: Option<usize>,
    ) -> Result<Option<u32>, Failure> {
        let (tables, union) = (self.tables(), self.arrive_at_union()?);
        if let Some(union) = union {
            let arms = self.cursor.arms(union);
            match self.variants.arm(tables, (union, arms), name, len) {
                Some(arm) => self.take_arm(arm as usize)?,
                None => return Ok(None),
            }
        }
        let &Op::Enter { made, .. } = self.op() else { return Ok(None) };
        let Container::Struct(table) = made.container else { return mismatch() };
        if union.is_none() && !fits(&tables.structs[table as usize], name, len) {
            return Ok(None);
        }
        self.enter()?;
        Ok(Some(table))
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

    /// Begins a sequence of the class `class`.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn begin_as(
        &mut self,
        class: Class,
        container: Container,
        len: usize,
    ) -> Result<Elements, Failure> {
        if !matches!(self.op(), Op::Sequence { .. }) {
            self.arrive(|of| of == class)?;
        }
        self.is_some = false;
        match *self.op() {
            Op::Sequence { container: expected, .. } if expected == container => self.begin(len),
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
            false => Err(Failure::said(LONGER)),
        }
    }

    /// Ends the sequence.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn end(&mut self, elements: &Elements) -> Pushed {
        if elements.left() > 0 {
            return Err(Failure::said(SHORTER));
        }
        self.sink.leave()?;
        self.cursor.end(elements);
        Ok(())
    }

    /// Moves to the next field of a tuple.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn element(&mut self, tuple: &mut Tuple) -> Pushed {
        match tuple {
            Some(elements) => self.next(elements),
            None => Ok(()),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn end_tuple(&mut self, tuple: Tuple) -> Pushed {
        match &tuple {
            Some(elements) => self.end(elements),
            None => self.leave(),
        }
    }

    /// Writes a tuple of one field, by `write`.
    pub(super) fn tuple_of(&mut self, write: impl FnOnce(&mut Self) -> Pushed) -> Pushed {
        let mut tuple = self.enter_tuple(1)?;
        self.element(&mut tuple)?;
        write(self)?;
        self.end_tuple(tuple)
    }
}

/// Returns the fault of a value that does not fit the plan.
#[cold]
pub(super) fn mismatch<T>() -> Result<T, Failure> {
    Err(Fault::TypeMismatch.into())
}

//! Walks a writer's and a reader's type at once and emits the instructions that read one as the
//! other: which types can be read as which. `fields.rs` has the fields of dicts and records,
//! `unions.rs` the arms of unions, and `docs/evolution.md` the rules in words.

use std::sync::Arc;

use super::lower::{At, Lower};
use super::numbering::Numbered;
use super::unions::arm_for;
use super::{ArrayList, ArrayLists, ArrayNumbers, Fields, Former, Member, Op, SinkCall};
use crate::error::Result;
use crate::number::Number;
use crate::schema::{Container, Enum, Logical, Open, Struct, Type, Word};

/// Whether the names of records and enums must agree.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum TypeNames {
    /// The type of rows may have any name.
    Free,
    Count,
}

impl<'t> Lower<'t> {
    /// Reads rows of `w` as rows of `r`.
    pub(super) fn root(&mut self, w: &Numbered<'t>, r: &Numbered<'t>) -> Result<()> {
        self.value(w, r, TypeNames::Free)
    }

    pub(super) fn value(
        &mut self,
        w: &Numbered<'t>,
        r: &Numbered<'t>,
        names: TypeNames,
    ) -> Result<()> {
        self.part(w, r, |lower| lower.convert(w, r, names))
    }

    fn convert(&mut self, w: &Numbered<'t>, r: &Numbered<'t>, names: TypeNames) -> Result<()> {
        self.step()?;
        match (w.ty, r.ty) {
            // No rows have such types, but schemas of two versions of a class are compared.
            (Type::Open(a), Type::Open(b)) if a == b => {
                self.op(Op::Never, r.ty);
            }
            (_, Type::Open(Open::Any)) => {
                self.report_conversion();
                self.op(Op::Never, r.ty);
            }
            (Type::Never, _) => {
                if *r.ty != Type::Never {
                    self.report_conversion();
                }
                self.op(Op::Never, r.ty);
            }
            (Type::Null, Type::Null) => self.scalar(Op::Null { count: 1 }, r.ty),
            (Type::Null, Type::Optional(_)) => {
                self.report_conversion();
                self.skip(|lower| {
                    lower.op(Op::Null { count: 1 }, r.ty);
                    Ok(())
                })?;
                self.write(SinkCall::Absent { to: r.first.bits }, r.ty);
            }
            (Type::Optional(_), Type::Optional(_)) => {
                let (from, to) = (w.first.bits, r.first.bits);
                let at = self.op(Op::Optional { from, to, end: 0 }, r.ty);
                self.optional(r.ty, |lower| lower.value(&w.within[0], &r.within[0], names))?;
                let end = self.label();
                self.patch(at, Op::Optional { from, to, end });
            }
            (Type::Null | Type::Optional(_), _) => {
                return self.refuse(format_args!("it may be null, but {} may not be null", r.ty));
            }
            (_, Type::Optional(_)) => {
                self.report_conversion();
                self.write(SinkCall::Present { to: r.first.bits }, r.ty);
                self.optional(r.ty, |lower| lower.value(w, &r.within[0], names))?;
            }
            (Type::Union(_), _) => self.union(w, r)?,
            (_, Type::Union(_)) => {
                let Some(arm) = arm_for(w.ty, r.within.iter(), self.former_names) else {
                    return self.refuse(format_args!("{} is not an arm of {}", w.ty, r.ty));
                };
                self.report_conversion();
                self.write(SinkCall::Arm { to: r.first.ints, arm: arm as u32 }, r.ty);
                self.value(w, &r.within[arm], TypeNames::Count)?;
            }
            (Type::I64, Type::I64) => {
                self.scalar(Op::I64 { from: w.first.ints, to: r.first.ints, count: 1 }, r.ty);
            }
            (Type::F64, Type::F64) => {
                self.scalar(Op::F64 { from: w.first.floats, to: r.first.floats, count: 1 }, r.ty);
            }
            (Type::Bool, Type::Bool) => {
                self.scalar(Op::Bool { from: w.first.bits, to: r.first.bits, count: 1 }, r.ty);
            }
            (Type::Str, Type::Str) => {
                self.feed(r.first.strs, Some(w.first.strs));
                self.scalar(Op::Str { from: w.first.strs, to: r.first.strs, count: 1 }, r.ty);
            }
            // Mutable bytes are stored like others.
            (Type::Logical(read), Type::Logical(ty))
                if read == ty || read.is_bytes() && ty.is_bytes() =>
            {
                if read != ty {
                    self.report_conversion();
                }
                if ty.counts().bytes > 0 {
                    self.feed(r.first.strs, Some(w.first.strs));
                }
                self.op(Op::Logical { ty: *ty, from: w.components(), to: r.components() }, r.ty);
            }
            (Type::Enum(a), Type::Enum(b)) => {
                self.same_name(names, "enum", &a.name, &b.name, r)?;
                self.report_members(a, b, r);
                self.member(a, b, w, r);
            }
            (Type::Fixed(a, _), Type::Fixed(b, _)) => self.fixed(*a, *b, w, r)?,
            (Type::Fixed(a, _), Type::Sequence(b, _)) => self.elements(*a, *b, w, r)?,
            (Type::Sequence(a, _), Type::Sequence(b, _)) => {
                if a != b {
                    self.report_sequence(*b);
                }
                self.sequence(*b, w, r)?;
            }
            (Type::Sequence(a @ (Container::List | Container::Tuple), _), Type::Fixed(b, _)) => {
                self.fields_of_elements(*a, *b, w, r)?;
            }
            (Type::Map(..), Type::Map(..)) => self.sequence(Container::Map, w, r)?,
            (Type::Struct(a), Type::Struct(b)) => {
                if let (Some(a), Some(b)) = (&a.names.name, &b.names.name) {
                    self.same_name(names, "record", a, b, r)?;
                }
                if a.names.name != b.names.name {
                    self.report_conversion();
                }
                self.structure(a, b, w, r)?;
            }
            (Type::Struct(a), Type::Map(..)) if !a.is_record() => self.entries(a, w, r)?,
            (Type::Logical(Logical::NdArray), Type::Sequence(Container::List, _)) => {
                let Some(lists) = array_lists(r) else {
                    return self.refuse(format_args!("ndarray can't be read as {}", r.ty));
                };
                self.report_risk(
                    "an array with another number of dimensions, or of other numbers, is an error",
                );
                if let ArrayNumbers::Int(to) = lists.elements {
                    self.feed(to.str, None);
                }
                let lists = self.array_table(lists);
                self.op(Op::ListsOfArray { from: w.components(), lists }, r.ty);
            }
            (a, b) => match (a.number(), b.number()) {
                (Some(read), Some(made)) if made.is_float() || !read.is_float() => {
                    self.number(read, made, w, r);
                }
                _ => {
                    return self.refuse(format_args!("{} can't be read as {}", kind(w), kind(r)));
                }
            },
        }
        Ok(())
    }

    /// Reads a number of one type as one of another.
    fn number(&mut self, read: Number, made: Number, w: &Numbered<'t>, r: &Numbered<'t>) {
        match made {
            Number::Int => self.report_larger_int(),
            _ if made.includes(read) => self.report_conversion(),
            Number::F64 => self.report_risk("an integer beyond ±2⁵³ is an error"),
            Number::F32 if read.is_float() => {
                self.report_risk("a float that no float of 32 bits equals is an error");
            }
            Number::F32 => self.report_risk("an integer beyond ±2²⁴ is an error"),
            _ => self.report_risk(format_args!("an integer beyond {} is an error", made.name())),
        }
        if made == Number::Int {
            self.feed(r.first.strs, None);
        }
        self.op(Op::Number { read, from: w.components(), made, to: r.components() }, r.ty);
    }

    fn at(&mut self, step: At<'t>, w: &Numbered<'t>, r: &Numbered<'t>) -> Result<()> {
        self.within(step, |lower| lower.value(w, r, TypeNames::Count))
    }

    fn member(&mut self, a: &Enum, b: &Enum, w: &Numbered<'t>, r: &Numbered<'t>) {
        let from = Member { table: w.tables.enums, column: w.first.ints };
        let to = Member { table: r.tables.enums, column: r.first.ints };
        let op = match b.members.starts_with(&a.members) {
            true => Op::Enum { from, to, members: a.members.len() as u32 },
            false => {
                let former = self.former_names.of_enum(r.tables.enums);
                let members = Former::members(a, b, former.filter(|_| !self.is_skipping));
                Op::OtherEnum { from, to, members: self.member_table(members.into()) }
            }
        };
        self.op(op, r.ty);
    }

    /// Notes that a sequence is read as one of another kind.
    fn report_sequence(&mut self, made: Container) {
        match made {
            Container::Set | Container::FrozenSet => {
                self.report_risk("an element that comes twice is an error");
            }
            _ => self.report_conversion(),
        }
    }

    /// Reads a list or tuple of fixed shape.
    fn fixed(
        &mut self,
        from: Container,
        to: Container,
        w: &Numbered<'t>,
        r: &Numbered<'t>,
    ) -> Result<()> {
        let (have, want) = (w.within.len(), r.within.len());
        if have != want {
            return self.refuse(format_args!("it has {have} fields without names, not {want}"));
        }
        let [read, made] = [from, to].map(|container| Fields { container, len: want as u32 });
        if from != to {
            self.report_conversion();
        }
        self.op(Op::Enter { read, made, acyclic: r.acyclic }, r.ty);
        for (i, (w, r)) in w.within.iter().zip(&r.within).enumerate() {
            self.at(At::Item(i), w, r)?;
        }
        self.op(Op::Leave, r.ty);
        Ok(())
    }

    /// Reads a list or tuple of fixed shape as a sequence.
    fn elements(
        &mut self,
        from: Container,
        made: Container,
        w: &Numbered<'t>,
        r: &Numbered<'t>,
    ) -> Result<()> {
        self.report_sequence(made);
        let (to, acyclic) = (r.first.ints, r.acyclic);
        let read = Fields { container: from, len: w.within.len() as u32 };
        self.op(Op::EnterAsSequence { read, made, to, acyclic }, r.ty);
        for (i, field) in w.within.iter().enumerate() {
            self.at(At::Item(i), field, &r.within[0])?;
        }
        self.op(Op::Leave, r.ty);
        Ok(())
    }

    /// Reads a list or tuple of any length as one of fixed shape, if it has as many elements.
    fn fields_of_elements(
        &mut self,
        read: Container,
        made: Container,
        w: &Numbered<'t>,
        r: &Numbered<'t>,
    ) -> Result<()> {
        let len = r.within.len();
        self.report_risk(format_args!("another number of elements than {len} is an error"));
        let made = Fields { container: made, len: len as u32 };
        let zero_sized = w.has_zero_sized_elements();
        let from = w.first.ints;
        self.op(Op::EnterElements { read, from, made, acyclic: r.acyclic, zero_sized }, r.ty);
        let outer = std::mem::replace(&mut self.are_shared, true);
        for (i, field) in r.within.iter().enumerate() {
            // The elements share their columns, so each field has an instruction of its own.
            self.label();
            self.at(At::Item(i), &w.within[0], field)?;
        }
        self.are_shared = outer;
        self.op(Op::Leave, r.ty);
        Ok(())
    }

    /// Reads a sequence or a map. An element of a map is a key and a value.
    fn sequence(&mut self, container: Container, w: &Numbered<'t>, r: &Numbered<'t>) -> Result<()> {
        let at = self.op(Op::End, r.ty);
        let start = self.label();
        let first = self.report_parts();
        match (&w.within[..], &r.within[..]) {
            ([key, value], [key_to, value_to]) => {
                self.at(At::Key, key, key_to)?;
                self.report_merged(first, "keys");
                self.label();
                self.at(At::Value, value, value_to)?;
            }
            (elements, elements_to) => {
                for (w, r) in elements.iter().zip(elements_to) {
                    self.at(At::Element, w, r)?;
                }
                if matches!(container, Container::Set | Container::FrozenSet) {
                    self.report_merged(first, "elements");
                }
            }
        }
        self.op(Op::Next { start }, r.ty);
        let sequence = Op::Sequence {
            container,
            from: w.first.ints,
            to: r.first.ints,
            end: self.label(),
            acyclic: r.acyclic,
            zero_sized: w.has_zero_sized_elements(),
        };
        self.patch(at, sequence);
        Ok(())
    }

    /// Reads a dict with fixed keys as a map.
    fn entries(&mut self, of: &'t Struct, w: &Numbered<'t>, r: &Numbered<'t>) -> Result<()> {
        self.report_conversion();
        let (to, acyclic) = (r.first.ints, r.acyclic);
        let read =
            Fields { container: Container::Struct(w.tables.structs), len: of.fields.len() as u32 };
        let entries = of.names.fields.iter().zip(&w.within);
        if of.fields.iter().any(|field| field.maybe) {
            // The number of entries is only known after they are read.
            self.op(Op::OpenEntries { read, to, acyclic }, r.ty);
            for (name, field) in entries {
                let Some(from) = field.maybe else {
                    self.op(Op::Entry, r.ty);
                    self.entry(name, field, r)?;
                    continue;
                };
                let at = self.op(Op::IfField { from, otherwise: 0, end: 0 }, r.ty);
                self.op(Op::Entry, r.ty);
                self.entry(name, field, r)?;
                let jump = self.control(Op::Jump { to: 0 });
                let end = self.label();
                self.patch(jump, Op::Jump { to: end });
                self.patch(at, Op::IfField { from, otherwise: end, end });
            }
            self.op(Op::CloseEntries { to }, r.ty);
            return Ok(());
        }
        self.op(Op::EnterAsSequence { read, made: Container::Map, to, acyclic }, r.ty);
        for (name, field) in entries {
            self.entry(name, field, r)?;
        }
        self.op(Op::Leave, r.ty);
        Ok(())
    }

    fn entry(&mut self, name: &'t Arc<str>, w: &Numbered<'t>, r: &Numbered<'t>) -> Result<()> {
        self.within(At::Key, |lower| lower.text(name, &r.within[0]))?;
        self.at(At::Field(name), w, &r.within[1])
    }

    /// Writes constant text.
    fn text(&mut self, text: &'t Arc<str>, r: &Numbered<'t>) -> Result<()> {
        self.step()?;
        match r.ty {
            Type::Optional(_) => {
                self.write(SinkCall::Present { to: r.first.bits }, r.ty);
                self.text(text, &r.within[0])
            }
            Type::Union(_) => {
                let Some(arm) = arm_for(&Type::Str, r.within.iter(), self.former_names) else {
                    return self.refuse(format_args!("{} is not an arm of {}", Type::Str, r.ty));
                };
                self.write(SinkCall::Arm { to: r.first.ints, arm: arm as u32 }, r.ty);
                self.text(text, &r.within[arm])
            }
            Type::Str => {
                self.feed(r.first.strs, None);
                self.write(SinkCall::Str { to: r.first.strs, text: text.clone() }, r.ty);
                Ok(())
            }
            _ => self.refuse(format_args!("{} can't be read as {}", Type::Str, kind(r))),
        }
    }

    fn same_name(
        &mut self,
        names: TypeNames,
        what: &str,
        have: &str,
        want: &str,
        r: &Numbered<'_>,
    ) -> Result<()> {
        if names == TypeNames::Free || have == want || self.former_names.was(r, have) {
            return Ok(());
        }
        let (have, want) = (Word(have), Word(want));
        self.refuse(format_args!(
            "it is {what} {have}, not {want}; if it was renamed, give {want} the former name {have}"
        ))
    }
}

/// Returns the name of a type's kind for a message.
fn kind(of: &Numbered<'_>) -> String {
    match of.ty {
        Type::Fixed(Container::Tuple, fields) => format!("a tuple of {} fields", fields.len()),
        Type::Fixed(_, fields) => format!("a list of {} fields", fields.len()),
        Type::Sequence(Container::Tuple, _) => String::from("a tuple of any length"),
        Type::Sequence(Container::Set, _) => String::from("a set"),
        Type::Sequence(Container::FrozenSet, _) => String::from("a frozenset"),
        Type::Sequence(..) => String::from("a list of any length"),
        Type::Map(..) => String::from("a map"),
        Type::Struct(of) => match &of.names.name {
            Some(name) => format!("record {}", Word(name)),
            None => String::from("a dict with fixed keys"),
        },
        Type::Enum(of) => format!("enum {}", Word(&of.name)),
        ty => ty.to_string(),
    }
}

/// Returns the lists that an array becomes where lists of lists of numbers are read; `None` if `list` is another
/// list.
fn array_lists(list: &Numbered<'_>) -> Option<ArrayLists> {
    let (mut of, mut present, mut lists) = (list, None, Vec::new());
    loop {
        let elements = match of.ty {
            Type::Optional(_) => {
                (present, of) = (Some(of.first.bits), &of.within[0]);
                continue;
            }
            Type::Sequence(Container::List, _) => {
                lists.push(ArrayList {
                    present: present.take(),
                    column: of.first.ints,
                    acyclic: of.acyclic,
                });
                of = &of.within[0];
                continue;
            }
            Type::I64 => ArrayNumbers::I64(of.first.ints),
            Type::F64 => ArrayNumbers::F64(of.first.floats),
            Type::Bool => ArrayNumbers::Bool(of.first.bits),
            Type::Logical(Logical::Int) => ArrayNumbers::Int(of.components()),
            _ => return None,
        };
        return Some(ArrayLists { lists, present, elements });
    }
}

//! How fields of dicts and records are read, and what a field gets that the writer lacks.

use std::sync::Arc;

use super::compare::{Filling, LACKS};
use super::lower::{At, Lower};
use super::numbering::Numbered;
use super::rules::TypeNames;
use super::selection::Selected;
use super::{FieldDefault, Fields, Former, Op, SinkCall};
use crate::error::Result;
use crate::schema::{Container, Struct, Type, Word};

impl<'t> Lower<'t> {
    /// Reads the fields of a dict or record, matched by their present and former names, in the
    /// writer's order.
    pub(super) fn structure(
        &mut self,
        a: &'t Struct,
        b: &'t Struct,
        w: &Numbered<'t>,
        r: &Numbered<'t>,
    ) -> Result<()> {
        let reported = self.report_parts();
        let fields = |table, of: &Struct| Fields {
            container: Container::Struct(table),
            len: of.fields.len() as u32,
        };
        let (read, made) = (fields(w.tables.structs, a), fields(r.tables.structs, b));
        self.op(Op::Enter { read, made, acyclic: r.acyclic }, r.ty);
        let former = self.former_names.of_struct(r.tables.structs).filter(|_| !self.is_skipping);
        let places = match Former::fields(a, b, former) {
            Ok(places) => places,
            Err(unclear) => return self.unclear(&b.names.fields[unclear.field], unclear.names),
        };
        // The reader's fields that the writer lacks and that are not written yet.
        let mut lacks = vec![true; b.fields.len()];
        places.iter().flatten().for_each(|nth| lacks[*nth] = false);
        let mut next = 0;
        for (from, name) in a.names.fields.iter().enumerate() {
            let Some(nth) = places[from] else {
                self.skip_field(name, &w.within[from])?;
                continue;
            };
            while next < nth && lacks[next] {
                self.lacking_field(&b.names.fields[next], r, next)?;
                lacks[next] = false;
                next += 1;
            }
            if next != nth {
                self.write(SinkCall::Field { index: nth as u32 }, r.ty);
            }
            self.field(&b.names.fields[nth], from, w, nth, r)?;
            next = nth + 1;
        }
        for nth in (0..b.fields.len()).filter(|&nth| lacks[nth]) {
            if next != nth {
                self.write(SinkCall::Field { index: nth as u32 }, r.ty);
            }
            self.lacking_field(&b.names.fields[nth], r, nth)?;
            next = nth + 1;
        }
        self.op(Op::Leave, r.ty);
        self.warn_of_renames(reported);
        Ok(())
    }

    /// Reads the `selected` fields of a row as a row of type `r`, and passes over the others.
    pub(super) fn selected(
        &mut self,
        w: &Numbered<'t>,
        selected: &Selected,
        r: &Numbered<'t>,
    ) -> Result<()> {
        let Selected { fields, is_value } = selected;
        match (w.ty, r.ty) {
            (Type::Struct(a), Type::Struct(b)) if !is_value => return self.structure(a, b, w, r),
            (&Type::Fixed(read, _), &Type::Fixed(made, _)) if !is_value => {
                let [read, made] = [(read, w), (made, r)]
                    .map(|(container, of)| Fields { container, len: of.within.len() as u32 });
                self.op(Op::Enter { read, made, acyclic: r.acyclic }, r.ty);
            }
            _ => {}
        }
        let mut fields = fields.iter().enumerate().peekable();
        for (at, field) in w.within.iter().enumerate() {
            let step = match w.ty {
                Type::Struct(of) => At::Field(&of.names.fields[at]),
                _ => At::Item(at),
            };
            let nth = fields.next_if(|(_, wanted)| **wanted == at).map(|(nth, _)| nth);
            self.within(step, |lower| match nth {
                Some(_) if *is_value => lower.field_alone(field, r),
                Some(nth) => lower.value(field, &r.within[nth], TypeNames::Count),
                None => lower.skip_value(field),
            })?;
        }
        match (is_value, selected.fields.is_empty()) {
            (true, true) => self.write(SinkCall::Null, r.ty),
            (true, false) => {}
            (false, _) => drop(self.op(Op::Leave, r.ty)),
        }
        Ok(())
    }

    /// Reads a field as a value without a struct around it.
    fn field_alone(&mut self, w: &Numbered<'t>, r: &Numbered<'t>) -> Result<()> {
        let Some(from) = w.maybe else { return self.value(w, r, TypeNames::Count) };
        let op = |otherwise, end| Op::IfField { from, otherwise, end };
        self.either(op, r, |lower, is_there| {
            match (is_there, r.ty) {
                (true, _) => lower.value(w, r, TypeNames::Count)?,
                (false, Type::Null) => lower.write(SinkCall::Null, r.ty),
                (false, _) => lower.write(SinkCall::Absent { to: r.first.bits }, r.ty),
            }
            Ok(())
        })
    }

    /// Refuses a field that rows may have by either of two names.
    fn unclear<T>(&mut self, name: &'t Arc<str>, [first, other]: [&str; 2]) -> Result<T> {
        let (first, other) = (Word(first), Word(other));
        self.within(At::Field(name), |lower| {
            lower.refuse(format_args!(
                "a row may have it as {first} or as {other}, and a reader takes it from one of them; \
                 read the rows as dicts, or leave {other} out of the former names"
            ))
        })
    }

    /// Reads field `from` of the writer's struct `w` as field `nth` of the reader's struct `r`.
    fn field(
        &mut self,
        name: &'t Arc<str>,
        from: usize,
        w: &Numbered<'t>,
        nth: usize,
        r: &Numbered<'t>,
    ) -> Result<()> {
        let place = (r.tables.structs, nth as u32);
        let (w, r) = (&w.within[from], &r.within[nth]);
        self.within(At::Field(name), |lower| {
            match (w.maybe, r.maybe) {
                (None, None) => lower.required_field(w, r, place)?,
                (None, Some(to)) => {
                    lower.write(SinkCall::HasField { to }, r.ty);
                    lower.value(w, r, TypeNames::Count)?;
                }
                (Some(from), Some(to)) => {
                    let at = lower.op(Op::Maybe { from, to, end: 0 }, r.ty);
                    lower.value(w, r, TypeNames::Count)?;
                    let end = lower.label();
                    lower.patch(at, Op::Maybe { from, to, end });
                }
                (Some(from), None) => {
                    let op = |otherwise, end| Op::IfField { from, otherwise, end };
                    lower.either(op, r, |lower, is_there| match is_there {
                        true => lower.required_field(w, r, place),
                        false => lower.tolerate(|it| it.lacking(r, place, "it may be missing")),
                    })?;
                }
            }
            Ok(())
        })
    }

    /// Reads a field that is in the row as one that always has a value. If only the writer's may be null, a null
    /// becomes the default.
    fn required_field(
        &mut self,
        w: &Numbered<'t>,
        r: &Numbered<'t>,
        place: (u32, u32),
    ) -> Result<()> {
        let takes_null = matches!(r.ty, Type::Null | Type::Optional(_) | Type::Open(_));
        if takes_null || !matches!(w.ty, Type::Null | Type::Optional(_)) {
            return self.value(w, r, TypeNames::Count);
        }
        self.part(w, r, |lower| {
            if lower.defaults.get(place).is_none() {
                return lower.refuse(format_args!(
                    "it may be null, but {} may not be null; make the field optional, or give it a \
                     default",
                    r.ty
                ));
            }
            let default = |lower: &mut Lower<'t>| {
                lower.report_conversion();
                lower.lacking(r, place, "it may be null")
            };
            if *w.ty == Type::Null {
                lower.skip(|lower| {
                    lower.op(Op::Null { count: 1 }, r.ty);
                    Ok(())
                })?;
                return default(lower);
            }
            let from = w.first.bits;
            let op = |otherwise, end| Op::IfPresent { from, otherwise, end };
            lower.either(op, r, |lower, is_present| match is_present {
                true => lower.value(&w.within[0], r, TypeNames::Count),
                false => default(lower),
            })
        })
    }

    /// Adds an instruction `op` with the two branches that `walk` adds for true and for false. `op` gets the
    /// start of the second branch and its end.
    fn either(
        &mut self,
        op: impl Fn(u32, u32) -> Op,
        r: &Numbered<'t>,
        mut walk: impl FnMut(&mut Lower<'t>, bool) -> Result<()>,
    ) -> Result<()> {
        let at = self.op(op(0, 0), r.ty);
        walk(self, true)?;
        let jump = self.control(Op::Jump { to: 0 });
        let otherwise = self.label();
        walk(self, false)?;
        let end = self.label();
        self.patch(jump, Op::Jump { to: end });
        self.patch(at, op(otherwise, end));
        Ok(())
    }

    /// Skips a field that the reader lacks.
    fn skip_field(&mut self, name: &'t Arc<str>, w: &Numbered<'t>) -> Result<()> {
        self.within(At::Field(name), |lower| {
            lower.report_dropped(w.ty);
            lower.skip_value(w)
        })
    }

    /// Passes over a field.
    fn skip_value(&mut self, w: &Numbered<'t>) -> Result<()> {
        self.skip(|lower| {
            let Some(from) = w.maybe else { return lower.value(w, w, TypeNames::Free) };
            let at = lower.op(Op::Maybe { from, to: from, end: 0 }, w.ty);
            lower.value(w, w, TypeNames::Free)?;
            let end = lower.label();
            lower.patch(at, Op::Maybe { from, to: from, end });
            Ok(())
        })
    }

    /// Writes a field of the reader's struct `r` that the writer lacks.
    fn lacking_field(&mut self, name: &'t Arc<str>, r: &Numbered<'t>, nth: usize) -> Result<()> {
        let place = (r.tables.structs, nth as u32);
        self.within(At::Field(name), |lower| {
            lower.tolerate(|lower| lower.lacking(&r.within[nth], place, LACKS))
        })
    }

    /// Writes the default of a field.
    fn lacking(&mut self, r: &Numbered<'t>, place: (u32, u32), why: &str) -> Result<()> {
        self.step()?;
        let defaults = self.defaults;
        let filling = match (r.maybe, defaults.get(place), r.ty) {
            (Some(_), ..) => Some(Filling::Nothing),
            (None, Some(_), _) => Some(Filling::Default),
            (None, None, Type::Null | Type::Optional(_)) => Some(Filling::Null),
            (None, None, _) => None,
        };
        if let Some(filling) = filling {
            self.report_missing(r.ty, filling, why);
        }
        match (r.maybe, defaults.get(place), r.ty) {
            (Some(to), ..) => self.write(SinkCall::LacksField { to }, r.ty),
            (None, Some(FieldDefault::OfSink), _) => self.write(SinkCall::Default, r.ty),
            (None, Some(FieldDefault::Value(writes)), _) => {
                for write in writes.iter() {
                    self.step()?;
                    let write = write.clone().moved(r.first, r.tables);
                    if let Some(column) = write.str_column() {
                        self.feed(column, None);
                    }
                    self.write(write, r.ty);
                }
            }
            (None, None, Type::Null) => self.write(SinkCall::Null, r.ty),
            (None, None, Type::Optional(_)) => {
                self.write(SinkCall::Absent { to: r.first.bits }, r.ty);
            }
            (None, None, ty) => {
                self.report_needed(ty);
                return self.refuse(format_args!(
                    "{why}, and {ty} has no default; make the field optional, or give it a default"
                ));
            }
        }
        Ok(())
    }
}

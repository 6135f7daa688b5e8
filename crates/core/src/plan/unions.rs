//! How unions are read: which arm of the reader's takes a type, and what becomes of an arm of the writer's that
//! can't be read.

use super::lower::Lower;
use super::numbering::Numbered;
use super::rules::TypeNames;
use super::{Arm, FormerNames, Op};
use crate::error::Result;
use crate::number::Number;
use crate::schema::{Brief, Container, Logical, Type};

impl<'t> Lower<'t> {
    /// Reads a union. An arm that can't be read makes only its values errors, if others can be read. But
    /// a part inside an arm that can't be read is a mistake of the types, as anywhere else.
    pub(super) fn union(&mut self, w: &Numbered<'t>, r: &Numbered<'t>) -> Result<()> {
        let is_union = matches!(r.ty, Type::Union(_));
        let mut arms = w.within.iter().enumerate();
        let same = is_union
            && arms.all(|(i, arm)| arm_for(arm.ty, r.within.iter(), self.former_names) == Some(i));
        if !same || w.within.len() != r.within.len() {
            self.report_conversion();
        }
        let (from, to) = (w.first.ints, r.first.ints);
        let op = |table, end| match same {
            true => Op::Union { table, from, to, end },
            false => Op::Branch { table, from, end },
        };
        let at = self.op(op(0, 0), r.ty);
        let mut arms = Vec::with_capacity(w.within.len());
        let mut jumps = Vec::with_capacity(w.within.len());
        let mut refused = Vec::new();
        for (i, arm) in w.within.iter().enumerate() {
            let table = match arm.ty {
                Type::Enum(_) => arm.tables.enums,
                _ => arm.tables.structs,
            };
            let Some(class) = arm.ty.class(table) else {
                unreachable!("a union's arms have classes: Type::union sees to it")
            };
            arms.push(Arm { class, start: self.label() });
            let target = if same { &r.within[i] } else { r };
            if !self.arm(|lower| lower.value(arm, target, TypeNames::Count))? {
                self.other_arm(arm.ty, r.ty);
                refused.push(arm.ty);
            }
            jumps.push(self.control(Op::Jump { to: 0 }));
        }
        self.report_arms(&refused);
        if refused.len() == w.within.len() {
            return self.refuse(format_args!("none of {} can be read as {}", w.ty, r.ty));
        }
        let end = self.label();
        for jump in jumps {
            self.patch(jump, Op::Jump { to: end });
        }
        let table = self.union_table(arms);
        self.patch(at, op(table, end));
        Ok(())
    }
}

/// Returns the arm of a union that reads values of type `ty`, which must not be a union. The class
/// decides, as in encoding, and then the possible conversions.
pub(super) fn arm_for<'a, 't: 'a>(
    ty: &Type,
    arms: impl Iterator<Item = &'a Numbered<'t>> + Clone,
    former: &FormerNames,
) -> Option<usize> {
    let types = arms.clone().map(|arm| arm.ty);
    let find = |fits: &dyn Fn(&Type) -> bool| types.clone().position(fits);
    let only = |fits: &dyn Fn(&Type) -> bool| {
        find(fits).filter(|first| !types.clone().skip(first + 1).any(fits))
    };
    let only_former = |name: &str, fits: &dyn Fn(&Type) -> bool| {
        let named = arms.clone().enumerate();
        let mut named = named.filter(|(_, arm)| fits(arm.ty) && former.was(arm, name));
        named.next().filter(|_| named.next().is_none()).map(|(at, _)| at)
    };
    let is_sequence = |arm: &Type| matches!(arm, Type::Fixed(..) | Type::Sequence(..));
    match ty {
        Type::Fixed(Container::Tuple, fields) => find(&|arm| match arm {
            Type::Fixed(Container::Tuple, others) => others.len() == fields.len(),
            Type::Sequence(Container::Tuple, _) => true,
            _ => false,
        })
        .or_else(|| only(&is_sequence)),
        Type::Struct(of) if of.is_record() => {
            let same = find(&|arm| matches!(arm, Type::Struct(to) if to.names == of.names));
            let name = &of.names.name;
            same.or_else(|| only(&|arm| matches!(arm, Type::Struct(to) if to.names.name == *name)))
                .or_else(|| only_former(name.as_deref()?, &|arm| matches!(arm, Type::Struct(_))))
                .or_else(|| find(&|arm| matches!(arm, Type::Struct(to) if !to.is_record())))
        }
        Type::Struct(_) => find(&|arm| arm.class(0) == ty.class(0))
            .or_else(|| only(&|arm| matches!(arm, Type::Struct(to) if to.is_record()))),
        Type::Enum(of) => find(&|arm| arm == ty)
            .or_else(|| only(&|arm| matches!(arm, Type::Enum(to) if to.name == of.name)))
            .or_else(|| only_former(&of.name, &|arm| matches!(arm, Type::Enum(_)))),
        Type::Fixed(..) | Type::Sequence(..) => {
            find(&|arm| arm.class(0) == ty.class(0)).or_else(|| only(&is_sequence))
        }
        Type::Logical(Logical::NdArray) => find(&|arm| arm == ty).or_else(|| only(&is_sequence)),
        ty => {
            let is_bytes = |ty: &Type| matches!(ty, Type::Logical(ty) if ty.is_bytes());
            // A union has at most one type of integers, and one of floats.
            let is_float = ty.number().map(Number::is_float);
            let as_number = |as_float| {
                find(&|arm| arm.number().is_some_and(|number| number.is_float() == as_float))
            };
            find(&|arm| arm.class(0) == ty.class(0))
                .or_else(|| if is_bytes(ty) { find(&is_bytes) } else { None })
                .or_else(|| as_number(is_float?))
                .or_else(|| is_float.and_then(|_| as_number(true)))
        }
    }
}

/// Describes a value of `arm`, an arm of the writer's union that can't be read as `reader`.
pub(super) fn other_arm(arm: &Type, reader: &Type) -> String {
    if let Type::Logical(ty) = arm
        && is_other_clock(*ty, reader)
    {
        let has_zone = matches!(ty, Logical::TimeTz | Logical::TimestampTz);
        let has = if has_zone { "a time zone" } else { "no time zone" };
        return format!(
            "the value is a {ty}, which has {has}; read it as {ty}, or as a union of both"
        );
    }
    let (arm, reader) = (Brief(arm), Brief(reader));
    format!("a value of type {arm} can't be read as {reader}; add its type to the reader's")
}

/// Returns whether `ty` is a time with or without a zone, and the reader's type the other of the
/// two.
fn is_other_clock(ty: Logical, reader: &Type) -> bool {
    let other = match ty {
        Logical::Time => Logical::TimeTz,
        Logical::TimeTz => Logical::Time,
        Logical::Timestamp => Logical::TimestampTz,
        Logical::TimestampTz => Logical::Timestamp,
        _ => return false,
    };
    match reader {
        Type::Optional(inner) => is_other_clock(ty, inner),
        reader => *reader == Type::Logical(other),
    }
}

//! Where in a row something is, for error messages.

use std::fmt;

use super::{Op, Plan};
use crate::schema::Type;

/// The fields and elements that lead to a value, from outside in: `3.0.17`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Path(pub Vec<usize>);

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, field) in self.0.iter().enumerate() {
            write!(f, "{}{field}", if i > 0 { "." } else { "" })?;
        }
        Ok(())
    }
}

/// A place in a plan's type: how to get there, and the type that stands there.
#[derive(Clone, Debug)]
pub struct Place {
    /// The fields that lead there.
    pub path: Path,
    /// The type that is expected there.
    pub expected: Type,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.path.0.is_empty() {
            true => write!(f, "({})", self.expected),
            false => write!(f, "field {} ({})", self.path, self.expected),
        }
    }
}

impl Plan {
    /// The place of instruction `at` (of its `nth` field, where it is a run), when the sequences
    /// around it stand at `elements`, from outside in.
    ///
    /// The plan is walked beside the schema again, which is slow and needs no memory in plans.
    pub fn place(&self, at: usize, nth: usize, elements: &[usize]) -> Place {
        let mut walk = Walk { ops: &self.ops, pc: 0, at, nth, path: Vec::new(), found: None };
        walk.ty(self.root(), elements);
        walk.found.unwrap_or(Place { path: Path(Vec::new()), expected: self.root().clone() })
    }
}

struct Walk<'a> {
    ops: &'a [Op],
    pc: usize,
    at: usize,
    nth: usize,
    path: Vec<usize>,
    found: Option<Place>,
}

impl Walk<'_> {
    /// Walk over one type whose instructions begin at `pc`. A run of scalars is one instruction:
    /// it is left only with its last field, which [`Walk::fields`] sees to.
    fn ty(&mut self, ty: &Type, elements: &[usize]) {
        if self.pc == self.at && self.nth == 0 {
            self.find(ty);
        }
        self.pc += 1;
        match ty {
            Type::Optional(inner) => {
                let open = self.found.is_none();
                self.ty(inner, elements);
                // What was expected of the value itself is the optional type as a whole.
                if let Some(place) = self.found.as_mut().filter(|_| open)
                    && place.path.0.len() == self.path.len()
                {
                    place.expected = ty.clone();
                }
            }
            Type::Sequence(_, element) => {
                let (here, inner) = elements.split_first().map_or((0, elements), |(h, r)| (*h, r));
                self.path.push(here);
                self.ty(element, inner);
                self.path.pop();
                self.pc += 1;
            }
            Type::Fixed(_, fields) => {
                self.fields(fields, elements);
                self.pc += 1;
            }
            Type::Union(arms) => {
                for arm in arms {
                    self.ty(arm, elements);
                    self.pc += 1;
                }
            }
            _ => {}
        }
    }

    fn fields(&mut self, fields: &[Type], elements: &[usize]) {
        let mut i = 0;
        while i < fields.len() {
            let run = match self.ops.get(self.pc) {
                Some(
                    Op::I64 { count, .. }
                    | Op::F64 { count, .. }
                    | Op::Str { count, .. }
                    | Op::Bool { count, .. }
                    | Op::Null { count },
                ) => (*count as usize).max(1),
                _ => 1,
            };
            if self.pc == self.at && self.nth < run && i + self.nth < fields.len() {
                self.path.push(i + self.nth);
                self.find(&fields[i + self.nth]);
                self.path.pop();
            }
            self.path.push(i);
            self.ty(&fields[i], elements);
            self.path.pop();
            i += run;
        }
    }

    fn find(&mut self, ty: &Type) {
        if self.found.is_none() {
            self.found = Some(Place { path: Path(self.path.clone()), expected: ty.clone() });
        }
    }
}

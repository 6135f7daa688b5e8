//! Where in a row an instruction stood, for error messages.

use super::{Op, Plan};
use crate::path::{Path, Step};
use crate::schema::Type;

/// A place in a plan's type: how to get there, and the type that stands there.
#[derive(Clone, Debug)]
pub struct Place {
    /// The steps that lead there.
    pub path: Path,
    /// The type that is expected there.
    pub expected: Type,
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
    path: Vec<Step>,
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
                let (here, inner) = first(elements);
                self.step(Step::Item(here), element, inner);
                self.end(ty);
            }
            Type::Map(key, value) => {
                let (here, inner) = first(elements);
                // Both walks are given the elements around them: one of the two has no use for them.
                self.step(Step::Key(here), key, inner);
                self.step(Step::Value(here), value, inner);
                self.end(ty);
            }
            Type::Fixed(_, fields) => {
                let steps = (0..fields.len()).map(Step::Item);
                self.fields(steps.zip(fields).collect(), elements);
                self.end(ty);
            }
            Type::Struct(of) => {
                // A field that may be missing has an instruction before its own, and is in no run.
                let mut run = Vec::new();
                for (name, field) in of.named() {
                    if !field.maybe {
                        run.push((Step::Field(name.clone()), &field.ty));
                        continue;
                    }
                    self.fields(std::mem::take(&mut run), elements);
                    self.path.push(Step::Field(name.clone()));
                    if self.pc == self.at && self.nth == 0 {
                        self.find(&field.ty);
                    }
                    self.pc += 1;
                    self.ty(&field.ty, elements);
                    self.path.pop();
                }
                self.fields(run, elements);
                self.end(ty);
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

    /// Walk over the instruction that ends a container, with which it is made as a whole.
    fn end(&mut self, ty: &Type) {
        if self.pc == self.at {
            self.find(ty);
        }
        self.pc += 1;
    }

    fn step(&mut self, step: Step, ty: &Type, elements: &[usize]) {
        self.path.push(step);
        self.ty(ty, elements);
        self.path.pop();
    }

    fn fields(&mut self, fields: Vec<(Step, &Type)>, elements: &[usize]) {
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
                let (step, ty) = &fields[i + self.nth];
                self.path.push(step.clone());
                self.find(ty);
                self.path.pop();
            }
            let (step, ty) = &fields[i];
            self.step(step.clone(), ty, elements);
            i += run;
        }
    }

    fn find(&mut self, ty: &Type) {
        if self.found.is_none() {
            self.found = Some(Place { path: Path(self.path.clone()), expected: ty.clone() });
        }
    }
}

/// The first of `elements`, and the others.
fn first(elements: &[usize]) -> (usize, &[usize]) {
    elements.split_first().map_or((0, elements), |(first, others)| (*first, others))
}

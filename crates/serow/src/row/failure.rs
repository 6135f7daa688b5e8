//! Where a value is that can't be written or read. The path is made while the stack unwinds, so it costs nothing
//! before.

use std::fmt;

use serow_core::error::Fault;
use serow_core::path::{Path, PathStep};
use serow_core::plan::TypePath;
use serow_core::schema::Type;

use super::Row;

/// Why and where a row can't be written or read. It is small while nothing failed.
#[derive(Debug, Default)]
pub struct Failure(Option<Box<Told>>);

#[derive(Debug, Default)]
struct Told {
    /// What a type said about a value that it refused.
    said: Option<String>,
    /// The type that the value should have, if known.
    expected: Option<Type>,
    /// The steps to the value, innermost first.
    steps: Vec<PathStep>,
}

impl Failure {
    /// Returns what a type said.
    pub(super) fn said(&self) -> String {
        self.0.as_ref().and_then(|told| told.said.clone()).unwrap_or_default()
    }

    fn told(&mut self) -> &mut Told {
        self.0.get_or_insert_default()
    }

    // What fails takes only this, so that the rest can be in registers while nothing does.

    #[cold]
    pub(super) fn refused(&mut self, why: impl fmt::Display, ty: fn() -> Type) -> Fault {
        let told = self.told();
        (told.said, told.expected) = (Some(why.to_string()), Some(ty()));
        Fault::Unrepresentable
    }

    /// Says the type of the value.
    #[cold]
    pub(super) fn of_type(&mut self, ty: fn() -> Type) {
        self.told().expected = Some(ty());
    }

    /// Returns the place in a row of type `root`.
    pub(super) fn place(&mut self, root: impl FnOnce() -> Type) -> TypePath {
        let told = self.told();
        told.steps.reverse();
        let path = Path(std::mem::take(&mut told.steps));
        let expected = match told.expected.take() {
            Some(expected) => expected,
            None => {
                let root = root();
                root.at(&path).cloned().unwrap_or(root)
            }
        };
        TypePath { path, expected }
    }

    /// A value that `step` leads to failed. Its type, if it is known, matters only if nothing in it failed before.
    #[cold]
    #[inline(never)]
    fn at(&mut self, step: PathStep, fault: Fault, ty: Option<fn() -> Type>) -> Fault {
        let told = self.told();
        if told.expected.is_none() && told.steps.is_empty() {
            told.expected = ty.map(|ty| ty());
        }
        told.steps.push(step);
        fault
    }

    #[cold]
    #[inline(never)]
    pub(super) fn in_field(&mut self, name: &str, fault: Fault, ty: Option<fn() -> Type>) -> Fault {
        self.at(PathStep::Field(name.into()), fault, ty)
    }

    #[cold]
    #[inline(never)]
    pub(super) fn in_item(&mut self, index: usize, fault: Fault, ty: fn() -> Type) -> Fault {
        self.at(PathStep::Item(index), fault, Some(ty))
    }

    /// The key of entry `entry` of a map. Keys of the type `K` that can't be keys in every language are in pairs.
    #[cold]
    pub(super) fn in_key<K: Row>(&mut self, entry: usize, fault: Fault) -> Fault {
        self.in_entry::<K>(entry, [PathStep::Key(entry), PathStep::Item(0)], fault, K::ty)
    }

    /// Like [`in_key`](Failure::in_key), for the value.
    #[cold]
    pub(super) fn in_value<K: Row, V: Row>(&mut self, entry: usize, fault: Fault) -> Fault {
        self.in_entry::<K>(entry, [PathStep::Value(entry), PathStep::Item(1)], fault, V::ty)
    }

    fn in_entry<K: Row>(
        &mut self,
        entry: usize,
        [in_map, in_pair]: [PathStep; 2],
        fault: Fault,
        ty: fn() -> Type,
    ) -> Fault {
        if K::IS_HASHABLE {
            return self.at(in_map, fault, Some(ty));
        }
        self.at(in_pair, fault, Some(ty));
        self.at(PathStep::Item(entry), fault, None)
    }
}

//! How the values of a type are read.

use std::fmt;

use serow_core::error::Fault;
use serow_core::layout::{Components, NumberType, Numbers, OpResult, Source};
use serow_core::memory;
use serow_core::path::{Path, PathStep};
use serow_core::plan::{Arm, TypePath};
use serow_core::schema::{Class, Container, Logical, Type};

use super::writing::count;
use super::{Place, ReadRow, Row};
use crate::dictionary::{Dictionary, bytes_of, text_of};

/// A source that gives the values of a row.
pub struct Reading<'s, S> {
    pub(super) source: &'s mut S,
    pub(super) dictionaries: &'s [Dictionary],
    pub(super) failure: &'s mut Failure,
    /// The number of elements of the row so far.
    pub(super) elements: usize,
}

/// Why and where a row can't be read.
#[derive(Debug, Default)]
pub struct Failure {
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
        self.said.clone().unwrap_or_default()
    }

    /// Returns the place in a row of type `root`.
    pub(super) fn place(&mut self, root: impl FnOnce() -> Type) -> TypePath {
        self.steps.reverse();
        let path = Path(std::mem::take(&mut self.steps));
        let expected = match self.expected.take() {
            Some(expected) => expected,
            None => {
                let root = root();
                root.at(&path).cloned().unwrap_or(root)
            }
        };
        TypePath { path, expected }
    }
}

/// Stands for the arms of any union: a source looks only at how many there are.
const ARMS: [Arm; MAX_ARMS] = [Arm { class: Class::Bool, start: 0 }; MAX_ARMS];
const MAX_ARMS: usize = serow_core::limits::MAX_ARMS;

/// The most memory that is reserved for the elements of a sequence before they are read. A message may claim
/// many elements.
const MAX_RESERVED: usize = 1 << 20;

impl<S: Source> Reading<'_, S> {
    /// Enters a record, whose fields follow.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn enter_record(&mut self, at: Place, fields: u32) -> OpResult {
        self.source.enter(Container::Struct(at.structs), fields)
    }

    /// Enters a tuple, whose fields follow.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn enter_tuple(&mut self, fields: u32) -> OpResult {
        self.source.enter(Container::Tuple, fields)
    }

    /// Leaves a record, a tuple or a sequence.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn leave(&mut self) {
        self.source.leave();
    }

    /// Reads which of `arms` arms of a union the next value has.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn arm(&mut self, at: Place, arms: usize) -> OpResult<usize> {
        self.source.arm(&ARMS[..arms], at.ints)
    }

    /// Reads which of `members` members of an enum the next value is.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn member(&mut self, at: Place, members: u32) -> OpResult<i64> {
        self.source.member(at.enums, members, at.ints)
    }

    /// Reads a null.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn null(&mut self) -> OpResult {
        self.source.null()
    }

    /// Reads the field `name` of a record.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn field<T: ReadRow>(&mut self, name: &'static str, at: Place) -> OpResult<T> {
        match T::read(self, at) {
            Ok(field) => Ok(field),
            Err(fault) => Err(self.failed_in_field(name, fault)),
        }
    }

    /// Reads field `index` of a tuple.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn item<T: ReadRow>(&mut self, index: usize, at: Place) -> OpResult<T> {
        match T::read(self, at) {
            Ok(item) => Ok(item),
            Err(fault) => Err(self.failed_in(PathStep::Item(index), fault)),
        }
    }

    /// The field `name` can't be made of what was read, because of `why`.
    #[cold]
    pub fn refused_field<T: Row>(&mut self, name: &'static str, why: impl fmt::Display) -> Fault {
        let fault = self.refused::<T>(why);
        self.failed_in_field(name, fault)
    }

    /// Like [`refused_field`](Reading::refused_field), for a field of a tuple.
    #[cold]
    pub fn refused_item<T: Row>(&mut self, index: usize, why: impl fmt::Display) -> Fault {
        let fault = self.refused::<T>(why);
        self.failed_in(PathStep::Item(index), fault)
    }

    /// A union or enum has a value that the source should have refused.
    #[cold]
    pub fn no_variant(&self) -> Fault {
        Fault::Corrupt("a union has an arm that its schema lacks")
    }

    /// A value was read that is none of `T`, because of `why`.
    #[cold]
    pub fn refused<T: Row>(&mut self, why: impl fmt::Display) -> Fault {
        self.failure.said = Some(why.to_string());
        self.failure.expected = Some(T::ty());
        Fault::Unrepresentable
    }

    /// The contents of a variant failed, which are the only field of its record.
    #[cold]
    pub fn failed_in_contents(&mut self, fault: Fault) -> Fault {
        self.failed_in_field(super::CONTENTS, fault)
    }

    #[cold]
    fn failed_in_field(&mut self, name: &str, fault: Fault) -> Fault {
        self.failed_in(PathStep::Field(name.into()), fault)
    }

    #[cold]
    #[inline(never)]
    pub(super) fn failed_in(&mut self, step: PathStep, fault: Fault) -> Fault {
        self.failure.steps.push(step);
        fault
    }

    /// The key of entry `entry` of a map failed. Keys of the type `K` that can't be keys in every language are in
    /// pairs.
    #[cold]
    pub(super) fn failed_in_key<K: Row>(&mut self, entry: usize, fault: Fault) -> Fault {
        self.failed_in_entry::<K>(entry, [PathStep::Key(entry), PathStep::Item(0)], fault)
    }

    /// Like [`failed_in_key`](Reading::failed_in_key), for the value.
    #[cold]
    pub(super) fn failed_in_value<K: Row>(&mut self, entry: usize, fault: Fault) -> Fault {
        self.failed_in_entry::<K>(entry, [PathStep::Value(entry), PathStep::Item(1)], fault)
    }

    fn failed_in_entry<K: Row>(
        &mut self,
        entry: usize,
        [in_map, in_pair]: [PathStep; 2],
        fault: Fault,
    ) -> Fault {
        if K::IS_HASHABLE {
            return self.failed_in(in_map, fault);
        }
        self.failed_in(in_pair, fault);
        self.failed_in(PathStep::Item(entry), fault)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn present(&mut self, at: Place) -> OpResult<bool> {
        self.source.present(at.bits)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn bool(&mut self, at: Place) -> OpResult<bool> {
        self.source.bool(at.bits)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn i64(&mut self, at: Place) -> OpResult<i64> {
        self.source.i64(at.ints)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn f64(&mut self, at: Place) -> OpResult<f64> {
        self.source.f64(at.floats)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn str(&mut self, at: Place) -> OpResult<&str> {
        let text = self.source.str(at.strs)?;
        text_of(self.dictionaries, at.strs, text)
    }

    /// Reads the components of a value of a logical type, and its bytes.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn logical(&mut self, at: Place, ty: Logical) -> OpResult<(Components<'_>, &[u8])> {
        let components = self.source.logical(ty, at.component_columns())?;
        if ty.counts().bytes == 0 {
            return Ok((components, &[]));
        }
        Ok((components, bytes_of(self.dictionaries, at.strs, components.bytes)?))
    }

    /// Enters a sequence, whose elements have the columns `of`, and returns its length.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn sequence(
        &mut self,
        container: Container,
        at: Place,
        of: Place,
    ) -> OpResult<usize> {
        let len = self.source.sequence(container, at.ints, of.is_zero_sized())?;
        self.elements = count(self.elements, len)?;
        Ok(len)
    }

    /// Reads a sequence.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn vec<T: ReadRow>(&mut self, container: Container, at: Place) -> OpResult<Vec<T>> {
        let len = self.sequence(container, at, T::COLUMNS)?;
        let mut items = reserved(len)?;
        T::read_elements(self, at.and(Place::INT), len, &mut items)?;
        self.leave();
        Ok(items)
    }

    /// Reads `len` elements of a sequence one by one, and passes each on.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn each<T: ReadRow>(
        &mut self,
        at: Place,
        len: usize,
        mut take: impl FnMut(T) -> OpResult,
    ) -> OpResult {
        for index in 0..len {
            let taken = T::read(self, at).and_then(&mut take);
            if let Err(fault) = taken {
                return Err(self.failed_in(PathStep::Item(index), fault));
            }
        }
        Ok(())
    }

    /// Reads `len` elements that are integers, as many at once as lie in memory one after another.
    pub(super) fn integers<T: ReadRow>(
        &mut self,
        at: Place,
        len: usize,
        items: &mut Vec<T>,
        of: impl Fn(i64) -> Option<T>,
    ) -> OpResult {
        self.numbers(NumberType::I64, (at, at.ints), len, items, |ready, items| match ready {
            Numbers::I64(ready) => extend(items, ready, &of),
            _ => Ok(()),
        })
    }

    /// Like [`integers`](Reading::integers), for floats.
    pub(super) fn floats<T: ReadRow>(
        &mut self,
        at: Place,
        len: usize,
        items: &mut Vec<T>,
        of: impl Fn(f64) -> Option<T>,
    ) -> OpResult {
        self.numbers(NumberType::F64, (at, at.floats), len, items, |ready, items| match ready {
            Numbers::F64(ready) => extend(items, ready, &of),
            _ => Ok(()),
        })
    }

    fn numbers<T: ReadRow>(
        &mut self,
        of: NumberType,
        (at, column): (Place, u32),
        len: usize,
        items: &mut Vec<T>,
        take: impl Fn(Numbers<'_>, &mut Vec<T>) -> Result<(), String>,
    ) -> OpResult {
        while items.len() < len {
            let before = items.len();
            let ready = self.source.ready_numbers(of, column, len - before);
            memory::reserve(items, ready.len().max(1))?;
            if let Err(why) = take(ready, items) {
                let fault = self.refused::<T>(why);
                return Err(self.failed_in(PathStep::Item(items.len()), fault));
            }
            if items.len() == before {
                match T::read(self, at) {
                    Ok(item) => items.push(item),
                    Err(fault) => return Err(self.failed_in(PathStep::Item(before), fault)),
                }
            }
        }
        Ok(())
    }
}

/// Appends numbers of a type, or those before the first that is none of it, and says why.
fn extend<T, N: Copy + fmt::Display>(
    items: &mut Vec<T>,
    ready: &[N],
    of: &impl Fn(N) -> Option<T>,
) -> Result<(), String> {
    for &v in ready {
        match of(v) {
            Some(item) => items.push(item),
            None => return Err(beyond::<T>(v)),
        }
    }
    Ok(())
}

/// Says that a number is none of the type `T`.
#[cold]
pub(super) fn beyond<T>(v: impl fmt::Display) -> String {
    format!("{v} does not fit {}", std::any::type_name::<T>())
}

/// Returns an empty vector with memory for `len` elements, but for no more than [`MAX_RESERVED`] bytes.
pub(super) fn reserved<T>(len: usize) -> OpResult<Vec<T>> {
    let most = MAX_RESERVED / size_of::<T>().max(1);
    memory::with_capacity(len.min(most.max(1)))
}

//! How the values of a type are read.

use std::borrow::Cow;
use std::fmt;

use serow_core::error::Fault;
use serow_core::layout::{Components, NumberType, Numbers, OpResult, Source};
use serow_core::memory;
use serow_core::plan::Arm;
use serow_core::schema::{Class, Container, Logical, Type};

use super::failure::Failure;
use super::writing::count;
use super::{Place, ReadRow, Row};
use crate::dictionary::{Dictionary, bytes_of, text_of};

/// A source that gives the values of a row.
pub struct Reading<'s, 'm, S> {
    pub(super) source: &'s mut S,
    /// What is read, if it is not read from a copy or from something else. It is empty otherwise.
    pub(super) message: &'m [u8],
    pub(super) dictionaries: &'s [Dictionary],
    pub(super) failure: &'s mut Failure,
    /// The number of elements of the row so far.
    pub(super) elements: usize,
}

/// Stands for the arms of any union: a source looks only at how many there are.
const ARMS: [Arm; MAX_ARMS] = [Arm { class: Class::Bool, start: 0 }; MAX_ARMS];
const MAX_ARMS: usize = serow_core::limits::MAX_ARMS;

/// The most memory that is reserved for the elements of a sequence before they are read. A message may claim
/// many elements.
const MAX_RESERVED: usize = 1 << 20;

impl<'m, S: Source> Reading<'_, 'm, S> {
    /// Reads a row to its end.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn row<T: ReadRow<'m>>(mut self) -> OpResult<T> {
        let made = T::read(&mut self, Place::NONE)?;
        self.source.end_row()?;
        Ok(made)
    }

    /// Reads a row to its end, in the place of another.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn row_over<T: ReadRow<'m>>(mut self, row: &mut T) -> OpResult {
        row.read_over(&mut self, Place::NONE)?;
        self.source.end_row()
    }

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
    pub fn field<T: ReadRow<'m>>(&mut self, name: &'static str, at: Place) -> OpResult<T> {
        match T::read(self, at) {
            Ok(field) => Ok(field),
            Err(fault) => Err(self.failure.in_field(name, fault, Some(T::ty))),
        }
    }

    /// Reads field `index` of a tuple.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn item<T: ReadRow<'m>>(&mut self, index: usize, at: Place) -> OpResult<T> {
        match T::read(self, at) {
            Ok(item) => Ok(item),
            Err(fault) => Err(self.failure.in_item(index, fault, T::ty)),
        }
    }

    /// Like [`field`](Reading::field), in the place of a value that exists.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn field_over<T: ReadRow<'m>>(
        &mut self,
        name: &'static str,
        at: Place,
        field: &mut T,
    ) -> OpResult {
        field.read_over(self, at).map_err(|fault| self.failure.in_field(name, fault, Some(T::ty)))
    }

    /// Like [`item`](Reading::item), in the place of a value that exists.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn item_over<T: ReadRow<'m>>(&mut self, index: usize, at: Place, item: &mut T) -> OpResult {
        item.read_over(self, at).map_err(|fault| self.failure.in_item(index, fault, T::ty))
    }

    /// The field `name` can't be made of what was read, because of `why`.
    #[inline(always)]
    pub fn refused_field<T: Row>(&mut self, name: &'static str, why: impl fmt::Display) -> Fault {
        let fault = self.refused::<T>(why);
        self.failure.in_field(name, fault, None)
    }

    /// Like [`refused_field`](Reading::refused_field), for a field of a tuple.
    #[inline(always)]
    pub fn refused_item<T: Row>(&mut self, index: usize, why: impl fmt::Display) -> Fault {
        let fault = self.refused::<T>(why);
        self.failure.in_item(index, fault, T::ty)
    }

    /// A union or enum has a value that the source should have refused.
    #[cold]
    pub fn no_variant(&self) -> Fault {
        Fault::Corrupt("a union has an arm that its schema lacks")
    }

    /// A value was read that is none of `T`, because of `why`.
    #[inline(always)]
    pub fn refused<T: Row>(&mut self, why: impl fmt::Display) -> Fault {
        self.failure.refused(why, T::ty)
    }

    /// A sequence has `len` elements, but an array of `T` has `own`.
    #[inline(always)]
    pub(super) fn refused_len<T: Row>(&mut self, what: &str, len: usize, own: usize) -> Fault {
        self.refused::<T>(format_args!("the {what} has {len} elements, not {own}"))
    }

    /// The contents of a variant failed, which are the only field of its record.
    #[inline(always)]
    pub fn failed_in_contents(&mut self, fault: Fault, ty: Option<fn() -> Type>) -> Fault {
        self.failure.in_field(super::CONTENTS, fault, ty)
    }

    /// The key of entry `entry` of a map failed. Keys of the type `K` that can't be keys in every language are in
    /// pairs.
    #[inline(always)]
    pub(super) fn failed_in_key<K: Row>(&mut self, entry: usize, fault: Fault) -> Fault {
        self.failure.in_key::<K>(entry, fault)
    }

    /// Like [`failed_in_key`](Reading::failed_in_key), for the value.
    #[inline(always)]
    pub(super) fn failed_in_value<K: Row, V: Row>(&mut self, entry: usize, fault: Fault) -> Fault {
        self.failure.in_value::<K, V>(entry, fault)
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

    /// Reads a text, from the message if it has the text as it is.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn text(&mut self, at: Place) -> OpResult<Cow<'m, str>> {
        let message = self.message;
        let text = self.str(at)?;
        Ok(match within(message, text.as_bytes()) {
            // SAFETY: these are the bytes of a text.
            Some(bytes) => Cow::Borrowed(unsafe { std::str::from_utf8_unchecked(bytes) }),
            None => Cow::Owned(text.to_owned()),
        })
    }

    /// Reads a value of type `bytes`.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn bytes(&mut self, at: Place) -> OpResult<&[u8]> {
        self.logical(at, Logical::Bytes).map(|(_, bytes)| bytes)
    }

    /// Like [`text`](Reading::text), for bytes.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn slice(&mut self, at: Place) -> OpResult<Cow<'m, [u8]>> {
        let message = self.message;
        let bytes = self.bytes(at)?;
        Ok(match within(message, bytes) {
            Some(bytes) => Cow::Borrowed(bytes),
            None => Cow::Owned(bytes.to_owned()),
        })
    }

    /// Reads a list that is never bytes.
    pub(super) fn list<T: ReadRow<'m>>(&mut self, at: Place) -> OpResult<Vec<T>> {
        let mut items = Vec::new();
        self.sequence_over(Container::List, at, &mut items)?;
        Ok(items)
    }

    /// Reads a sequence in the place of `items`.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn sequence_over<T: ReadRow<'m>>(
        &mut self,
        container: Container,
        at: Place,
        items: &mut Vec<T>,
    ) -> OpResult {
        let len = self.sequence(container, at, T::COLUMNS)?;
        let at = at.and(Place::INT);
        if items.is_empty() || !std::mem::needs_drop::<T>() {
            items.clear();
            reserve(items, len)?;
            T::read_elements(self, at, len, items)?;
        } else {
            items.truncate(len);
            for (index, item) in items.iter_mut().enumerate() {
                item.read_over(self, at)
                    .map_err(|fault| self.failure.in_item(index, fault, T::ty))?;
            }
            self.append(at, len, items)?;
        }
        self.leave();
        Ok(())
    }

    /// Reads elements of a sequence one by one until there are `len`.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn append<T: ReadRow<'m>>(
        &mut self,
        at: Place,
        len: usize,
        items: &mut Vec<T>,
    ) -> OpResult {
        while items.len() < len {
            if items.len() == items.capacity() {
                reserve(items, len - items.len())?;
            }
            match T::read(self, at) {
                Ok(item) => items.push(item),
                Err(fault) => return Err(self.failure.in_item(items.len(), fault, T::ty)),
            }
        }
        Ok(())
    }

    /// Reads `len` elements that are integers, as many at once as lie in memory one after another.
    pub(super) fn integers<T: ReadRow<'m>>(
        &mut self,
        at: Place,
        ty: NumberType,
        len: usize,
        items: &mut Vec<T>,
        of: impl Fn(i64) -> T,
    ) -> OpResult {
        self.numbers(ty, (at, at.ints), len, items, |ready, items| match ready {
            Numbers::I64(ready) | Numbers::Ints(_, [ready, _]) => {
                items.extend(ready.iter().map(|&v| of(v)));
            }
            _ => {}
        })
    }

    /// Like [`integers`](Reading::integers), for floats.
    pub(super) fn floats<T: ReadRow<'m>>(
        &mut self,
        at: Place,
        ty: NumberType,
        len: usize,
        items: &mut Vec<T>,
        of_single: impl Fn(f32) -> T,
        of_double: impl Fn(f64) -> T,
    ) -> OpResult {
        self.numbers(ty, (at, at.floats), len, items, |ready, items| match ready {
            Numbers::F32(ready) => items.extend(ready.iter().map(|&v| of_single(v))),
            Numbers::F64(ready) => items.extend(ready.iter().map(|&v| of_double(v))),
            _ => {}
        })
    }

    fn numbers<T: ReadRow<'m>>(
        &mut self,
        of: NumberType,
        (at, column): (Place, u32),
        len: usize,
        items: &mut Vec<T>,
        take: impl Fn(Numbers<'_>, &mut Vec<T>),
    ) -> OpResult {
        while items.len() < len {
            let before = items.len();
            let ready = self.source.ready_numbers(of, column, len - before);
            memory::reserve(items, ready.len().max(1))?;
            take(ready, items);
            if items.len() == before {
                match T::read(self, at) {
                    Ok(item) => items.push(item),
                    Err(fault) => return Err(self.failure.in_item(before, fault, T::ty)),
                }
            }
        }
        Ok(())
    }
}

/// Says that a number is none of the type `T`.
#[cold]
pub(super) fn beyond<T>(v: impl fmt::Display) -> String {
    format!("{v} does not fit {}", std::any::type_name::<T>())
}

/// Reserves memory for `len` elements, but for no more than [`MAX_RESERVED`] bytes.
pub(super) fn reserve<T>(items: &mut Vec<T>, len: usize) -> OpResult {
    let most = MAX_RESERVED / size_of::<T>().max(1);
    memory::reserve(items, len.min(most.max(1)))
}

/// Returns the part of the message that is `part`, if it is there.
#[cfg_attr(not(debug_assertions), inline(always))]
fn within<'m>(message: &'m [u8], part: &[u8]) -> Option<&'m [u8]> {
    let begin = part.as_ptr().addr().wrapping_sub(message.as_ptr().addr());
    message.get(begin..begin.checked_add(part.len())?)
}

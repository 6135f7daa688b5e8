//! How the values of a type are written.

use serow_core::error::Fault;
use serow_core::layout::{Components, Numbers, OpResult, Sink, TOO_MANY_ELEMENTS, Text};
use serow_core::limits::{CONTAINER_ELEMENTS, MAX_ROW_ELEMENTS};
use serow_core::schema::{Container, Logical, Type};

use super::failure::Failure;
use super::{Place, Row};

/// A sink that receives the values of a row.
pub struct Writing<'k, K> {
    pub(super) sink: &'k mut K,
    pub(super) failure: &'k mut Failure,
    /// The number of elements of the row so far.
    pub(super) elements: usize,
}

/// Numbers that are converted before a sink gets them.
const CONVERTED_AT_ONCE: usize = 128;

impl<K: Sink> Writing<'_, K> {
    /// Begins a record, whose fields follow.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn enter_record(&mut self, at: Place, fields: u32) -> OpResult {
        self.sink.enter(Container::Struct(at.structs), fields, false)
    }

    /// Begins a tuple, whose fields follow.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn enter_tuple(&mut self, fields: u32) -> OpResult {
        self.sink.enter(Container::Tuple, fields, true)
    }

    /// Ends a record, a tuple or a sequence.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn leave(&mut self) -> OpResult {
        self.sink.leave()
    }

    /// Writes the arm of the value of a union that follows.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn arm(&mut self, at: Place, arm: usize) -> OpResult {
        self.sink.arm(at.ints, arm)
    }

    /// Writes a member of an enum.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn member(&mut self, at: Place, index: u32) -> OpResult {
        self.sink.member(at.enums, at.ints, index.into())
    }

    /// Writes a null.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn null(&mut self) -> OpResult {
        self.sink.null()
    }

    /// Writes the field `name` of a record.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn field<T: Row + ?Sized>(&mut self, name: &'static str, value: &T, at: Place) -> OpResult {
        value.write(self, at).map_err(|fault| self.failure.in_field(name, fault, Some(T::ty)))
    }

    /// Writes field `index` of a tuple, or an element of a sequence.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn item<T: Row + ?Sized>(&mut self, index: usize, value: &T, at: Place) -> OpResult {
        value.write(self, at).map_err(|fault| self.failure.in_item(index, fault, T::ty))
    }

    /// A value of `T` can't be written, because of `why`.
    #[inline(always)]
    pub(super) fn refused<T: Row + ?Sized>(&mut self, why: &'static str) -> Fault {
        self.failure.of_type(T::ty);
        Fault::Corrupt(why)
    }

    /// The contents of a variant failed, which are the only field of its record.
    #[inline(always)]
    pub fn failed_in_contents(&mut self, fault: Fault, ty: Option<fn() -> Type>) -> Fault {
        self.failure.in_field(super::CONTENTS, fault, ty)
    }

    /// Says whether an optional value follows.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn present(&mut self, at: Place, is_present: bool) -> OpResult {
        if is_present { self.sink.present(at.bits) } else { self.sink.absent(at.bits) }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn bool(&mut self, at: Place, v: bool) -> OpResult {
        self.sink.bool(at.bits, v)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn i64(&mut self, at: Place, v: i64) -> OpResult {
        self.sink.i64(at.ints, v)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn f64(&mut self, at: Place, v: f64) -> OpResult {
        self.sink.f64(at.floats, v)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn str(&mut self, at: Place, v: &str) -> OpResult {
        self.sink.str(at.strs, Text::plain(v.as_bytes()))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn logical(&mut self, at: Place, ty: Logical, v: Components<'_>) -> OpResult {
        self.sink.logical(ty, at.component_columns(), v)
    }

    /// Begins a sequence of `len` elements.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn sequence(&mut self, container: Container, at: Place, len: usize) -> OpResult {
        self.elements = count(self.elements, len)?;
        self.sink.sequence(container, at.ints, len, false)
    }

    /// Writes a sequence whose elements lie in memory one after another.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn slice<T: Row>(
        &mut self,
        container: Container,
        at: Place,
        items: &[T],
    ) -> OpResult {
        self.sequence(container, at, items.len())?;
        T::write_elements(items, self, at.and(Place::INT))?;
        self.leave()
    }

    /// Writes a sequence of any elements.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn each<'t, T: Row + 't>(
        &mut self,
        at: Place,
        items: impl ExactSizeIterator<Item = &'t T>,
    ) -> OpResult {
        self.sequence(Container::List, at, items.len())?;
        self.items(items, at.and(Place::INT))?;
        self.leave()
    }

    /// Writes the elements of a sequence one by one.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn items<'t, T: Row + 't>(
        &mut self,
        items: impl Iterator<Item = &'t T>,
        at: Place,
    ) -> OpResult {
        for (index, item) in items.enumerate() {
            self.item(index, item, at)?;
        }
        Ok(())
    }

    /// Writes elements of a sequence that are integers of a size.
    pub(super) fn integers<T: Copy>(
        &mut self,
        at: Place,
        ty: Logical,
        items: &[T],
        of: impl Fn(T) -> i64,
    ) -> OpResult {
        let mut converted = [0; CONVERTED_AT_ONCE];
        for some in items.chunks(CONVERTED_AT_ONCE) {
            converted.iter_mut().zip(some).for_each(|(to, v)| *to = of(*v));
            self.sink.numbers(at.ints, Numbers::Ints(ty, [&converted[..some.len()], &[]]))?;
        }
        Ok(())
    }

    pub(super) fn numbers(&mut self, column: u32, v: Numbers<'_>) -> OpResult {
        self.sink.numbers(column, v)
    }
}

/// Adds the `len` elements of a sequence to the number of a row's elements.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn count(elements: usize, len: usize) -> OpResult<usize> {
    match elements.saturating_add(len.saturating_add(CONTAINER_ELEMENTS)) {
        more if more > MAX_ROW_ELEMENTS => too_many(),
        more => Ok(more),
    }
}

#[cold]
fn too_many() -> Result<usize, Fault> {
    Err(TOO_MANY_ELEMENTS)
}

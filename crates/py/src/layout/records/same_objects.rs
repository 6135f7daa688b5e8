//! Rules for rows that must decode to exactly the same objects.
//!
//! A message names no classes that a reader could import. So such rows may contain instances of one
//! class of records only, which writer and reader both know. A message repeats a shared object at
//! each place, so rows that share objects very often are refused.

use std::cell::{Cell, RefCell};
use std::collections::HashSet;

use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::PyType;
use serow_core::limits::CONTAINER_ELEMENTS;

use super::super::{Object, is_exactly};

/// Maximum elements in repeated containers during inference. A format that stores a shared
/// container once is better for more.
const MAX_MET_AGAIN: usize = 1 << 18;

/// What such rows may contain, and the containers that occurred.
pub struct SameObjects {
    row: Py<PyType>,
    met: RefCell<HashSet<usize>>,
    again: Cell<usize>,
}

impl SameObjects {
    /// `row` is the class of records.
    pub fn new(row: Py<PyType>) -> SameObjects {
        SameObjects { row, met: RefCell::default(), again: Cell::new(0) }
    }

    /// Whether `object` is a record.
    ///
    /// # Safety
    /// `object` must be alive.
    #[inline(always)]
    pub unsafe fn is_row(&self, object: Object) -> bool {
        // SAFETY: the caller's promise.
        unsafe { is_exactly(object, self.row.as_ptr().cast()) }
    }

    /// Records a container of `len` elements. Returns whether containers have been repeated too
    /// often.
    ///
    /// # Safety
    /// `object` must stay alive until all objects of the rows have been recorded, and the GIL must
    /// be held.
    pub unsafe fn is_met_too_often(&self, object: Object, len: usize) -> bool {
        // SAFETY: the caller's promise.
        let is_in_one_place = unsafe { ffi::Py_REFCNT(object) } == 1;
        if is_in_one_place {
            return false;
        }
        let mut met = self.met.borrow_mut();
        // Without memory to record it, assume that it occurs too often.
        if met.try_reserve(1).is_err() {
            return true;
        }
        if met.insert(object as usize) {
            return false;
        }
        let again = self.again.get().saturating_add(len).saturating_add(CONTAINER_ELEMENTS);
        self.again.set(again);
        again > MAX_MET_AGAIN
    }
}

//! Rows that have to come back as they are.
//!
//! A message names no classes that a reader could go and find, so there is one class of records among what such rows
//! hold: PySpark's `Row`, which writer and reader are given. And it has everything once for each place where it is
//! met, while a row may have one object in very many places.

use std::cell::{Cell, RefCell};
use std::collections::HashSet;

use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::PyType;
use serow_core::limits::CONTAINER_ELEMENTS;

use super::super::{Object, is_exactly};

/// So many elements may be met in containers that were met before, while the types of rows are found out. More are
/// better left to a format that has such containers once.
const MAX_MET_AGAIN: usize = 1 << 18;

/// What is held of such rows, and what was met in them.
pub struct Exactly {
    row: Py<PyType>,
    met: RefCell<HashSet<usize>>,
    again: Cell<usize>,
}

impl Exactly {
    /// Nothing was met; `row` is the class of PySpark's rows.
    pub fn new(row: Py<PyType>) -> Exactly {
        Exactly { row, met: RefCell::default(), again: Cell::new(0) }
    }

    /// Whether `object` is one of PySpark's rows.
    ///
    /// # Safety
    /// `object` must be alive.
    #[inline(always)]
    pub unsafe fn is_row(&self, object: Object) -> bool {
        // SAFETY: as above.
        unsafe { is_exactly(object, self.row.as_ptr().cast()) }
    }

    /// Whether a container of `len` elements, and others with it, were met too often.
    ///
    /// # Safety
    /// `object` must be alive as long as other objects are met, and the GIL be held.
    pub unsafe fn is_met_too_often(&self, object: Object, len: usize) -> bool {
        // SAFETY: as above.
        let is_in_one_place = unsafe { ffi::Py_REFCNT(object) } == 1;
        if is_in_one_place {
            return false;
        }
        let mut met = self.met.borrow_mut();
        // Where there is no memory to know, it is taken to be met too often.
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

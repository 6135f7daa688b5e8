//! Dicts with fixed keys, made as copies of a dict that has them.
//!
//! CPython copies a dict without deleted entries by copying its block of keys: the hashes, the index
//! and the entries, whatever their number. Then only the values remain to be stored, which takes a
//! fraction of the time of inserting them. They are stored where [`Entries`] are read.

use std::ptr::null_mut;

use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use serow_core::layout::OpResult;

use super::entries::Entries;
use super::tuple_class::new_object;
use super::{Object, Offsets, proof};
use crate::made;

/// A dict with the keys, whose values are all `None`.
pub struct DictTemplate {
    dict: Py<PyDict>,
    offsets: &'static Offsets,
}

impl DictTemplate {
    /// `None` if CPython's objects are not proven, or if there are no keys: the empty dict shares its block.
    ///
    /// # Errors
    /// A `MemoryError`.
    pub fn new(py: Python<'_>, keys: &[Py<PyAny>]) -> PyResult<Option<DictTemplate>> {
        let Some(offsets) = proof::proven().filter(|_| !keys.is_empty()) else { return Ok(None) };
        let dict = made::dict(py)?;
        // From Python 3.14 on each dict is registered with the garbage collector, whose list would give this one to the
        // program, which could change it.
        // SAFETY: the dict is collectable, and an unregistered object may be unregistered again.
        unsafe { ffi::PyObject_GC_UnTrack(dict.as_ptr().cast()) };
        for key in keys {
            dict.set_item(key, py.None())?;
        }
        Ok(Some(DictTemplate { dict: dict.unbind(), offsets }))
    }

    /// A new dict with these values, in the order of the keys. It takes their references and leaves
    /// nulls. `acyclic` means that none of them is a container. `None`, and nothing is taken, if a copy has other places
    /// for values.
    ///
    /// # Errors
    /// A `MemoryError`.
    ///
    /// # Safety
    /// The caller must own a reference to each of the values.
    #[inline]
    pub unsafe fn dict(
        &self,
        py: Python<'_>,
        values: &mut [Object],
        acyclic: bool,
    ) -> OpResult<Option<Object>> {
        // SAFETY: the dicts of this CPython have entries where the proven offsets say. The copy has a block of its own,
        // because it was not made of an object's attributes. Until it is given away nobody else has it.
        unsafe {
            let dict = new_object(py, ffi::PyDict_Copy(self.dict.as_ptr()))?;
            let places = Entries::direct(self.offsets, dict.as_ptr());
            let Some(mut places) = places.filter(|places| places.len() == values.len()) else {
                return Ok(None);
            };
            for value in &mut *values {
                places.next_place().write(std::mem::replace(value, null_mut()));
            }
            if !self.offsets.immortal {
                // The copy had a reference to `None` for each of its values.
                *ffi::Py_None().cast::<isize>() -= values.len() as isize;
            }
            let dict = dict.into_ptr();
            // Until Python 3.13 a dict is registered with the collector once it has a container.
            if !acyclic && ffi::PyObject_GC_IsTracked(dict) == 0 {
                ffi::PyObject_GC_Track(dict.cast());
            }
            Ok(Some(dict))
        }
    }
}

//! Dicts with fixed keys, made as copies of a dict that has them.
//!
//! CPython copies a dict without deleted entries by copying its block of keys: the hashes, the index
//! and the entries, whatever their number. Then only the values remain to be stored, which takes a
//! fraction of the time of inserting them. Where the values are in that block differs between
//! versions, so it is found in a dict whose values are known, and tried.

use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use serow_core::layout::OpResult;

use super::offsets::DICT_KEYS;
use super::tuple_class::NewObject;
use super::{Object, load, proof};
use crate::made::{self, name};

/// A dict with the keys, whose values are all `None`.
pub struct DictTemplate {
    dict: Py<PyDict>,
    len: usize,
    /// The offset of the first value in the block of keys, and from each value to the next, in
    /// bytes.
    first: usize,
    stride: usize,
    /// Whether nobody counts references to `None`.
    is_immortal: bool,
}

impl DictTemplate {
    /// `None` if CPython's objects are not proven, or if its dicts are not as expected.
    ///
    /// # Errors
    /// A `MemoryError`.
    pub fn new(py: Python<'_>, keys: &[Py<PyAny>]) -> PyResult<Option<DictTemplate>> {
        let Some(offsets) = proof::proven() else { return Ok(None) };
        let dict = made::dict(py)?;
        let class = py.import(name!("builtins"))?.getattr(name!("object"))?;
        let marks = keys.iter().map(|_| class.call0()).collect::<PyResult<Vec<_>>>()?;
        for (key, mark) in keys.iter().zip(&marks) {
            dict.set_item(key, mark)?;
        }
        let size = dict.call_method0(name!("__sizeof__"))?.extract::<usize>()?;
        let size = size.checked_sub(dict.get_type().getattr(name!("__basicsize__"))?.extract()?);
        let Some((first, stride)) = size.and_then(|size| places(&dict, size, &marks)) else {
            return Ok(None);
        };
        for key in keys {
            dict.set_item(key, py.None())?;
        }
        let (dict, len, is_immortal) = (dict.unbind(), keys.len(), offsets.immortal);
        let template = DictTemplate { dict, len, first, stride, is_immortal };
        Ok(template.is_right(py, keys, &marks)?.then_some(template))
    }

    /// Whether a dict that this makes has the values that it was given.
    fn is_right(
        &self,
        py: Python<'_>,
        keys: &[Py<PyAny>],
        marks: &[Bound<'_, PyAny>],
    ) -> PyResult<bool> {
        let mut values: Vec<Object> = marks.iter().map(|mark| mark.clone().into_ptr()).collect();
        // SAFETY: the values are as many as the keys, and their references are given away.
        let made = unsafe { self.dict(values.as_mut_ptr(), true) };
        let Ok(made) = made else { return Err(PyErr::fetch(py)) };
        // SAFETY: the reference is new.
        let made = unsafe { Bound::from_owned_ptr(py, made) }.cast_into::<PyDict>()?;
        let of_template = self.dict.bind(py);
        for (key, mark) in keys.iter().zip(marks) {
            let (value, before) = (made.get_item(key)?, of_template.get_item(key)?);
            if !value.is_some_and(|value| value.is(mark)) || !before.is_some_and(|v| v.is_none()) {
                return Ok(false);
            }
        }
        Ok(made.len() == keys.len())
    }

    /// The number of keys.
    pub fn len(&self) -> usize {
        self.len
    }

    /// A new dict with these values, in the order of the keys. It takes their references and leaves
    /// nulls. `acyclic` means that none of them is a container.
    ///
    /// # Safety
    /// There must be as many values as keys, and the GIL must be held.
    #[inline]
    pub unsafe fn dict(&self, values: *mut Object, acyclic: bool) -> OpResult<Object> {
        // SAFETY: the copy has the template's keys in a block of its own, in which a value was found
        // at each of these places. Until it is given away nobody else has it.
        unsafe {
            let dict = NewObject::new(ffi::PyDict_Copy(self.dict.as_ptr()))?.release();
            let mut place = load::<*mut u8>(dict, DICT_KEYS).add(self.first);
            for at in 0..self.len {
                place.cast::<Object>().write(values.add(at).replace(std::ptr::null_mut()));
                place = place.wrapping_add(self.stride);
            }
            if !self.is_immortal {
                // The copy had a reference to `None` for each of its values.
                *ffi::Py_None().cast::<isize>() -= self.len as isize;
            }
            // Until Python 3.13 a dict is registered with the collector once it has a container.
            if !acyclic && ffi::PyObject_GC_IsTracked(dict) == 0 {
                ffi::PyObject_GC_Track(dict.cast());
            }
            Ok(dict)
        }
    }
}

/// The offset of the first of `marks`, which are the values of `dict`, in its block of keys of `size`
/// bytes, and the distance from each to the next. `None` if they are elsewhere.
fn places(
    dict: &Bound<'_, PyDict>,
    size: usize,
    marks: &[Bound<'_, PyAny>],
) -> Option<(usize, usize)> {
    const WORD: usize = size_of::<usize>();
    let found: Vec<usize> = {
        // SAFETY: in the proven versions a dict has a pointer to its block of keys at this offset, and
        // `__sizeof__` counts the bytes of the block if no other dict shares it.
        let words = unsafe {
            let block = load::<*const usize>(dict.as_ptr(), DICT_KEYS);
            std::slice::from_raw_parts(block, size / WORD)
        };
        let mut found = Vec::with_capacity(marks.len());
        for (at, &word) in words.iter().enumerate() {
            if marks.get(found.len()).is_some_and(|mark| mark.as_ptr() as usize == word) {
                found.push(at * WORD);
            }
        }
        found
    };
    let stride = found.get(1).map_or(0, |second| second - found[0]);
    let are_regular = found.windows(2).all(|two| two[1] - two[0] == stride);
    (found.len() == marks.len() && !marks.is_empty() && are_regular).then(|| (found[0], stride))
}

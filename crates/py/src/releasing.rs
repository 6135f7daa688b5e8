//! Memory of others, whose release may run Python code: the callback of a producer may be written in Python.
//!
//! Python drops objects also while an exception is on its way. Code that runs then without putting the exception
//! aside loses it, or fails because of it.

use std::mem::ManuallyDrop;
use std::ops::{Deref, DerefMut};
use std::ptr::null_mut;

use pyo3::ffi;
use pyo3::prelude::*;

/// What is dropped as if no exception were on its way.
pub struct Releasing<T>(ManuallyDrop<T>);

impl<T> Releasing<T> {
    pub fn new(held: T) -> Releasing<T> {
        Releasing(ManuallyDrop::new(held))
    }
}

impl<T> Deref for Releasing<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T> DerefMut for Releasing<T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.0
    }
}

impl<T> Drop for Releasing<T> {
    fn drop(&mut self) {
        // SAFETY: the GIL is held in the closure, and only this drops what is held.
        Python::attach(|_| unsafe {
            let (mut ty, mut value, mut traceback) = (null_mut(), null_mut(), null_mut());
            ffi::PyErr_Fetch(&mut ty, &mut value, &mut traceback);
            ManuallyDrop::drop(&mut self.0);
            if !ffi::PyErr_Occurred().is_null() {
                // The release has no caller who could get its own exception.
                ffi::PyErr_WriteUnraisable(null_mut());
            }
            ffi::PyErr_Restore(ty, value, traceback);
        });
    }
}

//! uuid: Python's `uuid.UUID`; a message has only its 128 bits.
//!
//! `UUID` is a Python class with two slots, `int` and `is_safe`, which are read as CPython reads
//! slots. `is_safe` tells whether the UUID was generated in a multiprocessing-safe way. It is not
//! encoded, so only its default `unknown` is accepted.

use std::sync::atomic::{AtomicPtr, Ordering};

use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use serow_core::error::Fault;
use serow_core::layout::OpResult;

use super::super::offsets::{UUID_INT, UUID_IS_SAFE};
use super::super::{Access, Api, Direct, Object, is_exactly, load, store};
use super::classes::{self, Quiet, UUID};
use super::int::LargeInt;
use super::{MakeResult, host, made};
use crate::made::{self, Name, name};

pub trait Uuid {
    /// The bits of `object`, or a type mismatch if it is not a `UUID` or its `is_safe` is not
    /// unknown.
    ///
    /// # Safety
    /// `object` must be alive.
    unsafe fn read_uuid(self, object: Object) -> OpResult<u128>;

    /// A new reference to a `UUID`.
    fn make_uuid(self, bits: u128) -> MakeResult;
}

/// The sizes of a `UUID`: until 3.11 with a weak reference field, and from 3.12 on.
pub const SIZES: [usize; 2] = [40, 32];

/// `SafeUUID.unknown` for direct access.
static UNKNOWN: AtomicPtr<ffi::PyObject> = AtomicPtr::new(std::ptr::null_mut());

/// Sets `UNKNOWN`. Returns whether `SafeUUID.unknown` exists.
pub fn prepare(py: Python<'_>) -> bool {
    // SAFETY: the enum keeps its members alive. The reference is never released.
    unsafe {
        let unknown = unknown(py);
        if !unknown.is_null() {
            ffi::Py_IncRef(unknown);
            UNKNOWN.store(unknown, Ordering::Relaxed);
        }
        !unknown.is_null()
    }
}

/// `SafeUUID.unknown` as a borrowed reference, or null.
fn unknown(py: Python<'_>) -> Object {
    // On some versions, looking an attribute of an enum up creates objects that the collector knows.
    let _quiet = Quiet::new(py);
    // SAFETY: objects of the module are alive, and the enum keeps its members.
    unsafe {
        let enumeration = classes::of_module(py, c"uuid", c"SafeUUID");
        if enumeration.is_null() {
            return enumeration;
        }
        // Use the enum's dict, because its `__getattr__` is Python code.
        let enumeration = Bound::from_borrowed_ptr(py, enumeration);
        let members = enumeration.getattr(name!("_member_map_"));
        let unknown = members.and_then(|it| it.cast_into::<PyDict>().map_err(PyErr::from));
        let unknown = unknown.and_then(|it| it.as_any().get_item(name!("unknown")));
        unknown.map_or(std::ptr::null_mut(), |it| it.as_ptr())
    }
}

/// The content of slot `name` of a UUID as a borrowed reference; null with an exception if it is
/// empty.
///
/// # Safety
/// `object` must be a live `UUID`.
pub unsafe fn slot(py: Python<'_>, object: Object, name: &'static Name) -> Object {
    // SAFETY: the class has no `__getattribute__` of its own, and the slot keeps its content alive.
    unsafe {
        let Ok(name) = host(py, name.get(py)) else { return std::ptr::null_mut() };
        let held = ffi::PyObject_GenericGetAttr(object, name.as_ptr());
        if !held.is_null() {
            ffi::Py_DecRef(held);
        }
        held
    }
}

impl Uuid for Direct<'_> {
    #[inline]
    unsafe fn read_uuid(self, object: Object) -> OpResult<u128> {
        // SAFETY: the object is alive, and its type is checked before its slots are read. The slots
        // may be empty or hold other objects, so the type of the int is checked before its digits
        // are read.
        unsafe {
            if !is_exactly(object, UUID.direct()) {
                return Api(self.1).read_uuid(object);
            }
            let (int, is_safe): (Object, Object) =
                (load(object, UUID_INT), load(object, UUID_IS_SAFE));
            if int.is_null()
                || !is_exactly(int, &raw mut ffi::PyLong_Type)
                || is_safe != UNKNOWN.load(Ordering::Relaxed)
            {
                return Err(Fault::TypeMismatch);
            }
            let (digits, negative) = self.digits_of(int);
            let bits = digits.iter().rev().try_fold(0u128, |bits, &digit| {
                (bits >> 98 == 0).then_some(bits << 30 | u128::from(digit))
            });
            bits.filter(|_| !negative).ok_or(Fault::TypeMismatch)
        }
    }

    #[inline]
    fn make_uuid(self, bits: u128) -> MakeResult {
        let ty = UUID.direct();
        // SAFETY: nobody else has the object yet, and it holds references to the objects in its
        // slots. The garbage collector need not know it, because they do not refer back to it.
        unsafe {
            if ty.is_null() {
                return Api(self.1).make_uuid(bits);
            }
            let int = made(self.make_unsigned(bits))?;
            let object = self.instance(ty, SIZES[usize::from(self.0.immortal)]);
            if object.is_null() {
                ffi::Py_DecRef(int);
                return made(object);
            }
            let is_safe = UNKNOWN.load(Ordering::Relaxed);
            self.incref(is_safe);
            store(object, UUID_INT, int);
            store(object, UUID_IS_SAFE, is_safe);
            Ok(object)
        }
    }
}

impl Uuid for Api<'_> {
    #[cold]
    unsafe fn read_uuid(self, object: Object) -> OpResult<u128> {
        // SAFETY: the object is alive, and its type is checked before its slots are read.
        unsafe {
            if !UUID.is_of(self.0, object) {
                return Err(Fault::TypeMismatch);
            }
            let int = slot(self.0, object, name!("int"));
            let is_safe = slot(self.0, object, name!("is_safe"));
            if int.is_null() || is_safe.is_null() || is_safe != unknown(self.0) {
                ffi::PyErr_Clear();
                return Err(Fault::TypeMismatch);
            }
            let mut bytes = Vec::new();
            let small = self.read_any_int(int, &mut bytes)?;
            match &bytes[..] {
                [] => u128::try_from(small).map_err(|_| Fault::TypeMismatch),
                bytes => {
                    // A positive number may have an extra zero byte for its sign.
                    let (bytes, sign) = bytes.split_at(bytes.len().min(16));
                    let negative = sign.is_empty() && bytes.last().is_some_and(|it| it >> 7 == 1);
                    if negative || !matches!(sign, [] | [0]) {
                        return Err(Fault::TypeMismatch);
                    }
                    let mut whole = [0; 16];
                    whole[..bytes.len()].copy_from_slice(bytes);
                    Ok(u128::from_le_bytes(whole))
                }
            }
        }
    }

    fn make_uuid(self, bits: u128) -> MakeResult {
        let (py, class) = (self.0, UUID.get(self.0)?);
        // SAFETY: the class is alive.
        let class = unsafe { Bound::from_borrowed_ptr(py, class) };
        let mut bytes = [0; 17];
        bytes[..16].copy_from_slice(&bits.to_le_bytes());
        // SAFETY: the GIL is held, and the int is a new reference.
        let bits = unsafe { Bound::from_owned_ptr(py, self.make_digits(&bytes)?) };
        let call = || -> PyResult<Bound<'_, PyAny>> {
            let int = made::dict(py)?;
            int.set_item(name!("int"), bits)?;
            class.call((), Some(&int))
        };
        Ok(host(py, call())?.into_ptr())
    }
}

//! Advice for objects that can't be encoded.

use pyo3::ffi;
use pyo3::prelude::*;

use super::super::{Api, Object};
use super::classes::{DATE, DATETIME, DECIMAL, TIME, TIMEDELTA, UUID};
use super::time::Time;
use super::timestamp::Timestamp;
use super::type_of;

/// Says what to do about `object`, if its class is known. Encoding must have stopped, because this
/// may run the object's code.
pub fn advice(object: &Bound<'_, PyAny>) -> Option<String> {
    let at = object.as_ptr();
    // SAFETY: the object is alive, and the GIL is held as long as it is bound.
    unsafe {
        if type_of(Api, at).is_some() {
            return None;
        }
        if UUID.is_known_of(at) {
            let what =
                "serow encodes only UUIDs whose int has 128 bits and whose is_safe is unknown";
            return Some(format!("{what}; use UUID(int=value.int)"));
        }
        let clock = match () {
            () if DATETIME.is_known_of(at) => Api.read_timestamp(at).ok(),
            () if TIME.is_known_of(at) => Api.read_time(at).ok(),
            () => None,
        };
        if let Some(clock) = clock {
            let zone = Bound::from_borrowed_ptr(object.py(), clock.zone);
            let class = name_of(&zone.get_type());
            return Some(format!(
                "a message can't name its tzinfo, which is a {class}; use datetime.timezone, or \
                 zoneinfo.ZoneInfo with the key of a zone"
            ));
        }
    }
    // SAFETY: as above; so is the type.
    let base = unsafe { Bound::from_borrowed_ptr(object.py(), base_of(at)?) };
    let base = base.cast_into().map_or_else(|_| "?".into(), |base| name_of(&base));
    Some(format!("only {base} itself is accepted, not its subclasses; convert it"))
}

fn name_of(class: &Bound<'_, pyo3::types::PyType>) -> String {
    class.fully_qualified_name().map_or_else(|_| "?".into(), |name| name.to_string())
}

/// The most derived encodable class that `object`'s class is a subclass of.
///
/// # Safety
/// `object` must be alive, and the GIL must be held.
unsafe fn base_of(object: Object) -> Option<Object> {
    let builtin = [
        &raw mut ffi::PyLong_Type,
        &raw mut ffi::PyFloat_Type,
        &raw mut ffi::PyUnicode_Type,
        &raw mut ffi::PyList_Type,
        &raw mut ffi::PyTuple_Type,
        &raw mut ffi::PyDict_Type,
        &raw mut ffi::PySet_Type,
        &raw mut ffi::PyFrozenSet_Type,
        &raw mut ffi::PyBytes_Type,
        &raw mut ffi::PyByteArray_Type,
        &raw mut ffi::PyComplex_Type,
    ];
    let known = [&DATETIME, &DATE, &TIME, &TIMEDELTA, &DECIMAL, &UUID].map(|class| class.known());
    let classes = known.into_iter().chain(builtin.map(|class| class.cast()));
    // SAFETY: the object is alive.
    let own = unsafe { ffi::Py_TYPE(object) };
    if own == &raw mut ffi::PyBool_Type {
        return None;
    }
    // SAFETY: the object and all classes are alive, or a class is null.
    classes
        .filter(|&class| !class.is_null() && class != own.cast())
        .find(|&class| unsafe { ffi::PyType_IsSubtype(ffi::Py_TYPE(object), class.cast()) != 0 })
}

//! Advice for objects that can't be encoded.

use pyo3::prelude::*;

use super::super::Api;
use super::classes::UUID;
use super::type_of;

/// Says what to do about `object`, if its class is known. Encoding must have stopped, because this
/// may run the object's code.
pub fn advice(object: &Bound<'_, PyAny>) -> Option<String> {
    let at = object.as_ptr();
    // SAFETY: the object is alive, and the GIL is held as long as it is bound.
    unsafe {
        if type_of(Api(object.py()), at).is_some() || !UUID.is_known_of(at) {
            return None;
        }
    }
    let what = "serow encodes only UUIDs whose int has 128 bits and whose is_safe is unknown";
    Some(format!("{what}; use UUID(int=value.int)"))
}

//! Advice for objects that can't be encoded.

use pyo3::prelude::*;

use super::super::Api;
use super::classes::{DATETIME, TIME, UUID};
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
    None
}

fn name_of(class: &Bound<'_, pyo3::types::PyType>) -> String {
    class.fully_qualified_name().map_or_else(|_| "?".into(), |name| name.to_string())
}

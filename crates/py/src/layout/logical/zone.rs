//! Time zones: Python's `tzinfo` objects, as parts of a timetz or timestamptz.
//!
//! A `datetime.timezone` is an offset, perhaps with a name. A `zoneinfo.ZoneInfo` travels by its key,
//! together with the offset that it had at the time; whoever decodes it with another version of the
//! time zone database is told where the two differ, and never given another moment. Other classes of
//! `tzinfo` are none that could be told in a message.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::ptr::null_mut;

use pyo3::exceptions::{PyException, PyMemoryError};
use pyo3::ffi;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyString, PyTuple};
use serow_core::error::Fault;
use serow_core::layout::Step;
use serow_core::schema::logical::NO_OFFSET;

use super::super::offsets::{TIMEZONE_NAME, TIMEZONE_OFFSET};
use super::super::text::Str;
use super::super::{Api, Direct, Object, is_exactly, load};
use super::classes::{Quiet, TIMEZONE, ZONEINFO};
use super::duration::Duration;
use super::{Refusal, call, host, plain, python};

/// How a `datetime.timezone` is read.
pub trait TimeZone: Duration + Str + Copy {
    /// The offset of `object`, and its name, which is null if it has none, both borrowed; a misfit if
    /// it is no `timezone`.
    ///
    /// # Safety
    /// `object` must be alive and the GIL be held.
    unsafe fn read_timezone(self, object: Object) -> Step<(Object, Object)>;
}

impl TimeZone for Direct {
    #[inline]
    unsafe fn read_timezone(self, object: Object) -> Step<(Object, Object)> {
        // SAFETY: the object is alive, and a timezone before its fields are read.
        unsafe {
            if !is_exactly(object, TIMEZONE.direct()) {
                return Api.read_timezone(object);
            }
            Ok((load(object, TIMEZONE_OFFSET), load(object, TIMEZONE_NAME)))
        }
    }
}

impl TimeZone for Api {
    #[cold]
    unsafe fn read_timezone(self, object: Object) -> Step<(Object, Object)> {
        let (py, _quiet) = (python(), Quiet::new());
        // SAFETY: the object is alive, and a timezone, whose methods are C code.
        let object = unsafe {
            if !TIMEZONE.is_of(object) {
                return Err(Fault::Misfit);
            }
            Bound::from_borrowed_ptr(py, object)
        };
        let init = || -> PyResult<(Object, Object)> {
            let args = object.call_method0(intern!(py, "__getinitargs__"))?;
            let args = args.cast_into::<PyTuple>()?;
            // The timezone has references of its own.
            let name = if args.len() > 1 { args.get_item(1)?.as_ptr() } else { null_mut() };
            Ok((args.get_item(0)?.as_ptr(), name))
        };
        Ok(host(py, init())?)
    }
}

/// Whether `key` is of the form that the keys of the IANA's database have. Others could be names of
/// files that are none of the database's.
pub fn is_key(key: &[u8]) -> bool {
    key.len() < 256
        && key.split(|&c| c == b'/').all(|part| {
            let is_part_of_name = |&c: &u8| c.is_ascii_alphanumeric() || b"_+-".contains(&c);
            !part.is_empty() && part.iter().all(is_part_of_name)
        })
}

fn microseconds([seconds, nanoseconds]: [i64; 2]) -> i64 {
    seconds * 1_000_000 + nanoseconds / 1_000
}

/// A `ZoneInfo` and what it is asked again and again.
struct Known {
    zone: Py<PyAny>,
    utcoffset: Py<PyAny>,
}

impl Known {
    /// The offset at `moment`, a datetime or `None`.
    ///
    /// # Safety
    /// `moment` must be alive and the GIL be held.
    unsafe fn offset<A: Duration>(&self, access: A, moment: Object) -> Step<i64> {
        // SAFETY: this calls C code, and what it gives is a new reference.
        unsafe {
            let given = ffi::PyObject_CallFunctionObjArgs(
                self.utcoffset.as_ptr(),
                moment,
                null_mut::<ffi::PyObject>(),
            );
            if given.is_null() {
                return Err(Fault::Host);
            }
            let offset = match given == ffi::Py_None() {
                true => Ok(NO_OFFSET),
                false => access.read_duration(given).map(microseconds),
            };
            ffi::Py_DecRef(given);
            offset
        }
    }
}

/// The zones that were met while rows are read.
#[derive(Default)]
pub struct ReadZones {
    by_address: HashMap<usize, (Known, Vec<u8>)>,
}

impl ReadZones {
    /// The offset of `zone` at `moment`, a datetime or `None`, and what names the zone; a misfit if
    /// the zone can't be named.
    ///
    /// # Safety
    /// Both must be alive, the zone as long as `self` is used, and the GIL be held.
    pub unsafe fn read<'a, A: TimeZone>(
        &'a mut self,
        access: A,
        zone: Object,
        moment: Object,
        scratch: &'a mut Vec<u8>,
    ) -> Step<(i64, &'a [u8])> {
        // SAFETY: as above.
        unsafe {
            let entry = match self.by_address.entry(zone.addr()) {
                Entry::Occupied(entry) => entry.into_mut(),
                Entry::Vacant(entry) => match access.read_timezone(zone) {
                    Err(Fault::Misfit) => entry.insert(learn(zone)?),
                    timezone => {
                        let (offset, name) = timezone?;
                        let offset = microseconds(access.read_duration(offset)?);
                        return Ok((offset, named(access, name, scratch)?));
                    }
                },
            };
            let (known, key) = entry;
            Ok((known.offset(access, moment)?, key))
        }
    }
}

/// What names a mere offset, or one with a name, which is null if there is none.
///
/// # Safety
/// `name` must be alive or null, and the GIL be held.
unsafe fn named<A: Str>(access: A, name: Object, scratch: &mut Vec<u8>) -> Step<&[u8]> {
    scratch.clear();
    if !name.is_null() {
        scratch.push(b'=');
        let mut wide = Vec::new();
        // SAFETY: as above.
        scratch.extend(plain(unsafe { access.read_str(name, &mut wide)? })?);
    }
    Ok(scratch)
}

/// A zone that was not met before, and its key.
///
/// # Safety
/// `zone` must be alive, and the GIL be held.
#[cold]
unsafe fn learn(zone: Object) -> Step<(Known, Vec<u8>)> {
    let (py, _quiet) = (python(), Quiet::new());
    // SAFETY: the zone is alive, and a ZoneInfo, whose attributes are C code.
    let zone = unsafe {
        if !ZONEINFO.is_of(zone) {
            return Err(Fault::Misfit);
        }
        Bound::from_borrowed_ptr(py, zone)
    };
    let key = host(py, zone.getattr(intern!(py, "key")))?;
    let key = key.cast_exact::<PyString>().ok().and_then(|key| key.to_str().ok());
    let key = key.filter(|key| is_key(key.as_bytes())).ok_or(Fault::Misfit)?;
    let utcoffset = host(py, zone.getattr(intern!(py, "utcoffset")))?;
    let known = Known { zone: zone.clone().unbind(), utcoffset: utcoffset.unbind() };
    Ok((known, key.as_bytes().to_vec()))
}

/// The zones that were made for the rows of one message.
#[derive(Default)]
pub struct MadeZones {
    /// By the name, and the offset if that belongs to the zone itself.
    made: HashMap<Vec<u8>, Known>,
    key: Vec<u8>,
}

/// A zone, and what says whether it has an offset at a moment.
pub struct MadeZone<'a> {
    known: &'a Known,
    offset: i64,
    name: &'a [u8],
}

impl MadeZones {
    /// The zone of these parts, which were checked.
    ///
    /// # Errors
    /// If Python has no such zone.
    pub fn zone<'a>(&'a mut self, offset: i64, name: &'a [u8]) -> Result<MadeZone<'a>, Refusal> {
        self.key.clear();
        self.key.extend(name);
        if matches!(name, [] | [b'=', ..]) {
            // No key of a zone has a zero in it.
            self.key.push(0);
            self.key.extend(offset.to_le_bytes());
        }
        if !self.made.contains_key(&self.key) {
            let known = make(offset, name)?;
            self.made.insert(self.key.clone(), known);
        }
        Ok(MadeZone { known: &self.made[&self.key], offset, name })
    }
}

impl MadeZone<'_> {
    /// The `tzinfo`, borrowed.
    pub fn object(&self) -> Object {
        self.known.zone.as_ptr()
    }

    /// That the zone has the offset that was sent at `moment`, a datetime or `None`.
    ///
    /// # Safety
    /// `moment` must be alive, and the GIL be held.
    pub unsafe fn check<A: Duration>(&self, access: A, moment: Object) -> Result<(), Refusal> {
        if matches!(self.name, [] | [b'=', ..]) {
            return Ok(());
        }
        // SAFETY: as above.
        let here = unsafe { self.known.offset(access, moment)? };
        if here == self.offset {
            return Ok(());
        }
        let name = String::from_utf8_lossy(self.name);
        let (here, sent) = (shown(here), shown(self.offset));
        Err(Refusal::NoSuchValue(format!(
            "the time zone databases differ: {name} has {here} here, and {sent} where the row was \
             encoded; install the same tzdata in both places"
        )))
    }
}

fn shown(offset: i64) -> String {
    match offset {
        NO_OFFSET => "no offset".into(),
        offset => format!("the offset {} s", offset as f64 / 1e6),
    }
}

/// A new zone.
fn make(offset: i64, name: &[u8]) -> Result<Known, Refusal> {
    let py = python();
    let zone = match name {
        [] | [b'=', ..] if offset == NO_OFFSET => {
            return Err(Refusal::NoSuchValue(
                "Python's timezone has an offset, and this time has a time zone without one".into(),
            ));
        }
        [] | [b'=', ..] => {
            // SAFETY: the GIL is held, and the name is valid, as it was checked.
            unsafe {
                let parts = [offset.div_euclid(1_000_000), offset.rem_euclid(1_000_000) * 1_000];
                let delta = Bound::from_owned_ptr(py, Api.make_duration(parts)?);
                match name.split_first() {
                    None => call(TIMEZONE.get()?, (delta,))?,
                    Some((_, name)) => {
                        let name = Api.make_str(name, name.is_ascii());
                        let name = host(py, Bound::from_owned_ptr_or_err(py, name))?;
                        call(TIMEZONE.get()?, (delta, name))?
                    }
                }
            }
        }
        key => return find(py, key),
    };
    // SAFETY: the zone is a new reference. A timezone is not asked for offsets.
    let zone = unsafe { Bound::from_owned_ptr(py, zone) };
    Ok(Known { zone: zone.unbind(), utcoffset: py.None() })
}

/// The zone that a key names.
fn find(py: Python<'_>, key: &[u8]) -> Result<Known, Refusal> {
    let key = String::from_utf8_lossy(key);
    let unknown = || {
        Refusal::NoSuchValue(format!(
            "there is no time zone {key:?} here; install tzdata, by pip or for the system, or a newer one"
        ))
    };
    if !is_key(key.as_bytes()) {
        return Err(unknown());
    }
    // SAFETY: the class is alive.
    let class = unsafe { Bound::from_borrowed_ptr(py, ZONEINFO.get()?) };
    let zone = class.call1((&*key,)).map_err(|error| {
        // What goes wrong with memory, or with the process, has nothing to do with the key.
        if error.is_instance_of::<PyException>(py) && !error.is_instance_of::<PyMemoryError>(py) {
            return unknown();
        }
        error.restore(py);
        Refusal::Raised
    })?;
    let utcoffset = host(py, zone.getattr(intern!(py, "utcoffset")))?;
    Ok(Known { zone: zone.unbind(), utcoffset: utcoffset.unbind() })
}

//! Time zones: Python's `tzinfo` objects, as parts of a timetz or timestamptz.
//!
//! A `datetime.timezone` is an offset, perhaps with a name. A `zoneinfo.ZoneInfo` that was made of
//! its key is encoded as the key and its offset at that time. If the decoder's time zone database
//! gives another offset, decoding raises an error and never returns another moment. A message can't
//! express the rules of other zones: other `tzinfo` classes, and a `ZoneInfo` that was made from a
//! file.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::ptr::null_mut;
use std::sync::{Mutex, PoisonError};

use pyo3::exceptions::{PyException, PyMemoryError};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyString, PyTuple};
use serow_core::error::Fault;
use serow_core::layout::{OpResult, PlainText};
use serow_core::schema::logical::NO_OFFSET;

use super::super::offsets::{TIMEZONE_NAME, TIMEZONE_OFFSET};
use super::super::text::Str;
use super::super::{Access, Api, Direct, Object, is_exactly, load};
use super::classes::{Quiet, TIMEZONE, ZONEINFO, of_module};
use super::duration::Duration;
use super::{Refusal, call, host, plain};
use crate::made::{Calls, name};

/// How a `datetime.timezone` is read.
pub trait TimeZone: Duration + Str + Copy {
    /// Borrowed references to the offset of `object` and to its name, which is null if it has none;
    /// or a type mismatch if it is not a `timezone`.
    ///
    /// # Safety
    /// `object` must be alive.
    unsafe fn read_timezone(self, object: Object) -> OpResult<(Object, Object)>;
}

impl TimeZone for Direct<'_> {
    #[inline]
    unsafe fn read_timezone(self, object: Object) -> OpResult<(Object, Object)> {
        // SAFETY: the object is alive, and its type is checked before its fields are read.
        unsafe {
            if !is_exactly(object, TIMEZONE.direct()) {
                return Api(self.1).read_timezone(object);
            }
            Ok((load(object, TIMEZONE_OFFSET), load(object, TIMEZONE_NAME)))
        }
    }
}

impl TimeZone for Api<'_> {
    #[cold]
    unsafe fn read_timezone(self, object: Object) -> OpResult<(Object, Object)> {
        let (py, _quiet) = (self.0, Quiet::new(self.0));
        // SAFETY: the object is alive and a timezone, whose methods are C code.
        let object = unsafe {
            if !TIMEZONE.is_of(self.0, object) {
                return Err(Fault::TypeMismatch);
            }
            Bound::from_borrowed_ptr(py, object)
        };
        let init = || -> PyResult<(Object, Object)> {
            let args = object.call_method0(name!("__getinitargs__"))?;
            let args = args.cast_into::<PyTuple>()?;
            // The timezone holds references to both.
            let name = if args.len() > 1 { args.get_item(1)?.as_ptr() } else { null_mut() };
            Ok((args.get_item(0)?.as_ptr(), name))
        };
        Ok(host(py, init())?)
    }
}

/// Whether `key` has the form of keys in the IANA database. Other keys might name files outside the
/// database.
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

/// A `ZoneInfo` and its bound method `utcoffset`.
struct CachedZone {
    zone: Py<PyAny>,
    utcoffset: Py<PyAny>,
}

impl CachedZone {
    /// The offset in microseconds at `moment`, which is a datetime or `None`.
    ///
    /// # Safety
    /// `moment` must be alive.
    unsafe fn offset<A: Duration>(&self, access: A, moment: Object) -> OpResult<i64> {
        // SAFETY: this calls C code, and its result is a new reference.
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

/// Cache of the zones that were read, by address.
#[derive(Default)]
pub struct ReadZones {
    by_address: HashMap<usize, (CachedZone, Vec<u8>)>,
}

impl ReadZones {
    /// The offset of `zone` in microseconds at `moment`, which is a datetime or `None`, and the
    /// bytes that name the zone; or a type mismatch if a message can't name the zone.
    ///
    /// # Safety
    /// Both must be alive, the zone as long as `self` is used.
    pub unsafe fn read<'a, A: Access>(
        &'a mut self,
        access: A,
        zone: Object,
        moment: Object,
        scratch: &'a mut Vec<u8>,
    ) -> OpResult<(i64, &'a [u8])> {
        // SAFETY: the caller's promise.
        unsafe {
            let entry = match self.by_address.entry(zone.addr()) {
                Entry::Occupied(entry) => entry.into_mut(),
                Entry::Vacant(entry) => match access.read_timezone(zone) {
                    Err(Fault::TypeMismatch) => entry.insert(learn(access.py(), zone)?),
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

/// The bytes that name a fixed offset; `name` is null if it has no name.
///
/// # Safety
/// `name` must be alive or null.
unsafe fn named<A: Str>(access: A, name: Object, scratch: &mut Vec<u8>) -> OpResult<&[u8]> {
    scratch.clear();
    if !name.is_null() {
        scratch.push(b'=');
        let mut wide = Vec::new();
        // SAFETY: the caller's promise.
        scratch.extend(plain(unsafe { access.read_str(name, &mut wide)? })?);
    }
    Ok(scratch)
}

/// A zone that is not in the cache, and its key.
///
/// # Safety
/// `zone` must be alive.
#[cold]
unsafe fn learn(py: Python<'_>, zone: Object) -> OpResult<(CachedZone, Vec<u8>)> {
    let _quiet = Quiet::new(py);
    // SAFETY: the zone is alive and a ZoneInfo, whose attributes are C code.
    let zone = unsafe {
        if !ZONEINFO.is_of(py, zone) {
            return Err(Fault::TypeMismatch);
        }
        Bound::from_borrowed_ptr(py, zone)
    };
    if !is_of_key(&zone) {
        return Err(Fault::TypeMismatch);
    }
    let key = host(py, zone.getattr(name!("key")))?;
    let key = key.cast_exact::<PyString>().ok().and_then(|key| key.to_str().ok());
    let key = key.filter(|key| is_key(key.as_bytes())).ok_or(Fault::TypeMismatch)?;
    let utcoffset = host(py, zone.getattr(name!("utcoffset")))?;
    let known = CachedZone { zone: zone.clone().unbind(), utcoffset: utcoffset.unbind() };
    Ok((known, key.as_bytes().to_vec()))
}

/// Zones that were found to be made of their keys, the latest last. Most programs have few zones.
static OF_KEYS: Mutex<Vec<Py<PyAny>>> = Mutex::new(Vec::new());

/// The largest number of zones in [`OF_KEYS`].
const MOST_OF_KEYS: usize = 32;

/// Whether a `ZoneInfo` was made of its key. Only such a zone can be pickled.
fn is_of_key(zone: &Bound<'_, PyAny>) -> bool {
    let known = || OF_KEYS.lock().unwrap_or_else(PoisonError::into_inner);
    if known().iter().any(|one| one.is(zone)) {
        return true;
    }
    // The refusal needs the module `pickle`, and an import runs Python code.
    if !is_loaded_pickle(zone.py()) || zone.call_method0(name!("__reduce__")).is_err() {
        return false;
    }
    let mut known = known();
    if known.len() == MOST_OF_KEYS {
        known.remove(0);
    }
    known.push(zone.clone().unbind());
    true
}

fn is_loaded_pickle(py: Python<'_>) -> bool {
    !of_module(py, c"pickle", c"PicklingError").is_null()
}

/// Loads the module `pickle`, without which no `ZoneInfo` can be read, if there are such zones.
/// Returns whether it was not loaded before: then encoding may have stopped at a zone only for that.
/// Encoding must have stopped, because this runs Python code.
pub fn prepare_zones(py: Python<'_>) -> PyResult<bool> {
    let has_zones = !of_module(py, c"_zoneinfo", c"ZoneInfo").is_null();
    if !has_zones || is_loaded_pickle(py) {
        return Ok(false);
    }
    py.import(name!("pickle"))?;
    Ok(true)
}

/// Cache of the zones that were made for one message.
#[derive(Default)]
pub struct MadeZones {
    made: Vec<MadeZone>,
    /// The index in `made`, by the name and, for fixed offsets, the offset.
    index: HashMap<Vec<u8>, usize>,
    key: Vec<u8>,
    /// The zone that was used last and will probably be used next.
    last: usize,
}

/// A zone and its components.
pub struct MadeZone {
    known: CachedZone,
    offset: i64,
    name: Box<[u8]>,
}

/// Whether a name is that of a fixed offset, with or without a name, and not a key of the database.
fn is_offset(name: &[u8]) -> bool {
    matches!(name, [] | [b'=', ..])
}

impl MadeZones {
    /// The zone of these components, which have been checked.
    ///
    /// # Errors
    /// If Python lacks the zone.
    #[inline]
    pub fn zone(&mut self, py: Python<'_>, offset: i64, name: &[u8]) -> Result<&MadeZone, Refusal> {
        let is_last = self.made.get(self.last).is_some_and(|last| {
            // Empty names are not compared as slices, because `memcmp` is slow for a dangling
            // pointer.
            let is_same = match name {
                [] => last.name.is_empty(),
                name => *last.name == *name,
            };
            is_same && (last.offset == offset || !is_offset(name))
        });
        if !is_last {
            self.last = self.find(py, offset, name)?;
        }
        Ok(&self.made[self.last])
    }

    /// The index of the zone of these components.
    fn find(&mut self, py: Python<'_>, offset: i64, name: &[u8]) -> Result<usize, Refusal> {
        let own_offset = if is_offset(name) { offset } else { NO_OFFSET };
        self.key.clear();
        self.key.extend(own_offset.to_le_bytes());
        self.key.extend(name);
        if let Some(&index) = self.index.get(&self.key) {
            return Ok(index);
        }
        self.made.push(MadeZone { known: make(py, offset, name)?, offset, name: name.into() });
        self.index.insert(self.key.clone(), self.made.len() - 1);
        Ok(self.made.len() - 1)
    }
}

impl MadeZone {
    /// The `tzinfo`, borrowed.
    pub fn object(&self) -> Object {
        self.known.zone.as_ptr()
    }

    /// Checks that the zone has the encoded offset at `moment`, which is a datetime or `None`.
    ///
    /// # Safety
    /// `moment` must be alive.
    #[inline]
    pub unsafe fn check<A: Duration>(
        &self,
        access: A,
        moment: Object,
        sent: i64,
    ) -> Result<(), Refusal> {
        if is_offset(&self.name) {
            return Ok(());
        }
        // SAFETY: the caller's promise.
        let here = unsafe { self.known.offset(access, moment)? };
        if here == sent {
            return Ok(());
        }
        let name = String::from_utf8_lossy(&self.name);
        let (here, sent) = (shown(here), shown(sent));
        Err(Refusal::NoSuchValue(format!(
            "the time zone databases differ: {name} has {here} here, but {sent} where the row was \
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

fn make(py: Python<'_>, offset: i64, name: &[u8]) -> Result<CachedZone, Refusal> {
    let zone = match name {
        name if is_offset(name) && offset == NO_OFFSET => {
            return Err(Refusal::NoSuchValue(
                "Python's timezone needs an offset, but this time has a time zone without one"
                    .into(),
            ));
        }
        name if is_offset(name) => {
            // SAFETY: the GIL is held, and the name has been checked.
            unsafe {
                let components =
                    [offset.div_euclid(1_000_000), offset.rem_euclid(1_000_000) * 1_000];
                let delta = Bound::from_owned_ptr(py, Api(py).make_duration(components)?);
                match name.split_first() {
                    None => call(py, TIMEZONE.get(py)?, (delta,))?,
                    Some((_, name)) => {
                        let name = Api(py).make_str(PlainText::new(name));
                        let name = host(py, Bound::from_owned_ptr_or_err(py, name))?;
                        call(py, TIMEZONE.get(py)?, (delta, name))?
                    }
                }
            }
        }
        key => return find(py, key),
    };
    // SAFETY: the zone is a new reference. `offset` is not called for a fixed offset.
    let zone = unsafe { Bound::from_owned_ptr(py, zone) };
    Ok(CachedZone { zone: zone.unbind(), utcoffset: py.None() })
}

/// The zone of a key in the database.
fn find(py: Python<'_>, key: &[u8]) -> Result<CachedZone, Refusal> {
    let key = String::from_utf8_lossy(key);
    let unknown = || {
        Refusal::NoSuchValue(format!(
            "there is no time zone {key:?} here; install or update tzdata, by pip or for the system"
        ))
    };
    if !is_key(key.as_bytes()) {
        return Err(unknown());
    }
    // SAFETY: the class is alive.
    let class = unsafe { Bound::from_borrowed_ptr(py, ZONEINFO.get(py)?) };
    let zone = class.call_with((&*key,)).map_err(|error| {
        // Errors of memory and interrupts are not about the key.
        if error.is_instance_of::<PyException>(py) && !error.is_instance_of::<PyMemoryError>(py) {
            return unknown();
        }
        error.restore(py);
        Refusal::Raised
    })?;
    let utcoffset = host(py, zone.getattr(name!("utcoffset")))?;
    Ok(CachedZone { zone: zone.unbind(), utcoffset: utcoffset.unbind() })
}

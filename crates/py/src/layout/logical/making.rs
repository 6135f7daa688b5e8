//! State between values while objects of logical types are made.

use std::collections::HashMap;
use std::ptr::null_mut;

use pyo3::ffi;
use serow_core::error::Fault;
use serow_core::layout::{Components, OpResult, Text};
use serow_core::memory;
use serow_core::radix::magnitude;
use serow_core::schema::logical::DecimalKind;
use serow_core::schema::{Logical, NdArray};

use super::super::{Access, Object};
use super::decimal::make_of_words;
use super::intern_cache::InternCache;
use super::zone::MadeZones;
use super::{MakeResult, Refusal, Times, make};

/// Dictionaries of byte columns, caches of time zones, dates and decimals, and the last refusal.
pub struct LogicalMaking {
    times: Times,
    dictionaries: Vec<Dictionary>,
    zones: MadeZones,
    dates: InternCache,
    /// Indexed by the column of their bytes.
    decimals: Vec<InternCache>,
    refusal: String,
}

#[derive(Default)]
struct Dictionary {
    bytes: Vec<u8>,
    ends: Vec<u32>,
    /// The objects of the entries that were used, if equal values can share an object.
    made: Vec<Object>,
    /// Converted coefficients of decimals with a sign, for entries whose conversion takes long. A
    /// short message may use each entry in every row of a frame.
    coefficients: HashMap<usize, (bool, Vec<u64>)>,
}

/// Bytes of a coefficient beyond which converting it takes more than some microseconds.
const SLOW_COEFFICIENT: usize = 4096;

/// Bytes of an array beyond which making lists of it takes more than some hundred microseconds.
const SLOW_ARRAY: usize = 1 << 16;

/// Minimum bytes of a coefficient to keep.
const LONG: usize = 64;

impl Dictionary {
    fn entry(&self, code: usize) -> &[u8] {
        let begin = if code == 0 { 0 } else { self.ends[code - 1] };
        &self.bytes[begin as usize..self.ends[code] as usize]
    }

    fn forget(&mut self) {
        for object in self.made.drain(..) {
            // SAFETY: this owns the reference, or it is null, and the GIL is held.
            unsafe { ffi::Py_DecRef(object) };
        }
        self.coefficients.clear();
    }
}

impl LogicalMaking {
    pub fn new(times: Times) -> LogicalMaking {
        LogicalMaking {
            times,
            dictionaries: vec![],
            zones: MadeZones::default(),
            dates: InternCache::default(),
            decimals: vec![],
            refusal: String::new(),
        }
    }

    /// Why the last value was refused.
    pub fn refusal(&self) -> &str {
        &self.refusal
    }

    /// Makes the object of an array with these components, whose bytes are in `column`.
    ///
    /// # Errors
    /// As for [`LogicalMaking::make`].
    pub fn make_nd_array(
        &mut self,
        column: u32,
        components: &Components<'_>,
        make: impl FnOnce(&NdArray<'_>) -> MakeResult,
    ) -> OpResult<Object> {
        let bytes = match components.bytes {
            Text::Plain(text) => text.bytes(),
            Text::Entry(code) => self.dictionaries[column as usize].entry(code as usize),
        };
        let array = NdArray::of_components(components.ints[0], bytes)?;
        make(&array).map_err(|refusal| self.fault(refusal))
    }

    fn fault(&mut self, refusal: Refusal) -> Fault {
        match refusal {
            Refusal::Raised => Fault::Host,
            Refusal::NoSuchValue(what) => {
                self.refusal = what;
                Fault::Unrepresentable
            }
        }
    }

    /// Sets a column's dictionary; `ends` are the end offsets of the entries in `bytes`.
    pub fn dictionary(&mut self, column: u32, ends: &[u32], bytes: &[u8]) -> OpResult {
        let column = column as usize;
        if let Some(more) = (column + 1).checked_sub(self.dictionaries.len()) {
            memory::reserve(&mut self.dictionaries, more)?;
            self.dictionaries.resize_with(column + 1, Dictionary::default);
        }
        let dictionary = &mut self.dictionaries[column];
        dictionary.forget();
        dictionary.bytes.clear();
        memory::extend(&mut dictionary.bytes, bytes)?;
        memory::resize(&mut dictionary.made, ends.len(), null_mut())?;
        dictionary.ends = memory::copied(ends)?;
        Ok(())
    }

    /// Whether it takes long to make the object of these components, whose bytes are in `column`, so
    /// that signals must be handled between two of them.
    #[inline]
    pub fn takes_long(&self, ty: Logical, column: u32, components: &Components<'_>) -> bool {
        let slow = match ty {
            Logical::Decimal => SLOW_COEFFICIENT,
            Logical::NdArray => SLOW_ARRAY,
            _ => return false,
        };
        slow < match components.bytes {
            Text::Plain(text) => text.bytes().len(),
            Text::Entry(code) => self.dictionaries[column as usize].entry(code as usize).len(),
        }
    }

    /// A new reference to the object of these components, whose bytes are in `column`.
    #[inline]
    pub fn make<A: Access>(
        &mut self,
        access: A,
        ty: Logical,
        column: u32,
        mut components: Components<'_>,
    ) -> OpResult<Object> {
        // Any day is a date, and most days are in the cache.
        if ty == Logical::Date {
            let days = components.ints[0];
            // SAFETY: dates are immutable, and equal days are equal dates.
            let made = unsafe { self.dates.find(access, [days, 0], || access.make_date(days)) };
            return made.map_err(|refusal| self.fault(refusal));
        }
        let times = self.times;
        let made = match components.bytes {
            Text::Plain(text) => {
                ty.check(&components.ints, text.bytes())?;
                let bytes = times.of(ty, &mut components.ints, text.bytes());
                // SAFETY: the components have been checked.
                unsafe { self.make_plain(access, ty, column as usize, &components, bytes) }
            }
            Text::Entry(code)
                if ty == Logical::Decimal
                    && self.dictionaries[column as usize].entry(code as usize).is_empty() =>
            {
                ty.check(&components.ints, &[])?;
                // SAFETY: the components have been checked.
                unsafe { self.make_plain(access, ty, column as usize, &components, &[]) }
            }
            Text::Entry(code) => {
                let (dictionary, code) = (&mut self.dictionaries[column as usize], code as usize);
                let bytes = dictionary.entry(code);
                ty.check(&components.ints, bytes)?;
                let bytes = times.of(ty, &mut components.ints, bytes);
                // These are immutable and depend only on the entry.
                let is_shared = matches!(ty, Logical::Bytes | Logical::Int) && !bytes.is_empty();
                let known = dictionary.made[code];
                // SAFETY: the components have been checked, and the dictionary's objects are alive.
                unsafe {
                    if is_shared && !known.is_null() {
                        access.incref(known);
                        return Ok(known);
                    }
                    let (kind, exponent) = DecimalKind::split(components.ints[0]);
                    let is_long = ty == Logical::Decimal && bytes.len() > LONG;
                    let made = if is_long && kind == DecimalKind::Large {
                        let known = dictionary.coefficients.get(&code);
                        let (negative, words) = match known {
                            Some(known) => known,
                            None => {
                                let new = magnitude(bytes);
                                dictionary.coefficients.entry(code).or_insert(new)
                            }
                        };
                        make_of_words(access.py(), exponent, *negative, words)
                    } else {
                        make(access, ty, &components, bytes, &mut self.zones)
                    };
                    if let (true, Ok(object)) = (is_shared, &made) {
                        access.incref(*object);
                        dictionary.made[code] = *object;
                    }
                    made
                }
            }
        };
        made.map_err(|refusal| self.fault(refusal))
    }
}

impl LogicalMaking {
    /// The object of these components. Equal decimals that are finite and small share an object.
    ///
    /// # Safety
    /// The components must have been checked.
    #[inline]
    unsafe fn make_plain<A: Access>(
        &mut self,
        access: A,
        ty: Logical,
        column: usize,
        components: &Components<'_>,
        bytes: &[u8],
    ) -> MakeResult {
        let LogicalMaking { zones, decimals, .. } = self;
        let [first, second, _] = components.ints;
        // SAFETY: the caller has checked the components; decimals are immutable.
        unsafe {
            match ty {
                // Not NaNs: they equal nothing, so a set may contain two.
                Logical::Decimal if DecimalKind::split(first).0 == DecimalKind::Small => {
                    if decimals.len() <= column {
                        decimals.resize_with(column + 1, InternCache::default);
                    }
                    let make = || make(access, ty, components, bytes, zones);
                    decimals[column].find(access, [second, first], make)
                }
                _ => make(access, ty, components, bytes, zones),
            }
        }
    }
}

impl Drop for LogicalMaking {
    fn drop(&mut self) {
        self.dictionaries.iter_mut().for_each(Dictionary::forget);
    }
}

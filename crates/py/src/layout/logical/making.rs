//! What is kept from one value to the next while objects are made of parts.

use std::collections::HashMap;
use std::ptr::null_mut;

use pyo3::ffi;
use serow_core::error::Fault;
use serow_core::layout::{Components, OpResult, Text};
use serow_core::memory;
use serow_core::schema::Logical;
use serow_core::schema::logical::DecimalKind;

use super::super::{Access, Object};
use super::decimal::{magnitude, make_of_words};
use super::intern_cache::InternCache;
use super::zone::MadeZones;
use super::{MakeResult, Refusal, make};

/// The dictionaries of columns of bytes, the time zones, dates and decimals that were made, and what was
/// refused.
#[derive(Default)]
pub struct LogicalMaking {
    dictionaries: Vec<Dictionary>,
    zones: MadeZones,
    dates: InternCache,
    /// By the column of their bytes.
    decimals: Vec<InternCache>,
    refusal: String,
}

#[derive(Default)]
struct Dictionary {
    bytes: Vec<u8>,
    ends: Vec<u32>,
    /// The objects of entries that were used, where all values of an entry are one object.
    made: Vec<Object>,
    /// The coefficients of decimals in entries that it takes long to convert, with their signs. A short
    /// message may ask for each as often as a frame has rows.
    coefficients: HashMap<usize, (bool, Vec<u64>)>,
}

/// Coefficients of more bytes are kept.
const LONG: usize = 64;

impl Dictionary {
    fn entry(&self, code: usize) -> &[u8] {
        let begin = if code == 0 { 0 } else { self.ends[code - 1] };
        &self.bytes[begin as usize..self.ends[code] as usize]
    }

    fn forget(&mut self) {
        for object in self.made.drain(..) {
            // SAFETY: the reference is ours or null, and the GIL is held.
            unsafe { ffi::Py_DecRef(object) };
        }
        self.coefficients.clear();
    }
}

impl LogicalMaking {
    /// What is to be said of the last value that was refused.
    pub fn refusal(&self) -> &str {
        &self.refusal
    }

    /// The entries of a column's dictionary: where each ends in `bytes`.
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

    /// A new reference to the object of these parts, of which the bytes are in `column`.
    ///
    /// # Safety
    /// The GIL must be held.
    #[inline]
    pub unsafe fn make<A: Access>(
        &mut self,
        access: A,
        ty: Logical,
        column: u32,
        components: Components<'_>,
    ) -> OpResult<Object> {
        let made = match components.bytes {
            Text::Plain { bytes, .. } => {
                ty.check(&components.ints, bytes)?;
                // SAFETY: the parts are those of a value, and the GIL is held.
                unsafe { self.make_plain(access, ty, column as usize, &components, bytes) }
            }
            Text::Entry(code)
                if ty == Logical::Decimal
                    && self.dictionaries[column as usize].entry(code as usize).is_empty() =>
            {
                ty.check(&components.ints, &[])?;
                // SAFETY: as above.
                unsafe { self.make_plain(access, ty, column as usize, &components, &[]) }
            }
            Text::Entry(code) => {
                let (dictionary, code) = (&mut self.dictionaries[column as usize], code as usize);
                let bytes = dictionary.entry(code);
                ty.check(&components.ints, bytes)?;
                // These never change, and are made of nothing but the entry.
                let is_shared = matches!(ty, Logical::Bytes | Logical::Int) && !bytes.is_empty();
                let known = dictionary.made[code];
                // SAFETY: as above; the dictionary's objects are alive.
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
                        make_of_words(exponent, *negative, words)
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
        made.map_err(|refusal| match refusal {
            Refusal::Raised => Fault::Host,
            Refusal::NoSuchValue(what) => {
                self.refusal = what;
                Fault::Unrepresentable
            }
        })
    }
}

impl LogicalMaking {
    /// The object of these parts, which is that of equal parts before where it is a date, or a decimal
    /// that is finite and has few digits.
    ///
    /// # Safety
    /// The parts must be those of a value, and the GIL be held.
    #[inline]
    unsafe fn make_plain<A: Access>(
        &mut self,
        access: A,
        ty: Logical,
        column: usize,
        components: &Components<'_>,
        bytes: &[u8],
    ) -> MakeResult {
        let LogicalMaking { zones, dates, decimals, .. } = self;
        let [first, second, _] = components.ints;
        // SAFETY: as above; dates and decimals never change.
        unsafe {
            match ty {
                Logical::Date => {
                    dates.find(access, [first, 0], || make(access, ty, components, bytes, zones))
                }
                // NaNs are not equal to one another, and may be two in a set.
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

//! The values of attributes that an instance has without a dict.
//!
//! Since CPython 3.11 an instance of a class in Python has a block of values. Its class knows which
//! value belongs to which name, and a name keeps its place as long as the class lives. A dict of the
//! attributes is only made for those who ask for it. Where the block is differs between versions; this
//! is tried at import.

use std::ptr::null_mut;
use std::sync::OnceLock;

use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple, PyType};

use super::super::proof::{self, Owned};
use super::super::{Object, load, logical};
use crate::made::{self, Calls, Made, name};

/// Flags of a class: its instances have their attributes in a dict of CPython's own, or in a block; and
/// the block is in the instance (since 3.13).
const MANAGED_DICT: u64 = 1 << 4;
const INLINE_VALUES: u64 = 1 << 2;

/// Where the block of an instance is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Form {
    /// In 3.11: four words before the instance is its address, or null.
    Pointer,
    /// In 3.12: three words before the instance is its address less one, or that of a dict.
    Tagged,
    /// Since 3.13: behind the head of the instance.
    Inline,
}

static FORM: OnceLock<Form> = OnceLock::new();

const WORD: isize = size_of::<Object>() as isize;
/// The size of an object's head, in bytes.
const HEAD: usize = 16;

/// A block of values. It also has the places in which values were set, in their order.
struct Block {
    values: *mut Object,
    /// The number of values that are set.
    count: *mut u8,
    /// The place of the value that was set first, and the distance to that of the next.
    order: *mut u8,
    step: isize,
    /// The number of values that may be set.
    capacity: usize,
}

/// The places of some names in the blocks of a class's instances.
pub struct ValuePlaces {
    form: Form,
    places: Vec<u8>,
}

impl Form {
    /// The block of `object`; `None` if its attributes are in a dict.
    ///
    /// # Safety
    /// `object` must be alive, of a class in whose instances [`ValuePlaces::are_in`] says that blocks
    /// are, and the form must be that of the running CPython.
    #[inline(always)]
    unsafe fn block(self, object: Object) -> Option<Block> {
        // SAFETY: the caller's promise. Blocks of the first two forms have two bytes before them: the number of
        // bytes before them, and the number of values that are set. The places are before these.
        unsafe {
            let values: *mut Object = match self {
                Form::Pointer => *object.cast::<*mut Object>().offset(-4),
                Form::Tagged => {
                    let word = *object.cast::<usize>().offset(-3);
                    if word & 1 == 0 { null_mut() } else { (word + 1) as *mut Object }
                }
                Form::Inline => {
                    let head = object.cast::<u8>().add(HEAD);
                    let [capacity, _, _, is_valid] = *head.cast::<[u8; 4]>();
                    let values = head.offset(WORD).cast::<Object>();
                    let order = values.add(capacity.into()).cast::<u8>();
                    let capacity = capacity.into();
                    let block = Block { values, count: head.add(1), order, step: 1, capacity };
                    return (is_valid == 1).then_some(block);
                }
            };
            if values.is_null() {
                return None;
            }
            let before = values.cast::<u8>();
            let capacity = usize::from(*before.sub(1)).saturating_sub(2);
            Some(Block { values, count: before.sub(2), order: before.sub(3), step: -1, capacity })
        }
    }
}

impl ValuePlaces {
    /// Whether instances of `class` have blocks as long as nobody asks for their dicts.
    fn are_in(form: Form, class: &Bound<'_, PyType>) -> bool {
        // SAFETY: the class is alive.
        let flags = unsafe { ffi::PyType_GetFlags(class.as_type_ptr()) } as u64;
        let needed = match form {
            Form::Pointer | Form::Tagged => MANAGED_DICT,
            Form::Inline => MANAGED_DICT | INLINE_VALUES,
        };
        flags & needed == needed
    }

    /// The places of these names in instances of `class`, which must not declare data descriptors for
    /// them. `None` if instances have no blocks, or none with places for all. No code of the class runs.
    pub fn of(class: &Bound<'_, PyType>, names: &[Object]) -> Option<ValuePlaces> {
        let form = *FORM.get()?;
        Self::found(form, class, names)
    }

    fn found(form: Form, class: &Bound<'_, PyType>, names: &[Object]) -> Option<ValuePlaces> {
        let py = class.py();
        // SAFETY: the types are alive, and slots are only compared.
        let slot = |of, slot| unsafe { ffi::PyType_GetSlot(of, slot) };
        let own = |number| slot(class.as_type_ptr(), number);
        // The instance that is made here is dropped.
        let has_end = !own(ffi::Py_tp_finalize).is_null() || !own(ffi::Py_tp_del).is_null();
        let is_made_as_objects_are =
            own(ffi::Py_tp_new) == slot(&raw mut ffi::PyBaseObject_Type, ffi::Py_tp_new);
        if has_end || !is_made_as_objects_are || names.is_empty() || !Self::are_in(form, class) {
            return None;
        }
        // A failed call leaves an exception, which means no more than that there are no places.
        let _quiet = logical::Quiet::new(py);
        // SAFETY: the GIL is held. The instance has a block or a dict, and a block has as many places
        // as values.
        unsafe {
            let object = Owned(new_instance(py, class.as_ptr()));
            if object.0.is_null() {
                ffi::PyErr_Clear();
                return None;
            }
            for &name in names {
                if ffi::PyObject_GenericSetAttr(object.0, name, py.None().as_ptr()) != 0 {
                    ffi::PyErr_Clear();
                    return None;
                }
            }
            let block = form.block(object.0)?;
            if usize::from(*block.count) != names.len() || names.len() > block.capacity {
                return None;
            }
            let place = |at: usize| *block.order.offset(block.step * at as isize);
            let places: Vec<u8> = (0..names.len()).map(place).collect();
            let is_none = |&place: &u8| *block.values.add(place.into()) == ffi::Py_None();
            places.iter().all(is_none).then_some(ValuePlaces { form, places })
        }
    }

    /// Puts the values of `object` into `items` as borrowed references. False if it has a dict, if a
    /// value is unset, or if it has other attributes.
    ///
    /// # Safety
    /// `object` must be alive and of the class, and `items` must be as many as the names.
    #[inline(always)]
    pub unsafe fn read(&self, object: Object, items: &mut [Object]) -> bool {
        // SAFETY: the caller's promise; the places are in the block.
        unsafe {
            let Some(block) = self.form.block(object) else { return false };
            if usize::from(*block.count) != self.places.len() {
                return false;
            }
            let mut are_set = true;
            for (item, &place) in items.iter_mut().zip(&self.places) {
                *item = *block.values.add(place.into());
                are_set &= !item.is_null();
            }
            are_set
        }
    }

    /// Moves `values` to the block of `object`, and leaves nulls. False, and nothing is moved, if it has
    /// none that is empty and large enough.
    ///
    /// # Safety
    /// `object` must be a new instance of the class that nobody else has. There must be as many values
    /// as names, none of them null.
    #[inline(always)]
    pub unsafe fn fill(&self, object: Object, values: *mut Object) -> bool {
        // SAFETY: the caller's promise. A class's blocks have at least as many places as the class knows names,
        // and it knows these.
        unsafe {
            let Some(block) = self.form.block(object) else { return false };
            if *block.count != 0 || block.capacity < self.places.len() {
                return false;
            }
            for (at, &place) in self.places.iter().enumerate() {
                *block.values.add(place.into()) = values.add(at).replace(null_mut());
                *block.order.offset(block.step * at as isize) = place;
            }
            *block.count = self.places.len() as u8;
            true
        }
    }
}

/// What `object.__new__(class)` returns; null with an exception if it fails. No code of the class runs.
///
/// # Safety
/// `class` must be alive and a class whose `__new__` is that of `object`.
#[inline(always)]
pub unsafe fn new_instance(py: Python<'_>, class: Object) -> Object {
    static NEW: OnceLock<(ffi::newfunc, Py<PyTuple>)> = OnceLock::new();
    // SAFETY: the caller's promise; every type has this slot, which has this signature.
    unsafe {
        let (new, nothing) = NEW.get_or_init(|| {
            let slot = ffi::PyType_GetSlot(&raw mut ffi::PyBaseObject_Type, ffi::Py_tp_new);
            let nothing = PyTuple::empty(py).unbind();
            (std::mem::transmute::<*mut std::ffi::c_void, ffi::newfunc>(slot), nothing)
        });
        new(class.cast(), nothing.as_ptr(), null_mut())
    }
}

/// Verifies on a real class that blocks are as they should be. Called at import.
pub fn prove(py: Python<'_>) -> PyResult<()> {
    let form = match py.version_info().minor {
        11 => Form::Pointer,
        12 => Form::Tagged,
        13.. => Form::Inline,
        _ => return Ok(()),
    };
    if proof::proven().is_some() && FORM.get().is_none() && holds(py, form)? {
        // A second import finds the result of the first.
        let _ = FORM.set(form);
    }
    Ok(())
}

/// Whether values are read and written as CPython itself does.
fn holds(py: Python<'_>, form: Form) -> PyResult<bool> {
    let names = [name!("first").get(py)?, name!("second").get(py)?, name!("third").get(py)?];
    let class = py.get_type::<PyType>();
    let class = class.call_with(("Probe", PyTuple::empty(py), made::dict(py)?))?;
    let class = class.cast_into::<PyType>()?;
    let given = class.call0()?;
    if !ValuePlaces::are_in(form, &class) || form == Form::Inline && !has_block(&given) {
        return Ok(false);
    }
    let objects = names.each_ref().map(|name| name.as_ptr());
    let Some(places) = ValuePlaces::found(form, &class, &objects) else { return Ok(false) };
    let values = [made::dict(py)?, made::dict(py)?, made::dict(py)?];
    for at in [2, 0, 1] {
        given.setattr(&names[at], &values[at])?;
    }
    let mut read = [null_mut(); 3];
    // SAFETY: the object is alive and of the class.
    if !unsafe { places.read(given.as_ptr(), &mut read) }
        || read != values.each_ref().map(|value| value.as_ptr())
    {
        return Ok(false);
    }
    let made = class.call0()?;
    let mut own = values.each_ref().map(|value| value.clone().into_ptr());
    // SAFETY: the object is new and of the class, and the references are given away.
    if !unsafe { places.fill(made.as_ptr(), own.as_mut_ptr()) } {
        return Ok(false);
    }
    for (name, value) in names.iter().zip(&values) {
        if !made.getattr(name)?.is(value) {
            return Ok(false);
        }
    }
    made.delattr(&names[1])?;
    made.setattr(name!("fourth"), Made(4))?;
    let dict = made.getattr(name!("__dict__"))?.cast_into::<PyDict>()?;
    let keys = dict.iter().map(|(key, _)| key.extract::<String>());
    let keys = keys.collect::<PyResult<Vec<_>>>()?;
    let is_same = dict.get_item(&names[2])?.is_some_and(|value| value.is(&values[2]));
    Ok(is_same && keys == ["first", "third", "fourth"])
}

/// Whether the head of the block of a new `object` has what CPython writes to it: no value is set, the
/// block is in the object, and it is valid. A class knows at most 30 names of attributes.
fn has_block(object: &Bound<'_, PyAny>) -> bool {
    // SAFETY: the flags of the class say that there is a block behind the head.
    let [capacity, count, is_embedded, is_valid]: [u8; 4] = unsafe { load(object.as_ptr(), HEAD) };
    (3..=30).contains(&capacity) && [count, is_embedded, is_valid] == [0, 1, 1]
}

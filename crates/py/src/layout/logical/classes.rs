//! The classes of values that are made of parts, which are in modules that `import serow` doesn't
//! load.
//!
//! A value can't be of a class whose module isn't loaded, so for encoding a class is looked up among
//! the modules that are, and only when an object turns up whose class is not known; decoding imports
//! what it needs. Classes are taken from the modules in C, of which nothing in Python is the
//! substitute: to call code in Python while rows are read would let other threads change the rows.

use std::ffi::CStr;
use std::ptr::null_mut;
use std::sync::atomic::{AtomicPtr, Ordering};

use pyo3::ffi;
use pyo3::prelude::*;

use super::super::{Direct, Object, is_exactly, proof};
use super::proof as of_parts;
use super::{Refusal, python};

/// A class that is looked up when it is needed.
pub struct LazyClass {
    /// The module whose import loads the class.
    import: &'static CStr,
    /// The module that the class is taken from.
    module: &'static CStr,
    name: &'static CStr,
    /// Whether its objects are as direct access takes them to be.
    is_proven: unsafe fn(Direct) -> bool,
    known: AtomicPtr<ffi::PyTypeObject>,
    direct: AtomicPtr<ffi::PyTypeObject>,
}

pub static DATE: LazyClass = LazyClass::new(c"datetime", c"_datetime", c"date", of_parts::dates);
pub static TIME: LazyClass = LazyClass::new(c"datetime", c"_datetime", c"time", of_parts::times);
pub static DATETIME: LazyClass =
    LazyClass::new(c"datetime", c"_datetime", c"datetime", of_parts::datetimes);
pub static TIMEDELTA: LazyClass =
    LazyClass::new(c"datetime", c"_datetime", c"timedelta", of_parts::timedeltas);
pub static TIMEZONE: LazyClass =
    LazyClass::new(c"datetime", c"_datetime", c"timezone", of_parts::timezones);
pub static ZONEINFO: LazyClass =
    LazyClass::new(c"zoneinfo", c"_zoneinfo", c"ZoneInfo", of_parts::has_no_fields);
pub static DECIMAL: LazyClass =
    LazyClass::new(c"decimal", c"_decimal", c"Decimal", of_parts::decimals);
pub static UUID: LazyClass = LazyClass::new(c"uuid", c"uuid", c"UUID", of_parts::uuids);

impl LazyClass {
    const fn new(
        import: &'static CStr,
        module: &'static CStr,
        name: &'static CStr,
        is_proven: unsafe fn(Direct) -> bool,
    ) -> LazyClass {
        let known = AtomicPtr::new(null_mut());
        let direct = AtomicPtr::new(null_mut());
        LazyClass { import, module, name, is_proven, known, direct }
    }

    /// The class if its objects may be loaded from directly, or null.
    #[inline(always)]
    pub fn direct(&self) -> *mut ffi::PyTypeObject {
        self.direct.load(Ordering::Relaxed)
    }

    /// Whether `object` is exactly of the class as far as the class is known.
    ///
    /// # Safety
    /// `object` must be alive.
    #[inline(always)]
    pub unsafe fn is_known_of(&self, object: Object) -> bool {
        // SAFETY: the object is alive.
        unsafe { is_exactly(object, self.known.load(Ordering::Relaxed)) }
    }

    /// Whether `object` is exactly of the class, after another look for it among the modules.
    ///
    /// # Safety
    /// `object` must be alive, and the GIL be held.
    #[cold]
    pub unsafe fn is_of(&self, object: Object) -> bool {
        // SAFETY: as above.
        unsafe { self.is_known_of(object) || self.look_up() && self.is_known_of(object) }
    }

    /// The class if it is known, as an object, or null.
    pub fn known(&self) -> Object {
        self.known.load(Ordering::Relaxed).cast()
    }

    /// The class, whose module is imported if it was not yet: a borrowed reference.
    ///
    /// # Errors
    /// What the import raises, and that the class is not there.
    pub fn get(&self) -> Result<Object, Refusal> {
        // SAFETY: whoever makes objects holds the GIL.
        if self.known().is_null() && !unsafe { self.look_up() } {
            // SAFETY: as above.
            unsafe {
                let module = ffi::PyImport_ImportModule(self.import.as_ptr());
                if module.is_null() {
                    return Err(Refusal::Raised);
                }
                ffi::Py_DecRef(module);
                self.look_up();
            }
        }
        match self.known() {
            class if class.is_null() => {
                let (module, name) = (self.module.to_string_lossy(), self.name.to_string_lossy());
                Err(Refusal::NoSuchValue(format!(
                    "this Python has no {module}.{name} to make it of"
                )))
            }
            class => Ok(class),
        }
    }

    /// Look for the class among the modules that are loaded; whether it is another than before.
    ///
    /// # Safety
    /// The GIL must be held.
    unsafe fn look_up(&self) -> bool {
        let _quiet = Quiet::new();
        // SAFETY: the GIL is held; borrowed references are used at once. A class that was found stays
        // alive, as it gets a reference that is never given back.
        unsafe {
            let class = of_module(self.module, self.name);
            let is_same = class == self.known();
            if class.is_null() || is_same || !self.is_genuine(class) {
                return false;
            }
            ffi::Py_IncRef(class);
            self.direct.store(null_mut(), Ordering::Relaxed);
            self.known.store(class.cast(), Ordering::Relaxed);
            if let Some(offsets) = proof::proven() {
                // The proof is about what is done with a class that is proven.
                self.direct.store(class.cast(), Ordering::Relaxed);
                if !(self.is_proven)(Direct(offsets)) {
                    ffi::PyErr_Clear();
                    self.direct.store(null_mut(), Ordering::Relaxed);
                }
            }
        }
        true
    }

    /// Whether what has the class's name is a class of that module and not somebody's substitute.
    unsafe fn is_genuine(&self, class: Object) -> bool {
        // SAFETY: the object is alive, and an exact type before it is asked for its module, which
        // runs no code in Python.
        unsafe {
            if !is_exactly(class, &raw mut ffi::PyType_Type) {
                return false;
            }
            let class = Bound::from_borrowed_ptr(python(), class);
            let module = class.getattr("__module__").and_then(|it| it.extract::<String>());
            let import = self.import.to_str();
            module.is_ok_and(|module| Ok(module.as_str()) == import)
        }
    }
}

/// Look for all classes among the modules that are loaded; whether there is one that was not known.
///
/// # Safety
/// The GIL must be held.
#[cold]
pub unsafe fn look_again() -> bool {
    let all = [&DATE, &TIME, &DATETIME, &TIMEDELTA, &TIMEZONE, &ZONEINFO, &DECIMAL, &UUID];
    // SAFETY: as above.
    all.into_iter().filter(|class| unsafe { class.look_up() }).count() > 0
}

/// What is called `name` in `module`, if that is loaded, or null: a borrowed reference. It runs no code
/// in Python.
///
/// # Safety
/// The GIL must be held.
pub unsafe fn of_module(module: &CStr, name: &CStr) -> Object {
    // SAFETY: the GIL is held; these references are borrowed, and used at once.
    unsafe {
        let modules = ffi::PyImport_GetModuleDict();
        let module = ffi::PyDict_GetItemString(modules, module.as_ptr());
        if module.is_null() || ffi::PyModule_CheckExact(module) == 0 {
            return null_mut();
        }
        ffi::PyDict_GetItemString(ffi::PyModule_GetDict(module), name.as_ptr())
    }
}

/// While this lives no garbage is collected, since that may run anybody's code. It is for C API calls
/// between which rows are read.
pub struct Quiet(bool);

impl Quiet {
    /// Collect no garbage from now on.
    pub fn new() -> Quiet {
        // SAFETY: whoever reads rows holds the GIL.
        Quiet(unsafe { ffi::PyGC_Disable() } == 1)
    }
}

impl Drop for Quiet {
    fn drop(&mut self) {
        if self.0 {
            // SAFETY: as above.
            unsafe { ffi::PyGC_Enable() };
        }
    }
}

//! The classes of logical types, whose modules `import serow` does not load.
//!
//! A value can't be of a class whose module isn't loaded. So the encoder looks a class up among the
//! loaded modules, and only when it meets an object of an unknown class. The decoder imports the
//! modules that it needs. Classes come from the C modules if there are any, and never from a Python
//! substitute: Python code that runs while rows are read would let other threads change the rows.

use std::ffi::CStr;
use std::ptr::null_mut;
use std::sync::atomic::{AtomicPtr, Ordering};

use pyo3::ffi;
use pyo3::prelude::*;

use super::super::{Direct, Object, is_exactly, proof};
use super::Refusal;
use super::proof as of_parts;
use crate::made::name;

/// A class that is looked up on first use.
pub struct LazyClass {
    /// The module to import so that the class is loaded.
    import: &'static CStr,
    /// The module that contains the class.
    module: &'static CStr,
    name: &'static CStr,
    /// Verifies that direct access fits the class's instances.
    is_proven: unsafe fn(Direct<'_>) -> bool,
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
        is_proven: unsafe fn(Direct<'_>) -> bool,
    ) -> LazyClass {
        let known = AtomicPtr::new(null_mut());
        let direct = AtomicPtr::new(null_mut());
        LazyClass { import, module, name, is_proven, known, direct }
    }

    /// The class if direct access to its instances is proven, otherwise null.
    #[inline(always)]
    pub fn direct(&self) -> *mut ffi::PyTypeObject {
        self.direct.load(Ordering::Relaxed)
    }

    /// Whether `object` is exactly of the class; false as long as the class is unknown.
    ///
    /// # Safety
    /// `object` must be alive.
    #[inline(always)]
    pub unsafe fn is_known_of(&self, object: Object) -> bool {
        // SAFETY: the object is alive.
        unsafe { is_exactly(object, self.known.load(Ordering::Relaxed)) }
    }

    /// Whether `object` is exactly of the class, after another lookup if it does not match.
    ///
    /// # Safety
    /// `object` must be alive.
    #[cold]
    pub unsafe fn is_of(&self, py: Python<'_>, object: Object) -> bool {
        // SAFETY: the caller's promise.
        unsafe { self.is_known_of(object) || self.look_up(py) && self.is_known_of(object) }
    }

    /// The class as an object if it is known, otherwise null.
    pub fn known(&self) -> Object {
        self.known.load(Ordering::Relaxed).cast()
    }

    /// The class as a borrowed reference. Imports its module if necessary.
    ///
    /// # Errors
    /// What the import raises, or that the module lacks the class.
    pub fn get(&self, py: Python<'_>) -> Result<Object, Refusal> {
        if self.known().is_null() && !self.look_up(py) {
            // SAFETY: the name ends with a zero, and the module is a new reference.
            unsafe {
                let module = ffi::PyImport_ImportModule(self.import.as_ptr());
                if module.is_null() {
                    return Err(Refusal::Raised);
                }
                ffi::Py_DecRef(module);
            }
            self.look_up(py);
        }
        match self.known() {
            class if class.is_null() => {
                let (module, name) = (self.module.to_string_lossy(), self.name.to_string_lossy());
                Err(Refusal::NoSuchValue(format!("this Python lacks {module}.{name}")))
            }
            class => Ok(class),
        }
    }

    /// Looks the class up among the loaded modules. Returns whether it found another class than
    /// before.
    fn look_up(&self, py: Python<'_>) -> bool {
        let _quiet = Quiet::new(py);
        let class = of_module(py, self.module, self.name);
        // SAFETY: the borrowed reference is used at once. A class that was found stays alive, because its extra
        // reference is never released.
        unsafe {
            let is_same = class == self.known();
            if class.is_null() || is_same || !self.is_genuine(py, class) {
                return false;
            }
            ffi::Py_IncRef(class);
            self.direct.store(null_mut(), Ordering::Relaxed);
            self.known.store(class.cast(), Ordering::Relaxed);
            if let Some(offsets) = proof::proven() {
                // The proof runs code that requires a proven class.
                self.direct.store(class.cast(), Ordering::Relaxed);
                if !(self.is_proven)(Direct(offsets, py)) {
                    ffi::PyErr_Clear();
                    self.direct.store(null_mut(), Ordering::Relaxed);
                }
            }
        }
        true
    }

    /// Whether `class` comes from that module and is not a substitute.
    unsafe fn is_genuine(&self, py: Python<'_>, class: Object) -> bool {
        // SAFETY: the object is alive and exactly a `type`, so reading its module runs no Python
        // code.
        unsafe {
            if !is_exactly(class, &raw mut ffi::PyType_Type) {
                return false;
            }
            let class = Bound::from_borrowed_ptr(py, class);
            let module = class.getattr(name!("__module__")).and_then(|it| it.extract::<String>());
            let import = self.import.to_str();
            module.is_ok_and(|module| Ok(module.as_str()) == import)
        }
    }
}

/// Looks up all classes among the loaded modules. Returns whether it found a new one.
#[cold]
pub fn look_again(py: Python<'_>) -> bool {
    let all = [&DATE, &TIME, &DATETIME, &TIMEDELTA, &TIMEZONE, &ZONEINFO, &DECIMAL, &UUID];
    all.into_iter().filter(|class| class.look_up(py)).count() > 0
}

/// The object `name` in `module` as a borrowed reference, or null if the module is not loaded. Runs
/// no Python code.
pub fn of_module(_py: Python<'_>, module: &CStr, name: &CStr) -> Object {
    // SAFETY: borrowed references are used at once, and the names end with a zero.
    unsafe {
        let modules = ffi::PyImport_GetModuleDict();
        let module = ffi::PyDict_GetItemString(modules, module.as_ptr());
        if module.is_null() || ffi::PyModule_CheckExact(module) == 0 {
            return null_mut();
        }
        ffi::PyDict_GetItemString(ffi::PyModule_GetDict(module), name.as_ptr())
    }
}

/// Disables garbage collection while it lives, because a collection may run any code. Used around C
/// API calls while rows are read.
pub struct Quiet<'py> {
    was_enabled: bool,
    /// The GIL is held until the collector is enabled again.
    _py: Python<'py>,
}

impl<'py> Quiet<'py> {
    /// Disables garbage collection.
    pub fn new(py: Python<'py>) -> Quiet<'py> {
        // SAFETY: the call only changes a setting of the interpreter, whose GIL is held.
        Quiet { was_enabled: unsafe { ffi::PyGC_Disable() } == 1, _py: py }
    }
}

impl Drop for Quiet<'_> {
    fn drop(&mut self) {
        if self.was_enabled {
            // SAFETY: as in `new`.
            unsafe { ffi::PyGC_Enable() };
        }
    }
}

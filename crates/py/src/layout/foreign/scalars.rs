//! Scalars of NumPy and pandas in rows, which are read where they are.
//!
//! Their classes are C code, which CPython's own functions call: a number of NumPy gives its `int` or `float`, its texts
//! are subclasses of `str` and `bytes`, and a `Timestamp` of pandas begins as a `datetime`. Only moments and durations of
//! NumPy, which give nothing so fast, are read as memory. When encoding has stopped at an object of an
//! unknown class, serow looks these classes up among the loaded modules, and starts again. What it does not read here is
//! a foreign value, which Python code takes apart: `serow._foreign` defines what all of them are equal to.

use std::ffi::CStr;
use std::ptr::null_mut;
use std::sync::atomic::{AtomicBool, AtomicPtr, Ordering};

use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::PyType;
use serow_core::error::Fault;
use serow_core::layout::{OpResult, Text};
use serow_core::schema::{Logical, Scalar as ScalarType};

use super::super::logical::{Clock, DATETIME, clock_of, of_module};
use super::super::offsets::{BYTES_TEXT, LENGTH};
use super::super::{Direct, Object, is_exactly, load, proof};
use super::arrays::is_class_of_c;
use super::time_units::{NOT_A_TIME, Unit};
use crate::made::{Calls, name};

/// What the instances of a class are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Bool,
    Int,
    Float,
    /// A count of a unit since 1970.
    Moment,
    /// A count of a unit.
    Span,
    Str,
    Bytes,
}

/// A class of scalars.
struct ScalarClass {
    name: &'static CStr,
    kind: Kind,
    known: AtomicPtr<ffi::PyTypeObject>,
}

const fn class(name: &'static CStr, kind: Kind) -> ScalarClass {
    ScalarClass { name, kind, known: AtomicPtr::new(null_mut()) }
}

/// The classes of NumPy that are read here, common ones first. Two names may be of one class.
static NUMPY: [ScalarClass; 17] = [
    class(c"int64", Kind::Int),
    class(c"float64", Kind::Float),
    class(c"bool_", Kind::Bool),
    class(c"int32", Kind::Int),
    class(c"float32", Kind::Float),
    class(c"datetime64", Kind::Moment),
    class(c"timedelta64", Kind::Span),
    class(c"str_", Kind::Str),
    class(c"bytes_", Kind::Bytes),
    class(c"uint8", Kind::Int),
    class(c"int8", Kind::Int),
    class(c"int16", Kind::Int),
    class(c"uint16", Kind::Int),
    class(c"uint32", Kind::Int),
    class(c"uint64", Kind::Int),
    class(c"longlong", Kind::Int),
    class(c"ulonglong", Kind::Int),
];

/// pandas' `Timestamp`.
static TIMESTAMP: AtomicPtr<ffi::PyTypeObject> = AtomicPtr::new(null_mut());
/// The descriptors of its nanoseconds and its year. A year that `datetime` lacks is another one in its fields.
static NANOSECOND: AtomicPtr<ffi::PyObject> = AtomicPtr::new(null_mut());
static YEAR: AtomicPtr<ffi::PyObject> = AtomicPtr::new(null_mut());
/// What pandas has in place of `None`.
static NAT: AtomicPtr<ffi::PyObject> = AtomicPtr::new(null_mut());
static NA: AtomicPtr<ffi::PyObject> = AtomicPtr::new(null_mut());

/// Whether the libraries' classes have been looked up.
static HAS_NUMPY: AtomicBool = AtomicBool::new(false);
static HAS_PANDAS: AtomicBool = AtomicBool::new(false);

/// Where a moment or duration has its count; and its unit, and how many of it are one step.
const COUNT: usize = 16;
const UNIT: usize = 24;

/// The plain value that equals a scalar. Texts stay in the object, where [`text`] and [`bytes`] read them.
#[derive(Clone, Copy, Debug)]
pub enum ScalarValue {
    Null,
    Bool(bool),
    Int(i64),
    /// An int of more than 63 bits.
    Large(u64),
    Float(f64),
    Str,
    Bytes,
    /// Days since 1970.
    Date(i64),
    Timestamp(Clock),
    /// Seconds and nanoseconds.
    Duration([i64; 2]),
}

impl ScalarValue {
    /// The type of the value.
    pub fn scalar(self) -> ScalarType {
        match self {
            ScalarValue::Null => ScalarType::Null,
            ScalarValue::Bool(_) => ScalarType::Bool,
            ScalarValue::Int(_) => ScalarType::I64,
            ScalarValue::Large(_) => ScalarType::Logical(Logical::Int),
            ScalarValue::Float(_) => ScalarType::F64,
            ScalarValue::Str => ScalarType::Str,
            ScalarValue::Bytes => ScalarType::Logical(Logical::Bytes),
            ScalarValue::Date(_) => ScalarType::Logical(Logical::Date),
            ScalarValue::Timestamp(clock) => ScalarType::Logical(match clock.zone.is_null() {
                true => Logical::Timestamp,
                false => Logical::TimestampTz,
            }),
            ScalarValue::Duration(_) => ScalarType::Logical(Logical::Duration),
        }
    }

    /// Whether the value is of logical type `ty`. Each int is of the type of all ints.
    pub fn is_of(self, ty: Logical) -> bool {
        match self {
            ScalarValue::Int(_) | ScalarValue::Large(_) => {
                ty.number().is_some_and(|of| !of.is_float())
            }
            ScalarValue::Float(_) => ty == Logical::F32,
            plain => plain.scalar() == ScalarType::Logical(ty),
        }
    }
}

/// Whether `object` is in place of `None`.
///
/// # Safety
/// `object` must be alive.
#[inline(always)]
pub unsafe fn is_null(object: Object) -> bool {
    if !HAS_NUMPY.load(Ordering::Relaxed) {
        return false;
    }
    // SAFETY: the object is alive; a moment and a duration have a count.
    unsafe {
        object == NAT.load(Ordering::Relaxed)
            || object == NA.load(Ordering::Relaxed)
            || [MOMENT, SPAN].into_iter().any(|at| NUMPY[at].is_of(object))
                && load::<i64>(object, COUNT) == NOT_A_TIME
    }
}

/// The places of these classes in [`NUMPY`].
const MOMENT: usize = 5;
const SPAN: usize = 6;

/// The plain value that equals `object`, if it is a scalar that serow reads. Runs no Python code.
///
/// # Safety
/// `object` must be alive.
pub unsafe fn read(py: Python<'_>, object: Object) -> Option<ScalarValue> {
    proof::proven()?;
    // SAFETY: the object is alive, and of the class before it is read.
    unsafe {
        if is_exactly(object, TIMESTAMP.load(Ordering::Relaxed)) {
            return timestamp(py, object);
        }
        match NUMPY.iter().find(|class| class.is_of(object)) {
            Some(class) => value(py, object, class.kind),
            None => is_null(object).then_some(ScalarValue::Null),
        }
    }
}

impl ScalarClass {
    /// # Safety
    /// `object` must be alive.
    #[inline(always)]
    unsafe fn is_of(&self, object: Object) -> bool {
        // SAFETY: the caller's promise; null is no class.
        unsafe { is_exactly(object, self.known.load(Ordering::Relaxed)) }
    }
}

/// The characters of an object whose plain value is [`ScalarValue::Str`]: in place if they are ASCII, or else in
/// `scratch`.
///
/// # Safety
/// `object` must be alive while the text is used.
pub unsafe fn text<'a>(
    py: Python<'_>,
    object: Object,
    scratch: &'a mut Vec<u8>,
) -> OpResult<Text<'a>> {
    let direct = Direct(proof::proven().ok_or(Fault::TypeMismatch)?, py);
    // SAFETY: the object is alive, and its class is a subclass of `str`.
    unsafe { direct.read_any_str(object, scratch) }
}

/// The content of an object whose plain value is [`ScalarValue::Bytes`].
///
/// # Safety
/// `object` must be alive while the bytes are used.
pub unsafe fn bytes<'a>(object: Object) -> &'a [u8] {
    // SAFETY: the object is alive, and its class is a subclass of `bytes`.
    unsafe {
        let len: usize = load(object, LENGTH);
        std::slice::from_raw_parts(object.cast::<u8>().add(BYTES_TEXT), len)
    }
}

/// The value of an instance of a class of NumPy.
///
/// # Safety
/// `object` must be alive and of a class of this kind.
unsafe fn value(py: Python<'_>, object: Object, kind: Kind) -> Option<ScalarValue> {
    // SAFETY: the object is alive. The calls run C code of NumPy. A moment has its count and its unit.
    unsafe {
        match kind {
            Kind::Bool => match ffi::PyObject_IsTrue(object) {
                is if is >= 0 => Some(ScalarValue::Bool(is == 1)),
                _ => none(py),
            },
            Kind::Int => match Bound::from_owned_ptr_or_opt(py, ffi::PyNumber_Index(object)) {
                Some(int) => int_of(&int),
                None => none(py),
            },
            Kind::Float => match ffi::PyFloat_AsDouble(object) {
                -1.0 if !ffi::PyErr_Occurred().is_null() => none(py),
                float => Some(ScalarValue::Float(float)),
            },
            Kind::Str => Some(ScalarValue::Str),
            Kind::Bytes => Some(ScalarValue::Bytes),
            Kind::Moment | Kind::Span => {
                let [unit, count] = load::<[i32; 2]>(object, UNIT);
                of_units(load(object, COUNT), unit, count, kind == Kind::Moment)
            }
        }
    }
}

/// No value, and no exception.
#[cold]
fn none<T>(_py: Python<'_>) -> Option<T> {
    // SAFETY: the token says that the GIL is held.
    unsafe { ffi::PyErr_Clear() };
    None
}

/// The value of an int of at most 64 bits.
#[inline]
fn int_of(int: &Bound<'_, PyAny>) -> Option<ScalarValue> {
    let mut overflow = 0;
    // SAFETY: the int is alive. These calls fail only for an int that is too large.
    unsafe {
        let small = ffi::PyLong_AsLongLongAndOverflow(int.as_ptr(), &raw mut overflow);
        if overflow == 0 {
            return Some(ScalarValue::Int(small));
        }
        match ffi::PyLong_AsUnsignedLongLong(int.as_ptr()) {
            u64::MAX if !ffi::PyErr_Occurred().is_null() => none(int.py()),
            large => Some(ScalarValue::Large(large)),
        }
    }
}

/// The value of a timestamp of pandas. `None` if it has nanoseconds, or a year that `datetime` lacks.
///
/// # Safety
/// `object` must be alive and of the class, whose descriptors are known.
unsafe fn timestamp(py: Python<'_>, object: Object) -> Option<ScalarValue> {
    // SAFETY: the object is alive, and begins as a `datetime`. The descriptors are C code.
    unsafe {
        let number = |descriptor: &AtomicPtr<ffi::PyObject>| {
            let descriptor = descriptor.load(Ordering::Relaxed);
            let get = ffi::PyType_GetSlot(ffi::Py_TYPE(descriptor), ffi::Py_tp_descr_get);
            let get = std::mem::transmute::<*mut std::ffi::c_void, ffi::descrgetfunc>(get);
            let class = ffi::Py_TYPE(object).cast();
            match Bound::from_owned_ptr_or_opt(py, get(descriptor, object, class)) {
                Some(number) => int_of(&number),
                None => none(py),
            }
        };
        let (clock, year) = clock_of(object);
        match (number(&NANOSECOND)?, number(&YEAR)?) {
            (ScalarValue::Int(0), ScalarValue::Int(of)) if of == year => {
                Some(ScalarValue::Timestamp(clock))
            }
            _ => None,
        }
    }
}

/// A moment or duration of `value` times `count` units. `None` if Python has none that equals it.
fn of_units(value: i64, unit: i32, count: i32, is_moment: bool) -> Option<ScalarValue> {
    if value == NOT_A_TIME {
        return Some(ScalarValue::Null);
    }
    let unit = Unit::numbered(unit, count.into(), is_moment)?;
    let [first, second] = unit.components(value)?;
    Some(match unit.ty {
        Logical::Date => ScalarValue::Date(first),
        Logical::Timestamp => {
            ScalarValue::Timestamp(Clock { microseconds: first, fold: false, zone: null_mut() })
        }
        _ => ScalarValue::Duration([first, second]),
    })
}

/// Looks the classes up among the loaded modules. Returns whether it found new ones. Encoding must have
/// stopped, because the libraries' constructors run, which may run any code, as for warnings.
#[cold]
pub fn look_up(py: Python<'_>) -> bool {
    if proof::proven().is_none() {
        return false;
    }
    let is_new = |has: &AtomicBool, module: &CStr, name: &CStr| {
        !has.load(Ordering::Relaxed) && !of_module(py, module, name).is_null()
    };
    let mut has_new = false;
    // A name that is among the last that the module defines.
    if is_new(&HAS_NUMPY, c"numpy", c"test") {
        HAS_NUMPY.store(true, Ordering::Relaxed);
        for class in &NUMPY {
            let found = of_module(py, c"numpy", class.name);
            // SAFETY: the module keeps the class alive, and the extra reference is never released.
            unsafe {
                if is_class_of_c(found) && is_of_kind(py, found, class.kind) {
                    ffi::Py_IncRef(found);
                    class.known.store(found.cast(), Ordering::Relaxed);
                    has_new = true;
                }
            }
        }
    }
    if is_new(&HAS_PANDAS, c"pandas", c"__version__") {
        HAS_PANDAS.store(true, Ordering::Relaxed);
        // Whoever has pandas has NumPy.
        has_new |= find_pandas(py).is_some();
        drop(PyErr::take(py));
    }
    has_new
}

/// Whether instances of a class that C code has made can be read as of this kind.
///
/// # Safety
/// `class` must be such a class.
unsafe fn is_of_kind(py: Python<'_>, class: Object, kind: Kind) -> bool {
    // SAFETY: the classes are alive.
    let is_subclass =
        |base: *mut ffi::PyTypeObject| unsafe { ffi::PyType_IsSubtype(class.cast(), base) != 0 };
    match kind {
        // These are asked, and answer or raise an exception.
        Kind::Bool | Kind::Int | Kind::Float => true,
        Kind::Str => is_subclass(&raw mut ffi::PyUnicode_Type),
        Kind::Bytes => is_subclass(&raw mut ffi::PyBytes_Type),
        Kind::Moment | Kind::Span => {
            // SAFETY: the caller's promise.
            let class = unsafe { Bound::from_borrowed_ptr(py, class) };
            have_counts(&class, kind).unwrap_or_default()
        }
    }
}

/// Whether moments or durations of NumPy have their counts and units where serow reads them.
fn have_counts(class: &Bound<'_, PyAny>, kind: Kind) -> PyResult<bool> {
    if class.getattr(name!("__basicsize__"))?.extract::<usize>()? < UNIT + 8 {
        return Ok(false);
    }
    let read = |count: i64, unit: &str| {
        let made = class.call_with((count, unit))?;
        // SAFETY: the object is alive and that large.
        Ok::<_, PyErr>(unsafe { value(class.py(), made.as_ptr(), kind) })
    };
    let is_right = match (read(-7, "15m")?, kind) {
        (Some(ScalarValue::Duration(parts)), Kind::Span) => parts == [-6_300, 0],
        (Some(ScalarValue::Timestamp(clock)), Kind::Moment) => clock.microseconds == -6_300_000_000,
        _ => false,
    };
    Ok(is_right && read(3, "M")?.is_none())
}

/// Looks up what serow reads of pandas. An instance of a subclass of `datetime` begins as a `datetime`.
fn find_pandas(py: Python<'_>) -> Option<()> {
    // SAFETY: the modules keep what they have alive, and references are taken at once. They are never released.
    unsafe {
        for (name, place) in [(c"NaT", &NAT), (c"NA", &NA)] {
            let found = of_module(py, c"pandas", name);
            if !found.is_null() {
                ffi::Py_IncRef(found);
                place.store(found, Ordering::Relaxed);
            }
        }
        let found = of_module(py, c"pandas._libs.tslibs.timestamps", c"Timestamp");
        let datetime = DATETIME.direct();
        if found.is_null() || datetime.is_null() || ffi::PyType_Check(found) == 0 {
            return None;
        }
        if ffi::PyType_IsSubtype(found.cast(), datetime) == 0 {
            return None;
        }
        let class = Bound::from_borrowed_ptr(py, found).cast_into_unchecked::<PyType>();
        for (name, place) in [(name!("nanosecond"), &NANOSECOND), (name!("year"), &YEAR)] {
            let descriptor = class.getattr(name).ok()?;
            let is_of = |class| is_exactly(descriptor.as_ptr(), class);
            // Those of C code.
            if !is_of(&raw mut ffi::PyGetSetDescr_Type) && !is_of(&raw mut ffi::PyMemberDescr_Type)
            {
                return None;
            }
            place.store(descriptor.into_ptr(), Ordering::Relaxed);
        }
        ffi::Py_IncRef(found);
        TIMESTAMP.store(found.cast(), Ordering::Relaxed);
        Some(())
    }
}

//! Scalars of NumPy and pandas in rows, which are read where they are.
//!
//! A scalar of NumPy is a C struct: the head of an object and a number; its texts are C subclasses of `str`
//! and `bytes`. A `Timestamp` of pandas begins as a `datetime`. When encoding has stopped at an object of an
//! unknown class, serow looks these classes up among the loaded modules, tries on objects of each that it
//! reads them right, and starts again. What it does not read here is a foreign value, which Python code takes
//! apart: `serow._foreign` defines what all of them are equal to.

use std::ffi::CStr;
use std::ptr::null_mut;
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicUsize, Ordering};

use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString, PyType};
use serow_core::error::Fault;
use serow_core::layout::{OpResult, Text};
use serow_core::schema::{Logical, Scalar as ScalarType};

use super::arrays::is_class_of_c;
use super::logical::{Clock, DATETIME, clock_of, of_module};
use super::offsets::{BYTES_TEXT, LENGTH};
use super::time_units::{NOT_A_TIME, Unit};
use super::{Direct, Object, is_exactly, load, proof};
use crate::made::{self, Arguments as _, Calls, name};

/// What a class's instances hold behind their head.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Item {
    Bool,
    I8,
    I16,
    I32,
    I64,
    U8,
    U16,
    U32,
    U64,
    F32,
    F64,
    /// A count of a unit since 1970, and the unit.
    Moment,
    /// A count of a unit.
    Span,
    /// What a `str` has, with the characters in memory of their own.
    Str,
    /// What a `bytes` has.
    Bytes,
    Timestamp,
}

/// A class of scalars.
struct ScalarClass {
    name: &'static CStr,
    item: Item,
    known: AtomicPtr<ffi::PyTypeObject>,
}

const fn class(name: &'static CStr, item: Item) -> ScalarClass {
    ScalarClass { name, item, known: AtomicPtr::new(null_mut()) }
}

/// The classes of NumPy that are read here. Two names may be of one class.
static NUMPY: [ScalarClass; 17] = [
    class(c"int64", Item::I64),
    class(c"float64", Item::F64),
    class(c"bool_", Item::Bool),
    class(c"int32", Item::I32),
    class(c"float32", Item::F32),
    class(c"datetime64", Item::Moment),
    class(c"timedelta64", Item::Span),
    class(c"str_", Item::Str),
    class(c"bytes_", Item::Bytes),
    class(c"uint8", Item::U8),
    class(c"int8", Item::I8),
    class(c"int16", Item::I16),
    class(c"uint16", Item::U16),
    class(c"uint32", Item::U32),
    class(c"uint64", Item::U64),
    class(c"longlong", Item::I64),
    class(c"ulonglong", Item::U64),
];

static TIMESTAMP: ScalarClass = class(c"Timestamp", Item::Timestamp);
/// Where a timestamp has its nanoseconds and its year, in bytes. A year that `datetime` lacks is another one
/// in its fields.
static NANOSECOND: AtomicUsize = AtomicUsize::new(0);
static YEAR: AtomicUsize = AtomicUsize::new(0);
/// What pandas has in place of `None`.
static NAT: AtomicPtr<ffi::PyObject> = AtomicPtr::new(null_mut());
static NA: AtomicPtr<ffi::PyObject> = AtomicPtr::new(null_mut());

/// Whether the libraries' classes have been looked up.
static HAS_NUMPY: AtomicBool = AtomicBool::new(false);
static HAS_PANDAS: AtomicBool = AtomicBool::new(false);

/// The size of an object's head, in bytes.
const HEAD: usize = 16;
/// Behind the count of a moment: its unit, and how many of it are one step.
const UNIT: usize = 24;

/// The plain value that equals a scalar. Texts stay in the object, where [`text`] and [`bytes`] read them.
#[derive(Clone, Copy, Debug)]
pub enum Plain {
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

impl Plain {
    /// The type of the value.
    pub fn scalar(self) -> ScalarType {
        match self {
            Plain::Null => ScalarType::Null,
            Plain::Bool(_) => ScalarType::Bool,
            Plain::Int(_) => ScalarType::I64,
            Plain::Large(_) => ScalarType::Logical(Logical::Int),
            Plain::Float(_) => ScalarType::F64,
            Plain::Str => ScalarType::Str,
            Plain::Bytes => ScalarType::Logical(Logical::Bytes),
            Plain::Date(_) => ScalarType::Logical(Logical::Date),
            Plain::Timestamp(clock) => ScalarType::Logical(match clock.zone.is_null() {
                true => Logical::Timestamp,
                false => Logical::TimestampTz,
            }),
            Plain::Duration(_) => ScalarType::Logical(Logical::Duration),
        }
    }

    /// Whether the value is of logical type `ty`. Each int is of the type of all ints.
    pub fn is_of(self, ty: Logical) -> bool {
        match self {
            Plain::Int(_) | Plain::Large(_) => ty == Logical::Int,
            plain => plain.scalar() == ScalarType::Logical(ty),
        }
    }
}

/// Whether `object` is in place of `None`.
///
/// # Safety
/// `object` must be alive, and the GIL must be held.
#[inline(always)]
pub unsafe fn is_null(object: Object) -> bool {
    if !HAS_NUMPY.load(Ordering::Relaxed) {
        return false;
    }
    // SAFETY: the caller's promise; a moment has a count.
    unsafe {
        object == NAT.load(Ordering::Relaxed)
            || object == NA.load(Ordering::Relaxed)
            || [&NUMPY[5], &NUMPY[6]].into_iter().any(|class| class.is_of(object))
                && load::<i64>(object, HEAD) == NOT_A_TIME
    }
}

/// The plain value that equals `object`, if it is a scalar that serow reads.
///
/// # Safety
/// `object` must be alive, and the GIL must be held.
pub unsafe fn read(object: Object) -> Option<Plain> {
    proof::proven()?;
    // SAFETY: the caller's promise.
    unsafe {
        match known(object) {
            Some(item) => value(object, item),
            None if is_null(object) => Some(Plain::Null),
            None => None,
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

/// The characters of an object whose plain value is [`Plain::Str`]: in place if they are ASCII, or else in
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
    // SAFETY: the caller's promise; the class is one of `str`s.
    unsafe { direct.read_any_str(object, scratch) }
}

/// The content of an object whose plain value is [`Plain::Bytes`].
///
/// # Safety
/// `object` must be alive while the bytes are used, and the GIL must be held.
pub unsafe fn bytes<'a>(object: Object) -> &'a [u8] {
    // SAFETY: the caller's promise; the class is one of `bytes`.
    unsafe {
        let len: usize = load(object, LENGTH);
        std::slice::from_raw_parts(object.cast::<u8>().add(BYTES_TEXT), len)
    }
}

unsafe fn known(object: Object) -> Option<Item> {
    let all = [&TIMESTAMP].into_iter().chain(&NUMPY);
    // SAFETY: the object is alive.
    all.filter(|class| unsafe { class.is_of(object) }).map(|class| class.item).next()
}

/// The value of an instance of a class with this item.
unsafe fn value(object: Object, item: Item) -> Option<Plain> {
    let large = |v: u64| i64::try_from(v).map_or(Plain::Large(v), Plain::Int);
    // SAFETY: the object is alive and has such an item.
    Some(unsafe {
        match item {
            Item::Bool => Plain::Bool(load::<u8>(object, HEAD) != 0),
            Item::I8 => Plain::Int(load::<i8>(object, HEAD).into()),
            Item::I16 => Plain::Int(load::<i16>(object, HEAD).into()),
            Item::I32 => Plain::Int(load::<i32>(object, HEAD).into()),
            Item::I64 => Plain::Int(load(object, HEAD)),
            Item::U8 => Plain::Int(load::<u8>(object, HEAD).into()),
            Item::U16 => Plain::Int(load::<u16>(object, HEAD).into()),
            Item::U32 => Plain::Int(load::<u32>(object, HEAD).into()),
            Item::U64 => large(load(object, HEAD)),
            Item::F32 => Plain::Float(load::<f32>(object, HEAD).into()),
            Item::F64 => Plain::Float(load(object, HEAD)),
            Item::Str => Plain::Str,
            Item::Bytes => Plain::Bytes,
            Item::Moment | Item::Span => {
                let [unit, count] = load::<[i32; 2]>(object, UNIT);
                of_units(load(object, HEAD), unit, count, item == Item::Moment)?
            }
            Item::Timestamp => {
                let number = |at: &AtomicUsize| load::<i64>(object, at.load(Ordering::Relaxed));
                let (clock, year) = clock_of(object);
                if number(&NANOSECOND) != 0 || number(&YEAR) != year {
                    return None;
                }
                Plain::Timestamp(clock)
            }
        }
    })
}

/// A moment or duration of `value` times `count` units. `None` if Python has none that equals it.
fn of_units(value: i64, unit: i32, count: i32, is_moment: bool) -> Option<Plain> {
    if value == NOT_A_TIME {
        return Some(Plain::Null);
    }
    let unit = Unit::numbered(unit, count.into(), is_moment)?;
    let [first, second] = unit.components(value)?;
    Some(match unit.ty {
        Logical::Date => Plain::Date(first),
        Logical::Timestamp => {
            Plain::Timestamp(Clock { microseconds: first, fold: false, zone: null_mut() })
        }
        _ => Plain::Duration([first, second]),
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
    // SAFETY: the GIL is held, and borrowed references are used at once.
    unsafe {
        // A name that is among the last that the module defines.
        if is_new(&HAS_NUMPY, c"numpy", c"test") {
            HAS_NUMPY.store(true, Ordering::Relaxed);
            for class in &NUMPY {
                let found = of_module(py, c"numpy", class.name);
                if is_class_of_c(found) && is_proven(py, found, class.item) {
                    // Never released.
                    ffi::Py_IncRef(found);
                    class.known.store(found.cast(), Ordering::Relaxed);
                    has_new = true;
                }
                ffi::PyErr_Clear();
            }
        }
        if is_new(&HAS_PANDAS, c"pandas", c"__version__") {
            HAS_PANDAS.store(true, Ordering::Relaxed);
            // Whoever has pandas has NumPy.
            has_new |= find_pandas(py).is_some();
            ffi::PyErr_Clear();
        }
    }
    has_new
}

/// Whether instances of a class of NumPy hold what serow reads.
///
/// # Safety
/// `class` must be a class of NumPy.
unsafe fn is_proven(py: Python<'_>, class: Object, item: Item) -> bool {
    // SAFETY: the caller's promise.
    let class = unsafe { Bound::from_borrowed_ptr(py, class).cast_into_unchecked::<PyType>() };
    proofs(&class, item).unwrap_or_default()
}

fn proofs(class: &Bound<'_, PyType>, item: Item) -> PyResult<bool> {
    let size: usize = class.getattr(name!("__basicsize__"))?.extract()?;
    let needed = match item {
        Item::Moment | Item::Span => UNIT + 8,
        Item::Str => return is_text(class),
        Item::Bytes => return is_bytes(class),
        _ => HEAD + 8,
    };
    // NumPy rounds the sizes of its scalars up to whole words.
    if size < needed {
        return Ok(false);
    }
    // SAFETY: the object is alive and that large.
    let read = |object: Bound<'_, PyAny>| unsafe { value(object.as_ptr(), item) };
    let int = |v: i64| {
        Ok::<_, PyErr>(matches!(read(class.call_with((v,))?), Some(Plain::Int(it)) if it == v))
    };
    let float = |v: f64| {
        Ok::<_, PyErr>(matches!(read(class.call_with((v,))?), Some(Plain::Float(it)) if it == v))
    };
    let ints =
        |all: [i64; 3]| all.into_iter().try_fold(true, |is, v| Ok::<_, PyErr>(is && int(v)?));
    let timed = |v: i64, unit: &str| Ok::<_, PyErr>(read(class.call_with((v, unit))?));
    Ok(match item {
        Item::Bool => [true, false].into_iter().try_fold(true, |is, v| {
            let same = matches!(read(class.call_with((v,))?), Some(Plain::Bool(it)) if it == v);
            Ok::<_, PyErr>(is && same)
        })?,
        Item::I8 => ints([-128, 1, 127])?,
        Item::I16 => ints([-32_768, 1, 32_767])?,
        Item::I32 => ints([i32::MIN.into(), 1, i32::MAX.into()])?,
        Item::I64 => ints([i64::MIN, 1, i64::MAX])?,
        Item::U8 => ints([0, 1, 255])?,
        Item::U16 => ints([0, 1, 65_535])?,
        Item::U32 => ints([0, 1, u32::MAX.into()])?,
        Item::U64 => {
            let large = read(class.call_with((u64::MAX,))?);
            ints([0, 1, i64::MAX])? && matches!(large, Some(Plain::Large(u64::MAX)))
        }
        Item::F32 => float(-0.5)? && float(1e10)?,
        Item::F64 => float(-0.1)? && float(1e300)?,
        Item::Moment => {
            let is_at = |read, at: i64| match read {
                Some(Plain::Timestamp(clock)) => clock.microseconds == at,
                _ => false,
            };
            matches!(timed(-3, "D")?, Some(Plain::Date(-3)))
                && is_at(timed(5, "h")?, 18_000_000_000)
                && is_at(timed(5, "25s")?, 125_000_000)
                && is_at(timed(-7, "ms")?, -7_000)
                && is_at(timed(9, "us")?, 9)
                && is_at(timed(3_000, "ns")?, 3)
                && timed(3, "ns")?.is_none()
                && timed(3, "M")?.is_none()
                && matches!(read(class.call_with(("NaT", "s"))?), Some(Plain::Null))
        }
        Item::Span => {
            matches!(timed(2, "W")?, Some(Plain::Duration([1_209_600, 0])))
                && matches!(timed(-7, "us")?, Some(Plain::Duration([-1, 999_993_000])))
                && matches!(timed(7, "15m")?, Some(Plain::Duration([6_300, 0])))
                && timed(3, "Y")?.is_none()
        }
        Item::Str | Item::Bytes | Item::Timestamp => false,
    })
}

/// Whether instances of a class of texts hold what a `str` of their own memory does.
fn is_text(class: &Bound<'_, PyType>) -> PyResult<bool> {
    let str_class = class.py().get_type::<PyString>();
    if !class.is_subclass(&str_class)? {
        return Ok(false);
    }
    let mut scratch = Vec::new();
    ["", "a", "plain text", "\u{e4}", "\u{20ac} and more", "\u{1f600}"].into_iter().try_fold(
        true,
        |is, v| {
            let made = class.call_with((v,))?;
            // SAFETY: the object is alive and a `str`.
            let read = unsafe { text(class.py(), made.as_ptr(), &mut scratch) };
            let same = matches!(read, Ok(Text::Plain(read)) if read.bytes() == v.as_bytes());
            Ok(is && same)
        },
    )
}

/// Whether instances of a class of bytes hold what a `bytes` does.
fn is_bytes(class: &Bound<'_, PyType>) -> PyResult<bool> {
    if !class.is_subclass(&class.py().get_type::<PyBytes>())? {
        return Ok(false);
    }
    [&b""[..], b"a", b"0123456789\0\xff"].into_iter().try_fold(true, |is, v| {
        let made = class.call_with((made::bytes(class.py(), v)?,))?;
        // SAFETY: the object is alive and a `bytes`.
        Ok(is && unsafe { bytes(made.as_ptr()) } == v)
    })
}

/// Looks up what serow reads of pandas, and tries it.
fn find_pandas(py: Python<'_>) -> Option<()> {
    // SAFETY: the module keeps what it has alive, and references are taken at once.
    unsafe {
        for (name, place) in [(c"NaT", &NAT), (c"NA", &NA)] {
            let found = of_module(py, c"pandas", name);
            if !found.is_null() {
                // Never released.
                ffi::Py_IncRef(found);
                place.store(found, Ordering::Relaxed);
            }
        }
        let found = of_module(py, c"pandas._libs.tslibs.timestamps", c"Timestamp");
        let datetime = DATETIME.direct();
        if found.is_null() || datetime.is_null() || ffi::PyType_Check(found) == 0 {
            return None;
        }
        let class = Bound::from_borrowed_ptr(py, found).cast_into_unchecked::<PyType>();
        if ffi::PyType_IsSubtype(class.as_type_ptr(), datetime) == 0 {
            return None;
        }
        for (name, place) in [("nanosecond", &NANOSECOND), ("year", &YEAR)] {
            place.store(field_at(&class, name).ok()??, Ordering::Relaxed);
        }
        is_right(&class).ok()?.then(|| {
            ffi::Py_IncRef(found);
            TIMESTAMP.known.store(found.cast(), Ordering::Relaxed);
        })
    }
}

/// Where instances of a class of timestamps have the number that is this attribute: behind a `datetime`, in
/// the only word that is this number in each of several.
fn field_at(class: &Bound<'_, PyType>, name: &str) -> PyResult<Option<usize>> {
    const TEXTS: [&str; 4] = [
        "2024-02-29T01:02:03.000004005",
        "1969-12-31T23:59:59.000000999",
        "1970-01-01T00:00:00.000000001",
        "2199-07-08T09:10:11.121314151",
    ];
    let size: usize = class.getattr(name!("__basicsize__"))?.extract()?;
    let datetime: usize = class
        .py()
        .import(name!("datetime"))?
        .getattr(name!("datetime"))?
        .getattr(name!("__basicsize__"))?
        .extract()?;
    let mut places: Vec<usize> = (datetime..=size.saturating_sub(8)).step_by(8).collect();
    for text in TEXTS {
        let made = class.call_with((text,))?;
        let number: i64 = made.getattr(made::text(class.py(), name)?)?.extract()?;
        // SAFETY: the object is alive and that large.
        places.retain(|&at| unsafe { load::<i64>(made.as_ptr(), at) } == number);
    }
    Ok(if let [at] = places[..] { Some(at) } else { None })
}

/// Whether timestamps are read as the `datetime`s that they give themselves.
fn is_right(class: &Bound<'_, PyType>) -> PyResult<bool> {
    let py = class.py();
    let utc = made::dict(py)?;
    utc.set_item(name!("tz"), name!("UTC"))?;
    // SAFETY: the objects are alive, and timestamps begin as datetimes.
    let clock = |object: &Bound<'_, PyAny>| unsafe { value(object.as_ptr(), Item::Timestamp) };
    for text in ["1970-01-01", "2024-02-29T01:02:03.000004", "1700-12-31T23:59:59.999999"] {
        for options in [None, Some(&utc)] {
            let made = class.call((text,).tuple(py)?, options)?;
            let plain = made.call_method0(name!("to_pydatetime"))?;
            // SAFETY: the object is a datetime.
            let (of_plain, _) = unsafe { clock_of(plain.as_ptr()) };
            let Some(Plain::Timestamp(clock)) = clock(&made) else { return Ok(false) };
            if clock != of_plain || clock.zone.is_null() != options.is_none() {
                return Ok(false);
            }
        }
    }
    // pandas 1 has no years beyond those of nanoseconds.
    let beyond = class
        .call_with(("20000-01-01",))
        .or_else(|_| class.call_with(("2024-01-01T00:00:00.000000001",)));
    let with_nanoseconds = class.call_with(("2024-01-01T00:00:00.000000001",))?;
    Ok(clock(&with_nanoseconds).is_none() && clock(&beyond?).is_none())
}

//! The objects of Python that serow makes and passes on, each with a `MemoryError` where there is no memory.
//!
//! PyO3's own constructors and conversions of texts, numbers, tuples, lists and dicts panic then, which gives a
//! `PanicException`, or ends the process if it happens in a callback. `clippy.toml` forbids them. Results of methods and
//! values of attributes are [`Made`]; arguments go through [`Calls`]; names are [`name!`].

use std::ffi::c_int;
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;

use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBytes, PyDict, PyList, PyString, PyTuple};

use serow_core::wire::message::Metadata;

/// What becomes an object.
pub trait Make<'py> {
    /// The object.
    ///
    /// # Errors
    /// A `MemoryError`.
    fn make(self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>>;
}

/// A value that PyO3 makes an object of by [`Make`], so that there is an error and no panic.
#[derive(PartialEq)]
pub struct Made<T>(pub T);

impl<'py, T: Make<'py>> IntoPyObject<'py> for Made<T> {
    type Target = PyAny;
    type Output = Bound<'py, PyAny>;
    type Error = PyErr;

    fn into_pyobject(self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.0.make(py)
    }
}

/// A new reference that a function of Python has given, or the error that it has set.
///
/// # Safety
/// `object` must be a new reference to an instance of `T`, or null with an error set.
unsafe fn owned<'py, T>(py: Python<'py>, object: *mut ffi::PyObject) -> PyResult<Bound<'py, T>> {
    // SAFETY: the caller's promise.
    unsafe { Ok(Bound::from_owned_ptr_or_err(py, object)?.cast_into_unchecked()) }
}

/// A `str`.
///
/// # Errors
/// A `MemoryError`.
pub fn text<'py>(py: Python<'py>, text: &str) -> PyResult<Bound<'py, PyString>> {
    let (start, len) = (text.as_ptr().cast(), text.len() as ffi::Py_ssize_t);
    // SAFETY: the GIL is held; the text has this length.
    unsafe { owned(py, ffi::PyUnicode_FromStringAndSize(start, len)) }
}

/// The text of a `str`. Lone surrogates become U+FFFD.
///
/// # Errors
/// A `MemoryError`.
pub fn lossy(text: &Bound<'_, PyString>) -> PyResult<String> {
    let py = text.py();
    let (utf8, how) = (c"utf-8".as_ptr(), c"surrogatepass".as_ptr());
    // SAFETY: the GIL is held, and the text is alive. UTF-8 is a `bytes`.
    let bytes: Bound<'_, PyBytes> =
        unsafe { owned(py, ffi::PyUnicode_AsEncodedString(text.as_ptr(), utf8, how)) }?;
    Ok(String::from_utf8_lossy(bytes.as_bytes()).into_owned())
}

/// A `bytes`.
///
/// # Errors
/// A `MemoryError`.
pub fn bytes<'py>(py: Python<'py>, bytes: &[u8]) -> PyResult<Bound<'py, PyBytes>> {
    let (start, len) = (bytes.as_ptr().cast(), bytes.len() as ffi::Py_ssize_t);
    // SAFETY: the GIL is held; the bytes have this length.
    unsafe { owned(py, ffi::PyBytes_FromStringAndSize(start, len)) }
}

/// A dict without entries.
///
/// # Errors
/// A `MemoryError`.
pub fn dict(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    // SAFETY: the GIL is held.
    unsafe { owned(py, ffi::PyDict_New()) }
}

/// A list without items.
///
/// # Errors
/// A `MemoryError`.
pub fn empty_list(py: Python<'_>) -> PyResult<Bound<'_, PyList>> {
    // SAFETY: the GIL is held.
    unsafe { owned(py, ffi::PyList_New(0)) }
}

/// A list of `items`.
///
/// # Errors
/// A `MemoryError`.
pub fn list<'py, I>(py: Python<'py>, items: I) -> PyResult<Bound<'py, PyList>>
where
    I: IntoIterator<Item: Make<'py>, IntoIter: ExactSizeIterator>,
{
    // SAFETY: both functions are those of lists.
    unsafe { filled(py, items.into_iter(), ffi::PyList_New, ffi::PyList_SetItem) }
}

/// A tuple of `items`.
///
/// # Errors
/// A `MemoryError`.
pub fn tuple<'py, I>(py: Python<'py>, items: I) -> PyResult<Bound<'py, PyTuple>>
where
    I: IntoIterator<Item: Make<'py>, IntoIter: ExactSizeIterator>,
{
    // SAFETY: both functions are those of tuples.
    unsafe { filled(py, items.into_iter(), ffi::PyTuple_New, ffi::PyTuple_SetItem) }
}

type New = unsafe extern "C" fn(ffi::Py_ssize_t) -> *mut ffi::PyObject;
type SetItem =
    unsafe extern "C" fn(*mut ffi::PyObject, ffi::Py_ssize_t, *mut ffi::PyObject) -> c_int;

/// # Safety
/// `new` must make an instance of `T` with places for items, which `set` fills.
unsafe fn filled<'py, T>(
    py: Python<'py>,
    items: impl ExactSizeIterator<Item: Make<'py>>,
    new: New,
    set: SetItem,
) -> PyResult<Bound<'py, T>> {
    let len = items.len();
    // SAFETY: the GIL is held, and the caller's promise.
    let made = unsafe { owned(py, new(len as ffi::Py_ssize_t)) }?;
    let mut count = 0;
    for item in items.take(len) {
        let item = item.make(py)?;
        // SAFETY: nobody else has the object, and it has a place for each item. The item's reference is given away.
        if unsafe { set(made.as_ptr(), count, item.into_ptr()) } != 0 {
            return Err(PyErr::fetch(py));
        }
        count += 1;
    }
    assert_eq!(count as usize, len, "an iterator gives fewer items than it says");
    Ok(made)
}

/// Calls with arguments that become objects.
pub trait Calls<'py> {
    /// Calls this object.
    ///
    /// # Errors
    /// A `MemoryError`. What the call raises.
    fn call_with(&self, args: impl Arguments<'py>) -> PyResult<Bound<'py, PyAny>>;

    /// Calls a method.
    ///
    /// # Errors
    /// As for [`Calls::call_with`].
    fn method_with(
        &self,
        name: &'static Name,
        args: impl Arguments<'py>,
    ) -> PyResult<Bound<'py, PyAny>>;
}

impl<'py> Calls<'py> for Bound<'py, PyAny> {
    #[expect(clippy::disallowed_methods, reason = "the arguments are objects")]
    fn call_with(&self, args: impl Arguments<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.call1(args.tuple(self.py())?)
    }

    fn method_with(
        &self,
        name: &'static Name,
        args: impl Arguments<'py>,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.getattr(name)?.call_with(args)
    }
}

/// Arguments of a call: a tuple of values that become objects.
pub trait Arguments<'py> {
    /// The tuple of the objects.
    ///
    /// # Errors
    /// A `MemoryError`.
    fn tuple(self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>>;
}

macro_rules! make_tuples {
    ($(($($T:ident)+))+) => {$(
        impl<'py, $($T: Make<'py>),+> Arguments<'py> for ($($T,)+) {
            #[allow(non_snake_case, reason = "the types name the items")]
            fn tuple(self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
                let ($($T,)+) = self;
                tuple(py, [$($T.make(py)?),+])
            }
        }

        impl<'py, $($T: Make<'py>),+> Make<'py> for ($($T,)+) {
            fn make(self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
                Ok(self.tuple(py)?.into_any())
            }
        }
    )+};
}

make_tuples! { (A) (A B) (A B C) (A B C D) (A B C D E) (A B C D E F) (A B C D E F G) (A B C D E F G H) }

macro_rules! make_numbers {
    ($($function:ident: $($T:ty)+;)+) => {$($(
        impl<'py> Make<'py> for $T {
            fn make(self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
                // SAFETY: the GIL is held.
                unsafe { owned(py, ffi::$function(self.into())) }
            }
        }
    )+)+};
}

make_numbers! {
    PyLong_FromLongLong: i32 i64;
    PyLong_FromUnsignedLongLong: u8 u16 u32 u64;
    PyFloat_FromDouble: f64;
    PyBool_FromLong: bool;
}

impl<'py> Make<'py> for usize {
    fn make(self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        (self as u64).make(py)
    }
}

impl<'py> Make<'py> for &str {
    fn make(self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(text(py, self)?.into_any())
    }
}

impl<'py> Make<'py> for String {
    fn make(self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.as_str().make(py)
    }
}

impl<'py> Make<'py> for &String {
    fn make(self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.as_str().make(py)
    }
}

impl<'py> Make<'py> for &Path {
    fn make(self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let bytes = self.as_os_str().as_bytes();
        let (start, len) = (bytes.as_ptr().cast(), bytes.len() as ffi::Py_ssize_t);
        // SAFETY: the GIL is held; the bytes have this length.
        unsafe { owned(py, ffi::PyUnicode_DecodeFSDefaultAndSize(start, len)) }
    }
}

impl<'py, T: Make<'py>> Make<'py> for Option<T> {
    fn make(self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.map_or_else(|| Ok(py.None().into_bound(py)), |value| value.make(py))
    }
}

impl<'py, T: Make<'py>> Make<'py> for Vec<T> {
    fn make(self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(list(py, self)?.into_any())
    }
}

impl<'py> Make<'py> for Metadata {
    fn make(self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let made = dict(py)?;
        for (name, text) in &self {
            made.set_item(Made(name), Made(text))?;
        }
        Ok(made.into_any())
    }
}

impl<'py, T> Make<'py> for Bound<'py, T> {
    fn make(self, _: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(self.into_any())
    }
}

impl<'py, T> Make<'py> for &Bound<'py, T> {
    fn make(self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.clone().make(py)
    }
}

impl<'py, T> Make<'py> for &Py<T> {
    fn make(self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.clone_ref(py).into_bound(py).make(py)
    }
}

/// The name of an attribute, a module or a key, which is made once.
pub struct Name(&'static str, PyOnceLock<Py<PyString>>);

impl Name {
    /// For [`name!`].
    pub const fn new(text: &'static str) -> Name {
        Name(text, PyOnceLock::new())
    }

    /// The `str`.
    ///
    /// # Errors
    /// A `MemoryError`.
    #[inline]
    pub fn get<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyString>> {
        let made = self.1.get_or_try_init(py, || {
            let mut name = text(py, self.0)?.into_ptr();
            // SAFETY: the GIL is held. The reference is exchanged for one to an equal `str`.
            unsafe {
                ffi::PyUnicode_InternInPlace(&mut name);
                owned(py, name).map(Bound::unbind)
            }
        });
        made.map(|name| name.bind(py).clone())
    }
}

impl<'py> IntoPyObject<'py> for &'static Name {
    type Target = PyString;
    type Output = Bound<'py, PyString>;
    type Error = PyErr;

    #[inline]
    fn into_pyobject(self, py: Python<'py>) -> PyResult<Bound<'py, PyString>> {
        self.get(py)
    }
}

impl<'py> Make<'py> for &'static Name {
    fn make(self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(self.get(py)?.into_any())
    }
}

/// A name that is known here, or one of the caller's.
pub trait Named<'py> {
    /// The `str`.
    ///
    /// # Errors
    /// A `MemoryError`.
    fn named(self, py: Python<'py>) -> PyResult<Bound<'py, PyString>>;
}

impl<'py> Named<'py> for &'static Name {
    fn named(self, py: Python<'py>) -> PyResult<Bound<'py, PyString>> {
        self.get(py)
    }
}

impl<'py> Named<'py> for &Bound<'py, PyString> {
    fn named(self, _: Python<'py>) -> PyResult<Bound<'py, PyString>> {
        Ok(self.clone())
    }
}

/// The [`Name`] with this text.
macro_rules! name {
    ($text:expr) => {{
        static NAME: $crate::made::Name = $crate::made::Name::new($text);
        &NAME
    }};
}
pub(crate) use name;

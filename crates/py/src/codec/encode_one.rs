//! `Codec.encode_one` as a plain C function.
//!
//! PyO3's wrapper of a method handles keywords and counts how often a thread is inside Python. That
//! takes about as long as encoding a short row. This function does neither on its way to a row that
//! fits; everything else goes through [`Python::attach`].

use std::ffi::CStr;
use std::panic::{AssertUnwindSafe, catch_unwind};

use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::PyType;
use serow_core::wire::single::SingleRecord;

use crate::access;
use crate::codec::PyCodec;
use crate::codec::convert;
use crate::errors::{SerowError, exception};
use crate::layout::message_bytes::Growing;
use crate::layout::{Access, Direct, Object};
use crate::made::name;

const NAME: &CStr = c"encode_one";
const DOC: &str = concat!("encode_one($self, row, /)\n--\n\n", stub_doc!("Codec.encode_one"), "\0");

/// Adds the method to `Codec`.
pub fn add_to(class: &Bound<'_, PyType>) -> PyResult<()> {
    let method = ffi::PyMethodDef {
        ml_name: NAME.as_ptr(),
        ml_meth: ffi::PyMethodDefPointer { PyCFunction: encode_one },
        ml_flags: ffi::METH_O,
        ml_doc: DOC.as_ptr().cast(),
    };
    // SAFETY: the class is alive. The definition lives as long as the process; CPython does not
    // change it.
    let descriptor = unsafe {
        let made = ffi::PyDescr_NewMethod(class.as_type_ptr(), Box::into_raw(Box::new(method)));
        Bound::from_owned_ptr_or_err(class.py(), made)?
    };
    class.setattr(name!("encode_one"), descriptor)
}

unsafe extern "C" fn encode_one(codec: Object, row: Object) -> Object {
    let encoded = catch_unwind(AssertUnwindSafe(|| {
        // SAFETY: CPython holds the GIL, and has checked that the object is a `Codec`.
        let (py, codec) = unsafe {
            let py = Python::assume_attached();
            (py, Borrowed::from_ptr(py, codec).cast_unchecked::<PyCodec>())
        };
        let codec = codec.get();
        // Without names no object outlives the reading of the row, so PyO3 need not know that this
        // thread is inside Python.
        if codec.program().from.tables.is_empty()
            && let Some(offsets) = access::offsets()
        {
            // SAFETY: the GIL is held, and the row is alive.
            let bytes = unsafe {
                let copied =
                    |record: SingleRecord<'_>| <Direct<'_> as Access>::Bytes::of_record(record);
                convert::encode_directly(row, codec, Direct(offsets, py), copied)
            };
            if let Some(bytes) = bytes {
                return bytes;
            }
        }
        encode_in_any_way(codec, row)
    }));
    encoded.unwrap_or_else(|_| {
        Python::attach(|py| {
            exception::<SerowError>("serow panicked; please report it").restore(py)
        });
        std::ptr::null_mut()
    })
}

#[cold]
fn encode_in_any_way(codec: &PyCodec, row: Object) -> Object {
    Python::attach(|py| {
        // SAFETY: the caller's row is alive.
        let row = unsafe { Bound::from_borrowed_ptr(py, row) };
        // SAFETY: this thread is inside Python.
        match convert::encode_one(&row, codec, |record| unsafe { Vec::<u8>::of_record(record) }) {
            Ok(bytes) => bytes,
            Err(error) => {
                error.restore(py);
                std::ptr::null_mut()
            }
        }
    })
}

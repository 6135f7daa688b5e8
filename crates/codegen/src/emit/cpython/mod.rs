//! CPython's objects, as [`CPython`](crate::cpython::CPython) describes them.

mod sink;
mod source;

pub(super) use sink::Writer;
pub(super) use source::Reader;

//! CPython's objects, as [`CPython`](crate::cpython::CPython) describes them.

mod source;

pub(super) use source::Objects;

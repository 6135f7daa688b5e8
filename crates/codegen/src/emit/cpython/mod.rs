//! CPython's objects, as [`CPython`](crate::cpython::CPython) describes them.

mod sink;
mod source;

pub(super) use sink::Writer;
pub(super) use source::Reader;

use serow_core::plan::Container;

/// Whether a container's items lie in it, one after another. Those of others are taken from them as such a
/// run, and such a run is what they are made of.
fn is_listed(container: Container) -> bool {
    matches!(container, Container::List | Container::Tuple)
}

//! CPython's objects, as [`CPython`](crate::cpython::CPython) describes them.

mod sink;
mod source;

pub(super) use sink::EmittedObjectWriter;
pub(super) use source::EmittedObjectReader;

use serow_core::plan::{Container, Op, Plan};

/// Whether a container's items lie in it, one after another. Those of others are taken from them as such a
/// run, and such a run is what they are made of.
fn is_listed(container: Container) -> bool {
    matches!(container, Container::List | Container::Tuple)
}

/// Whether no container of a plan is another.
fn are_listed(plan: &Plan) -> bool {
    plan.ops.iter().all(|op| match op {
        Op::Enter { container, .. } | Op::Sequence { container, .. } => is_listed(*container),
        _ => true,
    })
}

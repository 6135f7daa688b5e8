//! CPython's objects, as [`CPython`](crate::cpython::CPython) describes them.

mod sink;
mod source;

pub(super) use sink::EmittedObjectWriter;
pub(super) use source::EmittedObjectReader;

use serow_core::plan::{Op, Plan, Write};
use serow_core::schema::Container;

/// Returns whether a container stores its items contiguously. Helpers copy the items of all other
/// containers to contiguous memory before they are read, and build these containers from such
/// memory.
fn is_listed(container: Container) -> bool {
    matches!(container, Container::List | Container::Tuple)
}

/// Returns whether all containers of a plan store their items contiguously.
fn are_listed(plan: &Plan) -> bool {
    let ops = plan.ops.iter().all(|op| match op {
        Op::Enter { read, made, .. } => is_listed(read.container) && is_listed(made.container),
        Op::Sequence { container, .. } | Op::EnterAsSequence { made: container, .. } => {
            is_listed(*container)
        }
        _ => true,
    });
    let writes = plan.writes.iter().all(|write| match write {
        Write::Enter { container, .. } | Write::Sequence { container, .. } => is_listed(*container),
        _ => true,
    });
    ops && writes
}

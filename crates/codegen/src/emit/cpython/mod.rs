//! CPython's objects, as [`CPython`] describes them.

pub mod abi;
mod sink;
mod source;

use serow_core::layout::LayoutKind;
use serow_core::layout::objects::OBJECTS;
use serow_core::plan::{Op, Plan, SinkCall};
use serow_core::program::Program;
use serow_core::schema::Container;

use super::conversion::{Layout, ReadLayout, SinkLayout, SourceLayout, WriteLayout};
use super::layout::{Sink, Source};
use crate::ir::{Built, Emitter, Symbol};
use abi::CPython;

impl<'a> SourceLayout<'a> {
    /// Objects of CPython. The context is an
    /// [`ObjectReaderContext`](serow_core::layout::objects::ObjectReaderContext).
    pub const fn objects(cpython: &'a CPython) -> SourceLayout<'a> {
        SourceLayout(cpython)
    }
}

impl<'a> SinkLayout<'a> {
    /// Objects of CPython. The context is an
    /// [`ObjectWriterContext`](serow_core::layout::objects::ObjectWriterContext).
    pub const fn objects(cpython: &'a CPython) -> SinkLayout<'a> {
        SinkLayout(cpython)
    }
}

impl Layout for CPython {
    fn kind(&self) -> &'static LayoutKind {
        &OBJECTS
    }

    fn key(&self) -> String {
        CPython::key(self)
    }

    fn symbols(&self) -> Vec<Symbol> {
        self.addresses.symbols()
    }
}

impl ReadLayout for CPython {
    fn source<'ctx>(
        &'ctx self,
        e: &Emitter<'ctx, '_>,
        program: &'ctx Program,
    ) -> Built<Box<dyn Source<'ctx> + 'ctx>> {
        Ok(Box::new(source::EmittedObjectReader::new(e, self, program)))
    }
}

impl WriteLayout for CPython {
    fn sink<'ctx>(
        &'ctx self,
        e: &Emitter<'ctx, '_>,
        _program: &'ctx Program,
    ) -> Box<dyn Sink<'ctx> + 'ctx> {
        Box::new(sink::EmittedObjectWriter::new(e, self))
    }
}

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
        Op::EnterElements { read, made, .. } => is_listed(*read) && is_listed(made.container),
        Op::Sequence { container, .. } | Op::EnterAsSequence { made: container, .. } => {
            is_listed(*container)
        }
        _ => true,
    });
    let writes = plan.writes.iter().all(|write| match write {
        SinkCall::Enter { container, .. } | SinkCall::Sequence { container, .. } => {
            is_listed(*container)
        }
        _ => true,
    });
    ops && writes
}

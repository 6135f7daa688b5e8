//! Layouts that can be compiled, and pairs of them. The file of each layout adds it here, so this file
//! names none.

use std::fmt;

use serow_core::layout::LayoutKind;
use serow_core::program::Program;

use super::layout::{Sink, Source};
use super::{helpers, plan};
use crate::ir::{Built, Emitter, Symbol};

/// A layout as the compiler sees it.
pub(super) trait Layout: Sync {
    /// Returns its kind.
    fn kind(&self) -> &'static LayoutKind;

    /// Returns everything about the layout that code depends on. Addresses are not part of it,
    /// because code has names instead.
    fn key(&self) -> String {
        self.kind().name().to_owned()
    }

    /// Returns the symbols that only code for this layout may refer to.
    fn symbols(&self) -> Vec<Symbol> {
        Vec::new()
    }
}

/// A layout that compiled code reads.
pub(super) trait ReadLayout: Layout {
    /// Returns the source whose code reads rows of `program`.
    fn source<'ctx>(
        &'ctx self,
        e: &Emitter<'ctx, '_>,
        program: &'ctx Program,
    ) -> Built<Box<dyn Source<'ctx> + 'ctx>>;
}

/// A layout that compiled code writes.
pub(super) trait WriteLayout: Layout {
    /// Returns the sink whose code makes rows of `program`.
    fn sink<'ctx>(
        &'ctx self,
        e: &Emitter<'ctx, '_>,
        program: &'ctx Program,
    ) -> Box<dyn Sink<'ctx> + 'ctx>;
}

/// A layout that is the same in every process, and the function that makes its source or its sink.
pub(super) struct Static<F>(pub(super) &'static LayoutKind, pub(super) F);

/// The function that makes a source.
pub(super) type MakeSource =
    for<'ctx> fn(&Emitter<'ctx, '_>, &'ctx Program) -> Built<Box<dyn Source<'ctx> + 'ctx>>;
/// The function that makes a sink.
pub(super) type MakeSink =
    for<'ctx> fn(&Emitter<'ctx, '_>, &'ctx Program) -> Box<dyn Sink<'ctx> + 'ctx>;

impl<F: Sync> Layout for Static<F> {
    fn kind(&self) -> &'static LayoutKind {
        self.0
    }
}

impl ReadLayout for Static<MakeSource> {
    fn source<'ctx>(
        &'ctx self,
        e: &Emitter<'ctx, '_>,
        program: &'ctx Program,
    ) -> Built<Box<dyn Source<'ctx> + 'ctx>> {
        self.1(e, program)
    }
}

impl WriteLayout for Static<MakeSink> {
    fn sink<'ctx>(
        &'ctx self,
        e: &Emitter<'ctx, '_>,
        program: &'ctx Program,
    ) -> Box<dyn Sink<'ctx> + 'ctx> {
        self.1(e, program)
    }
}

/// A layout that compiled code reads.
#[derive(Clone, Copy)]
pub struct SourceLayout<'a>(pub(super) &'a dyn ReadLayout);

/// A layout that compiled code writes.
#[derive(Clone, Copy)]
pub struct SinkLayout<'a>(pub(super) &'a dyn WriteLayout);

impl fmt::Debug for SourceLayout<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.kind().name())
    }
}

impl fmt::Debug for SinkLayout<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.kind().name())
    }
}

/// A pair of layouts to compile for.
#[derive(Clone, Copy, Debug)]
pub struct Conversion<'a> {
    /// The source's layout.
    pub from: SourceLayout<'a>,
    /// The sink's layout.
    pub to: SinkLayout<'a>,
}

impl Conversion<'_> {
    /// Emits the body of the current function of `e`, which converts rows of `program`.
    pub(crate) fn emit<'ctx>(
        &'ctx self,
        e: &mut Emitter<'ctx, '_>,
        program: &'ctx Program,
    ) -> Built {
        let source = self.from.0.source(e, program)?;
        let sink = self.to.0.sink(e, program);
        plan::emit(e, program, source, sink)
    }

    /// Returns the two kinds as part of a function's name.
    pub(crate) fn name(&self) -> String {
        format!("{:?}_to_{:?}", self.from, self.to)
    }

    /// Returns everything about the layouts that code depends on.
    pub(crate) fn key(&self) -> String {
        format!("{} to {}", self.from.0.key(), self.to.0.key())
    }

    /// Returns the kinds of the two layouts.
    pub fn kinds(&self) -> (&'static LayoutKind, &'static LayoutKind) {
        (self.from.0.kind(), self.to.0.kind())
    }

    /// Returns the symbols that the code may refer to.
    pub(crate) fn symbols(&self) -> Vec<Symbol> {
        [helpers::helpers(), self.from.0.symbols(), self.to.0.symbols()].concat()
    }
}

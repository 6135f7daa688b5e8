//! The kinds of layouts that compiled code supports.

use std::marker::PhantomData;

/// A layout that compiled code can read or write. It determines the struct that
/// [`Source::enter_jit`](super::Source::enter_jit) and [`Sink::enter_jit`](super::Sink::enter_jit)
/// point to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LayoutKind {
    /// Objects of the language. The language describes them to the compiler.
    Objects,
    /// [`FlatRows`](super::flat::FlatRows): a [`FlatContext`](super::flat::FlatContext).
    Flat,
    /// The row wire: a [`RowReaderContext`](crate::wire::row::RowReaderContext) as a source, and a
    /// [`RowWriterContext`](crate::wire::row::RowWriterContext) as a sink.
    Row,
    /// A [`Batch`](super::batch::Batch): a [`BatchContext`](super::batch::BatchContext).
    Batch,
    /// [`FrameColumns`](crate::wire::columns::FrameColumns): a
    /// [`ColumnsContext`](crate::wire::columns::ColumnsContext).
    Columns,
    /// Spark's [`UnsafeRows`](super::unsafe_row::UnsafeRows): an
    /// [`UnsafeRowsContext`](super::unsafe_row::UnsafeRowsContext).
    UnsafeRows,
}

/// The promise of the layout `L` that compiled code for its kind may use the context of its
/// `enter_jit`.
#[derive(Debug)]
pub struct JitKind<L>(LayoutKind, PhantomData<fn(L)>);

impl<L> JitKind<L> {
    /// Makes the promise for a layout of this kind.
    ///
    /// # Safety
    /// As the `KIND` of `L`, this promises for all rows that the layout is `prepare`d for and all
    /// plans that it `is_ready_for`: `enter_jit` returns a pointer to the context struct of `kind`
    /// (or, for a sink, null). The pointers in it are valid for what the docs of its fields say.
    /// Both stay valid until the layout is used again. Text that a source calls ASCII is ASCII.
    ///
    /// So a layout can't claim a kind without `unsafe`:
    ///
    /// ```compile_fail,E0133
    /// use serow_core::layout::batch::Batch;
    /// use serow_core::layout::{JitKind, LayoutKind};
    /// const CLAIM: JitKind<Batch> = JitKind::new(LayoutKind::Batch);
    /// ```
    ///
    /// Nor can it claim the promise of another layout:
    ///
    /// ```compile_fail,E0308
    /// use serow_core::layout::batch::Batch;
    /// use serow_core::layout::{JitKind, Sink};
    /// struct Impostor;
    /// const CLAIM: Option<JitKind<Impostor>> = <Batch as Sink>::KIND;
    /// ```
    pub const unsafe fn new(kind: LayoutKind) -> JitKind<L> {
        JitKind(kind, PhantomData)
    }

    /// Returns the layout's kind.
    pub const fn kind(&self) -> LayoutKind {
        self.0
    }
}

impl LayoutKind {
    /// The number of kinds.
    pub(crate) const COUNT: usize = 6;
}

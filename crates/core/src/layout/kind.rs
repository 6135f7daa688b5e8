//! The layouts that compiled code knows.

/// A layout that rows can be read from or written to by compiled code. It says which struct
/// [`Source::enter_jit`](super::Source::enter_jit) and [`Sink::enter_jit`](super::Sink::enter_jit)
/// point to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LayoutKind {
    /// Objects of the language, as it describes them to the compiler.
    Objects,
    /// [`FlatRows`](super::flat::FlatRows): a [`FlatContext`](super::flat::FlatContext).
    Flat,
    /// The row wire: a [`RowReaderContext`](super::row::RowReaderContext) as a source, and a
    /// [`RowWriterContext`](super::row::RowWriterContext) as a sink.
    Row,
    /// A [`Batch`](super::batch::Batch): a [`BatchContext`](super::batch::BatchContext).
    Batch,
    /// [`FrameColumns`](super::columns::FrameColumns): a
    /// [`ColumnsContext`](super::columns::ColumnsContext).
    Columns,
    /// Spark's [`UnsafeRows`](super::unsafe_row::UnsafeRows): an
    /// [`UnsafeRowsContext`](super::unsafe_row::UnsafeRowsContext).
    UnsafeRows,
}

/// The promise of a layout that compiled code for its kind may use what its `enter_jit` gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JitKind(LayoutKind);

impl JitKind {
    /// The promise of a layout of this kind.
    ///
    /// # Safety
    /// As the layout's `KIND` this says, for every row that the layout is `prepare`d for and every plan that it
    /// `is_ready_for`: what `enter_jit` gives is the context struct of `kind` (or, of a sink, null); its pointers
    /// are valid for what the struct's fields say; and both stay so until the layout is used again. The text that
    /// a source says is ASCII is ASCII.
    ///
    /// So a layout does not claim a kind without `unsafe`:
    ///
    /// ```compile_fail,E0133
    /// use serow_core::layout::{JitKind, LayoutKind};
    /// const CLAIM: JitKind = JitKind::new(LayoutKind::Batch);
    /// ```
    pub const unsafe fn new(kind: LayoutKind) -> JitKind {
        JitKind(kind)
    }

    /// The layout's kind.
    pub const fn kind(self) -> LayoutKind {
        self.0
    }
}

impl LayoutKind {
    /// The number of kinds.
    pub(crate) const COUNT: usize = 6;
}

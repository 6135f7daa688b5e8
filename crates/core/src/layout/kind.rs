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

impl LayoutKind {
    /// The number of kinds.
    pub(crate) const COUNT: usize = 6;
}

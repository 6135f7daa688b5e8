//! The kinds of layouts that compiled code supports.

use std::marker::PhantomData;
use std::ptr;

/// A layout that compiled code can read or write. Each such layout has a static of this type, and is
/// known by its address. It determines the struct that
/// [`Source::enter_jit`](super::Source::enter_jit) and [`Sink::enter_jit`](super::Sink::enter_jit)
/// point to.
#[derive(Debug)]
pub struct LayoutKind(&'static str);

impl LayoutKind {
    /// Creates the kind of a layout. The names of compiled functions contain `name`.
    pub const fn new(name: &'static str) -> LayoutKind {
        LayoutKind(name)
    }

    /// Returns its name.
    pub const fn name(&self) -> &'static str {
        self.0
    }
}

impl PartialEq for LayoutKind {
    #[inline]
    fn eq(&self, other: &LayoutKind) -> bool {
        ptr::eq(self, other)
    }
}

impl Eq for LayoutKind {}

/// The kinds of a source and a sink.
pub type Pair = (&'static LayoutKind, &'static LayoutKind);

/// The promise of the layout `L` that compiled code for its kind may use the context of its
/// `enter_jit`.
#[derive(Debug)]
pub struct JitKind<L>(&'static LayoutKind, PhantomData<fn(L)>);

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
    /// use serow_core::layout::JitKind;
    /// use serow_core::layout::batch::{BATCH, Batch};
    /// const CLAIM: JitKind<Batch> = JitKind::new(&BATCH);
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
    pub const unsafe fn new(kind: &'static LayoutKind) -> JitKind<L> {
        JitKind(kind, PhantomData)
    }

    /// Returns the layout's kind.
    #[inline]
    pub const fn kind(&self) -> &'static LayoutKind {
        self.0
    }
}

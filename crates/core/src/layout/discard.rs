//! A sink that discards all values. It is for values that are skipped or only counted.

use std::ops::ControlFlow;

use super::meter::Cost;
use super::{Components, OpResult, Sink, Text};
use crate::plan::{ComponentColumns, StrEncoding};
use crate::schema::{Container, Logical};

/// Discards values, and tells `C` how much memory they would take.
#[derive(Clone, Copy, Debug)]
pub struct Discard<C = ()>(pub C);

impl<C: Cost> Sink for Discard<C> {
    #[inline(always)]
    fn row(&mut self, _bound: usize) -> OpResult {
        self.0.take(|sizes| sizes.place)
    }

    #[inline(always)]
    fn end_row(&mut self) -> OpResult<ControlFlow<()>> {
        Ok(ControlFlow::Continue(()))
    }

    #[inline(always)]
    fn element(&mut self, _bound: usize) -> OpResult {
        Ok(())
    }

    fn dictionary(
        &mut self,
        _column: u32,
        _encoding: StrEncoding,
        ends: &[u32],
        bytes: &[u8],
    ) -> OpResult {
        self.0.take(|sizes| sizes.dictionary(ends.len(), bytes))
    }

    #[inline(always)]
    fn i64(&mut self, _column: u32, _v: i64) -> OpResult {
        self.0.take(|sizes| sizes.int)
    }

    #[inline(always)]
    fn f64(&mut self, _column: u32, _v: f64) -> OpResult {
        self.0.take(|sizes| sizes.float)
    }

    #[inline(always)]
    fn str(&mut self, _column: u32, v: Text<'_>) -> OpResult {
        match v {
            Text::Plain(text) => self.0.take(|sizes| sizes.text(text)),
            Text::Entry(_) => Ok(()),
        }
    }

    #[inline(always)]
    fn logical(&mut self, _ty: Logical, _at: ComponentColumns, v: Components<'_>) -> OpResult {
        self.0.take(|sizes| {
            let len = match v.bytes {
                Text::Plain(text) => text.bytes().len(),
                Text::Entry(_) => 0,
            };
            sizes.composite.saturating_add(len)
        })
    }

    #[inline(always)]
    fn bool(&mut self, _column: u32, _v: bool) -> OpResult {
        Ok(())
    }

    #[inline(always)]
    fn null(&mut self) -> OpResult {
        Ok(())
    }

    #[inline(always)]
    fn present(&mut self, _column: u32) -> OpResult {
        Ok(())
    }

    #[inline(always)]
    fn absent(&mut self, _column: u32) -> OpResult {
        Ok(())
    }

    /// A language makes the members of an enum once, so a member costs nothing.
    #[inline(always)]
    fn member(&mut self, _table: u32, _column: u32, _index: i64) -> OpResult {
        Ok(())
    }

    fn default_field(&mut self) -> OpResult {
        Ok(())
    }

    fn field(&mut self, _index: u32) -> OpResult {
        Ok(())
    }

    fn shorten(&mut self, _column: u32, _len: usize) -> OpResult {
        Ok(())
    }

    #[inline(always)]
    fn enter(&mut self, container: Container, len: u32, _acyclic: bool) -> OpResult {
        self.0.take(|sizes| sizes.container(container, len as usize))
    }

    #[inline(always)]
    fn leave(&mut self) -> OpResult {
        Ok(())
    }

    #[inline(always)]
    fn sequence(
        &mut self,
        container: Container,
        _column: u32,
        len: usize,
        _acyclic: bool,
    ) -> OpResult {
        self.0.take(|sizes| sizes.container(container, len))
    }

    #[inline(always)]
    fn arm(&mut self, _column: u32, _arm: usize) -> OpResult {
        Ok(())
    }
}

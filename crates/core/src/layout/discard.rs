//! A sink that keeps nothing: for values that are read only to come to those behind them.

use std::ops::ControlFlow;

use super::{OpResult, Sink, Text};
use crate::plan::{ComponentColumns, StrEncoding};
use crate::schema::{Container, Logical};

/// Keeps nothing.
#[derive(Clone, Copy, Debug)]
pub struct Discard;

impl Sink for Discard {
    #[inline(always)]
    fn row(&mut self, _bound: usize) -> OpResult {
        Ok(())
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
        _holds: StrEncoding,
        _ends: &[u32],
        _bytes: &[u8],
    ) -> OpResult {
        Ok(())
    }

    #[inline(always)]
    fn i64(&mut self, _column: u32, _v: i64) -> OpResult {
        Ok(())
    }

    #[inline(always)]
    fn f64(&mut self, _column: u32, _v: f64) -> OpResult {
        Ok(())
    }

    #[inline(always)]
    fn str(&mut self, _column: u32, _v: Text<'_>) -> OpResult {
        Ok(())
    }

    #[inline(always)]
    fn logical(
        &mut self,
        _ty: Logical,
        _at: ComponentColumns,
        _parts: super::Components<'_>,
    ) -> OpResult {
        Ok(())
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

    #[inline(always)]
    fn enter(&mut self, _container: Container, _len: u32, _atomic: bool) -> OpResult {
        Ok(())
    }

    #[inline(always)]
    fn leave(&mut self) -> OpResult {
        Ok(())
    }

    #[inline(always)]
    fn sequence(
        &mut self,
        _container: Container,
        _column: u32,
        _len: usize,
        _atomic: bool,
    ) -> OpResult {
        Ok(())
    }

    #[inline(always)]
    fn arm(&mut self, _column: u32, _arm: usize) -> OpResult {
        Ok(())
    }
}

//! A sink that discards all values, like core's [`Discard`](serow_core::layout::discard::Discard).

use serow_core::plan::ComponentColumns;
use serow_core::schema::{Container, Logical};

use super::layout::{EmittedComponents, MostValues, Sequence, Sink, SsaState, Text};
use crate::ir::{Bool, Built, Emitter, Int, Value};

#[derive(Clone)]
pub(super) struct Discard;

impl<'ctx> SsaState<'ctx> for Discard {
    fn fixed(&self) -> Vec<Value<'ctx>> {
        Vec::new()
    }

    fn set_fixed(&mut self, _fixed: &[Value<'ctx>]) {}
}

impl<'ctx> Sink<'ctx> for Discard {
    fn row(&mut self, _e: &Emitter<'ctx, '_>, _done: Int<'ctx>, _most: MostValues) -> Built {
        Ok(())
    }

    fn end_row(&mut self, _e: &Emitter<'ctx, '_>) -> Built {
        Ok(())
    }

    fn i64(&mut self, _e: &mut Emitter<'ctx, '_>, _column: u32, _v: Int<'ctx>) -> Built {
        Ok(())
    }

    fn f64(&mut self, _e: &Emitter<'ctx, '_>, _column: u32, _v: Int<'ctx>) -> Built {
        Ok(())
    }

    fn str(&mut self, _e: &mut Emitter<'ctx, '_>, _column: u32, _v: Text<'ctx>) -> Built {
        Ok(())
    }

    fn entry(&mut self, _e: &Emitter<'ctx, '_>, _column: u32, _code: Int<'ctx>) -> Built {
        Ok(())
    }

    fn logical(
        &mut self,
        _e: &mut Emitter<'ctx, '_>,
        _ty: Logical,
        _at: ComponentColumns,
        _parts: EmittedComponents<'ctx>,
    ) -> Built {
        Ok(())
    }

    fn bool(&mut self, _e: &Emitter<'ctx, '_>, _column: u32, _v: Bool<'ctx>) -> Built {
        Ok(())
    }

    fn null(&mut self, _e: &Emitter<'ctx, '_>) -> Built {
        Ok(())
    }

    fn present(&mut self, _e: &Emitter<'ctx, '_>, _column: u32) -> Built {
        Ok(())
    }

    fn absent(&mut self, _e: &Emitter<'ctx, '_>, _column: u32) -> Built {
        Ok(())
    }

    fn enter(
        &mut self,
        _e: &Emitter<'ctx, '_>,
        _container: Container,
        _len: u32,
        _acyclic: bool,
    ) -> Built {
        Ok(())
    }

    fn sequence(
        &mut self,
        _e: &mut Emitter<'ctx, '_>,
        _column: u32,
        _sequence: Sequence<'ctx>,
    ) -> Built {
        Ok(())
    }

    fn element(&mut self, _e: &Emitter<'ctx, '_>, _index: Int<'ctx>) -> Built {
        Ok(())
    }

    fn leave_sequence(&mut self, _e: &Emitter<'ctx, '_>) -> Built {
        Ok(())
    }

    fn arm(&mut self, _e: &Emitter<'ctx, '_>, _column: u32, _arm: usize) -> Built {
        Ok(())
    }
}

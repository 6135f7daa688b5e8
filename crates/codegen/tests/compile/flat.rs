//! Flat rows of [`Value`]s, in the form that the JVM makes.

use serow_core::error::Fault;
use serow_core::interpreter;
use serow_core::layout::value::ValueReader;
use serow_core::layout::{OpResult, Sink, SinkBase, Text};
use serow_core::plan::StrEncoding;
use serow_core::program::Program;
use serow_core::schema::Container;
use serow_core::value::Value;
use std::ops::ControlFlow;

/// The three streams.
#[derive(Clone, Debug, Default)]
pub struct Streams {
    pub slots: Vec<i64>,
    pub text: Vec<u8>,
    pub bytes: Vec<u8>,
}

/// Converts `rows`, which must have the schema of `plan`.
pub fn streams(plan: &Program, rows: &[Value]) -> Streams {
    let mut streams = Streams::default();
    let run = interpreter::run(plan, &mut ValueReader::new(rows), &mut streams, 0..rows.len());
    assert!(run.expect("the rows are of the schema").is_continue());
    streams
}

impl Streams {
    fn slot(&mut self, slot: i64) -> OpResult {
        self.slots.push(slot);
        Ok(())
    }
}

impl SinkBase for Streams {
    fn dictionary(
        &mut self,
        _: u32,
        _encoding: StrEncoding,
        _ends: &[u32],
        _bytes: &[u8],
    ) -> OpResult {
        Err(Fault::TypeMismatch)
    }
}

impl Sink for Streams {
    fn row(&mut self) -> OpResult {
        Ok(())
    }
    fn end_row(&mut self) -> OpResult<ControlFlow<()>> {
        Ok(ControlFlow::Continue(()))
    }
    fn i64(&mut self, _column: u32, v: i64) -> OpResult {
        self.slot(v)
    }
    fn f64(&mut self, _column: u32, v: f64) -> OpResult {
        self.slot(v.to_bits() as i64)
    }
    fn str(&mut self, _column: u32, v: Text<'_>) -> OpResult {
        let Text::Plain(text) = v else { return Err(Fault::TypeMismatch) };
        self.text.extend_from_slice(text.bytes());
        self.slot(text.bytes().len() as i64)
    }
    fn bytes(&mut self, _column: u32, v: Text<'_>) -> OpResult {
        let Text::Plain(text) = v else { return Err(Fault::TypeMismatch) };
        let bytes = text.bytes();
        self.bytes.extend_from_slice(bytes);
        self.slot(bytes.len() as i64)
    }
    fn bool(&mut self, _column: u32, v: bool) -> OpResult {
        self.slot(v.into())
    }
    fn null(&mut self) -> OpResult {
        Ok(())
    }
    fn present(&mut self, _column: u32) -> OpResult {
        self.slot(1)
    }
    fn absent(&mut self, _column: u32) -> OpResult {
        self.slot(0)
    }
    fn enter(&mut self, _container: Container, _len: u32, _acyclic: bool) -> OpResult {
        Ok(())
    }
    fn leave(&mut self) -> OpResult {
        Ok(())
    }
    fn sequence(&mut self, _: Container, _column: u32, len: usize, _acyclic: bool) -> OpResult {
        self.slot(len as i64)
    }
    fn arm(&mut self, _column: u32, arm: usize) -> OpResult {
        self.slot(arm as i64)
    }
}

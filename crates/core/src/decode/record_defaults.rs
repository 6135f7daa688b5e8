//! Default values. They are recorded once, when they are set, and replayed to sinks.

use std::ops::ControlFlow;
use std::sync::Arc;

use crate::encode::Rows;
use crate::error::{Error, Fault, Result};
use crate::interpreter;
use crate::layout::value::{ValueReader, ValueRows};
use crate::layout::{Components, OpResult, Sink, SinkBase, Text};
use crate::path::Path;
use crate::plan::{ComponentColumns, ConstantComponents, Defaults, Plan, SinkCall, StrEncoding};
use crate::schema::{Container, Logical, Schema};
use crate::value::Value;

impl Defaults {
    /// Sets the default of the field at `path` in rows of `schema`. The path consists of names of
    /// fields, indices of fields without names, `[]` for elements, and `key` and `value` for those
    /// of maps, such as `lines.[].price`.
    ///
    /// # Errors
    /// A schema error if there is no such field, if the field may be missing anyway, or if the
    /// value does not have its type.
    pub fn set(&mut self, schema: &Schema, path: &str, value: Value) -> Result<()> {
        self.set_values(schema, path, |ty| {
            let plan = Plan::new(&Schema::new(ty.clone())?);
            let mut recorder = Recorder::default();
            let mut source = ValueReader::new(std::slice::from_ref(&value));
            match interpreter::run(&plan, &mut source, &mut recorder, 0..1) {
                Ok(_) => Ok(recorder.into()),
                Err(_) => Err(Error::schema(format!(
                    "the default of field {path} is {}, which is not of type {ty}",
                    ValueRows(std::slice::from_ref(&value)).describe(0, &Path::default(), Some(ty)),
                ))),
            }
        })
    }
}

/// A sink that records the calls, for a default.
#[derive(Debug, Default)]
pub struct Recorder(Vec<SinkCall>);

impl From<Recorder> for Arc<[SinkCall]> {
    fn from(recorder: Recorder) -> Arc<[SinkCall]> {
        recorder.0.into()
    }
}

impl Recorder {
    fn add(&mut self, write: SinkCall) -> OpResult {
        self.0.push(write);
        Ok(())
    }
}

fn bytes_of(text: Text<'_>) -> OpResult<&[u8]> {
    match text {
        Text::Plain(text) => Ok(text.bytes()),
        Text::Entry(_) => Err(Fault::Corrupt("a default can't be a dictionary entry")),
    }
}

impl SinkBase for Recorder {
    fn dictionary(
        &mut self,
        _column: u32,
        _encoding: StrEncoding,
        _ends: &[u32],
        _bytes: &[u8],
    ) -> OpResult {
        Ok(())
    }
}

impl Sink for Recorder {
    fn row(&mut self) -> OpResult {
        Ok(())
    }

    fn end_row(&mut self) -> OpResult<ControlFlow<()>> {
        Ok(ControlFlow::Continue(()))
    }

    fn i64(&mut self, to: u32, v: i64) -> OpResult {
        self.add(SinkCall::I64 { to, v })
    }

    fn f64(&mut self, to: u32, v: f64) -> OpResult {
        self.add(SinkCall::F64 { to, bits: v.to_bits() })
    }

    fn str(&mut self, to: u32, v: Text<'_>) -> OpResult {
        let text = std::str::from_utf8(bytes_of(v)?).map_err(|_| Fault::TypeMismatch)?.into();
        self.add(SinkCall::Str { to, text })
    }

    fn logical(
        &mut self,
        ty: Logical,
        to: ComponentColumns,
        components: Components<'_>,
    ) -> OpResult {
        let counts = ty.counts();
        let components = Arc::new(ConstantComponents {
            ints: components.ints[..counts.ints].to_vec(),
            floats: components.floats[..counts.floats].iter().map(|v| v.to_bits()).collect(),
            bytes: bytes_of(components.bytes)?.to_vec(),
        });
        self.add(SinkCall::Logical { ty, to, components })
    }

    fn bool(&mut self, to: u32, v: bool) -> OpResult {
        self.add(SinkCall::Bool { to, v })
    }

    fn null(&mut self) -> OpResult {
        self.add(SinkCall::Null)
    }

    fn present(&mut self, to: u32) -> OpResult {
        self.add(SinkCall::Present { to })
    }

    fn absent(&mut self, to: u32) -> OpResult {
        self.add(SinkCall::Absent { to })
    }

    fn member(&mut self, table: u32, to: u32, index: i64) -> OpResult {
        self.add(SinkCall::Member { table, to, index })
    }

    fn has_field(&mut self, to: u32) -> OpResult {
        self.add(SinkCall::HasField { to })
    }

    fn lacks_field(&mut self, to: u32) -> OpResult {
        self.add(SinkCall::LacksField { to })
    }

    fn enter(&mut self, container: Container, len: u32, acyclic: bool) -> OpResult {
        self.add(SinkCall::Enter { container, len, acyclic })
    }

    fn leave(&mut self) -> OpResult {
        self.add(SinkCall::Leave)
    }

    fn sequence(&mut self, container: Container, to: u32, len: usize, acyclic: bool) -> OpResult {
        self.add(SinkCall::Sequence { container, to, len: len as u32, acyclic })
    }

    fn arm(&mut self, to: u32, arm: usize) -> OpResult {
        self.add(SinkCall::Arm { to, arm: arm as u32 })
    }
}

//! Compiled code and the interpreter on the same rows: flat rows to both wires, and records to
//! columns. `make bench` measures objects of CPython.

use std::sync::Arc;

use criterion::{BenchmarkId, Criterion, Throughput};
use serow_codegen::{Conversion, SinkLayout, SourceLayout, compile};
use serow_core::bytes::out::Out;
use serow_core::encode::{Encoder, Staging};
use serow_core::interpreter;
use serow_core::layout::Source;
use serow_core::layout::flat::FlatRows;
use serow_core::layout::value::ValueReader;
use serow_core::program::Program;
use serow_core::value::Value;
use serow_core::wire::message::Wire;
use serow_core::wire::row::{RowReader, RowWriter, ZeroSizedCounts};

use crate::rows;

/// The number of rows in a message. They fit in the second-level cache, like a batch of a stream.
const ROWS: usize = 1000;

const WIRES: [(&str, Wire, SinkLayout<'_>); 2] =
    [("row", Wire::Row, SinkLayout::ROW), ("frame", Wire::Frame, SinkLayout::BATCH)];

/// Encodes messages and keeps all memory between them, like a codec.
#[derive(Default)]
struct Retained {
    bytes: Vec<u8>,
    staging: Option<Staging>,
}

impl Retained {
    fn encode(&mut self, plan: &Arc<Program>, source: &mut impl Source, wire: Wire) -> usize {
        self.bytes.clear();
        let staging = self.staging.take().unwrap_or_default();
        let mut encoder =
            Encoder::with_staging(wire, &mut self.bytes, staging).expect("there is memory");
        encoder.encode(plan, source, 0..ROWS).expect("the rows fit their schema");
        let (_, len, staging) = encoder.finish(plan).expect("the message is small");
        self.staging = Some(staging);
        len
    }
}

/// Returns a program for each tier.
fn tiers(text: &str, from: SourceLayout<'_>) -> [(&'static str, Arc<Program>); 2] {
    let [interpreted, compiled] = [(); 2].map(|()| Arc::new(Program::new(&rows::schema(text))));
    for (_, _, to) in WIRES {
        // SAFETY: core defines both layouts.
        unsafe { compile(&compiled, &Conversion { from, to }) }.expect("it compiles");
    }
    [("interpreted", interpreted), ("compiled", compiled)]
}

/// Returns the records of `rows`.
fn records(plan: &Program, rows: &[Value]) -> Vec<u8> {
    let mut buffer = Vec::new();
    let mut out = Out::new(&mut buffer);
    let mut writer = RowWriter::new(&mut out, 0, ZeroSizedCounts::default());
    let run = interpreter::run(plan, &mut ValueReader::new(rows), &mut writer, 0..rows.len());
    assert!(run.expect("the rows fit their schema").is_continue());
    out.written().to_vec()
}

/// From flat rows to both wires, and from records to columns.
pub fn encode(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("encode");
    group.throughput(Throughput::Elements(ROWS as u64));
    let mut retained = Retained::default();
    let (slots, text) = rows::flat(&rows::parts(ROWS));
    for (tier, plan) in tiers(rows::PART, SourceLayout::FLAT) {
        for (label, wire, _) in WIRES {
            let id = BenchmarkId::new(format!("flat rows to {label}/part"), tier);
            group.bench_function(id, |bencher| {
                bencher.iter(|| retained.encode(&plan, &mut FlatRows::new(&slots, &text), wire));
            });
        }
    }
    let nested = rows::nested(ROWS);
    for (tier, plan) in tiers(rows::NESTED, SourceLayout::ROW) {
        let records = records(&plan, &nested);
        group.bench_function(BenchmarkId::new("records to frame/nested", tier), |bencher| {
            bencher.iter(|| retained.encode(&plan, &mut RowReader::new(&records, 0), Wire::Frame));
        });
    }
}

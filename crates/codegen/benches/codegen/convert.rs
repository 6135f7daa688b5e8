//! Compiled code and the interpreter on the same rows: from records to both wires. `make bench`
//! measures objects of CPython.

use std::sync::Arc;

use criterion::{BenchmarkId, Criterion, Throughput};
use serow_codegen::{Conversion, SinkLayout, SourceLayout, compile};
use serow_core::encode::{Encoder, Staging};
use serow_core::layout::Source;
use serow_core::program::Program;
use serow_core::wire::message::Wire;
use serow_core::wire::row::{RowReader, SLACK};

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
fn tiers(text: &str) -> [(&'static str, Arc<Program>); 2] {
    let [interpreted, compiled] = [(); 2].map(|()| Arc::new(Program::new(&rows::schema(text))));
    for (_, _, to) in WIRES {
        let conversion = Conversion { from: SourceLayout::ROW, to };
        // SAFETY: core defines both layouts.
        unsafe { compile(&compiled, &conversion) }.expect("it compiles");
    }
    [("interpreted", interpreted), ("compiled", compiled)]
}

/// From records to both wires.
pub fn encode(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("encode");
    group.throughput(Throughput::Elements(ROWS as u64));
    let mut retained = Retained::default();
    for (name, text, rows) in
        [("part", rows::PART, rows::parts(ROWS)), ("nested", rows::NESTED, rows::nested(ROWS))]
    {
        for (tier, plan) in tiers(text) {
            let mut records = rows::records(&plan, &rows);
            records.extend([0; SLACK]);
            for (label, wire, _) in WIRES {
                let id = BenchmarkId::new(format!("records to {label}/{name}"), tier);
                group.bench_function(id, |bencher| {
                    bencher.iter(|| {
                        retained.encode(&plan, &mut RowReader::new(&records, SLACK), wire)
                    });
                });
            }
        }
    }
}

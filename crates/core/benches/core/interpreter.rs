//! The interpreter between the layouts of this crate: from values and records to both wires, and
//! from both wires to values and columns. `make bench` measures objects of CPython.

use std::sync::Arc;

use criterion::{BenchmarkId, Criterion, Throughput};
use serow_core::decode;
use serow_core::decode::ReaderSchema;
use serow_core::encode::{Encoder, Staging};
use serow_core::layout::Source;
use serow_core::layout::batch::Batch;
use serow_core::layout::value::{ValueReader, ValueWriter};
use serow_core::plan::Defaults;
use serow_core::program::Program;
use serow_core::value::Value;
use serow_core::wire::message::{MessageReader, Wire};
use serow_core::wire::row::RowReader;

use crate::rows;

/// The number of rows in a message. They fit in the second-level cache, like a batch of a stream.
const ROWS: usize = 1000;

const WIRES: [(&str, Wire); 2] = [("row", Wire::Row), ("frame", Wire::Frame)];

/// Writes messages and keeps all memory between them, like a codec.
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

    fn message(&mut self, plan: &Arc<Program>, rows: &[Value], wire: Wire) -> Vec<u8> {
        self.encode(plan, &mut ValueReader::new(rows), wire);
        self.bytes.clone()
    }
}

fn plan(text: &str) -> Arc<Program> {
    Arc::new(Program::new(&rows::schema(text)))
}

/// From values and from records to both wires.
pub fn encode(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("encode");
    group.throughput(Throughput::Elements(ROWS as u64));
    let mut retained = Retained::default();
    for (name, text, rows) in
        [("part", rows::PART, rows::parts(ROWS)), ("nested", rows::NESTED, rows::nested(ROWS))]
    {
        let plan = plan(text);
        for (label, wire) in WIRES {
            group.bench_function(BenchmarkId::new(format!("values to {label}"), name), |bencher| {
                bencher.iter(|| retained.encode(&plan, &mut ValueReader::new(&rows), wire));
            });
        }
    }
    let plan = plan(rows::PART);
    let records = rows::records(&plan, &rows::parts(ROWS));
    for (label, wire) in WIRES {
        group.bench_function(BenchmarkId::new(format!("records to {label}"), "part"), |bencher| {
            bencher.iter(|| retained.encode(&plan, &mut RowReader::new(&records, 0), wire));
        });
    }
}

/// From both wires to values and to columns.
pub fn decode(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("decode");
    group.throughput(Throughput::Elements(ROWS as u64));
    for (name, text, rows) in
        [("part", rows::PART, rows::parts(ROWS)), ("nested", rows::NESTED, rows::nested(ROWS))]
    {
        let plan = plan(text);
        let expected = ReaderSchema::new(plan.clone(), Defaults::default());
        for (label, wire) in WIRES {
            let message = Retained::default().message(&plan, &rows, wire);
            let mut check = ValueWriter::new();
            decode::decode(&message, Some(&expected), &mut check).expect("the message is whole");
            assert_eq!(check.into_rows(), rows);
            group.bench_function(BenchmarkId::new(format!("{label} to values"), name), |bencher| {
                bencher.iter_with_large_drop(|| {
                    let mut sink = ValueWriter::new();
                    decode::decode(&message, Some(&expected), &mut sink)
                        .expect("it was read before");
                    sink.into_rows()
                });
            });
            let mut batch = Batch::new(&plan);
            group.bench_function(
                BenchmarkId::new(format!("{label} to columns"), name),
                |bencher| {
                    bencher.iter(|| {
                        let mut reader = MessageReader::new(&message)
                            .expect("it was read before")
                            .with_program(plan.clone());
                        while let Some(frame) = reader.next_frame().expect("it was read before") {
                            batch.clear();
                            decode::decode_frame(&frame, None, &mut None, &mut batch)
                                .expect("it was read before");
                        }
                    });
                },
            );
        }
    }
}

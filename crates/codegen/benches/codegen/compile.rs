//! The time from a plan to callable code. Cargo's configuration turns the object cache off.

use std::hint::black_box;

use criterion::Criterion;
use serow_codegen::{Compiler, Conversion, SinkLayout, SourceLayout, code};
use serow_core::program::Program;

use crate::rows;

fn plans() -> [(&'static str, Program); 4] {
    let of = |text: &str| Program::new(&rows::schema(text));
    let many = |n: usize| format!("({})", "i64, str?, f64, str, bool, ".repeat(n / 5));
    [
        ("part, 9 fields", of(rows::PART)),
        ("nested", of(rows::NESTED)),
        ("100 fields", of(&many(100))),
        ("1000 fields", of(&many(1000))),
    ]
}

fn conversions() -> [(&'static str, Conversion<'static>); 3] {
    [
        ("row to batch", Conversion { from: SourceLayout::ROW, to: SinkLayout::BATCH }),
        ("row to row", Conversion { from: SourceLayout::ROW, to: SinkLayout::ROW }),
        ("columns to row", Conversion { from: SourceLayout::COLUMNS, to: SinkLayout::ROW }),
    ]
}

/// Compiles, links and frees.
pub fn compile(criterion: &mut Criterion) {
    for (layouts, conversion) in conversions() {
        for (name, plan) in plans() {
            criterion.bench_function(&format!("compile/{layouts}/{name}"), |bencher| {
                bencher.iter(|| code(black_box(&plan), &conversion).expect("it compiles"));
            });
        }
    }
}

/// serow's part of the time: emitting, verifying and printing the IR.
pub fn ir(criterion: &mut Criterion) {
    let compiler = Compiler::new().expect("this machine can compile");
    let (layouts, conversion) = conversions()[0];
    for (name, plan) in plans() {
        criterion.bench_function(&format!("ir/{layouts}/{name}"), |bencher| {
            bencher.iter(|| compiler.ir(black_box(&plan), &conversion).expect("it is valid"));
        });
    }
}

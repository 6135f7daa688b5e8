//! Criterion benches of compiling and of compiled code. They take about a minute. Run `cargo bench
//! -p serow-codegen`, or add a part of the names: `cargo bench -p serow-codegen -- compile/`.

mod compile;
mod convert;
#[path = "../../../core/benches/core/rows.rs"]
mod rows;

use std::time::Duration;

use criterion::{Criterion, criterion_group, criterion_main};

criterion_group! {
    name = codegen;
    config = Criterion::default()
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_secs(2))
        .sample_size(20);
    targets = compile::compile, compile::ir, convert::encode
}
criterion_main!(codegen);

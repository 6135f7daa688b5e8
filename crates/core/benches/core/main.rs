//! Criterion benches of core. They take about a minute. Run `cargo bench -p serow-core`, or add a
//! part of the names: `cargo bench -p serow-core -- encode/`.

mod columns;
mod interpreter;
mod plan;
mod rows;

use std::time::Duration;

use criterion::{Criterion, criterion_group, criterion_main};

criterion_group! {
    name = core;
    config = Criterion::default()
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_secs(1));
    targets =
        plan::lower,
        interpreter::encode,
        interpreter::decode,
        columns::int_columns,
        columns::float_columns,
        columns::bit_columns,
        columns::string_columns,
}
criterion_main!(core);

//! Lowering a schema to a plan: what a codec costs before its first row if nothing is compiled.

use std::hint::black_box;

use criterion::Criterion;
use serow_core::plan::Plan;

use crate::rows;

/// From a schema to its plan.
pub fn lower(criterion: &mut Criterion) {
    let wide = format!("({})", vec!["i64, str?, f64, [i64]"; 250].join(", "));
    for (name, text) in
        [("part, 9 fields", rows::PART), ("nested", rows::NESTED), ("1000 fields", &wide)]
    {
        let schema = rows::schema(text);
        criterion.bench_function(&format!("lower/{name}"), |bencher| {
            bencher.iter(|| Plan::new(black_box(&schema)));
        });
    }
}

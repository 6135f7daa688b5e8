//! Rust values, converted by compiled code and by the interpreter: the same bytes and the same stops.

use std::sync::Arc;

use proptest::prelude::*;
use serow_codegen::{CompileError, Conversion, From, To, compile};
use serow_core::compiled::run;
use serow_core::encode::{Encoder, Staging, infer};
use serow_core::interpreter::RunError;
use serow_core::layout::LayoutKind;
use serow_core::layout::row::{RowWriter, ZeroSizedCounts};
use serow_core::layout::value::{ValueLayout, ValueReader, ValueRows};
use serow_core::layout::{Sink, Source};
use serow_core::plan::Plan;
use serow_core::value::Value;
use serow_core::wire::message::Wire;
use serow_core::wire::out::Out;

use crate::strategies::{any_value, table};
use crate::{alone, plan};

fn compiled(plan: Plan) -> Arc<Plan> {
    compiled_if_small(plan).expect("the plan has no more fields than are compiled")
}

/// The plan with its code; none if it has more fields than are compiled.
fn compiled_if_small(plan: Plan) -> Option<Arc<Plan>> {
    let layout = ValueLayout::of_process().expect("this Rust's layout is found");
    for to in [To::RowWire, To::Batch] {
        // SAFETY: the layout was found in this process.
        match unsafe { compile(&plan, &Conversion { from: From::Values(layout), to }) } {
            Err(CompileError::TooLarge(_)) => return None,
            done => done.expect("every other plan compiles"),
        };
    }
    Some(Arc::new(plan))
}

/// The records of the rows before one that does not fit, and where that was.
fn records(plan: &Plan, rows: &[Value]) -> (Vec<u8>, Option<Box<RunError>>) {
    let mut room = Vec::new();
    let mut out = Out::new(&mut room);
    let mut writer = RowWriter::new(&mut out, 0, ZeroSizedCounts::default());
    let error = run(plan, &mut ValueReader::new(rows), &mut writer, 0..rows.len()).err();
    if error.is_some() {
        writer.roll_back();
    }
    (out.written().to_vec(), error)
}

fn frames(plan: &Arc<Plan>, rows: &[Value]) -> Result<Vec<u8>, Box<RunError>> {
    let mut message = Vec::new();
    let mut encoder = Encoder::with_staging(Wire::Frame, &mut message, Staging::default())
        .expect("there is memory");
    encoder.encode(plan, &mut ValueReader::new(rows), 0..rows.len())?;
    let (len, _) = encoder.finish(plan).expect("there is memory");
    // SAFETY: the encoder has written so many bytes.
    unsafe { message.set_len(len) };
    Ok(message)
}

/// That `rows` come to the same for the plan of `some` of them.
pub fn come_to_the_same(rows: &[Value], some: &[Value]) {
    let _alone = alone();
    let schema = infer(&ValueRows(some)).expect("the rows have a schema");
    let interpreted = Arc::new(Plan::new(&schema));
    let Some(compiled) = compiled_if_small(Plan::new(&schema)) else { return };
    assert_eq!(records(&compiled, rows), records(&interpreted, rows));
    assert_eq!(frames(&compiled, rows), frames(&interpreted, rows));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(70))]

    #[test]
    fn mixed_values(rows in prop::collection::vec(any_value(), 0..20)) {
        come_to_the_same(&rows, &rows);
    }

    #[test]
    fn tables_of_values(rows in table()) {
        come_to_the_same(&rows, &rows);
    }

    #[test]
    fn values_that_do_not_fit(rows in table(), other in any_value()) {
        let mut all = rows.clone();
        all.insert(rows.len() / 2, other);
        come_to_the_same(&all, &rows);
        come_to_the_same(&rows, &rows[..rows.len().min(1)]);
    }
}

#[test]
fn usual_values_are_converted_by_code_alone() {
    let _alone = alone();
    let plan = compiled(plan("(i64, str, [f64], bool, i64?, i64|str)"));
    let row = |i: i64| {
        Value::Tuple(vec![
            Value::I64(i),
            Value::from("some text, naïve"),
            Value::List(vec![Value::F64(0.5); (i % 4) as usize]),
            Value::Bool(i % 2 == 0),
            if i % 3 == 0 { Value::Null } else { Value::I64(i) },
            if i % 2 == 0 { Value::I64(-i) } else { Value::from("odd") },
        ])
    };
    let rows: Vec<Value> = (0..1000).map(row).collect();
    let mut room = Vec::new();
    let mut out = Out::new(&mut room);
    out.reserve(1 << 20).unwrap();
    let mut sink = RowWriter::new(&mut out, 0, ZeroSizedCounts::default());
    let mut source = ValueReader::new(&rows);
    let code = plan.code(LayoutKind::Values, LayoutKind::Row).unwrap();
    // SAFETY: the code is for these layouts, and there is room.
    assert_eq!(unsafe { code.convert(source.enter_jit(), sink.enter_jit(1000), 0, 1000) }, 1000);
}

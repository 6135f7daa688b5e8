//! Whether compiling works in this process: from a plan to a call, with an answer to compare.

use std::time::Duration;

use serow_core::plan::{Op, Plan};
use serow_core::schema::Schema;

use crate::compiler::compile;
use crate::error::CompileError;
use crate::llvm_version;

/// What a successful [`self_test`] has done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SelfTest {
    /// The plan, an instruction a line.
    pub plan: String,
    /// The version of the LLVM inside.
    pub llvm_version: String,
    /// How long the compilation took.
    pub compile_time: Duration,
    /// How many rows were converted and compared.
    pub rows: usize,
}

/// Compiles the plan of schema `i64`, which has two instructions, runs it over numbers of every
/// size, and compares what it gives with what the instructions mean.
///
/// # Errors
/// [`CompileError::Wrong`] if the code does not do what the plan says, or whatever kept it from
/// being compiled.
///
/// ```
/// let report = serow_codegen::self_test()?;
/// assert_eq!(report.plan.lines().count(), 2);
/// # Ok::<(), serow_codegen::CompileError>(())
/// ```
pub fn self_test() -> Result<SelfTest, CompileError> {
    let schema = Schema::parse("i64").map_err(|error| CompileError::Wrong(error.to_string()))?;
    let plan = Plan::new(&schema);
    let compiled = compile(&plan)?;
    let slots = numbers();
    // The column has values already, as it does when a batch comes in parts.
    let mut column = vec![7];
    let rows = compiled.run(&slots, &mut column);
    if rows != slots.len() {
        return Err(CompileError::Wrong(format!("{rows} of {} rows were done", slots.len())));
    }
    let mut expected = vec![7];
    expected.extend(meaning(&plan.ops, &slots)?);
    if let Some(row) = (0..expected.len()).find(|&row| column.get(row) != expected.get(row)) {
        return Err(CompileError::Wrong(format!(
            "value {row} is {:?} and should be {:?}",
            column.get(row),
            expected.get(row)
        )));
    }
    Ok(SelfTest {
        plan: listing(&plan),
        llvm_version: llvm_version(),
        compile_time: compiled.compile_time(),
        rows,
    })
}

/// The powers of two and their neighbours, of both signs, from `i64::MIN` to `i64::MAX`.
fn numbers() -> Vec<i64> {
    let powers = (0..i64::BITS).map(|bit| 1_i64.wrapping_shl(bit));
    powers
        .flat_map(|power| [power.wrapping_sub(1), power, power.wrapping_add(1)])
        .flat_map(|number| [number, number.wrapping_neg()])
        .collect()
}

/// What the instructions mean, read one by one.
fn meaning(ops: &[Op], slots: &[i64]) -> Result<Vec<i64>, CompileError> {
    let mut column = Vec::new();
    let rows = slots.len();
    let mut slots = slots.iter();
    for _ in 0..rows {
        for (instruction, &op) in ops.iter().enumerate() {
            match op {
                Op::I64 { first: 0, count } => column.extend(slots.by_ref().take(count as usize)),
                Op::End => {}
                op => return Err(CompileError::Unsupported { instruction, op }),
            }
        }
    }
    Ok(column)
}

fn listing(plan: &Plan) -> String {
    let lines = plan.ops.iter().enumerate().map(|(index, op)| format!("{index}  {op:?}\n"));
    lines.collect()
}

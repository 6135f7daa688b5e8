//! Tests whether compiling works in this process, from a plan to a call whose result is compared.

use std::time::Duration;

use serow_core::bytes::varint;
use serow_core::compiled::run;
use serow_core::layout::batch::Batch;
use serow_core::program::Program;
use serow_core::schema::Schema;
use serow_core::wire::row::{RowReader, SLACK};

use super::target::llvm_version;
use crate::emit::{Conversion, SinkLayout, SourceLayout};
use crate::error::CompileError;
use crate::jit::service;

/// The results of a successful [`self_test`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SelfTest {
    /// The plan, one instruction per line.
    pub plan: String,
    /// The version of the LLVM that is linked in.
    pub llvm_version: String,
    /// The time that the compilation took.
    pub compile_time: Duration,
    /// The number of rows that were converted and compared.
    pub rows: usize,
}

/// Compiles the plan of schema `i64`, which has two instructions, runs it with records that hold
/// numbers of every size, and compares the column with the numbers.
/// # Errors
/// [`CompileError::Wrong`] if the result is wrong. Other errors say why the plan could not be
/// compiled.
///
/// ```
/// let report = serow_codegen::self_test()?;
/// assert_eq!(report.plan.lines().count(), 2);
/// # Ok::<(), serow_codegen::CompileError>(())
/// ```
pub fn self_test() -> Result<SelfTest, CompileError> {
    let wrong = |why: String| CompileError::Wrong(why);
    let schema = Schema::parse("i64").map_err(|error| wrong(error.to_string()))?;
    let program = Program::new(&schema);
    let conversion = Conversion { from: SourceLayout::ROW, to: SinkLayout::BATCH };
    let compiled = service::code(&program, &conversion)?;
    let compile_time = compiled.compile_time();
    // SAFETY: the code was compiled for this program and these layouts.
    unsafe { program.set_code(conversion.kinds(), compiled) };

    let numbers = numbers();
    let mut bytes = records(&numbers);
    bytes.extend([0; SLACK]);
    let mut batch = Batch::new(&program);
    // If the sink is full too early, the comparison of the numbers fails.
    let _ = run(&program, &mut RowReader::new(&bytes, SLACK), &mut batch, 0..numbers.len())
        .map_err(|error| wrong(format!("row {} failed: {:?}", error.row, error.fault)))?;
    let [column] = &batch.ints[..] else {
        return Err(wrong(format!("expected one column of integers, found {}", batch.ints.len())));
    };
    if *column != numbers {
        let row = column.iter().zip(&numbers).take_while(|(a, b)| a == b).count();
        return Err(wrong(format!(
            "expected {} rows, found {}; the first difference is in row {row}",
            numbers.len(),
            column.len()
        )));
    }
    Ok(SelfTest {
        plan: program.to_string(),
        llvm_version: llvm_version(),
        compile_time,
        rows: numbers.len(),
    })
}

/// Returns the powers of two and their neighbours, with both signs, from `i64::MIN` to `i64::MAX`.
fn numbers() -> Vec<i64> {
    let powers = (0..i64::BITS).map(|bit| 1_i64.wrapping_shl(bit));
    powers
        .flat_map(|power| [power.wrapping_sub(1), power, power.wrapping_add(1)])
        .flat_map(|number| [number, number.wrapping_neg()])
        .collect()
}

/// Returns the records of rows with one integer each.
fn records(numbers: &[i64]) -> Vec<u8> {
    let mut records = Vec::new();
    for &number in numbers {
        let mut value = Vec::new();
        varint::push(&mut value, varint::zigzag(number));
        records.extend((value.len() as u32).to_le_bytes());
        records.extend(value);
    }
    records
}

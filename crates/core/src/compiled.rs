//! Alternates between compiled code and the interpreter.
//!
//! A [`Program`] may have [`Code`](crate::program::Code) for a pair of layouts. The code converts
//! rows as the interpreter does, but handles only the common cases. At any other row it bails out:
//! it returns as if it had not begun that row. [`run`] then interprets this one row with the same
//! source and sink, and calls the code again for the following rows. So bytes, values and errors
//! are always the interpreter's, and compiled code needs no cold paths.

mod tier;

use std::ops::{ControlFlow, Range};
use std::sync::atomic::Ordering;
use std::sync::{Arc, OnceLock};
use std::time::Instant;

use crate::error::Fault;
use crate::interpreter::{self, Run, RunError};
use crate::layout::{Pair, Sink, SinkBase, Source};
use crate::plan::Plan;
use crate::program::Program;

pub use tier::{Tier, UnknownTier};

/// The compiler of the process. The methods tell it how long plans have been interpreted.
pub trait PlanCompiler: Sync {
    /// The interpreter is about to convert rows of `program`.
    fn begins(&self, program: &Arc<Program>, pair: Pair);

    /// The interpreter has spent enough time on `program` to expect more rows. Now it pays to look for
    /// code that was compiled earlier. This is called once for each pair of layouts, and again if
    /// the plan loses its code.
    fn is_warm(&self, program: &Arc<Program>, pair: Pair);

    /// The interpreter has spent as much time on `program` as compiling it should take. This is called
    /// as often as `is_warm`.
    fn is_due(&self, program: &Arc<Program>, pair: Pair);
}

static COMPILER: OnceLock<&'static dyn PlanCompiler> = OnceLock::new();

/// Sets the compiler of the process. Only the first call has an effect.
pub fn set_compiler(compiler: &'static dyn PlanCompiler) {
    let _ = COMPILER.set(compiler);
}

/// Returns the expected time to compile a plan: about 3 ms plus 250 µs per instruction, as measured
/// on one core.
fn expected_nanoseconds(plan: &Plan) -> u64 {
    3_000_000 + 250_000 * plan.ops.len() as u64
}

/// Nanoseconds in the interpreter after which a plan is warm. This is far less than compiling
/// takes, but more than a message of a few rows takes.
const WARM: u64 = 200_000;

/// Rows that are interpreted between two checks whether the plan has code now.
const INTERPRETED_AT_ONCE: usize = 1024;

/// Rows that can be encoded: a [`Source`], or rows that walk the plan themselves and hand out their values.
pub trait RowSource {
    /// See [`Source::IS_INDEXED`].
    const IS_INDEXED: bool;

    /// Converts `rows` and appends them to `sink`, as [`run`] does.
    ///
    /// # Errors
    /// See [`interpreter::run`].
    fn run<K: Sink>(&mut self, program: &Arc<Program>, sink: &mut K, rows: Range<usize>) -> Run;

    /// Like [`run`](RowSource::run), for row 0 only and any sink. It is made for calls with one row.
    ///
    /// # Errors
    /// See [`interpreter::run`].
    fn run_one<K: Sink>(
        &mut self,
        program: &Arc<Program>,
        sink: &mut K,
    ) -> Result<(), Box<RunError>> {
        self.run(program, sink, 0..1).map(drop)
    }
}

impl<S: Source> RowSource for S {
    const IS_INDEXED: bool = <S as Source>::IS_INDEXED;

    fn run<K: Sink>(&mut self, program: &Arc<Program>, sink: &mut K, rows: Range<usize>) -> Run {
        run_and_count(program, self, sink, rows)
    }

    #[inline]
    fn run_one<K: Sink>(
        &mut self,
        program: &Arc<Program>,
        sink: &mut K,
    ) -> Result<(), Box<RunError>> {
        run_one(program, self, sink)
    }
}

/// What rows are decoded into: a [`Sink`], or rows that walk the plan themselves and ask for their values.
pub trait RowSink: SinkBase {
    /// Whether the sink can't tell that a set holds an element twice, or a map a key. Then the rows are
    /// checked before it gets them.
    const TAKES_DUPLICATES: bool = false;

    /// Converts `rows` of `source` and appends them, as [`run`] does.
    ///
    /// # Errors
    /// See [`interpreter::run`]. A limit fault if the sink is full before the last row.
    fn run_to_end<S: Source>(
        &mut self,
        program: &Arc<Program>,
        source: &mut S,
        rows: Range<usize>,
    ) -> Result<(), Box<RunError>>;

    /// Like [`run_to_end`](RowSink::run_to_end), for row 0 only. It is made for calls with one row.
    ///
    /// # Errors
    /// See [`interpreter::run`].
    fn run_one<S: Source>(
        &mut self,
        program: &Arc<Program>,
        source: &mut S,
    ) -> Result<(), Box<RunError>> {
        self.run_to_end(program, source, 0..1)
    }
}

impl<K: Sink> RowSink for K {
    fn run_to_end<S: Source>(
        &mut self,
        program: &Arc<Program>,
        source: &mut S,
        rows: Range<usize>,
    ) -> Result<(), Box<RunError>> {
        let end = rows.end;
        match run_and_count(program, source, self, rows)? {
            ControlFlow::Break(done) if done < end => {
                Err(RunError::at_row(done, Fault::Limit("the sink is full before the last row")))
            }
            _ => Ok(()),
        }
    }

    #[inline]
    fn run_one<S: Source>(
        &mut self,
        program: &Arc<Program>,
        source: &mut S,
    ) -> Result<(), Box<RunError>> {
        run_one(program, source, self)
    }
}

/// Like [`run`], and counts the time that the interpreter takes.
///
/// # Errors
/// See [`interpreter::run`].
fn run_and_count<S: Source, K: Sink>(
    program: &Arc<Program>,
    source: &mut S,
    sink: &mut K,
    rows: Range<usize>,
) -> Run {
    let (Some(from), Some(to), Some(compiler)) = (S::KIND, K::KIND, COMPILER.get()) else {
        return run(program, source, sink, rows);
    };
    let pair = (from.kind(), to.kind());
    let slot = program.codes.at(pair);
    if !slot.is_set() {
        compiler.begins(program, pair);
    }
    let mut row = rows.start;
    while row < rows.end && !slot.is_set() {
        let end = rows.end.min(row + INTERPRETED_AT_ONCE);
        let begun = Instant::now();
        let result = interpreter::run(program, source, sink, row..end);
        let took = u64::try_from(begun.elapsed().as_nanos()).unwrap_or(u64::MAX);
        count(program, *compiler, pair, took);
        if let ControlFlow::Break(next) = result? {
            return Ok(ControlFlow::Break(next));
        }
        row = end;
    }
    run(program, source, sink, row..rows.end)
}

/// Of this many single rows that the interpreter converts, one is timed. Reading the clock takes
/// about as long as converting a short row.
const ROWS_PER_TIMING: u64 = 16;

/// Like [`run_and_count`], for row 0 only and any sink. It is made for calls with one row, so it does
/// no more than it must.
///
/// # Errors
/// See [`interpreter::run`].
#[inline]
fn run_one<S: Source, K: Sink>(
    program: &Arc<Program>,
    source: &mut S,
    sink: &mut K,
) -> Result<(), Box<RunError>> {
    if let (Some(from), Some(to)) = (S::KIND, K::KIND) {
        let slot = program.codes.at((from.kind(), to.kind()));
        if !slot.is_set() {
            return interpret_one(program, source, sink);
        }
        let held = slot.enter();
        if let Some(code) = held.as_deref()
            && source.is_ready_for(program)
            && sink.is_ready_for(program)
        {
            source.names(&program.from.tables);
            sink.names(&program.to.tables);
            let is_prepared = source.prepare(1) == 1;
            let context = if is_prepared { sink.enter_jit(1) } else { std::ptr::null_mut() };
            if !context.is_null() {
                // SAFETY: as in `run`.
                let (next, exited) = unsafe {
                    let next = code.convert(source.enter_jit(), context, 0, 1);
                    let exited = sink.exit_jit();
                    source.exit_jit();
                    (next, exited)
                };
                exited.map_err(|fault| RunError::at_row(0, fault))?;
                if next == 1 {
                    return Ok(());
                }
            }
        }
    }
    interpreter::run(program, source, sink, 0..1).map(drop)
}

#[inline(never)]
fn interpret_one<S: Source, K: Sink>(
    program: &Arc<Program>,
    source: &mut S,
    sink: &mut K,
) -> Result<(), Box<RunError>> {
    let (Some(from), Some(to), Some(compiler)) = (S::KIND, K::KIND, COMPILER.get()) else {
        return interpreter::run(program, source, sink, 0..1).map(drop);
    };
    let pair = (from.kind(), to.kind());
    let slot = program.codes.at(pair);
    if !slot.rows.fetch_add(1, Ordering::Relaxed).is_multiple_of(ROWS_PER_TIMING) {
        return interpreter::run(program, source, sink, 0..1).map(drop);
    }
    compiler.begins(program, pair);
    let begun = Instant::now();
    let result = run(program, source, sink, 0..1);
    let took = u64::try_from(begun.elapsed().as_nanos()).unwrap_or(u64::MAX);
    count(program, *compiler, pair, took.saturating_mul(ROWS_PER_TIMING));
    result.map(drop)
}

/// Counts the nanoseconds that the interpreter `took`, and tells the compiler.
fn count(program: &Arc<Program>, compiler: &dyn PlanCompiler, pair: Pair, took: u64) {
    let before = program.codes.at(pair).spent.fetch_add(took, Ordering::Relaxed);
    let passes = |mark| before < mark && before.saturating_add(took) >= mark;
    if passes(WARM) {
        compiler.is_warm(program, pair);
    }
    if passes(expected_nanoseconds(program)) {
        compiler.is_due(program, pair);
    }
}

/// If more than one row in this many bails out, the interpreter converts the remaining rows.
const MAX_BAILOUT_SHARE: usize = 8;

/// Bailouts that are not counted for that. A new buffer starts small and doubles a dozen times, and a
/// row bails out each time, at first several in succession.
const FREE_BAILOUTS: usize = 16;

/// Converts `rows` of `source` and appends them to `sink`, by compiled code if the plan has it.
///
/// # Errors
/// See [`interpreter::run`].
pub fn run<S: Source, K: Sink>(
    program: &Program,
    source: &mut S,
    sink: &mut K,
    rows: Range<usize>,
) -> Run {
    let (Some(from), Some(to)) = (S::KIND, K::KIND) else {
        return interpreter::run(program, source, sink, rows);
    };
    let slot = program.codes.at((from.kind(), to.kind()));
    // Held until the rows are converted, even if the program loses its code meanwhile.
    let held = slot.is_set().then(|| slot.enter());
    let Some(code) = held.as_ref().and_then(|held| held.as_deref()) else {
        return interpreter::run(program, source, sink, rows);
    };
    if !source.is_ready_for(program) || !sink.is_ready_for(program) {
        return interpreter::run(program, source, sink, rows);
    }
    source.names(&program.from.tables);
    sink.names(&program.to.tables);
    let (mut row, mut bailouts) = (rows.start, 0);
    while row < rows.end {
        let ready = source.prepare(sink.rows_per_call().min(rows.end - row));
        let to = row + ready;
        let context = sink.enter_jit(ready);
        if context.is_null() {
            return interpreter::run(program, source, sink, row..rows.end);
        }
        // SAFETY: the program has this code for layouts of these kinds, and both are ready for the
        // program. Nothing else uses them until they exit. The source exits last, because its strings
        // must stay in place until then.
        let exited = unsafe {
            row = code.convert(source.enter_jit(), context, row, to);
            let exited = sink.exit_jit();
            source.exit_jit();
            exited
        };
        exited.map_err(|fault| RunError::at_row(row.saturating_sub(1), fault))?;
        if row == to && ready > 0 {
            if row < rows.end {
                let checked = interpreter::checkpoint(|| interpreter::check(source, sink));
                checked.map_err(|fault| RunError::at_row(row, fault))?;
            }
            continue;
        }
        bailouts += 1;
        // A bailout costs a call. With many bailouts compiled code is slower than the interpreter.
        let many = bailouts > FREE_BAILOUTS + (row - rows.start) / MAX_BAILOUT_SHARE;
        let next = if many { rows.end } else { row + 1 };
        if let ControlFlow::Break(next) = interpreter::run(program, source, sink, row..next)? {
            return Ok(ControlFlow::Break(next));
        }
        row = next;
    }
    Ok(ControlFlow::Continue(()))
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicUsize;

    use super::*;
    use crate::bytes::out::Out;
    use crate::bytes::varint;
    use crate::program::Code;
    use crate::schema::Schema;
    use crate::testing::int_records;
    use crate::wire::row::{ROW, RowReader, RowWriter, ZeroSizedCounts};

    /// Code that bails out of every row, and counts them.
    #[derive(Debug, Default)]
    struct Bailout(AtomicUsize);

    impl Code for Bailout {
        unsafe fn convert(&self, _: *mut (), _: *mut (), from: usize, _: usize) -> usize {
            self.0.fetch_add(1, Ordering::Relaxed);
            from
        }

        fn bytes(&self) -> usize {
            1
        }
    }

    #[test]
    fn code_is_given_up_after_many_bailouts_but_not_after_those_of_a_growing_buffer() {
        let rows = 1000;
        let records = int_records(&[0]).repeat(rows);
        let program = Program::new(&Schema::parse("i64").unwrap());
        let code = Arc::new(Bailout::default());
        // SAFETY: the code does nothing.
        let evicted = unsafe { program.set_code((&ROW, &ROW), code.clone()) };
        assert!(evicted.is_empty());
        let (mut buffer, mut source) = (Vec::new(), RowReader::new(&records, 0));
        let mut out = Out::new(&mut buffer);
        let mut writer = RowWriter::new(&mut out, 0, ZeroSizedCounts::default());
        let ended = run(&program, &mut source, &mut writer, 0..rows);
        assert_eq!(ended, Ok(ControlFlow::Continue(())));
        let tries = code.0.load(Ordering::Relaxed);
        assert!(tries > FREE_BAILOUTS && tries < rows / MAX_BAILOUT_SHARE, "{tries}");
    }

    /// The record of each row takes 16 KiB, so row 1024 fills the frame. It is the last row that the
    /// interpreter converts before it looks for code. After a bailout it converts one row at a time.
    #[test]
    #[cfg_attr(miri, ignore = "the rows take 16 MiB")]
    fn a_full_sink_ends_compiled_and_interpreted_runs() {
        const LEN: u32 = (16 << 10) - 4;
        let mut record = LEN.to_le_bytes().to_vec();
        varint::push(&mut record, u64::from(LEN - 2));
        record.resize(16 << 10, b'x');
        let records = record.repeat(1100);
        let schema = Schema::parse("str").unwrap();
        let interpreted = Arc::new(Program::new(&schema));
        let compiled = Arc::new(Program::new(&schema));
        // SAFETY: the code does nothing.
        let evicted = unsafe { compiled.set_code((&ROW, &ROW), Arc::new(Bailout::default())) };
        assert!(evicted.is_empty());
        for plan in [interpreted, compiled] {
            let (mut buffer, mut source) = (Vec::new(), RowReader::new(&records, 0));
            let mut out = Out::new(&mut buffer);
            let mut writer = RowWriter::new(&mut out, 0, ZeroSizedCounts::default());
            let ended = run_and_count(&plan, &mut source, &mut writer, 0..1100);
            assert_eq!(ended, Ok(ControlFlow::Break(1024)));
        }
    }
}

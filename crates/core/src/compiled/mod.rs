//! Compiled code beside the interpreter.
//!
//! A [`Plan`] may carry, for a pair of layouts, [`Code`] that converts rows as the interpreter
//! would, but only those that are nothing unusual. At any other row it stops, as if it had not
//! begun that row. [`run`] then lets the interpreter do this one row, with the same source and
//! sink, and calls the code again for those after it. So bytes, values and errors are the
//! interpreter's by construction, and compiled code needs no cold paths.

mod codes;

use std::fmt;
use std::ops::Range;
use std::sync::atomic::Ordering;
use std::sync::{Arc, OnceLock};
use std::time::Instant;

pub(crate) use codes::Codes;

use crate::interpreter::{self, Stop};
use crate::layout::{Sink, Source};
use crate::plan::Plan;

/// A layout in the form that compiled code knows it by. It says what
/// [`Source::lend`] and [`Sink::lend`] point to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Objects of the language, as it describes them to the compiler.
    Objects,
    /// [`Value`](crate::value::Value)s: a [`value::Place`](crate::layout::value::Place).
    Values,
    /// [`FlatRows`](crate::layout::flat::FlatRows): a [`flat::Place`](crate::layout::flat::Place).
    Flat,
    /// The row wire: a [`row::ReaderPlace`](crate::layout::row::ReaderPlace) as a source, and a
    /// [`row::WriterPlace`](crate::layout::row::WriterPlace) as a sink.
    Row,
    /// A [`Batch`](crate::layout::batch::Batch): a
    /// [`batch::Place`](crate::layout::batch::Place).
    Batch,
    /// [`Columns`](crate::layout::columns::Columns): a
    /// [`columns::Place`](crate::layout::columns::Place).
    Columns,
    /// Spark's [`UnsafeRows`](crate::layout::unsafe_row::UnsafeRows): an
    /// [`unsafe_row::Place`](crate::layout::unsafe_row::Place).
    UnsafeRows,
}

const FORMS: usize = 7;

/// Code for one plan, one form of source and one form of sink.
pub trait Code: Send + Sync + fmt::Debug {
    /// Convert the rows from `from` on, up to `to` or to the first that is unusual, and give the
    /// index of the first row that was not converted. Source and sink then stand where they would
    /// if nothing had been done of that row.
    ///
    /// # Safety
    /// `source` and `sink` must have been lent by layouts of the forms that the code is for, which
    /// stand at row `from` and have been taken back since they were lent before; they are not
    /// touched in between.
    unsafe fn convert(&self, source: *mut (), sink: *mut (), from: usize, to: usize) -> usize;

    /// About how much memory the code takes.
    fn bytes(&self) -> usize;
}

impl Plan {
    /// The code for these forms, if the plan has been compiled for them. Whoever holds it may call
    /// it, though the plan may lose it meanwhile.
    pub fn code(&self, source: Form, sink: Form) -> Option<Arc<dyn Code>> {
        self.codes.at(source, sink).code()
    }

    /// Whether the plan has code for these forms.
    pub fn is_compiled(&self, source: Form, sink: Form) -> bool {
        self.codes.at(source, sink).is_set()
    }

    /// Have `code` run in the interpreter's place from the next call of [`run`] on, unless the plan
    /// has code for these forms already. What other plans lose for it, because there is too much
    /// code in the process ([`crate::limits`]), is given back; it is freed when it is dropped
    /// and nobody runs it any more. If `code` alone is too much it is given back itself.
    ///
    /// # Safety
    /// The code must do what the plan says, and be for layouts of these forms as they are in this
    /// process.
    pub unsafe fn set_code(
        &self,
        source: Form,
        sink: Form,
        code: Arc<dyn Code>,
    ) -> Vec<Arc<dyn Code>> {
        self.codes.set(source, sink, code)
    }

    /// Take the plan's code for these forms from it, and have the interpreter run from the next call
    /// of [`run`] on.
    pub fn take_code(&self, source: Form, sink: Form) -> Option<Arc<dyn Code>> {
        self.codes.take(source, sink)
    }
}

/// Who compiles plans in this process.
pub trait Compiler: Sync {
    /// Rows of `plan` are about to be converted by the interpreter.
    fn begins(&self, plan: &Arc<Plan>, source: Form, sink: Form);

    /// Rows of `plan` have taken long enough in the interpreter for more of them to be likely, so it
    /// pays to look for code that was compiled earlier. This is said once for these forms, or once
    /// again if the plan loses its code.
    fn is_warm(&self, plan: &Arc<Plan>, source: Form, sink: Form);

    /// Rows of `plan` have taken as long in the interpreter as it is expected to take to compile
    /// the plan. This is said as often as the other.
    fn is_due(&self, plan: &Arc<Plan>, source: Form, sink: Form);
}

static COMPILER: OnceLock<&'static dyn Compiler> = OnceLock::new();

/// Have `compiler` hear of plans that should be compiled. The first that is set stays.
pub fn set_compiler(compiler: &'static dyn Compiler) {
    let _ = COMPILER.set(compiler);
}

/// What a plan is expected to take to be compiled: about 3 ms, and 250 µs for each of its
/// instructions, as measured on one core.
fn expected_nanoseconds(plan: &Plan) -> u64 {
    3_000_000 + 250_000 * plan.ops.len() as u64
}

/// Nanoseconds in the interpreter after which a plan is warm: far less than any compile takes, but
/// more than a message of a few rows.
const WARM: u64 = 200_000;

/// Rows that are interpreted before it is looked whether the plan has code now.
const INTERPRETED_AT_ONCE: usize = 1024;

/// As [`run`], and count the time that the interpreter takes.
///
/// # Errors
/// As for [`interpreter::run`].
pub fn run_and_count<S: Source, K: Sink>(
    plan: &Arc<Plan>,
    source: &mut S,
    sink: &mut K,
    rows: Range<usize>,
) -> Result<(), Box<Stop>> {
    let (Some(from), Some(to), Some(compiler)) = (S::FORM, K::FORM, COMPILER.get()) else {
        return run(plan, source, sink, rows);
    };
    let slot = plan.codes.at(from, to);
    if !slot.is_set() {
        compiler.begins(plan, from, to);
    }
    let mut row = rows.start;
    while row < rows.end && !slot.is_set() {
        let end = rows.end.min(row + INTERPRETED_AT_ONCE);
        let begun = Instant::now();
        let result = interpreter::run(plan, source, sink, row..end);
        let took = u64::try_from(begun.elapsed().as_nanos()).unwrap_or(u64::MAX);
        let before = slot.spent.fetch_add(took, Ordering::Relaxed);
        let passes = |mark| before < mark && before.saturating_add(took) >= mark;
        if passes(WARM) {
            compiler.is_warm(plan, from, to);
        }
        if passes(expected_nanoseconds(plan)) {
            compiler.is_due(plan, from, to);
        }
        result?;
        row = end;
    }
    if row < rows.end { run(plan, source, sink, row..rows.end) } else { Ok(()) }
}

/// Of the rows that were given, this share may be left to the interpreter one by one.
const UNUSUAL: usize = 8;

/// Convert `rows` of `source` and append them to `sink`, by compiled code where the plan has it.
///
/// # Errors
/// As for [`interpreter::run`].
pub fn run<S: Source, K: Sink>(
    plan: &Plan,
    source: &mut S,
    sink: &mut K,
    rows: Range<usize>,
) -> Result<(), Box<Stop>> {
    let (Some(from), Some(to)) = (S::FORM, K::FORM) else {
        return interpreter::run(plan, source, sink, rows);
    };
    let slot = plan.codes.at(from, to);
    // Held until the rows are converted, even if the plan loses it meanwhile.
    let held = slot.is_set().then(|| slot.enter());
    let Some(code) = held.as_ref().and_then(|held| held.as_deref()) else {
        return interpreter::run(plan, source, sink, rows);
    };
    source.names(&plan.tables);
    sink.names(&plan.tables);
    let (mut row, mut unusual) = (rows.start, 0);
    while row < rows.end {
        let ready = source.prepare(sink.at_once().min(rows.end - row));
        let to = row + ready;
        let place = sink.lend(ready);
        if place.is_null() {
            return interpreter::run(plan, source, sink, row..rows.end);
        }
        // SAFETY: the layouts are of the forms under which the plan has the code, and are taken
        // back before anybody else uses them.
        row = unsafe { code.convert(source.lend(), place, row, to) };
        source.take_back();
        sink.take_back().map_err(|fault| Stop::at_row(row.saturating_sub(1), fault))?;
        if row == to && ready > 0 {
            continue;
        }
        unusual += 1;
        // Where much is unusual, to stop and begin again costs more than compiled code gains.
        let much = unusual * UNUSUAL > row - rows.start + 4 * UNUSUAL;
        let next = if much { rows.end } else { row + 1 };
        interpreter::run(plan, source, sink, row..next)?;
        row = next;
    }
    Ok(())
}

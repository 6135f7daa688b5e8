//! The compiler, by `serow_codegen`.

use std::ffi::c_int;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex, Once, OnceLock, PoisonError};
use std::thread;
use std::time::Duration;

use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use serow_codegen::cpython::{Addresses, CPython, NewObjects};
use serow_codegen::{CompileError, Compiler, Conversion, SinkLayout, SourceLayout, background};
use serow_core::layout::Pair;
use serow_core::layout::objects::ExactType;
use serow_core::program::Program;

use super::{Text, tier};
use crate::access;
use crate::errors::{LimitError, SerowError, exception};
use crate::layout::functions::functions;
use crate::layout::offsets::{
    ASCII, COMPACT, GC_HEAD, INT_DIGITS, LENGTH, LIST_ITEMS, STR_HASH, STR_STATE, TUPLE_HASH,
};
use crate::layout::py_long::{SMALLEST, small_int_table};
use crate::layout::{Offsets, type_object};
use crate::made::{self, Calls, Made, name};

/// The object layouts and functions of the running CPython; `offsets` must be proven for it.
fn describe(py: Python<'_>, offsets: &Offsets) -> CPython {
    CPython {
        ty: 8,
        length: LENGTH as u64,
        tuple_items: offsets.tuple_items as u64,
        list_items: LIST_ITEMS as u64,
        int_digits: INT_DIGITS as u64,
        tagged_ints: offsets.tagged_ints,
        str_state: STR_STATE as u64,
        ascii: COMPACT | ASCII,
        ascii_text: offsets.ascii_text as u64,
        making: NewObjects {
            immortal: offsets.immortal,
            gc_words: GC_HEAD as u64 / 8,
            smallest_int: SMALLEST,
            small_ints: (offsets.largest_int - SMALLEST + 1) as u64,
            tuple_hash: offsets.tuple_hash().then_some(TUPLE_HASH as u64),
            str_hash: STR_HASH as u64,
            ascii_state: offsets.ascii_state(),
            wide_text: offsets.ready_bit,
        },
        // SAFETY: these only take addresses; the token proves that an interpreter runs.
        addresses: unsafe {
            Addresses {
                types: ExactType::ALL.map(|ty| type_object(ty).addr()),
                none: ffi::Py_None().addr(),
                yes: ffi::Py_True().addr(),
                no: ffi::Py_False().addr(),
                functions: functions(),
                small_ints: small_int_table(py).addr(),
            }
        },
    }
}

/// Runs `work`, which may take seconds, on a thread of its own, so that other Python threads and
/// signal handlers run meanwhile.
///
/// # Errors
/// What a signal handler raises. The work continues, but its result is lost.
fn in_thread<T: Send + 'static>(
    py: Python<'_>,
    work: impl FnOnce() -> Result<T, CompileError> + Send + 'static,
) -> PyResult<T> {
    let (done, result) = mpsc::channel();
    let result = Mutex::new(result);
    let work = move || drop(done.send(work()));
    let thread = thread::Builder::new().name("serow-compiler".to_owned()).spawn(work)?;
    loop {
        match py.detach(|| {
            let result = result.lock().unwrap_or_else(PoisonError::into_inner);
            result.recv_timeout(BETWEEN_SIGNALS)
        }) {
            Ok(result) => {
                // Join, so that a fork right after this call copies no other thread.
                let _ = py.detach(|| thread.join());
                return result.map_err(not_compiled);
            }
            Err(RecvTimeoutError::Timeout) => py.check_signals()?,
            Err(RecvTimeoutError::Disconnected) => {
                return Err(exception::<SerowError>("the compiler panicked; please report it"));
            }
        }
    }
}

/// Maximum delay of a signal handler while a thread compiles.
const BETWEEN_SIGNALS: Duration = Duration::from_millis(5);

fn not_compiled(error: CompileError) -> PyErr {
    match error {
        CompileError::TooLarge(_) => exception::<LimitError>(error.to_string()),
        _ => exception::<SerowError>(error.to_string()),
    }
}

/// Returns what can be compiled: the conversions of objects from and to both wires, from Spark's rows
/// to objects, and from the records that wait in a stream to columns.
fn conversions(cpython: &CPython) -> [Conversion<'_>; 6] {
    let (objects, made) = (SourceLayout::objects(cpython), SinkLayout::objects(cpython));
    [
        (objects, SinkLayout::ROW),
        (objects, SinkLayout::BATCH),
        (SourceLayout::ROW, made),
        (SourceLayout::COLUMNS, made),
        (SourceLayout::UNSAFE_ROWS, made),
        (SourceLayout::ROW, SinkLayout::BATCH),
    ]
    .map(|(from, to)| Conversion { from, to })
}

/// Calls `work` with the conversion of this pair, on a thread of its own.
fn with_conversion<T: Send + 'static>(
    py: Python<'_>,
    offsets: &Offsets,
    pair: Pair,
    work: impl FnOnce(&Conversion<'_>) -> Result<T, CompileError> + Send + 'static,
) -> PyResult<T> {
    let cpython = describe(py, offsets);
    in_thread(py, move || {
        match conversions(&cpython).iter().find(|conversion| conversion.kinds() == pair) {
            Some(conversion) => work(conversion),
            None => Err(CompileError::Interpreted(format!("{pair:?}"))),
        }
    })
}

/// Compiles the code for rows of `program` between this pair of layouts, and waits for it.
pub fn compile(
    py: Python<'_>,
    offsets: &Offsets,
    program: &Arc<Program>,
    pair: Pair,
) -> PyResult<()> {
    let program = program.clone();
    // SAFETY: the offsets are proven for the objects of this process.
    with_conversion(py, offsets, pair, move |conversion| unsafe {
        serow_codegen::compile(&program, conversion)
    })
}

/// The text of what [`compile`] makes: LLVM IR or assembly.
pub fn text(
    py: Python<'_>,
    offsets: &Offsets,
    program: &Arc<Program>,
    pair: Pair,
    text: Text,
) -> PyResult<Option<String>> {
    let program = program.clone();
    let text = with_conversion(py, offsets, pair, move |conversion| match text {
        Text::Ir => Compiler::new()?.ir(&program, conversion),
        Text::Asm => Compiler::new()?.asm(&program, conversion),
    });
    text.map(Some)
}

/// The conversions for the background compiler.
fn all_conversions() -> &'static [Conversion<'static>] {
    static CPYTHON: OnceLock<CPython> = OnceLock::new();
    static ALL: OnceLock<[Conversion<'static>; 6]> = OnceLock::new();
    let Some(offsets) = access::offsets() else { return &[] };
    // Every thread that reads or makes objects holds the GIL.
    let cpython = CPYTHON.get_or_init(|| Python::attach(|py| describe(py, offsets)));
    ALL.get_or_init(|| conversions(cpython))
}

/// Starts background compiling for the tier of this process, and stops it before Python exits.
pub fn start(module: &Bound<'_, PyModule>) -> PyResult<()> {
    // SAFETY: the offsets that `all_conversions` gives are proven for the objects of this process.
    unsafe { serow_codegen::start(tier()?, all_conversions) };
    // SAFETY: the GIL is held, so there is an interpreter.
    let is_main = unsafe { ffi::PyInterpreterState_GetID(ffi::PyInterpreterState_Get()) == 0 };
    if is_main {
        let stop = wrap_pyfunction!(stop_compiling, module)?;
        module.py().import(name!("atexit"))?.method_with(name!("register"), (stop,))?;
    }
    // A sub-interpreter may end long before the process, so it must not stop the compiler; but it
    // may be the only interpreter that imported this module.
    static AT_EXIT: Once = Once::new();
    // SAFETY: the C function calls nothing of Python, which has ended by then. If Python has no
    // free slot for it, the main interpreter's `atexit` must suffice.
    AT_EXIT.call_once(|| unsafe {
        let _: c_int = ffi::Py_AtExit(Some(stop_at_exit));
    });
    Ok(())
}

extern "C" fn stop_at_exit() {
    background::stop();
}

/// Stops background compiling, and waits for the job that runs.
#[pyfunction]
fn stop_compiling(py: Python<'_>) {
    py.detach(background::stop);
}

/// What the compiler is, and where its cache is.
pub fn description() -> (String, String) {
    let compiler =
        format!("LLVM {} for {}", serow_codegen::llvm_version(), serow_codegen::processor());
    let cache = match serow_codegen::cache_folder() {
        None => "off".to_owned(),
        Some((path, None)) => path.display().to_string(),
        Some((path, Some(why))) => format!("off: {}: {why}", path.display()),
    };
    (compiler, cache)
}

/// Compiles a plan of two instructions with LLVM, runs it, and checks its results.
pub fn self_test(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    let test =
        serow_codegen::self_test().map_err(|error| exception::<SerowError>(error.to_string()))?;
    let report = made::dict(py)?;
    report.set_item(name!("plan"), Made(test.plan))?;
    report.set_item(name!("llvm"), Made(test.llvm_version))?;
    report.set_item(name!("compile_microseconds"), Made(test.compile_time.as_micros() as u64))?;
    report.set_item(name!("rows"), Made(test.rows))?;
    Ok(report)
}

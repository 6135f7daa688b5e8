//! The effects of compiling on the process: memory, threads, children.
//!
//! Tests that inspect the process run one at a time.

use std::process::Command;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, mpsc};
use std::time::Duration;
use std::{env, fs, thread};

use serow_codegen::{CompileError, Compiled, Compiler, background, code, compile, self_test};
use serow_core::bytes::out::Out;
use serow_core::layout::{Sink, Source};
use serow_core::limits::MAX_COMPILED_INSTRUCTIONS;
use serow_core::program::Code;
use serow_core::program::Program;
use serow_core::schema::Schema;
use serow_core::wire::row::{RowReader, RowWriter, SLACK, ZeroSizedCounts};

use crate::{ROW_TO_ROW, alone, plan};

/// Compiles code for rows of `columns` integers.
fn compiled(columns: usize) -> Arc<Compiled> {
    code(&wide(columns), &ROW_TO_ROW).expect("this machine can compile")
}

fn wide(columns: usize) -> Program {
    plan(&format!("({})", "i64, ".repeat(columns)))
}

/// Returns the records of `rows` rows of `columns` integers, with [`SLACK`] behind.
fn records(columns: usize, rows: usize) -> Vec<u8> {
    let mut record = (columns as u32).to_le_bytes().to_vec();
    // Each integer is a varint of one byte.
    record.resize(record.len() + columns, 1);
    let mut records = record.repeat(rows);
    records.extend([0; SLACK]);
    records
}

/// Returns how many of `rows` rows of `columns` integers the code converts.
fn converted(code: &dyn Code, columns: usize, rows: usize) -> usize {
    let records = records(columns, rows);
    let mut room = vec![0; 16];
    let mut out = Out::new(&mut room);
    out.reserve(20 * columns * rows + 100).expect("there is memory");
    let mut source = RowReader::new(&records, SLACK);
    let mut sink = RowWriter::new(&mut out, 0, ZeroSizedCounts::default());
    // SAFETY: the code is for these layouts.
    unsafe { code.convert(source.enter_jit(), sink.enter_jit(rows), 0, rows) }
}

/// A line of `/proc/self/maps`.
#[derive(Debug, PartialEq)]
struct Mapping {
    bytes: usize,
    protection: String,
    file: bool,
}

fn mappings() -> Vec<Mapping> {
    let maps = fs::read_to_string("/proc/self/maps").expect("Linux has it");
    maps.lines().map(|line| mapping(line).expect("the format of proc(5)")).collect()
}

/// Parses `from-to protection offset device inode path`.
fn mapping(line: &str) -> Option<Mapping> {
    let fields: Vec<&str> = line.split_whitespace().collect();
    let (from, to) = fields.first()?.split_once('-')?;
    let address = |text| usize::from_str_radix(text, 16).ok();
    Some(Mapping {
        bytes: address(to)? - address(from)?,
        protection: fields.get(1)?.to_string(),
        file: fields.len() > 5,
    })
}

/// Returns the number of mapped bytes of code that come from no file. The kernel joins adjacent
/// mappings, so counting mappings would not work.
fn code_bytes() -> usize {
    let code = |mapping: &&Mapping| mapping.protection.contains('x') && !mapping.file;
    mappings().iter().filter(code).map(|mapping| mapping.bytes).sum()
}

fn threads() -> usize {
    fs::read_dir("/proc/self/task").expect("Linux has it").count()
}

#[test]
fn the_self_test_passes() {
    let _alone = alone();
    let report = self_test().expect("this machine can compile");
    assert!(report.rows > 300, "{report:?}");
    assert_eq!(report.plan, "0  i64, int 0\n1  end\n");
    assert!(report.llvm_version.starts_with("22."), "{report:?}");
}

#[test]
fn the_ir_is_readable_text() {
    let _alone = alone();
    let ir = Compiler::new().and_then(|compiler| compiler.ir(&plan("i64"), &ROW_TO_ROW));
    let ir = ir.expect("this machine can compile");
    for part in ["define i64 @serow(ptr %0, ptr %1, i64 %2, i64 %3)", "%varint = load i64, ptr"] {
        assert!(ir.contains(part), "no `{part}` in\n{ir}");
    }
}

#[test]
fn no_page_is_writable_and_executable() {
    let _alone = alone();
    let both =
        |mapping: &Mapping| mapping.protection.contains('w') && mapping.protection.contains('x');
    let (inspections, done) = (AtomicUsize::new(0), AtomicBool::new(false));
    thread::scope(|scope| {
        let compiling = scope.spawn(|| {
            // Code that was dropped is compiled again.
            let mut kept: Vec<_> = (1..60).map(compiled).collect();
            while inspections.load(Ordering::Relaxed) < 100 {
                kept.clear();
                kept.extend((1..60).map(compiled));
            }
            done.store(true, Ordering::Relaxed);
            kept
        });
        while !done.load(Ordering::Relaxed) {
            let mappings = mappings();
            assert_eq!(mappings.iter().find(|mapping| both(mapping)), None);
            inspections.fetch_add(1, Ordering::Relaxed);
        }
        let kept = compiling.join().expect("all compile");
        assert!(code_bytes() > 0, "the code should be seen in {:?}", mappings());
        drop(kept);
    });
}

#[test]
fn dropped_code_is_unmapped() {
    let _alone = alone();
    let keep = compiled(1);
    let before = code_bytes();
    let mut many: Vec<_> = (2..60).map(compiled).collect();
    assert!(code_bytes() > before, "the code should be seen");
    // Drop in another order than the code was made.
    many.swap(0, 30);
    drop(many);
    assert_eq!(code_bytes(), before);
    assert_eq!(converted(&*keep, 1, 2), 2, "the code that was kept");
}

#[test]
fn equal_plans_share_their_code() {
    let _alone = alone();
    let (one, other, third) = (wide(1), wide(1), wide(2));
    let code_of = |plan: &Program| code(plan, &ROW_TO_ROW).expect("this machine can compile");
    let first = code_of(&one);
    assert!(Arc::ptr_eq(&first, &code_of(&other)));
    assert!(!Arc::ptr_eq(&first, &code_of(&third)));
    drop(one);
    assert_eq!(converted(&*first, 1, 2), 2);
    let address = Arc::downgrade(&first);
    drop(first);
    assert!(address.upgrade().is_none(), "the last reference is gone");
    assert_eq!(converted(&*code_of(&other), 1, 2), 2, "it is made again");
}

#[test]
fn threads_that_need_the_same_code_wait_for_one_of_them() {
    let _alone = alone();
    let schema =
        Schema::parse(&format!("({})", "i64, str, ".repeat(100))).expect("the schema is valid");
    let codes: Vec<_> = thread::scope(|scope| {
        let same = || scope.spawn(|| code(&Program::new(&schema), &ROW_TO_ROW));
        let threads: Vec<_> = (0..4).map(|_| same()).collect();
        let code = |thread: thread::ScopedJoinHandle<'_, Result<_, _>>| thread.join().ok()?.ok();
        threads.into_iter().map(|thread| code(thread).expect("it compiles")).collect()
    });
    assert!(codes.windows(2).all(|two| Arc::ptr_eq(&two[0], &two[1])));
}

#[test]
fn threads_can_compile_run_and_drop_concurrently() {
    let _alone = alone();
    let shared = compiled(1);
    let before = code_bytes();
    thread::scope(|scope| {
        for thread in 0..4 {
            let shared = &shared;
            scope.spawn(move || {
                for round in 0..25 {
                    // Several threads also use the same code.
                    let columns = 2 + (thread + round) % 7;
                    let own = compiled(columns);
                    let both = (converted(&*own, columns, 3), converted(&**shared, 1, 100));
                    assert_eq!(both, (3, 100));
                }
            });
        }
    });
    assert_eq!(code_bytes(), before);
}

#[test]
fn evicted_code_is_freed_when_its_last_run_ends() {
    let _alone = alone();
    let plan = wide(1);
    let before = code_bytes();
    // SAFETY: core defines the layout of records.
    let compile =
        |plan: &Program| unsafe { compile(plan, &ROW_TO_ROW) }.expect("this machine can compile");
    compile(&plan);
    let running = plan.code(ROW_TO_ROW.kinds()).expect("it was compiled");
    drop(plan.take_code(ROW_TO_ROW.kinds()));
    assert!(!plan.is_compiled(ROW_TO_ROW.kinds()));
    assert_eq!(converted(&*running, 1, 3), 3);
    drop(running);
    assert_eq!(code_bytes(), before);

    // The same while other threads run the code.
    let done = AtomicBool::new(false);
    thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| {
                let records = records(1, 1000);
                while !done.load(Ordering::Relaxed) {
                    let (mut room, mut source) = (Vec::new(), RowReader::new(&records, SLACK));
                    let mut out = Out::new(&mut room);
                    let mut writer = RowWriter::new(&mut out, 0, ZeroSizedCounts::default());
                    let run = serow_core::compiled::run(&plan, &mut source, &mut writer, 0..1000);
                    assert!(run.expect("the rows fit").is_continue());
                    assert!(source.is_empty());
                }
            });
        }
        for _ in 0..50 {
            compile(&plan);
            drop(plan.take_code(ROW_TO_ROW.kinds()));
        }
        done.store(true, Ordering::Relaxed);
    });
    assert_eq!(code_bytes(), before);
}

#[test]
fn a_schema_that_is_too_large_is_not_compiled() {
    let _alone = alone();
    let fields = vec!["i64"; MAX_COMPILED_INSTRUCTIONS].join(", ");
    let plan = plan(&format!("({fields})"));
    let error = code(&plan, &ROW_TO_ROW).expect_err("it is too large");
    assert!(matches!(error, CompileError::TooLarge(_)), "{error}");
    assert!(error.to_string().contains("8195 instructions, of at most 8192"), "{error}");
}

#[test]
fn compiling_starts_no_threads() {
    let _alone = alone();
    // The test harness starts and ends threads, so count in a child, which has only one.
    assert!(in_child(|| converted(&*compiled(1), 1, 1) == 1 && threads() == 1));
}

#[test]
fn a_forked_child_calls_inherited_code_and_can_compile() {
    let _alone = alone();
    let parents = compiled(1);
    assert!(in_child(|| {
        let inherited = converted(&*parents, 1, 3);
        drop(parents);
        let own = compiled(1);
        (inherited, converted(&*own, 1, 1)) == (3, 1)
    }));
}

#[test]
fn a_child_forked_during_compiling_gets_an_error_and_does_not_hang() {
    let _alone = alone();
    let inherited = compiled(1);
    let done = AtomicBool::new(false);
    let (mut refused, mut compiled_anew) = (0, 0);
    thread::scope(|scope| {
        scope.spawn(|| {
            while !done.load(Ordering::Relaxed) {
                compiled(50);
            }
        });
        for _ in 0..20 {
            let outcome = child(|| {
                let works = converted(&*inherited, 1, 2) == 2;
                match code(&wide(3), &ROW_TO_ROW) {
                    Ok(own) if works && converted(&*own, 3, 1) == 1 => 0,
                    Err(CompileError::Forked) if works => 1,
                    _ => 2,
                }
            });
            refused += usize::from(outcome == 1);
            compiled_anew += usize::from(outcome == 0);
        }
        done.store(true, Ordering::Relaxed);
    });
    assert_eq!(refused + compiled_anew, 20);
    assert!(refused > 0, "the other thread should sometimes have been inside LLVM");
}

#[test]
fn later_jobs_run_after_a_job_panicked() {
    let _alone = alone();
    let (begun, panics) = mpsc::channel();
    assert!(background::enqueue(Box::new(move || {
        begun.send(()).unwrap();
        panic!("this job panics on purpose")
    })));
    assert_eq!(panics.recv_timeout(Duration::from_secs(60)), Ok(()));
    let (done, later) = mpsc::channel();
    assert!(background::enqueue(Box::new(move || done.send(()).unwrap())));
    assert_eq!(later.recv_timeout(Duration::from_secs(10)), Ok(()));
}

/// Set if this program must register its `atexit` handler and exit.
const RUN_HANDLER: &str = "SEROW_TEST_RUN_HANDLER";

extern "C" fn handler() {
    // SAFETY: the bytes are readable.
    unsafe { libc::write(1, b"the handler ran\n".as_ptr().cast(), 16) };
}

#[test]
fn an_executable_keeps_its_own_handlers_of_atexit() {
    let _alone = alone();
    if env::var_os(RUN_HANDLER).is_some() {
        compiled(1);
        // SAFETY: the handler only writes.
        assert_eq!(unsafe { libc::atexit(handler) }, 0);
        return;
    }
    let name = "process::an_executable_keeps_its_own_handlers_of_atexit";
    let output = Command::new(env::current_exe().unwrap())
        .args([name, "--exact", "--nocapture", "--test-threads=1"])
        .env(RUN_HANDLER, "1")
        .output()
        .unwrap();
    let printed = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && printed.contains("the handler ran"), "{output:?}");
}

/// Returns whether `works` returns true in a forked child.
fn in_child(works: impl FnOnce() -> bool) -> bool {
    child(|| if works() { 0 } else { 1 }) == 0
}

/// Returns the result of `work` in a forked child, if it ends within a minute.
fn child(work: impl FnOnce() -> i32) -> i32 {
    // SAFETY: the child only computes and leaves by `_exit`. glibc's allocator survives a fork.
    let child = unsafe { libc::fork() };
    if child == 0 {
        // SAFETY: the call only sets a timer. Its signal ends the child.
        unsafe { libc::alarm(60) };
        let status = work();
        // SAFETY: the call ends the child without running the parent's exit handlers.
        unsafe { libc::_exit(status) };
    }
    let mut status = -1;
    // SAFETY: `status` has the type that the call expects.
    let waited = unsafe { libc::waitpid(child, &mut status, 0) };
    assert_eq!(waited, child);
    if libc::WIFEXITED(status) { libc::WEXITSTATUS(status) } else { -1 }
}

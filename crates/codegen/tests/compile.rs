//! Plans compiled, called, dropped, and what that leaves in the process.
//!
//! One binary, since each one holds LLVM; one test at a time where a test looks at the process.

use std::fs;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;

use serow_codegen::{CompileError, Compiler, compile, self_test};
use serow_core::plan::Plan;
use serow_core::schema::Schema;

/// Held by every test, so that one that looks at the process's memory sees only its own.
fn alone() -> MutexGuard<'static, ()> {
    static ONE: Mutex<()> = Mutex::new(());
    ONE.lock().unwrap_or_else(PoisonError::into_inner)
}

fn plan(schema: &str) -> Plan {
    Plan::new(&Schema::parse(schema).expect("the schema is well formed"))
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

/// Reads `from-to protection offset device inode path`.
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

/// How many bytes of code are mapped that come from no file. The kernel joins neighbours, so
/// their number would say nothing.
fn code_bytes() -> usize {
    let code = |mapping: &&Mapping| mapping.protection.contains('x') && !mapping.file;
    mappings().iter().filter(code).map(|mapping| mapping.bytes).sum()
}

fn threads() -> usize {
    fs::read_dir("/proc/self/task").expect("Linux has it").count()
}

#[test]
fn the_two_instruction_plan_does_what_it_means() {
    let _alone = alone();
    let report = self_test().expect("this machine can compile");
    assert!(report.rows > 300, "{report:?}");
    assert_eq!(report.plan, "0  I64 { first: 0, count: 1 }\n1  End\n");
    assert!(report.llvm_version.starts_with("22."), "{report:?}");
}

#[test]
fn no_rows_and_a_whole_frame() {
    let _alone = alone();
    let compiled = compile(&plan("i64")).expect("this machine can compile");
    let mut column = Vec::new();
    assert_eq!(compiled.run(&[], &mut column), 0);
    assert!(column.is_empty());
    let slots: Vec<i64> = (0..65_536).map(|row| row * -0x0123_4567_89AB).collect();
    assert_eq!(compiled.run(&slots, &mut column), slots.len());
    assert_eq!(column, slots);
    assert_eq!(compiled.run(&slots[..3], &mut column), 3);
    assert_eq!(column.len(), slots.len() + 3);
}

#[test]
fn the_ir_can_be_read() {
    let _alone = alone();
    let compiled = compile(&plan("i64")).expect("this machine can compile");
    for part in ["load i64, ptr %cursor", "store i64 %value, ptr %place", "ret i64 %rows"] {
        assert!(compiled.ir().contains(part), "no `{part}` in\n{}", compiled.ir());
    }
}

#[test]
fn an_instruction_without_code_generation_is_named() {
    let _alone = alone();
    for schema in ["f64", "str", "bool", "null", "i64?", "[i64]", "(i64, i64)", "i64|str"] {
        let error = compile(&plan(schema)).expect_err("not supported yet");
        assert!(matches!(error, CompileError::Unsupported { instruction: 0, .. }), "{error}");
    }
    let error = compile(&plan("f64")).expect_err("not supported yet");
    let message = "instruction 0 (F64 { first: 0, count: 1 }) cannot be compiled yet";
    assert_eq!(error.to_string(), message);
}

#[test]
fn no_page_is_writable_and_executable() {
    let _alone = alone();
    let compiled: Vec<_> =
        (0..8).map(|_| compile(&plan("i64")).expect("this machine can compile")).collect();
    assert!(code_bytes() > 0, "the code should be seen in {:?}", mappings());
    let both =
        |mapping: &&Mapping| mapping.protection.contains('w') && mapping.protection.contains('x');
    assert_eq!(mappings().iter().find(both), None);
    drop(compiled);
}

#[test]
fn dropped_code_is_unmapped() {
    let _alone = alone();
    let keep = compile(&plan("i64")).expect("this machine can compile");
    let before = code_bytes();
    let compiler = Compiler::new().expect("this machine can compile");
    let mut many: Vec<_> = (0..100)
        .map(|_| compiler.compile(&plan("i64")).expect("this machine can compile"))
        .collect();
    assert!(code_bytes() > before, "the code should be seen");
    // Not in the order in which it was made.
    many.swap(0, 50);
    drop(many);
    assert_eq!(code_bytes(), before);
    let mut column = Vec::new();
    keep.run(&[1, 2], &mut column);
    assert_eq!(column, [1, 2], "the one that was kept");
}

#[test]
fn threads_compile_run_and_drop_at_once() {
    let _alone = alone();
    let shared = compile(&plan("i64")).expect("this machine can compile");
    let before = code_bytes();
    thread::scope(|scope| {
        for thread in 0..4_i64 {
            let shared = &shared;
            scope.spawn(move || {
                let compiler = Compiler::new().expect("this machine can compile");
                for round in 0..25 {
                    let own = compiler.compile(&plan("i64")).expect("this machine can compile");
                    let slots = [thread, round, i64::MIN];
                    let mut column = Vec::new();
                    own.run(&slots, &mut column);
                    shared.run(&slots, &mut column);
                    assert_eq!(column, [slots, slots].concat());
                }
            });
        }
    });
    assert_eq!(code_bytes(), before);
}

#[test]
fn compiling_starts_no_threads() {
    let _alone = alone();
    // The tests' harness has threads that come and go; a child has one.
    assert!(in_child(|| compile(&plan("i64")).is_ok() && threads() == 1));
}

#[test]
fn a_child_by_fork_calls_what_it_inherits_and_compiles_anew() {
    let _alone = alone();
    let compiled = compile(&plan("i64")).expect("this machine can compile");
    assert!(in_child(|| {
        let mut column = Vec::new();
        compiled.run(&[1, 2, 3], &mut column);
        drop(compiled);
        let Ok(own) = compile(&plan("i64")) else { return false };
        own.run(&[4], &mut column);
        drop(own);
        column == [1, 2, 3, 4]
    }));
}

/// Whether `works` says so in a child made by `fork`.
fn in_child(works: impl FnOnce() -> bool) -> bool {
    // SAFETY: the child only computes and leaves by `_exit`; glibc's allocator survives a fork,
    // and no other thread is inside LLVM, since each test is alone.
    let child = unsafe { libc::fork() };
    if child == 0 {
        let status = if works() { 0 } else { 1 };
        // SAFETY: it ends the child without running what the parent would run at exit.
        unsafe { libc::_exit(status) };
    }
    let mut status = -1;
    // SAFETY: the status is written to a variable of its type.
    let waited = unsafe { libc::waitpid(child, &mut status, 0) };
    waited == child && child > 0 && status == 0
}

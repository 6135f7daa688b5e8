//! What compiling leaves in the process: memory, threads, children.
//!
//! One test at a time where a test looks at the process.

use std::fs;
use std::thread;

use serow_codegen::{Compiled, Compiler, self_test};
use serow_core::compiled::Code;
use serow_core::layout::flat::FlatRows;
use serow_core::layout::row::{Free, RowWriter};
use serow_core::layout::{Sink, Source};
use serow_core::wire::out::Out;

use crate::{FLAT_TO_ROWS, alone, plan};

fn compile(compiler: &Compiler) -> Compiled {
    compiler.compile(&plan("i64"), &FLAT_TO_ROWS).expect("this machine can compile")
}

fn compiler() -> Compiler {
    Compiler::new().expect("this machine can compile")
}

/// How many rows of integers the code converts.
fn converts(compiled: &Compiled, slots: &[i64]) -> usize {
    let mut room = vec![0; 16];
    let mut out = Out::new(&mut room);
    out.reserve(20 * slots.len()).expect("there is memory");
    let (mut source, mut sink) =
        (FlatRows::new(slots, &[]), RowWriter::new(&mut out, 0, Free::default()));
    // SAFETY: the code is for these layouts.
    unsafe { compiled.convert(source.lend(), sink.lend(slots.len()), 0, slots.len()) }
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
    assert_eq!(report.plan, "0  i64, int 0\n1  end\n");
    assert!(report.llvm_version.starts_with("22."), "{report:?}");
}

#[test]
fn the_ir_can_be_read() {
    let _alone = alone();
    let ir = Compiler::new().and_then(|compiler| compiler.ir(&plan("i64"), &FLAT_TO_ROWS));
    let ir = ir.expect("this machine can compile");
    for part in ["define i64 @serow(ptr %0, ptr %1, i64 %2, i64 %3)", "%slot = load i64, ptr"] {
        assert!(ir.contains(part), "no `{part}` in\n{ir}");
    }
}

#[test]
fn no_page_is_writable_and_executable() {
    let _alone = alone();
    let compiled: Vec<_> = (0..8).map(|_| compile(&compiler())).collect();
    assert!(code_bytes() > 0, "the code should be seen in {:?}", mappings());
    let both =
        |mapping: &&Mapping| mapping.protection.contains('w') && mapping.protection.contains('x');
    assert_eq!(mappings().iter().find(both), None);
    drop(compiled);
}

#[test]
fn dropped_code_is_unmapped() {
    let _alone = alone();
    let keep = compile(&compiler());
    let before = code_bytes();
    let compiler = compiler();
    let mut many: Vec<_> = (0..100).map(|_| compile(&compiler)).collect();
    assert!(code_bytes() > before, "the code should be seen");
    // Not in the order in which it was made.
    many.swap(0, 50);
    drop(many);
    assert_eq!(code_bytes(), before);
    assert_eq!(converts(&keep, &[1, 2]), 2, "the one that was kept");
}

#[test]
fn threads_compile_run_and_drop_at_once() {
    let _alone = alone();
    let shared = compile(&compiler());
    let before = code_bytes();
    thread::scope(|scope| {
        for thread in 0..4_i64 {
            let shared = &shared;
            scope.spawn(move || {
                let compiler = compiler();
                for round in 0..25 {
                    let own = compile(&compiler);
                    let slots = [thread, round, i64::MIN];
                    assert_eq!((converts(&own, &slots), converts(shared, &slots)), (3, 3));
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
    assert!(in_child(|| converts(&compile(&compiler()), &[1]) == 1 && threads() == 1));
}

#[test]
fn a_child_by_fork_calls_what_it_inherits_and_compiles_anew() {
    let _alone = alone();
    let compiled = compile(&compiler());
    assert!(in_child(|| {
        let inherited = converts(&compiled, &[1, 2, 3]);
        drop(compiled);
        let own = compile(&compiler());
        (inherited, converts(&own, &[4])) == (3, 1)
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

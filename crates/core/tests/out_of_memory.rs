//! Lets memory run out at the n-th allocation, for each n. Encoding and decoding must give an
//! error.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::sync::{Mutex, PoisonError};

use serow_core::emergency::Emergency;
use serow_core::layout::batch::Batch;
use serow_core::layout::value::{ValueRows, ValueWriter};
use serow_core::program::Program;
use serow_core::schema::Schema;
use serow_core::value::Value;
use serow_core::wire::message::Wire;
use serow_core::{ErrorKind, Result, decode, encode};

/// Like an extension's allocator, but it serves only the smallest allocations in an emergency,
/// because allocations that depend on the data must fail. The tests have enough rows for that.
#[global_allocator]
static ALLOCATOR: Emergency<Failing, 4096> = Emergency(Failing);

thread_local! {
    /// The number of this thread's allocations that succeed before some fail, and the number that
    /// fail then.
    static LEFT: Cell<usize> = const { Cell::new(usize::MAX) };
    static FAILING: Cell<usize> = const { Cell::new(0) };
}

struct Failing;

impl Failing {
    fn fails(&self) -> bool {
        let left = LEFT.get();
        if left > 0 {
            LEFT.set(left - 1);
            return false;
        }
        let failing = FAILING.get();
        FAILING.set(failing.saturating_sub(1));
        failing > 0
    }
}

// SAFETY: the system's allocator does all the work.
unsafe impl GlobalAlloc for Failing {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promise.
        if self.fails() { std::ptr::null_mut() } else { unsafe { System.alloc(layout) } }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: the caller's promise.
        unsafe { System.dealloc(memory, layout) }
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        match self.fails() {
            true => std::ptr::null_mut(),
            // SAFETY: the caller's promise.
            false => unsafe { System.realloc(memory, layout, size) },
        }
    }
}

/// Returns the result of `call` if `failing` allocations fail after the first `n`.
fn starved<T>(n: usize, failing: usize, call: impl FnOnce() -> T) -> T {
    FAILING.set(failing);
    LEFT.set(n);
    let result = call();
    LEFT.set(usize::MAX);
    FAILING.set(0);
    result
}

/// Lets memory run out at every allocation of `call`, or at `most` of them, once or for good.
/// Returns the number of errors.
fn errors<T>(what: &str, most: usize, call: impl Fn() -> Result<T>) -> usize {
    call().unwrap_or_else(|error| panic!("{what}: {error}"));
    let enough = usize::MAX / 2;
    LEFT.set(enough);
    drop(call());
    let allocations = enough - LEFT.replace(usize::MAX);
    let mut errors = 0;
    for failing in [1, usize::MAX] {
        for n in (0..allocations).step_by((allocations / most).max(1)) {
            if let Err(error) = starved(n, failing, &call) {
                assert_eq!(error.kind(), ErrorKind::Memory, "{what}, {n}: {error}");
                errors += 1;
            }
        }
        call().unwrap_or_else(|error| panic!("{what}, after: {error}"));
    }
    errors
}

const SCHEMA: &str = "(i64, f64, str, str?, [i64], [(str, bool)], {str: i64})";

fn row(i: usize) -> Value {
    let text = |text: String| Value::from(text.as_str());
    let i64 = |i: usize| Value::I64(i as i64);
    Value::Tuple(vec![
        i64(i * 7919),
        Value::F64(i as f64 / 7.0),
        text(format!("a text of its own {i}")),
        if i.is_multiple_of(3) { Value::Null } else { text(format!("one of {}", i % 5)) },
        Value::List((0..i % 4).map(i64).collect()),
        Value::List(vec![Value::Tuple(vec![
            text("x".repeat(i % 30)),
            Value::Bool(i.is_multiple_of(2)),
        ])]),
        Value::Map(vec![[text(format!("{i}")), i64(i)]]),
    ])
}

/// Held by the thread that starves. The reserve is free again after each error, but not while
/// another thread uses it.
static RESERVE: Mutex<()> = Mutex::new(());

/// Encodes and decodes `count` rows in all ways. Returns the name of each way and its number of
/// errors.
fn starve(count: usize, most: usize) -> Vec<(String, usize)> {
    let _alone = RESERVE.lock().unwrap_or_else(PoisonError::into_inner);
    let rows: Vec<Value> = (0..count).map(row).collect();
    let plan = Program::shared(&Schema::parse(SCHEMA).unwrap());
    let mut found = Vec::new();
    for wire in [Wire::Row, Wire::Frame] {
        let mut message = Vec::new();
        encode::encode(&plan, &ValueRows(&rows), wire, &mut message).unwrap();
        let mut starved = |what: &str, call: &dyn Fn() -> Result<()>| {
            let what = format!("{what}, {wire:?}, {count} rows");
            found.push((what.clone(), errors(&what, most, call)));
        };
        starved("encode", &|| {
            encode::encode(&plan, &ValueRows(&rows), wire, &mut Vec::new()).map(drop)
        });
        starved("infer and encode", &|| {
            encode::dumps(&ValueRows(&rows), Some(wire), &mut Vec::new()).map(drop)
        });
        starved("decode", &|| {
            let mut sink = ValueWriter::new();
            decode::decode(&message, None, &mut sink)?;
            assert_eq!(sink.into_rows().len(), rows.len());
            Ok(())
        });
        starved("decode to columns", &|| decode::decode(&message, None, &mut Batch::new(&plan)));
    }
    found
}

#[test]
fn every_allocation_of_a_few_rows_may_fail() {
    assert_eq!(starve(5, usize::MAX).len(), 8);
}

#[test]
fn allocations_of_many_rows_give_errors() {
    for (what, errors) in starve(3000, 100) {
        assert!(errors > 0, "{what}: nothing failed");
    }
}

//! Calls in a loop must not allocate for each row more than the rows that they return. A counting
//! allocator shows it.

use std::alloc::{GlobalAlloc, Layout as Memory, System};
use std::cell::Cell;
use std::sync::{Mutex, PoisonError};

use serow::{Codec, Compression, Options, Result, Schema, Value, Wire};

/// Counts the allocations of a thread.
struct Counting;

thread_local! {
    static COUNT: Cell<usize> = const { Cell::new(0) };
}

fn count() {
    // A thread that is ending has no counter.
    let _ = COUNT.try_with(|count| count.set(count.get() + 1));
}

// SAFETY: the system's allocator does all the work.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, memory: Memory) -> *mut u8 {
        count();
        // SAFETY: the caller's promise.
        unsafe { System.alloc(memory) }
    }

    unsafe fn realloc(&self, at: *mut u8, memory: Memory, size: usize) -> *mut u8 {
        count();
        // SAFETY: the caller's promise.
        unsafe { System.realloc(at, memory, size) }
    }

    unsafe fn dealloc(&self, at: *mut u8, memory: Memory) {
        // SAFETY: the caller's promise.
        unsafe { System.dealloc(at, memory) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Returns the result of a call and its number of allocations.
fn counted<T>(call: impl FnOnce() -> T) -> (T, usize) {
    let before = COUNT.get();
    let result = call();
    (result, COUNT.get() - before)
}

/// Held by each test: a call whose spare memory is being looked at by another thread makes its own.
static ALONE: Mutex<()> = Mutex::new(());

const ROWS: usize = 10_000;

/// More than a call needs for its buffers and the growth of its result, whatever the rows.
const CALL: usize = 40;

fn formats() -> [Options; 4] {
    [
        Wire::Row.into(),
        Wire::Frame.into(),
        Options::from(Wire::Frame).with_compression(Compression::Zstd(1)),
        Options::from(Wire::Row).with_compression(Compression::Lz4),
    ]
}

/// Flat rows: each has a vector of fields and a string. Rows of lists have a vector more.
fn cases() -> [(Schema, Vec<Value>, usize); 2] {
    let flat = |i: usize| {
        vec![Value::I64(i as i64), format!("a name {i}").into(), (i as f64 * 0.25).into()]
    };
    let nested = |i: usize| {
        let mut row = flat(i);
        row.insert(1, Value::List(vec![Value::I64(i as i64); i % 3 + 1]));
        row
    };
    [
        (
            Schema::parse("(i64, str, f64)").unwrap(),
            (0..ROWS).map(|i| Value::Tuple(flat(i))).collect(),
            2 * ROWS,
        ),
        (
            Schema::parse("(i64, [i64], str, f64)").unwrap(),
            (0..ROWS).map(|i| Value::Tuple(nested(i))).collect(),
            3 * ROWS,
        ),
    ]
}

#[test]
fn messages_allocate_their_result_only() -> Result<()> {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    for format in formats() {
        for (schema, rows, objects) in cases() {
            let codec = Codec::new(&schema, format);
            for _ in 0..3 {
                codec.decode(&codec.encode(&rows)?)?;
            }
            let (message, count) = counted(|| codec.encode(&rows));
            assert!(count < CALL, "{format:?}, {schema}: encode allocates {count} times");
            let message = message?;
            let (back, count) = counted(|| codec.decode(&message));
            assert!(count < objects + CALL, "{format:?}, {schema}: decode allocates {count} times");
            assert_eq!(back?, rows);
        }
    }
    Ok(())
}

#[test]
fn streams_allocate_their_rows_only() -> Result<()> {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    for format in formats() {
        for (schema, rows, objects) in cases() {
            let codec = Codec::new(&schema, format);
            let mut writer = codec.writer(Vec::new());
            let write_all = |writer: &mut serow::Writer<Vec<u8>>| {
                rows.iter().try_for_each(|row| writer.write(row))?;
                writer.flush()
            };
            write_all(&mut writer)?;
            let (result, count) = counted(|| write_all(&mut writer));
            result?;
            assert!(count < CALL, "{format:?}, {schema}: write allocates {count} times");
            let stream = writer.finish()?;
            let mut reader = codec.reader(&stream[..]);
            reader.by_ref().take(ROWS).try_for_each(|row| row.map(drop))?;
            let (result, count) =
                counted(|| reader.by_ref().take(ROWS).try_for_each(|row| row.map(drop)));
            result?;
            assert!(count < objects + CALL, "{format:?}, {schema}: read allocates {count} times");
        }
    }
    Ok(())
}

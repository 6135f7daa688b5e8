#![cfg(not(miri))] // Each test takes hundreds of thousands of rows.
//! The memory that untrusted bytes can make a reader allocate before it has checked them.

use std::alloc::{GlobalAlloc, Layout as Memory, System};
use std::cell::Cell;
use std::iter::repeat_n;

use serow_core::bytes::varint;
use serow_core::decode::{DecodeOptions, decode, parse_columns};
use serow_core::encode::dumps;
use serow_core::error::ErrorKind;
use serow_core::layout::discard::Discard;
use serow_core::layout::meter::{Meter, ObjectSizes};
use serow_core::layout::value::{ValueRows, ValueWriter};
use serow_core::plan::{Column, Plan};
use serow_core::schema::Schema;
use serow_core::value::Value;
use serow_core::wire::frame;
use serow_core::wire::message::{MessageReader, Wire};
use xxhash_rust::xxh3::xxh3_64;

/// Counts the bytes that the thread has allocated, and their maximum.
struct Counting;

thread_local! {
    static HELD: Cell<isize> = const { Cell::new(0) };
    static MOST: Cell<isize> = const { Cell::new(0) };
}

fn count(bytes: isize) {
    // A thread that is ending has no counters.
    let _ = HELD.try_with(|held| {
        held.set(held.get() + bytes);
        let _ = MOST.try_with(|most| most.set(most.get().max(held.get())));
    });
}

// SAFETY: the system's allocator does all the work.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, memory: Memory) -> *mut u8 {
        count(memory.size() as isize);
        // SAFETY: the caller's promise.
        unsafe { System.alloc(memory) }
    }

    unsafe fn dealloc(&self, at: *mut u8, memory: Memory) {
        count(-(memory.size() as isize));
        // SAFETY: the caller's promise.
        unsafe { System.dealloc(at, memory) }
    }

    unsafe fn realloc(&self, at: *mut u8, memory: Memory, size: usize) -> *mut u8 {
        count(size as isize - memory.size() as isize);
        // SAFETY: the caller's promise.
        unsafe { System.realloc(at, memory, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Returns the largest number of bytes that `work` has allocated at once.
fn most<T>(work: impl FnOnce() -> T) -> (usize, T) {
    let before = HELD.get();
    MOST.set(before);
    let done = work();
    ((MOST.get() - before) as usize, done)
}

const MEGABYTE: usize = 1 << 20;

fn codes(codes: impl IntoIterator<Item = u64>) -> Vec<u8> {
    let mut bytes = Vec::new();
    codes.into_iter().for_each(|code| varint::push(&mut bytes, code));
    bytes
}

fn message(wire: u8, rows: u32, schema: &[u8], body: &[u8]) -> Vec<u8> {
    let mut frame = vec![wire, 3, 0, 0];
    frame.extend(rows.to_le_bytes());
    frame.extend((schema.len() as u32).to_le_bytes());
    frame.extend([0; 4]);
    frame.extend((body.len() as u64).to_le_bytes());
    frame.extend(schema);
    frame.extend(body);
    let checksum = xxh3_64(&frame);
    [b"SROW\x01\0\0\0", &frame[..], &checksum.to_le_bytes()].concat()
}

/// Returns a body in which every column claims `count` values in as few bytes as possible.
fn shortest_body(plan: &Plan, count: u64) -> Vec<u8> {
    let (mut chunks, mut directory) = (Vec::new(), Vec::new());
    for column in &plan.to.order {
        let chunk: &[u8] = match column {
            Column::Int(_) => &[1],
            Column::Float(_) => &[0; 8],
            // No entries, whose lengths are a constant of one byte; or `count` empty strings.
            Column::Str(_) => &[5, 0, 1],
            Column::Bit(_) => &[0],
        };
        directory.push(0);
        varint::push(&mut directory, count);
        varint::push(&mut directory, chunk.len() as u64);
        chunks.extend(chunk);
    }
    let len = (directory.len() as u32).to_le_bytes();
    [&chunks[..], &directory, &len].concat()
}

/// Checks all frames of a message without making rows. Returns whether they are valid.
fn check(data: &[u8]) -> bool {
    let Ok(mut reader) = MessageReader::new(data) else { return false };
    loop {
        match reader.next_frame() {
            Ok(None) => return true,
            Err(_) => return false,
            Ok(Some(raw)) if raw.wire == Wire::Frame => {
                if parse_columns(&raw, &mut Discard::new(())).is_err() {
                    return false;
                }
            }
            Ok(Some(_)) => {}
        }
    }
}

#[test]
fn a_message_is_checked_within_four_times_its_bytes_and_a_megabyte() {
    let row = |i: i64| {
        Value::Tuple(vec![
            Value::I64(i * i % 1009),
            Value::F64(i as f64 / 100.0),
            format!("name {i}").as_str().into(),
            Value::List((0..i % 5).map(Value::I64).collect()),
            if i % 3 == 0 { Value::Null } else { Value::Bool(true) },
        ])
    };
    for rows in [0, 1, 1000, 50_000, 200_000] {
        let rows: Vec<Value> = (0..rows).map(row).collect();
        let mut bytes = Vec::new();
        let len = dumps(&ValueRows(&rows), Some(Wire::Frame), &mut bytes).unwrap();
        let (held, right) = most(|| check(&bytes));
        assert!(right);
        assert!(held <= 4 * len + MEGABYTE, "{held} bytes for {len}");
        let (held, right) = most(|| check(&bytes[..len - 1]));
        assert!(!right);
        assert!(held <= 4 * len + MEGABYTE, "{held} bytes for {len}");
    }
}

#[test]
fn claimed_values_need_no_memory() {
    // (i64, f64, str, bool, [null], [str], i64?, i64|[()])
    let schema = codes([5, 1, 2, 3, 8, 11, 9, 11, 3, 10, 1, 13, 1, 11, 5, 7, 14, 7]);
    for rows in [0, 1, 65_536, 65_537, u32::MAX] {
        for claimed in [0, 1, 65_536, 1 << 22, 1 << 32, u64::MAX] {
            let empty = message(1, 0, &schema, &[]);
            let mut reader = MessageReader::new(&empty).unwrap();
            let plan = reader.next_frame().unwrap().unwrap().program.clone();
            let data = message(1, rows, &schema, &shortest_body(&plan, claimed));
            let (held, right) = most(|| check(&data));
            assert_eq!(right, rows == 0 && claimed == 0, "{rows} rows, {claimed} claimed");
            assert!(held <= 4 * data.len() + MEGABYTE, "{held} bytes for {}", data.len());
        }
    }
    // Lengths with an impossible sum: a row whose list has 2^62 nulls.
    let nulls = codes([11, 9]);
    let mut chunk = Vec::new();
    varint::push(&mut chunk, 1 << 63);
    let len = chunk.len() as u8;
    let body = [&chunk[..], &[0, 3, len << 1 | 1, 3, 0, 0, 0]].concat();
    let (held, right) = most(|| check(&message(1, 1, &nulls, &body)));
    assert!(!right);
    assert!(held < MEGABYTE, "{held}");
}

/// A plan has a type, a place in the tree and an instruction for a code of one byte, so a schema
/// takes more than four times its bytes. Only the limit of a schema's length bounds the memory.
#[test]
fn the_widest_schemas_cost_some_megabytes() {
    let tuple = |codes: Vec<u64>| [vec![5], codes, vec![7]].concat();
    let wide = [
        tuple(repeat_n(1, 65_534).collect()),
        tuple(repeat_n(3, 65_534).collect()),
        tuple([13, 1, 2, 14].repeat(16_383)),
        tuple([10, 2].repeat(32_767)),
        tuple([11, 2].repeat(32_767)),
        tuple([5, 7].repeat(32_767)),
        [vec![11; 63], tuple([13, 1, 2, 14].repeat(16_000))].concat(),
    ];
    for list in wide {
        let schema = codes(list.iter().copied());
        let data = message(1, 0, &schema, &[0; 4]);
        let (held, plan) = most(|| {
            let mut reader = MessageReader::new(&data).unwrap();
            reader.next_frame().unwrap().unwrap().program.clone()
        });
        assert!(held < 10 * MEGABYTE, "{held} bytes for {} codes", list.len());
        let body = shortest_body(&plan, 0);
        let (held, parsed) =
            most(|| frame::unpack(&plan, 0, &body, body.len(), &mut |_| Ok(())).map(drop));
        assert!(parsed.is_ok());
        assert!(held < 12 * MEGABYTE, "{held} bytes for {} columns", plan.to.order.len());
    }
}

#[test]
fn invalid_type_lists_need_little_memory() {
    for list in [
        [vec![5], vec![1; 200_000], vec![7]].concat(),
        [vec![13], vec![1; 130_000], vec![14]].concat(),
        [vec![13], [5, 7].repeat(60_000), vec![14]].concat(),
        vec![11; 250_000],
        vec![10; 250_000],
        vec![13; 250_000],
        vec![5; 250_000],
        [5, 13].repeat(100_000),
    ] {
        let data = message(1, 0, &codes(list.iter().copied()), &[0; 4]);
        let (held, right) = most(|| check(&data));
        assert!(!right);
        assert!(held < 8 * MEGABYTE, "{held} bytes for {} codes", list.len());
    }
}

/// Sizes of objects that are about as large as those of a language.
const SIZES: ObjectSizes = ObjectSizes {
    place: 8,
    int: 32,
    float: 24,
    ascii: 64,
    text: |text| 96 + 4 * text.len(),
    logical: |_, bytes| 128 + bytes,
    nd_array: |_, elements, lists| elements * 8 + lists * 64,
    shares_entries: |_| false,
    list: (64, 8),
    set: |len| 216 + 128 * len,
    dict: |len| 232 + 72 * len,
    record: |len| 232 + 72 * len,
};

/// A message with one compressed frame.
fn packed(rows: u32, schema: &[u8], body: &[u8]) -> Vec<u8> {
    let mut room = vec![0; zstd_safe::compress_bound(body.len())];
    let len = zstd_safe::compress(&mut room[..], body, 3).unwrap();
    let packed = [&(body.len() as u64).to_le_bytes(), &room[..len]].concat();
    let mut message = message(1, rows, schema, &packed);
    message[8 + 2] = 1;
    let end = message.len() - 8;
    let checksum = xxh3_64(&message[8..end]);
    message[end..].copy_from_slice(&checksum.to_le_bytes());
    message
}

fn signed(v: u64) -> Vec<u8> {
    codes([v << 1])
}

/// A chunk of ints with its length and encoding before it.
fn with_length(encoding: u8, chunk: &[u8]) -> Vec<u8> {
    [codes([chunk.len() as u64 + 1]), vec![encoding], chunk.to_vec()].concat()
}

/// A body of columns, each with its encoding, number of values and chunk.
fn body(columns: &[(u8, u64, Vec<u8>)]) -> Vec<u8> {
    let (mut body, mut directory) = (Vec::new(), Vec::new());
    for (encoding, count, chunk) in columns {
        directory.push(*encoding);
        directory.extend(codes([*count, chunk.len() as u64]));
        body.extend(chunk);
    }
    body.extend(&directory);
    body.extend((directory.len() as u32).to_le_bytes());
    body
}

/// Every encoding of `count` ints that takes a few bytes whatever their number is.
fn int_columns(count: u64) -> Vec<Chunk> {
    let exception = [codes([1]), with_length(0, &signed(3)), with_length(0, &signed(1))].concat();
    vec![
        (0, count, signed(0)),
        (1, count, [signed(0), vec![0]].concat()),
        (2, count, [signed(0), signed(0), vec![0]].concat()),
        (3, count, [exception, vec![1], signed(0), vec![0]].concat()),
    ]
}

/// A column of a frame: its encoding, the number of values, and the chunk.
type Chunk = (u8, u64, Vec<u8>);

/// For each encoding, a type and the columns of a list with `count` values of that type in few bytes.
fn long_lists(count: u64) -> Vec<(&'static str, Vec<Chunk>)> {
    let zero = || with_length(0, &signed(0));
    let entry =
        [codes([1]), with_length(0, &signed(1)), codes([1]), b"a".to_vec(), vec![0], signed(0)];
    let entry_of_words =
        [codes([1]), zero(), with_length(0, &signed(1)), codes([1]), entry.concat()].concat();
    let words =
        [zero(), codes([count]), codes([1]), zero(), codes([0]), vec![0], signed(0)].concat();
    let mut lists = vec![
        ("[f64]", vec![(0, count, vec![0; 8])]),
        ("[f64]", vec![(2, count, [vec![0], codes([0]), vec![0], signed(7)].concat())]),
        ("[bool]", vec![(0, count, vec![1])]),
        ("[str]", vec![(0, count, zero())]),
        ("[str]", vec![(1, count, entry.concat())]),
        ("[str]", vec![(2, count, words)]),
        ("[str]", vec![(3, count, entry_of_words)]),
        ("[bytes]", vec![(0, count, zero())]),
        ("[date]", vec![(0, count, signed(0))]),
        ("[uuid]", vec![(0, count, signed(0)), (0, count, signed(0))]),
        ("{i64}", vec![(0, count, signed(0))]),
        ("[{i64}]", vec![(0, count, signed(0)), (0, 0, signed(0))]),
        ("[[i64]]", vec![(0, count, signed(0)), (0, 0, signed(0))]),
        ("[(i64)]", vec![(0, count, signed(0))]),
    ];
    lists.extend(int_columns(count).into_iter().map(|column| ("[i64]", vec![column])));
    lists
}

#[test]
fn max_memory_is_asked_before_anything_is_made() {
    for (text, columns) in long_lists(2_000_000) {
        let schema = Schema::parse(text).unwrap();
        let body = body(&[vec![(0, 1, signed(2_000_000))], columns.clone()].concat());
        for data in [message(1, 1, schema.as_bytes(), &body), packed(1, schema.as_bytes(), &body)] {
            let (held, decoded) = most(|| {
                let meter = Some(Meter::new(SIZES, MEGABYTE));
                decode(
                    &data,
                    DecodeOptions { meter, ..Default::default() },
                    &mut ValueWriter::new(),
                )
            });
            assert_eq!(decoded.unwrap_err().kind(), ErrorKind::Limit, "{text} {columns:?}");
            // The program takes some kilobytes.
            assert!(held <= MEGABYTE + 100_000, "{held} bytes for {text} {columns:?}");
        }
    }
}

/// One row `(type, bytes)`, whose bytes are `pad` zeros, so that the plain body is long.
fn padded(text: &str, columns: Vec<Chunk>, pad: usize) -> Vec<u8> {
    let schema = Schema::parse(&format!("({text}, bytes)")).unwrap();
    let zeros = [with_length(0, &signed(pad as u64)), vec![0; pad]].concat();
    packed(1, schema.as_bytes(), &body(&[columns, vec![(0, 1, zeros)]].concat()))
}

#[test]
fn a_few_compressed_bytes_do_not_make_much_memory() {
    let pad = 8 << 20;
    // Words: 64 bytes for each byte of the body.
    let word = 4 << 20;
    let dictionary = [codes([1]), with_length(0, &signed(word)), codes([word])].concat();
    let chunk = [
        with_length(0, &signed(word)),
        codes([63]),
        dictionary,
        vec![b'a'; word as usize],
        vec![0],
        signed(0),
    ];
    let words = padded("[str]", vec![(0, 1, signed(63)), (2, 63, chunk.concat())], 1);
    // A dictionary of empty entries.
    let count = 60_000_000;
    let entries = [codes([count]), with_length(0, &signed(0)), codes([0]), vec![0], signed(0)];
    let entries = padded("[str]", vec![(0, 1, signed(count)), (1, count, entries.concat())], pad);
    // A dictionary of words, all empty, with as many entries.
    let chunk = [
        codes([30_000_000]),
        with_length(0, &signed(0)),
        with_length(0, &signed(0)),
        codes([30_000_000, 1]),
        with_length(0, &signed(0)),
        codes([0]),
        vec![0],
        signed(0),
    ];
    let of_words = vec![(0, 1, signed(30_000_000)), (3, 30_000_000, chunk.concat())];
    let of_words = padded("[str]", of_words, pad);
    // More constant values than so few bytes may have in the message.
    let values = padded("[i64]", vec![(0, 1, signed(count)), (0, count, signed(7))], pad);
    for data in [words, entries, of_words, values] {
        assert!(data.len() < 10_000);
        let (held, decoded) = most(|| decode(&data, None, &mut ValueWriter::new()));
        assert_eq!(decoded.unwrap_err().kind(), ErrorKind::Decode);
        assert!(held < pad + 2 * MEGABYTE, "{held}");
        let meter = || Some(Meter::new(SIZES, MEGABYTE));
        let (held, decoded) = most(|| {
            let options = DecodeOptions { meter: meter(), ..Default::default() };
            decode(&data, options, &mut ValueWriter::new())
        });
        assert_eq!(decoded.unwrap_err().kind(), ErrorKind::Limit);
        assert!(held < MEGABYTE, "{held}");
    }
}

//! Forged content with correct checksums must give rows or an error, but never a panic or much
//! memory. Single records have no checksum, so they may be forged anywhere.

mod common;

use std::alloc::{GlobalAlloc, Layout as Memory, System};
use std::cell::Cell;
use std::time::{Duration, Instant};

use common::frames::{RawFrame, join, split};
use common::{WIRES, any_value, changes, table};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use serow::{Codec, Composite, ErrorKind, Options, SchemaSet, Value, Wire, infer, loads};

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
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Decodes any bytes. Refusing them must cost little memory. Accepted rows must encode and decode
/// again.
fn attempt(message: &[u8]) -> Result<Vec<Value>, TestCaseError> {
    let before = HELD.get();
    MOST.set(before);
    let decoded = loads(message);
    let held = (MOST.get() - before) as usize;
    match decoded {
        Err(error) => {
            let known = matches!(error.kind(), ErrorKind::Decode | ErrorKind::Limit);
            prop_assert!(known, "{}", error);
            // A value takes 24 bytes for at least one byte of the message, and vectors double their
            // capacity.
            let mut most = 100 * message.len() + (8 << 20);
            if held >= most && claims_nothings(message) {
                // Records may claim this many zero-sized values before an error is found.
                most += (4 << 20) * 24 * 2;
            }
            prop_assert!(held < most, "{} bytes: {}", held, error);
            Ok(Vec::new())
        }
        Ok(rows) => {
            match Options::from(Wire::Frame).dumps(&rows) {
                Ok(again) => prop_assert!(loads(&again).unwrap() == rows),
                // A reader accepts a few more nulls than a writer.
                Err(error) => prop_assert!(error.to_string().contains("millions of nulls")),
            }
            Ok(rows)
        }
    }
}

/// Returns whether a frame may have sequences whose errors only show after their elements are made:
/// any sequence in the row wire; sequences of zero-sized elements, and sets and maps with
/// duplicates, in both wires.
fn claims_nothings(message: &[u8]) -> bool {
    split(message).iter().any(|frame| {
        // Codes are one byte each. 11 and 12 are lists and tuples, 28 to 30 sets and maps. The
        // types that 4, 5, 9, 31 and 32 begin may be zero-sized.
        let codes: Vec<u8> = frame.schema.iter().map(|byte| byte >> 1).collect();
        let is_late = |code| match code {
            11 | 12 => frame.header[0] == 0,
            code => matches!(code, 28..=30),
        };
        codes.windows(2).any(|w| is_late(w[0]) && matches!(w[1], 4 | 5 | 9 | 31 | 32))
    })
}

/// A change to bytes that keeps the message well-formed but makes its content false.
#[derive(Clone, Debug)]
enum Change {
    Set(prop::sample::Index, u8),
    Flip(prop::sample::Index, u8),
    Number(prop::sample::Index, u64),
    Remove(prop::sample::Index, usize),
    Repeat(prop::sample::Index, prop::sample::Index),
}

fn change() -> impl Strategy<Value = Change> {
    let at = any::<prop::sample::Index>;
    let huge = (0u32..64, -1i64..2).prop_map(|(k, d)| (1u64 << k).wrapping_add_signed(d));
    prop_oneof![
        (at(), any::<u8>()).prop_map(|(at, v)| Change::Set(at, v)),
        (at(), 0u8..8).prop_map(|(at, bit)| Change::Flip(at, bit)),
        (at(), huge).prop_map(|(at, v)| Change::Number(at, v)),
        (at(), 1usize..9).prop_map(|(at, n)| Change::Remove(at, n)),
        (at(), at()).prop_map(|(at, from)| Change::Repeat(at, from)),
    ]
}

fn varint(v: u64) -> Vec<u8> {
    match (1..9).find(|n| v >> (7 * n) == 0) {
        Some(n) => (v << n | 1 << (n - 1)).to_le_bytes()[..n].to_vec(),
        None => [&[0], &v.to_le_bytes()[..]].concat(),
    }
}

fn apply(change: &Change, bytes: &mut Vec<u8>) {
    if bytes.is_empty() {
        return;
    }
    let len = bytes.len();
    match change {
        Change::Set(at, v) => bytes[at.index(len)] = *v,
        Change::Flip(at, bit) => bytes[at.index(len)] ^= 1u8 << bit,
        Change::Number(at, v) => {
            let at = at.index(len);
            bytes.splice(at..at + 1, varint(*v));
        }
        Change::Remove(at, n) => {
            let at = at.index(len);
            bytes.drain(at..len.min(at + n));
        }
        Change::Repeat(at, from) => {
            let (at, from) = (at.index(len), from.index(len));
            let copy = bytes[from..len.min(from + 8)].to_vec();
            let to = len.min(at + copy.len());
            bytes.splice(at..to, copy);
        }
    }
}

fn changed(frames: &[RawFrame], which: usize, changes: &[Change]) -> Vec<u8> {
    let mut frames = frames.to_vec();
    changes.iter().for_each(|change| apply(change, &mut frames[which].body));
    join(&frames)
}

#[test]
fn taking_frames_apart_and_joining_them_changes_nothing() {
    for wire in WIRES {
        let rows: Vec<Value> = (0..70_000).map(Value::I64).collect();
        let message = Options::from(wire).dumps(&rows).unwrap();
        assert!(split(&message).len() > 1);
        assert_eq!(join(&split(&message)), message);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { max_shrink_iters: 500, ..ProptestConfig::with_cases(600) })]

    #[test]
    fn forged_bodies_of_tables(
        rows in table(),
        changes in prop::collection::vec(change(), 1..5),
        which in any::<prop::sample::Index>(),
    ) {
        for wire in WIRES {
            let frames = split(&Options::from(wire).dumps(&rows).unwrap());
            attempt(&changed(&frames, which.index(frames.len()), &changes))?;
        }
    }

    #[test]
    fn forged_bodies_of_any_rows(
        rows in prop::collection::vec(any_value(), 0..12),
        changes in prop::collection::vec(change(), 1..4),
    ) {
        for wire in WIRES {
            let frames = split(&Options::from(wire).dumps(&rows).unwrap());
            attempt(&changed(&frames, 0, &changes))?;
        }
    }

    #[test]
    fn forged_schemas(rows in table(), changes in prop::collection::vec(change(), 1..3)) {
        for wire in WIRES {
            let mut frames = split(&Options::from(wire).dumps(&rows).unwrap());
            changes.iter().for_each(|change| apply(change, &mut frames[0].schema));
            attempt(&join(&frames))?;
        }
    }

    #[test]
    fn forged_headers(rows in table(), at in 0usize..8, value in any::<u8>()) {
        for wire in WIRES {
            let mut frames = split(&Options::from(wire).dumps(&rows).unwrap());
            let claimed = frames[0].rows();
            frames[0].header[at] = value;
            let lied = frames[0].rows();
            let decoded = attempt(&join(&frames))?;
            // If the header claims a wrong number of rows, decoding gives an error or that many rows.
            prop_assert!(decoded.is_empty() || lied == claimed || decoded.len() >= lied as usize);
        }
    }

    #[test]
    fn bodies_of_another_schema(a in table(), b in table()) {
        for wire in WIRES {
            let (mut a, b) = (split(&Options::from(wire).dumps(&a).unwrap()), split(&Options::from(wire).dumps(&b).unwrap()));
            a[0].schema.clone_from(&b[0].schema);
            attempt(&join(&a))?;
            a[0].header[0] ^= 1;
            attempt(&join(&a))?;
        }
    }
}

#[test]
fn every_byte_of_a_small_message_may_be_forged() {
    let rows = [
        Value::Tuple(vec![
            Value::I64(-70_000),
            Value::F64(31.49),
            "naïve".into(),
            Value::Null,
            Value::List(vec![Value::Bool(true), Value::Bool(false)]),
        ]),
        Value::Tuple(vec![
            Value::I64(5),
            Value::F64(f64::NAN),
            "naïve".into(),
            Value::Tuple(vec![]),
            Value::List(vec![]),
        ]),
    ];
    for wire in WIRES {
        let frames = split(&Options::from(wire).dumps(&rows).unwrap());
        assert_eq!(frames.len(), 1);
        for at in 0..frames[0].body.len() {
            for value in 0..=255 {
                let mut lie = frames.clone();
                lie[0].body[at] = value;
                attempt(&join(&lie)).unwrap();
            }
        }
    }
}

#[test]
fn sequences_of_zero_sized_elements_may_claim_any_length() {
    for nothing in [Value::Null, Value::Tuple(vec![])] {
        let tables = [
            vec![Value::List(vec![]), Value::List(vec![nothing.clone()])],
            vec![Value::Set(vec![]), Value::Set(vec![nothing.clone()])],
            vec![Value::FrozenSet(vec![]), Value::FrozenSet(vec![nothing.clone()])],
            vec![Value::Map(vec![]), Value::Map(vec![[nothing, Value::Null]])],
        ];
        for rows in tables {
            let mut frames = split(&Options::from(Wire::Row).dumps(&rows).unwrap());
            for claimed in [2, 1 << 21, 1 << 22, (1 << 22) + 1, 1 << 40] {
                let claim = varint(claimed);
                frames[0].body = [&(claim.len() as u32).to_le_bytes(), &claim[..]].concat();
                frames[0].header[4..8].copy_from_slice(&1u32.to_le_bytes());
                let decoded = attempt(&join(&frames)).unwrap();
                let is_true = matches!(rows[0], Value::List(_)) && claimed <= 1 << 22;
                assert_eq!(decoded.len(), usize::from(is_true), "{rows:?}, {claimed}");
            }
        }
    }
}

/// Returns how long the thread has run.
fn processor_time() -> Duration {
    let stat = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap();
    Duration::from_nanos(stat.split(' ').next().and_then(|ns| ns.parse().ok()).unwrap())
}

/// Decodes any bytes as a single record. Refusing them must cost little memory, unless the codec adds
/// fields. An accepted row must encode and decode again.
fn attempt_one(codec: &Codec, record: &[u8], adds_fields: bool) -> Option<Value> {
    let before = HELD.get();
    MOST.set(before);
    let begun = Instant::now();
    let decoded = codec.decode_one(record);
    let held = (MOST.get() - before) as usize;
    if begun.elapsed() > Duration::from_secs(1) {
        // Other programs may have run meanwhile.
        let before = processor_time();
        let _ = codec.decode_one(record);
        let took = processor_time() - before;
        println!("{took:?} for {record:02x?} of {}", codec.schema());
        assert!(took < Duration::from_secs(5));
    }
    match decoded {
        Err(error) => {
            let known =
                matches!(error.kind(), ErrorKind::Decode | ErrorKind::Limit | ErrorKind::Schema);
            assert!(known, "{error}");
            // As for messages, see `attempt`; and 16 bytes an element of a set, to find those that
            // occur twice.
            let most = 100 * record.len() + (8 << 20) + (4 << 20) * (24 * 2 + 16);
            assert!(held < most || adds_fields, "{held} bytes: {error}");
            None
        }
        Ok(row) => {
            match codec.encode_one(&row) {
                Ok(again) => assert!(codec.decode_one(&again).unwrap() == row),
                Err(error) => assert!(error.to_string().contains("millions of nulls"), "{error}"),
            }
            Some(row)
        }
    }
}

/// Damage to a single record.
#[derive(Clone, Debug)]
enum Damage {
    Cut(prop::sample::Index),
    Anywhere(Change),
    /// After the fingerprint.
    Value(Vec<Change>),
}

fn damage() -> impl Strategy<Value = Damage> {
    prop_oneof![
        3 => any::<prop::sample::Index>().prop_map(Damage::Cut),
        1 => change().prop_map(Damage::Anywhere),
        16 => prop::collection::vec(change(), 1..4).prop_map(Damage::Value),
    ]
}

fn damaged(record: &[u8], damage: &Damage) -> Vec<u8> {
    let mut record = record.to_vec();
    match damage {
        Damage::Cut(at) => record.truncate(at.index(record.len())),
        Damage::Anywhere(change) => apply(change, &mut record),
        Damage::Value(changes) => {
            let mut value = record.split_off(8);
            changes.iter().for_each(|change| apply(change, &mut value));
            record.append(&mut value);
        }
    }
    record
}

proptest! {
    #![proptest_config(ProptestConfig { max_shrink_iters: 500, ..ProptestConfig::with_cases(600) })]

    #[test]
    fn damaged_single_records(row in any_value(), damage in damage()) {
        let codec = Codec::new(&infer(std::slice::from_ref(&row)).unwrap(), Wire::Row);
        let record = codec.encode_one(&row).unwrap();
        attempt_one(&codec, &damaged(&record, &damage), false);
    }
}

#[test]
fn every_byte_of_a_small_single_record_may_be_forged() {
    let row = Value::Tuple(vec![
        Value::I64(6),
        Value::F64(31.49),
        "aé".into(),
        Value::Null,
        Value::List(vec![Value::Bool(false), Value::Bool(true)]),
        Value::Map(vec![[Value::I64(5), Value::Null], [Value::I64(6), "k".into()]]),
        Value::Set(vec![Composite::date(9).into()]),
        Value::dict([("a", Value::Tuple(vec![]))]),
        Composite::decimal(150, -2).into(),
    ]);
    let codec = Codec::new(&infer(std::slice::from_ref(&row)).unwrap(), Wire::Row);
    let record = codec.encode_one(&row).unwrap();
    assert!(attempt_one(&codec, &record, false).is_some());
    for at in 0..record.len() {
        for byte in 0..=255 {
            let mut lie = record.clone();
            lie[at] = byte;
            let decoded = attempt_one(&codec, &lie, false);
            assert!(decoded.is_none() || at >= 8 || lie == record);
        }
        assert_eq!(attempt_one(&codec, &record[..at], false), None);
    }
}

/// Decodes `count` damaged records of random schemas, and returns how many of them gave a value.
fn decode_damaged(count: usize, seed: u64) -> usize {
    const OF_ONE_SCHEMA: usize = 2000;
    let seed = [seed.to_le_bytes(); 4].concat();
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &seed);
    let mut runner = TestRunner::new_with_rng(Config::default(), rng);
    let (mut left, mut values) = (count, 0);
    while left > 0 {
        let rows = table().new_tree(&mut runner).unwrap().current();
        let Some(row) = rows.first() else { continue };
        let schema = infer(&rows).unwrap();
        let own = Codec::new(&schema, Wire::Row);
        let schemas = SchemaSet::default();
        schemas.add(&schema).unwrap();
        let seed = u64::from_le_bytes(*own.encode_one(row).unwrap().first_chunk().unwrap());
        let other = changes::changed(&schema, seed).and_then(|(reader, defaults)| {
            let codec = Codec::new(&reader, Wire::Row).with_schemas(&schemas);
            defaults
                .into_iter()
                .try_fold(codec, |codec, (at, value)| codec.with_default(&at, value).ok())
        });
        let records: Vec<_> = rows.iter().map(|row| own.encode_one(row).unwrap()).collect();
        for at in 0..left.min(OF_ONE_SCHEMA) {
            let damage = damage().new_tree(&mut runner).unwrap().current();
            let record = damaged(&records[at % records.len()], &damage);
            values += usize::from(attempt_one(&own, &record, false).is_some());
            if let Some(other) = &other {
                attempt_one(other, &record, true);
            }
        }
        left = left.saturating_sub(OF_ONE_SCHEMA);
    }
    values
}

#[test]
fn damaged_records_of_random_schemas() {
    let values = decode_damaged(20_000, 1);
    assert!((1_000..15_000).contains(&values), "{values}");
}

#[test]
#[ignore = "takes minutes"]
fn ten_million_damaged_records() {
    let begun = Instant::now();
    let seed = u64::from(std::process::id());
    let values: usize = std::thread::scope(|scope| {
        let shares = [0, 1].map(|n| scope.spawn(move || decode_damaged(5_000_000, 2 * seed + n)));
        shares.into_iter().map(|share| share.join().unwrap()).sum()
    });
    println!("seed {seed}: {values} values, {:?}", begun.elapsed());
}

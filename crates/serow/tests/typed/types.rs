//! The types of serde's own tests: each type for which serde implements its traits, at its limits.

use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::cmp::Reverse;
use std::collections::{
    BTreeMap, BTreeMap as Map, BTreeSet, BinaryHeap, HashMap, HashSet, LinkedList, VecDeque,
};
use std::ffi::CString;
use std::marker::PhantomData;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::num::{NonZeroI8, NonZeroU64, NonZeroU128, Saturating, Wrapping};
use std::ops::{Bound, Range, RangeFrom, RangeInclusive, RangeTo};
use std::path::PathBuf;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};
use serow::{Codec, Logical, Schema, Wire, Writer};

use crate::{come_back, come_back_as};

/// Defines a struct with a list of each type, and a test that it comes back. One struct of many types
/// takes much less time to compile than as many types of rows.
macro_rules! table {
    ($test:ident, $all:ident: $($name:ident: $ty:ty = [$($row:expr),* $(,)?];)*) => {
        #[derive(Debug, PartialEq, Serialize, Deserialize)]
        struct $all {
            $($name: (Vec<$ty>, Option<$ty>),)*
        }

        #[test]
        fn $test() {
            let all = || $all { $($name: (vec![$($row),*], None),)* };
            let mut last = all();
            $(last.$name.1 = last.$name.0.pop();)*
            let mut none = all();
            $(none.$name.0.clear();)*
            come_back(&[all(), last, none]);
            come_back(&[all()]);
        }
    };
}

#[test]
fn types_that_threads_cannot_share_come_back() {
    let rows = [7, 8].map(|n| (Cell::new(n), RefCell::new(vec![n])));
    let back = serow::serde::from_slice::<(Cell<i32>, RefCell<Vec<i32>>)>;
    assert_eq!(back(&serow::serde::to_vec(&rows).unwrap()).unwrap(), rows);
    let mut writer = Writer::typed(Vec::new());
    writer.write_rows(&rows).unwrap();
    assert_eq!(back(&writer.finish().unwrap()).unwrap(), rows);
    let codec = Codec::infer_typed(&rows, Wire::Row).unwrap();
    let record = codec.encode_one(&rows[0]).unwrap();
    assert_eq!(codec.decode_one(&record).unwrap(), rows[0]);
}

table! {
    scalars, Scalars:
    bools: bool = [true, false];
    i8s: i8 = [i8::MIN, -1, 0, 1, i8::MAX];
    i16s: i16 = [i16::MIN, -1, 0, 1, i16::MAX];
    i32s: i32 = [i32::MIN, -1, 0, 1, i32::MAX];
    i64s: i64 = [i64::MIN, -1, 0, 1, i64::MAX];
    i128s: i128 = [i128::MIN, i64::MIN.into(), -1, 0, 1 << 63, 1 << 64, i128::MAX];
    isizes: isize = [isize::MIN, 0, isize::MAX];
    u8s: u8 = [0, 1, u8::MAX];
    u16s: u16 = [0, 1, u16::MAX];
    u32s: u32 = [0, 1, u32::MAX];
    u64s: u64 = [0, 1, 1 << 63, u64::MAX, i64::MAX as u64];
    u128s: u128 = [0, 1, 1 << 63, 1 << 64, 1 << 127, u128::MAX];
    usizes: usize = [0, usize::MAX];
    chars: char = ['a', '\0', '羚', '\u{10FFFF}'];
    strings: String = ["".into(), "almond".into(), "羚羊 🐐".into(), "\0".into()];
    boxed: Box<str> = ["".into(), "peru".into()];
    cows: Cow<'static, str> = ["a".into(), String::from("b").into()];
    units: () = [(), ()];
    phantoms: PhantomData<i32> = [PhantomData];
}

table! {
    options, Options:
    options: Option<i64> = [None, Some(1), Some(i64::MIN)];
    options_of_units: Option<()> = [None, Some(())];
    nested_options: Option<Option<i32>> = [None, Some(None), Some(Some(1))];
    deep_options: Option<Option<Option<()>>> = [None, Some(None), Some(Some(None)), Some(Some(Some(())))];
    options_of_tuples: Option<(Option<i32>,)> = [None, Some((None,)), Some((Some(1),))];
    nested_options_of_tuples: Option<Option<(i32,)>> = [None, Some(None), Some(Some((7,)))];
    results: Result<i32, String> = [Ok(1), Err("no".into())];
}

table! {
    containers, Containers:
    vectors: Vec<i64> = [vec![], vec![1], vec![1, 2, 3]];
    nested_vectors: Vec<Vec<Vec<u8>>> = [vec![], vec![vec![], vec![vec![], vec![1, 2]]]];
    vectors_of_units: Vec<()> = [vec![(); 5], vec![]];
    vectors_of_options: Vec<Option<bool>> = [vec![None, Some(true)], vec![]];
    empty_vectors: Vec<String> = [vec![], vec![]];
    deques: VecDeque<i32> = [[1, 2].into(), [].into()];
    linked: LinkedList<i32> = [[1, 2].into(), [].into()];
    sets: BTreeSet<String> = [["a".to_string(), "b".into()].into(), [].into()];
    hash_sets: HashSet<(i32, bool)> = [[(1, true), (2, false)].into(), [].into()];
    maps: BTreeMap<String, i32> = [[("a".into(), 1), ("b".into(), 2)].into(), [].into()];
    hash_maps: HashMap<u64, Vec<String>> = [[(u64::MAX, vec!["x".into()]), (1, vec![])].into()];
    nested_maps: Map<i32, Map<i32, i32>> = [[(1, [].into()), (2, [(3, 4)].into())].into()];
    maps_of_structs: Map<(i8, i8), Option<String>> = [[((1, 2), None), ((1, 3), Some("x".into()))].into()];
    maps_with_keys_of_lists: Map<Vec<i32>, i32> = [[].into(), [(vec![], 1), (vec![2, 3], 4)].into()];
    maps_with_keys_of_maps: Map<Map<i32, i32>, ()> = [[([(1, 2)].into(), ())].into(), [].into()];
    maps_with_keys_of_options: Map<Option<bool>, i32> = [[(None, 1), (Some(true), 2)].into()];
    maps_with_keys_of_units: Map<(), i32> = [[((), 1)].into(), [].into()];
}

table! {
    others, Others:
    arrays: [i32; 3] = [[1, 2, 3]];
    empty_arrays: [i32; 0] = [[]];
    long_arrays: [u8; 32] = [[7; 32], std::array::from_fn(|i| i as u8)];
    tuples: (i8, String, bool) = [(1, "a".into(), true)];
    nested_tuples: ((), ((i32,), f64), [bool; 2]) = [((), ((1,), 0.5), [true, false])];
    long_tuples: (u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, i64) =
        [(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, -12)];
    ranges: Range<u32> = [1..2];
    inclusive_ranges: RangeInclusive<u32> = [1..=2];
    ranges_from: RangeFrom<u32> = [1..];
    ranges_to: RangeTo<u32> = [..2];
    bounds: Bound<u8> = [Bound::Unbounded, Bound::Included(0), Bound::Excluded(255)];
    durations: Duration = [Duration::new(1, 2), Duration::MAX, Duration::ZERO];
    times: SystemTime = [UNIX_EPOCH, UNIX_EPOCH + Duration::new(1, 2)];
    boxes: Box<i32> = [Box::new(5)];
    slices: Box<[i32]> = [[0, 1, 2].into(), [].into()];
    nonzero: NonZeroU64 = [NonZeroU64::MAX, NonZeroU64::MIN];
    nonzero_small: NonZeroI8 = [NonZeroI8::MIN];
    nonzero_large: NonZeroU128 = [NonZeroU128::MAX];
    wrapping: Wrapping<usize> = [Wrapping(1)];
    saturating: Saturating<u8> = [Saturating(1)];
    reversed: Reverse<usize> = [Reverse(1)];
    addresses: IpAddr = [IpAddr::V4(Ipv4Addr::LOCALHOST), IpAddr::V6(Ipv6Addr::LOCALHOST)];
    sockets: SocketAddr = ["1.2.3.4:5678".parse().unwrap(), "[::1]:1".parse().unwrap()];
    paths: PathBuf = ["/usr/local/lib".into(), "".into()];
    c_strings: CString = [c"abc".into(), c"".into()];
    json: serde_json::Value = [
        serde_json::json!(null),
        serde_json::json!([1, "a", null, 2.5, true, u64::MAX, {"a": [], "b": {"c": null}}]),
        serde_json::json!({"": -1}),
        serde_json::json!([[[[1]], "x"]]),
    ];
}

#[test]
fn heaps() {
    let heap = BinaryHeap::from([3, 1, 2]);
    come_back_as(&[heap], |a, b| a.clone().into_sorted_vec() == b.clone().into_sorted_vec());
}

#[test]
fn floats_come_back_by_their_bits() {
    let singles = [0, 1, 0x7F80_0000, 0x7F80_0001, 0xFFC1_2345, 0x8000_0000, 0x3DCC_CCCD];
    let singles: Vec<f32> = singles.map(f32::from_bits).into();
    come_back_as(&singles, |a, b| a.to_bits() == b.to_bits());
    let doubles: [u64; 5] =
        [1, 1 << 63, 0x7FF0_0000_0000_0001, 0xFFF8_0000_0000_1234, 0x3FB9_9999_9999_999A];
    let doubles: Vec<f64> = doubles.map(f64::from_bits).into();
    come_back_as(&doubles, |a, b| a.to_bits() == b.to_bits());
    let pairs: Vec<(f32, Option<f64>)> =
        singles.iter().zip(&doubles).map(|(a, b)| (*a, Some(*b))).collect();
    come_back_as(&pairs, |a, b| {
        a.0.to_bits() == b.0.to_bits() && a.1.map(f64::to_bits) == b.1.map(f64::to_bits)
    });
}

/// Bytes, as the crate serde_bytes passes them.
#[derive(Clone, Debug, PartialEq)]
struct Bytes(Vec<u8>);

impl serde::Serialize for Bytes {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(&self.0)
    }
}

impl<'de> serde::Deserialize<'de> for Bytes {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Bytes, D::Error> {
        struct Visitor;
        impl serde::de::Visitor<'_> for Visitor {
            type Value = Bytes;
            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("bytes")
            }
            fn visit_bytes<E>(self, v: &[u8]) -> Result<Bytes, E> {
                Ok(Bytes(v.to_vec()))
            }
        }
        deserializer.deserialize_byte_buf(Visitor)
    }
}

#[test]
fn bytes() {
    let rows = [Bytes(vec![]), Bytes(vec![0xFF; 300]), Bytes(vec![0, 159])];
    come_back(&rows);
    come_back(&[rows.to_vec(), vec![rows[2].clone(); 40]]);
    let lists: Vec<Vec<u8>> =
        serow::serde::from_slice(&serow::serde::to_vec(&rows).unwrap()).unwrap();
    assert_eq!(lists, rows.map(|row| row.0));
}

#[test]
fn many_alike_and_different_strings() {
    let rows: Vec<(String, String)> =
        (0..3000).map(|i| (format!("Brand#{}", i % 7), format!("{i:x}"))).collect();
    come_back(&rows);
}

/// Values of types that serde lacks, as other languages write them.
#[test]
fn logical_types_are_texts() {
    use serow::{Composite, ElementType, Value};
    #[derive(Debug, PartialEq, serde::Deserialize)]
    struct Part {
        key: u64,
    }
    #[derive(Debug, PartialEq, serde::Deserialize)]
    struct Texts {
        at: String,
        price: String,
        complex: (f64, f64),
        id: Option<String>,
    }
    let zoned = Composite::of(Logical::TimestampTz, &[5, 0, 3_600_000_000], &[], b"Europe/Berlin");
    let grid = Composite::nd_array(ElementType::U8, &[2], &[1, 2]);
    let row = Value::dict([
        ("key", Value::I64(1)),
        ("at", zoned.unwrap().into()),
        ("price", Composite::decimal(1250, -2).into()),
        ("complex", Composite::complex(1.0, 2.0).into()),
        ("id", Composite::uuid(1).into()),
        ("grid", grid.unwrap().into()),
    ]);
    for wire in [Wire::Row, Wire::Frame] {
        let bytes = serow::Options::from(wire).dumps(std::slice::from_ref(&row)).unwrap();
        // A field that the type lacks is skipped, whatever it holds.
        assert_eq!(serow::serde::from_slice::<Part>(&bytes).unwrap(), [Part { key: 1 }]);
        let texts = Texts {
            at: "1970-01-01T00:00:00.000005+01:00".into(),
            price: "12.50".into(),
            complex: (1.0, 2.0),
            id: Some("00000000-0000-0000-0000-000000000001".into()),
        };
        assert_eq!(serow::serde::from_slice::<Texts>(&bytes).unwrap(), [texts]);
    }
}

#[test]
fn a_list_of_numbers_is_bytes_if_the_schema_says_so() {
    let schema = Schema::parse("(bytes, bytes?)").unwrap();
    let codec = Codec::typed::<(Vec<u16>, Option<Vec<u8>>)>(&schema, Wire::Row);
    let row = (vec![0, 255], Some(vec![7]));
    let record = codec.encode_one(&row).unwrap();
    assert_eq!(codec.decode_one(&record).unwrap(), row);
    let error = codec.encode_one(&(vec![256], None)).unwrap_err();
    assert_eq!(error.message(), "record, field 0 (bytes): cannot encode [256]");
}

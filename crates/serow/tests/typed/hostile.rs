//! Damaged bytes give errors or other values, and never a panic.

use serde::{Deserialize, Serialize};
use serde_json::Value as Json;
use serow::{Codec, Wire};

#[derive(Clone, Debug, Serialize, Deserialize)]
struct Row {
    id: u64,
    name: Option<String>,
    kind: Kind,
    list: Vec<(f32, Kind)>,
    map: std::collections::BTreeMap<String, i128>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    left_out: Option<bool>,
    nested: Option<Option<()>>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
enum Kind {
    A,
    B,
    C { x: i8, y: char },
    D(Box<Row>),
}

fn rows() -> Vec<Row> {
    let row = |i: i64| Row {
        id: (i as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15),
        name: (i % 3 > 0).then(|| format!("name {}", i % 5)),
        kind: if i % 2 == 0 { Kind::A } else { Kind::B },
        list: (0..i % 4).map(|j| (j as f32 / 3.0, Kind::C { x: j as i8, y: 'é' })).collect(),
        map: (0..i % 3).map(|j| (format!("{j}"), i128::MAX / i128::from(j + 1))).collect(),
        left_out: (i % 4 == 1).then_some(true),
        nested: [None, Some(None), Some(Some(()))][i as usize % 3],
    };
    (0..40)
        .map(|i| match i % 7 {
            0 => Row { kind: Kind::D(Box::new(row(i + 1))), ..row(i) },
            _ => row(i),
        })
        .collect()
}

/// Reads the bytes as several types. The results are not used: reading must not panic.
fn read(bytes: &[u8]) {
    let _ = serow::serde::from_slice::<Row>(bytes);
    let _ = serow::serde::from_slice::<Json>(bytes);
    let _ = serow::serde::from_slice::<(u8, String)>(bytes);
    let _ = serow::serde::from_slice::<serde::de::IgnoredAny>(bytes);
}

/// Sets the checksum of the only frame, so that the damage is not found by it.
fn with_checksum(bytes: &mut [u8]) {
    let at = bytes.len() - 8;
    let sum = xxhash_rust::xxh3::xxh3_64(&bytes[8..at]);
    bytes[at..].copy_from_slice(&sum.to_le_bytes());
}

#[test]
fn cut_bytes_are_refused() {
    for wire in [Wire::Row, Wire::Frame] {
        let bytes = Codec::infer_typed(&rows(), wire).unwrap().encode(&rows()).unwrap();
        assert_eq!(serow::serde::from_slice::<Row>(&bytes).unwrap().len(), 40);
        for len in 0..bytes.len() {
            assert!(serow::serde::from_slice::<Row>(&bytes[..len]).is_err());
        }
    }
}

#[test]
fn changed_bytes_do_not_panic() {
    for wire in [Wire::Row, Wire::Frame] {
        let bytes = Codec::infer_typed(&rows(), wire).unwrap().encode(&rows()).unwrap();
        for at in (8..bytes.len() - 8).step_by(3) {
            for change in [1, 0xFF] {
                let mut changed = bytes.clone();
                changed[at] ^= change;
                with_checksum(&mut changed);
                read(&changed);
            }
        }
    }
}

#[test]
fn damaged_records_do_not_panic() {
    let rows = rows();
    let codec = Codec::infer_typed(&rows, Wire::Row).unwrap();
    for row in &rows {
        let record = codec.encode_one(row).unwrap();
        for at in 0..record.len() {
            assert!(codec.decode_one(&record[..at]).is_err());
            for change in [1, 0x80, 0xFF] {
                let mut changed = record.clone();
                changed[at] ^= change;
                let _ = codec.decode_one(&changed);
            }
        }
    }
}

#[test]
fn a_lone_surrogate_is_an_error() {
    // The text "x" becomes three bytes that encode a surrogate.
    let bytes = serow::serde::to_vec_with(&["€"], Wire::Row.into()).unwrap();
    let at = bytes.windows(3).position(|three| three == "€".as_bytes()).unwrap();
    let mut changed = bytes.clone();
    changed[at..at + 3].copy_from_slice(&[0xED, 0xA0, 0x80]);
    with_checksum(&mut changed);
    let error = serow::serde::from_slice::<String>(&changed).unwrap_err();
    assert!(error.message().contains("lone surrogate"), "{error}");
}

/// A message of the row wire with one row of this type, whose record has these bytes.
fn message_of(schema: &str, record: &[u8]) -> Vec<u8> {
    let schema = serow::Schema::parse(schema).unwrap();
    let types = schema.as_bytes();
    let mut bytes = b"SROW\x01\0\0\0".to_vec();
    bytes.extend([0, 3, 0, 0, 1, 0, 0, 0]);
    bytes.extend((types.len() as u32).to_le_bytes());
    bytes.extend([0; 4]);
    bytes.extend((record.len() as u64 + 4).to_le_bytes());
    bytes.extend(types);
    bytes.extend((record.len() as u32).to_le_bytes());
    bytes.extend(record);
    bytes.extend([0; 8]);
    with_checksum(&mut bytes);
    bytes
}

/// The bytes of numbers below 64, and of short strings.
fn number(v: u8) -> Vec<u8> {
    vec![v << 1 | 1]
}

fn int(v: u8) -> Vec<u8> {
    number(v << 1)
}

fn text(v: &str) -> Vec<u8> {
    [number(v.len() as u8), v.as_bytes().to_vec()].concat()
}

#[test]
fn an_element_or_key_twice_is_refused_as_loads_does() {
    let key = |v| [text("role"), int(v)].concat();
    let pair = |v: &str, n| [text(v), int(n)].concat();
    let map = "a map holds a key twice";
    let set = "a set holds an element twice";
    for (schema, count, parts, error) in [
        ("{str: i64}", 2, vec![key(1), key(2)], map),
        ("{str: i64}", 3, vec![text("a"), int(1), key(1), key(2)], map),
        ("{i64}", 3, vec![int(7), int(8), int(7)], set),
        ("frozenset{i64}", 2, vec![int(7), int(7)], set),
        ("{f64}", 3, vec![vec![0; 8], vec![1; 8], vec![0; 8]], set),
        ("{bool}", 3, vec![vec![0], vec![1], vec![0]], set),
        ("{i64?}", 3, vec![vec![0], vec![1], int(0), vec![0]], set),
        ("{i64|str}", 3, vec![number(1), text("a"), number(0), int(1), number(1), text("a")], set),
        ("{(str, i64)}", 4, vec![pair("a", 1), pair("b", 1), pair("a", 2), pair("a", 1)], set),
        ("{frozenset{i64}}", 2, vec![number(2), int(1), int(2), number(2), int(2), int(1)], set),
        ("{bytes}", 3, vec![text("a"), text("b"), text("a")], set),
        ("{int}", 2, vec![int(3), text(""), int(3), text("")], set),
    ] {
        let record = [number(count), parts.concat()].concat();
        for (schema, record) in [
            (schema.to_owned(), record.clone()),
            (format!("[({schema}, null)]"), [number(1), record].concat()),
        ] {
            let message = message_of(&schema, &record);
            let loaded = serow::loads(&message).unwrap_err();
            assert!(loaded.message().contains(error), "{schema}: {loaded}");
            let typed = serow::serde::from_slice::<serde::de::IgnoredAny>(&message).unwrap_err();
            assert_eq!(typed.to_string(), loaded.to_string(), "{schema}");
        }
    }
}

#[test]
fn different_elements_and_keys_are_read() {
    use std::collections::{BTreeMap, BTreeSet};
    let rows: Vec<BTreeMap<String, BTreeMap<i64, Vec<i64>>>> = (0..300)
        .map(|i| (0..i % 7).map(|j| (format!("{j}"), (0..j).map(|k| (k, vec![1, 1])).collect())))
        .map(Iterator::collect)
        .collect();
    for wire in [Wire::Row, Wire::Frame] {
        let bytes = serow::serde::to_vec_with(&rows, wire.into()).unwrap();
        assert_eq!(
            serow::serde::from_slice::<BTreeMap<String, BTreeMap<i64, Vec<i64>>>>(&bytes).unwrap(),
            rows
        );
    }
    let record = [number(4), int(1), int(2), int(3), int(4)].concat();
    let set = serow::serde::from_slice::<BTreeSet<i64>>(&message_of("{i64}", &record)).unwrap();
    assert_eq!(set, [BTreeSet::from([1, 2, 3, 4])]);
}

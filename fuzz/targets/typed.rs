//! Rust types, by serde and as rows: what they accept a codec of their schema accepts too, and it comes back.

#![no_main]

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Debug;
use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serow::serde::{from_slice, to_vec_with};
use serow::{Codec, ReadRow, Row, Schema, Wire, loads};
use serow_fuzz::{is_about_bytes, repaired};

#[derive(Serialize, Deserialize, Row, Debug, PartialEq)]
struct Part {
    key: i64,
    name: String,
    price: Option<i32>,
    tags: Vec<String>,
}

#[derive(Serialize, Deserialize, Row, Debug, PartialEq)]
enum Shape {
    Unit,
    One(i64),
    Two { a: bool, b: String },
}

type Table = BTreeMap<String, BTreeSet<i64>>;

fn attempt<T: Serialize + DeserializeOwned + PartialEq + Debug + Sync>(message: &[u8]) {
    match from_slice::<T>(message) {
        Ok(rows) => {
            assert!(loads(message).is_ok(), "a type accepts what loads refuses");
            for wire in [Wire::Frame, Wire::Row] {
                let again = to_vec_with(&rows, wire.into()).expect("they were decoded");
                assert_eq!(from_slice::<T>(&again).expect("they were encoded"), rows);
            }
        }
        Err(error) => is_about_bytes(&error),
    }
}

/// The same for a type that says its schema, which is converted to from other schemas.
fn attempt_row<T: Row + ReadRow + PartialEq + Debug + Sync + Send>(message: &[u8]) {
    match serow::from_slice::<T>(message) {
        Ok(rows) => {
            assert!(loads(message).is_ok(), "a type accepts what loads refuses");
            for wire in [Wire::Frame, Wire::Row] {
                let codec = Codec::of::<T>(wire).expect("it has a schema");
                let again = codec.encode(&rows).expect("they were decoded");
                assert_eq!(codec.decode(&again).expect("they were encoded"), rows);
            }
        }
        Err(error) => is_about_bytes(&error),
    }
}

static PARTS: LazyLock<Codec> = LazyLock::new(|| {
    let text = "Part{key: i64, name: str, price: i64?, tags: [str]}";
    Codec::new(&Schema::parse(text).expect("it is a schema"), Wire::Frame)
});

fuzz_target!(|bytes: &[u8]| {
    let message = repaired(bytes);
    if let Ok(parts) = from_slice::<Part>(&message) {
        let rows = PARTS.decode(&message).expect("a type accepts what a codec refuses");
        assert_eq!(rows.len(), parts.len());
    }
    attempt::<Part>(&message);
    attempt::<Shape>(&message);
    attempt::<Table>(&message);
    attempt::<(i8, u64, String)>(&message);
    attempt::<Vec<Option<bool>>>(&message);
    attempt::<i64>(&message);
    attempt_row::<Part>(&message);
    attempt_row::<Shape>(&message);
    attempt_row::<(Table, i8, u64, Vec<Option<bool>>)>(&message);
});

//! Rows of Rust types that implement serde's traits.

mod enums;
mod errors;
mod evolution;
mod hostile;
#[path = "../common/limits.rs"]
mod limit_cases;
mod limits;
mod properties;
mod schemas;
mod shapes;
mod streams;
mod threads;
mod types;
mod values;

use std::fmt::Debug;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serow::{Codec, Wire};

/// Checks that rows come back on both wires, from a codec, and one by one, and that other languages
/// could read them.
#[track_caller]
fn come_back<T: Debug + PartialEq + Send + Sync + Serialize + DeserializeOwned>(rows: &[T]) {
    come_back_as(rows, |a, b| a == b);
}

/// Like [`come_back`], for rows that `same` compares.
#[track_caller]
fn come_back_as<T: Debug + Send + Sync + Serialize + DeserializeOwned>(
    rows: &[T],
    same: impl Fn(&T, &T) -> bool,
) {
    let check = |back: Vec<T>| {
        let all = back.len() == rows.len() && back.iter().zip(rows).all(|(a, b)| same(a, b));
        assert!(all, "{back:?} is not {rows:?}");
    };
    for wire in [Wire::Row, Wire::Frame] {
        let bytes = serow::serde::to_vec_with(rows, wire.into()).unwrap();
        check(serow::serde::from_slice(&bytes).unwrap());
        serow::loads(&bytes).unwrap();
        let codec = Codec::infer_typed(rows, wire).unwrap();
        let bytes = codec.encode(rows).unwrap();
        check(codec.decode(&bytes).unwrap());
        assert_eq!(serow::loads(&bytes).unwrap().len(), rows.len());
    }
    check(serow::serde::from_slice(&serow::serde::to_vec(rows).unwrap()).unwrap());
    let codec = Codec::infer_typed(rows, Wire::Row).unwrap();
    let records = rows.iter().map(|row| codec.encode_one(row).unwrap());
    check(records.map(|record| codec.decode_one(&record).unwrap()).collect());
    let bare = codec.without_fingerprint();
    let records = rows.iter().map(|row| bare.encode_one(row).unwrap());
    check(records.map(|record| bare.decode_one(&record).unwrap()).collect());
}

//! Rows of types that derive `serow::Row`, and of the types of the standard library.

mod derived;
mod errors;
mod evolution;
#[cfg(feature = "serde")]
mod like_serde;
mod streams;

use std::fmt::Debug;

use serow::{Codec, Options, ReadRow, Row, Wire};

/// Checks that rows come back on both wires, from a codec, and one by one, that other languages could read
/// them, and that a reader of `Value`s sees rows of the same schema.
#[track_caller]
fn come_back<T: Debug + PartialEq + Send + Sync + Row + ReadRow>(rows: &[T]) {
    come_back_as(rows, |a, b| a == b);
}

/// Like [`come_back`], for rows that `same` compares.
#[track_caller]
fn come_back_as<T: Debug + Send + Sync + Row + ReadRow>(
    rows: &[T],
    same: impl Fn(&T, &T) -> bool,
) {
    let check = |back: Vec<T>| {
        let all = back.len() == rows.len() && back.iter().zip(rows).all(|(a, b)| same(a, b));
        assert!(all, "{back:?} is not {rows:?}");
    };
    for wire in [Wire::Row, Wire::Frame] {
        let bytes = Options::from(wire).to_vec(rows).unwrap();
        check(serow::from_slice(&bytes).unwrap());
        let codec = Codec::of::<T>(wire).unwrap();
        assert_eq!(codec.encode(rows).unwrap(), bytes);
        check(codec.decode(&bytes).unwrap());
        // The values are those that the schema of the type promises, and are written to the same bytes.
        let values = serow::loads(&bytes).unwrap();
        let of_values = Codec::new(codec.schema(), wire);
        assert_eq!(of_values.encode(&values).unwrap(), bytes);
    }
    check(serow::from_slice(&serow::to_vec(rows).unwrap()).unwrap());
    let codec = Codec::of::<T>(Wire::Row).unwrap();
    let of_values = Codec::new(codec.schema(), Wire::Row);
    for codec in [codec.clone(), codec.without_fingerprint()] {
        let records: Vec<_> = rows.iter().map(|row| codec.encode_one(row).unwrap()).collect();
        check(records.iter().map(|record| codec.decode_one(record).unwrap()).collect());
    }
    let codec = Codec::of::<T>(Wire::Row).unwrap();
    for row in rows {
        let record = codec.encode_one(row).unwrap();
        assert_eq!(of_values.encode_one(&of_values.decode_one(&record).unwrap()).unwrap(), record);
    }
}

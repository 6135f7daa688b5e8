//! Rows of types that derive `serow::Row`, and of the types of the standard library.

mod borrowed;
mod derived;
mod errors;
mod evolution;
mod like_serde;
mod streams;

use std::fmt::Debug;

use serow::{Codec, ReadRow, Row, Wire};

/// Checks that rows come back on both wires and one by one, and that other languages see the values that the
/// schema promises. Much code is compiled for each type of rows, so tests put many types into one.
#[track_caller]
fn come_back<T: Debug + PartialEq + Send + Sync + Row + for<'m> ReadRow<'m>>(rows: &[T]) {
    come_back_as(rows, |a, b| a == b);
}

/// Like [`come_back`], for rows that `same` compares.
#[track_caller]
fn come_back_as<T: Debug + Send + Sync + Row + for<'m> ReadRow<'m>>(
    rows: &[T],
    same: impl Fn(&T, &T) -> bool,
) {
    let check = |back: Vec<T>| {
        let all = back.len() == rows.len() && back.iter().zip(rows).all(|(a, b)| same(a, b));
        assert!(all, "{back:?} is not {rows:?}");
    };
    for wire in [Wire::Row, Wire::Frame] {
        let codec = Codec::of::<T>(wire).unwrap();
        let bytes = codec.encode(rows).unwrap();
        check(codec.decode(&bytes).unwrap());
        // The values are those that the schema of the type promises, and are written to the same bytes.
        let of_values = Codec::new(codec.schema(), wire);
        assert_eq!(of_values.encode(&of_values.decode(&bytes).unwrap()).unwrap(), bytes);
        let records: Vec<_> = rows.iter().map(|row| codec.encode_one(row).unwrap()).collect();
        check(records.iter().map(|record| codec.decode_one(record).unwrap()).collect());
        if let Some(last) = records.last() {
            // A row in the place of another.
            let mut row = codec.decode_one(last).unwrap();
            for (record, of) in records.iter().zip(rows) {
                codec.decode_one_into(record, &mut row).unwrap();
                assert!(same(&row, of), "{row:?} is not {of:?}");
            }
        }
        for record in records {
            let value = of_values.decode_one(&record).unwrap();
            assert_eq!(of_values.encode_one(&value).unwrap(), record);
        }
    }
}

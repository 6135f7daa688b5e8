//! Rows one by one: each is encoded and dropped, or decoded and dropped.

use std::fmt::Debug;
use std::hint::black_box;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serow::{Codec, ReadRow, Row, Wire};

use crate::{Format, Times, data, rows};

/// The rows that are measured together.
const ROWS: usize = 1000;

fn formats<'a, T>(
    codec: &'a Codec<T>,
    by_serde: &'a Codec<T, serow::serde::Serde>,
) -> Vec<Format<'a, T, T>>
where
    T: Serialize + DeserializeOwned + Row + for<'m> ReadRow<'m>,
    T: bincode::Encode + bincode::Decode<()>,
{
    let config = bincode::config::standard();
    vec![
        Format {
            name: "serow, derive",
            encode: Box::new(|row| codec.encode_one(row).expect("the row fits")),
            decode: Box::new(|bytes| codec.decode_one(bytes).expect("the bytes are right")),
        },
        Format {
            name: "serow, serde",
            encode: Box::new(|row| by_serde.encode_one(row).expect("the row fits")),
            decode: Box::new(|bytes| by_serde.decode_one(bytes).expect("the bytes are right")),
        },
        Format {
            name: "serow, derive, to_vec",
            encode: Box::new(|row| serow::to_vec(std::slice::from_ref(row)).expect("it fits")),
            decode: Box::new(|bytes| {
                let mut rows: Vec<T> = serow::from_slice(bytes).expect("the bytes are right");
                rows.pop().expect("there is a row")
            }),
        },
        Format {
            name: "postcard",
            encode: Box::new(|row| postcard::to_allocvec(row).expect("it is serializable")),
            decode: Box::new(|bytes| postcard::from_bytes(bytes).expect("the bytes are right")),
        },
        Format {
            name: "bincode, derive",
            encode: Box::new(move |row| {
                bincode::encode_to_vec(row, config).expect("it is serializable")
            }),
            decode: Box::new(move |bytes| {
                bincode::decode_from_slice(bytes, config).expect("the bytes are right").0
            }),
        },
    ]
}

fn measure<T>(name: &str, rows: &[T], rounds: usize)
where
    T: Debug + PartialEq + Send + Sync + Serialize + DeserializeOwned + Row,
    T: for<'m> ReadRow<'m> + bincode::Encode + bincode::Decode<()>,
{
    let codec = Codec::of::<T>(Wire::Row).expect("the type has a schema");
    let by_serde = Codec::typed(codec.schema(), Wire::Row);
    let mut formats = formats(&codec, &by_serde);
    let records: Vec<Vec<Vec<u8>>> = formats
        .iter_mut()
        .map(|format| {
            let records: Vec<_> = rows.iter().map(|row| (format.encode)(row)).collect();
            let back: Vec<_> = records.iter().map(|record| (format.decode)(record)).collect();
            assert!(back == rows, "{name}: {}", format.name);
            records
        })
        .collect();
    let mut times: Vec<(Times, Times)> = formats.iter().map(|_| Default::default()).collect();
    for round in 0..rounds {
        for turn in 0..formats.len() {
            let turn = if round % 2 == 0 { turn } else { formats.len() - 1 - turn };
            let (format, records) = (&mut formats[turn], &records[turn]);
            let (encode, decode) = &mut times[turn];
            encode.take(|| rows.iter().for_each(|row| drop(black_box((format.encode)(row)))));
            decode.take(|| {
                records.iter().for_each(|record| drop(black_box((format.decode)(record))));
            });
        }
    }
    let postcard = formats.iter().position(|format| format.name == "postcard").unwrap_or(0);
    let theirs = (times[postcard].0.median(), times[postcard].1.median());
    let bytes = |records: &[Vec<u8>]| records.iter().map(Vec::len).sum::<usize>() / rows.len();
    println!("\n{name}, one by one\n");
    println!("| | bytes | encode, ns | × postcard | decode, ns | × postcard |");
    println!("|---|---:|---:|---:|---:|---:|");
    for ((format, records), (encode, decode)) in formats.iter().zip(&records).zip(&times) {
        let each = |times: &Times| times.median() * 1e3 / rows.len() as f64;
        println!(
            "| {} | {} | {:.0} | {:.2} | {:.0} | {:.2} |",
            format.name,
            bytes(records),
            each(encode),
            encode.median() / theirs.0,
            each(decode),
            decode.median() / theirs.1,
        );
    }
}

/// Measures all shapes of rows.
pub fn measure_all(is_wanted: &impl Fn(&str) -> bool, rounds: usize, part: usize) {
    let count = ROWS / part;
    if is_wanted("small") {
        measure("small", &rows(count, data::small), rounds);
    }
    if is_wanted("order") {
        measure("order", &rows(count, data::order), rounds);
    }
    if is_wanted("floats") {
        measure("floats, 256 f32", &rows(count, data::floats), rounds);
    }
    if is_wanted("strings") {
        measure("strings, 20", &rows(count, data::strings), rounds);
    }
    if is_wanted("bytes") {
        measure("bytes, 1,000", &rows(count, data::bytes), rounds);
    }
}

//! Several threads give the same bytes, rows and errors as one.

use std::fmt::Debug;

use serde::de::DeserializeOwned;
use serde::ser::Error as _;
use serde::{Deserialize, Serialize, Serializer};
use serow::{Codec, Compression, Options, Reader, Schema, Threads, Wire};

use crate::streams::{OfMap, formats};

fn several() -> [Threads; 4] {
    [Threads::ONE, Threads::of(2).unwrap(), Threads::of(3).unwrap(), Threads::Auto]
}

/// A stream with a frame for each of these pieces.
fn stream<T: Serialize + Sync>(format: Options, pieces: &[Vec<T>]) -> Vec<u8> {
    let mut writer = format.typed_writer(Vec::new());
    for rows in pieces {
        writer.write_rows(rows).unwrap();
        writer.flush().unwrap();
    }
    writer.finish().unwrap()
}

/// Checks that the message, and each part of it that lacks its end, is read as by one thread.
#[track_caller]
fn same<T: Debug + PartialEq + Send + DeserializeOwned>(bytes: &[u8], step: usize) {
    for cut in (0..=bytes.len()).rev().step_by(step) {
        let message = serow::serde::from_slice::<T>(&bytes[..cut]);
        let rows: Vec<_> = Reader::typed::<T>(&bytes[..cut]).collect();
        for threads in several() {
            let options = Options::new().with_threads(threads);
            assert_eq!(serow::serde::from_slice_with(&bytes[..cut], options), message);
            let reader = options.typed_reader::<_, T>(&bytes[..cut]);
            assert_eq!(reader.collect::<Vec<_>>(), rows);
        }
    }
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Part {
    key: u32,
    name: Option<String>,
}

fn part(key: u32) -> Part {
    let name = format!("the part {key}, of the color {}", key % 7);
    Part { key, name: (!key.is_multiple_of(5)).then_some(name) }
}

#[test]
fn messages_and_streams_are_read_as_by_one_thread() {
    for format in formats() {
        let pieces: Vec<Vec<Part>> =
            (0..9).map(|n| (n * 20..n * 21 + 20).map(part).collect()).collect();
        same::<Part>(&stream(format, &pieces), 97);
        // The type refuses a row, and a later one.
        let pieces: Vec<Vec<i32>> = [7, 8, 500, 9, 600, 10].map(|n| vec![1, n, 2]).to_vec();
        same::<u8>(&stream(format, &pieces), 41);
        let rows = |n: i64| {
            vec![serow::Value::dict([("a", serow::Value::I64(n)), ("b", serow::Value::I64(-n))]); 9]
        };
        let mut writer = format.writer(Vec::new());
        for n in 0..5 {
            writer.write_rows(&rows(n)).unwrap();
            writer.flush().unwrap();
        }
        same::<OfMap>(&writer.finish().unwrap(), 41);
    }
}

#[test]
fn messages_are_written_as_by_one_thread() {
    let rows: Vec<Part> = (0..70_000).map(part).collect();
    let schema = serow::serde::infer(&rows).unwrap();
    for format in [Wire::Frame.into(), Options::from(Wire::Row).with_compression(Compression::Lz4)]
    {
        let one = serow::serde::to_vec_with(&rows, format).unwrap();
        for threads in several() {
            assert!(serow::serde::to_vec_with(&rows, format.with_threads(threads)).unwrap() == one);
            let codec = Codec::typed::<Part>(&schema, format.with_threads(threads));
            assert!(codec.encode(&rows).unwrap() == one);
            assert!(codec.decode(&one).unwrap() == rows);
        }
    }
}

/// A number that is refused if it is a multiple of 70,000.
struct Choosy(i64);

impl Serialize for Choosy {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match self.0 % 70_000 {
            0 => Err(S::Error::custom(format_args!("no {}", self.0))),
            _ => to.serialize_i64(self.0),
        }
    }
}

#[test]
fn the_first_row_that_is_refused_is_the_error() {
    let rows: Vec<Choosy> = (1..150_000).map(Choosy).collect();
    let schema = Schema::parse("i64").unwrap();
    for wire in [Wire::Frame, Wire::Row] {
        let codec = Codec::typed::<Choosy>(&schema, wire);
        let (one, inferred) = (codec.encode(&rows), serow::serde::to_vec_with(&rows, wire.into()));
        let error = one.as_ref().unwrap_err();
        assert_eq!(error.row(), Some(69_999));
        assert!(error.message().contains("no 70000"), "{error}");
        for threads in several() {
            let options = Options::from(wire).with_threads(threads);
            assert_eq!(Codec::typed::<Choosy>(&schema, options).encode(&rows), one);
            assert_eq!(serow::serde::to_vec_with(&rows, options), inferred);
        }
    }
}

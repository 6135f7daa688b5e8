//! Compares serow with other formats: many rows at once, in data sets that resemble those of
//! rust_serialization_benchmark, and rows one by one.
//! `make bench-rust` runs it.
//!
//! All formats take turns in each round, so a slow moment of the machine does not fall on one of
//! them. Every second round has the reverse order, so each format comes as often before another as
//! after it, and none profits more from memory and caches that another has warmed. A cell has the
//! median of the rounds and, after ±, half of the range between the quartiles. A time is the processor
//! time of the thread, so other programs add nothing to it.
//!
//! `--test`, or `QUICK=1`, runs two rounds of few rows. A word runs only the data sets whose names contain it: `cargo
//! bench -p serow --features serde --bench formats -- mesh`.

mod data;
mod one;
mod random;

use std::fmt::Debug;
use std::hint::black_box;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serow::serde::Serde;
use serow::{Codec, ReadRow, Row, Wire};

use random::Random;

/// A format: its functions for rows or for one row, which are decoded to `Out`.
struct Format<'a, In: ?Sized, Out> {
    name: &'static str,
    encode: Box<Encode<'a, In>>,
    decode: Box<Decode<'a, Out>>,
}

type Encode<'a, In> = dyn FnMut(&In) -> Vec<u8> + 'a;
type Decode<'a, Out> = dyn FnMut(&[u8]) -> Out + 'a;

fn formats<'a, T>(
    [codec, rows]: [&'a Codec<T>; 2],
    by_serde: &'a Codec<T, Serde>,
) -> Vec<Format<'a, [T], Vec<T>>>
where
    T: Serialize
        + DeserializeOwned
        + Row
        + for<'m> ReadRow<'m>
        + Send
        + Sync
        + bitcode::Encode
        + bitcode::DecodeOwned
        + bincode::Encode
        + bincode::Decode<()>
        + 'static,
{
    let config = bincode::config::standard();
    let (mut writer, mut reader) = (bitcode::Buffer::new(), bitcode::Buffer::new());
    vec![
        Format {
            name: "serow, derive",
            encode: Box::new(|rows| codec.encode(rows).expect("the rows fit")),
            decode: Box::new(|bytes| codec.decode(bytes).expect("the bytes are right")),
        },
        Format {
            name: "serow, derive, row wire",
            encode: Box::new(|all| rows.encode(all).expect("the rows fit")),
            decode: Box::new(|bytes| rows.decode(bytes).expect("the bytes are right")),
        },
        Format {
            name: "serow, serde",
            encode: Box::new(|rows| by_serde.encode(rows).expect("the rows fit")),
            decode: Box::new(|bytes| by_serde.decode(bytes).expect("the bytes are right")),
        },
        Format {
            name: "serow, serde, to_vec",
            encode: Box::new(|rows| serow::serde::to_vec(rows).expect("the rows have a schema")),
            decode: Box::new(|bytes| serow::serde::from_slice(bytes).expect("the bytes are right")),
        },
        Format {
            name: "bitcode, derive",
            encode: Box::new(move |rows| writer.encode(rows).to_vec()),
            decode: Box::new(move |bytes| reader.decode(bytes).expect("the bytes are right")),
        },
        Format {
            name: "bitcode, serde",
            encode: Box::new(|rows| bitcode::serialize(rows).expect("the rows are serializable")),
            decode: Box::new(|bytes| bitcode::deserialize(bytes).expect("the bytes are right")),
        },
        Format {
            name: "bincode, derive",
            encode: Box::new(move |rows| {
                bincode::encode_to_vec(rows, config).expect("the rows are serializable")
            }),
            decode: Box::new(move |bytes| {
                let decoded = bincode::decode_from_slice(bytes, config);
                decoded.expect("the bytes are right").0
            }),
        },
        Format {
            name: "postcard",
            encode: Box::new(|rows| {
                postcard::to_allocvec(rows).expect("the rows are serializable")
            }),
            decode: Box::new(|bytes| postcard::from_bytes(bytes).expect("the bytes are right")),
        },
    ]
}

/// The seconds that this thread has spent on a processor.
fn thread_time() -> f64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: it writes the time to the variable.
    let result = unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &mut time) };
    assert_eq!(result, 0, "the system has clocks of threads");
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}

/// The time of each round, in microseconds.
#[derive(Default)]
struct Times(Vec<f64>);

impl Times {
    fn take<R>(&mut self, work: impl FnOnce() -> R) -> R {
        let begun = thread_time();
        let result = black_box(work());
        self.0.push((thread_time() - begun) * 1e6);
        result
    }

    /// The value below which this part of the rounds is.
    fn quantile(&self, part: f64) -> f64 {
        let mut sorted = self.0.clone();
        sorted.sort_by(f64::total_cmp);
        sorted[((sorted.len() - 1) as f64 * part).round() as usize]
    }

    fn median(&self) -> f64 {
        self.quantile(0.5)
    }

    fn shown(&self) -> String {
        let spread = (self.quantile(0.75) - self.quantile(0.25)) / 2.0;
        format!("{:.0} ± {spread:.0}", self.median())
    }
}

/// What was measured of one format.
struct Measured {
    name: &'static str,
    bytes: usize,
    encode: Times,
    decode: Times,
}

fn measure<T>(name: &str, rows: &[T], rounds: usize)
where
    T: Debug + PartialEq + Send + Sync + Serialize + DeserializeOwned + Row,
    T: for<'m> ReadRow<'m>,
    T: bitcode::Encode + bitcode::DecodeOwned + bincode::Encode + bincode::Decode<()> + 'static,
{
    let [frames, records] =
        [Wire::Frame, Wire::Row].map(|wire| Codec::of::<T>(wire).expect("the type has a schema"));
    let by_serde = Codec::infer_typed(rows, Wire::Frame).expect("the rows have a schema");
    let mut formats = formats([&frames, &records], &by_serde);
    let mut measured: Vec<Measured> = Vec::new();
    for format in &mut formats {
        let bytes = (format.encode)(rows);
        assert!((format.decode)(&bytes) == rows, "{name}: {}", format.name);
        let (encode, decode) = Default::default();
        measured.push(Measured { name: format.name, bytes: bytes.len(), encode, decode });
    }
    for round in 0..rounds {
        for turn in 0..formats.len() {
            let turn = if round % 2 == 0 { turn } else { formats.len() - 1 - turn };
            let (format, measured) = (&mut formats[turn], &mut measured[turn]);
            let bytes = measured.encode.take(|| (format.encode)(black_box(rows)));
            let back = measured.decode.take(|| (format.decode)(black_box(&bytes)));
            drop(black_box(back));
        }
    }
    let bitcode = |of: fn(&Measured) -> f64| {
        let theirs = measured.iter().filter(|measured| measured.name.starts_with("bitcode"));
        theirs.map(of).fold(f64::INFINITY, f64::min)
    };
    let least = bitcode(|measured| measured.bytes as f64);
    let encode = bitcode(|measured| measured.encode.median());
    let decode = bitcode(|measured| measured.decode.median());
    println!("\n{name}, {} rows\n", rows.len());
    println!("| | bytes | × bitcode | encode, µs | × bitcode | decode, µs | × bitcode |");
    println!("|---|---:|---:|---:|---:|---:|---:|");
    for of in &measured {
        println!(
            "| {} | {} | {:.2} | {} | {:.2} | {} | {:.2} |",
            of.name,
            of.bytes,
            of.bytes as f64 / least,
            of.encode.shown(),
            of.encode.median() / encode,
            of.decode.shown(),
            of.decode.median() / decode,
        );
    }
}

fn rows<T>(count: usize, make: impl Fn(&mut Random) -> T) -> Vec<T> {
    let mut random = Random::new(271_828_182_845);
    (0..count).map(|_| make(&mut random)).collect()
}

fn main() {
    let is_test = std::env::args().any(|argument| argument == "--test")
        || std::env::var_os("QUICK").is_some_and(|quick| !quick.is_empty());
    let wanted = std::env::args().skip(1).find(|argument| !argument.starts_with('-'));
    let is_wanted = |name: &str| wanted.as_deref().is_none_or(|wanted| name.contains(wanted));
    let (rounds, part) = if is_test { (2, 100) } else { (100, 1) };
    println!(
        "× bitcode: divided by the better of bitcode's two rows. × postcard: divided by postcard's."
    );
    one::measure_all(&is_wanted, rounds, part);
    if is_wanted("log") {
        measure("log", &rows(10_000 / part, data::log), rounds);
    }
    if is_wanted("mesh") {
        measure("mesh", &rows(125_000 / part, data::triangle), rounds);
    }
    if is_wanted("minecraft_savedata") {
        measure("minecraft_savedata", &rows(500 / part, data::player), rounds);
    }
    if is_wanted("mk48") {
        measure("mk48", &rows(1_000 / part, data::update), rounds);
    }
}

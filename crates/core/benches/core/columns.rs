//! The kernels that pack and unpack one column of the frame wire, for different contents.

use std::hint::black_box;

use criterion::{Criterion, Throughput};
use serow_core::bytes::out::Out;
use serow_core::layout::Text;
use serow_core::layout::batch::StrColumn;
use serow_core::program::Program;
use serow_core::schema::Schema;
use serow_core::wire::frame::{self, Density, Scratch, TextForm, bits, floats, ints, strings};

use crate::rows::Chance;

/// The number of values in a column: several pages of each stream, but less than a frame.
const VALUES: usize = 8192;

/// Returns the bytes and the encoding of a column that `write` packs.
fn packed(write: impl FnOnce(&mut Out<'_>) -> u8) -> (Vec<u8>, u8) {
    let mut room = Vec::new();
    let mut out = Out::new(&mut room);
    let encoding = write(&mut out);
    (out.written().to_vec(), encoding)
}

/// Returns the body of a frame whose only column has this chunk and encoding.
fn body_of((mut body, encoding): (Vec<u8>, u8)) -> Vec<u8> {
    let mut room = Vec::new();
    let mut directory = Out::new(&mut room);
    directory.push(encoding).expect("there is memory");
    for number in [VALUES, body.len()] {
        directory.varint(number as u64).expect("there is memory");
    }
    body.extend(directory.written());
    body.extend((directory.len() as u32).to_le_bytes());
    body
}

/// Integers packed by their differences, by their range, and not at all.
pub fn int_columns(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("ints");
    group.throughput(Throughput::Elements(VALUES as u64));
    let mut chance = Chance::new();
    let columns: [(&str, Vec<i64>); 3] = [
        ("counting", (0..VALUES as i64).collect()),
        ("below 50", (0..VALUES).map(|_| chance.below(50) as i64).collect()),
        ("wide", (0..VALUES).map(|_| chance.below(1 << 62) as i64).collect()),
    ];
    for (name, values) in columns {
        let mut room = Vec::new();
        group.bench_function(format!("pack {name}"), |bencher| {
            bencher.iter(|| ints::encode(&values, Density::Free, &mut Out::new(&mut room)));
        });
        let (bytes, encoding) =
            packed(|out| ints::encode(&values, Density::Free, out).expect("there is memory"));
        let mut read = vec![0; VALUES];
        let mut unpack = || {
            let mut reader = ints::IntReader::new(encoding, VALUES, &bytes).expect("it was packed");
            reader.read(&mut read);
        };
        unpack();
        group.bench_function(format!("unpack {name}"), |bencher| bencher.iter(&mut unpack));
        assert_eq!(read, values);
    }
}

/// Decimal floats, and other floats.
pub fn float_columns(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("floats");
    group.throughput(Throughput::Elements(VALUES as u64));
    let mut chance = Chance::new();
    let columns: [(&str, Vec<f64>); 2] = [
        ("decimals", (0..VALUES).map(|_| chance.below(200_000) as f64 / 100.0).collect()),
        ("any", (0..VALUES).map(|_| chance.below(1 << 50) as f64 / 7.0).collect()),
    ];
    let mut scratch = Vec::new();
    for (name, values) in columns {
        let mut room = Vec::new();
        group.bench_function(format!("pack {name}"), |bencher| {
            bencher.iter(|| {
                floats::encode(&values, Density::Free, &mut scratch, &mut Out::new(&mut room))
            });
        });
        let (bytes, encoding) = packed(|out| {
            floats::encode(&values, Density::Free, &mut scratch, out).expect("there is memory")
        });
        let mut read = vec![0.0; VALUES];
        let mut integers = vec![0; VALUES];
        let mut unpack = || {
            let mut reader =
                floats::FloatReader::new(encoding, VALUES, &bytes).expect("it was packed");
            reader.read(&mut read, &mut integers);
        };
        unpack();
        group.bench_function(format!("unpack {name}"), |bencher| bencher.iter(&mut unpack));
        assert_eq!(read, values);
    }
}

/// Random bits.
pub fn bit_columns(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("bits");
    group.throughput(Throughput::Elements(VALUES as u64));
    let mut chance = Chance::new();
    let values: Vec<u8> = (0..VALUES).map(|_| chance.below(2) as u8).collect();
    let mut room = Vec::new();
    group.bench_function("pack", |bencher| {
        bencher.iter(|| bits::encode(&values, Density::Free, &mut Out::new(&mut room)));
    });
    let (bytes, encoding) =
        packed(|out| bits::encode(&values, Density::Free, out).expect("there is memory"));
    let mut read = vec![0; VALUES];
    let mut unpack = || {
        let mut reader = bits::BitReader::new(encoding, VALUES, &bytes).expect("it was packed");
        reader.read(&mut read);
    };
    unpack();
    group.bench_function("unpack", |bencher| bencher.iter(&mut unpack));
    assert_eq!(read, values);
}

/// Staging and packing strings. Staging costs more, because it makes the dictionary.
pub fn string_columns(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("strings");
    group.throughput(Throughput::Elements(VALUES as u64));
    let mut chance = Chance::new();
    let columns: [(&str, Vec<String>); 3] = [
        ("25 brands", (0..VALUES).map(|_| format!("Brand#{}", chance.below(25))).collect()),
        ("all different", (0..VALUES).map(|n| format!("a comment of its own {n}")).collect()),
        ("five words", (0..VALUES).map(|_| five_words(&mut chance)).collect()),
    ];
    let program = Program::new(&Schema::parse("str").expect("it is a schema"));
    let mut scratch = Scratch::default();
    for (name, values) in columns {
        let mut column = StrColumn::default();
        let mut stage = || {
            column.clear();
            for value in &values {
                column.push(Text::plain(value.as_bytes())).expect("there is memory");
            }
        };
        stage();
        group.bench_function(format!("stage {name}"), |bencher| bencher.iter(&mut stage));
        for form in [TextForm::Fast, TextForm::Small] {
            let mut pack = |out: &mut Out<'_>| {
                strings::encode(&column, form, Density::Free, &mut scratch, out)
                    .expect("there is memory")
            };
            let mut room = Vec::new();
            group.bench_function(format!("pack {name}, {form:?}"), |bencher| {
                bencher.iter(|| pack(&mut Out::new(&mut room)));
            });
            let body = body_of(packed(pack));
            group.bench_function(format!("open {name}, {form:?}"), |bencher| {
                bencher.iter(|| {
                    let frame = frame::unpack(&program, VALUES, &body, body.len(), &mut |_| Ok(()));
                    black_box(frame.expect("the chunk is valid").strs.len())
                });
            });
        }
    }
}

/// Five words of a list of 92, as the names of TPC-H's Part have.
fn five_words(chance: &mut Chance) -> String {
    let words: Vec<String> = (0..5).map(|_| format!("colour{}", chance.below(92))).collect();
    words.join(" ")
}

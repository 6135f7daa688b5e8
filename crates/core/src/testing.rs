//! Helpers for the tests of several modules.

use std::path::Path;
use std::sync::Arc;
use std::{env, fs};

use crate::bytes::out::GrowableBuffer;
use crate::bytes::varint;
use crate::decode::decode_frame;
use crate::encode;
use crate::layout::value::{ValueRows, ValueWriter};
use crate::program::Program;
use crate::schema::{Enum, Schema};
use crate::value::Value;
use crate::wire::compression::Compression;
use crate::wire::message::{MessageReader, RawFrame, Wire};

/// Both wires.
pub(crate) const WIRES: [Wire; 2] = [Wire::Row, Wire::Frame];

/// All compressions, and those that compress. Miri can't call zstd's library, which is in C.
pub(crate) const COMPRESSIONS: &[Compression] = match cfg!(miri) {
    true => &[Compression::None, Compression::Lz4],
    false => &[Compression::None, Compression::ZSTD, Compression::Lz4],
};
pub(crate) const COMPRESSING: &[Compression] = COMPRESSIONS.split_at(1).1;

/// The size of a test: `under_miri` is smaller, because Miri is some hundred times slower than the
/// processor.
pub(crate) const fn sized(size: usize, under_miri: usize) -> usize {
    if cfg!(miri) { under_miri } else { size }
}

/// Returns the message that `write` writes.
pub(crate) fn written(
    write: impl FnOnce(&mut dyn GrowableBuffer) -> crate::Result<usize>,
) -> crate::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let len = write(&mut bytes)?;
    assert_eq!(len, bytes.len());
    Ok(bytes)
}

/// The program of a schema in text form.
pub(crate) fn plan(schema: &str) -> Arc<Program> {
    Arc::new(Program::new(&Schema::parse(schema).unwrap()))
}

/// Encodes rows of `schema`.
pub(crate) fn message(schema: &str, rows: &[Value], wire: Wire) -> Vec<u8> {
    written(|buffer| encode::encode(&plan(schema), &ValueRows(rows), wire, buffer)).unwrap()
}

/// Returns the records of rows that are integers.
pub(crate) fn int_records(rows: &[i64]) -> Vec<u8> {
    let mut records = Vec::new();
    for &row in rows {
        let (varint, len) = varint::array(varint::zigzag(row));
        records.extend((len as u32).to_le_bytes());
        records.extend(&varint[..len]);
    }
    records
}

/// Visits the frames of a message.
pub(crate) fn each_frame(message: &[u8], mut visit: impl FnMut(RawFrame<'_>)) {
    let mut reader = MessageReader::new(message).unwrap();
    while let Some(frame) = reader.next_frame().unwrap() {
        visit(frame);
    }
}

/// Returns the schema of each frame of a message, and its rows.
pub(crate) fn frames(message: &[u8]) -> Vec<(String, Vec<Value>)> {
    let mut frames = Vec::new();
    each_frame(message, |frame| {
        let mut rows = ValueWriter::new();
        decode_frame(&frame, None, &mut None, &mut rows).unwrap();
        frames.push((frame.program.schema().to_string(), rows.into_rows()));
    });
    frames
}

/// Returns the schema of each frame of a message, and its number of rows.
pub(crate) fn frame_sizes(message: &[u8]) -> Vec<(String, usize)> {
    frames(message).into_iter().map(|(schema, rows)| (schema, rows.len())).collect()
}

pub(crate) fn tuple(fields: impl IntoIterator<Item = Value>) -> Value {
    Value::Tuple(fields.into_iter().collect())
}

pub(crate) fn list(elements: impl IntoIterator<Item = Value>) -> Value {
    Value::List(elements.into_iter().collect())
}

pub(crate) fn int(v: i64) -> Value {
    Value::I64(v)
}

pub(crate) fn member(name: &str, members: &[&str], index: u32) -> Value {
    Value::Enum(Arc::new(Enum::new(name, members.iter().copied())), index)
}

/// Compares `cases` with the file `file` of this crate's `src`. Each case begins with a line `==
/// …`. If `SEROW_BLESS=1` is in the environment, rewrites the file; review the diff.
#[track_caller]
pub(crate) fn compare(file: &str, cases: &[String]) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("src").join(file);
    let actual = cases.join("\n");
    if env::var_os("SEROW_BLESS").is_some() {
        fs::write(&path, &actual).unwrap();
    }
    let expected = fs::read_to_string(&path).unwrap();
    for (expected, actual) in expected.split("\n== ").zip(actual.split("\n== ")) {
        assert_eq!(expected, actual, "\n{file} has\n{expected}\nand the result is\n{actual}");
    }
    assert_eq!(expected, actual);
}

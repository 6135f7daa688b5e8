//! Decodes the golden files and encodes their rows to the same bytes.

mod common;

use std::path::{Path, PathBuf};

use common::frames::split;
use common::rowtext::{self, Golden};
use serow::{Codec, Compression, ErrorKind, Options, Schema, Value, Wire, dumps, infer, loads};

struct Message {
    name: String,
    /// The format, or `None` for the one that the message has by default.
    format: Option<Options>,
    is_stream: bool,
    bytes: Vec<u8>,
    golden: Golden,
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/golden")
}

fn files(extension: &str) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|its| its == extension));
    files.sort();
    assert!(files.len() >= 30, "{}", files.len());
    files
}

fn messages() -> Vec<Message> {
    let folder = folder();
    let message = |path: PathBuf| {
        let name = path.file_name().unwrap().to_str().unwrap().to_string();
        let [stem, how, _] = name.split('.').collect::<Vec<_>>()[..] else { panic!("{name}") };
        let golden = rowtext::read(&folder.join(format!("{stem}.rows")));
        let (is_stream, how) = (how.ends_with("-stream"), how.trim_end_matches("-stream"));
        let (wire, compression) = how.split_once('-').unwrap_or((how, ""));
        let format = Wire::parse(wire).map(|wire| match compression {
            "" => wire.into(),
            name => Options::from(wire).with_compression(Compression::parse(name, None).unwrap()),
        });
        assert!(format.is_some() || how == "default", "{name}");
        Message { format, is_stream, bytes: std::fs::read(&path).unwrap(), golden, name }
    };
    files("srow").into_iter().map(message).collect()
}

#[test]
fn every_message_decodes_to_its_rows() {
    for Message { name, bytes, golden, .. } in messages() {
        match golden.rows {
            Some(rows) => assert!(loads(&bytes).unwrap() == rows, "{name}"),
            None => {
                let error = loads(&bytes).unwrap_err();
                assert_eq!(error.kind(), ErrorKind::Decode, "{name}: {error}");
                assert!(error.to_string().contains("lone surrogate"), "{name}: {error}");
            }
        }
    }
}

/// Whether the rows of a message have a schema that a caller has declared, because it can't be inferred.
fn is_declared(name: &str) -> bool {
    name.starts_with("sizes.")
}

/// Writes a stream row by row, and flushes it after each twentieth row.
fn streamed(rows: &[Value], format: Options) -> serow::Result<Vec<u8>> {
    let mut writer = format.writer(Vec::new());
    for (number, row) in (1..).zip(rows) {
        writer.write(row)?;
        if number % 20 == 0 {
            writer.flush()?;
        }
    }
    writer.finish()
}

#[test]
fn encoding_the_rows_gives_the_message() {
    for Message { name, bytes, golden, format, is_stream } in messages() {
        let Some(rows) = golden.rows else { continue };
        let message = match format {
            Some(format) if is_declared(&name) => {
                Codec::new(&Schema::parse(&golden.schema).unwrap(), format).encode(&rows)
            }
            Some(format) if is_stream => streamed(&rows, format),
            Some(format) => format.dumps(&rows),
            None => dumps(&rows),
        };
        match is_stream {
            // Each stream has a salt of its own.
            true => assert!(split(&message.unwrap()) == split(&bytes), "{name}"),
            false => assert!(message.unwrap() == bytes, "{name}"),
        }
    }
}

#[test]
fn the_inferred_schema_is_that_of_the_file() {
    for Message { name, golden, .. } in messages() {
        let Some(rows) = golden.rows else { continue };
        if is_declared(&name) {
            assert_ne!(infer(&rows).unwrap().to_string(), golden.schema, "{name}");
            continue;
        }
        assert_eq!(infer(&rows).unwrap(), Schema::parse(&golden.schema).unwrap(), "{name}");
        assert_eq!(infer(&rows).unwrap().to_string(), golden.schema, "{name}");
    }
}

#[test]
fn rust_lacks_only_lone_surrogates() {
    let names: Vec<String> =
        messages().into_iter().filter(|m| m.golden.rows.is_none()).map(|m| m.name).collect();
    assert_eq!(names, ["lone_surrogates.frame.srow", "lone_surrogates.row.srow"]);
}

/// The single records of a file, their codec and their rows.
struct Singles {
    name: String,
    codec: Codec,
    records: Vec<Vec<u8>>,
    golden: Golden,
}

fn singles() -> Vec<Singles> {
    let of_file = |path: PathBuf| {
        let golden = rowtext::read(&path.with_extension("rows"));
        let codec = Codec::new(&Schema::parse(&golden.schema).unwrap(), Wire::Row);
        let bytes = std::fs::read(&path).unwrap();
        let (mut records, mut left) = (Vec::new(), &bytes[..]);
        while let Some((len, record)) = left.split_first_chunk() {
            let (record, after) = record.split_at(u32::from_le_bytes(*len) as usize);
            records.push(record.to_vec());
            left = after;
        }
        assert!(left.is_empty(), "{path:?}: {left:?}");
        Singles { name: path.file_stem().unwrap().display().to_string(), codec, records, golden }
    };
    files("records").into_iter().map(of_file).collect()
}

#[test]
fn every_single_record_decodes_to_its_row() {
    for Singles { name, codec, records, golden } in singles() {
        let decoded = records.iter().map(|record| codec.decode_one(record));
        match golden.rows {
            Some(rows) => assert!(decoded.map(Result::unwrap).eq(rows), "{name}"),
            None => {
                let errors: Vec<_> = decoded.filter_map(Result::err).collect();
                assert_eq!((errors.len(), records.len()), (3, 4), "{name}");
                for error in errors {
                    assert_eq!(error.kind(), ErrorKind::Decode, "{name}: {error}");
                    assert!(error.to_string().contains("lone surrogate"), "{name}: {error}");
                }
            }
        }
    }
}

#[test]
fn encoding_a_row_gives_its_single_record() {
    for Singles { name, codec, records, golden } in singles() {
        let Some(rows) = golden.rows else { continue };
        let encoded: Vec<_> = rows.iter().map(|row| codec.encode_one(row).unwrap()).collect();
        assert!(encoded == records, "{name}");
    }
}

//! Decodes the golden files and encodes their rows to the same bytes.

mod common;

use std::path::{Path, PathBuf};

use common::rowtext::{self, Golden};
use serow::{ErrorKind, Schema, Wire, dumps_as, infer, loads};

struct Message {
    name: String,
    wire: Wire,
    bytes: Vec<u8>,
    golden: Golden,
}

fn messages() -> Vec<Message> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/golden");
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "srow"));
    files.sort();
    assert!(files.len() >= 30, "{}", files.len());
    let message = |path: PathBuf| {
        let name = path.file_name().unwrap().to_str().unwrap().to_string();
        let [stem, wire, _] = name.split('.').collect::<Vec<_>>()[..] else { panic!("{name}") };
        let golden = rowtext::read(&folder.join(format!("{stem}.rows")));
        let wire = Wire::parse(wire).unwrap();
        Message { wire, bytes: std::fs::read(&path).unwrap(), golden, name }
    };
    files.into_iter().map(message).collect()
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

#[test]
fn encoding_the_rows_gives_the_message() {
    for Message { name, bytes, golden, wire } in messages() {
        let Some(rows) = golden.rows else { continue };
        assert!(dumps_as(&rows, wire).unwrap() == bytes, "{name}");
    }
}

#[test]
fn the_inferred_schema_is_that_of_the_file() {
    for Message { name, golden, .. } in messages() {
        let Some(rows) = golden.rows else { continue };
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

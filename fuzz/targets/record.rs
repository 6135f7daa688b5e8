//! Single records, of a codec's own schema or of one in its set.

#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use serow::{Codec, Schema, SchemaSet, Wire};
use serow_fuzz::is_about_bytes;

/// A reader's schema, and those that it knows from writers.
const SCHEMAS: [(&str, &[&str]); 6] = [
    ("(i64, str?, [f64], bool)", &[]),
    ("R{a: i64, b: str?, c: [i64|str]}", &["R{a: i64, c: [i64]}", "R{b: str, a: i64, d: date}"]),
    (r#"{"a": {str: [i64]}, "b"?: {uuid}}"#, &[r#"{"a": {str: [i64]}}"#]),
    ("[decimal|int|timestamptz|str]", &["[i64]", "[timestamptz]"]),
    ("enum E{A, B, C}|Empty{}|null", &["enum E{C, A}"]),
    ("[[[(bytes, time, duration)]]]", &[]),
];

static CODECS: LazyLock<Vec<(Codec, Vec<u64>)>> = LazyLock::new(|| {
    let schema = |text: &str| Schema::parse(text).expect(text);
    let codec = |(own, others): &(&str, &[&str])| {
        let set = SchemaSet::default();
        let mut fingerprints = vec![schema(own).fingerprint()];
        for other in others.iter().map(|other| schema(other)) {
            set.add(&other).expect("a small set");
            fingerprints.push(other.fingerprint());
        }
        (Codec::new(&schema(own), Wire::Row).with_schemas(&set), fingerprints)
    };
    SCHEMAS.iter().map(codec).collect()
});

fuzz_target!(|bytes: &[u8]| {
    let [which, version, bytes @ ..] = bytes else { return };
    let (codec, fingerprints) = &CODECS[usize::from(*which) % CODECS.len()];
    let fingerprint = fingerprints[usize::from(*version) % fingerprints.len()];
    let record = [&fingerprint.to_le_bytes(), bytes].concat();
    match codec.decode_one(&record) {
        Ok(row) => {
            let again = codec.encode_one(&row).expect("the row is of the codec's schema");
            assert!(codec.decode_one(&again).is_ok_and(|again| again == row));
        }
        Err(error) => is_about_bytes(&error),
    }
});

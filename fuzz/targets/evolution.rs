//! Rows of one schema read as rows of another: both wires give the same rows, or both an error.

#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use serow::{Codec, Options, Schema, Wire, loads};
use serow_fuzz::{is_about_bytes, repaired};

const READERS: [&str; 8] = [
    "i64",
    "f64?",
    "(i64, str)",
    "[i64|str?]",
    r#"{"a"?: i64, "b"?: str, "c"?: [f64]}"#,
    "{str: i64}",
    "Part{key: i64, name: str?, price: decimal?}",
    "enum Color{RED, GREEN}?",
];

static CODECS: LazyLock<Vec<Codec>> = LazyLock::new(|| {
    let codec = |text: &str| Codec::new(&Schema::parse(text).expect(text), Wire::Frame);
    READERS.into_iter().map(codec).collect()
});

fuzz_target!(|bytes: &[u8]| {
    let Some((&which, bytes)) = bytes.split_last() else { return };
    let codec = &CODECS[usize::from(which) % CODECS.len()];
    if let Err(error) = codec.decode(&repaired(bytes)) {
        is_about_bytes(&error);
    }
    let Ok(rows) = loads(&repaired(bytes)) else { return };
    let read = |wire| Options::from(wire).dumps(&rows).ok().map(|message| codec.decode(&message));
    let (Some(frames), Some(records)) = (read(Wire::Frame), read(Wire::Row)) else { return };
    match (frames, records) {
        (Ok(frames), Ok(records)) => assert!(frames == records, "the wires give other rows"),
        (Err(_), Err(_)) => {}
        (frames, records) => panic!("frames: {:?}, records: {:?}", frames.err(), records.err()),
    }
});

//! The type list of a schema: a list that is accepted has a text, which parses to the same list.

#![no_main]

use libfuzzer_sys::fuzz_target;
use serow::Schema;
use serow_fuzz::is_about_bytes;

fuzz_target!(|bytes: &[u8]| {
    match Schema::from_bytes(bytes) {
        Ok(schema) => {
            assert_eq!(schema.as_bytes(), bytes, "a list has one form");
            let printed = schema.to_string();
            assert!(Schema::parse(&printed).is_ok_and(|again| again == schema), "{printed}");
        }
        Err(error) => is_about_bytes(&error),
    }
});

//! The text of a schema: what parses prints, and what prints parses to the same schema.

#![no_main]

use libfuzzer_sys::fuzz_target;
use serow::Schema;
use serow_fuzz::is_about_bytes;

fuzz_target!(|text: &str| {
    match Schema::parse(text) {
        Ok(schema) => {
            let printed = schema.to_string();
            assert!(Schema::parse(&printed).is_ok_and(|again| again == schema), "{printed}");
            assert!(Schema::from_bytes(schema.as_bytes()).is_ok_and(|again| again == schema));
        }
        Err(error) => is_about_bytes(&error),
    }
});

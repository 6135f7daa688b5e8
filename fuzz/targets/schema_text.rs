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
            // The bytes of messages have no types that only readers' schemas have.
            let again = Schema::from_bytes(schema.as_bytes());
            assert!(schema.is_open() || again.is_ok_and(|again| again == schema));
        }
        Err(error) => is_about_bytes(&error),
    }
});

//! Serde's traits have the limits of the other ways to read.

use serde::de::IgnoredAny;
use serde_json::Value as Json;

use crate::limit_cases::{cases, said};

#[test]
fn typed_readers_refuse_the_message() {
    for case in cases().iter().filter(|case| case.rows.is_none() && !case.is_stream) {
        let error = serow::serde::from_slice::<Json>(&case.message).unwrap_err();
        assert_eq!(said(&error), case.error, "{}", case.limit);
        let error = serow::serde::from_slice::<IgnoredAny>(&case.message).unwrap_err();
        assert_eq!(said(&error), case.error, "{}", case.limit);
    }
}

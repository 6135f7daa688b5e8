//! Property tests with random rows: they come back equal in both wires, and damaged messages give
//! errors.

mod common;

use common::{WIRES, any_value, table};
use proptest::prelude::*;
use serow::{Codec, ErrorKind, Options, Schema, Value, Wire, infer, loads};

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn mixed_rows_come_back(rows in prop::collection::vec(any_value(), 0..40)) {
        for wire in WIRES {
            prop_assert_eq!(&loads(&Options::from(wire).dumps(&rows).unwrap()).unwrap(), &rows);
        }
    }

    #[test]
    fn tables_come_back_through_a_codec(rows in table()) {
        let schema = infer(&rows).unwrap();
        for wire in WIRES {
            let codec = Codec::new(&schema, wire);
            let bytes = codec.encode(&rows).unwrap();
            prop_assert_eq!(&codec.decode(&bytes).unwrap(), &rows);
            prop_assert_eq!(&loads(&Options::from(wire).dumps(&rows).unwrap()).unwrap(), &rows);
        }
    }

    #[test]
    fn a_schema_comes_back_from_its_text_and_its_list(rows in prop::collection::vec(any_value(), 0..20)) {
        let schema = infer(&rows).unwrap();
        prop_assert_eq!(&Schema::parse(&schema.to_string()).unwrap(), &schema);
        let list: Vec<String> = schema.type_list().iter().map(u32::to_string).collect();
        prop_assert_eq!(&Schema::parse(&list.join(" ")).unwrap(), &schema);
        prop_assert_eq!(&Schema::from_bytes(schema.as_bytes()).unwrap(), &schema);
    }

    #[test]
    fn joins_do_not_depend_on_the_order_of_rows(mut rows in prop::collection::vec(any_value(), 0..12)) {
        // Except for the keys of dicts, which come back in the order in which they were first seen.
        let codes = |schema: Schema| {
            let mut codes = schema.type_list().to_vec();
            codes.sort_unstable();
            codes
        };
        let schema = infer(&rows).unwrap();
        rows.reverse();
        prop_assert_eq!(codes(infer(&rows).unwrap()), codes(schema));
    }

    #[test]
    fn damaged_bytes_give_errors(rows in table(), at in any::<prop::sample::Index>(), bit in 0u8..8) {
        for wire in WIRES {
            let bytes = Options::from(wire).dumps(&rows).unwrap();
            let cut = at.index(bytes.len());
            prop_assert_eq!(loads(&bytes[..cut]).unwrap_err().kind(), ErrorKind::Decode);
            let mut flipped = bytes.clone();
            flipped[cut] ^= 1u8 << bit;
            prop_assert_eq!(loads(&flipped).unwrap_err().kind(), ErrorKind::Decode);
        }
    }

    #[test]
    fn any_schema_text_is_a_schema_or_an_error(text in "[\\[\\](){}:\",.?|0-9a-z ]{0,40}|.{0,20}") {
        if let Err(error) = Schema::parse(&text) {
            prop_assert!(matches!(error.kind(), ErrorKind::Schema | ErrorKind::Limit), "{}", error);
        }
    }
}

#[test]
fn alternating_types_do_not_need_a_frame_for_each_row() {
    let rows: Vec<Value> =
        (0..10_000).map(|i| if i % 2 == 0 { Value::I64(i) } else { "x".into() }).collect();
    let bytes = Options::from(Wire::Frame).dumps(&rows).unwrap();
    assert!(bytes.len() < 10_000 * 3, "{}", bytes.len());
    assert_eq!(loads(&bytes).unwrap(), rows);
}

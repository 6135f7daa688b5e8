//! Compiled code beside the interpreter, for Rust values: the same bytes, and the same errors.

mod common;

use common::{WIRES, any_value, table};
use proptest::prelude::*;
use serow::{Codec, Schema, Value, Wire, dumps_as, infer};

/// That `rows` are encoded as without code; `dumps` has none.
fn rows_come_to_the_same(rows: &[Value]) {
    let schema = infer(rows).expect("the rows have a schema");
    for wire in WIRES {
        let codec = Codec::compile(&schema, wire);
        assert_eq!(codec.tier(), "jit");
        let message = codec.encode(rows).expect("the rows fit");
        assert_eq!(codec.decode(&message).expect("it was just encoded"), rows);
        if rows.len() < 64 {
            assert_eq!(message, dumps_as(rows, wire).expect("the rows fit"));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn mixed_rows(rows in prop::collection::vec(any_value(), 0..20)) {
        rows_come_to_the_same(&rows);
    }

    #[test]
    fn tables(rows in table()) {
        rows_come_to_the_same(&rows);
    }

    #[test]
    fn rows_that_do_not_fit(rows in table(), other in any_value(), at in any::<prop::sample::Index>()) {
        let schema = infer(&rows).expect("the rows have a schema");
        let mut rows = rows;
        rows.insert(at.index(rows.len() + 1), other);
        for wire in WIRES {
            let codec = Codec::compile(&schema, wire);
            match codec.encode(&rows) {
                Ok(message) => prop_assert_eq!(codec.decode(&message).unwrap(), rows.clone()),
                Err(error) => prop_assert!(error.to_string().contains("row "), "{}", error),
            }
        }
    }
}

#[test]
fn text_of_every_length_and_at_every_place() {
    let rows: Vec<Value> = (0..300)
        .flat_map(|len| [Value::from("x".repeat(len)), Value::from("é".repeat(len))])
        .collect();
    rows_come_to_the_same(&rows);
}

#[test]
fn the_ir_can_be_read() {
    let codec = Codec::compile(&Schema::parse("(i64, str?)").unwrap(), Wire::Row);
    assert!(codec.ir().unwrap().contains("define i64 @serow("));
}

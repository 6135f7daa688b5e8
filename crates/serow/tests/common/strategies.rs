//! Random types, and random rows of a type or of no common type.

use proptest::prelude::*;
use serow::Value;

/// Any value: scalars from everywhere, lists and tuples of them.
pub fn any_value() -> impl Strategy<Value = Value> {
    scalar().prop_recursive(4, 64, 8, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..8).prop_map(Value::List),
            prop::collection::vec(inner.clone(), 0..5).prop_map(Value::Tuple),
            (inner, 0usize..40).prop_map(|(v, n)| Value::List(vec![v; n])),
        ]
    })
}

fn scalar() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::Bool),
        any::<i64>().prop_map(Value::I64),
        (-300i64..300).prop_map(Value::I64),
        any::<u64>().prop_map(|bits| Value::F64(f64::from_bits(bits))),
        (-100_000i32..100_000).prop_map(|v| Value::F64(f64::from(v) / 100.0)),
        prop::sample::select(vec![0.0, -0.0, f64::NAN, f64::INFINITY]).prop_map(Value::F64),
        any::<String>().prop_map(Value::from),
        "[a-c]{0,3}".prop_map(Value::from),
    ]
}

/// Rows that look like a table: each is made of one of a few prototypes, with other scalars.
pub fn table() -> impl Strategy<Value = Vec<Value>> {
    prop::collection::vec(any_value(), 1..4).prop_flat_map(|prototypes| {
        let row = prop::sample::select(prototypes).prop_flat_map(|prototype| varied(&prototype));
        prop::collection::vec(row, 0..200)
    })
}

/// Values like `prototype`, with other scalars and now and then a null.
fn varied(prototype: &Value) -> BoxedStrategy<Value> {
    match prototype {
        Value::Null => Just(Value::Null).boxed(),
        Value::Bool(_) => any::<bool>().prop_map(Value::Bool).boxed(),
        Value::I64(v) => {
            let v = *v;
            prop_oneof![
                8 => (-3i64..3).prop_map(move |d| Value::I64(v.wrapping_add(d))),
                1 => Just(Value::Null)
            ]
            .boxed()
        }
        Value::F64(v) => {
            let v = *v;
            prop_oneof![Just(Value::F64(v)), Just(Value::F64(v + 0.25)), Just(Value::Null)].boxed()
        }
        Value::Str(v) => {
            let v = v.clone();
            prop_oneof!["[ab]{0,2}".prop_map(Value::from), Just(Value::Str(v))].boxed()
        }
        Value::List(fields) => {
            fields.iter().map(varied).collect::<Vec<_>>().prop_map(Value::List).boxed()
        }
        Value::Tuple(fields) => {
            fields.iter().map(varied).collect::<Vec<_>>().prop_map(Value::Tuple).boxed()
        }
    }
}

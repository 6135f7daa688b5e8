//! `Value`s as JSON and back, for programs that look at rows.

use serow::{Composite, Enum, MemberValues, Value};

fn back(row: &Value) -> Value {
    serde_json::from_str(&serde_json::to_string(row).unwrap()).unwrap()
}

#[test]
fn what_json_has_comes_back() {
    let rows = [
        Value::Null,
        true.into(),
        (-7).into(),
        u64::MAX.into(),
        2.5.into(),
        "größe".into(),
        vec![1.into(), Value::Null].into(),
        Value::dict([("a", 1.into()), ("b", Value::dict([("c", vec![].into())]))]),
    ];
    for row in rows {
        assert_eq!(back(&row), row);
    }
}

#[test]
fn what_json_lacks_is_text_or_a_sequence() {
    let color = Enum::new("Color", ["RED", "GREEN"]);
    let status = Enum::new("Status", ["OK"]).with_values(MemberValues::Ints(vec![200]));
    let cases: [(Value, &str); 8] = [
        (Composite::date(20_000).into(), r#""2024-10-04""#),
        (Composite::decimal(-125, -1).into(), r#""-12.5""#),
        (Composite::complex(1.5, -2.0).into(), "[1.5,-2.0]"),
        (Composite::bytes(b"\x00\xff").into(), "[0,255]"),
        (Value::Tuple(vec![1.into(), "a".into()]), r#"[1,"a"]"#),
        (Value::Map(vec![[7.into(), 1.into()]]), r#"{"7":1}"#),
        (Value::Enum(color.into(), 1), r#""GREEN""#),
        (Value::Enum(status.into(), 0), "200"),
    ];
    for (value, json) in cases {
        assert_eq!(serde_json::to_string(&value).unwrap(), json);
    }
    let large = Value::from(i128::MAX);
    assert_eq!(serde_json::to_string(&large).unwrap(), i128::MAX.to_string());
}

//! The types of serow that serde's types become.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

#[track_caller]
fn has_schema<T: Serialize>(rows: &[T], schema: &str) {
    assert_eq!(serow::serde::infer(rows).unwrap().to_string(), schema);
}

#[derive(Serialize, PartialEq, Eq, PartialOrd, Ord)]
struct Unit;

#[derive(Serialize)]
struct Newtype(i32);

#[derive(Serialize)]
struct Pair(i32, bool);

#[derive(Serialize)]
struct Part {
    key: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'static str>,
}

#[derive(Serialize)]
enum Shape {
    Point,
    Line,
    Circle(f32),
    Box(i32, i32),
    Part { key: u8 },
}

#[test]
fn each_item_of_serdes_data_model() {
    has_schema(&[true], "bool");
    has_schema(&[1u8], "u8");
    has_schema(&[-1i16], "i16");
    has_schema(&[u64::MAX], "u64");
    has_schema(&[1i128], "i64");
    has_schema(&[1, i128::from(u64::MAX)], "int");
    has_schema(&[0.5f32], "f32");
    has_schema(&['a'], "str");
    has_schema(&["a"], "str");
    has_schema(&[()], "null");
    has_schema(&[Unit], "null");
    has_schema(&[None, Some(1)], "i32?");
    has_schema(&[None::<i32>], "null");
    has_schema(&[Some(None), Some(Some(1)), None], "(i32?,)?");
    has_schema(&[Some(()), None], "(null,)?");
    has_schema(&[Newtype(1)], "i32");
    has_schema(&[Pair(1, true)], "(i32, bool)");
    has_schema(&[[1, 2]], "(i32, i32)");
    has_schema(&[vec![1, 2]], "[i32]");
    has_schema(&[vec![(); 0]], "[never]");
    has_schema(&[BTreeSet::from([1])], "[i32]");
    has_schema(&[BTreeMap::from([("a", 1)])], "{str: i32}");
    has_schema(&[BTreeMap::from([(vec![1], 1)])], "[([i32], i32)]");
    has_schema(&[Part { key: 1, name: Some("a") }], "Part{key: u32, name: str}");
    has_schema(&[Part { key: 1, name: None }], r#"{"key": u32, "name"?: never}"#);
    has_schema(&[Shape::Point, Shape::Line], "enum Shape{Line, Point}");
    has_schema(&[Shape::Circle(0.5)], r#""Shape::Circle"{"0": f32}"#);
    has_schema(&[Shape::Box(1, 2)], r#""Shape::Box"{"0": (i32, i32)}"#);
    has_schema(
        &[Shape::Line, Shape::Part { key: 1 }],
        r#""Shape::Part"{key: u8}|enum Shape{Line}"#,
    );
}

/// What serde can't tell apart at one place is of the type that includes all numbers there.
#[test]
fn numbers_of_several_types_join() {
    #[derive(Serialize)]
    #[serde(untagged)]
    enum Number {
        U8(u8),
        I8(i8),
        U64(u64),
        F32(f32),
        F64(f64),
    }
    use Number::{F32, F64, I8, U8, U64};
    has_schema(&[U8(200), I8(-1)], "i16");
    has_schema(&[U8(200), U64(u64::MAX)], "u64");
    has_schema(&[I8(-1), U64(u64::MAX)], "int");
    has_schema(&[F32(0.5), F64(0.1)], "f64");
    has_schema(&[F32(0.5), U8(1)], "f32|u8");
    for rows in [vec![I8(-1), U64(u64::MAX), U8(3)], vec![U8(200), I8(-1)]] {
        let bytes = serow::serde::to_vec(&rows).unwrap();
        let back: Vec<i128> = serow::serde::from_slice(&bytes).unwrap();
        let expected = rows.iter().map(|row| match row {
            U8(v) => i128::from(*v),
            I8(v) => i128::from(*v),
            U64(v) => i128::from(*v),
            F32(_) | F64(_) => unreachable!("these are integers"),
        });
        assert_eq!(back, expected.collect::<Vec<_>>());
    }
}

#[test]
fn variants_of_one_enum_join_in_any_order() {
    let both = "enum Shape{Line, Point}";
    has_schema(&[Shape::Line, Shape::Point, Shape::Line], both);
    has_schema(&[vec![Shape::Line], vec![], vec![Shape::Point]], &format!("[{both}]"));
    has_schema(
        &[(1, Some(Shape::Point)), (2, None), (3, Some(Shape::Line))],
        "(i32, enum Shape{Line, Point}?)",
    );
    let mut writer = serow::Writer::typed(Vec::new());
    for (row, schema) in [(Shape::Point, "enum Shape{Point}"), (Shape::Line, both)] {
        writer.write(&row).unwrap();
        assert_eq!(writer.schema().unwrap().to_string(), schema);
    }
}

#[test]
fn a_field_that_is_sometimes_left_out_may_be_missing() {
    has_schema(
        &[Part { key: 1, name: Some("a") }, Part { key: 1, name: None }],
        r#"{"key": u32, "name"?: never}|Part{key: u32, name: str}"#,
    );
}

#[test]
fn a_struct_with_two_fields_of_one_name_has_no_schema() {
    #[derive(Serialize)]
    struct Twice {
        a: i32,
        #[serde(rename = "a")]
        b: i32,
    }
    let error = serow::serde::to_vec(&[Twice { a: 1, b: 2 }]).unwrap_err();
    assert_eq!(error.kind(), serow::ErrorKind::Schema);
}

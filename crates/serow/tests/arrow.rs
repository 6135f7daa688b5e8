//! Types of serde as Arrow's batches, and back.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serow::arrow::arrow_array::{Array, Int32Array, RecordBatch, StringArray};
use serow::arrow::arrow_schema::DataType;
use serow::arrow::{from_batches, to_batches};
use serow::{ErrorKind, Value};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Part {
    key: i64,
    name: Option<String>,
    sizes: Vec<f64>,
    stock: BTreeMap<String, i64>,
}

fn parts() -> Vec<Part> {
    let part = |key: i64| Part {
        key,
        name: (key % 3 > 0).then(|| format!("part {key}")),
        sizes: (0..key % 4).map(|i| i as f64 / 2.0).collect(),
        stock: BTreeMap::from([("here".to_owned(), key), ("there".to_owned(), -key)]),
    };
    (0..100).map(part).collect()
}

#[test]
fn types_of_serde_come_back() {
    let (schema, batches) = serow::serde::to_batches(&parts(), 30).unwrap();
    assert_eq!(batches.iter().map(RecordBatch::num_rows).collect::<Vec<_>>(), [30, 30, 30, 10]);
    assert_eq!(*schema.field_with_name("name").unwrap().data_type(), DataType::Utf8);
    assert_eq!(batches[0].column(1).null_count(), 10);
    assert_eq!(serow::serde::from_batches::<Part>(&batches).unwrap(), parts());
    assert_eq!(serow::serde::from_batches::<Part>(&[]).unwrap(), []);
}

#[test]
fn batches_of_others_are_read() {
    let batch = RecordBatch::try_from_iter([
        ("key", Arc::new(Int32Array::from(vec![1, 2])) as Arc<dyn Array>),
        ("name", Arc::new(StringArray::from(vec![Some("a"), None]))),
    ])
    .unwrap();
    #[derive(Debug, PartialEq, Deserialize)]
    struct Row {
        key: i32,
        name: Option<String>,
    }
    let rows: Vec<Row> = serow::serde::from_batches(std::slice::from_ref(&batch)).unwrap();
    let name = Some("a".to_owned());
    assert_eq!(rows, [Row { key: 1, name }, Row { key: 2, name: None }]);
    assert_eq!(from_batches::<Value>(&[batch]).unwrap().len(), 2);
}

#[test]
fn values_that_do_not_fit_are_named() {
    let (_, batches) = to_batches(&[Value::Tuple(vec!["x".into()])], 10).unwrap();
    let error = serow::serde::from_batches::<(i64,)>(&batches).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Decode);
    assert!(error.message().starts_with("row 0"), "{error}");
}

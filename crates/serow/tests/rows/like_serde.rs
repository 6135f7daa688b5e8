//! A type that derives serde's traits too has the same schema and bytes by both, if the rows have all that the
//! type allows.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use serow::{Codec, ReadRow, Row, Wire, schema_of};

#[track_caller]
fn same<T>(rows: &[T])
where
    T: Sync
        + Send
        + PartialEq
        + std::fmt::Debug
        + Serialize
        + for<'de> Deserialize<'de>
        + Row
        + for<'m> ReadRow<'m>,
{
    let schema = schema_of::<T>().unwrap();
    assert_eq!(serow::serde::infer(rows).unwrap().to_string(), schema.to_string());
    for wire in [Wire::Row, Wire::Frame] {
        let own = Codec::of::<T>(wire).unwrap().encode(rows).unwrap();
        let by_serde = Codec::typed::<T>(&schema, wire);
        assert_eq!(by_serde.encode(rows).unwrap(), own);
        assert_eq!(by_serde.decode(&own).unwrap(), rows);
        assert_eq!(serow::from_slice::<T>(&own).unwrap(), rows);
        let record = Codec::of::<T>(wire).unwrap().encode_one(&rows[0]).unwrap();
        assert_eq!(by_serde.encode_one(&rows[0]).unwrap(), record);
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Row)]
struct Everything {
    small: (i8, i16, i32, i64, u8, u16, u32, isize),
    large: (u64, u128, i128, usize),
    floats: (f32, f64),
    text: (String, char, Box<str>),
    null: (),
    option: Option<i32>,
    nested: Option<Option<bool>>,
    unit: Option<()>,
    list: Vec<i64>,
    lists: Vec<Vec<u16>>,
    set: BTreeSet<String>,
    map: BTreeMap<(i8, i8), Option<String>>,
    pairs: BTreeMap<Vec<i32>, f64>,
    array: [u16; 4],
    none: [String; 0],
    newtype: Newtype,
    pair: Pair,
    empty: Unit,
    shapes: Vec<Shape>,
    color: Vec<Option<Color>>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Row)]
struct Newtype(f64);

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Row)]
struct Pair(i32, Option<Box<Newtype>>);

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Row)]
struct Unit;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Row)]
enum Shape {
    Unit,
    Another,
    Newtype(i32),
    Pair(i32, String),
    Nothing(),
    Fields {
        x: f32,
        y: (u8, u8),
    },
    #[serde(rename = "0")]
    #[row(rename = "0")]
    Renamed {
        #[serde(rename = "the field")]
        #[row(rename = "the field")]
        field: i32,
        other: bool,
    },
    Empty {},
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Row)]
enum Color {
    Red,
    Green,
    #[serde(rename = "dark blue")]
    #[row(rename = "dark blue")]
    Blue,
}

#[test]
fn every_shape_has_the_schema_and_the_bytes_that_serde_gives() {
    let full = Everything {
        small: (-1, 2, -3, i64::MIN, 5, 6, 7, 8),
        large: (u64::MAX, u128::MAX, i128::MIN, usize::MAX),
        floats: (0.1, 0.1),
        text: ("almond".into(), '羚', "".into()),
        null: (),
        option: Some(1),
        nested: Some(Some(true)),
        unit: Some(()),
        list: vec![1, 2, 3],
        lists: vec![vec![], vec![1, 255]],
        set: ["a".into(), "b".into()].into(),
        map: [((1, 2), None), ((1, 3), Some("x".into()))].into(),
        pairs: [(vec![], 0.5), (vec![2, 3], -0.0)].into(),
        array: [1, 2, 3, 4],
        none: [],
        newtype: Newtype(2.5),
        pair: Pair(1, Some(Box::new(Newtype(1.0)))),
        empty: Unit,
        shapes: vec![
            Shape::Unit,
            Shape::Another,
            Shape::Newtype(7),
            Shape::Pair(-1, "a".into()),
            Shape::Nothing(),
            Shape::Fields { x: 0.1, y: (1, 2) },
            Shape::Renamed { field: 1, other: false },
            Shape::Empty {},
        ],
        color: vec![Some(Color::Red), None, Some(Color::Blue), Some(Color::Green)],
    };
    let other = Everything {
        option: None,
        nested: Some(None),
        unit: None,
        list: vec![],
        lists: vec![],
        set: [].into(),
        map: [].into(),
        pair: Pair(2, None),
        shapes: vec![],
        color: vec![],
        ..full.clone()
    };
    let last = Everything { nested: None, ..full.clone() };
    same(&[full.clone(), other, last]);
}

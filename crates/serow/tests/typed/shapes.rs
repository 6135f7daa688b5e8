//! Wide and deep types, and long messages.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serow::{ErrorKind, Wire};

use crate::come_back;

macro_rules! wide {
    ($($field:ident)*) => {
        #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
        struct Wide {
            $($field: (u16, Option<String>, f32, Vec<bool>),)*
        }

        impl Wide {
            fn of(n: u16) -> Wide {
                Wide { $($field: (n, Some(stringify!($field).into()), f32::from(n) / 3.0, vec![true]),)* }
            }
        }
    };
}

wide! {
    a0 a1 a2 a3 a4 a5 a6 a7 a8 a9 b0 b1 b2 b3 b4 b5 b6 b7 b8 b9 c0 c1 c2 c3 c4 c5 c6 c7 c8 c9
    d0 d1 d2 d3 d4 d5 d6 d7 d8 d9 e0 e1 e2 e3 e4 e5 e6 e7 e8 e9 f0 f1 f2 f3 f4 f5 f6 f7 f8 f9
    g0 g1 g2 g3 g4 g5 g6 g7 g8 g9 h0 h1 h2 h3 h4 h5 h6 h7 h8 h9 i0 i1 i2 i3 i4 i5 i6 i7 i8 i9
    j0 j1 j2 j3 j4 j5 j6 j7 j8 j9 k0 k1 k2 k3 k4 k5 k6 k7 k8 k9 l0 l1 l2 l3 l4 l5 l6 l7 l8 l9
}

#[test]
fn wide_types() {
    come_back(&[Wide::default(), Wide::of(1), Wide::of(2)]);
    let wide: Vec<BTreeMap<String, u64>> =
        vec![(0..20_000).map(|i| (format!("key {i}"), i)).collect(), BTreeMap::new()];
    come_back(&wide);
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Node {
    value: i32,
    children: Vec<Node>,
}

fn chain(depth: usize) -> Node {
    (1..depth).fold(Node { value: 0, children: vec![] }, |node, value| Node {
        value: value as i32,
        children: vec![node],
    })
}

#[test]
fn types_that_contain_themselves() {
    let tree = Node {
        value: 1,
        children: vec![chain(5), chain(1), Node { value: 2, children: vec![chain(3), chain(2)] }],
    };
    come_back(&[tree, chain(1), chain(10)]);
    // A node and its list are two levels.
    come_back(&[chain(31)]);
    for depth in [33, 40, 1000] {
        for wire in [Wire::Row, Wire::Frame] {
            let error = serow::serde::to_vec_with(&[chain(depth)], wire.into()).unwrap_err();
            assert_eq!((error.kind(), error.row()), (ErrorKind::Limit, Some(0)), "{error}");
        }
    }
}

#[test]
fn long_messages() {
    let rows: Vec<(u32, Option<f32>, String)> = (0..150_000)
        .map(|i| (i, (i % 3 > 0).then_some(i as f32 / 7.0), format!("row {}", i % 100)))
        .collect();
    let bytes = serow::serde::to_vec(&rows).unwrap();
    assert_eq!(serow::serde::from_slice::<(u32, Option<f32>, String)>(&bytes).unwrap(), rows);
}

#[test]
fn one_long_row() {
    let row: Vec<[f32; 3]> = (0..200_000).map(|i| [i as f32, i as f32 / 3.0, -0.0]).collect();
    let bytes = serow::serde::to_vec(std::slice::from_ref(&row)).unwrap();
    assert!(bytes.len() < 12 * row.len());
    assert_eq!(serow::serde::from_slice::<Vec<[f32; 3]>>(&bytes).unwrap(), [row]);
    let units = vec![vec![(); 1_000_000]];
    assert_eq!(
        serow::serde::from_slice::<Vec<()>>(&serow::serde::to_vec(&units).unwrap()).unwrap(),
        units
    );
}

#[test]
fn no_rows() {
    let bytes = serow::serde::to_vec::<Node>(&[]).unwrap();
    assert_eq!(serow::serde::from_slice::<Node>(&bytes).unwrap(), []);
    assert_eq!(serow::serde::from_slice::<String>(&bytes).unwrap(), [""; 0]);
}

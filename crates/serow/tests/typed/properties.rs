//! Random rows come back.

use std::collections::{BTreeMap, HashMap};

use proptest::collection::{btree_map, hash_map, vec};
use proptest::option;
use proptest::prelude::*;
use serde::{Deserialize, Serialize};

use crate::come_back_as;

#[derive(Clone, Debug, Serialize, Deserialize)]
struct Row {
    tiny: i8,
    id: u64,
    huge: i128,
    name: String,
    letter: char,
    flag: bool,
    single: f32,
    double: f64,
    maybe: Option<Option<bool>>,
    pair: (i32, Option<String>),
    point: [f32; 3],
    kinds: Vec<Kind>,
    map: BTreeMap<String, Kind>,
    lists: HashMap<i32, Vec<u16>>,
    odd: BTreeMap<Vec<u8>, Option<()>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    left_out: Option<i32>,
    tagged: Tagged,
    untagged: Untagged,
    #[serde(flatten)]
    flat: Flat,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct Flat {
    extra: Option<u8>,
    #[serde(rename = "more fields")]
    more: Vec<Untagged>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
enum Kind {
    Unit,
    Other,
    Newtype(u32),
    Tuple(f32, String),
    Fields { a: Option<i64>, b: Vec<Kind> },
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "tag")]
enum Tagged {
    Unit,
    Fields { x: i32, kind: Kind },
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(untagged)]
enum Untagged {
    Int(i64),
    Text(String),
    List(Vec<Untagged>),
    Fields { left: i32, right: Option<String> },
}

fn kind() -> impl Strategy<Value = Kind> {
    let leaf = prop_oneof![
        Just(Kind::Unit),
        Just(Kind::Other),
        any::<u32>().prop_map(Kind::Newtype),
        (any::<u32>(), ".{0,4}").prop_map(|(bits, s)| Kind::Tuple(f32::from_bits(bits), s)),
    ];
    leaf.prop_recursive(3, 12, 4, |kind| {
        (option::of(any::<i64>()), vec(kind, 0..4)).prop_map(|(a, b)| Kind::Fields { a, b })
    })
}

fn untagged() -> impl Strategy<Value = Untagged> {
    let leaf = prop_oneof![
        any::<i64>().prop_map(Untagged::Int),
        ".{0,4}".prop_map(Untagged::Text),
        (any::<i32>(), option::of(".{0,3}"))
            .prop_map(|(left, right)| Untagged::Fields { left, right }),
    ];
    leaf.prop_recursive(3, 12, 4, |value| vec(value, 0..4).prop_map(Untagged::List))
}

fn tagged() -> impl Strategy<Value = Tagged> {
    prop_oneof![
        Just(Tagged::Unit),
        (any::<i32>(), kind()).prop_map(|(x, kind)| Tagged::Fields { x, kind }),
    ]
}

prop_compose! {
    fn row()(
        scalars in (any::<(i8, u64, i128, char, bool, u32, u64, [u32; 3])>(), ".{0,6}"),
        maybe in option::of(option::of(any::<bool>())),
        pair in (any::<i32>(), option::of("[a-c]{0,3}")),
        kinds in vec(kind(), 0..4),
        map in btree_map("[a-d]", kind(), 0..3),
        lists in hash_map(any::<i32>(), vec(any::<u16>(), 0..5), 0..3),
        odd in btree_map(vec(any::<u8>(), 0..3), option::of(Just(())), 0..3),
        left_out in option::of(any::<i32>()),
        tagged in tagged(),
        untagged in untagged(),
        flat in (option::of(any::<u8>()), vec(untagged(), 0..3)),
    ) -> Row {
        let ((tiny, id, huge, letter, flag, single, double, point), name) = scalars;
        let (extra, more) = flat;
        Row {
            tiny, id, huge, name, letter, flag, maybe, pair, kinds, map, lists, odd, left_out,
            tagged, untagged,
            single: f32::from_bits(single),
            double: f64::from_bits(double),
            point: point.map(f32::from_bits),
            flat: Flat { extra, more },
        }
    }
}

/// Returns the text of a value, with each float by its bits.
fn shown(row: &Row) -> String {
    let bits = (row.single.to_bits(), row.double.to_bits(), row.point.map(f32::to_bits));
    let kinds: Vec<_> = row.kinds.iter().map(kind_bits).collect();
    let mapped: Vec<_> = row.map.values().map(kind_bits).collect();
    let mut lists: Vec<_> = row.lists.iter().collect();
    lists.sort();
    let row = Row { lists: HashMap::new(), ..row.clone() };
    format!("{row:?} {lists:?} {bits:?} {kinds:?} {mapped:?}")
}

fn kind_bits(kind: &Kind) -> Vec<u32> {
    match kind {
        Kind::Tuple(v, _) => vec![v.to_bits()],
        Kind::Fields { b, .. } => b.iter().flat_map(kind_bits).collect(),
        _ => vec![],
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn random_rows_come_back(rows in vec(row(), 1..12)) {
        come_back_as(&rows, |a, b| shown(a) == shown(b));
    }

    #[test]
    fn random_bytes_are_an_error(bytes in vec(any::<u8>(), 0..200)) {
        let message = [b"SROW\x01\0\0\0", &bytes[..]].concat();
        prop_assert!(serow::serde::from_slice::<Row>(&message).is_err());
        prop_assert!(serow::serde::from_slice::<Kind>(&bytes).is_err());
    }

    #[test]
    fn a_new_version_reads_random_rows(rows in vec(row(), 1..8)) {
        #[derive(Debug, Deserialize)]
        struct Renamed {
            #[serde(default)]
            added: Vec<String>,
            #[serde(alias = "name")]
            title: String,
            id: u128,
            kinds: Vec<Kind>,
            unknown: Option<i32>,
        }
        let back: Vec<Renamed> = serow::serde::from_slice(&serow::serde::to_vec(&rows).unwrap()).unwrap();
        for (new, old) in back.iter().zip(&rows) {
            prop_assert!(new.added.is_empty() && new.unknown.is_none());
            prop_assert_eq!((&new.title, new.id), (&old.name, u128::from(old.id)));
            let bits = |kinds: &[Kind]| kinds.iter().map(kind_bits).collect::<Vec<_>>();
            prop_assert_eq!(bits(&new.kinds), bits(&old.kinds));
        }
        prop_assert_eq!(back.len(), rows.len());
    }
}

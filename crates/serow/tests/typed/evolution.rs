//! Types that read rows of other versions of them.

use std::collections::BTreeMap;
use std::fmt::Debug;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serow::{Codec, SchemaSet, Wire};

#[track_caller]
fn becomes<A, B>(before: &[A], after: &[B])
where
    A: Serialize + Sync,
    B: Serialize + DeserializeOwned + PartialEq + Debug + Send,
{
    let schemas = SchemaSet::default();
    let new = Codec::infer_typed(after, Wire::Row).unwrap().with_schemas(&schemas);
    for wire in [Wire::Row, Wire::Frame] {
        let old = Codec::infer_typed(before, wire).unwrap();
        assert_eq!(new.decode(&old.encode(before).unwrap()).unwrap(), after);
        schemas.add(old.schema()).unwrap();
        for (before, after) in before.iter().zip(after) {
            assert_eq!(new.decode_one(&old.encode_one(before).unwrap()).unwrap(), *after);
        }
    }
}

type Removed = Vec<Option<(i32, BTreeMap<String, Vec<u8>>)>>;

#[derive(Serialize, Deserialize, Debug, PartialEq)]
struct First {
    key: u8,
    name: String,
    retail: f32,
    removed: Removed,
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
struct Second {
    size: Option<i32>,
    #[serde(alias = "name")]
    title: String,
    #[serde(default = "seven")]
    added: u64,
    retail: f64,
    key: i128,
    #[serde(default)]
    tags: Vec<String>,
}

fn seven() -> u64 {
    7
}

fn first(key: u8) -> First {
    let map = BTreeMap::from([("a".to_string(), vec![1, 2]), ("b".to_string(), vec![])]);
    First { key, name: format!("part {key}"), retail: 0.5, removed: vec![None, Some((1, map))] }
}

fn second(key: u8) -> Second {
    Second {
        size: None,
        title: format!("part {key}"),
        added: 7,
        retail: 0.5,
        key: key.into(),
        tags: vec![],
    }
}

#[test]
fn fields_are_added_removed_renamed_and_reordered() {
    becomes(&[first(1), first(2), first(3)], &[second(1), second(2), second(3)]);
    // Within lists, options and variants too.
    becomes(&[vec![first(1), first(2)], vec![]], &[vec![second(1), second(2)], vec![]]);
    becomes(&[(1, Some(first(1))), (2, None)], &[(1u64, Some(second(1))), (2, None)]);
    becomes(&[Ok(first(1)), Err(1)], &[Ok(second(1)), Err(1u8)]);
}

#[test]
fn a_type_that_denies_unknown_fields_says_so() {
    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    #[allow(dead_code, reason = "it is never made")]
    struct Strict {
        key: u8,
    }
    let error = serow::serde::from_slice::<Strict>(&serow::serde::to_vec(&[first(1)]).unwrap())
        .unwrap_err();
    assert!(error.message().contains("unknown field `name`, expected `key`"), "{error}");
}

#[test]
fn variants_change_their_contents() {
    #[derive(Serialize)]
    enum Before {
        Unit,
        Newtype(First),
        Fields { x: i32, y: i32 },
        Pair(i32, bool),
    }
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    enum After {
        #[serde(alias = "Unit")]
        Renamed,
        Newtype(Second),
        Fields(Point),
        Pair(i64, bool),
        New(u8),
    }
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Point {
        y: f64,
        x: i32,
    }
    becomes(
        &[
            Before::Unit,
            Before::Newtype(first(1)),
            Before::Fields { x: 1, y: 2 },
            Before::Pair(3, true),
        ],
        &[
            After::Renamed,
            After::Newtype(second(1)),
            After::Fields(Point { y: 2.0, x: 1 }),
            After::Pair(3, true),
        ],
    );
    becomes(&[After::New(1), After::Renamed], &[After::New(1), After::Renamed]);
}

#[test]
fn values_become_optional_and_tuples_become_lists() {
    becomes(&[1u8, 2], &[Some(1i64), Some(2)]);
    becomes(&[(1, 2), (3, 4)], &[vec![1, 2], vec![3, 4]]);
    becomes(&[vec![1, 2]], &[(1, 2)]);
    becomes(&[first(9)], &[BTreeMap::from([("key".to_string(), Part::Int(9))])].map(Partial));

    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    #[serde(untagged)]
    enum Part {
        Int(i64),
    }
    #[derive(Debug, PartialEq, Serialize)]
    struct Partial(BTreeMap<String, Part>);
    impl<'de> Deserialize<'de> for Partial {
        fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Partial, D::Error> {
            #[derive(Deserialize)]
            struct Key {
                key: Part,
            }
            let Key { key } = Key::deserialize(deserializer)?;
            Ok(Partial(BTreeMap::from([("key".to_string(), key)])))
        }
    }
}

/// A type that has the record's fields, but its `Deserialize` accepts only maps.
#[derive(Debug, PartialEq, Serialize)]
struct ByHand {
    x: i32,
    y: String,
}

impl<'de> Deserialize<'de> for ByHand {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<ByHand, D::Error> {
        struct Visitor;
        impl<'de> serde::de::Visitor<'de> for Visitor {
            type Value = ByHand;
            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("a map")
            }
            fn visit_map<A: serde::de::MapAccess<'de>>(
                self,
                mut map: A,
            ) -> Result<ByHand, A::Error> {
                let (_, x) = map.next_entry::<String, i32>()?.expect("there is an x");
                let (_, y) = map.next_entry::<String, String>()?.expect("there is a y");
                Ok(ByHand { x, y })
            }
        }
        deserializer.deserialize_struct("ByHand", &["x", "y"], Visitor)
    }
}

#[test]
fn a_type_may_accept_only_maps() {
    crate::come_back(&[ByHand { x: 1, y: "a".into() }, ByHand { x: 2, y: "b".into() }]);
}

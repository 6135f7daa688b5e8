//! Enums in all of serde's representations, flattened structs, and other attributes.

use std::collections::{BTreeMap, HashMap};

use serde::{Deserialize, Serialize};
use serow::serde::from_slice;
use serow::{Options, Schema, Value, Wire};
use serow_core::schema::Type;

use crate::come_back;

macro_rules! enums {
    ($($(#[$attribute:meta])* $name:ident,)*) => {$(
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
        $(#[$attribute])*
        enum $name {
            Unit,
            Struct { a: i32, b: Option<String> },
            Other { a: Vec<f64> },
            Empty {},
            Map(BTreeMap<String, i8>),
        }

        impl $name {
            fn all() -> Vec<$name> {
                vec![
                    $name::Unit,
                    $name::Struct { a: -1, b: None },
                    $name::Struct { a: 1, b: Some("x".into()) },
                    $name::Other { a: vec![0.5] },
                    $name::Other { a: vec![] },
                    $name::Empty {},
                    $name::Map([("key".to_string(), 1)].into()),
                ]
            }
        }
    )*};
}

enums! {
    External,
    #[serde(tag = "type")] Internal,
    #[serde(tag = "t", content = "c")] Adjacent,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
enum Every {
    Unit,
    Another,
    Newtype(i32),
    List(Vec<Every>),
    Nested(Option<Box<Every>>),
    Pair(i32, String),
    Nothing(),
    Fields {
        x: f32,
        y: (u8, u8),
    },
    #[serde(rename = "0")]
    Renamed {
        #[serde(rename = "0")]
        zero: Option<i32>,
    },
    NewUnit(()),
    Internal(Internal),
}

fn every() -> Vec<Every> {
    vec![
        Every::Unit,
        Every::Another,
        Every::Newtype(7),
        Every::List(vec![]),
        Every::List(vec![Every::Unit, Every::List(vec![Every::Pair(1, "a".into())])]),
        Every::Nested(None),
        Every::Nested(Some(Box::new(Every::Nested(None)))),
        Every::Pair(-1, "".into()),
        Every::Nothing(),
        Every::Fields { x: 0.1, y: (1, 2) },
        Every::Renamed { zero: None },
        Every::Renamed { zero: Some(1) },
        Every::NewUnit(()),
        Every::Internal(Internal::Struct { a: 1, b: None }),
    ]
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
enum Untagged {
    Unit,
    Bool(bool),
    Int(i64),
    Float(f64),
    Text(String),
    List(Vec<Untagged>),
    Tagged(External),
    Point { x: i32, y: i32 },
    Inner { inner: Box<Untagged> },
}

fn untagged() -> Vec<Untagged> {
    vec![
        Untagged::Unit,
        Untagged::Bool(true),
        Untagged::Int(-5),
        Untagged::Float(0.5),
        Untagged::Text("text".into()),
        Untagged::List(vec![Untagged::Int(1), Untagged::Text("a".into()), Untagged::Unit]),
        Untagged::Tagged(External::Struct { a: 1, b: Some("b".into()) }),
        Untagged::Tagged(External::Empty {}),
        Untagged::Point { x: 1, y: 2 },
        Untagged::Inner { inner: Box::new(Untagged::Point { x: 3, y: 4 }) },
    ]
}

#[test]
fn every_representation() {
    come_back(&External::all());
    come_back(&Internal::all());
    come_back(&Adjacent::all());
    come_back(&every());
    come_back(&untagged());
    for row in every() {
        come_back(std::slice::from_ref(&row));
        come_back(&[Some(row.clone()), None]);
        come_back(&[vec![row.clone()], vec![], vec![row; 3]]);
    }
}

#[test]
fn units_alone_are_an_enum() {
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
    enum Color {
        Red,
        Green,
        #[serde(rename = "dark blue")]
        Blue = 7,
    }
    let all = [Color::Red, Color::Green, Color::Blue];
    come_back(&all);
    come_back(&all.map(Some));
    let many: Vec<_> = (0..500).map(|i| all[if i < 400 { i % 2 } else { i % 3 }]).collect();
    come_back(&many);
    come_back(&[HashMap::from(all.map(|color| (color, color as u8)))]);
    let names: Vec<String> =
        serow::serde::from_slice(&serow::serde::to_vec(&all).unwrap()).unwrap();
    assert_eq!(names, ["Red", "Green", "dark blue"]);
}

#[test]
fn enums_inside_buffered_values() {
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    struct Flat {
        id: u32,
        #[serde(flatten)]
        shared: Shared,
        #[serde(flatten)]
        rest: BTreeMap<String, Every>,
    }
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    struct Shared {
        name: String,
        size: Option<f32>,
        variant: Every,
    }
    let rows: Vec<_> = every()
        .into_iter()
        .enumerate()
        .map(|(i, variant)| Flat {
            id: i as u32,
            shared: Shared {
                name: format!("{i}"),
                size: Some(i as f32 / 3.0),
                variant: variant.clone(),
            },
            rest: [(format!("key{}", i % 3), variant), ("more".into(), Every::Unit)].into(),
        })
        .collect();
    come_back(&rows);

    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(tag = "kind")]
    enum Outer {
        Wraps(Wrapped),
        Every { every: Every },
    }
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    struct Wrapped {
        every: Vec<Every>,
    }
    come_back(&[Outer::Wraps(Wrapped { every: every() }), Outer::Every { every: Every::Unit }]);

    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(untagged)]
    enum Either {
        Every(Every),
        Number(f64),
    }
    let mut rows: Vec<_> = every().into_iter().map(Either::Every).collect();
    rows.push(Either::Number(1.5));
    come_back(&rows);
}

#[test]
fn structs_that_leave_out_fields() {
    #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
    #[serde(default)]
    struct Config {
        #[serde(skip_serializing_if = "Option::is_none")]
        a: Option<i32>,
        always: bool,
        #[serde(skip_serializing_if = "Vec::is_empty")]
        list: Vec<String>,
        #[serde(skip_serializing_if = "Option::is_none")]
        inner: Option<Box<Config>>,
        #[serde(skip)]
        never: u8,
    }
    let full = Config {
        a: Some(1),
        always: true,
        list: vec!["x".into()],
        inner: Some(Box::new(Config::default())),
        never: 0,
    };
    let rows = vec![
        full.clone(),
        Config::default(),
        Config { a: None, ..full.clone() },
        Config { list: vec![], inner: Some(Box::new(full.clone())), ..full.clone() },
        Config { inner: None, ..full.clone() },
    ];
    come_back(&rows);
    rows.iter().for_each(|row| come_back(std::slice::from_ref(row)));
    let many: Vec<_> = (0..300).map(|i| rows[i * i % 5].clone()).collect();
    come_back(&many);

    // A default that is not null must not be taken for one.
    fn five() -> Option<i32> {
        Some(5)
    }
    fn is_five(v: &Option<i32>) -> bool {
        *v == Some(5)
    }
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    enum Event {
        Call {
            #[serde(default = "five", skip_serializing_if = "is_five")]
            times: Option<i32>,
            name: String,
        },
    }
    let call = |times| Event::Call { times, name: "f".into() };
    come_back(&[call(None), call(Some(5)), call(Some(6))]);
    come_back(&[call(Some(5))]);
}

#[test]
fn other_attributes() {
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase", rename = "Other Name")]
    struct Renamed {
        first_field: i32,
        #[serde(rename = "größe")]
        second_field: (),
        #[serde(with = "as_text")]
        third_field: u64,
        r#type: Transparent,
        newtype: Newtype,
        unit: Unit,
        pair: Pair,
        generic: Generic<Option<u8>>,
    }
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(transparent)]
    struct Transparent {
        inner: Vec<i8>,
    }
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    struct Newtype(Option<Box<Newtype>>);
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    struct Unit;
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    struct Pair(i32, Option<Unit>);
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Generic<T> {
        x: T,
    }
    mod as_text {
        use serde::{Deserialize, Deserializer, Serializer, de::Error};

        pub fn serialize<S: Serializer>(v: &u64, serializer: S) -> Result<S::Ok, S::Error> {
            serializer.collect_str(v)
        }

        pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
            String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
        }
    }
    let row = Renamed {
        first_field: 1,
        second_field: (),
        third_field: u64::MAX,
        r#type: Transparent { inner: vec![1] },
        newtype: Newtype(Some(Box::new(Newtype(Some(Box::new(Newtype(None))))))),
        unit: Unit,
        pair: Pair(1, Some(Unit)),
        generic: Generic { x: Some(1) },
    };
    let other = Renamed {
        newtype: Newtype(None),
        pair: Pair(2, None),
        generic: Generic { x: None },
        ..row.clone()
    };
    come_back(&[row, other]);
}

#[test]
fn structs_of_one_name_at_one_place() {
    mod a {
        #[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
        #[serde(deny_unknown_fields)]
        pub struct P {
            pub x: i32,
            pub y: i32,
        }
    }
    mod b {
        #[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
        #[serde(deny_unknown_fields)]
        pub struct P {
            pub x: i32,
            pub z: String,
        }
    }
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(untagged)]
    enum Either {
        A(a::P),
        B(b::P),
    }
    let a = Either::A(a::P { x: 1, y: 2 });
    let b = Either::B(b::P { x: 1, z: "z".into() });
    come_back(&[a.clone(), b.clone(), a.clone()]);
    come_back(&[vec![a.clone(), b.clone()], vec![b, a]]);
}

#[test]
fn maps_of_several_kinds_at_one_place() {
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(untagged)]
    enum Either {
        Named(BTreeMap<String, i32>),
        List(Vec<i32>),
        Fields {
            a: i32,
            #[serde(default, skip_serializing_if = "Option::is_none")]
            b: Option<String>,
        },
    }
    let rows = [
        Either::Named([("a".into(), 1), ("b".into(), 2)].into()),
        Either::List(vec![1, 2]),
        Either::Named([].into()),
        Either::Fields { a: 1, b: Some("b".into()) },
    ];
    come_back(&rows);
    come_back(&[vec![rows[0].clone(), rows[1].clone()], rows.to_vec()]);

    // serde reads what `untagged` and `flatten` contain before it knows the type, and a map whose keys
    // are lists is a list of pairs.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    struct Flat {
        odd: BTreeMap<Vec<u8>, i32>,
        named: BTreeMap<String, i32>,
        #[serde(flatten)]
        rest: BTreeMap<String, Vec<u8>>,
    }
    let flat = Flat { odd: [].into(), named: [].into(), rest: [("x".into(), vec![1])].into() };
    let full =
        Flat { odd: [(vec![1, 2], 1)].into(), named: [("a".into(), 1)].into(), ..flat.clone() };
    come_back(&[flat.clone(), full.clone(), flat]);
    come_back(&[full]);
}

/// Members that are strs or ints in Python, for example.
#[test]
fn members_with_values_are_read_as_variants_or_as_their_values() {
    #[derive(Debug, PartialEq, Deserialize)]
    enum Plan {
        #[serde(rename = "FREE")]
        Free,
        #[serde(rename = "pro")]
        Pro,
    }

    let row = |schema: &str, member: u32| {
        let schema = Schema::parse(schema).unwrap();
        let Type::Enum(of) = schema.root() else { panic!("{schema}") };
        vec![Value::Enum(of.clone(), member)]
    };
    let plans = "enum Plan{FREE = \"free\", PRO = \"pro\"}";
    let statuses = "enum Status{OK = 200, LEAST = -1}";
    for wire in [Wire::Row, Wire::Frame] {
        let bytes = |rows: &[Value]| Options::from(wire).dumps(rows).unwrap();
        let (free, pro) = (bytes(&row(plans, 0)), bytes(&row(plans, 1)));
        assert_eq!(from_slice::<Plan>(&free).unwrap(), [Plan::Free]);
        assert_eq!(from_slice::<Plan>(&pro).unwrap(), [Plan::Pro]);
        assert_eq!(from_slice::<String>(&free).unwrap(), ["free"]);
        let (ok, least) = (bytes(&row(statuses, 0)), bytes(&row(statuses, 1)));
        assert_eq!(from_slice::<u16>(&ok).unwrap(), [200]);
        assert_eq!(from_slice::<i64>(&least).unwrap(), [-1]);
        assert!(from_slice::<u16>(&least).is_err());
        let plain = bytes(&row("enum Plan{FREE, PRO}", 0));
        assert_eq!(from_slice::<String>(&plain).unwrap(), ["FREE"]);
    }
}

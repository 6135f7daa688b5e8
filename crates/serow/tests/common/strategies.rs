//! Random types, and random rows with or without a common type.

use std::collections::HashSet;
use std::sync::Arc;

use proptest::prelude::*;
use serow::{Composite, ElementType, Enum, Logical, MemberValues, Names, NdArray, Value, infer};

/// Any value: any scalars, and lists and tuples of them.
pub fn any_value() -> impl Strategy<Value = Value> {
    scalar().prop_recursive(4, 64, 8, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..8).prop_map(Value::List),
            prop::collection::vec(inner.clone(), 0..5).prop_map(Value::Tuple),
            (inner.clone(), 0usize..40).prop_map(|(v, n)| Value::List(vec![v; n])),
            structure(inner),
            set(),
            map(),
            member(),
        ]
    })
}

/// A value that may be an element of a set.
fn hashable() -> impl Strategy<Value = Value> {
    scalar()
        .prop_filter("it is mutable", |value| match value {
            Value::Logical(made) => !matches!(made.ty(), Logical::ByteArray | Logical::NdArray),
            _ => true,
        })
        .prop_recursive(2, 8, 3, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..3).prop_map(Value::Tuple),
                prop::collection::vec(inner, 0..3).prop_map(|v| Value::FrozenSet(distinct(v))),
            ]
        })
}

/// Removes duplicates from `values`.
fn distinct(values: Vec<Value>) -> Vec<Value> {
    let mut seen = HashSet::new();
    values.into_iter().filter(|value| seen.insert(value.clone())).collect()
}

fn set() -> impl Strategy<Value = Value> {
    let elements = prop::collection::vec(hashable(), 0..6).prop_map(distinct);
    (elements, any::<bool>()).prop_map(|(elements, frozen)| match frozen {
        true => Value::FrozenSet(elements),
        false => Value::Set(elements),
    })
}

fn map() -> impl Strategy<Value = Value> {
    prop::collection::vec((hashable(), scalar()), 0..6).prop_map(|entries| {
        let (keys, values): (Vec<_>, Vec<_>) = entries.into_iter().unzip();
        let entries = distinct(keys).into_iter().zip(values);
        Value::Map(entries.map(|(key, value)| [key, value]).collect())
    })
}

/// A dict with fixed keys, or a record.
fn structure(field: impl Strategy<Value = Value> + Clone) -> impl Strategy<Value = Value> {
    let names = prop::sample::subsequence(vec!["a", "b", "", "été", "a\"b"], 0..5).prop_shuffle();
    let name = prop::option::weighted(0.3, prop::sample::select(vec!["Part", "my type"]));
    let fields = prop::collection::vec(field, 5);
    (names, name, fields).prop_map(|(names, name, mut fields)| {
        fields.truncate(names.len());
        let names =
            Names { name: name.map(Arc::from), fields: names.into_iter().map(Arc::from).collect() };
        Value::Struct(Arc::new(names), fields.into())
    })
}

fn member() -> impl Strategy<Value = Value> {
    (1u32..4, 0u32..4, 0u8..3).prop_map(|(count, member, kind)| {
        let of = Enum::new("Kind", (0..count).map(|n| format!("M{n}")));
        let values = match kind {
            0 => MemberValues::None,
            1 => MemberValues::Ints((0..count).map(|n| i64::from(n) - 1).collect()),
            _ => MemberValues::Strs((0..count).map(|n| format!("été {n}").into()).collect()),
        };
        Value::Enum(Arc::new(of.with_values(values)), member % count)
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
        composite().prop_map(Value::from),
    ]
}

/// A value of any type of several components.
fn composite() -> impl Strategy<Value = Composite> {
    prop_oneof![
        prop::collection::vec(any::<u8>(), 9..40).prop_filter_map("short", |b| Composite::int(&b)),
        prop::collection::vec(any::<u8>(), 0..40).prop_map(|b| Composite::bytes(&b)),
        any::<i64>().prop_map(Composite::date),
        (0..86_400_000_000i64).prop_filter_map("a day", Composite::time),
        any::<i64>().prop_map(Composite::timestamp),
        // Microseconds of more than 64 bits, and nanoseconds.
        (any::<i64>(), any::<i64>(), 0..2000_i64).prop_map(|(low, high, rest)| {
            let ints = [low, (high & !2047) + rest];
            Composite::of(Logical::Timestamp, &ints, &[], b"").expect("they are a timestamp")
        }),
        (any::<i64>(), 0..1_000_000_000u32)
            .prop_filter_map("a second", |(s, n)| { Composite::duration(s, n) }),
        any::<(i64, i32)>().prop_map(|(c, e)| Composite::decimal(c, e)),
        (0..100_000i64).prop_map(|cents| Composite::decimal(cents, -2)),
        any::<u128>().prop_map(Composite::uuid),
        any::<(f64, f64)>().prop_map(|(re, im)| Composite::complex(re, im)),
        nd_array(),
    ]
}

fn nd_array() -> impl Strategy<Value = Composite> {
    let of = prop::sample::select(ElementType::ALL.to_vec());
    let lengths = prop::collection::vec(0usize..4, 0..4);
    (of, lengths, any::<u8>(), any::<bool>()).prop_map(|(of, lengths, first, is_big_endian)| {
        let len = lengths.iter().product::<usize>() * of.size();
        let mut bytes = Vec::new();
        NdArray::write_shape(&lengths, &mut bytes).expect("few dimensions");
        bytes.extend((0..len).map(|at| match of {
            ElementType::Bool => (at % 2) as u8,
            _ => first.wrapping_add(at as u8),
        }));
        let code = NdArray::code(of, is_big_endian);
        Composite::of(Logical::NdArray, &[code], &[], &bytes).expect("an array")
    })
}

/// The largest number of letters in a table's schema. A field takes at least one, and the compiler
/// handles this many fields.
const MOST_LETTERS: usize = 6_000;

/// Rows that look like a table: each is made from one of a few prototypes, with other scalars.
pub fn table() -> impl Strategy<Value = Vec<Value>> {
    let tables = prop::collection::vec(any_value(), 1..4).prop_flat_map(|prototypes| {
        let row = prop::sample::select(prototypes).prop_flat_map(|prototype| varied(&prototype));
        prop::collection::vec(row, 0..200)
    });
    tables.prop_filter("it has more fields than the compiler handles", |rows| {
        infer(rows).is_ok_and(|schema| schema.to_string().len() <= MOST_LETTERS)
    })
}

/// Values like `prototype`, with other scalars and an occasional null.
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
        Value::Logical(made) => prop_oneof![
            8 => Just(made.as_ref().clone()).prop_map(Value::from),
            1 => composite().prop_map(Value::from),
            1 => Just(Value::Null),
        ]
        .boxed(),
        Value::List(fields) => {
            fields.iter().map(varied).collect::<Vec<_>>().prop_map(Value::List).boxed()
        }
        Value::Tuple(fields) => {
            fields.iter().map(varied).collect::<Vec<_>>().prop_map(Value::Tuple).boxed()
        }
        Value::Struct(names, fields) => {
            let names = names.clone();
            let there = prop::collection::vec(prop::bool::weighted(0.9), fields.len());
            let fields = fields.iter().map(varied).collect::<Vec<_>>();
            // A dict may lack keys. A record may not lack fields.
            (fields, there)
                .prop_map(move |(fields, there)| {
                    let all = names.fields.iter().cloned().zip(fields).zip(there);
                    let is_record = names.name.is_some();
                    let (names_of, fields): (Vec<_>, Vec<_>) = all
                        .filter(|(_, there)| is_record || *there)
                        .map(|(field, _)| field)
                        .unzip();
                    let names = Names { name: names.name.clone(), fields: names_of };
                    Value::Struct(Arc::new(names), fields.into())
                })
                .boxed()
        }
        Value::Set(_) | Value::FrozenSet(_) => prop_oneof![set(), Just(prototype.clone())].boxed(),
        Value::Map(_) => prop_oneof![map(), Just(prototype.clone())].boxed(),
        Value::Enum(of, _) => {
            let of = of.clone();
            (0..of.members.len() as u32).prop_map(move |n| Value::Enum(of.clone(), n)).boxed()
        }
    }
}

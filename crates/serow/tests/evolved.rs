//! Property tests with random rows and random changes to their schema. Valid messages must decode
//! to what a slow model gives, and forged messages to rows or an error.

mod common;

use std::collections::HashSet;
use std::sync::Arc;

use common::frames::{join, split};
use common::{WIRES, changes, table};
use proptest::prelude::*;
use serow::{Codec, ErrorKind, Logical, Names, Options, Schema, Value, Wire, infer};
use serow_core::schema::{Container, Type};

/// Returns a value converted to type `to`; `None` if that is impossible.
fn model(value: &Value, to: &Type, defaults: &[(String, Value)]) -> Option<Value> {
    let all = |values: &[Value], to: &Type| {
        values.iter().map(|value| model(value, to, defaults)).collect::<Option<Vec<_>>>()
    };
    let distinct = |values: Vec<Value>| {
        let mut seen = HashSet::new();
        values.iter().all(|value| seen.insert(value)).then_some(values)
    };
    Some(match (value, to) {
        (Value::Null, Type::Null | Type::Optional(_)) => Value::Null,
        (_, Type::Optional(inner)) => model(value, inner, defaults)?,
        (_, Type::Union(arms)) => model(value, arm(value, arms)?, defaults)?,
        // The reader's union lacks the arm, or only one other arm is left of it.
        (Value::Str(_), to) if *to != Type::Str => return None,
        (Value::Bool(_), to) if *to != Type::Bool => return None,
        (Value::I64(v), Type::F64) => {
            let float = *v as f64;
            (v.unsigned_abs() <= 1 << 53).then_some(Value::F64(float))?
        }
        (Value::List(v), Type::Fixed(_, fields)) | (Value::Tuple(v), Type::Fixed(_, fields)) => {
            let fields = v.iter().zip(fields).map(|(value, to)| model(value, to, defaults));
            let fields = fields.collect::<Option<_>>()?;
            if let Value::List(_) = value { Value::List(fields) } else { Value::Tuple(fields) }
        }
        (Value::List(v), Type::Sequence(_, to)) => Value::List(all(v, to)?),
        (Value::Tuple(v), Type::Sequence(_, to)) => Value::Tuple(all(v, to)?),
        (Value::Set(v), Type::Sequence(_, to)) => Value::Set(distinct(all(v, to)?)?),
        (Value::FrozenSet(v), Type::Sequence(_, to)) => Value::FrozenSet(distinct(all(v, to)?)?),
        (Value::Map(entries), Type::Map(key, to)) => {
            let (keys, values): (Vec<_>, Vec<_>) =
                entries.iter().map(|[k, v]| (k.clone(), v.clone())).unzip();
            let keys = distinct(all(&keys, key)?)?;
            Value::Map(keys.into_iter().zip(all(&values, to)?).map(|(k, v)| [k, v]).collect())
        }
        // A map may be read as a type with fixed keys.
        (Value::Map(entries), Type::Struct(_)) => {
            let entries = entries.iter().map(|[key, value]| match key {
                Value::Str(key) => Some((key.clone(), value.clone())),
                _ => None,
            });
            model(&Value::dict(entries.collect::<Option<Vec<_>>>()?), to, defaults)?
        }
        (Value::Struct(names, fields), Type::Map(key, to)) => {
            let entries = names.fields.iter().zip(fields).map(|(name, value)| {
                Some([
                    model(&Value::Str(name.clone()), key, defaults)?,
                    model(value, to, defaults)?,
                ])
            });
            Value::Map(entries.collect::<Option<_>>()?)
        }
        (Value::Struct(names, fields), Type::Struct(of)) => {
            let (mut there, mut values) = (Vec::new(), Vec::new());
            for (name, field) in of.named() {
                let have = names.fields.iter().position(|other| other == name);
                let default = defaults.iter().find(|(path, _)| path.ends_with(&**name));
                values.push(match (have, default) {
                    (Some(at), _) => model(&fields[at], &field.ty, defaults)?,
                    _ if field.maybe => continue,
                    (_, Some((_, value))) if name.starts_with("added") => value.clone(),
                    _ => Value::Null,
                });
                there.push(name.clone());
            }
            let names = Names { name: of.names.name.clone(), fields: there };
            Value::Struct(Arc::new(names), values.into())
        }
        (Value::Enum(from, member), Type::Enum(to)) => {
            let at = *member as usize;
            let same_name = to.members.iter().position(|name| *name == from.members[at]);
            let same_value = || {
                let value = from.values.get(at)?;
                (0..to.members.len()).find(|&other| to.values.get(other) == Some(value))
            };
            Value::Enum(to.clone(), same_name.or_else(same_value)? as u32)
        }
        _ => value.clone(),
    })
}

/// Returns the arm for a value. The random changes leave only one choice.
fn arm<'t>(value: &Value, arms: &'t [Type]) -> Option<&'t Type> {
    let find = |fits: &dyn Fn(&Type) -> bool| arms.iter().find(|arm| fits(arm));
    match value {
        Value::Null => None,
        Value::Bool(_) => find(&|arm| *arm == Type::Bool),
        Value::I64(_) => find(&|arm| matches!(arm, Type::I64 | Type::Logical(Logical::Int)))
            .or_else(|| find(&|arm| *arm == Type::F64)),
        Value::F64(_) => find(&|arm| *arm == Type::F64),
        Value::Str(_) => find(&|arm| *arm == Type::Str),
        Value::Logical(made) => find(&|arm| *arm == Type::Logical(made.ty())),
        Value::List(_) => find(&|arm| {
            matches!(arm, Type::Fixed(Container::List, _) | Type::Sequence(Container::List, _))
        }),
        Value::Tuple(fields) => find(&|arm| match arm {
            Type::Fixed(Container::Tuple, types) => types.len() == fields.len(),
            Type::Sequence(container, _) => *container == Container::Tuple,
            _ => false,
        }),
        Value::Set(_) => find(&|arm| matches!(arm, Type::Sequence(Container::Set, _))),
        Value::FrozenSet(_) => find(&|arm| matches!(arm, Type::Sequence(Container::FrozenSet, _))),
        Value::Struct(names, _) if names.name.is_some() => {
            find(&|arm| matches!(arm, Type::Struct(of) if of.names == *names)).or_else(|| {
                find(&|arm| matches!(arm, Type::Struct(of) if of.names.name == names.name))
            })
        }
        Value::Struct(..) | Value::Map(_) => find(&|arm| match arm {
            Type::Struct(of) => !of.is_record(),
            Type::Map(..) => true,
            _ => false,
        }),
        Value::Enum(of, _) => find(&|arm| matches!(arm, Type::Enum(to) if to == of))
            .or_else(|| find(&|arm| matches!(arm, Type::Enum(to) if to.name == of.name))),
    }
}

/// Returns a codec that reads rows of `schema` as another one, and its default values.
fn changed(schema: &Schema, seed: u64) -> Option<(Codec, Vec<(String, Value)>)> {
    let (changed, defaults) = changes::changed(schema, seed)?;
    let mut codec = Codec::new(&changed, Wire::Frame);
    for (path, value) in &defaults {
        codec = codec.with_default(path, value.clone()).unwrap();
    }
    Some((codec, defaults))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn rows_are_read_as_the_model_says(rows in table(), seed in any::<u64>()) {
        let schema = infer(&rows).unwrap();
        let Some((reader, defaults)) = changed(&schema, seed) else { return Ok(()) };
        let expected: Option<Vec<Value>> =
            rows.iter().map(|row| model(row, reader.schema().root(), &defaults)).collect();
        for wire in WIRES {
            let message = Codec::new(&schema, wire).encode(&rows).unwrap();
            match (reader.decode(&message), &expected) {
                (Ok(read), Some(expected)) => prop_assert_eq!(&read, expected),
                (Err(error), None) => prop_assert_eq!(error.kind(), ErrorKind::Decode),
                (Ok(read), None) => prop_assert!(false, "read {read:?}"),
                (Err(error), Some(_)) => prop_assert!(false, "{error}"),
            }
        }
    }

    #[test]
    fn any_rows_are_converted_or_refused(a in table(), b in table()) {
        let reader = Codec::new(&infer(&b).unwrap(), Wire::Frame);
        for wire in WIRES {
            if let Err(error) = reader.decode(&Options::from(wire).dumps(&a).unwrap()) {
                prop_assert!(matches!(error.kind(), ErrorKind::Schema | ErrorKind::Decode), "{}", error);
            }
        }
    }

    #[test]
    fn forged_messages_give_rows_or_an_error(
        rows in table(),
        seed in any::<u64>(),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..4),
    ) {
        let schema = infer(&rows).unwrap();
        let Some((reader, _)) = changed(&schema, seed) else { return Ok(()) };
        for wire in WIRES {
            let mut frames = split(&Codec::new(&schema, wire).encode(&rows).unwrap());
            let body = &mut frames[0].body;
            if body.is_empty() {
                continue;
            }
            for (at, byte) in &changes {
                let at = at.index(body.len());
                body[at] = *byte;
            }
            if let Err(error) = reader.decode(&join(&frames)) {
                prop_assert!(matches!(error.kind(), ErrorKind::Decode | ErrorKind::Limit), "{}", error);
            }
        }
    }
}

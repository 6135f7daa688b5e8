//! Generated rows of a schema, with the values at which compiled code branches.

use std::collections::HashSet;

use serow::Composite;
use serow_core::schema::{Container, Logical, Type};
use serow_core::value::Value;

/// Pseudo-random numbers with a fixed seed.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(0x1405_7B7E_F767_814F);
        self.0 >> 16
    }

    fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }
}

/// Generates `count` rows of type `ty`. Integers fit in `bits` bits, including their sign.
pub fn rows(ty: &Type, count: usize, bits: u32) -> Vec<Value> {
    let mut numbers = Numbers(count as u64);
    (0..count).map(|_| value(ty, bits, &mut numbers)).collect()
}

fn value(ty: &Type, bits: u32, numbers: &mut Numbers) -> Value {
    let mut many = |ty: &Type, most: usize| -> Vec<Value> {
        (0..numbers.below(most)).map(|_| value(ty, bits, numbers)).collect()
    };
    match ty {
        Type::I64 => {
            // Use every length, and the numbers around each power of two.
            let power = 1i64 << numbers.below(bits as usize - 1);
            let near = power.wrapping_add(numbers.below(3) as i64 - 1).min(i64::MAX >> (64 - bits));
            Value::I64(if numbers.below(2) == 0 { near } else { -near })
        }
        Type::F64 => Value::F64(numbers.next() as f32 as f64 / 8.0),
        Type::Str => {
            let lengths = [0, 1, 2, 7, 8, 15, 16, 17, 31, 63, 64, 65, 200];
            let len = lengths[numbers.below(lengths.len())];
            let text: String =
                (0..len).map(|_| char::from(b'a' + numbers.below(26) as u8)).collect();
            Value::from(if numbers.below(32) == 0 { text + "é" } else { text })
        }
        Type::Bool => Value::Bool(numbers.below(2) == 0),
        Type::Null => Value::Null,
        Type::Logical(Logical::Date) => Composite::date(numbers.below(20_000) as i64).into(),
        Type::Logical(Logical::Decimal) => {
            Composite::decimal(numbers.below(1_000_000) as i64, -2).into()
        }
        Type::Logical(Logical::Bytes) => {
            let len = [0, 1, 16, 100][numbers.below(4)];
            let bytes: Vec<u8> = (0..len).map(|_| numbers.next() as u8).collect();
            Composite::bytes(&bytes).into()
        }
        Type::Optional(inner) => match numbers.below(3) {
            0 => Value::Null,
            _ => value(inner, bits, numbers),
        },
        Type::Fixed(container, fields) => {
            let fields = fields.iter().map(|ty| value(ty, bits, numbers)).collect();
            match container {
                Container::List => Value::List(fields),
                _ => Value::Tuple(fields),
            }
        }
        Type::Sequence(Container::List, element) => Value::List(many(element, 6)),
        Type::Sequence(Container::Tuple, element) => Value::Tuple(many(element, 6)),
        Type::Sequence(Container::Set, element) => Value::Set(distinct(many(element, 6))),
        Type::Sequence(_, element) => Value::FrozenSet(distinct(many(element, 6))),
        Type::Map(key, of) => {
            let keys = distinct(many(key, 6));
            Value::Map(keys.into_iter().map(|key| [key, value(of, bits, numbers)]).collect())
        }
        Type::Struct(of) => {
            let mut names = (*of.names).clone();
            let mut fields = Vec::new();
            names.fields.clear();
            for (name, field) in of.named() {
                let value = value(&field.ty, bits, numbers);
                if !field.maybe || numbers.below(3) > 0 {
                    names.fields.push(name.clone());
                    fields.push(value);
                }
            }
            Value::Struct(names.into(), fields.into())
        }
        Type::Enum(of) => Value::Enum(of.clone(), numbers.below(of.members.len()) as u32),
        Type::Union(arms) => value(&arms[numbers.below(arms.len())], bits, numbers),
        other => panic!("no values are generated for {other}"),
    }
}

fn distinct(values: Vec<Value>) -> Vec<Value> {
    let mut seen = HashSet::new();
    values.into_iter().filter(|value| seen.insert(value.clone())).collect()
}

//! The exact text form of rows: the `.rows` files of `tests/golden/README.md`.

use std::fmt::Write;
use std::path::Path;
use std::sync::Arc;

use serow::{Composite, Enum, Logical, MemberValue, MemberValues, Names, Value};

/// The content of a `.rows` file.
pub struct Golden {
    /// The text of the schema.
    pub schema: String,
    /// The rows; `None` if one of their strings can't be a Rust string.
    pub rows: Option<Vec<Value>>,
}

/// Reads the file at `path`.
pub fn read(path: &Path) -> Golden {
    let text = std::fs::read_to_string(path).unwrap();
    let mut lines = text.lines().skip_while(|line| line.starts_with("# "));
    let schema = lines.next().and_then(|line| line.strip_prefix("schema ")).unwrap().to_string();
    let mut rows = Some(Vec::new());
    for line in lines {
        let mut words = line.split(' ');
        let repeated = line
            .strip_prefix('x')
            .map_or(1, |_| words.next().and_then(|word| word[1..].parse::<usize>().ok()).unwrap());
        match value(&mut words) {
            Some(row) => {
                assert_eq!(words.next(), None, "{line}");
                rows.as_mut().unwrap().extend(std::iter::repeat_n(row, repeated));
            }
            None => return Golden { schema, rows: None },
        }
    }
    Golden { schema, rows }
}

fn value<'a>(words: &mut impl Iterator<Item = &'a str>) -> Option<Value> {
    let word = words.next().expect("a value");
    let rest = &word[1..];
    Some(match &word[..1] {
        "n" => Value::Null,
        "b" => Value::Bool(rest == "1"),
        "i" => Value::I64(rest.parse().unwrap()),
        "f" => Value::F64(f64::from_bits(u64::from_str_radix(rest, 16).unwrap())),
        "s" => Value::from(String::from_utf8(bytes(rest)).ok()?),
        container @ ("l" | "t") => {
            let count: usize = rest.parse().unwrap();
            let elements = (0..count).map(|_| value(words)).collect::<Option<_>>()?;
            if container == "l" { Value::List(elements) } else { Value::Tuple(elements) }
        }
        "c" => {
            let ty = Logical::of_code(rest.parse().unwrap()).expect("the code of a type");
            let counts = ty.counts();
            let mut part = |kind| words.next().and_then(|word| word.strip_prefix(kind)).unwrap();
            let ints: Vec<i64> = (0..counts.ints).map(|_| part('i').parse().unwrap()).collect();
            let bits = |text| f64::from_bits(u64::from_str_radix(text, 16).unwrap());
            let floats: Vec<f64> = (0..counts.floats).map(|_| bits(part('f'))).collect();
            let bytes = if counts.bytes > 0 { bytes(part('s')) } else { Vec::new() };
            Composite::of(ty, &ints, &floats, &bytes).expect("components of a value").into()
        }
        container @ ("S" | "F") => {
            let count: usize = rest.parse().unwrap();
            let elements = (0..count).map(|_| value(words)).collect::<Option<_>>()?;
            if container == "S" { Value::Set(elements) } else { Value::FrozenSet(elements) }
        }
        "m" => {
            let count: usize = rest.parse().unwrap();
            let entry = |_| Some([value(words)?, value(words)?]);
            Value::Map((0..count).map(entry).collect::<Option<_>>()?)
        }
        kind @ ("d" | "r") => {
            let name = if kind == "r" { Some(text(words)?) } else { None };
            let (mut fields, mut values) = (Vec::new(), Vec::new());
            for _ in 0..rest.parse().unwrap() {
                fields.push(text(words)?);
                values.push(value(words)?);
            }
            Value::Struct(Names { name, fields }.into(), values.into())
        }
        "e" => {
            let name = text(words)?;
            let count: usize = words.next().unwrap().parse().unwrap();
            let members = (0..count).map(|_| text(words)).collect::<Option<Vec<_>>>()?;
            Value::Enum(Enum::new(name, members).into(), rest.parse().unwrap())
        }
        "E" => {
            let name = text(words)?;
            let count: usize = words.next().unwrap().parse().unwrap();
            let (mut members, mut ints, mut strs) = (Vec::new(), Vec::new(), Vec::new());
            for _ in 0..count {
                members.push(text(words)?);
                match value(words)? {
                    Value::I64(value) => ints.push(value),
                    Value::Str(value) => strs.push(value),
                    other => panic!("{other:?} is not the value of a member"),
                }
            }
            let values =
                if ints.is_empty() { MemberValues::Strs(strs) } else { MemberValues::Ints(ints) };
            Value::Enum(Enum::new(name, members).with_values(values).into(), rest.parse().unwrap())
        }
        other => panic!("{other} does not begin a value"),
    })
}

/// Reads a name, which is written like a string.
fn text<'a>(words: &mut impl Iterator<Item = &'a str>) -> Option<Arc<str>> {
    let word = words.next().and_then(|word| word.strip_prefix('s')).expect("a name");
    Some(String::from_utf8(bytes(word)).ok()?.into())
}

fn bytes(hex: &str) -> Vec<u8> {
    (0..hex.len()).step_by(2).map(|i| u8::from_str_radix(&hex[i..i + 2], 16).unwrap()).collect()
}

/// Returns the line of `row`.
pub fn line(row: &Value) -> String {
    let mut line = String::new();
    push(row, &mut line);
    line
}

fn push_bytes(bytes: &[u8], line: &mut String) {
    line.push('s');
    bytes.iter().for_each(|byte| write!(line, "{byte:02x}").unwrap());
}

fn push_name(name: &str, line: &mut String) {
    line.push(' ');
    push_bytes(name.as_bytes(), line);
}

fn push(value: &Value, line: &mut String) {
    match value {
        Value::Null => line.push('n'),
        Value::Bool(v) => write!(line, "b{}", u8::from(*v)).unwrap(),
        Value::I64(v) => write!(line, "i{v}").unwrap(),
        Value::F64(v) => write!(line, "f{:016x}", v.to_bits()).unwrap(),
        Value::Str(v) => push_bytes(v.as_bytes(), line),
        Value::Logical(made) => {
            write!(line, "c{}", made.ty().code()).unwrap();
            made.ints().iter().for_each(|v| write!(line, " i{v}").unwrap());
            made.floats().iter().for_each(|v| write!(line, " f{:016x}", v.to_bits()).unwrap());
            if made.ty().counts().bytes > 0 {
                line.push(' ');
                push_bytes(made.as_bytes(), line);
            }
        }
        Value::List(elements) | Value::Tuple(elements) => {
            let kind = if matches!(value, Value::List(_)) { 'l' } else { 't' };
            write!(line, "{kind}{}", elements.len()).unwrap();
            for element in elements {
                line.push(' ');
                push(element, line);
            }
        }
        Value::Set(elements) | Value::FrozenSet(elements) => {
            let kind = if matches!(value, Value::Set(_)) { 'S' } else { 'F' };
            write!(line, "{kind}{}", elements.len()).unwrap();
            // The order does not matter, so the text uses one fixed order.
            let mut lines: Vec<String> = elements.iter().map(self::line).collect();
            lines.sort();
            lines.iter().for_each(|element| write!(line, " {element}").unwrap());
        }
        Value::Map(entries) => {
            // The text of a dict does not depend on whether its schema has fixed keys.
            let is_named = entries.iter().all(|[key, _]| matches!(key, Value::Str(_)));
            write!(line, "{}{}", if is_named { 'd' } else { 'm' }, entries.len()).unwrap();
            for entry in entries.as_flattened() {
                line.push(' ');
                push(entry, line);
            }
        }
        Value::Struct(names, fields) => {
            let kind = if names.name.is_some() { 'r' } else { 'd' };
            write!(line, "{kind}{}", fields.len()).unwrap();
            if let Some(name) = &names.name {
                push_name(name, line);
            }
            for (name, field) in names.fields.iter().zip(fields) {
                push_name(name, line);
                line.push(' ');
                push(field, line);
            }
        }
        Value::Enum(of, member) => {
            let kind = if of.values == MemberValues::None { 'e' } else { 'E' };
            write!(line, "{kind}{member}").unwrap();
            push_name(&of.name, line);
            write!(line, " {}", of.members.len()).unwrap();
            for (at, name) in of.members.iter().enumerate() {
                push_name(name, line);
                match of.values.get(at) {
                    None => {}
                    Some(MemberValue::Int(value)) => write!(line, " i{value}").unwrap(),
                    Some(MemberValue::Str(value)) => push_name(value, line),
                }
            }
        }
    }
}

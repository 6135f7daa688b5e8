//! Rows as text, exactly: the `.rows` files that `tests/golden/README.md` describes.

use std::fmt::Write;
use std::path::Path;

use serow::Value;

/// What a `.rows` file says.
pub struct Golden {
    /// The text of the schema.
    pub schema: String,
    /// The rows; `None` if some string in them is not one for Rust.
    pub rows: Option<Vec<Value>>,
}

/// The file at `path`.
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
        "s" => {
            let bytes = (0..rest.len()).step_by(2);
            let bytes = bytes.map(|i| u8::from_str_radix(&rest[i..i + 2], 16).unwrap()).collect();
            Value::from(String::from_utf8(bytes).ok()?)
        }
        container @ ("l" | "t") => {
            let count: usize = rest.parse().unwrap();
            let elements = (0..count).map(|_| value(words)).collect::<Option<_>>()?;
            if container == "l" { Value::List(elements) } else { Value::Tuple(elements) }
        }
        other => panic!("no value begins with {other}"),
    })
}

/// The line of `row`.
pub fn line(row: &Value) -> String {
    let mut line = String::new();
    push(row, &mut line);
    line
}

fn push(value: &Value, line: &mut String) {
    match value {
        Value::Null => line.push('n'),
        Value::Bool(v) => write!(line, "b{}", u8::from(*v)).unwrap(),
        Value::I64(v) => write!(line, "i{v}").unwrap(),
        Value::F64(v) => write!(line, "f{:016x}", v.to_bits()).unwrap(),
        Value::Str(v) => {
            line.push('s');
            v.bytes().for_each(|byte| write!(line, "{byte:02x}").unwrap());
        }
        Value::List(elements) | Value::Tuple(elements) => {
            let kind = if matches!(value, Value::List(_)) { 'l' } else { 't' };
            write!(line, "{kind}{}", elements.len()).unwrap();
            for element in elements {
                line.push(' ');
                push(element, line);
            }
        }
    }
}

//! Descriptions of Spark's types, and the schemas and storages that they describe.
//!
//! ```text
//! type    kind            a value of this kind
//!         kind?           a value of this kind, or null
//! kind    boolean byte short int long float double string binary bytearray
//!         date timestamp timestamp_ntz interval time void
//!         decimal(18,2)
//!         array<type>
//!         map<type,type>
//!         struct{"name":type,"other":type}
//! ```
//!
//! `binary` and `bytearray` are decoded as Python's `bytes` and `bytearray`. `interval` is a day-time
//! interval. Names are JSON strings, and several fields of a struct may have the same name. Spaces are
//! allowed between tokens. The description of a row is the description of a struct.

use std::collections::HashSet;
use std::sync::Arc;

use super::storage::{SparkType, Storage, Stored, Width};
use serow_core::error::{Error, Result};
use serow_core::limits::MAX_DEPTH;
use serow_core::plan::number;
use serow_core::schema::{Container, Field, Logical, Names, Schema, Struct, Type};

/// How structs are represented.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StructsAs {
    /// Records with the names of their fields.
    Records,
    /// Tuples.
    Tuples,
    /// Rows given to Spark: like [`Records`](StructsAs::Records), but binary values may be of
    /// either bytes class of Python, and timestamps may have any time zone.
    Given,
}

/// The result of parsing a description.
#[derive(Clone, Debug)]
pub struct Described {
    /// The schema of the rows. Equal names of a struct's fields are made distinct.
    pub schema: Schema,
    /// The storage of the values in Spark's rows.
    pub storage: Storage,
    /// The names of each struct's fields as in the description, in the order of the structs in a
    /// plan.
    pub fields: Vec<Vec<String>>,
}

/// The name of all records.
const RECORD: &str = "Row";

impl Described {
    /// Parses the description of rows.
    ///
    /// # Errors
    /// A schema error with the position of a syntax error or of a type that serow lacks; a limit error
    /// if types nest too deep.
    pub fn parse(text: &str, rows: StructsAs) -> Result<Described> {
        Described::parse_if(text, rows, |root| matches!(root, Type::Struct(_) | Type::Fixed(..)))
    }

    /// Parses the description of rows, or of the values of one column.
    ///
    /// # Errors
    /// See [`Described::parse`].
    pub fn parse_any(text: &str, rows: StructsAs) -> Result<Described> {
        Described::parse_if(text, rows, |_| true)
    }

    fn parse_if(text: &str, rows: StructsAs, is_right: fn(&Type) -> bool) -> Result<Described> {
        let mut parser = Parser { text, at: 0, rows, is_key: false };
        let (root, spark) = parser.ty(0)?;
        parser.spaces();
        if parser.at < text.len() {
            return Err(parser.error("unexpected text after the type"));
        }
        if !is_right(&root) {
            return Err(parser.error("a row is a struct that can't be null"));
        }
        let schema = Schema::new(root)?;
        let mut storage = Storage::default();
        let mut fields = Vec::new();
        spark.store(&number(schema.root()), &mut storage, &mut fields);
        Ok(Described { schema, storage, fields })
    }
}

struct Parser<'a> {
    text: &'a str,
    at: usize,
    rows: StructsAs,
    /// Whether this is in a map's key, which can't be a bytearray.
    is_key: bool,
}

impl<'a> Parser<'a> {
    fn ty(&mut self, depth: usize) -> Result<(Type, SparkType)> {
        if depth > MAX_DEPTH {
            return Err(Error::limit(format!("types nest deeper than {MAX_DEPTH}")));
        }
        let (ty, spark) = self.kind(depth)?;
        Ok(match self.takes('?') && ty != Type::Null {
            true => (Type::optional(ty), spark),
            false => (ty, spark),
        })
    }

    fn kind(&mut self, depth: usize) -> Result<(Type, SparkType)> {
        use Width::{Eight, Four, One, Two};
        let begin = self.at;
        let is_given = self.rows == StructsAs::Given;
        let (ty, width, stored) = match self.word() {
            "boolean" => (Type::Bool, One, None),
            "byte" => (Type::I64, One, Some(Stored::Int(One))),
            "short" => (Type::I64, Two, Some(Stored::Int(Two))),
            "int" => (Type::I64, Four, Some(Stored::Int(Four))),
            "long" => (Type::I64, Eight, Some(Stored::Int(Eight))),
            "float" => (Type::F64, Four, None),
            "double" => (Type::F64, Eight, None),
            "string" => (Type::Str, Eight, None),
            "binary" | "bytearray" if is_given && !self.is_key => {
                let arms = [Logical::Bytes, Logical::ByteArray].map(Type::Logical);
                (Type::union(arms)?, Eight, None)
            }
            "timestamp" if is_given => {
                let arms = [Logical::Timestamp, Logical::TimestampTz].map(Type::Logical);
                (Type::union(arms)?, Eight, Some(Stored::Moment))
            }
            "binary" => (Type::Logical(Logical::Bytes), Eight, None),
            "bytearray" => (Type::Logical(Logical::ByteArray), Eight, None),
            "date" => (Type::Logical(Logical::Date), Four, Some(Stored::Date)),
            "timestamp" => (Type::Logical(Logical::Timestamp), Eight, Some(Stored::Moment)),
            "timestamp_ntz" => (Type::Logical(Logical::Timestamp), Eight, Some(Stored::Clock)),
            "interval" => (Type::Logical(Logical::Duration), Eight, Some(Stored::Interval)),
            "time" => (Type::Logical(Logical::Time), Eight, Some(Stored::Time)),
            "void" => (Type::Null, Eight, None),
            "decimal" => {
                let (precision, scale) = self.digits()?;
                let stored = Stored::Decimal { precision, scale };
                (Type::Logical(Logical::Decimal), Eight, Some(stored))
            }
            "array" => return self.array(depth),
            "map" => return self.map(depth),
            "struct" => return self.structure(depth),
            _ => {
                self.at = begin;
                return Err(self.error("expected a type"));
            }
        };
        Ok((ty, SparkType::new(width, stored)))
    }

    /// Parses a decimal's precision and scale.
    fn digits(&mut self) -> Result<(u8, u8)> {
        self.expect('(')?;
        let precision = self.number()?;
        self.expect(',')?;
        let scale = self.number()?;
        self.expect(')')?;
        match (1..=38).contains(&precision) && scale <= precision {
            true => Ok((precision, scale)),
            false => Err(self.error("a decimal has 1 to 38 digits, and its scale is at most that")),
        }
    }

    fn array(&mut self, depth: usize) -> Result<(Type, SparkType)> {
        self.expect('<')?;
        let (element, spark) = self.ty(depth + 1)?;
        self.expect('>')?;
        let stored = Some(Stored::List(spark.width));
        let list = SparkType { within: vec![spark], ..SparkType::new(Width::Eight, stored) };
        Ok((Type::Sequence(Container::List, Box::new(element)), list))
    }

    fn map(&mut self, depth: usize) -> Result<(Type, SparkType)> {
        self.expect('<')?;
        let outside = std::mem::replace(&mut self.is_key, true);
        let (key, spark_key) = self.ty(depth + 1)?;
        self.is_key = outside;
        self.expect(',')?;
        let (value, spark_value) = self.ty(depth + 1)?;
        self.expect('>')?;
        let stored = Some(Stored::Map(spark_key.width, spark_value.width));
        let within = vec![spark_key, spark_value];
        let map = SparkType { within, ..SparkType::new(Width::Eight, stored) };
        Ok((Type::Map(Box::new(key), Box::new(value)), map))
    }

    fn structure(&mut self, depth: usize) -> Result<(Type, SparkType)> {
        let mut spark = SparkType::new(Width::Eight, None);
        let mut types = Vec::new();
        self.expect('{')?;
        while !self.takes('}') {
            if !types.is_empty() {
                self.expect(',')?;
            }
            spark.names.push(self.name()?);
            self.expect(':')?;
            let (ty, within) = self.ty(depth + 1)?;
            types.push(ty);
            spark.within.push(within);
        }
        let ty = match self.rows {
            StructsAs::Tuples => Type::Fixed(Container::Tuple, types),
            StructsAs::Records | StructsAs::Given => {
                let names = Names { name: Some(RECORD.into()), fields: distinct(&spark.names) };
                let field = |ty| Field { ty, maybe: false };
                let fields = types.into_iter().map(field).collect();
                Type::Struct(Arc::new(Struct { names: Arc::new(names), fields }))
            }
        };
        Ok((ty, spark))
    }

    fn name(&mut self) -> Result<String> {
        self.expect('"')?;
        let mut name = String::new();
        loop {
            match self.next() {
                Some('"') => return Ok(name),
                Some('\\') => name.push(self.escape()?),
                Some(c) => name.push(c),
                None => return Err(self.error("a name is not terminated")),
            }
        }
    }

    fn escape(&mut self) -> Result<char> {
        let c = match self.next() {
            Some(c @ ('"' | '\\' | '/')) => c,
            Some('b') => '\u{8}',
            Some('f') => '\u{C}',
            Some('n') => '\n',
            Some('r') => '\r',
            Some('t') => '\t',
            Some('u') => {
                let first = self.unit()?;
                let mut units = vec![first];
                if (0xD800..0xDC00).contains(&first) && self.text[self.at..].starts_with("\\u") {
                    self.at += 2;
                    units.push(self.unit()?);
                }
                let mut chars = char::decode_utf16(units);
                match (chars.next(), chars.next()) {
                    (Some(Ok(c)), None) => c,
                    _ => return Err(self.error("a name has a lone surrogate")),
                }
            }
            _ => return Err(self.error("a name has an escape that is not JSON")),
        };
        Ok(c)
    }

    fn unit(&mut self) -> Result<u16> {
        let digits = self.text.get(self.at..self.at + 4).unwrap_or_default();
        if digits.len() < 4 || !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
            return Err(self.error("expected four hexadecimal digits after \\u"));
        }
        self.at += 4;
        u16::from_str_radix(digits, 16)
            .map_err(|_| self.error("expected four hexadecimal digits after \\u"))
    }

    fn number(&mut self) -> Result<u8> {
        self.spaces();
        let digits = self.take_while(|c| c.is_ascii_digit());
        digits.parse().map_err(|_| self.error("expected a number below 256"))
    }

    fn word(&mut self) -> &'a str {
        self.spaces();
        self.take_while(|c| c.is_ascii_alphabetic() || c == '_')
    }

    fn take_while(&mut self, is: impl Fn(char) -> bool) -> &'a str {
        let rest = &self.text[self.at..];
        let taken = &rest[..rest.find(|c| !is(c)).unwrap_or(rest.len())];
        self.at += taken.len();
        taken
    }

    fn spaces(&mut self) {
        self.take_while(|c| c.is_ascii_whitespace());
    }

    fn next(&mut self) -> Option<char> {
        let c = self.text[self.at..].chars().next()?;
        self.at += c.len_utf8();
        Some(c)
    }

    fn takes(&mut self, c: char) -> bool {
        self.spaces();
        let takes = self.text[self.at..].starts_with(c);
        self.at += if takes { c.len_utf8() } else { 0 };
        takes
    }

    fn expect(&mut self, c: char) -> Result<()> {
        match self.takes(c) {
            true => Ok(()),
            false => Err(self.error(&format!("expected '{c}'"))),
        }
    }

    fn error(&self, what: &str) -> Error {
        Error::schema(format!("at byte {} of the description of rows: {what}", self.at))
    }
}

/// Returns distinct names: the second `a` becomes `a (2)`.
fn distinct(names: &[String]) -> Vec<Arc<str>> {
    let mut seen: HashSet<Arc<str>> = HashSet::with_capacity(names.len());
    let given: HashSet<&str> = names.iter().map(String::as_str).collect();
    let mut counts = std::collections::HashMap::<&str, usize>::new();
    let distinct = names.iter().map(|name| {
        let mut other: Arc<str> = name.as_str().into();
        let count = counts.entry(name).or_insert(1);
        while !seen.insert(other.clone()) {
            *count += 1;
            let next = format!("{name} ({count})");
            if !given.contains(next.as_str()) {
                other = next.into();
            }
        }
        other
    });
    distinct.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::MapKey;
    use serow_core::plan::{Op, Plan};

    fn described(text: &str) -> Described {
        Described::parse(text, StructsAs::Records).unwrap()
    }

    /// Asserts that each column has a storage that fits its type.
    fn assert_stored(schema: &Schema, storage: &Storage) {
        for op in Plan::new(schema).ops {
            let is_right = match op {
                Op::I64 { from, count, .. } => (from..from + count)
                    .all(|column| matches!(storage.of_int(column), Some(Stored::Int(_)))),
                Op::Sequence { container: Container::Map, from, .. } => {
                    matches!(storage.of_int(from), Some(Stored::Map(..)))
                }
                Op::Sequence { from, .. } => matches!(storage.of_int(from), Some(Stored::List(_))),
                Op::Logical { ty, from, .. } => match (ty, storage.of_int(from.int)) {
                    (Logical::Date, stored) => stored == Some(Stored::Date),
                    (Logical::Time, stored) => stored == Some(Stored::Time),
                    (Logical::TimestampTz, stored) => stored == Some(Stored::Aware),
                    (Logical::Timestamp, stored) => {
                        matches!(stored, Some(Stored::Moment | Stored::Clock))
                    }
                    (Logical::Decimal, stored) => matches!(stored, Some(Stored::Decimal { .. })),
                    _ => true,
                },
                _ => true,
            };
            assert!(is_right, "{op:?}");
        }
    }

    #[test]
    fn rows_given_to_spark_may_have_several_classes() {
        let text = r#"struct{"a":binary?,"b":array<timestamp?>,"c":map<binary,decimal(19,1)?>?,
            "d":boolean?,"e":decimal(19,1)?,"f":decimal(9,1)?}"#;
        let Described { schema, storage, .. } = Described::parse(text, StructsAs::Given).unwrap();
        assert!(schema.to_string().starts_with("Row{a: (bytes|bytearray)?, b: [(timestamp|"));
        assert_stored(&schema, &storage);
        assert_eq!(storage.keys, [(8, MapKey::Other)]);
        let long: Vec<_> = (0..10).filter(|&bit| storage.is_long_decimal(bit)).collect();
        // The bits of a, of b's elements, and of c come first.
        assert_eq!(long, [3, 6]);
    }

    #[test]
    fn every_spark_type_has_a_serow_type() {
        let text = r#"struct{"a": boolean, "b": byte?, "c": short, "d":int, "e":long, "f":float,
            "g":double, "h":string?, "i":binary, "j":bytearray, "k":date, "l":timestamp,
            "m":timestamp_ntz, "n":interval, "o":time, "p":void?, "q":decimal(18,2),
            "r":decimal(19, 0)?, "s":array<array<short?>>, "t":map<string,struct{"x y": int}?>}"#;
        let Described { schema, storage, fields } = described(text);
        assert_eq!(
            schema.to_string(),
            "Row{a: bool, b: i64?, c: i64, d: i64, e: i64, f: f64, g: f64, h: str?, i: bytes, \
             j: bytearray, k: date, l: timestamp, m: timestamp, n: duration, o: time, p: null, \
             q: decimal, r: decimal?, s: [[i64?]], t: {str: Row{\"x y\": i64}?}}"
        );
        assert_eq!(fields.len(), 2);
        assert_eq!(fields[1], ["x y"]);
        assert_stored(&schema, &storage);
        let stored: Vec<_> = storage.ints.iter().flatten().copied().collect();
        use Width::{Eight, Four, One, Two};
        let expected = [
            Stored::Int(One),
            Stored::Int(Two),
            Stored::Int(Four),
            Stored::Int(Eight),
            Stored::Date,
            Stored::Moment,
            Stored::Clock,
            Stored::Interval,
            Stored::Time,
            Stored::Decimal { precision: 18, scale: 2 },
            Stored::Decimal { precision: 19, scale: 0 },
            Stored::List(Eight),
            Stored::List(Two),
            Stored::Int(Two),
            Stored::Map(Eight, Eight),
            Stored::Int(Four),
        ];
        assert_eq!(stored, expected);
    }

    #[test]
    fn any_name_may_occur_twice() {
        let text = r#"struct{"":int,"a":int,"a":int,"a (2)":int,"é\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00":int}"#;
        let Described { schema, fields, .. } = described(text);
        assert_eq!(fields[0], ["", "a", "a", "a (2)", "é\"\\/\u{8}\u{C}\n\r\té😀"]);
        assert!(
            schema.to_string().starts_with(r#"Row{"": i64, a: i64, "a (3)": i64, "a (2)": i64, "#)
        );
    }

    #[test]
    fn errors_have_positions() {
        for (text, said) in [
            ("", "at byte 0 of the description of rows: expected a type"),
            ("int", "a row is a struct"),
            ("struct{}?", "a row is a struct"),
            ("struct{} x", "at byte 9"),
            (r#"struct{"a":int "b":int}"#, "at byte 15 of the description of rows: expected ','"),
            (r#"struct{"a":year}"#, "at byte 11 of the description of rows: expected a type"),
            (r#"struct{"a":decimal(39,2)}"#, "38 digits"),
            (r#"struct{"a":decimal(3,4)}"#, "38 digits"),
            (r#"struct{"a":decimal(300,4)}"#, "a number below 256"),
            (r#"struct{"a"#, "not terminated"),
            (r#"struct{"\ud800":int}"#, "surrogate"),
            (r#"struct{"\ud800\u0041":int}"#, "surrogate"),
            (r#"struct{"\u00é":int}"#, "four hexadecimal digits"),
            (r#"struct{"\x":int}"#, "JSON"),
            (r#"struct{"a":map<array<int>,int>}"#, "hash"),
        ] {
            let error = Described::parse(text, StructsAs::Records).unwrap_err();
            assert!(error.message().contains(said), "{text}: {error}");
        }
        let deep = format!("{}int{}", "array<".repeat(100_000), ">".repeat(100_000));
        let error = Described::parse(&deep, StructsAs::Tuples).unwrap_err();
        assert_eq!(error.message(), "types nest deeper than 64");
    }
}

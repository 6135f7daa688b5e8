//! The text form of a schema on several lines, for files that people review: a change of one field is a
//! change of one line.

use std::fmt;

use super::Schema;
use super::names::{FROZENSET, MemberValue, Quoted, Word};
use super::types::{Container, Type};

/// What fits within so many characters stays on one line.
const WIDTH: usize = 88;
/// Spaces before what is inside.
const STEP: usize = 2;

impl Schema {
    /// Returns the text form on several lines, with a line for each field or member of the row's type and of
    /// types that are too long for one line. [`Schema::parse`] reads it.
    ///
    /// ```
    /// # use serow_core::schema::Schema;
    /// let schema = Schema::parse("Part{key: i64, tags: [str]}")?;
    /// assert_eq!(schema.pretty(), "Part{\n  key: i64,\n  tags: [str],\n}");
    /// assert_eq!(Schema::parse(&schema.pretty())?, schema);
    /// # Ok::<(), serow_core::Error>(())
    /// ```
    pub fn pretty(&self) -> String {
        let is_long = match self.root().required() {
            Type::Struct(of) => !of.fields.is_empty(),
            Type::Enum(_) => true,
            _ => false,
        };
        Lines { ty: self.root(), indent: 0, is_long }.to_string()
    }
}

/// A type that begins on a line with this indent.
struct Lines<'a> {
    ty: &'a Type,
    indent: usize,
    /// Whether it takes several lines even if it fits on one.
    is_long: bool,
}

impl<'a> Lines<'a> {
    fn of(ty: &'a Type, indent: usize) -> Lines<'a> {
        Lines { ty, indent, is_long: false }
    }

    /// Writes items, each on a line of its own.
    fn items<T>(
        &self,
        f: &mut fmt::Formatter<'_>,
        items: impl Iterator<Item = T>,
        mut write: impl FnMut(T, usize, &mut fmt::Formatter<'_>) -> fmt::Result,
    ) -> fmt::Result {
        let inside = self.indent + STEP;
        for item in items {
            write!(f, "\n{:inside$}", "")?;
            write(item, inside, f)?;
            f.write_str(",")?;
        }
        write!(f, "\n{:1$}", "", self.indent)
    }
}

impl fmt::Display for Lines<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Lines { ty, indent, is_long } = *self;
        let line = ty.to_string();
        if !is_long && indent + line.chars().count() <= WIDTH {
            return f.write_str(&line);
        }
        let within = |ty| Lines::of(ty, indent);
        match ty {
            Type::Optional(inner) => match **inner {
                Type::Union(_) => write!(f, "({})?", within(inner)),
                _ => write!(f, "{}?", Lines { ty: inner, indent, is_long }),
            },
            Type::Union(arms) => {
                for (i, arm) in arms.iter().enumerate() {
                    f.write_str(if i > 0 { "|" } else { "" })?;
                    within(arm).fmt(f)?;
                }
                Ok(())
            }
            Type::Fixed(container, fields) if !fields.is_empty() => {
                let (open, close) = match container {
                    Container::List => ("[", "]"),
                    _ => ("(", ")"),
                };
                f.write_str(open)?;
                self.items(f, fields.iter(), |ty, inside, f| Lines::of(ty, inside).fmt(f))?;
                f.write_str(close)
            }
            Type::Sequence(Container::Tuple, element) => write!(f, "({}, ...)", within(element)),
            Type::Sequence(Container::Set, element) => write!(f, "{{{}}}", within(element)),
            Type::Sequence(Container::FrozenSet, element) => {
                write!(f, "{FROZENSET}{{{}}}", within(element))
            }
            Type::Sequence(_, element) => write!(f, "[{}]", within(element)),
            Type::Map(key, value) => write!(f, "{{{}: {}}}", within(key), within(value)),
            Type::Struct(of) => {
                if let Some(name) = &of.names.name {
                    Word(name).fmt(f)?;
                }
                f.write_str("{")?;
                self.items(f, of.named(), |(name, field), inside, f| {
                    match of.is_record() {
                        true => Word(name).fmt(f)?,
                        false => Quoted(name).fmt(f)?,
                    }
                    let colon = if field.maybe { "?:" } else { ":" };
                    write!(f, "{colon} {}", Lines::of(&field.ty, inside))
                })?;
                f.write_str("}")
            }
            Type::Enum(of) => {
                write!(f, "enum {}{{", Word(&of.name))?;
                self.items(f, of.members.iter().enumerate(), |(i, member), _, f| {
                    Word(member).fmt(f)?;
                    match of.values.get(i) {
                        None => Ok(()),
                        Some(MemberValue::Int(value)) => write!(f, " = {value}"),
                        Some(MemberValue::Str(value)) => write!(f, " = {}", Quoted(value)),
                    }
                })?;
                f.write_str("}")
            }
            _ => f.write_str(&line),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_types_take_a_line_for_each_field() {
        let fields: String = (0..20).map(|i| format!("field_{i}: i64, ")).collect();
        let dict =
            format!("{{{}}}", fields.replace("field", "\"the field").replace(": i64", "\"?: i64"));
        for text in [
            "i64",
            "(i64,)?",
            "Empty{}",
            "Part{key: i64}?",
            "enum Size{S = \"\", L = \"\\\"\\u{a}\"}",
            &format!("{dict}?"),
            &format!("[{dict}?]"),
            &format!("[{dict},]"),
            &format!("frozenset{{(R{{a: Q{{b: i64}}}}, S{{{fields}}}|(i64,))}}"),
            &format!("({{i64: ({dict}|[str])?}}, ...)"),
            &format!("{{(str, i64): {dict}}}|(i64, [bool, str])"),
        ] {
            let schema = Schema::parse(text).unwrap();
            let pretty = schema.pretty();
            assert_eq!(Schema::parse(&pretty).unwrap(), schema, "{pretty}");
            assert!(pretty.lines().all(|line| line.len() <= WIDTH), "{pretty}");
        }
        let wide =
            Schema::parse("Order{lines: [Line{part: str, count: i64}], note: str?}").unwrap();
        let lines = "Order{\n  lines: [Line{part: str, count: i64}],\n  note: str?,\n}";
        assert_eq!(wide.pretty(), lines);
    }

    #[test]
    fn mistakes_on_several_lines_have_a_line() {
        let error = Schema::parse("Part{\n  key: i64,\n  name: string,\n}").unwrap_err();
        assert!(error.message().starts_with("schema, line 3, column 9: no type"), "{error}");
        assert!(error.message().contains("\n    name: string,\n          ^"), "{error}");
        let error = Schema::parse("Part{key: string}").unwrap_err();
        assert!(error.message().starts_with("schema, column 11: no type"), "{error}");
    }
}

//! The text form of a schema, which people can read and type.

use std::fmt;

use super::logical::Logical;
use super::types::{Container, Type};
use crate::error::{Error, Result};
use crate::limits::MAX_DEPTH;

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Type::Never => f.write_str("never"),
            Type::Null => f.write_str("null"),
            Type::Bool => f.write_str("bool"),
            Type::I64 => f.write_str("i64"),
            Type::F64 => f.write_str("f64"),
            Type::Str => f.write_str("str"),
            Type::Logical(logical) => logical.fmt(f),
            Type::Optional(inner) => match **inner {
                Type::Union(_) => write!(f, "({inner})?"),
                _ => write!(f, "{inner}?"),
            },
            Type::Fixed(container, fields) => {
                let (open, close) = match container {
                    Container::List => ("[", "]"),
                    Container::Tuple => ("(", ")"),
                };
                f.write_str(open)?;
                separated(fields, ", ", f)?;
                if fields.len() == 1 {
                    f.write_str(",")?;
                }
                f.write_str(close)
            }
            Type::Sequence(Container::List, element) => write!(f, "[{element}]"),
            Type::Sequence(Container::Tuple, element) => write!(f, "({element}, ...)"),
            Type::Union(arms) => separated(arms, "|", f),
        }
    }
}

fn separated(types: &[Type], by: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    for (i, ty) in types.iter().enumerate() {
        if i > 0 {
            f.write_str(by)?;
        }
        write!(f, "{ty}")?;
    }
    Ok(())
}

/// The type that `text` spells.
pub(super) fn parse(text: &str) -> Result<Type> {
    let mut parser = Parser { text, at: 0, depth: 0 };
    let ty = parser.ty()?;
    match parser.peek() {
        None => Ok(ty),
        Some(_) => Err(parser.expected("the end of the schema")),
    }
}

/// The numbers that `text` spells, separated by spaces or commas.
pub(super) fn numbers(text: &str) -> Result<Vec<u32>> {
    let mut numbers = Vec::new();
    for word in text.split(|c: char| c.is_whitespace() || c == ',').filter(|w| !w.is_empty()) {
        numbers.push(word.parse().map_err(|_| {
            let column = word.as_ptr() as usize - text.as_ptr() as usize;
            error(text, column, &format!("expected a code of the type list, found {word:?}"))
        })?);
    }
    Ok(numbers)
}

fn error(text: &str, at: usize, what: &str) -> Error {
    let column = text[..at].chars().count();
    // The neighbourhood of the mistake is enough where the text is long.
    let from = text[..at].char_indices().rev().nth(39).map_or(0, |(i, _)| i);
    let to = text[at..].char_indices().nth(40).map_or(text.len(), |(i, _)| at + i);
    let shown = text[from..to].replace(char::is_control, " ");
    let caret = " ".repeat(text[from..at].chars().count());
    Error::schema(format!("schema, column {}: {what}\n  {shown}\n  {caret}^", column + 1))
}

struct Parser<'a> {
    text: &'a str,
    at: usize,
    depth: usize,
}

impl<'a> Parser<'a> {
    /// `A|B|C`
    fn ty(&mut self) -> Result<Type> {
        let begin = self.skip_spaces();
        let first = self.optional()?;
        if self.peek() != Some('|') {
            return Ok(first);
        }
        let mut arms = vec![first];
        while self.accept("|") {
            arms.push(self.optional()?);
        }
        Type::union(arms).map_err(|e| error(self.text, begin, e.message()))
    }

    /// `A?`
    fn optional(&mut self) -> Result<Type> {
        let mut ty = self.primary()?;
        while self.accept("?") {
            ty = Type::optional(ty);
        }
        Ok(ty)
    }

    fn primary(&mut self) -> Result<Type> {
        let begin = self.skip_spaces();
        if self.accept("[") {
            return self.nested(begin, Container::List, "]");
        }
        if self.accept("(") {
            return self.nested(begin, Container::Tuple, ")");
        }
        let rest = &self.text[begin..];
        let word =
            &rest[..rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len())];
        let ty = match word {
            "i64" => Type::I64,
            "f64" => Type::F64,
            "str" => Type::Str,
            "bool" => Type::Bool,
            "null" => Type::Null,
            "never" => Type::Never,
            "" => return Err(self.expected("a type")),
            other => match Logical::named(other) {
                Some(logical) => Type::Logical(logical),
                None => {
                    let names = Logical::ALL.map(Logical::name).join(", ");
                    let what = format!(
                        "no type is called {other:?}; there are i64, f64, str, bool, null, never, \
                         {names}"
                    );
                    return Err(error(self.text, begin, &what));
                }
            },
        };
        self.at = begin + word.len();
        Ok(ty)
    }

    /// What stands in brackets or parentheses, after the opening one.
    fn nested(&mut self, begin: usize, container: Container, close: &str) -> Result<Type> {
        // Parentheses that only group take no container's depth, but as much of the stack; there
        // can be one pair in each container, and one around them all.
        self.depth += 1;
        if self.depth > 2 * MAX_DEPTH + 1 {
            return Err(error(self.text, begin, &format!("types nest more than {MAX_DEPTH} deep")));
        }
        let mut fields = Vec::new();
        let mut comma = true;
        let mut dots = false;
        while !self.accept(close) {
            if !comma {
                return Err(self.expected(&format!("',' or '{close}'")));
            }
            if container == Container::Tuple && fields.len() == 1 && self.accept("...") {
                dots = true;
                comma = false;
                continue;
            }
            if dots {
                return Err(self.expected("')' after '...'"));
            }
            fields.push(self.ty()?);
            comma = self.accept(",");
        }
        self.depth -= 1;
        let alone = fields.len() == 1 && (dots || !comma);
        Ok(match (container, fields.pop()) {
            (Container::Tuple, Some(element)) if dots => {
                Type::Sequence(Container::Tuple, Box::new(element))
            }
            (Container::Tuple, Some(grouped)) if alone => grouped,
            (Container::List, Some(element)) if alone => {
                Type::Sequence(Container::List, Box::new(element))
            }
            (container, last) => {
                fields.extend(last);
                Type::Fixed(container, fields)
            }
        })
    }

    fn skip_spaces(&mut self) -> usize {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start().len();
        self.at
    }

    fn peek(&mut self) -> Option<char> {
        let at = self.skip_spaces();
        self.text[at..].chars().next()
    }

    fn accept(&mut self, token: &str) -> bool {
        let at = self.skip_spaces();
        let found = self.text[at..].starts_with(token);
        if found {
            self.at += token.len();
        }
        found
    }

    fn expected(&mut self, what: &str) -> Error {
        let at = self.skip_spaces();
        let found = match self.text[at..].chars().next() {
            Some(c) => format!("{:?}", c.to_string()),
            None => "the end".to_string(),
        };
        error(self.text, at, &format!("expected {what}, found {found}"))
    }
}

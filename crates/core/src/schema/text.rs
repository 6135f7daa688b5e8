//! The text form of a schema, for people.

use std::fmt;
use std::sync::Arc;

use super::logical::Logical;
use super::names::{
    ENUM, Enum, FROZENSET, Field, MemberValue, MemberValues, Names, Quoted, Struct, Word, is_word,
};
use super::types::{Container, Open, Type};
use crate::error::{Error, Result};
use crate::limits::MAX_DEPTH;

/// Whatever type the writer has.
const ANY: &str = "any";

/// Before the index of a dict with fixed keys or a record among all of them, which is that type.
const STRUCT: &str = "^";

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
                    _ => ("(", ")"),
                };
                f.write_str(open)?;
                separated(fields, ", ", f)?;
                if fields.len() == 1 {
                    f.write_str(",")?;
                }
                f.write_str(close)
            }
            Type::Sequence(Container::Tuple, element) => write!(f, "({element}, ...)"),
            Type::Sequence(Container::Set, element) => write!(f, "{{{element}}}"),
            Type::Sequence(Container::FrozenSet, element) => write!(f, "{FROZENSET}{{{element}}}"),
            Type::Sequence(_, element) => write!(f, "[{element}]"),
            Type::Map(key, value) => write!(f, "{{{key}: {value}}}"),
            Type::Struct(of) => {
                if let Some(name) = &of.names.name {
                    Word(name).fmt(f)?;
                }
                f.write_str("{")?;
                for (i, (name, field)) in of.named().enumerate() {
                    f.write_str(if i > 0 { ", " } else { "" })?;
                    match of.is_record() {
                        true => Word(name).fmt(f)?,
                        false => Quoted(name).fmt(f)?,
                    }
                    write!(f, "{} {}", if field.maybe { "?:" } else { ":" }, field.ty)?;
                }
                f.write_str("}")
            }
            Type::Enum(of) => {
                write!(f, "{ENUM} {}{{", Word(&of.name))?;
                for (i, member) in of.members.iter().enumerate() {
                    write!(f, "{}{}", if i > 0 { ", " } else { "" }, Word(member))?;
                    match of.values.get(i) {
                        None => {}
                        Some(MemberValue::Int(value)) => write!(f, " = {value}")?,
                        Some(MemberValue::Str(value)) => write!(f, " = {}", Quoted(value))?,
                    }
                }
                f.write_str("}")
            }
            Type::Union(arms) => separated(arms, "|", f),
            Type::Open(Open::Any) => f.write_str(ANY),
            Type::Open(Open::Struct(index)) => write!(f, "{STRUCT}{index}"),
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

/// Parses a type.
pub(super) fn parse(text: &str) -> Result<Type> {
    let mut parser = Parser { text, at: 0, depth: 0 };
    let ty = parser.ty()?;
    match parser.peek() {
        None => Ok(ty),
        Some(_) => Err(parser.expected("the end of the schema")),
    }
}

/// Parses numbers that are separated by spaces or commas.
pub(super) fn numbers(text: &str) -> Result<Vec<u32>> {
    let mut numbers = Vec::new();
    for word in text.split(|c: char| c.is_whitespace() || c == ',').filter(|w| !w.is_empty()) {
        numbers.push(word.parse().map_err(|_| {
            let column = word.as_ptr() as usize - text.as_ptr() as usize;
            error(
                text,
                column,
                &format!("expected a code of the type list, found {}", Quoted(word)),
            )
        })?);
    }
    Ok(numbers)
}

fn error(text: &str, at: usize, what: &str) -> Error {
    let (mut text, mut at, mut line) = (text, at, String::new());
    if text.trim_end().contains('\n') {
        // Only the line of the mistake is shown.
        let begin = text[..at].rfind('\n').map_or(0, |end| end + 1);
        let end = text[at..].find('\n').map_or(text.len(), |len| at + len);
        line = format!("line {}, ", text[..begin].matches('\n').count() + 1);
        (text, at) = (&text[begin..end], at - begin);
    }
    let column = text[..at].chars().count();
    // If the text is long, show only the surroundings of the mistake.
    let from = text[..at].char_indices().rev().nth(39).map_or(0, |(i, _)| i);
    let to = text[at..].char_indices().nth(40).map_or(text.len(), |(i, _)| at + i);
    let shown = text[from..to].replace(char::is_control, " ");
    let caret = " ".repeat(text[from..at].chars().count());
    Error::schema(format!("schema, {line}column {}: {what}\n  {shown}\n  {caret}^", column + 1))
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
        if self.accept("{") {
            return self.braces(begin);
        }
        if self.accept(STRUCT) {
            let index = self.word().parse();
            let Ok(index) = index else { return Err(self.expected("the index of a type")) };
            self.at += self.word().len();
            return Ok(Type::Open(Open::Struct(index)));
        }
        if self.peek() == Some('"') {
            let name = self.quoted()?;
            return self.structure(begin, Some(name));
        }
        let word = self.word();
        self.at = begin + word.len();
        if word == ENUM {
            return self.enumeration();
        }
        if !word.is_empty() && self.peek() == Some('{') {
            if word == FROZENSET {
                self.accept("{");
                self.deeper(begin)?;
                let element = self.ty()?;
                self.close("}")?;
                return Ok(Type::Sequence(Container::FrozenSet, Box::new(element)));
            }
            return self.structure(begin, Some(word.into()));
        }
        self.at = begin;
        let ty = match word {
            "i64" => Type::I64,
            "f64" => Type::F64,
            "str" => Type::Str,
            "bool" => Type::Bool,
            "null" => Type::Null,
            "never" => Type::Never,
            ANY => Type::Open(Open::Any),
            "" => return Err(self.expected("a type")),
            other => match Logical::named(other) {
                Some(logical) => Type::Logical(logical),
                None => {
                    let names = Logical::ALL.map(Logical::name).join(", ");
                    let what = format!(
                        "no type is called {}; there are i64, f64, str, bool, null, never, \
                         {names}",
                        Quoted(other)
                    );
                    return Err(error(self.text, begin, &what));
                }
            },
        };
        self.at = begin + word.len();
        Ok(ty)
    }

    /// Returns the next word; empty if there is none.
    fn word(&mut self) -> &'a str {
        let rest = &self.text[self.skip_spaces()..];
        &rest[..rest.find(|c: char| !is_word(c)).unwrap_or(rest.len())]
    }

    /// A name, in quotes or as a word.
    fn name(&mut self) -> Result<Arc<str>> {
        if self.peek() == Some('"') {
            return self.quoted();
        }
        let word = self.word();
        if word.is_empty() {
            return Err(self.expected("a name"));
        }
        self.at += word.len();
        Ok(word.into())
    }

    /// A name in quotes, with `\"`, `\\` and `\u{10FFFF}`.
    fn quoted(&mut self) -> Result<Arc<str>> {
        let begin = self.skip_spaces();
        let mut name = String::new();
        let mut rest = self.text[begin..].chars();
        rest.next();
        loop {
            let wrong = |what: &str| Err(error(self.text, begin, what));
            match rest.next() {
                None => return wrong("this name has no closing quote"),
                Some('"') => break,
                Some('\\') => match rest.next() {
                    Some(c @ ('"' | '\\')) => name.push(c),
                    Some('u') => {
                        let code = rest.as_str().strip_prefix('{').and_then(|s| s.split_once('}'));
                        let c = code.and_then(|(code, after)| {
                            rest = after.chars();
                            char::from_u32(u32::from_str_radix(code, 16).ok()?)
                        });
                        let Some(c) = c else {
                            return wrong(
                                "an escaped character in this name must look like \\u{e9}",
                            );
                        };
                        name.push(c);
                    }
                    _ => return wrong("in a name, \\ may only precede \", \\ or u{…}"),
                },
                Some(c) => name.push(c),
            }
        }
        self.at = self.text.len() - rest.as_str().len();
        Ok(name.into())
    }

    /// Parses a set, a map or a dict with fixed keys, after the opening brace.
    fn braces(&mut self, begin: usize) -> Result<Type> {
        let inside = self.at;
        if self.peek() == Some('}') {
            return self.fields(begin, None);
        }
        // A name in quotes may be a key, or the name of a record's type.
        if self.peek() == Some('"') {
            self.quoted()?;
            let is_key = self.accept(":") || (self.accept("?") && self.accept(":"));
            self.at = inside;
            if is_key {
                return self.fields(begin, None);
            }
        }
        self.deeper(begin)?;
        let element = self.ty()?;
        if self.accept(":") {
            let value = self.ty()?;
            self.close("}")?;
            return Ok(Type::Map(Box::new(element), Box::new(value)));
        }
        self.close("}")?;
        Ok(Type::Sequence(Container::Set, Box::new(element)))
    }

    /// Parses a record, after its name.
    fn structure(&mut self, begin: usize, name: Option<Arc<str>>) -> Result<Type> {
        if !self.accept("{") {
            return Err(self.expected("'{' after the name of a record"));
        }
        self.fields(begin, name)
    }

    /// Parses the fields of a dict or record, after the opening brace.
    fn fields(&mut self, begin: usize, name: Option<Arc<str>>) -> Result<Type> {
        self.deeper(begin)?;
        let (mut names, mut fields) = (Vec::new(), Vec::new());
        let mut comma = true;
        while self.peek() != Some('}') {
            if !comma {
                return Err(self.expected("',' or '}'"));
            }
            names.push(self.name()?);
            let maybe = self.accept("?");
            if !self.accept(":") {
                return Err(self.expected("':' after the name of a field"));
            }
            fields.push(Field { ty: self.ty()?, maybe });
            comma = self.accept(",");
        }
        self.close("}")?;
        let names = Arc::new(Names { name, fields: names });
        Ok(Type::Struct(Arc::new(Struct { names, fields })))
    }

    /// Parses an enum, after the word `enum`.
    fn enumeration(&mut self) -> Result<Type> {
        let name = self.name()?;
        if !self.accept("{") {
            return Err(self.expected("'{' after the name of an enum"));
        }
        let (mut members, mut ints, mut strs) = (Vec::new(), Vec::new(), Vec::new());
        loop {
            let begin = self.skip_spaces();
            members.push(self.name()?);
            if self.accept("=") {
                match self.peek() {
                    Some('"') => strs.push(self.quoted()?),
                    _ => ints.push(self.int()?),
                }
            }
            let with_value = ints.len().max(strs.len());
            if ![0, members.len()].contains(&with_value) || !ints.is_empty() && !strs.is_empty() {
                let what = "the members of an enum have no values, or all have integers, or all \
                            have strings";
                return Err(error(self.text, begin, what));
            }
            let comma = self.accept(",");
            if self.accept("}") {
                let values = match (ints.is_empty(), strs.is_empty()) {
                    (true, true) => MemberValues::None,
                    (false, _) => MemberValues::Ints(ints),
                    (true, false) => MemberValues::Strs(strs),
                };
                return Ok(Type::Enum(Arc::new(Enum { name, members, values })));
            }
            if !comma {
                return Err(self.expected("',' or '}'"));
            }
        }
    }

    /// Parses an integer of 64 bits.
    fn int(&mut self) -> Result<i64> {
        let begin = self.skip_spaces();
        let rest = &self.text[begin..];
        let sign = usize::from(rest.starts_with('-'));
        let digits = rest[sign..].bytes().take_while(u8::is_ascii_digit).count();
        if digits == 0 {
            return Err(self.expected("an integer, or a string in quotes"));
        }
        self.at += sign + digits;
        rest[..sign + digits]
            .parse()
            .map_err(|_| error(self.text, begin, "the value of a member needs more than 64 bits"))
    }

    /// Counts a nested type. `begin` is the start of the outer type.
    fn deeper(&mut self, begin: usize) -> Result<()> {
        // Parentheses that only group do not count as depth, but they use the stack. There may be
        // one pair in each container, and one pair around everything.
        self.depth += 1;
        if self.depth > 2 * MAX_DEPTH + 1 {
            return Err(error(self.text, begin, &format!("types nest more than {MAX_DEPTH} deep")));
        }
        Ok(())
    }

    /// Parses the end of a nested type.
    fn close(&mut self, with: &str) -> Result<()> {
        if !self.accept(with) {
            return Err(self.expected(&format!("'{with}'")));
        }
        self.depth -= 1;
        Ok(())
    }

    /// Parses the contents of brackets or parentheses, after the opening one.
    fn nested(&mut self, begin: usize, container: Container, close: &str) -> Result<Type> {
        self.deeper(begin)?;
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
            Some(c) => Quoted(&c.to_string()).to_string(),
            None => "the end".to_string(),
        };
        error(self.text, at, &format!("expected {what}, found {found}"))
    }
}

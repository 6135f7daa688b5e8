//! The directives of a file: patterns for lines of IR.
//!
//! ```text
//! check: <pattern>    a line after the last one that matched
//! next: <pattern>     the line after the last one that matched
//! not: <pattern>      no line before the next that matches, or before the end
//! ```
//!
//! A pattern is a part of a line. In a pattern `…` stands for any text, and `$name` for an LLVM
//! value, which is the same wherever the name occurs.

use std::collections::HashMap;

/// The kind of a directive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Check,
    Next,
    Not,
}

#[derive(Debug)]
pub struct Directive {
    kind: Kind,
    text: String,
    tokens: Vec<Token>,
}

#[derive(Debug)]
enum Token {
    Text(String),
    Any,
    Value(String),
}

type Values = HashMap<String, String>;

impl Directive {
    /// Parses the directive in a line of a file.
    pub fn parse(line: &str) -> Option<Directive> {
        let (kind, text) = line.split_once(": ")?;
        let kind = match kind {
            "check" => Kind::Check,
            "next" => Kind::Next,
            "not" => Kind::Not,
            _ => return None,
        };
        Some(Directive { kind, text: line.to_owned(), tokens: tokens(text.trim_end()) })
    }

    /// Returns the ways in which `line` can match.
    fn matches(&self, line: &str, values: &Values) -> Vec<Values> {
        let mut found = Vec::new();
        for (at, _) in line.char_indices() {
            match_at(&self.tokens, &line[at..], values, &mut found);
        }
        found
    }
}

fn tokens(text: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        if let Some(after) = rest.strip_prefix('…') {
            tokens.push(Token::Any);
            rest = after;
        } else if let Some(after) = rest.strip_prefix('$') {
            let end = after.find(|c: char| !c.is_alphanumeric()).unwrap_or(after.len());
            tokens.push(Token::Value(after[..end].to_owned()));
            rest = &after[end..];
        } else {
            let end = rest.find(['…', '$']).unwrap_or(rest.len());
            tokens.push(Token::Text(rest[..end].to_owned()));
            rest = &rest[end..];
        }
    }
    tokens
}

fn match_at(tokens: &[Token], rest: &str, values: &Values, found: &mut Vec<Values>) {
    let Some((token, after)) = tokens.split_first() else {
        found.push(values.clone());
        return;
    };
    match token {
        Token::Text(text) => {
            if let Some(rest) = rest.strip_prefix(text.as_str()) {
                match_at(after, rest, values, found);
            }
        }
        Token::Any => {
            let ends = rest.char_indices().map(|(at, _)| at).chain([rest.len()]);
            ends.for_each(|at| match_at(after, &rest[at..], values, found));
        }
        Token::Value(name) => {
            let is_part = |c: char| c.is_alphanumeric() || "%@_.-".contains(c);
            let end = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
            let value = &rest[..end];
            if end == 0 || values.get(name).is_some_and(|bound| bound != value) {
                return;
            }
            let mut values = values.clone();
            values.insert(name.clone(), value.to_owned());
            match_at(after, &rest[end..], &values, found);
        }
    }
}

/// Checks `lines`. Returns the first directive that fails, if any.
pub fn check<'a>(directives: &'a [Directive], lines: &[&str]) -> Result<(), &'a str> {
    let mut furthest = 0;
    match solve(directives, 0, lines, 0, &Values::new(), &mut furthest) {
        true => Ok(()),
        false => Err(&directives[furthest].text),
    }
}

/// Returns whether the directives from index `at` hold for the lines from index `line`.
fn solve(
    directives: &[Directive],
    at: usize,
    lines: &[&str],
    line: usize,
    values: &Values,
    furthest: &mut usize,
) -> bool {
    *furthest = (*furthest).max(at.min(directives.len().saturating_sub(1)));
    let nots = directives[at..].iter().take_while(|directive| directive.kind == Kind::Not).count();
    let (nots, rest) = directives[at..].split_at(nots);
    let is_free = |end: usize| {
        let mut between = lines[line..end].iter();
        between.all(|line| nots.iter().all(|not| not.matches(line, values).is_empty()))
    };
    let Some(wanted) = rest.first() else { return is_free(lines.len()) };
    let last = if wanted.kind == Kind::Next { lines.len().min(line + 1) } else { lines.len() };
    for index in line..last {
        for values in wanted.matches(lines[index], values) {
            let next = at + nots.len() + 1;
            if is_free(index) && solve(directives, next, lines, index + 1, &values, furthest) {
                return true;
            }
        }
    }
    false
}

#[test]
fn patterns_match_as_documented() {
    let ir = ["  %1 = add i64 %a, %b", "  %2 = mul i64 %1, 3", "  ret i64 %2"];
    let holds = |text: &str| {
        let directives: Vec<_> = text.lines().map(|line| Directive::parse(line).unwrap()).collect();
        check(&directives, &ir).is_ok()
    };
    assert!(holds("check: $sum = add i64 …, %b\nnext: mul i64 $sum, 3\ncheck: ret"));
    assert!(holds("check: add\nnot: sub\ncheck: ret"));
    assert!(holds("check: $x = …\ncheck: ret i64 $x"), "the second line is %2, not the first");
    assert!(!holds("check: $sum = add\ncheck: ret i64 $sum"));
    assert!(!holds("check: add\nnext: ret"));
    assert!(!holds("check: add\nnot: mul\ncheck: ret"));
    assert!(!holds("not: ret"));
    assert!(!holds("check: mul\ncheck: add"));
}

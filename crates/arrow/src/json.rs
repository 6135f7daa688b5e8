//! The lists of integers in a JSON object, as the metadata of Arrow's tensors have them.

/// Values within each other, at most.
const MAX_DEPTH: usize = 64;

/// Returns the members `names` of a JSON object, which must be lists of integers if they are there and not
/// null. Other members may be anything.
///
/// # Errors
/// What is wrong with the text.
pub fn int_lists<const N: usize>(
    text: &str,
    names: [&str; N],
) -> Result<[Option<Vec<i64>>; N], String> {
    let mut lists = [const { None }; N];
    let mut seen = [false; N];
    let mut json = Json { text, at: 0 };
    let read = json.members(0, |json, name| {
        let Some(at) = names.iter().position(|known| *known == name) else {
            return json.value(1).ok_or_else(String::new);
        };
        if std::mem::replace(&mut seen[at], true) {
            return Err(format!("{name} is there twice"));
        }
        json.space();
        if json.literal("null").is_none() {
            lists[at] = Some(json.ints().ok_or(format!("{name} is no list of integers"))?);
        }
        Ok(())
    });
    json.space();
    match read {
        Ok(()) if json.at == text.len() => Ok(lists),
        Err(why) if !why.is_empty() => Err(why),
        _ => Err("they are no JSON object".into()),
    }
}

struct Json<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Json<'t> {
    fn next(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn space(&mut self) {
        while matches!(self.next(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    fn literal(&mut self, text: &str) -> Option<()> {
        self.text.as_bytes()[self.at..].starts_with(text.as_bytes()).then(|| self.at += text.len())
    }

    /// A value of any kind, which is skipped.
    fn value(&mut self, depth: usize) -> Option<()> {
        self.space();
        match self.next()? {
            _ if depth > MAX_DEPTH => None,
            b'"' => self.string().map(drop),
            b'{' => {
                self.members(depth, |json, _| json.value(depth + 1).ok_or_else(String::new)).ok()
            }
            b'[' => self.list(|json| json.value(depth + 1)),
            b't' => self.literal("true"),
            b'f' => self.literal("false"),
            b'n' => self.literal("null"),
            _ => self.number().map(drop),
        }
    }

    /// The members of an object. An error without a text says that this is none.
    fn members(
        &mut self,
        depth: usize,
        mut value: impl FnMut(&mut Json<'t>, &'t str) -> Result<(), String>,
    ) -> Result<(), String> {
        let none = String::new;
        self.space();
        self.literal("{").filter(|()| depth <= MAX_DEPTH).ok_or_else(none)?;
        self.space();
        if self.literal("}").is_some() {
            return Ok(());
        }
        loop {
            self.space();
            let name = self.string().ok_or_else(none)?;
            self.space();
            self.literal(":").ok_or_else(none)?;
            value(self, name)?;
            self.space();
            if self.literal(",").is_none() {
                return self.literal("}").ok_or_else(none);
            }
        }
    }

    fn list(&mut self, mut element: impl FnMut(&mut Json<'t>) -> Option<()>) -> Option<()> {
        self.literal("[")?;
        self.space();
        if self.literal("]").is_some() {
            return Some(());
        }
        loop {
            self.space();
            element(self)?;
            self.space();
            if self.literal(",").is_none() {
                return self.literal("]");
            }
        }
    }

    fn ints(&mut self) -> Option<Vec<i64>> {
        let mut ints = Vec::new();
        self.list(|json| {
            ints.push(json.number()?.parse().ok()?);
            Some(())
        })?;
        Some(ints)
    }

    /// The text between the quotes of a string, with its escapes as they are.
    fn string(&mut self) -> Option<&'t str> {
        self.literal("\"")?;
        let begin = self.at;
        loop {
            match self.next()? {
                b'"' => {
                    self.at += 1;
                    return self.text.get(begin..self.at - 1);
                }
                b'\\' => {
                    self.at += 1;
                    match self.next()? {
                        b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't' => {}
                        b'u' => {
                            let digits = self.text.as_bytes().get(self.at + 1..self.at + 5)?;
                            digits.iter().all(u8::is_ascii_hexdigit).then_some(())?;
                            self.at += 4;
                        }
                        _ => return None,
                    }
                }
                ..0x20 => return None,
                _ => {}
            }
            self.at += 1;
        }
    }

    fn digits(&mut self) -> Option<()> {
        let begin = self.at;
        while self.next().is_some_and(|digit| digit.is_ascii_digit()) {
            self.at += 1;
        }
        (self.at > begin).then_some(())
    }

    fn number(&mut self) -> Option<&'t str> {
        let begin = self.at;
        _ = self.literal("-");
        if self.literal("0").is_none() {
            self.digits()?;
        }
        if self.literal(".").is_some() {
            self.digits()?;
        }
        if self.literal("e").or_else(|| self.literal("E")).is_some() {
            _ = self.literal("+").or_else(|| self.literal("-"));
            self.digits()?;
        }
        self.text.get(begin..self.at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_found_among_others() {
        let of = |text| int_lists(text, ["shape", "permutation"]);
        assert_eq!(of(r#"{"shape":[2,3]}"#), Ok([Some(vec![2, 3]), None]));
        let more = r#" { "dim_names" : ["\u00e4]", "b\"}"], "permutation": [ 1 , 0 ],
            "more": {"a": [1.5e-3, {}, [], true, false, null], "b": -0.25}, "shape": [ ] } "#;
        assert_eq!(of(more), Ok([Some(vec![]), Some(vec![1, 0])]));
        assert_eq!(of(r#"{"permutation":null,"shape":[-1]}"#), Ok([Some(vec![-1]), None]));
        assert_eq!(of("{}"), Ok([None, None]));
    }

    #[test]
    fn other_texts_are_refused() {
        fn why(text: &str) -> String {
            int_lists(text, ["shape"]).unwrap_err()
        }
        for text in [
            "",
            "[]",
            "{",
            "{}x",
            "{\"a\"}",
            "{\"a\":}",
            "{\"a\":1,}",
            "{\"a\":01}",
            "{\"a\":.5}",
            "{\"a\":1.}",
            "{\"a\":1e}",
            "{\"a\":-}",
            "{\"a\":\"\\x\"}",
            "{\"a\":\"\\u12\"}",
            "{\"a\":\"\n\"}",
            "{a:1}",
            "{\"a\":nul}",
            "{\"a\":[1,]}",
            "{\"a\":\"",
            "{\"a\":{\"b\"}}",
        ] {
            assert_eq!(why(text), "they are no JSON object", "{text}");
        }
        let deep = format!("{{\"a\":{}{}}}", "[".repeat(1000), "]".repeat(1000));
        assert_eq!(why(&deep), "they are no JSON object");
        for text in ["[1.0]", "3", "[\"1\"]", "[[1]]", "[1", "[9223372036854775808]", "{}"] {
            let text = format!("{{\"shape\":{text}}}");
            assert_eq!(why(&text), "shape is no list of integers", "{text}");
        }
        assert_eq!(why(r#"{"shape":[1],"shape":[1]}"#), "shape is there twice");
    }
}

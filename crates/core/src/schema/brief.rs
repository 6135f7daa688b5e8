//! The text of a type in error messages: complete if it is short, otherwise its beginning.

use std::fmt::{self, Write};

use super::types::Type;

/// The number of characters of a type that a message shows.
const SHOWN: usize = 160;

/// A type for a message.
///
/// ```
/// use serow_core::schema::{Brief, Schema};
///
/// let wide = Schema::parse(&format!("({})", ["i64"; 500].join(", ")))?;
/// assert!(Brief(wide.root()).to_string().ends_with(", i64, … and more, 500 fields in all"));
/// # Ok::<(), serow_core::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Brief<'a>(pub &'a Type);

impl fmt::Display for Brief<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut beginning = Beginning { text: String::new(), left: SHOWN };
        if write!(beginning, "{}", self.0).is_ok() {
            return f.write_str(&beginning.text);
        }
        // The last name may be cut, so cut at the last comma.
        let text =
            beginning.text.rfind(", ").map_or(&beginning.text[..], |at| &beginning.text[..at]);
        let fields = match self.0.required() {
            Type::Fixed(_, fields) => fields.len(),
            Type::Struct(of) => of.named().count(),
            _ => return write!(f, "{text}, …"),
        };
        write!(f, "{text}, … and more, {fields} fields in all")
    }
}

/// Text up to a number of characters. Writing more is an error, which stops the writer.
struct Beginning {
    text: String,
    left: usize,
}

impl Write for Beginning {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let end = text.char_indices().nth(self.left).map(|(at, _)| at);
        let text = &text[..end.unwrap_or(text.len())];
        self.text.push_str(text);
        self.left -= text.chars().count();
        if end.is_some() { Err(fmt::Error) } else { Ok(()) }
    }
}

//! JSON as a sink: each row becomes a line.
//!
//! The text is for programs that know no serow, and does not come back with its types:
//!
//! | value | JSON |
//! |---|---|
//! | null, booleans, integers, finite floats | the same; an integer may have more than 64 bits |
//! | other floats | `"NaN"`, `"Infinity"`, `"-Infinity"` |
//! | text | a string; a lone surrogate is written `\udXXX` |
//! | lists, tuples, sets | arrays |
//! | dicts, records | objects; of a dict without the keys that it lacks |
//! | maps | objects; a key that is no string is its JSON in a string |
//! | members of enums | their names |
//! | bytes | hexadecimal digits in a string |
//! | decimals, dates, times, UUIDs and others | the text of a [`Composite`], in a string |

use std::io::Write as _;
use std::ops::ControlFlow;
use std::sync::Arc;

use super::{Components, OpResult, Sink, SinkBase, Text};
use crate::error::Fault;
use crate::memory;
use crate::plan::{ComponentColumns, StrEncoding, Tables};
use crate::schema::{Container, Logical};
use crate::value::Composite;

/// Lines of JSON as a sink.
#[derive(Default)]
pub struct JsonWriter {
    text: Vec<u8>,
    /// Containers that are begun and not ended.
    open: Vec<Open>,
    /// The entries of each column's dictionary; texts are strings of JSON.
    dictionaries: Vec<Vec<Box<[u8]>>>,
    tables: Arc<Tables>,
    /// For each struct, its names as keys of JSON.
    keys: Vec<Vec<Box<[u8]>>>,
}

/// A container that is begun.
struct Open {
    container: Container,
    /// The values so far, also fields that are missing.
    values: usize,
    is_empty: bool,
    /// Where the key of a map's entry begins, while it is written.
    key: Option<usize>,
}

const NO_MEMBER: Fault = Fault::Corrupt("an enum has no such member");
const NO_ENTRY: Fault = Fault::Corrupt("a dictionary has no such entry");

impl JsonWriter {
    /// Takes the lines that are finished.
    pub fn take(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.text)
    }

    /// Begins a value: writes what separates it from the one before.
    #[inline]
    fn begin(&mut self) -> OpResult {
        memory::reserve(&mut self.text, 64)?;
        let Some(open) = self.open.last_mut() else { return Ok(()) };
        let at = open.values;
        open.values += 1;
        let is_map = open.container == Container::Map;
        if is_map && at % 2 == 1 {
            self.text.push(b':');
            return Ok(());
        }
        if !std::mem::take(&mut open.is_empty) {
            self.text.push(b',');
        }
        if is_map {
            open.key = Some(self.text.len());
        }
        if let Container::Struct(table) = open.container {
            let key = &self.keys[table as usize][at];
            memory::reserve(&mut self.text, key.len() + 64)?;
            self.text.extend_from_slice(key);
        }
        Ok(())
    }

    /// Ends a value. A key of a map that is no string becomes one.
    #[inline]
    fn end(&mut self) -> OpResult {
        let Some(begin) = self.open.last_mut().and_then(|open| open.key.take()) else {
            return Ok(());
        };
        if self.text.get(begin) != Some(&b'"') {
            let key = memory::copied(&self.text[begin..])?;
            self.text.truncate(begin);
            write_string(&mut self.text, &key)?;
        }
        Ok(())
    }

    /// Writes a value whose text is JSON.
    #[inline]
    fn plain(&mut self, text: &[u8]) -> OpResult {
        self.begin()?;
        memory::reserve(&mut self.text, text.len())?;
        self.text.extend_from_slice(text);
        self.end()
    }

    fn quoted(&mut self, text: &[u8]) -> OpResult {
        self.begin()?;
        write_string(&mut self.text, text)?;
        self.end()
    }

    fn open(&mut self, container: Container) -> OpResult {
        self.begin()?;
        let is_object = matches!(container, Container::Struct(_) | Container::Map);
        self.text.push(if is_object { b'{' } else { b'[' });
        memory::push(&mut self.open, Open { container, values: 0, is_empty: true, key: None })
    }
}

fn entry(dictionaries: &[Vec<Box<[u8]>>], column: u32, code: u32) -> OpResult<&[u8]> {
    let entries = dictionaries.get(column as usize);
    entries.and_then(|entries| entries.get(code as usize)).map(|it| &**it).ok_or(NO_ENTRY)
}

/// A name as a key of JSON.
fn key(name: &str) -> Box<[u8]> {
    let mut key = Vec::new();
    // There is memory, or the plan would have no room for its names.
    let _ = write_string(&mut key, name.as_bytes());
    key.push(b':');
    key.into()
}

/// Writes a string, whose bytes are UTF-8 in which surrogates may be alone.
fn write_string(to: &mut Vec<u8>, text: &[u8]) -> OpResult {
    memory::reserve(to, text.len() + 2)?;
    to.push(b'"');
    let mut rest = text;
    loop {
        let plain =
            rest.iter().position(|&byte| byte < 0x20 || matches!(byte, b'"' | b'\\' | 0xed));
        let (plain, special) = rest.split_at(plain.unwrap_or(rest.len()));
        memory::reserve(to, plain.len() + 8)?;
        to.extend_from_slice(plain);
        rest = match special {
            [] => break,
            [0xed, second @ 0xa0..=0xbf, third, after @ ..] => {
                let code = 0xd000 | u16::from(second & 0x3f) << 6 | u16::from(third & 0x3f);
                write_escape(to, code);
                after
            }
            [byte @ (b'"' | b'\\'), after @ ..] => {
                to.extend_from_slice(&[b'\\', *byte]);
                after
            }
            [b'\n', after @ ..] => {
                to.extend_from_slice(b"\\n");
                after
            }
            [byte @ 0..=0x1f, after @ ..] => {
                write_escape(to, u16::from(*byte));
                after
            }
            [byte, after @ ..] => {
                to.push(*byte);
                after
            }
        };
    }
    to.push(b'"');
    Ok(())
}

fn write_escape(to: &mut Vec<u8>, code: u16) {
    to.extend_from_slice(format!("\\u{code:04x}").as_bytes());
}

impl SinkBase for JsonWriter {
    fn dictionary(
        &mut self,
        column: u32,
        encoding: StrEncoding,
        ends: &[u32],
        bytes: &[u8],
    ) -> OpResult {
        let column = column as usize;
        if column >= self.dictionaries.len() {
            memory::resize(&mut self.dictionaries, column + 1, Vec::new())?;
        }
        let (mut entries, mut begin) = (memory::with_capacity(ends.len())?, 0);
        for &end in ends {
            let entry = &bytes[begin..end as usize];
            let mut kept = Vec::new();
            match encoding {
                StrEncoding::Text => write_string(&mut kept, entry)?,
                StrEncoding::Bytes => kept = memory::copied(entry)?,
            }
            entries.push(kept.into());
            begin = end as usize;
        }
        self.dictionaries[column] = entries;
        Ok(())
    }
}

impl Sink for JsonWriter {
    fn names(&mut self, tables: &Arc<Tables>) {
        if Arc::ptr_eq(&self.tables, tables) {
            return;
        }
        self.tables = tables.clone();
        let keys = tables.structs.iter().map(|names| names.fields.iter().map(|name| key(name)));
        self.keys = keys.map(Iterator::collect).collect();
    }

    fn row(&mut self) -> OpResult {
        Ok(())
    }

    fn end_row(&mut self) -> OpResult<ControlFlow<()>> {
        memory::push(&mut self.text, b'\n').map(ControlFlow::Continue)
    }

    fn i64(&mut self, _: u32, v: i64) -> OpResult {
        self.plain(itoa::Buffer::new().format(v).as_bytes())
    }

    fn f64(&mut self, _: u32, v: f64) -> OpResult {
        match v {
            _ if v.is_finite() => self.plain(zmij::Buffer::new().format_finite(v).as_bytes()),
            _ if v.is_nan() => self.quoted(b"NaN"),
            _ => self.quoted(if v > 0.0 { b"Infinity" } else { b"-Infinity" }),
        }
    }

    fn str(&mut self, column: u32, v: Text<'_>) -> OpResult {
        match v {
            Text::Plain(text) => self.quoted(text.bytes()),
            Text::Entry(code) => {
                self.begin()?;
                let JsonWriter { text, dictionaries, .. } = self;
                let entry = entry(dictionaries, column, code)?;
                memory::reserve(text, entry.len())?;
                text.extend_from_slice(entry);
                self.end()
            }
        }
    }

    fn logical(
        &mut self,
        ty: Logical,
        at: ComponentColumns,
        components: Components<'_>,
    ) -> OpResult {
        let bytes = match components.bytes {
            Text::Plain(text) => text.bytes(),
            Text::Entry(code) => entry(&self.dictionaries, at.str, code)?,
        };
        let Components { ints, floats, .. } = components;
        ty.check(&ints, bytes)?;
        match ty {
            Logical::F32 => self.f64(0, floats[0]),
            Logical::U64 => self.plain(itoa::Buffer::new().format(ints[0] as u64).as_bytes()),
            _ if ty.sized_int().is_some() || ty == Logical::Int && bytes.is_empty() => {
                self.i64(0, ints[0])
            }
            _ => {
                let value = Composite::of_parts(ty, ints, floats, bytes);
                self.begin()?;
                // No text of these has a character that strings of JSON escape.
                match ty {
                    Logical::Int => write!(self.text, "{value}"),
                    _ => write!(self.text, "\"{value}\""),
                }
                .map_err(|_| Fault::NoMemory)?;
                self.end()
            }
        }
    }

    fn bool(&mut self, _: u32, v: bool) -> OpResult {
        self.plain(if v { b"true" } else { b"false" })
    }

    fn null(&mut self) -> OpResult {
        self.plain(b"null")
    }

    fn present(&mut self, _: u32) -> OpResult {
        Ok(())
    }

    fn absent(&mut self, _: u32) -> OpResult {
        self.null()
    }

    fn member(&mut self, table: u32, _: u32, index: i64) -> OpResult {
        let of = self.tables.enums[table as usize].clone();
        let name = usize::try_from(index).ok().and_then(|index| of.members.get(index));
        self.quoted(name.ok_or(NO_MEMBER)?.as_bytes())
    }

    fn has_field(&mut self, _: u32) -> OpResult {
        Ok(())
    }

    fn lacks_field(&mut self, _: u32) -> OpResult {
        self.open.last_mut().into_iter().for_each(|open| open.values += 1);
        Ok(())
    }

    fn enter(&mut self, container: Container, _: u32, _: bool) -> OpResult {
        self.open(container)
    }

    fn leave(&mut self) -> OpResult {
        let Some(open) = self.open.pop() else { return Ok(()) };
        let is_object = matches!(open.container, Container::Struct(_) | Container::Map);
        memory::push(&mut self.text, if is_object { b'}' } else { b']' })?;
        self.end()
    }

    fn sequence(&mut self, container: Container, _: u32, _: usize, _: bool) -> OpResult {
        self.open(container)
    }

    fn arm(&mut self, _: u32, _: usize) -> OpResult {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decode::decode_frame;
    use crate::testing::{WIRES, each_frame, int, list, member, message, tuple};
    use crate::value::Value;

    fn lines(schema: &str, rows: &[Value]) -> String {
        let texts = WIRES.map(|wire| {
            let mut text = String::new();
            each_frame(&message(schema, rows, wire), |raw| {
                let mut lines = JsonWriter::default();
                decode_frame(&raw, None, &mut None, &mut lines).unwrap();
                text.push_str(std::str::from_utf8(&lines.take()).unwrap());
            });
            text
        });
        assert_eq!(texts[0], texts[1]);
        let [text, _] = texts;
        text
    }

    #[test]
    fn values_are_jsons_or_text() {
        let pairs = |pairs: &[(Value, Value)]| {
            Value::Map(pairs.iter().cloned().map(|(key, value)| [key, value]).collect())
        };
        for (schema, value, text) in [
            ("i64", int(-7), "-7"),
            ("f64?", Value::Null, "null"),
            ("f64", 1e300.into(), "1e+300"),
            ("f64", 2.0.into(), "2.0"),
            ("f64", f64::NAN.into(), "\"NaN\""),
            ("f64", f64::NEG_INFINITY.into(), "\"-Infinity\""),
            ("str", "a\"\\\n\u{1}é\u{d7ff}😀".into(), "\"a\\\"\\\\\\n\\u0001é\u{d7ff}😀\""),
            ("[i64]", list([]), "[]"),
            ("(i64, [bool])", tuple([int(1), list([Value::Bool(true)])]), "[1,[true]]"),
            ("{\"a\"?: i64, \"b\": null}", Value::dict([("b", Value::Null)]), "{\"b\":null}"),
            ("R{a: i64|str}", Value::record("R", [("a", "x".into())]), "{\"a\":\"x\"}"),
            ("{str: i64}", pairs(&[("k".into(), int(1))]), "{\"k\":1}"),
            (
                "{(i64, str): [i64]}",
                pairs(&[(tuple([int(1), "x".into()]), list([int(2), int(3)]))]),
                "{\"[1,\\\"x\\\"]\":[2,3]}",
            ),
            ("enum E{A, B}", member("E", &["A", "B"], 1), "\"B\""),
            ("bytes", Composite::bytes(b"\0\xff").into(), "\"00ff\""),
            ("decimal", Composite::decimal(-125, -1).into(), "\"-12.5\""),
            ("date", Composite::date(20_000).into(), "\"2024-10-04\""),
            (
                "int",
                Composite::int(&[0, 0, 0, 0, 0, 0, 0, 0, 1]).unwrap().into(),
                "18446744073709551616",
            ),
        ] {
            assert_eq!(lines(schema, &[value]), format!("{text}\n"), "{schema}");
        }
    }

    #[test]
    fn texts_of_a_dictionary_and_many_rows() {
        let rows: Vec<Value> =
            (0..100).map(|n| tuple([int(n), ["peru", "snow"][n as usize % 2].into()])).collect();
        let text = lines("(i64, str)", &rows);
        assert_eq!(text.lines().count(), 100);
        assert_eq!(text.lines().nth(99), Some("[99,\"snow\"]"));
    }
}

//! Rust [`Value`]s as a layout.

mod place;

use std::sync::Arc;

use super::{Parts, PartsPlace, Sink, Source, Step, Text};
use crate::compiled::Form;
use crate::encode::Rows;
use crate::error::Fault;
use crate::plan::{Arm, Class, Holds, PartColumns, Path};
use crate::schema::{Container, Logical, Shape, Untyped};
use crate::value::{Composite, Value};
pub use place::{Place, Tag, ValueLayout, is, parts};

/// Rows to be encoded.
#[derive(Clone, Copy, Debug)]
pub struct ValueRows<'a>(pub &'a [Value]);

impl<'v> Rows for ValueRows<'v> {
    type Source<'a>
        = ValueReader<'v>
    where
        Self: 'a;

    fn len(&self) -> usize {
        self.0.len()
    }

    fn source(&self) -> ValueReader<'v> {
        ValueReader::new(self.0)
    }

    fn infer(&self, row: usize, shape: &mut Shape) -> Result<(), Untyped> {
        shape.add_value(&self.0[row])
    }

    fn describe(&self, row: usize, path: &Path) -> String {
        let mut value = &self.0[row];
        for &field in &path.0 {
            match value {
                Value::List(fields) | Value::Tuple(fields) if field < fields.len() => {
                    value = &fields[field];
                }
                _ => break,
            }
        }
        let mut shown = format!("{value:?}");
        if let Some((cut, _)) = shown.char_indices().nth(60) {
            shown.truncate(cut);
            shown.push('…');
        }
        shown
    }
}

/// Rows as a source.
pub struct ValueReader<'a> {
    rows: &'a [Value],
    /// The value that comes next and those after it in its container.
    next: std::slice::Iter<'a, Value>,
    outer: Vec<std::slice::Iter<'a, Value>>,
    place: Place,
}

impl<'a> ValueReader<'a> {
    /// The rows in `rows`.
    pub fn new(rows: &'a [Value]) -> ValueReader<'a> {
        let place = Place { rows: rows.as_ptr(), parts: PartsPlace::default() };
        ValueReader { rows, next: [].iter(), outer: Vec::new(), place }
    }

    fn value(&mut self) -> Step<&'a Value> {
        self.next.next().ok_or(Fault::Misfit)
    }

    fn step_in(&mut self, container: Container) -> Step<usize> {
        let elements = match (self.value()?, container) {
            (Value::List(elements), Container::List) => elements,
            (Value::Tuple(elements), Container::Tuple) => elements,
            _ => return Err(Fault::Misfit),
        };
        self.outer.push(std::mem::replace(&mut self.next, elements.iter()));
        Ok(elements.len())
    }
}

impl Source for ValueReader<'_> {
    const NEVER: Fault = Fault::Misfit;
    const FORM: Option<Form> = Some(Form::Values);

    fn lend(&mut self) -> *mut () {
        std::ptr::from_mut(&mut self.place).cast()
    }

    fn row(&mut self, row: usize) -> Step {
        self.next = self.rows[row..=row].iter();
        self.outer.clear();
        Ok(())
    }

    fn end_row(&mut self) -> Step {
        Ok(())
    }

    fn i64(&mut self, _column: u32) -> Step<i64> {
        match self.value()? {
            Value::I64(v) => Ok(*v),
            _ => Err(Fault::Misfit),
        }
    }

    fn f64(&mut self, _column: u32) -> Step<f64> {
        match self.value()? {
            Value::F64(v) => Ok(*v),
            _ => Err(Fault::Misfit),
        }
    }

    fn str(&mut self, _column: u32) -> Step<Text<'_>> {
        match self.value()? {
            Value::Str(v) => Ok(Text::Plain { bytes: v.as_bytes(), ascii: v.is_ascii() }),
            _ => Err(Fault::Misfit),
        }
    }

    fn bytes(&mut self, _column: u32) -> Step<Text<'_>> {
        Err(Fault::Misfit)
    }

    fn logical(&mut self, ty: Logical, _at: PartColumns) -> Step<Parts<'_>> {
        parts(self.value()?, ty).ok_or(Fault::Misfit)
    }

    fn bool(&mut self, _column: u32) -> Step<bool> {
        match self.value()? {
            Value::Bool(v) => Ok(*v),
            _ => Err(Fault::Misfit),
        }
    }

    fn null(&mut self) -> Step {
        match self.value()? {
            Value::Null => Ok(()),
            _ => Err(Fault::Misfit),
        }
    }

    fn present(&mut self, _column: u32) -> Step<bool> {
        let here = self.next.clone().next().ok_or(Fault::Misfit)?;
        if matches!(here, Value::Null) {
            self.next.next();
            return Ok(false);
        }
        Ok(true)
    }

    fn enter(&mut self, container: Container, len: u32) -> Step {
        // The caller reports this container, so it must be left as if it had not been entered.
        if self.step_in(container)? == len as usize { Ok(()) } else { Err(Fault::Misfit) }
    }

    fn leave(&mut self) {
        self.next = self.outer.pop().unwrap_or([].iter());
    }

    fn sequence(&mut self, container: Container, _column: u32, _weightless: bool) -> Step<usize> {
        self.step_in(container)
    }

    fn arm(&mut self, arms: &[Arm], _column: u32) -> Step<usize> {
        let here = self.next.clone().next().ok_or(Fault::Misfit)?;
        let fits = |class: Class| match (class, here) {
            (Class::I64, Value::I64(_))
            | (Class::F64, Value::F64(_))
            | (Class::Str, Value::Str(_))
            | (Class::Bool, Value::Bool(_))
            | (Class::List, Value::List(_))
            | (Class::Tuple(None), Value::Tuple(_)) => true,
            (Class::Logical(ty), value) => is(value, ty),
            (Class::Tuple(Some(len)), Value::Tuple(fields)) => fields.len() == len as usize,
            _ => false,
        };
        arms.iter().position(|arm| fits(arm.class)).ok_or(Fault::Misfit)
    }
}

/// Rows as a sink.
#[derive(Default)]
pub struct ValueWriter {
    rows: Vec<Value>,
    /// Containers that were begun and not ended.
    open: Vec<(Container, Vec<Value>)>,
    dictionaries: Vec<Entries>,
}

/// The entries of a column's dictionary.
#[derive(Clone)]
enum Entries {
    Text(Vec<Arc<str>>),
    Bytes(Vec<Arc<[u8]>>),
}

/// Rust strings hold no lone surrogates.
const SURROGATE: Fault = Fault::Corrupt(
    "a string holds a lone surrogate, which a Rust string can't; decode it in Python or Java",
);

const NOT_TEXT: Fault = Fault::Corrupt("a dictionary is not of its column's kind");

impl ValueWriter {
    /// No rows.
    pub fn new() -> ValueWriter {
        ValueWriter::default()
    }

    /// The rows that were ended.
    pub fn into_rows(self) -> Vec<Value> {
        self.rows
    }

    fn put(&mut self, v: Value) -> Step {
        match self.open.last_mut() {
            Some((_, fields)) => fields.push(v),
            None => self.rows.push(v),
        }
        Ok(())
    }

    fn begin(&mut self, container: Container, len: usize) -> Step {
        // The length is checked against what is there only as the elements are read.
        self.open.push((container, Vec::with_capacity(len.min(1024))));
        Ok(())
    }
}

impl Sink for ValueWriter {
    fn row(&mut self, _bound: usize) -> Step {
        Ok(())
    }

    fn end_row(&mut self) -> Step {
        Ok(())
    }

    fn element(&mut self, _bound: usize) -> Step {
        Ok(())
    }

    fn dictionary(&mut self, column: u32, holds: Holds, ends: &[u32], bytes: &[u8]) -> Step {
        let column = column as usize;
        let none = Entries::Bytes(Vec::new());
        self.dictionaries.resize(self.dictionaries.len().max(column + 1), none);
        let begins = std::iter::once(0).chain(ends.iter().copied());
        let ranges = begins.zip(ends).map(|(begin, &end)| begin as usize..end as usize);
        self.dictionaries[column] = match holds {
            Holds::Text => {
                let text = std::str::from_utf8(bytes).map_err(|_| SURROGATE)?;
                Entries::Text(ranges.map(|range| text[range].into()).collect())
            }
            Holds::Bytes => Entries::Bytes(ranges.map(|range| bytes[range].into()).collect()),
        };
        Ok(())
    }

    fn i64(&mut self, _column: u32, v: i64) -> Step {
        self.put(Value::I64(v))
    }

    fn f64(&mut self, _column: u32, v: f64) -> Step {
        self.put(Value::F64(v))
    }

    fn str(&mut self, column: u32, v: Text<'_>) -> Step {
        let v = match v {
            Text::Plain { bytes, .. } => std::str::from_utf8(bytes).map_err(|_| SURROGATE)?.into(),
            Text::Entry(code) => match &self.dictionaries[column as usize] {
                Entries::Text(entries) => entries[code as usize].clone(),
                Entries::Bytes(_) => return Err(NOT_TEXT),
            },
        };
        self.put(Value::Str(v))
    }

    fn logical(&mut self, ty: Logical, at: PartColumns, parts: Parts<'_>) -> Step {
        let bytes = match parts.bytes {
            Text::Plain { bytes, .. } => bytes,
            Text::Entry(code) => match &self.dictionaries[at.str as usize] {
                Entries::Bytes(entries) => &entries[code as usize],
                Entries::Text(_) => return Err(NOT_TEXT),
            },
        };
        ty.check(&parts.ints, bytes)?;
        let v = match ty {
            Logical::Int if bytes.is_empty() => Value::I64(parts.ints[0]),
            ty => Composite::of_parts(ty, parts.ints, parts.floats, bytes).into(),
        };
        self.put(v)
    }

    fn bool(&mut self, _column: u32, v: bool) -> Step {
        self.put(Value::Bool(v))
    }

    fn null(&mut self) -> Step {
        self.put(Value::Null)
    }

    fn present(&mut self, _column: u32) -> Step {
        Ok(())
    }

    fn absent(&mut self, _column: u32) -> Step {
        self.put(Value::Null)
    }

    fn enter(&mut self, container: Container, len: u32, _atomic: bool) -> Step {
        self.begin(container, len as usize)
    }

    fn leave(&mut self) -> Step {
        match self.open.pop() {
            Some((Container::List, fields)) => self.put(Value::List(fields)),
            Some((Container::Tuple, fields)) => self.put(Value::Tuple(fields)),
            None => Ok(()),
        }
    }

    fn sequence(&mut self, container: Container, _column: u32, len: usize, _atomic: bool) -> Step {
        self.begin(container, len)
    }

    fn arm(&mut self, _column: u32, _arm: usize) -> Step {
        Ok(())
    }
}

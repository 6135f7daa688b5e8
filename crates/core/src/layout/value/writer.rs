//! Values as a sink.

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::sync::Arc;

use crate::error::Fault;
use crate::layout::{Components, OpResult, Sink, SinkBase, TWICE_IN_MAP, TWICE_IN_SET, Text};
use crate::memory;
use crate::plan::{ComponentColumns, StrEncoding, Tables};
use crate::schema::{Container, Logical, Names};
use crate::value::{Composite, Value};

/// Rows as a sink.
#[derive(Default)]
pub struct ValueWriter {
    rows: Vec<Value>,
    /// Containers that are begun and not ended.
    open: Vec<Open>,
    dictionaries: Vec<Entries>,
    tables: Arc<Tables>,
    /// For each table: the fields that the last dict of it lacked.
    lacking: HashMap<u32, Lacking>,
}

/// The indices of the fields that a dict lacks, and the names of its other fields.
type Lacking = (Vec<usize>, Arc<Names>);

/// A container that is begun.
struct Open {
    container: Container,
    fields: Vec<Value>,
    /// The indices of missing fields.
    missing: Vec<usize>,
    /// The indices of the present fields, if they do not come in order.
    places: Option<Places>,
}

/// The indices of fields that come in any order.
struct Places {
    /// The indices of the fields so far.
    of: Vec<usize>,
    /// The index of the next field.
    next: usize,
}

/// The entries of a column's dictionary.
#[derive(Clone)]
enum Entries {
    Text(Vec<Arc<str>>),
    Bytes(Vec<Arc<[u8]>>),
}

/// Rust strings can't contain lone surrogates.
const SURROGATE: Fault = Fault::Corrupt(
    "a string has a lone surrogate, which Rust strings can't contain; decode it in another language",
);

/// Before making text of at least this length, check that there is memory. The check costs an
/// allocation.
const LONG: usize = 4096;

const NOT_TEXT: Fault = Fault::Corrupt("a dictionary has another encoding than its column");

impl ValueWriter {
    /// Creates a sink without rows.
    pub fn new() -> ValueWriter {
        ValueWriter::default()
    }

    /// Returns the finished rows.
    pub fn into_rows(self) -> Vec<Value> {
        self.rows
    }

    fn put(&mut self, v: Value) -> OpResult {
        match self.open.last_mut() {
            Some(open) => {
                if let Some(places) = &mut open.places {
                    memory::push(&mut places.of, places.next)?;
                    places.next += 1;
                }
                memory::push(&mut open.fields, v)
            }
            None => memory::push(&mut self.rows, v),
        }
    }

    fn begin(&mut self, container: Container, len: usize) -> OpResult {
        // Elements are only checked when they are read, so don't trust the length.
        let fields = memory::with_capacity(len.min(1024))?;
        self.open.push(Open { container, fields, missing: Vec::new(), places: None });
        Ok(())
    }
}

impl Open {
    /// Returns the fields in their order.
    fn in_order(&mut self) -> Vec<Value> {
        let fields = std::mem::take(&mut self.fields);
        let Some(places) = self.places.take() else { return fields };
        self.missing.sort_unstable();
        let mut fields: Vec<_> = places.of.into_iter().zip(fields).collect();
        fields.sort_unstable_by_key(|(place, _)| *place);
        fields.into_iter().map(|(_, field)| field).collect()
    }

    /// Returns the value, once it is complete.
    fn made(mut self, tables: &Tables, lacking: &mut HashMap<u32, Lacking>) -> OpResult<Value> {
        let fields = self.in_order();
        Ok(match self.container {
            Container::List => Value::List(fields),
            Container::Tuple => Value::Tuple(fields),
            Container::Set | Container::FrozenSet if !Value::differ(fields.iter()) => {
                return Err(TWICE_IN_SET);
            }
            Container::Set => Value::Set(fields),
            Container::FrozenSet => Value::FrozenSet(fields),
            Container::Map if !Value::differ(fields.iter().step_by(2)) => {
                return Err(TWICE_IN_MAP);
            }
            Container::Map => {
                let mut entries = memory::with_capacity(fields.len() / 2)?;
                let mut fields = fields.into_iter();
                while let (Some(key), Some(value)) = (fields.next(), fields.next()) {
                    entries.push([key, value]);
                }
                Value::Map(entries)
            }
            Container::Struct(table) => {
                let names = &tables.structs[table as usize];
                let names = match self.missing.is_empty() {
                    true => names.clone(),
                    false => match lacking.get(&table) {
                        Some((missing, names)) if *missing == self.missing => names.clone(),
                        _ => {
                            let names = Arc::new(without(names, &self.missing));
                            lacking.insert(table, (self.missing, names.clone()));
                            names
                        }
                    },
                };
                Value::Struct(names, fields.into())
            }
        })
    }
}

/// Returns `names` without the indices in `missing`, which must be ascending.
fn without(names: &Names, missing: &[usize]) -> Names {
    let fields = names.fields.iter().enumerate();
    let there = fields.filter(|(place, _)| missing.binary_search(place).is_err());
    Names { name: names.name.clone(), fields: there.map(|(_, name)| name.clone()).collect() }
}

impl SinkBase for ValueWriter {
    fn dictionary(
        &mut self,
        column: u32,
        encoding: StrEncoding,
        ends: &[u32],
        bytes: &[u8],
    ) -> OpResult {
        let column = column as usize;
        let none = Entries::Bytes(Vec::new());
        self.dictionaries.resize(self.dictionaries.len().max(column + 1), none);
        let begins = std::iter::once(0).chain(ends.iter().copied());
        let ranges = begins.zip(ends).map(|(begin, &end)| begin as usize..end as usize);
        self.dictionaries[column] = match encoding {
            StrEncoding::Text => {
                let text = std::str::from_utf8(bytes).map_err(|_| SURROGATE)?;
                let mut entries = memory::with_capacity(ends.len())?;
                for range in ranges {
                    memory::check(range.len())?;
                    entries.push(text[range].into());
                }
                Entries::Text(entries)
            }
            StrEncoding::Bytes => {
                let mut entries = memory::with_capacity(ends.len())?;
                for range in ranges {
                    memory::check(range.len())?;
                    entries.push(bytes[range].into());
                }
                Entries::Bytes(entries)
            }
        };
        Ok(())
    }
}

impl Sink for ValueWriter {
    fn names(&mut self, tables: &Arc<Tables>) {
        if !Arc::ptr_eq(&self.tables, tables) {
            self.tables = tables.clone();
            self.lacking.clear();
        }
    }

    fn row(&mut self) -> OpResult {
        Ok(())
    }

    fn end_row(&mut self) -> OpResult<ControlFlow<()>> {
        Ok(ControlFlow::Continue(()))
    }

    fn i64(&mut self, _column: u32, v: i64) -> OpResult {
        self.put(Value::I64(v))
    }

    fn f64(&mut self, _column: u32, v: f64) -> OpResult {
        self.put(Value::F64(v))
    }

    fn str(&mut self, column: u32, v: Text<'_>) -> OpResult {
        let v = match v {
            Text::Plain(text) => {
                let bytes = text.bytes();
                if bytes.len() >= LONG {
                    memory::check(bytes.len())?;
                }
                std::str::from_utf8(bytes).map_err(|_| SURROGATE)?.into()
            }
            Text::Entry(code) => match &self.dictionaries[column as usize] {
                Entries::Text(entries) => entries[code as usize].clone(),
                Entries::Bytes(_) => return Err(NOT_TEXT),
            },
        };
        self.put(Value::Str(v))
    }

    fn logical(
        &mut self,
        ty: Logical,
        at: ComponentColumns,
        components: Components<'_>,
    ) -> OpResult {
        let bytes = match components.bytes {
            Text::Plain(text) => text.bytes(),
            Text::Entry(code) => match &self.dictionaries[at.str as usize] {
                Entries::Bytes(entries) => &entries[code as usize],
                Entries::Text(_) => return Err(NOT_TEXT),
            },
        };
        ty.check(&components.ints, bytes)?;
        let v = match ty {
            Logical::Int if bytes.is_empty() => Value::I64(components.ints[0]),
            Logical::F32 => Value::F64(components.floats[0]),
            Logical::U64 => Value::from(components.ints[0] as u64),
            ty if ty.sized_int().is_some() => Value::I64(components.ints[0]),
            ty => Composite::of_parts(ty, components.ints, components.floats, bytes).into(),
        };
        self.put(v)
    }

    fn bool(&mut self, _column: u32, v: bool) -> OpResult {
        self.put(Value::Bool(v))
    }

    fn null(&mut self) -> OpResult {
        self.put(Value::Null)
    }

    fn present(&mut self, _column: u32) -> OpResult {
        Ok(())
    }

    fn absent(&mut self, _column: u32) -> OpResult {
        self.put(Value::Null)
    }

    fn member(&mut self, table: u32, _column: u32, index: i64) -> OpResult {
        let of = &self.tables.enums[table as usize];
        let index = u32::try_from(index).map_err(|_| Fault::TypeMismatch)?;
        self.put(Value::Enum(of.clone(), index))
    }

    fn has_field(&mut self, _column: u32) -> OpResult {
        Ok(())
    }

    fn lacks_field(&mut self, _column: u32) -> OpResult {
        if let Some(open) = self.open.last_mut() {
            let place = match &mut open.places {
                Some(places) => {
                    places.next += 1;
                    places.next - 1
                }
                None => open.fields.len() + open.missing.len(),
            };
            open.missing.push(place);
        }
        Ok(())
    }

    fn field(&mut self, index: u32) -> OpResult {
        if let Some(Open { fields, missing, places, .. }) = self.open.last_mut() {
            let so_far = 0..fields.len() + missing.len();
            let of = || so_far.filter(|place| !missing.contains(place)).collect();
            places.get_or_insert_with(|| Places { of: of(), next: 0 }).next = index as usize;
        }
        Ok(())
    }

    /// A sequence ends with the elements that it has.
    fn shorten(&mut self, _column: u32, _len: usize) -> OpResult {
        Ok(())
    }

    fn enter(&mut self, container: Container, len: u32, _acyclic: bool) -> OpResult {
        self.begin(container, len as usize)
    }

    fn leave(&mut self) -> OpResult {
        let Some(open) = self.open.pop() else { return Ok(()) };
        let made = open.made(&self.tables, &mut self.lacking)?;
        self.put(made)
    }

    fn sequence(
        &mut self,
        container: Container,
        _column: u32,
        len: usize,
        _acyclic: bool,
    ) -> OpResult {
        self.begin(container, len)
    }

    fn arm(&mut self, _column: u32, _arm: usize) -> OpResult {
        Ok(())
    }
}

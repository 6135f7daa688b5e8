//! A sink that discards all values. It is for values that are skipped or only counted.

use std::ops::ControlFlow;
use std::sync::Arc;

use super::meter::Observer;
use super::{Components, OpResult, Sink, SinkBase, Text};
use crate::memory;
use crate::plan::{ComponentColumns, StrEncoding, Tables};
use crate::schema::nd_array::Shape;
use crate::schema::{Container, Logical, NdArray};

/// Stands for the length of an entry whose values share an object that was counted.
const SHARED: u32 = u32::MAX;

/// An entry of a dictionary of byte strings.
#[derive(Clone, Copy, Debug)]
struct Entry {
    len: u32,
    /// If it is an array, of how many lists of lists.
    lists: u32,
}

impl Entry {
    fn of(bytes: &[u8]) -> Entry {
        let lists = Shape::split(bytes).map_or(0, |(shape, _)| shape.lists());
        Entry { len: bytes.len() as u32, lists: lists.try_into().unwrap_or(u32::MAX) }
    }
}

/// Discards values, and tells an observer about them.
#[derive(Debug)]
pub struct Discard<O = ()> {
    observer: O,
    /// The names of the plan, which tell records from dicts.
    tables: Arc<Tables>,
    /// For each column with a dictionary of byte strings: its entries. Each value that is made of an entry may
    /// have bytes of its own.
    entries: Vec<Vec<Entry>>,
}

impl<O: Observer> Discard<O> {
    /// Creates a sink that tells `observer` about the values.
    pub fn new(observer: O) -> Discard<O> {
        Discard { observer, tables: Tables::none(), entries: Vec::new() }
    }

    /// Returns the observer.
    pub fn into_observer(self) -> O {
        self.observer
    }
}

impl<O: Observer> SinkBase for Discard<O> {
    fn checkpoint(&mut self) -> OpResult {
        self.observer.checkpoint()
    }

    fn hold(&mut self, bytes: usize) -> OpResult {
        self.observer.hold(bytes)
    }

    fn dictionary(
        &mut self,
        column: u32,
        encoding: StrEncoding,
        ends: &[u32],
        bytes: &[u8],
    ) -> OpResult {
        let mut begin = 0;
        let entries = ends.iter().map(|&end| {
            let range = std::mem::replace(&mut begin, end as usize)..end as usize;
            &bytes[range]
        });
        if encoding == StrEncoding::Bytes {
            // An object, an `Entry` and a place for each entry.
            self.observer.hold((5 * size_of_val(ends)).saturating_add(bytes.len()))?;
            let (column, mut kept) = (column as usize, memory::with_capacity(ends.len())?);
            kept.extend(entries.map(Entry::of));
            if column >= self.entries.len() {
                memory::resize(&mut self.entries, column + 1, Vec::new())?;
            }
            self.entries[column] = kept;
            return Ok(());
        }
        for text in entries {
            self.observer.take(|sizes| sizes.place.saturating_add(sizes.str(text)))?;
        }
        Ok(())
    }
}

impl<O: Observer> Sink for Discard<O> {
    fn names(&mut self, tables: &Arc<Tables>) {
        self.tables = tables.clone();
    }

    #[inline(always)]
    fn row(&mut self) -> OpResult {
        self.observer.take(|sizes| sizes.place)
    }

    #[inline(always)]
    fn end_row(&mut self) -> OpResult<ControlFlow<()>> {
        Ok(ControlFlow::Continue(()))
    }

    #[inline(always)]
    fn i64(&mut self, _column: u32, _v: i64) -> OpResult {
        self.observer.take(|sizes| sizes.int)
    }

    #[inline(always)]
    fn f64(&mut self, _column: u32, _v: f64) -> OpResult {
        self.observer.take(|sizes| sizes.float)
    }

    #[inline(always)]
    fn str(&mut self, _column: u32, v: Text<'_>) -> OpResult {
        match v {
            Text::Plain(text) => self.observer.take(|sizes| sizes.text(text)),
            Text::Entry(_) => Ok(()),
        }
    }

    #[inline(always)]
    fn logical(&mut self, ty: Logical, at: ComponentColumns, v: Components<'_>) -> OpResult {
        let Discard { observer, entries, .. } = self;
        observer.take(|sizes| {
            let Entry { len, lists } = match v.bytes {
                Text::Plain(text) if ty == Logical::NdArray => Entry::of(text.bytes()),
                Text::Plain(text) => return (sizes.logical)(ty, text.bytes().len()),
                Text::Entry(code) => {
                    let of_column = entries.get_mut(at.str as usize);
                    match of_column.and_then(|entries| entries.get_mut(code as usize)) {
                        Some(Entry { len: SHARED, .. }) => return 0,
                        Some(entry) if entry.len > 0 && (sizes.shares_entries)(ty) => {
                            let shared = Entry { len: SHARED, ..*entry };
                            std::mem::replace(entry, shared)
                        }
                        entry => entry.copied().unwrap_or(Entry { len: 0, lists: 0 }),
                    }
                }
            };
            match NdArray::element_of(v.ints[0]).filter(|_| ty == Logical::NdArray) {
                Some(of) => {
                    (sizes.nd_array)(of, (len as usize).div_ceil(of.size()), lists as usize)
                }
                None => (sizes.logical)(ty, len as usize),
            }
        })
    }

    #[inline(always)]
    fn bool(&mut self, _column: u32, _v: bool) -> OpResult {
        Ok(())
    }

    #[inline(always)]
    fn null(&mut self) -> OpResult {
        Ok(())
    }

    #[inline(always)]
    fn present(&mut self, column: u32) -> OpResult {
        self.observer.presence(column, true)
    }

    #[inline(always)]
    fn absent(&mut self, column: u32) -> OpResult {
        self.observer.presence(column, false)
    }

    /// A language makes the members of an enum once, so a member costs nothing.
    #[inline(always)]
    fn member(&mut self, _table: u32, _column: u32, _index: i64) -> OpResult {
        Ok(())
    }

    fn default_field(&mut self) -> OpResult {
        Ok(())
    }

    fn field(&mut self, _index: u32) -> OpResult {
        Ok(())
    }

    fn shorten(&mut self, _column: u32, _len: usize) -> OpResult {
        Ok(())
    }

    #[inline(always)]
    fn enter(&mut self, container: Container, len: u32, _acyclic: bool) -> OpResult {
        let Discard { observer, tables, .. } = self;
        observer.take(|sizes| sizes.container(container, len as usize, tables))
    }

    #[inline(always)]
    fn leave(&mut self) -> OpResult {
        Ok(())
    }

    #[inline(always)]
    fn sequence(
        &mut self,
        container: Container,
        column: u32,
        len: usize,
        _acyclic: bool,
    ) -> OpResult {
        let Discard { observer, tables, .. } = self;
        observer.length(column, len)?;
        observer.take(|sizes| sizes.container(container, len, tables))
    }

    #[inline(always)]
    fn arm(&mut self, column: u32, arm: usize) -> OpResult {
        self.observer.arm(column, arm)
    }
}

//! Counts the memory that rows take as objects of a language.
//!
//! A short message may hold many large rows: a column of equal values takes a few bytes. To decode
//! untrusted messages, count their rows' memory before making any row.

use super::{OpResult, PlainText, SinkBase};
use crate::error::Fault;
use crate::plan::Tables;
use crate::schema::{Container, ElementType, Logical};

/// The sizes of a language's objects, in bytes. They are the sizes that the objects may have at most
/// while they are made, such as a set whose table has just grown.
#[derive(Clone, Copy, Debug)]
pub struct ObjectSizes {
    /// The slot of an object in a list of rows.
    pub place: usize,
    /// An integer of 64 bits.
    pub int: usize,
    /// A float.
    pub float: usize,
    /// A string of ASCII without its characters.
    pub ascii: usize,
    /// A string of this text, which is generalised UTF-8 and not ASCII.
    pub text: fn(&[u8]) -> usize,
    /// A value of several components, with the number of bytes among them.
    pub logical: fn(Logical, usize) -> usize,
    /// An array of so many elements of this type. It may be read as so many lists of lists, with the elements.
    pub nd_array: fn(ElementType, usize, usize) -> usize,
    /// Whether values of this type that are one entry of a dictionary are one object.
    pub shares_entries: fn(Logical) -> bool,
    /// A list or tuple, and each of its items.
    pub list: (usize, usize),
    /// A set, with its number of elements, which count by themselves.
    pub set: fn(usize) -> usize,
    /// A dict, with its number of entries. Keys and values count by themselves.
    pub dict: fn(usize) -> usize,
    /// A record, with its number of fields. Values count by themselves.
    pub record: fn(usize) -> usize,
}

impl ObjectSizes {
    /// Returns the size of a string of this text.
    pub(super) fn str(&self, text: &[u8]) -> usize {
        match text.is_ascii() {
            true => self.ascii.saturating_add(text.len()),
            false => (self.text)(text),
        }
    }

    pub(super) fn text(&self, text: PlainText<'_>) -> usize {
        match text.is_known_ascii() {
            true => self.ascii.saturating_add(text.bytes().len()),
            false => self.str(text.bytes()),
        }
    }

    /// Returns the size of a container. `tables` has the names of its plan.
    pub(super) fn container(&self, container: Container, len: usize, tables: &Tables) -> usize {
        match container {
            Container::List | Container::Tuple => {
                self.list.0.saturating_add(len.saturating_mul(self.list.1))
            }
            Container::Set | Container::FrozenSet => (self.set)(len),
            Container::Struct(table) if is_record(tables, table) => (self.record)(len),
            Container::Map | Container::Struct(_) => (self.dict)(len),
        }
    }
}

fn is_record(tables: &Tables, table: u32) -> bool {
    tables.structs.get(table as usize).is_some_and(|names| names.name.is_some())
}

/// Learns about values that a [`Discard`](super::discard::Discard) discards: what they cost, and which of the
/// choices of their type they make.
pub trait Observer {
    /// Receives a cost of `bytes`.
    ///
    /// # Errors
    /// A fault if the total is too large.
    fn take(&mut self, bytes: impl FnOnce(&ObjectSizes) -> usize) -> OpResult;

    /// See [`SinkBase::checkpoint`].
    ///
    /// # Errors
    /// A fault if the run must end.
    fn checkpoint(&mut self) -> OpResult {
        Ok(())
    }

    /// Receives a cost of `bytes` that ends with the frame.
    ///
    /// # Errors
    /// See [`Observer::take`].
    fn hold(&mut self, bytes: usize) -> OpResult {
        let _ = bytes;
        Ok(())
    }

    /// Learns whether an optional value of this column is present.
    ///
    /// # Errors
    /// A fault if there is no memory.
    #[inline(always)]
    fn presence(&mut self, column: u32, is_present: bool) -> OpResult {
        let _ = (column, is_present);
        Ok(())
    }

    /// Learns the length of a sequence of this column.
    ///
    /// # Errors
    /// See [`Observer::presence`].
    #[inline(always)]
    fn length(&mut self, column: u32, len: usize) -> OpResult {
        let _ = (column, len);
        Ok(())
    }

    /// Learns the arm of a union of this column.
    ///
    /// # Errors
    /// See [`Observer::presence`].
    #[inline(always)]
    fn arm(&mut self, column: u32, arm: usize) -> OpResult {
        let _ = (column, arm);
        Ok(())
    }
}

/// Learns nothing.
impl Observer for () {
    #[inline(always)]
    fn take(&mut self, _bytes: impl FnOnce(&ObjectSizes) -> usize) -> OpResult {
        Ok(())
    }
}

pub(crate) const TOO_LARGE: Fault =
    Fault::Limit("the rows take more memory than max_memory allows");

/// Counts down from the memory limit of rows.
#[derive(Clone, Copy, Debug)]
pub struct Meter {
    sizes: ObjectSizes,
    left: usize,
    /// Bytes that are held for the current frame.
    held: usize,
}

impl Meter {
    /// Rows may take `bytes`, as objects of these sizes.
    pub fn new(sizes: ObjectSizes, bytes: usize) -> Meter {
        Meter { sizes, left: bytes, held: 0 }
    }

    /// Returns how many bytes are left.
    pub fn left(&self) -> usize {
        self.left
    }

    /// Ends the current frame: what was held for it is free again.
    pub fn end_frame(&mut self) {
        self.left += std::mem::take(&mut self.held);
    }
}

/// Ignores all costs of values, for a sink that may end the run meanwhile.
pub(crate) struct Checked<'a, K>(pub &'a mut K);

impl<K: SinkBase> Observer for Checked<'_, K> {
    #[inline(always)]
    fn take(&mut self, _bytes: impl FnOnce(&ObjectSizes) -> usize) -> OpResult {
        Ok(())
    }

    fn checkpoint(&mut self) -> OpResult {
        self.0.checkpoint()
    }

    fn hold(&mut self, bytes: usize) -> OpResult {
        self.0.hold(bytes)
    }
}

/// Counts the values that `for_sink` would make, which may end the run meanwhile.
pub(crate) struct Metered<'a, K> {
    pub meter: &'a mut Meter,
    pub for_sink: &'a mut K,
}

impl<K: SinkBase> Observer for Metered<'_, K> {
    #[inline(always)]
    fn take(&mut self, bytes: impl FnOnce(&ObjectSizes) -> usize) -> OpResult {
        self.meter.take(bytes)
    }

    fn checkpoint(&mut self) -> OpResult {
        self.for_sink.checkpoint()
    }

    fn hold(&mut self, bytes: usize) -> OpResult {
        self.meter.hold(bytes)
    }
}

impl Observer for Meter {
    #[inline(always)]
    fn take(&mut self, bytes: impl FnOnce(&ObjectSizes) -> usize) -> OpResult {
        self.left = self.left.checked_sub(bytes(&self.sizes)).ok_or(TOO_LARGE)?;
        Ok(())
    }

    fn hold(&mut self, bytes: usize) -> OpResult {
        self.take(|_| bytes)?;
        self.held += bytes;
        Ok(())
    }
}

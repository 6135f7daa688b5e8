//! Counts the memory that rows take as objects of a language.
//!
//! A short message may hold many large rows: a column of equal values takes a few bytes. To decode
//! untrusted messages, count their rows' memory before making any row.

use super::{OpResult, PlainText};
use crate::error::Fault;
use crate::schema::Container;

/// The approximate sizes of a language's objects, in bytes.
#[derive(Clone, Copy, Debug)]
pub struct ObjectSizes {
    /// The slot of an object in a list of rows.
    pub place: usize,
    /// An integer of 64 bits.
    pub int: usize,
    /// A float.
    pub float: usize,
    /// A string without its characters, and the bytes for each byte of UTF-8 if it is not ASCII.
    pub str: (usize, usize),
    /// A value of several components without its bytes.
    pub composite: usize,
    /// A list or tuple, and each of its items.
    pub list: (usize, usize),
    /// A set, and each of its elements.
    pub set: (usize, usize),
    /// A dict or record, and each of its entries or fields.
    pub dict: (usize, usize),
}

impl ObjectSizes {
    pub(super) fn dictionary(&self, len: usize, bytes: &[u8]) -> usize {
        len.saturating_mul(self.str.0).saturating_add(bytes.len())
    }

    pub(super) fn text(&self, text: PlainText<'_>) -> usize {
        let (header, wide) = self.str;
        let width = if text.rechecked().is_known_ascii() { 1 } else { wide };
        header.saturating_add(text.bytes().len().saturating_mul(width))
    }

    pub(super) fn container(&self, container: Container, len: usize) -> usize {
        let (own, each) = match container {
            Container::List | Container::Tuple => self.list,
            Container::Set | Container::FrozenSet => self.set,
            Container::Map | Container::Struct(_) => self.dict,
        };
        own.saturating_add(len.saturating_mul(each))
    }
}

/// Receives the costs of values.
pub trait Cost {
    /// Receives a cost of `bytes`.
    ///
    /// # Errors
    /// A fault if the total is too large.
    fn take(&mut self, bytes: impl FnOnce(&ObjectSizes) -> usize) -> OpResult;
}

/// Ignores all costs.
impl Cost for () {
    #[inline(always)]
    fn take(&mut self, _bytes: impl FnOnce(&ObjectSizes) -> usize) -> OpResult {
        Ok(())
    }
}

const TOO_LARGE: Fault = Fault::Limit("the rows take more memory than max_memory allows");

/// Counts down from the memory limit of rows.
#[derive(Clone, Copy, Debug)]
pub struct Meter {
    sizes: ObjectSizes,
    left: usize,
}

impl Meter {
    /// Rows may take `bytes`, as objects of these sizes.
    pub fn new(sizes: ObjectSizes, bytes: usize) -> Meter {
        Meter { sizes, left: bytes }
    }
}

impl Cost for Meter {
    #[inline(always)]
    fn take(&mut self, bytes: impl FnOnce(&ObjectSizes) -> usize) -> OpResult {
        self.left = self.left.checked_sub(bytes(&self.sizes)).ok_or(TOO_LARGE)?;
        Ok(())
    }
}

//! A sink that keeps nothing, and counts the memory that rows take as objects of a language.
//!
//! A short message may be many large rows: a column whose values are all equal takes a few bytes. So whoever
//! decodes messages of others has rows counted before any is made.

use std::ops::ControlFlow;

use super::{Components, OpResult, Sink, Text};
use crate::error::Fault;
use crate::plan::{ComponentColumns, StrEncoding};
use crate::schema::{Container, Logical};

/// About how many bytes the objects of a language take.
#[derive(Clone, Copy, Debug)]
pub struct ObjectSizes {
    /// A place for an object in a list of rows.
    pub place: usize,
    /// An integer of 64 bits.
    pub int: usize,
    /// A float.
    pub float: usize,
    /// A string without its characters, and bytes for each byte of UTF-8 if it is not ASCII.
    pub text: (usize, usize),
    /// A value of several components without its bytes.
    pub composite: usize,
    /// A list or tuple, and each of its items.
    pub list: (usize, usize),
    /// A set, and each of its elements.
    pub set: (usize, usize),
    /// A dict or record, and each of its entries or fields.
    pub dict: (usize, usize),
}

const TOO_LARGE: Fault = Fault::Limit("the rows take more memory than max_memory allows");

/// Counts down from the memory that rows may take.
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

    #[inline(always)]
    fn take(&mut self, bytes: usize) -> OpResult {
        self.left = self.left.checked_sub(bytes).ok_or(TOO_LARGE)?;
        Ok(())
    }

    fn take_text(&mut self, text: &[u8], ascii: bool) -> OpResult {
        let (header, wide) = self.sizes.text;
        let width = if ascii || text.is_ascii() { 1 } else { wide };
        self.take(header.saturating_add(text.len().saturating_mul(width)))
    }

    fn take_container(&mut self, container: Container, len: usize) -> OpResult {
        let (own, each) = match container {
            Container::List | Container::Tuple => self.sizes.list,
            Container::Set | Container::FrozenSet => self.sizes.set,
            Container::Map | Container::Struct(_) => self.sizes.dict,
        };
        self.take(own.saturating_add(len.saturating_mul(each)))
    }
}

impl Sink for Meter {
    #[inline(always)]
    fn row(&mut self, _bound: usize) -> OpResult {
        self.take(self.sizes.place)
    }

    #[inline(always)]
    fn end_row(&mut self) -> OpResult<ControlFlow<()>> {
        Ok(ControlFlow::Continue(()))
    }

    #[inline(always)]
    fn element(&mut self, _bound: usize) -> OpResult {
        Ok(())
    }

    fn dictionary(
        &mut self,
        _column: u32,
        _encoding: StrEncoding,
        ends: &[u32],
        bytes: &[u8],
    ) -> OpResult {
        self.take(ends.len().saturating_mul(self.sizes.text.0))?;
        self.take(bytes.len())
    }

    #[inline(always)]
    fn i64(&mut self, _column: u32, _v: i64) -> OpResult {
        self.take(self.sizes.int)
    }

    #[inline(always)]
    fn f64(&mut self, _column: u32, _v: f64) -> OpResult {
        self.take(self.sizes.float)
    }

    #[inline(always)]
    fn str(&mut self, _column: u32, v: Text<'_>) -> OpResult {
        match v {
            Text::Plain { bytes, ascii } => self.take_text(bytes, ascii),
            Text::Entry(_) => Ok(()),
        }
    }

    fn logical(
        &mut self,
        _ty: Logical,
        _at: ComponentColumns,
        components: Components<'_>,
    ) -> OpResult {
        let len = match components.bytes {
            Text::Plain { bytes, .. } => bytes.len(),
            Text::Entry(_) => 0,
        };
        self.take(self.sizes.composite.saturating_add(len))
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
    fn present(&mut self, _column: u32) -> OpResult {
        Ok(())
    }

    #[inline(always)]
    fn absent(&mut self, _column: u32) -> OpResult {
        Ok(())
    }

    /// Members are there already.
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
        self.take_container(container, len as usize)
    }

    #[inline(always)]
    fn leave(&mut self) -> OpResult {
        Ok(())
    }

    #[inline(always)]
    fn sequence(
        &mut self,
        container: Container,
        _column: u32,
        len: usize,
        _acyclic: bool,
    ) -> OpResult {
        self.take_container(container, len)
    }

    #[inline(always)]
    fn arm(&mut self, _column: u32, _arm: usize) -> OpResult {
        Ok(())
    }
}

//! What is known about the classes of rows that come one by one, between the calls.

use std::cell::Cell;
use std::rc::Rc;

use pyo3::prelude::*;
use serow_core::plan::Tables;

use super::records::Classes;
use super::view::Views;

/// Views of rows of one schema after another. A call takes them, so a nested call finds none.
#[derive(Default)]
pub struct KeptViews(Cell<Option<Box<Views>>>);

// SAFETY: `take` and `keep` have a token of the GIL, so one thread at a time uses the cell.
unsafe impl Sync for KeptViews {}
// SAFETY: the views count references among themselves (`Rc`), and to objects of Python, which any thread may drop.
unsafe impl Send for KeptViews {}

impl KeptViews {
    /// Takes the views for a row of a schema with these `tables`, which needs none if they are empty.
    #[inline(always)]
    pub fn take(&self, _py: Python<'_>, tables: &Tables) -> Option<Box<Views>> {
        if tables.is_empty() {
            return None;
        }
        let new = || Box::new(Views::new(Rc::new(Classes::kept()), false));
        Some(self.0.take().unwrap_or_else(new))
    }

    /// Keeps the views for the next row.
    #[inline(always)]
    pub fn keep(&self, _py: Python<'_>, views: Option<Box<Views>>) {
        if views.is_some() {
            self.0.set(views);
        }
    }
}

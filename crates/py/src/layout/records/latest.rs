//! What is known about the classes of the latest rows, for the next ones.

use std::cell::{Cell, OnceCell};
use std::rc::Rc;

use pyo3::prelude::*;

use super::Classes;

/// The classes of the rows of one call, which are looked at when the first object of a class is read.
/// The next call begins with what this one has found out, as far as that keeps nothing alive.
pub struct LatestClasses<'py> {
    classes: OnceCell<Rc<Classes>>,
    /// The GIL is held as long as this exists.
    _py: Python<'py>,
}

/// The classes between two calls. A nested call finds none.
struct ClassCache(Cell<Option<Rc<Classes>>>);

// SAFETY: only `LatestClasses` uses it, which has a token of the GIL, so one thread at a time.
unsafe impl Sync for ClassCache {}

static CLASS_CACHE: ClassCache = ClassCache(Cell::new(None));

impl<'py> LatestClasses<'py> {
    /// None yet.
    pub const fn new(py: Python<'py>) -> LatestClasses<'py> {
        LatestClasses { classes: OnceCell::new(), _py: py }
    }

    /// Classes that are not for the next call.
    pub fn of(py: Python<'py>, classes: Classes) -> LatestClasses<'py> {
        LatestClasses { classes: OnceCell::from(Rc::new(classes)), _py: py }
    }

    /// The classes.
    #[inline(always)]
    pub fn get(&self) -> &Rc<Classes> {
        self.classes
            .get_or_init(|| CLASS_CACHE.0.take().unwrap_or_else(|| Rc::new(Classes::latest())))
    }

    /// The classes, if there are any.
    #[inline(always)]
    pub fn peek(&self) -> Option<&Classes> {
        self.classes.get().map(|classes| &**classes)
    }
}

impl Drop for LatestClasses<'_> {
    fn drop(&mut self) {
        if let Some(classes) = self.classes.take()
            && classes.are_latest
            && Rc::strong_count(&classes) == 1
        {
            classes.drop_pinning();
            CLASS_CACHE.0.set(Some(classes));
        }
    }
}

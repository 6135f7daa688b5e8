//! What is known about the classes of the latest rows, for the next ones.

use std::cell::{Cell, OnceCell};
use std::rc::Rc;

use super::Classes;

/// The classes of the rows of one call, which are looked at when the first object of a class is read.
/// The next call begins with what this one has found out, as far as that keeps nothing alive.
pub struct LatestClasses(OnceCell<Rc<Classes>>);

/// The classes between two calls. A nested call finds none.
struct Between(Cell<Option<Rc<Classes>>>);

// SAFETY: those who take classes from here and put them back hold the GIL, and no Python code runs meanwhile.
unsafe impl Sync for Between {}

static BETWEEN: Between = Between(Cell::new(None));

impl LatestClasses {
    /// None yet.
    pub const fn new() -> LatestClasses {
        LatestClasses(OnceCell::new())
    }

    /// Classes that are not for the next call.
    pub fn of(classes: Classes) -> LatestClasses {
        LatestClasses(OnceCell::from(Rc::new(classes)))
    }

    /// The classes.
    ///
    /// # Safety
    /// The GIL must be held, and be held when this is dropped.
    #[inline(always)]
    pub unsafe fn get(&self) -> &Rc<Classes> {
        self.0.get_or_init(|| BETWEEN.0.take().unwrap_or_else(|| Rc::new(Classes::latest())))
    }

    /// The classes, if there are any.
    #[inline(always)]
    pub fn peek(&self) -> Option<&Classes> {
        self.0.get().map(|classes| &**classes)
    }
}

impl Drop for LatestClasses {
    fn drop(&mut self) {
        if let Some(classes) = self.0.take()
            && classes.are_latest
            && Rc::strong_count(&classes) == 1
        {
            classes.keep_light();
            BETWEEN.0.set(Some(classes));
        }
    }
}

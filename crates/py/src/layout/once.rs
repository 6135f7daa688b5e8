//! What came of code of the caller's in a row that compiled code then left. The interpreter makes that
//! row from its beginning and is given it, so that no class is called twice for one value and nothing that
//! was raised is lost.

use pyo3::prelude::*;

/// What was built for the row that compiled code is in, or has left.
#[derive(Default)]
pub struct Once {
    /// With the number that it had among all that was to be built for the row: while compiled code is in it
    /// in the order in which that was, and then in the other order.
    kept: Vec<(usize, Outcome)>,
    asked: usize,
    is_code: bool,
}

/// What came of something that was to be built.
pub enum Outcome {
    /// An instance of a class of the caller's.
    Instance(Py<PyAny>),
    /// It can't be built, as this says, and this was raised.
    Refused(Box<(String, Option<PyErr>)>),
    /// Something else was raised.
    Raised(Box<PyErr>),
}

impl Once {
    /// Compiled code is about to build the first thing of a row.
    pub fn begin_row(&mut self) {
        self.kept.clear();
        self.asked = 0;
        self.is_code = true;
    }

    /// The interpreter makes rows from now on. If compiled code has left the first of them after it has
    /// `begun` to build, the interpreter builds the same for that, in the same order.
    pub fn take_back(&mut self, begun: bool) {
        self.is_code = false;
        self.asked = 0;
        match begun {
            true => self.kept.reverse(),
            false => self.kept.clear(),
        }
    }

    /// Something is to be built: what came of it when compiled code was in the row.
    #[inline(always)]
    pub fn ask(&mut self) -> Option<Outcome> {
        self.asked += 1;
        match self.kept.last() {
            Some((number, _)) if !self.is_code && *number == self.asked => self.again(),
            _ => None,
        }
    }

    #[cold]
    fn again(&mut self) -> Option<Outcome> {
        self.kept.pop().map(|(_, outcome)| outcome)
    }

    /// Whether compiled code builds, and may leave the row.
    pub fn is_code(&self) -> bool {
        self.is_code
    }

    /// Keep what has come of what was asked for last, if there is memory for it.
    pub fn keep(&mut self, outcome: Outcome) -> bool {
        let has_room = self.kept.try_reserve(1).is_ok();
        if has_room {
            self.kept.push((self.asked, outcome));
        }
        has_room
    }
}

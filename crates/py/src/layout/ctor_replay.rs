//! The outcomes of the caller's constructors in a row where compiled code bailed out. The
//! interpreter makes that row again from its first value and takes these outcomes instead of
//! calling the constructors, so that no constructor is called twice for one value and no exception
//! is lost.

use pyo3::prelude::*;

/// The constructor calls of one row.
#[derive(Default)]
pub struct CtorReplay {
    /// (ordinal, outcome) of each constructor call; in call order under the JIT, reversed for
    /// replay.
    kept: Vec<(usize, Outcome)>,
    asked: usize,
    is_code: bool,
}

/// The outcome of a constructor call.
pub enum Outcome {
    /// An instance of a class of the caller's.
    Instance(Py<PyAny>),
    /// There is no such value, for this reason; the exception is the cause.
    Unrepresentable(Box<(String, Option<PyErr>)>),
    /// The constructor raised something else.
    Raised(Box<PyErr>),
}

impl CtorReplay {
    /// Compiled code is about to make the first constructor call of a row.
    pub fn begin_row(&mut self) {
        self.kept.clear();
        self.asked = 0;
        self.is_code = true;
    }

    /// The interpreter makes rows from now on. If compiled code bailed out of the first of them
    /// after it had `begun` to call constructors, the interpreter makes the same calls in the same
    /// order.
    pub fn exit_jit(&mut self, begun: bool) {
        self.is_code = false;
        self.asked = 0;
        match begun {
            true => self.kept.reverse(),
            false => self.kept.clear(),
        }
    }

    /// Count a constructor call. Gives the outcome that compiled code had for it, if there is one.
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

    /// Whether compiled code makes the calls, which may bail out of the row.
    pub fn is_code(&self) -> bool {
        self.is_code
    }

    /// Keep the outcome of the last call. False if there is no memory for it.
    pub fn keep(&mut self, outcome: Outcome) -> bool {
        let has_room = self.kept.try_reserve(1).is_ok();
        if has_room {
            self.kept.push((self.asked, outcome));
        }
        has_room
    }
}

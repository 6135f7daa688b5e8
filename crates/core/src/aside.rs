//! Long work on plain memory, during which other threads of a language may run.
//!
//! Some languages run one thread at a time, which holds a lock: CPython's is the GIL. Whoever calls serow
//! from such a language has the lock, because rows are objects. To pack, compress and check a frame serow
//! needs no objects, so the language may let others have the lock meanwhile.

use std::time::Duration;

/// Work on fewer bytes takes less time than to give up a lock and wait for it.
pub const LEAST: usize = 1 << 16;

/// A thread gives the lock up after this time if others wait. CPython's own threads do so too.
pub const PATIENCE: Duration = Duration::from_millis(5);

/// How a language lets its other threads run while this one works on plain memory.
#[derive(Clone, Copy, Debug, Default)]
pub struct Aside {
    run: Option<fn(&mut dyn FnMut())>,
    /// Whether they run only when nothing is done.
    in_pauses: bool,
}

impl Aside {
    /// No other threads run.
    pub const NONE: Aside = Aside { run: None, in_pauses: false };

    /// `run` must call the function that it gets, once, and let others run meanwhile.
    pub const fn new(run: fn(&mut dyn FnMut())) -> Aside {
        Aside { run: Some(run), in_pauses: false }
    }

    /// Lets others run only between two pieces of work on memory that they have too.
    pub const fn in_pauses(self) -> Aside {
        Aside { in_pauses: true, ..self }
    }

    /// Returns whether [`Aside::work`] lets other threads run during work on `bytes` bytes.
    #[inline]
    pub fn lets_run(self, bytes: usize) -> bool {
        self.may_run() && !self.in_pauses && bytes >= LEAST
    }

    /// Returns whether other threads may run at all.
    #[inline]
    pub fn may_run(self) -> bool {
        self.run.is_some()
    }

    /// Calls `work`, which works on about `bytes` bytes. It must use no objects of the language.
    #[inline]
    pub fn work<T>(self, bytes: usize, work: impl FnOnce() -> T) -> T {
        if self.lets_run(bytes) { self.any(work) } else { work() }
    }

    /// Does work of any size, on memory that no other thread has.
    pub fn any<T>(self, work: impl FnOnce() -> T) -> T {
        match self.run {
            Some(run) => apart(run, work),
            None => work(),
        }
    }
}

fn apart<T>(run: fn(&mut dyn FnMut()), work: impl FnOnce() -> T) -> T {
    let (mut work, mut result) = (Some(work), None);
    run(&mut || result = work.take().map(|work| work()).or(result.take()));
    match (result, work) {
        (Some(result), _) => result,
        (None, Some(work)) => work(),
        (None, None) => unreachable!("work that was done has a result"),
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    thread_local! {
        static RUNS: Cell<usize> = const { Cell::new(0) };
    }

    fn counted(work: &mut dyn FnMut()) {
        RUNS.set(RUNS.get() + 1);
        work();
    }

    #[test]
    fn others_run_during_long_work_only() {
        for (aside, bytes, runs) in [
            (Aside::new(counted), LEAST, 1),
            (Aside::new(counted), LEAST - 1, 0),
            (Aside::NONE, LEAST, 0),
        ] {
            RUNS.set(0);
            assert_eq!(aside.work(bytes, || 7), 7);
            assert_eq!((RUNS.get(), aside.lets_run(bytes)), (runs, runs == 1));
        }
    }

    #[test]
    fn others_run_in_pauses_only() {
        let aside = Aside::new(counted).in_pauses();
        RUNS.set(0);
        assert_eq!((aside.work(LEAST, || 7), RUNS.get()), (7, 0));
        assert_eq!((aside.lets_run(usize::MAX), aside.may_run()), (false, true));
        assert_eq!((aside.any(|| 7), RUNS.get()), (7, 1));
    }

    #[test]
    fn work_is_done_once_whatever_the_function_does() {
        for run in [|_: &mut dyn FnMut()| (), |work: &mut dyn FnMut()| (0..3).for_each(|_| work())]
        {
            let mut done = 0;
            assert_eq!(Aside::new(run).any(|| done += 1), ());
            assert_eq!(done, 1);
        }
    }
}

//! The lock of a language that runs one thread at a time, and when it is given up.
//!
//! CPython's is the GIL. Whoever calls serow from such a language has the lock, because rows are objects. To pack, compress and check a frame serow
//! needs no objects, so the language may let others have the lock meanwhile.

use std::time::Duration;

/// Work on fewer bytes takes less time than to give up a lock and wait for it.
pub const LEAST_BYTES: usize = 1 << 16;

/// A thread gives the lock up after this time if others wait. CPython's own threads do so too.
pub const YIELD_INTERVAL: Duration = Duration::from_millis(5);

/// How a language gives up its lock, so that other threads run while this one works on plain memory.
#[derive(Clone, Copy, Debug, Default)]
pub struct HostLock {
    run: Option<fn(&mut dyn FnMut())>,
    /// Whether it is given up only when nothing is done.
    in_pauses: bool,
}

impl HostLock {
    /// The language has no lock, or it is not given up.
    pub const NONE: HostLock = HostLock { run: None, in_pauses: false };

    /// `run` must give up the lock, call the function that it gets, once, and take the lock again.
    pub const fn new(run: fn(&mut dyn FnMut())) -> HostLock {
        HostLock { run: Some(run), in_pauses: false }
    }

    /// Is given up only between two pieces of work on memory that other threads have too.
    pub const fn in_pauses(self) -> HostLock {
        HostLock { in_pauses: true, ..self }
    }

    /// Returns whether [`HostLock::release_for`] gives up the lock for work on `bytes` bytes.
    #[inline]
    pub fn is_released_for(self, bytes: usize) -> bool {
        self.can_be_released() && !self.in_pauses && bytes >= LEAST_BYTES
    }

    /// Returns whether it can be given up at all.
    #[inline]
    pub fn can_be_released(self) -> bool {
        self.run.is_some()
    }

    /// Calls `work`, which works on about `bytes` bytes and uses no objects of the language, without the lock
    /// if the work is long.
    #[inline]
    pub fn release_for<T>(self, bytes: usize, work: impl FnOnce() -> T) -> T {
        if self.is_released_for(bytes) { self.release(work) } else { work() }
    }

    /// Does work of any size, on memory that no other thread has, without the lock.
    pub fn release<T>(self, work: impl FnOnce() -> T) -> T {
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
        for (lock, bytes, runs) in [
            (HostLock::new(counted), LEAST_BYTES, 1),
            (HostLock::new(counted), LEAST_BYTES - 1, 0),
            (HostLock::NONE, LEAST_BYTES, 0),
        ] {
            RUNS.set(0);
            assert_eq!(lock.release_for(bytes, || 7), 7);
            assert_eq!((RUNS.get(), lock.is_released_for(bytes)), (runs, runs == 1));
        }
    }

    #[test]
    fn others_run_in_pauses_only() {
        let lock = HostLock::new(counted).in_pauses();
        RUNS.set(0);
        assert_eq!((lock.release_for(LEAST_BYTES, || 7), RUNS.get()), (7, 0));
        assert_eq!((lock.is_released_for(usize::MAX), lock.can_be_released()), (false, true));
        assert_eq!((lock.release(|| 7), RUNS.get()), (7, 1));
    }

    #[test]
    fn work_is_done_once_whatever_the_function_does() {
        for run in [|_: &mut dyn FnMut()| (), |work: &mut dyn FnMut()| (0..3).for_each(|_| work())]
        {
            let mut done = 0;
            assert_eq!(HostLock::new(run).release(|| done += 1), ());
            assert_eq!(done, 1);
        }
    }
}

//! What a process keeps once, in a way that a child made by `fork` can go on with.
//!
//! A child has only the thread that called `fork`. A lock that another thread held at that moment
//! stays locked in it for good, and what the lock guards may be half changed. So nothing here is
//! kept in a plain static `Mutex`: who can't have what was inherited begins with an empty one, and
//! the inherited one is leaked.

use std::process;
use std::ptr;
use std::sync::atomic::{AtomicPtr, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};

/// A value of which every process has its own: a child by `fork` makes a new one and leaves what it
/// inherits alone.
#[derive(Debug)]
pub struct PerProcess<T> {
    current: AtomicPtr<Made<T>>,
}

#[derive(Debug)]
struct Made<T> {
    process: u32,
    value: T,
}

impl<T> PerProcess<T> {
    /// Nothing yet.
    pub const fn new() -> PerProcess<T> {
        PerProcess { current: AtomicPtr::new(ptr::null_mut()) }
    }

    /// What there is, though a parent process may have made it.
    fn inherited(&self) -> Option<&'static Made<T>> {
        // SAFETY: what is stored there is never freed.
        unsafe { self.current.load(Ordering::Acquire).as_ref() }
    }

    /// This process's value, made by `make` if there is none. The way to it has no lock, so two
    /// threads may each make one at first; the one that comes second is dropped.
    ///
    /// # Errors
    /// Those of `make`.
    pub fn get_or_try_make<E>(&self, make: impl FnOnce() -> Result<T, E>) -> Result<&'static T, E> {
        let process = process::id();
        let inherited = self.inherited();
        if let Some(made) = inherited.filter(|made| made.process == process) {
            return Ok(&made.value);
        }
        let made = Box::into_raw(Box::new(Made { process, value: make()? }));
        let before = inherited.map_or(ptr::null_mut(), |made| ptr::from_ref(made).cast_mut());
        match self.current.compare_exchange(before, made, Ordering::AcqRel, Ordering::Acquire) {
            // SAFETY: it came from a box and is given to nobody who could free it.
            Ok(_) => Ok(unsafe { &(*made).value }),
            Err(first) => {
                // SAFETY: it came from a box, and nobody else has seen it.
                drop(unsafe { Box::from_raw(made) });
                // SAFETY: another thread of this process has leaked it.
                Ok(unsafe { &(*first).value })
            }
        }
    }

    /// This process's value.
    pub fn get(&self) -> &'static T
    where
        T: Default,
    {
        match self.get_or_try_make(|| Ok::<_, std::convert::Infallible>(T::default())) {
            Ok(value) => value,
        }
    }
}

impl<T> Default for PerProcess<T> {
    fn default() -> PerProcess<T> {
        PerProcess::new()
    }
}

/// A lock around what a child inherits too, unless it was locked when the child was made: then the
/// child begins anew. In one process it is a lock like any other.
#[derive(Debug)]
pub struct Inherited<T>(PerProcess<Mutex<T>>);

impl<T: Default> Inherited<T> {
    /// A lock around `T::default()`.
    pub const fn new() -> Inherited<T> {
        Inherited(PerProcess::new())
    }

    /// Wait for the lock.
    pub fn lock(&self) -> MutexGuard<'static, T> {
        // To try is enough nearly always, and spares asking the system which process this is.
        match self.0.inherited().map(|made| made.value.try_lock()) {
            Some(Ok(guard)) => guard,
            Some(Err(TryLockError::Poisoned(poisoned))) => poisoned.into_inner(),
            // A thread of this process has it for a moment, or a thread of the parent's for good.
            Some(Err(TryLockError::WouldBlock)) | None => {
                self.0.get().lock().unwrap_or_else(PoisonError::into_inner)
            }
        }
    }
}

impl<T: Default> Default for Inherited<T> {
    fn default() -> Inherited<T> {
        Inherited::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_threads_have_the_same() {
        static COUNT: Inherited<u32> = Inherited::new();
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| (0..1000).for_each(|_| *COUNT.lock() += 1));
            }
        });
        assert_eq!(*COUNT.lock(), 8000);
    }

    #[test]
    fn a_value_that_could_not_be_made_is_tried_again() {
        static VALUE: PerProcess<u32> = PerProcess::new();
        assert_eq!(VALUE.get_or_try_make(|| Err("no")), Err("no"));
        assert_eq!(VALUE.get_or_try_make(|| Ok::<_, &str>(5)), Ok(&5));
        assert_eq!(VALUE.get(), &5);
    }
}

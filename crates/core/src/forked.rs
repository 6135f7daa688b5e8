//! Process-wide state that stays usable in a child made by `fork`.
//!
//! A child has only the thread that called `fork`. If another thread held a lock at that moment,
//! the lock stays locked in the child forever, and the state under it may be half changed. So this
//! module never uses a plain static `Mutex`. If a child can't lock the inherited state, it leaks it
//! and starts with an empty one.

use std::process;
use std::ptr;
use std::sync::atomic::{AtomicPtr, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};

/// A value that every process has for itself: a child made by `fork` makes a new one and leaves the
/// inherited one alone. All threads of the process share it, so it must allow that:
///
/// ```compile_fail,E0277
/// use serow_core::forked::PerProcess;
/// static COUNT: PerProcess<std::cell::Cell<u32>> = PerProcess::new();
/// ```
#[derive(Debug)]
pub struct PerProcess<T> {
    current: AtomicPtr<OfProcess<T>>,
}

#[derive(Debug)]
struct OfProcess<T> {
    process: u32,
    value: T,
}

impl<T: Send + Sync> PerProcess<T> {
    /// No value yet.
    pub const fn new() -> PerProcess<T> {
        PerProcess { current: AtomicPtr::new(ptr::null_mut()) }
    }

    /// Returns the current value, which may be a parent process's.
    fn inherited(&self) -> Option<&'static OfProcess<T>> {
        // SAFETY: the stored value is never freed.
        unsafe { self.current.load(Ordering::Acquire).as_ref() }
    }

    /// Returns this process's value. Calls `make` if there is none. There is no lock, so at first
    /// two threads may both make a value; the second one is dropped.
    ///
    /// # Errors
    /// The error of `make`.
    pub fn get_or_try_make<E>(&self, make: impl FnOnce() -> Result<T, E>) -> Result<&'static T, E> {
        let process = process::id();
        let inherited = self.inherited();
        if let Some(made) = inherited.filter(|made| made.process == process) {
            return Ok(&made.value);
        }
        let made = Box::into_raw(Box::new(OfProcess { process, value: make()? }));
        let before = inherited.map_or(ptr::null_mut(), |made| ptr::from_ref(made).cast_mut());
        match self.current.compare_exchange(before, made, Ordering::AcqRel, Ordering::Acquire) {
            // SAFETY: the value came from a box, and nothing can free it now.
            Ok(_) => Ok(unsafe { &(*made).value }),
            Err(first) => {
                // SAFETY: the value came from a box, and nothing else has seen it.
                drop(unsafe { Box::from_raw(made) });
                // SAFETY: another thread of this process stored and leaked it.
                Ok(unsafe { &(*first).value })
            }
        }
    }

    /// Returns this process's value.
    pub fn get(&self) -> &'static T
    where
        T: Default,
    {
        match self.get_or_try_make(|| Ok::<_, std::convert::Infallible>(T::default())) {
            Ok(value) => value,
        }
    }
}

impl<T: Send + Sync> Default for PerProcess<T> {
    fn default() -> PerProcess<T> {
        PerProcess::new()
    }
}

/// A lock around a value that a child inherits, unless another thread held the lock during the
/// fork; then the child starts with a new value. Within one process it is a normal lock, so the value
/// must allow to be sent to the thread that locks it:
///
/// ```compile_fail,E0277
/// use serow_core::forked::Inherited;
/// static COUNT: Inherited<std::rc::Rc<u32>> = Inherited::new();
/// ```
#[derive(Debug)]
pub struct Inherited<T>(PerProcess<Mutex<T>>);

impl<T: Default + Send> Inherited<T> {
    /// Creates a lock around `T::default()`.
    pub const fn new() -> Inherited<T> {
        Inherited(PerProcess::new())
    }

    /// Waits for the lock.
    pub fn lock(&self) -> MutexGuard<'static, T> {
        // Trying succeeds nearly always and avoids the system call for the process's id.
        match self.0.inherited().map(|made| made.value.try_lock()) {
            Some(Ok(guard)) => guard,
            Some(Err(TryLockError::Poisoned(poisoned))) => poisoned.into_inner(),
            // Either a thread of this process holds the lock for a moment, or a thread of the
            // parent process held it during the fork.
            Some(Err(TryLockError::WouldBlock)) | None => {
                self.0.get().lock().unwrap_or_else(PoisonError::into_inner)
            }
        }
    }
}

impl<T: Default + Send> Default for Inherited<T> {
    fn default() -> Inherited<T> {
        Inherited::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_threads_share_one_value() {
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

//! The compiled code of plans, and its eviction.
//!
//! A plan owns its code. In addition the process limits the code of all plans together
//! (`limits.rs`). Above the limit it evicts the least recently used code. Threads that run evicted
//! code keep it until they are done. A plan without its code is interpreted, and its time is
//! counted from zero.

use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU64, Ordering};
use std::sync::{Arc, Weak};

use arc_swap::{ArcSwapOption, Guard};

use super::Code;
use crate::forked::Inherited;
use crate::layout::Pair;
use crate::limits::{MAX_CODE_BYTES, MAX_COMPILED};

/// The code of a plan, by pairs of layouts.
#[derive(Debug, Default)]
pub(crate) struct Codes(Link);

/// A slot that is made once and stays, or none yet. Unlike a `OnceLock` it has no lock, which a child
/// made by `fork` could inherit.
#[derive(Debug, Default)]
struct Link(AtomicPtr<Slot>);

/// The code for one pair of layouts.
#[derive(Debug)]
pub(crate) struct Slot {
    pair: Pair,
    code: ArcSwapOption<Arc<dyn Code>>,
    /// Relaxed mirror of `code.is_some()` for the fast path. May be stale for a moment.
    is_set: AtomicBool,
    /// Nanoseconds in the interpreter.
    pub(crate) spent: AtomicU64,
    /// Rows that the interpreter has converted in calls with one row.
    pub(crate) rows: AtomicU64,
    /// The time when the code was set, by [`NOW`], or one more than the time of its last use.
    used: AtomicU64,
    me: Weak<Slot>,
    next: Link,
}

/// Twice the number of times that code was set. This clock advances only then, so recording a use
/// costs one load. Only the code that was not used since other code arrived matters.
static NOW: AtomicU64 = AtomicU64::new(0);

/// All code of the process, in the order in which it was set.
static KEPT: Inherited<Vec<Kept>> = Inherited::new();

#[derive(Debug)]
struct Kept {
    slot: Weak<Slot>,
    bytes: usize,
}

impl Link {
    /// Returns the slot. If there is none, makes it for `pair`.
    #[inline]
    fn get(&self, pair: Pair) -> &Slot {
        let slot = self.0.load(Ordering::Acquire);
        // SAFETY: a slot that is not null is freed with the link.
        unsafe { slot.as_ref() }.unwrap_or_else(|| self.make(pair))
    }

    #[cold]
    fn make(&self, pair: Pair) -> &Slot {
        let made = Arc::new_cyclic(|me| Slot {
            pair,
            code: ArcSwapOption::empty(),
            is_set: AtomicBool::new(false),
            spent: AtomicU64::new(0),
            rows: AtomicU64::new(0),
            used: AtomicU64::new(0),
            me: me.clone(),
            next: Link::default(),
        });
        let made = Arc::into_raw(made).cast_mut();
        match self.0.compare_exchange(ptr::null_mut(), made, Ordering::AcqRel, Ordering::Acquire) {
            // SAFETY: it is freed with the link.
            Ok(_) => unsafe { &*made },
            Err(first) => {
                // SAFETY: the pointer comes from an `Arc`, and nothing else has seen it.
                drop(unsafe { Arc::from_raw(made) });
                // SAFETY: another thread has set it, and it is freed with the link.
                unsafe { &*first }
            }
        }
    }
}

impl Drop for Link {
    fn drop(&mut self) {
        let slot = *self.0.get_mut();
        if !slot.is_null() {
            // SAFETY: the pointer comes from an `Arc`, and nothing borrows from the link.
            drop(unsafe { Arc::from_raw(slot) });
        }
    }
}

impl Slot {
    /// Returns the code for a call and records the use.
    #[inline]
    pub(crate) fn enter(&self) -> Guard<Option<Arc<Arc<dyn Code>>>> {
        let now = NOW.load(Ordering::Relaxed) + 1;
        if self.used.load(Ordering::Relaxed) != now {
            self.used.store(now, Ordering::Relaxed);
        }
        self.code.load()
    }

    pub(crate) fn code(&self) -> Option<Arc<dyn Code>> {
        self.code.load().as_deref().cloned()
    }

    #[inline]
    pub(crate) fn is_set(&self) -> bool {
        self.is_set.load(Ordering::Relaxed)
    }

    fn take(&self) -> Option<Arc<dyn Code>> {
        self.is_set.store(false, Ordering::Relaxed);
        let code = self.code.swap(None);
        self.spent.store(0, Ordering::Relaxed);
        code.as_deref().cloned()
    }
}

impl Codes {
    /// Returns the slot for `pair`. A plan runs between a few pairs of layouts.
    #[inline]
    pub(crate) fn at(&self, pair: Pair) -> &Slot {
        let mut slot = self.0.get(pair);
        while slot.pair != pair {
            slot = slot.next.get(pair);
        }
        slot
    }

    /// Sets `code` and returns the evicted code.
    pub(crate) fn set(&self, pair: Pair, code: Arc<dyn Code>) -> Vec<Arc<dyn Code>> {
        let bytes = code.bytes();
        if bytes > MAX_CODE_BYTES {
            return vec![code];
        }
        let slot = self.at(pair);
        let mut kept = KEPT.lock();
        if slot.is_set() {
            // Another thread has set equivalent code first.
            return Vec::new();
        }
        let now = NOW.fetch_add(2, Ordering::Relaxed) + 2;
        slot.used.store(now, Ordering::Relaxed);
        slot.code.store(Some(Arc::new(code)));
        slot.is_set.store(true, Ordering::Relaxed);
        kept.retain(|kept| kept.slot.strong_count() > 0);
        kept.push(Kept { slot: slot.me.clone(), bytes });
        let mut gone = Vec::new();
        while too_much(&kept) {
            gone.extend(oldest(&kept).and_then(|oldest| kept.remove(oldest).take()));
        }
        gone
    }

    /// Removes the code from the plan and returns it.
    pub(crate) fn take(&self, pair: Pair) -> Option<Arc<dyn Code>> {
        let slot = self.at(pair);
        let mut kept = KEPT.lock();
        kept.retain(|kept| !kept.slot.ptr_eq(&slot.me));
        slot.take()
    }
}

impl Kept {
    fn take(&self) -> Option<Arc<dyn Code>> {
        self.slot.upgrade()?.take()
    }

    fn used(&self) -> u64 {
        self.slot.upgrade().map_or(0, |slot| slot.used.load(Ordering::Relaxed))
    }
}

fn too_much(kept: &[Kept]) -> bool {
    kept.len() > MAX_COMPILED || kept.iter().map(|kept| kept.bytes).sum::<usize>() > MAX_CODE_BYTES
}

/// Returns the index of the least recently used code. Among several, the one that was set first.
fn oldest(kept: &[Kept]) -> Option<usize> {
    (0..kept.len()).min_by_key(|&index| kept[index].used())
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicUsize;
    use std::thread;

    use super::*;
    use crate::bytes::out::Out;
    use crate::compiled::run;
    use crate::program::Program;
    use crate::schema::Schema;
    use crate::testing::{int_records, sized};
    use crate::wire::row::{ROW, RowReader, RowWriter, ZeroSizedCounts};

    static ALIVE: AtomicUsize = AtomicUsize::new(0);

    /// Code that converts nothing and bails out at every row.
    #[derive(Debug)]
    struct Idle {
        bytes: usize,
    }

    impl Idle {
        fn of(bytes: usize) -> Arc<dyn Code> {
            ALIVE.fetch_add(1, Ordering::Relaxed);
            Arc::new(Idle { bytes })
        }
    }

    impl Drop for Idle {
        fn drop(&mut self) {
            ALIVE.fetch_sub(1, Ordering::Relaxed);
        }
    }

    impl Code for Idle {
        unsafe fn convert(&self, _: *mut (), _: *mut (), from: usize, _: usize) -> usize {
            assert!(ALIVE.load(Ordering::Relaxed) > 0, "dropped code runs");
            from
        }

        fn bytes(&self) -> usize {
            self.bytes
        }
    }

    fn plan() -> Program {
        Program::new(&Schema::parse("i64").unwrap())
    }

    fn set(program: &Program, bytes: usize) -> usize {
        // SAFETY: the code does nothing.
        unsafe { program.set_code((&ROW, &ROW), Idle::of(bytes)) }.len()
    }

    fn use_it(program: &Program) {
        let records = int_records(&[0]).repeat(100);
        let (mut room, mut source) = (Vec::new(), RowReader::new(&records, 0));
        let mut out = Out::new(&mut room);
        let mut writer = RowWriter::new(&mut out, 0, ZeroSizedCounts::default());
        assert!(run(program, &mut source, &mut writer, 0..100).unwrap().is_continue());
        assert!(source.is_empty());
    }

    /// A single test, because all tests in a process share its limits.
    #[test]
    fn the_least_recently_used_code_is_evicted() {
        let is_compiled = |plan: &Program| plan.is_compiled((&ROW, &ROW));

        // Too many: the first code goes unless it is used.
        let plans: Vec<Program> = (0..MAX_COMPILED).map(|_| plan()).collect();
        assert_eq!(plans.iter().map(|plan| set(plan, 1)).sum::<usize>(), 0);
        use_it(&plans[0]);
        let more = plan();
        assert_eq!(set(&more, 1), 1);
        let interpreted: Vec<_> = (0..plans.len()).filter(|&i| !is_compiled(&plans[i])).collect();
        assert_eq!(interpreted, [1]);
        use_it(&plans[1]);
        assert!(plans[2].take_code((&ROW, &ROW)).is_some());
        assert_eq!(set(&plans[1], 1), 0, "there is room again");
        assert_eq!(set(&plans[1], 1), 0, "it already has code");
        assert_eq!(ALIVE.load(Ordering::Relaxed), MAX_COMPILED);
        drop((plans, more));
        assert_eq!(ALIVE.load(Ordering::Relaxed), 0, "a plan frees its code");

        // Too large.
        let (one, two, three) = (plan(), plan(), plan());
        assert_eq!(set(&one, MAX_CODE_BYTES + 1), 1, "the code itself is returned");
        assert!(!is_compiled(&one));
        assert_eq!(set(&one, MAX_CODE_BYTES / 2) + set(&two, MAX_CODE_BYTES / 2), 0);
        use_it(&one);
        assert_eq!(set(&three, MAX_CODE_BYTES / 2), 1);
        assert!(is_compiled(&one) && !is_compiled(&two) && is_compiled(&three));

        // While it is used.
        thread::scope(|scope| {
            for plan in [&one, &two, &three] {
                scope.spawn(move || (0..sized(2000, 30)).for_each(|_| use_it(plan)));
            }
            for i in 0..sized(3000, 60) {
                set([&one, &two, &three][i % 3], MAX_CODE_BYTES / 2);
            }
        });
        assert_eq!(ALIVE.load(Ordering::Relaxed), 2);
        drop((one, two, three));
        assert_eq!(ALIVE.load(Ordering::Relaxed), 0);
    }
}

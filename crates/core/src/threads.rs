//! Work on several threads, whose results are taken in order.
//!
//! Threads live for one call. Starting one takes some ten microseconds, and a frame takes
//! milliseconds. So there is no pool that a forked child or an unloaded library would have to get rid
//! of.

use std::collections::VecDeque;
use std::num::NonZeroUsize;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crate::error::{Error, Result};
use crate::forked::PerProcess;
use crate::host_lock::HostLock;

/// How many threads a call may use, the calling thread among them. The bytes do not depend on it.
///
/// ```
/// # use serow_core::threads::Threads;
/// assert_eq!(Threads::of(1)?, Threads::ONE);
/// assert!(Threads::of(0).is_err());
/// # Ok::<(), serow_core::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Threads {
    /// At most so many, and no more than the process may have.
    Most(NonZeroUsize),
    /// As many as make the call fastest, as far as measured times tell.
    Auto,
}

impl Default for Threads {
    fn default() -> Threads {
        Threads::ONE
    }
}

impl Threads {
    /// The calling thread only.
    pub const ONE: Threads = Threads::Most(NonZeroUsize::MIN);

    /// At most `count` threads.
    ///
    /// # Errors
    /// A schema error if it is 0.
    pub fn of(count: usize) -> Result<Threads> {
        NonZeroUsize::new(count)
            .map(Threads::Most)
            .ok_or_else(|| Error::schema("threads must be 1 or more, or 'auto', not 0"))
    }

    /// Returns how many threads to use for `jobs` more jobs. `measure` is the time that a job takes
    /// on one thread.
    pub fn choose(self, jobs: usize, measure: Option<Duration>) -> usize {
        let most = match self {
            Threads::Most(count) => count.get().min(limit()),
            Threads::Auto => limit(),
        };
        let most = most.min(jobs);
        match (self, measure) {
            (Threads::Auto, Some(job)) if most > 1 => {
                // On n threads the jobs take T/n, and starting the threads takes n times H. The sum
                // is least for n = sqrt(T/H).
                let ratio = job.as_secs_f64() * jobs as f64 / start_time().as_secs_f64();
                most.min(ratio.sqrt() as usize).max(1)
            }
            _ => most.max(1),
        }
    }
}

/// Returns the most threads that a call may use: the value of `SEROW_THREADS`, or else the number of
/// processors that this process may use.
pub fn limit() -> usize {
    static LIMIT: OnceLock<usize> = OnceLock::new();
    *LIMIT.get_or_init(|| {
        let named = std::env::var("SEROW_THREADS").ok().and_then(|text| text.trim().parse().ok());
        let cores = || match cfg!(test) {
            true => 4,
            false => thread::available_parallelism().map_or(1, NonZeroUsize::get),
        };
        named.filter(|count| *count > 0).unwrap_or_else(cores)
    })
}

/// The time that work takes for each row or byte. The last measurement counts, whichever thread noted it.
#[derive(Debug, Default)]
pub struct UnitCost(AtomicU64);

impl UnitCost {
    /// Notes that work of this size took so long.
    pub fn note(&self, time: Duration, units: usize) {
        let each = time.as_secs_f64() / units.max(1) as f64;
        self.0.store(each.to_bits(), Ordering::Relaxed);
    }

    /// Returns the time for work of this size, if any was measured.
    pub fn time(&self, units: usize) -> Option<Duration> {
        let each = f64::from_bits(self.0.load(Ordering::Relaxed));
        (each > 0.0).then(|| Duration::try_from_secs_f64(each * units as f64).unwrap_or_default())
    }
}

/// Returns the time to start a thread and wait for its end.
fn start_time() -> Duration {
    static TIME: PerProcess<Duration> = PerProcess::new();
    let measure = || {
        let times = (0..3).map(|_| {
            let begun = Instant::now();
            let _ = thread::Builder::new().spawn(|| {}).map(thread::JoinHandle::join);
            begun.elapsed()
        });
        Ok::<_, std::convert::Infallible>(times.min().unwrap_or_default())
    };
    match TIME.get_or_try_make(measure) {
        Ok(time) => (*time).max(Duration::from_micros(1)),
    }
}

/// Threads besides calling ones that this process may still start.
#[derive(Debug)]
struct Allowed(AtomicUsize);

impl Default for Allowed {
    fn default() -> Allowed {
        Allowed(AtomicUsize::new(limit() - 1))
    }
}

static ALLOWED: PerProcess<Allowed> = PerProcess::new();

/// The right to start some threads.
struct Permits(usize);

impl Permits {
    /// Takes up to `most` permits.
    fn take(most: usize) -> Permits {
        let mut taken = 0;
        let left = |left: usize| {
            taken = left.min(most);
            Some(left - taken)
        };
        _ = ALLOWED.get().0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, left);
        Permits(taken)
    }
}

impl Drop for Permits {
    fn drop(&mut self) {
        ALLOWED.get().0.fetch_add(self.0, Ordering::Relaxed);
    }
}

/// Calls `work` for each job that `next` returns, and `take` with each result in the order of the
/// jobs. Only the calling thread calls `next` and `take`. It works on jobs too when it has nothing
/// else to do, so `threads` counts it. If the process may not start so many threads, there are fewer.
/// At most `threads + 1` jobs are begun and not taken.
///
/// # Errors
/// The first error of `take`. Then no further job is begun.
pub fn in_order<J: Send, T: Send, E>(
    threads: usize,
    next: impl FnMut() -> Option<J>,
    work: impl Fn(J) -> T + Sync,
    take: impl FnMut(T) -> std::result::Result<(), E>,
) -> std::result::Result<(), E> {
    in_order_released(threads, HostLock::NONE, next, work, take)
}

/// Like [`in_order`]. Other threads of a language run while the calling thread works on a job or waits for
/// a result. `next` and `take` may use objects of the language, and `work` uses none.
///
/// # Errors
/// See [`in_order`].
pub fn in_order_released<J: Send, T: Send, E>(
    threads: usize,
    host_lock: HostLock,
    mut next: impl FnMut() -> Option<J>,
    work: impl Fn(J) -> T + Sync,
    mut take: impl FnMut(T) -> std::result::Result<(), E>,
) -> std::result::Result<(), E> {
    let permits = Permits::take(threads - 1);
    if permits.0 == 0 {
        while let Some(job) = next() {
            take(host_lock.release(|| work(job)))?;
        }
        return Ok(());
    }
    in_order_on(permits.0, host_lock, next, work, take)
}

fn in_order_on<J: Send, T: Send, E>(
    helpers: usize,
    host_lock: HostLock,
    mut next: impl FnMut() -> Option<J>,
    work: impl Fn(J) -> T + Sync,
    mut take: impl FnMut(T) -> std::result::Result<(), E>,
) -> std::result::Result<(), E> {
    let queue = JobQueue::default();
    thread::scope(|scope| {
        // Declared first, so that it is dropped last, even if `take` panics.
        let _closing = Closing(&queue);
        for _ in 0..helpers {
            let help = || queue.help(&work);
            // Without memory for another thread, the others do the work.
            if thread::Builder::new().name("serow".into()).spawn_scoped(scope, help).is_err() {
                break;
            }
        }
        let mut is_exhausted = false;
        loop {
            let mut state = queue.lock();
            if let Some(result) = state.take_first() {
                drop(state);
                take(result.unwrap_or_else(|panic| resume_unwind(panic)))?;
            } else if !is_exhausted && state.results.len() < helpers + 2 {
                drop(state);
                match next() {
                    Some(job) => queue.add(job),
                    None => is_exhausted = true,
                }
            } else if let Some((number, job)) = state.jobs.pop_front() {
                drop(state);
                host_lock.release(|| queue.finish(number, &work, job));
            } else if state.results.is_empty() {
                return Ok(());
            } else {
                host_lock.release(|| drop(queue.finished.wait(state)));
            }
        }
    })
}

/// What a thread made of a job.
type Outcome<T> = thread::Result<T>;

/// Jobs and their results.
struct JobQueue<J, T> {
    state: Mutex<State<J, T>>,
    /// There is a job, or no more will come.
    added: Condvar,
    /// There is a result.
    finished: Condvar,
}

struct State<J, T> {
    /// Jobs that nobody works on yet, with their numbers.
    jobs: VecDeque<(usize, J)>,
    /// The number of results that were taken.
    taken: usize,
    /// The results of all jobs after these; `None` until a job is finished.
    results: VecDeque<Option<Outcome<T>>>,
    is_closed: bool,
}

impl<J, T> Default for JobQueue<J, T> {
    fn default() -> JobQueue<J, T> {
        let (jobs, results) = (VecDeque::new(), VecDeque::new());
        let state = State { jobs, taken: 0, results, is_closed: false };
        JobQueue { state: Mutex::new(state), added: Condvar::new(), finished: Condvar::new() }
    }
}

impl<J, T> State<J, T> {
    /// Returns the next result if it is there.
    fn take_first(&mut self) -> Option<Outcome<T>> {
        let first = self.results.front_mut()?.take()?;
        self.results.pop_front();
        self.taken += 1;
        Some(first)
    }
}

impl<J, T> JobQueue<J, T> {
    fn lock(&self) -> MutexGuard<'_, State<J, T>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn add(&self, job: J) {
        let mut state = self.lock();
        let number = state.taken + state.results.len();
        state.results.push_back(None);
        state.jobs.push_back((number, job));
        self.added.notify_one();
    }

    /// Works on jobs until no more come.
    fn help(&self, work: &impl Fn(J) -> T) {
        let mut state = self.lock();
        while !state.is_closed {
            match state.jobs.pop_front() {
                Some((number, job)) => {
                    drop(state);
                    self.finish(number, work, job);
                    state = self.lock();
                }
                None => state = self.added.wait(state).unwrap_or_else(PoisonError::into_inner),
            }
        }
    }

    fn finish(&self, number: usize, work: &impl Fn(J) -> T, job: J) {
        let outcome: Outcome<T> = catch_unwind(AssertUnwindSafe(|| work(job)));
        let mut state = self.lock();
        let place = number - state.taken;
        if let Some(result) = state.results.get_mut(place) {
            *result = Some(outcome);
        }
        self.finished.notify_one();
    }
}

/// Closes a queue, so that its helpers end.
struct Closing<'a, J, T>(&'a JobQueue<J, T>);

impl<J, T> Drop for Closing<'_, J, T> {
    fn drop(&mut self) {
        self.0.lock().is_closed = true;
        self.0.added.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::sized;

    /// Runs jobs `0..count` and returns their results, which are ten times the job's number.
    fn tens(helpers: usize, count: usize) -> Vec<usize> {
        let (mut jobs, mut results) = (0..count, Vec::new());
        let work = |job: usize| {
            if job.is_multiple_of(3) {
                thread::sleep(Duration::from_micros(200));
            }
            10 * job
        };
        let take = |result| {
            results.push(result);
            Ok::<_, ()>(())
        };
        in_order_on(helpers, HostLock::NONE, || jobs.next(), work, take).unwrap();
        results
    }

    #[test]
    fn results_are_in_order_for_any_number_of_threads() {
        for helpers in 1..5 {
            for count in [0, 1, 2, 7, sized(200, 20)] {
                let expected: Vec<usize> = (0..count).map(|job| 10 * job).collect();
                assert_eq!(tens(helpers, count), expected, "{helpers} {count}");
            }
        }
    }

    #[test]
    fn few_jobs_are_begun_and_not_taken() {
        let (mut begun, taken) = (0, AtomicUsize::new(0));
        let next = || {
            assert!(begun - taken.load(Ordering::Relaxed) <= 3);
            begun += 1;
            (begun <= 50).then_some(())
        };
        let take = |()| {
            taken.fetch_add(1, Ordering::Relaxed);
            Ok::<_, ()>(())
        };
        in_order_on(1, HostLock::NONE, next, |()| (), take).unwrap();
        assert_eq!(taken.into_inner(), 50);
    }

    #[test]
    fn an_error_ends_the_work() {
        let mut begun = 0;
        let next = || {
            begun += 1;
            Some(begun)
        };
        let take = |job| if job == 5 { Err(job) } else { Ok(()) };
        assert_eq!(in_order_on(2, HostLock::NONE, next, |job| job, take), Err(5));
        assert!(begun <= 5 + 4);
    }

    #[test]
    fn a_panic_reaches_the_caller() {
        let mut jobs = 0..100;
        let work = |job: usize| assert_ne!(job, 3, "job 3");
        let caught = catch_unwind(AssertUnwindSafe(|| {
            in_order_on(2, HostLock::NONE, || jobs.next(), work, |()| Ok::<_, ()>(()))
        }));
        assert!(caught.is_err());
    }

    #[test]
    fn auto_takes_more_threads_for_longer_jobs() {
        let choose = |job| Threads::Auto.choose(1000, Some(job));
        assert_eq!(choose(Duration::ZERO), 1);
        assert_eq!(choose(Duration::from_secs(10)), limit().min(1000));
        assert_eq!(Threads::Auto.choose(1, Some(Duration::from_secs(10))), 1);
        assert_eq!(Threads::ONE.choose(1000, None), 1);
    }

    #[test]
    fn a_pace_tells_the_time_of_other_work() {
        let cost = UnitCost::default();
        assert_eq!(cost.time(10), None);
        cost.note(Duration::from_millis(3), 1000);
        assert_eq!(cost.time(2000).unwrap().as_micros(), 6000);
    }

    #[test]
    fn permits_come_back() {
        let all = Permits::take(usize::MAX);
        assert!(all.0 < limit());
        assert_eq!(Permits::take(1).0, 0);
        drop(all);
    }
}

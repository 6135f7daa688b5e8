//! One thread that compiles while others go on.
//!
//! It is started for the first job and ends when there are no more, so that a process that compiles
//! nothing has no thread of ours. Nobody waits for a lock here: a job that can't be handed over is
//! not done, and the interpreter goes on serving.

use std::process;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use crate::compiler::Compiler;

/// Something to compile.
pub type Job = Box<dyn FnOnce(&Compiler) + Send>;

#[derive(Default)]
struct Queue {
    jobs: Vec<Job>,
    /// The thread, and the process that it runs in.
    thread: Option<(JoinHandle<()>, u32)>,
    /// Whether the thread will still look for jobs.
    running: bool,
}

static QUEUE: Mutex<Option<Queue>> = Mutex::new(None);
static STOPPED: AtomicBool = AtomicBool::new(false);
/// The process in which a thread is inside LLVM. A child that was forked meanwhile may have locks
/// of LLVM's that nobody will ever release, so it compiles nothing in the background.
static INSIDE: AtomicU32 = AtomicU32::new(0);

/// Have `job` done in the background, and say whether it will be.
pub fn enqueue(job: Job) -> bool {
    let inside = INSIDE.load(Ordering::Relaxed);
    if STOPPED.load(Ordering::Relaxed) || inside != 0 && inside != process::id() {
        return false;
    }
    let Ok(mut queue) = QUEUE.try_lock() else { return false };
    let queue = queue.get_or_insert_default();
    if queue.thread.as_ref().is_some_and(|(_, of)| *of != process::id()) {
        // The parent's thread and its jobs: they are leaked, as freeing them might take locks.
        std::mem::forget(std::mem::take(queue));
    }
    queue.jobs.push(job);
    if !queue.running {
        let name = thread::Builder::new().name("serow-compiler".to_owned());
        match name.spawn(work) {
            Ok(thread) => {
                queue.thread = Some((thread, process::id()));
                queue.running = true;
            }
            Err(_) => queue.jobs.clear(),
        }
    }
    queue.running
}

fn work() {
    let Ok(compiler) = Compiler::new() else {
        // Where LLVM knows no such machine, `running` stays true, so that nobody tries again.
        return;
    };
    loop {
        let job = {
            let mut queue = QUEUE.lock().unwrap_or_else(PoisonError::into_inner);
            let Some(queue) = queue.as_mut() else { return };
            match queue.jobs.pop().filter(|_| !STOPPED.load(Ordering::Relaxed)) {
                Some(job) => job,
                None => {
                    queue.running = false;
                    return;
                }
            }
        };
        INSIDE.store(process::id(), Ordering::Relaxed);
        job(&compiler);
        INSIDE.store(0, Ordering::Relaxed);
    }
}

/// Do no further jobs, and wait for the one that is being done. LLVM's statics are gone once a
/// process exits, so this must come before.
pub fn stop() {
    STOPPED.store(true, Ordering::Relaxed);
    // The thread holds the lock for moments only; but in a child it may be held for ever.
    let mut queue = (0..1000).find_map(|_| {
        QUEUE.try_lock().ok().or_else(|| {
            thread::sleep(Duration::from_micros(100));
            None
        })
    });
    let thread = queue.as_mut().and_then(|queue| queue.as_mut()?.thread.take());
    drop(queue);
    match thread {
        // A panic of the thread's was reported when it came.
        Some((thread, of)) if of == process::id() => drop(thread.join()),
        // The parent's.
        Some((thread, _)) => std::mem::forget(thread),
        None => {}
    }
}

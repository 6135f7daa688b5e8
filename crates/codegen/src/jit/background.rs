//! The thread that compiles in the background.
//!
//! The first job starts the thread, and the thread ends when there are no more jobs. So a process
//! that compiles nothing has no thread of serow. A child made by `fork` has its own queue and
//! thread.

use std::panic::{self, AssertUnwindSafe};
use std::sync::{Arc, Barrier, Mutex, PoisonError};
use std::thread::{self, JoinHandle};

use serow_core::forked::PerProcess;

use super::{llvm_gate, log, room};

/// A function to run in the background.
pub type Job = Box<dyn FnOnce() + Send>;

#[derive(Default)]
struct Queue {
    jobs: Vec<Job>,
    thread: Option<JoinHandle<()>>,
    /// Whether the thread will look for jobs again.
    running: bool,
}

/// Bytes that must be free for the thread to start. `thread::spawn` aborts the process when it runs out
/// of memory, because it does not use the emergency reserve.
const ROOM: usize = 32 << 20;

static QUEUE: PerProcess<Mutex<Queue>> = PerProcess::new();

/// Runs `job` in the background. Returns false if it will not run, because this process cannot
/// compile.
pub fn enqueue(job: Job) -> bool {
    if !llvm_gate::is_open() {
        return false;
    }
    let mut queue = QUEUE.get().lock().unwrap_or_else(PoisonError::into_inner);
    queue.jobs.push(job);
    if !queue.running {
        let thread = thread::Builder::new().name("serow-compiler".to_owned());
        let started = Arc::new(Barrier::new(2));
        let begin = {
            let started = started.clone();
            move || {
                started.wait();
                drop(started);
                work();
            }
        };
        match room::is_free(ROOM).then(|| thread.spawn(begin)) {
            Some(Ok(thread)) => {
                // The C library ends the process if a thread finds no memory for its thread-local
                // data when it starts. So it starts before the caller can use up the room.
                started.wait();
                queue.thread = Some(thread);
                queue.running = true;
            }
            Some(Err(_)) | None => queue.jobs.clear(),
        }
    }
    queue.running
}

fn work() {
    loop {
        let job = {
            let mut queue = QUEUE.get().lock().unwrap_or_else(PoisonError::into_inner);
            match queue.jobs.pop().filter(|_| llvm_gate::is_open()) {
                Some(job) => job,
                None => {
                    queue.running = false;
                    return;
                }
            }
        };
        // If a panic ended the thread, `running` would stay true and no later job would ever run.
        if panic::catch_unwind(AssertUnwindSafe(job)).is_err() {
            log::line(format_args!("a job of the background compiler panicked"));
        }
    }
}

/// Stops compiling for good, and waits until no thread compiles, in the background or elsewhere.
/// The languages call this before the process exits.
pub fn stop() {
    llvm_gate::close();
    llvm_gate::wait();
    let thread = QUEUE.get().lock().unwrap_or_else(PoisonError::into_inner).thread.take();
    if let Some(thread) = thread {
        let _ = thread.join();
    }
}

//! One thread that compiles while others go on.
//!
//! It is started for the first job and ends when there are no more, so that a process that compiles
//! nothing has no thread of ours. A child by `fork` has jobs and a thread of its own.

use std::sync::{Mutex, PoisonError};
use std::thread::{self, JoinHandle};

use serow_core::forked::PerProcess;

use crate::llvm_gate;

/// Something to do.
pub type Job = Box<dyn FnOnce() + Send>;

#[derive(Default)]
struct Queue {
    jobs: Vec<Job>,
    thread: Option<JoinHandle<()>>,
    /// Whether the thread will still look for jobs.
    running: bool,
}

static QUEUE: PerProcess<Mutex<Queue>> = PerProcess::new();

/// Have `job` done in the background, and say whether it will be. Where nothing can be compiled it
/// is not.
pub fn enqueue(job: Job) -> bool {
    if !llvm_gate::is_open() {
        return false;
    }
    let mut queue = QUEUE.get().lock().unwrap_or_else(PoisonError::into_inner);
    queue.jobs.push(job);
    if !queue.running {
        match thread::Builder::new().name("serow-compiler".to_owned()).spawn(work) {
            Ok(thread) => {
                queue.thread = Some(thread);
                queue.running = true;
            }
            Err(_) => queue.jobs.clear(),
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
        job();
    }
}

/// Compile nothing any more, and wait for what is being compiled, in the background or elsewhere:
/// for languages that say so before a process exits.
pub fn stop() {
    llvm_gate::close();
    llvm_gate::wait();
    let thread = QUEUE.get().lock().unwrap_or_else(PoisonError::into_inner).thread.take();
    if let Some(thread) = thread {
        // A panic of the thread's was reported when it came.
        let _ = thread.join();
    }
}

//! Frames of a stream that threads work on before they are needed.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::time::Instant;

use crate::error::Result;
use crate::host_lock::HostLock;
use crate::program::Program;
use crate::threads::{Threads, UnitCost, in_order_released, limit};
use crate::wire::message::{PackedFrame, RawFrame};

/// How many frames are read at once for each thread.
const FRAMES_EACH: usize = 2;

/// What threads have made of frames that were read ahead, in order: a `T` of each. An error `E` of the
/// reading comes after them.
#[derive(Debug)]
pub struct Ahead<T, E> {
    threads: Threads,
    /// With the number of rows up to the end of each frame.
    made: VecDeque<(usize, T)>,
    error: Option<E>,
    rows: usize,
    host_lock: HostLock,
}

impl<T, E> Ahead<T, E> {
    /// Creates one without frames.
    pub fn new(threads: Threads) -> Ahead<T, E> {
        Ahead { threads, made: VecDeque::new(), error: None, rows: 0, host_lock: HostLock::NONE }
    }

    /// The same, which lets other threads of a language run while it works on frames.
    pub fn with_host_lock(self, host_lock: HostLock) -> Ahead<T, E> {
        Ahead { host_lock, ..self }
    }

    /// The threads that work on frames.
    pub fn threads(&self) -> Threads {
        self.threads
    }

    /// Returns whether [`Ahead::pop`] returns nothing, so that frames must be read.
    pub fn is_empty(&self) -> bool {
        self.made.is_empty() && self.error.is_none()
    }

    /// Takes what was made of the next frame, or the error after the last. `None` if there is neither.
    ///
    /// # Errors
    /// The error of the reading, once.
    pub fn pop(&mut self) -> std::result::Result<Option<T>, E> {
        match self.made.pop_front() {
            Some((rows, made)) => {
                self.rows = rows;
                Ok(Some(made))
            }
            None => self.error.take().map_or(Ok(None), Err),
        }
    }

    /// The number of rows in the frames that were popped.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Forgets everything that was not popped.
    pub fn clear(&mut self) {
        self.made.clear();
        self.error = None;
    }
}

impl<T: Send, E> Ahead<T, E> {
    /// Reads frames by `next`, until it returns none or there are two for each thread, and lets the
    /// threads `decode` them. Only the calling thread calls `next`.
    pub fn decode(
        &mut self,
        mut next: impl FnMut() -> std::result::Result<Option<PackedFrame<'static>>, E>,
        decode: impl Fn(PackedFrame<'static>) -> T + Sync,
    ) {
        if let Some(first) = self.take(&mut next) {
            self.work(first, |program| &program.costs.decode, next, decode);
        }
    }

    /// Calls `next`, and keeps its error.
    fn take(
        &mut self,
        next: impl FnOnce() -> std::result::Result<Option<PackedFrame<'static>>, E>,
    ) -> Option<PackedFrame<'static>> {
        next().unwrap_or_else(|error| {
            self.error = Some(error);
            None
        })
    }

    fn work(
        &mut self,
        first: PackedFrame<'static>,
        cost: impl Fn(&Program) -> &UnitCost,
        mut next: impl FnMut() -> std::result::Result<Option<PackedFrame<'static>>, E>,
        work: impl Fn(PackedFrame<'static>) -> T + Sync,
    ) {
        let (program, bytes) = (first.program.clone(), first.packed_len());
        let (cost, work) =
            (cost(&program), |frame: PackedFrame<'static>| (frame.end_row(), work(frame)));
        let time = cost.time(bytes);
        let is_unknown = self.threads == Threads::Auto && time.is_none();
        // It is not known how many frames follow. Threads live for those that are read at once.
        let threads = match is_unknown {
            true => 1,
            false => self.threads.choose(FRAMES_EACH * limit(), time),
        };
        if threads == 1 {
            let begun = Instant::now();
            self.made.push_back(self.host_lock.release(|| work(first)));
            if is_unknown {
                cost.note(begun.elapsed(), bytes);
            }
            return;
        }
        let host_lock = self.host_lock;
        let (mut first, mut left) = (Some(first), FRAMES_EACH * threads);
        let mut made = std::mem::take(&mut self.made);
        let next = || {
            left = left.checked_sub(1)?;
            first.take().or_else(|| self.take(&mut next))
        };
        let take = |result| {
            made.push_back(result);
            Ok::<_, Infallible>(())
        };
        match in_order_released(threads, host_lock, next, work, take) {
            Ok(()) => self.made = made,
        }
    }
}

impl<E> Ahead<Result<RawFrame<'static>>, E> {
    /// Like [`Ahead::decode`], where threads decompress the frames. If the next frame is not compressed,
    /// only that frame is read.
    pub fn unpack(
        &mut self,
        mut next: impl FnMut() -> std::result::Result<Option<PackedFrame<'static>>, E>,
    ) {
        match self.take(&mut next) {
            Some(first) if first.is_compressed() => {
                self.work(first, |it| &it.costs.unpack, next, PackedFrame::unpack);
            }
            Some(first) => self.made.push_back((first.end_row(), first.unpack())),
            None => {}
        }
    }
}

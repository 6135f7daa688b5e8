//! Frames of one message that several threads make at once.
//!
//! Each thread makes a *part*: a message of one frame, which is then copied into the whole message.
//! Frames do not depend on each other, so the bytes are those that one thread writes.

use std::ops::Range;
use std::sync::Arc;
use std::time::Instant;

use super::Rows;
use super::frames::{Frames, Staging};
use crate::bytes::out::Out;
use crate::compiled::RowSource;
use crate::error::Fault;
use crate::interpreter::RunError;
use crate::limits::sized;
use crate::program::Program;
use crate::schema::Schema;
use crate::threads::{Threads, in_order, in_order_released};
use crate::wire::message::{Format, Wire};

/// Which threads read the rows of a message, and which pack the frames.
pub trait MakeFrames<R: Rows> {
    /// Appends rows of `rows`, whose source is `source`, as [`Frames::append`] does in a loop, until
    /// `most` frames are full. Returns the row after the last.
    ///
    /// # Errors
    /// See [`Frames::append`].
    fn append<'r>(
        &self,
        frames: &mut Frames,
        program: &Arc<Program>,
        rows: (&'r R, &mut R::Source<'r>),
        range: Range<usize>,
        most: usize,
        out: &mut Out<'_>,
    ) -> Result<usize, Box<RunError>>;

    /// Returns how many frames should be appended at once.
    fn frames_per_call(&self) -> usize;
}

/// The calling thread does everything.
#[derive(Clone, Copy, Debug)]
pub struct OneThread;

impl<R: Rows> MakeFrames<R> for OneThread {
    fn append<'r>(
        &self,
        frames: &mut Frames,
        program: &Arc<Program>,
        mut rows: (&'r R, &mut R::Source<'r>),
        mut range: Range<usize>,
        mut most: usize,
        out: &mut Out<'_>,
    ) -> Result<usize, Box<RunError>> {
        while !range.is_empty() && most > 0 {
            range.start = append_one(frames, program, &mut rows, range.clone(), out)?;
            most -= 1;
        }
        Ok(range.start)
    }

    fn frames_per_call(&self) -> usize {
        1
    }
}

/// Appends rows until a frame is full, as [`Frames::append`] does. Other threads of the language may run
/// when no row is read.
fn append_one<'r, R: Rows>(
    frames: &mut Frames,
    program: &Arc<Program>,
    rows: &mut (&'r R, &mut R::Source<'r>),
    range: Range<usize>,
    out: &mut Out<'_>,
) -> Result<usize, Box<RunError>> {
    let (mut row, end) = (range.start, range.end);
    frames.make_ready(program, out).map_err(|fault| RunError::at_row(row, fault))?;
    if frames.host_lock().can_be_released() && range.len() > FEW_ROWS {
        frames.let_others_run();
        look_again(frames, rows, row)?;
        while end - row > FEW_ROWS {
            let some = row..row + FEW_ROWS;
            let (done, is_full) = frames.stage(program, rows.1, some, end - row, out)?;
            row = done;
            if is_full {
                frames.close(out).map_err(|fault| RunError::at_row(done - 1, fault))?;
                look_again(frames, rows, done)?;
                return Ok(done);
            }
            // A run of so few rows may have no checkpoint.
            if rows.0.is_interrupted() {
                return Err(RunError::at_row(row, Fault::Host));
            }
            frames.let_others_run();
            look_again(frames, rows, row)?;
        }
    } else {
        look_again(frames, rows, row)?;
    }
    let done = frames.append(program, rows.1, row..end, out)?;
    look_again(frames, rows, done)?;
    Ok(done)
}

/// Number of rows after which serow reads the clock, if it lets other threads run.
const FEW_ROWS: usize = sized(2048, 64);

/// Before row `row` is read: reads on from a new source if other threads may have changed rows.
fn look_again<'r, R: Rows>(
    frames: &mut Frames,
    (rows, source): &mut (&'r R, &mut R::Source<'r>),
    row: usize,
) -> Result<(), Box<RunError>> {
    if frames.rows_may_have_changed() && row < rows.len() {
        rows.look_again().map_err(|fault| RunError::at_row(row, fault))?;
        **source = rows.source();
    }
    Ok(())
}

/// The calling thread reads the rows, which belong to it. All threads pack and compress frames.
#[derive(Clone, Copy, Debug)]
pub struct ManyPack(pub Threads);

impl<R: Rows> MakeFrames<R> for ManyPack {
    fn frames_per_call(&self) -> usize {
        frames_per_call(self.0)
    }

    fn append<'r>(
        &self,
        frames: &mut Frames,
        program: &Arc<Program>,
        mut rows: (&'r R, &mut R::Source<'r>),
        mut range: Range<usize>,
        mut most: usize,
        out: &mut Out<'_>,
    ) -> Result<usize, Box<RunError>> {
        let format = frames.format();
        // Records are in the message already when they are read.
        let has_work = format.wire == Wire::Frame || format.compression.name().is_some();
        if self.0 == Threads::ONE || !has_work {
            return OneThread.append(frames, program, rows, range, most, out);
        }
        let threads = begin(self.0, frames, program, &mut rows, (&mut range, &mut most), out)?;
        if threads == 1 {
            return OneThread.append(frames, program, rows, range, most, out);
        }
        let mut known = known(frames, program, range.start, out)?;
        let (mut max_rows, mut is_ended) = (frames.max_rows(), false);
        let (end, host_lock) = (range.end, frames.host_lock());
        let is_let = host_lock.can_be_released();
        let mut has_stopped = Ok(());
        let next = || {
            if is_ended || range.is_empty() || most == 0 {
                return None;
            }
            if is_let {
                // Others may have run while this thread packed a part or waited for one.
                if let Err(fault) = rows.0.look_again() {
                    (is_ended, has_stopped) = (true, Err(RunError::at_row(range.start, fault)));
                    return None;
                }
                *rows.1 = rows.0.source();
            }
            most -= 1;
            let mut part = Part::begin(format, known(), (range.start, max_rows));
            part.stage(program, rows.1, end);
            (range.start, max_rows) = (part.rows.end, part.max_rows());
            is_ended = part.error.is_some();
            Some(part)
        };
        let join = |part: Part| part.join(frames, program, end, out);
        let joined = in_order_released(threads, host_lock, next, Part::packed, join);
        has_stopped?;
        if is_let {
            // The caller may read the row after the last.
            rows.0.look_again().map_err(|fault| RunError::at_row(range.start, fault))?;
            *rows.1 = rows.0.source();
        }
        joined.map(|()| range.start)
    }
}

/// All threads read rows, and pack and compress frames.
#[derive(Clone, Copy, Debug)]
pub struct ManyRead(pub Threads);

/// Why parts are not taken any more.
enum Stop {
    /// The next frames begin elsewhere than was thought.
    Moved,
    Error(Box<RunError>),
}

impl<R: Rows + Sync> MakeFrames<R> for ManyRead {
    fn frames_per_call(&self) -> usize {
        frames_per_call(self.0)
    }

    fn append<'r>(
        &self,
        frames: &mut Frames,
        program: &Arc<Program>,
        mut from: (&'r R, &mut R::Source<'r>),
        mut range: Range<usize>,
        mut most: usize,
        out: &mut Out<'_>,
    ) -> Result<usize, Box<RunError>> {
        if self.0 == Threads::ONE {
            return OneThread.append(frames, program, from, range, most, out);
        }
        let (format, rows) = (frames.format(), from.0);
        let threads = begin(self.0, frames, program, &mut from, (&mut range, &mut most), out)?;
        while !range.is_empty() && most > 0 {
            let max_rows = frames.max_rows();
            if threads == 1 || range.len() <= max_rows {
                range.start = append_one(frames, program, &mut from, range.clone(), out)?;
                most -= 1;
                continue;
            }
            let mut known = known(frames, program, range.start, out)?;
            let mut starts = range.clone().step_by(max_rows).take(most);
            let make = |(start, known)| {
                let mut part = Part::begin(format, known, (start, max_rows));
                part.stage(program, &mut rows.source(), range.end);
                part.packed()
            };
            let mut row = range.start;
            let joined = in_order(
                threads,
                || starts.next().map(|start| (start, known())),
                make,
                |part| {
                    if part.rows.start != row || frames.max_rows() != max_rows {
                        return Err(Stop::Moved);
                    }
                    row = part.rows.end;
                    most -= 1;
                    part.join(frames, program, range.end, out).map_err(Stop::Error)
                },
            );
            if let Err(Stop::Error(error)) = joined {
                return Err(error);
            }
            range.start = row;
        }
        Ok(range.start)
    }
}

/// Enough frames that no thread waits for long at the end of a call.
fn frames_per_call(threads: Threads) -> usize {
    match threads.choose(usize::MAX, None) {
        1 => 1,
        threads => 2 * threads,
    }
}

/// A call with fewer rows probably has one frame. Then the clock is not read.
const MANY_ROWS: usize = sized(1024, 256);

/// Fills the open frame. If `threads` is to be chosen by time, and none is known from earlier calls,
/// appends another frame and measures it. Returns how many threads to use for the rest of the range and
/// of the frames.
fn begin<'r, R: Rows>(
    threads: Threads,
    frames: &mut Frames,
    program: &Arc<Program>,
    rows: &mut (&'r R, &mut R::Source<'r>),
    (range, most): (&mut Range<usize>, &mut usize),
    out: &mut Out<'_>,
) -> Result<usize, Box<RunError>> {
    let cost = &program.costs.encode;
    let mut is_long = range.len() >= MANY_ROWS;
    while range.start < range.end && *most > 0 {
        let is_new = !frames.is_open_for(program);
        let time = cost.time(frames.max_rows());
        if is_new && (threads != Threads::Auto || time.is_some()) {
            let jobs = range.len().div_ceil(frames.max_rows()).min(*most);
            return Ok(threads.choose(jobs, time));
        }
        let begun = (is_long && is_new).then(Instant::now);
        let done = append_one(frames, program, rows, range.clone(), out)?;
        if let Some(begun) = begun {
            cost.note(begun.elapsed(), done - range.start);
        }
        range.start = done;
        is_long = true;
        *most -= 1;
    }
    Ok(1)
}

/// One frame, made apart from its message.
#[derive(Debug)]
pub struct Part {
    /// The index of the first row, and of the row after the last.
    rows: Range<usize>,
    /// What writes the frame.
    frames: Frames,
    bytes: Vec<u8>,
    /// Why the row after the last is not in the frame.
    error: Option<Box<RunError>>,
}

impl Part {
    /// Begins a frame. Its first row is row `first` of the message, and it has `max_rows` rows at most.
    /// `known` is its schema, if an earlier frame of the message has that in band; otherwise `None`.
    pub fn begin(
        format: Format,
        known: Option<&Schema>,
        (first, max_rows): (usize, usize),
    ) -> Part {
        let mut staging = Staging::take(Wire::Frame);
        let bytes = staging.take_bytes();
        let frames = Frames::begin_apart(format, known, (first, max_rows), staging);
        Part { rows: first..first, frames, bytes, error: None }
    }

    /// Stages the rows of `source` from the part's end to `to`, until the frame is full. Returns whether
    /// it takes no more rows: it is full, or there was an error.
    pub fn stage<S: RowSource>(
        &mut self,
        program: &Arc<Program>,
        source: &mut S,
        to: usize,
    ) -> bool {
        let Part { rows, frames, bytes, error } = self;
        let staged = Out::appending(bytes, |out| {
            frames.stage(program, source, rows.end..to, to - rows.end, out)
        })
        .map_err(|fault| RunError::at_row(rows.end, fault));
        rows.end = frames.next_row();
        match staged.and_then(|staged| staged) {
            Ok((_, is_full)) => is_full,
            Err(stopped) => {
                *error = Some(stopped);
                true
            }
        }
    }

    /// Packs and compresses the frame, and completes it.
    pub fn packed(mut self) -> Part {
        let Part { rows, frames, bytes, error } = &mut self;
        let close = |out: &mut Out<'_>| {
            frames.close(out)?;
            frames.seal(out)
        };
        if let Err(fault) = Out::appending(bytes, close).and_then(|it| it) {
            *error = Some(RunError::at_row(rows.end.max(rows.start + 1) - 1, fault));
            rows.end = rows.start;
        }
        self
    }

    /// The index of the first row, and of the row after the last.
    pub fn rows(&self) -> Range<usize> {
        self.rows.clone()
    }

    /// The most rows of the next frame.
    pub fn max_rows(&self) -> usize {
        self.frames.max_rows()
    }

    /// Takes the reason why the row after the last is not in the frame.
    pub fn take_error(&mut self) -> Option<Box<RunError>> {
        self.error.take()
    }

    /// Returns the bytes of the frame, which has no bytes if it has no rows.
    pub fn into_bytes(self) -> Vec<u8> {
        self.frames.into_staging().keep();
        self.bytes
    }

    /// Appends the frame to its message, which has rows up to `end`.
    fn join(
        self,
        message: &mut Frames,
        program: &Arc<Program>,
        end: usize,
        out: &mut Out<'_>,
    ) -> Result<(), Box<RunError>> {
        let Part { rows, frames, bytes, error } = self;
        if !rows.is_empty() {
            message.set_max_rows(frames.max_rows());
        }
        message
            .join(program, &bytes, rows.clone(), end, out)
            .map_err(|fault| RunError::at_row(rows.end.max(1) - 1, fault))?;
        frames.into_staging().keep_with(bytes);
        error.map_or(Ok(()), Err)
    }
}

/// Closes the open frame of a message, and says for each of the next parts of rows of `program` whether
/// their schema will be in the message before them.
fn known<'p>(
    frames: &mut Frames,
    program: &'p Program,
    row: usize,
    out: &mut Out<'_>,
) -> Result<impl FnMut() -> Option<&'p Schema> + use<'p>, Box<RunError>> {
    frames.close(out).map_err(|fault| RunError::at_row(row, fault))?;
    let schema = program.schema();
    let mut is_known = frames.knows(schema);
    Ok(move || std::mem::replace(&mut is_known, true).then_some(schema))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::encode::{dumps_with, encode_with};
    use crate::layout::value::ValueRows;
    use crate::limits::MAX_FRAME_ROWS;
    use crate::testing::{WIRES, frame_sizes, int, list, plan, tuple, written};
    use crate::value::Value;
    use crate::wire::compression::Compression;

    fn many() -> Vec<Threads> {
        let counts = (sized(1, 2)..sized(5, 3)).map(|count| Threads::of(count).unwrap());
        counts.chain([Threads::Auto]).collect()
    }

    /// Checks that the messages of `rows` have the same bytes for all numbers of threads, and returns
    /// the number of frames in the frame wire.
    fn check(rows: &[Value]) -> usize {
        let rows = &ValueRows(rows);
        let mut frames = 0;
        for wire in WIRES {
            for compression in [Compression::None, Compression::Lz4] {
                let wire = Some(wire);
                let one = written(|buffer| dumps_with(rows, wire, compression, &OneThread, buffer));
                for threads in many() {
                    let pack = ManyPack(threads);
                    let packed =
                        written(|buffer| dumps_with(rows, wire, compression, &pack, buffer));
                    assert!(packed == one, "{threads:?} pack {wire:?}");
                    let read = ManyRead(threads);
                    let read = written(|buffer| dumps_with(rows, wire, compression, &read, buffer));
                    assert!(read == one, "{threads:?} read {wire:?}");
                }
                frames = one.map_or(0, |message| frame_sizes(&message).len());
            }
        }
        frames
    }

    #[test]
    fn bytes_do_not_depend_on_the_number_of_threads() {
        let most = MAX_FRAME_ROWS as i64;
        let counts = [0, sized(5, 2) as i64 * most + 7, 1, most - 1, most, most + 1, 3 * most];
        for &count in &counts[..sized(7, 2)] {
            let rows: Vec<Value> = (0..count).map(|i| int(i * i)).collect();
            assert_eq!(check(&rows), (count.max(1) as usize).div_ceil(MAX_FRAME_ROWS));
        }
    }

    #[test]
    #[cfg_attr(miri, ignore = "the rows take much memory")]
    fn frames_that_end_early_and_schemas_that_widen_are_the_same() {
        // Long rows, whose length changes.
        let text = |i: usize| Value::from("x".repeat(i % 7 * 250_000 + i).as_str());
        assert!(check(&(0..90).map(text).collect::<Vec<_>>()) > 4);
        // One long row among many short ones.
        let mut rows: Vec<Value> = (0..3 * MAX_FRAME_ROWS as i64).map(int).collect();
        rows[70_000] = list(vec![int(1); 2_500_000]);
        assert!(check(&rows) > 4);
        // Rows that don't fit, early and late in a frame.
        for other in [1, 65_536, 100_000] {
            let mut rows: Vec<Value> = (0..3 * MAX_FRAME_ROWS as i64).map(int).collect();
            rows[other] = tuple([int(1)]);
            rows[other - 1] = Value::Null;
            assert!(check(&rows) >= 3);
        }
    }

    #[test]
    fn errors_do_not_depend_on_the_number_of_threads() {
        let frames = sized(3, 2);
        let mut rows: Vec<Value> = (0..(frames * MAX_FRAME_ROWS) as i64).map(int).collect();
        let bad = [3, MAX_FRAME_ROWS + 5, (frames - 1) * MAX_FRAME_ROWS, rows.len() - 1];
        for &bad in &bad[..sized(4, 2)] {
            let good = std::mem::replace(&mut rows[bad], Value::Null);
            for threads in many() {
                for wire in WIRES {
                    let values = ValueRows(&rows);
                    let read = ManyRead(threads);
                    let error = written(|buffer| {
                        encode_with(&plan("i64"), &values, wire.into(), &read, buffer)
                    });
                    assert_eq!(error.unwrap_err().row(), Some(bad), "{threads:?}");
                    let pack = ManyPack(threads);
                    let error = written(|buffer| {
                        encode_with(&plan("i64"), &values, wire.into(), &pack, buffer)
                    });
                    assert_eq!(error.unwrap_err().row(), Some(bad), "{threads:?}");
                }
            }
            rows[bad] = good;
        }
    }
}

//! Finds what a file of streams needs so that another stream can follow, after its writer was killed.
//!
//! ```text
//! message  SROW  frame  frame  part of a frame
//!          ▲ 2. where the open message begins   ▲ 4. what stays ends before the part
//!                              index ◄─── 5. it gets the index of its whole frames
//! ▲ 1. headers are followed     ▲ 3. checksums of its frames are checked
//! ```

use std::ops::Range;

use super::decoder::{Next, StreamDecoder};
use super::seek::IndexSearch;
use crate::bytes::out::Out;
use crate::error::{ErrorKind, Result};
use crate::wire::message::index::{Index, frame_entries};
use crate::wire::message::{
    CHECKSUM, FRAME_HEADER, Format, FrameHeader, HEADER, MAGIC, MessageWriter, check_header,
};

/// Reads a range of a file, which is within the file, into the bytes. It replaces what they are.
pub type ReadAt<'a> = &'a mut dyn FnMut(Range<u64>, &mut Vec<u8>) -> Result<()>;

/// Bytes that are read at once.
const CHUNK: u64 = 1 << 20;

/// Returns whether a file of `len` bytes is empty or ends with a message with an index. Then another stream
/// may follow. This reads the last index and no other, so it takes the same time whatever the file has.
///
/// # Errors
/// An error of `read_at`.
pub fn ends_with_index(len: u64, read_at: ReadAt<'_>) -> Result<bool> {
    let (mut search, mut bytes) = (IndexSearch::new(len), Vec::new());
    while let Some(range) = search.wanted().filter(|_| !search.has_message()) {
        read_at(range, &mut bytes)?;
        match search.give(&bytes) {
            Ok(()) => {}
            Err(error) if error.kind() == ErrorKind::Memory => return Err(error),
            Err(_) => return Ok(false),
        }
    }
    Ok(true)
}

/// Returns where the first message begins that has not ended in the first `len` bytes of a file; `len` if all
/// have. If the last one has, this reads its index and no other; otherwise it follows the headers of the
/// frames.
///
/// # Errors
/// A decode error if the file is of another kind or of another version of the format. An error of
/// `read_at`.
pub fn end_of_messages(len: u64, read_at: ReadAt<'_>) -> Result<u64> {
    if ends_with_index(len, read_at)? {
        return Ok(len);
    }
    Ok(Walk::through(len, read_at)?.at)
}

/// What must become of a file so that it ends with a whole message.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Salvage {
    /// How many bytes of the file stay. The others are no whole frames.
    pub keep: u64,
    /// The index that must follow them; empty if their last message has ended.
    pub index: Vec<u8>,
    /// The number of rows in the bytes that stay, by the headers of the frames.
    pub rows: u64,
    /// The number of bytes among those that stay that are damaged.
    pub damaged: u64,
}

impl Salvage {
    /// Examines a file of `len` bytes. It follows the headers of the frames up to the message that has not
    /// ended, and checks the bytes of that one. Whole frames after damaged bytes stay, with what is damaged
    /// before them.
    ///
    /// ```
    /// use serow_core::encode::OneThread;
    /// use serow_core::layout::value::ValueRows;
    /// use serow_core::stream::{Salvage, StreamEncoder, ends_with_index};
    /// use serow_core::wire::message::Wire;
    ///
    /// let mut file = Vec::new();
    /// let mut put = |bytes: &[u8]| Ok(file.extend_from_slice(bytes));
    /// let mut encoder = StreamEncoder::begin(Wire::Frame, None, &mut put)?;
    /// encoder.write(&ValueRows(&["peru".into(), "snow".into()]), &OneThread, &mut 0, &mut put)?;
    /// encoder.flush(&mut put)?;
    /// let whole = file.len() as u64;
    /// file.extend([1, 0, 0]);
    ///
    /// let read = |file: &[u8], range: std::ops::Range<u64>, bytes: &mut Vec<u8>| {
    ///     *bytes = file[range.start as usize..range.end as usize].to_vec();
    ///     Ok(())
    /// };
    /// let found = Salvage::of(file.len() as u64, &mut |range, bytes| read(&file, range, bytes))?;
    /// assert_eq!((found.keep, found.rows), (whole, 2));
    /// file.truncate(whole as usize);
    /// file.extend(found.index);
    /// let len = file.len() as u64;
    /// assert!(ends_with_index(len, &mut |range, bytes| read(&file, range, bytes))?);
    /// # Ok::<(), serow_core::Error>(())
    /// ```
    ///
    /// # Errors
    /// A decode error if the file is of another kind or of another version of the format. An error of
    /// `read_at`.
    pub fn of(len: u64, read_at: ReadAt<'_>) -> Result<Salvage> {
        let walk = Walk::through(len, read_at)?;
        if walk.at == len {
            return Ok(Salvage { keep: len, rows: walk.rows, ..Salvage::default() });
        }
        check_frames(walk, len, read_at)
    }
}

/// How far the headers lead.
#[derive(Debug)]
struct Walk {
    /// Where the message begins that has not ended, or that is damaged.
    at: u64,
    /// The rows before it.
    rows: u64,
}

impl Walk {
    fn through(len: u64, read_at: ReadAt<'_>) -> Result<Walk> {
        let (mut walk, mut bytes) = (Walk { at: 0, rows: 0 }, Vec::new());
        while walk.at < len {
            read_at(walk.at..len.min(walk.at + HEADER as u64), &mut bytes)?;
            if let Err(error) = check_header(&bytes) {
                let is_version = bytes.len() == HEADER && bytes.starts_with(MAGIC);
                let is_part = MAGIC.starts_with(&bytes[..bytes.len().min(MAGIC.len())]);
                // Another kind of file, or a message of a later version, must not be changed.
                if (is_version || walk.at == 0 && !is_part)
                    && !has_frame(walk.at + HEADER as u64, len, read_at, &mut bytes)?
                {
                    return Err(error.within(format_args!("the file at byte {}", walk.at)));
                }
                break;
            }
            let Some((end, rows)) = message(walk.at, len, read_at, &mut bytes)? else { break };
            walk = Walk { at: end, rows: walk.rows + rows };
        }
        Ok(walk)
    }
}

/// Returns whether a whole frame is at `at`. Then the wrong header before it is a damaged one of this version.
fn has_frame(at: u64, len: u64, read_at: ReadAt<'_>, bytes: &mut Vec<u8>) -> Result<bool> {
    read_at(at.min(len)..len.min(at + FRAME_HEADER as u64), bytes)?;
    let header = FrameHeader::take(bytes).filter(FrameHeader::is_likely);
    let Some((header, frame)) = header.and_then(|it| Some((it, it.frame_len()?))) else {
        return Ok(false);
    };
    let Some(end) = at.checked_add(frame as u64).filter(|end| *end <= len) else {
        return Ok(false);
    };
    read_at(at..end, bytes)?;
    Ok(header.is_intact(bytes))
}

/// Follows the headers of the frames of the message at `begin`. Returns where the message ends, and its number
/// of rows; `None` if the headers do not lead to its end, which a damaged one may not do.
fn message(
    begin: u64,
    len: u64,
    read_at: ReadAt<'_>,
    bytes: &mut Vec<u8>,
) -> Result<Option<(u64, u64)>> {
    let (mut at, mut rows) = (begin + HEADER as u64, 0);
    loop {
        read_at(at..len.min(at + FRAME_HEADER as u64), bytes)?;
        let header = FrameHeader::take(bytes).filter(FrameHeader::has_known_flags);
        let Some((header, frame)) = header.and_then(|it| Some((it, it.frame_len()?))) else {
            return Ok(None);
        };
        let Some(end) = at.checked_add(frame as u64).filter(|end| *end <= len) else {
            return Ok(None);
        };
        rows += header.rows() as u64;
        if header.is_last() {
            read_at(at..end, bytes)?;
            let is_right = header.is_intact(bytes)
                && (!header.is_index()
                    || matches!(frame_entries(bytes, at), Ok(Some((of, _))) if of == begin));
            return Ok(is_right.then_some((end, rows)));
        }
        at = end;
    }
}

/// Checks the frames from the end of `walk` to the end of the file.
fn check_frames(walk: Walk, len: u64, read_at: ReadAt<'_>) -> Result<Salvage> {
    let Walk { at: begin, rows } = walk;
    let mut source = Source { at: begin, len, read_at, bytes: Vec::new(), taken: 0 };
    let mut decoder = StreamDecoder::new().skipping();
    // The end of the last whole frame, and the message that had not ended there.
    let (mut whole, mut open) = (0, None::<Open>);
    loop {
        match decoder.next_packed()? {
            Next::Frame(frame) => {
                let (at, rows) = (frame.at, frame.rows);
                let schema = frame.program.schema().fingerprint();
                let message = decoder.open_message().unwrap_or_default();
                let of = match &mut open {
                    Some(of) if of.begin == message => of,
                    open => open.insert(Open::begin(message)),
                };
                whole = decoder.whole();
                of.add(at..whole, rows, schema)?;
                if decoder.is_at_end() {
                    open = None;
                }
            }
            Next::End => (whole, open) = (decoder.whole(), None),
            Next::More => {
                if decoder.fill(|space| source.read(space))? > 0 {
                    continue;
                }
                match decoder.ends() {
                    Ok(true) => break,
                    Ok(false) => {}
                    // There is nothing but a part of the first header, or bytes after the last message.
                    Err(error) if error.kind() == ErrorKind::Decode => break,
                    Err(error) => return Err(error),
                }
            }
        }
    }
    let rows = rows + decoder.rows() as u64;
    let index = match open {
        Some(open) => index_frame(&open.index)?,
        // A file that begins as serow's do stays one. Elsewhere a header alone is of no use.
        None if begin == 0 && whole == 0 && decoder.open_message() == Some(0) => {
            whole = HEADER;
            index_frame(&Index::default())?
        }
        None => Vec::new(),
    };
    let keep = begin + whole as u64;
    let damaged = decoder.lost().0.saturating_sub(len - keep);
    Ok(Salvage { keep, index, rows, damaged })
}

/// The frames of a message that has not ended.
#[derive(Debug)]
struct Open {
    begin: usize,
    end: usize,
    index: Index,
}

impl Open {
    fn begin(at: usize) -> Open {
        Open { begin: at, end: at + HEADER, index: Index::default() }
    }

    /// Adds a frame, and what is damaged before it.
    fn add(&mut self, frame: Range<usize>, rows: usize, schema: u64) -> Result<()> {
        let lost = frame.start.saturating_sub(self.end);
        let added = match lost {
            0 => self.index.add(frame.len(), rows, schema),
            // Such bytes can't be a frame. They become one with the frame after them, which readers then
            // find damaged.
            1..LEAST_FRAME => self.index.add(lost + frame.len(), rows, schema),
            _ => {
                // The damage has a schema of its own: nobody knows which.
                let added = self.index.add(lost, 0, !schema);
                added.and_then(|()| self.index.add(frame.len(), rows, schema))
            }
        };
        added.map_err(|fault| fault.into_error(ErrorKind::Decode, "the index of the file"))?;
        self.end = frame.end;
        Ok(())
    }
}

/// The fewest bytes of a frame that an index can have.
const LEAST_FRAME: usize = FRAME_HEADER + CHECKSUM;

fn index_frame(index: &Index) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let written = Out::appending(&mut bytes, |out| {
        MessageWriter::begin_apart(Format::default(), None).finish_with(index, out)
    });
    let written = written.and_then(|written| written);
    written.map_err(|fault| fault.into_error(ErrorKind::Decode, "the index of the file"))?;
    Ok(bytes)
}

/// Reads a file from an offset to its end.
struct Source<'a> {
    at: u64,
    len: u64,
    read_at: ReadAt<'a>,
    bytes: Vec<u8>,
    /// How many of the bytes were given.
    taken: usize,
}

impl Source<'_> {
    fn read(&mut self, space: &mut [u8]) -> Result<usize> {
        if self.taken == self.bytes.len() {
            (self.read_at)(self.at..self.len.min(self.at + CHUNK), &mut self.bytes)?;
            (self.at, self.taken) = (self.at + self.bytes.len() as u64, 0);
        }
        let rest = &self.bytes[self.taken..];
        let count = rest.len().min(space.len());
        space[..count].copy_from_slice(&rest[..count]);
        self.taken += count;
        Ok(count)
    }
}

#[cfg(test)]
mod tests;

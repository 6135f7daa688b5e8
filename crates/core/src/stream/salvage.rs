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
use super::file_index::IndexSearch;
use super::parts::{FileParts, ReadAt};
use crate::error::{Error, ErrorKind, Fault, Result};
use crate::wire::message::index::{Index, LEAST_FRAME};
use crate::wire::message::{
    Framing, Head, MAGIC, MARK, MARKED_HEADER, MessageHeader, MessageWriter, Part, Position,
    STREAM_HEADER, VERSION,
};

/// Bytes that are read at once.
const CHUNK: u64 = 1 << 20;

/// Returns where in its log a stream begins that is appended to a file of `len` bytes; `None` if the file does not end
/// with a whole message. If the file is one log, this reads its header and its last index, and takes the same time
/// whatever the file has. If not, it follows the headers of all frames. A caller that knows the salt of the last log gives
/// it as `salt`.
///
/// # Errors
/// A decode error if the file is of another kind or of another version of the format. An error of
/// `read_at`.
pub fn end_of_log(len: u64, salt: Option<u64>, read_at: ReadAt<'_>) -> Result<Option<Position>> {
    if len == 0 {
        return Position::of_new_log().map(Some);
    }
    if let Some(end) = end_by_index(len, salt, read_at)? {
        return Ok(Some(end));
    }
    let walk = Walk::through(len, read_at)?;
    (walk.at == len).then(|| walk.end()).transpose()
}

/// Returns the end of a file by its last index. Bytes of a row may be an index too, and a file may end after them. So
/// the index must be of the log with this salt, or of that with which the file begins.
fn end_by_index(len: u64, salt: Option<u64>, read_at: ReadAt<'_>) -> Result<Option<Position>> {
    let (mut search, mut bytes) = (IndexSearch::new(len), Vec::new());
    while search.end().is_none()
        && search.is_by_index()
        && let Some(range) = search.wanted()
    {
        read_at(range, &mut bytes)?;
        search.give(&bytes)?;
    }
    let Some(end) = search.end().copied() else { return Ok(None) };
    if salt == Some(end.salt) {
        return Ok(Some(end));
    }
    read_at(0..len.min(STREAM_HEADER as u64), &mut bytes)?;
    let first = first_position(&bytes);
    Ok(first.is_some_and(|first| first.salt == end.salt).then_some(end))
}

/// Returns the position at which the stream at the beginning of `bytes` begins.
pub fn first_position(bytes: &[u8]) -> Option<Position> {
    MessageHeader::fixed(bytes)?.stream
}

/// Moves streams, which are whole headers and frames and may begin with a frame, to another place: to the log with this
/// salt, and `rows` rows later. Numbers of rows wrap. Returns the position after them.
pub fn stamp(mut bytes: &mut [u8], salt: u64, rows: u64) -> Option<Position> {
    let moved = |at: Position| Position { salt, row: at.row.wrapping_add(rows) };
    let mut framing = Position::read(bytes).map(|(first, _)| Framing::Marked(first.salt));
    let mut end = None;
    while let Ok(Some(part)) = Part::read(framing, bytes) {
        match &part {
            Part::Header(MessageHeader { stream: Some(first), .. }) => {
                MessageHeader::place(bytes, moved(*first));
                end = Some(moved(*first));
            }
            Part::Frame(Head { position: Some(first), header, marker, .. }) => {
                bytes[..*marker].copy_from_slice(&moved(*first).marker(header.bytes()));
                end = Some(moved(*first).after(header.rows()));
            }
            _ => {}
        }
        framing = part.next(framing);
        let len = part.size().min(bytes.len());
        bytes = &mut std::mem::take(&mut bytes)[len..];
    }
    end
}

/// Returns where the first message begins that has not ended in the first `len` bytes of a file; `len` if all
/// have. If the last one has, this reads its index and no other; otherwise it follows the headers of the
/// frames.
///
/// # Errors
/// A decode error if the file is of another kind or of another version of the format. An error of
/// `read_at`.
pub fn end_of_messages(len: u64, read_at: ReadAt<'_>) -> Result<u64> {
    if len == 0 || end_by_index(len, None, read_at)?.is_some() {
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
    /// Where in its log a stream begins that is appended then.
    pub end: Option<Position>,
}

impl Salvage {
    /// Examines a file of `len` bytes. It follows the headers of the frames up to the message that has not
    /// ended, and checks the bytes of that one. Whole frames after damaged bytes stay, with what is damaged
    /// before them.
    ///
    /// ```
    /// use serow_core::encode::OneThread;
    /// use serow_core::layout::value::ValueRows;
    /// use serow_core::stream::{Salvage, StreamEncoder, end_of_log};
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
    /// let end = end_of_log(len, None, &mut |range, bytes| read(&file, range, bytes))?;
    /// assert_eq!(end.map(|end| end.row), Some(2));
    /// # Ok::<(), serow_core::Error>(())
    /// ```
    ///
    /// # Errors
    /// A decode error if the file is of another kind or of another version of the format. An error of
    /// `read_at`.
    pub fn of(len: u64, read_at: ReadAt<'_>) -> Result<Salvage> {
        let walk = Walk::through(len, read_at)?;
        if walk.at == len {
            let end = Some(walk.end()?);
            return Ok(Salvage { keep: len, rows: walk.rows, end, ..Salvage::default() });
        }
        check_frames(walk, len, read_at)
    }
}

/// How far the headers lead.
#[derive(Debug, Default)]
struct Walk {
    /// Where the message begins that has not ended, or that is damaged.
    at: u64,
    /// The rows before it.
    rows: u64,
    /// The position in its log of the row after the last stream.
    log: Option<Position>,
}

impl Walk {
    fn through(len: u64, read_at: ReadAt<'_>) -> Result<Walk> {
        let (mut walk, mut parts) = (Walk::default(), FileParts::of(len, read_at));
        // The rows of the message that has begun, and the position after them.
        let (mut rows, mut next) = (0, None);
        loop {
            let at = parts.at();
            let part = match parts.next() {
                Ok(part) => part,
                Err(error) if error.kind() != ErrorKind::Decode => return Err(error),
                Err(error) if at == walk.at && !walk.is_own(&mut parts)? => {
                    return Err(error);
                }
                Err(_) => return Ok(walk),
            };
            match part {
                Some(Part::Header(header)) if walk.is_continued_by(header.stream) => {
                    (rows, next) = (0, header.stream);
                }
                // The headers must lead to the end of the message, which a damaged one may not do.
                Some(Part::Frame(head)) if head.position == next && parts.at() <= len => {
                    rows += head.header.rows() as u64;
                    next = next.map(|next| next.after(head.header.rows()));
                    if head.header.is_last() {
                        let end = parts.at();
                        if !head.is_intact(parts.read(at..end)?) {
                            return Ok(walk);
                        }
                        walk = Walk { at: end, rows: walk.rows + rows, log: next.or(walk.log) };
                    }
                }
                _ => return Ok(walk),
            }
        }
    }

    /// Whether a wrong header where a message should begin is a damaged one of this version. Another kind of file, or a
    /// message of a later version, must not be changed.
    fn is_own(&self, parts: &mut FileParts<'_>) -> Result<bool> {
        let bytes = parts.read(self.at..parts.len().min(self.at + CHUNK))?;
        let is_own = bytes.starts_with(MAGIC);
        let is_later = is_own && bytes.get(MAGIC.len()).is_some_and(|it| *it > VERSION);
        // A frame of a stream follows.
        let mut marked = bytes.windows(MARKED_HEADER).filter(|place| place.starts_with(&MARK));
        Ok(!is_later && (is_own || self.at > 0) || marked.any(|it| Position::read(it).is_some()))
    }

    /// Whether a message that begins here may follow. Another log may.
    fn is_continued_by(&self, first: Option<Position>) -> bool {
        match (self.log, first) {
            (Some(log), Some(first)) => first.salt != log.salt || first.row == log.row,
            _ => true,
        }
    }

    /// Where a stream begins that follows.
    fn end(&self) -> Result<Position> {
        self.log.map_or_else(Position::of_new_log, Ok)
    }
}

/// Checks the frames from the end of `walk` to the end of the file.
fn check_frames(walk: Walk, len: u64, read_at: ReadAt<'_>) -> Result<Salvage> {
    let Walk { at: begin, rows, log } = walk;
    let mut bytes = Vec::new();
    read_at(0..len.min(STREAM_HEADER as u64), &mut bytes)?;
    let is_stream = MessageHeader::fixed(&bytes).is_some_and(|header| header.stream.is_some());
    let mut decoder = StreamDecoder::new().at(log).skipping();
    // The end of the last whole frame, and the message that had not ended there.
    let (mut whole, mut open) = (0, None::<Open>);
    loop {
        match decoder.next_packed()? {
            Next::Frame(frame) => {
                let (at, rows) = (frame.at, frame.rows);
                let schema = frame.program.schema().fingerprint();
                let message = decoder.open_message().unwrap_or_default();
                whole = decoder.whole();
                if decoder.is_at_end() {
                    open = None;
                    continue;
                }
                let of = match &mut open {
                    Some(of) if of.begin == message => of,
                    open => open.insert(Open::begin(message, decoder.header_len())),
                };
                of.add(at..whole, rows, schema, decoder.position())?;
            }
            Next::End => (whole, open) = (decoder.whole(), None),
            Next::More => {
                let begin = begin + decoder.consumed() as u64;
                read_at(begin..len.min(begin + CHUNK), &mut bytes)?;
                decoder.give(&bytes)?;
                if !bytes.is_empty() {
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
    let header = decoder.header_len();
    let (index, end) = match open {
        Some(Open { index, next: Some(end), .. }) => {
            (MessageWriter::index_frame(index, end).map_err(in_index)?, end)
        }
        // A file that begins as serow's do stays one. Elsewhere a header alone is of no use.
        None if is_stream && begin == 0 && whole == 0 && decoder.open_message() == Some(0) => {
            whole = header;
            let end = decoder.position().map_or_else(Position::of_new_log, Ok)?;
            (MessageWriter::index_frame(Index::of(header), end).map_err(in_index)?, end)
        }
        Some(_) | None => (Vec::new(), decoder.position().map_or_else(Position::of_new_log, Ok)?),
    };
    let keep = begin + whole as u64;
    let damaged = decoder.lost().0.saturating_sub(len - keep);
    Ok(Salvage { keep, index, rows, damaged, end: Some(end) })
}

/// The frames of a stream that has not ended.
#[derive(Debug)]
struct Open {
    begin: usize,
    end: usize,
    index: Index,
    /// The position after its rows; `None` before the first frame, and in a message in memory.
    next: Option<Position>,
}

impl Open {
    fn begin(at: usize, header: usize) -> Open {
        Open { begin: at, end: at + header, index: Index::of(header), next: None }
    }

    /// Adds a frame, and what is damaged before it. `next` is the position after it.
    fn add(
        &mut self,
        frame: Range<usize>,
        rows: usize,
        schema: u64,
        next: Option<Position>,
    ) -> Result<()> {
        let lost = frame.start.saturating_sub(self.end);
        let lost_rows = match (self.next, next) {
            (Some(before), Some(next)) => (next.row - before.row) as usize - rows,
            _ => 0,
        };
        let added = if lost == 0 {
            self.index.add(frame.len(), lost_rows + rows, schema)
        } else if (lost as u64) < LEAST_FRAME {
            // Such bytes can't be a frame. They become one with the frame after them, which readers then
            // find damaged.
            self.index.add(lost + frame.len(), lost_rows + rows, schema)
        } else {
            // The damage has a schema of its own: nobody knows which.
            let added = self.index.add(lost, lost_rows, !schema);
            added.and_then(|()| self.index.add(frame.len(), rows, schema))
        };
        added.map_err(in_index)?;
        (self.end, self.next) = (frame.end, next);
        Ok(())
    }
}

fn in_index(fault: Fault) -> Error {
    fault.into_error(ErrorKind::Decode, "the index of the file")
}

#[cfg(test)]
mod tests;

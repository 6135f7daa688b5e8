//! Reads frames of a file by their numbers. The indexes at the ends of the file's messages say where
//! they are.
//!
//! A reader needs few bytes besides the frames that it wants:
//!
//! ```text
//! SROW  frames of the first message  index  SROW  frames of the last message  index
//!                                  ▲ 4. its length                          ▲ 1. its length
//!                               ▲ 5. the index                           ▲ 2. the index
//! ▲ 6. the header                           ▲ 3. the header
//! ```

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use super::parts::{in_file, shorter};
use crate::error::{Error, ErrorKind, Fault, Result};
use crate::limits::sized;
use crate::program::Program;
use crate::wire::message::index::{Described, FrameEntry, TAIL, described, len_of};
use crate::wire::message::{
    FrameReader, Framing, Head, MARKED_HEADER, MessageHeader, PackedFrame, Position, STREAM_HEADER,
};

/// A claimed index of more bytes is read after its header was checked. Bytes that are no index must not
/// cause a large request of memory.
const LONG_INDEX: u64 = sized(1 << 20, 1 << 12) as u64;

/// Bytes at the beginning of a frame that are read first to get its schema.
const SCHEMA_GUESS: u64 = 1 << 10;

/// Finds the indexes of a file's messages, from the last message to the first.
///
/// The caller passes the bytes that are wanted until none are:
///
/// ```
/// use serow_core::encode::OneThread;
/// use serow_core::layout::value::ValueRows;
/// use serow_core::stream::{IndexSearch, StreamEncoder};
/// use serow_core::wire::message::Wire;
///
/// let mut file = Vec::new();
/// let mut put = |bytes: &[u8]| Ok(file.extend_from_slice(bytes));
/// let mut encoder = StreamEncoder::begin(Wire::Frame, None, &mut put)?;
/// encoder.write(&ValueRows(&["peru".into(), "snow".into()]), &OneThread, &mut 0, &mut put)?;
/// encoder.finish(&mut put)?;
///
/// let mut search = IndexSearch::new(file.len() as u64);
/// while let Some(range) = search.wanted() {
///     search.give(&file[range.start as usize..range.end as usize])?;
/// }
/// let index = search.finish();
/// assert_eq!((index.frames(), index.rows(), index.frame_of(1)), (1, 2, Some(0)));
/// # Ok::<(), serow_core::Error>(())
/// ```
#[derive(Debug)]
pub struct IndexSearch {
    state: SearchState,
    /// What the index of each message says that was found, from the last to the first.
    messages: Vec<Described>,
}

/// What a search reads next.
#[derive(Clone, Copy, Debug)]
enum SearchState {
    /// The bytes before this offset, where a message ends. They have the length of its index.
    Tail { end: u64 },
    /// The header of what may be a long index.
    Header { at: u64, end: u64 },
    /// The index.
    Index { at: u64, end: u64 },
    /// The header of the message at this offset, and the last bytes of the message before it.
    Begin { at: u64 },
    /// Nothing.
    Found,
}

impl IndexSearch {
    /// Begins a search in a file of `len` bytes.
    pub fn new(len: u64) -> IndexSearch {
        let state = if len == 0 { SearchState::Found } else { SearchState::Tail { end: len } };
        IndexSearch { state, messages: Vec::new() }
    }

    /// Returns which bytes of the file to give next; `None` if all indexes are found.
    pub fn wanted(&self) -> Option<Range<u64>> {
        Some(match self.state {
            SearchState::Tail { end } => end.saturating_sub(TAIL as u64)..end,
            SearchState::Header { at, .. } => at..at + MARKED_HEADER as u64,
            SearchState::Index { at, end } => at..end,
            SearchState::Begin { at } => at.saturating_sub(TAIL as u64)..at + STREAM_HEADER as u64,
            SearchState::Found => return None,
        })
    }

    /// Takes the bytes that are wanted.
    ///
    /// # Errors
    /// A decode error if a message has no index, or one that can't be right.
    pub fn give(&mut self, bytes: &[u8]) -> Result<()> {
        let Some(wanted) = self.wanted() else { return Ok(()) };
        if bytes.len() as u64 != wanted.end - wanted.start {
            return Err(shorter(wanted.start + bytes.len() as u64));
        }
        self.state = match self.state {
            SearchState::Tail { end } => after_tail(bytes, end)?,
            SearchState::Header { at, end } => {
                let head = Position::read(bytes)
                    .and_then(|(position, _)| Framing::Marked(position.salt).head(bytes))
                    .filter(|head| head.header.is_index());
                match head.is_some_and(|head| head.len as u64 == end - at) {
                    true => SearchState::Index { at, end },
                    false => return Err(no_index(end)),
                }
            }
            SearchState::Index { at, end } => {
                let found = described(bytes, at).map_err(|fault| in_index(fault, at))?;
                let found = found.ok_or_else(|| no_index(end))?;
                let begin = found.begin;
                self.messages.push(found);
                SearchState::Begin { at: begin }
            }
            SearchState::Begin { at } => {
                let (tail, header) = bytes.split_at(bytes.len() - STREAM_HEADER);
                let first = MessageHeader::fixed(header).and_then(|header| header.stream);
                let salt = self.messages.last().map(|message| message.end.salt);
                if first.map(|first| first.salt) != salt {
                    let what = "the index says that its message begins at byte";
                    return Err(in_file(at, format!("{what} {at}, but there is no message")));
                }
                if at == 0 { SearchState::Found } else { after_tail(tail, at)? }
            }
            SearchState::Found => SearchState::Found,
        };
        Ok(())
    }

    /// Returns the position after the last row of the file, as soon as the last index was found.
    pub fn end(&self) -> Option<&Position> {
        self.messages.first().map(|message| &message.end)
    }

    /// Returns what was found.
    pub fn finish(self) -> FileIndex {
        let mut frames: Vec<FrameEntry> = Vec::new();
        for Described { frames: entries, .. } in self.messages.into_iter().rev() {
            let (before, rows) = (frames.len(), end_row(&frames));
            frames.extend(entries.into_iter().map(|entry| FrameEntry {
                first_row: entry.first_row + rows,
                schema: entry.schema + before,
                ..entry
            }));
        }
        FileIndex { frames }
    }
}

/// Returns what follows the last bytes of the message that ends at `end`.
fn after_tail(tail: &[u8], end: u64) -> Result<SearchState> {
    let len = tail.last_chunk().and_then(|tail| len_of(tail, end)).ok_or_else(|| no_index(end))?;
    let at = end - len;
    Ok(if len > LONG_INDEX {
        SearchState::Header { at, end }
    } else {
        SearchState::Index { at, end }
    })
}

fn no_index(end: u64) -> Error {
    let what = format!(
        "the message that ends at byte {end} has no index: its writer did not finish it, or did not \
         write it as a stream; read the file from its beginning"
    );
    in_file(end, what)
}

fn in_index(fault: Fault, at: u64) -> Error {
    let error = fault.into_error(ErrorKind::Decode, format_args!("the index at byte {at}"));
    match error.kind() {
        ErrorKind::Memory => error,
        _ => error.at_offset(usize::try_from(at).unwrap_or(usize::MAX)),
    }
}

fn end_row(frames: &[FrameEntry]) -> u64 {
    frames.last().map_or(0, |last| last.first_row + last.rows)
}

/// The frames of a file, by what its indexes say.
#[derive(Debug, Default)]
pub struct FileIndex {
    frames: Vec<FrameEntry>,
}

impl FileIndex {
    /// The number of frames.
    pub fn frames(&self) -> usize {
        self.frames.len()
    }

    /// The number of rows.
    pub fn rows(&self) -> u64 {
        end_row(&self.frames)
    }

    /// Returns what the index says of a frame; `None` if there is no such frame.
    pub fn entry(&self, frame: usize) -> Option<&FrameEntry> {
        self.frames.get(frame)
    }

    /// Returns the number of the frame with this row, and that of the row in the frame; `None` if there is no
    /// such row.
    pub fn place_of(&self, row: u64) -> Option<(usize, usize)> {
        let frame = self.frame_of(row)?;
        usize::try_from(row - self.entry(frame)?.first_row).ok().map(|row| (frame, row))
    }

    /// Returns the number of the frame with this row; `None` if there is no such row.
    pub fn frame_of(&self, row: u64) -> Option<usize> {
        let frame = self.frames.partition_point(|entry| entry.first_row + entry.rows <= row);
        (frame < self.frames.len()).then_some(frame)
    }
}

/// Reads the frames of a file in any order, and checks what its indexes say about them.
///
/// To read a frame, the caller first passes the bytes of its schema to [`SeekDecoder::give_schema`]
/// while [`SeekDecoder::schema_wanted`] wants any, then those of the frame to [`SeekDecoder::read`].
#[derive(Debug)]
pub struct SeekDecoder {
    index: FileIndex,
    frames: FrameReader,
    /// Fingerprints of the schemas that are known, by the numbers of the frames that have them in band.
    schemas: BTreeMap<usize, u64>,
    /// A frame with a schema that is longer than [`SCHEMA_GUESS`], and how many of its bytes are needed.
    long: Option<(usize, u64)>,
}

impl SeekDecoder {
    /// Creates a decoder of the file with this index.
    pub fn new(index: FileIndex) -> SeekDecoder {
        let (frames, schemas) = (FrameReader::default(), BTreeMap::new());
        SeekDecoder { index, frames, schemas, long: None }
    }

    /// Uses `program` for frames of its schema.
    pub fn with_program(mut self, program: Arc<Program>) -> SeekDecoder {
        self.frames.set_program(program);
        self
    }

    /// Refuses frames whose compressed bodies exceed this number of bytes without compression.
    pub fn with_max_memory(mut self, bytes: usize) -> SeekDecoder {
        self.frames.set_max_memory(bytes);
        self
    }

    /// The index.
    pub fn index(&self) -> &FileIndex {
        &self.index
    }

    /// Returns which bytes of the file are needed to know the schema of a frame, before the frame can be
    /// read; `None` if none are.
    pub fn schema_wanted(&self, frame: usize) -> Option<Range<u64>> {
        let of = self.index.entry(frame)?.schema;
        if of == frame || self.schemas.contains_key(&of) {
            return None;
        }
        let entry = self.index.entry(of)?;
        let len = self.long.filter(|(long, _)| *long == of).map_or(SCHEMA_GUESS, |(_, len)| len);
        Some(entry.at..entry.at + len.min(entry.bytes))
    }

    /// Takes the bytes that are needed to know the schema of a frame. More may be needed then.
    ///
    /// # Errors
    /// A decode error if the schema is invalid, or is not where the index says.
    pub fn give_schema(&mut self, frame: usize, bytes: &[u8]) -> Result<()> {
        let Some(wanted) = self.schema_wanted(frame) else { return Ok(()) };
        if bytes.len() as u64 != wanted.end - wanted.start {
            return Err(shorter(wanted.start + bytes.len() as u64));
        }
        let of = self.index.frames[frame].schema;
        let entry = self.jump(of)?;
        let head = self.frames.framing().head(bytes);
        let is_described = |Head { header, marker, .. }: &Head| {
            header.is_in_band() && (marker + header.body_at()) as u64 <= entry.bytes
        };
        let Some(Head { header, marker, .. }) = head.filter(is_described) else {
            return Err(self.frames.in_frame(&format!(
                "the index says that it has the schema of frame {frame}, but it has none"
            )));
        };
        let body_at = marker + header.body_at();
        match bytes.get(MARKED_HEADER..body_at) {
            Some(type_list) => {
                let fingerprint = self.frames.learn(type_list)?;
                self.schemas.insert(of, fingerprint);
            }
            None => self.long = Some((of, body_at as u64)),
        }
        Ok(())
    }

    /// Checks the bytes of a frame, which are all bytes of its [`FrameEntry`].
    ///
    /// # Errors
    /// A decode error if the frame is damaged, or if it is not what the index says.
    pub fn read<'a>(&mut self, frame: usize, bytes: &'a [u8]) -> Result<PackedFrame<'a>> {
        let entry = self.jump(frame)?;
        if bytes.len() as u64 != entry.bytes {
            return Err(shorter(entry.at + bytes.len() as u64));
        }
        if self.schema_wanted(frame).is_some() {
            return Err(self.frames.in_frame("its schema was not given"));
        }
        let SeekDecoder { frames, schemas, .. } = self;
        let is_described = |Head { header, len, .. }: Head| {
            len == bytes.len()
                && header.rows() as u64 == entry.rows
                && (header.is_in_band() || entry.schema != frame)
                && !header.is_last()
        };
        if !frames.framing().head(bytes).is_some_and(is_described) {
            let FrameEntry { bytes, rows, .. } = entry;
            return Err(frames.in_frame(&format!(
                "the index says that it has {bytes} bytes and {rows} rows, but its header does not; \
                 one of them is damaged"
            )));
        }
        let other = "the index says that it has another schema; one of them is damaged";
        let (at, known) = (frames.at(), schemas.get(&entry.schema).copied());
        let meta = frames.check(bytes)?;
        let packed = meta.ok_or_else(|| Error::decode("an index is not a frame of rows"))?;
        let packed = packed.with_bytes(bytes);
        let fingerprint = packed.program.schema().fingerprint();
        match known {
            Some(known) if known != fingerprint => {
                let error = Error::decode(format!("frame {frame} (at byte {at}): {other}"));
                return Err(error.at_offset(at));
            }
            Some(_) => {}
            None => drop(schemas.insert(entry.schema, fingerprint)),
        }
        Ok(packed)
    }

    /// Returns the entry of frame `frame`. From now on errors name its place in the file.
    fn jump(&mut self, frame: usize) -> Result<FrameEntry> {
        let Some(entry) = self.index.entry(frame).copied() else {
            let frames = self.index.frames();
            return Err(Error::decode(format!("there is no frame {frame}: the file has {frames}")));
        };
        let (Ok(at), Ok(rows)) = (usize::try_from(entry.at), usize::try_from(entry.first_row))
        else {
            return Err(Error::limit("the file is too long for this machine"));
        };
        self.frames.jump((at, frame, rows), entry.position);
        Ok(entry)
    }
}

#[cfg(test)]
mod tests;

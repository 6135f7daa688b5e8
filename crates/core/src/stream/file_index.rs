//! Finds where the frames of a file are: by the indexes at the ends of its messages, or by the headers of all frames if a
//! message has no index.
//!
//! A reader needs few bytes besides the frames that it wants:
//!
//! ```text
//! SROW  frames of the first message  index  SROW  frames of the last message  index
//!                                  ▲ 4. its length                          ▲ 1. its length
//!                               ▲ 5. the index                           ▲ 2. the index
//! ▲ 6. the header                           ▲ 3. the header
//! ```

use std::collections::HashMap;
use std::ops::Range;

use super::parts::{damaged, in_file, shorter};
use crate::error::{Error, Fault, Result};
use crate::limits::{MAX_SCHEMA_LEN, sized};
use crate::memory;
use crate::wire::message::index::{Described, FrameEntry, TAIL, described, len_of};
use crate::wire::message::{
    FRAME_HEADER, Framing, Head, MARKED_HEADER, MessageHeader, Part, Position, STREAM_HEADER,
};

/// A claimed index of more bytes is read after its header was checked. Bytes that are no index must not
/// cause a large request of memory.
pub(super) const LONG_INDEX: u64 = sized(1 << 20, 1 << 12) as u64;

/// Bytes at the beginning of a frame that are read first. They have its header, and mostly its schema.
pub(super) const HEAD_GUESS: u64 = 1 << 10;

/// Finds where the frames of a file are.
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
    len: u64,
    state: SearchState,
    /// What the index of each message says that was found, from the last to the first.
    messages: Vec<Described>,
}

/// What a search reads next.
#[derive(Debug)]
enum SearchState {
    /// The bytes before this offset, where a message ends. They have the length of its index.
    Tail { end: u64 },
    /// The header of what may be a long index.
    Header { at: u64, end: u64 },
    /// The index.
    Index { at: u64, end: u64 },
    /// The header of the message at this offset, and the last bytes of the message before it.
    Begin { at: u64 },
    /// A header of a message or frame. A message has no index.
    Walk(Walk),
    /// Nothing.
    Found,
}

/// The way through a file by the headers of all frames.
#[derive(Debug, Default)]
struct Walk {
    /// The offset of the next part.
    at: u64,
    /// How it begins; `None` if a message does.
    framing: Option<Framing>,
    /// The bytes of it that are needed, if they are more than [`HEAD_GUESS`].
    needed: u64,
    frames: Vec<FrameEntry>,
    /// The number of the first frame of the current message.
    first: usize,
    /// The numbers of the frames of the current message that have their schema in band first.
    schemas: HashMap<u64, usize>,
}

impl IndexSearch {
    /// Begins a search in a file of `len` bytes.
    pub fn new(len: u64) -> IndexSearch {
        let state = if len == 0 { SearchState::Found } else { SearchState::Tail { end: len } };
        IndexSearch { len, state, messages: Vec::new() }
    }

    /// Returns which bytes of the file to give next; `None` if all frames are found.
    pub fn wanted(&self) -> Option<Range<u64>> {
        Some(match &self.state {
            &SearchState::Tail { end } => end.saturating_sub(TAIL as u64)..end,
            &SearchState::Header { at, .. } => at..at + MARKED_HEADER as u64,
            &SearchState::Index { at, end } => at..end,
            &SearchState::Begin { at } => at.saturating_sub(TAIL as u64)..at + STREAM_HEADER as u64,
            SearchState::Walk(Walk { at, needed, .. }) if *at < self.len => {
                *at..at.saturating_add(HEAD_GUESS.max(*needed)).min(self.len)
            }
            SearchState::Walk(_) | SearchState::Found => return None,
        })
    }

    /// Returns whether each message so far has an index.
    pub fn is_by_index(&self) -> bool {
        !matches!(self.state, SearchState::Walk(_))
    }

    /// Takes the bytes that are wanted.
    ///
    /// # Errors
    /// A decode error if the file has no messages, or a message is cut.
    pub fn give(&mut self, bytes: &[u8]) -> Result<()> {
        let Some(wanted) = self.wanted() else { return Ok(()) };
        if bytes.len() as u64 != wanted.end - wanted.start {
            return Err(shorter(wanted.start + bytes.len() as u64));
        }
        if let SearchState::Walk(walk) = &mut self.state {
            return walk.give(bytes, self.len);
        }
        self.state = match self.by_index(bytes)? {
            Some(state) => state,
            None => {
                self.messages = Vec::new();
                SearchState::Walk(Walk::default())
            }
        };
        Ok(())
    }

    /// Returns what to read next by an index; `None` if there is none, or if it can't be right.
    fn by_index(&mut self, bytes: &[u8]) -> Result<Option<SearchState>> {
        Ok(match self.state {
            SearchState::Tail { end } => after_tail(bytes, end),
            SearchState::Header { at, end } => {
                let head = Position::read(bytes)
                    .and_then(|(position, _)| Framing::Marked(position.salt).head(bytes))
                    .filter(|head| head.header.is_index() && head.len as u64 == end - at);
                head.map(|_| SearchState::Index { at, end })
            }
            SearchState::Index { at, .. } => {
                let found = match described(bytes, at) {
                    Err(Fault::NoMemory) => return Err(Error::no_memory()),
                    other => other.ok().flatten(),
                };
                found.map(|found| {
                    let begin = found.begin;
                    self.messages.push(found);
                    SearchState::Begin { at: begin }
                })
            }
            SearchState::Begin { at } => {
                let (tail, header) = bytes.split_at(bytes.len() - STREAM_HEADER);
                let first = MessageHeader::fixed(header).and_then(|header| header.stream);
                let salt = self.messages.last().map(|message| message.end.salt);
                match first.map(|first| first.salt) == salt {
                    true if at == 0 => Some(SearchState::Found),
                    true => after_tail(tail, at),
                    false => None,
                }
            }
            SearchState::Walk(_) | SearchState::Found => None,
        })
    }

    /// Returns the position after the last row of the file, as soon as the last index was found.
    pub fn end(&self) -> Option<&Position> {
        self.messages.first().map(|message| &message.end)
    }

    /// Returns what was found.
    pub fn finish(self) -> FileIndex {
        if let SearchState::Walk(walk) = self.state {
            return FileIndex { frames: walk.frames };
        }
        let mut frames: Vec<FrameEntry> = Vec::new();
        for Described { frames: entries, .. } in self.messages.into_iter().rev() {
            let (before, rows) = (frames.len(), end_row(&frames));
            frames.extend(entries.into_iter().map(|entry| entry.after(before, rows)));
        }
        FileIndex { frames }
    }
}

/// Returns what follows the last bytes of the message that ends at `end`; `None` if they have no index.
fn after_tail(tail: &[u8], end: u64) -> Option<SearchState> {
    let len = tail.last_chunk().and_then(|tail| len_of(tail, end))?;
    let at = end - len;
    Some(match len > LONG_INDEX {
        true => SearchState::Header { at, end },
        false => SearchState::Index { at, end },
    })
}

impl Walk {
    /// Takes the first bytes of the next part of a file of `len` bytes.
    fn give(&mut self, bytes: &[u8], len: u64) -> Result<()> {
        let (at, framing) = (self.at, self.framing);
        let part = Part::read(framing, bytes).map_err(|error| match (framing, at) {
            (Some(_), _) => damaged(at),
            (None, 0) => error,
            (None, _) => in_file(at, format!("after the message that ends at byte {at}: {error}")),
        })?;
        let end = |part: &Part| at.checked_add(part.size() as u64).filter(|end| *end <= len);
        let Some((part, end)) = part.and_then(|part| end(&part).map(|end| (part, end))) else {
            return Err(in_file(at, format!("the message is cut: it ends at byte {len}")));
        };
        match &part {
            Part::Header(_) => {
                self.schemas.clear();
                self.first = self.frames.len();
            }
            Part::Frame(head) => {
                let is_index = head.header.is_index();
                let needed = if is_index { head.len } else { head.marker + head.header.body_at() };
                let is_too_long = head.header.body_at() > FRAME_HEADER + MAX_SCHEMA_LEN;
                if is_too_long || needed > head.len {
                    return Err(damaged(at));
                }
                match bytes.get(..needed) {
                    None => {
                        self.needed = needed as u64;
                        return Ok(());
                    }
                    Some(index) if is_index => self.check(index)?,
                    Some(head_bytes) => self.add(head, head.unmarked(head_bytes))?,
                }
            }
        }
        (self.at, self.framing, self.needed) = (end, part.next(framing), 0);
        if end == len && self.framing.is_some() {
            return Err(in_file(
                end,
                format!(
                    "the message is cut: it ends at byte {len}, before its last frame; an error stopped \
                     its writer, or its writer was not closed, or bytes were lost"
                ),
            ));
        }
        Ok(())
    }

    /// Checks what the index of the current message says.
    fn check(&self, index: &[u8]) -> Result<()> {
        let found = described(index, self.at).map_err(|fault| match fault {
            Fault::NoMemory => Error::no_memory(),
            _ => wrong_index(self.at),
        })?;
        let (before, own) = self.frames.split_at(self.first);
        let is_right = found.is_some_and(|found| {
            let said = found.frames.iter().map(|entry| entry.after(before.len(), end_row(before)));
            said.eq(own.iter().copied())
        });
        if is_right { Ok(()) } else { Err(wrong_index(self.at)) }
    }

    /// Adds a frame that begins with these bytes, which have its schema or name it.
    fn add(&mut self, head: &Head, bytes: &[u8]) -> Result<()> {
        let Head { header, position, len, .. } = head;
        let number = self.frames.len();
        let schema = header.schema_of(bytes).unwrap_or_default();
        if header.is_in_band() {
            self.schemas.entry(schema).or_insert(number);
        }
        let Some(&schema) = self.schemas.get(&schema) else {
            let what = "it names a schema that no frame before it has";
            return Err(in_file(self.at, format!("frame {number} (at byte {}): {what}", self.at)));
        };
        memory::reserve(&mut self.frames, 1).map_err(|_| Error::no_memory())?;
        self.frames.push(FrameEntry {
            at: self.at,
            bytes: *len as u64,
            first_row: end_row(&self.frames),
            rows: header.rows() as u64,
            schema,
            position: *position,
        });
        Ok(())
    }
}

fn wrong_index(at: u64) -> Error {
    in_file(
        at,
        format!("the index at byte {at} is damaged, or does not describe the frames before it"),
    )
}

fn end_row(frames: &[FrameEntry]) -> u64 {
    frames.last().map_or(0, |last| last.first_row + last.rows)
}

/// The frames of a file, by what its indexes say.
#[derive(Clone, Debug, Default)]
pub struct FileIndex {
    pub(super) frames: Vec<FrameEntry>,
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

    /// Returns which frame has this row, by its number, and the row's number in that frame; `None` if there is no
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

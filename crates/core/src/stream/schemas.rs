//! Finds the schemas of streams without reading their rows.

use std::collections::HashSet;
use std::ops::Range;

use crate::error::{Error, Result};
use crate::limits::{MAX_SCHEMA_LEN, MAX_STREAM_FRAME};
use crate::schema::{Schema, Shape};
use crate::wire::message::{FRAME_HEADER, Framing, Head, MessageHeader, STREAM_HEADER};

/// Goes from frame to frame in the bytes of one or more messages, and reads the schemas that they have.
/// It reads neither rows nor checksums.
///
/// The caller passes the bytes that are wanted until none are:
///
/// ```
/// use serow_core::encode::dumps;
/// use serow_core::layout::value::ValueRows;
/// use serow_core::stream::SchemaSearch;
///
/// let mut message = Vec::new();
/// dumps(&ValueRows(&["peru".into(), 7.into()]), None, &mut message)?;
///
/// let mut search = SchemaSearch::new(message.len() as u64);
/// while let Some(range) = search.wanted() {
///     search.give(&message[range.start as usize..range.end as usize])?;
/// }
/// assert_eq!(search.finish()?.to_string(), "i64|str");
/// # Ok::<(), serow_core::Error>(())
/// ```
#[derive(Debug)]
pub struct SchemaSearch {
    len: u64,
    at: u64,
    framing: Framing,
    state: SearchState,
    /// The type lists that were read.
    known: HashSet<Vec<u8>>,
    /// Their schemas, in the order in which they came.
    schemas: Vec<Schema>,
}

/// What comes at the offset of a search.
#[derive(Clone, Copy, Debug)]
enum SearchState {
    /// The header of a message.
    Message,
    /// The header of a frame.
    Frame,
    /// The type list of a frame that begins so.
    Schema(Head),
    /// Nothing.
    End,
}

impl SchemaSearch {
    /// Begins a search in `len` bytes.
    pub fn new(len: u64) -> SchemaSearch {
        let (framing, state) = (Framing::Plain, SearchState::Message);
        SchemaSearch { len, at: 0, framing, state, known: HashSet::new(), schemas: Vec::new() }
    }

    /// Returns which bytes to give next; `None` if no more are needed.
    pub fn wanted(&self) -> Option<Range<u64>> {
        let at = self.at;
        let wanted = match self.state {
            SearchState::Message => at..(at + STREAM_HEADER as u64).min(self.len),
            SearchState::Frame => at..at + self.framing.head_len() as u64,
            SearchState::Schema(Head { header, marker, .. }) => {
                let begin = at + marker as u64;
                begin + FRAME_HEADER as u64..begin + header.body_at() as u64
            }
            SearchState::End => return None,
        };
        Some(wanted)
    }

    /// Takes the bytes that are wanted.
    ///
    /// # Errors
    /// A decode error if they are no messages, or if the header or the schema of a frame is damaged.
    pub fn give(&mut self, bytes: &[u8]) -> Result<()> {
        let Some(wanted) = self.wanted() else { return Ok(()) };
        if bytes.len() as u64 != wanted.end - wanted.start {
            let end = wanted.start + bytes.len() as u64;
            return Err(Error::decode(format!(
                "the file has become shorter since it was opened: it ends at byte {end}"
            )));
        }
        match self.state {
            SearchState::Message => {
                let len = MessageHeader::wanted(bytes).map_err(|error| match self.at {
                    0 => error,
                    at => self.error(&format!("after the message that ends at byte {at}: {error}")),
                })?;
                let Some(header) = MessageHeader::fixed(bytes) else {
                    let cut = format!("the message is cut after {} bytes", bytes.len());
                    return Err(self.error(&cut));
                };
                self.framing = Framing::of(header.stream);
                self.at += len as u64;
                self.begin_frame();
            }
            SearchState::Frame => {
                let head = self.framing.head(bytes).filter(|Head { header, len, .. }| {
                    *len <= MAX_STREAM_FRAME && header.body_at() - FRAME_HEADER <= MAX_SCHEMA_LEN
                });
                let Some(head) = head else {
                    return Err(self.error(&format!(
                        "the header of the frame at byte {} is damaged",
                        self.at
                    )));
                };
                let Head { header, marker, .. } = head;
                let has_schema = header.is_in_band() && !header.is_index();
                // The writer has not written more, or the rest was lost.
                let is_cut = self.at + (marker + header.body_at()) as u64 > self.len;
                match has_schema {
                    true if is_cut => self.state = SearchState::End,
                    true => self.state = SearchState::Schema(head),
                    false => self.skip(head),
                }
            }
            SearchState::Schema(head) => {
                if !self.known.contains(bytes) {
                    let schema = Schema::from_bytes(bytes).map_err(|error| {
                        self.error(&format!("the frame at byte {}: {error}", self.at))
                    })?;
                    self.schemas.push(schema);
                    self.known.insert(bytes.to_vec());
                }
                self.skip(head);
            }
            SearchState::End => {}
        }
        Ok(())
    }

    fn error(&self, what: &str) -> Error {
        Error::decode(what.to_owned()).at_offset(usize::try_from(self.at).unwrap_or(usize::MAX))
    }

    /// Goes on after the frame that begins so.
    fn skip(&mut self, head: Head) {
        self.at += head.len as u64;
        if !head.header.is_last() {
            return self.begin_frame();
        }
        self.state = match self.at < self.len {
            true => SearchState::Message,
            false => SearchState::End,
        };
    }

    /// A frame must begin here. Without its header the stream has not been ended, or is cut.
    fn begin_frame(&mut self) {
        self.state = match self.at.saturating_add(self.framing.head_len() as u64) <= self.len {
            true => SearchState::Frame,
            false => SearchState::End,
        };
    }

    /// Returns the schemas in the order in which they came.
    pub fn into_schemas(self) -> Vec<Schema> {
        self.schemas
    }

    /// Returns the schema that fits the rows of all schemas, which join as the types of rows do. It is
    /// `never` if there are none.
    ///
    /// # Errors
    /// A limit error if they join to a schema that is too large.
    pub fn finish(self) -> Result<Schema> {
        match &self.schemas[..] {
            [one] => Ok(one.clone()),
            all => {
                let mut shape = Shape::default();
                all.iter().for_each(|schema| shape.join(Shape::of(schema.root())));
                Schema::new(shape.into_type())
            }
        }
    }
}

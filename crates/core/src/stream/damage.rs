//! Finds the next whole frame after damaged bytes.
//!
//! ```text
//! frame  frame  damaged frame  frame
//!               ▲ 1. the search begins here
//!                              ▲ 2. here a frame must begin, by the length in the damaged one's header
//!                ▲ 3. if none does, each later place is tried
//! ```
//!
//! A frame counts as whole if its checksum is right, and a message's header if a whole frame follows it.

use std::collections::BTreeSet;

use crate::error::{Error, Result};
use crate::limits::sized;
use crate::memory;
use crate::wire::message::index::{frame_entries, len_of};
use crate::wire::message::{FRAME_HEADER, FrameHeader, HEADER, check_header};

/// Frames that are longer are not found place by place. Otherwise a few damaged bytes would make a reader
/// hold gigabytes to check what they claim.
const MOST_SEARCHED: usize = sized(64 << 20, 1 << 16);

/// Bytes that are read at once while places are tried.
const CHUNK: usize = 1 << 16;

/// The search frees the bytes before the place that it tries once there are more of them than this.
const KEPT_BYTES: usize = 1 << 20;

/// Bytes may be checked so often, after [`FREE_CHECKS`]. Bytes that were made to look like the beginnings of
/// long frames must not take time without limit.
const MOST_CHECKS: usize = 16;
const FREE_CHECKS: usize = 256 << 20;

/// No header begins with this number of zeros.
const ZEROS: usize = 8;

/// The most schemas that are noted.
const MOST_SEEN: usize = 1 << 10;

/// A search that goes on.
#[derive(Debug)]
pub struct Search {
    /// The bytes from the damage on, without those that were freed.
    held: Vec<u8>,
    /// How many bytes were freed.
    freed: usize,
    /// The place in `held` that is tried.
    at: usize,
    /// Whether this is the end of the damaged frame, as its header says.
    is_claimed: bool,
    /// How many more bytes are needed.
    wanted: usize,
    /// How many bytes were checked.
    checked: usize,
    /// The rows of the damaged frame, as its header says.
    rows: usize,
}

/// What a decoder that skips damaged frames keeps.
#[derive(Debug, Default)]
pub struct Skip {
    /// The search for the next whole frame, if it goes on.
    pub search: Option<Search>,
    /// Bytes that a search has read, and how many of them are no longer needed.
    rest: (Vec<u8>, usize),
    /// How many bytes and how many rows were lost. Rows of a frame whose header is damaged are counted once the
    /// index of their message tells their number.
    pub lost: (u64, u64),
    /// The numbers of rows that were read and lost before the current message.
    before: (usize, u64),
    /// Fingerprints of the schemas of whole frames.
    seen: BTreeSet<u64>,
    /// The error of a beginning that is no message, until a frame is found.
    pub no_message: Option<Error>,
}

impl Skip {
    /// Begins with a new source, after these numbers of bytes and rows were lost.
    pub fn after(lost: (u64, u64)) -> Skip {
        Skip { lost, ..Skip::default() }
    }

    /// Takes up to `most` bytes that a search has read.
    pub fn take(&mut self, most: usize) -> Option<&[u8]> {
        if self.is_empty() {
            self.rest = (Vec::new(), 0);
            return None;
        }
        let (bytes, at) = &mut self.rest;
        let from = *at;
        *at = bytes.len().min(from + most);
        bytes.get(from..*at)
    }

    /// Notes the schema of a whole frame.
    pub fn see(&mut self, frame: &[u8]) {
        if let Some(schema) = FrameHeader::take(frame).and_then(|header| header.schema_of(frame))
            && self.seen.len() < MOST_SEEN
        {
            self.seen.insert(schema);
        }
    }

    /// Tells whether a whole frame that was found at offset `at` may be the next one of this stream, of the message
    /// that begins at `begin` if it has no header before it. Bytes in rows may be serow messages, whose frames are not.
    /// They have other schemas, unless the frame is where the damaged one says that it ends.
    /// If it is an index, it must describe the message: a damaged length may lead to the index of a later one.
    fn accepts(&self, frame: &[u8], at: usize, begin: Option<usize>, is_claimed: bool) -> bool {
        let Some(header) = FrameHeader::take(frame) else { return false };
        if header.is_index() {
            let entries = frame_entries(frame, at as u64);
            return entries.is_ok_and(|it| it.map(|(begin, _)| begin as usize) == begin);
        }
        let schema = header.schema_of(frame);
        is_claimed
            || self.seen.is_empty()
            || schema.is_some_and(|schema| self.seen.contains(&schema))
    }

    /// Goes on with the search, which began at offset `damage` of the stream, in the message that began at
    /// `begin`. `None` if more bytes are needed, or if nothing was found and the bytes are at their `end`.
    ///
    /// # Errors
    /// See [`Search::advance`].
    pub fn advance(
        &mut self,
        end: bool,
        damage: usize,
        begin: Option<usize>,
    ) -> Result<Option<Found>> {
        let Some(mut search) = self.search.take() else { return Ok(None) };
        let found = search.advance(end, |frame, after, is_claimed| {
            self.accepts(frame, damage + after, begin, is_claimed)
        });
        if let Ok(None) = &found {
            self.search = Some(search);
        }
        found
    }

    /// Returns whether no bytes are left that a search has read.
    pub fn is_empty(&self) -> bool {
        self.rest.1 == self.rest.0.len()
    }

    /// Puts the bytes that were not taken behind `bytes`.
    pub fn append_rest(&mut self, bytes: &mut Vec<u8>) -> Result<()> {
        let (rest, at) = std::mem::take(&mut self.rest);
        let rest = rest.get(at..).unwrap_or_default();
        memory::reserve(bytes, rest.len()).map_err(|_| Error::no_memory())?;
        bytes.extend_from_slice(rest);
        Ok(())
    }

    /// Keeps the bytes from a whole frame on, and counts what was lost before.
    pub fn found(&mut self, found: Found) {
        self.rest = (found.rest, 0);
        self.lost.0 += found.after as u64;
        self.lost.1 += found.rows as u64;
    }

    /// A message begins after `rows` rows.
    pub fn begin_message(&mut self, rows: usize) {
        self.before = (rows, self.lost.1);
    }

    /// Counts what was lost of a message by the number of rows in its index, `described`. `rows` were read.
    pub fn correct(&mut self, described: u64, rows: usize) {
        let read = (rows - self.before.0) as u64;
        self.lost.1 = self.before.1 + described.saturating_sub(read);
    }
}

/// Where a search has found a whole frame, or the header before one.
#[derive(Debug)]
pub struct Found {
    /// The bytes from there on.
    pub rest: Vec<u8>,
    /// The number of bytes from the damage to there.
    pub after: usize,
    /// The number of rows in the damaged frame, as its header says.
    pub rows: usize,
}

/// Whether a frame is at a place.
enum Verdict {
    /// A whole frame is in this range from the place on.
    Yes(usize, usize),
    No,
    /// The search needs this many bytes, counted from the place.
    Needs(usize),
}

impl Search {
    /// Begins a search in the bytes from a damage on, which is in the frames of a message or before it.
    pub fn new(held: Vec<u8>, in_message: bool) -> Search {
        let header = FrameHeader::take(&held).filter(|header| in_message && header.is_likely());
        let claimed = header.and_then(|header| header.frame_len());
        // An index says its length at its end too.
        let ends = |len: usize| {
            let tail = held.get(..len).and_then(|frame| frame.last_chunk());
            tail.and_then(|tail| len_of(tail, u64::MAX)) == Some(len as u64)
        };
        let is_index = header.is_some_and(|header| header.is_index());
        let claimed = claimed.filter(|len| *len <= held.len() && (!is_index || ends(*len)));
        let rows = header.filter(|_| claimed.is_some()).map_or(0, |header| header.rows());
        let (at, is_claimed) = (claimed.unwrap_or(1), claimed.is_some());
        Search { held, freed: 0, at, is_claimed, wanted: 0, checked: 0, rows }
    }

    /// The number of bytes since the damage.
    pub fn len(&self) -> usize {
        self.freed + self.held.len()
    }

    /// The number of bytes that are needed to go on.
    pub fn wanted(&self) -> usize {
        self.wanted
    }

    /// The bytes, to which more may be added.
    pub fn bytes(&mut self) -> &mut Vec<u8> {
        &mut self.held
    }

    /// The number of rows that are lost if nothing is found.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Tries place after place. `None` if more bytes are needed, or if nothing was found and the bytes
    /// are at their `end`. `accepts` tells whether a whole frame may be one of the stream, by the frame, its distance
    /// from the damage, and whether it is where one was expected.
    ///
    /// # Errors
    /// A limit error if the bytes look like frames at too many places.
    fn advance(
        &mut self,
        end: bool,
        accepts: impl Fn(&[u8], usize, bool) -> bool,
    ) -> Result<Option<Found>> {
        loop {
            let place = self.held.get(self.at..).unwrap_or_default();
            match verdict(place, self.is_claimed, &mut self.checked) {
                Verdict::Yes(from, to)
                    if accepts(&place[from..to], self.freed + self.at + from, self.is_claimed) =>
                {
                    let rest = self.held.split_off(self.at);
                    let rows = if self.is_claimed { self.rows } else { 0 };
                    return Ok(Some(Found { rest, after: self.len(), rows }));
                }
                Verdict::Needs(bytes) if !end => {
                    let chunk = if self.is_claimed { 0 } else { CHUNK };
                    self.wanted = bytes.saturating_sub(place.len()).max(chunk).max(1);
                    return Ok(None);
                }
                Verdict::Needs(_) if place.is_empty() => return Ok(None),
                // A damaged frame may be wrong about its length, unless a whole frame or nothing follows.
                Verdict::Yes(..) | Verdict::Needs(_) | Verdict::No => {}
            }
            if self.checked > FREE_CHECKS.saturating_add(self.len().saturating_mul(MOST_CHECKS)) {
                return Err(Error::limit(
                    "the bytes after a damaged frame look like frames at too many places; read them \
                     without skipping what is damaged",
                ));
            }
            self.next_place();
        }
    }

    fn next_place(&mut self) {
        if self.is_claimed {
            (self.is_claimed, self.at) = (false, 0);
        }
        self.at += 1;
        let rest = self.held.get(self.at..).unwrap_or_default();
        // Frames begin with one of the first numbers, messages with a letter.
        let first = rest.iter().position(|byte| *byte <= 2 || *byte == b'S');
        self.at += first.unwrap_or(rest.len());
        // A file system may leave a gigabyte of zeros. A header has another byte among its first eight, which end
        // with its number of rows. So it can begin in the last seven of the zeros at the earliest.
        let chunks = self.held.get(self.at..).unwrap_or_default().chunks_exact(ZEROS);
        let zeros = ZEROS * chunks.take_while(|bytes| **bytes == [0; ZEROS]).count();
        self.at += zeros.saturating_sub(ZEROS - 1);
        if self.at > KEPT_BYTES {
            self.held.drain(..self.at);
            (self.freed, self.at) = (self.freed + self.at, 0);
        }
    }
}

/// Tells whether a whole frame, or a message's header and a whole frame, is at the beginning of `bytes`.
fn verdict(bytes: &[u8], is_claimed: bool, checked: &mut usize) -> Verdict {
    if bytes.len() < FRAME_HEADER {
        return Verdict::Needs(FRAME_HEADER);
    }
    if check_header(bytes).is_err() {
        return frame_verdict(bytes, is_claimed, checked);
    }
    match frame_verdict(&bytes[HEADER..], is_claimed, checked) {
        Verdict::Yes(from, to) => Verdict::Yes(HEADER + from, HEADER + to),
        Verdict::Needs(more) => Verdict::Needs(HEADER + more),
        Verdict::No => Verdict::No,
    }
}

fn frame_verdict(bytes: &[u8], is_claimed: bool, checked: &mut usize) -> Verdict {
    let Some(header) = FrameHeader::take(bytes) else { return Verdict::Needs(FRAME_HEADER) };
    let Some(len) = header.frame_len().filter(|_| header.is_likely()) else { return Verdict::No };
    if !is_claimed && len > MOST_SEARCHED {
        return Verdict::No;
    }
    let Some(frame) = bytes.get(..len) else { return Verdict::Needs(len) };
    *checked += len;
    if header.is_intact(frame) { Verdict::Yes(0, len) } else { Verdict::No }
}

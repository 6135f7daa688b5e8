//! Finds the next frame after damaged bytes.
//!
//! ```text
//! frame  frame  damaged frame  frame
//!               ▲ 1. the search begins here
//!                              ▲ 2. here a frame must begin, by the length in the damaged one's header
//!                ▲ 3. if none does, each later place is tried
//! ```
//!
//! A frame of a log is told from other bytes by its marker, which has the salt of the log. Bytes in rows may be streams or messages themselves. They have another salt, or none, and other bytes of the
//! row follow them. So a message that is not of the log counts only if nothing but messages follows, up to the end.

use memchr::memchr2;

use super::decoder::{StreamDecoder, moved};
use crate::error::{Error, ErrorKind, Result};
use crate::limits::{MAX_STREAM_FRAME, sized};
use crate::wire::message::index::{Described, described};
use crate::wire::message::{
    FrameHeader, Framing, Head, MAGIC, MARK, MARKED_HEADER, MessageHeader, Part, Position,
};

/// A reader holds this many bytes after a message that is not of the log. If they are nothing but messages, it believes
/// that message.
const MOST_HELD: usize = sized(64 << 20, 1 << 14);

/// Bytes that are read at once while places are tried.
const CHUNK: usize = 1 << 16;

/// What the header of a damaged frame says.
#[derive(Clone, Copy, Debug)]
pub struct Claim {
    /// Its length in bytes.
    len: usize,
    /// How many rows are lost with it.
    pub rows: u64,
    /// The position after it.
    pub next: Option<Position>,
    /// Whether its rows came before.
    pub is_repeated: bool,
}

impl Claim {
    /// The claim of a frame which begins so, where `expected` is the position of the next row.
    pub fn of(head: &Head, expected: Option<Position>) -> Claim {
        let (len, rows) = (head.len, head.header.rows());
        match (head.position, expected) {
            (Some(first), Some(expected)) if first.row < expected.row => {
                Claim { len, rows: 0, next: Some(expected), is_repeated: true }
            }
            (Some(first), Some(expected)) => {
                let next = first.after(rows);
                Claim { len, rows: next.row - expected.row, next: Some(next), is_repeated: false }
            }
            _ => Claim { len, rows: rows as u64, next: None, is_repeated: false },
        }
    }
}

/// A search that goes on. Bytes that it has passed over are no longer needed.
#[derive(Debug)]
pub struct Search {
    /// The offset of the damage in the stream.
    pub from: usize,
    /// What the damaged frame says. `None` once no frame was found where it ends.
    pub claim: Option<Claim>,
    /// How many rows are lost if nothing is found.
    pub rows: u64,
    /// The error of a beginning that is no message, if nothing is found.
    pub no_message: Option<Error>,
    /// How many bytes from here the damaged frame has, as its header says. If there are fewer up to the end, messages in
    /// them are in its rows.
    claimed: usize,
    /// Messages in this number of bytes are no others.
    no_messages_before: usize,
    /// How many more bytes are needed.
    wanted: usize,
}

/// What a search knows of the stream.
#[derive(Debug)]
pub struct Around {
    /// How frames begin in the message with the damage; `None` if that is not in a message.
    pub framing: Option<Framing>,
    /// The log, and the row that is expected.
    pub log: Option<Position>,
    /// How many bytes the message with the damage had before the bytes that are searched; `None` if that is not in a
    /// message.
    pub before: Option<usize>,
    /// Whether the bytes are all that there are.
    pub is_end: bool,
}

/// What a decoder that skips damaged frames keeps.
#[derive(Debug, Default)]
pub struct Skip {
    /// The search for the next frame, if it goes on.
    pub search: Option<Search>,
    /// How many bytes and how many rows were lost.
    pub lost: (u64, u64),
}

/// Whether a frame or a message may go on at a place.
#[derive(Debug, PartialEq, Eq)]
enum Verdict {
    Yes,
    No,
    /// The rows of the frame came before. It has this number of bytes.
    Over(usize),
    /// No message begins at the place, nor in this number of bytes after it.
    NoMessages(usize),
    /// The search needs this many bytes, counted from the place.
    Needs(usize),
}

impl StreamDecoder {
    /// Returns what is wrong with the bytes of the next header or frame, and what is known of the frame; `None` if
    /// nothing is wrong, or if they are too few to tell.
    pub(super) fn damage(&self) -> Option<(Error, Option<Claim>)> {
        let (frames, bytes) = (&self.frames, self.held());
        if self.message.is_none() {
            let error = MessageHeader::wanted(bytes).err()?;
            return Some((moved(error, frames.at()), None));
        }
        let framing = frames.framing();
        if bytes.len() < framing.head_len() {
            return None;
        }
        let damaged = || frames.in_frame("its bytes were damaged on the way");
        let Some(head) = framing.head(bytes).filter(|head| head.len <= MAX_STREAM_FRAME) else {
            return Some((damaged(), None));
        };
        let claim = Claim::of(&head, frames.position());
        if head.len > bytes.len() {
            return None;
        }
        if claim.is_repeated {
            return Some((frames.in_frame("its rows came before"), Some(claim)));
        }
        let frame = &bytes[..head.len];
        if !head.is_intact(frame) {
            return Some((damaged(), Some(claim)));
        }
        let named = head.header.named(head.unmarked(frame))?;
        let is_unknown = !frames.knows(named);
        let error = || frames.in_frame("the frame with its schema is damaged or missing");
        is_unknown.then(|| (error(), Some(claim)))
    }

    /// Searches for the next frame or header.
    pub(super) fn begin_search(&mut self, error: Error, claim: Option<Claim>) -> Result<()> {
        let StreamDecoder { frames, message, bytes, begin, skip: Some(skip), .. } = self else {
            return Err(error);
        };
        // The schema may be what is not damaged. If it is, no frame names it, because its fingerprint is another one.
        let held = &bytes[*begin..];
        if claim.is_some()
            && let Some(head) = frames.framing().head(held)
            && let Some(type_list) = head.header.type_list(head.unmarked(held))
            && let Err(error) = frames.learn(type_list)
            && error.kind() == ErrorKind::Memory
        {
            return Err(error);
        }
        let no_message = (message.is_none() && frames.at() == 0).then_some(error);
        skip.search = Some(Search::new(frames.at(), claim, no_message));
        Ok(())
    }

    /// Goes on with the search, in bytes which are all that there are or not.
    pub(super) fn search(&mut self, is_end: bool) -> Result<()> {
        let StreamDecoder { frames, message, bytes, begin, skip: Some(skip), .. } = self else {
            return Ok(());
        };
        let Some(search) = &mut skip.search else { return Ok(()) };
        let around = Around {
            framing: message.map(|_| frames.framing()),
            log: frames.log(),
            before: message.map(|(at, _)| frames.at() - at),
            is_end,
        };
        let (over, is_found) = search.advance(&bytes[*begin..], &around);
        *begin += over;
        frames.skip(over);
        skip.lost.0 += over as u64;
        if !is_found {
            return Ok(());
        }
        let Some(Search { from, claim, .. }) = skip.search.take() else { return Ok(()) };
        let next = claim.and_then(|claim| claim.next);
        skip.lost.1 += claim.map_or(0, |claim| claim.rows);
        let found = &bytes[*begin..];
        if !found.is_empty() && MessageHeader::wanted(found).is_ok() {
            frames.set_log(next.or(frames.log()));
            frames.end();
            self.message = None;
            return Ok(());
        }
        match Position::read(found) {
            Some((first, _)) if around.framing != Some(Framing::Marked(first.salt)) => {
                // The header of its stream is damaged.
                let row = frames.log().filter(|log| log.salt == first.salt).unwrap_or(first);
                let begin = message.map_or(from, |(begin, _)| begin);
                let len = frames.at() - begin;
                let header = MessageHeader { len, stream: Some(row), metadata: None };
                self.begin_frames(header, begin);
            }
            _ => frames.pass_over(next),
        }
        Ok(())
    }

    /// The source has no more bytes. Returns whether the stream ends here; if not, more frames are in the
    /// bytes that were read.
    ///
    /// # Errors
    /// [`StreamDecoder::cut`] gives the error. A decoder that skips damage ([`StreamDecoder::skipping`]) gives
    /// one only for bytes that are no message at all.
    pub fn ends(&mut self) -> Result<bool> {
        if self.skip.is_none() {
            return self.cut().map_or(Ok(true), Err);
        }
        self.leave_message();
        if !self.is_searching() && !self.held().is_empty() {
            let error = self.cut().unwrap_or_else(Error::no_memory);
            let head = self.message.and_then(|_| self.frames.framing().head(self.held()));
            let claim = head.map(|head| Claim::of(&head, self.frames.position()));
            self.begin_search(error, claim)?;
        }
        self.search(true)?;
        let held = self.held().len();
        let Some(skip) = &mut self.skip else { return Ok(true) };
        let Some(search) = skip.search.take() else { return Ok(held == 0) };
        if let Some(error) = search.no_message {
            return Err(error);
        }
        skip.lost = (skip.lost.0 + held as u64, skip.lost.1 + search.rows);
        self.frames.skip(held);
        self.bytes.truncate(self.begin);
        Ok(true)
    }
}

impl Search {
    /// Begins a search at offset `from` of a stream.
    pub fn new(from: usize, claim: Option<Claim>, no_message: Option<Error>) -> Search {
        let (claimed, rows) = claim.map_or((0, 0), |claim| (claim.len, claim.rows));
        Search { from, claim, rows, no_message, claimed, no_messages_before: 0, wanted: 0 }
    }

    /// The number of bytes that are needed to go on.
    pub fn wanted(&self) -> usize {
        self.wanted
    }

    /// Tries place after place in the bytes from the damage on, without those that were passed over. Returns how many
    /// are passed over now, and whether that leads to a frame, a header or the end of the bytes. If not, more bytes
    /// are needed, or nothing is in all bytes that there are.
    pub fn advance(&mut self, held: &[u8], around: &Around) -> (usize, bool) {
        let mut at = 0;
        loop {
            let ahead = self.ahead();
            let rest = &held[at..];
            let place = rest.get(ahead..).unwrap_or_default();
            let missing = ahead.saturating_sub(rest.len());
            let over = match self.look(at, place, missing, around) {
                Verdict::Yes => return (at + ahead, true),
                Verdict::Needs(bytes) if !around.is_end => {
                    // A message that is looked at again takes twice the bytes, so that this takes no time without limit.
                    let chunk = if self.claim.is_some() { 0 } else { CHUNK.max(place.len()) };
                    self.wanted = missing + bytes.saturating_sub(place.len()).max(chunk).max(1);
                    return (at, false);
                }
                Verdict::Needs(_) if rest.is_empty() => return (at, false),
                Verdict::Over(bytes) => bytes,
                verdict => {
                    if let Verdict::NoMessages(bytes) = verdict {
                        self.no_messages_before = ahead + bytes;
                    }
                    self.claim = None;
                    let next = rest.get(1..).unwrap_or_default();
                    1 + memchr2(MARK[0], MAGIC[0], next).unwrap_or(next.len())
                }
            };
            at += over;
            self.claimed = self.claimed.saturating_sub(over);
            self.no_messages_before = self.no_messages_before.saturating_sub(over);
        }
    }

    /// The number of bytes between those that were passed over and the place that is tried.
    fn ahead(&self) -> usize {
        // A damaged frame is right about its length, unless bytes were lost in it.
        self.claim.map_or(0, |claim| claim.len)
    }

    /// Tells whether a frame or message begins at `place`, `at` bytes after the damage. `missing` bytes that come before
    /// it are not there yet.
    fn look(&self, at: usize, place: &[u8], missing: usize, around: &Around) -> Verdict {
        match place.first() {
            None if around.is_end && self.claim.is_some() && missing == 0 => Verdict::Yes,
            None => Verdict::Needs(1),
            Some(&first) if first == MARK[0] => self.look_at_frame(at, place, around),
            Some(&first) if first == MAGIC[0] => self.look_at_message(place, around),
            Some(_) if self.claim.is_some() && around.framing == Some(Framing::Plain) => {
                plain_frame(place)
            }
            Some(_) => Verdict::No,
        }
    }

    fn look_at_frame(&self, at: usize, place: &[u8], around: &Around) -> Verdict {
        if place.len() < MARKED_HEADER {
            return Verdict::Needs(MARKED_HEADER);
        }
        match (Position::read(place), around.log) {
            (Some((first, header)), Some(log)) if first.salt == log.salt => {
                match self.claim.is_some() || first.row >= log.row {
                    true if self.claim.is_none() && header.is_index() => {
                        own_index(at, place, log.salt, around.before)
                    }
                    true => Verdict::Yes,
                    false => repeated(place, log.salt, around.is_end),
                }
            }
            // The header of the first stream is damaged, so nobody knows the salt.
            (Some((first, _)), None) if self.ahead() >= self.no_messages_before => {
                self.leads_on(place, Some(Framing::Marked(first.salt)), around)
            }
            _ => Verdict::No,
        }
    }

    fn look_at_message(&self, place: &[u8], around: &Around) -> Verdict {
        match MessageHeader::wanted(place) {
            _ if self.ahead() < self.no_messages_before => return Verdict::No,
            Err(_) => return Verdict::No,
            Ok(len) if len > place.len() => return Verdict::Needs(len),
            Ok(_) => {}
        }
        let first = MessageHeader::fixed(place).and_then(|header| header.stream);
        match (first, around.log) {
            (Some(first), Some(log)) if first.salt == log.salt => match first.row >= log.row {
                true => Verdict::Yes,
                false => Verdict::No,
            },
            _ => self.leads_on(place, None, around),
        }
    }

    /// Tells whether messages that are not of the log begin at `place`, with a frame of this framing or with a header.
    fn leads_on(&self, place: &[u8], framing: Option<Framing>, around: &Around) -> Verdict {
        match self.claimed.saturating_sub(self.ahead() + place.len()) {
            0 => leads_on(place, framing, around.is_end),
            _ if around.is_end => Verdict::No,
            missing => Verdict::Needs(place.len() + missing),
        }
    }
}

/// Tells whether the index at `place` belongs to the stream with the damage. A row may hold a copy of the log from the
/// time before this stream. Then an index in the copy is older, and its last one ends at the row with which this
/// stream begins.
fn own_index(at: usize, place: &[u8], salt: u64, before: Option<usize>) -> Verdict {
    let Some(before) = before else { return Verdict::Yes };
    let len = Framing::Marked(salt).head(place).map_or(0, |head| head.len);
    match place.get(..len).map(|index| described(index, (before + at) as u64)) {
        None => Verdict::Needs(len),
        Some(Ok(Some(Described { begin: 0, .. }))) => Verdict::Yes,
        Some(_) => Verdict::No,
    }
}

/// Tells whether a whole frame of a message in memory is at the beginning of `bytes`.
fn plain_frame(bytes: &[u8]) -> Verdict {
    let Some(header) = FrameHeader::take(bytes) else {
        return Verdict::Needs(Framing::Plain.head_len());
    };
    let Some(len) = header.frame_len().filter(|_| header.is_likely()) else { return Verdict::No };
    match bytes.get(..len) {
        None => Verdict::Needs(len),
        Some(frame) if header.is_intact(frame) => Verdict::Yes,
        Some(_) => Verdict::No,
    }
}

/// Tells how long a frame is whose rows came before, if another one, or nothing, follows it.
fn repeated(bytes: &[u8], salt: u64, end: bool) -> Verdict {
    let framing = Framing::Marked(salt);
    let Some(len) = framing.head(bytes).map(|head| head.len) else { return Verdict::No };
    match bytes.get(len..) {
        Some([]) if end => Verdict::Over(len),
        Some(rest) if framing.head(rest).is_some() => Verdict::Over(len),
        _ if !end && bytes.len() < len + MARKED_HEADER => Verdict::Needs(len + MARKED_HEADER),
        _ => Verdict::No,
    }
}

/// Tells whether messages, and nothing else, follow up to the end of the bytes, or for long. They begin with a frame of
/// this framing, or with a header if there is none.
fn leads_on(bytes: &[u8], mut framing: Option<Framing>, end: bool) -> Verdict {
    let (mut at, mut before) = (0, 0);
    loop {
        if at > MOST_HELD || end && at >= bytes.len() {
            return Verdict::Yes;
        }
        let Some(rest) = bytes.get(at..) else { return Verdict::Needs(at + 1) };
        let part = Part::read(framing, rest);
        let is_whole = match (&part, framing) {
            // Without a marker only the checksum tells a frame.
            (Ok(_), Some(Framing::Plain)) => plain_frame(rest),
            (Ok(None), Some(_)) if !MARK.starts_with(&rest[..rest.len().min(MARK.len())]) => {
                Verdict::No
            }
            (Ok(None), _) => Verdict::Needs(Part::head_len(framing)),
            (Ok(_), _) => Verdict::Yes,
            (Err(_), _) => Verdict::No,
        };
        match (is_whole, part) {
            (Verdict::Yes, Ok(Some(part))) => {
                (at, before) = (at + part.size(), at);
                framing = part.next(framing);
            }
            (Verdict::Needs(_), _) if end && framing != Some(Framing::Plain) => {
                return Verdict::Yes;
            }
            (Verdict::Needs(more), _) if !end => return Verdict::Needs(at + more),
            // The last of the frames may be cut, and others follow in what it claims.
            _ => return Verdict::NoMessages(before + 1),
        }
    }
}

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

use crate::error::{Error, Result};
use crate::limits::sized;
use crate::memory;
use crate::wire::message::index::{Described, described};
use crate::wire::message::{
    FrameHeader, Framing, Head, MAGIC, MARK, MARKED_HEADER, MessageHeader, Position,
};

/// A reader holds this many bytes after a message that is not of the log. If they are nothing but messages, it believes
/// that message.
const MOST_HELD: usize = sized(64 << 20, 1 << 14);

/// Bytes that are read at once while places are tried.
const CHUNK: usize = 1 << 16;

/// The search frees the bytes before the place that it tries once there are more of them than this.
const KEPT_BYTES: usize = 1 << 20;

/// What the header of a damaged frame says.
#[derive(Clone, Copy, Debug)]
pub struct Claim {
    /// Its length in bytes.
    len: usize,
    /// How many rows are lost with it.
    rows: u64,
    /// The position after it.
    next: Option<Position>,
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

/// A search that goes on.
#[derive(Debug)]
pub struct Search {
    /// The bytes from the damage on, after those before `begin`, and without those that were freed.
    held: Vec<u8>,
    begin: usize,
    /// How many bytes were freed.
    freed: usize,
    /// The place in `held` that is tried.
    at: usize,
    /// What the damaged frame says. `None` once no frame was found where it ends.
    claim: Option<Claim>,
    /// How many rows are lost if nothing is found.
    rows: u64,
    /// The length of the damaged frame, as its header says. If there are fewer bytes up to the end, messages in them are
    /// in its rows.
    claimed: usize,
    /// How frames begin in the message with the damage; `None` if that is not in a message.
    framing: Option<Framing>,
    /// The log, and the row that is expected.
    log: Option<Position>,
    /// How many bytes before the damage the stream with it begins; `None` if that is not in a stream.
    before: Option<usize>,
    /// Messages before this place in `held` are no others.
    no_messages_before: usize,
    /// How many more bytes are needed.
    wanted: usize,
}

/// What a decoder that skips damaged frames keeps.
#[derive(Debug, Default)]
pub struct Skip {
    /// The search for the next frame, if it goes on.
    pub search: Option<Search>,
    /// Bytes that a search has read, and how many of them are no longer needed.
    rest: (Vec<u8>, usize),
    /// How many bytes and how many rows were lost.
    pub lost: (u64, u64),
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

    /// Returns whether no bytes are left that a search has read.
    pub fn is_empty(&self) -> bool {
        self.rest.1 == self.rest.0.len()
    }

    /// Returns `bytes` and, behind them, those that were not taken, with the offset where they begin.
    pub fn with_rest(&mut self, mut bytes: Vec<u8>) -> Result<(Vec<u8>, usize)> {
        let (rest, at) = std::mem::take(&mut self.rest);
        // Usually they were taken from there, and need not be moved.
        if let Some(begin) = at.checked_sub(bytes.len())
            && rest.get(begin..at) == Some(&bytes[..])
        {
            return Ok((rest, begin));
        }
        let rest = rest.get(at..).unwrap_or_default();
        memory::reserve(&mut bytes, rest.len()).map_err(|_| Error::no_memory())?;
        bytes.extend_from_slice(rest);
        Ok((bytes, 0))
    }

    /// Keeps the bytes from the place that was found on, and counts what was lost before.
    pub fn found(&mut self, found: Found) {
        self.rest = found.rest;
        self.lost.0 += found.after as u64;
        self.lost.1 += found.rows;
    }
}

/// Where a search has found a frame, a header or the end.
#[derive(Debug)]
pub struct Found {
    /// Bytes, and the offset of the place in them.
    rest: (Vec<u8>, usize),
    /// The number of bytes from the damage to there.
    pub after: usize,
    /// The number of rows that were lost with the damaged frame, and the position after it. They are not known if it
    /// did not end there: then the position of the next frame tells.
    pub rows: u64,
    /// See `rows`.
    pub next: Option<Position>,
}

impl Found {
    /// The bytes from the place on.
    pub fn bytes(&self) -> &[u8] {
        self.rest.0.get(self.rest.1..).unwrap_or_default()
    }
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

impl Search {
    /// Begins a search in the bytes from a damage on.
    pub fn new(
        (held, begin): (Vec<u8>, usize),
        claim: Option<Claim>,
        (framing, before): (Option<Framing>, Option<usize>),
        log: Option<Position>,
    ) -> Search {
        let (claimed, rows) = claim.map_or((0, 0), |claim| (claim.len, claim.rows));
        Search {
            held,
            begin,
            freed: 0,
            at: begin + claimed,
            claim,
            rows,
            claimed,
            framing,
            log,
            before,
            no_messages_before: 0,
            wanted: 0,
        }
    }

    /// The number of bytes since the damage.
    pub fn len(&self) -> usize {
        self.freed + self.held.len() - self.begin
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
    pub fn rows(&self) -> u64 {
        self.rows
    }

    /// Tries place after place. `None` if more bytes are needed, or if nothing was found and the bytes are at their
    /// `end`.
    pub fn advance(&mut self, end: bool) -> Option<Found> {
        loop {
            let place = self.held.get(self.at..).unwrap_or_default();
            let missing = self.at.saturating_sub(self.held.len());
            match self.look(place, missing, end) {
                Verdict::Yes => {
                    let (rows, next) =
                        self.claim.map_or((0, None), |claim| (claim.rows, claim.next));
                    let after = self.freed + self.at - self.begin;
                    let rest = (std::mem::take(&mut self.held), self.at);
                    return Some(Found { rest, after, rows, next });
                }
                Verdict::Needs(bytes) if !end => {
                    // A message that is looked at again takes twice the bytes, so that this takes no time without limit.
                    let chunk = if self.claim.is_some() { 0 } else { CHUNK.max(place.len()) };
                    self.wanted = missing + bytes.saturating_sub(place.len()).max(chunk).max(1);
                    return None;
                }
                Verdict::Needs(_) if place.is_empty() && self.claim.is_none() => return None,
                Verdict::Over(bytes) => {
                    self.at += bytes;
                    continue;
                }
                Verdict::NoMessages(bytes) => self.no_messages_before = self.at + bytes,
                Verdict::Needs(_) | Verdict::No => {}
            }
            self.next_place();
        }
    }

    fn next_place(&mut self) {
        // A damaged frame is right about its length, unless bytes were lost in it.
        self.at = if self.claim.take().is_some() { self.begin } else { self.at } + 1;
        let rest = self.held.get(self.at..).unwrap_or_default();
        self.at += memchr2(MARK[0], MAGIC[0], rest).unwrap_or(rest.len());
        if self.at > KEPT_BYTES {
            self.held.drain(..self.at);
            self.no_messages_before = self.no_messages_before.saturating_sub(self.at);
            self.freed += self.at - self.begin;
            (self.begin, self.at) = (0, 0);
        }
    }

    /// Tells whether a frame or message begins at `place`, which `missing` bytes come before that are not there yet.
    fn look(&self, place: &[u8], missing: usize, end: bool) -> Verdict {
        match place.first() {
            None if end && self.claim.is_some() && missing == 0 => Verdict::Yes,
            None => Verdict::Needs(1),
            Some(&first) if first == MARK[0] => self.look_at_frame(place, end),
            Some(&first) if first == MAGIC[0] => self.look_at_message(place, end),
            Some(_) if self.claim.is_some() && self.framing == Some(Framing::Plain) => {
                plain_frame(place)
            }
            Some(_) => Verdict::No,
        }
    }

    fn look_at_frame(&self, place: &[u8], end: bool) -> Verdict {
        if place.len() < MARKED_HEADER {
            return Verdict::Needs(MARKED_HEADER);
        }
        match (Position::read(place), self.log) {
            (Some((first, header)), Some(log)) if first.salt == log.salt => {
                match self.claim.is_some() || first.row >= log.row {
                    true if self.claim.is_none() && header.is_index() => self.own_index(place),
                    true => Verdict::Yes,
                    false => repeated(place, log.salt, end),
                }
            }
            // The header of the first stream is damaged, so nobody knows the salt.
            (Some((first, _)), None) if self.at >= self.no_messages_before => {
                self.leads_on(place, Some(Framing::Marked(first.salt)), end)
            }
            _ => Verdict::No,
        }
    }

    /// Tells whether the index at `place` belongs to the stream with the damage. A row may hold a copy of the log from the
    /// time before this stream. Then an index in the copy is older, and its last one ends at the row with which this
    /// stream begins.
    fn own_index(&self, place: &[u8]) -> Verdict {
        let Some(before) = self.before else { return Verdict::Yes };
        let at = before + self.freed + self.at - self.begin;
        let len = Position::read(place)
            .and_then(|(first, _)| Framing::Marked(first.salt).head(place))
            .map_or(0, |head| head.len);
        match place.get(..len).map(|index| described(index, at as u64)) {
            None => Verdict::Needs(len),
            Some(Ok(Some(Described { begin: 0, .. }))) => Verdict::Yes,
            Some(_) => Verdict::No,
        }
    }

    fn look_at_message(&self, place: &[u8], end: bool) -> Verdict {
        if self.at < self.no_messages_before {
            return Verdict::No;
        }
        match MessageHeader::wanted(place) {
            Err(_) => return Verdict::No,
            Ok(len) if len > place.len() => return Verdict::Needs(len),
            Ok(_) => {}
        }
        let first = MessageHeader::read(place).ok().and_then(|header| header.stream);
        match (first, self.log) {
            (Some(first), Some(log)) if first.salt == log.salt => match first.row >= log.row {
                true => Verdict::Yes,
                false => Verdict::No,
            },
            _ => self.leads_on(place, None, end),
        }
    }

    /// Tells whether messages that are not of the log begin at `place`, with a frame of this framing or with a header.
    fn leads_on(&self, place: &[u8], framing: Option<Framing>, end: bool) -> Verdict {
        match self.claimed.saturating_sub(self.len()) {
            0 => leads_on(place, framing, end),
            _ if end => Verdict::No,
            missing => Verdict::Needs(place.len() + missing),
        }
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
    let Some(len) = Framing::Marked(salt).head(bytes).map(|head| head.len) else {
        return Verdict::No;
    };
    match bytes.get(len..) {
        Some(rest) if rest.len() < MARKED_HEADER && !end => Verdict::Needs(len + MARKED_HEADER),
        None if !end => Verdict::Needs(len + MARKED_HEADER),
        Some([]) => Verdict::Over(len),
        Some(rest) if Framing::Marked(salt).head(rest).is_some() => Verdict::Over(len),
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
        let step = match framing {
            Some(framing) => frame_len(rest, framing, end),
            None => MessageHeader::wanted(rest).map_err(|_| Verdict::No).and_then(|len| {
                if len > rest.len() {
                    return Err(Verdict::Needs(len));
                }
                let stream = MessageHeader::read(rest).map_err(|_| Verdict::No)?.stream;
                framing = Some(Framing::of(stream));
                Ok((len, false))
            }),
        };
        match step {
            Ok((len, is_last)) => {
                (at, before) = (at + len, at);
                framing = framing.filter(|_| !is_last);
            }
            Err(Verdict::Needs(_)) if end => return Verdict::Yes,
            Err(Verdict::Needs(more)) => return Verdict::Needs(at + more),
            // The last of the frames may be cut, and others follow in what it claims.
            Err(_) => return Verdict::NoMessages(before + 1),
        }
    }
}

/// Returns the length of a frame at the beginning of `bytes`, and whether it is the last of its message. A frame
/// without a marker must be whole.
fn frame_len(
    bytes: &[u8],
    framing: Framing,
    end: bool,
) -> std::result::Result<(usize, bool), Verdict> {
    if bytes.len() < framing.head_len() {
        let may_go_on = match framing {
            Framing::Plain => !end,
            Framing::Marked(_) => MARK.starts_with(&bytes[..bytes.len().min(MARK.len())]),
        };
        return Err(if may_go_on { Verdict::Needs(framing.head_len()) } else { Verdict::No });
    }
    let head = framing.head(bytes).ok_or(Verdict::No)?;
    if framing == Framing::Plain {
        match plain_frame(bytes) {
            Verdict::Yes => {}
            Verdict::Needs(_) if end => return Err(Verdict::No),
            verdict => return Err(verdict),
        }
    }
    Ok((head.len, head.header.is_last()))
}

//! Checks frames, each given as a whole, and finds their programs.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::ops::Deref;
use std::sync::Arc;

use super::Wire;
use super::frame_header::{CHECKSUM, Content, FRAME_HEADER, FrameHeader};
use super::header::MessageHeader;
use super::index::Index;
use super::marker::{Framing, Head, Position};
use super::schemas::Schemas;
use crate::error::{Error, ErrorKind, Fault, Result};
use crate::host_lock::HostLock;
use crate::layout::meter::TOO_LARGE;
use crate::program::Program;
use crate::wire::compression::{Decompressed, Packing, plain_len};

/// What is known of a frame whose checksum is correct.
#[derive(Clone, Debug)]
pub struct FrameMeta {
    /// The frame's number in its message, from 0.
    pub index: usize,
    /// The program for its schema. Frames of equal schemas share it.
    pub program: Arc<Program>,
    /// The encoding of the rows in the body.
    pub wire: Wire,
    /// The number of rows.
    pub rows: usize,
    /// The number of rows in all earlier frames.
    pub first_row: usize,
    /// Offset of the frame in the message.
    pub at: usize,
    /// Whether its rows come before those that the reader wants.
    pub is_passed_over: bool,
    /// The number of bytes of the body in the message.
    pub packed: usize,
    packing: Packing,
    /// Offset of the body in the frame.
    body_from: usize,
}

impl FrameMeta {
    /// Returns whether the body is compressed in the message.
    pub fn is_compressed(&self) -> bool {
        self.packing != Packing::Plain
    }

    /// Returns the name of the compression of the body in the message; `None` if there is none.
    pub fn compression(&self) -> Option<&'static str> {
        self.packing.name()
    }

    /// Returns the offset in the message of the body, if it is not compressed there.
    pub fn body_at(&self) -> Option<usize> {
        (!self.is_compressed()).then_some(self.at + self.body_from)
    }

    /// Returns the bytes of the body and the checksum in the message.
    pub fn packed_len(&self) -> usize {
        self.packed + CHECKSUM
    }

    /// Returns the number of rows in it and all earlier frames.
    pub fn end_row(&self) -> usize {
        self.first_row + self.rows
    }

    /// Returns the bytes of the whole frame.
    pub fn frame_len(&self) -> usize {
        self.body_from + self.packed_len()
    }

    /// Returns the frame, whose bytes these are.
    pub fn with_bytes<'a>(self, bytes: impl Into<Cow<'a, [u8]>>) -> PackedFrame<'a> {
        PackedFrame { meta: self, bytes: bytes.into() }
    }
}

/// A frame whose checksum is correct. Its body may be compressed.
#[derive(Clone, Debug)]
pub struct PackedFrame<'a> {
    meta: FrameMeta,
    bytes: Cow<'a, [u8]>,
}

impl Deref for PackedFrame<'_> {
    type Target = FrameMeta;

    fn deref(&self) -> &FrameMeta {
        &self.meta
    }
}

impl<'a> PackedFrame<'a> {
    /// Returns the frame, which borrows its bytes from this one.
    pub fn borrowed(&self) -> PackedFrame<'_> {
        PackedFrame { meta: self.meta.clone(), bytes: Cow::Borrowed(&self.bytes) }
    }

    /// Like [`PackedFrame::unpack`], while other threads of a language may run.
    ///
    /// # Errors
    /// See [`PackedFrame::unpack`].
    pub fn unpack_released(self, host_lock: HostLock) -> Result<RawFrame<'a>> {
        let bytes = if self.is_compressed() { self.packed } else { 0 };
        host_lock.release_for(bytes, || self.unpack())
    }

    /// Decompresses the body if it is compressed.
    ///
    /// # Errors
    /// A decode error if the compressed body is damaged.
    pub fn unpack(self) -> Result<RawFrame<'a>> {
        let FrameMeta { index, at, packing, body_from, .. } = self.meta;
        let body = match packing {
            Packing::Plain => Body::In(self.bytes, body_from),
            _ => {
                let packed = without_checksum(&self.bytes[body_from..]);
                let body = Decompressed::of(packing, packed, CHECKSUM)
                    .map_err(|fault| in_frame(fault, index, at))?;
                Body::Decompressed(body)
            }
        };
        Ok(RawFrame { meta: self.meta, body })
    }
}

/// A frame whose checksum is correct and whose body is not compressed. The content of the body is not
/// checked yet.
#[derive(Debug)]
pub struct RawFrame<'a> {
    meta: FrameMeta,
    body: Body<'a>,
}

/// A body and the bytes after it.
#[derive(Debug)]
enum Body<'a> {
    /// These bytes, from an offset on.
    In(Cow<'a, [u8]>, usize),
    /// It was compressed.
    Decompressed(Decompressed),
}

impl Deref for RawFrame<'_> {
    type Target = FrameMeta;

    fn deref(&self) -> &FrameMeta {
        &self.meta
    }
}

impl RawFrame<'_> {
    /// Returns the body, not compressed.
    pub fn body(&self) -> &[u8] {
        without_checksum(self.body_and_checksum())
    }

    /// Returns the body and the 8 bytes after it, which may have any content.
    pub fn body_and_checksum(&self) -> &[u8] {
        match &self.body {
            Body::In(bytes, from) => &bytes[*from..],
            Body::Decompressed(body) => body.bytes(),
        }
    }
}

impl RawFrame<'_> {
    /// Returns the frame with bytes of its own.
    pub fn into_owned(self) -> RawFrame<'static> {
        let body = match self.body {
            Body::In(bytes, from) => Body::In(Cow::Owned(bytes.into_owned()), from),
            Body::Decompressed(body) => Body::Decompressed(body),
        };
        RawFrame { meta: self.meta, body }
    }
}

fn without_checksum(body_and_checksum: &[u8]) -> &[u8] {
    &body_and_checksum[..body_and_checksum.len() - CHECKSUM]
}

/// Makes the error for frame `index`, which is at offset `at`.
fn in_frame(fault: Fault, index: usize, at: usize) -> Error {
    let error = fault.into_error(ErrorKind::Decode, format_args!("frame {index} (at byte {at})"));
    match error.kind() {
        ErrorKind::Memory => error,
        _ => error.at_offset(at),
    }
}

/// Checks the frames of messages, in their order.
#[derive(Debug)]
pub struct FrameReader {
    at: usize,
    index: usize,
    rows: usize,
    is_last: bool,
    framing: Framing,
    /// The position of the next row in its log. It stays while messages that are no streams are read.
    log: Option<Position>,
    /// Rows of the log before this one are passed over.
    wanted_row: u64,
    /// What an index after these frames must say; `None` if frames were left out.
    described: Option<Index>,
    schemas: Schemas,
    /// The most bytes that a compressed body may have without compression.
    most_plain: usize,
    host_lock: HostLock,
}

impl Default for FrameReader {
    fn default() -> FrameReader {
        FrameReader {
            at: 0,
            index: 0,
            rows: 0,
            is_last: false,
            framing: Framing::Plain,
            log: None,
            wanted_row: 0,
            described: None,
            schemas: Schemas::default(),
            most_plain: usize::MAX,
            host_lock: HostLock::NONE,
        }
    }
}

impl FrameReader {
    /// Begins to read the frames of a message, which are at offset `at`. Frames and rows are counted on, and errors
    /// have the counts of all messages.
    pub fn begin(&mut self, header: &MessageHeader, at: usize) {
        (self.at, self.framing) = (at, Framing::of(header.stream));
        (self.is_last, self.wanted_row) = (false, 0);
        self.log = header.stream.or(self.log);
        self.described = Some(Index::of(header.len));
        self.schemas.clear();
    }

    /// Ends the message. Its log goes on with a row that is not passed over.
    pub fn end(&mut self) {
        self.set_log(self.wanted_position().or(self.log));
        self.framing = Framing::Plain;
    }

    /// Passes over the rows of the log before this one.
    pub fn begin_with_row(&mut self, row: u64) {
        self.wanted_row = row;
    }

    /// Uses `program` for frames of its schema.
    pub fn set_program(&mut self, program: Arc<Program>) {
        self.schemas.set_program(program);
    }

    /// Refuses frames whose compressed bodies exceed this number of bytes without compression.
    pub fn set_max_memory(&mut self, bytes: usize) {
        self.most_plain = bytes;
    }

    /// Lets other threads of a language run while the checksum of a frame is computed.
    pub fn set_host_lock(&mut self, host_lock: HostLock) {
        self.host_lock = host_lock;
    }

    /// Offset in the message of the next frame, or of the message's end.
    pub fn at(&self) -> usize {
        self.at
    }

    /// The number of the next frame.
    pub fn index(&self) -> usize {
        self.index
    }

    /// The number of rows in the frames so far.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Returns whether the last frame was read.
    pub fn is_at_end(&self) -> bool {
        self.is_last
    }

    /// The position of the next row, if this is a stream.
    pub fn position(&self) -> Option<Position> {
        self.log.filter(|_| self.framing != Framing::Plain)
    }

    /// The position of the next row that is not passed over, in a stream.
    fn wanted_position(&self) -> Option<Position> {
        self.position().map(|next| Position { row: next.row.max(self.wanted_row), ..next })
    }

    /// The position after the rows of the last stream in its log.
    pub fn log(&self) -> Option<Position> {
        self.log
    }

    /// Sets the position with which the log goes on.
    pub fn set_log(&mut self, next: Option<Position>) {
        self.log = next;
    }

    /// How frames begin.
    pub fn framing(&self) -> Framing {
        self.framing
    }

    /// Moves to another frame of a file, which has this position if it has a marker. The arguments count the bytes, frames and rows before it.
    pub fn jump(&mut self, (bytes, index, rows): (usize, usize, usize), first: Option<Position>) {
        (self.at, self.index, self.rows) = (bytes, index, rows);
        (self.is_last, self.described) = (false, None);
        (self.framing, self.log) = (Framing::of(first), first);
        self.schemas.jump();
    }

    /// Forgets the frames that were read, so that the next index is not compared with them.
    pub fn forget_index(&mut self) {
        self.described = None;
    }

    /// Moves by some bytes that are no frame.
    pub fn skip(&mut self, bytes: usize) {
        self.at += bytes;
        self.forget_index();
    }

    /// Goes back before the header of a message, as if it had not been read. No frame of the message was read.
    pub fn take_back(&mut self, header: usize, log: Option<Position>) {
        self.at -= header;
        (self.framing, self.log) = (Framing::Plain, log);
    }

    /// Counts a frame that was passed over, up to the row at this position if it is known.
    pub fn pass_over(&mut self, next: Option<Position>) {
        self.index += 1;
        self.log = next.or(self.log);
    }

    /// Goes on with the row at this position, if it comes later. Returns how many rows are missing before it.
    pub fn go_on_at(&mut self, first: Option<Position>) -> u64 {
        let (Some(next), Some(first)) = (&mut self.log, first) else { return 0 };
        let missing = first.row.saturating_sub(next.row);
        next.row += missing;
        missing
    }

    /// Returns whether a frame has had the schema with this fingerprint.
    pub fn knows(&self, fingerprint: u64) -> bool {
        self.schemas.has(fingerprint)
    }

    /// Learns the schema with this type list, so that frames that name it can be read. Returns its
    /// fingerprint.
    ///
    /// # Errors
    /// A decode error if it is no schema.
    pub fn learn(&mut self, type_list: &[u8]) -> Result<u64> {
        self.program_in(true, type_list).map(|program| program.schema().fingerprint())
    }

    /// Makes the error for the next frame.
    pub fn in_frame(&self, what: &str) -> Error {
        let FrameReader { index, at, .. } = self;
        Error::decode(format!("frame {index} (at byte {at}): {what}")).at_offset(*at)
    }

    /// Makes the limit error for the next frame.
    pub fn beyond_limit(&self, what: &str) -> Error {
        let FrameReader { index, at, .. } = self;
        Error::limit(format!("frame {index} (at byte {at}): {what}")).at_offset(*at)
    }

    /// Makes the error for a message that ends in the next frame, after `bytes` bytes.
    pub fn cut(&self, bytes: usize) -> Error {
        let cause = match bytes == self.at {
            true => {
                ", before its last frame; an error stopped its writer, or its writer was not closed, \
                 or bytes were lost"
            }
            false => "",
        };
        self.in_frame(&format!("the message is cut: it ends at byte {bytes}{cause}"))
    }

    /// Checks that a message of `len` bytes ends here.
    ///
    /// # Errors
    /// A decode error if bytes follow the last frame.
    pub fn check_end(&self, len: usize) -> Result<()> {
        let end = self.at;
        match len - end {
            0 => Ok(()),
            spare => Err(Error::decode(format!(
                "there are {spare} bytes after the message's last frame, which ends at byte {end}"
            ))
            .at_offset(end)),
        }
    }

    /// Returns how many bytes, from the beginning of the next frame, the reader needs. `have` begins there.
    /// If it has no whole header, the reader needs a header, and otherwise the frame.
    pub fn wanted(&self, have: &[u8]) -> usize {
        let framing = self.framing();
        match framing {
            Framing::Plain => FrameHeader::take(have)
                .map_or(FRAME_HEADER, |header| header.frame_len().unwrap_or(usize::MAX)),
            Framing::Marked(_) => framing.head(have).map_or(framing.head_len(), |head| head.len),
        }
    }

    /// Checks the marker of a frame of a stream, and returns the frame without it.
    fn unmarked<'a>(&self, frame: &'a [u8]) -> Result<&'a [u8]> {
        let Some(expected) = self.position() else { return Ok(frame) };
        let Some(Head { position: Some(found), marker, .. }) = self.framing().head(frame) else {
            return Err(
                self.in_frame("its header is damaged, or no frame of this stream begins here")
            );
        };
        let (found, expected) = (found.row, expected.row);
        match found.cmp(&expected) {
            Ordering::Equal => Ok(&frame[marker..]),
            Ordering::Less => Err(self.in_frame(&format!(
                "it begins with row {found} of the log, which came before: a part of the file is there twice"
            ))),
            Ordering::Greater => Err(self.in_frame(&format!(
                "it begins with row {found} of the log, and row {expected} was expected: what was between is missing"
            ))),
        }
    }

    /// Checks the next frame, which has all its bytes. `None` if it is the index, which ends the message.
    ///
    /// # Errors
    /// A decode error if the frame is damaged. Then no further frame can be read.
    pub fn check(&mut self, bytes: &[u8]) -> Result<Option<FrameMeta>> {
        let frame = self.unmarked(bytes)?;
        let marker = bytes.len() - frame.len();
        let is_intact =
            |it: &FrameHeader| self.host_lock.release_for(frame.len(), || it.is_intact(frame));
        let Some(header) = FrameHeader::take(frame).filter(is_intact) else {
            return Err(
                self.in_frame("its checksum is wrong, so its bytes were damaged on the way")
            );
        };
        let claims = header.claims().map_err(|what| self.in_frame(&what))?;
        let (at, body_from) = (self.at, header.body_at());
        let body_and_checksum = &frame[body_from..];
        let wire = match claims.content {
            Content::Rows(wire) => wire,
            Content::Index => {
                if !claims.is_index(&header) || marker == 0 {
                    return Err(self.in_frame("it is no index as the end of a stream has it"));
                }
                if let Some(described) = &self.described {
                    let body = without_checksum(body_and_checksum);
                    described.check(body).map_err(|fault| self.fault(fault))?;
                }
                (self.at, self.is_last) = (at + bytes.len(), true);
                return Ok(None);
            }
        };
        if claims.packing != Packing::Plain {
            let plain = plain_len(without_checksum(body_and_checksum));
            let (plain, _) = plain.map_err(|fault| self.fault(fault.into()))?;
            if plain > self.most_plain {
                return Err(self.fault(TOO_LARGE));
            }
        }
        let program = self.program_in(header.is_in_band(), &frame[FRAME_HEADER..body_from])?;
        if let Some(described) = self.described.as_mut().filter(|_| !claims.is_last) {
            let schema = program.schema().fingerprint();
            let added = described.add(bytes.len(), claims.rows, schema);
            added.map_err(|fault| self.fault(fault))?;
        }
        let (index, first_row) = (self.index, self.rows);
        self.at += bytes.len();
        self.index += 1;
        let next = self.position().map(|first| first.after(claims.rows));
        self.log = next.or(self.log);
        let is_passed_over = next.is_some_and(|next| next.row <= self.wanted_row);
        self.rows += if is_passed_over { 0 } else { claims.rows };
        self.is_last = claims.is_last;
        let (rows, packing) = (claims.rows, claims.packing);
        let packed = without_checksum(body_and_checksum).len();
        let body_from = marker + body_from;
        let meta = FrameMeta {
            index,
            program,
            wire,
            rows,
            first_row,
            at,
            is_passed_over,
            packed,
            packing,
            body_from,
        };
        Ok(Some(meta))
    }

    fn fault(&self, fault: Fault) -> Error {
        in_frame(fault, self.index, self.at)
    }

    /// Returns the program of the next frame's schema. `bytes` is the type list or the fingerprint.
    fn program_in(&mut self, in_band: bool, bytes: &[u8]) -> Result<Arc<Program>> {
        self.schemas.program(in_band, bytes, self.at).map_err(|error| match error.kind() {
            ErrorKind::Memory => error,
            ErrorKind::Limit => {
                error.within(format_args!("frame {}", self.index)).at_offset(self.at)
            }
            _ => self.in_frame(error.message()),
        })
    }
}

//! Checks frames, each given as a whole, and finds their programs.

use std::sync::Arc;

use super::frame_header::{CHECKSUM, Content, FRAME_HEADER, FrameHeader};
use super::index::Index;
use super::schemas::Schemas;
use super::{HEADER, Wire};
use crate::error::{Error, ErrorKind, Fault, Result};
use crate::layout::meter::TOO_LARGE;
use crate::program::Program;
use crate::wire::compression::{Decompressor, Packing, plain_len};

/// A frame of a message whose checksum is correct. Its body is not checked yet.
#[derive(Clone, Debug)]
pub struct RawFrame<'a> {
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
    /// Offset of the frame's body in the message. `None` if the body was compressed.
    pub body_at: Option<usize>,
    /// The body, not compressed.
    pub body: &'a [u8],
    /// The number of bytes of the body in the message.
    pub packed: usize,
    /// The body and the 8 bytes after it, which may have any content.
    pub body_and_checksum: &'a [u8],
}

/// What is known of a frame whose checksum is correct.
#[derive(Clone, Debug)]
struct Intact {
    index: usize,
    program: Arc<Program>,
    wire: Wire,
    rows: usize,
    first_row: usize,
    at: usize,
    body_at: usize,
    packing: Packing,
    /// Bytes of the body in the message.
    packed: usize,
}

/// A frame whose checksum is correct, and whose body may be compressed.
#[derive(Clone, Debug)]
pub struct PackedFrame<'a> {
    intact: Intact,
    body_and_checksum: &'a [u8],
}

/// A [`PackedFrame`] with its bytes.
#[derive(Clone, Debug)]
pub struct OwnedFrame {
    intact: Intact,
    bytes: Vec<u8>,
}

impl Intact {
    fn is_compressed(&self) -> bool {
        self.packing != Packing::Plain
    }

    /// Returns the plain body of a compressed one, with as many bytes after it as a checksum has.
    fn decompress<'d>(
        &self,
        body_and_checksum: &[u8],
        decompressor: &'d mut Decompressor,
    ) -> Result<&'d [u8]> {
        decompressor
            .decompress(self.packing, without_checksum(body_and_checksum), CHECKSUM)
            .map_err(|fault| in_frame(fault, self.index, self.at))
    }

    /// Returns the frame with this body, which was not compressed.
    fn plain<'d>(&self, body_and_checksum: &'d [u8]) -> RawFrame<'d> {
        self.with_body(Some(self.at + self.body_at), body_and_checksum)
    }

    fn with_body<'d>(&self, body_at: Option<usize>, body_and_checksum: &'d [u8]) -> RawFrame<'d> {
        let Intact { index, ref program, wire, rows, first_row, at, packed, .. } = *self;
        RawFrame {
            index,
            program: program.clone(),
            wire,
            rows,
            first_row,
            at,
            body_at,
            body: without_checksum(body_and_checksum),
            packed,
            body_and_checksum,
        }
    }

    /// Returns the frame with this body, after decompressing it if it is compressed.
    fn unpacked(self, body: Body<'_>) -> Result<UnpackedFrame<'_>> {
        if !self.is_compressed() {
            return Ok(UnpackedFrame { intact: self, body });
        }
        let mut decompressor = Decompressor::default();
        let len = self.decompress(body.bytes(), &mut decompressor)?.len();
        Ok(UnpackedFrame { intact: self, body: Body::Unpacked(decompressor, len) })
    }
}

impl OwnedFrame {
    /// Returns the frame.
    pub fn packed(&self) -> PackedFrame<'_> {
        let intact = self.intact.clone();
        let body_and_checksum = &self.bytes[intact.body_at..];
        PackedFrame { intact, body_and_checksum }
    }

    /// Returns the program for its schema.
    pub fn program(&self) -> &Arc<Program> {
        &self.intact.program
    }

    /// Returns whether the body is compressed.
    pub fn is_compressed(&self) -> bool {
        self.intact.is_compressed()
    }

    /// Returns the number of rows in it and all earlier frames.
    pub fn end_row(&self) -> usize {
        self.intact.first_row + self.intact.rows
    }

    /// Like [`PackedFrame::unpack_alone`].
    ///
    /// # Errors
    /// See [`PackedFrame::unpack`].
    pub fn unpack_alone(self) -> Result<UnpackedFrame<'static>> {
        let body_at = self.intact.body_at;
        self.intact.unpacked(Body::Owned(self.bytes, body_at))
    }
}

impl<'a> PackedFrame<'a> {
    /// Returns the bytes of the body and the checksum.
    pub fn packed_len(&self) -> usize {
        self.body_and_checksum.len()
    }

    /// Returns the program for its schema.
    pub fn program(&self) -> &Arc<Program> {
        &self.intact.program
    }

    /// Returns whether the body is compressed.
    pub fn is_compressed(&self) -> bool {
        self.intact.is_compressed()
    }

    /// Returns the frame with its body as it was before its compression, which is in memory of the
    /// decompressor if it was compressed.
    ///
    /// # Errors
    /// A decode error if the compressed body is damaged.
    pub fn unpack<'d>(self, decompressor: &'d mut Decompressor) -> Result<RawFrame<'d>>
    where
        'a: 'd,
    {
        if !self.is_compressed() {
            return Ok(self.intact.plain(self.body_and_checksum));
        }
        let body = self.intact.decompress(self.body_and_checksum, decompressor)?;
        Ok(self.intact.with_body(None, body))
    }

    /// Like [`PackedFrame::unpack`], with a decompressor of its own.
    ///
    /// # Errors
    /// See [`PackedFrame::unpack`].
    pub fn unpack_alone(self) -> Result<UnpackedFrame<'a>> {
        self.intact.unpacked(Body::Borrowed(self.body_and_checksum))
    }
}

/// A frame whose checksum is correct, with its body as it was before its compression.
#[derive(Debug)]
pub struct UnpackedFrame<'a> {
    intact: Intact,
    body: Body<'a>,
}

/// A body and the bytes after it.
#[derive(Debug)]
enum Body<'a> {
    Borrowed(&'a [u8]),
    /// The bytes of the frame, and the offset of the body in them.
    Owned(Vec<u8>, usize),
    /// It was compressed. The decompressor holds it, with as many bytes.
    Unpacked(Decompressor, usize),
}

impl Body<'_> {
    fn bytes(&self) -> &[u8] {
        match self {
            Body::Borrowed(bytes) => bytes,
            Body::Owned(bytes, at) => &bytes[*at..],
            Body::Unpacked(decompressor, len) => decompressor.last(*len),
        }
    }
}

impl UnpackedFrame<'_> {
    /// Returns the frame.
    pub fn raw(&self) -> RawFrame<'_> {
        match self.intact.is_compressed() {
            true => self.intact.with_body(None, self.body.bytes()),
            false => self.intact.plain(self.body.bytes()),
        }
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

/// Checks the frames of a message, in their order.
#[derive(Debug)]
pub struct FrameReader {
    at: usize,
    index: usize,
    rows: usize,
    is_last: bool,
    /// What an index after these frames must say; `None` if frames were left out.
    described: Option<Index>,
    schemas: Schemas,
    /// The most bytes that a compressed body may have without compression.
    most_plain: usize,
    decompressor: Decompressor,
}

impl FrameReader {
    /// Creates a reader of the frames after a message's header.
    pub fn new() -> FrameReader {
        FrameReader::after((0, 0, 0))
    }

    /// Creates a reader for a message in a stream. The arguments count the bytes, frames and rows that
    /// come before it in the stream, and errors add them to their own counts.
    pub fn after((bytes, index, rows): (usize, usize, usize)) -> FrameReader {
        FrameReader {
            at: bytes + HEADER,
            index,
            rows,
            is_last: false,
            described: Some(Index::default()),
            schemas: Schemas::default(),
            most_plain: usize::MAX,
            decompressor: Decompressor::default(),
        }
    }

    /// Uses `program` for frames of its schema.
    pub fn set_program(&mut self, program: Arc<Program>) {
        self.schemas.set_program(program);
    }

    /// Refuses frames whose compressed bodies exceed this number of bytes without compression.
    pub fn set_max_memory(&mut self, bytes: usize) {
        self.most_plain = bytes;
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

    /// Memory for decompressing a frame.
    pub fn decompressor(&mut self) -> &mut Decompressor {
        &mut self.decompressor
    }

    /// Moves to another frame. The arguments count the bytes, frames and rows before it.
    pub fn jump(&mut self, (bytes, index, rows): (usize, usize, usize)) {
        (self.at, self.index, self.rows) = (bytes, index, rows);
        (self.is_last, self.described) = (false, None);
        self.schemas.jump();
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

    /// Reads the next frame, `frame`, which is as long as its header says. `None` if it is the index.
    ///
    /// # Errors
    /// A decode error if the frame is damaged. Then no further frame can be read.
    pub fn read<'a>(
        &'a mut self,
        header: &FrameHeader,
        frame: &'a [u8],
    ) -> Result<Option<RawFrame<'a>>> {
        let packed = self.check(header, frame)?;
        packed.map(|packed| packed.unpack(&mut self.decompressor)).transpose()
    }

    /// Like [`FrameReader::check`], and takes the bytes.
    ///
    /// # Errors
    /// See [`FrameReader::read`].
    pub fn check_owned(
        &mut self,
        header: &FrameHeader,
        bytes: &mut Vec<u8>,
    ) -> Result<Option<OwnedFrame>> {
        let intact = self.check(header, bytes)?.map(|packed| packed.intact);
        Ok(intact.map(|intact| OwnedFrame { intact, bytes: std::mem::take(bytes) }))
    }

    /// Like [`FrameReader::read`], but does not decompress the body.
    ///
    /// # Errors
    /// See [`FrameReader::read`].
    pub fn check<'a>(
        &mut self,
        header: &FrameHeader,
        frame: &'a [u8],
    ) -> Result<Option<PackedFrame<'a>>> {
        if !header.is_intact(frame) {
            return Err(
                self.in_frame("its checksum is wrong, so its bytes were damaged on the way")
            );
        }
        let claims = header.claims().map_err(|what| self.in_frame(&what))?;
        let (at, body_at) = (self.at, header.body_at());
        let body_and_checksum = &frame[body_at..];
        let wire = match claims.content {
            Content::Rows(wire) => wire,
            Content::Index => {
                if !claims.is_index(header) {
                    return Err(self.in_frame("it is no index as the end of a message has it"));
                }
                if let Some(described) = &self.described {
                    let body = without_checksum(body_and_checksum);
                    described.check(body).map_err(|fault| self.fault(fault))?;
                }
                (self.at, self.is_last) = (at + frame.len(), true);
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
        let program = self.program_in(header.is_in_band(), &frame[FRAME_HEADER..body_at])?;
        if let Some(described) = self.described.as_mut().filter(|_| !claims.is_last) {
            let schema = program.schema().fingerprint();
            let added = described.add(frame.len(), claims.rows, schema);
            added.map_err(|fault| self.fault(fault))?;
        }
        let (index, first_row) = (self.index, self.rows);
        self.at += frame.len();
        self.index += 1;
        self.rows += claims.rows;
        self.is_last = claims.is_last;
        let (rows, packing) = (claims.rows, claims.packing);
        let packed = without_checksum(body_and_checksum).len();
        let intact = Intact { index, program, wire, rows, first_row, at, body_at, packing, packed };
        Ok(Some(PackedFrame { intact, body_and_checksum }))
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

impl Default for FrameReader {
    fn default() -> FrameReader {
        FrameReader::new()
    }
}

//! The header of a frame.

use xxhash_rust::xxh3::xxh3_64;

use super::Wire;
use crate::limits::{MAX_FRAME_ROWS, MAX_SCHEMA_LEN, MAX_STREAM_FRAME};
use crate::wire::compression::Packing;

/// Bytes of a frame's header.
pub const FRAME_HEADER: usize = 24;
/// Bytes of the checksum that follows a frame's body.
pub const CHECKSUM: usize = 8;
/// Bytes of the fingerprint in place of a schema.
const FINGERPRINT: usize = 8;

pub(super) const LAST: u8 = 1;
pub(super) const IN_BAND: u8 = 2;
pub(super) const INDEX: u8 = 2;

/// What the body of a frame contains.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Content {
    /// Rows in this wire.
    Rows(Wire),
    /// The [index](super::index).
    Index,
}

/// The header of a frame that may be damaged.
#[derive(Clone, Copy, Debug)]
pub struct FrameHeader([u8; FRAME_HEADER]);

/// What the header of an intact frame says besides lengths.
pub(super) struct Claims {
    pub content: Content,
    pub packing: Packing,
    pub is_last: bool,
    pub rows: usize,
}

impl Claims {
    /// Returns whether this is the header of an index as writers make it: it is the last frame, and
    /// has no schema, no rows and no compression.
    pub fn is_index(&self, header: &FrameHeader) -> bool {
        self.content == Content::Index
            && self.is_last
            && self.rows == 0
            && self.packing == Packing::Plain
            && header.body_at() == FRAME_HEADER
    }
}

impl FrameHeader {
    /// The header with these bytes.
    pub(super) fn of(bytes: [u8; FRAME_HEADER]) -> FrameHeader {
        FrameHeader(bytes)
    }

    /// The bytes.
    pub fn bytes(&self) -> &[u8; FRAME_HEADER] {
        &self.0
    }

    /// Takes the header from the beginning of `bytes`; `None` if they are fewer.
    pub fn take(bytes: &[u8]) -> Option<FrameHeader> {
        bytes.first_chunk().copied().map(FrameHeader)
    }

    fn word(&self, at: usize) -> u32 {
        let header = &self.0;
        u32::from_le_bytes([header[at], header[at + 1], header[at + 2], header[at + 3]])
    }

    /// Returns the number of rows.
    pub fn rows(&self) -> usize {
        self.word(4) as usize
    }

    /// Returns whether the schema is in band.
    pub fn is_in_band(&self) -> bool {
        self.0[1] & IN_BAND != 0
    }

    /// Returns whether it is the last frame of its message.
    pub fn is_last(&self) -> bool {
        self.0[1] & LAST != 0
    }

    /// Returns the offset of the body in the frame.
    pub fn body_at(&self) -> usize {
        FRAME_HEADER + self.schema_len()
    }

    fn schema_len(&self) -> usize {
        if self.is_in_band() { self.word(8) as usize } else { FINGERPRINT }
    }

    /// Returns the length of the whole frame in bytes, with its checksum; `None` if it is more than
    /// memory can hold.
    pub fn frame_len(&self) -> Option<usize> {
        let body = u64::from(self.word(16)) | u64::from(self.word(20)) << 32;
        usize::try_from(body).ok()?.checked_add(self.body_at() + CHECKSUM)
    }

    /// Returns whether writers may have made this header, of a frame with rows.
    pub fn is_likely(&self) -> bool {
        self.claims().is_ok_and(|claims| {
            matches!(claims.content, Content::Rows(_))
                && claims.rows > 0
                && self.schema_len() <= MAX_SCHEMA_LEN
        }) && self.frame_len().is_some_and(|len| len <= MAX_STREAM_FRAME)
    }

    /// Returns whether this version of serow knows all that the header says.
    pub fn has_known_flags(&self) -> bool {
        self.claims().is_ok()
    }

    /// Returns the fingerprint at the beginning of `frame`, which has this header, if it names a schema of
    /// an earlier frame.
    pub fn named(&self, frame: &[u8]) -> Option<u64> {
        let named = frame.get(FRAME_HEADER..)?.first_chunk()?;
        (!self.is_in_band() && !self.is_index()).then(|| u64::from_le_bytes(*named))
    }

    /// Returns the schema in band of `frame`, which has this header.
    pub fn type_list<'a>(&self, frame: &'a [u8]) -> Option<&'a [u8]> {
        let has_schema = self.is_in_band() && !self.is_index();
        frame.get(FRAME_HEADER..self.body_at()).filter(|_| has_schema)
    }

    /// Returns the fingerprint of the schema of `frame`, which has this header; `None` of an index.
    pub fn schema_of(&self, frame: &[u8]) -> Option<u64> {
        self.type_list(frame).map(xxh3_64).or_else(|| self.named(frame))
    }

    /// Returns whether the checksum at the end of `frame`, which has this header, is right.
    pub fn is_intact(&self, frame: &[u8]) -> bool {
        frame
            .split_last_chunk::<CHECKSUM>()
            .is_some_and(|(frame, checksum)| *checksum == xxh3_64(frame).to_le_bytes())
    }

    /// Returns whether the frame is an index.
    pub fn is_index(&self) -> bool {
        let claims = self.claims();
        claims.is_ok_and(|claims| claims.is_index(self))
    }

    /// Returns what the header says, or what is wrong with it.
    pub(super) fn claims(&self) -> Result<Claims, String> {
        let header = &self.0;
        let content = match header[0] {
            0 => Content::Rows(Wire::Row),
            1 => Content::Rows(Wire::Frame),
            INDEX => Content::Index,
            _ => return Err("it has a wire that this version of serow does not know".into()),
        };
        if header[1] & !(LAST | IN_BAND) != 0
            || header[3] != 0
            || header[12..16] != [0; 4]
            || !self.is_in_band() && self.word(8) != 0
        {
            return Err("it has flags that this version of serow does not know".into());
        }
        let Some(packing) = Packing::of(header[2]) else {
            return Err("it has a compression that this version of serow does not know".into());
        };
        let rows = self.rows();
        if rows > MAX_FRAME_ROWS {
            return Err(format!("it claims {rows} rows, and a frame has {MAX_FRAME_ROWS} at most"));
        }
        Ok(Claims { content, packing, is_last: header[1] & LAST != 0, rows })
    }
}

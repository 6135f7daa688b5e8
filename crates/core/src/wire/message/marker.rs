//! The marker before each frame of a stream, by which the frame is told from all other bytes.

use xxhash_rust::xxh3::xxh3_64;

use super::frame_header::{FRAME_HEADER, FrameHeader};
use crate::error::{Error, Result};

/// Bytes of a marker.
pub const MARKER: usize = 24;
/// Bytes of a marker and the header of its frame. The marker's checksum is of both.
pub const MARKED_HEADER: usize = MARKER + FRAME_HEADER;

/// The first bytes of a marker. Text in UTF-8 has no such byte as the first of them.
pub const MARK: [u8; 4] = [0xf5, b'r', b'o', b'w'];
/// Offset of the checksum in the marker.
const SUM: usize = 20;

/// A place among the rows of a log: in which log, and after how many of its rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// A random number that all streams of the log share. So bytes in rows don't look like its frames.
    pub salt: u64,
    /// The number of rows before the place.
    pub row: u64,
}

impl Position {
    /// Begins a log.
    ///
    /// # Errors
    /// An error if the system gives no random bytes.
    pub fn of_new_log() -> Result<Position> {
        let mut salt = [0; 8];
        getrandom::fill(&mut salt)
            .map_err(|error| Error::encode(format!("the system gives no random bytes: {error}")))?;
        Ok(Position { salt: u64::from_le_bytes(salt), row: 0 })
    }

    /// Returns the position so many rows later.
    #[must_use]
    pub fn after(self, rows: usize) -> Position {
        Position { row: self.row.wrapping_add(rows as u64), ..self }
    }

    /// Returns the marker of a frame with this header, whose first row is here.
    pub fn marker(self, header: &[u8; FRAME_HEADER]) -> [u8; MARKER] {
        let mut marker = [0; MARKER];
        marker[..4].copy_from_slice(&MARK);
        marker[4..12].copy_from_slice(&self.salt.to_le_bytes());
        marker[12..SUM].copy_from_slice(&self.row.to_le_bytes());
        let sum = checksum(&marker, header);
        marker[SUM..].copy_from_slice(&sum);
        marker
    }

    /// Reads the marker and the header at the beginning of `bytes`; `None` if there are none, or damaged ones.
    pub fn read(bytes: &[u8]) -> Option<(Position, FrameHeader)> {
        let (marker, rest) = bytes.split_first_chunk::<MARKER>()?;
        let header = rest.first_chunk::<FRAME_HEADER>()?;
        let is_right = marker.starts_with(&MARK) && marker[SUM..] == checksum(marker, header);
        let number =
            |at: usize| marker[at..].first_chunk().map_or(0, |number| u64::from_le_bytes(*number));
        is_right.then(|| (Position { salt: number(4), row: number(12) }, FrameHeader::of(*header)))
    }
}

fn checksum(marker: &[u8; MARKER], header: &[u8; FRAME_HEADER]) -> [u8; MARKER - SUM] {
    let mut bytes = [0; SUM + FRAME_HEADER];
    bytes[..SUM].copy_from_slice(&marker[..SUM]);
    bytes[SUM..].copy_from_slice(header);
    (xxh3_64(&bytes) as u32).to_le_bytes()
}

/// How the frames of a message begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Framing {
    /// With their headers, as in a message in memory.
    Plain,
    /// With a marker that has this salt, as in a stream.
    Marked(u64),
}

/// The beginning of a frame.
#[derive(Clone, Copy, Debug)]
pub struct Head {
    /// The header.
    pub header: FrameHeader,
    /// The position of its first row, if it has a marker.
    pub position: Option<Position>,
    /// The length of the whole frame in bytes, from its marker to its checksum.
    pub len: usize,
    /// The length of the marker in bytes.
    pub marker: usize,
}

impl Framing {
    /// Returns how frames begin in a message that begins at `first`, if it is a stream.
    pub fn of(first: Option<Position>) -> Framing {
        first.map_or(Framing::Plain, |first| Framing::Marked(first.salt))
    }

    /// The bytes that [`Framing::head`] needs.
    pub fn head_len(self) -> usize {
        match self {
            Framing::Plain => FRAME_HEADER,
            Framing::Marked(_) => MARKED_HEADER,
        }
    }

    /// Reads the beginning of a frame. `None` if the bytes are too few, or do not begin a frame of such a message.
    /// What this says of a frame with a marker is true, wherever the bytes are: the marker says so. Without one, the
    /// bytes may be damaged.
    pub fn head(self, bytes: &[u8]) -> Option<Head> {
        let (position, header) = match self {
            Framing::Plain => (None, FrameHeader::take(bytes)?),
            Framing::Marked(salt) => {
                let (position, header) = Position::read(bytes)?;
                (Some(position).filter(|it| it.salt == salt), header)
            }
        };
        let marker = self.head_len() - FRAME_HEADER;
        let is_right = position.is_some() == (marker > 0) && header.has_known_flags();
        let len = header.frame_len().filter(|_| is_right)?.checked_add(marker)?;
        Some(Head { header, position, len, marker })
    }
}

impl Head {
    /// Returns whether the checksum at the end of `frame`, which begins so, is right.
    pub fn is_intact(&self, frame: &[u8]) -> bool {
        self.header.is_intact(&frame[self.marker..])
    }

    /// The bytes of the frame after its marker.
    pub fn unmarked<'a>(&self, frame: &'a [u8]) -> &'a [u8] {
        &frame[self.marker..]
    }
}

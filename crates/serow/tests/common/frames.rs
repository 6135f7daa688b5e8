//! Takes messages apart and joins them with correct checksums, so that tests can forge their
//! content.

use serow_core::wire::message::{MessageHeader, Position};
use xxhash_rust::xxh3::xxh3_64;

const HEADER: usize = 24;

/// A frame: its header and the parts after it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RawFrame {
    /// Wire, flags, zeros, number of rows, and the lengths. Joining corrects the lengths.
    pub header: [u8; HEADER],
    /// The bytes of the type list, or a fingerprint.
    pub schema: Vec<u8>,
    /// The body.
    pub body: Vec<u8>,
}

impl RawFrame {
    /// Returns the number of rows that the frame claims.
    pub fn rows(&self) -> u32 {
        u32::from_le_bytes(self.header[4..8].try_into().unwrap())
    }
}

/// Returns the frames of a message or of a stream without metadata, which must be valid.
pub fn split(message: &[u8]) -> Vec<RawFrame> {
    let (is_stream, mut frames) = (message[5] == 1, Vec::new());
    let (mut at, marker) = if is_stream { (32, 24) } else { (8, 0) };
    while at < message.len() {
        at += marker;
        let header: [u8; HEADER] = message[at..at + HEADER].try_into().unwrap();
        let word = |at: usize| u32::from_le_bytes(header[at..at + 4].try_into().unwrap()) as usize;
        let schema = at + HEADER;
        let body = schema + if header[1] & 2 != 0 { word(8) } else { 8 };
        let end = body + word(16);
        assert_eq!(message[end..end + 8], xxh3_64(&message[at..end]).to_le_bytes());
        frames.push(RawFrame {
            header,
            schema: message[schema..body].to_vec(),
            body: message[body..end].to_vec(),
        });
        at = end + 8;
    }
    frames
}

/// Joins frames to a message with correct lengths and checksums: to a stream if the last of them is an index.
pub fn join(frames: &[RawFrame]) -> Vec<u8> {
    let is_stream = frames.last().is_some_and(|frame| frame.header[0] == 2);
    let mut next = Position { salt: 7, row: 0 };
    let mut message = match is_stream {
        true => MessageHeader::of_stream(next, &Default::default()).unwrap(),
        false => b"SROW\x01\0\0\0".to_vec(),
    };
    for frame in frames {
        let mut header = frame.header;
        if header[1] & 2 != 0 {
            header[8..12].copy_from_slice(&(frame.schema.len() as u32).to_le_bytes());
        }
        header[16..24].copy_from_slice(&(frame.body.len() as u64).to_le_bytes());
        if is_stream {
            message.extend(next.marker(&header));
            next = next.after(frame.rows() as usize);
        }
        let begin = message.len();
        message.extend(header);
        message.extend(&frame.schema);
        message.extend(&frame.body);
        let checksum = xxh3_64(&message[begin..]);
        message.extend(checksum.to_le_bytes());
    }
    message
}

//! The header of a message.

use std::collections::BTreeMap;

use xxhash_rust::xxh3::xxh3_64;

use super::marker::Position;
use super::{MAGIC, VERSION};
use crate::bytes::varint;
use crate::error::{Error, Result};
use crate::memory;

/// Bytes of the header of a message in memory, and the first bytes of that of a stream.
pub const HEADER: usize = 8;
/// Bytes of the header of a stream without metadata.
pub const STREAM_HEADER: usize = 32;
/// The flag of a stream.
const STREAM: u8 = 1;
/// Offset of the checksum of a stream's header.
const SUM: usize = 28;
/// Bytes of the checksum after the metadata.
const METADATA_SUM: usize = 8;
/// The most bytes of metadata.
pub const MAX_METADATA: usize = 1 << 20;

/// Texts by their names, which a writer puts into the header of its stream.
pub type Metadata = BTreeMap<String, String>;

/// The header of a message.
#[derive(Clone, Debug)]
pub struct MessageHeader {
    /// Its length in bytes.
    pub len: usize,
    /// The first row of the stream; `None` if this is no stream but a message in memory.
    pub stream: Option<Position>,
    /// The metadata; `None` if it is damaged.
    pub metadata: Option<Metadata>,
}

/// How bytes of other formats begin.
const OTHER_FORMATS: [(&[u8], &str); 11] = [
    (b"PAR1", "a Parquet file"),
    (b"ARROW1", "an Arrow file"),
    (b"ORC", "an ORC file"),
    (b"Obj\x01", "an Avro file"),
    (b"SQLite format 3", "an SQLite database"),
    (b"PK\x03\x04", "a zip archive"),
    (b"\x1f\x8b", "bytes compressed by gzip"),
    (b"\x28\xb5\x2f\xfd", "bytes compressed by zstd"),
    (b"\x04\x22\x4d\x18", "bytes compressed by LZ4"),
    (b"BZh", "bytes compressed by bzip2"),
    (b"\xfd7zXZ\0", "bytes compressed by xz"),
];

/// Returns which other format the bytes have.
fn other_format(bytes: &[u8]) -> Option<&'static str> {
    let found = OTHER_FORMATS.iter().find(|(magic, _)| bytes.starts_with(magic));
    found.map(|(_, format)| *format)
}

impl MessageHeader {
    /// The header of a message in memory.
    pub fn plain() -> MessageHeader {
        MessageHeader { len: HEADER, stream: None, metadata: Some(Metadata::new()) }
    }

    /// Returns how many bytes the header has, or must have for that to be known. `have` begins with it.
    ///
    /// # Errors
    /// A decode error if they don't begin a message, or one of another version of the format.
    pub fn wanted(have: &[u8]) -> Result<usize> {
        let error = |what: String| Err(Error::decode(what).at_offset(0));
        match have {
            [b'S', b'R', b'O', b'W', VERSION, 0, 0, 0, ..] => Ok(HEADER),
            [b'S', b'R', b'O', b'W', VERSION, STREAM, 0, 0, ..] => {
                let fixed = have.first_chunk::<STREAM_HEADER>();
                let Some((fixed, sum)) = fixed.map(|fixed| fixed.split_at(SUM)) else {
                    return Ok(STREAM_HEADER);
                };
                let metadata = u32_at(fixed, 24) as usize;
                match sum == checksum(fixed) && metadata <= MAX_METADATA {
                    true if metadata == 0 => Ok(STREAM_HEADER),
                    true => Ok(STREAM_HEADER + metadata + METADATA_SUM),
                    false => error("the header of the stream is damaged".into()),
                }
            }
            [b'S', b'R', b'O', b'W', VERSION, _, _, _, ..] => {
                error("the message has flags that this version of serow does not know".into())
            }
            [b'S', b'R', b'O', b'W', version, _, _, _, ..] => error(format!(
                "the message has version {version} of the format, but this serow reads version \
                 {VERSION}; read it with the serow that wrote it, or with a later one"
            )),
            _ if MAGIC.starts_with(&have[..have.len().min(4)]) && have.len() < HEADER => Ok(HEADER),
            _ => error(match other_format(have) {
                Some(format) => {
                    format!(
                        "this is not a serow message, but {format}: it does not begin with SROW"
                    )
                }
                None => "this is not a serow message: it does not begin with SROW".into(),
            }),
        }
    }

    /// Reads what a header has without metadata, which is all that it has of a message in memory. `None` if the bytes
    /// are too few, or begin no message.
    pub fn fixed(bytes: &[u8]) -> Option<MessageHeader> {
        let len = MessageHeader::wanted(bytes).ok()?;
        if bytes.len() < len.min(STREAM_HEADER) {
            return None;
        }
        if len == HEADER {
            return Some(MessageHeader::plain());
        }
        let stream = Some(Position { salt: u64_at(bytes, 8), row: u64_at(bytes, 16) });
        Some(MessageHeader { len, stream, metadata: None })
    }

    /// Reads the header at the beginning of `bytes`, which are fewer only if the message ends there.
    ///
    /// # Errors
    /// As for [`MessageHeader::wanted`], and a decode error if the header is cut.
    pub fn read(bytes: &[u8]) -> Result<MessageHeader> {
        let len = MessageHeader::wanted(bytes)?;
        let (Some(header), Some(fixed)) = (bytes.get(..len), MessageHeader::fixed(bytes)) else {
            let cut = format!("the message is cut after {} bytes", bytes.len());
            return Err(Error::decode(cut).at_offset(0));
        };
        let metadata = match header.get(STREAM_HEADER..) {
            Some([]) | None => Some(Metadata::new()),
            Some(metadata) => metadata
                .split_last_chunk::<METADATA_SUM>()
                .filter(|(metadata, sum)| xxh3_64(metadata).to_le_bytes() == **sum)
                .and_then(|(metadata, _)| metadata_of(metadata)),
        };
        Ok(MessageHeader { metadata, ..fixed })
    }

    /// Returns the header of a stream that begins at this position.
    ///
    /// # Errors
    /// An encode error if the metadata is too long, or an error of memory.
    pub fn of_stream(first: Position, metadata: &Metadata) -> Result<Vec<u8>> {
        let bytes = metadata_bytes(metadata)?;
        let (mut header, len) = (Vec::new(), bytes.len());
        memory::reserve(&mut header, STREAM_HEADER + len + METADATA_SUM)
            .map_err(|_| Error::no_memory())?;
        header.extend_from_slice(&[b'S', b'R', b'O', b'W', VERSION, STREAM, 0, 0]);
        header.resize(STREAM_HEADER, 0);
        header.extend_from_slice(&bytes);
        if len > MAX_METADATA {
            return Err(Error::limit(format!(
                "the metadata takes {len} bytes, and that of a stream has {MAX_METADATA} at most"
            )));
        }
        if len > 0 {
            header.extend_from_slice(&xxh3_64(&bytes).to_le_bytes());
        }
        header[24..SUM].copy_from_slice(&(len as u32).to_le_bytes());
        MessageHeader::place(&mut header, first);
        Ok(header)
    }

    /// Moves the stream whose header is at the beginning of `bytes` to this position.
    pub fn place(bytes: &mut [u8], first: Position) {
        if let Some(header) = bytes.first_chunk_mut::<STREAM_HEADER>() {
            let (fixed, sum) = header.split_at_mut(SUM);
            fixed[8..16].copy_from_slice(&first.salt.to_le_bytes());
            fixed[16..24].copy_from_slice(&first.row.to_le_bytes());
            sum.copy_from_slice(&checksum(fixed));
        }
    }
}

fn checksum(fixed: &[u8]) -> [u8; STREAM_HEADER - SUM] {
    (xxh3_64(fixed) as u32).to_le_bytes()
}

fn u32_at(bytes: &[u8], at: usize) -> u32 {
    bytes[at..].first_chunk().map_or(0, |number| u32::from_le_bytes(*number))
}

fn u64_at(bytes: &[u8], at: usize) -> u64 {
    bytes[at..].first_chunk().map_or(0, |number| u64::from_le_bytes(*number))
}

/// Returns metadata as a header has it.
///
/// # Errors
/// A memory error.
pub fn metadata_bytes(metadata: &Metadata) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    for text in metadata.iter().flat_map(|(key, value)| [key, value]) {
        let room = memory::reserve(&mut bytes, varint::MAX_LEN + text.len());
        room.map_err(|_| Error::no_memory())?;
        varint::push(&mut bytes, text.len() as u64);
        bytes.extend_from_slice(text.as_bytes());
    }
    Ok(bytes)
}

/// Reads metadata as a header has it; `None` if it is no text in the order of its names.
pub fn metadata_of(mut bytes: &[u8]) -> Option<Metadata> {
    let text = |bytes: &mut &[u8]| {
        let len = usize::try_from(varint::take(bytes)?).ok()?;
        let (text, rest) = bytes.split_at_checked(len)?;
        *bytes = rest;
        std::str::from_utf8(text).ok().map(str::to_owned)
    };
    let mut metadata = Metadata::new();
    while !bytes.is_empty() {
        let key = text(&mut bytes)?;
        if metadata.last_key_value().is_some_and(|(last, _)| *last >= key) {
            return None;
        }
        metadata.insert(key, text(&mut bytes)?);
    }
    Some(metadata)
}

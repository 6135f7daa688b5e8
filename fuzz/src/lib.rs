//! What the fuzz targets share.

use serow::{Error, ErrorKind};
use serow_core::Result;
use serow_core::stream::{Next, StreamDecoder};
use serow_core::wire::message::index::Index;
use serow_core::wire::message::{
    Framing, MARKER, MessageHeader, MessageWriter, Metadata, Position,
};
use xxhash_rust::xxh3::xxh3_64;

const HEADER: usize = 24;
const CHECKSUM: usize = 8;
/// The header's flags: this is the last frame; its schema is in band.
const LAST: u8 = 1;
const SCHEMA: u8 = 2;
/// The header's compression.
const ZSTD: u8 = 1;
const LZ4: u8 = 2;

/// Turns any bytes into a message whose frames have right lengths, flags and checksums, so that changed
/// bytes reach the decoder of bodies. A frame that claims compression gets its body compressed.
///
/// The bytes are frames as in a message. The first 8 bytes are replaced by those of a message. A frame
/// that claims more bytes than there are gets the rest.
pub fn repaired(bytes: &[u8]) -> Vec<u8> {
    let mut message = b"SROW\x01\0\0\0".to_vec();
    let mut rest = bytes.get(8..).unwrap_or_default();
    while let Some((header, after)) = rest.split_first_chunk::<HEADER>() {
        let mut header = *header;
        header[1] &= LAST | SCHEMA;
        header[3] = 0;
        header[12..16].fill(0);
        let schema = match header[1] & SCHEMA != 0 {
            true => number(&header[8..12]).min(after.len()),
            false => CHECKSUM.min(after.len()),
        };
        let body = number(&header[16..24]).min(after.len() - schema);
        let (schema, after) = after.split_at(schema);
        let (body, after) = after.split_at(body);
        rest = after.get(CHECKSUM..).unwrap_or_default();
        if rest.len() < HEADER {
            header[1] |= LAST;
        }
        let len = (body.len() as u64).to_le_bytes();
        let body = match header[2] {
            LZ4 => [&len, &lz4_flex::block::compress(body)[..]].concat(),
            ZSTD => {
                let mut packed = vec![0; zstd_safe::compress_bound(body.len())];
                let count = zstd_safe::compress(&mut packed[..], body, 1).expect("there is space");
                [&len, &packed[..count]].concat()
            }
            _ => body.to_vec(),
        };
        let in_band = if header[1] & SCHEMA != 0 { schema.len() as u32 } else { 0 };
        header[8..12].copy_from_slice(&in_band.to_le_bytes());
        header[16..24].copy_from_slice(&(body.len() as u64).to_le_bytes());
        let begin = message.len();
        for part in [&header[..], schema, &body] {
            message.extend_from_slice(part);
        }
        let checksum = xxh3_64(&message[begin..]);
        message.extend_from_slice(&checksum.to_le_bytes());
        if header[1] & LAST != 0 {
            break;
        }
    }
    message
}

/// The bodies of the frames that a decoder gives of a file, until its bytes end and `ends` says so.
///
/// # Errors
/// Errors of the decoder and of `ends`.
pub fn bodies(
    decoder: &mut StreamDecoder,
    file: &[u8],
    ends: impl Fn(&mut StreamDecoder) -> Result<bool>,
) -> Result<Vec<Vec<u8>>> {
    let (mut at, mut frames) = (0, Vec::new());
    loop {
        match decoder.next_packed()? {
            Next::Frame(frame) => frames.push(frame.unpack()?.body().to_vec()),
            Next::End => {}
            Next::More => {
                let read = decoder.fill(|space| {
                    let rest = &file[at..];
                    let count = rest.len().min(space.len());
                    space[..count].copy_from_slice(&rest[..count]);
                    at += count;
                    Ok::<_, Error>(count)
                })?;
                if read == 0 && ends(decoder)? {
                    return Ok(frames);
                }
            }
        }
    }
}

/// Turns a message that [`repaired`] gives into a stream of its frames, at this position of a log.
pub fn streamed(message: &[u8], first: Position) -> Vec<u8> {
    let (mut stream, mut rest, mut next) = (header(first), &message[8..], first);
    let mut index = Index::of(stream.len());
    while let Some(head) = Framing::Plain.head(rest)
        && let Some((frame, after)) = rest.split_at_checked(head.len)
    {
        let mut frame = frame[..head.len - CHECKSUM].to_vec();
        rest = after;
        frame[1] &= SCHEMA;
        if frame[0] > 1 || head.header.rows() > 1 << 16 {
            continue;
        }
        let Some(schema) = head.header.schema_of(&frame) else { continue };
        let Some(header) = frame.first_chunk() else { break };
        stream.extend(next.marker(header));
        stream.extend_from_slice(&frame);
        stream.extend(xxh3_64(&frame).to_le_bytes());
        next = next.after(head.header.rows());
        let _ = index.add(MARKER + head.len, head.header.rows(), schema);
    }
    stream.extend(MessageWriter::index_frame(index, next).unwrap_or_default());
    stream
}

fn header(first: Position) -> Vec<u8> {
    MessageHeader::of_stream(first, &Metadata::new()).expect("it has no metadata")
}

fn number(bytes: &[u8]) -> usize {
    bytes.iter().rev().fold(0, |number, &byte| number << 8 | usize::from(byte))
}

/// Checks that an error is about the bytes and not about a fault of serow.
pub fn is_about_bytes(error: &Error) {
    let kinds = [ErrorKind::Decode, ErrorKind::Limit, ErrorKind::Schema];
    assert!(kinds.contains(&error.kind()), "{error}");
}

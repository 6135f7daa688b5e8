//! Writes messages.

use std::collections::{HashMap, HashSet};

use xxhash_rust::xxh3::xxh3_64;

use super::frame_header::{CHECKSUM, FRAME_HEADER, FrameHeader, IN_BAND, INDEX, LAST};
use super::index::Index;
use super::marker::{MARKER, Position};
use super::{Format, MAGIC, VERSION, Wire};
use crate::bytes::out::Out;
use crate::error::Fault;
use crate::limits::{MAX_FRAME_ROWS, MAX_STREAM_FRAME};
use crate::schema::Schema;
use crate::wire::compression::Compressor;

type Result<T = ()> = std::result::Result<T, Fault>;

/// What is known of the frames of a stream.
#[derive(Debug)]
struct StreamFrames {
    /// The position of the next frame's first row.
    next: Position,
    index: Index,
    /// The number of frames of each schema, by its fingerprint. Frames 0, 1, 2, 4, 8 and so on of a schema have it
    /// in band, so that damage to one frame costs no other, and damage to several not all.
    frames_of: HashMap<u64, u64>,
}

/// Writes a message, frame by frame.
#[derive(Debug)]
pub struct MessageWriter {
    format: Format,
    compressor: Compressor,
    /// `None` in a message in memory.
    stream: Option<StreamFrames>,
    /// Offset of the frame that is being written or waits for its checksum, without its marker.
    frame: usize,
    body: usize,
    /// Whether `frame` and `body` describe such a frame.
    open: bool,
    /// The checksum of that frame, if it is known and another frame will follow.
    checksum: Option<[u8; CHECKSUM]>,
    /// The first schema in the message, usually the only one, and the others.
    first: Option<Schema>,
    others: HashSet<Schema>,
}

impl MessageWriter {
    /// Begins a message at the end of `out`.
    pub fn begin(format: Format, out: &mut Out<'_>) -> Result<MessageWriter> {
        out.extend(&[MAGIC[0], MAGIC[1], MAGIC[2], MAGIC[3], VERSION, 0, 0, 0])?;
        Ok(MessageWriter::begin_apart(format, None))
    }

    /// Begins the frames of a stream after its header, which has so many bytes.
    pub fn begin_stream(format: Format, header: usize, first: Position) -> MessageWriter {
        let index = Index::of(header);
        let stream = Some(StreamFrames { next: first, index, frames_of: HashMap::new() });
        MessageWriter { stream, ..MessageWriter::begin_apart(format, None) }
    }

    /// Begins to write frames that [`MessageWriter::join_frame`] will append to a message. `known` is a
    /// schema that will be in the message before them.
    pub fn begin_apart(format: Format, known: Option<Schema>) -> MessageWriter {
        MessageWriter {
            format,
            compressor: Compressor::new(format.compression),
            stream: None,
            frame: 0,
            body: 0,
            open: false,
            checksum: None,
            first: known,
            others: HashSet::new(),
        }
    }

    /// Returns whether the schema is in the message.
    pub fn knows(&self, schema: &Schema) -> bool {
        self.first.as_ref() == Some(schema) || self.others.contains(schema)
    }

    /// Returns how frames are written.
    pub fn format(&self) -> Format {
        self.format
    }

    /// The frames of the stream so far.
    pub fn frames(&self) -> u64 {
        self.stream.as_ref().map_or(0, |stream| stream.index.frames())
    }

    /// The position of the next frame's first row, in a stream.
    pub fn position(&self) -> Option<Position> {
        self.stream.as_ref().map(|stream| stream.next)
    }

    /// Leaves room for the marker of a frame, which begins then.
    fn begin_marked(&mut self, out: &mut Out<'_>) -> Result {
        self.seal(0, out)?;
        if self.stream.is_some() {
            out.extend(&[0; MARKER])?;
        }
        self.frame = out.len();
        self.open = true;
        Ok(())
    }

    /// Begins a frame. Everything that is appended until `end_frame` is its body.
    pub fn begin_frame(&mut self, schema: &Schema, out: &mut Out<'_>) -> Result {
        self.begin_marked(out)?;
        let mut header = [0; FRAME_HEADER];
        header[0] = (self.format.wire == Wire::Frame) as u8;
        if self.knows(schema) && !self.is_repeated(schema) {
            out.extend(&header)?;
            out.extend(&schema.fingerprint().to_le_bytes())?;
        } else {
            header[1] = IN_BAND;
            header[8..12].copy_from_slice(&(schema.as_bytes().len() as u32).to_le_bytes());
            out.extend(&header)?;
            out.extend(schema.as_bytes())?;
        }
        self.count(schema);
        self.body = out.len();
        Ok(())
    }

    /// Whether the next frame of a schema that is in the message has it in band again.
    fn is_repeated(&self, schema: &Schema) -> bool {
        let frames =
            self.stream.as_ref().and_then(|stream| stream.frames_of.get(&schema.fingerprint()));
        frames.is_some_and(|frames| frames.is_power_of_two())
    }

    /// Notes a frame of the schema.
    fn count(&mut self, schema: &Schema) {
        if let Some(stream) = &mut self.stream {
            *stream.frames_of.entry(schema.fingerprint()).or_default() += 1;
        }
        match &self.first {
            _ if self.knows(schema) => {}
            None => self.first = Some(schema.clone()),
            Some(_) => drop(self.others.insert(schema.clone())),
        }
    }

    /// Removes the frame of `schema` that was begun last.
    pub fn abandon_frame(&mut self, schema: &Schema, out: &mut Out<'_>) {
        let mut is_known = out.written()[self.frame + 1] & IN_BAND == 0;
        if let Some(stream) = &mut self.stream {
            let frames = stream.frames_of.entry(schema.fingerprint()).or_default();
            *frames = frames.saturating_sub(1);
            is_known = *frames > 0;
        }
        match &self.first {
            _ if is_known => {}
            Some(first) if first == schema => self.first = None,
            _ => drop(self.others.remove(schema)),
        }
        out.truncate(self.frame - self.marker_len());
        self.open = false;
    }

    fn marker_len(&self) -> usize {
        if self.stream.is_some() { MARKER } else { 0 }
    }

    /// Ends the frame, which has `rows` rows, and `values` values in columns: compresses its body and writes
    /// its lengths. Its checksum is written later, when it is known whether another frame follows.
    pub fn end_frame(&mut self, rows: usize, values: usize, out: &mut Out<'_>) -> Result {
        debug_assert!(rows <= MAX_FRAME_ROWS);
        let mut compression = 0;
        let body = &out.written()[self.body..];
        if let Some((code, packed)) = self.compressor.compress(body, values)? {
            compression = code;
            out.truncate(self.body);
            out.extend(packed)?;
        }
        self.set_body_len(out);
        let header = &mut out.written_mut()[self.frame..];
        header[2] = compression;
        header[4..8].copy_from_slice(&(rows as u32).to_le_bytes());
        Ok(())
    }

    /// Appends `frame`, a complete frame of rows of `schema`. It was begun apart by a writer of the same
    /// format that knew the schema if this one does.
    pub fn join_frame(&mut self, schema: &Schema, frame: &[u8], out: &mut Out<'_>) -> Result {
        let (Some(header), Some((frame, checksum))) =
            (FrameHeader::take(frame), frame.split_last_chunk())
        else {
            return Ok(());
        };
        debug_assert_eq!(header.is_in_band(), !self.knows(schema));
        self.begin_marked(out)?;
        let is_repeated = self.is_repeated(schema);
        match is_repeated {
            false => out.extend(frame)?,
            true => {
                let (fixed, rest) = frame.split_at(FRAME_HEADER);
                out.extend(fixed)?;
                out.extend(schema.as_bytes())?;
                out.extend(&rest[header.body_at() - FRAME_HEADER..])?;
                let header = &mut out.written_mut()[self.frame..];
                header[1] |= IN_BAND;
                header[8..12].copy_from_slice(&(schema.as_bytes().len() as u32).to_le_bytes());
            }
        }
        self.count(schema);
        self.checksum = (!is_repeated).then_some(*checksum);
        Ok(())
    }

    fn set_body_len(&self, out: &mut Out<'_>) {
        let body = (out.len() - self.body) as u64;
        out.written_mut()[self.frame + 16..self.frame + 24].copy_from_slice(&body.to_le_bytes());
    }

    fn seal(&mut self, flag: u8, out: &mut Out<'_>) -> Result {
        if !std::mem::take(&mut self.open) {
            return Ok(());
        }
        let frame = &mut out.written_mut()[self.frame..];
        frame[1] |= flag;
        let known = self.checksum.take().filter(|_| flag == 0);
        let checksum = known.unwrap_or_else(|| xxh3_64(frame).to_le_bytes());
        out.extend(&checksum)?;
        self.mark(out)
    }

    /// Writes the marker of a frame of a stream that is complete otherwise.
    fn mark(&mut self, out: &mut Out<'_>) -> Result {
        let Some(StreamFrames { next, index, .. }) = &mut self.stream else { return Ok(()) };
        let begin = self.frame - MARKER;
        let frame = &out.written()[self.frame..];
        let Some(header) = FrameHeader::take(frame) else { return Ok(()) };
        if frame.len() > MAX_STREAM_FRAME - MARKER {
            return Err(Fault::Limit("a frame of one row has more than 4,294,967,296 bytes"));
        }
        if let Some(schema) = header.schema_of(frame) {
            index.add(MARKER + frame.len(), header.rows(), schema)?;
        }
        let marker = next.marker(header.bytes());
        *next = next.after(header.rows());
        out.written_mut()[begin..self.frame].copy_from_slice(&marker);
        Ok(())
    }

    /// Makes a complete frame the last one of its message.
    pub fn make_last(frame: &mut [u8]) {
        if let Some((frame, checksum)) = frame.split_last_chunk_mut::<CHECKSUM>() {
            frame.iter_mut().skip(1).take(1).for_each(|flags| *flags |= LAST);
            *checksum = xxh3_64(frame).to_le_bytes();
        }
    }

    /// The number of bytes in the frame that waits for a checksum which is not known yet.
    pub fn unsealed(&self, out: &Out<'_>) -> usize {
        if self.open && self.checksum.is_none() { out.len() - self.frame } else { 0 }
    }

    /// Completes the frame that was ended, as one that is not the last.
    pub fn seal_frame(&mut self, out: &mut Out<'_>) -> Result {
        self.seal(0, out)
    }

    /// Ends the message, which must have at least one frame.
    pub fn finish(&mut self, out: &mut Out<'_>) -> Result {
        self.seal(LAST, out)
    }

    /// Ends a stream with the index of its frames.
    pub fn finish_with_index(&mut self, out: &mut Out<'_>) -> Result {
        self.begin_marked(out)?;
        // It has no schema: the schema in band has no bytes.
        let mut header = [0; FRAME_HEADER];
        (header[0], header[1]) = (INDEX, IN_BAND);
        out.extend(&header)?;
        self.body = out.len();
        if let Some(stream) = &self.stream {
            stream.index.write(out)?;
        }
        self.set_body_len(out);
        self.seal(LAST, out)
    }

    /// Returns the index of a stream with these frames. `end` is the position after them.
    pub fn index_frame(mut index: Index, end: Position) -> Result<Vec<u8>> {
        let mut bytes = Vec::new();
        Out::appending(&mut bytes, |out| {
            let mut writer = MessageWriter::begin_stream(Format::default(), 0, end);
            writer
                .stream
                .iter_mut()
                .for_each(|stream| std::mem::swap(&mut stream.index, &mut index));
            writer.finish_with_index(out)
        })??;
        Ok(bytes)
    }
}

//! Writes messages.

use std::collections::HashSet;

use xxhash_rust::xxh3::xxh3_64;

use super::frame_header::{CHECKSUM, FRAME_HEADER, FrameHeader, IN_BAND, INDEX, LAST};
use super::index::Index;
use super::{Format, HEADER_BYTES, Wire};
use crate::bytes::out::Out;
use crate::error::Fault;
use crate::limits::MAX_FRAME_ROWS;
use crate::schema::Schema;
use crate::wire::compression::Compressor;

type Result<T = ()> = std::result::Result<T, Fault>;

/// Writes a message, frame by frame.
#[derive(Debug)]
pub struct MessageWriter {
    format: Format,
    compressor: Compressor,
    /// Offset of the frame that is being written or waits for its checksum.
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
        out.extend(&HEADER_BYTES)?;
        Ok(MessageWriter::begin_apart(format, None))
    }

    /// Begins to write frames that [`MessageWriter::join_frame`] will append to a message. `known` is a
    /// schema that will be in the message before them.
    pub fn begin_apart(format: Format, known: Option<Schema>) -> MessageWriter {
        MessageWriter {
            format,
            compressor: Compressor::new(format.compression),
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

    /// Begins a frame. Everything that is appended until `end_frame` is its body.
    pub fn begin_frame(&mut self, schema: &Schema, out: &mut Out<'_>) -> Result {
        self.seal(0, out)?;
        self.frame = out.len();
        let mut header = [0; FRAME_HEADER];
        header[0] = (self.format.wire == Wire::Frame) as u8;
        if self.knows(schema) {
            out.extend(&header)?;
            out.extend(&schema.fingerprint().to_le_bytes())?;
        } else {
            header[1] = IN_BAND;
            header[8..12].copy_from_slice(&(schema.as_bytes().len() as u32).to_le_bytes());
            out.extend(&header)?;
            out.extend(schema.as_bytes())?;
            self.learn(schema);
        }
        self.body = out.len();
        self.open = true;
        Ok(())
    }

    fn learn(&mut self, schema: &Schema) {
        match &self.first {
            None => self.first = Some(schema.clone()),
            Some(_) => drop(self.others.insert(schema.clone())),
        }
    }

    /// Removes the frame of `schema` that was begun last.
    pub fn abandon_frame(&mut self, schema: &Schema, out: &mut Out<'_>) {
        if out.written()[self.frame + 1] & IN_BAND != 0 {
            match self.first.as_ref() == Some(schema) {
                true => self.first = None,
                false => drop(self.others.remove(schema)),
            }
        }
        out.truncate(self.frame);
        self.open = false;
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
        self.seal(0, out)?;
        (self.frame, self.body) = (out.len(), out.len() + header.body_at());
        out.extend(frame)?;
        if header.is_in_band() {
            self.learn(schema);
        }
        (self.open, self.checksum) = (true, Some(*checksum));
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
        if let Some(checksum) = self.checksum.take()
            && flag == 0
        {
            return out.extend(&checksum);
        }
        let frame = &mut out.written_mut()[self.frame..];
        frame[1] |= flag;
        let checksum = xxh3_64(frame);
        out.extend(&checksum.to_le_bytes())
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

    /// Ends the message with an index of its frames.
    pub fn finish_with(&mut self, index: &Index, out: &mut Out<'_>) -> Result {
        self.seal(0, out)?;
        self.frame = out.len();
        let mut header = [0; FRAME_HEADER];
        // It has no schema: the schema in band has no bytes.
        (header[0], header[1]) = (INDEX, IN_BAND);
        out.extend(&header)?;
        self.body = out.len();
        index.write(out)?;
        self.set_body_len(out);
        self.open = true;
        self.seal(LAST, out)
    }
}

//! The frames of a stream, one after another.

use std::io::{self, Read};
use std::sync::Arc;

use serow_core::program::Program;
use serow_core::stream::{ReadBytes, StreamDecoder};
use serow_core::wire::message::{Metadata, PackedFrame, RawFrame};

use crate::{Error, Result, Schema};

/// Reads the frames of a stream.
#[derive(Debug)]
pub struct FrameStream<R> {
    pub inner: R,
    decoder: StreamDecoder,
    /// The schema of the frame that was read last.
    schema: Option<Schema>,
}

impl<R: Read> FrameStream<R> {
    pub fn new(inner: R, program: Option<&Arc<Program>>) -> FrameStream<R> {
        let decoder = StreamDecoder::new();
        let decoder = match program {
            Some(program) => decoder.with_program(program.clone()),
            None => decoder,
        };
        FrameStream { inner, decoder, schema: None }
    }

    /// Makes the end of a message the end.
    pub fn one_stream(self) -> FrameStream<R> {
        FrameStream { decoder: self.decoder.one_stream(), ..self }
    }

    /// Passes the next frame to `decode` and returns its result; `None` at the end. After an error of
    /// kind `Io` the next call goes on where this one stopped; after another one there is nothing.
    pub fn next<T>(&mut self, decode: impl Fn(&RawFrame<'_>) -> T) -> Result<Option<T>> {
        let Some(frame) = self.read(StreamDecoder::read_frame)? else { return Ok(None) };
        let packed = self.decoder.packed(frame);
        self.schema = Some(packed.program.schema().clone());
        match packed.unpack() {
            Ok(frame) => Ok(Some(decode(&frame))),
            Err(error) => {
                self.end();
                Err(error)
            }
        }
    }

    /// Like [`FrameStream::next`], and leaves the frame as it is.
    pub fn next_owned(&mut self) -> Result<Option<PackedFrame<'static>>> {
        let Some(frame) = self.read(StreamDecoder::read_frame)? else { return Ok(None) };
        let owned = self.decoder.owned(frame)?;
        self.schema = Some(owned.program.schema().clone());
        Ok(Some(owned))
    }

    /// The metadata of the stream whose frame was read last. Before the first, this reads the header.
    pub fn metadata(&mut self) -> Result<&Metadata> {
        self.read(StreamDecoder::read_header)?;
        Ok(self.decoder.metadata())
    }

    /// Lets the decoder read bytes.
    fn read<T>(
        &mut self,
        by: impl FnOnce(&mut StreamDecoder, ReadBytes<'_>) -> Result<T>,
    ) -> Result<T> {
        let FrameStream { inner, decoder, .. } = self;
        let mut at = decoder.consumed();
        by(decoder, &mut |space| {
            let count = read(inner, space).map_err(|cause| {
                Error::io(format_args!("cannot read the stream after byte {at}"), cause)
            })?;
            at += count;
            Ok(count)
        })
    }

    /// The schema of the frame that was read last.
    pub fn schema(&self) -> Option<&Schema> {
        self.schema.as_ref()
    }

    /// Ends the stream.
    pub fn end(&mut self) {
        self.decoder.end();
    }

    /// The number of rows in the frames that were read.
    pub fn rows(&self) -> u64 {
        self.decoder.rows() as u64
    }

    /// The number of bytes that were read.
    pub fn consumed(&self) -> u64 {
        self.decoder.consumed() as u64
    }
}

fn read(inner: &mut impl Read, space: &mut [u8]) -> io::Result<usize> {
    loop {
        match inner.read(space) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            result => return result,
        }
    }
}

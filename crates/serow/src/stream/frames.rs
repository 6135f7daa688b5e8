//! The frames of a stream, one after another.

use std::io::{self, Read};
use std::sync::Arc;

use serow_core::program::Program;
use serow_core::stream::{Next, StreamDecoder};
use serow_core::wire::message::{Metadata, PackedFrame, RawFrame};

use crate::{Error, ErrorKind, Result};

/// Reads the frames of a stream.
#[derive(Debug)]
pub struct FrameStream<R> {
    pub inner: R,
    decoder: StreamDecoder,
    /// Whether the end of a message is the end.
    pub is_one: bool,
    is_ended: bool,
}

impl<R: Read> FrameStream<R> {
    pub fn new(inner: R, program: Option<&Arc<Program>>) -> FrameStream<R> {
        let decoder = StreamDecoder::new();
        let decoder = match program {
            Some(program) => decoder.with_program(program.clone()),
            None => decoder,
        };
        FrameStream { inner, decoder, is_one: false, is_ended: false }
    }

    /// Passes the next frame to `decode` and returns its result; `None` at the end. After an error of
    /// kind `Io` the next call goes on where this one stopped; after another one there is nothing.
    pub fn next<T>(&mut self, decode: impl Fn(&RawFrame<'_>) -> T) -> Result<Option<T>> {
        self.advance(|decoder| decoder.next_packed()?.try_map(|frame| Ok(decode(&frame.unpack()?))))
    }

    /// Like [`FrameStream::next`], and leaves the frame as it is.
    pub fn next_owned(&mut self) -> Result<Option<PackedFrame<'static>>> {
        self.advance(StreamDecoder::next_owned)
    }

    /// The metadata of the stream whose frame was read last. Before the first, this reads the header.
    pub fn metadata(&mut self) -> Result<&Metadata> {
        if !self.decoder.has_begun() {
            // It stops after the header, as if a message had ended there.
            let is_one = std::mem::replace(&mut self.is_one, true);
            let begun = self.advance(|decoder| match decoder.has_begun() {
                true => Ok(Next::End),
                false => decoder.next_packed()?.try_map(|_| Ok(())),
            });
            self.is_one = is_one;
            begun?;
            self.is_ended = !self.decoder.has_begun();
        }
        Ok(self.decoder.metadata())
    }

    /// Reads bytes until `step` returns a frame.
    fn advance<T>(
        &mut self,
        step: impl Fn(&mut StreamDecoder) -> Result<Next<T>>,
    ) -> Result<Option<T>> {
        let FrameStream { inner, decoder, is_one, is_ended } = self;
        if *is_ended {
            return Ok(None);
        }
        *is_ended = true;
        loop {
            match step(decoder)? {
                Next::Frame(frame) => {
                    *is_ended = false;
                    return Ok(Some(frame));
                }
                Next::End if *is_one => return Ok(None),
                Next::End | Next::More => {}
            }
            let at = decoder.consumed();
            let failed =
                |cause| Error::io(format_args!("cannot read the stream after byte {at}"), cause);
            match decoder.fill(|space| read(inner, space).map_err(failed)) {
                Ok(0) => return decoder.cut().map_or(Ok(None), Err),
                Ok(_) => {}
                Err(error) => {
                    *is_ended = error.kind() != ErrorKind::Io;
                    return Err(error);
                }
            }
        }
    }

    /// Ends the stream.
    pub fn end(&mut self) {
        self.is_ended = true;
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

//! Native methods that read a message or a stream frame by frame and give its columns to Java.

use std::ops::Range;
use std::sync::Arc;

use jni::objects::{JByteArray, JByteBuffer, JLongArray};
use jni::sys::{jint, jlong, jobject};
use serow_core::bytes::shared::append_shared;
use serow_core::decode::ReaderSchema;
use serow_core::stream::{Next, StreamDecoder};
use serow_core::wire::message::{PackedFrame, metadata_bytes};
use serow_core::{Error, Result};

use crate::env::Env;
use crate::memory::Kept;
use crate::unpack::{KEPT_BYTES, Unpacked, Unpacker};
use crate::{handle, schema};

/// The constants of Java's `Native`.
const FRAME: jint = 0;
const STREAM_END: jint = -1;

/// A decoder of messages and streams that reuses its memory for the next one.
#[derive(Default)]
pub struct Decoder {
    /// Reads a message or stream.
    reader: Option<StreamDecoder>,
    /// Memory for the next message.
    bytes: Vec<u8>,
    pub unpacker: Unpacker,
    kept: Kept,
    /// Whether the memory of the last message fits into the budget.
    fits: bool,
}

/// A message in Java's memory: an array, or else a direct buffer, and the offset in it.
struct JavaMessage<'e, 'l> {
    env: &'e Env<'l>,
    array: JByteArray<'l>,
    buffer: JByteBuffer<'l>,
    offset: usize,
}

impl<'e, 'l> JavaMessage<'e, 'l> {
    /// The message; `None` if both are null.
    fn of(
        env: &'e Env<'l>,
        array: JByteArray<'l>,
        buffer: JByteBuffer<'l>,
        offset: jint,
    ) -> Option<JavaMessage<'e, 'l>> {
        let is_there = !array.is_null() || !buffer.is_null();
        is_there.then_some(JavaMessage { env, array, buffer, offset: offset as usize })
    }

    /// Appends these bytes to `to`.
    fn copy(&self, range: Range<usize>, to: &mut Vec<u8>) -> Result<()> {
        let JavaMessage { env, array, buffer, offset } = self;
        let (begin, length) = (offset + range.start, range.len());
        if buffer.is_null() {
            return env.read_bytes(array, begin, length, to);
        }
        let from = env.buffer_region(buffer, begin, length)?;
        // SAFETY: the region has `length` bytes, and the caller of the native method keeps the buffer
        // alive. The bytes are copied before they are checked, because another Java thread may change
        // them.
        unsafe { append_shared(from, length, to) }.map_err(|_| Error::no_memory())
    }
}

impl Decoder {
    /// Starts to read a message of `length` bytes, or else a stream. The rows of the message, or of each frame of the
    /// stream, may take `max_memory` bytes.
    fn begin(
        &mut self,
        expected: Option<Arc<ReaderSchema>>,
        max_memory: Option<usize>,
        length: Option<usize>,
    ) {
        if self.reader.is_some() {
            self.end();
        }
        let mut reader = match length {
            Some(length) => StreamDecoder::of_message(length, std::mem::take(&mut self.bytes)),
            None => StreamDecoder::new(),
        };
        if let Some(expected) = &expected {
            reader = reader.with_program(expected.program().clone());
        }
        if let Some(bytes) = max_memory {
            reader = reader.with_max_memory(bytes);
        }
        self.reader = Some(reader);
        self.unpacker.begin(expected, max_memory);
    }

    /// Goes on until `step` gives a frame, in the message or in the bytes of the stream that came.
    fn advance<F>(
        &mut self,
        message: Option<&JavaMessage<'_, '_>>,
        step: impl Fn(&mut StreamDecoder, &mut Unpacker) -> Result<Next<F>>,
    ) -> Result<StreamEvent<F>> {
        let Decoder { reader, unpacker, .. } = self;
        let reader = reader.as_mut().ok_or_else(nothing_started)?;
        loop {
            match (step(reader, unpacker)?, message) {
                (Next::Frame(frame), _) => return Ok(StreamEvent::Frame(frame)),
                (Next::End, _) => return Ok(StreamEvent::End),
                (Next::More, Some(message)) => {
                    reader.fill_from(|range, to| message.copy(range, to))?;
                }
                (Next::More, None) => return reader.wanted().map(StreamEvent::Wanted),
            }
        }
    }

    /// The message or stream that is being read.
    fn reader(&mut self) -> Result<&mut StreamDecoder> {
        self.reader.as_mut().ok_or_else(nothing_started)
    }

    /// Returns the bytes of one frame, which `fill` appends to the memory for messages. The caller gives
    /// the memory back ([`Decoder::keep`]).
    pub fn frame_bytes(
        &mut self,
        fill: impl FnOnce(&mut Vec<u8>) -> Result<()>,
    ) -> Result<Vec<u8>> {
        let mut bytes = std::mem::take(&mut self.bytes);
        bytes.clear();
        fill(&mut bytes)?;
        Ok(bytes)
    }

    /// Keeps memory for the next message or frame.
    pub fn keep(&mut self, bytes: Vec<u8>) {
        self.bytes = bytes;
    }

    /// Frees the message, and memory that is too large to keep. Returns whether the rest fits into
    /// the budget.
    fn end(&mut self) -> bool {
        if let Some(reader) = self.reader.take() {
            self.bytes = reader.into_bytes();
        }
        self.unpacker.end();
        if self.bytes.capacity() > KEPT_BYTES {
            self.bytes = Vec::new();
        }
        let fits = self.kept.has_room_for(self.unpacker.capacity() + self.bytes.capacity());
        if !fits {
            (self.unpacker, self.bytes) = (Unpacker::default(), Vec::new());
        }
        fits
    }

    /// Unpacks the next frame of the message. Frees the message after the last frame.
    fn next(&mut self, message: Option<&JavaMessage<'_, '_>>) -> Result<Option<Unpacked>> {
        match self.advance(message, unpacked)? {
            StreamEvent::Frame(unpacked) => {
                self.unpacker.reduce_memory(&unpacked);
                Ok(Some(unpacked))
            }
            _ => {
                self.fits = self.end();
                Ok(None)
            }
        }
    }
}

/// Unpacks the next frame.
fn unpacked(reader: &mut StreamDecoder, unpacker: &mut Unpacker) -> Result<Next<Unpacked>> {
    reader.next_packed()?.try_map(|packed| unpacker.unpack(packed.unpack()?))
}

fn nothing_started() -> Error {
    Error::decode("no message or stream was started")
}

/// What comes next in a stream.
enum StreamEvent<F> {
    Frame(F),
    /// The number of bytes that are needed.
    Wanted(usize),
    /// A message has ended.
    End,
}

/// The decoder of a handle.
///
/// # Safety
/// As for [`handle::exclusive`].
pub unsafe fn decoder<'a>(handle: jlong) -> &'a mut Decoder {
    // SAFETY: the caller upholds the contract.
    unsafe { handle::exclusive(handle) }
}

/// The expected schema of a plan's handle, or none if it is 0.
///
/// # Safety
/// As for [`handle::shared`].
pub unsafe fn expected(plan: jlong) -> Option<Arc<ReaderSchema>> {
    // SAFETY: the caller upholds the contract.
    (plan != 0).then(|| unsafe { schema::expected(plan) })
}

/// The memory that rows may take, or none for a negative number, which sets no limit.
pub fn max_memory(bytes: jlong) -> Option<usize> {
    usize::try_from(bytes).ok()
}

pub fn decoder_open(_env: &Env<'_>) -> Result<jlong> {
    Ok(handle::give(Decoder::default()))
}

pub fn decoder_begin<'l>(
    env: &Env<'l>,
    handle: jlong,
    plan: jlong,
    memory: jlong,
    array: JByteArray<'l>,
    buffer: JByteBuffer<'l>,
    offset: jint,
    length: jint,
) -> Result<()> {
    // SAFETY: only one thread uses a `DecodeContext` of Java, and not after it is closed; its
    // caller keeps the plan alive.
    let (decoder, plan) = unsafe { (decoder(handle), expected(plan)) };
    let message = JavaMessage::of(env, array, buffer, offset);
    decoder.begin(plan, max_memory(memory), Some(length as usize));
    decoder.advance(message.as_ref(), |reader, _| reader.next_header()).map(drop)
}

pub fn decoder_next<'l>(
    env: &Env<'l>,
    handle: jlong,
    array: JByteArray<'l>,
    buffer: JByteBuffer<'l>,
    offset: jint,
    frame: JLongArray<'l>,
) -> Result<bool> {
    // SAFETY: as in `decoder_begin`.
    let decoder = unsafe { decoder(handle) };
    let message = JavaMessage::of(env, array, buffer, offset);
    let Some(it) = decoder.next(message.as_ref())? else {
        env.write_longs(&frame, &[i64::from(decoder.fits)])?;
        return Ok(false);
    };
    env.write_longs(&frame, &it.words())?;
    Ok(true)
}

pub fn decoder_begin_stream(
    _env: &Env<'_>,
    handle: jlong,
    plan: jlong,
    memory: jlong,
) -> Result<()> {
    // SAFETY: as in `decoder_begin`.
    let (decoder, plan) = unsafe { (decoder(handle), expected(plan)) };
    decoder.begin(plan, max_memory(memory), None);
    Ok(())
}

/// Writes the metadata of the stream that has begun last to the array if it has the space. Returns its length, -1 if
/// none has begun.
pub fn decoder_metadata<'l>(
    env: &Env<'l>,
    handle: jlong,
    to: JByteArray<'l>,
    space: jint,
) -> Result<jint> {
    // SAFETY: as in `decoder_begin`.
    let stream = unsafe { decoder(handle) }.reader()?;
    if !stream.has_begun() {
        return Ok(-1);
    }
    let metadata = metadata_bytes(stream.metadata())?;
    if metadata.len() <= space as usize {
        env.write_bytes(&to, 0, &metadata)?;
    }
    Ok(metadata.len() as jint)
}

pub fn decoder_step<'l>(env: &Env<'l>, handle: jlong, frame: JLongArray<'l>) -> Result<jint> {
    // SAFETY: as in `decoder_begin`.
    let decoder = unsafe { decoder(handle) };
    match decoder.advance(None, unpacked)? {
        StreamEvent::Frame(it) => env.write_longs(&frame, &it.words()).map(|()| FRAME),
        StreamEvent::Wanted(bytes) => Ok(bytes as jint),
        StreamEvent::End => Ok(STREAM_END),
    }
}

pub fn decoder_take<'l>(
    env: &Env<'l>,
    handle: jlong,
    array: JByteArray<'l>,
    buffer: JByteBuffer<'l>,
    offset: jint,
    info: JLongArray<'l>,
) -> Result<jlong> {
    let message = JavaMessage::of(env, array, buffer, offset);
    // SAFETY: as in `decoder_begin`.
    match unsafe { decoder(handle) }.advance(message.as_ref(), |reader, _| reader.next_owned())? {
        StreamEvent::Frame(taken) => {
            env.write_longs(&info, &[taken.packed_len() as i64])?;
            Ok(handle::give(taken))
        }
        StreamEvent::Wanted(bytes) => env.write_longs(&info, &[bytes as i64]).map(|()| 0),
        StreamEvent::End => env.write_longs(&info, &[i64::from(STREAM_END)]).map(|()| 0),
    }
}

pub fn decoder_begin_frames(
    _env: &Env<'_>,
    handle: jlong,
    plan: jlong,
    memory: jlong,
) -> Result<()> {
    // SAFETY: as in `decoder_begin`.
    let (decoder, plan) = unsafe { (decoder(handle), expected(plan)) };
    decoder.unpacker.begin(plan, max_memory(memory));
    Ok(())
}

pub fn decoder_unpack<'l>(
    env: &Env<'l>,
    handle: jlong,
    taken: jlong,
    frame: JLongArray<'l>,
) -> Result<()> {
    // SAFETY: as in `decoder_begin`; Java closes a taken frame afterwards.
    let (decoder, taken) =
        unsafe { (decoder(handle), handle::shared::<PackedFrame<'static>>(taken)) };
    let unpacked = decoder.unpacker.unpack(taken.borrowed().unpack()?)?;
    env.write_longs(&frame, &unpacked.words())
}

pub fn decoder_fill<'l>(
    env: &Env<'l>,
    handle: jlong,
    bytes: JByteArray<'l>,
    length: jint,
) -> Result<()> {
    // SAFETY: as in `decoder_begin`.
    let stream = unsafe { decoder(handle) }.reader()?;
    let length = length as usize;
    stream.fill(|space| {
        let space = space
            .get_mut(..length)
            .ok_or_else(|| Error::decode("these are more bytes than were wanted"))?;
        env.copy_bytes(&bytes, space).map(|()| length)
    })?;
    Ok(())
}

pub fn decoder_cut(_env: &Env<'_>, handle: jlong) -> Result<()> {
    // SAFETY: as in `decoder_begin`.
    match unsafe { decoder(handle) }.reader()?.cut() {
        Some(error) => Err(error),
        None => Ok(()),
    }
}

pub fn decoder_end(_env: &Env<'_>, handle: jlong) -> Result<bool> {
    // SAFETY: as in `decoder_begin`.
    Ok(unsafe { decoder(handle) }.end())
}

pub fn decoder_block(env: &Env<'_>, handle: jlong) -> Result<jobject> {
    // SAFETY: as in `decoder_begin`. Java's `DecodeContext` asks for a new buffer whenever the block has moved, and
    // reads none after the decoder has gone on or is closed.
    unsafe { env.new_buffer(decoder(handle).unpacker.memory()) }
}

pub fn decoder_schema(env: &Env<'_>, handle: jlong) -> Result<jobject> {
    // SAFETY: as in `decoder_begin`.
    let decoder = unsafe { decoder(handle) };
    env.new_ints(decoder.unpacker.program()?.schema().type_list())
}

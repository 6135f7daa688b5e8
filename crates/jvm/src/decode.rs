//! Native methods that read a message or a stream frame by frame and give its columns to Java.

use std::ops::Range;
use std::sync::Arc;

use jni::objects::{JByteArray, JByteBuffer, JLongArray};
use jni::sys::{jint, jlong, jobject};
use serow_core::bytes::shared::append_shared;
use serow_core::decode::ReaderSchema;
use serow_core::stream::{Next, StreamDecoder};
use serow_core::wire::message::{CopiedMessage, PackedFrame, metadata_bytes};
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
    /// Reads a message.
    reader: Option<CopiedMessage>,
    /// Memory for the next message.
    bytes: Vec<u8>,
    /// Reads a stream.
    stream: Option<StreamDecoder>,
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

impl JavaMessage<'_, '_> {
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
    /// Starts to read a message of `length` bytes, whose rows may take `max_memory` bytes.
    fn begin(
        &mut self,
        expected: Option<Arc<ReaderSchema>>,
        max_memory: Option<usize>,
        length: usize,
        message: &JavaMessage<'_, '_>,
    ) -> Result<()> {
        if self.reader.is_some() {
            self.end();
        }
        let bytes = std::mem::take(&mut self.bytes);
        let mut reader =
            CopiedMessage::new(length, bytes, &mut |range, to| message.copy(range, to))?;
        if let Some(expected) = &expected {
            reader.set_program(expected.program().clone());
        }
        max_memory.iter().for_each(|bytes| reader.set_max_memory(*bytes));
        self.reader = Some(reader);
        self.unpacker.begin(expected, max_memory);
        Ok(())
    }

    /// Starts to read a stream. The rows of each frame may take `max_memory` bytes.
    fn begin_stream(&mut self, expected: Option<Arc<ReaderSchema>>, max_memory: Option<usize>) {
        let mut stream = StreamDecoder::new();
        if let Some(expected) = &expected {
            stream = stream.with_program(expected.program().clone());
        }
        if let Some(bytes) = max_memory {
            stream = stream.with_max_memory(bytes);
        }
        self.stream = Some(stream);
        self.unpacker.begin(expected, max_memory);
    }

    /// Takes the next frame of the message or stream, or says what comes next.
    fn take_frame(
        &mut self,
        message: &JavaMessage<'_, '_>,
    ) -> Result<StreamEvent<PackedFrame<'static>>> {
        if let Some(reader) = &mut self.reader {
            let owned = reader.next_owned(&mut |range, to| message.copy(range, to))?;
            return Ok(owned.map_or(StreamEvent::End, StreamEvent::Frame));
        }
        let stream = self.stream()?;
        match stream.next_owned()? {
            Next::Frame(owned) => Ok(StreamEvent::Frame(owned)),
            Next::End => Ok(StreamEvent::End),
            Next::More => stream.wanted().map(StreamEvent::Wanted),
        }
    }

    /// Unpacks a frame that another decoder has taken.
    fn unpack(&mut self, taken: &PackedFrame<'_>) -> Result<Unpacked> {
        self.unpacker.unpack(taken.borrowed().unpack()?)
    }

    /// The stream that is being read.
    fn stream(&mut self) -> Result<&mut StreamDecoder> {
        self.stream.as_mut().ok_or_else(|| Error::decode("no stream was started"))
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
        self.stream = None;
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
    fn next(&mut self, message: &JavaMessage<'_, '_>) -> Result<Option<Unpacked>> {
        let reader = self.reader.as_mut().ok_or_else(|| Error::decode("no message was started"))?;
        match reader.next_packed(&mut |range, to| message.copy(range, to))? {
            Some(packed) => {
                let unpacked = self.unpacker.unpack(packed.unpack()?)?;
                self.unpacker.reduce_memory(&unpacked);
                Ok(Some(unpacked))
            }
            None => {
                self.fits = self.end();
                Ok(None)
            }
        }
    }

    /// Goes on in the stream.
    fn step(&mut self) -> Result<StreamEvent<Unpacked>> {
        let Decoder { stream, unpacker, .. } = self;
        let stream = stream.as_mut().ok_or_else(|| Error::decode("no stream was started"))?;
        match stream.next_packed()? {
            Next::Frame(packed) => {
                return unpacker.unpack(packed.unpack()?).map(StreamEvent::Frame);
            }
            Next::End => return Ok(StreamEvent::End),
            Next::More => {}
        }
        stream.wanted().map(StreamEvent::Wanted)
    }
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
    let message = JavaMessage { env, array, buffer, offset: offset as usize };
    decoder.begin(plan, max_memory(memory), length as usize, &message)
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
    let message = JavaMessage { env, array, buffer, offset: offset as usize };
    let Some(it) = decoder.next(&message)? else {
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
    decoder.begin_stream(plan, max_memory(memory));
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
    let stream = unsafe { decoder(handle) }.stream()?;
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
    match decoder.step()? {
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
    let message = JavaMessage { env, array, buffer, offset: offset as usize };
    // SAFETY: as in `decoder_begin`.
    match unsafe { decoder(handle) }.take_frame(&message)? {
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
    env.write_longs(&frame, &decoder.unpack(taken)?.words())
}

pub fn decoder_fill<'l>(
    env: &Env<'l>,
    handle: jlong,
    bytes: JByteArray<'l>,
    length: jint,
) -> Result<()> {
    // SAFETY: as in `decoder_begin`.
    let stream = unsafe { decoder(handle) }.stream()?;
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
    match unsafe { decoder(handle) }.stream()?.cut() {
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

//! Native methods that read a message frame by frame and give its columns to Java.

use std::ptr::NonNull;
use std::sync::Arc;

use jni::objects::{JByteArray, JByteBuffer, JClass, JLongArray};
use jni::sys::{jint, jlong, jobject};
use serow_core::decode::Expected;
use serow_core::decode::{columns_or_rows_as, decode_frame};
use serow_core::explain::explain_frame;
use serow_core::layout::batch::Batch;
use serow_core::program::Program;
use serow_core::wire::frame::Frame;
use serow_core::wire::message::{MessageReader, RawFrame, Wire};
use serow_core::{Error, Result};

use crate::block::Block;
use crate::env::Env;
use crate::guard::guard;
use crate::memory::Kept;
use crate::view::View;
use crate::{components, handle, schema};

/// Memory beyond this size is freed after each message.
const KEPT_BYTES: usize = 64 << 20;

/// A decoder that reuses its memory for the next message.
struct MessageDecoder {
    reader: Option<MessageReader<'static>>,
    /// The message. The reader borrows it.
    bytes: NonNull<Vec<u8>>,
    expected: Option<Arc<Expected>>,
    /// The plan of the columns that were unpacked last.
    program: Option<Arc<Program>>,
    block: Block,
    /// Staging for rows that become columns in a batch first.
    batch: Batch,
    kept: Kept,
    /// Whether the memory of the last message fits into the budget.
    fits: bool,
}

impl MessageDecoder {
    fn new() -> MessageDecoder {
        MessageDecoder {
            reader: None,
            bytes: NonNull::from(Box::leak(Box::default())),
            expected: None,
            program: None,
            block: Block::default(),
            batch: Batch::default(),
            kept: Kept::default(),
            fits: true,
        }
    }

    /// Starts to read a message, which `fill` copies from Java.
    fn begin(
        &mut self,
        expected: Option<Arc<Expected>>,
        fill: impl FnOnce(&mut Vec<u8>) -> Result<()>,
    ) -> Result<()> {
        if self.reader.is_some() {
            self.end();
        }
        // SAFETY: the vector lives until `drop`, which drops the reader first. It doesn't change
        // while there is a reader: there is none now, and `end` drops it before the next message.
        let bytes = unsafe { &mut *self.bytes.as_ptr() };
        bytes.clear();
        fill(bytes)?;
        let mut reader = MessageReader::new(bytes)?;
        if let Some(expected) = &expected {
            reader = reader.with_program(expected.program().clone());
        }
        (self.reader, self.expected) = (Some(reader), expected);
        Ok(())
    }

    /// Frees the message, and memory that is too large to keep. Returns whether the rest fits into
    /// the budget.
    fn end(&mut self) -> bool {
        (self.reader, self.expected, self.program) = (None, None, None);
        // SAFETY: the reader is dropped.
        let bytes = unsafe { &mut *self.bytes.as_ptr() };
        if self.block.kept() > KEPT_BYTES {
            (self.block, self.batch) = (Block::default(), Batch::default());
        }
        if bytes.capacity() > KEPT_BYTES {
            *bytes = Vec::new();
        }
        let kept = self.block.kept() + self.batch.capacity() + bytes.capacity();
        let fits = self.kept.has_room_for(kept);
        if !fits {
            (self.block, self.batch, *bytes) = (Block::default(), Batch::default(), Vec::new());
        }
        fits
    }

    /// Unpacks the next frame. Frees the message after the last frame.
    fn next(&mut self) -> Result<Option<Unpacked>> {
        let reader = self.reader.as_mut().ok_or_else(|| Error::decode("no message was started"))?;
        let Some(raw) = reader.next_frame()? else {
            self.fits = self.end();
            return Ok(None);
        };
        let other = self
            .expected
            .as_ref()
            .filter(|expected| raw.rows > 0 && expected.program().schema() != raw.program.schema());
        let program = match other {
            None => {
                unpack(&raw, &mut self.batch, &mut self.block)?;
                raw.program
            }
            Some(expected) => {
                // Convert rows of another schema to columns of the expected one.
                self.batch.reset(expected.program());
                let unpacked = columns_or_rows_as(&raw, expected, &mut self.batch, |frame| {
                    unpack_columns(&raw, frame, &mut self.block)
                })?;
                if unpacked.is_none() {
                    self.block.copy(&self.batch)?;
                }
                expected.program().clone()
            }
        };
        let same = self.program.as_ref().is_some_and(|before| Arc::ptr_eq(before, &program));
        // A frame without rows has no columns.
        let right =
            raw.rows == 0 || components::are_right(&program, View::new(self.block.memory()));
        self.program = Some(program);
        Ok(Some(Unpacked { rows: raw.rows, at: raw.at, changed: !same, wrong: !right }))
    }
}

/// The result for a frame that is in the block.
struct Unpacked {
    rows: usize,
    /// The byte offset of the frame in the message.
    at: usize,
    /// Whether the schema differs from the last frame's.
    changed: bool,
    /// Whether some components are not a valid value.
    wrong: bool,
}

impl Drop for MessageDecoder {
    fn drop(&mut self) {
        self.reader = None;
        // SAFETY: it came from a box, and the reader that borrowed it is dropped.
        drop(unsafe { Box::from_raw(self.bytes.as_ptr()) });
    }
}

fn unpack_columns(raw: &RawFrame<'_>, frame: Frame<'_>, block: &mut Block) -> Result<()> {
    block.unpack(frame).map_err(|error| error.within(format_args!("frame {}", raw.index)))
}

/// Unpacks a frame of the frame wire directly into the block, and records by way of a batch.
fn unpack(raw: &RawFrame<'_>, batch: &mut Batch, block: &mut Block) -> Result<()> {
    match raw.wire {
        Wire::Frame => {
            let frame = Frame::parse(&raw.program, raw.rows, raw.body)
                .map_err(|fault| explain_frame(raw, fault))?;
            unpack_columns(raw, frame, block)
        }
        Wire::Row => {
            batch.reset(&raw.program);
            decode_frame(raw, batch)?;
            block.copy(batch)
        }
    }
}

/// The decoder of a handle.
///
/// # Safety
/// As for [`handle::exclusive`].
unsafe fn decoder<'a>(handle: jlong) -> &'a mut MessageDecoder {
    // SAFETY: the caller upholds the contract.
    unsafe { handle::exclusive(handle) }
}

/// The expected schema of a plan's handle, or none if it is 0.
///
/// # Safety
/// As for [`handle::shared`].
unsafe fn expected(plan: jlong) -> Option<Arc<Expected>> {
    // SAFETY: the caller upholds the contract.
    (plan != 0).then(|| unsafe { schema::expected(plan) })
}

/// `long decoderOpen()`
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_serow_jni_Native_decoderOpen<'l>(
    env: Env<'l>,
    _class: JClass<'l>,
) -> jlong {
    guard(&env, || Ok(handle::give(MessageDecoder::new())))
}

/// `void decoderBegin(long decoder, long plan, byte[] message, int offset, int length)`
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_serow_jni_Native_decoderBegin<'l>(
    env: Env<'l>,
    _class: JClass<'l>,
    handle: jlong,
    plan: jlong,
    message: JByteArray<'l>,
    offset: jint,
    length: jint,
) {
    guard(&env, || {
        let (offset, length) = (offset as usize, length as usize);
        // SAFETY: only one thread uses a `DecodeContext` of Java, and not after it is closed; its
        // caller keeps the plan alive.
        let (decoder, plan) = unsafe { (decoder(handle), expected(plan)) };
        decoder.begin(plan, |bytes| env.read_bytes(&message, offset, length, bytes))
    })
}

/// `void decoderBeginDirect(long decoder, long plan, ByteBuffer message, int offset, int length)`
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_serow_jni_Native_decoderBeginDirect<'l>(
    env: Env<'l>,
    _class: JClass<'l>,
    handle: jlong,
    plan: jlong,
    message: JByteBuffer<'l>,
    offset: jint,
    length: jint,
) {
    guard(&env, || {
        let length = length as usize;
        let from = env.buffer_region(&message, offset as usize, length)?;
        // SAFETY: as in `decoderBegin`.
        let (decoder, plan) = unsafe { (decoder(handle), expected(plan)) };
        decoder.begin(plan, |bytes| {
            bytes
                .try_reserve(length)
                .map_err(|_| Error::limit("there is no memory for the message"))?;
            // SAFETY: the region has `length` bytes, and as many are reserved. The bytes are copied
            // before they are checked, because another Java thread may change them.
            unsafe {
                bytes.as_mut_ptr().copy_from_nonoverlapping(from, length);
                bytes.set_len(length);
            }
            Ok(())
        })
    })
}

/// `boolean decoderNext(long decoder, long[] frame)`
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_serow_jni_Native_decoderNext<'l>(
    env: Env<'l>,
    _class: JClass<'l>,
    handle: jlong,
    frame: JLongArray<'l>,
) -> bool {
    guard(&env, || {
        // SAFETY: as in `decoderBegin`.
        let decoder = unsafe { decoder(handle) };
        let Some(it) = decoder.next()? else {
            env.write_longs(&frame, &[i64::from(decoder.fits)])?;
            return Ok(false);
        };
        let flags = [it.changed, decoder.block.has_moved(), it.wrong].map(i64::from);
        let [changed, moved, wrong] = flags;
        env.write_longs(&frame, &[it.rows as i64, changed, moved, wrong, it.at as i64])?;
        Ok(true)
    })
}

/// `ByteBuffer decoderBlock(long decoder)`
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_serow_jni_Native_decoderBlock<'l>(
    env: Env<'l>,
    _class: JClass<'l>,
    handle: jlong,
) -> jobject {
    // SAFETY: as in `decoderBegin`. Java's `DecodeContext` asks for a new buffer whenever the block has moved, and
    // reads none after the decoder has gone on or is closed.
    guard(&env, || unsafe { env.new_buffer(decoder(handle).block.memory()) })
}

/// `int[] decoderSchema(long decoder)`
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_serow_jni_Native_decoderSchema<'l>(
    env: Env<'l>,
    _class: JClass<'l>,
    handle: jlong,
) -> jobject {
    guard(&env, || {
        // SAFETY: as in `decoderBegin`.
        let decoder = unsafe { decoder(handle) };
        let program =
            decoder.program.as_ref().ok_or_else(|| Error::decode("no frame has been read"))?;
        env.new_ints(program.schema().type_list())
    })
}

/// `void decoderClose(long decoder)`
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_serow_jni_Native_decoderClose<'l>(
    env: Env<'l>,
    _class: JClass<'l>,
    handle: jlong,
) {
    guard(&env, || {
        // SAFETY: Java closes a decoder once.
        unsafe { handle::free(handle) };
        Ok(())
    })
}

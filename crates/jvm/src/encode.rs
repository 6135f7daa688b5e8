//! Native methods that encode records to a message.

use std::sync::Arc;

use jni::objects::{JByteArray, JByteBuffer};
use jni::sys::{jint, jlong};
use serow_core::bytes::out::{Borrowed, GrowableBuffer};
use serow_core::compiled::RowSource;
use serow_core::encode::{ColumnRows, Encoder, Staging};
use serow_core::explain::{ErrorContext, explain};
use serow_core::layout::OpResult;
use serow_core::program::Program;
use serow_core::wire::message::Format;
use serow_core::{Error, Result};

use crate::env::Env;
use crate::memory::Kept;
use crate::part::OpenPart;
use crate::records::RecordBatch;
use crate::{format, handle, records, schema};

/// Memory beyond this size is freed after each message.
const KEPT_BYTES: usize = 64 << 20;

// Steps of `encoderPut`, as in `Native`.
const BEGIN: jint = 1;
const END: jint = 2;

/// An encoder that reuses its memory for the next message, or the next frame apart from its message.
#[derive(Default)]
pub struct MessageEncoder {
    pub batch: RecordBatch,
    /// A frame that is being made apart from its message.
    pub part: Option<OpenPart>,
    open: Option<Open>,
    /// The bytes of the message. The encoder of an open message has them.
    buffer: MessageBuffer,
    /// The address of the caller's direct buffer, if the open message goes there.
    direct: Option<*mut u8>,
    /// Memory of the last message's encoder.
    staging: Staging,
    kept: Kept,
}

/// The bytes of a message: the caller's direct buffer, or a vector that the encoder reuses.
#[derive(Default)]
struct MessageBuffer {
    bytes: Vec<u8>,
    direct: Option<Borrowed>,
}

impl MessageBuffer {
    fn target(&mut self) -> &mut dyn GrowableBuffer {
        match &mut self.direct {
            Some(direct) => direct,
            None => &mut self.bytes,
        }
    }
}

// SAFETY: it is one of its two buffers, the same as long as a message is written.
unsafe impl GrowableBuffer for MessageBuffer {
    unsafe fn grow(&mut self, used: usize, needed: usize) -> OpResult<(*mut u8, usize)> {
        // SAFETY: the caller's promise.
        unsafe { self.target().grow(used, needed) }
    }

    unsafe fn commit(&mut self, len: usize) {
        // SAFETY: the caller's promise.
        unsafe { self.target().commit(len) };
    }
}

/// A message that is being written.
struct Open {
    encoder: Encoder<MessageBuffer>,
    program: Arc<Program>,
    rows: usize,
}

impl Open {
    fn put<S: RowSource>(&mut self, source: &mut S, rows: usize) -> Result<()> {
        let end = self.rows + rows;
        self.encoder
            .encode(&self.program, source, self.rows..end)
            .map_err(|error| explain(&error, &self.program, ErrorContext::Encoded, |_| None))?;
        self.rows = end;
        Ok(())
    }
}

impl MessageEncoder {
    /// Starts a message, in `space` bytes at `direct` if there is such an address.
    ///
    /// # Safety
    /// The bytes must be writable, and nothing else may use them, until the message is finished or
    /// dropped.
    pub unsafe fn begin(
        &mut self,
        program: Arc<Program>,
        format: Format,
        direct: Option<*mut u8>,
        space: usize,
    ) -> Result<()> {
        // An error may have left a message behind.
        if self.open.is_some() {
            self.end();
        }
        let mut buffer = std::mem::take(&mut self.buffer);
        // SAFETY: the caller's promise.
        buffer.direct = direct.map(|start| unsafe { Borrowed::new(start, space) });
        self.direct = direct;
        // What was written before is not kept: the bytes are no message until this one is finished.
        buffer.bytes.clear();
        let staging = std::mem::take(&mut self.staging);
        let encoder = Encoder::with_staging(format, buffer, staging)?;
        self.open = Some(Open { encoder, program, rows: 0 });
        Ok(())
    }

    fn open(&mut self) -> Result<&mut Open> {
        self.open.as_mut().ok_or_else(nothing_started)
    }

    /// Appends rows of columns.
    pub fn put_columns(&mut self, columns: &mut ColumnRows<'_>, rows: usize) -> Result<()> {
        let Open { encoder, program, .. } = self.open()?;
        encoder.encode(program, columns, 0..rows).map_err(|error| columns.misfit(&error))
    }

    /// Ends the message and returns its length in bytes. A message that does not fit into the
    /// caller's direct buffer is dropped.
    pub fn finish(&mut self) -> Result<usize> {
        let open = self.open.take().ok_or_else(nothing_started)?;
        let (buffer, length, staging) = open.encoder.finish(&open.program)?;
        (self.buffer, self.staging) = (buffer, staging);
        match self.buffer.direct.take() {
            Some(direct) => _ = direct.finish(),
            None => debug_assert_eq!(length, self.message().len()),
        }
        Ok(length)
    }

    /// Frees the message, and memory that is too large to keep. Returns whether the rest fits into
    /// the budget.
    pub fn end(&mut self) -> bool {
        self.part = None;
        if let Some(open) = self.open.take() {
            self.buffer = open.encoder.abandon();
        }
        let buffer = &mut self.buffer;
        if let Some(direct) = buffer.direct.take() {
            // Java may have freed it since the last call.
            direct.abandon();
        }
        let bytes = &mut buffer.bytes;
        if bytes.len() > KEPT_BYTES {
            (*bytes, self.staging) = (Vec::new(), Staging::default());
        }
        bytes.clear();
        let records = self.batch.capacity();
        let fits = records <= KEPT_BYTES
            && self.kept.has_room_for(records + bytes.capacity() + self.staging.capacity());
        if !fits {
            (*bytes, self.staging) = (Vec::new(), Staging::default());
            self.batch = RecordBatch::default();
        }
        fits
    }

    fn message(&self) -> &[u8] {
        &self.buffer.bytes
    }
}

impl Drop for MessageEncoder {
    fn drop(&mut self) {
        self.end();
    }
}

fn nothing_started() -> Error {
    Error::encode("no message was started")
}

/// The encoder of a handle.
///
/// # Safety
/// As for [`handle::exclusive`].
pub unsafe fn encoder<'a>(handle: jlong) -> &'a mut MessageEncoder {
    // SAFETY: the caller upholds the contract.
    unsafe { handle::exclusive(handle) }
}

pub fn encoder_open(_env: &Env<'_>) -> Result<jlong> {
    Ok(handle::give(MessageEncoder::default()))
}

pub fn encoder_switch(_env: &Env<'_>, handle: jlong, plan: jlong) -> Result<()> {
    // SAFETY: only one thread uses an `EncodeContext` of Java, and not after it is closed; its
    // `Binding` keeps the plan alive.
    unsafe { encoder(handle).open()?.program = schema::program(plan) };
    Ok(())
}

pub fn encoder_put<'l>(
    env: &Env<'l>,
    handle: jlong,
    plan: jlong,
    format: jint,
    steps: jint,
    records: JByteArray<'l>,
    from: jint,
    to: jint,
    rows: jint,
    array: JByteArray<'l>,
    buffer: JByteBuffer<'l>,
    offset: jint,
    space: jint,
) -> Result<jlong> {
    // SAFETY: as in `encoder_switch`.
    let encoder = unsafe { encoder(handle) };
    let (offset, space) = (offset as usize, space as usize);
    let direct = match buffer.is_null() {
        true => None,
        false => Some(env.buffer_region(&buffer, offset, space)?),
    };
    if steps & BEGIN != 0 {
        // SAFETY: the region is within the buffer, and the program of a `Binding` lives as long
        // as this call. Java passes the same buffer, which it keeps alive, to each call for the
        // message, and no call returns before it has written what it has to write.
        unsafe { encoder.begin(schema::program(plan), format::read(format), direct, space)? };
    } else if direct != encoder.direct {
        return Err(Error::encode("the buffer is not the one where the message began"));
    }
    if rows > 0 {
        let MessageEncoder { batch, open, .. } = &mut *encoder;
        let mut source = batch.read(env, &records, from, to)?;
        open.as_mut().ok_or_else(nothing_started)?.put(&mut source, rows as usize)?;
        records::check_end(&source)?;
    }
    if steps & END == 0 {
        return Ok(0);
    }
    let length = encoder.finish()?;
    let is_kept = direct.is_none() && array.is_null();
    if !array.is_null() && length <= space {
        env.write_bytes(&array, offset, encoder.message())?;
    }
    let fits = is_kept || encoder.end();
    Ok((length as jlong) << 1 | jlong::from(fits))
}

pub fn encoder_take<'l>(env: &Env<'l>, handle: jlong, to: JByteArray<'l>) -> Result<bool> {
    // SAFETY: as in `encoder_switch`.
    let encoder = unsafe { encoder(handle) };
    env.write_bytes(&to, 0, encoder.message())?;
    Ok(encoder.end())
}

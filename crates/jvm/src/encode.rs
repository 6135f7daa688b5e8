//! Native methods that encode flat rows to a message.

use std::ptr::NonNull;
use std::sync::Arc;

use jni::objects::{JByteArray, JByteBuffer, JCharArray, JClass, JLongArray};
use jni::sys::{jint, jlong};
use serow_core::encode::{Encoder, Staging};
use serow_core::explain::{Origin, explain};
use serow_core::layout::flat::{FlatRows, Units};
use serow_core::program::Program;
use serow_core::wire::message::Wire;
use serow_core::{Error, Result};

use crate::env::Env;
use crate::guard::guard;
use crate::memory::Kept;
use crate::{compile, handle, schema};

/// Memory beyond this size is freed after each message.
const KEPT_BYTES: usize = 64 << 20;

/// An encoder that reuses its memory for the next message.
struct MessageEncoder {
    slots: Vec<i64>,
    text: Units,
    /// The byte components of values.
    parts: Vec<u8>,
    open: Option<Open>,
    /// The bytes of the message. The encoder of an open message borrows them.
    bytes: NonNull<Vec<u8>>,
    /// The length of the finished message in `bytes`.
    finished: usize,
    /// Memory of the last message's encoder.
    staging: Staging,
    kept: Kept,
}

/// A message that is being written.
struct Open {
    encoder: Encoder<'static>,
    program: Arc<Program>,
    rows: usize,
}

impl MessageEncoder {
    fn new() -> MessageEncoder {
        MessageEncoder {
            slots: Vec::new(),
            text: Units::default(),
            parts: Vec::new(),
            open: None,
            bytes: NonNull::from(Box::leak(Box::default())),
            finished: 0,
            staging: Staging::default(),
            kept: Kept::default(),
        }
    }

    fn begin(&mut self, program: Arc<Program>, wire: Wire) -> Result<()> {
        // Drop an encoder that an error has left behind, before the bytes are borrowed again.
        if self.open.is_some() {
            self.end();
        }
        // SAFETY: the vector lives until `drop`, which drops the encoder first. Nothing else
        // accesses it before the encoder is dropped: `begin` and `finish` take it out of `open`.
        let bytes = unsafe { &mut *self.bytes.as_ptr() };
        // What was written before is not kept: the bytes are no message until this one is finished.
        self.finished = 0;
        let staging = std::mem::take(&mut self.staging);
        let encoder = Encoder::with_staging(wire, bytes, staging)?;
        self.open = Some(Open { encoder, program, rows: 0 });
        Ok(())
    }

    fn open(&mut self) -> Result<&mut Open> {
        self.open.as_mut().ok_or_else(|| Error::encode("no message was started"))
    }

    /// Appends the rows in `slots` and `text`.
    fn put(&mut self, rows: usize) -> Result<()> {
        let open = self.open.as_mut().ok_or_else(|| Error::encode("no message was started"))?;
        let mut source = FlatRows::new(&self.slots, &self.text).with_bytes(&self.parts);
        let end = open.rows + rows;
        open.encoder
            .encode(&open.program, &mut source, open.rows..end)
            .map_err(|error| explain(&error, &open.program, Origin::Encoded, |_| None))?;
        open.rows = end;
        match source.is_empty() {
            true => Ok(()),
            false => {
                Err(Error::encode("flat rows continue after their last row; please report it"))
            }
        }
    }

    /// Ends the message and returns its length in bytes.
    fn finish(&mut self) -> Result<usize> {
        let open = self.open.take().ok_or_else(|| Error::encode("no message was started"))?;
        (self.finished, self.staging) = open.encoder.finish(&open.program)?;
        Ok(self.finished)
    }

    /// Frees the message, and memory that is too large to keep. Returns whether the rest fits into
    /// the budget.
    fn end(&mut self) -> bool {
        self.open = None;
        // SAFETY: the encoder is dropped.
        let bytes = unsafe { &mut *self.bytes.as_ptr() };
        if self.finished > KEPT_BYTES {
            (*bytes, self.staging) = (Vec::new(), Staging::default());
        }
        self.finished = 0;
        let parts = 8 * self.slots.capacity() + self.text.capacity() + self.parts.capacity();
        let fits = parts <= KEPT_BYTES
            && self.kept.has_room_for(parts + bytes.capacity() + self.staging.capacity());
        if !fits {
            (*bytes, self.staging) = (Vec::new(), Staging::default());
            (self.slots, self.text, self.parts) = (Vec::new(), Units::default(), Vec::new());
        }
        fits
    }

    fn message(&self) -> &[u8] {
        if self.open.is_some() {
            return &[];
        }
        // SAFETY: the encoder is dropped. It has written `finished` bytes to the vector, within its
        // capacity.
        unsafe {
            let bytes = self.bytes.as_ref();
            assert!(self.finished <= bytes.capacity());
            std::slice::from_raw_parts(bytes.as_ptr(), self.finished)
        }
    }
}

impl Drop for MessageEncoder {
    fn drop(&mut self) {
        self.open = None;
        // SAFETY: it came from a box, and the encoder that borrowed it is dropped.
        drop(unsafe { Box::from_raw(self.bytes.as_ptr()) });
    }
}

/// The encoder of a handle.
///
/// # Safety
/// As for [`handle::exclusive`].
unsafe fn encoder<'a>(handle: jlong) -> &'a mut MessageEncoder {
    // SAFETY: the caller upholds the contract.
    unsafe { handle::exclusive(handle) }
}

/// `long encoderOpen()`
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_serow_jni_Native_encoderOpen<'l>(
    env: Env<'l>,
    _class: JClass<'l>,
) -> jlong {
    guard(&env, || Ok(handle::give(MessageEncoder::new())))
}

/// `void encoderBegin(long encoder, long plan, int wire)`
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_serow_jni_Native_encoderBegin<'l>(
    env: Env<'l>,
    _class: JClass<'l>,
    handle: jlong,
    plan: jlong,
    wire: jint,
) {
    guard(&env, || {
        let wire = compile::wire(wire);
        // SAFETY: only one thread uses an `EncodeContext` of Java, and not after it is closed; its
        // `Binding` keeps the plan alive.
        unsafe { encoder(handle).begin(schema::program(plan), wire) }
    })
}

/// `void encoderSwitch(long encoder, long plan)`
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_serow_jni_Native_encoderSwitch<'l>(
    env: Env<'l>,
    _class: JClass<'l>,
    handle: jlong,
    plan: jlong,
) {
    guard(&env, || {
        // SAFETY: as in `encoderBegin`.
        unsafe { encoder(handle).open()?.program = schema::program(plan) };
        Ok(())
    })
}

/// `void encoderPut(long encoder, long[] slots, int slotCount, char[] text, int textLength, byte[]
/// bytes, int bytesLength, int rows)`
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_serow_jni_Native_encoderPut<'l>(
    env: Env<'l>,
    _class: JClass<'l>,
    handle: jlong,
    slots: JLongArray<'l>,
    slot_count: jint,
    text: JCharArray<'l>,
    text_length: jint,
    bytes: JByteArray<'l>,
    bytes_length: jint,
    rows: jint,
) {
    guard(&env, || {
        // SAFETY: as in `encoderBegin`.
        let encoder = unsafe { encoder(handle) };
        encoder.slots.clear();
        env.read_longs(&slots, slot_count as usize, &mut encoder.slots)?;
        env.with_chars(&text, text_length as usize, |chars| encoder.text.set(chars))?;
        encoder.parts.clear();
        if bytes_length > 0 {
            env.read_bytes(&bytes, 0, bytes_length as usize, &mut encoder.parts)?;
        }
        encoder.put(rows as usize)
    })
}

/// `long encoderFinish(long encoder)`
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_serow_jni_Native_encoderFinish<'l>(
    env: Env<'l>,
    _class: JClass<'l>,
    handle: jlong,
) -> jlong {
    // SAFETY: as in `encoderBegin`.
    guard(&env, || Ok(unsafe { encoder(handle) }.finish()? as jlong))
}

/// `boolean encoderTake(long encoder, byte[] to, int offset)`
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_serow_jni_Native_encoderTake<'l>(
    env: Env<'l>,
    _class: JClass<'l>,
    handle: jlong,
    to: JByteArray<'l>,
    offset: jint,
) -> bool {
    guard(&env, || {
        // SAFETY: as in `encoderBegin`.
        let encoder = unsafe { encoder(handle) };
        env.write_bytes(&to, offset as usize, encoder.message())?;
        Ok(encoder.end())
    })
}

/// `boolean encoderTakeDirect(long encoder, ByteBuffer to, int offset)`
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_serow_jni_Native_encoderTakeDirect<'l>(
    env: Env<'l>,
    _class: JClass<'l>,
    handle: jlong,
    to: JByteBuffer<'l>,
    offset: jint,
) -> bool {
    guard(&env, || {
        // SAFETY: as in `encoderBegin`.
        let encoder = unsafe { encoder(handle) };
        let message = encoder.message();
        let to = env.buffer_region(&to, offset as usize, message.len())?;
        // SAFETY: the region is memory of the JVM with the message's length.
        unsafe { to.copy_from_nonoverlapping(message.as_ptr(), message.len()) };
        Ok(encoder.end())
    })
}

/// `void encoderClose(long encoder)`
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_serow_jni_Native_encoderClose<'l>(
    env: Env<'l>,
    _class: JClass<'l>,
    handle: jlong,
) {
    guard(&env, || {
        // SAFETY: Java closes an encoder once.
        unsafe { handle::free(handle) };
        Ok(())
    })
}

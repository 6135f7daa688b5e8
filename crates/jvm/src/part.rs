//! Native methods that make the frames of a message one by one and apart from it, so that several
//! threads can. Each thread has an encoder, and Java joins the frames.

use std::sync::Arc;

use jni::objects::{JByteArray, JByteBuffer, JLongArray};
use jni::sys::{jboolean, jint, jlong};
use serow_core::encode::Part;
use serow_core::explain::{ErrorContext, explain};
use serow_core::program::Program;
use serow_core::wire::message::MessageWriter;
use serow_core::wire::row::RowReader;
use serow_core::{Error, Result};

use crate::encode::encoder;
use crate::env::Env;
use crate::{format, handle, records, schema};

/// A frame that is being made.
pub struct OpenPart {
    part: Part,
    program: Arc<Program>,
}

impl OpenPart {
    /// Appends the records until the frame is full. Returns how many it took, and whether the
    /// frame is full.
    fn put(&mut self, mut source: RowReader<'_>, rows: usize) -> Result<(usize, bool)> {
        let OpenPart { part, program } = self;
        let begin = part.rows().end;
        let is_full = part.stage(program, &mut source, begin + rows);
        check(part, program)?;
        let taken = part.rows().end - begin;
        if taken == rows {
            records::check_end(&source)?;
        }
        Ok((taken, is_full))
    }
}

fn check(part: &mut Part, program: &Program) -> Result<()> {
    match part.take_error() {
        Some(error) => Err(explain(&error, program, ErrorContext::Encoded, |_| None)),
        None => Ok(()),
    }
}

fn no_frame() -> Error {
    Error::encode("no frame was started")
}

pub fn part_begin(
    _env: &Env<'_>,
    handle: jlong,
    plan: jlong,
    format: jint,
    is_known: jboolean,
    first: jlong,
    max_rows: jint,
) -> Result<()> {
    // SAFETY: only one thread uses an `EncodeContext` of Java, and not after it is closed; its
    // `Binding` keeps the plan alive.
    let (encoder, program) = unsafe { (encoder(handle), schema::program(plan)) };
    let known = is_known.then(|| program.schema());
    let rows = (first as usize, max_rows as usize);
    let part = Part::begin(format::read(format), known, rows);
    encoder.part = Some(OpenPart { part, program });
    Ok(())
}

pub fn part_put<'l>(
    env: &Env<'l>,
    handle: jlong,
    records: JByteArray<'l>,
    length: jint,
    rows: jint,
) -> Result<jlong> {
    // SAFETY: as in `part_begin`.
    let encoder = unsafe { encoder(handle) };
    let source = encoder.batch.read(env, &records, 0, length)?;
    let open = encoder.part.as_mut().ok_or_else(no_frame)?;
    let (taken, is_full) = open.put(source, rows as usize)?;
    Ok((taken as jlong) << 1 | jlong::from(is_full))
}

pub fn part_end<'l>(env: &Env<'l>, handle: jlong, info: JLongArray<'l>) -> Result<jlong> {
    // SAFETY: as in `part_begin`.
    let encoder = unsafe { encoder(handle) };
    let open = encoder.part.take().ok_or_else(no_frame)?;
    let mut part = open.part.packed();
    check(&mut part, &open.program)?;
    let max_rows = part.max_rows();
    let bytes = part.into_bytes();
    let fits = encoder.end();
    env.write_longs(&info, &[bytes.len() as i64, max_rows as i64, i64::from(fits)])?;
    Ok(handle::give(bytes))
}

/// The frame of a handle.
///
/// # Safety
/// As for [`handle::exclusive`].
pub unsafe fn frame<'a>(handle: jlong) -> &'a mut Vec<u8> {
    // SAFETY: the caller upholds the contract.
    unsafe { handle::exclusive(handle) }
}

pub fn frame_make_last(_env: &Env<'_>, handle: jlong) -> Result<()> {
    // SAFETY: only one thread at a time uses a `DetachedFrame` of Java, and not after it is closed.
    MessageWriter::make_last(unsafe { frame(handle) });
    Ok(())
}

pub fn frame_copy<'l>(
    env: &Env<'l>,
    handle: jlong,
    array: JByteArray<'l>,
    buffer: JByteBuffer<'l>,
    offset: jint,
) -> Result<()> {
    // SAFETY: as in `frameMakeLast`.
    let frame = unsafe { frame(handle) };
    let offset = offset as usize;
    if buffer.is_null() {
        return env.write_bytes(&array, offset, frame);
    }
    let to = env.buffer_region(&buffer, offset, frame.len())?;
    // SAFETY: the region is within the buffer, which Java keeps alive during this call.
    unsafe { to.copy_from_nonoverlapping(frame.as_ptr(), frame.len()) };
    Ok(())
}

//! Native methods that encode records to a stream.

use jni::objects::JByteArray;
use jni::sys::{jint, jlong};
use serow_core::explain::{ErrorContext, explain};
use serow_core::stream::StreamEncoder;
use serow_core::wire::message::{Position, metadata_of};
use serow_core::{Error, Result};

use crate::env::Env;
use crate::records::RecordBatch;
use crate::{format, handle, part, records, schema};

/// Memory for finished bytes beyond this size is freed once Java has them.
const KEPT_BYTES: usize = 1 << 20;

/// A stream that is being written.
struct StreamWriter {
    encoder: StreamEncoder,
    batch: RecordBatch,
    finished: Finished,
}

/// Bytes of the stream that Java will take.
#[derive(Default)]
struct Finished {
    bytes: Vec<u8>,
    /// The number of bytes that Java has taken.
    taken: usize,
}

impl Finished {
    fn put(&mut self) -> impl FnMut(&[u8]) -> Result<()> {
        |more| {
            self.bytes.try_reserve(more.len()).map_err(|_| Error::no_memory())?;
            self.bytes.extend_from_slice(more);
            Ok(())
        }
    }

    /// Passes up to `most` bytes to `take`. Returns their number.
    fn take(&mut self, most: usize, take: impl FnOnce(&[u8]) -> Result<()>) -> Result<usize> {
        let left = &self.bytes[self.taken..];
        let count = left.len().min(most);
        take(&left[..count])?;
        self.taken += count;
        if self.taken == self.bytes.len() {
            self.taken = 0;
            self.bytes.clear();
            if self.bytes.capacity() > KEPT_BYTES {
                self.bytes = Vec::new();
            }
        }
        Ok(count)
    }
}

/// The stream of a handle.
///
/// # Safety
/// As for [`handle::exclusive`].
unsafe fn stream<'a>(handle: jlong) -> &'a mut StreamWriter {
    // SAFETY: the caller upholds the contract.
    unsafe { handle::exclusive(handle) }
}

pub fn stream_open<'l>(
    env: &Env<'l>,
    format: jint,
    metadata: JByteArray<'l>,
    salt: jlong,
    row: jlong,
) -> Result<jlong> {
    let metadata = metadata_of(&env.read_all_bytes(&metadata)?)
        .ok_or_else(|| Error::encode("the metadata is no text"))?;
    let first = match salt {
        0 => Position::of_new_log()?,
        salt => Position { salt: salt as u64, row: row as u64 },
    };
    let mut finished = Finished::default();
    let mut encoder = StreamEncoder::at(format::read(format), None, metadata, first)?;
    encoder.put_header(&mut finished.put())?;
    Ok(handle::give(StreamWriter { encoder, batch: RecordBatch::default(), finished }))
}

pub fn stream_put<'l>(
    env: &Env<'l>,
    handle: jlong,
    plan: jlong,
    records: JByteArray<'l>,
    length: jint,
    rows: jint,
) -> Result<()> {
    // SAFETY: only one thread uses a `StreamContext` of Java, and not after it is closed; its
    // `Binding` keeps the plan alive.
    let (stream, program) = unsafe { (stream(handle), schema::program(plan)) };
    let StreamWriter { encoder, batch, finished } = stream;
    let mut source = batch.read(env, &records, 0, length)?;
    // Errors count rows from the stream's begin.
    let mut done = encoder.rows() as usize;
    let end = done + rows as usize;
    encoder
        .append(&program, &mut source, end, &mut done, &mut finished.put())?
        .map_err(|error| explain(&error, &program, ErrorContext::Encoded, |_| None))?;
    records::check_end(&source)
}

pub fn stream_knows(_env: &Env<'_>, handle: jlong, plan: jlong) -> Result<bool> {
    // SAFETY: as in `stream_put`.
    let (stream, program) = unsafe { (stream(handle), schema::program(plan)) };
    Ok(stream.encoder.knows(program.schema()))
}

pub fn stream_join(
    _env: &Env<'_>,
    handle: jlong,
    plan: jlong,
    frame: jlong,
    rows: jint,
) -> Result<()> {
    // SAFETY: as in `stream_put`, and as in `frameMakeLast`.
    let (stream, program, frame) =
        unsafe { (stream(handle), schema::program(plan), part::frame(frame)) };
    let StreamWriter { encoder, finished, .. } = stream;
    encoder.join(&program, frame, rows as usize, &mut finished.put())
}

pub fn stream_flush(_env: &Env<'_>, handle: jlong) -> Result<()> {
    // SAFETY: as in `stream_put`.
    let StreamWriter { encoder, finished, .. } = unsafe { stream(handle) };
    encoder.flush(&mut finished.put())
}

pub fn stream_finish(_env: &Env<'_>, handle: jlong) -> Result<()> {
    // SAFETY: as in `stream_put`.
    let StreamWriter { encoder, finished, .. } = unsafe { stream(handle) };
    encoder.finish(&mut finished.put())
}

pub fn stream_take<'l>(
    env: &Env<'l>,
    handle: jlong,
    to: JByteArray<'l>,
    space: jint,
) -> Result<jint> {
    // SAFETY: as in `stream_put`.
    let finished = unsafe { &mut stream(handle).finished };
    let taken = finished.take(space as usize, |bytes| env.write_bytes(&to, 0, bytes))?;
    Ok(taken as jint)
}

pub fn stream_rows(_env: &Env<'_>, handle: jlong) -> Result<jlong> {
    // SAFETY: as in `stream_put`.
    let encoder = &unsafe { stream(handle) }.encoder;
    Ok(if encoder.is_ended() { -1 } else { encoder.rows() as jlong })
}

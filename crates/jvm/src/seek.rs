//! Native methods that read frames of a file in any order, by the indexes in it. Java reads the bytes.

use std::ops::Range;

use jni::objects::{JByteArray, JLongArray};
use jni::sys::{jint, jlong};
use serow_core::stream::{IndexSearch, SeekDecoder};
use serow_core::{Error, Result};

use crate::decode::{decoder, expected, max_memory};
use crate::env::Env;
use crate::handle;

/// A file whose indexes are searched, or are found.
enum IndexedFile {
    Searching(IndexSearch),
    Found(Box<SeekDecoder>),
}

impl IndexedFile {
    fn found(&mut self) -> Result<&mut SeekDecoder> {
        match self {
            IndexedFile::Found(decoder) => Ok(decoder),
            IndexedFile::Searching(_) => Err(Error::decode("the index of the file was not read")),
        }
    }
}

/// The file of a handle.
///
/// # Safety
/// As for [`handle::exclusive`].
unsafe fn file<'a>(handle: jlong) -> &'a mut IndexedFile {
    // SAFETY: the caller upholds the contract.
    unsafe { handle::exclusive(handle) }
}

/// Writes where wanted bytes are. Returns whether any are wanted.
fn write_range(env: &Env<'_>, wanted: Option<Range<u64>>, to: &JLongArray<'_>) -> Result<bool> {
    let Some(range) = wanted else { return Ok(false) };
    env.write_longs(to, &[range.start as i64, (range.end - range.start) as i64])?;
    Ok(true)
}

pub fn file_open(_env: &Env<'_>, length: jlong) -> Result<jlong> {
    Ok(handle::give(IndexedFile::Searching(IndexSearch::new(length as u64))))
}

pub fn file_wants<'l>(
    env: &Env<'l>,
    handle: jlong,
    frame: jint,
    range: JLongArray<'l>,
) -> Result<bool> {
    // SAFETY: one thread at a time uses an `IndexedFrames` of Java, and not after it is closed.
    let wanted = match unsafe { file(handle) } {
        IndexedFile::Searching(search) => search.wanted(),
        IndexedFile::Found(decoder) => decoder.schema_wanted(frame as usize),
    };
    write_range(env, wanted, &range)
}

pub fn file_give<'l>(
    env: &Env<'l>,
    handle: jlong,
    frame: jint,
    bytes: JByteArray<'l>,
    length: jint,
) -> Result<()> {
    let mut given = Vec::new();
    env.read_bytes(&bytes, 0, length as usize, &mut given)?;
    // SAFETY: as in `file_wants`.
    match unsafe { file(handle) } {
        IndexedFile::Searching(search) => search.give(&given),
        IndexedFile::Found(decoder) => decoder.give_schema(frame as usize, &given),
    }
}

pub fn file_found<'l>(
    env: &Env<'l>,
    handle: jlong,
    plan: jlong,
    memory: jlong,
    info: JLongArray<'l>,
) -> Result<()> {
    // SAFETY: as in `file_wants`; Java's caller keeps the plan alive.
    let (file, plan) = unsafe { (file(handle), expected(plan)) };
    let search = std::mem::replace(file, IndexedFile::Searching(IndexSearch::new(0)));
    let IndexedFile::Searching(search) = search else {
        return Err(Error::decode("the index of the file was read before"));
    };
    let mut decoder = SeekDecoder::new(search.finish());
    if let Some(plan) = plan {
        decoder = decoder.with_program(plan.program().clone());
    }
    if let Some(bytes) = max_memory(memory) {
        decoder = decoder.with_max_memory(bytes);
    }
    let index = decoder.index();
    env.write_longs(&info, &[index.frames() as i64, index.rows() as i64])?;
    *file = IndexedFile::Found(Box::new(decoder));
    Ok(())
}

pub fn file_place<'l>(
    env: &Env<'l>,
    handle: jlong,
    frame: jint,
    info: JLongArray<'l>,
) -> Result<()> {
    // SAFETY: as in `file_wants`.
    let index = unsafe { file(handle) }.found()?.index();
    let place = index
        .entry(frame as usize)
        .ok_or_else(|| Error::decode(format!("there is no frame {frame}")))?;
    let numbers = [place.at, place.bytes, place.first_row, place.rows];
    env.write_longs(&info, &numbers.map(|number| number as i64))
}

pub fn file_frame_of(_env: &Env<'_>, handle: jlong, row: jlong) -> Result<jint> {
    // SAFETY: as in `file_wants`.
    let index = unsafe { file(handle) }.found()?.index();
    Ok(index.frame_of(row as u64).map_or(-1, |frame| frame as jint))
}

pub fn decoder_seek<'l>(
    env: &Env<'l>,
    handle: jlong,
    of: jlong,
    frame: jint,
    bytes: JByteArray<'l>,
    length: jint,
    words: JLongArray<'l>,
) -> Result<()> {
    // SAFETY: as in `file_wants`, and as in `decoderBegin`.
    let (decoder, file) = unsafe { (decoder(handle), file(of).found()?) };
    let bytes = decoder.frame_bytes(|to| env.read_bytes(&bytes, 0, length as usize, to))?;
    let unpacked = decoder.unpacker.unpack(file.read(frame as usize, &bytes)?.unpack()?);
    decoder.keep(bytes);
    env.write_longs(&words, &unpacked?.words())
}

//! The frame wire: the rows of a frame as one chunk per column.
//!
//! ```text
//! body       chunks, directory, bytes of the directory (4 bytes)
//! chunks     one for each column, in the order of the schema, without gaps
//! directory  in the same order: encoding (one byte), values (varint), bytes of the chunk (varint)
//! ```
//!
//! The directory is last because the writer knows its contents last.
//!
//! Each kind of column has a module that chooses an encoding and reads all encodings.

pub mod bitpack;
pub mod bits;
mod column_set;
pub mod floats;
pub mod ints;
mod patches;
pub mod strings;
mod validate;
mod words;

pub use column_set::ColumnSet;

use crate::bytes::out::Out;
use crate::bytes::varint;
use crate::error::{Corrupt, Fault, malformed};
use crate::layout::TOO_MANY_CONTAINERS;
use crate::layout::batch::{Batch, StrColumn};
use crate::limits::{MAX_JOINED_TEXT, max_values};
use crate::memory;
use crate::plan::{Column, Plan};

/// Lower bound of the size of encoded columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Density {
    /// Any encoding.
    Free,
    /// At least one byte for each int and one bit for each bit, so that a frame with very many
    /// values stays within [`max_values`].
    Dense,
}

fn take_count(bytes: &mut &[u8]) -> Result<usize, Corrupt> {
    varint::take(bytes)
        .and_then(|n| usize::try_from(n).ok())
        .ok_or(Corrupt("a number is cut or too large"))
}

fn take_signed(bytes: &mut &[u8]) -> Result<i64, Corrupt> {
    varint::take(bytes).map(varint::unzigzag).ok_or(Corrupt("a number is cut"))
}

fn take_bytes<'a>(bytes: &mut &'a [u8], len: usize) -> Result<&'a [u8], Corrupt> {
    let Some((taken, rest)) = bytes.split_at_checked(len) else {
        return malformed("a column is longer than its frame");
    };
    *bytes = rest;
    Ok(taken)
}

/// Memory that is reused between frames.
#[derive(Debug, Default)]
pub struct Scratch {
    ints: Vec<i64>,
    directory: Vec<u8>,
    words: StrColumn,
    /// The text of the frame's columns so far that is written as words.
    joined: usize,
}

impl Scratch {
    /// Returns the approximate number of bytes that this holds.
    pub fn capacity(&self) -> usize {
        8 * self.ints.capacity() + self.directory.capacity() + self.words.capacity()
    }
}

/// How columns of strings may be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextForm {
    /// In the encodings that are fast to write.
    Fast,
    /// In as few bytes as possible.
    Small,
}

/// Appends the body of a frame with the rows of `batch`.
///
/// # Errors
/// A limit fault if memory runs out, or if a row has a sequence of millions of nested tuples, so
/// that the frame would exceed the limit of lists and tuples of fixed shape.
pub fn pack(
    plan: &Plan,
    batch: &Batch,
    text: TextForm,
    scratch: &mut Scratch,
    out: &mut Out<'_>,
) -> Result<(), Fault> {
    let begin = out.len();
    pack_columns(plan, batch, text, Density::Free, scratch, out)?;
    let is_too_short = |len| batch.values() > max_values(len, len);
    if is_too_short(out.len() - begin) {
        out.truncate(begin);
        pack_columns(plan, batch, TextForm::Fast, Density::Dense, scratch, out)?;
        if is_too_short(out.len() - begin) {
            return Err(TOO_MANY_CONTAINERS);
        }
    }
    Ok(())
}

fn pack_columns(
    plan: &Plan,
    batch: &Batch,
    text: TextForm,
    density: Density,
    scratch: &mut Scratch,
    out: &mut Out<'_>,
) -> Result<(), Fault> {
    let mut directory = std::mem::take(&mut scratch.directory);
    directory.clear();
    scratch.joined = 0;
    for &column in &plan.to.order {
        let at = out.len();
        let encoding = match column {
            Column::Int(i) => ints::encode(&batch.ints[i as usize], density, out)?,
            Column::Float(i) => {
                floats::encode(&batch.floats[i as usize], density, &mut scratch.ints, out)?
            }
            Column::Str(i) => {
                strings::encode(&batch.strs[i as usize], text, density, scratch, out)?
            }
            Column::Bit(i) => bits::encode(&batch.bits[i as usize], density, out)?,
        };
        directory.push(encoding);
        varint::push(&mut directory, batch.count(column) as u64);
        varint::push(&mut directory, (out.len() - at) as u64);
    }
    out.extend(&directory)?;
    out.extend(&(directory.len() as u32).to_le_bytes())?;
    scratch.directory = directory;
    Ok(())
}

/// Asks whether so many bytes of memory may be taken. A fault is the answer no.
pub type Ask<'a> = &'a mut dyn FnMut(usize) -> Result<(), Fault>;

/// The memory that a frame's columns may take besides its body.
struct Memory<'a> {
    ask: Ask<'a>,
    /// The text that the columns so far have as words.
    joined: usize,
}

impl Memory<'_> {
    /// Asks for memory for the text of a column that is stored as words.
    fn ask_for_joined(&mut self, text: usize) -> Result<(), Fault> {
        self.joined = self.joined.saturating_add(text);
        if self.joined > MAX_JOINED_TEXT {
            return malformed("the str columns claim more text in words than a frame may hold")?;
        }
        (self.ask)(text)
    }
}

/// The chunk of a column, by the directory.
#[derive(Clone, Copy, Debug)]
pub struct Chunk {
    encoding: u8,
    values: usize,
    /// Its length in bytes.
    pub bytes: usize,
}

impl Chunk {
    /// Names the encoding. The chunk is of this column.
    pub fn encoding_of(self, column: Column) -> &'static str {
        match (column, self.encoding) {
            (Column::Int(_), ints::CONSTANT)
            | (Column::Float(_), floats::CONSTANT)
            | (Column::Bit(_), bits::CONSTANT) => "constant",
            (Column::Int(_), ints::PACKED) => "packed",
            (Column::Int(_), ints::DELTA) => "delta",
            (Column::Int(_), ints::PATCHED) => "patched",
            (Column::Float(_), floats::DECIMAL) => "decimal",
            (Column::Float(_), floats::SINGLE) => "single",
            (Column::Float(_), _) => "raw",
            (Column::Str(_), strings::DICTIONARY) => "dictionary",
            (Column::Str(_), strings::WORDS) => "words",
            (Column::Str(_), strings::DICTIONARY_OF_WORDS) => "dictionary of words",
            (Column::Bit(_), bits::BITMAP) => "bitmap",
            _ => "plain",
        }
    }
}

/// Returns the bytes of all chunks in `body`, and the chunks in the order of the columns.
fn directory<'a>(plan: &Plan, body: &'a [u8]) -> Result<(&'a [u8], Vec<Chunk>), Fault> {
    let Some((rest, len)) = body.split_last_chunk::<4>() else {
        return Err(Fault::Corrupt("the directory is cut"));
    };
    let at = rest.len().checked_sub(u32::from_le_bytes(*len) as usize);
    let Some((bytes, mut directory)) = at.map(|at| rest.split_at(at)) else {
        return Err(Fault::Corrupt("the directory is longer than its frame"));
    };
    let mut chunks = memory::with_capacity(plan.from.order.len())?;
    for _ in &plan.from.order {
        let Some((&encoding, rest)) = directory.split_first() else {
            return Err(Fault::Corrupt("the directory is cut"));
        };
        directory = rest;
        let values = take_count(&mut directory)?;
        chunks.push(Chunk { encoding, values, bytes: take_count(&mut directory)? });
    }
    match directory.is_empty() {
        true => Ok((bytes, chunks)),
        false => Err(Fault::Corrupt("there are bytes after the last column")),
    }
}

/// Returns the chunks of the columns in `body`, in the order of the columns.
///
/// # Errors
/// A corrupt fault if the directory is damaged.
pub fn chunks(plan: &Plan, body: &[u8]) -> Result<Vec<Chunk>, Fault> {
    directory(plan, body).map(|(_, chunks)| chunks)
}

/// Returns the columns in `body`, which has `rows` rows, after checking that they agree and that the
/// length of every chunk matches its values. The frame has `packed` bytes for the body in the message.
/// Asks before it takes memory.
///
/// # Errors
/// A corrupt fault that says what is wrong with the bytes. Until then, memory is allocated only
/// for columns, and for text that is stored as words. And the faults of `ask`.
pub fn unpack<'a>(
    plan: &Plan,
    rows: usize,
    body: &'a [u8],
    packed: usize,
    ask: Ask<'_>,
) -> Result<ColumnSet<'a>, Fault> {
    let columns = plan.from.order.len();
    ask(columns * (size_of::<Chunk>() + size_of::<strings::StrReader<'_>>()))?;
    let mut memory = Memory { ask, joined: 0 };
    let (mut bytes, chunks) = directory(plan, body)?;
    let values = chunks.iter().fold(0usize, |sum, chunk| sum.saturating_add(chunk.values));
    let most = max_values(body.len(), packed);
    if values > most {
        return Err(Fault::Corrupt("the columns claim more values than such a frame may hold"));
    }
    let columns = &plan.from.columns;
    let mut set = ColumnSet {
        ints: memory::with_capacity(columns.ints as usize)?,
        floats: memory::with_capacity(columns.floats as usize)?,
        strs: memory::with_capacity(columns.strs as usize)?,
        bits: memory::with_capacity(columns.bits as usize)?,
        rows,
        elements: 0,
    };
    for (column, chunk) in plan.from.order.iter().zip(chunks) {
        let Chunk { encoding, values: count, bytes: len } = chunk;
        let chunk = take_bytes(&mut bytes, len)?;
        match column {
            Column::Int(_) => set.ints.push(ints::IntReader::new(encoding, count, chunk)?),
            Column::Float(_) => set.floats.push(floats::FloatReader::new(encoding, count, chunk)?),
            Column::Str(i) => {
                let holds = plan.from.str_encodings[*i as usize];
                let reader = strings::StrReader::new(encoding, count, chunk, holds, &mut memory)?;
                set.strs.push(reader);
            }
            Column::Bit(_) => set.bits.push(bits::BitReader::new(encoding, count, chunk)?),
        }
    }
    if !bytes.is_empty() {
        return Err(Fault::Corrupt("there are bytes after the last column"));
    }
    set.elements = validate::counts(plan, &set, values, most)?;
    Ok(set)
}

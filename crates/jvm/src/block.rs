//! The columns of a frame in one block of memory; `docs/jvm.md` describes its layout.

use bytemuck::cast_slice_mut;
use serow_core::error::{Error, ErrorKind, Fault, Result};
use serow_core::layout::OpResult;
use serow_core::layout::batch::BAD_CODE;
use serow_core::wire::frame::{ColumnSet, floats, ints, strings};

/// Words in the table for each column.
pub const WORDS: usize = 4;
/// Numbers to unpack in one step if they are converted.
const CHUNK: usize = 512;
/// Java indexes buffers by ints.
const MAX_BYTES: usize = i32::MAX as usize - 8;

/// Flags of a string column.
pub const DICTIONARY: u64 = 1;
const ASCII: u64 = 2;

/// Gets the number of bytes before the columns take them, and may refuse.
pub type Ask<'a> = &'a mut dyn FnMut(usize) -> OpResult;

/// Reusable memory for the columns of a frame.
#[derive(Default)]
pub struct Block {
    words: Vec<u64>,
    /// The address and length of the memory at the last call of `has_moved`.
    seen: (usize, usize),
    /// Buffer for numbers that are converted.
    scratch: Vec<i64>,
}

impl Block {
    /// Unpacks the columns of `set`.
    ///
    /// # Errors
    /// A limit error if they take too many bytes. A decode error if they are damaged.
    pub fn unpack(&mut self, set: ColumnSet<'_>, ask: Ask<'_>) -> Result<()> {
        let strs = set.strs.iter().map(|column| {
            str_words(
                column.lengths.left(),
                column.codes.as_ref().map(ints::IntReader::left),
                column.text.plain().bytes(),
            )
        });
        let words = total(&[
            set.ints.iter().map(ints::IntReader::left).sum(),
            set.floats.iter().map(floats::FloatReader::left).sum(),
            strs.sum(),
            set.bits.iter().map(|column| column.left().div_ceil(8)).sum(),
        ]);
        self.scratch.resize(CHUNK, 0);
        let Block { words: memory, scratch, .. } = self;
        let mut table = table(memory, set.count(), words, ask)?;
        for mut column in set.ints {
            let values = column.left();
            column.read(cast_slice_mut(table.column(values, values, 0, 0)));
        }
        for mut column in set.floats {
            let values = column.left();
            let to = cast_slice_mut(table.column(values, values, 0, 0));
            for to in to.chunks_mut(CHUNK) {
                let scratch = &mut scratch[..to.len()];
                column.read(to, scratch);
            }
        }
        for column in set.strs {
            unpack_strings(column, &mut table, scratch)?;
        }
        for mut column in set.bits {
            let values = column.left();
            let to = cast_slice_mut(table.column(values, values.div_ceil(8), 0, 0));
            column.read(&mut to[..values]);
        }
        Ok(())
    }

    /// The memory that Java reads.
    pub fn memory(&mut self) -> &mut [u64] {
        &mut self.words
    }

    /// The number of bytes that are kept.
    pub fn kept(&self) -> usize {
        8 * self.words.len()
    }

    /// Whether the memory has moved since the last call.
    pub fn has_moved(&mut self) -> bool {
        let now = (self.words.as_ptr().addr(), self.words.len());
        std::mem::replace(&mut self.seen, now) != now
    }
}

/// Splits `memory` into the table and the data of a block, and grows it if necessary.
fn table<'a>(
    memory: &'a mut Vec<u64>,
    columns: usize,
    data: usize,
    ask: Ask<'_>,
) -> Result<Table<'a>> {
    let needed = data.saturating_add(WORDS * columns);
    ask(needed.saturating_mul(8)).map_err(|fault| match fault {
        Fault::Limit(what) => Error::limit(what),
        fault => fault.into_error(ErrorKind::Decode, "its columns"),
    })?;
    if needed > MAX_BYTES / 8 {
        return Err(Error::limit(
            "a frame's columns take more than 2 GiB, more than Java's buffers can hold; write \
             fewer rows a message",
        ));
    }
    if memory.len() < needed {
        // Not `resize`: new memory from the system is zero without a write. Growing to at least
        // twice the size avoids moving a block that grows a little with each message.
        let wanted = needed.max((2 * memory.len()).min(MAX_BYTES / 8));
        *memory = Vec::new();
        *memory = vec![0; wanted];
    }
    let (table, data) = memory[..needed].split_at_mut(WORDS * columns);
    Ok(Table { offset: 8 * table.len(), table, data })
}

fn total(words: &[usize]) -> usize {
    words.iter().fold(0, |sum, &n| sum.saturating_add(n))
}

/// The number of words of a string column's data.
fn str_words(entries: usize, codes: Option<usize>, text: &[u8]) -> usize {
    (entries + 1).div_ceil(2) + codes.unwrap_or(0).div_ceil(2) + text.len().div_ceil(8)
}

/// The rest of a block: table and data for the columns to come.
struct Table<'a> {
    table: &'a mut [u64],
    data: &'a mut [u64],
    /// The byte offset of `data` in the block.
    offset: usize,
}

/// The memory for the numbers of a string column.
struct Strings<'a> {
    offsets: &'a mut [u32],
    codes: &'a mut [u32],
}

impl<'a> Table<'a> {
    /// Writes the table entry of the next column, and returns the memory for its data.
    fn column(&mut self, values: usize, words: usize, entries: usize, flags: u64) -> &'a mut [u64] {
        let (row, table) = std::mem::take(&mut self.table).split_at_mut(WORDS);
        let (column, data) = std::mem::take(&mut self.data).split_at_mut(words);
        row.copy_from_slice(&[values as u64, self.offset as u64, entries as u64, flags]);
        (self.table, self.data) = (table, data);
        self.offset += 8 * words;
        column
    }

    /// Writes the table entry and the text of the next column, which has strings.
    fn strings(
        &mut self,
        entries: usize,
        codes: Option<usize>,
        text: &[u8],
        ascii: bool,
    ) -> Strings<'a> {
        let flags = if codes.is_some() { DICTIONARY } else { 0 } | if ascii { ASCII } else { 0 };
        let words = str_words(entries, codes, text);
        let column = self.column(codes.unwrap_or(entries), words, entries, flags);
        let (offsets, rest) = column.split_at_mut((entries + 1).div_ceil(2));
        let (codes, bytes) = rest.split_at_mut(codes.unwrap_or(0).div_ceil(2));
        cast_slice_mut(bytes)[..text.len()].copy_from_slice(text);
        let offsets = cast_slice_mut(offsets);
        offsets[0] = 0;
        Strings { offsets, codes: cast_slice_mut(codes) }
    }
}

fn unpack_strings(
    mut column: strings::StrReader<'_>,
    table: &mut Table<'_>,
    scratch: &mut [i64],
) -> Result<()> {
    let entries = column.lengths.left();
    let codes = column.codes.as_ref().map(ints::IntReader::left);
    let text = column.text.plain();
    let to = table.strings(entries, codes, text.bytes(), text.is_known_ascii());
    let mut end = 0;
    each(&mut column.lengths, &mut to.offsets[1..=entries], scratch, |length| {
        // The reader has checked that the sum of the lengths is that of the text, less than 2 GiB.
        end += length as u32;
        Some(end)
    })?;
    if let (Some(reader), Some(count)) = (&mut column.codes, codes) {
        each(reader, &mut to.codes[..count], scratch, |code| {
            ((code as u64) < entries as u64).then_some(code as u32)
        })?;
    }
    Ok(())
}

/// Writes the result of `number` for each value of `column`.
fn each(
    column: &mut ints::IntReader<'_>,
    to: &mut [u32],
    scratch: &mut [i64],
    mut number: impl FnMut(i64) -> Option<u32>,
) -> Result<()> {
    for to in to.chunks_mut(CHUNK) {
        let chunk = &mut scratch[..to.len()];
        column.read(chunk);
        for (to, &value) in to.iter_mut().zip(&*chunk) {
            *to = number(value).ok_or_else(|| Error::decode(BAD_CODE))?;
        }
    }
    Ok(())
}

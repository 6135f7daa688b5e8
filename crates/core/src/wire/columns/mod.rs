//! Columns as a source of rows, unpacked one window at a time.
//!
//! Every column has a cursor with a window of a few hundred values. So unpacked values stay in the
//! first levels of the cache until they are used, even for large frames. All windows are in one
//! block of 64-bit words, at a fixed distance from each other. So, for columns with exactly one
//! value per row, compiled code finds all values of a row at fixed distances from one address.
//!
//! For rows in any order, the window of each column has all its values.

mod cursor;

use std::ptr::{from_mut, null, null_mut};
use std::sync::Arc;

use bytemuck::cast_slice;
use cursor::{ColumnReader, Cursor, SHORT, WINDOW, Windows, Word};

use crate::error::Fault;
use crate::layout::batch::BAD_CODE;
use crate::layout::discard::Discard;
use crate::layout::{
    ColumnText, JitKind, LayoutKind, NumberType, Numbers, OpResult, SinkBase, Source, Text,
};
use crate::memory;
use crate::plan::{Arm, ColumnUsage, Plan, Reads};
use crate::schema::{Container, Logical};
use crate::wire::frame::{ColumnSet, strings};

/// The distance in words between the windows of neighbouring columns. The word after the last value
/// of a plain string column is the end of its text.
pub const STRIDE: usize = WINDOW + 1;

/// The columns belong to another plan than the one that runs.
const NO_COLUMN: Fault = Fault::Corrupt("a frame has other columns than its rows");

/// The kind of [`ColumnCursors`]. Its context is a [`ColumnsContext`].
pub static COLUMNS: LayoutKind = LayoutKind::new("columns");

/// How cursors are made.
struct Made {
    /// Whether the sink gets dictionaries.
    has_dictionaries: bool,
    /// Whether the window of a column has all its values.
    is_whole: bool,
}

/// Columns as a source.
pub struct ColumnCursors<'a> {
    /// Cursors of ints, floats, strs and bits, each in the plan's order.
    cursors: Vec<Cursor<'a>>,
    /// Indices in `cursors` of the first float, the first str and the first bit column.
    floats: usize,
    strs: usize,
    bits: usize,
    windows: Windows,
    /// Whether the window of a column has all its values.
    is_whole: bool,
    texts: Vec<Strs<'a>>,
    jit: ColumnsJit<'a>,
}

struct Strs<'a> {
    text: ColumnText<'a>,
    /// The number of entries if the column has a dictionary.
    entries: Option<u64>,
    /// The offset of each entry and the end of the last one. Empty if the sink has the dictionary.
    begins: Vec<u32>,
}

impl Strs<'_> {
    /// Returns the entry with this code.
    #[inline(always)]
    fn entry(&self, code: u64) -> OpResult<Text<'_>> {
        if self.entries.is_none_or(|entries| code >= entries) {
            return Err(Fault::Corrupt(BAD_CODE));
        }
        match self.begins[..] {
            [] => Ok(Text::Entry(code as u32)),
            ref begins => {
                let code = code as usize;
                let text = self.text.plain().get(begins[code] as usize..begins[code + 1] as usize);
                Ok(Text::Plain(text.ok_or(SHORT)?))
            }
        }
    }
}

/// The context of compiled code that reads a frame's windows.
#[derive(Debug)]
#[repr(C)]
pub struct ColumnsContext {
    /// The next row's value in the first window. The value of column `i` is `i` times [`STRIDE`]
    /// words further, if the column has one value per row.
    pub row: *const u64,
    /// The columns: ints, floats, strs and bits, each in the plan's order.
    pub columns: *mut ColumnWindowContext,
    /// The number of converted rows. Compiled code writes it before it returns.
    pub rows: usize,
    /// The [`ColumnCursors`] that this context belongs to, for [`refill`].
    columns_of: *mut (),
}

/// A column of a frame. `next`, `committed` and `end` are only set for columns that may have more
/// or fewer values than one per row.
#[derive(Debug)]
#[repr(C)]
pub struct ColumnWindowContext {
    /// The next value.
    pub next: *const u64,
    /// The first value of the current row, or null if it was in an earlier window.
    pub committed: *const u64,
    /// The end of the window.
    pub end: *const u64,
    /// The text of a plain string column. A value is the offset of its string; the next word is the
    /// string's end.
    pub text: *const u8,
    /// Whether the values are codes of dictionary entries, as 0 or 1.
    pub is_dictionary: u64,
    /// The number of dictionary entries.
    pub entries: u64,
    /// Whether all of the text is ASCII, as 0 or 1.
    pub ascii: u64,
    /// The offset of each entry and the end of the last one, in `text`. Unused if the sink has the
    /// dictionary.
    pub begins: *const u32,
}

/// State for compiled code.
struct ColumnsJit<'a> {
    /// How the plan whose columns these are uses them.
    usage: &'a Arc<ColumnUsage>,
    context: ColumnsContext,
    columns: Vec<ColumnWindowContext>,
    /// For each column that is read any number of times, its state at the start of the row if it
    /// was refilled within the row.
    kept: Vec<Kept<'a>>,
}

/// The state of a column at the start of a row: the unread words of its window, and the reader.
#[derive(Default)]
struct Kept<'a> {
    words: Vec<Word>,
    reader: Option<ColumnReader<'a>>,
}

// SAFETY: the pointers are those of the contexts, which lead into memory that the cursors own or borrow. They
// are used between `enter_jit` and `exit_jit` only, while the caller holds the cursors.
unsafe impl Send for ColumnCursors<'_> {}

impl<'a> ColumnCursors<'a> {
    /// Creates a source of the rows of `set`, which must have the columns that `plan` reads. Passes a
    /// dictionary to `sink` if one column of the sink has all its values, and tells it the memory that
    /// the columns take.
    ///
    /// # Errors
    /// The sink's error about a dictionary or the memory.
    pub fn new<K: SinkBase>(
        plan: &'a Plan,
        set: ColumnSet<'a>,
        sink: &mut K,
    ) -> OpResult<ColumnCursors<'a>> {
        ColumnCursors::make(plan, set, sink, Made { has_dictionaries: true, is_whole: false })
    }

    /// Like [`ColumnCursors::new`], for any sinks: all text is plain.
    ///
    /// # Errors
    /// A fault if `set` has other columns, or memory runs out.
    pub fn with_plain_text(plan: &'a Plan, set: ColumnSet<'a>) -> OpResult<ColumnCursors<'a>> {
        let made = Made { has_dictionaries: false, is_whole: false };
        ColumnCursors::make(plan, set, &mut Discard::new(()), made)
    }

    /// Like [`ColumnCursors::new`], for rows in any order and any sinks: all text is plain, and a column is
    /// unpacked as a whole when its first value is read.
    ///
    /// # Errors
    /// A fault if `set` has other columns, or memory runs out; the sink's error about the memory.
    pub fn whole<K: SinkBase>(
        plan: &'a Plan,
        set: ColumnSet<'a>,
        sink: &mut K,
    ) -> OpResult<ColumnCursors<'a>> {
        ColumnCursors::make(plan, set, sink, Made { has_dictionaries: false, is_whole: true })
    }

    fn make<K: SinkBase>(
        plan: &'a Plan,
        set: ColumnSet<'a>,
        sink: &mut K,
        Made { has_dictionaries, is_whole }: Made,
    ) -> OpResult<ColumnCursors<'a>> {
        let of_plan = &plan.from.columns;
        let has_columns = set.ints.len() == of_plan.ints as usize
            && set.floats.len() == of_plan.floats as usize
            && set.strs.len() == of_plan.strs as usize
            && set.bits.len() == of_plan.bits as usize;
        if !has_columns {
            return Err(NO_COLUMN);
        }
        let floats = set.ints.len();
        let strs = floats + set.floats.len();
        let bits = strs + set.strs.len();
        let columns = set.count();
        let mut texts = memory::with_capacity(set.strs.len())?;
        let mut cursors: Vec<Cursor<'a>> = memory::with_capacity(columns)?;
        let (mut words, mut index) = (0, 0);
        let mut cursor = |reader: ColumnReader<'a>| {
            let most = match (is_whole, plan.usage.reads[index]) {
                (false, _) => WINDOW,
                (true, Reads::Not) => 0,
                (true, _) => reader.left(),
            };
            let window = words;
            (words, index) = (words + most + 1, index + 1);
            Cursor { window, most, at: 0, len: 0, written: 0, reader }
        };
        cursors.extend(set.ints.into_iter().map(ColumnReader::Ints).map(&mut cursor));
        cursors.extend(set.floats.into_iter().map(ColumnReader::Floats).map(&mut cursor));
        for (column, reader) in set.strs.into_iter().enumerate() {
            let mut begins = Vec::new();
            if reader.codes.is_some() && plan.usage.reads[strs + column] != Reads::Not {
                sink.hold(reader.ends_bytes())?;
                let ends = reader.ends()?;
                match plan.dictionaries[column].filter(|_| has_dictionaries) {
                    Some(to) => sink.dictionary(
                        to,
                        reader.str_encoding,
                        &ends,
                        reader.text.plain().bytes(),
                    )?,
                    None => {
                        begins = ends;
                        memory::reserve(&mut begins, 1)?;
                        begins.insert(0, 0);
                    }
                }
            }
            let strings::StrReader { text, lengths, codes, .. } = reader;
            let entries = codes.as_ref().map(|_| lengths.left() as u64);
            let len = text.plain().bytes().len() as u64;
            texts.push(Strs { text, entries, begins });
            cursors.push(cursor(match codes {
                Some(codes) => ColumnReader::Ints(codes),
                None => ColumnReader::Begins { lengths, at: 0, text: len },
            }));
        }
        cursors.extend(set.bits.into_iter().map(ColumnReader::Bits).map(cursor));
        sink.hold(columns * size_of::<Cursor<'_>>() + words * size_of::<Word>())?;
        let len = words;
        let mut words = memory::with_capacity(len)?;
        // SAFETY: a `MaybeUninit` word may be uninitialised, and the capacity suffices.
        unsafe { words.set_len(len) };
        let windows = Windows { words, scratch: Vec::new() };
        let context =
            ColumnsContext { row: null(), columns: null_mut(), rows: 0, columns_of: null_mut() };
        let usage = &plan.usage;
        let jit = ColumnsJit { usage, context, columns: Vec::new(), kept: Vec::new() };
        Ok(ColumnCursors { cursors, floats, strs, bits, windows, is_whole, texts, jit })
    }

    /// Adds the place of the next row in each column that is read any number of times to `places`. The
    /// columns must be [whole](ColumnCursors::whole).
    ///
    /// # Errors
    /// A fault if memory runs out.
    pub fn add_places(&self, places: &mut Vec<usize>) -> OpResult {
        let often = &self.jit.usage.read_often;
        memory::reserve(places, often.len())?;
        places.extend(often.iter().map(|&column| self.cursors[column].at));
        Ok(())
    }

    /// Moves to `row`. `places` are what [`ColumnCursors::add_places`] added before this row. The columns must
    /// be [whole](ColumnCursors::whole).
    ///
    /// # Errors
    /// A fault if a column ends before the row.
    pub fn go_to(&mut self, row: usize, places: &[usize]) -> OpResult {
        let ColumnCursors { cursors, windows, jit, .. } = self;
        let once = jit.usage.read_once.iter().map(|&column| (column, row));
        let often = jit.usage.read_often.iter().copied().zip(places.iter().copied());
        for (column, place) in once.chain(often) {
            let cursor = &mut cursors[column];
            if cursor.len == 0 && cursor.most > 0 {
                cursor.refill(windows)?;
            }
            if place > cursor.len {
                return Err(SHORT);
            }
            cursor.at = place;
        }
        Ok(())
    }

    /// Returns the address of the next value of a column and moves past it.
    #[inline(always)]
    fn step(&mut self, index: usize) -> OpResult<*const Word> {
        let Some(cursor) = self.cursors.get_mut(index) else { return Err(NO_COLUMN) };
        if cursor.at == cursor.len {
            cursor.refill(&mut self.windows)?;
        }
        let at = cursor.window + cursor.at;
        cursor.at += 1;
        // SAFETY: after a refill there is at least one value at `at`, in the cursor's window.
        Ok(unsafe { self.windows.words.as_ptr().add(at) })
    }

    #[inline(always)]
    fn next(&mut self, index: usize) -> OpResult<u64> {
        // SAFETY: the value was unpacked.
        self.step(index).map(|value| unsafe { (*value).assume_init() })
    }

    /// Returns the next value if it is in the window, and moves past it.
    #[inline(always)]
    fn ready(&mut self, index: usize) -> Option<u64> {
        let cursor = self.cursors.get_mut(index)?;
        if cursor.at == cursor.len {
            return None;
        }
        let at = cursor.window + cursor.at;
        cursor.at += 1;
        // SAFETY: the last refill has unpacked all values before `len`.
        Some(unsafe { self.windows.words.get_unchecked(at).assume_init() })
    }

    /// Returns at most `most` of the next values of each of these columns, as many as are in one window of each,
    /// and moves past them. None if a column has no more values, or they can't be unpacked.
    fn ready_words<const N: usize>(&mut self, columns: [usize; N], most: usize) -> [&[u64]; N] {
        let mut len = most;
        for index in columns {
            let Some(cursor) = self.cursors.get_mut(index) else { return [&[]; N] };
            if cursor.at == cursor.len && cursor.refill(&mut self.windows).is_err() {
                return [&[]; N];
            }
            len = len.min(cursor.len - cursor.at);
        }
        let begins = columns.map(|index| {
            let cursor = &mut self.cursors[index];
            cursor.at += len;
            cursor.window + cursor.at - len
        });
        begins.map(|at| {
            let words = &self.windows.words[at..at + len];
            // SAFETY: the last refill has unpacked all values before `cursor.len`.
            unsafe { std::slice::from_raw_parts(words.as_ptr().cast(), len) }
        })
    }

    /// Returns the next value and the word after it, which is the end of the string if the column
    /// is a plain string column.
    #[inline(always)]
    fn next_with_word_after(&mut self, index: usize) -> OpResult<(u64, u64)> {
        // SAFETY: the value was unpacked. A window has one word more than values, which is written
        // with them.
        self.step(index)
            .map(|value| unsafe { ((*value).assume_init(), (*value.add(1)).assume_init()) })
    }

    /// Fills in the parts of the context that do not change between calls of compiled code.
    fn describe(&mut self) {
        let text = |index: usize| {
            let strs = index.checked_sub(self.strs).and_then(|i| self.texts.get(i));
            strs.map_or((null(), None, false, null()), |strs| {
                let text = strs.text.plain();
                let (bytes, ascii) = (text.bytes(), text.is_known_ascii());
                (bytes.as_ptr(), strs.entries, ascii, strs.begins.as_ptr())
            })
        };
        let context = |index| {
            let (text, entries, ascii, begins) = text(index);
            ColumnWindowContext {
                next: null(),
                committed: null(),
                end: null(),
                text,
                is_dictionary: entries.is_some().into(),
                entries: entries.unwrap_or(0),
                ascii: ascii.into(),
                begins,
            }
        };
        self.jit.columns = (0..self.cursors.len()).map(context).collect();
        self.jit.kept.resize_with(self.cursors.len(), Kept::default);
    }

    /// Refills a counted column whose window is used up. The first refill within a row keeps the
    /// state that the column had at the start of the row.
    fn refill_in_jit(&mut self, column: usize) -> OpResult {
        let (cursor, context) = (&mut self.cursors[column], &mut self.jit.columns[column]);
        if !context.committed.is_null() {
            let window = &self.windows.words[cursor.window..];
            let from = (context.committed.addr() - window.as_ptr().addr()) / size_of::<u64>();
            let kept = &mut self.jit.kept[column];
            kept.words.clear();
            // Includes the word after the last value.
            kept.words.extend_from_slice(&window[from..=cursor.len]);
            kept.reader = Some(cursor.reader.clone());
            context.committed = null();
        }
        cursor.refill(&mut self.windows)?;
        let windows = self.windows.words.as_mut_ptr().cast_const().cast::<u64>();
        let window = windows.wrapping_add(cursor.window);
        context.next = window;
        context.end = window.wrapping_add(cursor.len);
        Ok(())
    }
}

/// Unpacks more values of a column whose window compiled code has used up. Returns false if there
/// are none.
///
/// # Safety
/// `context` must come from `enter_jit` of [`ColumnCursors`], and `exit_jit` must not have been
/// called since. `column` must be a column that may have more or fewer values than one per row.
pub unsafe fn refill(context: *mut ColumnsContext, column: usize) -> bool {
    // SAFETY: the caller promises that the context is valid. Nothing else uses its columns now.
    let columns = unsafe { &mut *(*context).columns_of.cast::<ColumnCursors<'_>>() };
    columns.refill_in_jit(column).is_ok()
}

impl Source for ColumnCursors<'_> {
    const NEVER: Fault = Fault::Corrupt("a value is of type never");
    // SAFETY: `enter_jit` returns a `ColumnsContext` of the windows, and `is_ready_for` checks that
    // they belong to the plan.
    const KIND: Option<JitKind<Self>> = Some(unsafe { JitKind::new(&COLUMNS) });
    const SKIPS_FREELY: bool = true;

    fn is_ready_for(&mut self, plan: &Plan) -> bool {
        !self.is_whole && Arc::ptr_eq(self.jit.usage, &plan.usage)
    }

    fn prepare(&mut self, rows: usize) -> usize {
        // Columns with one value per row are at the same position of their windows.
        let mut sure = rows;
        let mut first = None;
        for &column in &self.jit.usage.read_once {
            let cursor = &mut self.cursors[column];
            if cursor.at == cursor.len && cursor.refill(&mut self.windows).is_err() {
                return 0;
            }
            if *first.get_or_insert(cursor.at) != cursor.at {
                return 0;
            }
            sure = sure.min(cursor.len - cursor.at);
        }
        sure
    }

    fn enter_jit(&mut self) -> *mut () {
        if self.jit.columns.is_empty() {
            self.describe();
        }
        // Refills write to the windows through this same pointer, so it stays valid.
        let windows = self.windows.words.as_mut_ptr().cast_const().cast::<u64>();
        for &column in &self.jit.usage.read_often {
            let (cursor, context) = (&self.cursors[column], &mut self.jit.columns[column]);
            let window = windows.wrapping_add(cursor.window);
            context.next = window.wrapping_add(cursor.at);
            context.committed = context.next;
            context.end = window.wrapping_add(cursor.len);
        }
        let at = self.jit.usage.read_once.first().map_or(0, |&column| self.cursors[column].at);
        self.jit.context.row = windows.wrapping_add(at);
        self.jit.context.columns = self.jit.columns.as_mut_ptr();
        // Derive both pointers from one, so that using one does not invalidate the other.
        let this = from_mut(self);
        // SAFETY: `this` is valid, and nothing else uses the columns now.
        unsafe {
            (*this).jit.context.columns_of = this.cast();
            (&raw mut (*this).jit.context).cast()
        }
    }

    unsafe fn exit_jit(&mut self) {
        for &column in &self.jit.usage.read_once {
            self.cursors[column].at += self.jit.context.rows;
        }
        for &column in &self.jit.usage.read_often {
            let (cursor, context) = (&mut self.cursors[column], &self.jit.columns[column]);
            let window = &mut self.windows.words[cursor.window..];
            if !context.committed.is_null() {
                cursor.at = (context.committed.addr() - window.as_ptr().addr()) / size_of::<u64>();
            } else if let Kept { words, reader: Some(reader) } = &mut self.jit.kept[column] {
                // Compiled code left the row after a refill: restore the start of the row.
                window[..words.len()].copy_from_slice(words);
                (cursor.at, cursor.len) = (0, words.len() - 1);
                cursor.reader = reader.clone();
            }
        }
    }

    #[inline(always)]
    fn row(&mut self, _row: usize) -> OpResult {
        Ok(())
    }

    #[inline(always)]
    fn end_row(&mut self) -> OpResult {
        Ok(())
    }

    #[inline(always)]
    fn i64(&mut self, column: u32) -> OpResult<i64> {
        Ok(self.next(column as usize)? as i64)
    }

    #[inline(always)]
    fn f64(&mut self, column: u32) -> OpResult<f64> {
        self.next(self.floats + column as usize).map(f64::from_bits)
    }

    #[inline(always)]
    fn str(&mut self, column: u32) -> OpResult<Text<'_>> {
        let (number, after) = self.next_with_word_after(self.strs + column as usize)?;
        let strs = &self.texts[column as usize];
        if strs.entries.is_some() {
            return strs.entry(number);
        }
        match strs.text.plain().get(number as usize..after as usize) {
            Some(text) => Ok(Text::Plain(text)),
            None => Err(SHORT),
        }
    }

    #[inline(always)]
    fn bytes(&mut self, column: u32) -> OpResult<Text<'_>> {
        self.str(column)
    }

    #[inline(always)]
    fn bool(&mut self, column: u32) -> OpResult<bool> {
        Ok(self.next(self.bits + column as usize)? != 0)
    }

    #[inline(always)]
    fn null(&mut self) -> OpResult {
        Ok(())
    }

    #[inline(always)]
    fn present(&mut self, column: u32) -> OpResult<bool> {
        self.bool(column)
    }

    #[inline(always)]
    fn enter(&mut self, _container: Container, _len: u32) -> OpResult {
        Ok(())
    }

    #[inline(always)]
    fn leave(&mut self) {}

    #[inline(always)]
    fn sequence(
        &mut self,
        _container: Container,
        column: u32,
        _zero_sized: bool,
    ) -> OpResult<usize> {
        Ok(self.next(column as usize)? as usize)
    }

    fn ready_numbers(&mut self, of: NumberType, column: u32, most: usize) -> Numbers<'_> {
        let column = column as usize;
        match of {
            NumberType::I64 => {
                let [words] = self.ready_words([column], most);
                Numbers::I64(cast_slice(words))
            }
            NumberType::F64 | NumberType::Logical(Logical::F32) => {
                let [words] = self.ready_words([self.floats + column], most);
                Numbers::F64(cast_slice(words))
            }
            NumberType::Logical(ty) if ty.counts().ints == 1 => {
                let [words] = self.ready_words([column], most);
                Numbers::Ints(ty, [cast_slice(words), &[]])
            }
            NumberType::Logical(ty) => {
                let words = self.ready_words([column, column + 1], most);
                Numbers::Ints(ty, words.map(cast_slice))
            }
            // A window has a word for each bit.
            NumberType::Bool => Numbers::Bool(&[]),
        }
    }

    #[inline(always)]
    fn arm(&mut self, _arms: &[Arm], column: u32) -> OpResult<usize> {
        Ok(self.next(column as usize)? as usize)
    }

    #[inline(always)]
    fn ready_i64(&mut self, column: u32) -> Option<i64> {
        self.ready(column as usize).map(|v| v as i64)
    }

    #[inline(always)]
    fn ready_f64(&mut self, column: u32) -> Option<f64> {
        self.ready(self.floats + column as usize).map(f64::from_bits)
    }

    #[inline(always)]
    fn ready_bool(&mut self, column: u32) -> Option<bool> {
        self.ready(self.bits + column as usize).map(|v| v != 0)
    }

    #[inline(always)]
    fn ready_present(&mut self, column: u32) -> Option<bool> {
        self.ready_bool(column)
    }
}

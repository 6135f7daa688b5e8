//! The columns of a frame as a source: [`ColumnCursors`](serow_core::wire::columns::ColumnCursors),
//! emitted.
//! The value of a column with one value per row is at a fixed distance from the row's first value,
//! and the caller has checked that it is unpacked. Other columns keep the address of their next
//! value in memory, because there may be many columns, and check whether their window is used up.

use std::mem::offset_of;

use serow_core::plan::{Arm, ColumnCounts, Plan, Reads};
use serow_core::schema::Container;
use serow_core::wire::columns::{
    COLUMNS as COLUMNS_OF_FRAME, ColumnWindowContext, ColumnsContext, STRIDE,
};

use super::conversion::{MakeSource, SourceLayout, Static};
use super::layout::{Source, SsaState, Text};
use crate::emit::helpers;
use crate::ir::{Block, Bool, Built, Emitter, Function, Int, IntPredicate, Pointer, Typed, Value};

const ROW: u64 = offset_of!(ColumnsContext, row) as u64;
const COLUMNS: u64 = offset_of!(ColumnsContext, columns) as u64;
const ROWS: u64 = offset_of!(ColumnsContext, rows) as u64;
const COLUMN: u64 = size_of::<ColumnWindowContext>() as u64;
const NEXT: u64 = offset_of!(ColumnWindowContext, next) as u64;
const COMMITTED: u64 = offset_of!(ColumnWindowContext, committed) as u64;
const END: u64 = offset_of!(ColumnWindowContext, end) as u64;
const TEXT: u64 = offset_of!(ColumnWindowContext, text) as u64;
const IS_DICTIONARY: u64 = offset_of!(ColumnWindowContext, is_dictionary) as u64;
const ENTRIES: u64 = offset_of!(ColumnWindowContext, entries) as u64;
const BEGINS: u64 = offset_of!(ColumnWindowContext, begins) as u64;
const ASCII: u64 = offset_of!(ColumnWindowContext, ascii) as u64;
/// The size of a word.
const WORD: u64 = 8;

impl SourceLayout<'_> {
    /// The columns of a frame.
    pub const COLUMNS: SourceLayout<'static> =
        SourceLayout(&Static::<MakeSource>(&COLUMNS_OF_FRAME, |e, program| {
            Ok(Box::new(Windows::new(e, program)))
        }));
}

#[derive(Clone)]
struct Windows<'ctx> {
    counts: ColumnCounts,
    /// How often each column is read.
    reads: Vec<Reads>,
    /// For each str column: whether its dictionary, if it has one, is passed to the sink.
    has_given: Vec<bool>,
    columns: Pointer<'ctx>,
    /// The first row's value in the first window, and the current row's.
    first: Pointer<'ctx>,
    row: Pointer<'ctx>,
    /// The columns and the row outside of the run that a loop reads.
    run: Option<(Pointer<'ctx>, Pointer<'ctx>)>,
}

impl<'ctx> Windows<'ctx> {
    fn new(e: &Emitter<'ctx, '_>, plan: &Plan) -> Windows<'ctx> {
        let none = e.null();
        Windows {
            counts: plan.from.columns,
            reads: plan.usage.reads.clone(),
            has_given: plan.dictionaries.iter().map(Option::is_some).collect(),
            columns: none,
            first: none,
            row: none,
            run: None,
        }
    }

    fn str_index(&self, column: u32) -> usize {
        (self.counts.ints + self.counts.floats + column) as usize
    }

    fn bit_index(&self, column: u32) -> usize {
        (self.counts.ints + self.counts.floats + self.counts.strs + column) as usize
    }

    fn context(&self, e: &Emitter<'ctx, '_>, index: usize) -> Built<Pointer<'ctx>> {
        e.at(self.columns, index as u64 * COLUMN)
    }

    /// Returns the address of the next value of a column and moves past it.
    fn step(&self, e: &mut Emitter<'ctx, '_>, index: usize) -> Built<Pointer<'ctx>> {
        if self.reads[index] == Reads::Once {
            return e.at(self.row, (index * STRIDE) as u64 * WORD);
        }
        let context = self.context(e, index)?;
        let next = e.load_ptr(context, NEXT, "next")?;
        let end = e.load_ptr(context, END, "end")?;
        let (more, join) = (e.block("more"), e.block("value"));
        let here = e.here()?;
        let used_up = e.same(next, end)?;
        e.branch_likely(e.not(used_up)?, join, more)?;
        e.switch_to_block(more);
        let function = refilled(e)?;
        let fresh = e.call(function, &[e.source.into(), e.int(index as u64).into()])?;
        let fresh = Pointer::of(fresh)?;
        let some = e.not_null(fresh)?;
        e.branch_likely(some, join, e.bailout)?;
        e.switch_to_block(join);
        let value = e.phi(&[(next, here), (fresh, more)])?;
        e.store(e.at(context, NEXT)?, e.at(value, WORD)?)?;
        Ok(value)
    }

    fn word(&self, e: &mut Emitter<'ctx, '_>, index: usize) -> Built<Int<'ctx>> {
        let value = self.step(e, index)?;
        e.field::<64>(value, 0, "word")
    }

    /// Returns the start and the end of a value's text. The value may be an entry of a dictionary
    /// that the sink does not have.
    fn text_or_entry(
        &self,
        e: &Emitter<'ctx, '_>,
        context: Pointer<'ctx>,
        value: Pointer<'ctx>,
    ) -> Built<(Int<'ctx>, Int<'ctx>)> {
        let [entry, text, join] = ["entry", "text", "join"].map(|name| e.block(name));
        let is_dictionary = e.field::<64>(context, IS_DICTIONARY, "is_dictionary")?;
        e.branch(e.not_zero(is_dictionary)?, entry, text)?;
        e.switch_to_block(entry);
        let code = e.field::<64>(value, 0, "code")?;
        let entries = e.field::<64>(context, ENTRIES, "entries")?;
        e.guard(e.compare(IntPredicate::ULT, code, entries)?)?;
        let begins = e.load_ptr(context, BEGINS, "begins")?;
        let begin = e.beyond(begins, e.mul(code, e.int(4))?)?;
        let of_entry = [0, 4].map(|offset| e.widen(e.field::<32>(begin, offset, "")?));
        let [begin, end] = of_entry;
        let of_entry = (begin?, end?, e.here()?);
        e.jump(join)?;
        e.switch_to_block(text);
        let of_text =
            (e.field::<64>(value, 0, "begin")?, e.field::<64>(value, WORD, "end")?, e.here()?);
        e.jump(join)?;
        e.switch_to_block(join);
        let phi = |a: Int<'ctx>, b: Int<'ctx>| e.phi(&[(a, of_entry.2), (b, of_text.2)]);
        Ok((phi(of_entry.0, of_text.0)?, phi(of_entry.1, of_text.1)?))
    }

    fn bit(&self, e: &mut Emitter<'ctx, '_>, column: u32) -> Built<Bool<'ctx>> {
        let word = self.word(e, self.bit_index(column))?;
        e.not_zero(word)
    }
}

/// `ptr refilled(ptr context, i64 column)`: unpacks more values of a column whose window is used
/// up. Returns the address of the next value, or null.
fn refilled<'ctx>(e: &mut Emitter<'ctx, '_>) -> Built<Function<'ctx>> {
    type Type = unsafe extern "C" fn(*mut ColumnsContext, usize) -> *mut ColumnWindowContext;
    e.rare::<Type>("refilled", |e, (context, column)| {
        let any = e.call_helper(helpers::REFILL, (context, column))?;
        let (some, none) = (e.block("some"), e.block("none"));
        e.branch(e.equal(any, 1)?, some, none)?;
        e.switch_to_block(some);
        let columns = e.load_ptr(context, COLUMNS, "columns")?;
        let column = e.beyond(columns, e.mul(column, e.int(COLUMN))?)?;
        e.ret(e.load_ptr(column, NEXT, "next")?)?;
        e.switch_to_block(none);
        e.ret(e.null())
    })
}

impl<'ctx> SsaState<'ctx> for Windows<'ctx> {
    fn fixed(&self) -> Vec<Value<'ctx>> {
        vec![self.columns.into(), self.row.into()]
    }

    fn set_fixed(&mut self, fixed: &[Value<'ctx>]) {
        self.columns = fixed[0].into_pointer_value();
        self.row = fixed[1].into_pointer_value();
    }

    fn begin(&mut self, e: &Emitter<'ctx, '_>) -> Built {
        self.columns = e.load_ptr(e.source, COLUMNS, "columns")?;
        self.first = e.load_ptr(e.source, ROW, "first")?;
        Ok(())
    }

    fn finish(&self, e: &Emitter<'ctx, '_>, _state: &[Value<'ctx>], done: Int<'ctx>) -> Built {
        e.store(e.at(e.source, ROWS)?, done)
    }
}

impl<'ctx> Source<'ctx> for Windows<'ctx> {
    fn row(&mut self, e: &Emitter<'ctx, '_>, _row: Int<'ctx>, done: Int<'ctx>) -> Built {
        self.row = e.beyond(self.first, e.mul(done, e.int(WORD))?)?;
        Ok(())
    }

    fn end_row(&mut self, e: &Emitter<'ctx, '_>) -> Built {
        let counted = |&index: &usize| self.reads[index] == Reads::AnyNumber;
        for index in (0..self.reads.len()).filter(counted) {
            let context = self.context(e, index)?;
            e.store(e.at(context, COMMITTED)?, e.field::<64>(context, NEXT, "next")?)?;
        }
        Ok(())
    }

    fn i64(&mut self, e: &mut Emitter<'ctx, '_>, column: u32) -> Built<Int<'ctx>> {
        self.word(e, column as usize)
    }

    fn f64(&mut self, e: &mut Emitter<'ctx, '_>, column: u32) -> Built<Int<'ctx>> {
        self.word(e, (self.counts.ints + column) as usize)
    }

    /// A column that is read once per row is at a fixed distance from the one before it, and so is what the
    /// context says of it.
    fn has_runs(&self, first: u32, count: u32) -> bool {
        let columns = self.str_index(first)..self.str_index(first + count);
        let given = &self.has_given[first as usize..][..count as usize];
        self.reads[columns].iter().all(|&reads| reads == Reads::Once)
            && given.iter().all(|&is_given| is_given == given[0])
    }

    fn run_item(&mut self, e: &Emitter<'ctx, '_>, index: Int<'ctx>) -> Built {
        let (columns, row) = *self.run.get_or_insert((self.columns, self.row));
        self.columns = e.beyond(columns, e.mul(index, e.int(COLUMN))?)?;
        self.row = e.beyond(row, e.mul(index, e.int(STRIDE as u64 * WORD))?)?;
        Ok(())
    }

    fn end_run(&mut self) {
        if let Some((columns, row)) = self.run.take() {
            (self.columns, self.row) = (columns, row);
        }
    }

    fn skips_freely(&self) -> bool {
        true
    }

    fn str(&mut self, e: &mut Emitter<'ctx, '_>, column: u32) -> Built<Text<'ctx>> {
        let index = self.str_index(column);
        let value = self.step(e, index)?;
        let context = self.context(e, index)?;
        let (begin, end) = match self.has_given[column as usize] {
            true => (e.field::<64>(value, 0, "begin")?, e.field::<64>(value, WORD, "end")?),
            false => self.text_or_entry(e, context, value)?,
        };
        let bytes = e.beyond(e.load_ptr(context, TEXT, "text")?, begin)?;
        let ascii = e.not_zero(e.field::<64>(context, ASCII, "ascii")?)?;
        Ok(Text { bytes, len: e.sub(end, begin)?, in_object: false, ascii: Some(ascii) })
    }

    fn has_dictionary(&self, e: &Emitter<'ctx, '_>, column: u32) -> Built<Option<Bool<'ctx>>> {
        if !self.has_given[column as usize] {
            return Ok(None);
        }
        let context = self.context(e, self.str_index(column))?;
        let is_dictionary = e.field::<64>(context, IS_DICTIONARY, "is_dictionary")?;
        e.not_zero(is_dictionary).map(Some)
    }

    fn code(&mut self, e: &mut Emitter<'ctx, '_>, column: u32) -> Built<Int<'ctx>> {
        let index = self.str_index(column);
        let code = self.word(e, index)?;
        let entries = e.field::<64>(self.context(e, index)?, ENTRIES, "entries")?;
        e.guard(e.compare(IntPredicate::ULT, code, entries)?)?;
        Ok(code)
    }

    fn bool(&mut self, e: &mut Emitter<'ctx, '_>, column: u32) -> Built<Bool<'ctx>> {
        self.bit(e, column)
    }

    fn present(&mut self, e: &mut Emitter<'ctx, '_>, column: u32) -> Built<Bool<'ctx>> {
        self.bit(e, column)
    }

    fn sequence(
        &mut self,
        e: &mut Emitter<'ctx, '_>,
        _container: Container,
        column: u32,
        _zero_sized: bool,
    ) -> Built<Int<'ctx>> {
        self.word(e, column as usize)
    }

    fn arm(
        &mut self,
        e: &mut Emitter<'ctx, '_>,
        _arms: &[Arm],
        column: u32,
        blocks: &[Block<'ctx>],
    ) -> Built {
        let arm = self.word(e, column as usize)?;
        e.switch(arm, blocks)
    }
}

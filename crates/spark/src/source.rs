//! Spark's rows as a source.

mod map_order;

use std::ptr::{from_mut, null};

use super::UNSAFE_ROWS;
use super::clock::Clock;
use super::java_text;
use super::jit_context::{self, OTHER, UnsafeRowsContext};
use super::storage::{Storage, Stored, Width};
use serow_core::error::{Error, Fault, Result};
use serow_core::layout::{Components, JitKind, OpResult, PlainText, Source, Text};
use serow_core::plan::{Arm, ComponentColumns};
use serow_core::schema::{Container, Logical};

const OUTSIDE: Fault = Fault::Corrupt("the value is not within the row or the value around it");
const OVERLAPPING: Fault = Fault::Corrupt("the row's values take more bytes than the row has");
const NULL: Fault = Fault::Corrupt("a value is null, but its type is not optional");

const WORD: usize = 8;

/// The location of a value or row in the batch.
#[derive(Clone, Copy)]
struct Region {
    from: usize,
    to: usize,
}

/// The slots of a row, a struct or a list.
#[derive(Clone, Copy)]
struct Slots {
    /// The location of the struct or list.
    whole: Region,
    /// The positions of its null bits and of its slots.
    bits: usize,
    slots: usize,
    width: usize,
    /// The index of the next slot.
    next: usize,
    /// The index in `orders` of the slot after the next, if the slots are not read in sequence.
    order: Option<usize>,
}

/// The slots that are being read: those of a struct, of a list, or of a map, whose keys and values
/// alternate.
#[derive(Clone, Copy)]
struct Frame {
    now: Slots,
    /// For a map, the values' slots while a key is next, and the keys' slots while a value is next.
    then: Option<Slots>,
}

/// A batch of Spark's rows.
pub struct UnsafeRows<'a> {
    batch: &'a [u8],
    storage: &'a Storage,
    /// The number of rows, and the position of the next row's size.
    count: usize,
    next: usize,
    /// The row that is being read, until its struct is entered.
    row: Option<Region>,
    /// The number of bytes that the unread values of this row may take.
    left: usize,
    at: Frame,
    outside: Vec<Frame>,
    /// The orders in which the slots of this row's maps are read, and the hashes of one map's keys.
    orders: Vec<u32>,
    hashes: Vec<i32>,
    scratch: Vec<u8>,
    wide: [u8; jit_context::LONG],
    clock: Clock,
    context: UnsafeRowsContext,
    /// The map orders that compiled code has received for the row at this address.
    jit_orders: (*const u8, Vec<Box<[u32]>>),
}

/// The frame outside all rows.
const NOWHERE: Frame = Frame {
    now: Slots {
        whole: Region { from: 0, to: 0 },
        bits: 0,
        slots: 0,
        width: WORD,
        next: 0,
        order: None,
    },
    then: None,
};

impl<'a> UnsafeRows<'a> {
    /// Returns the rows of `batch`, whose values `storage` describes.
    ///
    /// # Errors
    /// A decode error if the rows' sizes do not add up to the batch.
    pub fn new(storage: &'a Storage, batch: &'a [u8]) -> Result<UnsafeRows<'a>> {
        let (mut at, mut count) = (0, 0);
        while at < batch.len() {
            at = row_at(batch, at)
                .ok_or_else(|| {
                    Error::decode(format!("row {count} does not end within its batch of rows"))
                })?
                .to;
            count += 1;
        }
        Ok(UnsafeRows {
            batch,
            storage,
            count,
            next: 0,
            row: None,
            left: 0,
            at: NOWHERE,
            outside: Vec::new(),
            orders: Vec::new(),
            hashes: Vec::new(),
            scratch: Vec::new(),
            wide: [0; jit_context::LONG],
            clock: Clock::default(),
            context: UnsafeRowsContext::default(),
            jit_orders: (null(), Vec::new()),
        })
    }

    /// Returns the number of rows.
    pub fn count(&self) -> usize {
        self.count
    }

    #[inline(always)]
    fn load<const N: usize>(&self, at: usize) -> OpResult<[u8; N]> {
        self.batch.get(at..).and_then(|bytes| bytes.first_chunk()).copied().ok_or(OUTSIDE)
    }

    #[inline(always)]
    fn load_word(&self, at: usize) -> OpResult<u64> {
        self.load(at).map(u64::from_le_bytes)
    }

    /// Assigns `bytes` bytes of the row to a value. Each byte may belong to one value only.
    #[inline(always)]
    fn take(&mut self, bytes: usize) -> OpResult {
        self.left = self.left.checked_sub(bytes).ok_or(OVERLAPPING)?;
        Ok(())
    }

    /// Returns the slots of a struct or list, which begin at `from`.
    #[inline(always)]
    fn slots(&mut self, whole: Region, from: usize, count: usize, width: usize) -> OpResult<Slots> {
        let room = whole.to.checked_sub(from).ok_or(OUTSIDE)?;
        // This is checked before the multiplication: each slot takes at least one byte.
        if count > room {
            return Err(OUTSIDE);
        }
        let bits = count.div_ceil(64) * WORD;
        if bits + count * width > room {
            return Err(OUTSIDE);
        }
        self.take(bits + count * width)?;
        Ok(Slots { whole, bits: from, slots: from + bits, width, next: 0, order: None })
    }

    /// Returns the list in `whole` and the number of its elements.
    fn list(&mut self, whole: Region, width: Width) -> OpResult<(Slots, usize)> {
        let from = whole.from + WORD;
        if from > whole.to {
            return Err(OUTSIDE);
        }
        let count = usize::try_from(self.load_word(whole.from)?).map_err(|_| OUTSIDE)?;
        self.take(WORD)?;
        Ok((self.slots(whole, from, count, width as usize)?, count))
    }

    /// Whether the next value is null.
    #[inline(always)]
    fn is_null(&self) -> OpResult<bool> {
        let Slots { bits, next, .. } = self.at.now;
        let [byte] = self.load(bits + next / 8)?;
        Ok(byte >> (next % 8) & 1 == 1)
    }

    /// Advances to the next value and returns the position of the current one's slot.
    #[inline(always)]
    fn step(&mut self) -> usize {
        let Slots { slots, width, next, order, .. } = self.at.now;
        match order {
            None => self.at.now.next += 1,
            Some(order) => self.jump(order),
        }
        if let Some(then) = &mut self.at.then {
            std::mem::swap(&mut self.at.now, then);
        }
        slots + next * width
    }

    /// Advances to the slot that `orders` has at `order`.
    fn jump(&mut self, order: usize) {
        // There is no entry after the last slot, after which nothing is read.
        self.at.now.next = self.orders.get(order).map_or(0, |&slot| slot as usize);
        self.at.now.order = Some(order + 1);
    }

    /// Reads the next slot.
    #[inline(always)]
    fn slot<const N: usize>(&mut self) -> OpResult<[u8; N]> {
        if self.is_null()? {
            return Err(NULL);
        }
        let at = self.step();
        self.load(at)
    }

    #[inline(always)]
    fn word(&mut self) -> OpResult<i64> {
        self.slot().map(i64::from_le_bytes)
    }

    /// Returns the location of the next value, which is not in its slot.
    #[inline(always)]
    fn region(&mut self) -> OpResult<Region> {
        let whole = self.at.now.whole;
        let word = self.slot().map(u64::from_le_bytes)?;
        let (offset, size) = ((word >> 32) as usize, word as u32 as usize);
        let from = whole.from + offset;
        let to = from + size;
        if to > whole.to { Err(OUTSIDE) } else { Ok(Region { from, to }) }
    }

    /// Returns the bytes of the next value.
    #[inline(always)]
    fn blob(&mut self) -> OpResult<&'a [u8]> {
        let Region { from, to } = self.region()?;
        self.take(to - from)?;
        self.batch.get(from..to).ok_or(OUTSIDE)
    }

    fn push(&mut self, frame: Frame) {
        self.outside.push(std::mem::replace(&mut self.at, frame));
    }
}

/// Returns the location of the row whose size is at `at`, if the row is within the batch.
fn row_at(batch: &[u8], at: usize) -> Option<Region> {
    let from = at + WORD;
    let size = u64::from_le_bytes(*batch.get(at..)?.first_chunk()?);
    let to = from.checked_add(usize::try_from(size).ok()?)?;
    let is_row = to <= batch.len() && (size as usize).is_multiple_of(WORD);
    is_row.then_some(Region { from, to })
}

impl Source for UnsafeRows<'_> {
    const NEVER: Fault = OTHER;
    // SAFETY: `enter_jit` returns an `UnsafeRowsContext` of a batch that the source borrows. `new` has
    // checked that the batch's rows are within it.
    const KIND: Option<JitKind<Self>> = Some(unsafe { JitKind::new(&UNSAFE_ROWS) });

    fn enter_jit(&mut self) -> *mut () {
        let batch = self.batch.as_ptr_range();
        self.context.next = batch.start.wrapping_add(self.next);
        self.context.end = batch.end;
        // All pointers derive from one, so that none invalidates another.
        let this = from_mut(self);
        // SAFETY: `this` is valid, and nothing else uses the rows now.
        unsafe {
            (*this).context.clock = (&raw mut (*this).clock).cast();
            (*this).context.rows_of = this.cast();
            (&raw mut (*this).context).cast()
        }
    }

    unsafe fn exit_jit(&mut self) {
        self.next = self.context.next.addr() - self.batch.as_ptr().addr();
    }

    #[inline(always)]
    fn row(&mut self, _row: usize) -> OpResult {
        let row = row_at(self.batch, self.next).ok_or(OUTSIDE)?;
        self.next = row.to;
        self.left = row.to - row.from;
        self.row = Some(row);
        self.at = NOWHERE;
        self.outside.clear();
        self.orders.clear();
        Ok(())
    }

    #[inline(always)]
    fn end_row(&mut self) -> OpResult {
        Ok(())
    }

    #[inline(always)]
    fn i64(&mut self, column: u32) -> OpResult<i64> {
        let Some(Stored::Int(width)) = self.storage.of_int(column) else { return Err(OTHER) };
        match width {
            Width::One => self.slot().map(|v| i8::from_le_bytes(v).into()),
            Width::Two => self.slot().map(|v| i16::from_le_bytes(v).into()),
            Width::Four => self.slot().map(|v| i32::from_le_bytes(v).into()),
            Width::Eight => self.slot().map(i64::from_le_bytes),
        }
    }

    #[inline(always)]
    fn f64(&mut self, column: u32) -> OpResult<f64> {
        match self.storage.is_single(column) {
            true => self.slot().map(|v| f32::from_le_bytes(v).into()),
            false => self.slot().map(f64::from_le_bytes),
        }
    }

    #[inline(always)]
    fn str(&mut self, _column: u32) -> OpResult<Text<'_>> {
        let bytes = self.blob()?;
        let text = PlainText::checked(bytes);
        if text.is_known_ascii() || std::str::from_utf8(bytes).is_ok() {
            return Ok(Text::Plain(text));
        }
        java_text::decode(bytes, &mut self.scratch);
        Ok(Text::plain(&self.scratch))
    }

    #[inline(always)]
    fn bytes(&mut self, _column: u32) -> OpResult<Text<'_>> {
        Ok(Text::plain(self.blob()?))
    }

    #[inline]
    fn logical(&mut self, ty: Logical, at: ComponentColumns) -> OpResult<Components<'_>> {
        let mut components = Components::default();
        if ty.counts().ints == 0 {
            return Ok(Components { bytes: self.bytes(at.str)?, ..components });
        }
        let stored = self.storage.of_int(at.int).ok_or(OTHER)?;
        match stored {
            Stored::Date => components.ints[0] = self.slot().map(i32::from_le_bytes)?.into(),
            Stored::Decimal { precision, scale } if precision > Stored::MOST_DIGITS_OF_WORD => {
                let bytes = self.blob()?;
                let len = jit_context::decimal(bytes, scale, &mut components.ints, &mut self.wide)?;
                components.bytes = Text::plain(&self.wide[..len]);
            }
            _ => {
                let word = self.word()?;
                components.ints = jit_context::word(stored, word, &mut self.clock)?;
            }
        }
        Ok(components)
    }

    #[inline(always)]
    fn bool(&mut self, _column: u32) -> OpResult<bool> {
        self.slot().map(|[byte]| byte != 0)
    }

    #[inline(always)]
    fn null(&mut self) -> OpResult {
        self.step();
        Ok(())
    }

    #[inline(always)]
    fn present(&mut self, _column: u32) -> OpResult<bool> {
        let null = self.is_null()?;
        if null {
            self.step();
        }
        Ok(!null)
    }

    #[inline(always)]
    fn enter(&mut self, _container: Container, len: u32) -> OpResult {
        let whole = match self.row.take() {
            Some(row) => row,
            None => self.region()?,
        };
        let now = self.slots(whole, whole.from, len as usize, WORD)?;
        self.push(Frame { now, then: None });
        Ok(())
    }

    #[inline(always)]
    fn leave(&mut self) {
        if let Some(outside) = self.outside.pop() {
            self.at = outside;
        }
    }

    fn sequence(
        &mut self,
        _container: Container,
        column: u32,
        _zero_sized: bool,
    ) -> OpResult<usize> {
        let stored = self.storage.of_int(column);
        let whole = self.region()?;
        match stored {
            Some(Stored::List(width)) => {
                let (now, count) = self.list(whole, width)?;
                self.push(Frame { now, then: None });
                Ok(count)
            }
            Some(Stored::Map(keys_width, values_width)) => {
                let from = whole.from + WORD;
                if from > whole.to {
                    return Err(OUTSIDE);
                }
                let size = usize::try_from(self.load_word(whole.from)?).map_err(|_| OUTSIDE)?;
                self.take(WORD)?;
                let to = from.checked_add(size).filter(|&to| to <= whole.to).ok_or(OUTSIDE)?;
                let (now, keys) = self.list(Region { from, to }, keys_width)?;
                let (then, values) = self.list(Region { from: to, ..whole }, values_width)?;
                if keys != values {
                    return Err(Fault::Corrupt("a map has different numbers of keys and values"));
                }
                self.push(Frame { now, then: Some(then) });
                if keys > 1 {
                    self.order(self.storage.key(column), keys)?;
                }
                Ok(keys)
            }
            _ => Err(OTHER),
        }
    }

    fn arm(&mut self, _arms: &[Arm], _column: u32) -> OpResult<usize> {
        Err(OTHER)
    }
}

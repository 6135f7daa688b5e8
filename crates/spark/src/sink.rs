//! Spark's rows as a sink.
//!
//! A value that is longer than its slot is written after everything written so far, and its
//! position goes into the slot when it is complete. In a map all keys come before all values, but a
//! plan alternates between them. So the values of each map are staged separately, and appended to
//! the keys when the map ends.

use super::clock::{BEGIN, Clock, END};
use super::storage::{Storage, Stored, Width};
use serow_core::error::Fault;
use serow_core::layout::{Components, OpResult, Sink, SinkBase, Text};
use serow_core::plan::{ComponentColumns, StrEncoding};
use serow_core::schema::logical::DecimalKind;
use serow_core::schema::{Container, Logical};
use std::ops::ControlFlow;

const WORD: usize = 8;
const MICROS: i64 = 1_000_000;
const NANOS_PER_MICRO: i64 = 1_000;
/// The number of bytes that Spark reserves for a decimal that does not fit in its slot, except in
/// lists.
const LONG: usize = 16;

const OTHER: Fault = Fault::Corrupt("Spark's rows have no such storage for the value");
const TOO_LONG: Fault = Fault::Limit("the row takes more than 2 GiB");

/// The slots of a row, a struct or a list.
#[derive(Clone, Copy)]
struct Slots {
    /// The index of their stage, and the offsets of the struct or list, its bits and its slots in
    /// the stage.
    stage: usize,
    begin: usize,
    bits: usize,
    slots: usize,
    width: usize,
    /// The index of the next slot.
    next: usize,
    is_list: bool,
}

/// The current slots: of a struct, of a list, or of a map, where keys and values alternate.
#[derive(Clone, Copy)]
struct Frame {
    now: Slots,
    then: Option<Slots>,
    /// The start of the container, and the slot that will hold its position.
    begin: usize,
    owner: Slot,
}

/// A slot in a stage. The struct or list that it belongs to starts at `begin`.
#[derive(Clone, Copy)]
struct Slot {
    stage: usize,
    at: usize,
    begin: usize,
}

/// A batch of Spark's rows under construction.
pub struct UnsafeRowWriter<'a> {
    storage: &'a Storage,
    /// The rows, and the values of the maps around the current value.
    stages: Vec<Vec<u8>>,
    /// The number of stages in use, and the number of bytes of finished rows.
    used: usize,
    done: usize,
    at: Frame,
    outside: Vec<Frame>,
    clock: Clock,
    refusal: String,
}

const NOWHERE: Frame = {
    let slots =
        Slots { stage: 0, begin: 0, bits: 0, slots: 0, width: WORD, next: 0, is_list: false };
    Frame { now: slots, then: None, begin: 0, owner: Slot { stage: 0, at: 0, begin: 0 } }
};

impl<'a> UnsafeRowWriter<'a> {
    /// Creates a sink for rows with this storage.
    pub fn new(storage: &'a Storage) -> UnsafeRowWriter<'a> {
        UnsafeRowWriter {
            storage,
            stages: vec![Vec::new()],
            used: 1,
            done: 0,
            at: NOWHERE,
            outside: Vec::new(),
            clock: Clock::default(),
            refusal: String::new(),
        }
    }

    /// Returns the batch.
    pub fn into_batch(mut self) -> Vec<u8> {
        let mut batch = self.stages.swap_remove(0);
        batch.truncate(self.done);
        batch
    }

    #[cold]
    fn refuse<T>(&mut self, what: impl Into<String>) -> OpResult<T> {
        self.refusal = what.into();
        Err(Fault::Unrepresentable)
    }

    /// Appends `bytes` zeros to a stage.
    #[inline(always)]
    fn grow(&mut self, stage: usize, bytes: usize) -> OpResult {
        let stage = &mut self.stages[stage];
        stage.try_reserve(bytes).map_err(|_| Fault::NoMemory)?;
        stage.resize(stage.len() + bytes, 0);
        Ok(())
    }

    /// Appends bytes to a stage, and zeros up to a multiple of eight.
    #[inline(always)]
    fn append(&mut self, stage: usize, bytes: &[u8]) -> OpResult {
        let to = &mut self.stages[stage];
        to.try_reserve(bytes.len() + WORD).map_err(|_| Fault::NoMemory)?;
        to.extend_from_slice(bytes);
        to.resize(to.len().next_multiple_of(WORD), 0);
        Ok(())
    }

    #[inline(always)]
    fn store(&mut self, stage: usize, at: usize, bytes: &[u8]) -> OpResult {
        let to = self.stages[stage].get_mut(at..at + bytes.len()).ok_or(OTHER)?;
        to.copy_from_slice(bytes);
        Ok(())
    }

    /// Appends the slots of a struct or list to a stage.
    fn slots(&mut self, stage: usize, count: usize, list: Option<Width>) -> OpResult<Slots> {
        let begin = self.stages[stage].len();
        let (is_list, width) = (list.is_some(), list.map_or(WORD, |width| width as usize));
        let head = if is_list { WORD } else { 0 };
        let bits = count.div_ceil(64) * WORD;
        let fixed = count.checked_mul(width).ok_or(Fault::NoMemory)?.next_multiple_of(WORD);
        self.grow(stage, head + bits + fixed)?;
        if is_list {
            self.store(stage, begin, &(count as u64).to_le_bytes())?;
        }
        let bits_at = begin + head;
        Ok(Slots { stage, begin, bits: bits_at, slots: bits_at + bits, width, next: 0, is_list })
    }

    /// Returns the next slot and moves past it.
    #[inline(always)]
    fn step(&mut self) -> Slot {
        let Slots { stage, begin, slots, width, next, .. } = self.at.now;
        self.at.now.next += 1;
        if let Some(then) = &mut self.at.then {
            std::mem::swap(&mut self.at.now, then);
        }
        Slot { stage, at: slots + next * width, begin }
    }

    /// Writes a value to the next slot.
    #[inline(always)]
    fn put<const N: usize>(&mut self, bytes: [u8; N]) -> OpResult {
        let Slot { stage, at, .. } = self.step();
        self.store(stage, at, &bytes)
    }

    #[inline(always)]
    fn put_word(&mut self, v: i64) -> OpResult {
        self.put(v.to_le_bytes())
    }

    /// Writes the position of a value to its slot. The value is from `from` to `to` in the slot's
    /// stage.
    #[inline(always)]
    fn tell(&mut self, slot: Slot, from: usize, to: usize) -> OpResult {
        if to - slot.begin > i32::MAX as usize {
            return Err(TOO_LONG);
        }
        let word = ((from - slot.begin) as u64) << 32 | (to - from) as u64;
        self.store(slot.stage, slot.at, &word.to_le_bytes())
    }

    /// Appends a value, and its position to the next slot.
    #[inline(always)]
    fn put_bytes(&mut self, bytes: &[u8]) -> OpResult {
        let slot = self.step();
        let from = self.stages[slot.stage].len();
        self.append(slot.stage, bytes)?;
        self.tell(slot, from, from + bytes.len())
    }

    /// Appends a decimal that does not fit in its slot. In a struct it has space for the longest
    /// decimal.
    fn put_coefficient(&mut self, coefficient: i128) -> OpResult {
        let is_list = self.at.now.is_list;
        let sign = coefficient >> 127;
        let bits = 128 - (coefficient ^ sign).leading_zeros() as usize + 1;
        let bytes = coefficient.to_be_bytes();
        let bytes = &bytes[bytes.len() - bits.div_ceil(8)..];
        let slot = self.step();
        let from = self.stages[slot.stage].len();
        self.append(slot.stage, bytes)?;
        let to = self.stages[slot.stage].len();
        if !is_list {
            self.grow(slot.stage, LONG - (to - from))?;
        }
        self.tell(slot, from, from + bytes.len())
    }

    /// Writes null to the next slot.
    #[inline(always)]
    fn put_null(&mut self) -> OpResult<Slot> {
        let Slots { bits, next, .. } = self.at.now;
        let slot = self.step();
        match self.stages[slot.stage].get_mut(bits + next / 8) {
            Some(byte) => *byte |= 1 << (next % 8),
            None => return Err(OTHER),
        }
        Ok(slot)
    }

    fn push(&mut self, now: Slots, then: Option<Slots>, begin: usize, owner: Slot) {
        self.outside.push(std::mem::replace(&mut self.at, Frame { now, then, begin, owner }));
    }

    /// Returns an empty stage.
    fn stage(&mut self) -> usize {
        if self.used == self.stages.len() {
            self.stages.push(Vec::new());
        }
        self.stages[self.used].clear();
        self.used += 1;
        self.used - 1
    }

    /// Returns a decimal's coefficient for this scale, if it is exact and has at most `precision`
    /// digits.
    fn coefficient(
        &mut self,
        components: Components<'_>,
        precision: u8,
        scale: u8,
    ) -> OpResult<i128> {
        let Text::Plain(text) = components.bytes else { return Err(OTHER) };
        let bytes = text.bytes();
        let (kind, exponent) = DecimalKind::split(components.ints[0]);
        let coefficient = match kind {
            DecimalKind::Small => Some(i128::from(components.ints[1])),
            DecimalKind::NegativeZero => Some(0),
            DecimalKind::Large if bytes.len() <= LONG => {
                let fill = if bytes.last().is_some_and(|last| last >> 7 == 1) { 0xFF } else { 0 };
                let mut wide = [fill; LONG];
                wide[..bytes.len()].copy_from_slice(bytes);
                Some(i128::from_le_bytes(wide))
            }
            DecimalKind::Large | DecimalKind::NotFinite => None,
        };
        let more = i64::from(scale).checked_add(exponent);
        let scaled = coefficient.zip(more).and_then(|(coefficient, more)| {
            let factor = 10i128.checked_pow(u32::try_from(more.unsigned_abs()).ok()?);
            let scaled = match factor {
                _ if coefficient == 0 => 0,
                Some(factor) if more >= 0 => coefficient.checked_mul(factor)?,
                // Trailing zeros may be removed.
                Some(factor) if coefficient % factor == 0 => coefficient / factor,
                _ => return None,
            };
            (scaled.unsigned_abs() < 10u128.pow(precision.into())).then_some(scaled)
        });
        match scaled {
            Some(scaled) => Ok(scaled),
            None => self.refuse(format!(
                "it is not a decimal of {precision} digits with {scale} after the point"
            )),
        }
    }
}

/// Returns the microseconds of seconds and a rest.
fn micros(seconds: i64, rest: i64) -> Option<i64> {
    i64::try_from(i128::from(seconds) * i128::from(MICROS) + i128::from(rest)).ok()
}

impl SinkBase for UnsafeRowWriter<'_> {
    fn dictionary(&mut self, _: u32, _: StrEncoding, _: &[u32], _: &[u8]) -> OpResult {
        Err(OTHER)
    }

    fn refusal(&self) -> String {
        self.refusal.clone()
    }
}

impl Sink for UnsafeRowWriter<'_> {
    #[inline(always)]
    fn row(&mut self) -> OpResult {
        self.stages[0].truncate(self.done);
        self.used = 1;
        self.outside.clear();
        self.at = NOWHERE;
        self.grow(0, WORD)
    }

    #[inline(always)]
    fn end_row(&mut self) -> OpResult<ControlFlow<()>> {
        let end = self.stages[0].len();
        let size = end - self.done - WORD;
        self.store(0, self.done, &(size as u64).to_le_bytes())?;
        self.done = end;
        Ok(ControlFlow::Continue(()))
    }

    #[inline(always)]
    fn i64(&mut self, column: u32, v: i64) -> OpResult {
        let Some(Stored::Int(width)) = self.storage.of_int(column) else { return Err(OTHER) };
        let bits = 8 * width as u32;
        if v << (64 - bits) >> (64 - bits) != v {
            return self.refuse(format!("it is not an integer of {bits} bits"));
        }
        match width {
            Width::One => self.put((v as i8).to_le_bytes()),
            Width::Two => self.put((v as i16).to_le_bytes()),
            Width::Four => self.put((v as i32).to_le_bytes()),
            Width::Eight => self.put_word(v),
        }
    }

    #[inline(always)]
    fn f64(&mut self, column: u32, v: f64) -> OpResult {
        match self.storage.is_single(column) {
            true => self.put((v as f32).to_le_bytes()),
            false => self.put(v.to_le_bytes()),
        }
    }

    #[inline(always)]
    fn str(&mut self, _column: u32, v: Text<'_>) -> OpResult {
        let Text::Plain(text) = v else { return Err(OTHER) };
        if !text.is_known_ascii() && std::str::from_utf8(text.bytes()).is_err() {
            return self.refuse("it has a surrogate, which is not a character");
        }
        self.put_bytes(text.bytes())
    }

    #[inline(always)]
    fn bytes(&mut self, _column: u32, v: Text<'_>) -> OpResult {
        let Text::Plain(text) = v else { return Err(OTHER) };
        self.put_bytes(text.bytes())
    }

    #[inline]
    fn logical(
        &mut self,
        ty: Logical,
        at: ComponentColumns,
        components: Components<'_>,
    ) -> OpResult {
        if ty.counts().ints == 0 {
            return self.bytes(at.str, components.bytes);
        }
        let [first, second, third] = components.ints;
        match self.storage.of_int(at.int).ok_or(OTHER)? {
            Stored::Date => match i32::try_from(first) {
                Ok(days) => self.put(days.to_le_bytes()),
                Err(_) => Err(OTHER),
            },
            Stored::Clock => self.put_word(first),
            Stored::Moment => {
                let found = self.clock.find(first.div_euclid(MICROS));
                match found.and_then(|seconds| micros(seconds, first.rem_euclid(MICROS))) {
                    Some(moment) => self.put_word(moment),
                    None => self.refuse("the local time zone has no such time"),
                }
            }
            Stored::Aware if third % MICROS != 0 => {
                self.refuse("its offset from UTC is not a whole number of seconds")
            }
            Stored::Aware => match first.checked_sub(third) {
                Some(moment) if (BEGIN..END).contains(&moment.div_euclid(MICROS)) => {
                    self.put_word(moment)
                }
                _ => self.refuse("in UTC it is in no year from 1 to 9999"),
            },
            Stored::Interval => match micros(first, second / NANOS_PER_MICRO) {
                Some(interval) => self.put_word(interval),
                None => self.refuse("its microseconds exceed 64 bits"),
            },
            Stored::Time => self.put_word(first * NANOS_PER_MICRO),
            Stored::Decimal { precision, scale } => {
                let coefficient = self.coefficient(components, precision, scale)?;
                match i64::try_from(coefficient) {
                    Ok(small) if precision <= Stored::MOST_DIGITS_OF_WORD => self.put_word(small),
                    _ => self.put_coefficient(coefficient),
                }
            }
            Stored::Int(_) | Stored::List(_) | Stored::Map(..) => Err(OTHER),
        }
    }

    #[inline(always)]
    fn bool(&mut self, _column: u32, v: bool) -> OpResult {
        self.put([u8::from(v)])
    }

    #[inline(always)]
    fn null(&mut self) -> OpResult {
        self.put_null().map(|_| ())
    }

    #[inline(always)]
    fn present(&mut self, _column: u32) -> OpResult {
        Ok(())
    }

    #[inline(always)]
    fn absent(&mut self, column: u32) -> OpResult {
        let is_list = self.at.now.is_list;
        let slot = self.put_null()?;
        if is_list || !self.storage.is_long_decimal(column) {
            return Ok(());
        }
        // Spark reserves space for a value that may be set later.
        let from = self.stages[slot.stage].len();
        self.grow(slot.stage, LONG)?;
        self.tell(slot, from, from)
    }

    #[inline(always)]
    fn enter(&mut self, _container: Container, len: u32, _acyclic: bool) -> OpResult {
        let is_row = self.outside.is_empty();
        let owner = if is_row { NOWHERE.owner } else { self.step() };
        let begin = self.stages[owner.stage].len();
        let now = self.slots(owner.stage, len as usize, None)?;
        self.push(now, None, begin, owner);
        Ok(())
    }

    #[inline(always)]
    fn leave(&mut self) -> OpResult {
        let Frame { now, then, begin, owner } = self.at;
        let Some(outside) = self.outside.pop() else { return Err(OTHER) };
        self.at = outside;
        if let Some(then) = then {
            // All keys have their values now, so the current slots are the keys'.
            let keys_end = self.stages[now.stage].len();
            self.store(now.stage, begin, &((keys_end - now.begin) as u64).to_le_bytes())?;
            let values = std::mem::take(&mut self.stages[then.stage]);
            let appended = self.append(now.stage, &values);
            self.stages[then.stage] = values;
            self.used = then.stage;
            appended?;
        }
        if self.outside.is_empty() {
            return Ok(());
        }
        let end = self.stages[owner.stage].len();
        self.tell(owner, begin, end)
    }

    fn sequence(&mut self, _: Container, column: u32, len: usize, _acyclic: bool) -> OpResult {
        let stored = self.storage.of_int(column);
        let owner = self.step();
        let begin = self.stages[owner.stage].len();
        match stored {
            Some(Stored::List(width)) => {
                let now = self.slots(owner.stage, len, Some(width))?;
                self.push(now, None, begin, owner);
                Ok(())
            }
            Some(Stored::Map(keys_width, values_width)) => {
                self.grow(owner.stage, WORD)?;
                let now = self.slots(owner.stage, len, Some(keys_width))?;
                let stage = self.stage();
                let then = self.slots(stage, len, Some(values_width))?;
                self.push(now, Some(then), begin, owner);
                Ok(())
            }
            _ => Err(OTHER),
        }
    }

    #[inline(always)]
    fn arm(&mut self, _column: u32, _arm: usize) -> OpResult {
        Ok(())
    }
}

//! Where values are among the slots of an array.

use std::ops::Range;

use arrow_buffer::{BooleanBuffer, BooleanBufferBuilder, NullBuffer};
use serow_core::error::Fault;
use serow_core::memory;

use crate::pool::{self, Pooled};

/// The slots of an array that is made, and which of them have a value.
#[derive(Clone)]
pub struct Slots {
    len: usize,
    /// `None` if all have.
    present: Option<BooleanBuffer>,
    /// Whether the others are null. Otherwise they may have any value: what they are in is null.
    are_null: bool,
}

impl Slots {
    /// As many slots, each with a value.
    pub fn all(len: usize) -> Slots {
        Slots { len, present: None, are_null: false }
    }

    /// The number of slots.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether a slot has a value.
    pub fn has(&self, slot: usize) -> bool {
        self.present.as_ref().is_none_or(|present| present.value(slot))
    }

    /// Returns `each` slots for each of these, with values where it has one. `None` if these are too many: slots
    /// without a value take memory, too.
    pub fn expanded(&self, each: usize) -> Option<Slots> {
        let most = if self.present.is_some() { i32::MAX as usize } else { usize::MAX };
        let len = self.len.checked_mul(each).filter(|&len| len <= most)?;
        let of = |present: &BooleanBuffer| {
            let mut all = BooleanBufferBuilder::new(len);
            present.iter().for_each(|is_present| all.append_n(each, is_present));
            all.finish()
        };
        Some(Slots { len, present: self.present.as_ref().map(of), are_null: false })
    }

    /// The same slots of an array within this one.
    pub fn inner(&self) -> Slots {
        Slots { are_null: false, ..self.clone() }
    }

    /// Which slots have a value, if not all have.
    pub fn present(&self) -> Option<&BooleanBuffer> {
        self.present.as_ref()
    }

    /// Which slots have a value.
    pub fn present_or_all(&self) -> BooleanBuffer {
        self.present.clone().unwrap_or_else(|| BooleanBuffer::new_set(self.len))
    }

    /// The nulls of the array.
    pub fn nulls(&self) -> Option<NullBuffer> {
        self.present.clone().filter(|_| self.are_null).map(NullBuffer::new)
    }

    /// Returns the same slots with fewer values, where the others are null. `bits` has a 1 for each value that
    /// stays, and a 0 for each that goes.
    pub fn within(&self, bits: &[u8]) -> Slots {
        if bits.iter().all(|&bit| bit == 1) {
            return Slots { are_null: true, ..self.clone() };
        }
        let present = match &self.present {
            None => BooleanBuffer::collect_bool(self.len, |i| bits[i] == 1),
            Some(outer) => {
                let mut bits = bits.iter();
                let is_present = |i| outer.value(i) && bits.next() == Some(&1);
                BooleanBuffer::collect_bool(self.len, is_present)
            }
        };
        Slots { len: self.len, present: Some(present), are_null: true }
    }

    /// Gives each slot with a value the next of `values`, and each other slot a zero.
    pub fn spread<T: Pooled + Default>(&self, values: Vec<T>) -> Result<Vec<T>, Fault> {
        self.spread_or(values, T::default())
    }

    /// Like [`Slots::spread`], with `other` in slots without a value.
    pub fn spread_or<T: Pooled>(&self, values: Vec<T>, other: T) -> Result<Vec<T>, Fault> {
        let Some(present) = &self.present else { return Ok(values) };
        let mut all = pool::take(self.len)?;
        memory::resize(&mut all, self.len, other)?;
        present.set_indices().zip(values).for_each(|(slot, value)| all[slot] = value);
        Ok(all)
    }
}

/// The slots of an array whose values are taken, in this order.
#[derive(Clone, Debug)]
pub enum Selection {
    /// Neighbours.
    Range(Range<usize>),
    /// Any.
    Listed(Vec<usize>),
}

/// Which slots have a value: a byte of 0 or 1 for each, and those that have one.
pub struct Validity {
    /// The bytes.
    pub bits: Vec<u8>,
    /// The slots with a value.
    pub selection: Selection,
}

impl Selection {
    /// The number of slots.
    pub fn len(&self) -> usize {
        match self {
            Selection::Range(range) => range.len(),
            Selection::Listed(slots) => slots.len(),
        }
    }

    /// The slots.
    pub fn iter(&self) -> impl Iterator<Item = usize> {
        let (range, slots) = match self {
            Selection::Range(range) => (range.clone(), [].as_slice()),
            Selection::Listed(slots) => (0..0, slots.as_slice()),
        };
        range.chain(slots.iter().copied())
    }

    /// Asks of each slot whether it has a value.
    pub fn present(&self, mut has_value: impl FnMut(usize) -> bool) -> Validity {
        self.keep(self.iter().map(|slot| u8::from(has_value(slot))).collect())
    }

    /// Keeps the slots whose bit is 1. `bits` has one for each slot.
    pub fn keep(&self, bits: Vec<u8>) -> Validity {
        let slots = self.iter().zip(&bits).filter(|(_, bit)| **bit == 1).map(|(slot, _)| slot);
        let selection = Selection::Listed(slots.collect());
        Validity { bits, selection }
    }

    /// Appends neighbours.
    pub fn append(&mut self, more: Range<usize>) -> Result<(), Fault> {
        match self {
            _ if more.is_empty() => {}
            Selection::Range(range) if range.start == range.end => *range = more,
            Selection::Range(range) if range.end == more.start => range.end = more.end,
            Selection::Range(range) => {
                let mut slots = memory::with_capacity(range.len() + more.len())?;
                slots.extend(range.clone().chain(more));
                *self = Selection::Listed(slots);
            }
            Selection::Listed(slots) => {
                memory::reserve(slots, more.len())?;
                slots.extend(more);
            }
        }
        Ok(())
    }
}

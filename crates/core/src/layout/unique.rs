//! A sink that refuses sets with an element twice and maps with a key twice.
//!
//! It is for rows that can't tell, such as Rust's types of a program: they take the elements one by one,
//! and what they do with two equal ones is their own affair. Values have hashes of 128 bits by secret
//! seeds, so that different ones are never taken for equal.

use std::hash::{BuildHasher, RandomState};
use std::ops::ControlFlow;

use xxhash_rust::xxh3::xxh3_128_with_seed;

use super::{Components, OpResult, Sink, SinkBase, Text};
use crate::error::Fault;
use crate::memory;
use crate::plan::{ComponentColumns, StrEncoding};
use crate::schema::{Container, Logical};

/// The faults of a set and of a map.
pub const TWICE_IN_SET: Fault = Fault::Corrupt("a set holds an element twice");
/// See [`TWICE_IN_SET`].
pub const TWICE_IN_MAP: Fault = Fault::Corrupt("a map holds a key twice");

const NO_ENTRY: Fault = Fault::Corrupt(crate::layout::batch::BAD_CODE);

/// Checks that sets and maps hold nothing twice.
pub struct Unique {
    seed: u64,
    start: u128,
    /// Containers that are begun and not ended, outermost first.
    open: Vec<Open>,
    /// Hashes of the entries of dictionaries, by column.
    dictionaries: Vec<Vec<u128>>,
    /// The hash of what comes before the next value: the arms of unions.
    before: u128,
}

/// A container that is begun.
enum Open {
    /// Its values don't matter: it is no part of an element or key.
    Free,
    /// A list or the like, by the hash of its values so far.
    Ordered(u128),
    Set(Vec<u128>),
    /// The hashes of its keys, and whether a key is next.
    Map(Vec<u128>, bool),
}

/// Mixes a number into a hash. An attacker does not know the hash, so can't choose numbers that give
/// equal ones.
#[inline(always)]
fn mix(hash: u128, v: u64) -> u128 {
    let fold = |lane: u64, by: u64| {
        let product = u128::from(lane) * u128::from(by);
        product as u64 ^ (product >> 64) as u64
    };
    let high = fold((hash >> 64) as u64 ^ v, 0x9E37_79B9_7F4A_7C15);
    let low = fold(hash as u64 ^ v.rotate_left(32), 0xD6E8_FEB8_6659_FD93);
    u128::from(high) << 64 | u128::from(low ^ high.rotate_left(17))
}

fn differ(hashes: &mut [u128]) -> bool {
    hashes.sort_unstable();
    hashes.windows(2).all(|pair| pair[0] != pair[1])
}

impl Default for Unique {
    fn default() -> Unique {
        let random = RandomState::new();
        let [seed, high, low] = [0, 1, 2].map(|n: u64| random.hash_one(n));
        let start = u128::from(high) << 64 | u128::from(low);
        Unique { seed, start, open: Vec::new(), dictionaries: Vec::new(), before: start }
    }
}

impl Unique {
    /// Whether the next value is an element, a key, or a part of one.
    #[inline(always)]
    fn counts(&self) -> bool {
        match self.open.last() {
            None | Some(Open::Free | Open::Map(_, false)) => false,
            Some(Open::Ordered(_) | Open::Set(_) | Open::Map(_, true)) => true,
        }
    }

    /// Takes the hash of a value that has ended.
    #[inline(always)]
    fn put(&mut self, hash: u128) -> OpResult {
        self.before = self.start;
        match self.open.last_mut() {
            None | Some(Open::Free) => Ok(()),
            Some(Open::Ordered(so_far)) => {
                *so_far = mix(mix(*so_far, hash as u64), (hash >> 64) as u64);
                Ok(())
            }
            Some(Open::Set(elements)) => memory::push(elements, hash),
            Some(Open::Map(keys, is_key)) => {
                *is_key = !*is_key;
                if *is_key { Ok(()) } else { memory::push(keys, hash) }
            }
        }
    }

    #[inline(always)]
    fn number(&mut self, v: u64) -> OpResult {
        let hash = if self.counts() { mix(self.before, v) } else { 0 };
        self.put(hash)
    }

    fn text(&mut self, column: u32, text: Text<'_>) -> OpResult<u128> {
        match text {
            Text::Plain(text) => Ok(xxh3_128_with_seed(text.bytes(), self.seed)),
            Text::Entry(code) => {
                let entries = self.dictionaries.get(column as usize);
                entries.and_then(|of| of.get(code as usize)).copied().ok_or(NO_ENTRY)
            }
        }
    }

    fn begin(&mut self, container: Container) -> OpResult {
        let open = match container {
            Container::Set | Container::FrozenSet => Open::Set(Vec::new()),
            Container::Map => Open::Map(Vec::new(), true),
            _ if self.counts() => Open::Ordered(self.before),
            _ => Open::Free,
        };
        self.before = self.start;
        memory::push(&mut self.open, open)
    }
}

impl SinkBase for Unique {
    fn dictionary(
        &mut self,
        column: u32,
        _encoding: StrEncoding,
        ends: &[u32],
        bytes: &[u8],
    ) -> OpResult {
        let (column, mut hashes, mut begin) =
            (column as usize, memory::with_capacity(ends.len())?, 0);
        hashes.extend(ends.iter().map(|&end| {
            let entry = &bytes[begin as usize..end as usize];
            begin = end;
            xxh3_128_with_seed(entry, self.seed)
        }));
        if column >= self.dictionaries.len() {
            memory::resize(&mut self.dictionaries, column + 1, Vec::new())?;
        }
        self.dictionaries[column] = hashes;
        Ok(())
    }
}

impl Sink for Unique {
    fn row(&mut self) -> OpResult {
        self.open.clear();
        self.before = self.start;
        Ok(())
    }

    fn end_row(&mut self) -> OpResult<ControlFlow<()>> {
        Ok(ControlFlow::Continue(()))
    }

    #[inline(always)]
    fn i64(&mut self, _column: u32, v: i64) -> OpResult {
        self.number(v as u64)
    }

    #[inline(always)]
    fn f64(&mut self, _column: u32, v: f64) -> OpResult {
        self.number(v.to_bits())
    }

    #[inline(always)]
    fn str(&mut self, column: u32, v: Text<'_>) -> OpResult {
        if !self.counts() {
            return self.put(0);
        }
        let text = self.text(column, v)?;
        self.put(mix(mix(self.before, text as u64), (text >> 64) as u64))
    }

    fn logical(&mut self, ty: Logical, at: ComponentColumns, v: Components<'_>) -> OpResult {
        if !self.counts() {
            return self.put(0);
        }
        let counts = ty.counts();
        let mut hash = self.before;
        let floats = v.floats[..counts.floats].iter().map(|v| v.to_bits());
        for part in v.ints[..counts.ints].iter().map(|v| *v as u64).chain(floats) {
            hash = mix(hash, part);
        }
        if counts.bytes > 0 {
            let text = self.text(at.str, v.bytes)?;
            hash = mix(mix(hash, text as u64), (text >> 64) as u64);
        }
        self.put(hash)
    }

    #[inline(always)]
    fn bool(&mut self, _column: u32, v: bool) -> OpResult {
        self.number(v.into())
    }

    // A null is of another arm than any value, or follows an absent presence bit.

    fn null(&mut self) -> OpResult {
        self.number(0)
    }

    fn present(&mut self, _column: u32) -> OpResult {
        self.before = mix(self.before, 1);
        Ok(())
    }

    fn absent(&mut self, _column: u32) -> OpResult {
        self.number(0)
    }

    fn default_field(&mut self) -> OpResult {
        self.number(0)
    }

    fn field(&mut self, index: u32) -> OpResult {
        self.before = mix(self.before, index.into());
        Ok(())
    }

    fn shorten(&mut self, _column: u32, _len: usize) -> OpResult {
        Ok(())
    }

    fn enter(&mut self, container: Container, _len: u32, _acyclic: bool) -> OpResult {
        self.begin(container)
    }

    fn sequence(
        &mut self,
        container: Container,
        _column: u32,
        _len: usize,
        _acyclic: bool,
    ) -> OpResult {
        self.begin(container)
    }

    fn leave(&mut self) -> OpResult {
        let hash = match self.open.pop() {
            Some(Open::Set(mut elements)) => {
                if !differ(&mut elements) {
                    return Err(TWICE_IN_SET);
                }
                // The order of a set's elements does not matter.
                elements.iter().fold(self.start, |sum, hash| sum.wrapping_add(*hash))
            }
            Some(Open::Map(mut keys, _)) => {
                if !differ(&mut keys) {
                    return Err(TWICE_IN_MAP);
                }
                0
            }
            // The number of values is a part of it, because there is one more mix for each.
            Some(Open::Ordered(hash)) => mix(hash, 1),
            Some(Open::Free) | None => 0,
        };
        self.put(hash)
    }

    fn arm(&mut self, _column: u32, arm: usize) -> OpResult {
        self.before = mix(self.before, arm as u64);
        Ok(())
    }
}

//! An estimate of a message's length, for the owner of its memory.
//!
//! Memory that doubles ends up to twice as long as the message. An owner that knows the length can
//! get the memory at once, and the C library keeps a block for the next message that needs as much.

use crate::bytes::out::Out;

/// Rows after which the length of a message is estimated for the first time.
const FIRST: usize = 256;

/// The rows are multiplied by this before the next estimate, which is better the more rows there are.
const STEP: usize = 8;

/// At most this many times the bytes that are written are expected to follow, because the first rows
/// may be far longer than the others. As many times the rows lie between two estimates.
const GREATEST: usize = STEP;

/// A sixteenth is added, because a message that is a little longer than its memory must move.
const MARGIN: u128 = 16;

/// Estimates how long a message will be. The default is for one at the beginning of its buffer.
#[derive(Debug, Default)]
pub struct Estimate {
    /// The offset of the message in its buffer.
    start: usize,
    /// The number of its rows so far.
    rows: usize,
}

impl Estimate {
    /// Begins with a message that is about to be written to `out`.
    pub fn begin(out: &Out<'_>) -> Estimate {
        Estimate { start: out.len(), rows: 0 }
    }

    /// Counts more rows of the message.
    pub fn add(&mut self, rows: usize) {
        self.rows += rows;
    }

    /// Returns the number of rows after which [`Estimate::tell`] should be called again.
    pub fn next(&self) -> usize {
        (self.rows * (STEP - 1)).max(FIRST)
    }

    /// Tells the owner of the memory of `out` how long the message will probably be with `left` more
    /// rows. All rows that were counted must be in `out`.
    pub fn tell(&self, left: usize, out: &mut Out<'_>) {
        if self.rows < FIRST {
            return;
        }
        // A message may continue in another buffer, which is shorter.
        let written = out.len().saturating_sub(self.start);
        let rest = written as u128 * left as u128 / self.rows as u128;
        let rest = usize::try_from(rest + rest / MARGIN).unwrap_or(usize::MAX);
        out.expect(rest.min(written.saturating_mul(GREATEST)));
    }
}

#[cfg(test)]
mod tests {
    use crate::bytes::out::GrowableBuffer;
    use crate::encode::encode;
    use crate::error::Fault;
    use crate::layout::value::ValueRows;
    use crate::testing::{WIRES, frame_sizes, frames, plan, sized};
    use crate::value::Value;
    use crate::wire::message::Wire;

    /// A vector that follows expectations exactly, and notes how its memory grew.
    #[derive(Default)]
    struct Owner {
        bytes: Vec<u8>,
        /// The bytes that were written when the memory grew unexpectedly, and the new length.
        grown: Vec<(usize, usize)>,
        /// The same for expected growth.
        expected: Vec<(usize, usize)>,
    }

    // SAFETY: the memory is the vector's, which keeps it and what is written there.
    unsafe impl GrowableBuffer for Owner {
        unsafe fn grow(&mut self, used: usize, needed: usize) -> Result<(*mut u8, usize), Fault> {
            // SAFETY: the caller's promise.
            let (memory, len) = unsafe { self.bytes.grow(used, needed)? };
            self.grown.push((used, len));
            Ok((memory, len))
        }

        unsafe fn expect(&mut self, used: usize, len: usize) -> Option<(*mut u8, usize)> {
            assert!(len > self.bytes.capacity());
            // SAFETY: the caller has written so many bytes.
            unsafe { self.bytes.set_len(used) };
            self.bytes.reserve_exact(len - used);
            self.expected.push((used, len));
            Some((self.bytes.as_mut_ptr(), self.bytes.capacity()))
        }

        unsafe fn commit(&mut self, len: usize) {
            // SAFETY: the caller's promise.
            unsafe { self.bytes.commit(len) };
        }
    }

    /// Encodes rows, and checks the message.
    fn encoded(rows: &[Value], wire: Wire) -> Owner {
        let mut owner = Owner::default();
        encode(&plan("str"), &ValueRows(rows), wire, &mut owner).unwrap();
        let back = frames(&owner.bytes).into_iter().flat_map(|(_, rows)| rows);
        assert!(back.eq(rows.iter().cloned()));
        owner
    }

    fn texts(lengths: impl Iterator<Item = usize>) -> Vec<Value> {
        lengths.enumerate().map(|(i, len)| Value::from(&*format!("{i:0len$}"))).collect()
    }

    #[test]
    #[cfg_attr(miri, ignore = "many rows")]
    fn a_message_of_similar_rows_ends_in_memory_of_its_length() {
        for wire in WIRES {
            let owner = encoded(&texts((0..300_000).map(|i| 60 + i % 9)), wire);
            let len = owner.bytes.len();
            assert!(frame_sizes(&owner.bytes).len() > 1);
            let last = *owner.expected.last().unwrap();
            assert!(last.1 > len && last.1 < len + len / 8, "{last:?} of {len}");
            // Nothing grew after that.
            assert!(owner.grown.iter().all(|grown| grown.0 < last.0), "{wire:?}");
        }
    }

    #[test]
    #[cfg_attr(miri, ignore = "many rows")]
    fn long_first_rows_do_not_ask_for_much_memory() {
        let long = |i| if i < 100 { 10_000 } else { 20 };
        let owner = encoded(&texts((0..200_000).map(long)), Wire::Row);
        for (used, len) in owner.expected {
            assert!(len < 10 * used);
        }
    }

    #[test]
    #[cfg_attr(miri, ignore = "many rows")]
    fn long_last_rows_find_memory() {
        let long = |i| if i < 150_000 { 20 } else { 200 };
        encoded(&texts((0..200_000).map(long)), Wire::Row);
    }

    #[test]
    fn few_rows_are_not_estimated() {
        for wire in WIRES {
            let owner = encoded(&texts((0..sized(256, 40)).map(|i| 60 + i % 9)), wire);
            assert!(owner.expected.is_empty() && !owner.grown.is_empty());
        }
    }
}

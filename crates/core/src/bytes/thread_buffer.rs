//! A buffer of each thread, for calls that convert a single record. They need one for so short a
//! time that allocating it would take longer than the rest of the call.

use std::cell::Cell;

thread_local! {
    static BUFFER: Cell<Vec<u8>> = const { Cell::new(Vec::new()) };
}

/// Capacity of a new buffer. Compiled code writes a row only if the buffer has room for the longest
/// text that it copies without a check, for each string of the row.
const CAPACITY: usize = 16 << 10;

/// Larger buffers are freed after the call.
pub const MAX_KEPT: usize = 256 << 10;

/// Calls `work` with the thread's buffer, which is empty. If there is memory, its capacity is at
/// least 16 KiB. A nested call gets a buffer of its own.
#[inline]
pub fn with_buffer<T>(work: impl FnOnce(&mut Vec<u8>) -> T) -> T {
    // There is no buffer for a call in a destructor of the thread.
    let mut buffer = BUFFER.try_with(Cell::take).unwrap_or_default();
    buffer.clear();
    if buffer.capacity() == 0 {
        // Without memory, `work` finds out when it writes.
        let _ = buffer.try_reserve_exact(CAPACITY);
    }
    let result = work(&mut buffer);
    if buffer.capacity() <= MAX_KEPT {
        let _ = BUFFER.try_with(|kept| kept.set(buffer));
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_buffer_is_reused_unless_it_is_large_or_in_use() {
        let first = with_buffer(|buffer| {
            buffer.extend([1; 100]);
            let own = buffer.as_ptr();
            with_buffer(|nested| {
                nested.push(2);
                assert_ne!(nested.as_ptr(), own);
            });
            own
        });
        with_buffer(|buffer| {
            assert!(buffer.is_empty());
            assert_eq!(buffer.as_ptr(), first);
            buffer.reserve(MAX_KEPT + 1);
        });
        with_buffer(|buffer| assert_eq!(buffer.capacity(), CAPACITY));
    }
}

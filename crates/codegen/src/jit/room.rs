//! Whether there is memory for work that ends the process when memory runs out.

use std::hint::black_box;

/// Returns whether `bytes` can be allocated now.
pub(crate) fn is_free(bytes: usize) -> bool {
    let mut room = Vec::<u8>::new();
    // The optimiser leaves out an allocation that nobody uses. Nothing is written to this memory, so
    // it takes address space only.
    black_box(&mut room).try_reserve_exact(bytes).is_ok()
}

#[cfg(test)]
mod tests {
    use super::is_free;

    #[test]
    fn more_than_the_address_space_is_never_free() {
        assert!(is_free(1 << 20));
        assert!(!is_free(1 << 60));
    }
}

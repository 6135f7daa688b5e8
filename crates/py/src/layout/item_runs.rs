//! Memory for the items of containers whose own memory is not in the plan's order.

use serow_core::layout::OpResult;
use serow_core::memory;

use super::Object;

/// Minimum items of the first piece, and of all pieces.
const FIRST: usize = 64;
const PIECE: usize = 1024;

/// An arena of runs of items, which are freed together.
#[derive(Default)]
pub struct ItemRuns {
    pieces: Vec<Vec<Object>>,
    /// The piece that the next run comes from, and how many of its items are used.
    piece: usize,
    taken: usize,
}

impl ItemRuns {
    /// Free all runs.
    #[inline(always)]
    pub fn clear(&mut self) {
        (self.piece, self.taken) = (0, 0);
    }

    /// Frees the memory of all pieces but a small first one.
    pub fn shrink(&mut self) {
        self.clear();
        self.pieces.truncate(1);
        if self.pieces.first().is_some_and(|first| first.len() > PIECE) {
            self.pieces.clear();
        }
    }

    /// A run of `len` null items. It stays in place until [`ItemRuns::clear`].
    pub fn take(&mut self, len: usize) -> OpResult<*mut Object> {
        loop {
            if let Some(piece) = self.pieces.get_mut(self.piece) {
                if piece.len() - self.taken >= len {
                    let run = &mut piece[self.taken..][..len];
                    run.fill(std::ptr::null_mut());
                    self.taken += len;
                    return Ok(run.as_mut_ptr());
                }
                (self.piece, self.taken) = (self.piece + 1, 0);
                continue;
            }
            let least = if self.pieces.is_empty() { FIRST } else { PIECE };
            let mut piece = Vec::new();
            memory::resize(&mut piece, len.max(least), std::ptr::null_mut())?;
            self.pieces.push(piece);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_stay_where_they_are() {
        let mut room = ItemRuns::default();
        for _ in 0..3 {
            let runs: Vec<_> =
                [3, 0, 1000, 100, 5000, 7].map(|len| (len, room.take(len).unwrap())).into();
            for (i, &(len, run)) in runs.iter().enumerate() {
                for at in 0..len {
                    // SAFETY: the run has `len` items.
                    unsafe {
                        assert!((*run.add(at)).is_null());
                        *run.add(at) = std::ptr::without_provenance_mut(i + 1);
                    }
                }
            }
            for (i, &(len, run)) in runs.iter().enumerate() {
                for at in 0..len {
                    // SAFETY: as above.
                    unsafe { assert_eq!((*run.add(at)).addr(), i + 1) };
                }
            }
            room.clear();
        }
        assert!(room.pieces.len() < 6);
    }
}

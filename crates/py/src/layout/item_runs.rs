//! Memory for the items of containers whose own memory is not in the plan's order.

use serow_core::error::Fault;
use serow_core::layout::OpResult;

use super::Object;

/// Minimum items of a piece.
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
            let mut piece = Vec::new();
            piece.try_reserve_exact(len.max(PIECE)).map_err(|_| Fault::NoMemory)?;
            piece.resize(len.max(PIECE), std::ptr::null_mut());
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

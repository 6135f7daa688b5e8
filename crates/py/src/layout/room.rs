//! Places for the items of containers that do not lie in memory as a plan reads them.

use serow_core::error::Fault;
use serow_core::layout::Step;

use super::Object;

/// Items in a piece of room, or as many as are asked for at once.
const PIECE: usize = 1024;

/// Runs of items, all of which are given back together.
#[derive(Default)]
pub struct Room {
    pieces: Vec<Vec<Object>>,
    /// The piece that runs are taken of, and how many of its items are taken.
    piece: usize,
    taken: usize,
}

impl Room {
    /// Take all runs back.
    #[inline(always)]
    pub fn clear(&mut self) {
        (self.piece, self.taken) = (0, 0);
    }

    /// A run of `len` items that are null. It stays where it is until it is taken back.
    pub fn take(&mut self, len: usize) -> Step<*mut Object> {
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
        let mut room = Room::default();
        for _ in 0..3 {
            let runs: Vec<_> =
                [3, 0, 1000, 100, 5000, 7].map(|len| (len, room.take(len).unwrap())).into();
            for (i, &(len, run)) in runs.iter().enumerate() {
                for at in 0..len {
                    // SAFETY: the run has so many places.
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

//! An arena of runs of values, which are freed together.

use std::slice;

use crate::error::Fault;
use crate::memory;

/// Minimum values of the first piece, and of all pieces.
const FIRST: usize = 64;
const PIECE: usize = 1024;

/// An arena of runs of values. A run stays in place until all are freed.
#[derive(Debug)]
pub struct Runs<T> {
    pieces: Vec<Vec<T>>,
    /// The piece that the next run comes from, and how many of its values are used.
    piece: usize,
    taken: usize,
}

impl<T> Default for Runs<T> {
    fn default() -> Runs<T> {
        Runs { pieces: Vec::new(), piece: 0, taken: 0 }
    }
}

impl<T: Copy> Runs<T> {
    /// Frees all runs.
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

    /// Returns the address of a run of `len` values, which are `value`. It stays in place until
    /// [`Runs::clear`].
    ///
    /// # Errors
    /// `NoMemory` if there is none for the run.
    pub fn take(&mut self, len: usize, value: T) -> Result<*mut T, Fault> {
        loop {
            if let Some(piece) = self.pieces.get_mut(self.piece) {
                if piece.len() - self.taken >= len {
                    // SAFETY: the piece has `len` values from there on, and they are in no run. There is no
                    // reference to the whole piece, because earlier runs are in use.
                    let run = unsafe {
                        let run = piece.as_mut_ptr().add(self.taken);
                        slice::from_raw_parts_mut(run, len).fill(value);
                        run
                    };
                    self.taken += len;
                    return Ok(run);
                }
                (self.piece, self.taken) = (self.piece + 1, 0);
                continue;
            }
            let least = if self.pieces.is_empty() { FIRST } else { PIECE };
            let mut piece = Vec::new();
            memory::resize(&mut piece, len.max(least), value)?;
            self.pieces.push(piece);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_stay_where_they_are() {
        let mut room = Runs::default();
        for _ in 0..3 {
            let runs: Vec<_> =
                [3, 0, 1000, 100, 5000, 7].map(|len| (len, room.take(len, 0).unwrap())).into();
            for (i, &(len, run)) in runs.iter().enumerate() {
                for at in 0..len {
                    // SAFETY: the run has `len` values.
                    unsafe {
                        assert_eq!(*run.add(at), 0);
                        *run.add(at) = i + 1;
                    }
                }
            }
            for (i, &(len, run)) in runs.iter().enumerate() {
                for at in 0..len {
                    // SAFETY: as above.
                    unsafe { assert_eq!(*run.add(at), i + 1) };
                }
            }
            room.clear();
        }
        assert!(room.pieces.len() < 6);
    }
}

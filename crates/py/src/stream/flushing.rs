//! When a writer flushes by itself.

use std::time::{Duration, Instant};

use crate::errors::exception;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use serow_core::stream::StreamEncoder;

/// How much may wait before it is flushed.
#[derive(Debug, Default)]
pub struct Flushing {
    rows: Option<usize>,
    bytes: Option<u64>,
    after: Option<Duration>,
    /// When the first of the rows that wait was written, if `after` is given.
    since: Option<Instant>,
}

impl Flushing {
    /// # Errors
    /// A `ValueError` for a limit that is not positive.
    pub fn new(
        rows: Option<usize>,
        bytes: Option<u64>,
        seconds: Option<f64>,
    ) -> PyResult<Flushing> {
        let wrong = |name: &str, value: &dyn std::fmt::Display| {
            exception::<PyValueError>(format!("{name} must be more than 0, but it is {value}"))
        };
        if rows == Some(0) {
            return Err(wrong("flush_rows", &0));
        }
        if bytes == Some(0) {
            return Err(wrong("flush_bytes", &0));
        }
        let after = match seconds {
            Some(seconds) => match Duration::try_from_secs_f64(seconds) {
                Ok(after) if !after.is_zero() => Some(after),
                _ => return Err(wrong("flush_seconds", &seconds)),
            },
            None => None,
        };
        Ok(Flushing { rows, bytes, after, since: None })
    }

    /// Whether it never flushes.
    pub fn is_off(&self) -> bool {
        self.rows.is_none() && self.bytes.is_none() && self.after.is_none()
    }

    /// The most rows to take from an iterator before they are written. Rows that were taken can't be flushed,
    /// so none waits for the next if time counts.
    pub fn rows_at_once(&self, encoder: &StreamEncoder) -> usize {
        match self.after {
            Some(_) => 1,
            None => {
                self.rows.map_or(usize::MAX, |rows| rows.saturating_sub(encoder.waiting()).max(1))
            }
        }
    }

    /// Tells whether it is time to flush, after rows were written.
    pub fn is_due(&mut self, encoder: &StreamEncoder) -> bool {
        let waiting = encoder.waiting();
        if waiting == 0 {
            self.since = None;
            return false;
        }
        if let Some(after) = self.after
            && self.since.get_or_insert_with(Instant::now).elapsed() >= after
        {
            return true;
        }
        self.rows.is_some_and(|rows| waiting >= rows)
            || self
                .bytes
                .is_some_and(|bytes| encoder.written_and_waiting() - encoder.written() >= bytes)
    }

    /// Nothing waits any more.
    pub fn flushed(&mut self) {
        self.since = None;
    }

    /// How long the rows may still wait; `None` without a limit. If no rows wait, the limit.
    pub fn time_left(&self) -> Option<Duration> {
        let waited = self.since.map_or(Duration::ZERO, |since| since.elapsed());
        self.after.map(|after| after.saturating_sub(waited))
    }
}

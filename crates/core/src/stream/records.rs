//! Rows that wait until their frame is full, as records.
//!
//! Rows that come one by one can't be staged in columns: if a row does not fit, the rows before it have
//! to be staged again, and the caller may have changed them. A record that does not fit is cut off.

use std::ops::{ControlFlow, Range};
use std::sync::Arc;

use crate::bytes::out::Out;
use crate::compiled::run_and_count;
use crate::error::Fault;
use crate::interpreter::RunError;
use crate::layout::Source;
use crate::limits::MAX_FRAME_ROWS;
use crate::program::Program;
use crate::wire::row::{RowReader, RowWriter, ZeroSizedCounts};

/// Memory beyond this size is freed with the records.
const KEPT_BYTES: usize = 32 << 20;

/// Records of one schema.
#[derive(Debug, Default)]
pub struct Records {
    bytes: Vec<u8>,
    rows: usize,
    free: ZeroSizedCounts,
}

impl Records {
    /// The number of records.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Appends rows until a frame would be full. Returns the row after the last, and whether the frame
    /// is full.
    ///
    /// # Errors
    /// The row and the reason. All rows before that row are appended.
    pub fn append<S: Source>(
        &mut self,
        program: &Arc<Program>,
        source: &mut S,
        rows: Range<usize>,
    ) -> Result<(usize, bool), Box<RunError>> {
        let Records { bytes, free, .. } = self;
        let to = rows.end.min(rows.start + MAX_FRAME_ROWS - self.rows);
        let run = Out::appending(bytes, |out| {
            let mut writer = RowWriter::new(out, 0, *free);
            let run = run_and_count(program, source, &mut writer, rows.start..to);
            if run.is_err() {
                writer.roll_back();
            }
            *free = writer.free();
            run
        });
        match run.map_err(|fault| RunError::at_row(rows.start, fault))? {
            Ok(flow) => {
                let done = match flow {
                    ControlFlow::Continue(()) => to,
                    ControlFlow::Break(done) => done,
                };
                self.rows += done - rows.start;
                Ok((done, flow.is_break() || self.rows == MAX_FRAME_ROWS))
            }
            Err(error) => {
                self.rows += error.row - rows.start;
                Err(error)
            }
        }
    }

    /// Passes the records to `take` as a source, with their number, and removes them.
    ///
    /// # Errors
    /// A fault if there is no memory. Then nothing is removed.
    pub fn take<T>(&mut self, take: impl FnOnce(RowReader<'_>, usize) -> T) -> Result<T, Fault> {
        // The reader may look at some bytes after the records.
        Out::appending(&mut self.bytes, |out| out.extend(&[0; SLACK]))??;
        let result = take(RowReader::new(&self.bytes, SLACK), self.rows);
        if self.bytes.capacity() > KEPT_BYTES {
            self.bytes = Vec::new();
        }
        self.bytes.clear();
        (self.rows, self.free) = (0, ZeroSizedCounts::default());
        Ok(result)
    }
}

const SLACK: usize = crate::wire::message::CHECKSUM;

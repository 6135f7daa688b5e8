//! Rows that come one by one wait as records until they are many, and become columns then.
//!
//! To stage each row in columns at once, all columns would have to be opened for it. And few records can
//! get a wider schema if a row does not fit.

use std::ops::{ControlFlow, Range};
use std::sync::Arc;

use crate::bytes::out::Out;
use crate::compiled::{RowSource, run};
use crate::error::Fault;
use crate::interpreter::RunError;
use crate::limits::{FRAME_SIZE_TARGET, sized};
use crate::plan::{Defaults, FormerNames};
use crate::program::Program;
use crate::schema::Shape;
use crate::wire::row::{RowReader, RowWriter, ZeroSizedCounts};

/// Records that wait at most. They are still in the cache when they become columns.
const MOST_RECORDS: usize = sized(1024, 64);

/// Memory beyond this size is freed with the records.
const KEPT_BYTES: usize = 32 << 20;

/// Records of one schema.
#[derive(Debug, Default)]
pub struct Records {
    bytes: Vec<u8>,
    rows: usize,
    zero_sized: ZeroSizedCounts,
}

impl Records {
    /// The number of records.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Appends rows until there are many. Returns the row after the last, and whether no more records
    /// should wait.
    ///
    /// # Errors
    /// The row and the reason. All rows before that row are appended.
    pub fn append<S: RowSource>(
        &mut self,
        program: &Arc<Program>,
        source: &mut S,
        rows: Range<usize>,
    ) -> Result<(usize, bool), Box<RunError>> {
        let Records { bytes, zero_sized, .. } = self;
        let to = rows.end.min(rows.start + MOST_RECORDS - self.rows);
        let run = Out::appending(bytes, |out| {
            let mut writer = RowWriter::new(out, 0, *zero_sized);
            let run = source.run(program, &mut writer, rows.start..to);
            if run.is_err() {
                writer.roll_back();
            }
            *zero_sized = writer.zero_sized();
            run
        });
        match run.map_err(|fault| RunError::at_row(rows.start, fault))? {
            Ok(flow) => {
                let done = match flow {
                    ControlFlow::Continue(()) => to,
                    ControlFlow::Break(done) => done,
                };
                self.rows += done - rows.start;
                Ok((done, flow.is_break() || self.rows == MOST_RECORDS))
            }
            Err(error) => {
                self.rows += error.row - rows.start;
                Err(error)
            }
        }
    }

    /// Appends row 0 of `source`. Returns whether no more records should wait.
    ///
    /// # Errors
    /// The reason. Then nothing has changed.
    #[inline]
    pub fn append_one<S: RowSource>(
        &mut self,
        program: &Arc<Program>,
        source: &mut S,
    ) -> Result<bool, Box<RunError>> {
        let Records { bytes, zero_sized, .. } = self;
        let run = Out::appending(bytes, |out| {
            let mut writer = RowWriter::new(out, 0, *zero_sized);
            let run = source.run_one(program, &mut writer);
            match run {
                Ok(()) => *zero_sized = writer.zero_sized(),
                Err(_) => writer.roll_back(),
            }
            run
        });
        run.map_err(|fault| RunError::at_row(0, fault))??;
        self.rows += 1;
        Ok(self.rows >= MOST_RECORDS || self.bytes.len() >= FRAME_SIZE_TARGET)
    }

    /// The number of bytes of the records.
    pub fn size(&self) -> usize {
        self.bytes.len()
    }

    /// Makes the records, which have the schema of `from`, records of the schema of `to`. Returns false, and
    /// changes nothing, if `to` does not have all values of `from`.
    ///
    /// # Errors
    /// A fault if there is no memory. Then nothing changes.
    pub fn widen(&mut self, from: &Program, to: &Program) -> Result<bool, Fault> {
        let mut both = Shape::of(to.root());
        both.join(Shape::of(from.root()));
        if both.into_type() != *to.root() {
            return Ok(false);
        }
        let Ok(program) = Program::evolve(from, to, &Defaults::default(), &FormerNames::default())
        else {
            return Ok(false);
        };
        let (mut bytes, len, rows) = (Vec::new(), self.bytes.len(), self.rows);
        // This plan runs once, so it is not counted for compilation.
        let written = self.read(|mut source| {
            Out::appending(&mut bytes, |out| {
                let mut writer = RowWriter::new(out, 0, ZeroSizedCounts::default());
                let run = run(&program, &mut source, &mut writer, 0..rows);
                matches!(run, Ok(ControlFlow::Continue(()))).then(|| writer.zero_sized())
            })
        });
        self.bytes.truncate(len);
        let Some(zero_sized) = written?? else { return Ok(false) };
        *self = Records { bytes, rows, zero_sized };
        Ok(true)
    }

    /// Passes the records to `read` as a source, with some bytes after them.
    fn read<T>(&mut self, read: impl FnOnce(RowReader<'_>) -> T) -> Result<T, Fault> {
        // The reader may look at some bytes after the records.
        Out::appending(&mut self.bytes, |out| out.extend(&[0; SLACK]))??;
        Ok(read(RowReader::new(&self.bytes, SLACK)))
    }

    /// Passes the records to `take` as a source, with their number, and removes them.
    ///
    /// # Errors
    /// A fault if there is no memory. Then nothing is removed.
    pub fn take<T>(&mut self, take: impl FnOnce(RowReader<'_>, usize) -> T) -> Result<T, Fault> {
        let rows = self.rows;
        let result = self.read(|source| take(source, rows))?;
        if self.bytes.capacity() > KEPT_BYTES {
            self.bytes = Vec::new();
        }
        self.bytes.clear();
        (self.rows, self.zero_sized) = (0, ZeroSizedCounts::default());
        Ok(result)
    }
}

const SLACK: usize = crate::wire::message::CHECKSUM;

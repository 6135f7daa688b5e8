//! Unpacks frames into columns for Java.

use std::sync::Arc;

use serow_core::decode::{ReaderSchema, count_frame, count_set, decode_columns, decode_set};
use serow_core::layout::OpResult;
use serow_core::layout::batch::Batch;
use serow_core::layout::meter::{Meter, Observer};
use serow_core::program::Program;
use serow_core::wire::frame::ColumnSet;
use serow_core::wire::message::RawFrame;
use serow_core::{Error, Result};

use crate::block::Block;
use crate::components;
use crate::sizes::SIZES;
use crate::view::View;

/// Memory beyond this size is freed after each message.
pub const KEPT_BYTES: usize = 64 << 20;

/// Unpacks one frame after another into the same memory.
#[derive(Default)]
pub struct Unpacker {
    expected: Option<Arc<ReaderSchema>>,
    /// The memory that the rows of the next frame may take, in bytes.
    max_memory: Option<usize>,
    /// The plan of the columns that were unpacked last.
    program: Option<Arc<Program>>,
    block: Block,
    /// Staging for rows that become columns in a batch first.
    batch: Batch,
}

/// In place of the offset and the number of a frame. Java gets -1.
const NO_FRAME: usize = usize::MAX;

/// The result for a frame that is in the block.
pub struct Unpacked {
    rows: usize,
    /// The byte offset of the frame in the message, the number of the frame, and the number of rows
    /// before it.
    place: [usize; 3],
    /// Whether the schema differs from the last frame's.
    changed: bool,
    /// Whether the block has moved since the last frame.
    moved: bool,
    /// Whether some components are not a valid value.
    wrong: bool,
    /// The memory that its rows take, in bytes; 0 without a limit.
    memory: usize,
}

impl Unpacked {
    /// The numbers that Java gets.
    pub fn words(&self) -> [i64; 8] {
        let [changed, moved, wrong] = [self.changed, self.moved, self.wrong].map(i64::from);
        let [at, index, before] = self.place.map(|number| number as i64);
        [self.rows as i64, changed, moved, wrong, at, index, before, self.memory as i64]
    }
}

impl Unpacker {
    /// Begins with the frames of another message, which are converted to the `expected` schema. The rows
    /// of each may take `max_memory` bytes.
    pub fn begin(&mut self, expected: Option<Arc<ReaderSchema>>, max_memory: Option<usize>) {
        (self.expected, self.program, self.max_memory) = (expected, None, max_memory);
    }

    /// Lets the rows of the next frames take so much less memory.
    pub fn reduce_memory(&mut self, taken: &Unpacked) {
        self.max_memory = self.max_memory.map(|bytes| bytes.saturating_sub(taken.memory));
    }

    /// Frees what belongs to the message, and memory that is too large to keep.
    pub fn end(&mut self) {
        self.begin(None, None);
        if self.block.kept() > KEPT_BYTES {
            (self.block, self.batch) = (Block::default(), Batch::default());
        }
    }

    /// The number of bytes of memory.
    pub fn capacity(&self) -> usize {
        self.block.kept() + self.batch.capacity()
    }

    /// The plan of the columns that were unpacked last.
    pub fn program(&self) -> Result<&Program> {
        self.program.as_deref().ok_or_else(|| Error::decode("no frame has been read"))
    }

    /// The memory with the columns, which Java reads.
    pub fn memory(&mut self) -> &mut [u64] {
        self.block.memory()
    }

    /// Unpacks a frame.
    ///
    /// # Errors
    /// See [`decode_columns`]. A limit error if its rows would take too
    /// much memory.
    pub fn unpack(&mut self, raw: RawFrame<'_>) -> Result<Unpacked> {
        let Unpacker { expected, batch, .. } = self;
        let mut meter = meter(self.max_memory);
        if let Some(meter) = &mut meter {
            count_frame(&raw, expected.as_deref(), meter, batch)?;
        }
        let (program, set) = decode_columns(&raw, expected.as_deref(), batch)?;
        self.block
            .unpack(set, &mut hold(&mut meter))
            .map_err(|error| error.within(format_args!("frame {}", raw.index)))?;
        Ok(self.unpacked(program, raw.rows, [raw.at, raw.index, raw.first_row], meter))
    }

    /// Unpacks columns of the schema of `program`, which are of no frame. There are `first` rows before
    /// them.
    ///
    /// # Errors
    /// See [`decode_set`]. A limit error if its rows would take too much memory.
    pub fn unpack_set(
        &mut self,
        program: &Arc<Program>,
        set: ColumnSet<'_>,
        first: usize,
    ) -> Result<Unpacked> {
        let Unpacker { expected, batch, .. } = self;
        let expected = expected.as_deref();
        let mut meter = meter(self.max_memory);
        if let Some(meter) = &mut meter {
            count_set(program, set.clone(), expected, first, meter, batch)?;
        }
        let (rows, mut program) = (set.rows, program.clone());
        let converted = expected.filter(|to| to.program().schema() != program.schema());
        let set = match converted {
            None => set,
            Some(to) => {
                batch.reset(to.program());
                decode_set(&program, set, expected, first, batch)?;
                program = to.program().clone();
                ColumnSet::staged(&program, batch)
            }
        };
        self.block.unpack(set, &mut hold(&mut meter))?;
        Ok(self.unpacked(program, rows, [NO_FRAME, NO_FRAME, first], meter))
    }

    /// What Java is told of the columns in the block.
    fn unpacked(
        &mut self,
        program: Arc<Program>,
        rows: usize,
        place: [usize; 3],
        mut meter: Option<Meter>,
    ) -> Unpacked {
        let same = self.program.as_ref().is_some_and(|before| Arc::ptr_eq(before, &program));
        // A frame without rows has no columns.
        let right = rows == 0 || components::are_right(&program, View::new(self.block.memory()));
        self.program = Some(program);
        let memory = match (self.max_memory, &mut meter) {
            (Some(max), Some(meter)) => {
                meter.end_frame();
                max - meter.left()
            }
            _ => 0,
        };
        Unpacked {
            rows,
            place,
            changed: !same,
            moved: self.block.has_moved(),
            wrong: !right,
            memory,
        }
    }
}

/// Makes a meter that refuses rows once they take more than this many bytes.
fn meter(max_memory: Option<usize>) -> Option<Meter> {
    max_memory.map(|bytes| Meter::new(SIZES, bytes))
}

/// Holds the memory of columns.
fn hold(meter: &mut Option<Meter>) -> impl FnMut(usize) -> OpResult {
    move |bytes| match meter {
        Some(meter) => meter.hold(bytes),
        None => Ok(()),
    }
}

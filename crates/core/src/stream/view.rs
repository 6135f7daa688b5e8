//! The rows of a file in any order, and their fields.

use std::ops::Range;
use std::sync::Arc;

use self_cell::self_cell;

use super::seek::SeekDecoder;
use crate::compiled::RowSink;
use crate::decode::{RandomRows, ReaderSchema, program_of};
use crate::error::Result;
use crate::host_lock::HostLock;
use crate::layout::discard::Discard;
use crate::layout::meter::{Meter, Metered, Observer};
use crate::layout::{OpResult, SinkBase};
use crate::plan::StrEncoding;
use crate::program::Program;
use crate::wire::message::{PackedFrame, RawFrame};

/// The frames of a file from which rows were read last, with what was unpacked of them: at least one, and more up to
/// a number of bytes.
///
/// To read a row, the caller [takes](View::take) its frame. If it is not there, the caller passes the bytes that are
/// [`wanted`](View::wanted) until it gets the frame:
///
/// ```
/// use serow_core::host_lock::HostLock;
/// use serow_core::layout::value::ValueWriter;
/// use serow_core::stream::{IndexSearch, OpenFrame, SeekDecoder, View};
/// # use serow_core::encode::OneThread;
/// # use serow_core::layout::value::ValueRows;
/// # use serow_core::stream::StreamEncoder;
/// # use serow_core::wire::message::Wire;
/// # let mut file = Vec::new();
/// # let mut put = |bytes: &[u8]| Ok(file.extend_from_slice(bytes));
/// # let mut encoder = StreamEncoder::begin(Wire::Frame, None, &mut put)?;
/// # encoder.write(&ValueRows(&["peru".into(), "snow".into()]), &OneThread, &mut 0, &mut put)?;
/// # encoder.finish(&mut put)?;
///
/// // `file` has a stream of the rows "peru" and "snow".
/// let bytes_at = |range: &std::ops::Range<u64>| &file[range.start as usize..range.end as usize];
/// let mut search = IndexSearch::new(file.len() as u64);
/// while let Some(range) = search.wanted() {
///     search.give(bytes_at(&range))?;
/// }
/// let mut view = View::new(SeekDecoder::new(search.finish()), 64 << 20);
///
/// let number = view.seek.index().frame_of(1).unwrap();
/// let mut frame = view.take(number);
/// while frame.is_none() {
///     let wanted = view.wanted(number).unwrap();
///     let open = |packed| OpenFrame::new(number, packed, HostLock::NONE);
///     frame = view.give(number, &wanted, bytes_at(&wanted))?.map(open).transpose()?;
/// }
/// let (mut frame, mut rows) = (frame.unwrap(), ValueWriter::new());
/// frame.read(1, None, &mut None, &mut rows)?;
/// assert_eq!(rows.into_rows(), ["snow".into()]);
/// view.keep(frame);
/// # Ok::<(), serow_core::Error>(())
/// ```
#[derive(Debug)]
pub struct View {
    /// What finds the frames.
    pub seek: SeekDecoder,
    /// The most bytes of frames to keep.
    most: usize,
    /// The most recently used frame is last.
    frames: Vec<OpenFrame>,
}

/// A frame whose rows can be read in any order.
pub struct OpenFrame {
    number: usize,
    raw: Arc<RawFrame<'static>>,
    /// `None` until a row is read.
    rows: Option<OpenRows>,
    /// The bytes of its body, and of all that was unpacked.
    bytes: usize,
}

self_cell! {
    struct OpenRows {
        owner: (Arc<RawFrame<'static>>, Arc<Program>),
        #[not_covariant]
        dependent: RandomRows,
    }
}

impl View {
    /// Creates a view of a file that keeps frames up to so many bytes, and at least one.
    pub fn new(seek: SeekDecoder, most: usize) -> View {
        View { seek, most, frames: Vec::new() }
    }

    /// Takes a frame out, by its number; `None` if it is not kept.
    pub fn take(&mut self, frame: usize) -> Option<OpenFrame> {
        let at = self.frames.iter().rposition(|open| open.number == frame)?;
        Some(self.frames.remove(at))
    }

    /// Returns which bytes of the file to give for a frame; `None` if there is no such frame.
    pub fn wanted(&self, frame: usize) -> Option<Range<u64>> {
        let of_frame = || self.seek.index().entry(frame).map(|it| it.at..it.at + it.bytes);
        self.seek.schema_wanted(frame).or_else(of_frame)
    }

    /// Takes the bytes of a range that was wanted. Returns the frame; `None` if other bytes are wanted now.
    ///
    /// # Errors
    /// A decode error if they are damaged, or are not what the index says.
    pub fn give<'b>(
        &mut self,
        frame: usize,
        range: &Range<u64>,
        bytes: &'b [u8],
    ) -> Result<Option<PackedFrame<'b>>> {
        // The schema is in another frame. It may have been given meanwhile.
        match self.seek.index().entry(frame).is_some_and(|entry| entry.at != range.start) {
            true => self.seek.give_schema(frame, bytes).map(|()| None),
            false => self.seek.read(frame, bytes).map(Some),
        }
    }

    /// Keeps a frame. Drops those that were kept before the others, until the others fit.
    pub fn keep(&mut self, frame: OpenFrame) {
        self.frames.retain(|open| open.number != frame.number);
        self.frames.push(frame);
        let mut held: usize = self.frames.iter().map(|open| open.bytes).sum();
        let mut last = 0;
        while held > self.most && last + 1 < self.frames.len() {
            held -= self.frames[last].bytes;
            last += 1;
        }
        self.frames.drain(..last);
    }
}

impl OpenFrame {
    /// Decompresses the frame with this number, while other threads of a language may run.
    ///
    /// # Errors
    /// See [`PackedFrame::unpack`].
    pub fn new(number: usize, packed: PackedFrame<'_>, lock: HostLock) -> Result<OpenFrame> {
        let raw = packed.unpack_released(lock)?.into_owned();
        let bytes = raw.body().len();
        Ok(OpenFrame { number, raw: Arc::new(raw), rows: None, bytes })
    }

    /// Reads a row, by its number in the frame, into `sink`, converted to the `expected` schema if there is one, which
    /// must be the same for all rows. `meter` counts down, also what is unpacked of the frame.
    ///
    /// # Errors
    /// A decode error if there is no such row, or its bytes are invalid. A schema error if it can't be read as the
    /// expected one. A limit error if it would take too much memory. The sink's errors.
    pub fn read<K: RowSink>(
        &mut self,
        row: usize,
        expected: Option<&ReaderSchema>,
        meter: &mut Option<Meter>,
        sink: &mut K,
    ) -> Result<()> {
        self.rows(expected, meter)?.with_dependent_mut(|_, rows| {
            if let Some(meter) = meter {
                rows.read(row, &mut Discard::new(Metered { meter, for_sink: sink }))?;
            }
            rows.read(row, sink)
        })
    }

    /// Returns the rows, which are unpacked when they are first needed.
    fn rows(
        &mut self,
        expected: Option<&ReaderSchema>,
        meter: &mut Option<Meter>,
    ) -> Result<&mut OpenRows> {
        Ok(match &mut self.rows {
            Some(rows) => rows,
            empty => {
                let program = program_of(&self.raw, expected)?;
                let mut held = Held { bytes: 0, meter };
                let rows = OpenRows::try_new((self.raw.clone(), program), |(raw, program)| {
                    RandomRows::new(raw, program, &mut held)
                })?;
                self.bytes = self.bytes.saturating_add(held.bytes);
                empty.insert(rows)
            }
        })
    }
}

impl std::fmt::Debug for OpenFrame {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let OpenFrame { number, bytes, .. } = self;
        f.debug_struct("OpenFrame")
            .field("number", number)
            .field("bytes", bytes)
            .finish_non_exhaustive()
    }
}

/// Counts the memory that is held, which `meter` may limit.
struct Held<'a> {
    bytes: usize,
    meter: &'a mut Option<Meter>,
}

impl SinkBase for Held<'_> {
    fn hold(&mut self, bytes: usize) -> OpResult {
        self.bytes = self.bytes.saturating_add(bytes);
        self.meter.as_mut().map_or(Ok(()), |meter| meter.hold(bytes))
    }

    fn dictionary(&mut self, _: u32, _: StrEncoding, _: &[u32], _: &[u8]) -> OpResult {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::encode::OneThread;
    use crate::error::ErrorKind;
    use crate::layout::value::{ValueRows, ValueWriter};
    use crate::stream::{IndexSearch, StreamEncoder};
    use crate::testing::{WIRES, int, list, tuple};
    use crate::value::Value;
    use crate::wire::message::Wire;

    /// A row with a list, whose length is that of no neighbour.
    fn row(number: i64) -> Value {
        tuple([
            int(number),
            list((0..number % 5).map(int)),
            format!("row {number}").as_str().into(),
        ])
    }

    /// A stream with frames of 100 rows.
    fn file(wire: Wire, frames: i64) -> Vec<u8> {
        let mut file = Vec::new();
        let mut put = |bytes: &[u8]| {
            file.extend_from_slice(bytes);
            Ok(())
        };
        let mut encoder = StreamEncoder::begin(wire, None, &mut put).unwrap();
        for frame in 0..frames {
            let rows: Vec<Value> = (frame * 100..(frame + 1) * 100).map(row).collect();
            encoder.write(&ValueRows(&rows), &OneThread, &mut 0, &mut put).unwrap();
            encoder.flush(&mut put).unwrap();
        }
        encoder.finish(&mut put).unwrap();
        file
    }

    fn view(file: &[u8], most: usize) -> View {
        let mut search = IndexSearch::new(file.len() as u64);
        while let Some(range) = search.wanted() {
            search.give(&file[range.start as usize..range.end as usize]).unwrap();
        }
        View::new(SeekDecoder::new(search.finish()), most)
    }

    /// Reads a row. Counts the reads of the file.
    fn read(view: &mut View, (file, reads): (&[u8], &mut usize), row: u64) -> Result<Value> {
        let number = view.seek.index().frame_of(row).unwrap();
        let mut frame = view.take(number);
        while frame.is_none() {
            *reads += 1;
            let range = view.wanted(number).unwrap();
            let bytes = &file[range.start as usize..range.end as usize];
            let packed = view.give(number, &range, bytes)?;
            let open = |packed| OpenFrame::new(number, packed, HostLock::NONE);
            frame = packed.map(open).transpose()?;
        }
        let first = view.seek.index().entry(number).unwrap().first_row;
        let (mut frame, mut values) = (frame.unwrap(), ValueWriter::new());
        let result = frame.read((row - first) as usize, None, &mut None, &mut values);
        view.keep(frame);
        result.map(|()| values.into_rows().remove(0))
    }

    #[test]
    fn rows_come_in_any_order() {
        for wire in WIRES {
            let file = file(wire, 3);
            let (mut view, mut reads) = (view(&file, usize::MAX), 0);
            for number in (0..900).map(|i| i * 7919 % 300) {
                let value = read(&mut view, (&file, &mut reads), number).unwrap();
                assert_eq!(value, row(number as i64));
            }
            // Each frame, and once the schema in the first.
            assert!(reads <= 4, "{reads}");
        }
    }

    #[test]
    fn frames_are_forgotten_beyond_the_budget() {
        let file = file(Wire::Frame, 3);
        let (mut view, mut reads) = (view(&file, 0), 0);
        for number in [0, 1, 299, 298, 0, 299] {
            let value = read(&mut view, (&file, &mut reads), number).unwrap();
            assert_eq!(value, row(number as i64));
            assert_eq!(view.frames.len(), 1);
        }
        assert!((4..=5).contains(&reads), "{reads}");
    }

    #[test]
    fn damage_is_an_error_and_other_frames_can_still_be_read() {
        for wire in WIRES {
            let good = file(wire, 3);
            let mut bad = good.clone();
            let at = *view(&good, 0).seek.index().entry(1).unwrap();
            bad[(at.at + at.bytes / 2) as usize] ^= 1;
            let mut view = view(&bad, usize::MAX);
            let error = read(&mut view, (&bad, &mut 0), 100).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Decode);
            let value = read(&mut view, (&bad, &mut 0), 299).unwrap();
            assert_eq!(value, row(299));
        }
    }
}

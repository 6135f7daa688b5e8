//! Encoding: from rows to a message. `frames` decides where frames begin and end, [`dumps()`] how a
//! schema widens when a row does not fit.

mod column_rows;
mod dumps;
mod estimate;
mod frames;
mod inference;
mod one;
mod parts;
mod rows;
mod small;
#[cfg(test)]
mod tests;
mod uses;

pub use column_rows::{ColumnRows, exactly};
pub use dumps::{dumps, dumps_as, dumps_like, dumps_with, infer};
pub use frames::{Frames, Staging};
pub use inference::Inference;
pub use one::{encode_one, write_one};
pub use parts::{MakeFrames, ManyPack, ManyRead, OneThread, Part};
pub use rows::{Rows, shortened};

use std::sync::Arc;

use crate::bytes::out::{GrowableBuffer, OwnedOut};
use crate::compiled::RowSource;
use crate::error::{Error, ErrorKind, Fault, Result};
use crate::explain::{ErrorContext, explain, explain_at};
use crate::host_lock::HostLock;
use crate::interpreter::RunError;
use crate::layout::TOO_MANY_ELEMENTS;
use crate::limits::MAX_DEPTH;
use crate::path::Path;
use crate::plan::Plan;
use crate::program::Program;
use crate::schema::{InferError, Type};
use crate::wire::message::Format;

/// Writes a message of `rows`, all of the schema of `program`, into `buffer`. Returns its length.
///
/// # Errors
/// An encode error for the first value that does not fit.
pub fn encode<R: Rows>(
    program: &Arc<Program>,
    rows: &R,
    format: impl Into<Format>,
    buffer: &mut dyn GrowableBuffer,
) -> Result<usize> {
    encode_with(program, rows, format.into(), &OneThread, buffer)
}

/// Like [`encode()`], by the threads of `maker`. The bytes are the same.
///
/// # Errors
/// See [`encode()`].
pub fn encode_with<R: Rows>(
    program: &Arc<Program>,
    rows: &R,
    format: Format,
    maker: &impl MakeFrames<R>,
    buffer: &mut dyn GrowableBuffer,
) -> Result<usize> {
    let mut encoder = begin(format, rows, buffer)?;
    encoder
        .encode_with(program, maker, (rows, &mut rows.source()), 0..rows.len())
        .map_err(|error| misfit(&error, program, rows))?;
    encoder.finish(program).map(kept)
}

/// Begins a message of `rows`.
fn begin<R: Rows, B: GrowableBuffer>(format: Format, rows: &R, buffer: B) -> Result<Encoder<B>> {
    let encoder = Encoder::with_staging(format, buffer, Staging::take(format.wire))?;
    Ok(encoder.with_host_lock(rows.host_lock()))
}

fn no_type<R: Rows>(row: usize, untyped: &InferError, plan: Option<&Plan>, rows: &R) -> Error {
    let named = rows.before() + row;
    let path = match untyped {
        InferError::Value(path) => path,
        InferError::Depth => {
            return Error::limit(format!(
                "row {named}: lists and other containers nest more than {MAX_DEPTH} deep; does one hold itself?"
            ))
            .at_row(named);
        }
        InferError::Interrupted => return Error::host(),
        InferError::NoMemory => return Error::no_memory(),
        InferError::Size => {
            return explain_at(
                (named, Path::default(), None),
                TOO_MANY_ELEMENTS,
                ErrorContext::Encoded,
                |_| None,
            );
        }
    };
    // If nothing was seen at this place before, "never" is no help in the message.
    let expected = plan.and_then(|plan| plan.root().at(path)).filter(|ty| **ty != Type::Never);
    explain_at(
        (named, path.clone(), expected),
        Fault::TypeMismatch,
        ErrorContext::Encoded,
        |path| Some(format!("cannot encode {}", rows.describe(row, path, None))),
    )
}

/// Returns the error for a row that can't be encoded.
pub fn misfit<R: Rows>(error: &RunError, plan: &Plan, rows: &R) -> Error {
    describe(error, plan, rows, ErrorContext::Encoded)
}

fn describe<R: Rows>(error: &RunError, plan: &Plan, rows: &R, context: ErrorContext<'_>) -> Error {
    let named = RunError { row: rows.before() + error.row, ..error.clone() };
    explain(&named, plan, context, |place| {
        let value = rows.describe(error.row, &place.path, Some(&place.expected));
        Some(format!("cannot encode {value}"))
    })
}

/// Keeps the staging memory of a finished message for the next one, and returns the message's
/// length.
fn kept<B>((_, len, staging): (B, usize, Staging)) -> usize {
    staging.keep();
    len
}

/// Writes rows into the frames of one message, which is in memory of `B`.
pub struct Encoder<B> {
    out: OwnedOut<B>,
    frames: Frames,
}

impl<B: GrowableBuffer> Encoder<B> {
    /// Begins a message. Stages its rows in memory that [`Encoder::finish`] returned.
    ///
    /// # Errors
    /// A limit error if there is no memory, or no memory left in `buffer`.
    #[inline]
    pub fn with_staging(
        format: impl Into<Format>,
        buffer: B,
        staging: Staging,
    ) -> Result<Encoder<B>> {
        let mut out = OwnedOut::new(buffer);
        let frames = out.write(|out| Frames::begin(format.into(), staging, out)).map_err(lift)?;
        Ok(Encoder { out, frames })
    }

    /// The same encoder, which lets other threads run while it needs no rows; see [`Rows::look_again`].
    pub fn with_host_lock(mut self, host_lock: HostLock) -> Encoder<B> {
        self.frames.set_host_lock(host_lock);
        self
    }

    /// Appends `rows` of `source`. Ends a frame when it is large enough, and when the plan changes.
    ///
    /// # Errors
    /// The row and the reason. All rows before that row are in the message, if the source is
    /// [indexed](RowSource::IS_INDEXED).
    pub fn encode<S: RowSource>(
        &mut self,
        program: &Arc<Program>,
        source: &mut S,
        rows: std::ops::Range<usize>,
    ) -> std::result::Result<(), Box<RunError>> {
        let Encoder { out, frames } = self;
        let mut row = rows.start;
        out.write(|out| {
            while row < rows.end {
                row = frames.append(program, source, row..rows.end, out)?;
            }
            Ok(())
        })
    }

    /// Like [`Encoder::encode`], by the threads of `maker`.
    ///
    /// # Errors
    /// See [`Encoder::encode`].
    pub fn encode_with<'r, R: Rows>(
        &mut self,
        program: &Arc<Program>,
        maker: &impl MakeFrames<R>,
        rows: (&'r R, &mut R::Source<'r>),
        range: std::ops::Range<usize>,
    ) -> std::result::Result<(), Box<RunError>> {
        let Encoder { out, frames } = self;
        out.write(|out| maker.append(frames, program, rows, range, usize::MAX, out)).map(drop)
    }

    /// Returns whether the rows until now use all that the type of `program` allows; see [`uses`].
    /// False if they are no longer in the open frame.
    fn rows_use_all(&mut self, program: &Arc<Program>) -> bool {
        let Encoder { out, frames } = self;
        out.write(|out| frames.rows_use_all(program, out))
    }

    /// Ends the message. Returns its memory and its length, and the staging memory for another message. A
    /// message without rows has one empty frame of the schema of `program`.
    ///
    /// # Errors
    /// A limit error if the last frame is too large or memory runs out.
    #[inline]
    pub fn finish(self, program: &Arc<Program>) -> Result<(B, usize, Staging)> {
        let Encoder { mut out, frames } = self;
        let staging = out.write(|out| frames.finish(program, out)).map_err(lift)?;
        let (buffer, len) = out.commit();
        Ok((buffer, len, staging))
    }

    /// Returns the memory of a message that will not be finished.
    pub fn abandon(self) -> B {
        self.out.abandon()
    }
}

fn lift(fault: Fault) -> Error {
    fault.into_error(ErrorKind::Encode, "the message")
}

//! Messages whose schema is inferred from their rows, and widens when a row does not fit.

use std::sync::Arc;

use super::Rows;
use super::{
    Inference, MakeFrames, OneThread, begin, encode_with, kept, misfit, no_type, small, uses,
};
use crate::bytes::out::GrowableBuffer;
use crate::error::{Error, Fault, Result};
use crate::limits::{CHECK_ROWS, SAMPLE_ROWS};
use crate::program::Program;
use crate::schema::{Schema, Shape};
use crate::wire::compression::Compression;
use crate::wire::message::{Format, Wire};

/// Infers the schema of all `rows`.
///
/// # Errors
/// An encode error for the first row that has no serow type.
pub fn infer<R: Rows>(rows: &R) -> Result<Schema> {
    let mut shape = Shape::default();
    for row in 0..rows.len() {
        if row % CHECK_ROWS == CHECK_ROWS - 1 && rows.is_interrupted() {
            return Err(Error::host());
        }
        rows.infer(row, &mut shape).map_err(|untyped| no_type(row, &untyped, None, rows))?;
    }
    Schema::new(shape.into_type())
}

/// Writes a message of `rows` into `buffer` with the inferred schema, without compression. Returns its
/// length. Without a `wire`, a small message has the row wire and a larger one the frame wire: see
/// [`limits::SMALL_MESSAGE`](crate::limits::SMALL_MESSAGE).
///
/// # Errors
/// An encode error for the first row that has no serow type.
pub fn dumps<R: Rows>(
    rows: &R,
    wire: Option<Wire>,
    buffer: &mut dyn GrowableBuffer,
) -> Result<usize> {
    dumps_with(rows, wire, Compression::None, &OneThread, buffer)
}

/// Like [`dumps`], with a compression, which does not change which messages have the row wire, and by
/// the threads of `maker`, which don't change the bytes.
///
/// # Errors
/// See [`dumps`].
pub fn dumps_with<R: Rows>(
    rows: &R,
    wire: Option<Wire>,
    compression: Compression,
    maker: &impl MakeFrames<R>,
    buffer: &mut dyn GrowableBuffer,
) -> Result<usize> {
    let hint = rows.hint().filter(|_| rows.len() <= FEW_ROWS);
    let earlier = hint.and_then(Program::inferred);
    let mut inferred = Inferred::from(earlier.filter(|program| may_be_of(program, rows)));
    let len = match wire {
        Some(wire) => inferred.write(rows, Format { wire, compression }, maker, buffer)?,
        None => inferred.write_by_size(rows, compression, maker, buffer)?,
    };
    if let (Some(hint), Some(program)) = (hint, inferred.last)
        && (program.to.is_definite_for_rows || uses::is_determined_by_use(program.root()))
    {
        Program::keep_inferred(hint, &program);
    }
    Ok(len)
}

/// Like [`dumps_with`], for rows that all have the type of `program`.
///
/// # Errors
/// An encode error for the first row that does not fit.
pub fn dumps_as<R: Rows>(
    program: &Arc<Program>,
    rows: &R,
    wire: Option<Wire>,
    compression: Compression,
    maker: &impl MakeFrames<R>,
    buffer: &mut dyn GrowableBuffer,
) -> Result<usize> {
    let is_small =
        wire.is_none() && small::may_be(rows.len()) && small::may_be_of(rows.len(), &program.to);
    let mut wire = wire.unwrap_or(Wire::Frame);
    if is_small {
        let attempt = |buffer: &mut dyn GrowableBuffer| {
            encode_with(program, rows, Wire::Row.into(), &OneThread, buffer)
        };
        match small::write(buffer, attempt)? {
            Some(len) if compression == Compression::None => return Ok(len),
            Some(_) => wire = Wire::Row,
            None => {}
        }
    }
    encode_with(program, rows, Format { wire, compression }, maker, buffer)
}

/// `program` was inferred from similar earlier rows. Returns whether it can be told, from these `rows` in
/// their message, that serow would infer it from them too.
fn may_be_of<R: Rows>(program: &Program, rows: &R) -> bool {
    // All rows are in a sample of fewer than that.
    program.to.is_definite_for_rows || rows.len() < SAMPLE_ROWS
}

/// Up to this many rows are first encoded with the schema of similar earlier rows. For more rows
/// inference takes little of the time, and a failed attempt would cost more.
const FEW_ROWS: usize = 1024;

/// What is known about the type of the rows of a message. It depends only on the rows, so it can be
/// used for two attempts to write them.
struct Inferred {
    /// The program of similar earlier rows, until a row does not fit it.
    earlier: Option<Arc<Program>>,
    /// The result of [`Inference::sampled`], if it was necessary.
    sample: Option<(Inference, Arc<Program>)>,
    /// The program of the message's last frame, if the rows were inspected.
    last: Option<Arc<Program>>,
}

impl From<Option<Arc<Program>>> for Inferred {
    fn from(earlier: Option<Arc<Program>>) -> Inferred {
        Inferred { earlier, sample: None, last: None }
    }
}

impl Inferred {
    /// Writes a message of `rows` into `buffer`, in the wire that its size demands. Returns its length.
    /// The size that decides is that without compression.
    fn write_by_size<R: Rows>(
        &mut self,
        rows: &R,
        compression: Compression,
        maker: &impl MakeFrames<R>,
        buffer: &mut dyn GrowableBuffer,
    ) -> Result<usize> {
        let format = |wire| Format { wire, compression };
        if small::may_be(rows.len()) {
            // If rows of this type take so many bytes whatever their values are, the message is in frames. If
            // a row does not fit the type, it may still be small: rows of other types may take less.
            let program = match &self.earlier {
                Some(program) => program,
                None => &sample(&mut self.sample, rows)?.1,
            };
            if !small::may_be_of(rows.len(), &program.to)
                && let Some(len) = self.attempt(rows, format(Wire::Frame), maker, buffer)?
            {
                return Ok(len);
            }
            let attempt = |buffer: &mut dyn GrowableBuffer| {
                self.write(rows, Wire::Row.into(), &OneThread, buffer)
            };
            match small::write(buffer, attempt)? {
                Some(len) if compression == Compression::None => return Ok(len),
                Some(_) => return self.write(rows, format(Wire::Row), maker, buffer),
                None => {}
            }
        }
        self.write(rows, format(Wire::Frame), maker, buffer)
    }

    /// Writes a message of `rows` into `buffer`. Returns its length.
    fn write<R: Rows>(
        &mut self,
        rows: &R,
        format: Format,
        maker: &impl MakeFrames<R>,
        buffer: &mut dyn GrowableBuffer,
    ) -> Result<usize> {
        if self.earlier.is_some()
            && let Some(len) = self.attempt(rows, format, maker, buffer)?
        {
            return Ok(len);
        }
        let sample = sample(&mut self.sample, rows)?.clone();
        let (len, program) = widening(sample, true, rows, format, maker, buffer)?;
        self.last = Some(program);
        Ok(len)
    }

    /// Writes a message of `rows`, all of the type of the earlier rows, or, if none is known, of the sample.
    /// Returns its length; `None`, and forgets the earlier rows, if these have another type.
    ///
    /// # Errors
    /// If the host has stopped the run, or there is no memory.
    fn attempt<R: Rows>(
        &mut self,
        rows: &R,
        format: Format,
        maker: &impl MakeFrames<R>,
        buffer: &mut dyn GrowableBuffer,
    ) -> Result<Option<usize>> {
        let earlier = self.earlier.take();
        let program = match &earlier {
            Some(program) => program.clone(),
            None => sample(&mut self.sample, rows)?.1.clone(),
        };
        let is_certain = earlier.is_none() || program.to.is_definite_for_rows;
        let source = match is_certain || !uses::has_dicts(program.root()) {
            true => Some(rows.source()),
            false => rows.source_by_key_order(),
        };
        let Some(mut source) = source else { return Ok(None) };
        let mut encoder = begin(format, rows, buffer)?;
        match encoder.encode_with(&program, maker, (rows, &mut source), 0..rows.len()) {
            Ok(()) => {}
            Err(error) if matches!(error.fault, Fault::Host | Fault::NoMemory) => {
                self.earlier = earlier;
                return Err(misfit(&error, &program, rows));
            }
            // The rows are written in the usual way, which names the first value at fault.
            Err(_) => return Ok(None),
        }
        if !is_certain && !encoder.rows_use_all(&program) {
            let (_, inferred) = sample(&mut self.sample, rows)?;
            if !Arc::ptr_eq(inferred, &program) {
                return Ok(None);
            }
        }
        self.last = self.sample.as_ref().map(|_| program.clone());
        self.earlier = earlier;
        encoder.finish(&program).map(|finished| Some(kept(finished)))
    }
}

/// Returns the sample of `rows`, which is taken when it is first needed.
fn sample<'a, R: Rows>(
    taken: &'a mut Option<(Inference, Arc<Program>)>,
    rows: &R,
) -> Result<&'a (Inference, Arc<Program>)> {
    Ok(match taken {
        Some(sample) => sample,
        empty => empty.insert(Inference::sampled(rows)?),
    })
}

/// Like [`dumps`], for one of many messages whose rows are mostly alike. `known` is the program of
/// the previous message and becomes this message's. If the first row fits it, no rows are
/// inspected. For a few rows inspection takes longer than writing them.
///
/// # Errors
/// See [`dumps`]. After an error `known` is unchanged.
pub fn dumps_like<R: Rows>(
    known: &mut Option<Arc<Program>>,
    rows: &R,
    wire: Wire,
    buffer: &mut dyn GrowableBuffer,
) -> Result<usize> {
    let (begin, is_sampled) = match known {
        Some(program) => ((Inference::default(), program.clone()), false),
        None => (Inference::sampled(rows)?, true),
    };
    let (len, program) = widening(begin, is_sampled, rows, wire.into(), &OneThread, buffer)?;
    *known = Some(program);
    Ok(len)
}

/// Writes a message of `rows` into `buffer`. It begins with this program, whose type widens when a row
/// does not fit. If the inference is not that of a sample and the first row does not fit, it begins with
/// a sample. Returns the message's length and the program of its last frame.
fn widening<R: Rows>(
    (mut inference, mut program): (Inference, Arc<Program>),
    mut is_sampled: bool,
    rows: &R,
    format: Format,
    maker: &impl MakeFrames<R>,
    buffer: &mut dyn GrowableBuffer,
) -> Result<(usize, Arc<Program>)> {
    let mut encoder = begin(format, rows, buffer)?;
    let mut source = rows.source();
    let mut from = 0;
    while let Err(error) =
        encoder.encode_with(&program, maker, (rows, &mut source), from..rows.len())
    {
        if error.fault != Fault::TypeMismatch {
            return Err(misfit(&error, &program, rows));
        }
        if error.row == 0 && !is_sampled {
            // These rows differ from the first row on. Joining them with the known type would only
            // widen it.
            (inference, program) = Inference::sampled(rows)?;
            is_sampled = true;
            continue;
        }
        program = inference.widen(&program, &error, rows, 0)?;
        from = error.row;
    }
    let len = encoder.finish(&program).map(kept)?;
    Ok((len, program))
}

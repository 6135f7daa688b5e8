//! Decoding a single record.

use std::sync::Arc;

use super::{ReaderSchema, refusal};
use crate::bytes::thread_buffer::with_buffer;
use crate::compiled::RowSink;
use crate::error::{Error, Fault, Result};
use crate::explain::{ErrorContext, explain};
use crate::interpreter::RunError;
use crate::layout::discard::Discard;
use crate::layout::meter::{Meter, Metered};
use crate::layout::{SinkBase, Unique};
use crate::plan::Plan;
use crate::program::Program;
use crate::schema::{Brief, Schema};
use crate::wire::message::MAGIC;
use crate::wire::row::{RowReader, SLACK};
use crate::wire::single::{self, Agreement, SingleRecord};

/// Reads the single record `data` into `sink`. If it has another schema that the `agreement` knows,
/// the row is converted to the expected schema. `meter` limits the memory of the row.
///
/// # Errors
/// A decode error if the bytes are invalid. A schema error if the record's schema is unknown or can't
/// be read as the expected one. A limit error if the row would take too much memory.
#[inline]
pub fn decode_one<K: RowSink>(
    data: &[u8],
    expected: &ReaderSchema,
    agreement: &Agreement,
    meter: Option<Meter>,
    sink: &mut K,
) -> Result<()> {
    let single = SingleRecord::parse(data, agreement.has_fingerprint)?;
    let other;
    let program = match single.fingerprint {
        Some(named) if named != expected.program().schema().fingerprint() => {
            other = other_version(named, expected, agreement)?;
            &other
        }
        _ => expected.program(),
    };
    let at = data.len() - single.value.len();
    with_buffer(|buffer| {
        single.copy_as_row(buffer, &[0; SLACK])?;
        if let Some(mut meter) = meter {
            let counted = Metered { meter: &mut meter, for_sink: &mut *sink };
            read(program, buffer, at, &mut Discard::new(counted))?;
        }
        read(program, buffer, at, sink)
    })
}

/// Like [`decode_one`], for a sink that takes rows of any schema: the row keeps the schema of its
/// writer. A record without a fingerprint has the schema of `program`.
///
/// # Errors
/// See [`decode_one`].
pub fn decode_one_as_written<K: RowSink>(
    data: &[u8],
    program: &Arc<Program>,
    agreement: &Agreement,
    sink: &mut K,
) -> Result<()> {
    let single = SingleRecord::parse(data, agreement.has_fingerprint)?;
    let own = program.schema();
    let program = match single.fingerprint {
        Some(named) if named != own.fingerprint() => {
            &agreement.schemas.program(named).ok_or_else(|| unknown(named, own))?
        }
        _ => program,
    };
    let at = data.len() - single.value.len();
    with_buffer(|buffer| {
        single.copy_as_row(buffer, &[0; SLACK])?;
        read(program, buffer, at, sink)
    })
}

/// Returns the value of the single record `data`, and its offset, if it is of the schema of `program`.
///
/// # Errors
/// A decode error if `data` is shorter than a fingerprint, or longer than a row can be.
#[inline]
pub fn own_value<'a>(
    data: &'a [u8],
    program: &Program,
    agreement: &Agreement,
) -> Result<Option<(&'a [u8], usize)>> {
    let SingleRecord { fingerprint, value } = SingleRecord::parse(data, agreement.has_fingerprint)?;
    single::check_len(value)?;
    let own = program.schema().fingerprint();
    Ok(fingerprint.is_none_or(|named| named == own).then(|| (value, data.len() - value.len())))
}

/// The error of a run over the value of a single record, which begins at offset `at`. `said` is why the row's type
/// refused a value.
#[cold]
pub fn stopped_in_value(plan: &Plan, at: usize, error: &RunError, said: String) -> Error {
    let said = (error.fault == Fault::Unrepresentable).then_some(said);
    explain(error, plan, ErrorContext::DecodedOne { at }, |_| said)
}

/// Reads the record of the row wire in `buffer`. Its value is at offset `at` of the single record.
fn read<K: RowSink>(program: &Arc<Program>, buffer: &[u8], at: usize, sink: &mut K) -> Result<()> {
    if K::TAKES_DUPLICATES && program.has_sets_or_maps {
        let mut unique = Unique::default();
        unique
            .run_one(program, &mut RowReader::new(buffer, SLACK))
            .map_err(|error| stopped(program, at, &error, &unique))?;
    }
    let mut record = RowReader::new(buffer, SLACK);
    sink.run_one(program, &mut record).map_err(|error| stopped(program, at, &error, sink))
}

#[cold]
fn stopped<K: SinkBase>(plan: &Plan, at: usize, error: &RunError, sink: &K) -> Error {
    explain(error, plan, ErrorContext::DecodedOne { at }, |_| refusal(error, sink))
}

/// Returns the program that reads records of the schema with the fingerprint `named`.
#[inline(never)]
fn other_version(
    named: u64,
    expected: &ReaderSchema,
    agreement: &Agreement,
) -> Result<Arc<Program>> {
    let own = expected.program().schema();
    let Some(writer) = agreement.schemas.program(named) else {
        return Err(unknown(named, own));
    };
    expected.evolve(&writer).map_err(|error| {
        error
            .within(format_args!(
                "the record has schema {}, but the codec is for {}",
                Brief(writer.root()),
                Brief(own.root())
            ))
            .advising("declare a type that fits")
    })
}

fn unknown(named: u64, own: &Schema) -> Error {
    if named.to_le_bytes().starts_with(MAGIC) {
        let text = "these bytes are a message and no single record; read them with decode";
        return Error::schema(text).at_offset(0);
    }
    Error::schema(format!(
        "the record has a schema with the fingerprint {named:#018x}, which is neither the codec's \
         ({:#018x}) nor in its set of schemas; add the schema of the record's writer to a \
         SchemaSet, and give the set to the codec",
        own.fingerprint()
    ))
    .at_offset(0)
}

//! Converts a failed run into an error: what is wrong, in which row, and at which value.
//!
//! The verb of an encode error ("cannot encode") comes from `encode/mod.rs`, and the description of
//! the value from `Rows::describe` of the language.

use std::fmt;

use crate::error::{Error, ErrorKind, Fault};
use crate::interpreter::RunError;
use crate::path::Path;
use crate::plan::{Op, Plan, TypePath};
use crate::schema::{Brief, Container, Type, Word};
use crate::wire::message::{RawFrame, Wire};

/// The kind of rows of a run, for its errors.
#[derive(Clone, Copy, Debug)]
pub enum ErrorContext<'a> {
    /// Encoded rows. They are counted from the first row of the message.
    Encoded,
    /// The row of a single record.
    EncodedOne,
    /// The row of a single record, whose value is at this offset.
    DecodedOne {
        /// The offset in bytes.
        at: usize,
    },
    /// Decoded rows that are not from a message.
    Decoded,
    /// Rows decoded from this frame.
    Frame(&'a RawFrame<'a>),
}

/// Converts the `error` of a run of `plan` over rows of `context`. `said` may describe the value at
/// the failing place if it does not fit or can't be represented.
pub fn explain(
    error: &RunError,
    plan: &Plan,
    context: ErrorContext<'_>,
    said: impl FnOnce(&TypePath) -> Option<String>,
) -> Error {
    if error.fault == Fault::NoMemory {
        return Error::no_memory();
    }
    let place = error.place.as_deref().cloned();
    let TypePath { path, expected } =
        place.unwrap_or_else(|| plan.place(error.pc, error.field, &error.elements));
    explain_at((error.row, path, Some(&expected)), error.fault, context, |path| match error.fault {
        Fault::OtherMember(index) => other_member(plan, error.pc, index),
        Fault::OtherArm => plan.refused_arm(error.pc),
        Fault::OtherLength(len) => other_length(plan, error.pc, len),
        _ => said(&TypePath { path: path.clone(), expected: expected.clone() }),
    })
}

/// Describes member `index` of the writer's enum that instruction `pc` reads.
fn other_member(plan: &Plan, pc: usize, index: u32) -> Option<String> {
    let Some(Op::OtherEnum { from, .. }) = plan.ops.get(pc) else { return None };
    let of = plan.from.tables.enums.get(from.table as usize)?;
    let member = Word(of.members.get(index as usize)?);
    Some(format!("{member} is not a member of the reader's enum {}", Word(&of.name)))
}

/// Describes the sequence of `len` elements that instruction `pc` refuses.
fn other_length(plan: &Plan, pc: usize, len: usize) -> Option<String> {
    let Some(Op::EnterElements { read, made, .. }) = plan.ops.get(pc) else { return None };
    let kind = |container| if container == Container::Tuple { "tuple" } else { "list" };
    let elements = if len == 1 { "element" } else { "elements" };
    Some(format!(
        "the {} has {len} {elements}, and the reader's {} has {}; read it as a {} of any length",
        kind(*read),
        kind(made.container),
        made.len,
        kind(made.container),
    ))
}

/// Like [`explain`], for a `fault` in a row at `path`, where a value of type `expected` should be,
/// if that is known.
pub fn explain_at(
    (row, path, expected): (usize, Path, Option<&Type>),
    fault: Fault,
    context: ErrorContext<'_>,
    said: impl FnOnce(&Path) -> Option<String>,
) -> Error {
    let said = match fault {
        Fault::TypeMismatch
        | Fault::Unrepresentable
        | Fault::OtherMember(_)
        | Fault::OtherArm
        | Fault::OtherLength(_) => said(&path),
        _ => None,
    };
    let (kind, index) = match context {
        ErrorContext::Encoded | ErrorContext::EncodedOne => (ErrorKind::Encode, row),
        ErrorContext::Decoded | ErrorContext::DecodedOne { .. } => (ErrorKind::Decode, row),
        ErrorContext::Frame(raw) => (ErrorKind::Decode, raw.first_row + row),
    };
    // If bytes are corrupt, the type of the whole row is no help.
    let expected = expected.filter(|_| !matches!(fault, Fault::Corrupt(_)) || !path.0.is_empty());
    let at = At { row, path: &path, expected, context };
    let error = match said {
        Some(said) => Error::new(kind, format!("{at}: {said}")),
        None => fault.into_error(kind, &at),
    };
    match error.kind() {
        ErrorKind::Memory | ErrorKind::Host => return error,
        _ => {}
    }
    let error = error.at_row(index).at_path(path);
    match context {
        ErrorContext::Frame(raw) => error.at_offset(raw.offset_of(row)),
        ErrorContext::DecodedOne { at } => error.at_offset(at),
        _ => error,
    }
}

/// The error for a fault of the frame as a whole.
pub fn explain_frame(raw: &RawFrame<'_>, fault: Fault) -> Error {
    let error = fault.into_error(ErrorKind::Decode, format_args!("frame {}", raw.index));
    match error.kind() {
        ErrorKind::Memory | ErrorKind::Host => error,
        _ => error.at_offset(raw.at),
    }
}

/// A place as messages name it.
struct At<'a> {
    row: usize,
    path: &'a Path,
    expected: Option<&'a Type>,
    context: ErrorContext<'a>,
}

impl fmt::Display for At<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.context {
            ErrorContext::Frame(raw) => write!(f, "frame {}, row {}", raw.index, self.row)?,
            ErrorContext::EncodedOne | ErrorContext::DecodedOne { .. } => f.write_str("record")?,
            ErrorContext::Encoded | ErrorContext::Decoded => write!(f, "row {}", self.row)?,
        }
        match (self.path.0.is_empty(), self.expected) {
            (true, None) => Ok(()),
            (true, Some(expected)) => write!(f, ", ({})", Brief(expected)),
            (false, None) => write!(f, ", field {}", self.path),
            (false, Some(expected)) => write!(f, ", field {} ({})", self.path, Brief(expected)),
        }
    }
}

impl RawFrame<'_> {
    /// Returns the offset in the message of row `row` of the frame, if the wire stores rows
    /// separately, or else of the frame.
    fn offset_of(&self, row: usize) -> usize {
        let mut rest = self.body();
        let Some(body_at) = self.body_at().filter(|_| self.wire == Wire::Row) else {
            return self.at;
        };
        for _ in 0..row {
            let Some((len, records)) = rest.split_first_chunk() else { break };
            let Some(next) = records.get(u32::from_le_bytes(*len) as usize..) else { break };
            rest = next;
        }
        body_at + self.body().len() - rest.len()
    }
}

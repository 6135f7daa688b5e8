//! The one error type of this crate, and the small fault that hot code returns.

use std::borrow::Cow;
use std::fmt;

use crate::path::Path;

/// What went wrong, so that each language can raise its own class.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ErrorKind {
    /// A schema's text or type list is wrong, or is not the one that was asked for.
    Schema,
    /// A row can't be encoded: it has no type here, or does not fit the schema.
    Encode,
    /// Bytes are cut, damaged, of another version, or say something impossible.
    Decode,
    /// The caller's buffer can't hold the message.
    BufferTooSmall,
    /// Something is larger than [`limits`](crate::limits) or the caller allows.
    Limit,
    /// The system has no more memory.
    Memory,
    /// The host language has raised an error of its own, which must be passed on.
    Host,
}

/// An error with a message for people: what, where, and what to do. Programs ask
/// [`row`](Error::row), [`path`](Error::path) and [`offset`](Error::offset) where it is.
///
/// ```
/// use serow_core::{Error, path::Path};
///
/// let error = Error::encode("row 7, field 2: cannot encode it").at_row(7).at_path(Path::default());
/// assert_eq!(error.row(), Some(7));
/// assert_eq!(error.offset(), None);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    kind: ErrorKind,
    message: Cow<'static, str>,
    /// An error for want of memory has none, so that no memory is needed to make it.
    details: Option<Box<Details>>,
}

/// What programs can ask an error for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Details {
    row: Option<usize>,
    path: Option<Path>,
    offset: Option<usize>,
    needed: Option<usize>,
}

/// A result with this crate's error.
pub type Result<T> = std::result::Result<T, Error>;

impl Error {
    /// An error of `kind` that says `message`.
    pub fn new(kind: ErrorKind, message: impl Into<Cow<'static, str>>) -> Error {
        Error { kind, message: message.into(), details: None }
    }

    /// A schema error.
    pub fn schema(message: impl Into<Cow<'static, str>>) -> Error {
        Error::new(ErrorKind::Schema, message)
    }

    /// An encode error.
    pub fn encode(message: impl Into<Cow<'static, str>>) -> Error {
        Error::new(ErrorKind::Encode, message)
    }

    /// A decode error.
    pub fn decode(message: impl Into<Cow<'static, str>>) -> Error {
        Error::new(ErrorKind::Decode, message)
    }

    /// A limit error.
    pub fn limit(message: impl Into<Cow<'static, str>>) -> Error {
        Error::new(ErrorKind::Limit, message)
    }

    /// A buffer of `given` bytes for a message of `needed` bytes.
    pub fn buffer_too_small(needed: usize, given: usize) -> Error {
        let mut error = Error::new(
            ErrorKind::BufferTooSmall,
            format!(
                "the message takes {needed} bytes and the buffer has {given}; give a larger one"
            ),
        );
        error.details().needed = Some(needed);
        error
    }

    /// There is no memory. Making this error takes none.
    pub const fn no_memory() -> Error {
        let message = Cow::Borrowed("there is no memory for the rows or their message");
        Error { kind: ErrorKind::Memory, message, details: None }
    }

    /// The host language's own error is pending.
    pub fn host() -> Error {
        Error::new(ErrorKind::Host, "the host language raised an error")
    }

    /// Which kind of error this is.
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// The message for people.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// The row at fault: its index among the rows that were given, or among those of the message.
    pub fn row(&self) -> Option<usize> {
        self.details.as_ref()?.row
    }

    /// The steps from that row to the value at fault. An empty path leads to the row itself.
    pub fn path(&self) -> Option<&Path> {
        self.details.as_ref()?.path.as_ref()
    }

    /// Where in the message the smallest part begins that is known to be wrong: a frame, or in the
    /// row wire a record.
    pub fn offset(&self) -> Option<usize> {
        self.details.as_ref()?.offset
    }

    /// How many bytes the message takes that the buffer can't hold.
    pub fn needed(&self) -> Option<usize> {
        self.details.as_ref()?.needed
    }

    fn details(&mut self) -> &mut Details {
        self.details.get_or_insert_default()
    }

    /// The same error, at row `row`.
    pub fn at_row(mut self, row: usize) -> Error {
        self.details().row = Some(row);
        self
    }

    /// The same error, at the value that `path` leads to.
    pub fn at_path(mut self, path: Path) -> Error {
        self.details().path = Some(path);
        self
    }

    /// The same error, at byte `offset` of the message.
    pub fn at_offset(mut self, offset: usize) -> Error {
        self.details().offset = Some(offset);
        self
    }

    /// The same error, with `context` before its message.
    pub fn within(self, context: impl fmt::Display) -> Error {
        if self.kind == ErrorKind::Memory {
            return self;
        }
        Error { message: format!("{context}: {}", self.message).into(), ..self }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Error {}

/// Why an instruction could not be carried out. It is small, because every instruction of hot
/// code may return it; the interpreter adds the row and the field and makes an [`Error`] of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The value is not of the type that the plan expects.
    TypeMismatch,
    /// The bytes say something impossible.
    Corrupt(&'static str),
    /// The value is beyond a limit.
    Limit(&'static str),
    /// The sink's language has no such value; [`Sink::refusal`](crate::layout::Sink::refusal) says
    /// what it was.
    Unrepresentable,
    /// This integer is read as a float, which may not hold it.
    Inexact(i64),
    /// The member of this index of the writer's enum is none of the reader's.
    OtherMember(u32),
    /// The system has no more memory.
    NoMemory,
    /// The host language has raised an error.
    Host,
}

impl Fault {
    /// The error that this fault is when it is met `at` a place while rows are encoded or decoded,
    /// as `kind` says.
    pub fn into_error(self, kind: ErrorKind, at: impl fmt::Display) -> Error {
        match self {
            Fault::TypeMismatch => Error::new(kind, "a value does not fit the schema"),
            Fault::Corrupt(what) => Error::new(kind, what),
            Fault::Unrepresentable => Error::new(kind, "a value can't be held here"),
            Fault::Inexact(v) => Error::new(
                kind,
                format!(
                    "{v} is read as f64, which may not hold it: beyond 2^53 not all integers are floats"
                ),
            ),
            Fault::OtherMember(_) => Error::new(kind, "a member is none of its enum as it is read"),
            Fault::Limit(what) => Error::limit(what),
            Fault::NoMemory => return Error::no_memory(),
            Fault::Host => return Error::host(),
        }
        .within(at)
    }
}

/// What is wrong with a frame's bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Corrupt(pub &'static str);

impl From<Corrupt> for Fault {
    fn from(corrupt: Corrupt) -> Fault {
        Fault::Corrupt(corrupt.0)
    }
}

/// Bytes that say something impossible.
pub(crate) fn malformed<T>(what: &'static str) -> std::result::Result<T, Corrupt> {
    Err(Corrupt(what))
}

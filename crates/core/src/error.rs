//! The one error type of this crate, and the small fault that hot code returns.

use std::fmt;

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
    /// Something is larger than [`limits`](crate::limits) allows.
    Limit,
    /// The host language has raised an error of its own, which must be passed on.
    Host,
}

/// An error with a message for people: what, where, and what to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    kind: ErrorKind,
    message: String,
}

/// A result with this crate's error.
pub type Result<T> = std::result::Result<T, Error>;

impl Error {
    /// An error of `kind` that says `message`.
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Error {
        Error { kind, message: message.into() }
    }

    /// A schema error.
    pub fn schema(message: impl Into<String>) -> Error {
        Error::new(ErrorKind::Schema, message)
    }

    /// An encode error.
    pub fn encode(message: impl Into<String>) -> Error {
        Error::new(ErrorKind::Encode, message)
    }

    /// A decode error.
    pub fn decode(message: impl Into<String>) -> Error {
        Error::new(ErrorKind::Decode, message)
    }

    /// A limit error.
    pub fn limit(message: impl Into<String>) -> Error {
        Error::new(ErrorKind::Limit, message)
    }

    /// A buffer of `given` bytes for a message of `needed` bytes.
    pub fn buffer_too_small(needed: usize, given: usize) -> Error {
        Error::new(
            ErrorKind::BufferTooSmall,
            format!(
                "the message takes {needed} bytes and the buffer has {given}; give a larger one"
            ),
        )
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

    /// The same error, with `context` before its message.
    pub fn within(self, context: impl fmt::Display) -> Error {
        Error { kind: self.kind, message: format!("{context}: {}", self.message) }
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
    /// The value at hand is not of the type that the plan expects.
    Misfit,
    /// The bytes say something impossible.
    Corrupt(&'static str),
    /// The value at hand is beyond a limit.
    Limit(&'static str),
    /// The sink's language has no such value; [`Sink::refusal`](crate::layout::Sink::refusal) says
    /// what it was.
    Refused,
    /// The host language has raised an error.
    Host,
    /// Nothing is wrong, but the sink wants no row after the one that has just ended.
    Full,
}

impl Fault {
    /// The error that this fault is when it is met `at` a place while rows are encoded or decoded,
    /// as `kind` says.
    pub fn into_error(self, kind: ErrorKind, at: impl fmt::Display) -> Error {
        match self {
            Fault::Misfit => Error::new(kind, "a value does not fit the schema"),
            Fault::Corrupt(what) => Error::new(kind, what),
            Fault::Refused => Error::new(kind, "a value can't be held here"),
            Fault::Limit(what) => Error::limit(what),
            Fault::Full => Error::limit("the frame is full"),
            Fault::Host => return Error::host(),
        }
        .within(at)
    }
}

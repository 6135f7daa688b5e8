//! The one error type of this crate, and the small fault that hot code returns.

use std::borrow::Cow;
use std::sync::Arc;
use std::{fmt, io};

use crate::number::Number;
use crate::path::Path;

/// The kind of an error, so that each language can raise its own class.
///
/// ```
/// # use serow_core::error::ErrorKind;
/// # use serow_core::schema::Schema;
/// assert_eq!(Schema::parse("[i64").unwrap_err().kind(), ErrorKind::Schema);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ErrorKind {
    /// A schema's text or type list is invalid, or the schema is not the expected one.
    Schema,
    /// A row can't be encoded: a value has no serow type, or does not fit the schema.
    Encode,
    /// The bytes are cut, damaged, of another version, or contain something impossible.
    Decode,
    /// The caller's buffer can't hold the message.
    BufferTooSmall,
    /// Something is larger than [`limits`](crate::limits) or the caller allows.
    Limit,
    /// The system has no more memory.
    Memory,
    /// The host language raised an error of its own, which must be propagated.
    Host,
    /// Reading or writing a stream failed. [`Error::io_kind`] says how.
    Io,
}

/// An error with a message for people: what is wrong, where, and what to do. Programs get the place
/// from [`row`](Error::row), [`path`](Error::path) and [`offset`](Error::offset).
///
/// ```
/// # use serow_core::{Error, path::Path};
/// let error = Error::encode("row 7, field 2: cannot encode it").at_row(7).at_path(Path::default());
/// assert_eq!(error.row(), Some(7));
/// assert_eq!(error.offset(), None);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    kind: ErrorKind,
    message: Cow<'static, str>,
    /// An out-of-memory error has none, so that making it needs no memory.
    details: Option<Box<Details>>,
}

/// The attributes of an error, for programs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Details {
    row: Option<usize>,
    path: Option<Path>,
    offset: Option<usize>,
    needed: Option<usize>,
    cause: Option<Cause>,
}

/// The system's error behind an error. Only copies of one are equal.
#[derive(Clone, Debug)]
struct Cause(Arc<io::Error>);

impl PartialEq for Cause {
    fn eq(&self, other: &Cause) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for Cause {}

/// A result with this crate's error.
pub type Result<T> = std::result::Result<T, Error>;

impl Error {
    /// An error of `kind` with `message`.
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

    /// The error for a message of `needed` bytes and a buffer of `given` bytes.
    pub fn buffer_too_small(needed: usize, given: usize) -> Error {
        let takes = format_args!("the message takes {needed} bytes");
        Error::too_small_for(takes, needed, given)
    }

    /// The error for a single record of `len` bytes that should be at `offset` of a buffer of `given`
    /// bytes.
    pub fn too_small_for_record(len: usize, offset: usize, given: usize) -> Error {
        let needed = offset.saturating_add(len);
        match offset {
            0 => Error::too_small_for(format_args!("the record takes {len} bytes"), needed, given),
            _ => {
                let takes = format_args!("the record takes {len} bytes after the first {offset}");
                Error::too_small_for(takes, needed, given)
            }
        }
    }

    fn too_small_for(takes: std::fmt::Arguments<'_>, needed: usize, given: usize) -> Error {
        let mut error = Error::new(
            ErrorKind::BufferTooSmall,
            format!("{takes} and the buffer has {given}; give a larger one"),
        );
        error.details().needed = Some(needed);
        error
    }

    /// The error for lack of memory. Making it allocates nothing.
    pub const fn no_memory() -> Error {
        let message = Cow::Borrowed("there is no memory for the rows or their message");
        Error { kind: ErrorKind::Memory, message, details: None }
    }

    /// A placeholder for the host language's pending error.
    pub fn host() -> Error {
        Error::new(ErrorKind::Host, "the host language raised an error")
    }

    /// The error for a `cause` of the system. `doing` says what failed.
    pub fn io(doing: impl fmt::Display, cause: io::Error) -> Error {
        let mut error = Error::new(ErrorKind::Io, format!("{doing}: {cause}"));
        error.details().cause = Some(Cause(Arc::new(cause)));
        error
    }

    /// Which kind of error this is.
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// The message for people.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// The index of the row with the error, among the given rows or the message's rows.
    pub fn row(&self) -> Option<usize> {
        self.details.as_ref()?.row
    }

    /// The path from that row to the value with the error. An empty path means the row itself.
    pub fn path(&self) -> Option<&Path> {
        self.details.as_ref()?.path.as_ref()
    }

    /// The byte offset of the part of the message with the error: the record in the row wire,
    /// otherwise the frame.
    pub fn offset(&self) -> Option<usize> {
        self.details.as_ref()?.offset
    }

    /// The number of bytes that the message needs, if the buffer was too small.
    pub fn needed(&self) -> Option<usize> {
        self.details.as_ref()?.needed
    }

    /// The kind of the system's error, if this is an error of kind [`ErrorKind::Io`]. The error itself
    /// is the [`source`](std::error::Error::source).
    pub fn io_kind(&self) -> Option<io::ErrorKind> {
        self.details.as_ref()?.cause.as_ref().map(|cause| cause.0.kind())
    }

    fn details(&mut self) -> &mut Details {
        self.details.get_or_insert_default()
    }

    /// Sets the row.
    pub fn at_row(mut self, row: usize) -> Error {
        self.details().row = Some(row);
        self
    }

    /// Sets the path.
    pub fn at_path(mut self, path: Path) -> Error {
        self.details().path = Some(path);
        self
    }

    /// Sets the byte offset in the message.
    pub fn at_offset(mut self, offset: usize) -> Error {
        self.details().offset = Some(offset);
        self
    }

    /// Puts `advice` after the message of a schema error that gives none, after a semicolon, itself.
    pub(crate) fn advising(self, advice: &str) -> Error {
        match self.kind == ErrorKind::Schema && !self.message.contains("; ") {
            true => self.followed_by(advice),
            false => self,
        }
    }

    /// Puts what is to be done after the message.
    pub fn followed_by(self, advice: impl fmt::Display) -> Error {
        Error { message: format!("{}; {advice}", self.message).into(), ..self }
    }

    /// Puts `context` before the message.
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

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        let cause = self.details.as_ref()?.cause.as_ref()?;
        Some(&*cause.0)
    }
}

/// For functions that return errors of the system. The kind is that of the system's error, if one is the
/// cause.
impl From<Error> for io::Error {
    fn from(error: Error) -> io::Error {
        let kind = error.io_kind().unwrap_or(match error.kind() {
            ErrorKind::Schema | ErrorKind::Encode => io::ErrorKind::InvalidInput,
            ErrorKind::Decode => io::ErrorKind::InvalidData,
            ErrorKind::Memory => io::ErrorKind::OutOfMemory,
            _ => io::ErrorKind::Other,
        });
        io::Error::new(kind, error)
    }
}

/// For functions that read and write by `std::io` and return errors of serow.
impl From<io::Error> for Error {
    fn from(cause: io::Error) -> Error {
        Error::io("cannot read or write", cause)
    }
}

/// The reason why an instruction failed. It is small because all hot code may return it. The
/// interpreter adds the row and the field and makes an [`Error`] from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The value is not of the type that the plan expects.
    TypeMismatch,
    /// The bytes contain something impossible.
    Corrupt(&'static str),
    /// The value is beyond a limit.
    Limit(&'static str),
    /// The sink's language cannot represent the value;
    /// [`SinkBase::refusal`](crate::layout::SinkBase::refusal) describes it.
    Unrepresentable,
    /// A number that is read as one of another type is none of it.
    OtherNumber(Misfit),
    /// The reader's enum lacks the member with this index in the writer's enum.
    OtherMember(u32),
    /// A value of a union is of an arm that can't be read as the reader's type.
    OtherArm,
    /// A sequence has this number of elements. The reader's list or tuple has another number of fields.
    OtherLength(usize),
    /// An array of these elements and this number of dimensions is no value of the reader's type.
    OtherArray(&'static str, u8),
    /// The system has no more memory.
    NoMemory,
    /// The host language raised an error.
    Host,
}

impl Fault {
    /// Converts this fault to an error of `kind`. `at` describes the place.
    pub fn into_error(self, kind: ErrorKind, at: impl fmt::Display) -> Error {
        match self {
            Fault::TypeMismatch => Error::new(kind, "a value does not fit the schema"),
            Fault::Corrupt(what) => Error::new(kind, what),
            Fault::Unrepresentable => Error::new(kind, "a value can't be represented here"),
            Fault::OtherNumber(misfit) => Error::new(kind, misfit.to_string()),
            Fault::OtherMember(_) => Error::new(kind, "the reader's enum lacks this member"),
            Fault::OtherArm => Error::new(kind, "the value can't be read as the reader's type"),
            Fault::OtherLength(len) => {
                Error::new(kind, format!("the reader's type has another length than {len}"))
            }
            Fault::OtherArray(of, dimensions) => {
                let plural = if dimensions == 1 { "" } else { "s" };
                Error::new(
                    kind,
                    format!(
                        "the value is an array of {of} with {dimensions} dimension{plural}; read it as ndarray"
                    ),
                )
            }
            Fault::Limit(what) => Error::limit(what),
            Fault::NoMemory => return Error::no_memory(),
            Fault::Host => return Error::host(),
        }
        .within(at)
    }
}

/// A number, and the type that lacks it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Misfit {
    number: MisfitNumber,
    wanted: Number,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum MisfitNumber {
    Signed(i64),
    Unsigned(u64),
    /// An integer of more than 64 bits.
    Large,
    /// The bits of a float.
    Float(u64),
}

impl Misfit {
    /// The integer `v` is no number of the type `wanted`.
    pub fn int(v: i128, wanted: Number) -> Misfit {
        let number = match (i64::try_from(v), u64::try_from(v)) {
            (Ok(v), _) => MisfitNumber::Signed(v),
            (_, Ok(v)) => MisfitNumber::Unsigned(v),
            _ => MisfitNumber::Large,
        };
        Misfit { number, wanted }
    }

    /// The float `v` is no number of the type `wanted`.
    pub fn float(v: f64, wanted: Number) -> Misfit {
        Misfit { number: MisfitNumber::Float(v.to_bits()), wanted }
    }
}

impl fmt::Display for Misfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.number {
            MisfitNumber::Signed(v) => write!(f, "{v}")?,
            MisfitNumber::Unsigned(v) => write!(f, "{v}")?,
            MisfitNumber::Large => f.write_str("an integer of more than 64 bits")?,
            MisfitNumber::Float(bits) => write!(f, "{}", f64::from_bits(bits))?,
        }
        write!(f, " can't be read as {}", self.wanted.name())?;
        match self.wanted {
            Number::F64 => f.write_str(": beyond 2^53 not all integers are floats"),
            Number::F32 if matches!(self.number, MisfitNumber::Float(_)) => {
                f.write_str(": no float of 32 bits equals it")
            }
            Number::F32 => f.write_str(": beyond 2^24 not all integers are floats"),
            _ => Ok(()),
        }
    }
}

/// A description of what is wrong with a frame's bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Corrupt(pub &'static str);

impl From<Corrupt> for Fault {
    fn from(corrupt: Corrupt) -> Fault {
        Fault::Corrupt(corrupt.0)
    }
}

/// Returns a [`Corrupt`] error.
pub(crate) fn malformed<T>(what: &'static str) -> std::result::Result<T, Corrupt> {
    Err(Corrupt(what))
}

#[cfg(test)]
mod tests {
    use std::error::Error as _;

    use super::*;

    #[test]
    fn the_cause_is_kept() {
        let full = || io::Error::new(io::ErrorKind::StorageFull, "no space");
        let error = Error::io("cannot write the stream", full());
        assert_eq!(error.kind(), ErrorKind::Io);
        assert_eq!(error.message(), "cannot write the stream: no space");
        assert_eq!(error.io_kind(), Some(io::ErrorKind::StorageFull));
        assert_eq!(error.source().unwrap().to_string(), "no space");
        assert_eq!(error.clone(), error);
        assert_ne!(error, Error::io("cannot write the stream", full()));
        assert_eq!(Error::decode("x").io_kind(), None);
        assert!(Error::decode("x").source().is_none());
    }

    #[test]
    fn functions_of_the_system_pass_errors_on() {
        let kind = |error: Error| io::Error::from(error).kind();
        let timed_out = io::ErrorKind::TimedOut.into();
        assert_eq!(kind(Error::io("cannot read", timed_out)), io::ErrorKind::TimedOut);
        assert_eq!(kind(Error::decode("x")), io::ErrorKind::InvalidData);
        assert_eq!(kind(Error::encode("x")), io::ErrorKind::InvalidInput);
        assert_eq!(kind(Error::no_memory()), io::ErrorKind::OutOfMemory);
        assert_eq!(kind(Error::limit("x")), io::ErrorKind::Other);
        assert_eq!(io::Error::from(Error::decode("why")).to_string(), "why");
    }
}

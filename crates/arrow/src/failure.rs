//! Why a column did not become an array, or an array columns.

use std::borrow::Cow;
use std::fmt::Display;

use arrow_schema::ArrowError;
use serow_core::error::{ErrorKind, Fault};
use serow_core::{Error, Result as CoreResult};

/// Why it did not.
pub enum Failure {
    Fault(Fault),
    /// What is wrong with a value, with the column, or with its field.
    Value(Cow<'static, str>),
}

/// What was converted.
pub type Converted<T> = Result<T, Failure>;

impl From<Fault> for Failure {
    fn from(fault: Fault) -> Failure {
        Failure::Fault(fault)
    }
}

impl From<ArrowError> for Failure {
    fn from(error: ArrowError) -> Failure {
        Failure::Value(match error {
            ArrowError::InvalidArgumentError(why) => why.into(),
            error => error.to_string().into(),
        })
    }
}

impl Failure {
    /// The same, of a column or field with this name.
    pub fn within(self, what: &str, name: &str) -> Failure {
        match self {
            Failure::Value(why) => Failure::Value(format!("{what} {name}: {why}").into()),
            fault => fault,
        }
    }

    /// An error of `kind`. `at` describes the place of a fault.
    pub fn into_error(self, kind: ErrorKind, at: impl Display) -> Error {
        match self {
            Failure::Fault(fault) => fault.into_error(kind, at),
            Failure::Value(why) => Error::new(kind, why),
        }
    }
}

pub fn wrong<T>(why: impl Into<Cow<'static, str>>) -> Converted<T> {
    Err(Failure::Value(why.into()))
}

/// The metadata of a field do not fit its type.
pub fn described<T>(of: CoreResult<T>) -> Converted<T> {
    of.map_err(|error| Failure::Value(error.message().to_owned().into()))
}

//! The error type that serde's traits see. It stays inside this crate.

use std::fmt;

use serow_core::error::Fault;

/// The messages for a container that passes more or fewer parts than it said.
pub(super) const LONGER: &str = "a sequence has more elements than it said";
pub(super) const SHORTER: &str = "a sequence has fewer elements than it said";

/// Why a value can't be encoded or decoded. It is one pointer, because every value of every row may
/// return it.
#[derive(Debug)]
pub(super) struct Failure(Box<Reason>);

/// The reason of a [`Failure`].
#[derive(Debug)]
enum Reason {
    /// The value does not fit the schema, or a limit, or its bytes are damaged.
    Fault(Fault),
    /// The type's own `Serialize` or `Deserialize` refused the value.
    Said(String),
}

impl Failure {
    #[cold]
    fn new(reason: Reason) -> Failure {
        Failure(Box::new(reason))
    }

    #[cold]
    pub(super) fn said(message: impl fmt::Display) -> Failure {
        Failure::new(Reason::Said(message.to_string()))
    }

    /// Returns the fault, and what the type's own code said.
    pub(super) fn into_fault(self) -> (Fault, Option<String>) {
        match *self.0 {
            Reason::Fault(fault) => (fault, None),
            Reason::Said(message) => (Fault::Unrepresentable, Some(message)),
        }
    }
}

impl From<Fault> for Failure {
    #[cold]
    fn from(fault: Fault) -> Failure {
        Failure::new(Reason::Fault(fault))
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &*self.0 {
            Reason::Fault(Fault::Corrupt(what) | Fault::Limit(what)) => f.write_str(what),
            Reason::Fault(_) => f.write_str("a value does not fit the schema"),
            Reason::Said(message) => f.write_str(message),
        }
    }
}

impl std::error::Error for Failure {}

impl serde::ser::Error for Failure {
    fn custom<T: fmt::Display>(message: T) -> Failure {
        Failure::said(message)
    }
}

impl serde::de::Error for Failure {
    fn custom<T: fmt::Display>(message: T) -> Failure {
        Failure::said(message)
    }
}

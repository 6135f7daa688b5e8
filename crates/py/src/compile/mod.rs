//! Compiles plans for this process's CPython: on request, or in the background once it pays.

#[cfg_attr(feature = "jit", path = "jit.rs")]
#[cfg_attr(not(feature = "jit"), path = "none.rs")]
mod compiler;

use crate::errors::exception;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use serow_core::compiled::Tier;
use serow_core::layout::Pair;
use serow_core::layout::batch::BATCH;
use serow_core::layout::objects::OBJECTS;
use serow_core::wire::columns::COLUMNS;
use serow_core::wire::message::Wire;
use serow_core::wire::row::ROW;

pub use compiler::{compile, description, start, text};

/// Whether this library has the compiler.
pub const HAS_COMPILER: bool = cfg!(feature = "jit");

/// A text that shows what a plan is compiled to.
#[derive(Clone, Copy)]
pub enum Text {
    /// LLVM's intermediate representation.
    Ir,
    /// Assembly.
    Asm,
}

/// The direction of a conversion.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// From rows to a message.
    Encode,
    /// From a message to rows.
    Decode,
}

impl Direction {
    /// Both directions.
    pub const BOTH: [Direction; 2] = [Direction::Encode, Direction::Decode];

    /// The kinds of the layouts that it joins: of objects and of `wire`.
    pub fn pair(self, wire: Wire) -> Pair {
        match (self, wire) {
            (Direction::Encode, Wire::Row) => (&OBJECTS, &ROW),
            (Direction::Encode, Wire::Frame) => (&OBJECTS, &BATCH),
            (Direction::Decode, Wire::Row) => (&ROW, &OBJECTS),
            (Direction::Decode, Wire::Frame) => (&COLUMNS, &OBJECTS),
        }
    }
}

/// A method of a codec that runs a plan.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// `encode` or `decode`, for messages in the codec's wire.
    Message(Direction),
    /// `encode_one` or `decode_one`, for single records.
    Record(Direction),
}

impl Method {
    /// All methods.
    pub const ALL: [Method; 4] = [
        Method::Message(Direction::Encode),
        Method::Message(Direction::Decode),
        Method::Record(Direction::Encode),
        Method::Record(Direction::Decode),
    ];

    /// Parses the name of a method.
    pub fn parse(name: &str) -> PyResult<Method> {
        Method::ALL.into_iter().find(|method| method.name() == name).ok_or_else(|| {
            exception::<PyValueError>(format!(
                "direction must be 'encode', 'decode', 'encode_one' or 'decode_one', not {name:?}"
            ))
        })
    }

    pub fn name(self) -> &'static str {
        match self {
            Method::Message(Direction::Encode) => "encode",
            Method::Message(Direction::Decode) => "decode",
            Method::Record(Direction::Encode) => "encode_one",
            Method::Record(Direction::Decode) => "decode_one",
        }
    }

    pub fn direction(self) -> Direction {
        match self {
            Method::Message(direction) | Method::Record(direction) => direction,
        }
    }

    /// The wire that it reads or writes, for a codec whose messages are in `wire`.
    pub fn wire(self, wire: Wire) -> Wire {
        match self {
            Method::Message(_) => wire,
            Method::Record(_) => Wire::Row,
        }
    }
}

/// Whether this process compiles plans at all.
pub fn is_wanted() -> PyResult<bool> {
    Ok(HAS_COMPILER && tier()? != Tier::Interpreter)
}

/// The tier of this process.
pub fn tier() -> PyResult<Tier> {
    Tier::of_process().map_err(|unknown| exception::<PyValueError>(unknown.to_string()))
}

#[doc = stub_doc!("compiler_self_test")]
#[pyfunction]
pub fn compiler_self_test(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    compiler::self_test(py)
}

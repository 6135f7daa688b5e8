//! Helpers that the tests of this crate share.
#![allow(dead_code, unused_imports, reason = "no test uses all of it")]

pub mod changes;
pub mod frames;
pub mod rowtext;
mod strategies;

pub use strategies::{any_value, table};

use serow::Wire;

/// Both wires.
pub const WIRES: [Wire; 2] = [Wire::Row, Wire::Frame];

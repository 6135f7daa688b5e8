//! What the tests of this crate share.
#![allow(dead_code, unused_imports, reason = "no test uses all of it")]

pub mod frames;
pub mod rowtext;
mod strategies;

pub use strategies::{any_value, table};

use serow::Layout;

/// Both wires.
pub const LAYOUTS: [Layout; 2] = [Layout::Row, Layout::Frame];

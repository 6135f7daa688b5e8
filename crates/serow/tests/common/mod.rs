//! Helpers that the tests of this crate share.
#![allow(dead_code, unused_imports, reason = "no test uses all of it")]

pub mod changes;
pub mod frames;
pub mod io;
pub mod limits;
pub mod rowtext;
mod strategies;

pub use strategies::{any_value, table};

use serow::{Compression, Options, Wire};

/// Both wires.
pub const WIRES: [Wire; 2] = [Wire::Row, Wire::Frame];

pub const COMPRESSIONS: [Compression; 5] = [
    Compression::None,
    Compression::ZSTD,
    Compression::Zstd(-7),
    Compression::Zstd(12),
    Compression::Lz4,
];

/// Every wire with every compression.
pub fn formats() -> impl Iterator<Item = Options> {
    WIRES.into_iter().flat_map(move |wire| {
        COMPRESSIONS
            .into_iter()
            .map(move |compression| Options::from(wire).with_compression(compression))
    })
}

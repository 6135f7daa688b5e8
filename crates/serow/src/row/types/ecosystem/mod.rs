//! The types of other crates as rows. Each crate is a feature.

#[cfg(feature = "chrono")]
mod chrono;
#[cfg(any(
    feature = "arrayvec",
    feature = "bytes",
    feature = "compact_str",
    feature = "ordered-float",
    feature = "smallvec"
))]
mod containers;
#[cfg(feature = "jiff")]
mod jiff;
#[cfg(any(
    feature = "bigdecimal",
    feature = "num-bigint",
    feature = "rust_decimal",
    feature = "uuid"
))]
mod numbers;
#[cfg(feature = "time")]
mod time;

//! For fields of type `f32` that take any float: `#[row(with = serow::rounded)]`.
//!
//! Without it, a float that no `f32` equals is an error, as Python's `0.1` is.
//!
//! ```
//! #[derive(serow::Row)]
//! struct Reading {
//!     #[row(with = serow::rounded)]
//!     value: f32,
//! }
//!
//! let bytes = serow::dumps(&[serow::Value::record("Reading", [("value", 0.1.into())])])?;
//! let readings: Vec<Reading> = serow::from_slice(&bytes)?;
//! assert_eq!(readings[0].value, 0.1_f32);
//! # Ok::<(), serow::Error>(())
//! ```

use std::convert::Infallible;

use serow_core::number::{narrowed, widened};

/// The type in the rows.
pub type As = f64;

/// Returns the float with the same value.
pub fn to_row(field: &f32) -> f64 {
    widened(*field)
}

/// Returns the nearest float of 32 bits.
///
/// # Errors
/// None.
pub fn from_row(v: f64) -> Result<f32, Infallible> {
    Ok(narrowed(v))
}

//! Columns of serow as arrays of Apache Arrow, and back.
//!
//! Arrow is a form of columns and no layout: rows become a [`ColumnSet`] by the plans that exist, and
//! this crate has a kernel a type that takes its columns to an array, and an array to columns. So
//! nothing here is interpreted or compiled, and frames become arrays without making rows.
//!
//! | module | content |
//! |---|---|
//! | `types` | the table of types both ways: Arrow's schema of a row type, the row type of Arrow's schema |
//! | `fit` | which of Arrow's types holds the values of a column exactly |
//! | `export` | columns to arrays |
//! | `import` | arrays to columns |
//! | `rows` | rows of a language, and frames, to batches |
//! | `batch_rows` | the rows of batches for an encoder |
//! | `failure` | why a column was not converted |
//! | `c_data` | arrays of others, by Arrow's C data interface |
//! | `dense`, `slots` | where the values of a column are: serow stores those that are present, Arrow has a slot for each |
//! | `pool` | memory for columns and for arrays that is reused |
//! | `zones` | the zones of times |
//! | `digits` | integers and decimals of any size as text |
//! | `tensors` | the elements and the shapes of arrays, and Arrow's extension types of tensors |
//!
//! `docs/arrow.md` has the table for users.
//!
//! [`ColumnSet`]: serow_core::wire::frame::ColumnSet

mod batch_rows;
pub mod c_data;
mod dense;
mod digits;
mod export;
mod failure;
mod fit;
mod import;
mod pool;
mod rows;
mod slots;
mod tensors;
mod types;
mod zones;

pub use batch_rows::{BatchRows, Target};
pub use import::Import;
pub use pool::Columns;
pub use rows::{Batches, FrameBatches, batch_of_rows};

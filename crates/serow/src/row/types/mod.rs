//! The types of the standard library as rows.

mod containers;
mod ecosystem;
mod maps;
mod options;
mod pointers;
mod scalars;
mod text;
mod times;
mod tuples;

pub use tuples::read_array;

//! The types of the standard library as rows.

mod containers;
mod maps;
mod options;
mod pointers;
mod scalars;
mod text;
mod tuples;

pub use tuples::read_array;

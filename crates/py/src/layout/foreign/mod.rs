//! Values of NumPy and pandas, and arrays of Python's module `array`, which stand for plain values.
//!
//! Their classes are C code: scalars are read by the functions of CPython that such classes answer, and arrays as
//! memory. What is not read here is a foreign value, which Python code takes apart (`serow._foreign`).

pub mod array_maker;
pub mod arrays;
pub mod nd_arrays;
pub mod scalars;
pub mod text_arrays;
pub mod time_units;

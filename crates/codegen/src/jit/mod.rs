//! Makes machine code of emitted IR, links it, keeps it, and decides when.

pub mod background;
pub(crate) mod cache;
pub(crate) mod compiled;
pub(crate) mod compiler;
mod debug_info;
mod engine;
mod glibc;
mod key;
mod llvm_gate;
mod log;
mod orc;
mod room;
pub(crate) mod self_test;
pub(crate) mod service;
mod static_dtors;
pub(crate) mod target;
pub(crate) mod tiers;

//! Keeps the wheel and the jar loadable where glibc is older than 2.36.
//!
//! The C++ runtime of Debian 12 takes random numbers from `arc4random`, which came with glibc 2.36.
//! All else that is linked in asks for 2.34 at most, so one function, which LLVM reaches only when
//! it waits for the lock of a file, would shut out Ubuntu 22.04 and the ninth generation of Red
//! Hat. It is defined here instead. The symbol is hidden, which Rust cannot say but the assembler
//! can, so that nobody else's calls end up here.

use std::arch::global_asm;
use std::hash::{BuildHasher, Hasher, RandomState};

global_asm!(
    ".globl arc4random",
    ".hidden arc4random",
    ".type arc4random, @function",
    "arc4random:",
    "jmp {random}",
    random = sym random,
);

/// Random bits, good enough for how long to wait and never a secret: std seeds the state of its
/// hash maps from the system, and steps it for every new one.
extern "C" fn random() -> u32 {
    RandomState::new().build_hasher().finish() as u32
}

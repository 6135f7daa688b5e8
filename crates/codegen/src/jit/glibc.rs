//! Keeps the wheel and the jar loadable with glibc before 2.36.
//!
//! The C++ runtime of Debian 12 gets random numbers from `arc4random`, which exists since glibc
//! 2.36. Everything else that is linked in needs at most 2.34. LLVM reaches this function only when
//! it waits for a file lock, but its symbol would exclude Ubuntu 22.04 and Red Hat 9. So it is
//! defined here. The symbol is hidden, so calls from other libraries don't end up here. Only the
//! assembler can express that, not Rust.

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

/// Returns random bits. They are good enough for a waiting time, but not for a secret. std seeds
/// the state of its hash maps from the system and changes it for every new one.
extern "C" fn random() -> u32 {
    RandomState::new().build_hasher().finish() as u32
}

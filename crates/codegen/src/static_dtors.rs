//! Keeps C++ statics alive, so that a process can exit while a thread compiles.
//!
//! `exit` destroys the statics of C++ code, LLVM's among them, whatever other threads do with them.
//! Languages stop compiling before that where they can; but a JVM that is halted runs none of its
//! hooks, and a C library may call `exit` on its own. So the statics of all that is linked in here,
//! which is LLVM and the C++ runtime, are never destroyed: the function by which they ask for it
//! does nothing. The system takes their memory back, as it would anyhow.
//!
//! The symbol is hidden, so nobody else's statics are concerned.

use std::arch::global_asm;
use std::ffi::{c_int, c_void};

global_asm!(
    ".globl __cxa_atexit",
    ".hidden __cxa_atexit",
    ".type __cxa_atexit, @function",
    "__cxa_atexit:",
    "jmp {keep}",
    keep = sym keep,
);

/// Says that `destroy` will be called, and forgets it.
extern "C" fn keep(
    _destroy: Option<unsafe extern "C" fn(*mut c_void)>,
    _object: *mut c_void,
    _library: *mut c_void,
) -> c_int {
    0
}

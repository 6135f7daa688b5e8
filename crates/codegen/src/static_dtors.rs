//! Keeps C++ statics alive in a library, so that a process can exit while one of its threads compiles.

/// Make the destructors of C++ statics do nothing in the shared library that invokes this, once, at
/// the root of its crate.
///
/// `exit` destroys the statics of C++ code, LLVM's among them, while other threads may use them.
/// Languages stop the compiler before `exit` where they can; but a JVM that is halted runs no
/// hooks, and a C library may call `exit` by itself. So the statics of everything linked into the
/// library, which is LLVM and the C++ runtime, are never destroyed: the function that registers
/// their destructors ignores them. The system frees their memory when the process ends.
///
/// The symbol is hidden, so this concerns no other library. It must not be in an executable: there
/// `atexit` calls the same function, so the program's own handlers would not run.
#[macro_export]
macro_rules! ignore_static_dtors {
    () => {
        ::std::arch::global_asm!(
            ".globl __cxa_atexit",
            ".hidden __cxa_atexit",
            ".type __cxa_atexit, @function",
            "__cxa_atexit:",
            // It gives 0, for success.
            "xor eax, eax",
            "ret",
        );
    };
}

//! Keeps C++ statics of a library alive, so that a process can exit while one of its threads
//! compiles.

/// Disables the destructors of C++ statics in the shared library that invokes this macro. Invoke it
/// once, at the root of the crate.
///
/// `exit` destroys the statics of C++ code, including LLVM's, while other threads may use them.
/// Languages stop the compiler before `exit` where they can. But a halted JVM runs no hooks, and a
/// C library may call `exit` itself. So the statics of all C++ code in the library, which is LLVM
/// and the C++ runtime, are never destroyed: the function that registers their destructors does
/// nothing. The system frees their memory when the process ends.
///
/// The symbol is hidden, so other libraries are not affected. Do not invoke this in an executable:
/// there `atexit` calls the same function, so the program's own handlers would not run.
#[macro_export]
macro_rules! ignore_static_dtors {
    () => {
        ::std::arch::global_asm!(
            ".globl __cxa_atexit",
            ".hidden __cxa_atexit",
            ".type __cxa_atexit, @function",
            "__cxa_atexit:",
            // Returns 0: success.
            "xor eax, eax",
            "ret",
        );
    };
}

//! Lets the JVM take this library out of memory while threads live that have used it.
//!
//! Values of thread-local variables are destroyed when their thread ends. Rust and C++ ask the C
//! library for that by `__cxa_thread_atexit_impl`, which then keeps the library that asked in memory
//! until the thread has ended: for good, where a thread belongs to a server. So this library has a
//! function of that name for itself. It keeps the list of what is to be destroyed as a
//! thread-specific value, whose destructor destroys them all, and [`forget`] drops the key before
//! the library goes. The symbol is hidden, so nobody else calls it.

use std::arch::global_asm;
use std::ffi::{c_int, c_void};
use std::ptr;
use std::sync::OnceLock;

use libc::{pthread_getspecific, pthread_key_create, pthread_key_delete, pthread_key_t};

global_asm!(
    ".globl __cxa_thread_atexit_impl",
    ".hidden __cxa_thread_atexit_impl",
    ".type __cxa_thread_atexit_impl, @function",
    "__cxa_thread_atexit_impl:",
    "jmp {register}",
    register = sym register,
);

type Destroy = unsafe extern "C" fn(*mut c_void);

/// An object to be destroyed, before those that the thread has registered earlier.
struct Entry {
    destroy: Destroy,
    object: *mut c_void,
    earlier: *mut Entry,
}

/// The key of the list; none if the process has no keys left.
static KEY: OnceLock<Option<pthread_key_t>> = OnceLock::new();

fn new_key() -> Option<pthread_key_t> {
    let mut key = 0;
    // SAFETY: `key` is written to, and `destroy_all` takes the values that `register` sets.
    (unsafe { pthread_key_create(&mut key, Some(destroy_all)) } == 0).then_some(key)
}

/// Have `destroy` be called with `object` when this thread ends. Where that fails it never is, which
/// loses memory and nothing else.
extern "C" fn register(
    destroy: Option<Destroy>,
    object: *mut c_void,
    _library: *mut c_void,
) -> c_int {
    let (Some(key), Some(destroy)) = (*KEY.get_or_init(new_key), destroy) else { return 0 };
    // SAFETY: the key is there until `forget`, and its values are null or lists of entries.
    unsafe {
        let earlier = pthread_getspecific(key).cast();
        let entry = Box::into_raw(Box::new(Entry { destroy, object, earlier }));
        if libc::pthread_setspecific(key, entry.cast()) != 0 {
            drop(Box::from_raw(entry));
        }
    }
    0
}

/// Called when a thread ends that has registered anything.
unsafe extern "C" fn destroy_all(list: *mut c_void) {
    let mut next: *mut Entry = list.cast();
    while !next.is_null() {
        // SAFETY: the thread's list belongs to this call. What registers anything meanwhile begins
        // another list, with which the C library calls this again.
        unsafe {
            let entry = Box::from_raw(next);
            next = entry.earlier;
            (entry.destroy)(entry.object);
        }
    }
}

/// Destroy nothing at the end of other threads any more, since the code that would do it goes.
pub fn forget() {
    if let Some(&Some(key)) = KEY.get() {
        // SAFETY: the key is there, and nobody of this library registers anything again. The list of
        // this thread is empty after that.
        unsafe {
            let list = pthread_getspecific(key);
            libc::pthread_setspecific(key, ptr::null());
            destroy_all(list);
            pthread_key_delete(key);
        }
    }
}

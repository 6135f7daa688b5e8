//! Allows the JVM to unload this library while threads live that have used it.
//!
//! A thread destroys its thread-local variables when it ends. Rust and C++ register the destructors
//! with the C library's `__cxa_thread_atexit_impl`, which keeps the calling library mapped until
//! the thread ends: forever, if the thread belongs to a server. Therefore this library defines a
//! function of that name for itself. It keeps the list of destructors as a thread-specific value,
//! whose own destructor runs them all. [`forget`] deletes the key before the library is unloaded.
//! The symbol is hidden, so no other library calls it.

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

/// An object to destroy, before those that the thread registered earlier.
struct Entry {
    destroy: Destroy,
    object: *mut c_void,
    earlier: *mut Entry,
}

/// The key of the list; `None` if the process has no keys left.
static KEY: OnceLock<Option<pthread_key_t>> = OnceLock::new();

fn new_key() -> Option<pthread_key_t> {
    let mut key = 0;
    // SAFETY: `key` is writable, and `destroy_all` accepts the values that `register` sets.
    (unsafe { pthread_key_create(&mut key, Some(destroy_all)) } == 0).then_some(key)
}

/// Registers a call of `destroy` with `object` for the end of this thread. If that fails, the call
/// never happens, which only leaks memory.
extern "C" fn register(
    destroy: Option<Destroy>,
    object: *mut c_void,
    _library: *mut c_void,
) -> c_int {
    let (Some(key), Some(destroy)) = (*KEY.get_or_init(new_key), destroy) else { return 0 };
    // SAFETY: the key exists until `forget`, and its values are null or lists of entries.
    unsafe {
        let earlier = pthread_getspecific(key).cast();
        let entry = Box::into_raw(Box::new(Entry { destroy, object, earlier }));
        if libc::pthread_setspecific(key, entry.cast()) != 0 {
            drop(Box::from_raw(entry));
        }
    }
    0
}

/// Runs at the end of a thread that has registered objects.
unsafe extern "C" fn destroy_all(list: *mut c_void) {
    let mut next: *mut Entry = list.cast();
    while !next.is_null() {
        // SAFETY: this call owns the thread's list. A destructor that registers an object starts a
        // new list, and the C library then calls this function again.
        unsafe {
            let entry = Box::from_raw(next);
            next = entry.earlier;
            (entry.destroy)(entry.object);
        }
    }
}

/// Stops destroying objects at the end of other threads, because the code for it is about to be
/// unmapped.
pub fn forget() {
    if let Some(&Some(key)) = KEY.get() {
        // SAFETY: the key exists, and this library registers nothing afterwards. The list of this
        // thread is empty then.
        unsafe {
            let list = pthread_getspecific(key);
            libc::pthread_setspecific(key, ptr::null());
            destroy_all(list);
            pthread_key_delete(key);
        }
    }
}

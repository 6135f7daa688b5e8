//! Native objects that Java holds by their address.
//!
//! Java frees an object once it can't reach its handle. Where Java's classes go as a whole, with the
//! class loader that had them, there is nobody left to do that, so the objects are known here too:
//! [`free_all`] is called when the JVM unloads this library.

use std::collections::HashMap;
use std::sync::{LazyLock, Mutex, PoisonError};

use jni::sys::jlong;

/// Frees the object at an address.
type Free = unsafe fn(jlong);

/// The objects that Java holds.
static LIVE: LazyLock<Mutex<HashMap<jlong, Free>>> = LazyLock::new(Mutex::default);

/// Give an object to Java.
pub fn give<T>(object: T) -> jlong {
    let handle = Box::into_raw(Box::new(object)) as jlong;
    LIVE.lock().unwrap_or_else(PoisonError::into_inner).insert(handle, drop_box::<T>);
    handle
}

/// Give an object to Java that Java is sure to close, as the call goes on in which it was opened.
pub fn give_for_call<T>(object: T) -> jlong {
    Box::into_raw(Box::new(object)) as jlong
}

/// Take back an object of [`give_for_call`], and drop it.
///
/// # Safety
/// As for [`shared`], and the handle may not be used again.
pub unsafe fn free_for_call<T>(handle: jlong) {
    // SAFETY: the caller's promise.
    unsafe { drop_box::<T>(handle) };
}

/// # Safety
/// `handle` must be the address of a box of a `T` that nobody uses again.
unsafe fn drop_box<T>(handle: jlong) {
    // SAFETY: the caller's promise.
    drop(unsafe { Box::from_raw(handle as *mut T) });
}

/// The object of a handle.
///
/// # Safety
/// The handle must come from [`give`] or [`give_for_call`] of the same type and not be freed; Java's side
/// (`NativeHandle`) sees to both.
pub unsafe fn shared<'a, T>(handle: jlong) -> &'a T {
    // SAFETY: the caller's promise.
    unsafe { &*(handle as *const T) }
}

/// The object of a handle, to be changed.
///
/// # Safety
/// As for [`shared`]; and no other thread may use the handle meanwhile.
pub unsafe fn exclusive<'a, T>(handle: jlong) -> &'a mut T {
    // SAFETY: the caller's promise.
    unsafe { &mut *(handle as *mut T) }
}

/// Take an object back from Java, and drop it.
///
/// # Safety
/// The handle must come from [`give`] and may not be used again.
pub unsafe fn free(handle: jlong) {
    let free = LIVE.lock().unwrap_or_else(PoisonError::into_inner).remove(&handle);
    if let Some(free) = free {
        // SAFETY: `give` has put the function for this object there; the rest is the caller's promise.
        unsafe { free(handle) };
    }
}

/// Drop all objects that Java still holds.
///
/// # Safety
/// No handle may be used again.
pub unsafe fn free_all() {
    let live = std::mem::take(&mut *LIVE.lock().unwrap_or_else(PoisonError::into_inner));
    for (handle, free) in live {
        // SAFETY: as in `free`.
        unsafe { free(handle) };
    }
}

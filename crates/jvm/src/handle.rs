//! Native objects that Java holds by their address.

use jni::sys::jlong;

/// Give an object to Java.
pub fn give<T>(object: T) -> jlong {
    Box::into_raw(Box::new(object)) as jlong
}

/// The object of a handle.
///
/// # Safety
/// The handle must come from [`give`] of the same type and not be freed; Java's side
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
/// As for [`shared`]; and the handle may not be used again.
pub unsafe fn free<T>(handle: jlong) {
    // SAFETY: the caller's promise.
    drop(unsafe { Box::from_raw(handle as *mut T) });
}

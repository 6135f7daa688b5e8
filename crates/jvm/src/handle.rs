//! Native objects that Java refers to by address.
//!
//! Java frees an object when its handle becomes unreachable. If the class loader of Java's classes
//! is unloaded, no Java code is left to do this. Therefore the objects are also registered here,
//! and [`free_all`] frees them when the JVM unloads this library.

use std::collections::HashMap;
use std::sync::{LazyLock, Mutex, PoisonError};

use jni::sys::jlong;
use serow_core::Result;

use crate::env::Env;

/// Frees the object at an address.
type Free = unsafe fn(jlong);

/// The objects that Java refers to.
static LIVE: LazyLock<Mutex<HashMap<jlong, Free>>> = LazyLock::new(Mutex::default);

/// Gives an object to Java.
pub fn give<T>(object: T) -> jlong {
    let handle = Box::into_raw(Box::new(object)) as jlong;
    LIVE.lock().unwrap_or_else(PoisonError::into_inner).insert(handle, drop_box::<T>);
    handle
}

/// # Safety
/// `handle` must be the address of a boxed `T` that is not used again.
unsafe fn drop_box<T>(handle: jlong) {
    // SAFETY: the caller upholds the contract.
    drop(unsafe { Box::from_raw(handle as *mut T) });
}

/// The object of a handle.
///
/// # Safety
/// The handle must come from [`give`] with the same type and must not be freed; `NativeHandle` in
/// Java guarantees both.
pub unsafe fn shared<'a, T>(handle: jlong) -> &'a T {
    // SAFETY: the caller upholds the contract.
    unsafe { &*(handle as *const T) }
}

/// The object of a handle, mutable.
///
/// # Safety
/// As for [`shared`], and no other thread may use the handle meanwhile.
pub unsafe fn exclusive<'a, T>(handle: jlong) -> &'a mut T {
    // SAFETY: the caller upholds the contract.
    unsafe { &mut *(handle as *mut T) }
}

/// Drops an object of [`give`], unless it is dropped already.
pub fn close(_env: &Env<'_>, handle: jlong) -> Result<()> {
    let free = LIVE.lock().unwrap_or_else(PoisonError::into_inner).remove(&handle);
    if let Some(free) = free {
        // SAFETY: `give` has registered the function for this object, and Java does not use a handle
        // that it has closed.
        unsafe { free(handle) };
    }
    Ok(())
}

/// Drops all objects of Java.
///
/// # Safety
/// No handle may be used again.
pub unsafe fn free_all() {
    let live = std::mem::take(&mut *LIVE.lock().unwrap_or_else(PoisonError::into_inner));
    for (handle, free) in live {
        // SAFETY: as in `close`.
        unsafe { free(handle) };
    }
}

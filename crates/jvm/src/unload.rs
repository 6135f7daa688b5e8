//! What happens when the JVM unloads this library, after the class loader of Java's classes.

use std::sync::{Mutex, PoisonError};

use jni::objects::JObject;
use jni::sys::{JNI_OK, JNI_VERSION_1_8, JavaVM, jobject};

use serow_core::Result;

use crate::env::Env;

/// A global reference to a `Runnable` of Java.
struct Action(jobject);

// SAFETY: all threads of the JVM may use a global reference.
unsafe impl Send for Action {}

/// The actions that Java wants to be run. Their classes are the JDK's, so they are still loaded.
static ACTIONS: Mutex<Vec<Action>> = Mutex::new(Vec::new());

/// Runs the actions of Java.
///
/// # Safety
/// `vm` must be the JVM, and this thread one of Java.
pub unsafe fn run_actions(vm: *mut JavaVM) {
    let actions = std::mem::take(&mut *ACTIONS.lock().unwrap_or_else(PoisonError::into_inner));
    let mut raw = std::ptr::null_mut();
    // SAFETY: the caller upholds the contract. The function stores the thread's `Env` on success.
    let env = unsafe {
        if ((**vm).v1_2.GetEnv)(vm, &raw mut raw, JNI_VERSION_1_8) != JNI_OK {
            return;
        }
        Env::from_raw(raw.cast())
    };
    for Action(action) in actions {
        // An action that fails can't be helped: nobody is left to see the exception.
        env.run_and_delete(action);
    }
}

pub fn at_unload<'l>(env: &Env<'l>, action: JObject<'l>) -> Result<()> {
    let action = Action(env.new_global(&action)?);
    ACTIONS.lock().unwrap_or_else(PoisonError::into_inner).push(action);
    Ok(())
}

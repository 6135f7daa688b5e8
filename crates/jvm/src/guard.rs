//! The border between Java and Rust: errors and panics become Java exceptions, and nothing unwinds
//! across it.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

use jni::sys::{jint, jlong, jobject};
use serow_core::{Error, ErrorKind, Result};

use crate::env::Env;

/// The result of a native method that has thrown an exception; Java ignores it.
pub trait Nothing {
    const NOTHING: Self;
}

macro_rules! nothing {
    ($($ty:ty = $value:expr),*) => {
        $(impl Nothing for $ty {
            const NOTHING: $ty = $value;
        })*
    };
}

nothing!(() = (), bool = false, jint = 0, jlong = 0, jobject = std::ptr::null_mut());

/// Runs the body of a native method.
pub fn guard<T: Nothing>(env: &Env<'_>, body: impl FnOnce() -> Result<T>) -> T {
    // A panic may leave an encoder or decoder in any state, but Java discards it after an exception:
    // a stream after each that is not about a row, and the others after every one. Plans are
    // immutable.
    match catch_unwind(AssertUnwindSafe(body)) {
        Ok(Ok(value)) => return value,
        Ok(Err(error)) => raise(env, &error),
        Err(panic) => {
            let message = format!("serow has a bug, please report it: {}", text(&*panic));
            env.throw(&message);
        }
    }
    T::NOTHING
}

fn raise(env: &Env<'_>, error: &Error) {
    let kind = match error.kind() {
        ErrorKind::Schema => b'S',
        ErrorKind::Encode => b'E',
        ErrorKind::Decode => b'D',
        ErrorKind::BufferTooSmall => b'B',
        ErrorKind::Limit | ErrorKind::Memory => b'L',
        // Java moves the bytes of streams itself.
        ErrorKind::Io => b'D',
        // The JVM's own exception is pending already.
        ErrorKind::Host => return,
    };
    // If this fails, the JVM's exception about that is pending instead.
    let _ = env.throw_error(kind, error);
}

fn text(panic: &(dyn Any + Send)) -> &str {
    match (panic.downcast_ref::<&str>(), panic.downcast_ref::<String>()) {
        (Some(text), _) => text,
        (_, Some(text)) => text,
        _ => "it panicked",
    }
}

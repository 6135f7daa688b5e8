//! Wrappers for the few JNI functions that this crate calls.
//!
//! The functions of the `jni` crate's own `Env` use a thread-local guard that costs as much as the
//! rest of a small call, so this module wraps its raw types.

use std::ffi::c_void;
use std::marker::PhantomData;

use jni::jni_str;
use jni::objects::{JByteArray, JByteBuffer, JCharArray, JIntArray, JLongArray, JObject};
use jni::strings::JNIString;
use jni::sys::{JNI_ABORT, JNIEnv, JNINativeInterface__1_4, jarray, jint, jobject, jsize, jvalue};
use serow_core::path::Step;
use serow_core::{Error, Result};

/// The JVM in a native method: the first argument of every native method.
#[repr(transparent)]
pub struct Env<'local> {
    raw: *mut JNIEnv,
    frame: PhantomData<&'local ()>,
}

impl Env<'_> {
    /// # Safety
    /// `raw` must be the environment of this thread, and the result must not leave the thread.
    pub unsafe fn from_raw(raw: *mut JNIEnv) -> Self {
        Env { raw, frame: PhantomData }
    }

    fn functions(&self) -> &JNINativeInterface__1_4 {
        // SAFETY: only the JVM creates an `Env`, as the argument of a native method on this thread.
        // Its function table has all functions of version 1.4, because Java is 17 or newer.
        unsafe { &(**self.raw).v1_4 }
    }

    /// Returns an error if the JVM has a pending exception, which stays pending.
    fn check(&self) -> Result<()> {
        // SAFETY: see `functions`.
        match unsafe { (self.functions().ExceptionCheck)(self.raw) } {
            true => Err(Error::host()),
            false => Ok(()),
        }
    }

    fn length(&self, array: jarray) -> Result<usize> {
        // SAFETY: the JVM passed `array` to this native method, and it is not null.
        let length = unsafe { (self.functions().GetArrayLength)(self.raw, array) };
        usize::try_from(length).map_err(|_| Error::host())
    }

    /// Appends `length` bytes of `array`, from `offset` on, to `to`.
    pub fn read_bytes(
        &self,
        array: &JByteArray<'_>,
        offset: usize,
        length: usize,
        to: &mut Vec<u8>,
    ) -> Result<()> {
        let (offset, count) = self.region(array.as_raw(), offset, length)?;
        reserve(to, length)?;
        // SAFETY: the region is within the array, and `length` bytes are reserved.
        unsafe {
            let end = to.as_mut_ptr().add(to.len());
            (self.functions().GetByteArrayRegion)(
                self.raw,
                array.as_raw(),
                offset,
                count,
                end.cast(),
            );
            self.check()?;
            to.set_len(to.len() + length);
        }
        Ok(())
    }

    /// Appends the first `length` numbers of `array` to `to`.
    pub fn read_longs(
        &self,
        array: &JLongArray<'_>,
        length: usize,
        to: &mut Vec<i64>,
    ) -> Result<()> {
        let (offset, count) = self.region(array.as_raw(), 0, length)?;
        reserve(to, length)?;
        // SAFETY: as in `read_bytes`.
        unsafe {
            let end = to.as_mut_ptr().add(to.len());
            (self.functions().GetLongArrayRegion)(self.raw, array.as_raw(), offset, count, end);
            self.check()?;
            to.set_len(to.len() + length);
        }
        Ok(())
    }

    /// Calls `look` with the first `length` chars of `array`, in place.
    ///
    /// The JVM can't collect garbage meanwhile, so `look` must be short.
    pub fn with_chars<T>(
        &self,
        array: &JCharArray<'_>,
        length: usize,
        look: impl FnOnce(&[u16]) -> T,
    ) -> Result<T> {
        self.region(array.as_raw(), 0, length)?;
        let chars = Critical::new(self, array.as_raw())?;
        // SAFETY: the array has at least this length and stays in place until `chars` is dropped.
        // Only Java code could write to it, and the encoder that owns it waits for this call.
        Ok(look(unsafe { std::slice::from_raw_parts(chars.start.cast(), length) }))
    }

    /// The numbers of `array`. A negative number is an error.
    pub fn read_ints(&self, array: &JIntArray<'_>) -> Result<Vec<u32>> {
        if array.as_raw().is_null() {
            return Err(Error::schema("there is no type list"));
        }
        let mut numbers: Vec<jint> = vec![0; self.length(array.as_raw())?];
        let (offset, count) = self.region(array.as_raw(), 0, numbers.len())?;
        // SAFETY: as in `read_bytes`, with initialized memory.
        unsafe {
            let start = numbers.as_mut_ptr();
            (self.functions().GetIntArrayRegion)(self.raw, array.as_raw(), offset, count, start);
        }
        self.check()?;
        let number = |&n: &jint| {
            u32::try_from(n).map_err(|_| Error::schema("a type list has a negative code"))
        };
        numbers.iter().map(number).collect()
    }

    /// Writes `bytes` to `array` at `offset`.
    pub fn write_bytes(&self, array: &JByteArray<'_>, offset: usize, bytes: &[u8]) -> Result<()> {
        let (offset, count) = self.region(array.as_raw(), offset, bytes.len())?;
        // SAFETY: the region is within the array.
        unsafe {
            let start = bytes.as_ptr().cast();
            (self.functions().SetByteArrayRegion)(self.raw, array.as_raw(), offset, count, start);
        }
        self.check()
    }

    /// Writes `numbers` to the start of `array`.
    pub fn write_longs(&self, array: &JLongArray<'_>, numbers: &[i64]) -> Result<()> {
        let (offset, count) = self.region(array.as_raw(), 0, numbers.len())?;
        // SAFETY: the region is within the array.
        unsafe {
            let start = numbers.as_ptr();
            (self.functions().SetLongArrayRegion)(self.raw, array.as_raw(), offset, count, start);
        }
        self.check()
    }

    /// A new array of `numbers`.
    pub fn new_ints(&self, numbers: &[u32]) -> Result<jobject> {
        let numbers: Vec<jint> = numbers.iter().map(|&n| n as jint).collect();
        let length = jsize::try_from(numbers.len()).map_err(|_| too_long())?;
        // SAFETY: the region is the whole new array, which is null only if an exception is pending.
        unsafe {
            let array = (self.functions().NewIntArray)(self.raw, length);
            self.check()?;
            (self.functions().SetIntArrayRegion)(self.raw, array, 0, length, numbers.as_ptr());
            self.check()?;
            Ok(array)
        }
    }

    /// A new string.
    pub fn new_string(&self, text: &str) -> Result<jobject> {
        // SAFETY: the string is in modified UTF-8 and ends with a zero.
        let string =
            unsafe { (self.functions().NewStringUTF)(self.raw, JNIString::from(text).as_ptr()) };
        self.check()?;
        Ok(string)
    }

    /// A direct buffer for `memory`.
    ///
    /// # Safety
    /// The memory must stay in place, and nobody else may write to it, while Java uses the buffer.
    pub unsafe fn new_buffer(&self, memory: &mut [u64]) -> Result<jobject> {
        let bytes = size_of_val(memory);
        let start = memory.as_mut_ptr().cast::<c_void>();
        // SAFETY: the memory is `bytes` long, and the rest is the caller's promise.
        let buffer =
            unsafe { (self.functions().NewDirectByteBuffer)(self.raw, start, bytes as i64) };
        self.check()?;
        match buffer.is_null() {
            true => Err(Error::limit("this JVM has no direct buffers")),
            false => Ok(buffer),
        }
    }

    /// The address of `length` bytes of a direct buffer, from `offset` on.
    pub fn buffer_region(
        &self,
        buffer: &JByteBuffer<'_>,
        offset: usize,
        length: usize,
    ) -> Result<*mut u8> {
        // SAFETY: the JVM passed `buffer` to this native method.
        let (start, capacity) = unsafe {
            (
                (self.functions().GetDirectBufferAddress)(self.raw, buffer.as_raw()),
                (self.functions().GetDirectBufferCapacity)(self.raw, buffer.as_raw()),
            )
        };
        let fits = offset
            .checked_add(length)
            .is_some_and(|end| usize::try_from(capacity).is_ok_and(|capacity| end <= capacity));
        if start.is_null() || !fits {
            return Err(Error::limit(
                "a buffer is not direct, or shorter than the length passed with it",
            ));
        }
        // SAFETY: the region is within the buffer.
        Ok(unsafe { start.cast::<u8>().add(offset) })
    }

    /// A reference to `object` that is valid until it is deleted.
    pub fn new_global(&self, object: &JObject<'_>) -> Result<jobject> {
        // SAFETY: the JVM passed `object` to this native method.
        let global = unsafe { (self.functions().NewGlobalRef)(self.raw, object.as_raw()) };
        match global.is_null() {
            true => Err(Error::limit("the JVM has no memory for a reference")),
            false => Ok(global),
        }
    }

    /// Runs a `Runnable` of Java, ignores what it throws, and deletes its global reference.
    pub fn run_and_delete(&self, runnable: jobject) {
        let class = jni_str!("java/lang/Runnable");
        let (name, signature) = (jni_str!("run"), jni_str!("()V"));
        // SAFETY: the strings are in modified UTF-8 and end with a zero. The method exists and has
        // no parameters. No function but the last three is called with a pending exception.
        unsafe {
            let class = (self.functions().FindClass)(self.raw, class.as_ptr());
            if !class.is_null() {
                let run = (self.functions().GetMethodID)(
                    self.raw,
                    class,
                    name.as_ptr(),
                    signature.as_ptr(),
                );
                if !run.is_null() {
                    (self.functions().CallVoidMethodA)(self.raw, runnable, run, std::ptr::null());
                }
            }
            (self.functions().ExceptionClear)(self.raw);
            (self.functions().DeleteLocalRef)(self.raw, class);
            (self.functions().DeleteGlobalRef)(self.raw, runnable);
        }
    }

    /// Throws a `SerowException`.
    pub fn throw(&self, message: &str) {
        // SAFETY: both strings are in modified UTF-8 and end with a zero. If the class can't be
        // found, the JVM's exception about that is pending instead.
        unsafe {
            let class = jni_str!("io/github/serow/SerowException");
            let class = (self.functions().FindClass)(self.raw, class.as_ptr());
            if !class.is_null() {
                let message = JNIString::from(message);
                (self.functions().ThrowNew)(self.raw, class, message.as_ptr());
            }
        }
    }

    /// Throws the exception for `error`, which `NativeErrors.make` creates. `kind` is the letter of
    /// its class.
    pub fn throw_error(&self, kind: u8, error: &Error) -> Result<()> {
        let number = |known: Option<usize>| known.map_or(-1, |number| number as i64);
        let (names, places) = match error.path() {
            Some(path) => self.new_path(&path.0)?,
            None => (std::ptr::null_mut(), std::ptr::null_mut()),
        };
        let arguments = [
            jvalue { c: kind.into() },
            jvalue { l: self.new_string(error.message())? },
            jvalue { j: number(error.row()) },
            jvalue { l: names },
            jvalue { l: places },
            jvalue { j: number(error.offset()) },
            jvalue { j: number(error.needed()) },
        ];
        let class = jni_str!("io/github/serow/jni/NativeErrors");
        let name = jni_str!("make");
        let signature = jni_str!(
            "(CLjava/lang/String;J[Ljava/lang/String;[IJJ)Lio/github/serow/SerowException;"
        );
        // SAFETY: the strings are in modified UTF-8 and end with a zero; the method is static and
        // has these parameters.
        unsafe {
            let class = (self.functions().FindClass)(self.raw, class.as_ptr());
            self.check()?;
            let make = (self.functions().GetStaticMethodID)(
                self.raw,
                class,
                name.as_ptr(),
                signature.as_ptr(),
            );
            self.check()?;
            let made = (self.functions().CallStaticObjectMethodA)(
                self.raw,
                class,
                make,
                arguments.as_ptr(),
            );
            self.check()?;
            (self.functions().Throw)(self.raw, made);
        }
        Ok(())
    }

    /// A path in the form of `NativeErrors.make`: names, and indices for steps without a name.
    fn new_path(&self, steps: &[Step]) -> Result<(jobject, jobject)> {
        let length = jsize::try_from(steps.len()).map_err(|_| too_long())?;
        let class = jni_str!("java/lang/String");
        // SAFETY: the class exists, and null is a valid element.
        let names = unsafe {
            let class = (self.functions().FindClass)(self.raw, class.as_ptr());
            self.check()?;
            (self.functions().NewObjectArray)(self.raw, length, class, std::ptr::null_mut())
        };
        self.check()?;
        let mut places = Vec::new();
        for (i, step) in steps.iter().enumerate() {
            places.push(match step {
                Step::Item(item) => *item as u32,
                _ => 0,
            });
            if !matches!(step, Step::Item(_)) {
                let name = self.new_string(&step.to_string())?;
                // SAFETY: the index is within the array, whose elements are strings.
                unsafe {
                    (self.functions().SetObjectArrayElement)(self.raw, names, i as jsize, name);
                }
                self.check()?;
            }
        }
        Ok((names, self.new_ints(&places)?))
    }

    /// Checks that a region is within an array, and converts it for JNI.
    fn region(&self, array: jarray, offset: usize, length: usize) -> Result<(jsize, jsize)> {
        let end = offset.checked_add(length).ok_or_else(too_long)?;
        if array.is_null() || end > self.length(array)? {
            return Err(Error::limit("an array is shorter than the length passed with it"));
        }
        Ok((offset as jsize, length as jsize))
    }
}

fn reserve<T>(to: &mut Vec<T>, more: usize) -> Result<()> {
    to.try_reserve(more).map_err(|_| Error::limit("there is no memory for the rows"))
}

fn too_long() -> Error {
    Error::limit("an array is longer than Java allows")
}

/// The elements of an array, in the JVM's own memory if possible; released without changes on drop.
struct Critical<'e, 'l> {
    env: &'e Env<'l>,
    array: jarray,
    start: *mut c_void,
}

impl<'e, 'l> Critical<'e, 'l> {
    fn new(env: &'e Env<'l>, array: jarray) -> Result<Critical<'e, 'l>> {
        // SAFETY: the JVM passed `array` to this native method, and no JNI function is called
        // before the release.
        let start = unsafe {
            (env.functions().GetPrimitiveArrayCritical)(env.raw, array, std::ptr::null_mut())
        };
        match start.is_null() {
            true => Err(Error::host()),
            false => Ok(Critical { env, array, start }),
        }
    }
}

impl Drop for Critical<'_, '_> {
    fn drop(&mut self) {
        // SAFETY: see `new`; there are no changes to copy back.
        unsafe {
            (self.env.functions().ReleasePrimitiveArrayCritical)(
                self.env.raw,
                self.array,
                self.start,
                JNI_ABORT,
            );
        }
    }
}

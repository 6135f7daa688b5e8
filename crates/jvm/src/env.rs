//! Wrappers for the few JNI functions that this crate calls.
//!
//! The functions of the `jni` crate's own `Env` use a thread-local guard that costs as much as the
//! rest of a small call, so this module wraps its raw types.

use std::ffi::c_void;
use std::marker::PhantomData;
use std::ops::Range;

use jni::jni_str;
use jni::objects::{JByteArray, JByteBuffer, JIntArray, JLongArray};
use jni::strings::{JNIStr, JNIString};
use jni::sys::{JNIEnv, JNINativeInterface__1_4, jarray, jclass, jint, jobject, jsize, jvalue};
use serow_core::path::PathStep;
use serow_core::{Error, Result};

/// The most bytes that one JNI call copies. The JVM can't collect garbage meanwhile, so a longer
/// array is copied in several calls.
const PIECE: usize = 1 << 20;

/// The JVM in a native method: the first argument of every native method.
#[repr(transparent)]
pub struct Env<'local> {
    raw: *mut JNIEnv,
    frame: PhantomData<&'local ()>,
}

impl Env<'_> {
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
        let get = self.functions().GetByteArrayRegion;
        // SAFETY: the function reads elements of this array's type.
        unsafe { self.read(get, array.as_raw(), offset, length, to) }
    }

    /// Copies the first bytes of `array`, as many as `to` has.
    pub fn copy_bytes(&self, array: &JByteArray<'_>, to: &mut [u8]) -> Result<()> {
        let get = self.functions().GetByteArrayRegion;
        self.pieces::<u8>(array.as_raw(), 0, to.len(), |from, piece| {
            let part = &mut to[piece];
            let (count, start) = (part.len() as jsize, part.as_mut_ptr().cast());
            // SAFETY: the region is within the array.
            unsafe { get(self.raw, array.as_raw(), from, count, start) };
        })
    }

    /// The bytes of a whole array.
    pub fn read_all_bytes(&self, array: &JByteArray<'_>) -> Result<Vec<u8>> {
        let mut bytes = Vec::new();
        self.read_bytes(array, 0, self.length(array.as_raw())?, &mut bytes)?;
        Ok(bytes)
    }

    /// Appends elements of an array to `to`, in pieces.
    ///
    /// # Safety
    /// `get` must read elements of the array's type, and `T` must have the same size as `J` and
    /// accept any bits.
    unsafe fn read<T, J>(
        &self,
        get: GetRegion<J>,
        array: jarray,
        offset: usize,
        length: usize,
        to: &mut Vec<T>,
    ) -> Result<()> {
        to.try_reserve(length).map_err(|_| Error::limit("there is no memory for the rows"))?;
        let start = to.len();
        self.pieces::<T>(array, offset, length, |from, piece| {
            // SAFETY: the region is within the array, and there is memory for all of it.
            unsafe {
                let end = to.as_mut_ptr().add(start + piece.start);
                get(self.raw, array, from, piece.len() as jsize, end.cast());
            }
        })?;
        // SAFETY: the pieces have written all of it.
        unsafe { to.set_len(start + length) };
        Ok(())
    }

    /// Copies a region of an array in pieces: `copy` gets the place of each in the array and in the region.
    fn pieces<T>(
        &self,
        array: jarray,
        offset: usize,
        length: usize,
        mut copy: impl FnMut(jsize, Range<usize>),
    ) -> Result<()> {
        self.region(array, offset, length)?;
        for piece in pieces::<T>(length) {
            copy((offset + piece.start) as jsize, piece);
            self.check()?;
        }
        Ok(())
    }

    /// The codes in `array`, which is a type list.
    pub fn read_ints(&self, array: &JIntArray<'_>) -> Result<Vec<u32>> {
        if array.as_raw().is_null() {
            return Err(Error::schema("there is no type list"));
        }
        let length = self.length(array.as_raw())?;
        let mut numbers: Vec<jint> = Vec::new();
        let get = self.functions().GetIntArrayRegion;
        // SAFETY: the function reads elements of this array's type.
        unsafe { self.read(get, array.as_raw(), 0, length, &mut numbers)? };
        // Java has no unsigned integers: a code of 32 bits may be negative there.
        Ok(numbers.into_iter().map(jint::cast_unsigned).collect())
    }

    /// Writes `bytes` to `array` at `offset`.
    pub fn write_bytes(&self, array: &JByteArray<'_>, offset: usize, bytes: &[u8]) -> Result<()> {
        let set = self.functions().SetByteArrayRegion;
        self.pieces::<u8>(array.as_raw(), offset, bytes.len(), |from, piece| {
            let part = &bytes[piece];
            let (count, start) = (part.len() as jsize, part.as_ptr().cast());
            // SAFETY: the region is within the array.
            unsafe { set(self.raw, array.as_raw(), from, count, start) };
        })
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

    /// The JDK's lookup that may access everything: a private constant, which only JNI reads.
    pub fn trusted_lookup(&self) -> Result<jobject> {
        let class = jni_str!("java/lang/invoke/MethodHandles$Lookup");
        let name = jni_str!("IMPL_LOOKUP");
        let signature = jni_str!("Ljava/lang/invoke/MethodHandles$Lookup;");
        // SAFETY: the strings are in modified UTF-8 and end with a zero; the field is static and of
        // this type.
        unsafe {
            let class = self.class(class)?;
            let field = (self.functions().GetStaticFieldID)(
                self.raw,
                class,
                name.as_ptr(),
                signature.as_ptr(),
            );
            self.check()?;
            let lookup = (self.functions().GetStaticObjectField)(self.raw, class, field);
            self.check()?;
            Ok(lookup)
        }
    }

    /// The class of this name.
    fn class(&self, name: &JNIStr) -> Result<jclass> {
        // SAFETY: the name is in modified UTF-8 and ends with a zero.
        let class = unsafe { (self.functions().FindClass)(self.raw, name.as_ptr()) };
        self.check().map(|()| class)
    }

    /// Throws a `SerowException`.
    pub fn throw(&self, message: &str) {
        // If the class can't be found, the JVM's exception about that is pending instead.
        if let Ok(class) = self.class(jni_str!("io/github/serow/SerowException")) {
            let message = JNIString::from(message);
            // SAFETY: the message is in modified UTF-8 and ends with a zero.
            unsafe { (self.functions().ThrowNew)(self.raw, class, message.as_ptr()) };
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
        let class = jni_str!("io/github/serow/internal/jni/NativeErrors");
        let name = jni_str!("make");
        let signature = jni_str!(
            "(CLjava/lang/String;J[Ljava/lang/String;[IJJ)Lio/github/serow/SerowException;"
        );
        // SAFETY: the strings are in modified UTF-8 and end with a zero; the method is static and
        // has these parameters.
        unsafe {
            let class = self.class(class)?;
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
    fn new_path(&self, steps: &[PathStep]) -> Result<(jobject, jobject)> {
        let length = jsize::try_from(steps.len()).map_err(|_| too_long())?;
        let class = jni_str!("java/lang/String");
        let class = self.class(class)?;
        let new = self.functions().NewObjectArray;
        // SAFETY: the class exists, and null is a valid element.
        let names = unsafe { new(self.raw, length, class, std::ptr::null_mut()) };
        self.check()?;
        let mut places = Vec::new();
        for (i, step) in steps.iter().enumerate() {
            places.push(match step {
                PathStep::Item(item) => *item as u32,
                _ => 0,
            });
            if !matches!(step, PathStep::Item(_)) {
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

/// A JNI function that copies a region of an array.
type GetRegion<J> = unsafe extern "system" fn(*mut JNIEnv, jarray, jsize, jsize, *mut J);

/// The ranges of `length` elements of type `T` that single JNI calls copy.
fn pieces<T>(length: usize) -> impl Iterator<Item = Range<usize>> {
    let most = PIECE / size_of::<T>();
    (0..length).step_by(most).map(move |start| start..length.min(start + most))
}

fn too_long() -> Error {
    Error::limit("an array is longer than Java allows")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_cover_an_array_and_are_short() {
        for length in [0, 1, PIECE / 8 - 1, PIECE / 8, PIECE / 8 + 1, 3 * PIECE + 5] {
            let mut end = 0;
            for piece in pieces::<i64>(length) {
                assert_eq!(piece.start, end);
                assert!(!piece.is_empty() && 8 * piece.len() <= PIECE);
                end = piece.end;
            }
            assert_eq!(end, length);
        }
    }
}

//! The components of a value such as a date or a decimal, on their way from a source to a sink.

use crate::schema::Logical;
use crate::schema::logical::{MAX_FLOATS, MAX_INTS};

/// A string on its way from a source to a sink.
#[derive(Clone, Copy, Debug)]
pub enum Text<'a> {
    /// Its generalised UTF-8; the source vouches for that.
    Plain {
        /// The bytes.
        bytes: &'a [u8],
        /// Whether they are known to be ASCII.
        ascii: bool,
    },
    /// An entry of the column's dictionary, which was given to the sink by
    /// [`Sink::dictionary`](crate::layout::Sink::dictionary).
    Entry(u32),
}

/// The components of a value. Those that its type does not have are zero or empty.
#[derive(Clone, Copy, Debug)]
pub struct Components<'a> {
    /// The integers.
    pub ints: [i64; MAX_INTS],
    /// The floats.
    pub floats: [f64; MAX_FLOATS],
    /// The bytes, which need not be text.
    pub bytes: Text<'a>,
}

impl Default for Components<'_> {
    fn default() -> Self {
        let bytes = Text::Plain { bytes: &[], ascii: true };
        Components { ints: [0; MAX_INTS], floats: [0.0; MAX_FLOATS], bytes }
    }
}

/// A code that no entry of a dictionary has.
pub const NO_ENTRY: u64 = u64::MAX;

/// The parts of a value as compiled code and its helpers pass them to each other.
#[derive(Debug)]
#[repr(C)]
pub struct ComponentsContext {
    /// The integers.
    pub ints: [i64; MAX_INTS],
    /// The floats.
    pub floats: [f64; MAX_FLOATS],
    /// The bytes, which stay in place until `exit_jit`.
    pub bytes: *const u8,
    /// Their number.
    pub len: usize,
    /// In place of the bytes: the code of an entry of the column's dictionary, or else
    /// [`NO_ENTRY`].
    pub entry: u64,
}

impl Default for ComponentsContext {
    fn default() -> ComponentsContext {
        ComponentsContext {
            ints: [0; MAX_INTS],
            floats: [0.0; MAX_FLOATS],
            bytes: std::ptr::NonNull::dangling().as_ptr(),
            len: 0,
            entry: NO_ENTRY,
        }
    }
}

impl ComponentsContext {
    /// What stands there of a value of type `ty`.
    ///
    /// # Safety
    /// The bytes must be readable for `'a`, unless there is an entry or the type has none.
    pub unsafe fn get<'a>(&self, ty: Logical) -> Components<'a> {
        let mut parts =
            Components { ints: self.ints, floats: self.floats, ..Components::default() };
        // Of a type without bytes, those of the value before are there still.
        if ty.counts().bytes > 0 {
            parts.bytes = match u32::try_from(self.entry) {
                Ok(code) => Text::Entry(code),
                Err(_) => {
                    // SAFETY: the caller's promise.
                    let bytes = unsafe { std::slice::from_raw_parts(self.bytes, self.len) };
                    Text::Plain { bytes, ascii: false }
                }
            };
        }
        parts
    }

    /// Put `parts` there, and say whether that can be done: an entry of a dictionary can't.
    pub fn set(&mut self, parts: Components<'_>) -> bool {
        let Text::Plain { bytes, .. } = parts.bytes else { return false };
        (self.ints, self.floats) = (parts.ints, parts.floats);
        (self.bytes, self.len) = (bytes.as_ptr(), bytes.len());
        true
    }
}

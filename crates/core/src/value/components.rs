//! The components of a value such as a date or a decimal, as a source passes them to a sink.

use crate::schema::Logical;
use crate::schema::logical::{MAX_FLOATS, MAX_INTS};

/// A string that a source passes to a sink.
#[derive(Clone, Copy, Debug)]
pub enum Text<'a> {
    /// Generalised UTF-8. The source guarantees that it is valid.
    Plain {
        /// The bytes.
        bytes: &'a [u8],
        /// Whether they are known to be ASCII.
        ascii: bool,
    },
    /// An entry of the column's dictionary. The source passed the dictionary to the sink before, by
    /// [`Sink::dictionary`](crate::layout::Sink::dictionary).
    Entry(u32),
}

/// The components of a value. Components that its type lacks are zero or empty.
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

/// A code that is not a dictionary entry.
pub const NO_ENTRY: u64 = u64::MAX;

/// The components of a value, as compiled code and helper functions exchange them.
#[derive(Debug)]
#[repr(C)]
pub struct ComponentsContext {
    /// The integers.
    pub ints: [i64; MAX_INTS],
    /// The floats.
    pub floats: [f64; MAX_FLOATS],
    /// The bytes, which are valid until `exit_jit`.
    pub bytes: *const u8,
    /// The length of `bytes`.
    pub len: usize,
    /// The code of an entry of the column's dictionary instead of bytes, or [`NO_ENTRY`].
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
    /// Returns the components of a value of type `ty`.
    ///
    /// # Safety
    /// The bytes must be readable for `'a`, unless `entry` is set or the type has no bytes.
    pub unsafe fn get<'a>(&self, ty: Logical) -> Components<'a> {
        let mut components =
            Components { ints: self.ints, floats: self.floats, ..Components::default() };
        // If the type has no bytes, `bytes` may still be the previous value's.
        if ty.counts().bytes > 0 {
            components.bytes = match u32::try_from(self.entry) {
                Ok(code) => Text::Entry(code),
                Err(_) => {
                    // SAFETY: the caller's promise.
                    let bytes = unsafe { std::slice::from_raw_parts(self.bytes, self.len) };
                    Text::Plain { bytes, ascii: false }
                }
            };
        }
        components
    }

    /// Stores `components`. Returns false if that is impossible because the bytes are a dictionary
    /// entry.
    pub fn set(&mut self, components: Components<'_>) -> bool {
        let Text::Plain { bytes, .. } = components.bytes else { return false };
        (self.ints, self.floats) = (components.ints, components.floats);
        (self.bytes, self.len) = (bytes.as_ptr(), bytes.len());
        true
    }
}

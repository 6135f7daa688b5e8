//! The components of a value such as a date or a decimal, as a source passes them to a sink.

use std::ops::Range;
use std::sync::Arc;

use crate::schema::Logical;
use crate::schema::logical::{MAX_FLOATS, MAX_INTS};

/// A string that a source passes to a sink.
#[derive(Clone, Copy, Debug)]
pub enum Text<'a> {
    /// Generalised UTF-8. The source guarantees that it is valid.
    Plain(PlainText<'a>),
    /// An entry of the column's dictionary. The source passed the dictionary to the sink before, by
    /// [`SinkBase::dictionary`](crate::layout::SinkBase::dictionary).
    Entry(u32),
}

/// The bytes of a string, and whether they are known to be ASCII. Sinks make strings of ASCII bytes
/// without a check, so only this module and `unsafe` code can claim it.
#[derive(Clone, Copy, Debug)]
pub struct PlainText<'a> {
    bytes: &'a [u8],
    is_ascii: bool,
}

impl<'a> PlainText<'a> {
    /// Bytes that may be ASCII or not.
    #[inline(always)]
    pub fn new(bytes: &'a [u8]) -> PlainText<'a> {
        PlainText { bytes, is_ascii: false }
    }

    /// Checks whether the bytes are ASCII.
    #[inline(always)]
    pub fn checked(bytes: &'a [u8]) -> PlainText<'a> {
        PlainText { bytes, is_ascii: bytes.is_ascii() }
    }

    /// ASCII bytes, without a check.
    ///
    /// # Safety
    /// All bytes must be below 0x80.
    #[inline(always)]
    pub unsafe fn ascii(bytes: &'a [u8]) -> PlainText<'a> {
        debug_assert!(bytes.is_ascii());
        PlainText { bytes, is_ascii: true }
    }

    /// Checks whether the bytes are ASCII, unless that is known.
    #[inline(always)]
    pub fn rechecked(self) -> PlainText<'a> {
        PlainText { is_ascii: self.is_ascii || self.bytes.is_ascii(), ..self }
    }

    /// The bytes.
    #[inline(always)]
    pub fn bytes(self) -> &'a [u8] {
        self.bytes
    }

    /// The text, unless it has lone surrogates.
    #[inline(always)]
    pub fn as_str(self) -> Option<&'a str> {
        match self.is_ascii {
            // SAFETY: the bytes are ASCII.
            true => Some(unsafe { std::str::from_utf8_unchecked(self.bytes) }),
            false => std::str::from_utf8(self.bytes).ok(),
        }
    }

    /// Whether the bytes are known to be ASCII. If not, they may still be ASCII.
    #[inline(always)]
    pub fn is_known_ascii(self) -> bool {
        self.is_ascii
    }

    /// A part of the text, or `None` if the range is not within it.
    #[inline(always)]
    pub fn get(self, range: Range<usize>) -> Option<PlainText<'a>> {
        let PlainText { bytes, is_ascii } = self;
        bytes.get(range).map(|bytes| PlainText { bytes, is_ascii })
    }
}

/// The text of a column: a part of the message, or memory of its own.
#[derive(Clone, Debug)]
pub struct ColumnText<'a> {
    bytes: ColumnBytes<'a>,
    is_ascii: bool,
}

#[derive(Clone, Debug)]
enum ColumnBytes<'a> {
    Message(&'a [u8]),
    Own(Arc<Vec<u8>>),
}

impl<'a> ColumnText<'a> {
    /// Text in a message.
    pub fn borrowed(bytes: &'a [u8]) -> ColumnText<'a> {
        ColumnText { bytes: ColumnBytes::Message(bytes), is_ascii: bytes.is_ascii() }
    }

    /// Text that was made of a message's bytes.
    pub fn owned(bytes: Vec<u8>) -> ColumnText<'a> {
        ColumnText { is_ascii: bytes.is_ascii(), bytes: ColumnBytes::Own(Arc::new(bytes)) }
    }

    /// The text. Its address stays the same while this value or a clone of it exists.
    #[inline(always)]
    pub fn plain(&self) -> PlainText<'_> {
        let bytes = match &self.bytes {
            ColumnBytes::Message(bytes) => bytes,
            ColumnBytes::Own(bytes) => bytes.as_slice(),
        };
        PlainText { bytes, is_ascii: self.is_ascii }
    }
}

impl<'a> Text<'a> {
    /// Bytes that may be ASCII or not.
    #[inline(always)]
    pub fn plain(bytes: &'a [u8]) -> Text<'a> {
        Text::Plain(PlainText::new(bytes))
    }

    /// Checks whether the bytes are ASCII.
    #[inline(always)]
    pub fn checked(bytes: &'a [u8]) -> Text<'a> {
        Text::Plain(PlainText::checked(bytes))
    }
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
        let bytes = Text::plain(&[]);
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
                    Text::plain(bytes)
                }
            };
        }
        components
    }

    /// Stores a value of one int. Returns true.
    pub fn set_int(&mut self, v: i64) -> bool {
        self.ints[0] = v;
        true
    }

    /// Stores `components`. Returns false if that is impossible because the bytes are a dictionary
    /// entry.
    pub fn set(&mut self, components: Components<'_>) -> bool {
        let Text::Plain(text) = components.bytes else { return false };
        (self.ints, self.floats) = (components.ints, components.floats);
        (self.bytes, self.len) = (text.bytes.as_ptr(), text.bytes.len());
        true
    }
}

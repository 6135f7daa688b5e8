//! The parts of a value on their way from a source to a sink.

use super::Text;
use crate::schema::logical::{MAX_FLOATS, MAX_INTS};

/// The parts of a value. Those that its type does not have are zero, or empty.
#[derive(Clone, Copy, Debug)]
pub struct Parts<'a> {
    /// The integers.
    pub ints: [i64; MAX_INTS],
    /// The floats.
    pub floats: [f64; MAX_FLOATS],
    /// The bytes, which need not be text.
    pub bytes: Text<'a>,
}

impl Default for Parts<'_> {
    fn default() -> Self {
        let bytes = Text::Plain { bytes: &[], ascii: true };
        Parts { ints: [0; MAX_INTS], floats: [0.0; MAX_FLOATS], bytes }
    }
}

/// The parts of a value as compiled code hands them to functions of layouts of objects, or is handed
/// them.
#[derive(Debug)]
#[repr(C)]
pub struct PartsPlace {
    /// The integers.
    pub ints: [i64; MAX_INTS],
    /// The floats.
    pub floats: [f64; MAX_FLOATS],
    /// The bytes, which stay where they are until what was lent is taken back.
    pub bytes: *const u8,
    /// Their number.
    pub len: usize,
    /// In place of the bytes: what a sink has made of an entry of a dictionary, or else null.
    pub entry: *mut (),
}

impl Default for PartsPlace {
    fn default() -> PartsPlace {
        PartsPlace {
            ints: [0; MAX_INTS],
            floats: [0.0; MAX_FLOATS],
            bytes: std::ptr::NonNull::dangling().as_ptr(),
            len: 0,
            entry: std::ptr::null_mut(),
        }
    }
}

impl PartsPlace {
    /// Put `parts` there, and say whether that can be done: an entry of a dictionary can't.
    pub fn set(&mut self, parts: Parts<'_>) -> bool {
        let Text::Plain { bytes, .. } = parts.bytes else { return false };
        (self.ints, self.floats) = (parts.ints, parts.floats);
        (self.bytes, self.len) = (bytes.as_ptr(), bytes.len());
        true
    }
}

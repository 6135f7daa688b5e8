//! Formats of messages, as Java's `Format` writes them in one number.

use jni::sys::jint;
use serow_core::wire::compression::Compression;
use serow_core::wire::message::{Format, Wire};

/// A wire from the ordinal of Java's `Wire`.
pub fn wire(ordinal: jint) -> Wire {
    match ordinal {
        0 => Wire::Frame,
        _ => Wire::Row,
    }
}

/// A format from Java's number: the wire's ordinal in the lowest byte, then the compression's code, then
/// its level.
pub fn read(number: jint) -> Format {
    let compression = match (number >> 8) & 0xff {
        0 => Compression::None,
        1 => Compression::Zstd(number >> 16),
        2 => Compression::Lz4,
        _ => Compression::ByCaller,
    };
    Format { wire: wire(number & 0xff), compression }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_has_wire_compression_and_level() {
        let format = |wire, compression| Format { wire, compression };
        assert_eq!(read(0), format(Wire::Frame, Compression::None));
        assert_eq!(read(1), format(Wire::Row, Compression::None));
        assert_eq!(read(0x0016_0101), format(Wire::Row, Compression::Zstd(22)));
        assert_eq!(read((-7 << 16) | 0x100), format(Wire::Frame, Compression::Zstd(-7)));
        assert_eq!(read(0x200), format(Wire::Frame, Compression::Lz4));
        assert_eq!(read(0x300), format(Wire::Frame, Compression::ByCaller));
    }
}

//! Generalised UTF-8: UTF-8 that encodes a lone surrogate in three bytes. Strings of Python and
//! Java may contain lone surrogates.

/// Returns whether all bytes are ASCII.
#[inline]
pub fn is_ascii(bytes: &[u8]) -> bool {
    bytes.is_ascii()
}

/// Returns whether `bytes` are generalised UTF-8.
pub fn is_valid(mut bytes: &[u8]) -> bool {
    loop {
        match std::str::from_utf8(bytes) {
            Ok(_) => return true,
            Err(error) => {
                // The standard check rejects surrogates: ED A0..BF 80..BF.
                match bytes[error.valid_up_to()..] {
                    [0xED, 0xA0..=0xBF, 0x80..=0xBF, ref rest @ ..] => bytes = rest,
                    _ => return false,
                }
            }
        }
    }
}

/// Returns the code points of `valid` generalised UTF-8, including surrogates.
pub fn code_points(valid: &[u8]) -> impl Iterator<Item = u32> {
    let mut bytes = valid.iter().map(|&byte| u32::from(byte));
    std::iter::from_fn(move || {
        let first = bytes.next()?;
        let (mut c, more) = match first {
            0..0x80 => (first, 0),
            0x80..0xE0 => (first & 0x1F, 1),
            0xE0..0xF0 => (first & 0x0F, 2),
            _ => (first & 0x07, 3),
        };
        for byte in bytes.by_ref().take(more) {
            c = c << 6 | byte & 0x3F;
        }
        Some(c)
    })
}

/// Returns whether `at` is a character boundary of `valid` generalised UTF-8.
#[inline(always)]
pub fn is_boundary(valid: &[u8], at: usize) -> bool {
    valid.get(at).is_none_or(|&b| b & 0xC0 != 0x80)
}

/// Appends the code point `c`, which may be a surrogate.
#[inline]
pub fn push_code_point(to: &mut Vec<u8>, c: u32) {
    match c {
        0..0x80 => to.push(c as u8),
        0x80..0x800 => to.extend_from_slice(&[0xC0 | (c >> 6) as u8, 0x80 | (c & 0x3F) as u8]),
        0x800..0x1_0000 => to.extend_from_slice(&[
            0xE0 | (c >> 12) as u8,
            0x80 | (c >> 6 & 0x3F) as u8,
            0x80 | (c & 0x3F) as u8,
        ]),
        _ => to.extend_from_slice(&[
            0xF0 | (c >> 18) as u8,
            0x80 | (c >> 12 & 0x3F) as u8,
            0x80 | (c >> 6 & 0x3F) as u8,
            0x80 | (c & 0x3F) as u8,
        ]),
    }
}

/// Appends Latin-1 text.
pub fn push_latin1(to: &mut Vec<u8>, text: &[u8]) {
    for &c in text {
        push_code_point(to, u32::from(c));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn surrogates_are_valid_and_other_damage_is_not() {
        assert!(is_valid("añ€😀".as_bytes()));
        assert!(is_valid(b"a\xED\xA0\x80b\xED\xBF\xBF"));
        for bad in [&b"\x80"[..], b"\xED\xA0", b"\xC0\x80", b"\xF4\x90\x80\x80", b"a\xFF"] {
            assert!(!is_valid(bad), "{bad:x?}");
        }
    }

    #[test]
    fn code_points_are_written_as_the_standard_does() {
        for c in ['\0', 'a', '\u{7F}', '\u{80}', '\u{7FF}', '\u{800}', '\u{FFFF}', '\u{10FFFF}'] {
            let mut bytes = Vec::new();
            push_code_point(&mut bytes, c as u32);
            assert_eq!(bytes, c.to_string().as_bytes());
            assert_eq!(code_points(&bytes).collect::<Vec<_>>(), [c as u32]);
        }
        let mut bytes = Vec::new();
        for c in [0xD800, 0x41, 0x1F600] {
            push_code_point(&mut bytes, c);
        }
        assert_eq!(bytes, b"\xED\xA0\x80A\xF0\x9F\x98\x80");
        assert_eq!(code_points(&bytes).collect::<Vec<_>>(), [0xD800, 0x41, 0x1F600]);
    }
}

//! Java's decoding of bytes that are not UTF-8.

/// The replacement for invalid bytes.
const REPLACEMENT: char = '\u{FFFD}';

/// Writes the text of Java's `new String(bytes, UTF_8)` to `text`. Like Rust, Java has one
/// replacement for an incomplete character. Unlike Rust, it also has only one replacement for a
/// surrogate, complete or without its third byte.
#[cold]
pub fn decode(mut bytes: &[u8], text: &mut Vec<u8>) {
    text.clear();
    while !bytes.is_empty() {
        let valid = match std::str::from_utf8(bytes) {
            Ok(_) => bytes.len(),
            Err(error) => error.valid_up_to(),
        };
        text.extend_from_slice(&bytes[..valid]);
        bytes = &bytes[valid..];
        if !bytes.is_empty() {
            text.extend_from_slice(REPLACEMENT.encode_utf8(&mut [0; 4]).as_bytes());
            bytes = &bytes[wrong(bytes)..];
        }
    }
}

/// Returns how many invalid bytes at the start have one replacement.
fn wrong(bytes: &[u8]) -> usize {
    match *bytes {
        // A surrogate or its start.
        [0xED, 0xA0..=0xBF, 0x80..=0xBF, ..] => 3,
        [0xED, 0xA0..=0xBF, ..] => 2,
        _ => match std::str::from_utf8(bytes) {
            Err(error) => error.error_len().unwrap_or(bytes.len()),
            Ok(_) => 0,
        },
    }
}

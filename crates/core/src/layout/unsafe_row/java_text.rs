//! Bytes that are not UTF-8, as the text that Java makes of them.

/// What stands for what is no character.
const REPLACEMENT: char = '\u{FFFD}';

/// Write to `text` what Java's `new String(bytes, UTF_8)` holds. Like Rust it has one replacement for
/// the beginning of a character that does not go on; unlike Rust also one for a surrogate, be it whole
/// or without its third byte.
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

/// How many bytes at the beginning, which are no character, are replaced together.
fn wrong(bytes: &[u8]) -> usize {
    match *bytes {
        // A surrogate, or its beginning.
        [0xED, 0xA0..=0xBF, 0x80..=0xBF, ..] => 3,
        [0xED, 0xA0..=0xBF, ..] => 2,
        _ => match std::str::from_utf8(bytes) {
            Err(error) => error.error_len().unwrap_or(bytes.len()),
            Ok(_) => 0,
        },
    }
}

//! The format of a cache file:
//!
//! ```text
//! magic      8 bytes
//! length     8 bytes: of the key, little-endian
//! length     8 bytes: of the object
//! key
//! object
//! checksum   16 bytes: the xxh3-128 of everything before it
//! ```

use xxhash_rust::xxh3::xxh3_128;

const MAGIC: &[u8; 8] = b"serowob1";

/// Returns the file for an object.
pub(super) fn bytes(key: &[u8], object: &[u8]) -> Vec<u8> {
    let mut bytes = MAGIC.to_vec();
    bytes.extend((key.len() as u64).to_le_bytes());
    bytes.extend((object.len() as u64).to_le_bytes());
    bytes.extend(key);
    bytes.extend(object);
    bytes.extend(xxh3_128(&bytes).to_le_bytes());
    bytes
}

/// Returns the object in a file, if the file is complete and has this key.
pub(super) fn object<'a>(bytes: &'a [u8], key: &[u8]) -> Option<&'a [u8]> {
    let (content, checksum) = bytes.split_last_chunk::<16>()?;
    let rest = content.strip_prefix(MAGIC)?;
    let (key_len, rest) = rest.split_first_chunk::<8>()?;
    let (object_len, rest) = rest.split_first_chunk::<8>()?;
    let object = rest.strip_prefix(key)?;
    let lengths = [key.len() as u64, object.len() as u64];
    let is_whole = lengths == [u64::from_le_bytes(*key_len), u64::from_le_bytes(*object_len)]
        && xxh3_128(content).to_le_bytes() == *checksum;
    is_whole.then_some(object)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_complete_file_with_the_same_key_is_accepted() {
        let file = bytes(b"the key", b"the object");
        assert_eq!(object(&file, b"the key"), Some(&b"the object"[..]));
        for other in [&b"the kez"[..], b"the ke", b"the keyt", b""] {
            assert_eq!(object(&file, other), None);
        }
        for len in 0..file.len() {
            assert_eq!(object(&file[..len], b"the key"), None);
        }
        for bit in 0..8 * file.len() {
            let mut damaged = file.clone();
            damaged[bit / 8] ^= 1 << (bit % 8);
            assert_eq!(object(&damaged, b"the key"), None, "bit {bit}");
        }
        let longer = [&file[..], b"\0"].concat();
        assert_eq!(object(&longer, b"the key"), None);
    }
}

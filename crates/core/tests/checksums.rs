//! The checksum is the same function in Rust and in Java, for bytes of any length.

use xxhash_rust::xxh3::xxh3_64;

/// Java's `ChecksumTest` has the same bytes and the same number.
#[test]
fn checksums_of_every_length_are_those_of_java() {
    let mut state = 1u64;
    let bytes: Vec<u8> = std::iter::repeat_with(|| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 56) as u8
    })
    .take(2000)
    .collect();
    let all = (0..=bytes.len()).fold(0u64, |all, len| all.rotate_left(5) ^ xxh3_64(&bytes[..len]));
    assert_eq!(all, 0x04d7_c5d5_8cb8_ec63);
}

//! Integers of more than 64 bits: two's complement, little-endian, in as few bytes as possible.

/// The bytes of an integer of up to 128 bits, with or without a sign.
#[derive(Clone, Copy, Debug)]
pub struct IntBytes {
    bytes: [u8; 17],
    len: usize,
}

impl IntBytes {
    /// Returns the bytes of `v`.
    pub fn of_i128(v: i128) -> IntBytes {
        IntBytes::of(v.to_le_bytes(), v < 0, 129 - (v ^ v >> 127).leading_zeros())
    }

    /// Returns the bytes of `v`.
    pub fn of_u128(v: u128) -> IntBytes {
        IntBytes::of(v.to_le_bytes(), false, 129 - v.leading_zeros())
    }

    /// The integer with these first bytes, which has `bits` bits with its sign.
    fn of(low: [u8; 16], is_negative: bool, bits: u32) -> IntBytes {
        let mut bytes = [if is_negative { 0xFF } else { 0 }; 17];
        bytes[..16].copy_from_slice(&low);
        IntBytes { bytes, len: bits.div_ceil(8) as usize }
    }

    /// Returns them.
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes[..self.len]
    }
}

/// An integer as serde's visitors take it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say which integers")]
pub enum Int {
    U64(u64),
    I128(i128),
    U128(u128),
}

impl Int {
    /// Returns the integer with these bytes, unless it needs more than 128 bits.
    pub fn of_bytes(bytes: &[u8]) -> Option<Int> {
        let is_negative = bytes.last()? >> 7 == 1;
        let (mut low, rest) = ([if is_negative { 0xFF } else { 0 }; 16], bytes.get(16..));
        low[..bytes.len().min(16)].copy_from_slice(&bytes[..bytes.len().min(16)]);
        match rest {
            None | Some([]) => {
                let v = i128::from_le_bytes(low);
                Some(u64::try_from(v).map_or(Int::I128(v), Int::U64))
            }
            Some([0]) => Some(Int::U128(u128::from_le_bytes(low))),
            Some(_) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_come_back_in_as_few_bytes_as_possible() {
        let cases: [(i128, usize); 7] = [
            (1 << 63, 9),
            (-(1 << 63) - 1, 9),
            ((1 << 71) - 1, 9),
            (1 << 71, 10),
            (-(1 << 71), 9),
            (i128::MAX, 16),
            (i128::MIN, 16),
        ];
        for (v, len) in cases {
            let bytes = IntBytes::of_i128(v);
            assert_eq!(bytes.as_bytes().len(), len, "{v}");
            assert!(crate::value::Composite::int(bytes.as_bytes()).is_some(), "{v}");
            let back = match Int::of_bytes(bytes.as_bytes()) {
                Some(Int::U64(v)) => i128::from(v),
                Some(Int::I128(v)) => v,
                other => panic!("{v}: {other:?}"),
            };
            assert_eq!(back, v);
        }
        let large = IntBytes::of_u128(u128::MAX);
        assert_eq!(large.as_bytes().len(), 17);
        assert_eq!(Int::of_bytes(large.as_bytes()), Some(Int::U128(u128::MAX)));
        assert_eq!(Int::of_bytes(&[1; 17]), None);
        assert_eq!(Int::of_bytes(&[]), None);
    }
}

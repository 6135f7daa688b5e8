//! UUIDs, and numbers of any size.

use serow_core::layout::{OpResult, Sink, Source};
use serow_core::schema::{Logical, Type};

#[cfg(feature = "uuid")]
use super::super::times::ints;
use super::super::times::logical;
use crate::row::{Place, ReadRow, Reading, Row, Writing};

#[cfg(feature = "uuid")]
logical! {
    uuid::Uuid: Uuid,
        |v| {
            let (high, low) = v.as_u64_pair();
            ints([high as i64, low as i64, 0])
        },
        |v, _| Some(uuid::Uuid::from_u64_pair(v[0] as u64, v[1] as u64));
}

/// Integers and decimals.
#[cfg(any(feature = "bigdecimal", feature = "num-bigint", feature = "rust_decimal"))]
mod sized {
    use serow_core::layout::{Components, Text};
    #[cfg(any(feature = "bigdecimal", feature = "rust_decimal"))]
    use serow_core::schema::logical::DecimalKind;

    use super::super::super::times::{Ints, Parts};

    /// The components of a number. An integer that 64 bits hold has no bytes.
    pub(super) struct Number {
        pub(super) ints: Ints,
        pub(super) bytes: Vec<u8>,
    }

    impl Parts for Number {
        fn components(&self) -> Components<'_> {
            let bytes = Text::plain(&self.bytes);
            Components { ints: self.ints, bytes, ..Components::default() }
        }
    }

    /// An integer: itself, or the shortest bytes of its two's complement.
    pub(super) fn integer(small: Option<i64>, bytes: impl FnOnce() -> Vec<u8>) -> Number {
        match small {
            Some(small) => Number { ints: [small, 0, 0], bytes: Vec::new() },
            None => Number { ints: [0; 3], bytes: bytes() },
        }
    }

    /// An integer times ten to the power of `exponent`, or a negative zero.
    #[cfg(any(feature = "bigdecimal", feature = "rust_decimal"))]
    pub(super) fn decimal(
        Number { ints: [small, ..], bytes }: Number,
        exponent: i64,
        is_negative_zero: bool,
    ) -> Option<Number> {
        let kind = match (is_negative_zero, bytes.is_empty()) {
            (true, _) => DecimalKind::NegativeZero,
            (false, true) => DecimalKind::Small,
            (false, false) => DecimalKind::Large,
        };
        Some(Number { ints: [kind.join(exponent)?, small, 0], bytes })
    }
}

#[cfg(feature = "rust_decimal")]
mod fixed {
    use rust_decimal::Decimal;
    use serow_core::schema::logical::DecimalKind;

    use super::sized::{decimal, integer};
    use super::*;
    use crate::row::types::times::Ints;
    use serow_core::number::{Int, IntBytes};

    fn of(ints: Ints, bytes: &[u8]) -> Option<Decimal> {
        let (kind, exponent) = DecimalKind::split(ints[0]);
        let coefficient = match kind {
            DecimalKind::Small => i128::from(ints[1]),
            DecimalKind::NegativeZero => 0,
            DecimalKind::NotFinite => return None,
            DecimalKind::Large => match Int::of_bytes(bytes)? {
                Int::U64(v) => v.into(),
                Int::I128(v) => v,
                Int::U128(_) => return None,
            },
        };
        let (coefficient, scale) = match u32::try_from(exponent) {
            // Zeros after the digits.
            Ok(more) => (coefficient.checked_mul(10_i128.checked_pow(more)?)?, 0),
            Err(_) => (coefficient, u32::try_from(-exponent).ok()?),
        };
        let mut made = Decimal::try_from_i128_with_scale(coefficient, scale).ok()?;
        made.set_sign_negative(coefficient < 0 || kind == DecimalKind::NegativeZero);
        Some(made)
    }

    logical! {
        Decimal: Decimal,
            |v| {
                let coefficient = v.mantissa();
                let bytes = || IntBytes::of_i128(coefficient).as_bytes().to_vec();
                let is_negative_zero = v.is_zero() && v.is_sign_negative();
                let coefficient = integer(i64::try_from(coefficient).ok(), bytes);
                decimal(coefficient, -i64::from(v.scale()), is_negative_zero)
            },
            |v, bytes| of(v, bytes);
    }
}

#[cfg(feature = "num-bigint")]
mod integers {
    use num_bigint::{BigInt, BigUint};

    use super::sized::integer;
    use super::*;
    use crate::row::types::times::Ints;

    fn of(ints: Ints, bytes: &[u8]) -> BigInt {
        match bytes {
            [] => ints[0].into(),
            bytes => BigInt::from_signed_bytes_le(bytes),
        }
    }

    logical! {
        BigInt: Int,
            |v| Some(integer(i64::try_from(v).ok(), || v.to_signed_bytes_le())),
            |v, bytes| Some(of(v, bytes));
        BigUint: Int,
            |v| Some(integer(i64::try_from(v).ok(), || BigInt::from(v.clone()).to_signed_bytes_le())),
            |v, bytes| of(v, bytes).to_biguint();
    }
}

#[cfg(feature = "bigdecimal")]
mod decimals {
    use bigdecimal::BigDecimal;
    use bigdecimal::num_bigint::BigInt;
    use serow_core::schema::logical::DecimalKind;

    use super::sized::{decimal, integer};
    use super::*;
    use crate::row::types::times::Ints;

    /// These numbers have no negative zero, so one is refused.
    fn of(ints: Ints, bytes: &[u8]) -> Option<BigDecimal> {
        let (kind, exponent) = DecimalKind::split(ints[0]);
        let coefficient = match kind {
            DecimalKind::Small => ints[1].into(),
            DecimalKind::Large => BigInt::from_signed_bytes_le(bytes),
            DecimalKind::NegativeZero | DecimalKind::NotFinite => return None,
        };
        Some(BigDecimal::new(coefficient, exponent.checked_neg()?))
    }

    logical! {
        BigDecimal: Decimal,
            |v| {
                let (coefficient, scale) = v.as_bigint_and_exponent();
                let small = i64::try_from(&coefficient).ok();
                let coefficient = integer(small, || coefficient.to_signed_bytes_le());
                scale.checked_neg().and_then(|exponent| decimal(coefficient, exponent, false))
            },
            |v, bytes| of(v, bytes);
    }
}

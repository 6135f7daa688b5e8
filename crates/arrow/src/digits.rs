//! Integers and decimals of any size, as text and as 128 bits.

use serow_core::error::Fault;
use serow_core::radix::{self, Binary, DIGITS};
use serow_core::schema::logical::{DecimalKind, NotFinite, TOO_MANY_DIGITS};

/// One more than the largest coefficient of a decimal of 38 digits.
const END_38: i128 = 10i128.pow(38);

/// Returns an integer in two's complement, if it has at most 38 digits.
pub fn of_38_digits(bytes: &[u8]) -> Option<i128> {
    let fill = if bytes.last().is_some_and(|last| last >> 7 == 1) { 0xFF } else { 0 };
    let mut wide = [fill; 16];
    wide.get_mut(..bytes.len())?.copy_from_slice(bytes);
    let v = i128::from_le_bytes(wide);
    (-END_38 < v && v < END_38).then_some(v)
}

/// Splits an integer into its two components. Returns it if it has 64 bits. Otherwise writes its two's
/// complement into `bytes` and returns 0.
pub fn small_or_bytes(v: i128, bytes: &mut Vec<u8>) -> i64 {
    bytes.clear();
    match i64::try_from(v) {
        Ok(small) => small,
        Err(_) => {
            bytes.extend(v.to_le_bytes());
            radix::shorten(bytes);
            0
        }
    }
}

/// Reads an int's text, decimal digits with a sign: its component, and its `bytes`. `None` if it is no
/// integer.
///
/// # Errors
/// A limit fault if there are too many.
pub fn parse_int(text: &str, bytes: &mut Vec<u8>) -> Result<Option<i64>, Fault> {
    let (negative, digits) = match text.as_bytes() {
        [b'-', rest @ ..] => (true, rest),
        [b'+', rest @ ..] | rest => (false, rest),
    };
    if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
        return Ok(None);
    }
    if let Ok(small) = text.parse::<i128>() {
        return Ok(Some(small_or_bytes(small, bytes)));
    }
    let digits = &digits[digits.iter().take_while(|&&digit| digit == b'0').count()..];
    if digits.len() > MOST_DIGITS {
        return Err(TOO_MANY_DIGITS);
    }
    let word =
        |digits: &[u8]| digits.iter().fold(0u64, |word, digit| word * 10 + u64::from(digit - b'0'));
    let words: Vec<u64> = digits.rchunks(DIGITS).map(word).collect();
    let words = radix::convert::<radix::Decimal, Binary>(&words);
    bytes.clear();
    radix::two_s_complement(negative, &words, bytes);
    Ok(Some(match of_38_digits(bytes) {
        // Leading zeros made the text long.
        Some(few) => small_or_bytes(few, bytes),
        None => 0,
    }))
}

/// The digits that an int or decimal may have.
const MOST_DIGITS: usize = 1_000_000;

/// Reads a decimal's text: its two components, and its bytes. `None` if it is no decimal.
///
/// # Errors
/// A limit fault if there are too many digits.
pub fn parse_decimal(text: &str, bytes: &mut Vec<u8>) -> Result<Option<[i64; 2]>, Fault> {
    let (negative, unsigned) = match text.as_bytes().first() {
        Some(b'-') => (true, &text[1..]),
        Some(b'+') => (false, &text[1..]),
        _ => (false, text),
    };
    bytes.clear();
    let not_finite = |nan, signalling, payload: &str, bytes: &mut Vec<u8>| {
        let is_payload = payload.bytes().all(|digit| digit.is_ascii_digit());
        let payload = payload.trim_start_matches('0');
        bytes.extend(payload.bytes());
        let part = NotFinite { nan, signalling, negative }.join();
        is_payload.then_some([DecimalKind::NotFinite as i64, part])
    };
    match unsigned {
        "Infinity" => return Ok(not_finite(false, false, "", bytes)),
        _ => {
            if let Some(payload) = unsigned.strip_prefix("NaN") {
                return Ok(not_finite(true, false, payload, bytes));
            }
            if let Some(payload) = unsigned.strip_prefix("sNaN") {
                return Ok(not_finite(true, true, payload, bytes));
            }
        }
    }
    let (digits, exponent) = match unsigned.split_once(['E', 'e']) {
        Some((digits, exponent)) => match exponent.parse::<i64>() {
            Ok(exponent) => (digits, exponent),
            Err(_) => return Ok(None),
        },
        None => (unsigned, 0),
    };
    let (whole, after) = digits.split_once('.').unwrap_or((digits, ""));
    let mut coefficient = String::with_capacity(1 + whole.len() + after.len());
    if negative {
        coefficient.push('-');
    }
    coefficient.push_str(whole);
    coefficient.push_str(after);
    if !whole.bytes().chain(after.bytes()).all(|digit| digit.is_ascii_digit()) {
        return Ok(None);
    }
    let Some(small) = parse_int(&coefficient, bytes)? else { return Ok(None) };
    let kind = match small {
        _ if !bytes.is_empty() => DecimalKind::Large,
        0 if negative => DecimalKind::NegativeZero,
        _ => DecimalKind::Small,
    };
    let first = exponent.checked_sub(after.len() as i64).and_then(|exponent| kind.join(exponent));
    Ok(first.map(|first| [first, small]))
}

#[cfg(test)]
mod tests {
    use serow_core::value::text::{push_decimal, push_int};

    use super::*;

    fn back(text: &str) -> String {
        let (mut bytes, mut back) = (Vec::new(), String::new());
        let [first, second] = parse_decimal(text, &mut bytes).unwrap().unwrap();
        push_decimal(first, second, &bytes, &mut back);
        back
    }

    #[test]
    fn decimals_come_back_from_their_text() {
        for text in [
            "0",
            "-0",
            "1.10",
            "-1.10",
            "0.00",
            "-0.00",
            "1E+5",
            "1.5E+7",
            "0.000001",
            "1E-7",
            "1.23E-12",
            "12345678901234567890",
            "-12345678901234567890.123456789012345678901234567890",
            "NaN",
            "-NaN12",
            "sNaN",
            "Infinity",
            "-Infinity",
            "9223372036854775808",
            "-9223372036854775808",
            "0E+3",
            "0E-9",
            "170141183460469231731687303715884105728",
            "-170141183460469231731687303715884105729",
        ] {
            assert_eq!(back(text), text);
        }
    }

    #[test]
    fn what_is_no_number_is_none() {
        let mut bytes = Vec::new();
        for text in ["", "-", "+", "abc", "1 2", "0x10", "1_000", "é"] {
            assert_eq!(parse_int(text, &mut bytes), Ok(None), "{text}");
        }
        for text in ["", "-", ".", "1.2.3", "1E", "1Ex", "NaNx", "Inf", "1E+99999999999999999999"] {
            assert_eq!(parse_decimal(text, &mut bytes), Ok(None), "{text}");
        }
    }

    #[test]
    fn integers_of_any_size_come_back_from_their_text() {
        let long = "9".repeat(200);
        let padded = format!("{}{}", "0".repeat(60), 12);
        for (text, expected) in [("0", "0"), ("-1", "-1"), (&padded, "12"), (&long, &long)] {
            let (mut bytes, mut back) = (Vec::new(), String::new());
            let small = parse_int(text, &mut bytes).unwrap().unwrap();
            push_int(small, &bytes, &mut back);
            assert_eq!(back, expected);
        }
        assert_eq!(parse_int(&"9".repeat(1_000_001), &mut Vec::new()), Err(TOO_MANY_DIGITS));
    }
}

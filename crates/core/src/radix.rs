//! Converts large numbers between bases. Some languages store decimals in base 10^19, and messages
//! have bytes.
//!
//! A number is a list of words in its base, lowest first, without trailing zeros. To convert a
//! number, the code halves it, converts the halves, and computes `high * base^n + low` in the
//! target base. With Karatsuba's multiplication this takes n^1.6 steps; word by word it would take
//! n^2. So one huge number in a message can't keep its reader busy for long.

/// A base for calculations.
pub trait Base {
    /// The base: one more than the largest word.
    const BASE: u128;

    /// Splits `sum` into its lowest word and the carry.
    fn split(sum: u128) -> (u64, u128);

    /// Adds a product of two words to `sum`. If the result is at least the square of the base,
    /// subtracts the square and returns true.
    fn add_product(sum: &mut u128, product: u128) -> bool;
}

/// Base 2^64.
#[derive(Debug)]
pub struct Binary;

/// Base 10^19.
#[derive(Debug)]
pub struct Decimal;

/// Ten to the power of [`DIGITS`].
pub const TEN_19: u64 = 10_000_000_000_000_000_000;
/// Decimal digits in a word.
pub const DIGITS: usize = 19;

impl Base for Binary {
    const BASE: u128 = 1 << 64;

    #[inline]
    fn split(sum: u128) -> (u64, u128) {
        (sum as u64, sum >> 64)
    }

    #[inline]
    fn add_product(sum: &mut u128, product: u128) -> bool {
        let over;
        (*sum, over) = sum.overflowing_add(product);
        over
    }
}

impl Base for Decimal {
    const BASE: u128 = TEN_19 as u128;

    #[inline]
    fn split(sum: u128) -> (u64, u128) {
        ((sum % Self::BASE) as u64, sum / Self::BASE)
    }

    #[inline]
    fn add_product(sum: &mut u128, product: u128) -> bool {
        const SQUARE: u128 = Decimal::BASE * Decimal::BASE;
        *sum += product;
        let over = *sum >= SQUARE;
        if over {
            *sum -= SQUARE;
        }
        over
    }
}

/// Converts a number from base `F` to base `T`.
///
/// ```
/// use serow_core::radix::{Binary, Decimal, convert};
///
/// assert_eq!(convert::<Decimal, Binary>(&[5, 1]), [10_000_000_000_000_000_005]);
/// assert_eq!(convert::<Binary, Decimal>(&[0, 1]), [8_446_744_073_709_551_616, 1]);
/// ```
pub fn convert<F: Base, T: Base>(words: &[u64]) -> Vec<u64> {
    if words.len() <= FEW {
        return of_few::<F, T>(words);
    }
    // F^FEW and as many of its repeated squares as needed.
    let mut powers = vec![of_few::<F, T>(&[[0; FEW].as_slice(), &[1]].concat())];
    let mut len = FEW;
    while len * 2 < words.len() {
        let last = &powers[powers.len() - 1];
        powers.push(trimmed(multiply::<T>(last, last)));
        len *= 2;
    }
    of_many::<F, T>(words, &powers)
}

/// Numbers of up to this many words are converted word by word.
const FEW: usize = 16;
/// Numbers of fewer words than this are multiplied word by word.
const SHORT: usize = 32;

fn of_many<F: Base, T: Base>(words: &[u64], powers: &[Vec<u64>]) -> Vec<u64> {
    let mut level = powers.len();
    while level > 0 && FEW << (level - 1) >= words.len() {
        level -= 1;
    }
    let Some(level) = level.checked_sub(1) else { return of_few::<F, T>(words) };
    let (low, high) = words.split_at(FEW << level);
    let (low, high) = (of_many::<F, T>(low, powers), of_many::<F, T>(high, powers));
    let mut sum = multiply::<T>(&high, &powers[level]);
    sum.resize(sum.len().max(low.len()) + 1, 0);
    add::<T>(&mut sum, &low);
    trimmed(sum)
}

fn of_few<F: Base, T: Base>(words: &[u64]) -> Vec<u64> {
    let mut number: Vec<u64> = Vec::with_capacity(words.len() + 2);
    for &word in words.iter().rev() {
        let mut carry = u128::from(word);
        for digit in &mut number {
            (*digit, carry) = T::split(u128::from(*digit) * F::BASE + carry);
        }
        while carry > 0 {
            let digit;
            (digit, carry) = T::split(carry);
            number.push(digit);
        }
    }
    number
}

fn trimmed(mut number: Vec<u64>) -> Vec<u64> {
    while number.last() == Some(&0) {
        number.pop();
    }
    number
}

/// Adds `b` to `a`, which must have space for the sum.
fn add<T: Base>(a: &mut [u64], b: &[u64]) {
    let mut carry = 0;
    for (i, word) in a.iter_mut().enumerate() {
        if i >= b.len() && carry == 0 {
            break;
        }
        let sum = u128::from(*word) + u128::from(b.get(i).copied().unwrap_or(0)) + carry;
        let over = sum >= T::BASE;
        *word = (if over { sum - T::BASE } else { sum }) as u64;
        carry = u128::from(over);
    }
}

/// Subtracts `b` from `a`. `b` must not be greater.
fn subtract<T: Base>(a: &mut [u64], b: &[u64]) {
    let mut borrow = 0;
    for (i, word) in a.iter_mut().enumerate() {
        if i >= b.len() && borrow == 0 {
            break;
        }
        let less = u128::from(b.get(i).copied().unwrap_or(0)) + borrow;
        let under = u128::from(*word) < less;
        *word = (u128::from(*word) + if under { T::BASE } else { 0 } - less) as u64;
        borrow = u128::from(under);
    }
}

/// Returns the product. It has `a.len() + b.len()` words.
fn multiply<T: Base>(a: &[u64], b: &[u64]) -> Vec<u64> {
    let (a, b) = if a.len() < b.len() { (b, a) } else { (a, b) };
    if b.len() < SHORT {
        return multiply_short::<T>(a, b);
    }
    let mut product = vec![0; a.len() + b.len()];
    if a.len() >= 2 * b.len() {
        for (i, part) in a.chunks(b.len()).enumerate() {
            add::<T>(&mut product[i * b.len()..], &multiply::<T>(part, b));
        }
        return product;
    }
    // Karatsuba: three products of halves instead of four.
    let half = a.len().div_ceil(2);
    let ((a_low, a_high), (b_low, b_high)) = (a.split_at(half), b.split_at(half.min(b.len())));
    let (low, high) = (multiply::<T>(a_low, b_low), multiply::<T>(a_high, b_high));
    let both = |low: &[u64], high: &[u64]| {
        let mut sum = low.to_vec();
        sum.resize(half + 1, 0);
        add::<T>(&mut sum, high);
        sum
    };
    let mut middle = multiply::<T>(&both(a_low, a_high), &both(b_low, b_high));
    subtract::<T>(&mut middle, &low);
    subtract::<T>(&mut middle, &high);
    add::<T>(&mut product, &low);
    add::<T>(&mut product[2 * half..], &high);
    add::<T>(&mut product[half..], &trimmed(middle));
    product
}

/// Returns the product, computed word by word. It has `a.len() + b.len()` words.
fn multiply_short<T: Base>(a: &[u64], b: &[u64]) -> Vec<u64> {
    let mut product = Vec::with_capacity(a.len() + b.len());
    let mut sum = 0u128;
    for at in 0..a.len() + b.len() {
        let mut over = 0u128;
        for i in at.saturating_sub(a.len() - 1)..b.len().min(at + 1) {
            let product = u128::from(b[i]) * u128::from(a[at - i]);
            over += u128::from(T::add_product(&mut sum, product));
        }
        let (word, carry) = T::split(sum);
        product.push(word);
        sum = carry + over * T::BASE;
    }
    product
}

/// Removes bytes of a two's complement that only repeat the sign.
pub fn shorten(bytes: &mut Vec<u8>) {
    while let [.., before, last] = bytes[..]
        && matches!((last, before >> 7), (0, 0) | (0xFF, 1))
    {
        bytes.pop();
    }
}

/// Appends the shortest two's complement of a magnitude with a sign.
pub fn two_s_complement(negative: bool, words: &[u64], bytes: &mut Vec<u8>) {
    let mut carry = negative;
    for &word in words.iter().chain(&[0]) {
        let word = if negative { !word } else { word };
        let (word, over) = word.overflowing_add(carry.into());
        carry = over;
        bytes.extend(word.to_le_bytes());
    }
    shorten(bytes);
}

/// The sign, and the words in base 10^19, of a coefficient in two's complement.
pub fn magnitude(bytes: &[u8]) -> (bool, Vec<u64>) {
    let negative = bytes.last().is_some_and(|last| last >> 7 == 1);
    let fill = if negative { 0xFF } else { 0 };
    let mut carry = negative;
    let words = bytes.chunks(8).map(|chunk| {
        let mut word = [fill; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        let word = u64::from_le_bytes(word);
        let (word, over) = if negative { !word } else { word }.overflowing_add(carry.into());
        carry = over;
        word
    });
    (negative, convert::<Binary, Decimal>(&words.collect::<Vec<_>>()))
}

/// Appends the decimal digits of a number in base 10^19.
pub fn push_digits(words: &[u64], text: &mut String) {
    match words.split_last() {
        None => text.push('0'),
        Some((last, rest)) => {
            text.push_str(&last.to_string());
            rest.iter().rev().for_each(|word| text.push_str(&format!("{word:019}")));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::sized;

    /// Pseudo-random numbers.
    fn numbers(len: usize, seed: u64) -> Vec<u64> {
        let mut state = seed;
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(99_999);
            [state % TEN_19, TEN_19 - 1, 0][(state >> 61) as usize % 3]
        };
        let mut words: Vec<u64> = (0..len).map(|_| next()).collect();
        words.push(7);
        words
    }

    #[test]
    fn converting_there_and_back_gives_the_same_number() {
        let long = &[127, 128, 129, 500, 1_000, 1_023, 3_000][..sized(7, 3)];
        for len in (0..70).step_by(sized(1, 13)).chain(long.iter().copied()) {
            let decimal = numbers(len, len as u64);
            let binary = convert::<Decimal, Binary>(&decimal);
            assert_ne!(binary.last(), Some(&0));
            assert_eq!(convert::<Binary, Decimal>(&binary), decimal, "{len}");
        }
        assert!(convert::<Decimal, Binary>(&[]).is_empty());
        assert_eq!(convert::<Binary, Decimal>(&[0, 1]), [8_446_744_073_709_551_616, 1]);
        assert_eq!(convert::<Decimal, Binary>(&[8_446_744_073_709_551_616, 1]), [0, 1]);
    }

    #[test]
    fn halving_gives_the_same_result_as_word_by_word() {
        for &len in &[17, 31, 33, 64, 65, 100, 257, 800][..sized(8, 6)] {
            let number = numbers(len, 5);
            assert_eq!(convert::<Decimal, Binary>(&number), of_few::<Decimal, Binary>(&number));
            assert_eq!(convert::<Binary, Decimal>(&number), of_few::<Binary, Decimal>(&number));
        }
    }

    #[test]
    fn products_are_those_word_by_word() {
        let lengths = [(32, 32), (33, 40), (64, 63), (200, 40), (1, 300), (129, 128)];
        for &(a, b) in &lengths[..sized(6, 3)] {
            let (a, b) = (numbers(a, 1), numbers(b, 2));
            let largest = (vec![TEN_19 - 1; a.len()], vec![TEN_19 - 1; b.len()]);
            for (a, b) in [(&a, &b), (&largest.0, &largest.1)] {
                assert_eq!(multiply::<Decimal>(a, b), multiply_short::<Decimal>(a, b));
                assert_eq!(multiply::<Binary>(a, b), multiply_short::<Binary>(a, b));
            }
        }
        let ones = vec![u64::MAX; sized(150, 70)];
        assert_eq!(multiply::<Binary>(&ones, &ones), multiply_short::<Binary>(&ones, &ones));
    }
}

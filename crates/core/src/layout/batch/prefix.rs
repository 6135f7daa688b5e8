//! The first bytes of a string in registers, loaded without a branch on the length. Lengths vary
//! from string to string, and a mispredicted jump costs more than the rest of the lookup.
//!
//! There are two implementations: words, for every machine, and one vector with AES instructions.
//! The latter hashes in two steps instead of several multiplications and needs half as many
//! instructions.

use std::hash::{BuildHasher, RandomState};
use std::sync::OnceLock;

use crate::bytes::out::{READS_PAST_END, load8};

/// The number of bytes of a string that are compared at once.
pub const PREFIX: usize = 32;

/// These bytes as words, with zeros after a shorter string.
pub type Words = [u64; PREFIX / 8];

/// The first bytes of a string.
///
/// # Safety
/// The machine must support the implementation's instructions wherever its methods are called; see
/// [`Hasher::is_wide`].
pub unsafe trait Prefix: Copy {
    /// Loads the prefix of a string that is not longer than [`PREFIX`].
    ///
    /// # Safety
    /// The page of `from` must be readable for [`PREFIX`] bytes from `from`.
    unsafe fn load(from: *const u8, len: usize) -> Self;

    /// Returns the hash of a string with this prefix. `rest` represents its length and the bytes
    /// after the prefix.
    ///
    /// # Safety
    /// The machine must support the implementation's instructions.
    unsafe fn hash(self, rest: u64, seeds: &Words) -> u32;

    /// Returns whether the prefix equals `other`.
    ///
    /// # Safety
    /// The machine must support the implementation's instructions.
    unsafe fn is(self, other: &Words) -> bool;
}

/// The hash function of this process.
#[derive(Clone, Copy, Debug)]
pub struct Hasher {
    /// Random in every process, so that nobody who chooses the strings can make them collide.
    pub seeds: Words,
    #[cfg_attr(not(target_arch = "x86_64"), allow(dead_code))]
    wide: bool,
}

impl Hasher {
    /// Returns the hasher of this process.
    pub fn of_process() -> Hasher {
        static HASHER: OnceLock<Hasher> = OnceLock::new();
        *HASHER.get_or_init(|| {
            let random = RandomState::new();
            Hasher { seeds: [1, 2, 3, 4].map(|n| random.hash_one(n)), wide: machine_is_wide() }
        })
    }

    /// Returns a hasher that uses words, on any machine.
    #[cfg(test)]
    pub fn in_words() -> Hasher {
        Hasher { wide: false, ..Hasher::of_process() }
    }

    /// Returns whether prefixes are vectors. If so, the machine supports them.
    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    pub fn is_wide(&self) -> bool {
        self.wide
    }

    /// Returns the hash of a string that is not longer than [`PREFIX`].
    ///
    /// # Safety
    /// See [`Prefix::load`].
    #[inline(always)]
    pub unsafe fn hash_short(&self, from: *const u8, len: usize) -> u32 {
        #[cfg(target_arch = "x86_64")]
        if self.wide {
            // SAFETY: the caller's promise, and the machine supports the instructions.
            return unsafe { wide::hash_short(from, len, &self.seeds) };
        }
        // SAFETY: the caller's promise. Words need no special instructions.
        unsafe { Words::load(from, len).hash(len as u64, &self.seeds) }
    }

    /// Returns the hash of a string that begins with `prefix`.
    #[inline(always)]
    pub fn hash(&self, prefix: Words, rest: u64) -> u32 {
        #[cfg(target_arch = "x86_64")]
        if self.wide {
            // SAFETY: the machine supports the instructions.
            return unsafe { wide::hash(&prefix, rest, &self.seeds) };
        }
        // SAFETY: words need no special instructions.
        unsafe { prefix.hash(rest, &self.seeds) }
    }

    /// Adds the bytes after the prefix of a long string to a hash.
    pub fn fold(&self, hash: u64, piece: &[u8; 16]) -> u64 {
        let word = |at: usize| piece[at..].first_chunk().map_or(0, |c| u64::from_le_bytes(*c));
        let [a, b, c, _] = self.seeds;
        fold(word(0) ^ a ^ hash, word(8) ^ b).wrapping_add(c)
    }
}

fn machine_is_wide() -> bool {
    #[cfg(target_arch = "x86_64")]
    return is_x86_feature_detected!("avx2") && is_x86_feature_detected!("aes");
    #[cfg(not(target_arch = "x86_64"))]
    false
}

/// Folds the two halves of a 128-bit product, as in wyhash.
#[inline(always)]
fn fold(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    product as u64 ^ (product >> 64) as u64
}

/// Returns [`PREFIX`] bytes: ones for the first `len` bytes, and zeros after them.
#[inline(always)]
fn mask(len: usize) -> *const u8 {
    static MASKS: [u8; 2 * PREFIX] = {
        let mut masks = [0; 2 * PREFIX];
        let mut at = 0;
        while at < PREFIX {
            masks[at] = u8::MAX;
            at += 1;
        }
        masks
    };
    MASKS[PREFIX - len.min(PREFIX)..].as_ptr()
}

// SAFETY: every machine supports these instructions.
unsafe impl Prefix for Words {
    #[inline(always)]
    unsafe fn load(from: *const u8, len: usize) -> Words {
        // SAFETY: the caller's promise for the text; the mask is long enough.
        unsafe {
            if !READS_PAST_END {
                let mut bytes = [0; PREFIX];
                from.copy_to_nonoverlapping(bytes.as_mut_ptr(), len.min(PREFIX));
                return std::mem::transmute::<[u8; PREFIX], Words>(bytes);
            }
            let mask = mask(len).cast::<Words>().read_unaligned();
            std::array::from_fn(|i| load8(from.add(8 * i)) & mask[i])
        }
    }

    #[inline(always)]
    unsafe fn hash(self, rest: u64, seeds: &Words) -> u32 {
        let [a, b, c, d] = std::array::from_fn(|i| self[i] ^ seeds[i]);
        let hash = fold(a, b ^ rest) ^ fold(c, d).rotate_left(32);
        (hash ^ hash >> 32) as u32
    }

    #[inline(always)]
    unsafe fn is(self, other: &Words) -> bool {
        self == *other
    }
}

#[cfg(target_arch = "x86_64")]
mod wide {
    use std::arch::x86_64::{
        __m128i, __m256i, _mm_aesenc_si128, _mm_cvtsi64_si128, _mm_cvtsi128_si32, _mm_xor_si128,
        _mm256_and_si256, _mm256_castsi256_si128, _mm256_extracti128_si256, _mm256_loadu_si256,
        _mm256_testz_si256, _mm256_xor_si256,
    };

    use super::{Prefix, Words, mask};

    #[target_feature(enable = "avx2,aes")]
    pub fn hash(prefix: &Words, rest: u64, seeds: &Words) -> u32 {
        // SAFETY: the words are as long as a vector.
        unsafe { load(prefix).hash(rest, seeds) }
    }

    /// # Safety
    /// See [`Prefix::load`].
    #[target_feature(enable = "avx2,aes")]
    pub unsafe fn hash_short(from: *const u8, len: usize, seeds: &Words) -> u32 {
        // SAFETY: the caller's promise.
        unsafe { <__m256i as Prefix>::load(from, len).hash(len as u64, seeds) }
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn load(words: &Words) -> __m256i {
        // SAFETY: the words are as long as a vector.
        unsafe { _mm256_loadu_si256(words.as_ptr().cast()) }
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn halves(prefix: __m256i) -> (__m128i, __m128i) {
        (_mm256_castsi256_si128(prefix), _mm256_extracti128_si256::<1>(prefix))
    }

    /// Loads bytes. Some of them may lie outside any allocation; see
    /// [`load8`](crate::bytes::out::load8).
    ///
    /// # Safety
    /// The page that contains the bytes must be readable.
    #[inline]
    #[target_feature(enable = "avx2")]
    unsafe fn load_beyond(from: *const u8) -> __m256i {
        let prefix: __m256i;
        // SAFETY: the caller knows that the page is readable.
        unsafe {
            std::arch::asm!(
                "vmovdqu {prefix}, [{from}]",
                from = in(reg) from,
                prefix = lateout(ymm_reg) prefix,
                options(pure, readonly, nostack, preserves_flags),
            );
        }
        prefix
    }

    // SAFETY: the callers of these methods have checked for AVX2 and AES.
    unsafe impl Prefix for __m256i {
        #[inline(always)]
        unsafe fn load(from: *const u8, len: usize) -> __m256i {
            // SAFETY: the caller's promise for the text; the mask is long enough.
            unsafe { _mm256_and_si256(load_beyond(from), _mm256_loadu_si256(mask(len).cast())) }
        }

        #[inline(always)]
        unsafe fn hash(self, rest: u64, seeds: &Words) -> u32 {
            // After two rounds each byte of the result depends on every byte of the first half. The
            // second half goes through one round.
            // SAFETY: the machine has the instructions.
            unsafe {
                let ((a, b), (s, t)) = (halves(self), halves(load(seeds)));
                let b = _mm_xor_si128(b, _mm_cvtsi64_si128(rest as i64));
                let once = _mm_aesenc_si128(_mm_xor_si128(a, s), b);
                _mm_cvtsi128_si32(_mm_aesenc_si128(once, t)) as u32
            }
        }

        #[inline(always)]
        unsafe fn is(self, other: &Words) -> bool {
            // SAFETY: the machine supports the instructions.
            unsafe {
                let differs = _mm256_xor_si256(self, load(other));
                _mm256_testz_si256(differs, differs) == 1
            }
        }
    }
}

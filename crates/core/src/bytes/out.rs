//! The buffer that messages are written into.
//!
//! Hot code asks for room once a row or once a value of unknown size, and then writes without
//! looking; so a buffer always has [`SLACK`] bytes more than were asked for, which copies in
//! steps of 16 bytes may scribble over. Who owns the memory is behind [`GrowableBuffer`]: a `Vec`, a Python
//! bytes object, or a buffer of the caller's.

use crate::bytes::varint;
use crate::error::{Error, Fault, Result};

/// Bytes beyond those asked for that may be overwritten.
pub const SLACK: usize = 32;

/// Who owns the memory of an [`Out`].
///
/// # Safety
/// `grow` must return memory that is writable for the length it gives, holds the first `used`
/// bytes of the memory before, and stays where it is until the next call.
pub unsafe trait GrowableBuffer {
    /// Make room for `needed` bytes in all, of which `used` are written; give the memory and
    /// its length, which is at least `needed`.
    ///
    /// # Safety
    /// The first `used` bytes of the memory that the last call gave must be written. Before the first
    /// call `used` is 0.
    unsafe fn grow(
        &mut self,
        used: usize,
        needed: usize,
    ) -> std::result::Result<(*mut u8, usize), Fault>;
}

// SAFETY: a Vec's memory is its capacity; reserve keeps the bytes below its length.
unsafe impl GrowableBuffer for Vec<u8> {
    unsafe fn grow(
        &mut self,
        used: usize,
        needed: usize,
    ) -> std::result::Result<(*mut u8, usize), Fault> {
        // SAFETY: the caller has written `used` bytes to this vector's memory.
        unsafe { self.set_len(used) };
        if needed <= self.capacity() {
            return Ok((self.as_mut_ptr(), self.capacity()));
        }
        let wanted = needed.max(self.capacity().saturating_mul(2)).max(256);
        if self.try_reserve_exact(wanted - used).is_err()
            && self.try_reserve_exact(needed - used).is_err()
        {
            return Err(Fault::NoMemory);
        }
        Ok((self.as_mut_ptr(), self.capacity()))
    }
}

/// A buffer of the caller's, with a vector behind it for what does not fit.
pub struct Borrowed {
    start: *mut u8,
    len: usize,
    spill: Option<Vec<u8>>,
}

impl Borrowed {
    /// A buffer of `len` bytes from `start` on.
    ///
    /// # Safety
    /// The bytes must be writable and nobody else's as long as this lives.
    pub unsafe fn new(start: *mut u8, len: usize) -> Borrowed {
        Borrowed { start, len, spill: None }
    }

    /// Have nothing written, so that a message can be begun anew.
    pub fn clear(&mut self) {
        self.spill = None;
    }

    /// Bring all `written` bytes into the caller's buffer.
    ///
    /// # Errors
    /// If they don't fit: `BufferTooSmall`, with the size that is needed.
    pub fn finish(mut self, written: usize) -> Result<usize> {
        if written > self.len {
            return Err(Error::buffer_too_small(written, self.len));
        }
        if let Some(spill) = &mut self.spill {
            // SAFETY: both are at least `written` bytes long and distinct.
            unsafe { spill.as_ptr().copy_to_nonoverlapping(self.start, written) };
        }
        self.len = 0;
        Ok(written)
    }
}

impl Drop for Borrowed {
    /// A buffer that was not finished may still hold all of an older message, which a reader would
    /// take for this one.
    fn drop(&mut self) {
        if self.len > 0 {
            // SAFETY: the caller's buffer has a first byte.
            unsafe { self.start.write(0) };
        }
    }
}

// SAFETY: the caller's memory until it is full, then that of a vector with the same bytes.
unsafe impl GrowableBuffer for Borrowed {
    unsafe fn grow(
        &mut self,
        used: usize,
        needed: usize,
    ) -> std::result::Result<(*mut u8, usize), Fault> {
        if needed <= self.len && self.spill.is_none() {
            return Ok((self.start, self.len));
        }
        match &mut self.spill {
            // SAFETY: the last call gave the vector's memory, where the caller has written.
            Some(spill) => unsafe { spill.grow(used, needed) },
            empty => {
                let mut spill = Vec::new();
                // SAFETY: nothing is written in a new vector. `used` bytes are written in the
                // caller's buffer, and the vector has memory for them.
                let (memory, len) = unsafe {
                    let (memory, len) = spill.grow(0, needed)?;
                    self.start.copy_to_nonoverlapping(memory, used);
                    (memory, len)
                };
                // `finish` copies from a vector that is here, so one without memory is not kept.
                *empty = Some(spill);
                Ok((memory, len))
            }
        }
    }
}

/// The memory of an [`Out`], as compiled code has it.
#[derive(Debug)]
#[repr(C)]
pub struct Memory {
    /// Where it begins.
    pub start: *mut u8,
    /// The number of bytes written.
    pub len: usize,
    /// The memory's length less the slack; `len` is never more.
    pub limit: usize,
}

/// A growing buffer of bytes.
pub struct Out<'a> {
    memory: Memory,
    room: &'a mut dyn GrowableBuffer,
}

impl<'a> Out<'a> {
    /// An empty buffer in `room`.
    pub fn new(room: &'a mut dyn GrowableBuffer) -> Out<'a> {
        let start = std::ptr::NonNull::dangling().as_ptr();
        Out { memory: Memory { start, len: 0, limit: 0 }, room }
    }

    /// The memory, to be written to by compiled code, which counts what it has written.
    pub fn enter_jit(&mut self) -> *mut Memory {
        &raw mut self.memory
    }

    /// The number of bytes written.
    #[inline(always)]
    #[allow(clippy::len_without_is_empty, reason = "nobody asks whether a message is empty")]
    pub fn len(&self) -> usize {
        self.memory.len
    }

    /// Forget what was written after the first `len` bytes.
    pub fn truncate(&mut self, len: usize) {
        self.memory.len = self.memory.len.min(len);
    }

    /// Make room for `more` bytes and the slack.
    #[inline(always)]
    pub fn reserve(&mut self, more: usize) -> std::result::Result<(), Fault> {
        // At first there is no memory, and so not even the slack.
        if self.memory.limit - self.memory.len <= more {
            self.grow(more)?;
        }
        Ok(())
    }

    #[cold]
    fn grow(&mut self, more: usize) -> std::result::Result<(), Fault> {
        let needed = self
            .memory
            .len
            .checked_add(more)
            .and_then(|n| n.checked_add(SLACK))
            .ok_or(Fault::Limit("the message is larger than memory can be"))?;
        // SAFETY: `len` counts bytes that are written.
        let (memory, capacity) = unsafe { self.room.grow(self.memory.len, needed)? };
        debug_assert!(capacity >= needed);
        (self.memory.start, self.memory.limit) = (memory, capacity - SLACK);
        Ok(())
    }

    /// Where the next byte goes.
    #[inline(always)]
    pub fn end(&mut self) -> *mut u8 {
        // SAFETY: `len` is at most the memory's length.
        unsafe { self.memory.start.add(self.memory.len) }
    }

    /// Count `n` bytes as written.
    ///
    /// # Safety
    /// They must have been reserved and written.
    #[inline(always)]
    pub unsafe fn advance(&mut self, n: usize) {
        debug_assert!(n <= self.memory.limit - self.memory.len);
        self.memory.len += n;
    }

    /// Append `bytes`.
    #[inline]
    pub fn extend(&mut self, bytes: &[u8]) -> std::result::Result<(), Fault> {
        self.reserve(bytes.len())?;
        // SAFETY: the room was reserved, and nobody else writes to it.
        unsafe {
            self.end().copy_from_nonoverlapping(bytes.as_ptr(), bytes.len());
            self.advance(bytes.len());
        }
        Ok(())
    }

    /// Append one byte.
    #[inline(always)]
    pub fn push(&mut self, byte: u8) -> std::result::Result<(), Fault> {
        self.extend_array([byte])
    }

    /// Append `bytes`, of which the compiler knows the number.
    #[inline(always)]
    pub fn extend_array<const N: usize>(
        &mut self,
        bytes: [u8; N],
    ) -> std::result::Result<(), Fault> {
        self.reserve(N)?;
        // SAFETY: the room was reserved.
        unsafe {
            self.end().cast::<[u8; N]>().write_unaligned(bytes);
            self.advance(N);
        }
        Ok(())
    }

    /// Append a varint.
    #[inline(always)]
    pub fn varint(&mut self, v: u64) -> std::result::Result<(), Fault> {
        self.reserve(varint::MAX_LEN)?;
        // SAFETY: nine bytes were reserved.
        unsafe {
            let n = varint::write(self.end(), v);
            self.advance(n);
        }
        Ok(())
    }

    /// The bytes written so far.
    pub fn written(&self) -> &[u8] {
        // SAFETY: `len` bytes were written to the memory, which is ours.
        unsafe { std::slice::from_raw_parts(self.memory.start, self.memory.len) }
    }

    /// The bytes written so far, to be changed.
    pub fn written_mut(&mut self) -> &mut [u8] {
        // SAFETY: as in `written`, and `self` is borrowed mutably.
        unsafe { std::slice::from_raw_parts_mut(self.memory.start, self.memory.len) }
    }
}

/// Copy `len` bytes, in steps of 16 where that is safe, which for short strings is faster than
/// a call of memcpy.
///
/// # Safety
/// `from` must be readable and `to` writable for `len` bytes, and `to` up to the next multiple of
/// 16 from there.
#[inline(always)]
pub unsafe fn copy_short(from: *const u8, to: *mut u8, len: usize) {
    // Up to 15 bytes after the end are read too.
    // SAFETY: see above; `to` has slack for the last step.
    unsafe {
        if !cfg!(miri) && len <= 64 && fits_page::<80>(from) {
            let mut at = 0;
            while at < len {
                copy16(from.add(at), to.add(at));
                at += 16;
            }
        } else {
            to.copy_from_nonoverlapping(from, len);
        }
    }
}

/// The bytes after its end that [`copy_spread`] overwrites at most.
pub const SPREAD: usize = 48;

/// As [`copy_short`], without a branch on lengths of up to [`SPREAD`]: for texts of many lengths.
///
/// # Safety
/// `from` must be readable for `len` bytes, and `to` writable for `len` bytes and [`SPREAD`] more.
#[inline(always)]
pub unsafe fn copy_spread(from: *const u8, to: *mut u8, len: usize) {
    // SAFETY: `to` has the room, and a text that is not empty and whose page goes on can be read.
    unsafe {
        if !cfg!(miri) && len.wrapping_sub(1) < SPREAD && fits_page::<SPREAD>(from) {
            copy16(from, to);
            copy16(from.add(16), to.add(16));
            copy16(from.add(32), to.add(32));
        } else {
            to.copy_from_nonoverlapping(from, len);
        }
    }
}

/// Whether `BYTES` bytes from `from` on lie in one page, which can be read as a whole or not at all;
/// so all of them can be read if one can.
#[inline(always)]
pub fn fits_page<const BYTES: usize>(from: *const u8) -> bool {
    const PAGE: usize = 4096;
    from.addr() % PAGE <= PAGE - BYTES
}

/// # Safety
/// `to` must be writable for 16 bytes, and the page that holds those at `from` readable.
#[inline(always)]
unsafe fn copy16(from: *const u8, to: *mut u8) {
    // SAFETY: the caller's promises.
    unsafe { to.cast::<[u8; 16]>().write_unaligned(load16(from)) };
}

/// As [`load16`], of 8 bytes as a number. Miri knows no instructions of machines, so what it runs may not
/// call this.
///
/// # Safety
/// The page that holds the bytes must be readable.
#[inline(always)]
pub unsafe fn load8(from: *const u8) -> u64 {
    let word: u64;
    // SAFETY: the caller knows that the page is readable.
    unsafe {
        #[cfg(target_arch = "x86_64")]
        std::arch::asm!(
            "mov {word}, qword ptr [{from}]",
            from = in(reg) from,
            word = lateout(reg) word,
            options(pure, readonly, nostack, preserves_flags),
        );
        #[cfg(target_arch = "aarch64")]
        std::arch::asm!(
            "ldr {word}, [{from}]",
            from = in(reg) from,
            word = lateout(reg) word,
            options(pure, readonly, nostack, preserves_flags),
        );
    }
    word
}

/// Load 16 bytes, some of which may belong to nobody. It is an instruction of the machine and not
/// a read in Rust's sense, in which bytes outside an allocation have no value.
///
/// # Safety
/// The page that holds the bytes must be readable.
#[inline(always)]
unsafe fn load16(from: *const u8) -> [u8; 16] {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: the caller knows that the page is readable.
    unsafe {
        let chunk: std::arch::x86_64::__m128i;
        std::arch::asm!(
            "movdqu {chunk}, [{from}]",
            from = in(reg) from,
            chunk = lateout(xmm_reg) chunk,
            options(pure, readonly, nostack, preserves_flags),
        );
        std::mem::transmute(chunk)
    }
    #[cfg(target_arch = "aarch64")]
    // SAFETY: the caller knows that the page is readable.
    unsafe {
        let chunk: std::arch::aarch64::uint8x16_t;
        std::arch::asm!(
            "ldr {chunk:q}, [{from}]",
            from = in(reg) from,
            chunk = lateout(vreg) chunk,
            options(pure, readonly, nostack, preserves_flags),
        );
        std::mem::transmute(chunk)
    }
}

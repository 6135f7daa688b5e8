//! The buffer that messages are written into.
//!
//! Hot code reserves space once per row, or once per value of unknown size, and then writes without
//! checks. A buffer always has [`SLACK`] bytes more than were reserved, so a copy in steps of 16
//! bytes may write past its end. [`GrowableBuffer`] abstracts the owner of the memory: a `Vec`, a
//! Python bytes object, or a buffer of the caller.

use crate::bytes::thread_buffer::with_buffer;
use crate::bytes::varint;
use crate::error::{Error, Fault, Result};
use crate::memory;

/// Bytes after the reserved ones that may be overwritten.
pub const SLACK: usize = 32;

/// The owner of the memory of an [`Out`].
///
/// # Safety
/// `grow` must return memory that is writable for the returned length and contains the first `used`
/// bytes of the previous memory. The memory must not move until the next call of `grow` or `expect`.
pub unsafe trait GrowableBuffer {
    /// Makes room for `needed` bytes in total. Keeps the first `used` bytes. Returns the memory and
    /// its length, which is at least `needed`.
    ///
    /// # Safety
    /// The first `used` bytes of the memory that the last call returned must be written. Before the
    /// first call `used` is 0.
    unsafe fn grow(
        &mut self,
        used: usize,
        needed: usize,
    ) -> std::result::Result<(*mut u8, usize), Fault>;

    /// The output will probably have `len` bytes. An owner that gains by having all of them at once
    /// makes room for them and returns its memory as `grow` does. `None` if the memory is as before.
    ///
    /// # Safety
    /// As for `grow`.
    unsafe fn expect(&mut self, _used: usize, _len: usize) -> Option<(*mut u8, usize)> {
        None
    }

    /// The output is complete: it is the first `len` bytes of the memory.
    ///
    /// # Safety
    /// As for `grow`, with `used` as `len`.
    unsafe fn commit(&mut self, len: usize);
}

// SAFETY: a Vec's memory has the length of its capacity, and `reserve` keeps the bytes below its
// len.
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

    unsafe fn commit(&mut self, len: usize) {
        // SAFETY: the caller has written `len` bytes to this vector's memory.
        unsafe { self.set_len(len) };
    }
}

// SAFETY: it is the buffer behind the reference.
unsafe impl<B: GrowableBuffer + ?Sized> GrowableBuffer for &mut B {
    unsafe fn grow(
        &mut self,
        used: usize,
        needed: usize,
    ) -> std::result::Result<(*mut u8, usize), Fault> {
        // SAFETY: the caller's promise.
        unsafe { (**self).grow(used, needed) }
    }

    unsafe fn expect(&mut self, used: usize, len: usize) -> Option<(*mut u8, usize)> {
        // SAFETY: the caller's promise.
        unsafe { (**self).expect(used, len) }
    }

    unsafe fn commit(&mut self, len: usize) {
        // SAFETY: the caller's promise.
        unsafe { (**self).commit(len) };
    }
}

/// Memory of a fixed length. Larger output goes to memory of `B`.
struct Spilling<B> {
    start: *mut u8,
    len: usize,
    spill: Option<B>,
    /// The length of the complete output.
    committed: usize,
}

impl<B> Spilling<B> {
    fn new(start: *mut u8, len: usize) -> Spilling<B> {
        Spilling { start, len, spill: None, committed: 0 }
    }
}

// SAFETY: the code that makes a `Spilling` gives it writable memory. `grow` returns this memory while
// the output fits into it. After that `grow` copies the bytes to memory of `B` and returns that.
unsafe impl<B: GrowableBuffer + Default> GrowableBuffer for Spilling<B> {
    unsafe fn grow(
        &mut self,
        used: usize,
        needed: usize,
    ) -> std::result::Result<(*mut u8, usize), Fault> {
        if needed <= self.len && self.spill.is_none() {
            return Ok((self.start, self.len));
        }
        match &mut self.spill {
            // SAFETY: the last call returned this memory, which the caller has written.
            Some(spill) => unsafe { spill.grow(used, needed) },
            empty => {
                let mut spill = B::default();
                // SAFETY: nothing is written in a new buffer. `used` bytes are written in the fixed
                // memory, and the buffer has memory for them.
                let (memory, len) = unsafe {
                    let (memory, len) = spill.grow(0, needed.max(used.saturating_mul(2)))?;
                    self.start.copy_to_nonoverlapping(memory, used);
                    (memory, len)
                };
                // The bytes are in this buffer from now on, so it is kept only when it has memory.
                *empty = Some(spill);
                Ok((memory, len))
            }
        }
    }

    unsafe fn expect(&mut self, used: usize, len: usize) -> Option<(*mut u8, usize)> {
        // SAFETY: the last call returned the memory of the spill, if there is one.
        unsafe { self.spill.as_mut()?.expect(used, len) }
    }

    unsafe fn commit(&mut self, len: usize) {
        self.committed = len;
        if let Some(spill) = &mut self.spill {
            // SAFETY: the last call returned the memory of the spill, and the caller has written it.
            unsafe { spill.commit(len) };
        }
    }
}

/// Calls `write` with a buffer in memory of the thread. If the output does not fit there, the buffer
/// moves it to memory of `B`. Then this function calls `copy` with the complete output if it is in the
/// thread's memory, or else `keep` with the memory of `B`, to which the output was committed.
///
/// # Errors
/// If `write` fails, its error is returned.
pub fn with_spilling_buffer<B: GrowableBuffer + Default, T, E>(
    write: impl FnOnce(&mut dyn GrowableBuffer) -> std::result::Result<usize, E>,
    copy: impl FnOnce(&[u8]) -> T,
    keep: impl FnOnce(B) -> T,
) -> std::result::Result<T, E> {
    with_buffer(|buffer| {
        let mut spilling = Spilling::new(buffer.as_mut_ptr(), buffer.capacity());
        write(&mut spilling)?;
        Ok(match spilling.spill {
            Some(spill) => keep(spill),
            None => {
                // SAFETY: the committed bytes were written to the thread's buffer.
                unsafe { buffer.set_len(spilling.committed) };
                copy(buffer)
            }
        })
    })
}

/// A buffer of the caller. Larger output goes to a vector.
pub struct Borrowed(Spilling<Vec<u8>>);

impl Borrowed {
    /// Creates a buffer of `len` bytes at `start`.
    ///
    /// # Safety
    /// The bytes must be writable while this value lives. Nothing else may use them during a call that
    /// writes, except where an [`HostLock`](crate::host_lock::HostLock) lets others run in pauses. What these write is
    /// then in the message: it is never read as a length or an offset.
    pub unsafe fn new(start: *mut u8, len: usize) -> Borrowed {
        Borrowed(Spilling::new(start, len))
    }

    /// Discards everything written, so that a message can begin again.
    pub fn clear(&mut self) {
        (self.0.spill, self.0.committed) = (None, 0);
    }

    /// Takes a complete output that was made elsewhere.
    pub fn fill(&mut self, output: Vec<u8>) {
        (self.0.committed, self.0.spill) = (output.len(), Some(output));
    }

    /// Copies the complete output into the caller's buffer, if it is not there already. Returns its
    /// length, which is 0 if no output was completed.
    ///
    /// # Errors
    /// `BufferTooSmall`, with the needed size, if it does not fit.
    pub fn finish(mut self) -> Result<usize> {
        let buffer = &mut self.0;
        if buffer.committed > buffer.len {
            return Err(Error::buffer_too_small(buffer.committed, buffer.len));
        }
        if let Some(spill) = &mut buffer.spill {
            // SAFETY: the vector has the committed bytes, and the caller's buffer, which is distinct,
            // is at least that long.
            unsafe { spill.as_ptr().copy_to_nonoverlapping(buffer.start, buffer.committed) };
        }
        buffer.len = 0;
        Ok(buffer.committed)
    }

    /// Drops the buffer without a last write to it, for a caller that may have freed it.
    pub fn abandon(mut self) {
        self.0.len = 0;
    }
}

impl Drop for Borrowed {
    /// Overwrites the first byte if the buffer was not finished. The buffer may still contain an
    /// older message, which a reader would take for this one.
    fn drop(&mut self) {
        if self.0.len > 0 {
            // SAFETY: the caller's buffer has at least one byte.
            unsafe { self.0.start.write(0) };
        }
    }
}

// SAFETY: returns the memory of the buffer inside.
unsafe impl GrowableBuffer for Borrowed {
    unsafe fn grow(
        &mut self,
        used: usize,
        needed: usize,
    ) -> std::result::Result<(*mut u8, usize), Fault> {
        // SAFETY: the caller's promise.
        unsafe { self.0.grow(used, needed) }
    }

    unsafe fn commit(&mut self, len: usize) {
        // SAFETY: the caller's promise.
        unsafe { self.0.commit(len) };
    }
}

/// The memory of an [`Out`], in the form that compiled code uses.
#[derive(Debug)]
#[repr(C)]
pub struct Memory {
    /// Its first byte.
    pub start: *mut u8,
    /// The number of bytes written.
    pub len: usize,
    /// The length of the memory without the slack. `len` is never greater.
    pub limit: usize,
}

impl Memory {
    fn none() -> Memory {
        Memory { start: std::ptr::NonNull::dangling().as_ptr(), len: 0, limit: 0 }
    }
}

/// An [`Out`] and the owner of its memory, for output that is written in several calls.
pub struct OwnedOut<B> {
    buffer: B,
    memory: Memory,
}

impl<B: GrowableBuffer> OwnedOut<B> {
    /// Creates an empty output whose memory comes from `buffer`.
    pub fn new(buffer: B) -> OwnedOut<B> {
        OwnedOut { buffer, memory: Memory::none() }
    }

    /// Calls `write` with an `Out` that has what was written so far.
    pub fn write<T>(&mut self, write: impl FnOnce(&mut Out<'_>) -> T) -> T {
        // If `write` panics, nothing was written.
        let memory = std::mem::replace(&mut self.memory, Memory::none());
        let mut out = Out { memory, buffer: &mut self.buffer };
        let result = write(&mut out);
        self.memory = out.memory;
        result
    }

    /// Gives the bytes to the owner of the memory, as the complete output. Returns it and their number.
    pub fn commit(mut self) -> (B, usize) {
        // SAFETY: the first `len` bytes are written.
        unsafe { self.buffer.commit(self.memory.len) };
        (self.buffer, self.memory.len)
    }

    /// Returns the owner of the memory. It has no output.
    pub fn abandon(self) -> B {
        self.buffer
    }
}

/// A growing buffer of bytes.
pub struct Out<'a> {
    memory: Memory,
    buffer: &'a mut dyn GrowableBuffer,
}

impl<'a> Out<'a> {
    /// Begins an output whose memory comes from `buffer`.
    pub fn new(buffer: &'a mut dyn GrowableBuffer) -> Out<'a> {
        Out { memory: Memory::none(), buffer }
    }

    /// Calls `write` with an output that has the bytes of `buffer` and appends to them.
    ///
    /// # Errors
    /// `NoMemory` if there is none for the slack.
    pub fn appending<T>(
        buffer: &mut Vec<u8>,
        write: impl FnOnce(&mut Out<'_>) -> T,
    ) -> std::result::Result<T, Fault> {
        memory::reserve(buffer, SLACK)?;
        let limit = buffer.capacity() - SLACK;
        let memory = Memory { start: buffer.as_mut_ptr(), len: buffer.len(), limit };
        let mut out = Out { memory, buffer };
        let result = write(&mut out);
        out.commit();
        Ok(result)
    }

    /// Begins an output in the capacity of `buffer`, whose content is overwritten.
    pub fn over(buffer: &'a mut Vec<u8>) -> Out<'a> {
        buffer.clear();
        let limit = buffer.capacity().saturating_sub(SLACK);
        Out { memory: Memory { start: buffer.as_mut_ptr(), len: 0, limit }, buffer }
    }

    /// Returns the memory for compiled code, which writes to it and updates `len`.
    pub fn enter_jit(&mut self) -> *mut Memory {
        &raw mut self.memory
    }

    /// The number of bytes written.
    #[inline(always)]
    #[allow(clippy::len_without_is_empty, reason = "nobody asks whether a message is empty")]
    pub fn len(&self) -> usize {
        self.memory.len
    }

    /// Discards everything after the first `len` bytes.
    pub fn truncate(&mut self, len: usize) {
        self.memory.len = self.memory.len.min(len);
    }

    /// Reserves space for `more` bytes and the slack.
    #[inline(always)]
    pub fn reserve(&mut self, more: usize) -> std::result::Result<(), Fault> {
        // `<=`, because a new buffer has no memory, not even the slack.
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
        // SAFETY: the first `len` bytes are written.
        let (memory, capacity) = unsafe { self.buffer.grow(self.memory.len, needed)? };
        debug_assert!(capacity >= needed);
        (self.memory.start, self.memory.limit) = (memory, capacity - SLACK);
        Ok(())
    }

    /// Tells the owner of the memory that about `more` bytes will be appended.
    pub fn expect(&mut self, more: usize) {
        let len = self.memory.len.saturating_add(more).saturating_add(SLACK);
        if len.saturating_sub(SLACK) <= self.memory.limit {
            return;
        }
        // SAFETY: the first `len` bytes are written.
        if let Some((memory, capacity)) = unsafe { self.buffer.expect(self.memory.len, len) } {
            debug_assert!(capacity >= self.memory.len + SLACK);
            (self.memory.start, self.memory.limit) = (memory, capacity - SLACK);
        }
    }

    /// Returns the address of the next byte to write.
    #[inline(always)]
    pub fn end(&mut self) -> *mut u8 {
        // SAFETY: `len` is at most the memory's length.
        unsafe { self.memory.start.add(self.memory.len) }
    }

    /// Counts `n` more bytes as written.
    ///
    /// # Safety
    /// They must be reserved and written.
    #[inline(always)]
    pub unsafe fn advance(&mut self, n: usize) {
        debug_assert!(n <= self.memory.limit - self.memory.len);
        self.memory.len += n;
    }

    /// Append `bytes`.
    #[inline]
    pub fn extend(&mut self, bytes: &[u8]) -> std::result::Result<(), Fault> {
        self.reserve(bytes.len())?;
        // SAFETY: the space was reserved, and nothing else writes to it.
        unsafe {
            self.end().copy_from_nonoverlapping(bytes.as_ptr(), bytes.len());
            self.advance(bytes.len());
        }
        Ok(())
    }

    /// Appends one byte.
    #[inline(always)]
    pub fn push(&mut self, byte: u8) -> std::result::Result<(), Fault> {
        self.extend_array([byte])
    }

    /// Append `bytes`, whose length is a constant.
    #[inline(always)]
    pub fn extend_array<const N: usize>(
        &mut self,
        bytes: [u8; N],
    ) -> std::result::Result<(), Fault> {
        self.reserve(N)?;
        // SAFETY: the space was reserved.
        unsafe {
            self.end().cast::<[u8; N]>().write_unaligned(bytes);
            self.advance(N);
        }
        Ok(())
    }

    /// Appends a varint.
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

    /// Gives the bytes to the owner of the memory, as the complete output. Returns their number.
    pub fn commit(self) -> usize {
        // SAFETY: the first `len` bytes are written.
        unsafe { self.buffer.commit(self.memory.len) };
        self.memory.len
    }

    /// The bytes written so far.
    pub fn written(&self) -> &[u8] {
        // SAFETY: the first `len` bytes of the memory are written, and `self` owns it.
        unsafe { std::slice::from_raw_parts(self.memory.start, self.memory.len) }
    }

    /// The bytes written so far, for changes.
    pub fn written_mut(&mut self) -> &mut [u8] {
        // SAFETY: as in `written`, and `self` is borrowed mutably.
        unsafe { std::slice::from_raw_parts_mut(self.memory.start, self.memory.len) }
    }
}

/// Whether [`load8`] may read past the end of an allocation: it needs assembly, which this knows for two
/// machines. Miri does not support it.
pub const READS_PAST_END: bool =
    cfg!(all(not(miri), any(target_arch = "x86_64", target_arch = "aarch64")));

/// Copies `len` bytes, in steps of 16 where that is safe. This is faster than memcpy for short
/// strings.
///
/// # Safety
/// `from` must be readable for `len` bytes. `to` must be writable for `len` bytes, rounded up to a
/// multiple of 16.
#[inline(always)]
pub unsafe fn copy_short(from: *const u8, to: *mut u8, len: usize) {
    // This also reads up to 15 bytes after the end.
    // SAFETY: the caller's promises; `fits_page` makes the loads after the end safe.
    unsafe {
        if READS_PAST_END && len <= 64 && fits_page::<80>(from) {
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

/// The number of bytes after its end that [`copy_spread`] may overwrite.
pub const SPREAD: usize = 48;

/// Like [`copy_short`], but without a branch on lengths of up to [`SPREAD`]: for strings of varying
/// lengths.
///
/// # Safety
/// `from` must be readable for `len` bytes, and `to` writable for `len + SPREAD` bytes.
#[inline(always)]
pub unsafe fn copy_spread(from: *const u8, to: *mut u8, len: usize) {
    // SAFETY: `to` has the space. If one byte of a page is readable, the whole page is.
    unsafe {
        if READS_PAST_END && len.wrapping_sub(1) < SPREAD && fits_page::<SPREAD>(from) {
            copy16(from, to);
            copy16(from.add(16), to.add(16));
            copy16(from.add(32), to.add(32));
        } else {
            to.copy_from_nonoverlapping(from, len);
        }
    }
}

/// Returns whether `BYTES` bytes from `from` are in one page. A page is readable as a whole or not
/// at all, so if one of these bytes is readable, all are.
#[inline(always)]
pub fn fits_page<const BYTES: usize>(from: *const u8) -> bool {
    const PAGE: usize = 4096;
    from.addr() % PAGE <= PAGE - BYTES
}

/// # Safety
/// `to` must be writable for 16 bytes, and the page of `from` must be readable.
#[inline(always)]
unsafe fn copy16(from: *const u8, to: *mut u8) {
    // SAFETY: the caller's promises.
    unsafe { to.cast::<[u8; 16]>().write_unaligned(load16(from)) };
}

/// Loads 8 bytes as a number, like [`load16`].
///
/// # Safety
/// The page that contains the bytes must be readable. Without [`READS_PAST_END`], the bytes must be.
#[inline(always)]
pub unsafe fn load8(from: *const u8) -> u64 {
    let word: u64;
    // SAFETY: the caller's promise.
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
        #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
        {
            word = from.cast::<u64>().read_unaligned();
        }
    }
    word
}

/// Loads 16 bytes. Some of them may lie outside any allocation. Rust forbids such a read, so inline
/// assembly does it.
///
/// # Safety
/// As for [`load8`].
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
    #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
    // SAFETY: the caller knows that the bytes are readable.
    unsafe {
        from.cast::<[u8; 16]>().read_unaligned()
    }
}

//! Makes ints, short strings and small tuples without a helper.

use serow_core::layout::objects::ExactType;

use super::{EmittedObjectWriter, POINTER};
use crate::emit::cpython::abi::{self, functions};
use crate::ir::{Built, Emitter, Int, Pointer};

/// The number of bits in an int's digit.
pub(super) const DIGIT: u64 = 30;
/// Emitted code makes strings of up to this many bytes.
pub(super) const SHORT: u64 = 64;
/// Object sizes are multiples of this many bytes.
const STEP: u64 = 16;
/// The distance in bytes between a new object and the memory to prefetch. After rows were dropped,
/// CPython's allocator mostly returns memory of one size in ascending order, and it reads the
/// memory first, which misses the cache.
const AHEAD: u64 = 256;
/// The size of a cache line.
const LINE: u64 = 64;

impl<'ctx> EmittedObjectWriter<'ctx> {
    /// Initialises the head of an object: a reference count of one, and its type.
    pub(super) fn head(
        &self,
        e: &Emitter<'ctx, '_>,
        object: Pointer<'ctx>,
        ty: ExactType,
    ) -> Built {
        e.store(object, e.int(1))?;
        e.store(e.at(object, self.layout.ty)?, e.external(abi::symbol(ty)))
    }

    /// Allocates an object of `size` bytes.
    pub(super) fn allocate(
        &self,
        e: &Emitter<'ctx, '_>,
        size: Int<'ctx>,
        ty: ExactType,
    ) -> Built<Pointer<'ctx>> {
        let object = self.made(e, functions::MALLOC, (size,))?;
        e.prefetch(e.at(object, AHEAD)?)?;
        self.head(e, object, ty)?;
        Ok(object)
    }

    /// Makes an int with one or two digits.
    pub(super) fn int(&self, e: &Emitter<'ctx, '_>, v: Int<'ctx>) -> Built<Pointer<'ctx>> {
        let size = e.int(self.layout.int_digits + 8);
        let object = self.allocate(e, size, ExactType::Int)?;
        let sign = e.shr(v, 63, true)?;
        let magnitude = e.sub(e.xor(v, sign)?, sign)?;
        let second = e.shr(magnitude, DIGIT, false)?;
        let first = e.mask(magnitude, (1 << DIGIT) - 1)?;
        let digits = e.or(first, e.shl(second, e.int(32))?)?;
        e.store(e.at(object, self.layout.int_digits)?, digits)?;
        let count = e.add(e.widen(e.not_zero(second)?)?, e.int(1))?;
        let size = if self.layout.tagged_ints {
            // The bit 2 marks negative ints.
            e.or(e.shl(count, e.int(3))?, e.mask(sign, 2)?)?
        } else {
            e.sub(e.xor(count, sign)?, sign)?
        };
        e.store(e.at(object, self.layout.length)?, size)?;
        Ok(object)
    }

    /// Makes an ASCII string of 2 to [`SHORT`] bytes. Whole words of `bytes` must be readable.
    pub(super) fn short_str(
        &self,
        e: &Emitter<'ctx, '_>,
        bytes: Pointer<'ctx>,
        len: Int<'ctx>,
    ) -> Built<Pointer<'ctx>> {
        let (layout, making) = (self.layout, &self.layout.making);
        // A zero byte follows the text.
        let size = e.mask(e.add(len, e.int(layout.ascii_text + 1 + STEP - 1))?, !(STEP - 1))?;
        let object = self.allocate(e, size, ExactType::Str)?;
        e.prefetch(e.at(object, AHEAD + LINE)?)?;
        e.store(e.at(object, layout.length)?, len)?;
        e.store(e.at(object, making.str_hash)?, e.int(u64::MAX))?;
        e.store(e.at(object, layout.str_state)?, e.int(making.ascii_state.into()))?;
        if making.wide_text {
            e.store(e.at(object, layout.str_state + 8)?, e.int(0))?;
        }
        let text = e.at(object, layout.ascii_text)?;
        let [word, some, two, more, copied] =
            ["word", "some", "two", "more", "copied"].map(|name| e.block(name));
        // Text of more than one piece is copied in overlapping pieces.
        e.branch(e.ult(len, 8)?, word, some)?;
        e.switch_to_block(word);
        e.store(text, e.field::<64>(bytes, 0, "")?)?;
        e.jump(copied)?;
        e.switch_to_block(some);
        e.branch(e.ult(len, 16)?, two, more)?;
        e.switch_to_block(two);
        let last = e.sub(len, e.int(8))?;
        let tail = e.field::<64>(e.beyond(bytes, last)?, 0, "")?;
        e.store(text, e.field::<64>(bytes, 0, "")?)?;
        e.store(e.beyond(text, last)?, tail)?;
        e.jump(copied)?;
        e.switch_to_block(more);
        let mut offsets = e.four_of_16(len)?.into_iter();
        offsets.try_for_each(|offset| e.copy16_at(bytes, text, offset))?;
        e.jump(copied)?;
        e.switch_to_block(copied);
        e.store(e.beyond(text, len)?, e.bits::<8>(0))?;
        Ok(object)
    }

    /// Allocates a tuple with a few null fields, and `behind` bytes of space after them.
    pub(super) fn small_tuple(
        &self,
        e: &Emitter<'ctx, '_>,
        len: u32,
        behind: u64,
    ) -> Built<Pointer<'ctx>> {
        let before = self.layout.making.gc_words * POINTER;
        let items = self.layout.tuple_items;
        let size = before + items + u64::from(len) * POINTER + behind;
        let memory = self.made(e, functions::MALLOC, (e.int(size),))?;
        e.prefetch(e.at(memory, 2 * size)?)?;
        e.prefetch(e.at(memory, 2 * size + LINE)?)?;
        for offset in (0..before).step_by(POINTER as usize) {
            e.store(e.at(memory, offset)?, e.int(0))?;
        }
        let object = e.at(memory, before)?;
        self.head(e, object, ExactType::Tuple)?;
        e.store(e.at(object, self.layout.length)?, e.int(len.into()))?;
        if let Some(hash) = self.layout.making.tuple_hash {
            e.store(e.at(object, hash)?, e.int(u64::MAX))?;
        }
        for field in 0..u64::from(len) {
            e.store(e.at(object, items + field * POINTER)?, e.int(0))?;
        }
        Ok(object)
    }
}

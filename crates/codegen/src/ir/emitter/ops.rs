//! Arithmetic and comparisons.

use std::cmp::Ordering;

use inkwell::IntPredicate;
use serow_core::number::Number;

use super::{Built, Emitter};
use crate::ir::value::{Bool, Int, Pointer, Typed, Value};

impl<'ctx> Emitter<'ctx, '_> {
    pub(crate) fn add<const BITS: u32>(
        &self,
        a: Int<'ctx, BITS>,
        b: Int<'ctx, BITS>,
    ) -> Built<Int<'ctx, BITS>> {
        Ok(Int(self.builder.build_int_add(a.0, b.0, "")?))
    }

    pub(crate) fn sub<const BITS: u32>(
        &self,
        a: Int<'ctx, BITS>,
        b: Int<'ctx, BITS>,
    ) -> Built<Int<'ctx, BITS>> {
        Ok(Int(self.builder.build_int_sub(a.0, b.0, "")?))
    }

    pub(crate) fn mul<const BITS: u32>(
        &self,
        a: Int<'ctx, BITS>,
        b: Int<'ctx, BITS>,
    ) -> Built<Int<'ctx, BITS>> {
        Ok(Int(self.builder.build_int_mul(a.0, b.0, "")?))
    }

    pub(crate) fn mask<const BITS: u32>(
        &self,
        a: Int<'ctx, BITS>,
        mask: u64,
    ) -> Built<Int<'ctx, BITS>> {
        self.and(a, self.bits(mask))
    }

    pub(crate) fn and<const BITS: u32>(
        &self,
        a: Int<'ctx, BITS>,
        b: Int<'ctx, BITS>,
    ) -> Built<Int<'ctx, BITS>> {
        Ok(Int(self.builder.build_and(a.0, b.0, "")?))
    }

    pub(crate) fn or<const BITS: u32>(
        &self,
        a: Int<'ctx, BITS>,
        b: Int<'ctx, BITS>,
    ) -> Built<Int<'ctx, BITS>> {
        Ok(Int(self.builder.build_or(a.0, b.0, "")?))
    }

    pub(crate) fn xor<const BITS: u32>(
        &self,
        a: Int<'ctx, BITS>,
        b: Int<'ctx, BITS>,
    ) -> Built<Int<'ctx, BITS>> {
        Ok(Int(self.builder.build_xor(a.0, b.0, "")?))
    }

    pub(crate) fn shl(&self, a: Int<'ctx>, n: Int<'ctx>) -> Built<Int<'ctx>> {
        Ok(Int(self.builder.build_left_shift(a.0, n.0, "")?))
    }

    /// Shifts `a` right, keeping its sign if `signed`.
    pub(crate) fn shr(&self, a: Int<'ctx>, n: u64, signed: bool) -> Built<Int<'ctx>> {
        Ok(Int(self.builder.build_right_shift(a.0, self.int(n).0, signed, "")?))
    }

    /// Extends `a` to 64 bits with zeros.
    pub(crate) fn widen<const BITS: u32>(&self, a: Int<'ctx, BITS>) -> Built<Int<'ctx>> {
        Ok(Int(self.builder.build_int_z_extend(a.0, self.word, "")?))
    }

    /// Extends `a` to 64 bits with its sign.
    pub(crate) fn widen_signed<const BITS: u32>(&self, a: Int<'ctx, BITS>) -> Built<Int<'ctx>> {
        Ok(Int(self.builder.build_int_s_extend(a.0, self.word, "")?))
    }

    /// Converts the bits of a 32-bit float to the bits of an equal 64-bit float.
    pub(crate) fn widen_float(&self, bits: Int<'ctx, 32>) -> Built<Int<'ctx>> {
        let single = self.builder.build_bit_cast(bits.0, self.context.f32_type(), "")?;
        let double =
            self.builder.build_float_ext(single.into_float_value(), self.context.f64_type(), "")?;
        Int::of(self.builder.build_bit_cast(double, self.word, "")?)
    }

    /// Converts the bits of a 64-bit float to the bits of the 32-bit float that equals it. Bails out if none does,
    /// and for some NaNs.
    pub(crate) fn narrow_float(&self, bits: Int<'ctx>) -> Built<Int<'ctx, 32>> {
        let double = self.builder.build_bit_cast(bits.0, self.context.f64_type(), "")?;
        let single = self.builder.build_float_trunc(
            double.into_float_value(),
            self.context.f32_type(),
            "",
        )?;
        let single = Int::of(self.builder.build_bit_cast(single, self.int_type::<32>(), "")?)?;
        let back = self.widen_float(single)?;
        self.guard(self.compare(IntPredicate::EQ, back, bits)?)?;
        Ok(single)
    }

    /// Bails out unless the integer `a` is one of the type `of`, which has at most 63 bits.
    pub(crate) fn guard_int(&self, a: Int<'ctx>, of: Number) -> Built {
        let (least, largest) = of.integers();
        let above = self.sub(a, self.int(least as u64))?;
        self.guard(self.ult(above, (largest - least + 1) as u64)?)
    }

    /// Extends `a` with zeros or truncates it.
    pub(crate) fn resize<const TO: u32, const FROM: u32>(
        &self,
        a: Int<'ctx, FROM>,
    ) -> Built<Int<'ctx, TO>> {
        let to = self.int_type::<TO>();
        Ok(Int(match FROM.cmp(&TO) {
            Ordering::Less => self.builder.build_int_z_extend(a.0, to, "")?,
            Ordering::Equal => a.0,
            Ordering::Greater => self.builder.build_int_truncate(a.0, to, "")?,
        }))
    }

    pub(crate) fn compare<const BITS: u32>(
        &self,
        predicate: IntPredicate,
        a: Int<'ctx, BITS>,
        b: Int<'ctx, BITS>,
    ) -> Built<Bool<'ctx>> {
        Ok(Int(self.builder.build_int_compare(predicate, a.0, b.0, "")?))
    }

    pub(crate) fn equal<const BITS: u32>(&self, a: Int<'ctx, BITS>, n: u64) -> Built<Bool<'ctx>> {
        self.compare(IntPredicate::EQ, a, self.bits(n))
    }

    /// Returns whether `a` is below `n`, as unsigned numbers.
    pub(crate) fn ult<const BITS: u32>(&self, a: Int<'ctx, BITS>, n: u64) -> Built<Bool<'ctx>> {
        self.compare(IntPredicate::ULT, a, self.bits(n))
    }

    /// Returns whether `a` does not hold.
    pub(crate) fn not(&self, a: Bool<'ctx>) -> Built<Bool<'ctx>> {
        self.xor(a, self.bool(true))
    }

    pub(crate) fn same(&self, a: Pointer<'ctx>, b: Pointer<'ctx>) -> Built<Bool<'ctx>> {
        Ok(Int(self.builder.build_int_compare(IntPredicate::EQ, a, b, "")?))
    }

    pub(crate) fn not_zero<const BITS: u32>(&self, a: Int<'ctx, BITS>) -> Built<Bool<'ctx>> {
        self.compare(IntPredicate::NE, a, self.bits(0))
    }

    pub(crate) fn not_null(&self, a: Pointer<'ctx>) -> Built<Bool<'ctx>> {
        self.not_zero(self.address(a)?)
    }

    /// Shifts `a` right by `n`, which must be below its width.
    pub(crate) fn shift_right(&self, a: Int<'ctx>, n: Int<'ctx>) -> Built<Int<'ctx>> {
        Ok(Int(self.builder.build_right_shift(a.0, n.0, false, "")?))
    }

    /// Returns `yes` if `condition` holds, or else `no`.
    pub(crate) fn select<T: Typed<'ctx>>(&self, condition: Bool<'ctx>, yes: T, no: T) -> Built<T> {
        let (yes, no): (Value<'ctx>, Value<'ctx>) = (yes.into(), no.into());
        T::of(self.builder.build_select(condition.0, yes, no, "")?)
    }

    /// Returns the offsets of four pieces of 16 bytes that cover `len` bytes. `len` must be from 16
    /// to 64. The pieces overlap, and the last one ends with the last byte.
    pub(crate) fn four_of_16(&self, len: Int<'ctx>) -> Built<[Int<'ctx>; 4]> {
        let last = self.sub(len, self.int(16))?;
        let is_one = self.ult(last, 16)?;
        let second = self.select(is_one, last, self.int(16))?;
        let third = self.select(is_one, self.int(0), self.sub(last, self.int(16))?)?;
        Ok([self.int(0), second, third, last])
    }

    /// Returns the number of trailing zero bits of a word that is not zero.
    pub(crate) fn trailing_zeros(&self, a: Int<'ctx>) -> Built<Int<'ctx>> {
        let function = self.intrinsic("llvm.cttz", &[self.word.into()])?;
        Int::of(self.call(function, &[a.into(), self.bool(true).into()])?)
    }

    /// Returns the number of leading zero bits of a word that is not zero.
    pub(crate) fn leading_zeros(&self, a: Int<'ctx>) -> Built<Int<'ctx>> {
        let function = self.intrinsic("llvm.ctlz", &[self.word.into()])?;
        Int::of(self.call(function, &[a.into(), self.bool(true).into()])?)
    }
}

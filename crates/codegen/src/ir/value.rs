//! Emitted values with their types: an operation on values of a wrong width does not compile.

use inkwell::context::Context;
use inkwell::types::BasicTypeEnum;
use inkwell::values::{BasicValueEnum, IntValue, PointerValue};

use super::emitter::Built;
use crate::error::CompileError;

/// A value of any type.
pub(crate) type Value<'ctx> = BasicValueEnum<'ctx>;
/// An address.
pub(crate) type Pointer<'ctx> = PointerValue<'ctx>;
/// An integer of `BITS` bits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Int<'ctx, const BITS: u32 = 64>(pub(super) IntValue<'ctx>);
/// One bit.
pub(crate) type Bool<'ctx> = Int<'ctx, 1>;

/// A value with a type known to Rust.
pub(crate) trait Typed<'ctx>: Copy + Into<Value<'ctx>> {
    /// Returns its LLVM type.
    fn ty(context: &'ctx Context) -> BasicTypeEnum<'ctx>;
    /// Converts `value`, which must have this type.
    fn of(value: Value<'ctx>) -> Built<Self>;
}

impl<'ctx, const BITS: u32> Typed<'ctx> for Int<'ctx, BITS> {
    fn ty(context: &'ctx Context) -> BasicTypeEnum<'ctx> {
        match BITS {
            1 => context.bool_type(),
            8 => context.i8_type(),
            16 => context.i16_type(),
            32 => context.i32_type(),
            _ => context.i64_type(),
        }
        .into()
    }

    fn of(value: Value<'ctx>) -> Built<Self> {
        match value {
            Value::IntValue(int) if int.get_type().get_bit_width() == BITS => Ok(Int(int)),
            other => Err(other_type(other)),
        }
    }
}

impl<'ctx> Typed<'ctx> for Pointer<'ctx> {
    fn ty(context: &'ctx Context) -> BasicTypeEnum<'ctx> {
        context.ptr_type(Default::default()).into()
    }

    fn of(value: Value<'ctx>) -> Built<Self> {
        match value {
            Value::PointerValue(pointer) => Ok(pointer),
            other => Err(other_type(other)),
        }
    }
}

impl<'ctx> Int<'ctx> {
    /// Converts an entry of a layout's state or fixed values, which must be a word.
    pub(crate) fn of_state(value: &Value<'ctx>) -> Int<'ctx> {
        let int = value.into_int_value();
        debug_assert_eq!(int.get_type().get_bit_width(), 64);
        Int(int)
    }
}

impl<'ctx, const BITS: u32> From<Int<'ctx, BITS>> for Value<'ctx> {
    fn from(int: Int<'ctx, BITS>) -> Self {
        int.0.into()
    }
}

fn other_type(value: Value<'_>) -> CompileError {
    CompileError::Ir(format!("a value has the unexpected type {}", value.get_type()))
}

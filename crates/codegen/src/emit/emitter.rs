//! A function under construction, and the few instructions that layouts are emitted with.

use inkwell::attributes::{Attribute, AttributeLoc};
use inkwell::basic_block::BasicBlock;
use inkwell::builder::Builder;
use inkwell::context::Context;
use inkwell::intrinsics::Intrinsic;
use inkwell::module::{Linkage, Module};
use inkwell::types::{BasicType, BasicTypeEnum, FunctionType, IntType, PointerType};
use inkwell::values::{
    BasicMetadataValueEnum, BasicValue, BasicValueEnum, FunctionValue, IntValue, MetadataValue,
    PointerValue,
};
use inkwell::{AddressSpace, IntPredicate};

use crate::error::CompileError;

/// The result of emitting something.
pub(crate) type Built<T = ()> = Result<T, CompileError>;
/// An integer of any width, mostly of 64 bits.
pub(crate) type Int<'ctx> = IntValue<'ctx>;
/// An address.
pub(crate) type Pointer<'ctx> = PointerValue<'ctx>;
/// A value of any type.
pub(crate) type Value<'ctx> = BasicValueEnum<'ctx>;
/// A block of instructions.
pub(crate) type Block<'ctx> = BasicBlock<'ctx>;

/// Functions that are called on rare paths save the registers that they use, so that the way past
/// them has no calls that it must be prepared for.
const PRESERVE_MOST: u32 = 14;

/// Where in a module instructions are emitted.
pub(crate) struct Emitter<'ctx, 'm> {
    pub(crate) context: &'ctx Context,
    module: &'m Module<'ctx>,
    builder: Builder<'ctx>,
    pub(crate) word: IntType<'ctx>,
    pub(crate) pointer: PointerType<'ctx>,
    likely: MetadataValue<'ctx>,
    weights: u32,
    /// The function that instructions are added to.
    pub(crate) function: FunctionValue<'ctx>,
    /// The block of the side exit, after which the interpreter does the row.
    pub(crate) bailout: Block<'ctx>,
    /// The contexts of the source and the sink.
    pub(crate) source: Pointer<'ctx>,
    pub(crate) sink: Pointer<'ctx>,
}

/// A place to come back to after another function was emitted.
pub(crate) struct Suspended<'ctx> {
    function: FunctionValue<'ctx>,
    bailout: Block<'ctx>,
    source: Pointer<'ctx>,
    sink: Pointer<'ctx>,
    block: Block<'ctx>,
}

impl<'ctx, 'm> Emitter<'ctx, 'm> {
    /// An emitter at the start of a new function `name`, whose first two parameters are the
    /// contexts of the source and the sink.
    pub(crate) fn new(
        context: &'ctx Context,
        module: &'m Module<'ctx>,
        name: &str,
        ty: FunctionType<'ctx>,
    ) -> Built<Emitter<'ctx, 'm>> {
        let word = context.i64_type();
        let function = module.add_function(name, ty, None);
        no_unwind(context, function);
        let start = context.append_basic_block(function, "start");
        let bailout = context.append_basic_block(function, "bailout");
        let builder = context.create_builder();
        builder.position_at_end(start);
        let weight = |n: u64| BasicMetadataValueEnum::from(context.i32_type().const_int(n, false));
        let name = BasicMetadataValueEnum::from(context.metadata_string("branch_weights"));
        Ok(Emitter {
            context,
            module,
            builder,
            word,
            pointer: context.ptr_type(AddressSpace::default()),
            likely: context.metadata_node(&[name, weight(2000), weight(1)]),
            weights: context.get_kind_id("prof"),
            function,
            bailout,
            source: parameter(function, 0)?.into_pointer_value(),
            sink: parameter(function, 1)?.into_pointer_value(),
        })
    }

    /// Go on at the start of another function, which is this module's own. Its first two
    /// parameters are the contexts of the source and the sink if `is_group`, and it may then bail out.
    pub(crate) fn suspend(
        &mut self,
        name: &str,
        ty: FunctionType<'ctx>,
        is_group: bool,
    ) -> Built<Suspended<'ctx>> {
        let suspended = Suspended {
            function: self.function,
            bailout: self.bailout,
            source: self.source,
            sink: self.sink,
            block: self.here()?,
        };
        self.function = self.module.add_function(name, ty, Some(Linkage::Internal));
        no_unwind(self.context, self.function);
        let start = self.block("start");
        if is_group {
            self.bailout = self.block("bailout");
            self.source = self.parameter(0)?.into_pointer_value();
            self.sink = self.parameter(1)?.into_pointer_value();
        } else {
            self.function.set_call_conventions(PRESERVE_MOST);
        }
        self.switch_to_block(start);
        Ok(suspended)
    }

    /// Go on where another function was begun, and give that function.
    pub(crate) fn resume(&mut self, suspended: Suspended<'ctx>) -> FunctionValue<'ctx> {
        let emitted = self.function;
        self.function = suspended.function;
        self.bailout = suspended.bailout;
        self.source = suspended.source;
        self.sink = suspended.sink;
        self.switch_to_block(suspended.block);
        emitted
    }

    /// The function's parameter of this index.
    pub(crate) fn parameter(&self, index: u32) -> Built<Value<'ctx>> {
        parameter(self.function, index)
    }

    /// A new block, to be emitted later.
    pub(crate) fn block(&self, name: &str) -> Block<'ctx> {
        self.context.append_basic_block(self.function, name)
    }

    /// The block that instructions are added to.
    pub(crate) fn here(&self) -> Built<Block<'ctx>> {
        self.builder.get_insert_block().ok_or_else(missing)
    }

    /// Add instructions to `block` from here on.
    pub(crate) fn switch_to_block(&self, block: Block<'ctx>) {
        self.builder.position_at_end(block);
    }

    /// The 64-bit constant `n`.
    pub(crate) fn int(&self, n: u64) -> Int<'ctx> {
        self.word.const_int(n, false)
    }

    /// The constant `n` of another width.
    pub(crate) fn bits(&self, width: u32, n: u64) -> Int<'ctx> {
        self.width(width).const_int(n, false)
    }

    /// The integer type of `width` bits.
    pub(crate) fn width(&self, width: u32) -> IntType<'ctx> {
        match width {
            1 => self.context.bool_type(),
            8 => self.context.i8_type(),
            16 => self.context.i16_type(),
            32 => self.context.i32_type(),
            _ => self.word,
        }
    }

    /// The address `offset` bytes after `pointer`.
    pub(crate) fn at(&self, pointer: Pointer<'ctx>, offset: u64) -> Built<Pointer<'ctx>> {
        self.beyond(pointer, self.int(offset))
    }

    /// The address `n` bytes after `pointer`.
    pub(crate) fn beyond(&self, pointer: Pointer<'ctx>, n: Int<'ctx>) -> Built<Pointer<'ctx>> {
        if n.get_zero_extended_constant() == Some(0) {
            return Ok(pointer);
        }
        // SAFETY: without `inbounds` this is arithmetic of addresses.
        Ok(unsafe { self.builder.build_gep(self.context.i8_type(), pointer, &[n], "") }?)
    }

    /// The bytes from `from` to `to`.
    pub(crate) fn distance(&self, from: Pointer<'ctx>, to: Pointer<'ctx>) -> Built<Int<'ctx>> {
        let from = self.builder.build_ptr_to_int(from, self.word, "")?;
        let to = self.builder.build_ptr_to_int(to, self.word, "")?;
        self.sub(to, from)
    }

    /// The address as a number.
    pub(crate) fn address(&self, pointer: Pointer<'ctx>) -> Built<Int<'ctx>> {
        Ok(self.builder.build_ptr_to_int(pointer, self.word, "")?)
    }

    /// Load a value of type `ty`, which need not be aligned.
    pub(crate) fn load<T: BasicType<'ctx>>(
        &self,
        ty: T,
        pointer: Pointer<'ctx>,
        name: &str,
    ) -> Built<Value<'ctx>> {
        let value = self.builder.build_load(ty, pointer, name)?;
        unaligned(value.as_instruction_value())?;
        Ok(value)
    }

    /// Load the integer of `width` bits that stands `offset` bytes after `pointer`.
    pub(crate) fn field(
        &self,
        width: u32,
        pointer: Pointer<'ctx>,
        offset: u64,
        name: &str,
    ) -> Built<Int<'ctx>> {
        let place = self.at(pointer, offset)?;
        Ok(self.load(self.width(width), place, name)?.into_int_value())
    }

    /// Load the address that stands `offset` bytes after `pointer`.
    pub(crate) fn load_ptr(
        &self,
        pointer: Pointer<'ctx>,
        offset: u64,
        name: &str,
    ) -> Built<Pointer<'ctx>> {
        let place = self.at(pointer, offset)?;
        Ok(self.load(self.pointer, place, name)?.into_pointer_value())
    }

    /// Store a value, which need not be aligned.
    pub(crate) fn store<V: BasicValue<'ctx>>(&self, pointer: Pointer<'ctx>, v: V) -> Built {
        unaligned(Some(self.builder.build_store(pointer, v)?))
    }

    pub(crate) fn add(&self, a: Int<'ctx>, b: Int<'ctx>) -> Built<Int<'ctx>> {
        Ok(self.builder.build_int_add(a, b, "")?)
    }

    pub(crate) fn sub(&self, a: Int<'ctx>, b: Int<'ctx>) -> Built<Int<'ctx>> {
        Ok(self.builder.build_int_sub(a, b, "")?)
    }

    pub(crate) fn mul(&self, a: Int<'ctx>, b: Int<'ctx>) -> Built<Int<'ctx>> {
        Ok(self.builder.build_int_mul(a, b, "")?)
    }

    pub(crate) fn mask(&self, a: Int<'ctx>, mask: u64) -> Built<Int<'ctx>> {
        let mask = a.get_type().const_int(mask, false);
        Ok(self.builder.build_and(a, mask, "")?)
    }

    pub(crate) fn and(&self, a: Int<'ctx>, b: Int<'ctx>) -> Built<Int<'ctx>> {
        Ok(self.builder.build_and(a, b, "")?)
    }

    pub(crate) fn or(&self, a: Int<'ctx>, b: Int<'ctx>) -> Built<Int<'ctx>> {
        Ok(self.builder.build_or(a, b, "")?)
    }

    pub(crate) fn xor(&self, a: Int<'ctx>, b: Int<'ctx>) -> Built<Int<'ctx>> {
        Ok(self.builder.build_xor(a, b, "")?)
    }

    pub(crate) fn shl(&self, a: Int<'ctx>, n: Int<'ctx>) -> Built<Int<'ctx>> {
        Ok(self.builder.build_left_shift(a, n, "")?)
    }

    /// `a` shifted right, with its sign if `signed`.
    pub(crate) fn shr(&self, a: Int<'ctx>, n: u64, signed: bool) -> Built<Int<'ctx>> {
        let n = a.get_type().const_int(n, false);
        Ok(self.builder.build_right_shift(a, n, signed, "")?)
    }

    /// `a` as 64 bits.
    pub(crate) fn widen(&self, a: Int<'ctx>) -> Built<Int<'ctx>> {
        Ok(self.builder.build_int_z_extend(a, self.word, "")?)
    }

    /// `a` as 64 bits, with its sign.
    pub(crate) fn widen_signed(&self, a: Int<'ctx>) -> Built<Int<'ctx>> {
        Ok(self.builder.build_int_s_extend(a, self.word, "")?)
    }

    /// The bits of a float of 64 bits that is as large as the one of these 32 bits.
    pub(crate) fn widen_float(&self, bits: Int<'ctx>) -> Built<Int<'ctx>> {
        let single = self.builder.build_bit_cast(bits, self.context.f32_type(), "")?;
        let double =
            self.builder.build_float_ext(single.into_float_value(), self.context.f64_type(), "")?;
        Ok(self.builder.build_bit_cast(double, self.word, "")?.into_int_value())
    }

    /// `a` as another width.
    pub(crate) fn resize(&self, a: Int<'ctx>, width: u32) -> Built<Int<'ctx>> {
        let (from, to) = (a.get_type().get_bit_width(), self.width(width));
        Ok(match from.cmp(&width) {
            std::cmp::Ordering::Less => self.builder.build_int_z_extend(a, to, "")?,
            std::cmp::Ordering::Equal => a,
            std::cmp::Ordering::Greater => self.builder.build_int_truncate(a, to, "")?,
        })
    }

    pub(crate) fn compare(
        &self,
        predicate: IntPredicate,
        a: Int<'ctx>,
        b: Int<'ctx>,
    ) -> Built<Int<'ctx>> {
        Ok(self.builder.build_int_compare(predicate, a, b, "")?)
    }

    pub(crate) fn equal(&self, a: Int<'ctx>, n: u64) -> Built<Int<'ctx>> {
        self.compare(IntPredicate::EQ, a, a.get_type().const_int(n, false))
    }

    /// Whether `a` is below `n`, both taken as unsigned.
    pub(crate) fn ult(&self, a: Int<'ctx>, n: u64) -> Built<Int<'ctx>> {
        self.compare(IntPredicate::ULT, a, a.get_type().const_int(n, false))
    }

    pub(crate) fn same(&self, a: Pointer<'ctx>, b: Pointer<'ctx>) -> Built<Int<'ctx>> {
        Ok(self.builder.build_int_compare(IntPredicate::EQ, a, b, "")?)
    }

    pub(crate) fn jump(&self, to: Block<'ctx>) -> Built {
        self.builder.build_unconditional_branch(to)?;
        Ok(())
    }

    pub(crate) fn branch(&self, condition: Int<'ctx>, yes: Block<'ctx>, no: Block<'ctx>) -> Built {
        self.builder.build_conditional_branch(condition, yes, no)?;
        Ok(())
    }

    /// As [`Emitter::branch`], where the condition nearly always holds.
    pub(crate) fn branch_likely(
        &self,
        condition: Int<'ctx>,
        yes: Block<'ctx>,
        no: Block<'ctx>,
    ) -> Built {
        let branch = self.builder.build_conditional_branch(condition, yes, no)?;
        branch
            .set_metadata(self.likely, self.weights)
            .map_err(|why| CompileError::Ir(why.to_string()))
    }

    /// Branch to the block for `value`, or to the side exit if there is none.
    pub(crate) fn switch(&self, value: Int<'ctx>, blocks: &[Block<'ctx>]) -> Built {
        let cases: Vec<_> =
            blocks.iter().enumerate().map(|(i, &block)| (self.int(i as u64), block)).collect();
        self.builder.build_switch(value, self.bailout, &cases)?;
        Ok(())
    }

    /// Bail out of the row unless `condition` holds.
    pub(crate) fn guard(&self, condition: Int<'ctx>) -> Built {
        let next = self.block("");
        self.branch_likely(condition, next, self.bailout)?;
        self.switch_to_block(next);
        Ok(())
    }

    /// A value that depends on where the block was entered from.
    pub(crate) fn phi(
        &self,
        ty: BasicTypeEnum<'ctx>,
        incoming: &[(Value<'ctx>, Block<'ctx>)],
    ) -> Built<Value<'ctx>> {
        let phi = self.builder.build_phi(ty, "")?;
        for (value, block) in incoming {
            phi.add_incoming(&[(value, *block)]);
        }
        Ok(phi.as_basic_value())
    }

    /// Several of them, one for each of the values that every block comes with.
    pub(crate) fn phis(
        &self,
        incoming: &[(Vec<Value<'ctx>>, Block<'ctx>)],
    ) -> Built<Vec<Value<'ctx>>> {
        let Some((first, _)) = incoming.first() else { return Ok(Vec::new()) };
        let at = |i: usize| {
            let values: Vec<_> = incoming.iter().map(|(values, from)| (values[i], *from)).collect();
            self.phi(first[i].get_type(), &values)
        };
        (0..first.len()).map(at).collect()
    }

    /// Let `value`, a phi, be `incoming` where its block is entered from `from`.
    pub(crate) fn add_incoming(
        &self,
        value: Value<'ctx>,
        incoming: Value<'ctx>,
        from: Block<'ctx>,
    ) -> Built {
        let phi = value.as_instruction_value().ok_or_else(missing)?;
        let phi = inkwell::values::PhiValue::try_from(phi).map_err(|()| missing())?;
        phi.add_incoming(&[(&incoming, from)]);
        Ok(())
    }

    pub(crate) fn ret(&self, value: Value<'ctx>) -> Built {
        self.builder.build_return(Some(&value))?;
        Ok(())
    }

    /// Return several values, of which [`Emitter::parts`] are taken.
    pub(crate) fn ret_parts(&self, values: &[Value<'ctx>]) -> Built {
        self.builder.build_aggregate_return(values)?;
        Ok(())
    }

    /// The parts of what a function returned.
    pub(crate) fn parts(&self, value: Value<'ctx>) -> Built<Vec<Value<'ctx>>> {
        let value = value.into_struct_value();
        (0..value.get_type().count_fields())
            .map(|i| Ok(self.builder.build_extract_value(value, i, "")?))
            .collect()
    }

    /// The address of something outside the module that is defined to the linker under `name`.
    pub(crate) fn external(&self, name: &str) -> Pointer<'ctx> {
        let global = self.module.get_global(name);
        global
            .unwrap_or_else(|| self.module.add_global(self.context.i8_type(), None, name))
            .as_pointer_value()
    }

    /// The function `name` of this module, if it has been emitted.
    pub(crate) fn emitted(&self, name: &str) -> Option<FunctionValue<'ctx>> {
        self.module.get_function(name)
    }

    /// A function outside the module that is defined to the linker under `name`.
    pub(crate) fn helper(&self, name: &str, ty: FunctionType<'ctx>) -> FunctionValue<'ctx> {
        self.module.get_function(name).unwrap_or_else(|| {
            let function = self.module.add_function(name, ty, Some(Linkage::External));
            no_unwind(self.context, function);
            function
        })
    }

    /// Call the function outside the module that is defined to the linker under `name`; it gives a value
    /// of type `gives`.
    pub(crate) fn call_helper(
        &self,
        name: &str,
        gives: impl BasicType<'ctx>,
        arguments: &[Value<'ctx>],
    ) -> Built<Value<'ctx>> {
        let types: Vec<_> = arguments.iter().map(|v| v.get_type().into()).collect();
        self.call(self.helper(name, gives.fn_type(&types, false)), arguments)
    }

    /// The byte that such a function gives.
    pub(crate) fn call_byte_helper(
        &self,
        name: &str,
        arguments: &[Value<'ctx>],
    ) -> Built<Int<'ctx>> {
        Ok(self.call_helper(name, self.width(8), arguments)?.into_int_value())
    }

    /// Call `function`; a word of nothing if it returns nothing.
    pub(crate) fn call(
        &self,
        function: FunctionValue<'ctx>,
        arguments: &[Value<'ctx>],
    ) -> Built<Value<'ctx>> {
        let arguments: Vec<_> = arguments.iter().map(|&v| v.into()).collect();
        let call = self.builder.build_call(function, &arguments, "")?;
        call.set_call_convention(function.get_call_conventions());
        Ok(call.try_as_basic_value().basic().unwrap_or(self.int(0).into()))
    }

    pub(crate) fn not_zero(&self, a: Int<'ctx>) -> Built<Int<'ctx>> {
        self.compare(IntPredicate::NE, a, a.get_type().const_zero())
    }

    pub(crate) fn not_null(&self, a: Pointer<'ctx>) -> Built<Int<'ctx>> {
        self.not_zero(self.address(a)?)
    }

    /// `a` shifted right by `n`, which is below its width.
    pub(crate) fn shift_right(&self, a: Int<'ctx>, n: Int<'ctx>) -> Built<Int<'ctx>> {
        Ok(self.builder.build_right_shift(a, n, false, "")?)
    }

    /// `yes` if `condition` holds, or else `no`.
    pub(crate) fn select<V: BasicValue<'ctx>>(
        &self,
        condition: Int<'ctx>,
        yes: V,
        no: V,
    ) -> Built<Value<'ctx>> {
        Ok(self.builder.build_select(condition, yes, no, "")?)
    }

    /// Where four pieces of 16 bytes begin that together are all of `len` bytes, of which there are
    /// 16 to 64: they overlap, so that nothing beyond is touched.
    pub(crate) fn four_of_16(&self, len: Int<'ctx>) -> Built<[Int<'ctx>; 4]> {
        let last = self.sub(len, self.int(16))?;
        let is_one = self.ult(last, 16)?;
        let second = self.select(is_one, last, self.int(16))?.into_int_value();
        let third = self.select(is_one, self.int(0), self.sub(last, self.int(16))?)?;
        Ok([self.int(0), second, third.into_int_value(), last])
    }

    /// The number of trailing zero bits of a word that is not zero.
    pub(crate) fn trailing_zeros(&self, a: Int<'ctx>) -> Built<Int<'ctx>> {
        let function = self.intrinsic("llvm.cttz", &[self.word.into()])?;
        Ok(self.call(function, &[a.into(), self.bits(1, 1).into()])?.into_int_value())
    }

    /// The number of leading zero bits of a word that is not zero.
    pub(crate) fn leading_zeros(&self, a: Int<'ctx>) -> Built<Int<'ctx>> {
        let function = self.intrinsic("llvm.ctlz", &[self.word.into()])?;
        Ok(self.call(function, &[a.into(), self.bits(1, 1).into()])?.into_int_value())
    }

    /// Fetch the line of the cache that `pointer` lies in; any address will do.
    pub(crate) fn prefetch(&self, pointer: Pointer<'ctx>) -> Built {
        let function = self.intrinsic("llvm.prefetch", &[self.pointer.into()])?;
        // For reading, to be kept in all levels, of data.
        let (read, keep, data) = (self.bits(32, 0), self.bits(32, 3), self.bits(32, 1));
        self.call(function, &[pointer.into(), read.into(), keep.into(), data.into()])?;
        Ok(())
    }

    /// Copy the 16 bytes at `offset`.
    pub(crate) fn copy16(&self, from: Pointer<'ctx>, to: Pointer<'ctx>, offset: u64) -> Built {
        self.copy16_at(from, to, self.int(offset))
    }

    /// Copy the 16 bytes at an offset that is known only at run time.
    pub(crate) fn copy16_at(
        &self,
        from: Pointer<'ctx>,
        to: Pointer<'ctx>,
        offset: Int<'ctx>,
    ) -> Built {
        let chunk = self.context.i8_type().vec_type(16);
        let value = self.load(chunk, self.beyond(from, offset)?, "")?;
        self.store(self.beyond(to, offset)?, value)
    }

    fn intrinsic(&self, name: &str, types: &[BasicTypeEnum<'ctx>]) -> Built<FunctionValue<'ctx>> {
        Intrinsic::find(name)
            .and_then(|intrinsic| intrinsic.get_declaration(self.module, types))
            .ok_or_else(|| CompileError::Ir(format!("LLVM has no {name}")))
    }
}

fn unaligned(access: Option<inkwell::values::InstructionValue<'_>>) -> Built {
    let access = access.ok_or_else(missing)?;
    access.set_alignment(1).map_err(|why| CompileError::Ir(why.to_string()))
}

/// No unwind tables are made for a function, and nothing it calls may unwind through it.
fn no_unwind(context: &Context, function: FunctionValue<'_>) {
    let kind = Attribute::get_named_enum_kind_id("nounwind");
    function.add_attribute(AttributeLoc::Function, context.create_enum_attribute(kind, 0));
}

fn parameter<'ctx>(function: FunctionValue<'ctx>, index: u32) -> Built<Value<'ctx>> {
    function.get_nth_param(index).ok_or_else(missing)
}

fn missing() -> CompileError {
    CompileError::Ir("a function without its parameters or blocks".to_owned())
}

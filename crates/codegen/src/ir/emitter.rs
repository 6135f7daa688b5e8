//! A function under construction, and the instructions that layouts use.

mod ops;

use inkwell::AddressSpace;
use inkwell::attributes::{Attribute, AttributeLoc};
use inkwell::basic_block::BasicBlock;
use inkwell::builder::Builder;
use inkwell::context::Context;
use inkwell::intrinsics::Intrinsic;
use inkwell::module::{Linkage, Module};
use inkwell::types::{BasicType, BasicTypeEnum, FunctionType, IntType, PointerType};
use inkwell::values::{BasicMetadataValueEnum, BasicValue, FunctionValue, MetadataValue};

use super::helper::{Helper, Returned, Signature};
use super::value::{Bool, Int, Pointer, Typed, Value};
use crate::error::CompileError;

/// The result of emitting.
pub(crate) type Built<T = ()> = Result<T, CompileError>;
/// A block of instructions.
pub(crate) type Block<'ctx> = BasicBlock<'ctx>;
/// A function of the module.
pub(crate) type Function<'ctx> = FunctionValue<'ctx>;

/// The calling convention of functions on rare paths. They save the registers that they use, so the
/// common path does not have to.
const PRESERVE_MOST: u32 = 14;

/// The position in a module where instructions are emitted.
pub(crate) struct Emitter<'ctx, 'm> {
    context: &'ctx Context,
    module: &'m Module<'ctx>,
    builder: Builder<'ctx>,
    word: IntType<'ctx>,
    pointer: PointerType<'ctx>,
    likely: MetadataValue<'ctx>,
    weights: u32,
    /// The current function.
    function: Function<'ctx>,
    /// The block of the side exit. After it the interpreter converts the row.
    pub(crate) bailout: Block<'ctx>,
    /// The contexts of the source and the sink.
    pub(crate) source: Pointer<'ctx>,
    pub(crate) sink: Pointer<'ctx>,
}

/// A position to return to after another function is emitted.
struct Suspended<'ctx> {
    function: Function<'ctx>,
    bailout: Block<'ctx>,
    source: Pointer<'ctx>,
    sink: Pointer<'ctx>,
    block: Block<'ctx>,
}

impl<'ctx, 'm> Emitter<'ctx, 'm> {
    /// Creates an emitter at the start of a new function `name`, which converts rows. Its parameters
    /// are the contexts of the source and the sink, the first row, and the end of the rows.
    pub(crate) fn new(
        context: &'ctx Context,
        module: &'m Module<'ctx>,
        name: &str,
    ) -> Built<Emitter<'ctx, 'm>> {
        type Convert = unsafe extern "C" fn(*mut (), *mut (), usize, usize) -> usize;
        let word = context.i64_type();
        let function = module.add_function(name, Convert::ty(context), None);
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

    /// Begins another, internal function of this module.
    fn suspend(&mut self, name: &str, ty: FunctionType<'ctx>) -> Built<Suspended<'ctx>> {
        let suspended = Suspended {
            function: self.function,
            bailout: self.bailout,
            source: self.source,
            sink: self.sink,
            block: self.here()?,
        };
        self.function = self.module.add_function(name, ty, Some(Linkage::Internal));
        no_unwind(self.context, self.function);
        self.switch_to_block(self.block("start"));
        Ok(suspended)
    }

    /// Returns to the position where another function was begun. Returns that function.
    fn resume(&mut self, suspended: Suspended<'ctx>) -> Function<'ctx> {
        let emitted = self.function;
        self.function = suspended.function;
        self.bailout = suspended.bailout;
        self.source = suspended.source;
        self.sink = suspended.sink;
        self.switch_to_block(suspended.block);
        emitted
    }

    /// Returns the function `name` of this module for a rare path. `body` emits it, at the first call.
    pub(crate) fn rare<F: Signature>(
        &mut self,
        name: &str,
        body: impl FnOnce(&Self, F::Arguments<'ctx>) -> Built,
    ) -> Built<Function<'ctx>> {
        if let Some(function) = self.module.get_function(name) {
            return Ok(function);
        }
        let suspended = self.suspend(name, F::ty(self.context))?;
        self.function.set_call_conventions(PRESERVE_MOST);
        body(self, F::of(&self.function.get_params())?)?;
        Ok(self.resume(suspended))
    }

    /// Emits a part of the current function as a function of its own, and calls it. Its parameters
    /// are the contexts of the source and the sink, and values like `arguments`, which `body`
    /// receives. It returns the values that `body` returns, as many as `results` and of their types,
    /// and whether the row continues; if not, this bails out.
    pub(crate) fn outlined(
        &mut self,
        name: &str,
        arguments: &[Value<'ctx>],
        results: &[Value<'ctx>],
        body: impl FnOnce(&mut Self, &[Value<'ctx>]) -> Built<Vec<Value<'ctx>>>,
    ) -> Built<Vec<Value<'ctx>>> {
        let mut all: Vec<Value<'ctx>> = vec![self.source.into(), self.sink.into()];
        all.extend(arguments);
        let parameters: Vec<_> = all.iter().map(|v| v.get_type().into()).collect();
        let mut types: Vec<_> = results.iter().map(|v| v.get_type()).collect();
        types.push(Bool::ty(self.context));
        let ty = self.context.struct_type(&types, false).fn_type(&parameters, false);

        let suspended = self.suspend(name, ty)?;
        self.bailout = self.block("bailout");
        self.source = self.parameter(0)?.into_pointer_value();
        self.sink = self.parameter(1)?.into_pointer_value();
        let parameters = self.function.get_params();
        let mut returned = body(self, &parameters[2..])?;
        returned.push(self.bool(true).into());
        self.builder.build_aggregate_return(&returned)?;
        self.switch_to_block(self.bailout);
        let nothing: Vec<_> = types.iter().map(|ty| ty.const_zero()).collect();
        self.builder.build_aggregate_return(&nothing)?;
        let function = self.resume(suspended);

        let value = self.call(function, &all)?.into_struct_value();
        let mut parts: Vec<Value<'ctx>> = (0..types.len() as u32)
            .map(|i| Ok(self.builder.build_extract_value(value, i, "")?))
            .collect::<Built<_>>()?;
        if let Some(goes_on) = parts.pop() {
            self.guard(Bool::of(goes_on)?)?;
        }
        Ok(parts)
    }

    /// Returns the function's parameter with this index.
    pub(crate) fn parameter(&self, index: u32) -> Built<Value<'ctx>> {
        parameter(self.function, index)
    }

    /// Creates a block, to be filled later.
    pub(crate) fn block(&self, name: &str) -> Block<'ctx> {
        self.context.append_basic_block(self.function, name)
    }

    /// Returns the current block.
    pub(crate) fn here(&self) -> Built<Block<'ctx>> {
        self.builder.get_insert_block().ok_or_else(missing)
    }

    /// Continues in `block`.
    pub(crate) fn switch_to_block(&self, block: Block<'ctx>) {
        self.builder.position_at_end(block);
    }

    /// Returns the 64-bit constant `n`.
    pub(crate) fn int(&self, n: u64) -> Int<'ctx> {
        self.bits(n)
    }

    /// Returns a constant bit.
    pub(crate) fn bool(&self, bit: bool) -> Bool<'ctx> {
        self.bits(bit.into())
    }

    /// Returns the constant `n` with any width.
    pub(crate) fn bits<const BITS: u32>(&self, n: u64) -> Int<'ctx, BITS> {
        Int(self.int_type::<BITS>().const_int(n, false))
    }

    fn int_type<const BITS: u32>(&self) -> IntType<'ctx> {
        Int::<'ctx, BITS>::ty(self.context).into_int_type()
    }

    /// Returns the null pointer.
    pub(crate) fn null(&self) -> Pointer<'ctx> {
        self.pointer.const_null()
    }

    /// Returns the address `offset` bytes after `pointer`.
    pub(crate) fn at(&self, pointer: Pointer<'ctx>, offset: u64) -> Built<Pointer<'ctx>> {
        self.beyond(pointer, self.int(offset))
    }

    /// Returns the address `n` bytes after `pointer`.
    pub(crate) fn beyond(&self, pointer: Pointer<'ctx>, n: Int<'ctx>) -> Built<Pointer<'ctx>> {
        if n.0.get_zero_extended_constant() == Some(0) {
            return Ok(pointer);
        }
        // SAFETY: without `inbounds` this is plain address arithmetic.
        Ok(unsafe { self.builder.build_gep(self.context.i8_type(), pointer, &[n.0], "") }?)
    }

    /// Returns the number of bytes from `from` to `to`.
    pub(crate) fn distance(&self, from: Pointer<'ctx>, to: Pointer<'ctx>) -> Built<Int<'ctx>> {
        let (from, to) = (self.address(from)?, self.address(to)?);
        self.sub(to, from)
    }

    /// Returns the address as a number.
    pub(crate) fn address(&self, pointer: Pointer<'ctx>) -> Built<Int<'ctx>> {
        Ok(Int(self.builder.build_ptr_to_int(pointer, self.word, "")?))
    }

    /// Loads a value of type `ty`, which need not be aligned.
    fn load<T: BasicType<'ctx>>(
        &self,
        ty: T,
        pointer: Pointer<'ctx>,
        name: &str,
    ) -> Built<Value<'ctx>> {
        let value = self.builder.build_load(ty, pointer, name)?;
        unaligned(value.as_instruction_value())?;
        Ok(value)
    }

    /// Loads the integer of `BITS` bits at `offset` bytes after `pointer`.
    pub(crate) fn field<const BITS: u32>(
        &self,
        pointer: Pointer<'ctx>,
        offset: u64,
        name: &str,
    ) -> Built<Int<'ctx, BITS>> {
        let place = self.at(pointer, offset)?;
        Int::of(self.load(self.int_type::<BITS>(), place, name)?)
    }

    /// Loads the pointer at `offset` bytes after `pointer`.
    pub(crate) fn load_ptr(
        &self,
        pointer: Pointer<'ctx>,
        offset: u64,
        name: &str,
    ) -> Built<Pointer<'ctx>> {
        let place = self.at(pointer, offset)?;
        Pointer::of(self.load(self.pointer, place, name)?)
    }

    /// Stores a value, which need not be aligned.
    pub(crate) fn store(&self, pointer: Pointer<'ctx>, v: impl Into<Value<'ctx>>) -> Built {
        let v: Value<'ctx> = v.into();
        unaligned(Some(self.builder.build_store(pointer, v)?))
    }

    /// Returns the bits of the float that equals this integer. There must be one.
    pub(crate) fn float_of_int(&self, v: Int<'ctx>) -> Built<Int<'ctx>> {
        let double = self.builder.build_signed_int_to_float(v.0, self.context.f64_type(), "")?;
        let bits = self.builder.build_bit_cast(double, self.int_type::<64>(), "")?;
        Ok(Int(bits.into_int_value()))
    }

    /// Returns the address of constant bytes in the module.
    pub(crate) fn constant(&self, bytes: &[u8]) -> Pointer<'ctx> {
        let value = self.context.const_string(bytes, false);
        let global = self.module.add_global(value.get_type(), None, "constant");
        global.set_initializer(&value);
        global.set_constant(true);
        global.set_linkage(Linkage::Private);
        global.as_pointer_value()
    }

    pub(crate) fn jump(&self, to: Block<'ctx>) -> Built {
        self.builder.build_unconditional_branch(to)?;
        Ok(())
    }

    pub(crate) fn branch(&self, condition: Bool<'ctx>, yes: Block<'ctx>, no: Block<'ctx>) -> Built {
        self.builder.build_conditional_branch(condition.0, yes, no)?;
        Ok(())
    }

    /// Like [`Emitter::branch`], if the condition nearly always holds.
    pub(crate) fn branch_likely(
        &self,
        condition: Bool<'ctx>,
        yes: Block<'ctx>,
        no: Block<'ctx>,
    ) -> Built {
        let branch = self.builder.build_conditional_branch(condition.0, yes, no)?;
        branch
            .set_metadata(self.likely, self.weights)
            .map_err(|why| CompileError::Ir(why.to_string()))
    }

    /// Branches to the block for `value`, or to the side exit if there is none.
    pub(crate) fn switch(&self, value: Int<'ctx>, blocks: &[Block<'ctx>]) -> Built {
        let cases: Vec<_> =
            blocks.iter().enumerate().map(|(i, &block)| (self.int(i as u64).0, block)).collect();
        self.builder.build_switch(value.0, self.bailout, &cases)?;
        Ok(())
    }

    /// Maps a small integer to the number at its index. Bails out if that is `None`.
    pub(crate) fn mapped(&self, value: Int<'ctx>, to: &[Option<u32>]) -> Built<Int<'ctx>> {
        let join = self.block("mapped");
        let blocks: Vec<_> =
            to.iter().map(|to| to.map_or(self.bailout, |_| self.block("of"))).collect();
        self.switch(value, &blocks)?;
        let mut ends = Vec::new();
        for (&to, &block) in to.iter().zip(&blocks) {
            let Some(to) = to else { continue };
            self.switch_to_block(block);
            self.jump(join)?;
            ends.push((self.int(to.into()), block));
        }
        self.switch_to_block(join);
        self.phi(&ends)
    }

    /// Bails out unless `condition` holds.
    pub(crate) fn guard(&self, condition: Bool<'ctx>) -> Built {
        let next = self.block("");
        self.branch_likely(condition, next, self.bailout)?;
        self.switch_to_block(next);
        Ok(())
    }

    /// Joins values that depend on the block before.
    pub(crate) fn phi<T: Typed<'ctx>>(&self, incoming: &[(T, Block<'ctx>)]) -> Built<T> {
        let incoming: Vec<_> = incoming.iter().map(|&(v, from)| (v.into(), from)).collect();
        T::of(self.phi_of(T::ty(self.context), &incoming)?)
    }

    fn phi_of(
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

    /// Joins several values. Each block comes with one value for each of them.
    pub(crate) fn phis(
        &self,
        incoming: &[(Vec<Value<'ctx>>, Block<'ctx>)],
    ) -> Built<Vec<Value<'ctx>>> {
        let Some((first, _)) = incoming.first() else { return Ok(Vec::new()) };
        let at = |i: usize| {
            let values: Vec<_> = incoming.iter().map(|(values, from)| (values[i], *from)).collect();
            self.phi_of(first[i].get_type(), &values)
        };
        (0..first.len()).map(at).collect()
    }

    /// Adds `incoming` from block `from` to `value`, which must be a phi.
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

    pub(crate) fn ret(&self, value: impl Into<Value<'ctx>>) -> Built {
        let value: Value<'ctx> = value.into();
        self.builder.build_return(Some(&value))?;
        Ok(())
    }

    /// Returns the address of an external symbol.
    pub(crate) fn external(&self, name: &str) -> Pointer<'ctx> {
        let global = self.module.get_global(name);
        global
            .unwrap_or_else(|| self.module.add_global(self.context.i8_type(), None, name))
            .as_pointer_value()
    }

    /// Calls a helper outside the module.
    pub(crate) fn call_helper<F: Signature>(
        &self,
        helper: Helper<F>,
        arguments: F::Arguments<'ctx>,
    ) -> Built<<F::Returned as Returned>::Emitted<'ctx>> {
        let function = self.module.get_function(helper.name).unwrap_or_else(|| {
            let ty = F::ty(self.context);
            let function = self.module.add_function(helper.name, ty, Some(Linkage::External));
            no_unwind(self.context, function);
            function
        });
        F::Returned::of(self.call_any(function, &F::values(arguments))?)
    }

    /// Calls a helper that returns a condition as a byte.
    pub(crate) fn ask_helper<F: Signature<Returned = u8>>(
        &self,
        helper: Helper<F>,
        arguments: F::Arguments<'ctx>,
    ) -> Built<Bool<'ctx>> {
        self.not_zero(self.call_helper(helper, arguments)?)
    }

    /// Calls a function of this module, or an intrinsic, that returns a value.
    pub(crate) fn call(
        &self,
        function: Function<'ctx>,
        arguments: &[Value<'ctx>],
    ) -> Built<Value<'ctx>> {
        self.call_any(function, arguments)?.ok_or_else(missing)
    }

    fn call_any(
        &self,
        function: Function<'ctx>,
        arguments: &[Value<'ctx>],
    ) -> Built<Option<Value<'ctx>>> {
        let arguments: Vec<_> = arguments.iter().map(|&v| v.into()).collect();
        let call = self.builder.build_call(function, &arguments, "")?;
        call.set_call_convention(function.get_call_conventions());
        Ok(call.try_as_basic_value().basic())
    }

    /// Prefetches the cache line of `pointer`. Any address is allowed.
    pub(crate) fn prefetch(&self, pointer: Pointer<'ctx>) -> Built {
        let function = self.intrinsic("llvm.prefetch", &[self.pointer.into()])?;
        // For reading; keep in all levels; data.
        let [read, keep, data] = [0, 3, 1].map(|n| self.bits::<32>(n));
        self.call_any(function, &[pointer.into(), read.into(), keep.into(), data.into()])?;
        Ok(())
    }

    /// Copies the 16 bytes at `offset`.
    pub(crate) fn copy16(&self, from: Pointer<'ctx>, to: Pointer<'ctx>, offset: u64) -> Built {
        self.copy16_at(from, to, self.int(offset))
    }

    /// Copies the 16 bytes at an offset that is known only at run time.
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

    fn intrinsic(&self, name: &str, types: &[BasicTypeEnum<'ctx>]) -> Built<Function<'ctx>> {
        Intrinsic::find(name)
            .and_then(|intrinsic| intrinsic.get_declaration(self.module, types))
            .ok_or_else(|| CompileError::Ir(format!("LLVM has no {name}")))
    }
}

fn unaligned(access: Option<inkwell::values::InstructionValue<'_>>) -> Built {
    let access = access.ok_or_else(missing)?;
    access.set_alignment(1).map_err(|why| CompileError::Ir(why.to_string()))
}

/// Marks a function as not unwinding, so it has no unwind tables. Its callees must not unwind
/// either.
fn no_unwind(context: &Context, function: Function<'_>) {
    let kind = Attribute::get_named_enum_kind_id("nounwind");
    function.add_attribute(AttributeLoc::Function, context.create_enum_attribute(kind, 0));
}

fn parameter<'ctx>(function: Function<'ctx>, index: u32) -> Built<Value<'ctx>> {
    function.get_nth_param(index).ok_or_else(missing)
}

fn missing() -> CompileError {
    CompileError::Ir("a function lacks parameters or blocks".to_owned())
}

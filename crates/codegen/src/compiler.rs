//! From a plan to an object.

use inkwell::context::Context;
use inkwell::memory_buffer::MemoryBuffer;
use inkwell::module::Module;
use inkwell::targets::TargetMachine;
use serow_core::program::Program;

use crate::conversion::Conversion;
use crate::emit;
use crate::engine;
use crate::error::CompileError;
use crate::llvm_gate;

/// Turns plans into machine code, one after another.
///
/// It owns a target machine, which LLVM allows one thread at a time to use; so a thread that
/// compiles has a compiler of its own.
pub struct Compiler {
    machine: TargetMachine,
}

impl Compiler {
    /// A compiler for this machine's processor.
    ///
    /// # Errors
    /// [`CompileError::Target`] if LLVM does not know the machine; [`CompileError::Forked`] or
    /// [`CompileError::Exiting`] where LLVM must not be used.
    pub fn new() -> Result<Compiler, CompileError> {
        let _inside = llvm_gate::enter()?;
        Ok(Compiler { machine: engine::target_machine()? })
    }

    /// The object that `plan` is compiled to, with its function under the name `symbol`.
    pub(crate) fn object(
        &self,
        plan: &Program,
        conversion: &Conversion<'_>,
        symbol: &str,
    ) -> Result<MemoryBuffer<'static>, CompileError> {
        let context = Context::create();
        let module = self.module(&context, plan, conversion, symbol)?;
        engine::object(&self.machine, &module)
    }

    /// The LLVM IR that `plan` is compiled from.
    ///
    /// # Errors
    /// [`CompileError::Ir`] if it could not be built.
    pub fn ir(&self, plan: &Program, conversion: &Conversion<'_>) -> Result<String, CompileError> {
        let _inside = llvm_gate::enter()?;
        let context = Context::create();
        let module = self.module(&context, plan, conversion, "serow")?;
        Ok(module.print_to_string().to_string())
    }

    /// The machine code that `plan` is compiled to, as assembly.
    ///
    /// # Errors
    /// As for [`Compiler::ir`], and [`CompileError::Object`] if LLVM could not make it.
    pub fn asm(&self, plan: &Program, conversion: &Conversion<'_>) -> Result<String, CompileError> {
        let _inside = llvm_gate::enter()?;
        let context = Context::create();
        let module = self.module(&context, plan, conversion, "serow")?;
        engine::assembly(&self.machine, &module)
    }

    fn module<'ctx>(
        &self,
        context: &'ctx Context,
        plan: &Program,
        conversion: &Conversion<'_>,
        symbol: &str,
    ) -> Result<Module<'ctx>, CompileError> {
        let module = emit::module(context, &self.machine, plan, conversion, symbol)?;
        // Invalid IR makes code generation abort the process, so it must not get that far.
        module.verify().map_err(|why| CompileError::Ir(why.to_string()))?;
        Ok(module)
    }
}

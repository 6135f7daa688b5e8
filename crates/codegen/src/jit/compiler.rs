//! Compiles a program to an object.

use inkwell::context::Context;
use inkwell::memory_buffer::MemoryBuffer;
use inkwell::module::Module;
use inkwell::targets::TargetMachine;
use serow_core::forked::Inherited;
use serow_core::program::Program;

use super::{llvm_gate, target};
use crate::emit::Conversion;
use crate::error::CompileError;
use crate::ir::Emitter;

/// The number of idle compilers to keep.
const MAX_IDLE: usize = 2;

/// Turns programs into machine code, one after another.
///
/// It owns a target machine, which LLVM allows only one thread at a time to use. So each compiling
/// thread has its own compiler.
pub struct Compiler {
    machine: TargetMachine,
}

// SAFETY: LLVM binds a target machine to no thread. It requires that one thread at a time uses it,
// and a `Compiler` is not `Sync`.
unsafe impl Send for Compiler {}

impl Compiler {
    /// Creates a compiler for this machine's processor.
    ///
    /// # Errors
    /// [`CompileError::Target`] if LLVM does not know the machine; [`CompileError::Forked`] or
    /// [`CompileError::Exiting`] if LLVM must not be used.
    pub fn new() -> Result<Compiler, CompileError> {
        let _inside = llvm_gate::enter()?;
        Ok(Compiler { machine: target::target_machine()? })
    }

    /// Calls `with` with a compiler that no other thread uses meanwhile.
    pub(crate) fn with<T>(
        with: impl FnOnce(&Compiler) -> Result<T, CompileError>,
    ) -> Result<T, CompileError> {
        static IDLE: Inherited<Vec<Compiler>> = Inherited::new();
        let idle = IDLE.lock().pop();
        let compiler = idle.map_or_else(Compiler::new, Ok)?;
        let result = with(&compiler);
        let mut idle = IDLE.lock();
        if idle.len() < MAX_IDLE {
            idle.push(compiler);
        }
        result
    }

    /// Compiles `program` to an object. Its function has the name `symbol`.
    pub(crate) fn object(
        &self,
        program: &Program,
        conversion: &Conversion<'_>,
        symbol: &str,
    ) -> Result<MemoryBuffer<'static>, CompileError> {
        let context = Context::create();
        let module = self.module(&context, program, conversion, symbol)?;
        target::object(&self.machine, &module)
    }

    /// Returns the LLVM IR of `program`.
    ///
    /// # Errors
    /// [`CompileError::Ir`] if it could not be built.
    pub fn ir(
        &self,
        program: &Program,
        conversion: &Conversion<'_>,
    ) -> Result<String, CompileError> {
        let _inside = llvm_gate::enter()?;
        let context = Context::create();
        let module = self.module(&context, program, conversion, "serow")?;
        Ok(module.print_to_string().to_string())
    }

    /// Returns the machine code of `program` as assembly.
    ///
    /// # Errors
    /// See [`Compiler::ir`]. [`CompileError::Object`] if LLVM could not generate it.
    pub fn asm(
        &self,
        program: &Program,
        conversion: &Conversion<'_>,
    ) -> Result<String, CompileError> {
        let _inside = llvm_gate::enter()?;
        let context = Context::create();
        let module = self.module(&context, program, conversion, "serow")?;
        target::assembly(&self.machine, &module)
    }

    fn module<'ctx>(
        &self,
        context: &'ctx Context,
        program: &'ctx Program,
        conversion: &'ctx Conversion<'_>,
        symbol: &str,
    ) -> Result<Module<'ctx>, CompileError> {
        let module = context.create_module(symbol);
        module.set_triple(&self.machine.get_triple());
        module.set_data_layout(&self.machine.get_target_data().get_data_layout());
        conversion.emit(&mut Emitter::new(context, &module, symbol)?, program)?;
        // Invalid IR makes code generation abort the process, so it must not get that far.
        module.verify().map_err(|why| CompileError::Ir(why.to_string()))?;
        Ok(module)
    }
}

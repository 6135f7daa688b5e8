//! From a plan to code that can be called.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use inkwell::context::Context;
use inkwell::module::Module;
use inkwell::targets::TargetMachine;
use serow_core::plan::Plan;

use crate::compiled::Compiled;
use crate::conversion::Conversion;
use crate::emit;
use crate::engine::{self, Engine};
use crate::error::CompileError;

/// Compiles plans, one after another.
///
/// It owns a target machine, which LLVM allows one thread at a time to use; so a thread that
/// compiles has a compiler of its own. The code goes to the one JIT of the process.
pub struct Compiler {
    machine: TargetMachine,
}

impl Compiler {
    /// A compiler for this machine's processor.
    ///
    /// # Errors
    /// [`CompileError::Target`] if LLVM does not know the machine.
    pub fn new() -> Result<Compiler, CompileError> {
        Ok(Compiler { machine: engine::target_machine()? })
    }

    /// Compiles `plan` for a pair of layouts, and returns when the code can be called.
    ///
    /// # Errors
    /// They say at which step LLVM failed.
    pub fn compile(
        &self,
        plan: &Plan,
        conversion: &Conversion<'_>,
    ) -> Result<Compiled, CompileError> {
        // The symbols of all code stand in one table.
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        let symbol = format!("serow_{}", NUMBER.fetch_add(1, Ordering::Relaxed));

        let begun = Instant::now();
        let context = Context::create();
        let module = self.module(&context, plan, conversion, &symbol)?;
        let object = engine::object(&self.machine, &module)?;
        let engine = Engine::get()?;
        engine.define(&conversion.symbols())?;
        let code = engine.link(object, &symbol)?;
        Ok(Compiled::new(code, conversion.forms(), begun.elapsed()))
    }

    /// The LLVM IR that `plan` is compiled from.
    ///
    /// # Errors
    /// [`CompileError::Ir`] if it could not be built.
    pub fn ir(&self, plan: &Plan, conversion: &Conversion<'_>) -> Result<String, CompileError> {
        let context = Context::create();
        let module = self.module(&context, plan, conversion, "serow")?;
        Ok(module.print_to_string().to_string())
    }

    /// The machine code that `plan` is compiled to, as assembly.
    ///
    /// # Errors
    /// As for [`Compiler::compile`].
    pub fn asm(&self, plan: &Plan, conversion: &Conversion<'_>) -> Result<String, CompileError> {
        let context = Context::create();
        let module = self.module(&context, plan, conversion, "serow")?;
        engine::assembly(&self.machine, &module)
    }

    fn module<'ctx>(
        &self,
        context: &'ctx Context,
        plan: &Plan,
        conversion: &Conversion<'_>,
        symbol: &str,
    ) -> Result<Module<'ctx>, CompileError> {
        let module = emit::module(context, &self.machine, plan, conversion, symbol)?;
        // Invalid IR makes code generation abort the process, so it must not get that far.
        module.verify().map_err(|why| CompileError::Ir(why.to_string()))?;
        Ok(module)
    }
}

/// Compiles `plan` with a [`Compiler`] made for it alone, and has the plan run by the code from
/// then on, between the layouts of `conversion`. A plan that was compiled for them is left as it is.
///
/// # Errors
/// As for [`Compiler::compile`].
///
/// # Safety
/// Objects of a language must be in this process as the conversion describes them.
pub unsafe fn compile(plan: &Plan, conversion: &Conversion<'_>) -> Result<(), CompileError> {
    let (from, to) = conversion.forms();
    if plan.code(from, to).is_none() {
        let compiled = Compiler::new()?.compile(plan, conversion)?;
        // SAFETY: the code was emitted for the plan and for these forms.
        unsafe { plan.set_code(from, to, Arc::new(compiled)) };
    }
    Ok(())
}

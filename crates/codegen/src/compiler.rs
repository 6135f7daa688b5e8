//! From a plan to code that can be called.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use inkwell::context::Context;
use inkwell::targets::TargetMachine;
use serow_core::plan::Plan;

use crate::compiled::Compiled;
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

    /// Compiles `plan`, and returns when the code can be called.
    ///
    /// # Errors
    /// [`CompileError::Unsupported`] if the plan has an instruction without code generation;
    /// the others say at which step LLVM failed.
    pub fn compile(&self, plan: &Plan) -> Result<Compiled, CompileError> {
        // The symbols of all code stand in one table.
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        let symbol = format!("serow_{}", NUMBER.fetch_add(1, Ordering::Relaxed));

        let begun = Instant::now();
        let context = Context::create();
        let module = emit::module(&context, &self.machine, plan, &symbol)?;
        // Invalid IR makes code generation abort the process, so it must not get that far.
        module.verify().map_err(|why| CompileError::Ir(why.to_string()))?;
        // Code generation changes the module it is given.
        let ir = module.print_to_string().to_string();
        let object = engine::object(&self.machine, &module)?;
        let code = Engine::get()?.link(object, &symbol)?;
        let time = begun.elapsed();
        Ok(Compiled::new(code, ir, time))
    }
}

/// Compiles `plan` with a [`Compiler`] made for it alone.
///
/// # Errors
/// As for [`Compiler::compile`].
///
/// ```
/// use serow_core::{plan::Plan, schema::Schema};
///
/// let plan = Plan::new(&Schema::parse("i64")?);
/// let compiled = serow_codegen::compile(&plan)?;
/// let mut column = Vec::new();
/// compiled.run(&[3, -1, i64::MAX], &mut column);
/// assert_eq!(column, [3, -1, i64::MAX]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn compile(plan: &Plan) -> Result<Compiled, CompileError> {
    Compiler::new()?.compile(plan)
}

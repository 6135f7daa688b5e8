//! The one JIT of this process.

use std::collections::HashSet;
use std::sync::{Mutex, PoisonError};

use inkwell::memory_buffer::MemoryBuffer;
use serow_core::forked::PerProcess;

use super::llvm_gate::Inside;
use super::orc::{Jit, LinkedCode, OrcError};
use super::target::initialize_target;
use crate::error::CompileError;
use crate::ir::Symbol;

/// The JIT that links all code of this process.
///
/// It is never freed, because other threads may still run its code at exit. A child made by `fork`
/// gets its own engine, because a thread that the child lacks may hold a lock of the inherited one.
pub(crate) struct Engine {
    jit: Jit,
    /// The symbols defined to the linker.
    defined: Mutex<HashSet<&'static str>>,
}

impl Engine {
    /// Returns this process's engine, made by the first call. The caller must stay inside LLVM
    /// while it uses the engine.
    pub(crate) fn get(_inside: &Inside) -> Result<&'static Engine, CompileError> {
        static ENGINE: PerProcess<Engine> = PerProcess::new();
        ENGINE.get_or_try_make(|| {
            initialize_target();
            let jit = Jit::new().map_err(|why| CompileError::Link(why.to_string()))?;
            Ok(Engine { jit, defined: Mutex::default() })
        })
    }

    /// Links an object that may refer to `symbols`, and looks up the function named `symbol` in it.
    pub(crate) fn link(
        &'static self,
        object: MemoryBuffer<'static>,
        symbol: &str,
        symbols: &[Symbol],
    ) -> Result<LinkedCode, CompileError> {
        self.define(symbols)
            .and_then(|()| self.jit.link(object, symbol))
            .map_err(|why| CompileError::Link(why.to_string()))
    }

    /// Defines the symbols that are not defined yet.
    fn define(&self, symbols: &[Symbol]) -> Result<(), OrcError> {
        let mut defined = self.defined.lock().unwrap_or_else(PoisonError::into_inner);
        let new: Vec<Symbol> =
            symbols.iter().copied().filter(|(name, _)| !defined.contains(name)).collect();
        if !new.is_empty() {
            self.jit.define(&new)?;
            defined.extend(new.iter().map(|(name, _)| name));
        }
        Ok(())
    }
}

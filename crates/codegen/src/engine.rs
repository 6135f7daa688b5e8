//! The target machine, and the one JIT of this process.

use std::collections::{HashMap, HashSet};
use std::ffi::CStr;
use std::mem;
use std::ptr;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, Once, PoisonError, Weak};

use inkwell::OptimizationLevel;
use inkwell::llvm_sys::support::LLVMParseCommandLineOptions;
use inkwell::llvm_sys::target_machine::LLVMSetTargetMachineFastISel;
use inkwell::memory_buffer::MemoryBuffer;
use inkwell::module::Module;
use inkwell::targets::{
    CodeModel, FileType, RelocMode, Target, TargetMachine, TargetMachineOptions,
};
use serow_core::forked::PerProcess;

use crate::compiled::Compiled;
use crate::compiler::Compiler;
use crate::error::CompileError;
use crate::helper::Symbol;
use crate::key::Key;
use crate::llvm_gate::Inside;
use crate::orc::{Jit, LinkedCode, OrcError};

/// A description of the target machine's settings, for the keys of cached objects. Change it with
/// the code below.
pub(crate) const SETTINGS: &str = "O1, fast selector, position-independent, small";

/// Steps that code generation leaves out. They take 40 % of its time, and their output ran no
/// faster on any rows that were tried (`docs/compiler.md`): the IR has no memory accesses to clean
/// up, its loops already step through pointers, and there is little to hoist or to schedule. The
/// basic register allocator produces code as fast as the greedy one in a third of its time; the
/// fast one does not. Three other steps were tried too, and turning them off gains nothing or
/// costs: the layout of blocks, the folding of branches, and sinking addresses to their uses.
pub(crate) const OPTIONS: [&CStr; 16] = [
    c"-disable-lsr",
    c"-enable-misched=false",
    c"-regalloc=basic",
    c"-disable-copyprop",
    c"-disable-machine-cse",
    c"-disable-machine-sink",
    c"-disable-postra-machine-sink",
    c"-disable-postra-machine-licm",
    c"-disable-peephole",
    c"-disable-constant-hoisting",
    c"-disable-ssc",
    c"-enable-shrink-wrap=false",
    c"-disable-tail-duplicate",
    c"-disable-early-taildup",
    c"-disable-early-ifcvt",
    c"-disable-mergeicmps",
];

/// Returns a machine that generates code for this processor with all its features.
///
/// The level is O1 with the fast instruction selector. O0 generates code that is slower than the
/// interpreter, and O1's own selector takes half as much time again without a gain. The other
/// settings are required by the JIT's linker: position-independent code, with calls through stubs.
pub(crate) fn target_machine() -> Result<TargetMachine, CompileError> {
    initialize_target();
    let triple = TargetMachine::get_default_triple();
    let target =
        Target::from_triple(&triple).map_err(|why| CompileError::Target(why.to_string()))?;
    let cpu = TargetMachine::get_host_cpu_name().to_string();
    let features = TargetMachine::get_host_cpu_features().to_string();
    let options = TargetMachineOptions::new()
        .set_cpu(&cpu)
        .set_features(&features)
        .set_level(OptimizationLevel::Less)
        .set_reloc_mode(RelocMode::PIC)
        .set_code_model(CodeModel::Small);
    let machine = target
        .create_target_machine_from_options(&triple, options)
        .ok_or_else(|| CompileError::Target(format!("no code generation for {triple} {cpu}")))?;
    // SAFETY: the machine is alive, and nothing else uses it yet.
    unsafe { LLVMSetTargetMachineFastISel(machine.as_mut_ptr(), 1) };
    Ok(machine)
}

/// Registers the one linked target and [`OPTIONS`] with LLVM. inkwell's function for the target
/// would also link its assembly parser and disassembler.
fn initialize_target() {
    use inkwell::llvm_sys::target::{
        LLVMInitializeX86AsmPrinter, LLVMInitializeX86Target, LLVMInitializeX86TargetInfo,
        LLVMInitializeX86TargetMC,
    };
    static ONCE: Once = Once::new();
    let mut arguments = vec![c"serow".as_ptr()];
    arguments.extend(OPTIONS.iter().map(|option| option.as_ptr()));
    // SAFETY: these calls only write to LLVM's tables of targets and options, and `Once` excludes
    // other threads. LLVM is linked statically, so nothing else uses the tables, and the options
    // fit its version. LLVM would end the process at an unknown option.
    ONCE.call_once(|| unsafe {
        LLVMParseCommandLineOptions(arguments.len() as i32, arguments.as_ptr(), ptr::null());
        LLVMInitializeX86TargetInfo();
        LLVMInitializeX86Target();
        LLVMInitializeX86TargetMC();
        LLVMInitializeX86AsmPrinter();
    });
}

/// Generates the object file of `module`, which must be verified.
pub(crate) fn object(
    machine: &TargetMachine,
    module: &Module<'_>,
) -> Result<MemoryBuffer<'static>, CompileError> {
    machine
        .write_to_memory_buffer(module, FileType::Object)
        .map_err(|why| CompileError::Object(why.to_string()))
}

/// Generates the assembly text of `module`, which must be verified.
pub(crate) fn assembly(
    machine: &TargetMachine,
    module: &Module<'_>,
) -> Result<String, CompileError> {
    let text = machine
        .write_to_memory_buffer(module, FileType::Assembly)
        .map_err(|why| CompileError::Object(why.to_string()))?;
    Ok(String::from_utf8_lossy(text.as_slice()).trim_end_matches('\0').to_owned())
}

/// The JIT that links all code of this process, and the index of this code.
///
/// It is never freed, because other threads may still run its code at exit. A child made by `fork`
/// gets its own engine, because a thread that the child lacks may hold a lock of the inherited one.
pub(crate) struct Engine {
    jit: Jit,
    /// The symbols defined to the linker.
    defined: Mutex<HashSet<&'static str>>,
    /// Compilers that no thread uses now.
    idle: Mutex<Vec<Compiler>>,
    /// The code that exists or is being made, by the hash of its key.
    codes: Mutex<HashMap<u128, Entry>>,
    /// Notified when an entry changes or is removed.
    changed: Condvar,
}

/// Code and its key. The symbol is unique in the process.
struct Entry {
    key: Arc<Key>,
    /// Dead while the code is being made and while it is being freed.
    code: Weak<Compiled>,
}

/// The number of idle compilers to keep.
const IDLE: usize = 2;

impl Engine {
    /// Returns this process's engine, made by the first call. The caller must stay inside LLVM
    /// while it uses the engine.
    pub(crate) fn get(_inside: &Inside) -> Result<&'static Engine, CompileError> {
        static ENGINE: PerProcess<Engine> = PerProcess::new();
        ENGINE.get_or_try_make(|| {
            initialize_target();
            Ok(Engine {
                jit: Jit::new().map_err(|why| CompileError::Link(why.to_string()))?,
                defined: Mutex::default(),
                idle: Mutex::default(),
                codes: Mutex::default(),
                changed: Condvar::new(),
            })
        })
    }

    /// Returns the code for `key`: the existing one, or else the result of `make`. If another
    /// thread makes it, this waits.
    pub(crate) fn code(
        &'static self,
        key: &Arc<Key>,
        make: impl FnOnce() -> Result<Arc<Compiled>, CompileError>,
    ) -> Result<Arc<Compiled>, CompileError> {
        let mut codes = lock(&self.codes);
        while let Some(entry) = codes.get(&key.hash()) {
            if entry.key != *key {
                return Err(CompileError::Link(format!(
                    "symbol hash collision at {}",
                    key.symbol()
                )));
            }
            if let Some(code) = entry.code.upgrade() {
                return Ok(code);
            }
            codes = self.changed.wait(codes).unwrap_or_else(PoisonError::into_inner);
        }
        codes.insert(key.hash(), Entry { key: key.clone(), code: Weak::new() });
        drop(codes);
        let reserved = Reserved { engine: self, key };
        let code = make()?;
        mem::forget(reserved);
        if let Some(entry) = lock(&self.codes).get_mut(&key.hash()) {
            entry.code = Arc::downgrade(&code);
        }
        self.changed.notify_all();
        Ok(code)
    }

    /// Removes the entry of code that was freed or never made.
    pub(crate) fn forget(&self, key: &Key) {
        lock(&self.codes).remove(&key.hash());
        self.changed.notify_all();
    }

    /// Calls `with` with a compiler that no other thread uses meanwhile.
    pub(crate) fn with_compiler<T>(
        &self,
        with: impl FnOnce(&Compiler) -> Result<T, CompileError>,
    ) -> Result<T, CompileError> {
        let idle = lock(&self.idle).pop();
        let compiler = idle.map_or_else(Compiler::new, Ok)?;
        let result = with(&compiler);
        let mut idle = lock(&self.idle);
        if idle.len() < IDLE {
            idle.push(compiler);
        }
        result
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
        let mut defined = lock(&self.defined);
        let new: Vec<Symbol> =
            symbols.iter().copied().filter(|(name, _)| !defined.contains(name)).collect();
        if !new.is_empty() {
            self.jit.define(&new)?;
            defined.extend(new.iter().map(|(name, _)| name));
        }
        Ok(())
    }
}

/// Removes its entry on drop. It is forgotten when the code was made.
struct Reserved<'a> {
    engine: &'static Engine,
    key: &'a Key,
}

impl Drop for Reserved<'_> {
    fn drop(&mut self) {
        self.engine.forget(self.key);
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

//! The target machine and its settings.

use std::ffi::CStr;
use std::ptr;
use std::sync::Once;

use inkwell::OptimizationLevel;
use inkwell::llvm_sys::support::LLVMParseCommandLineOptions;
use inkwell::llvm_sys::target_machine::LLVMSetTargetMachineFastISel;
use inkwell::memory_buffer::MemoryBuffer;
use inkwell::module::Module;
use inkwell::support::get_llvm_version;
use inkwell::targets::{
    CodeModel, FileType, RelocMode, Target, TargetMachine, TargetMachineOptions,
};

use crate::error::CompileError;

/// Returns LLVM's name of this processor, for which code is compiled, such as `znver5`.
pub fn processor() -> String {
    TargetMachine::get_host_cpu_name().to_string()
}

/// Returns the version of the LLVM that is linked in, such as `22.1.8`.
pub fn llvm_version() -> String {
    let (major, minor, patch) = get_llvm_version();
    format!("{major}.{minor}.{patch}")
}

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
pub(crate) fn initialize_target() {
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

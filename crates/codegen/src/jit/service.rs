//! Finds or makes code: first code of this process, then an object in the cache, then a new
//! compile. Equal plans share code, and a request for code that is being compiled waits for it.

use std::sync::Arc;
use std::time::Instant;

use inkwell::memory_buffer::MemoryBuffer;
use serow_core::limits::{MAX_CODE_BYTES, MAX_COMPILED_INSTRUCTIONS};
use serow_core::plan::Op;
use serow_core::program::Program;

use crate::emit::Conversion;
use crate::error::CompileError;
use crate::jit::cache;
use crate::jit::compiled::{Compiled, Index};
use crate::jit::compiler::Compiler;
use crate::jit::debug_info::DebugInfo;
use crate::jit::engine::Engine;
use crate::jit::key::Key;
use crate::jit::llvm_gate;
use crate::jit::log;
use crate::jit::room;

/// Returns the code for `program` between a pair of layouts. Dropping the last reference frees it.
///
/// # Errors
/// [`CompileError::TooLarge`], [`CompileError::Interpreted`], [`CompileError::NoMemory`],
/// [`CompileError::Forked`] and [`CompileError::Exiting`] say why serow does not try. The others
/// say at which step LLVM failed.
pub fn code(program: &Program, conversion: &Conversion<'_>) -> Result<Arc<Compiled>, CompileError> {
    let inside = llvm_gate::enter()?;
    let request = Request::new(program, conversion)?;
    let engine = Engine::get(&inside)?;
    let code = Index::get()
        .code(&request.key, || request.cached(engine).map_or_else(|| request.compile(engine), Ok));
    code.inspect_err(|why| request.failed(why))
}

/// Compiles `program` for the layouts of `conversion`, and sets the code in the plan. Does nothing if
/// the plan already has code for them.
///
/// # Errors
/// See [`code`].
///
/// # Safety
/// The objects of the language in this process must match the conversion's description.
pub unsafe fn compile(program: &Program, conversion: &Conversion<'_>) -> Result<(), CompileError> {
    if !program.is_compiled(conversion.kinds()) {
        // SAFETY: the caller's promise.
        unsafe { set(program, code(program, conversion)?) };
    }
    Ok(())
}

/// Like [`compile`], but only with an object of the cache, if it has one.
///
/// # Errors
/// See [`code`].
///
/// # Safety
/// See [`compile`].
pub(crate) unsafe fn find(
    program: &Program,
    conversion: &Conversion<'_>,
) -> Result<(), CompileError> {
    if program.is_compiled(conversion.kinds()) {
        return Ok(());
    }
    let inside = llvm_gate::enter()?;
    let request = Request::new(program, conversion)?;
    // Setting up LLVM's linker takes a while, so look for an object first.
    if let Some(object) = cache::read(&request.key) {
        let engine = Engine::get(&inside)?;
        let code = Index::get().code(&request.key, || request.link_cached(engine, &object))?;
        // SAFETY: the caller's promise.
        unsafe { set(program, code) };
    }
    Ok(())
}

/// # Safety
/// The code must be for the plan, and the objects must match its description.
unsafe fn set(program: &Program, code: Arc<Compiled>) {
    // SAFETY: the caller's promise.
    for gone in unsafe { program.set_code(code.kinds(), code) } {
        log::line(format_args!("evicted {gone:?}: the code cache is full"));
    }
}

/// Memory that must be free before LLVM starts, because LLVM aborts the process when it runs out.
/// It usually needs less.
const ROOM: usize = 64 << 20;

/// A request for code.
struct Request<'a> {
    program: &'a Program,
    conversion: &'a Conversion<'a>,
    key: Arc<Key>,
    begun: Instant,
}

impl<'a> Request<'a> {
    fn new(
        program: &'a Program,
        conversion: &'a Conversion<'a>,
    ) -> Result<Request<'a>, CompileError> {
        let begun = Instant::now();
        let instructions = instructions(program);
        if instructions > MAX_COMPILED_INSTRUCTIONS {
            let why =
                format!("{instructions} instructions, of at most {MAX_COMPILED_INSTRUCTIONS}");
            return Err(CompileError::TooLarge(why));
        }
        if let Some(op) = program.ops.iter().find(|op| is_interpreted(program, op)) {
            return Err(CompileError::Interpreted(op.to_string()));
        }
        if !room::is_free(ROOM) {
            return Err(CompileError::NoMemory);
        }
        let key = Arc::new(Key::new(program, conversion));
        Ok(Request { program, conversion, key, begun })
    }

    fn cached(&self, engine: &'static Engine) -> Option<Arc<Compiled>> {
        // An object that can't be linked is replaced by a new one.
        self.link_cached(engine, &cache::read(&self.key)?).inspect_err(|why| self.failed(why)).ok()
    }

    fn link_cached(
        &self,
        engine: &'static Engine,
        object: &[u8],
    ) -> Result<Arc<Compiled>, CompileError> {
        let buffer = MemoryBuffer::create_from_memory_range_copy(object, "cached");
        self.link(engine, buffer, "found in the cache")
    }

    fn compile(&self, engine: &'static Engine) -> Result<Arc<Compiled>, CompileError> {
        let object = Compiler::with(|compiler| {
            compiler.object(self.program, self.conversion, self.key.symbol())
        })?;
        let copy = cache::is_wanted().then(|| object.as_slice().to_vec());
        let code = self.link(engine, object, "compiled")?;
        if let Some(object) = copy {
            cache::write(&self.key, &object);
        }
        Ok(code)
    }

    fn link(
        &self,
        engine: &'static Engine,
        object: MemoryBuffer<'static>,
        how: &str,
    ) -> Result<Arc<Compiled>, CompileError> {
        let bytes = object.get_size();
        if bytes > MAX_CODE_BYTES {
            return Err(CompileError::TooLarge(format!("{bytes} bytes of code")));
        }
        let names = DebugInfo::of(object.as_slice(), self.key.symbol());
        let code = engine.link(object, self.key.symbol(), &self.conversion.symbols())?;
        let time = self.begun.elapsed();
        log::line(format_args!("{how} {} in {time:?}, {bytes} bytes", self.key.symbol()));
        let kinds = self.conversion.kinds();
        Ok(Arc::new(Compiled::new(self.key.clone(), code, names, kinds, bytes, time)))
    }

    fn failed(&self, why: &CompileError) {
        let (symbol, took) = (self.key.symbol(), self.begun.elapsed());
        log::line(format_args!("not compiled {symbol} after {took:?}: {why}"));
    }
}

/// The largest enum whose members compiled code converts to members of another enum, with one
/// branch each.
const MOST_MEMBERS: usize = 256;

/// Returns whether only the interpreter supports an instruction. Rows with it are not worth the
/// code.
fn is_interpreted(program: &Program, op: &Op) -> bool {
    match *op {
        Op::OpenEntries { .. } => true,
        Op::OtherEnum { members, .. } => {
            let members = &program.members[members as usize];
            members.len() > MOST_MEMBERS || members.iter().all(Option::is_none)
        }
        _ => false,
    }
}

/// Returns the number of instructions of a plan, with each field of a run counted. The amount of
/// code is about proportional.
fn instructions(program: &Program) -> usize {
    let count = |op: &Op| match *op {
        Op::I64 { count, .. }
        | Op::F64 { count, .. }
        | Op::Str { count, .. }
        | Op::Bool { count, .. }
        | Op::Null { count } => count as usize,
        _ => 1,
    };
    program.ops.iter().map(count).sum()
}

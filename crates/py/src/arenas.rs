//! Keeps the arenas that CPython frees, for [`retain_memory`].
//!
//! CPython makes small objects in *arenas* of 1 MiB. An arena goes back to the system as soon as it
//! has no object, so a program that decodes, uses and drops rows in a loop faults in all pages of all
//! arenas each time. CPython lets programs replace the functions that get and free arenas. The
//! functions here keep freed arenas up to a bound, and otherwise call the allocator that was
//! installed before them.
//!
//! CPython frees an arena by the allocator that is installed then, whoever allocated it. So these
//! functions get all memory from the previous allocator, and it may free what they allocated. An
//! allocator that others install later and that calls this one is safe too: this one then stays and
//! passes calls through when it no longer keeps anything.
//!
//! CPython calls an arena allocator with the GIL held. Interpreters with a GIL of their own share
//! one, so there is a lock. Nobody waits for it in the functions, so a forked child can't hang:
//! without the lock they call the previous allocator.

use std::ffi::c_void;
use std::ptr::null_mut;
use std::sync::atomic::{AtomicPtr, Ordering};
use std::sync::{Mutex, MutexGuard, TryLockError};

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use serow_core::memory;

use crate::errors::{SerowError, exception};
use crate::made::{Made, name};

/// CPython's `PyObjectArenaAllocator`, unchanged since 3.4. It is not in the stable ABI.
#[derive(Clone, Copy)]
#[repr(C)]
struct ArenaAllocator {
    context: *mut c_void,
    alloc: unsafe extern "C" fn(context: *mut c_void, size: usize) -> *mut c_void,
    free: unsafe extern "C" fn(context: *mut c_void, arena: *mut c_void, size: usize),
}

impl ArenaAllocator {
    const OURS: ArenaAllocator =
        ArenaAllocator { context: null_mut(), alloc: keep_alloc, free: keep_free };

    fn is(&self, other: &ArenaAllocator) -> bool {
        self.context == other.context
            && std::ptr::fn_addr_eq(self.alloc, other.alloc)
            && std::ptr::fn_addr_eq(self.free, other.free)
    }

    /// # Safety
    /// The allocator must be one that was installed in CPython.
    unsafe fn alloc(&self, size: usize) -> *mut c_void {
        // SAFETY: the caller's promise.
        unsafe { (self.alloc)(self.context, size) }
    }

    /// # Safety
    /// Also, the arena must be of this allocator, and unused.
    unsafe fn free(&self, arena: *mut c_void, size: usize) {
        // SAFETY: the caller's promise.
        unsafe { (self.free)(self.context, arena, size) }
    }
}

/// The allocator that was installed before ours. It is never freed, because CPython may be about to
/// call ours when it is removed.
static PREVIOUS: AtomicPtr<ArenaAllocator> = AtomicPtr::new(null_mut());

/// The allocator before ours.
///
/// # Safety
/// Ours must have been installed.
unsafe fn previous() -> &'static ArenaAllocator {
    // SAFETY: the pointer was set before ours was installed, and what it points to stays.
    unsafe { &*PREVIOUS.load(Ordering::Acquire) }
}

/// A freed arena.
struct Arena {
    at: *mut c_void,
    size: usize,
}

/// The freed arenas.
struct Kept {
    /// Whether ours is installed, or was when another was installed.
    is_installed: bool,
    bound: usize,
    bytes: usize,
    /// The last one is used first, because its pages may still be in the cache.
    arenas: Vec<Arena>,
}

// SAFETY: nobody else uses a freed arena.
unsafe impl Send for Kept {}

static KEPT: Mutex<Kept> =
    Mutex::new(Kept { is_installed: false, bound: 0, bytes: 0, arenas: Vec::new() });

impl Kept {
    fn take(&mut self, size: usize) -> Option<*mut c_void> {
        let last = self.arenas.iter().rposition(|arena| arena.size == size)?;
        self.bytes -= size;
        Some(self.arenas.swap_remove(last).at)
    }

    /// Whether the arena is kept now.
    fn keep(&mut self, at: *mut c_void, size: usize) -> bool {
        let is_kept =
            size <= self.bound - self.bytes && memory::reserve(&mut self.arenas, 1).is_ok();
        if is_kept {
            self.arenas.push(Arena { at, size });
            self.bytes += size;
        }
        is_kept
    }

    /// Sets the bound, and frees what exceeds it.
    fn limit(&mut self, bound: usize) {
        self.bound = bound;
        while self.bytes > bound
            && let Some(arena) = self.arenas.pop()
        {
            self.bytes -= arena.size;
            // SAFETY: ours is installed. It got the arena from this allocator, or CPython did before.
            unsafe { previous().free(arena.at, arena.size) };
        }
    }
}

unsafe extern "C" fn keep_alloc(_context: *mut c_void, size: usize) -> *mut c_void {
    let kept = KEPT.try_lock().ok().and_then(|mut kept| kept.take(size));
    // SAFETY: CPython calls this only after it was installed.
    kept.unwrap_or_else(|| unsafe { previous().alloc(size) })
}

unsafe extern "C" fn keep_free(_context: *mut c_void, arena: *mut c_void, size: usize) {
    if !KEPT.try_lock().is_ok_and(|mut kept| kept.keep(arena, size)) {
        // SAFETY: CPython calls this only after it was installed, with an arena that it does not use.
        unsafe { previous().free(arena, size) };
    }
}

/// `PyObject_GetArenaAllocator` and `PyObject_SetArenaAllocator`.
type Function = unsafe extern "C" fn(*mut ArenaAllocator);

/// The functions of CPython that get and set the allocator of arenas.
#[derive(Clone, Copy)]
struct Functions {
    get: Function,
    set: Function,
}

impl Functions {
    /// Finds the functions in this process. They are not in the stable ABI, so serow might not load
    /// if it were linked with them.
    fn find() -> Option<Functions> {
        let [get, set] = [c"PyObject_GetArenaAllocator", c"PyObject_SetArenaAllocator"]
            // SAFETY: the name is a C string.
            .map(|name| unsafe { libc::dlsym(libc::RTLD_DEFAULT, name.as_ptr()) });
        if get.is_null() || set.is_null() {
            return None;
        }
        // SAFETY: functions of these names have had these types since CPython 3.4.
        unsafe {
            let [get, set] =
                [get, set].map(|found| std::mem::transmute::<*mut c_void, Function>(found));
            Some(Functions { get, set })
        }
    }

    fn installed(self, _py: Python<'_>) -> ArenaAllocator {
        let mut found = ArenaAllocator::OURS;
        // SAFETY: the GIL is held.
        unsafe { (self.get)(&raw mut found) };
        found
    }

    fn install(self, _py: Python<'_>, mut allocator: ArenaAllocator) {
        // SAFETY: the GIL is held. CPython copies the structure.
        unsafe { (self.set)(&raw mut allocator) };
    }
}

/// Says why CPython does not make objects in arenas; `None` if it does.
fn why_no_arenas(py: Python<'_>) -> PyResult<Option<String>> {
    let sys = py.import(name!("sys"))?;
    let flags: String = sys.getattr(name!("abiflags"))?.extract()?;
    if flags.contains('t') {
        return Ok(Some("this Python has no GIL, and its memory is mimalloc's".to_owned()));
    }
    // It counts blocks in arenas.
    let blocks: i64 = sys.call_method0(name!("getallocatedblocks"))?.extract()?;
    Ok((blocks == 0).then(|| {
        "this Python does not use pymalloc; if PYTHONMALLOC chose another allocator, unset it"
            .to_owned()
    }))
}

/// Installs our allocator.
fn install(py: Python<'_>, functions: Functions) {
    let before = functions.installed(py);
    // If someone installed ours again after it was removed, it still has its own previous one.
    if before.is(&ArenaAllocator::OURS) {
        return;
    }
    let last = PREVIOUS.load(Ordering::Acquire);
    // SAFETY: what the pointer points to stays.
    if last.is_null() || !unsafe { &*last }.is(&before) {
        PREVIOUS.store(Box::into_raw(Box::new(before)), Ordering::Release);
    }
    functions.install(py, ArenaAllocator::OURS);
}

fn cannot(why: &str) -> PyErr {
    exception::<SerowError>(format!("serow cannot keep memory: {why}"))
}

/// The freed arenas. Nobody has the lock while Python code runs.
fn kept() -> PyResult<MutexGuard<'static, Kept>> {
    match KEPT.try_lock() {
        Ok(kept) => Ok(kept),
        Err(TryLockError::Poisoned(poisoned)) => Ok(poisoned.into_inner()),
        // An interpreter with another GIL allocates just now, or did when this process was forked.
        Err(TryLockError::WouldBlock) => Err(cannot("another interpreter is using it; try again")),
    }
}

#[doc = stub_doc!("retain_memory")]
#[pyfunction]
#[pyo3(signature = (bytes, /))]
pub fn retain_memory(py: Python<'_>, bytes: i64) -> PyResult<Made<usize>> {
    let bound = usize::try_from(bytes).map_err(|_| {
        exception::<PyValueError>(format!("bytes must not be negative, but is {bytes}"))
    })?;
    let functions = Functions::find().ok_or_else(|| {
        cannot("this Python lacks PyObject_GetArenaAllocator or PyObject_SetArenaAllocator")
    })?;
    let is_installed = kept()?.is_installed;
    if bound > 0
        && !is_installed
        && let Some(why) = why_no_arenas(py)?
    {
        return Err(cannot(&why));
    }
    let mut kept = kept()?;
    // SAFETY: ours was installed.
    let is_removed = kept.is_installed && functions.installed(py).is(unsafe { previous() });
    if bound > 0 && (!kept.is_installed || is_removed) {
        install(py, functions);
        kept.is_installed = true;
    }
    let before = kept.bound;
    kept.limit(bound);
    if bound == 0 && kept.is_installed {
        // SAFETY: ours was installed.
        let previous = unsafe { *previous() };
        let now = functions.installed(py);
        if now.is(&ArenaAllocator::OURS) {
            functions.install(py, previous);
        }
        // Another allocator may call ours. The previous one does not.
        kept.is_installed = !now.is(&ArenaAllocator::OURS) && !now.is(&previous);
    }
    Ok(Made(before))
}

#[doc = stub_doc!("retained_memory")]
#[pyfunction]
pub fn retained_memory() -> Made<(usize, usize)> {
    Made(kept().map_or((0, 0), |kept| (kept.bound, kept.bytes)))
}

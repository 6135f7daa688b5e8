//! Decides when plans are compiled, as `SEROW_TIER` says, for all languages.

use std::error::Error;
use std::fmt;
use std::sync::{Arc, OnceLock};

use serow_core::compiled;
use serow_core::layout::LayoutKind;
use serow_core::program::Program;

use crate::background;
use crate::cache;
use crate::conversion::Conversion;
use crate::error::CompileError;
use crate::service::{compile, find};

/// The selection of what converts rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tier {
    /// The interpreter, and compiled code once compiling pays off.
    Auto,
    /// Only the interpreter.
    Interpreter,
    /// Compiled code. Rows wait for it.
    Jit,
}

/// The error for an unknown value of `SEROW_TIER`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownTier;

impl fmt::Display for UnknownTier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SEROW_TIER must be 'auto', 'interpreter' or 'jit', or not be set")
    }
}

impl Error for UnknownTier {}

impl Tier {
    /// Returns the tier of this process. The first call reads it from the environment.
    ///
    /// # Errors
    /// [`UnknownTier`] if the environment has another value.
    pub fn of_process() -> Result<Tier, UnknownTier> {
        static TIER: OnceLock<Result<Tier, UnknownTier>> = OnceLock::new();
        *TIER.get_or_init(|| match std::env::var("SEROW_TIER") {
            Err(std::env::VarError::NotPresent) => Ok(Tier::Auto),
            Err(std::env::VarError::NotUnicode(_)) => Err(UnknownTier),
            Ok(name) => Tier::named(&name),
        })
    }

    fn named(name: &str) -> Result<Tier, UnknownTier> {
        match name {
            "" | "auto" => Ok(Tier::Auto),
            "interpreter" => Ok(Tier::Interpreter),
            "jit" => Ok(Tier::Jit),
            _ => Err(UnknownTier),
        }
    }
}

/// Returns the layouts of these kinds in this process, if code can be compiled for the pair. Called
/// on the thread that converts rows.
pub type Layouts = fn(LayoutKind, LayoutKind) -> Option<Conversion<'static>>;

/// Starts compiling plans as `tier` says.
///
/// # Safety
/// The objects in this process must match the description that `layouts` returns.
pub unsafe fn start(tier: Tier, layouts: Layouts) {
    static TIERS: OnceLock<Tiers> = OnceLock::new();
    if tier != Tier::Interpreter {
        compiled::set_compiler(TIERS.get_or_init(|| Tiers { tier, layouts }));
    }
}

/// The compiler that decides by the tier.
struct Tiers {
    tier: Tier,
    layouts: Layouts,
}

impl compiled::PlanCompiler for Tiers {
    fn begins(&self, program: &Arc<Program>, source: LayoutKind, sink: LayoutKind) {
        if self.tier == Tier::Jit
            && let Some(conversion) = (self.layouts)(source, sink)
        {
            // If this fails, the interpreter continues.
            // SAFETY: the caller of `start` promised it.
            let _ = unsafe { compile(program, &conversion) };
        }
    }

    fn is_warm(&self, program: &Arc<Program>, source: LayoutKind, sink: LayoutKind) {
        if cache::is_wanted() {
            // SAFETY: the caller of `start` promised it.
            self.in_background(program, source, sink, |program, conversion| unsafe {
                find(program, conversion).map(drop)
            });
        }
    }

    fn is_due(&self, program: &Arc<Program>, source: LayoutKind, sink: LayoutKind) {
        // SAFETY: the caller of `start` promised it.
        self.in_background(program, source, sink, |program, conversion| unsafe {
            compile(program, conversion)
        });
    }
}

impl Tiers {
    fn in_background(
        &self,
        program: &Arc<Program>,
        source: LayoutKind,
        sink: LayoutKind,
        job: fn(&Program, &Conversion<'_>) -> Result<(), CompileError>,
    ) {
        if self.tier == Tier::Auto
            && let Some(conversion) = (self.layouts)(source, sink)
        {
            // If the program is dropped before its turn, nobody needs the code.
            let program = Arc::downgrade(program);
            background::enqueue(Box::new(move || {
                if let Some(program) = program.upgrade() {
                    // If this fails, the interpreter continues.
                    let _ = job(&program, &conversion);
                }
            }));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tiers_have_names() {
        assert_eq!(Tier::named(""), Ok(Tier::Auto));
        assert_eq!(Tier::named("auto"), Ok(Tier::Auto));
        assert_eq!(Tier::named("interpreter"), Ok(Tier::Interpreter));
        assert_eq!(Tier::named("jit"), Ok(Tier::Jit));
        assert_eq!(Tier::named("JIT"), Err(UnknownTier));
    }
}

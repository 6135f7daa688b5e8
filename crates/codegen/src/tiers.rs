//! When plans are compiled: what `SEROW_TIER` says, for every language alike.

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

/// What is to convert rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tier {
    /// The interpreter, and compiled code once it pays.
    Auto,
    /// The interpreter alone.
    Interpreter,
    /// Compiled code alone: rows wait for it.
    Jit,
}

/// `SEROW_TIER` is none of the names that it can have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownTier;

impl fmt::Display for UnknownTier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SEROW_TIER must be 'auto', 'interpreter' or 'jit', or not be set")
    }
}

impl Error for UnknownTier {}

impl Tier {
    /// The tier of this process, which is read from the environment at the first call.
    ///
    /// # Errors
    /// If the environment names another.
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

/// The layouts of these kinds as they are in this process, if code can be compiled for the pair. It
/// is asked on the thread that converts rows.
pub type Layouts = fn(LayoutKind, LayoutKind) -> Option<Conversion<'static>>;

/// Have plans be compiled as `tier` says.
///
/// # Safety
/// Objects must be in this process as `layouts` describes them.
pub unsafe fn start(tier: Tier, layouts: Layouts) {
    static TIERS: OnceLock<Tiers> = OnceLock::new();
    if tier != Tier::Interpreter {
        compiled::set_compiler(TIERS.get_or_init(|| Tiers { tier, layouts }));
    }
}

/// Hears of plans that should be compiled.
struct Tiers {
    tier: Tier,
    layouts: Layouts,
}

impl compiled::PlanCompiler for Tiers {
    fn begins(&self, plan: &Arc<Program>, source: LayoutKind, sink: LayoutKind) {
        if self.tier == Tier::Jit
            && let Some(conversion) = (self.layouts)(source, sink)
        {
            // If it fails, the interpreter serves.
            // SAFETY: whoever called `start` has promised it.
            let _ = unsafe { compile(plan, &conversion) };
        }
    }

    fn is_warm(&self, plan: &Arc<Program>, source: LayoutKind, sink: LayoutKind) {
        if cache::is_wanted() {
            // SAFETY: whoever called `start` has promised it.
            self.in_background(plan, source, sink, |plan, conversion| unsafe {
                find(plan, conversion).map(drop)
            });
        }
    }

    fn is_due(&self, plan: &Arc<Program>, source: LayoutKind, sink: LayoutKind) {
        // SAFETY: whoever called `start` has promised it.
        self.in_background(plan, source, sink, |plan, conversion| unsafe {
            compile(plan, conversion)
        });
    }
}

impl Tiers {
    fn in_background(
        &self,
        plan: &Arc<Program>,
        source: LayoutKind,
        sink: LayoutKind,
        job: fn(&Program, &Conversion<'_>) -> Result<(), CompileError>,
    ) {
        if self.tier == Tier::Auto
            && let Some(conversion) = (self.layouts)(source, sink)
        {
            // Nobody needs code for a plan that is gone when its turn comes.
            let plan = Arc::downgrade(plan);
            background::enqueue(Box::new(move || {
                if let Some(plan) = plan.upgrade() {
                    // Where it fails the interpreter goes on serving.
                    let _ = job(&plan, &conversion);
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

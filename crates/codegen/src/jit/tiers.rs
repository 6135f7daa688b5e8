//! Decides when plans are compiled, as `SEROW_TIER` says, for all languages.

use std::error::Error;
use std::fmt;
use std::sync::{Arc, OnceLock};

use serow_core::compiled;
use serow_core::layout::Pair;
use serow_core::program::Program;

use crate::emit::Conversion;
use crate::error::CompileError;
use crate::jit::background;
use crate::jit::cache;
use crate::jit::service::{compile, find};

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

/// Returns the conversions that are worth compiling in this process. Called on the thread that converts
/// rows.
pub type Conversions = fn() -> &'static [Conversion<'static>];

/// Starts compiling plans as `tier` says.
///
/// # Safety
/// The objects in this process must match the descriptions in `conversions`.
pub unsafe fn start(tier: Tier, conversions: Conversions) {
    static TIERS: OnceLock<Tiers> = OnceLock::new();
    if tier != Tier::Interpreter {
        compiled::set_compiler(TIERS.get_or_init(|| Tiers { tier, conversions }));
    }
}

/// The compiler that decides by the tier.
struct Tiers {
    tier: Tier,
    conversions: Conversions,
}

impl compiled::PlanCompiler for Tiers {
    fn begins(&self, program: &Arc<Program>, pair: Pair) {
        if self.tier == Tier::Jit
            && let Some(conversion) = self.conversion(pair)
        {
            // If this fails, the interpreter continues.
            // SAFETY: the caller of `start` promised it.
            let _ = unsafe { compile(program, conversion) };
        }
    }

    fn is_warm(&self, program: &Arc<Program>, pair: Pair) {
        if cache::is_wanted() {
            // SAFETY: the caller of `start` promised it.
            self.in_background(program, pair, |program, conversion| unsafe {
                find(program, conversion).map(drop)
            });
        }
    }

    fn is_due(&self, program: &Arc<Program>, pair: Pair) {
        // SAFETY: the caller of `start` promised it.
        self.in_background(program, pair, |program, conversion| unsafe {
            compile(program, conversion)
        });
    }
}

impl Tiers {
    fn conversion(&self, pair: Pair) -> Option<&'static Conversion<'static>> {
        (self.conversions)().iter().find(|conversion| conversion.kinds() == pair)
    }

    fn in_background(
        &self,
        program: &Arc<Program>,
        pair: Pair,
        job: fn(&Program, &Conversion<'_>) -> Result<(), CompileError>,
    ) {
        if self.tier == Tier::Auto
            && let Some(conversion) = self.conversion(pair)
        {
            // If the program is dropped before its turn, nobody needs the code.
            let program = Arc::downgrade(program);
            background::enqueue(Box::new(move || {
                if let Some(program) = program.upgrade() {
                    // If this fails, the interpreter continues.
                    let _ = job(&program, conversion);
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

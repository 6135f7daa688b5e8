//! Decides when plans are compiled, as `SEROW_TIER` says, for all languages.

use std::sync::{Arc, OnceLock};

use serow_core::compiled::{self, Tier};
use serow_core::layout::Pair;
use serow_core::program::Program;

use crate::emit::Conversion;
use crate::error::CompileError;
use crate::jit::background;
use crate::jit::cache;
use crate::jit::service::{compile, find};

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
                find(program, conversion)
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

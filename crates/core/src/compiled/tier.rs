//! What `SEROW_TIER` says.

use std::error::Error;
use std::fmt;
use std::sync::OnceLock;

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

//! A library without the compiler: everything is interpreted.

use serow_core::compiled::Tier;
use serow_core::program::Program;
use serow_core::wire::message::Wire;

const MISSING: &str = "this build of serow has no compiler; its feature `jit` is off";

pub fn start(_tier: Tier) {}

pub fn stop() {}

pub fn compile(_program: &Program, _wire: Wire) -> Result<(), &'static str> {
    Ok(())
}

pub fn ir(_program: &Program, _wire: Wire) -> Result<String, &'static str> {
    Err(MISSING)
}

pub fn self_test() -> Result<String, &'static str> {
    Err(MISSING)
}

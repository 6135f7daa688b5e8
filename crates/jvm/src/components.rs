//! Checks the components of values in a frame.
//!
//! Java makes objects of components and relies on their validity, which only [`Logical::check`]
//! defines. This module checks all values of a frame at once, before Java sees any. If one is
//! invalid, Java walks the frame to find the row and the field, and checks one value at a time.

use jni::objects::{JByteArray, JLongArray};
use jni::sys::jint;
use serow_core::error::Fault;
use serow_core::plan::{ComponentColumns, Op, Plan};
use serow_core::schema::Logical;
use serow_core::schema::logical::MAX_INTS;
use serow_core::{Error, ErrorKind, Result};

use crate::env::Env;
use crate::view::View;

/// Whether all components in a block of this plan's columns are valid.
pub fn are_right(plan: &Plan, block: View<'_>) -> bool {
    plan.ops.iter().all(|op| match *op {
        Op::Logical { ty, to, .. } => are_of(ty, to, plan, block),
        _ => true,
    })
}

fn are_of(ty: Logical, at: ComponentColumns, plan: &Plan, block: View<'_>) -> bool {
    if ty.takes_any_components() {
        return true;
    }
    let counts = ty.counts();
    let strs = plan.to.columns.ints + plan.to.columns.floats;
    let ints: [Option<&[i64]>; MAX_INTS] =
        std::array::from_fn(|i| (i < counts.ints).then(|| block.ints(at.int as usize + i)));
    let bytes = (counts.bytes > 0).then(|| block.strings((strs + at.str) as usize));
    // Each of these columns has one component per value. All floats are valid.
    let values = ints[0].map(<[i64]>::len).or(bytes.map(|column| column.values()));
    // Most decimals and integers have no bytes.
    let bytes = bytes.filter(|column| !column.are_empty());
    (0..values.unwrap_or(0)).all(|value| {
        let ints = ints.map(|column| column.map_or(0, |column| column[value]));
        ty.check(&ints, bytes.map_or(&[], |column| column.get(value))).is_ok()
    })
}

fn check(code: jint, ints: &[i64], bytes: &[u8]) -> Result<()> {
    let ty = u32::try_from(code).ok().and_then(Logical::of_code);
    let (Some(ty), Ok(ints)) = (ty, ints.try_into()) else {
        return Err(Error::schema("the type has no components"));
    };
    ty.check(ints, bytes).map_err(|fault| match fault {
        Fault::Limit(what) => Error::limit(what),
        _ => fault.into_error(ErrorKind::Decode, "its components are not a valid value"),
    })
}

pub fn check_parts<'l>(
    env: &Env<'l>,
    code: jint,
    ints: JLongArray<'l>,
    bytes: JByteArray<'l>,
    length: jint,
) -> Result<()> {
    let (mut components, mut text) = (Vec::new(), Vec::new());
    env.read_longs(&ints, MAX_INTS, &mut components)?;
    env.read_bytes(&bytes, 0, length as usize, &mut text)?;
    check(code, &components, &text)
}

//! Checks the components of values in a frame.
//!
//! Java makes objects of components and relies on their validity, which only [`Logical::check`]
//! defines. This module checks all values of a frame at once, before Java sees any. If one is
//! invalid, Java checks each value that it reads, so that its error names the row and the field.

use serow_core::plan::{ComponentColumns, Op, Plan};
use serow_core::schema::Logical;
use serow_core::schema::logical::MAX_INTS;

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

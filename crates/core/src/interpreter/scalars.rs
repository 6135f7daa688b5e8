//! Runs of scalars: several fields, or the elements of a sequence, in one inner loop.

use super::PlanCursor;
use crate::layout::{OpResult, Sink, Source};
use crate::plan::Op;

macro_rules! run {
    ($name:ident) => {
        /// Converts `count` fields from columns `from` and following to columns `to` and following.
        /// On an error, sets `field` to the failing field.
        #[inline(always)]
        pub(super) fn $name<S: Source, K: Sink>(
            source: &mut S,
            sink: &mut K,
            from: u32,
            to: u32,
            count: u32,
            field: &mut usize,
        ) -> OpResult {
            for i in 0..count {
                let done = match source.$name(from + i) {
                    Ok(v) => sink.$name(to + i, v),
                    Err(fault) => Err(fault),
                };
                if let Err(fault) = done {
                    *field = i as usize;
                    return Err(fault);
                }
            }
            Ok(())
        }
    };
}

run!(i64);
run!(f64);
run!(str);
run!(bool);

/// Converts `count` nulls.
#[inline(always)]
pub(super) fn null<S: Source, K: Sink>(
    source: &mut S,
    sink: &mut K,
    count: u32,
    field: &mut usize,
) -> OpResult {
    for i in 0..count {
        if let Err(fault) = source.null().and_then(|()| sink.null()) {
            *field = i as usize;
            return Err(fault);
        }
    }
    Ok(())
}

/// If `body` is a scalar, converts the `len` elements of a sequence with this body and returns
/// true. On an error, tells `cursor` the failing element.
#[inline(always)]
pub(super) fn elements<S: Source, K: Sink>(
    source: &mut S,
    sink: &mut K,
    body: Op,
    len: usize,
    cursor: &mut PlanCursor<'_>,
) -> OpResult<bool> {
    macro_rules! elements {
        ($name:ident, $from:expr, $to:expr) => {
            for i in 0..len {
                let done = match source.$name($from) {
                    Ok(v) => sink.$name($to, v),
                    Err(fault) => Err(fault),
                };
                if let Err(fault) = done {
                    cursor.fail_in_scalar(i);
                    return Err(fault);
                }
            }
        };
    }
    match body {
        Op::I64 { from, to, .. } => elements!(i64, from, to),
        Op::F64 { from, to, .. } => elements!(f64, from, to),
        Op::Str { from, to, .. } => elements!(str, from, to),
        Op::Bool { from, to, .. } => elements!(bool, from, to),
        Op::Null { .. } => {
            for i in 0..len {
                if let Err(fault) = source.null().and_then(|()| sink.null()) {
                    cursor.fail_in_scalar(i);
                    return Err(fault);
                }
            }
        }
        _ => return Ok(false),
    }
    Ok(true)
}

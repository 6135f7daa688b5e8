//! Runs of scalars: several fields, or the elements of a sequence, in one inner loop.

use crate::layout::{OpResult, Sink, Source};
use crate::plan::{Op, bounds};

macro_rules! run {
    ($name:ident) => {
        /// `count` fields into columns from `first`; on an error `field` is the field at fault.
        #[inline(always)]
        pub(super) fn $name<S: Source, K: Sink>(
            source: &mut S,
            sink: &mut K,
            first: u32,
            count: u32,
            field: &mut usize,
        ) -> OpResult {
            for column in first..first + count {
                let done = match source.$name(column) {
                    Ok(v) => sink.$name(column, v),
                    Err(fault) => Err(fault),
                };
                if let Err(fault) = done {
                    *field = (column - first) as usize;
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

/// `count` nulls.
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

/// The `len` elements of a sequence whose body is `body`, if that is a scalar, and whether it is;
/// on an error `inner` is the element at fault.
#[inline(always)]
pub(super) fn elements<S: Source, K: Sink>(
    source: &mut S,
    sink: &mut K,
    body: Op,
    len: usize,
    inner: &mut Option<usize>,
) -> OpResult<bool> {
    macro_rules! elements {
        ($name:ident, $column:expr, $bound:expr) => {
            for i in 0..len {
                let done = match source.$name($column) {
                    Ok(v) => sink.element($bound).and_then(|()| sink.$name($column, v)),
                    Err(fault) => Err(fault),
                };
                if let Err(fault) = done {
                    *inner = Some(i);
                    return Err(fault);
                }
            }
        };
    }
    match body {
        Op::I64 { first, .. } => elements!(i64, first, bounds::INT),
        Op::F64 { first, .. } => elements!(f64, first, bounds::FLOAT),
        Op::Str { first, .. } => elements!(str, first, bounds::STR),
        Op::Bool { first, .. } => elements!(bool, first, bounds::BIT),
        Op::Null { .. } => {
            for i in 0..len {
                if let Err(fault) = source.null().and_then(|()| sink.null()) {
                    *inner = Some(i);
                    return Err(fault);
                }
            }
        }
        _ => return Ok(false),
    }
    Ok(true)
}

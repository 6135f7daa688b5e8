//! Numbers of one type that are read as numbers of another.

use crate::error::{Fault, Misfit};
use crate::layout::{Components, OpResult, Sink, Source, Text};
use crate::number::{Int, IntBytes, Number, exact};
use crate::plan::ComponentColumns;
use crate::schema::Logical;

/// A number on its way.
#[derive(Clone, Copy)]
pub(super) enum Moved {
    Int(i128),
    /// An integer of more than 128 bits.
    Large,
    Float(f64),
}

/// Reads a number of the type `of`.
pub(super) fn read<S: Source>(source: &mut S, of: Number, at: ComponentColumns) -> OpResult<Moved> {
    let Some(ty) = of.logical() else {
        return Ok(match of {
            Number::F64 => Moved::Float(source.f64(at.float)?),
            _ => Moved::Int(source.i64(at.int)?.into()),
        });
    };
    let components = source.logical(ty, at)?;
    Ok(match (of, components.bytes) {
        (Number::F32, _) => Moved::Float(components.floats[0]),
        (Number::Int, Text::Plain(bytes)) if !bytes.bytes().is_empty() => {
            ty.check(&components.ints, bytes.bytes())?;
            match Int::of_bytes(bytes.bytes()) {
                Some(Int::U64(v)) => Moved::Int(v.into()),
                Some(Int::I128(v)) => Moved::Int(v),
                _ => Moved::Large,
            }
        }
        (Number::Int, Text::Entry(_)) => {
            return Err(Fault::Corrupt("a dictionary has another encoding than its column"));
        }
        _ => Moved::Int(of.int_of(components.ints[0])),
    })
}

/// Writes a number as one of the type `of`.
pub(super) fn write<K: Sink>(
    sink: &mut K,
    of: Number,
    at: ComponentColumns,
    number: Moved,
) -> OpResult {
    match (of, number) {
        (Number::F64, number) => sink.f64(at.float, float_of(number, of)?),
        (Number::F32, number) => {
            let float = float_of(number, of)?;
            if exact(float).is_none() {
                return Err(Fault::OtherNumber(Misfit::float(float, of)));
            }
            let floats = [float, 0.0];
            sink.logical(Logical::F32, at, Components { floats, ..Components::default() })
        }
        (_, Moved::Int(v)) if of.holds(v) => match (of.logical(), i64::try_from(v)) {
            (None, _) => sink.i64(at.int, v as i64),
            (Some(Logical::Int), Ok(v)) => sink.int_of_i64(at, v),
            (Some(Logical::Int), Err(_)) => {
                let bytes = IntBytes::of_i128(v);
                let bytes = Text::plain(bytes.as_bytes());
                sink.logical(Logical::Int, at, Components { bytes, ..Components::default() })
            }
            (Some(ty), _) => {
                let ints = [v as i64, 0, 0];
                sink.logical(ty, at, Components { ints, ..Components::default() })
            }
        },
        (_, Moved::Int(v)) => Err(Fault::OtherNumber(Misfit::int(v, of))),
        (_, Moved::Large | Moved::Float(_)) => Err(Fault::OtherNumber(Misfit::int(i128::MAX, of))),
    }
}

/// Returns the float that equals a number, if it is a float or an integer of those that all are.
fn float_of(number: Moved, of: Number) -> OpResult<f64> {
    match number {
        Moved::Float(v) => Ok(v),
        Moved::Int(v) if of.holds(v) => Ok(v as f64),
        Moved::Int(v) => Err(Fault::OtherNumber(Misfit::int(v, of))),
        Moved::Large => Err(Fault::OtherNumber(Misfit::int(i128::MAX, of))),
    }
}

/// Returns the 64-bit float that equals `v`.
pub(super) fn float_of_i64(v: i64) -> OpResult<f64> {
    float_of(Moved::Int(v.into()), Number::F64)
}

//! Instructions that write to the sink without reading from the source.

use crate::layout::{Components, OpResult, Sink, Text};
use crate::plan::SinkCall;

/// Carries out `write` on `sink`.
pub(super) fn write<K: Sink>(sink: &mut K, write: &SinkCall) -> OpResult {
    match write {
        SinkCall::Field { index } => sink.field(*index),
        SinkCall::Default => sink.default_field(),
        SinkCall::Present { to } => sink.present(*to),
        SinkCall::Absent { to } => sink.absent(*to),
        SinkCall::HasField { to } => sink.has_field(*to),
        SinkCall::LacksField { to } => sink.lacks_field(*to),
        SinkCall::Arm { to, arm } => sink.arm(*to, *arm as usize),
        SinkCall::I64 { to, v } => sink.i64(*to, *v),
        SinkCall::F64 { to, bits } => sink.f64(*to, f64::from_bits(*bits)),
        SinkCall::Str { to, text } => sink.str(*to, Text::checked(text.as_bytes())),
        SinkCall::Bool { to, v } => sink.bool(*to, *v),
        SinkCall::Null => sink.null(),
        SinkCall::Logical { ty, to, components: constant } => {
            let mut components = Components::default();
            components.ints[..constant.ints.len()].copy_from_slice(&constant.ints);
            for (part, &bits) in components.floats.iter_mut().zip(&constant.floats) {
                *part = f64::from_bits(bits);
            }
            components.bytes = Text::checked(&constant.bytes);
            sink.logical(*ty, *to, components)
        }
        SinkCall::Member { table, to, index } => sink.member(*table, *to, *index),
        SinkCall::Enter { container, len, acyclic } => sink.enter(*container, *len, *acyclic),
        SinkCall::Sequence { container, to, len, acyclic } => {
            sink.sequence(*container, *to, *len as usize, *acyclic)
        }
        SinkCall::Leave => sink.leave(),
    }
}

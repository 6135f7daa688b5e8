//! Instructions that write to the sink without reading from the source.

use crate::layout::{Components, OpResult, Sink, Text};
use crate::plan::Write;

/// Carries out `write` on `sink`.
pub(super) fn write<K: Sink>(sink: &mut K, write: &Write) -> OpResult {
    match write {
        Write::Field { index } => sink.field(*index),
        Write::Default => sink.default_field(),
        Write::Present { to } => sink.present(*to),
        Write::Absent { to } => sink.absent(*to),
        Write::HasField { to } => sink.has_field(*to),
        Write::LacksField { to } => sink.lacks_field(*to),
        Write::Arm { to, arm } => sink.arm(*to, *arm as usize),
        Write::I64 { to, v } => sink.i64(*to, *v),
        Write::F64 { to, bits } => sink.f64(*to, f64::from_bits(*bits)),
        Write::Str { to, text } => sink.str(*to, Text::checked(text.as_bytes())),
        Write::Bool { to, v } => sink.bool(*to, *v),
        Write::Null => sink.null(),
        Write::Logical { ty, to, components: constant } => {
            let mut components = Components::default();
            components.ints[..constant.ints.len()].copy_from_slice(&constant.ints);
            for (part, &bits) in components.floats.iter_mut().zip(&constant.floats) {
                *part = f64::from_bits(bits);
            }
            components.bytes = Text::checked(&constant.bytes);
            sink.logical(*ty, *to, components)
        }
        Write::Member { table, to, index } => sink.member(*table, *to, *index),
        Write::Enter { container, len, acyclic } => sink.enter(*container, *len, *acyclic),
        Write::Sequence { container, to, len, acyclic } => {
            sink.sequence(*container, *to, *len as usize, *acyclic)
        }
        Write::Element { bound } => sink.element(*bound as usize),
        Write::Leave => sink.leave(),
    }
}

//! What a frame has, without its rows.

use super::parse_columns;
use crate::error::Result;
use crate::explain::explain_frame;
use crate::layout::discard::Discard;
use crate::plan::{Column, ColumnCounts, Numbered, number};
use crate::schema::{Type, Word};
use crate::wire::frame;
use crate::wire::message::{RawFrame, Wire};

/// What the columns of a field of the rows take in a frame.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FieldInfo {
    /// The name of the field, its number in a tuple, or nothing if rows have no fields.
    pub name: String,
    /// The bytes of its columns, without compression.
    pub bytes: usize,
    /// The rows in which it is null or missing.
    pub nulls: usize,
    /// The encodings of its columns, each once.
    pub encodings: Vec<&'static str>,
}

/// Describes the fields of a frame's rows, in their order; none of records, which have no columns.
///
/// # Errors
/// A decode error if the columns are damaged.
pub fn fields_of(raw: &RawFrame<'_>) -> Result<Vec<FieldInfo>> {
    if raw.wire == Wire::Row {
        return Ok(Vec::new());
    }
    let set = parse_columns(raw, &mut Discard::new(()))?;
    let chunks =
        frame::chunks(&raw.program, raw.body()).map_err(|fault| explain_frame(raw, fault))?;
    let root = number(raw.program.from.schema.root());
    let parts: &[Numbered<'_>] = match root.ty {
        Type::Struct(_) | Type::Fixed(..) => &root.within,
        _ => std::slice::from_ref(&root),
    };
    let mut fields: Vec<FieldInfo> = parts
        .iter()
        .enumerate()
        .map(|(at, part)| {
            let ones = |bit: u32| set.bits[bit as usize].ones();
            let there = part.maybe.map_or(set.rows, ones);
            let present = match part.ty {
                Type::Optional(_) => ones(part.first.bits),
                Type::Null => 0,
                _ => there,
            };
            let name = match root.ty {
                Type::Struct(of) => Word(&of.names.fields[at]).to_string(),
                Type::Fixed(..) => at.to_string(),
                _ => String::new(),
            };
            FieldInfo { name, nulls: set.rows - present, ..FieldInfo::default() }
        })
        .collect();
    for (&column, chunk) in raw.program.from.order.iter().zip(chunks) {
        let is_before = |part: &Numbered<'_>| {
            let ColumnCounts { ints, floats, strs, bits } = part.first;
            match column {
                Column::Int(i) => ints <= i,
                Column::Float(i) => floats <= i,
                Column::Str(i) => strs <= i,
                Column::Bit(i) => part.maybe.unwrap_or(bits) <= i,
            }
        };
        let of = parts.partition_point(is_before).saturating_sub(1);
        let Some(field) = fields.get_mut(of) else { continue };
        field.bytes += chunk.bytes;
        let encoding = chunk.encoding_of(column);
        if !field.encodings.contains(&encoding) {
            field.encodings.push(encoding);
        }
    }
    Ok(fields)
}

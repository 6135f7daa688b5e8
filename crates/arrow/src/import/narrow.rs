//! The type of the rows of some batches.
//!
//! Fields of Arrow are nullable unless somebody says otherwise, and most have no null. So the rows have
//! the type without the optionals that have no null validity: a reader that expects none gets them. A null
//! below a null is none of its element: only the slots that a row has are looked at.

use std::sync::Arc;

use arrow_array::ArrayRef;
use arrow_array::cast::AsArray;
use serow_core::schema::{Field, Struct, Type};

use super::Read;
use super::places::{elements, may_have_null, present, resolved};
use crate::slots::Selection;
use crate::types;

/// An array and the slots of it that count.
type Selected<'a> = (&'a ArrayRef, &'a Selection);

/// The type of the values of `arrays`, which are of `ty`.
pub fn narrowed(ty: &Type, arrays: &[Selected<'_>]) -> Read<Type> {
    let arrays = arrays.iter().copied().filter(|(array, _)| may_have_null(array));
    let arrays: Vec<Selected<'_>> = arrays.collect();
    if let Type::Optional(inner) = ty {
        let validity = arrays.iter().map(|(array, selection)| present(array, selection));
        let validity = validity.collect::<Read<Vec<_>>>()?;
        let with_value = arrays.iter().zip(&validity).map(|((array, selection), validity)| {
            (*array, validity.as_ref().map_or(*selection, |validity| &validity.selection))
        });
        let inner = narrowed(inner, &with_value.collect::<Vec<_>>())?;
        let has_null = validity.iter().flatten().any(|validity| validity.bits.contains(&0));
        return Ok(if has_null { Type::optional(inner) } else { inner });
    }
    if !matches!(ty, Type::Sequence(..) | Type::Map(..) | Type::Fixed(..) | Type::Struct(_)) {
        return Ok(ty.clone());
    }
    let mut values = Vec::with_capacity(arrays.len());
    for (array, selection) in arrays {
        let of = resolved(array, selection)?.unwrap_or_else(|| (array.clone(), selection.clone()));
        values.push(match ty {
            Type::Fixed(..) | Type::Struct(_) => of,
            _ => match elements(&of.0, &of.1, |_| Ok(()))? {
                Some(elements) => (elements.values, elements.selection),
                None => return Ok(ty.clone()),
            },
        });
    }
    let values: Vec<Selected<'_>> =
        values.iter().map(|(array, selection)| (array, selection)).collect();
    match ty {
        Type::Sequence(container, element) => {
            Ok(Type::Sequence(*container, narrowed(element, &values)?.into()))
        }
        Type::Map(key, value) => match children(&values) {
            Some(entries) => Ok(Type::Map(
                narrowed(key, &column(&entries, 0))?.into(),
                narrowed(value, &column(&entries, 1))?.into(),
            )),
            None => Ok(ty.clone()),
        },
        _ => match children(&values) {
            Some(columns) => narrowed_children(ty, &columns, "field"),
            None => Ok(ty.clone()),
        },
    }
}

/// The children of structs, and the slots of them that count.
type Columns<'a> = (&'a [ArrayRef], &'a Selection);

fn children<'a>(arrays: &[Selected<'a>]) -> Option<Vec<Columns<'a>>> {
    arrays
        .iter()
        .map(|(array, selection)| Some((array.as_struct_opt()?.columns(), *selection)))
        .collect()
}

/// The child `i` of structs; none of a struct that lacks it.
fn column<'a>(structs: &[Columns<'a>], i: usize) -> Vec<Selected<'a>> {
    structs.iter().filter_map(|(columns, selection)| Some((columns.get(i)?, *selection))).collect()
}

/// The type of structs of `ty`, which have these children. Errors call them `what`, with their names.
pub fn narrowed_children(ty: &Type, structs: &[Columns<'_>], what: &str) -> Read<Type> {
    let columns = types::children(ty);
    let mut parts = columns.iter().enumerate().filter(|(_, column)| column.holds.needs_part());
    let mut part = |ty: &Type, maybe: bool| match parts.next() {
        Some((i, of)) if !maybe => {
            narrowed(ty, &column(structs, i)).map_err(|why| why.within(what, &of.name))
        }
        _ => Ok(ty.clone()),
    };
    Ok(match ty {
        Type::Fixed(container, types) => {
            let types = types.iter().map(|ty| part(ty, false));
            Type::Fixed(*container, types.collect::<Read<_>>()?)
        }
        Type::Struct(of) => {
            let fields = of
                .fields
                .iter()
                .map(|field| Ok(Field { ty: part(&field.ty, field.maybe)?, maybe: field.maybe }));
            let fields = fields.collect::<Read<_>>()?;
            Type::Struct(Arc::new(Struct { names: of.names.clone(), fields }))
        }
        _ => ty.clone(),
    })
}

//! The type of the rows of one batch.
//!
//! Fields of Arrow are nullable unless somebody says otherwise, and most have no null. So a batch's rows
//! have the type without the optionals that have no null there: a reader that expects none gets them.

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef};
use arrow_schema::DataType;
use serow_core::schema::{Field, Struct, Type};

use crate::types;

/// The type of the values of `array`, which are of `ty`.
pub fn narrowed(ty: &Type, array: &ArrayRef) -> Type {
    match ty {
        Type::Optional(inner) => match array.logical_nulls() {
            Some(nulls) if nulls.null_count() > 0 => Type::optional(narrowed(inner, array)),
            _ => narrowed(inner, array),
        },
        Type::Sequence(container, element) => {
            let values = match array.data_type() {
                DataType::List(_) => array.as_list::<i32>().values(),
                DataType::LargeList(_) => array.as_list::<i64>().values(),
                DataType::FixedSizeList(..) => array.as_fixed_size_list().values(),
                _ => return ty.clone(),
            };
            Type::Sequence(*container, narrowed(element, values).into())
        }
        Type::Map(key, value) => match array.as_map_opt() {
            Some(map) => Type::Map(key.clone(), narrowed(value, map.values()).into()),
            None => ty.clone(),
        },
        Type::Fixed(..) | Type::Struct(_) => match array.as_struct_opt() {
            Some(of) => narrowed_children(ty, of.columns()),
            None => ty.clone(),
        },
        _ => ty.clone(),
    }
}

/// The type of structs of `ty` whose children are these.
pub fn narrowed_children(ty: &Type, arrays: &[ArrayRef]) -> Type {
    let columns = types::children(ty);
    let mut parts = columns.iter().zip(arrays).filter(|(column, _)| column.holds.needs_part());
    let mut part = |ty: &Type, maybe: bool| match parts.next() {
        Some((_, array)) if !maybe => narrowed(ty, array),
        _ => ty.clone(),
    };
    match ty {
        Type::Fixed(container, types) => {
            Type::Fixed(*container, types.iter().map(|ty| part(ty, false)).collect())
        }
        Type::Struct(of) => {
            let fields = of
                .fields
                .iter()
                .map(|field| Field { ty: part(&field.ty, field.maybe), maybe: field.maybe });
            Type::Struct(Arc::new(Struct { names: of.names.clone(), fields: fields.collect() }))
        }
        _ => ty.clone(),
    }
}

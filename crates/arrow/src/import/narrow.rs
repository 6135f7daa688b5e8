//! The type of the rows of some batches.
//!
//! Fields of Arrow are nullable unless somebody says otherwise, and most have no null. So the rows have
//! the type without the optionals that have no null there: a reader that expects none gets them.

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef};
use arrow_schema::DataType;
use serow_core::schema::{Field, Struct, Type};

use crate::types;

/// The type of the values of `arrays`, which are of `ty`.
pub fn narrowed(ty: &Type, arrays: &[&ArrayRef]) -> Type {
    match ty {
        Type::Optional(inner) => {
            let has_null = |array: &&ArrayRef| {
                array.logical_nulls().is_some_and(|nulls| nulls.null_count() > 0)
            };
            match arrays.iter().any(has_null) {
                true => Type::optional(narrowed(inner, arrays)),
                false => narrowed(inner, arrays),
            }
        }
        Type::Sequence(container, element) => match within(arrays, elements) {
            Some(values) => Type::Sequence(*container, narrowed(element, &values).into()),
            None => ty.clone(),
        },
        Type::Map(key, value) => match within(arrays, |array| Some(array.as_map_opt()?.values())) {
            Some(values) => Type::Map(key.clone(), narrowed(value, &values).into()),
            None => ty.clone(),
        },
        Type::Fixed(..) | Type::Struct(_) => {
            match within(arrays, |array| Some(array.as_struct_opt()?.columns())) {
                Some(columns) => narrowed_children(ty, &columns),
                None => ty.clone(),
            }
        }
        _ => ty.clone(),
    }
}

/// What is within each of the arrays, if each has that.
fn within<'a, T>(
    arrays: &[&'a ArrayRef],
    within: impl Fn(&'a ArrayRef) -> Option<T>,
) -> Option<Vec<T>> {
    arrays.iter().map(|array| within(array)).collect()
}

/// The elements of all lists of an array.
fn elements(array: &ArrayRef) -> Option<&ArrayRef> {
    match array.data_type() {
        DataType::List(_) => Some(array.as_list::<i32>().values()),
        DataType::LargeList(_) => Some(array.as_list::<i64>().values()),
        DataType::FixedSizeList(..) => Some(array.as_fixed_size_list().values()),
        _ => None,
    }
}

/// The type of structs of `ty`. `arrays` has the children of each array of them.
pub fn narrowed_children(ty: &Type, arrays: &[&[ArrayRef]]) -> Type {
    let columns = types::children(ty);
    let mut parts = columns.iter().enumerate().filter(|(_, column)| column.holds.needs_part());
    let mut part = |ty: &Type, maybe: bool| match parts.next() {
        Some((i, _)) if !maybe => {
            let of_part: Option<Vec<&ArrayRef>> = arrays.iter().map(|of| of.get(i)).collect();
            of_part.map_or_else(|| ty.clone(), |arrays| narrowed(ty, &arrays))
        }
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

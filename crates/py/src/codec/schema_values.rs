//! The values of `serow.types`, and what `Schema.compare` gives.

use crate::made::{self, Calls, Made, Make as _, name};
use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple};
use serow_core::plan::{Change, Comparison};
use serow_core::schema::{Container, MemberValue, Open, Type};

/// The module `serow.types`.
///
/// # Errors
/// Those of an import.
pub fn types(py: Python<'_>) -> PyResult<Bound<'_, PyModule>> {
    py.import(name!("serow.types"))
}

/// The value for a type. Schemas nest less deep than the stack allows.
///
/// # Errors
/// A `MemoryError`, or an error of the module.
pub fn value<'py>(types: &Bound<'py, PyModule>, ty: &Type) -> PyResult<Bound<'py, PyAny>> {
    let py = types.py();
    let inner = |ty: &Type| value(types, ty);
    let all = |of: &[Type]| -> PyResult<Bound<'py, PyList>> {
        made::list(py, of.iter().map(inner).collect::<PyResult<Vec<_>>>()?)
    };
    let class = |name: &str| types.getattr(made::text(py, name)?);
    match ty {
        Type::Optional(of) => class("Optional")?.call_with((inner(of)?,)),
        Type::Union(arms) => class("Union")?.call_with((all(arms)?,)),
        Type::Fixed(Container::List, items) => class("FixedList")?.call_with((all(items)?,)),
        Type::Fixed(_, items) => class("Tuple")?.call_with((all(items)?,)),
        Type::Sequence(container, element) => {
            let name = match container {
                Container::Tuple => "VariadicTuple",
                Container::Set => "Set",
                Container::FrozenSet => "FrozenSet",
                _ => "List",
            };
            class(name)?.call_with((inner(element)?,))
        }
        Type::Map(key, value) => class("Map")?.call_with((inner(key)?, inner(value)?)),
        Type::Struct(of) => {
            let field = class("Field")?;
            let fields =
                of.named().map(|(name, of)| field.call_with((&**name, inner(&of.ty)?, of.maybe)));
            let fields = made::list(py, fields.collect::<PyResult<Vec<_>>>()?)?;
            match &of.names.name {
                Some(name) => class("Record")?.call_with((&**name, fields)),
                None => class("Dict")?.call_with((fields,)),
            }
        }
        Type::Enum(of) => {
            let members = made::list(py, of.members.iter().map(|name| &**name))?;
            let values: Option<Vec<Bound<'py, PyAny>>> = of
                .values
                .count()
                .map(|count| {
                    let given = (0..count).filter_map(|at| of.values.get(at));
                    given
                        .map(|value| match value {
                            MemberValue::Int(value) => value.make(py),
                            MemberValue::Str(value) => value.make(py),
                        })
                        .collect::<PyResult<Vec<_>>>()
                })
                .transpose()?;
            class("Enum")?.call_with((&*of.name, members, values))
        }
        Type::Open(Open::Struct(index)) => class("Same")?.call_with((*index,)),
        Type::Never
        | Type::Null
        | Type::Bool
        | Type::I64
        | Type::F64
        | Type::Str
        | Type::Open(Open::Any)
        | Type::Logical(_) => class("_SCALARS")?.get_item(Made(ty.to_string())),
    }
}

/// The changes and the warnings of a comparison, for `serow._comparing`.
///
/// # Errors
/// As for [`value`].
pub fn changes<'py>(
    py: Python<'py>,
    comparison: &Comparison,
) -> PyResult<(Bound<'py, PyTuple>, Bound<'py, PyTuple>)> {
    let types = types(py)?;
    let class = py.import(name!("serow._comparing"))?.getattr(name!("Change"))?;
    let change = |change: &Change| {
        let of = |ty: &Option<Type>| ty.as_ref().map(|ty| value(&types, ty)).transpose();
        class.call_with((
            &*change.path,
            change.kind.name(),
            of(&change.writer)?,
            of(&change.reader)?,
            &*change.reason,
            change.may_fail,
        ))
    };
    let changes = comparison.changes.iter().map(change).collect::<PyResult<Vec<_>>>()?;
    Ok((made::tuple(py, changes)?, made::tuple(py, &comparison.warnings)?))
}

//! Says how to make a value fit the type that a schema declares at its place.

use crate::made::name;
use pyo3::prelude::*;
use serow_core::schema::{Container, Logical, Type};

/// Integers with fewer digits are shown as the float to write in their place.
const SHOWN_DIGITS: usize = 15;

/// What to do about `value`, which has another type than the `expected` one. `None` if nothing is
/// known about the pair, or if `expected` has several types.
pub fn advice(value: &Bound<'_, PyAny>, expected: &Type) -> Option<String> {
    let expected = match expected {
        Type::Optional(inner) if !value.is_none() => inner,
        other => other,
    };
    let class = value.get_type().fully_qualified_name().ok()?.to_string();
    let advice = match (class.as_str(), expected) {
        ("NoneType", _) => {
            "the schema allows no null here; write `?` after the type, or annotate T | None"
        }
        (_, Type::Union(_)) => {
            "the union has no type for it; convert it, or add its type to the union"
        }
        (_, Type::Never | Type::Optional(_)) => return None,
        (_, Type::Null) => "the schema allows only null here; name the type too",
        ("int", Type::F64) => return Some(as_float(value)),
        // A sink may have fewer bits, and says so itself.
        ("int", Type::I64) if value.extract::<i64>().is_ok() => return None,
        ("int", Type::I64) => {
            "an i64 has 64 bits; write `int` in the schema, or annotate \
             Annotated[int, Schema.parse(\"int\")]"
        }
        ("float", Type::I64 | Type::Logical(Logical::Int))
            if !value.extract().is_ok_and(f64::is_finite) =>
        {
            "no int equals it; annotate int | float"
        }
        ("float", Type::I64 | Type::Logical(Logical::Int)) => {
            "use int(value), or annotate int | float"
        }
        ("str" | "bool" | "decimal.Decimal", Type::I64 | Type::Logical(Logical::Int)) => {
            "use int(value)"
        }
        ("float" | "str" | "bool" | "decimal.Decimal", Type::Logical(ty))
            if ty.sized_int().is_some() =>
        {
            "use int(value)"
        }
        ("str" | "bool" | "decimal.Decimal", Type::F64) => "use float(value)",
        ("int", Type::Bool) => "use bool(value)",
        ("int" | "str", Type::Logical(Logical::Decimal)) => "use Decimal(value)",
        ("float", Type::Logical(Logical::Decimal)) => {
            "use Decimal(value), or Decimal(str(value)) for the digits that are shown"
        }
        ("bytes" | "bytearray", Type::Str) => "use value.decode()",
        ("str", Type::Logical(Logical::Bytes)) => "use value.encode()",
        ("bytearray", Type::Logical(Logical::Bytes)) => "use bytes(value)",
        ("bytes", Type::Logical(Logical::ByteArray)) => "use bytearray(value)",
        ("int" | "float" | "bool" | "decimal.Decimal" | "uuid.UUID", Type::Str) => "use str(value)",
        ("datetime.date" | "datetime.datetime" | "datetime.time", Type::Str) => {
            "use value.isoformat()"
        }
        ("str", Type::Logical(Logical::Uuid)) => "use UUID(value)",
        ("str", Type::Logical(Logical::Date)) => "use date.fromisoformat(value)",
        ("str", Type::Logical(Logical::Timestamp | Logical::TimestampTz)) => {
            "use datetime.fromisoformat(value)"
        }
        ("datetime.datetime", Type::Logical(Logical::Date)) => "use value.date()",
        ("datetime.datetime", Type::Logical(Logical::Timestamp)) => {
            "it has a time zone; use value.replace(tzinfo=None), or annotate datetime"
        }
        ("datetime.datetime", Type::Logical(Logical::TimestampTz)) => {
            "it has no time zone; use value.replace(tzinfo=...) with its zone, or annotate datetime"
        }
        ("datetime.date", Type::Logical(Logical::Timestamp)) => {
            "use datetime.combine(value, time())"
        }
        ("int" | "float", Type::Logical(Logical::Duration)) => "use timedelta(seconds=value)",
        ("int" | "float", Type::Logical(Logical::Timestamp)) => {
            "use datetime.fromtimestamp(value, tz=timezone.utc).replace(tzinfo=None)"
        }
        ("int" | "float", Type::Logical(Logical::TimestampTz)) => {
            "use datetime.fromtimestamp(value, tz=timezone.utc)"
        }
        (_, Type::Enum(of)) if let Some(name) = name_of(value) => {
            return Some(match of.members.iter().any(|member| **member == *name) {
                true => format!("use {}[value.name]", of.name),
                false => format!("use a member of {}, which has none of this name", of.name),
            });
        }
        ("str", Type::Enum(of)) => {
            return Some(format!("use {0}[value] for a name, {0}(value) for a value", of.name));
        }
        ("int", Type::Logical(ty)) if let Some(of) = ty.sized_int() => {
            let (least, largest) = of.integers();
            return Some(format!("the integers of {ty} are those from {least} to {largest}"));
        }
        ("float", Type::Logical(Logical::F32)) => {
            "no float of 32 bits equals it; round it first, such as by float(numpy.float32(value))"
        }
        ("int", Type::Logical(Logical::F32)) => "use float(value)",
        ("int", Type::Enum(of)) => {
            return Some(format!(
                "use {0}(value); if it is a combination of flags, write i64|enum {0}{{…}} in the schema",
                of.name
            ));
        }
        (
            "list" | "tuple" | "set" | "frozenset",
            Type::Fixed(container, _) | Type::Sequence(container, _),
        ) => return as_container(&class, *container),
        (_, Type::Struct(of)) => match (class.as_str(), of.names.name.as_deref()) {
            ("dict", Some(name)) => {
                return Some(format!("the schema has a record here; use {name}(**value)"));
            }
            ("tuple" | "list", Some(name)) => {
                return Some(format!("the schema has a record here; use {name}(*value)"));
            }
            (_, Some(name)) => return Some(format!("make a {name} of it")),
            ("dict", None) => return None,
            (_, None) => "the schema has a dict with fixed keys here; use a dict",
        },
        _ => return None,
    };
    Some(advice.into())
}

/// The name of a member of an enum.
fn name_of(value: &Bound<'_, PyAny>) -> Option<String> {
    value.getattr(name!("name")).ok()?.extract().ok()
}

fn as_float(value: &Bound<'_, PyAny>) -> String {
    let shown = value.repr().map(|repr| repr.to_string()).unwrap_or_default();
    let float = match shown.len() {
        1..SHOWN_DIGITS => format!("{shown}.0"),
        _ => "float(value)".into(),
    };
    let Ok(nearest) = value.extract::<f64>() else {
        return "it is an int beyond the range of floats; annotate int | float".into();
    };
    let equal = value.eq(nearest).unwrap_or_default();
    let rest = match equal {
        true => "annotate int | float, or give ints_as_floats=True",
        false => "or annotate int | float",
    };
    format!("it is an int where a float is declared; use {float}, {rest}")
}

fn as_container(class: &str, container: Container) -> Option<String> {
    let name = match container {
        Container::List => "list",
        Container::Tuple => "tuple",
        Container::Set => "set",
        Container::FrozenSet => "frozenset",
        _ => return None,
    };
    (class != name).then(|| format!("use {name}(value)"))
}

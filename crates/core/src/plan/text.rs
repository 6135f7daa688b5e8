//! A plan as text: an instruction a line, with its index.

use std::fmt::{self, Display, Formatter};

use super::{Arm, Class, Container, Op, Plan};

impl Display for Plan {
    /// ```
    /// # use serow_core::{plan::Plan, schema::Schema};
    /// let plan = Plan::new(&Schema::parse("(i64, i64, str?)")?);
    /// assert_eq!(
    ///     plan.to_string(),
    ///     "0  tuple of 3, acyclic\n\
    ///      1  i64, 2 of them, int 0\n\
    ///      2  optional, bit 0, else to 4\n\
    ///      3  str, str 0\n\
    ///      4  leave\n\
    ///      5  end\n"
    /// );
    /// # Ok::<(), serow_core::Error>(())
    /// ```
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let width = (self.ops.len() - 1).to_string().len();
        for (at, op) in self.ops.iter().enumerate() {
            write!(f, "{at:>width$}  ")?;
            match op {
                Op::Union { table, column } => {
                    write!(f, "union, int {column}")?;
                    self.unions[*table as usize].iter().try_for_each(|arm| write!(f, ", {arm}"))?;
                }
                Op::Enter { container: Container::Struct(table), len, .. } => {
                    let names = &self.tables.structs[*table as usize];
                    match &names.name {
                        Some(name) => write!(f, "record {name} of {len}")?,
                        None => write!(f, "dict of {len}")?,
                    }
                    names.fields.iter().try_for_each(|name| write!(f, ", {name}"))?;
                }
                Op::Enum { table, column, .. } => {
                    let of = &self.tables.enums[*table as usize];
                    write!(f, "enum {}, int {column}", of.name)?;
                    of.members.iter().try_for_each(|name| write!(f, ", {name}"))?;
                }
                op => op.fmt(f)?,
            }
            writeln!(f)?;
        }
        Ok(())
    }
}

impl Display for Op {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let run = |f: &mut Formatter<'_>, what: &str, count: u32, kind: &str, first: u32| {
            f.write_str(what)?;
            if count > 1 {
                write!(f, ", {count} of them")?;
            }
            write!(f, ", {kind} {first}")
        };
        let flag = |is: bool, name: &'static str| if is { name } else { "" };
        match *self {
            Op::I64 { first, count } => run(f, "i64", count, "int", first),
            Op::F64 { first, count } => run(f, "f64", count, "float", first),
            Op::Str { first, count } => run(f, "str", count, "str", first),
            Op::Bool { first, count } => run(f, "bool", count, "bit", first),
            Op::Null { count: 1 } => f.write_str("null"),
            Op::Null { count } => write!(f, "null, {count} of them"),
            Op::Logical { ty, parts } => {
                let counts = ty.counts();
                write!(f, "{ty}")?;
                let kinds = [
                    ("int", parts.int, counts.ints),
                    ("float", parts.float, counts.floats),
                    ("str", parts.str, counts.bytes),
                ];
                for (kind, first, count) in kinds {
                    for column in (first..).take(count) {
                        write!(f, ", {kind} {column}")?;
                    }
                }
                Ok(())
            }
            Op::Never => f.write_str("never"),
            Op::Enter { container, len, acyclic } => {
                write!(f, "{} of {len}{}", name(container), flag(acyclic, ", acyclic"))
            }
            Op::Leave => f.write_str("leave"),
            Op::Enum { table, members, column } => {
                write!(f, "enum {table} of {members}, int {column}")
            }
            Op::Maybe { column, end } => write!(f, "maybe, bit {column}, else to {end}"),
            Op::Optional { column, end } => write!(f, "optional, bit {column}, else to {end}"),
            Op::Sequence { container, column, end, acyclic, zero_sized, bound } => write!(
                f,
                "sequence as {}, int {column}, to {end}, {bound} bytes each{}{}",
                name(container),
                flag(acyclic, ", acyclic"),
                flag(zero_sized, ", zero-sized"),
            ),
            Op::Next { start } => write!(f, "next, from {start}"),
            Op::Union { table, column } => write!(f, "union, int {column}, arms {table}"),
            Op::Jump { to } => write!(f, "jump to {to}"),
            Op::End => f.write_str("end"),
        }
    }
}

impl Display for Arm {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.class {
            Class::I64 => f.write_str("i64")?,
            Class::F64 => f.write_str("f64")?,
            Class::Str => f.write_str("str")?,
            Class::Bool => f.write_str("bool")?,
            Class::Logical(ty) => write!(f, "{ty}")?,
            Class::List => f.write_str("list")?,
            Class::Tuple(None) => f.write_str("tuple")?,
            Class::Tuple(Some(len)) => write!(f, "tuple of {len}")?,
            Class::Set => f.write_str("set")?,
            Class::FrozenSet => f.write_str("frozenset")?,
            Class::Dict => f.write_str("dict")?,
            Class::Record(table) => write!(f, "record {table}")?,
            Class::Enum(table) => write!(f, "enum {table}")?,
        }
        write!(f, " at {}", self.start)
    }
}

fn name(container: Container) -> &'static str {
    match container {
        Container::List => "list",
        Container::Tuple => "tuple",
        Container::Set => "set",
        Container::FrozenSet => "frozenset",
        Container::Map => "map",
        Container::Struct(_) => "struct",
    }
}

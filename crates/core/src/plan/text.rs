//! A plan as text: one instruction per line, with its index.

use std::fmt::{self, Display, Formatter};

use super::{Arm, ComponentColumns, Fields, Op, Plan};
use crate::number::Number;
use crate::schema::{Class, Container, Logical};

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
                Op::Union { table, .. } | Op::Branch { table, .. } => {
                    op.fmt(f)?;
                    self.unions[*table as usize].iter().try_for_each(|arm| write!(f, ", {arm}"))?;
                }
                Op::Enter { made: Fields { container: Container::Struct(table), .. }, .. } => {
                    op.fmt(f)?;
                    let names = &self.to.tables.structs[*table as usize];
                    write!(f, ": {}", names.name.as_deref().unwrap_or("dict"))?;
                    names.fields.iter().try_for_each(|name| write!(f, ", {name}"))?;
                }
                Op::Enum { to, .. } | Op::OtherEnum { to, .. } => {
                    op.fmt(f)?;
                    let of = &self.to.tables.enums[to.table as usize];
                    write!(f, ": {}", of.name)?;
                    of.members.iter().try_for_each(|name| write!(f, ", {name}"))?;
                }
                Op::Write { first, count } => {
                    let writes = &self.writes[*first as usize..][..*count as usize];
                    f.write_str("write")?;
                    writes.iter().try_for_each(|write| write!(f, " {write:?}"))?;
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
        let flag = |is: bool, name: &'static str| if is { name } else { "" };
        match *self {
            Op::I64 { from, to, count } => write!(f, "i64{}, {}", run(count), int(from, to)),
            Op::F64 { from, to, count } => {
                write!(f, "f64{}, {}", run(count), pair("float", from, to))
            }
            Op::Str { from, to, count } => {
                write!(f, "str{}, {}", run(count), pair("str", from, to))
            }
            Op::Bool { from, to, count } => write!(f, "bool{}, {}", run(count), bit(from, to)),
            Op::Null { count } => write!(f, "null{}", run(count)),
            Op::Logical { ty, from, to } => {
                write!(f, "{ty}")?;
                components(f, ty, from)?;
                if from == to {
                    return Ok(());
                }
                f.write_str(" to")?;
                components(f, ty, to)
            }
            Op::Never => f.write_str("never"),
            Op::OtherArm => f.write_str("other arm"),
            Op::Enter { read, made, acyclic } => {
                let (read, made) =
                    ((name(read.container), read.len), (name(made.container), made.len));
                write!(f, "{} of {}", read.0, read.1)?;
                if read != made {
                    write!(f, " to {} of {}", made.0, made.1)?;
                }
                f.write_str(flag(acyclic, ", acyclic"))
            }
            Op::Leave => f.write_str("leave"),
            Op::Enum { from, to, members } => {
                write!(f, "enum {} of {members}, {}", to.table, int(from.column, to.column))
            }
            Op::OtherEnum { from, to, members } => {
                write!(f, "enum {} by {members}, {}", to.table, int(from.column, to.column))
            }
            Op::Number { read, from, made, to } => {
                write!(f, "{} of {}", made.name(), read.name())?;
                number(f, read, from)?;
                f.write_str(" to")?;
                number(f, made, to)
            }
            Op::Maybe { from, to, end } => write!(f, "maybe, {}, else to {end}", bit(from, to)),
            Op::IfField { from, otherwise, .. } => {
                write!(f, "if field, bit {from}, else to {otherwise}")
            }
            Op::IfPresent { from, otherwise, .. } => {
                write!(f, "if present, bit {from}, else to {otherwise}")
            }
            Op::Optional { from, to, end } => {
                write!(f, "optional, {}, else to {end}", bit(from, to))
            }
            Op::Sequence { container, from, to, end, acyclic, zero_sized } => write!(
                f,
                "sequence as {}, {}, to {end}{}{}",
                name(container),
                int(from, to),
                flag(acyclic, ", acyclic"),
                flag(zero_sized, ", zero_sized"),
            ),
            Op::Next { start } => write!(f, "next, from {start}"),
            Op::Union { from, to, .. } => write!(f, "union, {}", int(from, to)),
            Op::Branch { from, .. } => write!(f, "branch, int {from}"),
            Op::Jump { to } => write!(f, "jump to {to}"),
            Op::Skip { end, shared } => write!(f, "skip{} to {end}", flag(shared, " shared")),
            Op::Skipped => f.write_str("skipped"),
            Op::EnterAsSequence { read, made, to, .. } => {
                write!(f, "{} of {} as {}, int {to}", name(read.container), read.len, name(made))
            }
            Op::EnterElements { read, from, made, acyclic, zero_sized } => write!(
                f,
                "{}, int {from}, as {} of {}{}{}",
                name(read),
                name(made.container),
                made.len,
                flag(acyclic, ", acyclic"),
                flag(zero_sized, ", zero_sized"),
            ),
            Op::Write { first, count } => write!(f, "write {count} from {first}"),
            Op::ListsOfArray { from, lists } => {
                write!(f, "lists {lists} of array")?;
                components(f, Logical::NdArray, from)
            }
            Op::OpenEntries { read, to, .. } => {
                write!(f, "open entries of {} of {}, to int {to}", name(read.container), read.len)
            }
            Op::Entry => f.write_str("entry"),
            Op::CloseEntries { .. } => f.write_str("close entries"),
            Op::End => f.write_str("end"),
        }
    }
}

fn run(count: u32) -> String {
    if count > 1 { format!(", {count} of them") } else { String::new() }
}

/// Formats a column of the source and a column of the sink.
fn pair(kind: &str, from: u32, to: u32) -> String {
    if from == to { format!("{kind} {from}") } else { format!("{kind} {from} to {to}") }
}

fn int(from: u32, to: u32) -> String {
    pair("int", from, to)
}

fn bit(from: u32, to: u32) -> String {
    pair("bit", from, to)
}

fn number(f: &mut Formatter<'_>, of: Number, at: ComponentColumns) -> fmt::Result {
    match of.logical() {
        Some(ty) => components(f, ty, at),
        None if of.is_float() => write!(f, ", float {}", at.float),
        None => write!(f, ", int {}", at.int),
    }
}

fn components(f: &mut Formatter<'_>, ty: Logical, at: ComponentColumns) -> fmt::Result {
    let counts = ty.counts();
    let kinds = [
        ("int", at.int, counts.ints),
        ("float", at.float, counts.floats),
        ("str", at.str, counts.bytes),
    ];
    for (kind, first, count) in kinds {
        for column in (first..).take(count) {
            write!(f, ", {kind} {column}")?;
        }
    }
    Ok(())
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

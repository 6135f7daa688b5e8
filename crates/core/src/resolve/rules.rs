//! Which types are read as which. `docs/evolution.md` has the rules in words.

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use super::defaults::{Defaults, FieldDefault};
use super::node::{Entry, Made, Node, Pair};
use super::placed::{Placed, placed};
use crate::error::{Error, Result};
use crate::limits::MAX_RESOLVED;
use crate::plan::{Op, Plan};
use crate::schema::{Container, Enum, Logical, Struct, Type, Word};
use crate::value::Value;

/// Where the values of a reader's str column come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Feed {
    Nothing,
    /// One column of the writer's, so its dictionary can be handed on.
    Column(u32),
    /// Several columns, or text that is in no column.
    Mixed,
}

/// The tree that reads rows of `writer` as rows of `reader`, and what feeds each of the reader's str
/// columns.
///
/// # Errors
/// A schema error that names the field and says why it can't be read.
pub(super) fn resolve(
    writer: &Plan,
    reader: &Plan,
    defaults: &Defaults,
) -> Result<(Node, Vec<Feed>)> {
    let mut bounds = vec![0; reader.columns.ints as usize];
    for op in &reader.ops {
        if let Op::Sequence { column, bound, .. } = op {
            bounds[*column as usize] = *bound;
        }
    }
    let feeds = vec![Feed::Nothing; reader.columns.strs as usize];
    let mut rules = Rules { bounds: &bounds, feeds, nodes: 0, defaults, path: Vec::new() };
    let root = rules.value(&placed(writer.root()), &placed(reader.root()), Names::Free)?;
    Ok((root, rules.feeds))
}

/// Whether the names of a record's or an enum's type count.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Names {
    /// What rows are called is up to the reader.
    Free,
    Count,
}

/// The type of a key that is a name.
static TEXT: Type = Type::Str;

struct Rules<'a> {
    /// By the int column of each of the reader's sequences.
    bounds: &'a [u32],
    feeds: Vec<Feed>,
    nodes: usize,
    defaults: &'a Defaults,
    path: Vec<At<'a>>,
}

/// A step from a type to one in it.
#[derive(Clone, Copy)]
pub(super) enum At<'a> {
    Field(&'a str),
    Item(usize),
    Element,
    Key,
    Value,
}

/// The steps to a type, as messages and [`super::Defaults`] show them: `lines.[].price`.
pub(super) struct Steps<'a, 'b>(pub &'b [At<'a>]);

impl fmt::Display for Steps<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, step) in self.0.iter().enumerate() {
            f.write_str(if i > 0 { "." } else { "" })?;
            match step {
                At::Field(name) => Word(name).fmt(f)?,
                At::Item(item) => item.fmt(f)?,
                At::Element => f.write_str("[]")?,
                At::Key => f.write_str("key")?,
                At::Value => f.write_str("value")?,
            }
        }
        Ok(())
    }
}

impl<'a> Rules<'a> {
    fn value(&mut self, w: &Placed<'a>, r: &Placed<'a>, names: Names) -> Result<Node> {
        self.nodes += 1;
        if self.nodes > MAX_RESOLVED {
            return Err(Error::limit(format!(
                "to read rows of one schema as rows of the other takes more than {MAX_RESOLVED} steps"
            )));
        }
        Ok(match (w.ty, r.ty) {
            (Type::Never, _) => Node::Never,
            (Type::Null, Type::Null) => Node::Null,
            (Type::Null, Type::Optional(_)) => Node::Absent { to: r.first.bits },
            (Type::Optional(_), Type::Optional(_)) => Node::Optional {
                from: w.first.bits,
                to: r.first.bits,
                inner: self.boxed(&w.within[0], &r.within[0], names)?,
            },
            (Type::Null | Type::Optional(_), _) => {
                return self.refuse(format_args!("it may be null, and {} may not", r.ty));
            }
            (_, Type::Optional(_)) => {
                Node::Present { to: r.first.bits, inner: self.boxed(w, &r.within[0], names)? }
            }
            (Type::Union(_), _) => {
                let arms = w.within.iter().map(|arm| self.value(arm, r, Names::Count));
                let arms = arms.collect::<Result<_>>()?;
                Node::Union { table: w.table, from: w.first.ints, arms }
            }
            (_, Type::Union(_)) => {
                let Some(arm) = arm_for(w.ty, &r.within) else {
                    return self.refuse(format_args!("{} is none of {}", w.ty, r.ty));
                };
                let inner = self.boxed(w, &r.within[arm], Names::Count)?;
                Node::Arm { to: r.first.ints, arm: arm as u32, inner }
            }
            (Type::I64, Type::I64) => Node::I64 { from: w.first.ints, to: r.first.ints },
            (Type::F64, Type::F64) => Node::F64 { from: w.first.floats, to: r.first.floats },
            (Type::Bool, Type::Bool) => Node::Bool { from: w.first.bits, to: r.first.bits },
            (Type::Str, Type::Str) => {
                self.feed(r.first.strs, Feed::Column(w.first.strs));
                Node::Str { from: w.first.strs, to: r.first.strs }
            }
            (Type::Logical(ty), Type::Logical(other)) if ty == other => {
                if ty.counts().bytes > 0 {
                    self.feed(r.first.strs, Feed::Column(w.first.strs));
                }
                Node::Logical { ty: *ty, from: w.parts(), to: r.parts() }
            }
            (Type::I64, Type::Logical(Logical::Int)) => {
                self.feed(r.first.strs, Feed::Mixed);
                Node::IntOfI64 { from: w.first.ints, to: r.parts() }
            }
            (Type::I64, Type::F64) => Node::F64OfI64 { from: w.first.ints, to: r.first.floats },
            (Type::Enum(a), Type::Enum(b)) => {
                self.same_name(names, "enum", &a.name, &b.name)?;
                Node::Enum {
                    tables: Pair { from: w.table, to: r.table },
                    from: w.first.ints,
                    to: r.first.ints,
                    members: members(a, b),
                }
            }
            (Type::Fixed(a, _), Type::Fixed(b, _)) if a == b => self.fixed(*a, w, r)?,
            (Type::Fixed(a, _), Type::Sequence(b, _)) if a == b => {
                let fields = w.within.iter().enumerate();
                let fields = fields
                    .map(|(i, field)| self.at(At::Item(i), field, &r.within[0]))
                    .collect::<Result<_>>()?;
                let Made { to, acyclic, bound } = self.made(r);
                Node::Elements { container: *a, to, acyclic, bound, fields }
            }
            (Type::Sequence(a, _), Type::Sequence(b, _)) if a == b => Node::Sequence {
                container: *a,
                from: w.first.ints,
                zero_sized: w.zero_sized_elements(),
                made: self.made(r),
                element: vec![self.at(At::Element, &w.within[0], &r.within[0])?],
            },
            (Type::Map(..), Type::Map(..)) => Node::Sequence {
                container: Container::Map,
                from: w.first.ints,
                zero_sized: w.zero_sized_elements(),
                made: self.made(r),
                element: vec![
                    self.at(At::Key, &w.within[0], &r.within[0])?,
                    self.at(At::Value, &w.within[1], &r.within[1])?,
                ],
            },
            (Type::Struct(a), Type::Struct(b)) => {
                if let (Some(a), Some(b)) = (&a.names.name, &b.names.name) {
                    self.same_name(names, "record", a, b)?;
                }
                self.fields(a, b, w, r)?
            }
            (Type::Struct(a), Type::Map(..)) if !a.is_record() => self.entries(a, w, r)?,
            (Type::Logical(Logical::Int), Type::I64) => {
                return self.refuse("an int may be beyond 64 bits, and i64 holds 64");
            }
            _ => return self.refuse(format_args!("{} is not read as {}", kind(w), kind(r))),
        })
    }

    fn boxed(&mut self, w: &Placed<'a>, r: &Placed<'a>, names: Names) -> Result<Box<Node>> {
        self.value(w, r, names).map(Box::new)
    }

    /// What is one step further in.
    fn at(&mut self, step: At<'a>, w: &Placed<'a>, r: &Placed<'a>) -> Result<Node> {
        self.path.push(step);
        let node = self.value(w, r, Names::Count)?;
        self.path.pop();
        Ok(node)
    }

    fn fixed(&mut self, container: Container, w: &Placed<'a>, r: &Placed<'a>) -> Result<Node> {
        let (have, want) = (w.within.len(), r.within.len());
        if have != want {
            return self.refuse(format_args!("it has {have} fields without names, not {want}"));
        }
        let pairs = w.within.iter().zip(&r.within).enumerate();
        let fields = pairs.map(|(i, (w, r))| self.at(At::Item(i), w, r)).collect::<Result<_>>()?;
        let whole = (container, want as u32);
        Ok(Node::Fixed { read: whole, made: whole, acyclic: r.acyclic, fields })
    }

    /// The fields of a dict or record, by their names.
    fn fields(
        &mut self,
        a: &'a Struct,
        b: &'a Struct,
        w: &Placed<'a>,
        r: &Placed<'a>,
    ) -> Result<Node> {
        let places: HashMap<&str, usize> =
            a.names.fields.iter().enumerate().map(|(at, name)| (&**name, at)).collect();
        let mut fields = Vec::with_capacity(b.fields.len());
        for (nth, (name, field)) in b.names.fields.iter().zip(&r.within).enumerate() {
            self.path.push(At::Field(name));
            let have = places.get(&**name).map(|at| &w.within[*at]);
            fields.push(self.field(have, field, (r.table, nth as u32))?);
            self.path.pop();
        }
        Ok(Node::Fixed {
            read: (Container::Struct(w.table), a.fields.len() as u32),
            made: (Container::Struct(r.table), b.fields.len() as u32),
            acyclic: r.acyclic,
            fields,
        })
    }

    fn field(
        &mut self,
        have: Option<&Placed<'a>>,
        r: &Placed<'a>,
        place: (u32, u32),
    ) -> Result<Node> {
        let Some(w) = have else { return self.lacking(r, place, "is in no row") };
        let value = self.value(w, r, Names::Count)?;
        let has = match r.maybe {
            Some(to) => Node::HasField { to, inner: Box::new(value) },
            None => value,
        };
        let Some(from) = w.maybe else { return Ok(has) };
        let lacks = self.lacking(r, place, "may be missing")?;
        Ok(Node::Maybe { from, has: Box::new(has), lacks: Box::new(lacks) })
    }

    /// What stands for a field that a row does not have.
    fn lacking(&mut self, r: &Placed<'a>, place: (u32, u32), why: &str) -> Result<Node> {
        self.nodes += 1;
        Ok(match (r.maybe, self.defaults.get(place), r.ty) {
            (Some(to), ..) => Node::LacksField { to },
            (None, Some(FieldDefault::OfSink), _) => Node::SinkDefault,
            (None, Some(FieldDefault::Value(value)), _) => self.given(value.clone(), r, r)?,
            (None, None, Type::Null) => Node::NullGiven,
            (None, None, Type::Optional(_)) => Node::AbsentGiven { to: r.first.bits },
            (None, None, ty) => {
                return self.refuse(format_args!("it {why}, and {ty} has no default"));
            }
        })
    }

    /// A value of type `w` that is in no column.
    fn given(&mut self, value: Arc<Value>, w: &Placed<'a>, r: &Placed<'a>) -> Result<Node> {
        let nothing = vec![Feed::Nothing; self.feeds.len()];
        let feeds = std::mem::replace(&mut self.feeds, nothing);
        let node = self.boxed(w, r, Names::Count)?;
        let fed = std::mem::replace(&mut self.feeds, feeds);
        for (column, feed) in (0..).zip(fed) {
            if feed != Feed::Nothing {
                self.feed(column, Feed::Mixed);
            }
        }
        Ok(Node::Given { value, node })
    }

    /// The entries of a map, which are the fields of dicts with fixed keys.
    fn entries(&mut self, of: &'a Struct, w: &Placed<'a>, r: &Placed<'a>) -> Result<Node> {
        let mut entries = Vec::with_capacity(of.fields.len());
        for (name, field) in of.names.fields.iter().zip(&w.within) {
            self.path.push(At::Key);
            let key =
                self.given(Arc::new(Value::Str(name.clone())), &placed(&TEXT), &r.within[0])?;
            self.path.pop();
            let value = self.at(At::Field(name), field, &r.within[1])?;
            entries.push(Entry { maybe: field.maybe, key, value });
        }
        Ok(Node::Entries { table: w.table, made: self.made(r), entries })
    }

    fn made(&self, r: &Placed<'a>) -> Made {
        let to = r.first.ints;
        Made { to, acyclic: r.acyclic, bound: self.bounds[to as usize] }
    }

    fn feed(&mut self, column: u32, feed: Feed) {
        let before = &mut self.feeds[column as usize];
        *before = if *before == Feed::Nothing { feed } else { Feed::Mixed };
    }

    fn same_name(&self, names: Names, what: &str, have: &str, want: &str) -> Result<()> {
        if names == Names::Free || have == want {
            return Ok(());
        }
        self.refuse(format_args!("it is of {what} {}, not {}", Word(have), Word(want)))
    }

    fn refuse<T>(&self, why: impl fmt::Display) -> Result<T> {
        Err(Error::schema(match self.path.is_empty() {
            true => format!("a row: {why}"),
            false => format!("field {}: {why}", Steps(&self.path)),
        }))
    }
}

impl Placed<'_> {
    fn zero_sized_elements(&self) -> bool {
        self.within.iter().all(|part| part.zero_sized)
    }
}

/// How a type is called in a message, where its parts are of no account.
fn kind(of: &Placed<'_>) -> String {
    match of.ty {
        Type::Fixed(Container::Tuple, fields) => format!("a tuple of {} fields", fields.len()),
        Type::Fixed(_, fields) => format!("a list of {} fields", fields.len()),
        Type::Sequence(Container::Tuple, _) => String::from("a tuple of any length"),
        Type::Sequence(Container::Set, _) => String::from("a set"),
        Type::Sequence(Container::FrozenSet, _) => String::from("a frozenset"),
        Type::Sequence(..) => String::from("a list of any length"),
        Type::Map(..) => String::from("a map"),
        Type::Struct(of) => match &of.names.name {
            Some(name) => format!("record {}", Word(name)),
            None => String::from("a dict with fixed keys"),
        },
        Type::Enum(of) => format!("enum {}", Word(&of.name)),
        ty => ty.to_string(),
    }
}

/// The arm of a union that values of type `ty`, which is no union, are read as. It is chosen by its
/// class as when a value is encoded, and then by what a value can become.
fn arm_for(ty: &Type, arms: &[Placed<'_>]) -> Option<usize> {
    let find = |fits: &dyn Fn(&Type) -> bool| arms.iter().position(|arm| fits(arm.ty));
    let only = |fits: &dyn Fn(&Type) -> bool| {
        find(fits).filter(|first| !arms[first + 1..].iter().any(|arm| fits(arm.ty)))
    };
    match ty {
        Type::I64 => find(&|arm| *arm == Type::I64)
            .or_else(|| find(&|arm| *arm == Type::Logical(Logical::Int)))
            .or_else(|| find(&|arm| *arm == Type::F64)),
        Type::Fixed(Container::Tuple, fields) => find(&|arm| match arm {
            Type::Fixed(Container::Tuple, others) => others.len() == fields.len(),
            Type::Sequence(Container::Tuple, _) => true,
            _ => false,
        }),
        Type::Struct(of) if of.is_record() => {
            let same = find(&|arm| matches!(arm, Type::Struct(to) if to.names == of.names));
            let name = &of.names.name;
            same.or_else(|| only(&|arm| matches!(arm, Type::Struct(to) if to.names.name == *name)))
                .or_else(|| find(&|arm| matches!(arm, Type::Struct(to) if !to.is_record())))
        }
        Type::Struct(_) => find(&|arm| arm.class(0) == ty.class(0))
            .or_else(|| only(&|arm| matches!(arm, Type::Struct(to) if to.is_record()))),
        Type::Enum(of) => find(&|arm| arm == ty)
            .or_else(|| only(&|arm| matches!(arm, Type::Enum(to) if to.name == of.name))),
        ty => find(&|arm| arm.class(0) == ty.class(0)),
    }
}

/// For each member of `a` the index of the member of `b` with its name.
fn members(a: &Enum, b: &Enum) -> Arc<[Option<u32>]> {
    let places: HashMap<&str, u32> =
        b.members.iter().enumerate().map(|(at, name)| (&**name, at as u32)).collect();
    a.members.iter().map(|name| places.get(&**name).copied()).collect()
}

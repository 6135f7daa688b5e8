//! Lowering: from the types of a writer and a reader to instructions.
//!
//! Both types are numbered (`numbering.rs`) and walked at once, in the order of the writer's
//! fields, because that is the order of a record's bytes. `rules.rs` defines which types can be
//! read as which. The plan of a single schema has the same type on both sides. The walk also finds
//! the place of an instruction for an error message: it is repeated, and records its position when
//! it reaches that instruction. And it tells what becomes of each part of a row (`compare.rs`).

use std::fmt;
use std::sync::Arc;

use super::compare::Report;
use super::numbering::{Numbered, number};
use super::selection::Selected;
use super::unions::other_arm;
use super::{
    Arm, ArrayLists, ColumnUsage, Defaults, FormerNames, Op, Plan, RowType, SinkCall, TypePath,
};
use crate::error::{Error, ErrorKind, Result};
use crate::limits::MAX_RESOLVED;
use crate::path::{Path, PathStep};
use crate::schema::{Container, Type, Word};

/// Creates the plan that reads rows of `from`, or their `selected` fields, as rows of `to`.
///
/// # Errors
/// A schema error that names the field that can't be read and the reason. A limit error if this
/// takes too many instructions.
pub(super) fn lower(
    from: &Arc<RowType>,
    to: &Arc<RowType>,
    defaults: &Defaults,
    former_names: &FormerNames,
    selected: Option<Selected>,
) -> Result<Plan> {
    let mut lower = Lower::new(from, to, defaults, former_names);
    lower.row(from, to, selected.as_ref())?;
    let dictionaries = dictionaries(from.columns.strs, &lower.feeds);
    let Lower { mut ops, unions, writes, members, arrays, .. } = lower;
    ops.shrink_to_fit();
    let (from, to) = (from.clone(), to.clone());
    let has_sets_or_maps = ops.iter().any(|op| match op {
        Op::Sequence { container, .. } | Op::EnterAsSequence { made: container, .. } => {
            matches!(container, Container::Set | Container::FrozenSet | Container::Map)
        }
        _ => false,
    });
    let mut plan = Plan {
        ops,
        unions,
        writes,
        members,
        arrays,
        dictionaries,
        from,
        to,
        defaults: defaults.clone(),
        former_names: former_names.clone(),
        selected,
        has_sets_or_maps,
        usage: Arc::default(),
    };
    plan.usage = Arc::new(ColumnUsage::of(&plan));
    Ok(plan)
}

/// Returns, for each of the writer's `count` str columns, the reader's column that can use its dictionary:
/// the only one that has its values.
fn dictionaries(count: u32, feeds: &[Feed]) -> Vec<Option<u32>> {
    let mut users = vec![Vec::new(); count as usize];
    for (column, feed) in (0..).zip(feeds) {
        if let Feed::Column(from) = feed {
            users[*from as usize].push(column);
        }
    }
    users.iter().map(|users| if let [only] = users[..] { Some(only) } else { None }).collect()
}

/// Returns the place of instruction `pc` of `plan`, and of its field `field` if it is a run of
/// fields. `elements` are the indices of the current elements in the sequences around it.
pub(super) fn place(plan: &Plan, pc: usize, field: usize, elements: &[usize]) -> TypePath {
    let mut lower = Lower::new(&plan.from, &plan.to, &plan.defaults, &plan.former_names);
    lower.wanted = Some((pc, field));
    // The same walk succeeded when the plan was made.
    let _ = lower.row(&plan.from, &plan.to, plan.selected.as_ref());
    let root = || (Vec::new(), plan.to.schema.root());
    let (steps, expected) = lower.found.unwrap_or_else(root);
    let mut elements = elements.iter().copied();
    let mut element = || elements.next().unwrap_or(0);
    let steps = steps.into_iter().map(|step| match step {
        At::Field(name) => PathStep::Field(name.clone()),
        At::Item(item) => PathStep::Item(item),
        At::Element => PathStep::Item(element()),
        At::Key => PathStep::Key(element()),
        At::Value => PathStep::Value(element()),
    });
    TypePath { path: Path(steps.collect()), expected: expected.clone() }
}

/// Describes the value that instruction `pc` of `plan` refuses, if it is an [`Op::OtherArm`].
pub(super) fn refused_arm(plan: &Plan, pc: usize) -> Option<String> {
    let mut lower = Lower::new(&plan.from, &plan.to, &plan.defaults, &plan.former_names);
    lower.wanted = Some((pc, 0));
    let _ = lower.row(&plan.from, &plan.to, plan.selected.as_ref());
    lower.refused.map(|(arm, reader)| other_arm(arm, reader))
}

/// The origin of the values of a reader's str column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Feed {
    Nothing,
    /// One column of the writer, so the sink can use its dictionary.
    Column(u32),
    /// Several columns, or constant text.
    Mixed,
}

/// A step from a type to a type inside it.
#[derive(Clone, Copy, Debug)]
pub(super) enum At<'t> {
    Field(&'t Arc<str>),
    Item(usize),
    Element,
    Key,
    Value,
}

/// The steps to a type, in the form of messages and [`Defaults`]: `lines.[].price`.
pub(super) struct Steps<'a, 't>(pub &'a [At<'t>]);

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

/// The state of lowering: the instructions so far, and the position of the walk.
pub(super) struct Lower<'t> {
    ops: Vec<Op>,
    unions: Vec<Vec<Arm>>,
    writes: Vec<SinkCall>,
    members: Vec<Arc<[Option<u32>]>>,
    arrays: Vec<ArrayLists>,
    /// For each str column of the reader: the origin of its values.
    feeds: Vec<Feed>,
    pub(super) defaults: &'t Defaults,
    pub(super) former_names: &'t FormerNames,
    /// Whether rows of one schema are read as rows of the same schema. Then only the limits of
    /// schemas apply.
    is_own: bool,
    steps: usize,
    /// Whether the current values are skipped because the reader lacks them.
    pub(super) is_skipping: bool,
    /// Whether other values of the same columns become other fields.
    pub(super) are_shared: bool,
    /// Instructions before this index must not be extended: a jump leads here, or values are
    /// counted separately.
    barrier: usize,
    pub(super) path: Vec<At<'t>>,
    /// The expected type at the path if it is an optional around the current type.
    pub(super) expected: Option<&'t Type>,
    /// The instruction whose place is wanted, and its field. `found` is the place.
    wanted: Option<(usize, usize)>,
    found: Option<(Vec<At<'t>>, &'t Type)>,
    /// The types of [`Op::OtherArm`] if that is the wanted instruction: the writer's arm and the reader's type.
    refused: Option<(&'t Type, &'t Type)>,
    /// The length of the path at the union whose arm is walked. A refusal there concerns only that arm.
    arm_depth: Option<usize>,
    /// What the walk has decided, for a comparison of the schemas.
    pub(super) report: Option<Box<Report>>,
}

impl<'t> Lower<'t> {
    pub(super) fn new(
        from: &Arc<RowType>,
        to: &Arc<RowType>,
        defaults: &'t Defaults,
        former_names: &'t FormerNames,
    ) -> Lower<'t> {
        Lower {
            ops: Vec::new(),
            unions: Vec::new(),
            writes: Vec::new(),
            members: Vec::new(),
            arrays: Vec::new(),
            feeds: vec![Feed::Nothing; to.columns.strs as usize],
            defaults,
            former_names,
            is_own: Arc::ptr_eq(from, to),
            steps: 0,
            is_skipping: false,
            are_shared: false,
            barrier: 0,
            path: Vec::new(),
            expected: None,
            wanted: None,
            found: None,
            refused: None,
            arm_depth: None,
            report: None,
        }
    }

    pub(super) fn row(
        &mut self,
        from: &'t RowType,
        to: &'t RowType,
        selected: Option<&Selected>,
    ) -> Result<()> {
        let writer = number(from.schema.root());
        // A single allocation of the exact size, because plans of very wide schemas are large.
        self.ops.reserve_exact(writer.instructions() + 1);
        match self.is_own {
            true if from.schema.is_open() => {
                self.op(Op::Never, from.schema.root());
            }
            true => self.root(&writer, &writer)?,
            false => {
                let reader = number(to.schema.root());
                match selected {
                    Some(selected) => self.selected(&writer, selected, &reader)?,
                    None => self.root(&writer, &reader)?,
                }
            }
        }
        self.ops.push(Op::End);
        Ok(())
    }

    /// Counts a step of the walk.
    pub(super) fn step(&mut self) -> Result<()> {
        self.steps += 1;
        if self.steps > MAX_RESOLVED && !self.is_own {
            return Err(Error::limit(format!(
                "reading rows of one schema as rows of the other takes more than {MAX_RESOLVED} steps"
            )));
        }
        Ok(())
    }

    /// Walks the type that is one step further in.
    pub(super) fn within<T>(
        &mut self,
        step: At<'t>,
        walk: impl FnOnce(&mut Lower<'t>) -> Result<T>,
    ) -> Result<T> {
        self.path.push(step);
        let expected = self.expected.take();
        let result = walk(self)?;
        self.expected = expected;
        self.path.pop();
        Ok(result)
    }

    /// Walks a value whose expected type is optional.
    pub(super) fn optional(
        &mut self,
        ty: &'t Type,
        walk: impl FnOnce(&mut Lower<'t>) -> Result<()>,
    ) -> Result<()> {
        let outer = self.expected;
        self.expected = outer.or(Some(ty));
        walk(self)?;
        self.expected = outer;
        Ok(())
    }

    /// Returns the error that rows can't be read, with the reason.
    pub(super) fn refuse<T>(&mut self, why: impl fmt::Display) -> Result<T> {
        if self.arm_depth == Some(self.path.len()) {
            // The union that has the arm describes it.
            return Err(Error::schema("an arm can't be read"));
        }
        if self.report.is_some() {
            self.report_refusal(&why.to_string());
        }
        Err(Error::schema(match self.path.is_empty() {
            true => format!("a row: {why}"),
            false => format!("field {}: {why}", Steps(&self.path)),
        }))
    }

    /// Adds an instruction for a value of type `ty` at the path. Returns its index.
    pub(super) fn op(&mut self, op: Op, ty: &'t Type) -> usize {
        self.place(self.ops.len(), 0, ty);
        self.ops.push(op);
        self.ops.len() - 1
    }

    /// Like [`Lower::op`], for an instruction that can't fail.
    pub(super) fn control(&mut self, op: Op) -> usize {
        self.ops.push(op);
        self.ops.len() - 1
    }

    /// Returns the index of the next instruction, as a jump target.
    pub(super) fn label(&mut self) -> u32 {
        self.barrier = self.ops.len();
        self.barrier as u32
    }

    pub(super) fn patch(&mut self, at: usize, op: Op) {
        self.ops[at] = op;
    }

    /// Adds a scalar. Several scalars in consecutive columns become one instruction.
    pub(super) fn scalar(&mut self, op: Op, ty: &'t Type) {
        if self.ops.len() > self.barrier
            && let Some(last) = self.ops.last_mut()
            && let Some(field) = last.extend(&op)
        {
            self.place(self.ops.len() - 1, field, ty);
        } else {
            self.op(op, ty);
        }
    }

    /// Adds a write to the sink that needs no reading.
    pub(super) fn write(&mut self, write: SinkCall, ty: &'t Type) {
        let index = self.writes.len() as u32;
        self.writes.push(write);
        self.scalar(Op::Write { first: index, count: 1 }, ty);
    }

    /// Adds instructions that read values without writing them.
    pub(super) fn skip(&mut self, walk: impl FnOnce(&mut Lower<'t>) -> Result<()>) -> Result<()> {
        let outer = std::mem::replace(&mut self.is_skipping, true);
        let at = self.control(Op::Skip { end: 0, shared: false });
        walk(self)?;
        self.control(Op::Skipped);
        let end = self.label();
        self.patch(at, Op::Skip { end, shared: self.are_shared });
        self.is_skipping = outer;
        Ok(())
    }

    /// Walks an arm of a union. Returns false, and adds no instructions, if none of its values can be read.
    pub(super) fn arm(&mut self, walk: impl FnOnce(&mut Lower<'t>) -> Result<()>) -> Result<bool> {
        let (ops, writes, depth) = (self.ops.len(), self.writes.len(), self.path.len());
        let (expected, outer) = (self.expected, self.arm_depth.replace(depth));
        let mut is_read = true;
        let result = self.tolerate(|lower| match walk(lower) {
            Err(error) if error.kind() == ErrorKind::Schema && lower.path.len() == depth => {
                // Before such a refusal there are at most writes around the value.
                lower.ops.truncate(ops);
                lower.writes.truncate(writes);
                lower.expected = expected;
                is_read = false;
                Ok(())
            }
            result => result,
        });
        self.arm_depth = outer;
        result.map(|()| is_read)
    }

    /// Adds the instruction that refuses values of `arm` of the writer's union, which can't be read as
    /// `reader`.
    pub(super) fn other_arm(&mut self, arm: &'t Type, reader: &'t Type) {
        let at = self.op(Op::OtherArm, reader);
        if self.wanted == Some((at, 0)) {
            self.refused = Some((arm, reader));
        }
    }

    /// Adds the arms of a union. Returns the index of their table.
    pub(super) fn union_table(&mut self, arms: Vec<Arm>) -> u32 {
        self.unions.push(arms);
        self.unions.len() as u32 - 1
    }

    pub(super) fn member_table(&mut self, members: Arc<[Option<u32>]>) -> u32 {
        self.members.push(members);
        self.members.len() as u32 - 1
    }

    /// Adds the lists that an array becomes. Returns their index.
    pub(super) fn array_table(&mut self, lists: ArrayLists) -> u32 {
        self.arrays.push(lists);
        self.arrays.len() as u32 - 1
    }

    /// Records that values of the reader's str column `to` come from the writer's column `from`, or
    /// from no column.
    pub(super) fn feed(&mut self, to: u32, from: Option<u32>) {
        if self.is_skipping {
            return;
        }
        let feed = from.map_or(Feed::Mixed, Feed::Column);
        let before = &mut self.feeds[to as usize];
        *before = if *before == Feed::Nothing { feed } else { Feed::Mixed };
    }

    fn place(&mut self, pc: usize, field: usize, ty: &'t Type) {
        if self.wanted == Some((pc, field)) && self.found.is_none() {
            self.found = Some((self.path.clone(), self.expected.unwrap_or(ty)));
        }
    }
}

impl Op {
    /// Extends a run of scalars by `next`, if that is the scalar after it. Returns its index in the
    /// run.
    fn extend(&mut self, next: &Op) -> Option<usize> {
        let count = match (self, *next) {
            (Op::I64 { from, to, count }, Op::I64 { from: f, to: t, .. })
            | (Op::F64 { from, to, count }, Op::F64 { from: f, to: t, .. })
            | (Op::Str { from, to, count }, Op::Str { from: f, to: t, .. })
            | (Op::Bool { from, to, count }, Op::Bool { from: f, to: t, .. })
                if *from + *count == f && *to + *count == t =>
            {
                count
            }
            (Op::Null { count }, Op::Null { .. }) => count,
            (Op::Write { first, count }, Op::Write { first: f, .. }) if *first + *count == f => {
                count
            }
            _ => return None,
        };
        *count += 1;
        Some(*count as usize - 1)
    }
}

/// Visits every field of a struct, with the steps to it.
pub(super) fn struct_fields<'t>(
    root: &'t Type,
    mut visit: impl FnMut(&[At<'t>], (u32, u32), &'t Type, bool),
) {
    fn walk<'t>(
        at: &Numbered<'t>,
        steps: &mut Vec<At<'t>>,
        visit: &mut impl FnMut(&[At<'t>], (u32, u32), &'t Type, bool),
    ) {
        let mut into = |step: Option<At<'t>>, inner: &Numbered<'t>| {
            steps.extend(step);
            walk(inner, steps, visit);
            if step.is_some() {
                steps.pop();
            }
        };
        let within = || at.within.iter();
        match at.ty {
            Type::Struct(of) => {
                for (nth, (name, field)) in of.names.fields.iter().zip(&at.within).enumerate() {
                    steps.push(At::Field(name));
                    visit(steps, (at.tables.structs, nth as u32), field.ty, field.maybe.is_some());
                    walk(field, steps, visit);
                    steps.pop();
                }
            }
            Type::Fixed(..) => within().enumerate().for_each(|(i, f)| into(Some(At::Item(i)), f)),
            Type::Sequence(..) => within().for_each(|element| into(Some(At::Element), element)),
            Type::Map(..) => {
                [At::Key, At::Value].into_iter().zip(within()).for_each(|(s, f)| into(Some(s), f));
            }
            _ => within().for_each(|inner| into(None, inner)),
        }
    }
    walk(&number(root), &mut Vec::new(), &mut visit);
}

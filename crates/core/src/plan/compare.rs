//! What a reader makes of rows of another schema, part by part.
//!
//! This is no second set of rules: it lowers the writer's type to the reader's as
//! [`Plan::evolve`](super::Plan::evolve) does, notes what the walk decides, and goes on after a part that
//! can't be read. So rows can be read exactly if no part is [`ChangeKind::Refused`].

use std::collections::{HashMap, VecDeque};
use std::fmt;
use std::sync::Arc;

use super::closing::Closed;
use super::lower::{Lower, Steps};
use super::numbering::{Numbered, RowType};
use super::{Defaults, Former, FormerNames};
use crate::error::{Error, ErrorKind, Result};
use crate::limits::MAX_COMPARED;
use crate::schema::{Brief, Enum, Schema, Type, Word};

/// What becomes of one part of a row.
#[derive(Clone, Debug, PartialEq)]
pub struct Change {
    /// The part, as [`Defaults`] names it: `lines.[].price`. Empty for the row itself. Two arms of a union
    /// may both have a field with one path.
    pub path: String,
    /// What becomes of it.
    pub kind: ChangeKind,
    /// The writer's type of it; `None` if the writer lacks it.
    pub writer: Option<Type>,
    /// The reader's type of it; `None` if the reader drops it.
    pub reader: Option<Type>,
    /// Why it is refused; what it gets if it is missing; which of its values can't be converted.
    pub reason: String,
    /// Whether it is converted, and some values that rows may have are errors.
    pub may_fail: bool,
    /// The number of steps to it.
    depth: usize,
    /// Whether only its parts changed.
    is_outline: bool,
    /// Whether it is null or missing, with or without a default, because the writer's schema lacks it.
    is_silent: bool,
}

/// What becomes of a part of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ChangeKind {
    /// It is the same.
    Same,
    /// Its values are converted.
    Converted,
    /// Rows lack it, so it gets a default, or null, or is missing.
    Missing,
    /// The reader drops it.
    Dropped,
    /// It can't be read.
    Refused,
}

impl ChangeKind {
    /// Returns its name.
    pub fn name(self) -> &'static str {
        match self {
            ChangeKind::Same => "same",
            ChangeKind::Converted => "converted",
            ChangeKind::Missing => "missing",
            ChangeKind::Dropped => "dropped",
            ChangeKind::Refused => "refused",
        }
    }
}

/// What a reader makes of rows of a writer's schema.
///
/// ```
/// use serow_core::plan::{ChangeKind, Comparison, Defaults, FormerNames};
/// use serow_core::schema::Schema;
///
/// let old = Schema::parse("Part{key: i64, name: str}")?;
/// let new = Schema::parse("Part{key: f64, note: str?}")?;
/// let comparison = Comparison::new(&old, &new, &Defaults::default(), &FormerNames::default())?;
/// assert!(comparison.reads());
/// let kinds: Vec<_> = comparison.changes.iter().map(|change| (&*change.path, change.kind)).collect();
/// assert_eq!(kinds[0], ("key", ChangeKind::Converted));
/// assert_eq!(kinds[1], ("name", ChangeKind::Dropped));
/// assert_eq!(kinds[2], ("note", ChangeKind::Missing));
/// assert_eq!(comparison.warnings.len(), 1);
/// # Ok::<(), serow_core::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Comparison {
    /// The parts, in the writer's order. A container is among them if it is converted itself.
    pub changes: Vec<Change>,
    /// What is allowed, but may be a mistake.
    pub warnings: Vec<String>,
}

impl Comparison {
    /// Compares the schemas of a writer and of a reader with these defaults and former names.
    ///
    /// # Errors
    /// A limit error if the parts of their rows would take too much memory.
    pub fn new(
        writer: &Schema,
        reader: &Schema,
        defaults: &Defaults,
        former_names: &FormerNames,
    ) -> Result<Comparison> {
        Comparison::with(writer, reader, defaults, former_names, false)
    }

    /// Like [`Comparison::new`]. If `ints_are_alike`, an `i64` that is read as an `int` is the same.
    pub(crate) fn with(
        writer: &Schema,
        reader: &Schema,
        defaults: &Defaults,
        former_names: &FormerNames,
        ints_are_alike: bool,
    ) -> Result<Comparison> {
        let rows = |schema| Arc::new(RowType::new(schema));
        let from = rows(writer);
        // Limits don't apply to rows of the reader's own schema.
        let closed = match reader.is_open() && !writer.is_open() && writer != reader {
            true => Some(Closed::of(reader, writer, defaults, former_names)?),
            false => None,
        };
        let (defaults, former_names) = match &closed {
            Some(closed) => (closed.defaults.clone(), closed.former_names.clone()),
            None => (defaults.clone(), former_names.clone()),
        };
        let to = match closed {
            Some(closed) => Arc::new(closed.rows),
            // The walk does not go into an open type that is its own reader.
            None if writer == reader && !reader.is_open() => from.clone(),
            None => rows(reader),
        };
        let mut lower = Lower::new(&from, &to, &defaults, &former_names);
        lower.report = Some(Box::new(Report { ints_are_alike, ..Report::default() }));
        let result = lower.row(&from, &to, None);
        let mut report = lower.report.unwrap_or_default();
        if report.held > MAX_COMPARED {
            return Err(Error::limit(format!(
                "the types of the parts of these rows have more than {MAX_COMPARED} parts in all"
            )));
        }
        if let Err(error) = result {
            // The other parts are too many to be of interest.
            report.changes.retain(|change| change.kind == ChangeKind::Refused);
            let refused = Change::new("", 0, ChangeKind::Refused, error.message());
            let (writer, reader) = (Some(writer.root().clone()), Some(reader.root().clone()));
            report.changes.insert(0, Change { writer, reader, ..refused });
        }
        report.changes.retain(|change| !change.is_outline);
        Ok(Comparison { changes: report.changes, warnings: report.warnings })
    }

    /// Takes the changes of `other`, a comparison with a reader of other types, where it comes to the same
    /// result for a part.
    pub(crate) fn in_words_of(mut self, other: Comparison) -> Comparison {
        let mut same: HashMap<(String, ChangeKind), VecDeque<Change>> = HashMap::new();
        for change in other.changes {
            same.entry((change.path.clone(), change.kind)).or_default().push_back(change);
        }
        for change in &mut self.changes {
            let other = same.get_mut(&(change.path.clone(), change.kind));
            if let Some(other) = other.and_then(VecDeque::pop_front) {
                *change = other;
            }
        }
        self
    }

    /// Returns whether rows of the writer's schema can be read. Single values may still be errors:
    /// see [`Change::may_fail`].
    pub fn reads(&self) -> bool {
        self.changes.iter().all(|change| change.kind != ChangeKind::Refused)
    }
}

impl Change {
    fn new(path: impl fmt::Display, depth: usize, kind: ChangeKind, reason: &str) -> Change {
        Change {
            path: path.to_string(),
            kind,
            writer: None,
            reader: None,
            reason: reason.to_owned(),
            may_fail: false,
            depth,
            is_outline: false,
            is_silent: false,
        }
    }
}

/// What the walk has decided.
#[derive(Default)]
pub(super) struct Report {
    changes: Vec<Change>,
    warnings: Vec<String>,
    ints_are_alike: bool,
    /// The parts around the current one and itself, by their indices in `changes`.
    open: Vec<usize>,
    /// Whether the parts are the same for both, so that nothing inside is of interest.
    is_same: bool,
    /// The parts of the types in `changes`, and about as many for long paths.
    held: usize,
}

impl Report {
    /// Returns a copy of a type, if there may be more.
    fn hold(&mut self, ty: &Type) -> Option<Type> {
        self.held = self.held.saturating_add(parts(ty));
        (self.held <= MAX_COMPARED).then(|| ty.clone())
    }

    /// Adds the change at a path.
    fn push(&mut self, change: Change) {
        self.held += change.path.len() / 32;
        if self.held <= MAX_COMPARED {
            self.changes.push(change);
        }
    }
}

/// What a field gets that rows lack.
#[derive(Clone, Copy)]
pub(super) enum Filling {
    Nothing,
    Default,
    Null,
}

impl<'t> Lower<'t> {
    /// Returns the report if what the walk decides now belongs in it.
    fn reported(&mut self) -> Option<&mut Report> {
        let is_skipping = self.is_skipping;
        self.report.as_deref_mut().filter(|report| !report.is_same && !is_skipping)
    }

    /// Walks a value. If the walk comes to its part of the row for the first time, reports what becomes
    /// of the part, and goes on after it even if it can't be read.
    pub(super) fn part(
        &mut self,
        w: &Numbered<'t>,
        r: &Numbered<'t>,
        walk: impl FnOnce(&mut Lower<'t>) -> Result<()>,
    ) -> Result<()> {
        let depth = self.path.len();
        let path = match self.reported() {
            None => return walk(self),
            Some(report) => {
                let last = report.open.last().map(|&open| &report.changes[open]);
                if last.is_some_and(|open| open.depth == depth) {
                    return walk(self);
                }
                Steps(&self.path).to_string()
            }
        };
        let Some(report) = &mut self.report else { return walk(self) };
        let at = report.changes.len();
        report.push(Change::new(path, depth, ChangeKind::Same, ""));
        if report.changes.len() == at {
            return Err(Error::limit("the comparison is too long"));
        }
        report.open.push(at);
        // All fields of a row are listed.
        let has_fields = matches!(w.ty.required(), Type::Struct(_) | Type::Fixed(..));
        report.is_same = w.ty == r.ty && (depth > 0 || !has_fields);
        let result = self.tolerate(walk);
        if let Some(report) = &mut self.report {
            report.is_same = false;
            report.open.pop();
            let has_parts = report.changes.len() > at + 1;
            let is_outline = has_parts && report.changes[at].kind == ChangeKind::Same;
            if !is_outline {
                (report.changes[at].writer, report.changes[at].reader) =
                    (report.hold(w.ty), report.hold(r.ty));
            }
            report.changes[at].is_outline = is_outline;
        }
        result
    }

    /// Walks a part of the row. If a report is made, the walk goes on after a part that can't be read.
    pub(super) fn tolerate(
        &mut self,
        walk: impl FnOnce(&mut Lower<'t>) -> Result<()>,
    ) -> Result<()> {
        let Some(report) = &self.report else { return walk(self) };
        let (open, depth, is_same) = (report.open.len(), self.path.len(), report.is_same);
        let (expected, is_skipping) = (self.expected, self.is_skipping);
        match walk(self) {
            Err(error) if error.kind() == ErrorKind::Schema => {
                self.path.truncate(depth);
                (self.expected, self.is_skipping) = (expected, is_skipping);
                if let Some(report) = &mut self.report {
                    report.open.truncate(open);
                    report.is_same = is_same;
                }
                Ok(())
            }
            result => result,
        }
    }

    /// Notes that the current part can't be read.
    pub(super) fn report_refusal(&mut self, why: &str) {
        let depth = self.path.len();
        let path = Steps(&self.path).to_string();
        let Some(report) = self.report.as_deref_mut() else { return };
        let change = Change::new(path, depth, ChangeKind::Refused, why);
        match report.open.last().map(|&open| &mut report.changes[open]) {
            Some(open)
                if open.depth == depth
                    && !open.reason.is_empty()
                    && open.kind == ChangeKind::Refused =>
            {
                open.reason = format!("{}; {why}", open.reason);
            }
            Some(open) if open.depth == depth => {
                *open = Change { reader: open.reader.take(), ..change };
            }
            _ => report.push(change),
        }
    }

    /// Notes the type of a field that rows must have, before it is refused.
    pub(super) fn report_needed(&mut self, ty: &Type) {
        if self.report.is_none() {
            return;
        }
        let (depth, path) = (self.path.len(), Steps(&self.path).to_string());
        if let Some(report) = self.report.as_deref_mut() {
            let (at, reader) = (report.changes.len(), report.hold(ty));
            report.push(Change { reader, ..Change::new(path, depth, ChangeKind::Refused, "") });
            report.open.extend(Some(at).filter(|at| *at < report.changes.len()));
        }
    }

    /// Notes that values of the current part are converted.
    pub(super) fn report_conversion(&mut self) {
        let Some(report) = self.reported() else { return };
        let Some(&open) = report.open.last() else { return };
        let change = &mut report.changes[open];
        if change.kind == ChangeKind::Same {
            change.kind = ChangeKind::Converted;
        }
    }

    /// Notes that values of the current part are converted, and which of them can't be.
    pub(super) fn report_risk(&mut self, reason: impl fmt::Display) {
        self.report_conversion();
        let Some(report) = self.reported() else { return };
        let Some(&open) = report.open.last() else { return };
        let change = &mut report.changes[open];
        if change.kind == ChangeKind::Converted {
            change.may_fail = true;
            change.reason = match change.reason.is_empty() {
                true => reason.to_string(),
                false => format!("{}; {reason}", change.reason),
            };
        }
    }

    /// Notes that an `i64` is read as an `int`.
    pub(super) fn report_larger_int(&mut self) {
        if self.reported().is_some_and(|report| !report.ints_are_alike) {
            self.report_conversion();
        }
    }

    /// Notes that the members of an enum are found in another one.
    pub(super) fn report_members(&mut self, a: &Enum, b: &Enum, r: &Numbered<'_>) {
        if a == b || self.reported().is_none() {
            return;
        }
        let places = Former::members(a, b, self.former_names.of_enum(r.tables.enums));
        let lacking = a.members.iter().zip(places).filter(|(_, place)| place.is_none());
        let names: Vec<String> = lacking.map(|(name, _)| Word(name).to_string()).collect();
        match names.len() {
            0 => self.report_conversion(),
            1 => self.report_risk(format_args!("the reader's enum has no member {}", names[0])),
            _ => {
                self.report_risk(format_args!("the reader's enum lacks {}", shortened(&names)));
            }
        }
    }

    /// Notes that arms of the writer's union can't be read.
    pub(super) fn report_arms(&mut self, arms: &[&Type]) {
        if arms.is_empty() || self.reported().is_none() {
            return;
        }
        let names: Vec<String> = arms.iter().map(|arm| Brief(arm).to_string()).collect();
        self.report_risk(format_args!("values of {} are errors", shortened(&names)));
    }

    /// Notes that the current field is dropped.
    pub(super) fn report_dropped(&mut self, ty: &Type) {
        if self.reported().is_none() {
            return;
        }
        let (depth, path) = (self.path.len(), Steps(&self.path).to_string());
        let Some(report) = self.reported() else { return };
        let dropped = Change::new(path, depth, ChangeKind::Dropped, "");
        let writer = report.hold(ty);
        report.push(Change { writer, ..dropped });
    }

    /// Notes what the current field gets if rows lack it. `why` says why they do.
    pub(super) fn report_missing(&mut self, ty: &Type, filling: Filling, why: &str) {
        if self.reported().is_none() {
            return;
        }
        let (depth, path) = (self.path.len(), Steps(&self.path).to_string());
        let Some(report) = self.reported() else { return };
        let gets = match filling {
            Filling::Nothing => "it stays missing",
            Filling::Default => "it gets its default",
            Filling::Null => "it is null",
        };
        let reason = format!("{why}; {gets}");
        let is_silent = matches!(filling, Filling::Nothing | Filling::Null)
            || matches!(ty, Type::Null | Type::Optional(_));
        let reader = report.hold(ty);
        report.push(Change {
            reader,
            is_silent: is_silent && why == LACKS,
            ..Change::new(path, depth, ChangeKind::Missing, &reason)
        });
    }

    /// Returns where the report is before parts of the current one.
    pub(super) fn report_parts(&self) -> usize {
        self.report.as_ref().map_or(0, |report| report.changes.len())
    }

    /// Notes that `what` of the current set or map may become equal, if the report drops a field of them. Their
    /// parts begin at `first` in it.
    pub(super) fn report_merged(&mut self, first: usize, what: &str) {
        let Some(report) = self.reported() else { return };
        if report.changes[first..].iter().any(|part| part.kind == ChangeKind::Dropped) {
            self.report_risk(format_args!(
                "{what} that become equal without their fields are an error"
            ));
        }
    }

    /// Warns of fields of the struct whose first field is at `first` in the report that the writer may have
    /// under other names: the reader drops some, and others are silently null or missing.
    pub(super) fn warn_of_renames(&mut self, first: usize) {
        if self.reported().is_none() {
            return;
        }
        let (path, depth) = (Steps(&self.path).to_string(), self.path.len() + 1);
        let Some(report) = self.reported() else { return };
        let fields = &report.changes[first..];
        let names = |is_wanted: &dyn Fn(&Change) -> bool| -> Vec<String> {
            let found = fields.iter().filter(|it| it.depth == depth && is_wanted(it));
            let skipped = if path.is_empty() { 0 } else { path.len() + 1 };
            found.map(|it| it.path[skipped..].to_owned()).collect()
        };
        let lacking = names(&|it| it.kind == ChangeKind::Missing && it.is_silent);
        let dropped = names(&|it| it.kind == ChangeKind::Dropped);
        if lacking.is_empty() || dropped.is_empty() {
            return;
        }
        let of = if path.is_empty() { String::new() } else { format!(" of {path}") };
        report.warnings.push(format!(
            "field {}{of} is never in these rows, and field {} is dropped; if a field was renamed, its \
             values are lost",
            shortened(&lacking),
            shortened(&dropped)
        ));
    }
}

/// Why a field is missing in all rows.
pub(super) const LACKS: &str = "the writer's schema lacks it";

/// Joins names; of many only the first ones.
fn shortened(names: &[String]) -> String {
    const MOST: usize = 5;
    let text = names[..names.len().min(MOST)].join(", ");
    match names.len().saturating_sub(MOST) {
        0 => text,
        more => format!("{text} and {more} more"),
    }
}

/// Returns the number of types in a type, with itself and its fields' names.
fn parts(ty: &Type) -> usize {
    1 + match ty {
        Type::Optional(inner) | Type::Sequence(_, inner) => parts(inner),
        Type::Fixed(_, types) | Type::Union(types) => types.iter().map(parts).sum(),
        Type::Map(key, value) => parts(key) + parts(value),
        Type::Struct(of) => of.fields.iter().map(|field| 1 + parts(&field.ty)).sum(),
        Type::Enum(of) => of.members.len(),
        _ => 0,
    }
}

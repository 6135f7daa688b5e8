//! Rows of one schema are read as rows of another.
//!
//! This interpreter stands beside the one for plans. It walks a tree, which is slower than a list of
//! instructions and shorter to write down: messages of another version are few, or soon none.

use std::ops::Range;

use super::Resolved;
use super::node::{Made, Node};
use crate::error::Fault;
use crate::layout::batch::BAD_CODE;
use crate::layout::columns::Columns;
use crate::layout::value::ValueReader;
use crate::layout::{Components, OpResult, Sink, Source, TOO_MANY_ELEMENTS, Text};
use crate::limits::{CONTAINER_ELEMENTS, MAX_ROW_ELEMENTS};
use crate::path::{Path, Step as PathStep};
use crate::plan::{Arm, Plan};
use crate::schema::{Container, Word};
use crate::wire::frame::{Frame, strings};

/// The largest integer of which all that are smaller are floats too.
const LARGEST_EXACT: u64 = 1 << 53;

/// Where and why a run stopped.
pub(crate) struct Stop {
    pub row: usize,
    /// The value at fault, in the reader's schema.
    pub path: Path,
    pub fault: Fault,
    /// What is to be said of the value, if the fault is [`Fault::Unrepresentable`] and not the sink's.
    pub said: Option<String>,
}

/// The entries of a dictionary of the writer's that the sink has not been given.
struct Dictionary<'a> {
    ends: Vec<u32>,
    text: &'a [u8],
    ascii: bool,
}

impl Dictionary<'_> {
    fn entry(&self, code: u32) -> OpResult<Text<'_>> {
        let code = code as usize;
        let entry = self.ends.get(code).and_then(|&end| {
            let begin = code.checked_sub(1).map_or(0, |before| self.ends[before]);
            self.text.get(begin as usize..end as usize)
        });
        match entry {
            Some(bytes) => Ok(Text::Plain { bytes, ascii: self.ascii }),
            None => Err(Fault::Corrupt(BAD_CODE)),
        }
    }
}

/// A frame of the writer's, and a sink that is one for the reader's plan.
pub(crate) fn run<K: Sink>(
    resolved: &Resolved,
    frame: Frame<'_>,
    sink: &mut K,
    rows: Range<usize>,
) -> Result<(), Box<Stop>> {
    let mut machine = Machine {
        resolved,
        dictionaries: Vec::new(),
        unions: &resolved.writer.unions,
        elements: 0,
        path: Vec::new(),
        said: None,
    };
    let (mut row, end) = (rows.start, rows.end);
    let run = || {
        sink.names(&resolved.reader.tables);
        let mut columns = machine.columns(&resolved.writer, frame, sink)?;
        while row < end {
            machine.elements = MAX_ROW_ELEMENTS;
            columns.row(row)?;
            sink.row(resolved.reader.row_bound)?;
            machine.value(&resolved.root, &mut columns, sink)?;
            columns.end_row()?;
            let _ = sink.end_row()?;
            row += 1;
        }
        Ok(())
    };
    run().map_err(|fault| {
        machine.path.reverse();
        Box::new(Stop { row, path: Path(machine.path), fault, said: machine.said })
    })
}

struct Machine<'a, 'f> {
    resolved: &'a Resolved,
    /// By the writer's str columns.
    dictionaries: Vec<Option<Dictionary<'f>>>,
    /// Of what is read: of the writer, or, within a default, of the reader.
    unions: &'a [Vec<Arm>],
    /// The elements that the row may still have.
    elements: usize,
    /// Where a fault was met, from inside out.
    path: Vec<PathStep>,
    said: Option<String>,
}

impl<'a, 'f> Machine<'a, 'f> {
    /// The columns of `frame`. Where a column of the reader's has all its values from one of the
    /// writer's, the sink is given the dictionary; where it has not, text is given as it is.
    fn columns<K: Sink>(
        &mut self,
        writer: &Plan,
        frame: Frame<'f>,
        sink: &mut K,
    ) -> OpResult<Columns<'f>> {
        let dictionaries = &mut self.dictionaries;
        dictionaries.resize_with(frame.strs.len(), || None);
        let handed_on = &self.resolved.handed_on;
        let dictionary = |column: usize, reader: &strings::StrReader<'f>| {
            let strings::StrReader { text, ascii, str_encoding, .. } = *reader;
            let ends = reader.ends()?;
            match handed_on[column] {
                Some(to) => return sink.dictionary(to, str_encoding, &ends, text),
                None => dictionaries[column] = Some(Dictionary { ends, text, ascii }),
            }
            Ok(())
        };
        Columns::with(writer, frame, false, dictionary)
    }

    fn value<S: Source, K: Sink>(
        &mut self,
        node: &'a Node,
        source: &mut S,
        sink: &mut K,
    ) -> OpResult {
        match node {
            Node::I64 { from, to } => sink.i64(*to, source.i64(*from)?),
            Node::F64 { from, to } => sink.f64(*to, source.f64(*from)?),
            Node::Bool { from, to } => sink.bool(*to, source.bool(*from)?),
            Node::Str { from, to } => {
                let v = source.str(*from)?;
                sink.str(*to, plain(&self.dictionaries, v, *from)?)
            }
            Node::Null => {
                source.null()?;
                sink.null()
            }
            Node::Logical { ty, from, to } => {
                let mut parts = source.logical(*ty, *from)?;
                parts.bytes = plain(&self.dictionaries, parts.bytes, from.str)?;
                sink.logical(*ty, *to, parts)
            }
            Node::IntOfI64 { from, to } => {
                let mut parts = Components::default();
                parts.ints[0] = source.i64(*from)?;
                sink.logical(crate::schema::Logical::Int, *to, parts)
            }
            Node::F64OfI64 { from, to } => {
                let v = source.i64(*from)?;
                if v.unsigned_abs() > LARGEST_EXACT {
                    return self.refuse(format!(
                        "{v} is read as f64, which may not hold it: beyond 2^53 not all integers are \
                         floats"
                    ));
                }
                sink.f64(*to, v as f64)
            }
            Node::Enum { tables, from, to, members } => {
                let index = source.member(tables.from, members.len() as u32, *from)?;
                match members[index as usize] {
                    Some(index) => sink.member(tables.to, *to, i64::from(index)),
                    None => self.unknown_member(tables.from, index as usize),
                }
            }
            Node::Never => Err(S::NEVER),
            Node::Optional { from, to, inner } => {
                if !source.present(*from)? {
                    return sink.absent(*to);
                }
                sink.present(*to)?;
                self.value(inner, source, sink)
            }
            Node::Present { to, inner } => {
                sink.present(*to)?;
                self.value(inner, source, sink)
            }
            Node::Absent { to } => {
                source.null()?;
                sink.absent(*to)
            }
            Node::Fixed { read, made, acyclic, fields } => {
                source.enter(read.0, read.1)?;
                sink.enter(made.0, made.1, *acyclic)?;
                for (i, field) in fields.iter().enumerate() {
                    let done = self.value(field, source, sink);
                    self.within(done, || match made.0 {
                        Container::Struct(table) => {
                            let names = &self.resolved.reader.tables.structs[table as usize];
                            PathStep::Field(names.fields[i].clone())
                        }
                        _ => PathStep::Item(i),
                    })?;
                }
                source.leave();
                sink.leave()
            }
            Node::Elements { container, to, acyclic, bound, fields } => {
                source.enter(*container, fields.len() as u32)?;
                self.count(fields.len())?;
                sink.sequence(*container, *to, fields.len(), *acyclic)?;
                for (i, field) in fields.iter().enumerate() {
                    sink.element(*bound as usize)?;
                    let done = self.value(field, source, sink);
                    self.within(done, || PathStep::Item(i))?;
                }
                source.leave();
                sink.leave()
            }
            Node::Sequence { container, from, zero_sized, made, element } => {
                let len = source.sequence(*container, *from, *zero_sized)?;
                self.begin(*container, *made, len, sink)?;
                for i in 0..len {
                    sink.element(made.bound as usize)?;
                    match &element[..] {
                        [key, value] => {
                            let done = self.value(key, source, sink);
                            self.within(done, || PathStep::Key(i))?;
                            let done = self.value(value, source, sink);
                            self.within(done, || PathStep::Value(i))?;
                        }
                        element => {
                            let done = element
                                .iter()
                                .try_for_each(|element| self.value(element, source, sink));
                            self.within(done, || PathStep::Item(i))?;
                        }
                    }
                }
                source.leave();
                sink.leave()
            }
            Node::Entries { table, made, entries } => {
                source.enter(Container::Struct(*table), entries.len() as u32)?;
                let there = entries
                    .iter()
                    .map(|entry| entry.maybe.map_or(Ok(true), |column| source.has_field(column)))
                    .collect::<OpResult<Vec<bool>>>()?;
                let len = there.iter().filter(|&&there| there).count();
                self.begin(Container::Map, *made, len, sink)?;
                let entries = entries.iter().zip(there).filter(|(_, there)| *there);
                for (i, (entry, _)) in entries.enumerate() {
                    sink.element(made.bound as usize)?;
                    self.value(&entry.key, source, sink)?;
                    let done = self.value(&entry.value, source, sink);
                    self.within(done, || PathStep::Value(i))?;
                }
                source.leave();
                sink.leave()
            }
            Node::Union { table, from, arms } => {
                let arm = source.arm(&self.unions[*table as usize], *from)?;
                self.value(&arms[arm], source, sink)
            }
            Node::Arm { to, arm, inner } => {
                sink.arm(*to, *arm as usize)?;
                self.value(inner, source, sink)
            }
            Node::Maybe { from, has, lacks } => {
                let node = if source.has_field(*from)? { has } else { lacks };
                self.value(node, source, sink)
            }
            Node::HasField { to, inner } => {
                sink.has_field(*to)?;
                self.value(inner, source, sink)
            }
            Node::LacksField { to } => sink.lacks_field(*to),
            Node::NullGiven => sink.null(),
            Node::AbsentGiven { to } => sink.absent(*to),
            Node::SinkDefault => sink.default_field(),
            Node::Given { value, node } => {
                let mut given = ValueReader::new(std::slice::from_ref(&**value));
                given.names(&self.resolved.reader.tables);
                given.row(0)?;
                let unions = std::mem::replace(&mut self.unions, &self.resolved.reader.unions);
                let done = self.value(node, &mut given, sink);
                self.unions = unions;
                done
            }
        }
    }

    /// Begin a sequence of `len` elements.
    fn begin<K: Sink>(
        &mut self,
        container: Container,
        made: Made,
        len: usize,
        sink: &mut K,
    ) -> OpResult {
        self.count(len)?;
        sink.sequence(container, made.to, len, made.acyclic)
    }

    /// Count the elements of a sequence as the interpreter of plans does.
    fn count(&mut self, len: usize) -> OpResult {
        let count = len.saturating_add(CONTAINER_ELEMENTS);
        self.elements = self.elements.checked_sub(count).ok_or(TOO_MANY_ELEMENTS)?;
        Ok(())
    }

    /// Note one step of the way to a fault.
    #[inline(always)]
    fn within(&mut self, done: OpResult, step: impl FnOnce() -> PathStep) -> OpResult {
        if done.is_err() {
            let step = step();
            self.path.push(step);
        }
        done
    }

    #[cold]
    fn refuse(&mut self, what: String) -> OpResult {
        self.said = Some(what);
        Err(Fault::Unrepresentable)
    }

    #[cold]
    fn unknown_member(&mut self, table: u32, index: usize) -> OpResult {
        // A default is of the reader's enum and has all of its members, so this is the writer's.
        let of = &self.resolved.writer.tables.enums[table as usize];
        self.refuse(format!(
            "{} is no member of enum {} as it is read",
            Word(&of.members[index]),
            Word(&of.name)
        ))
    }
}

/// `v` of the writer's str column `from`, as the sink can take it.
fn plain<'t>(
    dictionaries: &'t [Option<Dictionary<'_>>],
    v: Text<'t>,
    from: u32,
) -> OpResult<Text<'t>> {
    match (v, dictionaries.get(from as usize)) {
        (Text::Entry(code), Some(Some(dictionary))) => dictionary.entry(code),
        _ => Ok(v),
    }
}

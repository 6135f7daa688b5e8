//! The schema that a reader expects, and the plans that read rows of other schemas.

use std::sync::{Arc, Mutex};

use crate::error::Result;
use crate::limits::{KEPT_RESOLVED, SHARED_TYPE_LIST};
use crate::plan::{Comparison, Defaults, FormerNames, Selection};
use crate::program::Program;
use crate::schema::{Open, Schema, Type};

/// The expected schema of rows, and how to read rows of other schemas.
#[derive(Debug)]
pub struct ReaderSchema {
    program: Arc<Program>,
    reader: Arc<Program>,
    defaults: Defaults,
    former_names: FormerNames,
    /// The fields that are read, whatever the schema of the rows is.
    selection: Option<Selection>,
    /// For other schemas that were read: the writer's program and the converting program. The most
    /// recently used one is last.
    evolved: Mutex<Vec<(Arc<Program>, Arc<Program>)>>,
}

impl ReaderSchema {
    /// Expects rows of the schema of `program`.
    pub fn new(program: Arc<Program>, defaults: Defaults) -> ReaderSchema {
        let (reader, evolved) = (program.clone(), Mutex::default());
        let former_names = FormerNames::default();
        ReaderSchema { program, reader, defaults, former_names, selection: None, evolved }
    }

    /// Expects rows of any schema, and reads only a part of their fields.
    ///
    /// # Errors
    /// None that bytes cause.
    pub fn selecting(selection: Selection) -> Result<ReaderSchema> {
        let any = Program::of(&Schema::new(Type::Open(Open::Any))?);
        let schema = ReaderSchema::new(any, Defaults::default());
        Ok(ReaderSchema { selection: Some(selection), ..schema })
    }

    /// Reads rows of other schemas as rows of `reader`. Its schema may be wider where the language
    /// does not distinguish the types.
    pub fn with_reader(self, reader: Arc<Program>) -> ReaderSchema {
        ReaderSchema { reader, ..self }
    }

    /// Also reads rows that have the former names of types, fields and members.
    pub fn with_former_names(self, former_names: FormerNames) -> ReaderSchema {
        ReaderSchema { former_names, evolved: Mutex::default(), ..self }
    }

    /// Has other defaults.
    pub fn with_defaults(self, defaults: Defaults) -> ReaderSchema {
        ReaderSchema { defaults, evolved: Mutex::default(), ..self }
    }

    /// The program for rows of the schema itself.
    pub fn program(&self) -> &Arc<Program> {
        &self.program
    }

    /// The values of fields that the rows of a message lack.
    pub fn defaults(&self) -> &Defaults {
        &self.defaults
    }

    /// The former names of types, fields and members.
    pub fn former_names(&self) -> &FormerNames {
        &self.former_names
    }

    /// What is read of rows, if not all of their fields are.
    pub fn selection(&self) -> Option<&Selection> {
        self.selection.as_ref()
    }

    /// Returns what becomes of rows of `writer`'s schema.
    ///
    /// # Errors
    /// See [`Comparison::new`].
    pub fn compare(&self, writer: &Schema) -> Result<Comparison> {
        let (own, wider) = (self.program.schema(), self.reader.schema());
        let comparison = Comparison::new(writer, own, &self.defaults, &self.former_names)?;
        // What the schema itself reads, the wider one reads too, but its types are not the user's.
        let may_fail = comparison.changes.iter().any(|change| change.may_fail);
        if comparison.reads() && !may_fail || own == wider {
            return Ok(comparison);
        }
        let wide = Comparison::with(writer, wider, &self.defaults, &self.former_names, true)?;
        Ok(wide.in_words_of(comparison))
    }

    /// Returns the program that reads rows of `writer`'s schema.
    pub(super) fn evolve(&self, writer: &Arc<Program>) -> Result<Arc<Program>> {
        // Schemas are compared as a whole, after their fingerprints. If the lock is taken, continue
        // without the list: a thread of a parent process may hold the lock forever.
        let is_of = |(other, _): &(Arc<Program>, _)| other.schema() == writer.schema();
        if let Ok(mut kept) = self.evolved.try_lock()
            && let Some(at) = kept.iter().rposition(is_of)
        {
            let found = kept.remove(at);
            let program = found.1.clone();
            kept.push(found);
            return Ok(program);
        }
        let ReaderSchema { reader, defaults, former_names, .. } = self;
        let program = Arc::new(match &self.selection {
            Some(selection) => Program::select(writer, selection)?,
            None => Program::evolve(writer, reader, defaults, former_names)?,
        });
        if writer.schema().as_bytes().len() <= SHARED_TYPE_LIST
            && let Ok(mut kept) = self.evolved.try_lock()
        {
            if kept.len() >= KEPT_RESOLVED {
                kept.remove(0);
            }
            kept.push((writer.clone(), program.clone()));
        }
        Ok(program)
    }
}

impl Clone for ReaderSchema {
    fn clone(&self) -> ReaderSchema {
        let selection = self.selection.clone();
        let schema = ReaderSchema::new(self.program.clone(), self.defaults.clone())
            .with_reader(self.reader.clone())
            .with_former_names(self.former_names.clone());
        ReaderSchema { selection, ..schema }
    }
}

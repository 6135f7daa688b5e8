//! The schema that a reader expects, and the plans for rows of others.

use std::sync::{Arc, Mutex};

use crate::error::Result;
use crate::limits::{KEPT_RESOLVED, SHARED_TYPE_LIST};
use crate::plan::Defaults;
use crate::program::Program;

/// The schema that rows are expected to have, and what to do with those of another.
#[derive(Debug)]
pub struct Expected {
    plan: Arc<Program>,
    reader: Arc<Program>,
    defaults: Defaults,
    /// For other schemas whose messages were read, the plans of the writer and of the conversion. The last
    /// was used last.
    evolved: Mutex<Vec<(Arc<Program>, Arc<Program>)>>,
}

impl Expected {
    /// Rows of the schema of `plan`.
    pub fn new(plan: Arc<Program>, defaults: Defaults) -> Expected {
        let (reader, evolved) = (plan.clone(), Mutex::default());
        Expected { plan, reader, defaults, evolved }
    }

    /// The same, with rows of other schemas read as those of `reader`, which may be wider where the
    /// language knows no difference.
    pub fn with_reader(self, reader: Arc<Program>) -> Expected {
        Expected { reader, ..self }
    }

    /// The plan for rows of the schema itself.
    pub fn plan(&self) -> &Arc<Program> {
        &self.plan
    }

    /// What stands for fields that are in no row of a message.
    pub fn defaults(&self) -> &Defaults {
        &self.defaults
    }

    /// The plan by which rows of `writer`'s schema are read.
    pub(super) fn evolve(&self, writer: &Arc<Program>) -> Result<Arc<Program>> {
        // Whole schemas are compared, after their fingerprints. Where the lock is taken, this goes on
        // without it: a thread of a parent process may hold it for good.
        let is_of = |(other, _): &(Arc<Program>, _)| other.schema() == writer.schema();
        if let Ok(mut kept) = self.evolved.try_lock()
            && let Some(at) = kept.iter().rposition(is_of)
        {
            let found = kept.remove(at);
            let plan = found.1.clone();
            kept.push(found);
            return Ok(plan);
        }
        let plan = Arc::new(Program::evolve(writer, &self.reader, &self.defaults)?);
        if writer.schema().as_bytes().len() <= SHARED_TYPE_LIST
            && let Ok(mut kept) = self.evolved.try_lock()
        {
            if kept.len() >= KEPT_RESOLVED {
                kept.remove(0);
            }
            kept.push((writer.clone(), plan.clone()));
        }
        Ok(plan)
    }
}

impl Clone for Expected {
    fn clone(&self) -> Expected {
        Expected::new(self.plan.clone(), self.defaults.clone()).with_reader(self.reader.clone())
    }
}

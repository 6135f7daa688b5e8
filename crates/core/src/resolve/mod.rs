//! Rows of one schema are read as rows of another, by the names of their fields.
//!
//! The two schemas are *resolved* once: from the types of writer and reader comes a tree that says how each
//! value of the reader's is made ([`node`]), or an error that says which field can't be ([`rules`]). Then
//! frames of the writer's are read by that tree ([`run`]). What the sink is told is what the reader's own
//! plan would tell it, so any sink will do.

mod defaults;
mod node;
mod placed;
mod rules;
mod run;

use std::sync::{Arc, Mutex};

pub use defaults::{Defaults, FieldDefault};
use node::Node;
use rules::Feed;
pub(crate) use run::run;

use crate::error::Result;
use crate::limits::{KEPT_RESOLVED, SHARED_TYPE_LIST};
use crate::plan::Plan;

/// How rows of one schema are read as rows of another.
#[derive(Debug)]
pub(crate) struct Resolved {
    pub(crate) writer: Arc<Plan>,
    reader: Arc<Plan>,
    root: Node,
    /// By the writer's str columns: the reader's that has the same dictionary.
    handed_on: Vec<Option<u32>>,
}

impl Resolved {
    fn new(writer: &Arc<Plan>, reader: &Arc<Plan>, defaults: &Defaults) -> Result<Resolved> {
        let (root, feeds) = rules::resolve(writer, reader, defaults)?;
        let mut handed_on = vec![None; writer.columns.strs as usize];
        for (column, feed) in (0..).zip(feeds) {
            if let Feed::Column(from) = feed {
                handed_on[from as usize] = Some(column);
            }
        }
        Ok(Resolved { writer: writer.clone(), reader: reader.clone(), root, handed_on })
    }
}

/// The schema that rows are expected to have, and what to do with those of another.
#[derive(Debug)]
pub struct Expected {
    plan: Arc<Plan>,
    reader: Arc<Plan>,
    defaults: Defaults,
    /// Other schemas whose messages were read, of which the last was used last.
    resolved: Mutex<Vec<Arc<Resolved>>>,
}

impl Expected {
    /// Rows of the schema of `plan`.
    pub fn new(plan: Arc<Plan>, defaults: Defaults) -> Expected {
        Expected { reader: plan.clone(), plan, defaults, resolved: Mutex::default() }
    }

    /// The same, with rows of other schemas read as those of `reader`, which may be wider where the
    /// language knows no difference.
    pub fn with_reader(self, reader: Arc<Plan>) -> Expected {
        Expected { reader, ..self }
    }

    /// The plan for rows of the schema itself.
    pub fn plan(&self) -> &Arc<Plan> {
        &self.plan
    }

    /// What stands for fields that are in no row of a message.
    pub fn defaults(&self) -> &Defaults {
        &self.defaults
    }

    /// How rows of the schema of `writer` are read.
    pub(crate) fn resolve(&self, writer: &Arc<Plan>) -> Result<Arc<Resolved>> {
        // Whole schemas are compared, after their fingerprints. Who can't have the lock at once does
        // without: a thread of a parent process may hold it for good.
        let is_of = |it: &Arc<Resolved>| it.writer.schema() == writer.schema();
        if let Ok(mut kept) = self.resolved.try_lock()
            && let Some(at) = kept.iter().rposition(is_of)
        {
            let resolved = kept.remove(at);
            kept.push(resolved.clone());
            return Ok(resolved);
        }
        let resolved = Arc::new(Resolved::new(writer, &self.reader, &self.defaults)?);
        if writer.schema().as_bytes().len() <= SHARED_TYPE_LIST
            && let Ok(mut kept) = self.resolved.try_lock()
        {
            if kept.len() >= KEPT_RESOLVED {
                kept.remove(0);
            }
            kept.push(resolved.clone());
        }
        Ok(resolved)
    }
}

impl Clone for Expected {
    fn clone(&self) -> Expected {
        let same = Expected::new(self.plan.clone(), self.defaults.clone());
        same.with_reader(self.reader.clone())
    }
}

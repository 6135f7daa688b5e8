//! Rows of one schema are read as rows of another, by the names of their fields.
//!
//! The two schemas are *resolved* once: from the types of writer and reader comes a tree that says how each
//! value of the reader's is made ([`node`]), or an error that says which field can't be ([`rules`]). Then
//! frames of the writer's are read by that tree ([`run`]). What the sink is told is what the reader's own
//! plan would tell it, so any sink will do. Where the difference is none that an object shows, sinks that
//! make objects are told by the writer's plan instead ([`direct`]).

mod defaults;
mod direct;
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
use crate::plan::{Plan, Tables};

/// How rows of one schema are read as rows of another.
#[derive(Debug)]
pub(crate) struct Resolved {
    pub(crate) writer: Arc<Plan>,
    reader: Arc<Plan>,
    root: Node,
    /// By the writer's str columns: the reader's that has the same dictionary.
    handed_on: Vec<Option<u32>>,
    /// The plan that does for sinks of which [`Sink::ONLY_VALUES`](crate::layout::Sink::ONLY_VALUES) is true.
    pub(crate) direct: Option<Arc<Plan>>,
}

/// Has what a language makes of `tables`, of which nothing is made yet, made as of the reader's, where
/// `structs` and `enums` are which of the reader's theirs are. False if that can't be.
pub type Share = fn(reader: &Tables, structs: &[u32], enums: &[u32], tables: &Tables) -> bool;

impl Resolved {
    fn new(writer: &Arc<Plan>, expected: &Expected) -> Result<Resolved> {
        let Expected { plan, reader, defaults, share, .. } = expected;
        let (root, feeds) = rules::resolve(writer, reader, defaults)?;
        let direct = direct::direct(writer, [plan, reader], &root, *share);
        let mut handed_on = vec![None; writer.columns.strs as usize];
        for (column, feed) in (0..).zip(feeds) {
            if let Feed::Column(from) = feed {
                handed_on[from as usize] = Some(column);
            }
        }
        let (writer, reader) = (writer.clone(), reader.clone());
        Ok(Resolved { writer, reader, root, handed_on, direct })
    }
}

/// The schema that rows are expected to have, and what to do with those of another.
#[derive(Debug)]
pub struct Expected {
    plan: Arc<Plan>,
    reader: Arc<Plan>,
    defaults: Defaults,
    share: Option<Share>,
    /// Other schemas whose messages were read, of which the last was used last.
    resolved: Mutex<Vec<Arc<Resolved>>>,
}

impl Expected {
    /// Rows of the schema of `plan`.
    pub fn new(plan: Arc<Plan>, defaults: Defaults) -> Expected {
        let (reader, resolved) = (plan.clone(), Mutex::default());
        Expected { plan, reader, defaults, share: None, resolved }
    }

    /// The same, with rows of other schemas read as those of `reader`, which may be wider where the
    /// language knows no difference. What it makes of names other plans are given by `share`.
    pub fn with_reader(self, reader: Arc<Plan>, share: Share) -> Expected {
        Expected { reader, share: Some(share), ..self }
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
        let resolved = Arc::new(Resolved::new(writer, self)?);
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
        Expected { reader: self.reader.clone(), share: self.share, ..same }
    }
}

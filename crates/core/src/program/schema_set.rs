//! Sets of schemas, for readers of single records.

use std::collections::HashMap;
use std::sync::Arc;

use arc_swap::ArcSwap;

use super::Program;
use crate::error::{Error, Result};
use crate::schema::Schema;

/// Schemas that a reader of single records knows, by their fingerprints. Clones share the schemas,
/// and several threads may add and find schemas at once.
///
/// ```
/// # use serow_core::program::SchemaSet;
/// # use serow_core::schema::Schema;
/// let schema = Schema::parse("(i64, str)")?;
/// let schemas = SchemaSet::default();
/// schemas.add(&schema)?;
/// assert_eq!(schemas.find(schema.fingerprint()), Some(schema));
/// # Ok::<(), serow_core::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct SchemaSet(Arc<ArcSwap<HashMap<u64, Arc<Program>>>>);

impl SchemaSet {
    /// Adds `schema`.
    ///
    /// # Errors
    /// A schema error if the set has another schema with the same fingerprint.
    pub fn add(&self, schema: &Schema) -> Result<()> {
        if self.find(schema.fingerprint()).as_ref() == Some(schema) {
            return Ok(());
        }
        let program = Program::of(schema);
        let mut clashes = false;
        self.0.rcu(|known| {
            clashes =
                known.get(&schema.fingerprint()).is_some_and(|program| program.schema() != schema);
            let mut all = HashMap::clone(known);
            if !clashes {
                all.insert(schema.fingerprint(), program.clone());
            }
            all
        });
        match clashes {
            false => Ok(()),
            true => Err(Error::schema(format!(
                "the set has another schema with the fingerprint {:#018x}",
                schema.fingerprint()
            ))),
        }
    }

    /// Returns the schema with this fingerprint.
    pub fn find(&self, fingerprint: u64) -> Option<Schema> {
        self.program(fingerprint).map(|program| program.schema().clone())
    }

    pub(crate) fn program(&self, fingerprint: u64) -> Option<Arc<Program>> {
        self.0.load().get(&fingerprint).cloned()
    }

    /// Returns all schemas, in the order of their fingerprints.
    pub fn schemas(&self) -> Vec<Schema> {
        let mut all: Vec<_> =
            self.0.load().values().map(|program| program.schema().clone()).collect();
        all.sort_unstable_by_key(Schema::fingerprint);
        all
    }

    /// Returns the number of schemas.
    pub fn len(&self) -> usize {
        self.0.load().len()
    }

    /// Returns whether the set has no schemas.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clones_share_their_schemas() {
        let set = SchemaSet::default();
        let schema = Schema::parse("(i64, str)").unwrap();
        assert!(set.is_empty());
        assert_eq!(set.find(schema.fingerprint()), None);
        set.clone().add(&schema).unwrap();
        set.add(&schema).unwrap();
        assert_eq!(set.len(), 1);
        assert_eq!(set.find(schema.fingerprint()), Some(schema));
    }
}

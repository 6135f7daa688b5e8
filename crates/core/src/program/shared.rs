//! Shared programs: one program for each schema in a process, so that all users find its code.
//!
//! A codec owns its program, and equal codecs share one. For messages without a codec, this module
//! keeps programs for the next message with the same schema.

use std::collections::HashMap;
use std::sync::{Arc, Weak};

use super::Program;
use crate::forked::Inherited;
use crate::limits::SHARED_PLANS;
use crate::schema::Schema;

static PLANS: Inherited<Plans> = Inherited::new();

#[derive(Default)]
struct Plans {
    /// Programs that are alive, by the fingerprint of their schema, and some dead ones.
    alive: HashMap<u64, Weak<Program>>,
    /// The size of `alive` at which dead entries are removed.
    cleaned_at: usize,
    /// Programs that are kept alive. The most recently used one is last.
    kept: Vec<Arc<Program>>,
    /// Programs that were inferred last, by a hint about the rows.
    inferred: Vec<(u64, Arc<Program>)>,
}

/// The number of programs in [`Plans::inferred`].
const INFERRED: usize = 8;

impl Plans {
    fn of(&mut self, schema: &Schema) -> Arc<Program> {
        let fingerprint = schema.fingerprint();
        match self.alive.get(&fingerprint).map(Weak::upgrade) {
            // Compare the whole schema, never only a hash.
            Some(Some(program)) if program.schema() == schema => program,
            // If two schemas have the same fingerprint, the second one does not share its programs.
            Some(Some(_)) => Arc::new(Program::new(schema)),
            _ => {
                let program = Arc::new(Program::new(schema));
                if self.alive.len() >= self.cleaned_at.max(SHARED_PLANS) {
                    self.alive.retain(|_, program| program.strong_count() > 0);
                    self.cleaned_at = 2 * self.alive.len();
                }
                self.alive.insert(fingerprint, Arc::downgrade(&program));
                program
            }
        }
    }

    /// Returns the program for `schema`, and the program that it replaces in the list.
    fn keep(&mut self, schema: &Schema) -> (Arc<Program>, Option<Arc<Program>>) {
        let (plan, evicted) = match self.kept.iter().rposition(|plan| plan.schema() == schema) {
            Some(at) => (self.kept.remove(at), None),
            None => {
                let full = self.kept.len() >= SHARED_PLANS;
                (self.of(schema), full.then(|| self.kept.remove(0)))
            }
        };
        self.kept.push(plan.clone());
        (plan, evicted)
    }
}

impl Program {
    /// Returns the program for `schema`. All callers get the same one while one of them holds it.
    pub fn of(schema: &Schema) -> Arc<Program> {
        PLANS.lock().of(schema)
    }

    /// Like [`Program::of`], and keeps the program for later callers, in place of the least
    /// recently used one.
    pub fn shared(schema: &Schema) -> Arc<Program> {
        let (plan, evicted) = PLANS.lock().keep(schema);
        // Dropping it may free code, which takes longer than the lock should be held.
        drop(evicted);
        plan
    }
}

impl Program {
    /// Returns the program for the schema of these bytes, if it was used lately.
    pub fn recent(schema: &[u8]) -> Option<Arc<Program>> {
        let kept = &mut PLANS.lock().kept;
        let at = kept.iter().rposition(|program| program.schema().as_bytes() == schema)?;
        let last = kept.len() - 1;
        if at < last {
            kept[at..].rotate_left(1);
        }
        Some(kept[last].clone())
    }

    /// Returns the program that was kept last for rows with this hint.
    pub fn inferred(hint: u64) -> Option<Arc<Program>> {
        let inferred = &PLANS.lock().inferred;
        inferred.iter().find(|(of, _)| *of == hint).map(|(_, program)| program.clone())
    }

    /// Keeps `program`, of the inferred type of rows with this hint, for [`Program::inferred`].
    pub fn keep_inferred(hint: u64, program: &Arc<Program>) {
        let inferred = &mut PLANS.lock().inferred;
        let other = inferred.iter().position(|(of, _)| *of == hint);
        let replaced = match other {
            Some(other) => Some(inferred.remove(other)),
            None if inferred.len() == INFERRED => Some(inferred.remove(0)),
            None => None,
        };
        inferred.push((hint, program.clone()));
        // Dropping it may free code, which takes longer than the lock should be held.
        drop(replaced);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::sized;

    fn schema(n: usize) -> Schema {
        Schema::parse(&format!("{{\"{n}\": i64}}")).unwrap()
    }

    #[test]
    fn recently_used_programs_are_kept() {
        let mut plans = Plans::default();
        let first = Arc::downgrade(&plans.keep(&schema(1)).0);
        for n in 2..SHARED_PLANS + 10 {
            plans.keep(&schema(n));
            assert_eq!(Arc::as_ptr(&plans.keep(&schema(1)).0), first.as_ptr());
        }
        let held = plans.of(&schema(1));
        for n in 2..SHARED_PLANS + 2 {
            plans.keep(&schema(n));
        }
        assert!(!plans.kept.iter().any(|plan| Arc::ptr_eq(plan, &held)));
        assert_eq!(Arc::strong_count(&held), 1);
    }

    #[test]
    fn equal_schemas_share_one_program_while_it_is_alive() {
        let mut plans = Plans::default();
        let one = plans.of(&schema(1));
        assert!(Arc::ptr_eq(&one, &plans.of(&schema(1))));
        assert!(Arc::ptr_eq(&one, &plans.keep(&schema(1)).0));
        assert!(!Arc::ptr_eq(&one, &plans.of(&schema(2))));
        let weak = Arc::downgrade(&plans.of(&schema(3)));
        assert!(weak.upgrade().is_none());
    }

    #[test]
    fn unused_programs_are_forgotten() {
        let mut plans = Plans::default();
        let held: Vec<_> = (0..sized(10, 4)).map(|n| plans.of(&schema(n))).collect();
        for n in held.len()..sized(1000, 3 * SHARED_PLANS) {
            plans.of(&schema(n));
        }
        assert!(plans.alive.len() <= 2 * SHARED_PLANS);
        assert!(held.iter().enumerate().all(|(n, plan)| Arc::ptr_eq(plan, &plans.of(&schema(n)))));
    }
}

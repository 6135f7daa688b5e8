//! One program for a schema in a process, so that all who convert its rows find the code that it has.
//!
//! A codec holds its program, and equal codecs hold the same one. Programs of messages without a codec are held
//! here, for the next message of the same schema.

use std::collections::HashMap;
use std::sync::{Arc, Weak};

use super::Program;
use crate::forked::Inherited;
use crate::limits::SHARED_PLANS;
use crate::schema::Schema;

static PLANS: Inherited<Plans> = Inherited::new();

#[derive(Default)]
struct Plans {
    /// Plans that are alive, by the fingerprint of their schema, and some that are no longer.
    alive: HashMap<u64, Weak<Program>>,
    /// How many may be in `alive` until it is cleaned of those that are dead.
    cleaned_at: usize,
    /// Plans that are kept alive, of which the last was used last.
    kept: Vec<Arc<Program>>,
}

impl Plans {
    fn of(&mut self, schema: &Schema) -> Arc<Program> {
        let fingerprint = schema.fingerprint();
        match self.alive.get(&fingerprint).map(Weak::upgrade) {
            // The whole schema is compared, never a hash alone.
            Some(Some(plan)) if plan.schema() == schema => plan,
            // One of two schemas with the same fingerprint has plans of its own.
            Some(Some(_)) => Arc::new(Program::new(schema)),
            _ => {
                let plan = Arc::new(Program::new(schema));
                if self.alive.len() >= self.cleaned_at.max(SHARED_PLANS) {
                    self.alive.retain(|_, plan| plan.strong_count() > 0);
                    self.cleaned_at = 2 * self.alive.len();
                }
                self.alive.insert(fingerprint, Arc::downgrade(&plan));
                plan
            }
        }
    }

    /// The plan for `schema`, and one that is kept no longer.
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
    /// The plan for `schema`, which is the same for all who ask while one of them holds it.
    pub fn of(schema: &Schema) -> Arc<Program> {
        PLANS.lock().of(schema)
    }

    /// As [`Program::of`], and keep it for those who ask later, in place of another that was not asked
    /// for in this way for long.
    pub fn shared(schema: &Schema) -> Arc<Program> {
        let (plan, evicted) = PLANS.lock().keep(schema);
        // Its code may be freed here, which takes longer than the lock should be held.
        drop(evicted);
        plan
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn schema(n: usize) -> Schema {
        Schema::parse(&format!("({})", "i64, ".repeat(n))).unwrap()
    }

    #[test]
    fn what_was_used_last_is_kept() {
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
    fn equal_schemas_have_one_plan_while_it_is_held() {
        let mut plans = Plans::default();
        let one = plans.of(&schema(1));
        assert!(Arc::ptr_eq(&one, &plans.of(&schema(1))));
        assert!(Arc::ptr_eq(&one, &plans.keep(&schema(1)).0));
        assert!(!Arc::ptr_eq(&one, &plans.of(&schema(2))));
        let weak = Arc::downgrade(&plans.of(&schema(3)));
        assert!(weak.upgrade().is_none());
    }

    #[test]
    fn what_is_held_by_nobody_is_forgotten() {
        let mut plans = Plans::default();
        let held: Vec<_> = (0..10).map(|n| plans.of(&schema(n))).collect();
        for n in 10..1000 {
            plans.of(&schema(n));
        }
        assert!(plans.alive.len() <= 2 * SHARED_PLANS);
        assert!(held.iter().enumerate().all(|(n, plan)| Arc::ptr_eq(plan, &plans.of(&schema(n)))));
    }
}

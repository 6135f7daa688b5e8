//! Plans that are kept for the next message of the same schema, with the code that they have.

use std::sync::{Arc, Mutex};

use super::Plan;
use crate::limits::SHARED_PLANS;
use crate::schema::Schema;

/// The plans, of which the last was used last.
static PLANS: Mutex<Vec<Arc<Plan>>> = Mutex::new(Vec::new());

impl Plan {
    /// The plan for `schema`, which may be one that others use too. Nobody waits for it: while
    /// another thread looks for a plan, and in a child of a process in which one did, it is new.
    pub fn shared(schema: &Schema) -> Arc<Plan> {
        let Ok(mut plans) = PLANS.try_lock() else { return Arc::new(Plan::new(schema)) };
        // The whole schema is compared, never a hash alone.
        let plan = match plans.iter().position(|plan| plan.schema() == schema) {
            Some(at) => plans.remove(at),
            None => Arc::new(Plan::new(schema)),
        };
        let evicted = (plans.len() >= SHARED_PLANS).then(|| plans.remove(0));
        plans.push(plan.clone());
        drop(plans);
        // Its code may be freed here, which takes longer than the lock should be held.
        drop(evicted);
        plan
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_used_last_is_kept() {
        let schema = |n: usize| Schema::parse(&format!("({})", "i64, ".repeat(n))).unwrap();
        let first = Plan::shared(&schema(1));
        for n in 2..SHARED_PLANS + 10 {
            Plan::shared(&schema(n));
            assert!(Arc::ptr_eq(&first, &Plan::shared(&schema(1))));
        }
        for n in 2..SHARED_PLANS + 2 {
            Plan::shared(&schema(n));
        }
        assert!(!Arc::ptr_eq(&first, &Plan::shared(&schema(1))));
    }
}

//! A plan with all that is needed to run it.
//!
//! A [`Plan`] is instructions and tables. A [`Program`] adds how values are stored in Spark's rows, if they are,
//! and the compiled code that the plan has got so far. Programs of equal schemas are shared.

mod codes;
mod shared;

use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

use codes::Codes;

use crate::error::{Error, Result};
use crate::layout::LayoutKind;
use crate::layout::unsafe_row::Storage;
use crate::plan::{Defaults, Plan};
use crate::schema::Schema;

/// A plan that can be run.
#[derive(Debug)]
pub struct Program {
    plan: Plan,
    storage: Option<Storage>,
    pub(crate) codes: Codes,
}

impl Deref for Program {
    type Target = Plan;

    #[inline(always)]
    fn deref(&self) -> &Plan {
        &self.plan
    }
}

impl Program {
    fn with(plan: Plan, storage: Option<Storage>) -> Program {
        Program { plan, storage, codes: Codes::default() }
    }

    /// The program for rows of `schema`.
    pub fn new(schema: &Schema) -> Program {
        Program::with(Plan::new(schema), None)
    }

    /// The program that reads rows of `writer`'s schema as rows of `reader`'s. Fields that a row lacks have the
    /// `defaults` of the reader's.
    ///
    /// # Errors
    /// As for [`Plan::evolve`].
    pub fn evolve(writer: &Plan, reader: &Plan, defaults: &Defaults) -> Result<Program> {
        Ok(Program::with(Plan::evolve(writer, reader, defaults)?, None))
    }

    /// The program for `schema`, whose values are stored in Spark's rows as `storage` says.
    pub fn stored(schema: &Schema, storage: Storage) -> Program {
        Program::with(Plan::new(schema), Some(storage))
    }

    /// How values are stored in Spark's rows, if that was said.
    pub fn storage(&self) -> Option<&Storage> {
        self.storage.as_ref()
    }

    /// As [`Program::storage`].
    ///
    /// # Errors
    /// A schema error if it was not said.
    pub fn require_storage(&self) -> Result<&Storage> {
        self.storage().ok_or_else(|| Error::schema("nothing says how Spark stores the values"))
    }

    /// The code for these layouts, if the plan has been compiled for them. Whoever holds it may call
    /// it, though the plan may lose it meanwhile.
    pub fn code(&self, source: LayoutKind, sink: LayoutKind) -> Option<Arc<dyn Code>> {
        self.codes.at(source, sink).code()
    }

    /// Whether the plan has code for these layouts.
    pub fn is_compiled(&self, source: LayoutKind, sink: LayoutKind) -> bool {
        self.codes.at(source, sink).is_set()
    }

    /// Have `code` run in the interpreter's place from the next call of [`run`] on, unless the plan
    /// has code for them already. What other plans lose for it, because there is too much
    /// code in the process ([`crate::limits`]), is given back; it is freed when it is dropped
    /// and nobody runs it any more. If `code` alone is too much it is given back itself.
    ///
    /// # Safety
    /// The code must do what the plan says, and be for layouts of these kinds as they are in this
    /// process.
    pub unsafe fn set_code(
        &self,
        source: LayoutKind,
        sink: LayoutKind,
        code: Arc<dyn Code>,
    ) -> Vec<Arc<dyn Code>> {
        self.codes.set(source, sink, code)
    }

    /// Take the plan's code for these layouts from it, and have the interpreter run from the next call
    /// of [`run`] on.
    pub fn take_code(&self, source: LayoutKind, sink: LayoutKind) -> Option<Arc<dyn Code>> {
        self.codes.take(source, sink)
    }
}

/// Code that converts rows of one plan from one layout to another.
pub trait Code: Send + Sync + fmt::Debug {
    /// Convert the rows from `from` to `to`, or to the first at which the code bails out, and give the
    /// index of the first row that was not converted. Source and sink then stand where they would
    /// if nothing had been done of that row.
    ///
    /// # Safety
    /// `source` and `sink` must come from `enter_jit` of layouts of the kinds that the code is for, which
    /// stand at row `from`; they are not
    /// touched in between.
    unsafe fn convert(&self, source: *mut (), sink: *mut (), from: usize, to: usize) -> usize;

    /// About how much memory the code takes.
    fn bytes(&self) -> usize;
}

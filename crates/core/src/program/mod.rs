//! A plan with everything that is needed to run it.
//!
//! A [`Plan`] is instructions and tables. A [`Program`] adds the compiled code so far, and what a
//! layout knows of the rows that their schema does not say. Programs of equal schemas are shared.

mod codes;
mod schema_set;
mod shared;

use std::any::Any;
use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

use codes::Codes;
pub use schema_set::SchemaSet;

use crate::error::Result;
use crate::layout::Pair;
use crate::plan::{Defaults, FormerNames, Plan, Selection};
use crate::schema::Schema;
use crate::threads::UnitCost;

/// A plan that can be run.
#[derive(Debug)]
pub struct Program {
    plan: Plan,
    extension: Option<Box<dyn Extension>>,
    pub(crate) codes: Codes,
    pub(crate) costs: UnitCosts,
}

/// What a layout knows of rows that their schema does not say, such as the width of numbers in memory.
pub trait Extension: Any + fmt::Debug + Send + Sync {}

/// How long work on large messages and streams takes.
#[derive(Debug, Default)]
pub(crate) struct UnitCosts {
    /// To encode a row.
    pub encode: UnitCost,
    /// To decode a byte of a frame.
    pub decode: UnitCost,
    /// To decompress a byte of a frame.
    pub unpack: UnitCost,
}

impl Deref for Program {
    type Target = Plan;

    #[inline(always)]
    fn deref(&self) -> &Plan {
        &self.plan
    }
}

impl Program {
    fn with(plan: Plan, extension: Option<Box<dyn Extension>>) -> Program {
        Program { plan, extension, codes: Codes::default(), costs: UnitCosts::default() }
    }

    /// Creates the program for rows of `schema`.
    pub fn new(schema: &Schema) -> Program {
        Program::with(Plan::new(schema), None)
    }

    /// Creates the program that reads rows of `writer`'s schema as rows of `reader`'s. `defaults`
    /// has the values of fields that the writer lacks, and `former_names` other names of the
    /// reader's.
    ///
    /// # Errors
    /// See [`Plan::evolve`].
    pub fn evolve(
        writer: &Plan,
        reader: &Plan,
        defaults: &Defaults,
        former_names: &FormerNames,
    ) -> Result<Program> {
        Ok(Program::with(Plan::evolve(writer, reader, defaults, former_names)?, None))
    }

    /// Creates the program that reads a part of the fields of rows of `writer`'s schema.
    ///
    /// # Errors
    /// See [`Plan::select`].
    pub fn select(writer: &Plan, selection: &Selection) -> Result<Program> {
        Ok(Program::with(Plan::select(writer, selection)?, None))
    }

    /// Creates a program for rows of `schema`, with what a layout knows of them beyond the schema.
    pub fn extended(schema: &Schema, extension: impl Extension) -> Program {
        Program::with(Plan::new(schema), Some(Box::new(extension)))
    }

    /// Returns what a layout knows of the rows, if there is such knowledge. The code of the program
    /// may depend on its `Debug` form.
    pub fn extension(&self) -> Option<&dyn Extension> {
        self.extension.as_deref()
    }

    /// Returns the code for these layouts, if the plan is compiled for them. The holder may call it
    /// even if the plan loses it meanwhile.
    pub fn code(&self, pair: Pair) -> Option<Arc<dyn Code>> {
        self.codes.at(pair).code()
    }

    /// Returns whether the plan has code for these layouts.
    pub fn is_compiled(&self, pair: Pair) -> bool {
        self.codes.at(pair).is_set()
    }

    /// Sets `code`. It replaces the interpreter from the next call of
    /// [`run`](crate::compiled::run). Does nothing if the plan already has code for these layouts.
    /// Returns the evicted code of other plans if the process has too much code
    /// ([`crate::limits`]). It is freed when it is dropped and no thread runs it. If `code` alone
    /// is too large, returns `code` itself.
    ///
    /// # Safety
    /// The code must do what the plan says, for layouts of these kinds in this process.
    pub unsafe fn set_code(&self, pair: Pair, code: Arc<dyn Code>) -> Vec<Arc<dyn Code>> {
        self.codes.set(pair, code)
    }

    /// Removes the plan's code for these layouts and returns it. The interpreter takes over from
    /// the next call of [`run`](crate::compiled::run).
    pub fn take_code(&self, pair: Pair) -> Option<Arc<dyn Code>> {
        self.codes.take(pair)
    }
}

/// Code that converts rows of one plan from one layout to another.
pub trait Code: Send + Sync + fmt::Debug {
    /// Converts the rows from `from` to `to`, or up to the first row at which the code bails out.
    /// Returns the index of the first row that was not converted. Source and sink are then at the
    /// start of that row.
    ///
    /// # Safety
    /// `source` and `sink` must come from `enter_jit` of layouts of the code's kinds, which are at
    /// row `from`. Nothing else may use the layouts until `exit_jit`.
    unsafe fn convert(&self, source: *mut (), sink: *mut (), from: usize, to: usize) -> usize;

    /// Returns the approximate number of bytes of the code.
    fn bytes(&self) -> usize;
}

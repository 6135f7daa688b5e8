//! From rows to a batch of Spark's rows.

use std::sync::Arc;

use serow_core::compiled::RowSource;
use serow_core::encode::Rows;
use serow_core::error::{Error, Fault, Result};
use serow_core::explain::{ErrorContext, explain};
use serow_core::interpreter::RunError;
use serow_core::layout::SinkBase;
use serow_core::path::{Path, PathStep};
use serow_core::plan::Plan;
use serow_core::program::Program;
use serow_core::schema::Type;

use crate::{Storage, UnsafeRowWriter};

/// Writes a batch of `rows`, which must have the schema of `program`.
///
/// # Errors
/// A schema error if Spark cannot store the schema. An encode error that names the row and the
/// value that does not have the plan's type or that Spark cannot represent.
pub fn write_unsafe_rows<R: Rows>(program: &Arc<Program>, rows: &R) -> Result<Vec<u8>> {
    let mut batch = UnsafeRowWriter::new(Storage::of(program)?);
    rows.source()
        .run(program, &mut batch, 0..rows.len())
        .map(drop)
        .map_err(|error| refuse(program, &error, rows, &batch))?;
    Ok(batch.into_batch())
}

#[cold]
fn refuse<R: Rows, K: SinkBase>(plan: &Plan, error: &RunError, rows: &R, sink: &K) -> Error {
    explain(error, plan, ErrorContext::Encoded, |place| {
        let path = by_position(plan, &place.path);
        let value = rows.describe(error.row, &path, Some(&place.expected));
        Some(match error.fault {
            Fault::Unrepresentable => format!("cannot write {value}: {}", sink.refusal()),
            _ => format!("cannot write {value}"),
        })
    })
}

/// Replaces the names of fields in a path by their positions, because the given rows need not have
/// names.
fn by_position(plan: &Plan, path: &Path) -> Path {
    let step = |depth: usize| {
        let around = plan.root().at(&Path(path.0[..depth].to_vec()));
        match (around.map(Type::required), &path.0[depth]) {
            (Some(Type::Struct(of)), PathStep::Field(name)) => {
                PathStep::Item(of.named().take_while(|(other, _)| *other != name).count())
            }
            (_, step) => step.clone(),
        }
    };
    Path((0..path.0.len()).map(step).collect())
}

//! What a reader has for fields that are in no row of a message.

use std::collections::HashMap;
use std::sync::Arc;

use super::placed::{Placed, placed};
use super::rules::{At, Steps};
use crate::encode::{Rows, encode};
use crate::error::{Error, Result};
use crate::layout::value::ValueRows;
use crate::path::Path;
use crate::plan::Plan;
use crate::schema::{Schema, Type};
use crate::value::Value;
use crate::wire::message::Wire;

/// What stands for a field that a row does not have.
#[derive(Clone, Debug)]
pub enum FieldDefault {
    /// This value.
    Value(Arc<Value>),
    /// What the sink knows, which is told [`Sink::default_field`](crate::layout::Sink::default_field).
    OfSink,
}

/// The defaults of fields of a schema.
#[derive(Clone, Debug, Default)]
pub struct Defaults {
    /// By the index of a struct among those of the schema's plan, and of the field in it.
    fields: HashMap<(u32, u32), FieldDefault>,
}

impl Defaults {
    /// That of a field, which is told by the index of its struct in
    /// [`Tables::structs`](crate::plan::Tables::structs) and its own in that.
    pub fn get(&self, place: (u32, u32)) -> Option<&FieldDefault> {
        self.fields.get(&place)
    }

    /// Have the sink's own default stand for a field.
    pub fn set_of_sink(&mut self, place: (u32, u32)) {
        self.fields.insert(place, FieldDefault::OfSink);
    }

    /// Have `value` stand for the field at `path` in rows of `schema`. The path has the names of fields,
    /// the indices of those without names, `[]` for elements and `key` and `value` for those of maps, as
    /// in `lines.[].price`.
    ///
    /// # Errors
    /// A schema error if there is no such field, it may be missing anyhow, or the value is not of its
    /// type.
    pub fn set(&mut self, schema: &Schema, path: &str, value: Value) -> Result<()> {
        let mut found = Vec::new();
        find(&placed(schema.root()), &mut Vec::new(), path, &mut found);
        if found.is_empty() {
            return Err(Error::schema(format!("{schema} has no field {path} of a dict or record")));
        }
        let value = Arc::new(value);
        for (place, ty, maybe) in found {
            if maybe {
                return Err(Error::schema(format!(
                    "field {path} may be missing, so nothing has to stand for it"
                )));
            }
            let rows = ValueRows(std::slice::from_ref(&*value));
            let plan = Arc::new(Plan::new(&Schema::new(ty)?));
            if encode(&plan, &rows, Wire::Row, &mut Vec::new()).is_err() {
                return Err(Error::schema(format!(
                    "the default of field {path} is {}, which is no {}",
                    rows.describe(0, &Path(Vec::new()), Some(plan.root())),
                    plan.root()
                )));
            }
            self.fields.insert(place, FieldDefault::Value(value.clone()));
        }
        Ok(())
    }
}

type Found = ((u32, u32), Type, bool);

/// The fields of structs whose steps are shown as `path`. Those of two arms of a union may be.
fn find<'t>(at: &Placed<'t>, steps: &mut Vec<At<'t>>, path: &str, found: &mut Vec<Found>) {
    let mut walk = |step: Option<At<'t>>, inner: &Placed<'t>| {
        steps.extend(step);
        let shown = Steps(steps).to_string();
        if let (Some(At::Field(_)), Type::Struct(of)) = (step, at.ty)
            && shown == path
            && let Some(nth) = at.within.iter().position(|field| std::ptr::eq(field, inner))
        {
            found.push(((at.table, nth as u32), inner.ty.clone(), of.fields[nth].maybe));
        }
        if path.starts_with(&shown) {
            find(inner, steps, path, found);
        }
        if step.is_some() {
            steps.pop();
        }
    };
    let within = || at.within.iter();
    match at.ty {
        Type::Struct(of) => {
            of.names.fields.iter().zip(within()).for_each(|(n, f)| walk(Some(At::Field(n)), f));
        }
        Type::Fixed(..) => within().enumerate().for_each(|(i, f)| walk(Some(At::Item(i)), f)),
        Type::Sequence(..) => within().for_each(|element| walk(Some(At::Element), element)),
        Type::Map(..) => {
            [At::Key, At::Value].into_iter().zip(within()).for_each(|(s, f)| walk(Some(s), f));
        }
        _ => within().for_each(|inner| walk(None, inner)),
    }
}

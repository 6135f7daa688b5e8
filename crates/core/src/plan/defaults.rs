//! What a reader has for fields that are in no row of a message.

use std::collections::HashMap;
use std::sync::Arc;

use super::Write;
use super::lower::{Steps, struct_fields};
use crate::error::{Error, Result};
use crate::schema::{Schema, Type};

/// What stands for a field that a row does not have.
#[derive(Clone, Debug)]
pub enum FieldDefault {
    /// A value, as a sink is told it: for the field's type by itself.
    Value(Arc<[Write]>),
    /// What the sink knows, which is told [`Sink::default_field`](crate::layout::Sink::default_field).
    OfSink,
}

/// The defaults of fields of a schema.
#[derive(Clone, Debug, Default)]
pub struct Defaults {
    /// By the index of a struct in [`Tables::structs`](crate::plan::Tables::structs), and of the field in it.
    fields: HashMap<(u32, u32), FieldDefault>,
}

impl Defaults {
    /// That of a field, by the index of its struct in
    /// [`Tables::structs`](crate::plan::Tables::structs) and its own in that.
    pub fn get(&self, place: (u32, u32)) -> Option<&FieldDefault> {
        self.fields.get(&place)
    }

    /// Have the sink's own default stand for a field.
    pub fn set_of_sink(&mut self, place: (u32, u32)) {
        self.fields.insert(place, FieldDefault::OfSink);
    }

    /// Have a value stand for the fields at `path` in rows of `schema`; `of` makes it for the type of a
    /// field. Two arms of a union may both have a field at a path. Paths are written as for
    /// [`Defaults::set`](crate::decode).
    ///
    /// # Errors
    /// A schema error if there is no such field, or if it may be missing anyhow; those of `of`.
    pub(crate) fn set_values(
        &mut self,
        schema: &Schema,
        path: &str,
        of: impl Fn(&Type) -> Result<Arc<[Write]>>,
    ) -> Result<()> {
        let mut found = Vec::new();
        struct_fields(schema.root(), |steps, place, ty, maybe| {
            if Steps(steps).to_string() == path {
                found.push((place, ty, maybe));
            }
        });
        if found.is_empty() {
            return Err(Error::schema(format!("{schema} has no field {path} of a dict or record")));
        }
        for (place, ty, maybe) in found {
            if maybe {
                return Err(Error::schema(format!(
                    "field {path} may be missing, so it needs no default"
                )));
            }
            self.fields.insert(place, FieldDefault::Value(of(ty)?));
        }
        Ok(())
    }
}

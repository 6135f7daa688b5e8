//! A reader's defaults for fields that the rows of a message lack.

use std::collections::HashMap;
use std::sync::Arc;

use super::lower::{Steps, struct_fields};
use super::{Parts, SinkCall};
use crate::error::{Error, Result};
use crate::schema::{Schema, Type};

/// The default of a field.
#[derive(Clone, Debug)]
pub enum FieldDefault {
    /// A value, as calls of a sink. Columns and tables are numbered as if the field's type were a
    /// whole schema.
    Value(Arc<[SinkCall]>),
    /// A default that the sink knows, for which
    /// [`Sink::default_field`](crate::layout::Sink::default_field) is called.
    OfSink,
}

/// The defaults of fields of a schema.
#[derive(Clone, Debug, Default)]
pub struct Defaults {
    /// By the index of a struct in [`Tables::structs`](crate::plan::Tables::structs) and the index
    /// of the field in it.
    fields: HashMap<(u32, u32), FieldDefault>,
}

impl Defaults {
    /// Returns the default of a field. `place` is the index of its struct in
    /// [`Tables::structs`](crate::plan::Tables::structs) and its index in that struct.
    pub fn get(&self, place: (u32, u32)) -> Option<&FieldDefault> {
        self.fields.get(&place)
    }

    /// Sets the sink's own default for a field.
    pub fn set_of_sink(&mut self, place: (u32, u32)) {
        self.fields.insert(place, FieldDefault::OfSink);
    }

    /// Sets the default of a field to a value, as calls of a sink; see [`FieldDefault::Value`].
    pub fn set_calls(&mut self, place: (u32, u32), calls: Arc<[SinkCall]>) {
        self.fields.insert(place, FieldDefault::Value(calls));
    }

    /// Returns the defaults of a closed type, which has these parts of the open one.
    pub(super) fn of_parts(&self, parts: &Parts) -> Defaults {
        let mut by_struct: HashMap<u32, Vec<_>> = HashMap::new();
        for ((table, field), default) in &self.fields {
            by_struct.entry(*table).or_default().push((*field, default));
        }
        let of_struct = |(closed, of): (&u32, &u32)| {
            let closed = *closed;
            let defaults = by_struct.get(of).into_iter().flatten();
            defaults.map(move |(field, default)| ((closed, *field), (*default).clone()))
        };
        Defaults { fields: parts.structs.iter().flat_map(of_struct).collect() }
    }

    /// Sets a default for the fields at `path` in rows of `schema`. `of` makes it for the type of a
    /// field. Two arms of a union may both have a field at a path. [`Defaults::set`](crate::decode)
    /// describes paths.
    ///
    /// # Errors
    /// A schema error if there is no such field, or if it may be missing anyway. The errors of
    /// `of`.
    pub(crate) fn set_values(
        &mut self,
        schema: &Schema,
        path: &str,
        of: impl Fn(&Type) -> Result<Arc<[SinkCall]>>,
    ) -> Result<()> {
        let mut found = Vec::new();
        struct_fields(schema.root(), |steps, place, ty, maybe| {
            if Steps(steps).to_string() == path {
                found.push((place, ty, maybe));
            }
        });
        if found.is_empty() {
            return Err(Error::schema(format!("{schema} has no field {path} in a dict or record")));
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

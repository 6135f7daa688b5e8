//! The fields of rows that a reader wants.

use std::fmt;
use std::sync::Arc;

use crate::error::{Error, Result};
use crate::schema::{Brief, Names, Schema, Struct, Type, Word};

/// A field of a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FieldKey {
    /// A field of a record or dict, by its name.
    Name(Arc<str>),
    /// A field of a list or tuple of fixed shape, from 0.
    Index(usize),
}

/// What is read of each row: a part of its fields, whatever else the rows of a writer have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Selection {
    /// The value of a field, in place of the row. It is null in a row that lacks the field.
    Value(FieldKey),
    /// The row with these fields only, in the row's order. A writer's schema may lack some.
    Fields(Vec<FieldKey>),
}

/// A [`Selection`] of rows of one type.
#[derive(Clone, Debug)]
pub(super) struct Selected {
    /// The indices of the fields in the row, in its order.
    pub fields: Vec<usize>,
    /// Whether a row becomes the value of its field.
    pub is_value: bool,
}

impl Selection {
    /// Checks that rows of `schema` may have all of the fields.
    ///
    /// # Errors
    /// A schema error that names one that they have not.
    pub fn check(&self, schema: &Schema) -> Result<()> {
        self.keys().iter().try_for_each(|key| match key.find(schema.root())? {
            Some(_) => Ok(()),
            None => Err(key.missing(schema.root())),
        })
    }

    fn keys(&self) -> &[FieldKey] {
        match self {
            Selection::Value(key) => std::slice::from_ref(key),
            Selection::Fields(keys) => keys,
        }
    }

    /// Returns which fields are read of rows of type `row`, and the type of what is read.
    ///
    /// # Errors
    /// A schema error if rows have no such fields because they are no records, dicts, lists or tuples of fixed shape.
    pub(super) fn of(&self, row: &Type) -> Result<(Selected, Type)> {
        let is_value = matches!(self, Selection::Value(_));
        let mut fields: Vec<usize> = Vec::new();
        for key in self.keys() {
            fields.extend(key.find(row)?);
        }
        fields.sort_unstable();
        fields.dedup();
        let ty = match (is_value, row) {
            (true, _) => fields.first().and_then(|&at| row.field(at)).unwrap_or(Type::Null),
            (false, Type::Struct(of)) => {
                let names = fields.iter().map(|&at| of.names.fields[at].clone()).collect();
                let names = Arc::new(Names { fields: names, ..Names::clone(&of.names) });
                let fields = fields.iter().map(|&at| of.fields[at].clone()).collect();
                Type::Struct(Arc::new(Struct { names, fields }))
            }
            (false, Type::Fixed(container, of)) => {
                Type::Fixed(*container, fields.iter().map(|&at| of[at].clone()).collect())
            }
            (false, _) => row.clone(),
        };
        Ok((Selected { fields, is_value }, ty))
    }
}

impl FieldKey {
    /// Returns the index of the field in rows of type `row`; `None` if they may lack it.
    fn find(&self, row: &Type) -> Result<Option<usize>> {
        match (self, row) {
            (FieldKey::Name(name), Type::Struct(of)) => {
                Ok(of.names.fields.iter().position(|field| field == name))
            }
            (&FieldKey::Index(index), Type::Fixed(_, fields)) if index < fields.len() => {
                Ok(Some(index))
            }
            _ => Err(self.missing(row)),
        }
    }

    fn missing(&self, row: &Type) -> Error {
        Error::schema(format!("rows of {} have no field {self}", Brief(row)))
    }
}

impl fmt::Display for FieldKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FieldKey::Name(name) => Word(name).fmt(f),
            FieldKey::Index(index) => index.fmt(f),
        }
    }
}

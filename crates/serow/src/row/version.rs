//! The types of records and variants, and what readers know of other versions of them.

use std::sync::Arc;

use serow_core::decode::Recorder;
use serow_core::error::Fault;
use serow_core::plan::{Defaults, Former, FormerNames, RowType};
use serow_core::schema::{Container, Enum, Field, Names, Struct, Type};

use super::failure::Failure;
use super::{Place, Row, Writing};
use crate::Result;

/// The record `name` with these fields.
pub fn record(name: &str, fields: impl IntoIterator<Item = (&'static str, Type)>) -> Type {
    let (names, fields): (Vec<_>, Vec<_>) =
        fields.into_iter().map(|(name, ty)| (Arc::from(name), Field { ty, maybe: false })).unzip();
    let names = Arc::new(Names { name: Some(name.into()), fields: names });
    Type::Struct(Arc::new(Struct { names, fields }))
}

/// The tuple of these types.
pub fn tuple(types: Vec<Type>) -> Type {
    Type::Fixed(Container::Tuple, types)
}

/// The enum `name`: the records of variants with contents, and the names of those without, all in the order of
/// their names.
pub fn variants(name: &str, mut records: Vec<Type>, units: &[&str]) -> Type {
    if !units.is_empty() {
        records.push(Type::Enum(Arc::new(Enum::new(name, units.iter().copied()))));
    }
    match records.len() {
        1 => records.remove(0),
        _ => Type::Union(records),
    }
}

/// The former names and the defaults in a type, in the order of its structs and enums.
#[derive(Debug, Default)]
pub struct Versions {
    structs: Vec<Former>,
    enums: Vec<Former>,
    defaults: Defaults,
    /// The first value of a default that can't be written.
    failed: Option<Fault>,
}

/// Former names, as a derive has them.
type WasNames = &'static [&'static str];

fn names(was: WasNames) -> Vec<Arc<str>> {
    was.iter().map(|name| Arc::from(*name)).collect()
}

impl Versions {
    /// Adds the former names of a record and of its fields. The caller then adds the types of its fields.
    pub fn record(&mut self, own: WasNames, fields: &[WasNames]) -> u32 {
        let index = self.structs.len() as u32;
        let parts = fields.iter().map(|was| names(was)).collect();
        self.structs.push(Former { own: names(own), parts });
        index
    }

    /// An enum: its former names, and those of its members.
    pub fn members(&mut self, own: WasNames, members: &[WasNames]) {
        let parts = members.iter().map(|was| names(was)).collect();
        self.enums.push(Former { own: names(own), parts });
    }

    /// The default of a field of a record.
    pub fn field_default<T: Row>(&mut self, record: u32, field: u32, value: &T) {
        let mut recorder = Recorder::default();
        match value.write(
            &mut Writing { sink: &mut recorder, failure: &mut Failure::default(), elements: 0 },
            Place::NONE,
        ) {
            Ok(()) => self.defaults.set_calls((record, field), recorder.into()),
            Err(fault) => self.failed = Some(fault),
        }
    }

    /// Returns the former names and the defaults in rows of this type.
    pub(super) fn finish(self, rows: &RowType) -> Result<(FormerNames, Defaults)> {
        if let Some(fault) = self.failed {
            return Err(fault.into_error(crate::ErrorKind::Schema, "a default of a field"));
        }
        Ok((FormerNames::new(rows, self.structs, self.enums)?, self.defaults))
    }
}
